"""Work in a thread, whose result is delivered in the GUI thread if its owner still exists."""

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


class _CallQueue(QObject):
    """Queues calls to the GUI thread. It is never deleted: emitting a signal while its object is being deleted crashes the program."""

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def _run(self, call: Callable[[], object]) -> None:
        call()


_call_queue = cache(_CallQueue)


def in_gui_thread(owner: QObject, call: Callable[..., object]) -> Callable[..., None]:
    """A function that any thread may call, which queues ``call`` in the GUI thread; it is not run if ``owner`` is deleted by then."""
    queue = _call_queue()

    def run(*arguments: object) -> None:
        if isValid(owner):
            call(*arguments)

    return lambda *arguments: queue.posted.emit(partial(run, *arguments))


def in_background(
    owner: QObject,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[Exception], object],
    *,
    pool: QThreadPool | None = None,
) -> None:
    """Run ``work`` in a thread of its own or of a ``pool``, and then ``done`` with its result in the GUI thread.

    After an error ``failed`` is called with it instead; a defect is also logged. Neither is called once ``owner`` is deleted.
    """
    deliver, report = in_gui_thread(owner, done), in_gui_thread(owner, failed)

    def run() -> None:
        try:
            result = work()
        except RaybenchError as error:
            report(error)
        except Exception as error:
            log.exception("work in the background failed")
            report(error)
        else:
            deliver(result)

    if pool is None:
        threading.Thread(target=run, name="background", daemon=True).start()
    else:
        pool.start(run)


def reason_of(error: Exception, what: str, remedy: str = "") -> str:
    """The message about an error: its own text or, for a defect, that ``what`` failed, with a ``remedy``."""
    if isinstance(error, RaybenchError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"{what} failed. {OUT_OF_MEMORY}"
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{what} failed ({why}). {remedy}".rstrip()
