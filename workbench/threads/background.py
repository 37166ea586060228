"""Work in a thread whose answer reaches the window, if what asked for it is still there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from shiboken6 import isValid

T = TypeVar("T")
log = logging.getLogger(__name__)


class _Answers(QObject):
    """Brings answers to the GUI thread. It is never deleted: a signal emitted while its object is being deleted ends the program."""

    arrived = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def _take(self, answer: Callable[[], object]) -> None:
        answer()


_answers = cache(_Answers)


def in_background(
    owner: QObject,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[Exception], object] = lambda error: None,
    *,
    pool: QThreadPool | None = None,
) -> None:
    """Run ``work`` in a thread of its own or of a ``pool``, and then ``done`` with its answer here, in the GUI thread.

    An error is logged, and ``failed`` is called with it instead. Neither is called once ``owner`` is deleted.
    """
    answers = _answers()

    def reply(answer: Callable[[], object]) -> None:
        if isValid(owner):
            answer()

    def run() -> None:
        try:
            answer = partial(done, work())
        except Exception as error:
            log.exception("work in the background failed")
            answer = partial(failed, error)
        answers.arrived.emit(partial(reply, answer))

    if pool is None:
        threading.Thread(target=run, name="background", daemon=True).start()
    else:
        pool.start(run)
