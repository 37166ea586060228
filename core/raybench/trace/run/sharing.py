"""The threads of a trace, which help its thread in compiled code
(`raybench.trace.kernels.team`).
"""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from queue import Empty, SimpleQueue
from typing import TypeVar

LINGER = 1e-2
"""Seconds that a thread waits for more work before it returns to the pool, since waking it is
faster than calling one from the pool.
"""
NAP = 1e-5
"""Seconds between looks at whether other threads have ended."""
POLL_INTERVAL = 1e-3
"""Seconds between polls of a thread that does nothing else."""
MOST_THREADS = 64
"""The most threads that help traces at a time, and the most of a trace: each has batches of its
own.
"""
Result = TypeVar("Result")


class ThreadTeam:
    """The threads that help a trace. A thread waits for more work for the time `LINGER` before it
    returns to the pool.

    Args:
        threads: The number of threads, with the one that advances the trace.
        work: Called in each other thread with its number, from 1 on, which is always the same
            thread's.
        close: Called with True to make ``work`` return soon, and with False after that.
        halt: Called if the calling thread is interrupted while it polls.
    """

    def __init__(
        self,
        threads: int,
        work: Callable[[int], None],
        close: Callable[[bool], None],
        halt: Callable[[], None] = lambda: None,
    ) -> None:
        self.threads, self._work, self._close, self._halt = threads, work, close, halt
        self._calls: dict[int, SimpleQueue[bool]] = {}
        """The queues on which the other threads wait, by worker: whether there is more work."""
        self._others: dict[int, Future[None]] = {}
        self._failures: list[BaseException] = []
        self._called, self._working = False, 0
        self._lock = threading.Lock()

    def call(self) -> None:
        """Call all other threads to work. One that is working is not called again."""
        self._called = True
        for worker in range(1, self.threads):
            if worker not in self._others or self._others[worker].done():
                calls = self._calls[worker] = SimpleQueue()
                self._others[worker] = _helper_pool().submit(self._serve_calls, worker, calls)
            if self._calls[worker].empty():
                self._calls[worker].put(True)

    def dismiss(self) -> None:
        """Wait until no other thread works. Raises the first exception of one."""
        with self._lock:  # who has begun is counted
            self._called = False
        self._close(True)
        while self._working:
            time.sleep(NAP)
        self._close(False)
        if self._failures:
            raise self._failures[0]

    def poll_during(self, call: Callable[[], Result], poll: Callable[[], None]) -> Result:
        """Run ``call`` in another thread while the calling thread polls, and return its result."""
        made = _helper_pool().submit(call)
        try:
            while not wait([made], POLL_INTERVAL).done:
                poll()
        except BaseException:
            self._halt()
            wait([made])
            raise
        return made.result()

    def end(self) -> None:
        """Release the other threads. Afterwards none of them refers to the work."""
        for calls in self._calls.values():
            calls.put(False)
        self.dismiss()

    def _serve_calls(self, worker: int, calls: "SimpleQueue[bool]") -> None:
        try:
            while calls.get(timeout=LINGER):
                with self._lock:
                    begins = self._called
                    self._working += begins
                if begins:
                    try:
                        self._work(worker)
                    except BaseException as error:
                        self._failures.append(error)
                    with self._lock:
                        self._working -= 1
        except Empty:
            return


@cache
def _helper_pool() -> ThreadPoolExecutor:
    """The pool of helper threads, which all traces share. It has more threads than there are
    processors, so that no trace waits for another.
    """
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="trace")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helper_pool.cache_clear)  # threads do not survive a fork
