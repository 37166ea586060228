"""Watches for what a window must not do: raise, print or log a warning."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import qInstallMessageHandler

OF_QT = (
    "plugin does not support",  # the platform without a display raises no windows
    # where there is no printer the dialog is for the PDF file
    "QPageSetupDialog: Cannot be used on non-native printers",
    # that dialog's picture of a page takes a quarter of a font's size in points
    "QFont::setPointSizeF: Point size <= 0 (-0.250000)",
)
"""Messages of Qt about itself."""


@contextmanager
def nothing_raised_or_printed(did: list[str]) -> Iterator[Callable[[], None]]:
    """A function that asserts that no exception, no message of Qt and no line of the log came since
    it was called last.
    """
    seen: list[str] = []

    def raised(kind: type[BaseException], error: BaseException, place: Any) -> None:
        seen.append("".join(traceback.format_exception(kind, error, place)))

    def check() -> None:
        assert not seen, "\n".join(["after", *did[-5:], *seen])

    before, handler = (sys.excepthook, threading.excepthook), logging.Handler(logging.WARNING)
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    sys.excepthook, threading.excepthook = (
        raised,
        lambda a: raised(a.exc_type, a.exc_value or a.exc_type(), a.exc_traceback),
    )
    messages = qInstallMessageHandler(
        lambda kind, _, text: None if any(known in text for known in OF_QT) else seen.append(text)
    )
    logging.getLogger().addHandler(handler)
    try:
        yield check
    finally:
        sys.excepthook, threading.excepthook = before
        qInstallMessageHandler(messages)
        logging.getLogger().removeHandler(handler)
