"""Work in a thread whose answer reaches the window, if what asked for it is still there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from shiboken6 import isValid

from core.errors import OUT_OF_MEMORY, RaybenchError

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Calls(QObject):
    """Brings calls to the GUI thread. It is never deleted: a signal emitted while its object is being deleted ends the program."""

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._make, Qt.ConnectionType.QueuedConnection)

    def _make(self, call: Callable[[], object]) -> None:
        call()


_calls = cache(_Calls)


def in_gui_thread(owner: QObject, call: Callable[..., object]) -> Callable[..., None]:
    """A function that any thread may call, which makes ``call`` later, here in the GUI thread, unless ``owner`` is deleted by then."""
    calls = _calls()

    def make(*arguments: object) -> None:
        if isValid(owner):
            call(*arguments)

    return lambda *arguments: calls.posted.emit(partial(make, *arguments))


def in_background(
    owner: QObject,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[Exception], object],
    *,
    pool: QThreadPool | None = None,
) -> None:
    """Run ``work`` in a thread of its own or of a ``pool``, and then ``done`` with its answer here, in the GUI thread.

    After an error ``failed`` is called with it instead; one that is a defect is also logged. Neither is called once ``owner`` is deleted.
    """
    answer, refuse = in_gui_thread(owner, done), in_gui_thread(owner, failed)

    def run() -> None:
        try:
            found = work()
        except RaybenchError as error:
            refuse(error)
        except Exception as error:
            log.exception("work in the background failed")
            refuse(error)
        else:
            answer(found)

    if pool is None:
        threading.Thread(target=run, name="background", daemon=True).start()
    else:
        pool.start(run)


def reason_of(error: Exception, what: str, remedy: str = "") -> str:
    """What a person is told of an error: its own words or, of a defect, that ``what`` failed, with a ``remedy``."""
    if isinstance(error, RaybenchError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"{what} failed. {OUT_OF_MEMORY}"
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{what} failed ({why}). {remedy}".rstrip()
