"""Signals that end the program. Ctrl-C prints one line at any time, and half-written files are
removed.

An exception that is raised while libraries are imported may be swallowed, become another one, or
end the process with a traceback. So this module imports almost nothing: before a handler is set
Ctrl-C shows a traceback, and `signal` alone would import six other modules.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found,unused-ignore]
import os
from _signal import SIG_DFL, SIG_IGN, SIGINT, SIGTERM, default_int_handler, getsignal, signal  # type: ignore[import-not-found,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

INTERRUPTED_TEXT = "raybench: interrupted."
INTERRUPTED_STATUS = 130
"""The exit status after Ctrl-C."""

unfinished: set[str] = set()
"""Files and folders of this process that nobody needs once it has ended, such as those that are
being written.
"""
ENDING_SIGNALS: tuple[int, ...] = (
    (SIGTERM, _signal.SIGHUP) if hasattr(_signal, "SIGHUP") else (SIGTERM,)
)
"""The signals other than Ctrl-C that end a program: a kill, and the end of its terminal, which
Windows does not have.
"""


def raise_interrupt(number: int, frame: FrameType | None) -> None:
    """A signal handler for SIGINT. It ends the process while a module is being imported, and
    otherwise raises KeyboardInterrupt.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            end_process_on_signal()
        frame = frame.f_back
    raise KeyboardInterrupt


def end_process_on_signal(number: int = SIGINT, *_: object) -> None:
    """A signal handler that ends the process as the signal would, after removing `unfinished`
    files. For Ctrl-C it prints one line.
    """
    try:
        remove_unfinished_files()
        if number == SIGINT:
            os.write(
                2, f"{INTERRUPTED_TEXT}\n".encode()
            )  # an error where nobody reads it, such as in a pipe that Ctrl-C has ended, too
    finally:
        os._exit(128 + number)


def remove_unfinished_files() -> None:
    """Remove the `unfinished` files and folders, as far as possible."""
    for path in list(unfinished):
        try:
            os.unlink(path)
        except OSError:  # gone already, or a folder
            if os.path.isdir(path):
                from shutil import rmtree

                rmtree(path, ignore_errors=True)


def ctrl_c_raises_interrupt() -> bool:
    """Whether Ctrl-C raises KeyboardInterrupt at present, so that it is neither ignored nor has
    another handler.
    """
    return getsignal(SIGINT) in (raise_interrupt, default_int_handler)


def ignore_interrupts() -> None:
    """Ignore SIGINT at the end of the program, since handlers cannot be called while the
    interpreter shuts down.
    """
    signal(SIGINT, SIG_IGN)


def set_interrupt_handler(handler: Callable[[int, FrameType | None], None]) -> None:
    """Set the handler of SIGINT, if Ctrl-C raises KeyboardInterrupt at present. The signals in
    `ENDING_SIGNALS` that have no handler get `end_process_on_signal`.
    """
    if ctrl_c_raises_interrupt():
        signal(SIGINT, handler)
    for number in ENDING_SIGNALS:
        if getsignal(number) is SIG_DFL:
            signal(number, end_process_on_signal)
