"""A thread with an asyncio event loop, to which other threads post calls."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)
JOIN_SECONDS = 2.0
"""How long `LoopThread.close` waits for the thread to end."""


class LoopThread:
    """A daemon thread that runs an event loop. It starts with the first call posted to it, and
    again if it has died.

    Args:
        begin: Called in the thread before its loop runs.
        died: Called in the thread with the error that ended it, after its loop was closed.
    """

    def __init__(
        self, name: str, begin: Callable[[], object], died: Callable[[BaseException], object]
    ) -> None:
        self._name, self._begin, self._died = name, begin, died
        self.closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._queued: list[tuple[Callable[..., object], tuple[object, ...]]] = []
        """Calls to run once the thread has started."""
        self._tasks: set[asyncio.Task[None]] = set()
        """References to running tasks: asyncio keeps none, and they could be garbage collected."""

    def start(self) -> None:
        """Start the thread, unless it was started or closed before."""
        if self._loop is None and not self.closed:
            self._start()

    def post(self, call: Callable[..., object], *arguments: object, wake: bool = True) -> None:
        """Run a call in the thread. Without ``wake``, a thread that has not been started yet runs
        the call once it is.
        """
        if self.closed:
            return
        if self._loop is None and not wake:
            self._queued.append((call, arguments))
            return
        if self._loop is None or self._loop.is_closed():
            self._start()
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop was closed in between
            self._start()
            self._loop.call_soon_threadsafe(call, *arguments)

    def spawn(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine in the thread."""
        self.post(lambda: self.create_task(work()))

    def create_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that runs a coroutine; only from the thread itself."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Stop the thread and cancel its tasks; later calls are ignored."""
        if not self.closed:
            self.closed = True
            if self._loop is not None and self._thread is not None:
                with contextlib.suppress(RuntimeError):  # the thread has died
                    self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(JOIN_SECONDS)

    def _start(self) -> None:
        self._loop = asyncio.new_event_loop()
        for call, arguments in self._queued:
            self._loop.call_soon(call, *arguments)
        self._queued = []
        self._thread = threading.Thread(
            target=self._run, args=(self._loop,), name=self._name, daemon=True
        )
        self._thread.start()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        cause: BaseException | None = None
        try:
            self._begin()
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
