"""The lifetime of a tool call: its threads and event loops, its clock, and the cancellation of its
subtasks.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import math
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager
from typing import Any, TypeVar

from raybench.errors import error_type_and_message

T = TypeVar("T")
POLL_INTERVAL = 0.05
"""Poll interval in seconds while the call's clock is paused."""
REPORT_INTERVAL = 0.2
"""Seconds between two reports of a call's progress."""
END_TIMEOUT = 1.0
"""Longest time in seconds to wait for a cancelled call or edit, so that its end is reported before
that of its caller.
"""


class ExitRaised(RuntimeError):
    """A function in another thread raised SystemExit, KeyboardInterrupt or StopIteration. These
    must not end the calling thread.
    """

    def __init__(self, error: BaseException) -> None:
        super().__init__(f"it raised {error_type_and_message(error)}")
        self.__traceback__ = error.__traceback__  # the log names the place


async def run_in_thread(function: Callable[[], T]) -> T:
    """Run a function in a new thread, and return its result or raise its exception. Cancelling ends
    only the waiting; the thread runs on, and its result is dropped.

    No thread pool is used: a pool waits for its threads when the program ends, and a tool may never
    return.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def run_function() -> None:
        with contextlib.suppress(
            InvalidStateError
        ):  # the future was cancelled: nobody waits any more
            try:
                result = context.run(function)
            except BaseException as error:
                future.set_exception(
                    error
                    if isinstance(error, Exception) and not isinstance(error, StopIteration)
                    else ExitRaised(error)
                )
            else:
                future.set_result(result)

    threading.Thread(target=run_function, daemon=True, name="tool").start()
    return await asyncio.wrap_future(future)


async def run_in_own_thread(function: Callable[[], Any], convert: Callable[[Any], T]) -> T:
    """Call a function in a new thread and convert the value that it returns. An awaitable, such as
    the coroutine of an asynchronous function, is awaited in an event loop of that thread.

    A blocking call there, such as ``time.sleep``, blocks nothing else. Cancelling ends the waiting
    and cancels the coroutine.
    """
    tasks: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    stopped = threading.Event()

    async def await_returned(returned: Any) -> T:
        task = asyncio.current_task()
        assert task is not None
        tasks.append((asyncio.get_running_loop(), task))
        if stopped.is_set():
            raise asyncio.CancelledError
        while inspect.isawaitable(returned):
            returned = await returned
        return convert(returned)

    def call_function() -> T:
        returned = function()
        if inspect.isawaitable(returned):
            return asyncio.run(await_returned(returned))
        return convert(returned)

    try:
        return await run_in_thread(call_function)
    finally:
        stopped.set()
        for loop, task in tasks:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the coroutine has ended
                loop.call_soon_threadsafe(task.cancel)


class OutOfTime(TimeoutError):
    """A call exceeded its time limit."""


class CallScope:
    """The lifetime of a running call, with a reference to the calling call. Thread-safe."""

    def __init__(self, parent: CallScope | None = None) -> None:
        self.parent = parent
        self._over = False
        self.running = False
        """Whether the tool's function was started."""
        self._started: set[Future[Any]] = set()
        self._edits: dict[asyncio.Task[Any], str] = {}
        """The edits of this call and of calls within it, with their descriptions."""
        self._begun = time.perf_counter()
        self._waits = 0
        self._since = 0.0
        self._waited = 0.0
        self._reported = 0.0

    def is_report_due(self) -> bool:
        """Whether the progress of this call should be reported now. It is true at most once in
        `REPORT_INTERVAL` seconds.
        """
        now = time.perf_counter()
        due = now - self._reported >= REPORT_INTERVAL
        if due:
            self._reported = now
        return due

    @property
    def has_ended(self) -> bool:
        """Whether this call, or a call around it, has ended, so that its work must stop."""
        return self._over or (self.parent is not None and self.parent.has_ended)

    @property
    def seconds_without_pauses(self) -> float:
        """The time in seconds that this call has run, without its pauses."""
        now = time.perf_counter()
        return now - self._begun - self._waited - (now - self._since if self._waits else 0.0)

    @contextmanager
    def pause_clocks(self) -> Iterator[None]:
        """Pause the clocks of this call and its callers while the call waits for a person, a trace
        or another tool.
        """
        chain = list(self._this_and_outer_scopes())
        for scope in chain:
            scope._waits += 1
            if scope._waits == 1:
                scope._since = time.perf_counter()
        try:
            yield
        finally:
            for scope in chain:
                scope._waits -= 1
                if scope._waits == 0:
                    scope._waited += time.perf_counter() - scope._since

    async def run_with_timeout(self, seconds: float, work: Awaitable[T]) -> T:
        """Wait for the result of ``work``, and end this call. Raises OutOfTime after ``seconds``
        without pauses; they may be infinite.
        """
        task = asyncio.ensure_future(work)
        task.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # of a call that ended first, nobody else asks for it
        try:
            while not task.done():
                left = seconds - self.seconds_without_pauses
                if left <= 0 and not self._waits:
                    raise OutOfTime
                wait = max(left, POLL_INTERVAL) if self._waits else left
                await asyncio.wait({task}, timeout=None if math.isinf(wait) else wait)
            return task.result()
        finally:
            self.end_and_cancel_futures()
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=END_TIMEOUT)

    def register_future(self, future: Future[T]) -> Future[T]:
        """Register a future that this call started in another thread, to be cancelled when the call
        ends.
        """
        self._started.add(future)
        future.add_done_callback(self._started.discard)
        return future

    async def run_edit(self, work: Coroutine[Any, Any, T], description: str) -> T:
        """Make an edit in a task of its own and return its result. If the call is cancelled,
        `finish_pending_edits` waits for this task.
        """
        task = asyncio.ensure_future(work)
        for scope in self._this_and_outer_scopes():
            scope._edits[task] = description
        await asyncio.wait({task})
        return task.result()

    async def finish_pending_edits(self) -> tuple[str, ...]:
        """Cancel the edits that have not begun, wait for the others, and return descriptions of the
        edits that this call and its nested calls made.
        """
        waiting = {task for task in self._edits if not task.done()}
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting, timeout=END_TIMEOUT)
        return tuple(
            text
            for task, text in self._edits.items()
            if task.done() and not task.cancelled() and task.exception() is None
        )

    def end_and_cancel_futures(self) -> None:
        """End the call and cancel the futures that it started."""
        self._over = True
        for future in tuple(self._started):
            future.cancel()

    def _this_and_outer_scopes(self) -> Iterator[CallScope]:
        scope: CallScope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent
