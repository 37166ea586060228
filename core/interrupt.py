"""Ctrl-C that ends a program in one line whenever it arrives.

An exception that is raised while libraries are imported may be swallowed, become another one, or end the process with a traceback. So this
module imports next to nothing: before a handler is set Ctrl-C shows a traceback, and `signal` alone would import six other modules.
"""

from __future__ import annotations

import os
from _signal import SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

TEXT = "raybench: interrupted."
STATUS = 130
"""The exit status after Ctrl-C."""


def interrupt(number: int, frame: FrameType | None) -> None:
    """A handler of SIGINT: ends the process if something is being imported, otherwise raises KeyboardInterrupt."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            end_at_once()
        frame = frame.f_back
    raise KeyboardInterrupt


def end_at_once(*_: object) -> None:
    """End the process as after Ctrl-C. Files that are being written by `core.files.atomic` stay as they were."""
    os.write(2, f"{TEXT}\n".encode())
    os._exit(STATUS)


def raises_interrupt() -> bool:
    """Whether Ctrl-C raises KeyboardInterrupt now: it is neither ignored nor handled in another way."""
    return getsignal(SIGINT) in (interrupt, default_int_handler)


def handle(handler: Callable[[int, FrameType | None], None]) -> None:
    """Make a function the handler of SIGINT, where Ctrl-C raises KeyboardInterrupt now."""
    if raises_interrupt():
        signal(SIGINT, handler)
