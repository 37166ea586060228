"""Running the compiled loop of a trace: polling for a stop, reporting progress, enlarging arrays, sharing work among threads."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import Surface
from core.trace.codes import Completion
from core.trace.compilation.machine_code import bound
from core.trace.run import allocation
from core.trace.run.allocation import batch_size, bytes_per_item, grown, new_batch, new_columns, new_queue, trimmed, with_more_points
from core.trace.run.emission import InitialRays
from core.trace.run.memory import Buffers
from core.trace.tables.compiled import Compiled

if TYPE_CHECKING:
    from core.trace.kernels.rays import Batch, Emitted, Offsets

WORTH_SHARING = 1e-3
"""Seconds that one thread would take for the waiting rays from which threads share them: to begin, meet and end takes a third of it."""
SHORT_TRACE = 1e-2
"""Seconds for which a trace takes one thread and measures its speed; one that ends before would not be faster with more."""
LINGER = 1e-2
"""Seconds that a thread looks for more work, which is sooner found than a thread that sleeps is woken."""
MOST_SHARED, MOST_GRADED = 4_096, 64
"""The most rays of a thread's share; fewer in scenes with gradient-index bodies, where each takes long."""
SHARES, GRADED_SHARES = 2, 8
"""The most shares for each thread that are searched before they are written."""
POLL_INTERVAL, PROGRESS_INTERVAL = 1e-3, 0.05
"""In seconds. A trace with ``stop`` or ``progress`` polls about this often, and reports progress at the second."""
FIRST_BATCHES = 4
"""Batches before it polls for the first time; as long as that is more often than necessary, twice as many before the next poll."""
LONG_FORMULAS = 100
"""Operations of all gradient-index media's formulas from which each path takes long: threads share few of them, and stops are polled
while they work."""
MOST_THREADS = 64
FINISH_CHUNK = 1 << 16
"""Queue entries per task at the end of a trace."""
NEVER = 1 << 60
"""A number of rays that no trace reaches."""
Value = TypeVar("Value")


