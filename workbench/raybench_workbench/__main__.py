"""The start of the program, as `raybench` or `python -m raybench_workbench`. Ctrl-C ends it with
one line at any time.
"""

import os
import sys

if (
    __name__ == "__main__"
    and not sys.flags.safe_path
    and sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(__file__))
):
    # ``python -m raybench_workbench``: do not import modules from the current folder, such as a
    # random.py beside a scene
    del sys.path[0]

from raybench.system.interrupt import (
    end_process_on_signal,
    ignore_interrupts,
    raise_interrupt,
    set_interrupt_handler,
)

NO_DOCSTRINGS = (
    "raybench: Python removes docstrings here, of which the tools and their help are made. Start it"
    " without -OO, and with the variable PYTHONOPTIMIZE unset."
)


def end_program(statuses: list[int]) -> None:
    """Run after all other exit handlers. A program that had a window ends here with its status:
    while Python removes its modules, threads that still run compiled code could crash it.
    """
    ignore_interrupts()
    if statuses and "raybench_workbench.app" in sys.modules:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(statuses[0])


def start() -> int:
    """Run the command line, and return its exit status."""
    if sys.flags.optimize > 1:
        sys.exit(NO_DOCSTRINGS)
    set_interrupt_handler(raise_interrupt)
    import atexit  # after the handler is set
    import gc

    statuses: list[int] = []
    atexit.register(end_program, statuses)  # the first one that is registered runs last
    gc.disable()  # nothing that is imported is garbage; `Command.run` enables it
    try:
        from raybench_workbench.cli import main

        statuses.append(main())
        return statuses[0]
    except KeyboardInterrupt:  # while arguments are read, or with --debug
        if "--debug" not in sys.argv:
            end_process_on_signal()
        raise
    finally:
        set_interrupt_handler(end_process_on_signal)


if __name__ == "__main__":
    sys.exit(start())
