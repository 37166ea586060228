"""Starts the program in a folder made by .ci/freeze, where there is no Python: for its child processes this program takes Python's place.

They are started by ``sys.executable``, which is this program there, with ``-m MODULE`` or ``-c CODE``, and with ``-P`` before it.
"""

import os
import runpy
import sys

from raybench_workbench.__main__ import start


def run() -> int:
    """What the arguments say: a module, code, or the program."""
    first, *rest = [a for a in sys.argv[1:2] if a != "-P"] + sys.argv[2:] or [""]
    if first not in ("-m", "-c"):
        return start()
    what, *given = rest
    sys.argv = [first if first == "-c" else what, *given]
    if first == "-c":
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    else:
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    os.environ["MONTY_BIN"] = os.path.join(
        sys._MEIPASS, "monty"
    )  # the sandbox of programs, which pip would put beside Python
    sys.exit(run())