class Generations:
    """The queue of live rays of a running trace and the rows written so far.

    ``limit`` is the maximum number of rows, ``memory`` that of bytes, ``far`` the length of escaping segments. ``columns`` hold ``rows``
    rows and ``points`` polyline points so far. At the end, ``sums`` are those of `core.trace.kernels.kernel.interact`, ``alive_power`` is
    the power of the rays still alive, and ``detected`` lists the rows that end on a detector, ascending, in chunks.
    """

    def __init__(
        self, scene: Compiled, rays: InitialRays, chosen: NDArray[np.int64], limit: int, memory: int, far: float, buffers: Buffers
    ) -> None:
        from core.trace.kernels import kernel, loop
        from core.trace.kernels import state as codes
        from core.trace.kernels.rays import ALIVE, OBJECT, Offsets

        self.scene, self.limit, self.memory, self.far, self._buffers = scene, limit, memory, far, buffers
        self.kernel, self.loop, self.codes, self._offsets, self._object = kernel, loop, codes, Offsets, OBJECT
        self.emitted = emitted(rays, chosen)
        self.bodies = len(scene.tables.graded)
        self.queue, self.columns = new_queue(0, self.bodies), new_columns(0, self.bodies)
        self.row_bytes, self.ray_bytes = bytes_per_item(self.columns), bytes_per_item(self.queue)
        self.state, self._sums = np.zeros(codes.STATE_SIZE, np.int64), np.zeros((2, kernel.SUMS_SIZE))
        self._reserved = 0
        self._reserve(2 * len(chosen), min(limit, 8 * len(chosen)))
        if self.bodies:  # room for a batch's points, so that the first need not be repeated, and a stop within its paths keeps them
            self.columns = with_more_points(self.columns, 0, allocation.LOG)
        self.state[codes.ENTRIES] = len(chosen)
        self.state[[codes.MEMORY, codes.ROW_BYTES, codes.RAY_BYTES]] = memory, self.row_bytes, self.ray_bytes
        # serials of children follow those of all source rays, so that a reduced trace resamples like the full one
        self.state[codes.CREATED], self.state[codes.LAST_HIT] = len(rays), -1
        self._bound: dict[int, Callable[..., Any]] = {}
        """The loop, or the search of a share, with its arrays, by the id of the batch, until arrays are replaced."""
        self.alive_power = 0.0
        self.detected: list[NDArray[np.int64]] = []
        self._detector = scene.tables.surface == Surface.DETECT
        self._counted = 0
        self._shares = buffers.take_batches(self.bodies, len(scene.tables.primitive))
        self.queue.mark[: len(chosen), ALIVE] = 1

    @property
    def rows(self) -> int:
        return int(self.state[self.codes.ROWS])

    @property
    def points(self) -> int:
        return int(self.state[self.codes.LINE])

    @property
    def sums(self) -> NDArray[np.float64]:
        """The sums over all rows, (SUMS_SIZE,)."""
        total: NDArray[np.float64] = self._sums[0]
        return total

    def run(self, threads: int | None, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        """Trace until no ray is alive, ``stop`` returns True, or a limit is reached; returns which."""
        team = Team(threads or os.cpu_count() or 1)
        completion = self._run(team, stop, progress)
        self.loop.add_sums(self.state, self._sums)
        self._count(self.rows)
        entries = int(self.state[self.codes.ENTRIES])
        alive = team.map(lambda i: self._finish(i * FINISH_CHUNK, min((i + 1) * FINISH_CHUNK, entries)), -(-entries // FINISH_CHUNK))
        team.end()
        self.alive_power = float(sum(alive))
        self._buffers.keep(trimmed(self.queue, self._reserved))
        self._buffers.keep_batches(self._shares)
        self._shares = []
        self.queue = new_queue(0, self.bodies)
        return completion

    def _run(self, team: Team, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        codes, batch = self.codes, self._new_batch(batch_size(self.bodies))
        watched = stop is not None or progress is not None
        slow = self.bodies > 0 and len(self.scene.tables.programs.code) >= LONG_FORMULAS
        alone = team.threads == 1 and not (slow and watched)
        large = NEVER if alone else 1 if slow else 0 if WORTH_SHARING == 0 else NEVER
        learning = large == NEVER and not alone
        block = FIRST_BATCHES * len(batch.at) if watched or learning else NEVER
        started = polled = reported = time.perf_counter()

        def watch() -> None:
            try:
                asked = stop is not None and stop()
            except BaseException:  # also KeyboardInterrupt: other threads may be at work
                self.state[codes.STOP] = 1
                raise
            if asked:
                self.state[codes.STOP] = 1

        while True:
            code = self._advance(batch, block, large)
            if code == codes.LARGE and not self._share(team, watch if slow and watched else None):
                large = NEVER  # memory is nearly exhausted: the loop finds out where it ends
            if code in (codes.LARGE, codes.POLL):
                now = time.perf_counter()
                if learning and now - started > SHORT_TRACE:
                    large, learning = int(WORTH_SHARING * self.rows / (now - started)), False
                if watched and (code == codes.POLL or now - polled > POLL_INTERVAL):
                    watch()
                    if progress is not None and now - reported > PROGRESS_INTERVAL:
                        progress(self.rows)
                        reported = now
                    self._count(self.rows)
                if code == codes.POLL:
                    fast = now - polled < POLL_INTERVAL
                    block = NEVER if not (watched or learning) else block * 2 if fast else max(len(batch.at), block // 2)
                polled = now
            elif code == codes.STOPPED:
                return Completion.CANCELLED
            elif code == codes.DONE:
                return Completion.COMPLETE
            elif code == codes.LIMIT:
                return Completion.SEGMENT_LIMIT
            elif code == codes.FULL or not self._grow():
                return Completion.MEMORY_LIMIT

    def _share(self, team: Team, poll: Callable[[], None] | None) -> bool:
        """Trace the next waiting rays with all threads: each searches shares of them, then all shares get their places, then each writes
        shares. False, and nothing is done, if the points of their paths need more memory than there is."""
        codes, state, size = self.codes, self.state, batch_size(self.bodies)
        low, end = int(state[codes.NEXT]), int(state[codes.HIGH])
        most, each = (MOST_GRADED, GRADED_SHARES) if self.bodies else (MOST_SHARED, SHARES)
        # as many shares for each thread, of whole batches, so that the sums are added up as they are without threads
        most_shares = team.threads * (each if self.bodies else min(each, -(-(end - low) // (most * team.threads))))
        length = -(-min(most, -(-(end - low) // most_shares)) // size) * size
        ranges = [(at, min(at + length, end)) for at in range(low, end, length)][:most_shares]
        if self._shares and len(self._shares[0].at) < length:
            self._shares = []
        room = len(self._shares[0].at) if self._shares else length
        self._shares += [self._new_batch(room) for _ in range(len(ranges) - len(self._shares))]
        shares = self._shares[: len(ranges)]
        team.map(lambda i: self._search(shares[i], *ranges[i]), len(ranges), poll)
        counts = [dict(enumerate(batch.chunk.tolist())) for batch in shares]
        cut = next((i for i, count in enumerate(counts) if count[codes.COUNT] < count[codes.WHOLE]), len(counts) - 1)
        shares, counts = shares[: cut + 1], counts[: cut + 1]
        points = self.points + sum(count[codes.POINTS] for count in counts)
        rows, rays = min(self.limit, self.rows + end - low), int(state[codes.ENTRIES]) + (end - low) * self.scene.tables.most_children
        if self._bytes(rows, rays, points) > self.memory:
            return False
        if points > len(self.columns.polyline):
            self.columns, self._bound = with_more_points(self.columns, self.points, points), {}
        row, first, child, serial, line, slot, last_hit = state[
            [codes.ROWS, codes.FIRST_ROW, codes.ENTRIES, codes.CREATED, codes.LINE, codes.CHUNKS, codes.LAST_HIT]
        ].tolist()
        places = []
        for batch, count in zip(shares, counts, strict=True):
            begin, number = count[codes.LOW], count[codes.COUNT]
            places.append((batch, last_hit, self._offsets(row, first, child, serial, line, slot + 1 + (begin - low) // size, begin, size)))
            if number:
                hits = batch.hit[[0, number - 1], self._object].tolist()
                children = count[codes.CHILDREN] + count[codes.FIRST_SAME if hits[0] == last_hit else codes.FIRST_OTHER]
                row, child, serial, line, last_hit = row + number, child + children, serial + children, line + count[codes.POINTS], hits[1]
        team.map(lambda i: self._write(*places[i]), len(places))
        last, number = shares[-1], counts[-1][codes.COUNT]
        state[[codes.ROWS, codes.ENTRIES, codes.CREATED, codes.LINE, codes.LAST_HIT]] = row, child, serial, line, last_hit
        state[codes.CHUNKS] += -(-(counts[-1][codes.END] - low) // size)
        state[codes.SURVIVORS] += sum(int(b.chunk[codes.GOING_ON]) for b, c in zip(shares, counts, strict=True) if c[codes.COUNT])
        state[codes.NEXT] = last.at[number] if number < counts[-1][codes.WHOLE] else counts[-1][codes.END]
        return True

    def _search(self, batch: Batch, low: int, high: int) -> None:
        search = self._bound.get(id(batch))
        if search is None:
            t = self.scene
            search = self._bound[id(batch)] = bound(
                self.loop.search, t.tables, t.hierarchy, t.loose, self.emitted, self.queue, batch, self.state
            )
        search(low, high)

    def _write(self, batch: Batch, last_hit: int, to: Offsets) -> None:
        t = self.scene
        self.loop.write(
            t.tables, t.hierarchy, t.loose, self.emitted, self.queue, self.columns, batch, self._sums, last_hit, to, self.far
        )  # fmt: skip

    def _advance(self, batch: Batch, block: int, large: int) -> int:
        advance = self._bound.get(id(batch))
        if advance is None:
            t = self.scene
            advance = self._bound[id(batch)] = bound(
                self.loop.advance, t.tables, t.hierarchy, t.loose, self.emitted, self.queue, self.columns, batch, self.state, self._sums
            )
        code: int = advance(self.limit, block, large, self.far)
        return code

    def _finish(self, low: int, high: int) -> float:
        power: float = self.loop.finish(self.emitted, self.queue, self.columns, self.state, low, high)
        return power

    def _new_batch(self, rays: int) -> Batch:
        return new_batch(rays, self.bodies, len(self.scene.tables.primitive))

    def _bytes(self, rows: int, rays: int, points: int) -> int:
        return rows * self.row_bytes + rays * self.ray_bytes + points * self.loop.POINT_BYTES

    def _grow(self) -> bool:
        """Enlarge the arrays for the rays to be processed next; False if that exceeds the memory limit."""
        codes, state = self.codes, self.state
        size, points = int(state[codes.WANTED]), self.points + int(state[codes.NEW_POINTS])
        rays, rows = int(state[codes.ENTRIES]) + size * self.scene.tables.most_children, min(self.limit, self.rows + size)
        if self._bytes(rows, rays, points) > self.memory:
            return False
        self._bound = {}
        try:
            self._reserve(rays, rows)
            self.columns = with_more_points(self.columns, self.points, points)
        except MemoryError:
            return False
        state[codes.NEW_POINTS] = 0
        return True

    def _reserve(self, rays: int, rows: int) -> None:
        """Ensure capacity for a number of rays and rows; large arrays get all that memory allows at once, so that they are never copied."""
        codes, state = self.codes, self.state
        self._reserved = max(self._reserved, rays)  # also what was only room for children, so that the next trace need not copy
        self.queue = grown(self.queue, int(state[codes.ENTRIES]), rays, max(rays, self.memory // self.ray_bytes), self._buffers)
        self.columns = grown(self.columns, self.rows, rows, max(rows, min(self.limit, self.memory // self.row_bytes)), self._buffers)
        sums = np.zeros((len(self.queue.serial) // batch_size(self.bodies) + 3, self._sums.shape[1]))
        sums[: len(self._sums)] = self._sums
        self._sums = sums

    def _count(self, end: int) -> None:
        """Collect the rows before ``end`` that are new and end on a detector; done during the trace to shorten its end."""
        begin = self._counted
        if begin < end and self._detector.any():
            hit = self.columns.hit[begin:end]
            self.detected.append(begin + np.flatnonzero((hit >= 0) & self._detector[hit]))
        self._counted = end


def emitted(rays: InitialRays, chosen: NDArray[np.int64]) -> Emitted:
    """The source rays in the form that kernels take; ``chosen`` (m,) are the indices of those to trace."""
    from core.trace.kernels.rays import Emitted

    return Emitted(rays.start, rays.direction, rays.power, rays.gap, rays.source, rays.wavelength, chosen)


class Team:
    """The threads of a trace: the calling one, and others of the pool, which look for more work for `LINGER` before they leave."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.running: list[Future[None]] = []
        self._waiting: deque[Callable[[], None]] = deque()
        self._ended = False

    def map(self, function: Callable[[int], Value], count: int, poll: Callable[[], None] | None = None) -> list[Value]:
        """The function of 0 to ``count - 1``, computed by all threads; with ``poll`` the others of the pool do the work, while the calling
        one polls. Raises the first exception, when all have ended."""
        results: dict[int, Value] = {}
        failures: list[BaseException] = []

        def compute(i: int) -> None:
            try:
                results[i] = function(i)
            except BaseException as error:
                failures.append(error)

        self._waiting.extend(partial(compute, i) for i in range(count))
        try:
            while len(results) + len(failures) < count:
                self._call(min(self.threads, count) - (poll is None))
                if poll is not None:
                    poll()
                    time.sleep(POLL_INTERVAL)
                elif not self._work():
                    time.sleep(0)
        except BaseException:
            self._waiting.clear()
            self.end()
            wait(self.running)
            raise
        if failures:
            raise failures[0]
        return [results[i] for i in range(count)]

    def end(self) -> None:
        """Let the others go, which look for no more work then."""
        self._ended = True

    def _call(self, count: int) -> None:
        """Ensure that so many other threads look for work."""
        self.running = [thread for thread in self.running if not thread.done()]
        self.running += [_pool().submit(self._look) for _ in range(count - len(self.running))]

    def _work(self) -> bool:
        """Do the next piece of work; False if there is none."""
        try:
            work = self._waiting.popleft()
        except IndexError:
            return False
        work()
        return True

    def _look(self) -> None:
        until = time.perf_counter() + LINGER
        while not self._ended and time.perf_counter() < until:
            if self._work():
                until = time.perf_counter() + LINGER
            else:
                time.sleep(0)


@cache
def _pool() -> ThreadPoolExecutor:
    """The pool of helper threads, shared by all traces; larger than the number of processors, so that no trace waits for another."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="trace")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
