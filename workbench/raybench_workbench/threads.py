"""Work outside the GUI thread: calls in the background, the latest of several requests, work with a
progress dialog, and a thread with an event loop. Python's garbage is collected in the GUI thread,
since Qt objects must be deleted there.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget
from shiboken6 import isValid

from raybench.errors import OUT_OF_MEMORY, RaybenchError
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr, translated_message

log = logging.getLogger(__name__)
JOIN_SECONDS = 2.0
"""How long `LoopThread.close` waits for the thread to end."""


class LoopThread:
    """A daemon thread that runs an asyncio event loop. It starts with the first call posted to it,
    and again if it has died.

    Args:
        begin: Called in the thread before its loop runs.
        died: Called in the thread with the error that ended it, after its loop was closed.
    """

    def __init__(
        self, name: str, begin: Callable[[], object], died: Callable[[BaseException], object]
    ) -> None:
        self._name, self._begin_request, self._died = name, begin, died
        self.closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        """References to running tasks: asyncio keeps none, and they could be garbage collected."""

    def start(self) -> None:
        """Start the thread, unless it runs or was closed."""
        if not self.closed:
            loop = self._open_loop()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run_loop, args=(loop,), name=self._name, daemon=True
                )
                self._thread.start()

    def _open_loop(self) -> asyncio.AbstractEventLoop:
        """The event loop, which accepts calls even before the thread runs it; a new loop if the
        previous one is closed.
        """
        if self._loop is None or self._loop.is_closed():
            self._loop, self._thread = asyncio.new_event_loop(), None
        return self._loop

    def post(self, call: Callable[..., object], *arguments: object, wake: bool = True) -> None:
        """Run a call in the thread. Without ``wake``, the thread is not started for it; the call
        runs once the thread starts.
        """
        if self.closed:
            return
        try:
            self._open_loop().call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the thread has died in between
            self._open_loop().call_soon_threadsafe(call, *arguments)
        if wake:
            self.start()

    def run_coroutine(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine in the thread."""
        self.post(lambda: self.create_task(work()))

    def create_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Create a task that runs a coroutine. Call this only from the thread itself."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Stop the thread and cancel its tasks; later calls are ignored."""
        if self.closed:
            return
        self.closed = True
        if self._thread is not None and self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the thread has died
                self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(JOIN_SECONDS)
        elif self._loop is not None:
            self._loop.close()

    def _run_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        cause: BaseException | None = None
        try:
            self._begin_request()
            loop.run_forever()
        except BaseException as error:
            log.exception("the thread %s died", self._name)
            cause = error
        finally:
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            loop.close()
        if cause is not None:  # reported when the next call starts a new thread
            self._died(cause)


T = TypeVar("T")


class _CallQueue(QObject):
    """A queue of calls to the GUI thread. It is never deleted, because emitting a signal of an
    object that is being deleted crashes the program.
    """

    posted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self._run_call, Qt.ConnectionType.QueuedConnection)

    def _run_call(self, call: Callable[[], object]) -> None:
        call()


_call_queue = cache(_CallQueue)


def gui_thread_function(owner: QObject, call: Callable[..., object]) -> Callable[..., None]:
    """A function that can be called in any thread and runs ``call`` in the GUI thread, unless
    ``owner`` is deleted by then.
    """
    queue = _call_queue()

    def run(*arguments: object) -> None:
        if isValid(owner):
            call(*arguments)

    return lambda *arguments: queue.posted.emit(partial(run, *arguments))


@dataclass
class _Job:
    """A function to run in a thread and, once it has ended, its result or error."""

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


def run_in_background(
    owner: QObject,
    work: Callable[[], T],
    done: Callable[[T], object],
    failed: Callable[[Exception], object],
    *,
    pool: QThreadPool | None = None,
) -> None:
    """Run ``work`` in a thread of its own or of a ``pool``, and then ``done`` with its result in
    the GUI thread.

    If it raises an error, ``failed`` is called with the error instead, and a programming error is
    also logged. Neither is called once ``owner`` is deleted.
    """
    number = next(_numbers)
    _jobs[number] = _Job(owner, work, done, failed)
    run = partial(_run_job, _call_queue(), number)
    if pool is None:
        threading.Thread(target=run, name="background", daemon=True).start()
    else:
        pool.start(run)


def _run_job(queue: _CallQueue, number: int) -> None:
    """Run the work of a job in its thread. The job is passed by number, so that the thread holds no
    reference to it and the GUI thread deletes it.
    """
    try:
        _jobs[number].result = _jobs[number].work()
    except RaybenchError as error:
        _jobs[number].error = error
    except Exception as error:
        log.exception("work in the background failed")
        _jobs[number].error = error
    queue.posted.emit(partial(_deliver_result, number))


def _deliver_result(number: int) -> None:
    """Pass the result of an ended job to its receiver, in the GUI thread."""
    job = _jobs.pop(number)
    if not isValid(job.owner):
        return
    if job.error is not None:
        job.failed(job.error)
    else:
        job.done(job.result)


def error_reason(error: Exception, task: str, remedy: str = "") -> str:
    """The message for an error: its own text or, for a programming error, that ``task`` failed,
    with a ``remedy``.
    """
    if isinstance(error, RaybenchError):
        return translated_message(error)
    if isinstance(error, MemoryError):
        return tr("{what} failed. {reason}", what=task, reason=OUT_OF_MEMORY)
    why = f"{type(error).__name__}: {error}".rstrip(": ")
    return tr("{what} failed ({why}). {remedy}", what=task, why=why, remedy=remedy).rstrip()


