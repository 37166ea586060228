"""Work in a thread, whose result is delivered in the GUI thread if its owner still exists."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from shiboken6 import isValid

from raybench.errors import OUT_OF_MEMORY, RaybenchError

T = TypeVar("T")
log = logging.getLogger(__name__)


class _CallQueue(QObject):
    """Queues calls to the GUI thread. It is never deleted: emitting a signal while its object is
    being deleted crashes the program.
    """

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def _run(self, call: Callable[[], object]) -> None:
        call()


_call_queue = cache(_CallQueue)


def in_gui_thread(owner: QObject, call: Callable[..., object]) -> Callable[..., None]:
    """A function that any thread may call, which queues ``call`` in the GUI thread; it is not run
    if ``owner`` is deleted by then.
    """
    queue = _call_queue()

    def run(*arguments: object) -> None:
        if isValid(owner):
            call(*arguments)

    return lambda *arguments: queue.posted.emit(partial(run, *arguments))


@dataclass
class _Job:
    """Work in a thread and, once it has ended, its result or error."""

    owner: QObject
    work: Callable[[], Any]
    done: Callable[[Any], object]
    failed: Callable[[Exception], object]
    result: Any = None
    error: Exception | None = None


_jobs: dict[int, _Job] = {}
"""The jobs until the GUI thread takes them. A thread knows the number of its job alone: were it the
last to refer to a job, it would release Qt objects, or what their signals are connected to, and Qt
can then wait for Python in one thread, and Python for Qt in another.
"""
_numbers = itertools.count()


def in_background(
    owner: QObject,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[Exception], object],
    *,
    pool: QThreadPool | None = None,
) -> None:
    """Run ``work`` in a thread of its own or of a ``pool``, and then ``done`` with its result in
    the GUI thread.

    After an error ``failed`` is called with it instead; a defect is also logged. Neither is called
    once ``owner`` is deleted.
    """
    number = next(_numbers)
    _jobs[number] = _Job(owner, work, done, failed)
    run = partial(_run, _call_queue(), number)
    if pool is None:
        threading.Thread(target=run, name="background", daemon=True).start()
    else:
        pool.start(run)


def _run(queue: _CallQueue, number: int) -> None:
    """Do the work of a job, in its thread. No variable refers to the job, so that nothing of it is
    left when the GUI thread takes it.
    """
    try:
        _jobs[number].result = _jobs[number].work()
    except RaybenchError as error:
        _jobs[number].error = error
    except Exception as error:
        log.exception("work in the background failed")
        _jobs[number].error = error
    queue.posted.emit(partial(_end, number))


def _end(number: int) -> None:
    """Take a job that has ended, in the GUI thread."""
    job = _jobs.pop(number)
    if not isValid(job.owner):
        return
    if job.error is not None:
        job.failed(job.error)
    else:
        job.done(job.result)


def reason_of(error: Exception, what: str, remedy: str = "") -> str:
    """The message about an error: its own text or, for a defect, that ``what`` failed, with a
    ``remedy``.
    """
    if isinstance(error, RaybenchError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"{what} failed. {OUT_OF_MEMORY}"
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{what} failed ({why}). {remedy}".rstrip()
