"""Threads that share the work of a trace: they help the calling thread inside compiled code
(`raybench.trace.kernels.team`).
"""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

POLL_INTERVAL = 1e-3
"""Seconds between polls of a thread that does nothing else."""
MOST_THREADS = 64
"""The most threads that help traces at a time, and the most of a trace: each has batches of its
own.
"""
Result = TypeVar("Result")


class ThreadTeam:
    """The threads that help a trace.

    Args:
        threads: The number of threads, with the one that advances the trace.
        work: Called in each other thread with its number, from 1 on.
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
        self._others: dict[int, Future[None]] = {}

    def call(self) -> None:
        """Call all other threads to work, except those that are working."""
        for worker in range(1, self.threads):
            if worker not in self._others or self._others[worker].done():
                self._others[worker] = _helper_pool().submit(self._work, worker)

    def has_left(self) -> bool:
        """Whether one of the other threads does not work any more."""
        return any(other.done() for other in self._others.values())

    def dismiss(self) -> None:
        """Wait until no other thread works. Raises the first exception of one. Afterwards none
        refers to the work.
        """
        others, self._others = list(self._others.values()), {}
        self._close(True)
        wait([other for other in others if not other.cancel()])
        self._close(False)
        for other in others:
            if not other.cancelled():
                other.result()

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


@cache
def _helper_pool() -> ThreadPoolExecutor:
    """The pool of helper threads, which all traces share. It has more threads than there are
    processors, so that no trace waits for another.
    """
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="trace")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helper_pool.cache_clear)  # threads do not survive a fork