class LatestTaskRunner:
    """Runs one task at a time in a thread. Of the tasks requested meanwhile, only the latest is
    run.

    The result of a task is dropped if another was requested since. With ``late`` it is still
    delivered, and the receiver decides whether to use it.
    """

    def __init__(
        self,
        owner: QObject,
        failed: Callable[[str], object],
        what: str,
        *,
        late: bool = False,
        pool: QThreadPool | None = None,
    ) -> None:
        """``failed`` is called with the reason if the work fails; ``what`` is the name of the work
        in that message.
        """
        self._owner, self._what, self._late, self._pool = owner, what, late, pool
        self._failed = failed
        self._request: tuple[Callable[[], Any], Callable[[Any], object]] | None = None
        """The latest request, until its result has been delivered."""
        self._running = False

    @property
    def is_working(self) -> bool:
        """Whether a request is running or pending."""
        return self._request is not None

    def request_task(self, work: Callable[[], T], done: Callable[[T], object]) -> None:
        """Run ``work`` in a thread, and then ``done`` with its result in the GUI thread."""
        self._request = work, done
        self._begin_request()

    def cancel_request(self) -> None:
        """Cancel the requested task."""
        self._request = None

    def _begin_request(self) -> None:
        request = self._request
        if request is not None and not self._running:
            self._running = True
            work, done = request

            def fail(error: Exception) -> None:
                self._failed(error_reason(error, self._what))

            finish = partial(self._finish_request, request)
            run_in_background(
                self._owner, work, partial(finish, done), partial(finish, fail), pool=self._pool
            )

    def _finish_request(
        self, request: object, deliver: Callable[[Any], object], result: object
    ) -> None:
        self._running = False
        is_latest = request is self._request
        wanted = is_latest or (self._late and self.is_working)
        if is_latest:
            self._request = None
        if wanted:
            deliver(result)
        self._begin_request()


Progress = Callable[[float], None]
"""Called with the fraction of the work that is done; raises Cancelled once the person has cancelled
it.
"""
MIN_DURATION = 400
"""Milliseconds after which the dialog is shown."""


class WorkCancelled(RaybenchError):
    """Raised when the user cancels the work."""


def run_with_progress(
    work: Callable[[Progress], T],
    title: str,
    window: QWidget,
    done: Callable[[T], object],
    failed: Callable[[str], object],
) -> QProgressDialog:
    """Run ``work`` in a thread with a progress dialog. Then call ``done`` with its result, or
    ``failed`` with the reason if it fails.

    Returns the progress dialog, which appears if the work takes long; ``title`` describes the work
    in it.
    """
    cancelled = threading.Event()
    dialog = QProgressDialog(literal_tool_tip(title), tr("Cancel"), 0, 100, window)
    dialog.setWindowTitle("Raybench")
    dialog.setMinimumDuration(MIN_DURATION)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setValue(0)
    dialog.canceled.connect(cancelled.set)
    show, last = gui_thread_function(dialog, dialog.setValue), -1

    def step(fraction: float) -> None:
        nonlocal last
        if cancelled.is_set():
            raise WorkCancelled(tr("It was cancelled; nothing was written."))
        percent = min(99, int(100 * fraction))
        if percent != last:
            last = percent
            show(percent)

    def end(deliver: Callable[[Any], object], result: object) -> None:
        dialog.reset()
        dialog.deleteLater()
        deliver(result)

    def fail(error: Exception) -> None:
        failed(error_reason(error, title, tr("Choose a smaller size, or fewer rays.")))

    pool = QThreadPool.globalInstance()
    run_in_background(window, lambda: work(step), partial(end, done), partial(end, fail), pool=pool)
    return dialog


CHECK_INTERVAL = 200
"""Milliseconds between two looks at how much has been made since the last collection."""
QUIET_CHECKS = 10
"""Looks in a row with little made, after which older objects are searched too: in a large scene
that takes 70 ms.
"""
MAX_YOUNG_COLLECTIONS = 100
"""Collections of the youngest objects after which older ones are searched without a rest."""


class GarbageCollector(QObject):
    """Runs Python's garbage collection from a timer in the GUI thread. Python itself would run it
    in any thread that creates an object.

    Objects that exist when the event loop begins are never collected: searching all imported
    modules would take more than a tenth of a second each time.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._quiet_checks = 0
        """Looks in a row with little made."""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect_garbage)
        self._timer.start(CHECK_INTERVAL)
        QTimer.singleShot(0, self, gc.freeze)

    def close(self) -> None:
        """Leave garbage collection to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _collect_garbage(self) -> None:
        """Collect the oldest generation of objects that is due for collection. Only the youngest is
        collected while a mouse button is held, and until there is a rest: what was just opened or
        traced is no garbage, and to search it would delay its picture.
        """
        counts = gc.get_count()
        due = [made > most > 0 for made, most in zip(counts, gc.get_threshold(), strict=True)]
        self._quiet_checks = 0 if due[0] else self._quiet_checks + 1
        is_held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if is_held or (self._quiet_checks < QUIET_CHECKS and counts[1] < MAX_YOUNG_COLLECTIONS):
            del due[1:]
        if any(due):
            gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))
