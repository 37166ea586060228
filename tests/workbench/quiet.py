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


@contextmanager
def nothing_raised_or_printed(did: list[str]) -> Iterator[Callable[[], None]]:
    """A function that asserts that no exception, no message of Qt and no line of the log came since it was called last."""
    seen: list[str] = []

    def raised(kind: type[BaseException], error: BaseException, place: Any) -> None:
        seen.append("".join(traceback.format_exception(kind, error, place)))

    def check() -> None:
        assert not seen, "\n".join(["after", *did[-5:], *seen])

    before, handler = (sys.excepthook, threading.excepthook), logging.Handler(logging.WARNING)
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    sys.excepthook, threading.excepthook = raised, lambda a: raised(a.exc_type, a.exc_value or a.exc_type(), a.exc_traceback)
    # the platform without a display raises no windows
    messages = qInstallMessageHandler(lambda kind, _, text: None if "plugin does not support" in text else seen.append(text))
    logging.getLogger().addHandler(handler)
    try:
        yield check
    finally:
        sys.excepthook, threading.excepthook = before
        qInstallMessageHandler(messages)
        logging.getLogger().removeHandler(handler)
