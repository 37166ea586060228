"""What the commands of studies have in common: options, compilation, and where evaluations are
computed.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from raybench.system.interrupt import raises_interrupt
from raybench_workbench.commands.arguments import add_limit_option, positive
from raybench_workbench.commands.terminal_output import control_terminal
from raybench_workbench.commands.terminal_trace import CLEAR_LINE, compile_in_background


def add_study_options(command: argparse.ArgumentParser) -> None:
    """Links, and where to compute."""
    command.add_argument(
        "--link",
        action="append",
        default=[],
        metavar="'PARAMETER = FORMULA'",
        help="a parameter that follows others, such as 'Lens 2.x = Lens 1.x + 40'; may be repeated",
    )
    command.add_argument(
        "--threads",
        type=positive,
        metavar="N",
        help="threads to compute with; all processors by default",
    )
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="compute on a Dask cluster, such as tcp://host:8786 (extra 'cluster')",
    )
    add_limit_option(command, "each trace")


@contextmanager
def executor_of(options: argparse.Namespace) -> Iterator[Executor | None]:
    """The executor that the options ask for: a cluster's, or None for threads here."""
    if options.cluster is None:
        compile_in_background()
        yield None
        return
    from raybench.study.cluster import connected

    with connected(options.cluster) as executor:
        yield executor


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl-C was pressed, to end a study with what there is; a second
    one interrupts the command.
    """
    pressed = threading.Event()

    def press(number: int, frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        print("Stopping; Ctrl-C again ends at once.", file=sys.stderr)

    before = signal.getsignal(signal.SIGINT)
    if raises_interrupt():
        signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def number_text(value: float) -> str:
    """A number in a table, or that it is undefined."""
    return "undefined" if math.isnan(value) else f"{value:.9g}"


def show_progress(text: str) -> None:
    """Show a line of progress on a terminal, in place of the last one; nothing elsewhere."""
    if sys.stderr.isatty():
        print(text, end="", file=sys.stderr)
        control_terminal(CLEAR_LINE)
