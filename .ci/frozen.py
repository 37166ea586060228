"""Starts the program in a folder made by .ci/freeze, where there is no Python: child processes name their module by -m."""

import runpy
import sys

from workbench.__main__ import start

if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:3] if a != "-P"]
    if arguments[:1] == ["-m"]:
        module, *sys.argv = sys.argv[sys.argv.index("-m") + 1 :]
        sys.argv.insert(0, module)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        sys.exit(start())
