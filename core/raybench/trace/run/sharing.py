"""Sharing a range of the queue among threads. Any thread may search or write a part of the range;
positions for the results are assigned in order.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

LINGER = 1e-2
"""Seconds that a thread waits for more work before it returns to the pool, since waking it is
faster than calling one from the pool.
"""
NAP = 1e-5
"""Seconds that a thread sleeps while others finish a range."""
POLL_INTERVAL = 1e-3
"""Seconds between polls of a thread that does nothing else."""
MOST_THREADS = 64
"""The most threads that help traces at a time, and the most of a trace: each has batches of its
own.
"""
ENDED = -1
Part = Any
Buffer = Any
Result = TypeVar("Result")


class PlacedPart(NamedTuple):
    """A part of the range whose results have positions. ``write`` may be called in any thread and
    in any order. No part after the ``last`` one gets positions.
    """

    write: Callable[[], int]
    last: bool


class Pipeline:
    """A pipeline that processes the parts of a range through buffers. Each part is searched, gets
    positions for its results after those of the preceding part, and is written.

    Every worker has parts and buffers of its own, so that the data it wrote in the last range are
    in its cache. If another worker is late, it takes one of that worker's parts.

    Args:
        parts: The parts in order, each with the number of its worker.
        buffers: The buffers of each worker. A buffer holds a part from the start of its search
            until it is written.
        search: Called with a buffer and a part, in any thread and order.
        place: Assigns positions to the results in a searched buffer; called in the order of the
            parts, never concurrently. Returns None if there is no room; then the pipeline is
            ``crowded`` until `resume`.

    ``written`` is the sum of the results of the writing functions.
    """

    def __init__(
        self,
        parts: Sequence[tuple[int, Part]],
        buffers: Sequence[Sequence[Buffer]],
        search: Callable[[Buffer, Part], None],
        place: Callable[[Buffer], PlacedPart | None],
    ) -> None:
        self.crowded, self.written = False, 0
        self._search, self._place = search, place
        self._parts = dict(enumerate(part for _, part in parts))
        """The parts that are not searched yet, by number."""
        self._own: list[deque[int]] = [deque() for _ in buffers]
        for number, (worker, _) in enumerate(parts):
            self._own[worker].append(number)
        self._free = [list(own) for own in buffers]
        self._searched: dict[int, tuple[int, Buffer]] = {}
        self._placed: list[list[tuple[Buffer, Callable[[], int]]]] = [[] for _ in buffers]
        self._next = self._running = 0
        self._lock = threading.Lock()

    def step(self, worker: int) -> bool:
        """Search or write one part as the worker with this number. Returns False if there is
        nothing to do for this worker now.
        """
        with self._lock:
            placed, number = self._placed[worker], None
            if placed:
                buffer, write = placed.pop()
            else:
                number = self._choose_part_to_search(worker)
                if number is None:
                    return False
                buffer, part = self._free[worker].pop(), self._parts.pop(number)
            self._running += 1
        if number is None:
            count = write()
            with self._lock:
                self.written += count
                self._free[worker].append(buffer)
                self._running -= 1
            return True
        self._search(buffer, part)
        with self._lock:
            self._searched[number] = worker, buffer
            self._place_searched_parts()
            self._running -= 1
        return True

    def is_idle(self) -> bool:
        """Whether no thread is working on the pipeline and no step is possible."""
        with self._lock:
            return not (self._running or any(self._placed) or (self._parts and not self.crowded))

    def resume(self) -> None:
        """Continue after more room for results was made. Call it only while `is_idle`."""
        with self._lock:
            self.crowded = False
            self._place_searched_parts()

    def _choose_part_to_search(self, worker: int) -> int | None:
        """The part that a worker searches next, normally one of its own. If it has none, or if it
        would use its last buffer, it gets the first unsearched part, for which other workers wait.
        None if no part is left.
        """
        if self.crowded or not self._parts or not self._free[worker]:
            return None
        own = self._own[worker]
        while own and own[0] not in self._parts:
            own.popleft()
        return own[0] if own and len(self._free[worker]) > 1 else min(self._parts)

    def _place_searched_parts(self) -> None:
        while not self.crowded and self._next in self._searched:
            worker, buffer = self._searched[self._next]
            placed = self._place(buffer)
            if placed is None:
                self.crowded = True
                return
            del self._searched[self._next]
            self._placed[worker].append((buffer, placed.write))
            self._next += 1
            if placed.last:
                self._parts.clear()
                self._searched.clear()
                self._next = ENDED


class ThreadTeam:
    """The threads of a trace: the calling thread, and threads of the pool. Threads of the pool wait
    for more work for the time `LINGER` before they leave the team.

    ``halt`` makes running work end soon. It is called if the calling thread is interrupted, which
    then waits for the others.

    A thread without work sleeps. If it polled, it would take the interpreter's lock each time, and
    a thread that returns from compiled code would wait for the lock, up to Python's thread switch
    interval.
    """

    def __init__(self, threads: int, halt: Callable[[], None] = lambda: None) -> None:
        self.threads, self._halt = threads, halt
        self._calls: dict[int, SimpleQueue[bool]] = {}
        """The queues on which the other threads wait, by worker: whether there is more work."""
        self._others: dict[int, Future[None]] = {}
        self._work: Callable[[int], None] | None = None
        self._working = 0
        self._lock = threading.Lock()

    def run(
        self,
        step: Callable[[int], bool],
        finished: Callable[[], bool],
        poll: Callable[[], None] | None = None,
    ) -> None:
        """Call ``step`` in all threads until ``finished`` returns True. With ``poll`` only the
        threads of the pool work, while the calling thread polls.

        ``step`` gets the number of the worker, from 0 to ``threads - 1``; each number is always the
        same thread. It does a piece of the work, and returns False if there is no work at present.
        After all threads have ended, the first exception is raised.
        """
        failures: list[BaseException] = []

        def work(worker: int) -> None:
            try:
                while not (finished() or failures):
                    if not step(worker):
                        time.sleep(NAP)
            except BaseException as error:
                failures.append(error)

        self._work, others = work, range(1 if poll is None else 0, self.threads)
        try:
            self._wake_threads(others)
            if poll is None:
                work(0)
            while not (finished() or failures):
                self._wake_threads(others)
                if poll is not None:
                    poll()
                time.sleep(POLL_INTERVAL)
        except BaseException as error:  # also KeyboardInterrupt
            self._halt()
            failures.append(error)
        with self._lock:  # who has taken the work is counted, so that `end` waits for it
            self._work = None
        if failures:
            self.end()
            raise failures[0]

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
        while self._working:
            time.sleep(NAP)

    def _wake_threads(self, others: Iterable[int]) -> None:
        """Wake other threads, each once. A single call is enough until the thread has answered
        it.
        """
        for worker in others:
            if worker not in self._others or self._others[worker].done():
                calls = self._calls[worker] = SimpleQueue()
                self._others[worker] = _helper_pool().submit(self._serve_calls, worker, calls)
            if self._calls[worker].empty():
                self._calls[worker].put(True)

    def _serve_calls(self, worker: int, calls: SimpleQueue[bool]) -> None:
        try:
            while calls.get(timeout=LINGER):
                with self._lock:
                    work = self._work
                    self._working += work is not None
                if work is not None:
                    work(worker)
                    work = None
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
