"""Running the compiled loop of a trace in threads: polling for a stop, reporting progress, enlarging arrays."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
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
    from core.trace.kernels.rays import Batch, Emitted

WORTH_SHARING = 8
"""The number of waiting batches from which helper threads are started."""
POLL_INTERVAL, PROGRESS_INTERVAL = 1e-3, 0.05
"""In seconds. A trace with ``stop`` or ``progress`` polls at this interval, once it has run for one, while pool threads do the work; and
reports progress at the second. A trace in one thread polls between batches."""
BATCHES_BETWEEN_POLLS = 4
"""Batches that such a trace processes itself before it polls or checks the clock."""
IDLE_SLEEP = 2e-4
"""Seconds that a helper thread sleeps when no chunk is free."""
LONG_FORMULAS = 100
"""Operations of all gradient-index media's formulas from which each path takes long: threads share few of them, and stops are polled
from the beginning."""
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
        from core.trace.kernels.rays import ALIVE

        self.scene, self.limit, self.memory, self.far, self._buffers = scene, limit, memory, far, buffers
        self.kernel, self.loop, self.codes = kernel, loop, codes
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
        """The loop with its arrays, by the id of the batch, until arrays are replaced."""
        self.alive_power = 0.0
        self.detected: list[NDArray[np.int64]] = []
        self._detector = scene.tables.surface == Surface.DETECT
        self._counted = 0
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
        team = Team(threads or os.cpu_count() or 1, self._work)
        try:
            completion = self._run(team, stop, progress)
        except BaseException:  # raised by `stop` or `progress`, or KeyboardInterrupt
            self.state[self.codes.STOP] = 1
            team.wait()
            raise
        self.loop.add_sums(self.state, self._sums)
        self._count(self.rows)
        entries = int(self.state[self.codes.ENTRIES])
        alive = team.map(lambda low: self._finish(low, min(low + FINISH_CHUNK, entries)), range(0, entries, FINISH_CHUNK))
        self.alive_power = float(sum(alive))
        self._buffers.keep(trimmed(self.queue, self._reserved))
        self.queue = new_queue(0, self.bodies)
        return completion

    def _run(self, team: Team, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        codes, batch = self.codes, self._new_batch()
        watched, started = stop is not None or progress is not None, time.perf_counter()
        reported = started
        slow = self.bodies > 0 and len(self.scene.tables.programs.code) >= LONG_FORMULAS
        worth_sharing = 2 if slow else WORTH_SHARING
        if watched and slow:
            self._watch(team, stop, progress)
        while True:
            may_call = not watched and team.others > 0 and not team.running
            code = self._advance(
                batch, BATCHES_BETWEEN_POLLS * len(batch.at) if watched else NEVER, worth_sharing * len(batch.at) if may_call else NEVER
            )  # fmt: skip
            if code == codes.LARGE:
                team.call(team.others)
            elif code == codes.WAIT:
                time.sleep(0)
            elif code == codes.POLL:
                if team.others == 0 and not slow:  # handing the work to another thread would cost a short trace as much as its light
                    if stop is not None and stop():
                        self.state[codes.STOP] = 1
                    reported = self._report(progress, reported)
                elif time.perf_counter() - started > POLL_INTERVAL:
                    self._watch(team, stop, progress)
            else:
                team.wait()
                if code == codes.STOPPED:
                    return Completion.CANCELLED
                if code == codes.DONE:
                    return Completion.COMPLETE
                if code == codes.LIMIT:
                    return Completion.SEGMENT_LIMIT
                if code == codes.FULL or not self._grow():
                    return Completion.MEMORY_LIMIT

    def _watch(self, team: Team, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> None:
        """Poll ``stop`` and report progress while the team works, until it has returned or must stop."""
        reported = time.perf_counter()
        while True:
            if stop is not None and stop():
                self.state[self.codes.STOP] = 1
                return
            if not team.running:
                team.call(team.others + 1)
            self._count(int(self.state[self.codes.FINISHED]))
            reported = self._report(progress, reported)
            if team.wait(POLL_INTERVAL):
                return

    def _report(self, progress: Callable[[int], None] | None, reported: float) -> float:
        """Report progress if that is due; returns when it was last reported."""
        now = time.perf_counter()
        if progress is None or now - reported <= PROGRESS_INTERVAL:
            return reported
        progress(self.rows)
        return now

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

    def _new_batch(self) -> Batch:
        return new_batch(self.bodies, len(self.scene.tables.primitive))

    def _work(self) -> None:
        """The function of helper threads: process chunks, sleep when none is free, return when the trace needs attention or has ended."""
        batch = self._new_batch()
        while self._advance(batch, NEVER, NEVER) == self.codes.WAIT:
            time.sleep(IDLE_SLEEP)

    def _grow(self) -> bool:
        """Enlarge the arrays for the rays to be processed next; False if that exceeds the memory limit."""
        loop, codes, state = self.loop, self.codes, self.state
        size, points = int(state[codes.WANTED]), self.points + int(state[codes.NEW_POINTS])
        rays, rows = int(state[codes.ENTRIES]) + size * self.scene.tables.most_children, min(self.limit, self.rows + size)
        if rows * self.row_bytes + rays * self.ray_bytes + points * loop.POINT_BYTES > self.memory:
            return False
        self._bound = {}
        try:
            self._reserve(rays, rows)
            self.columns = with_more_points(self.columns, self.points, points)
        except MemoryError:
            return False
        state[[codes.CODE, codes.ABORTED, codes.AT_WORK, codes.NEW_POINTS]] = codes.GO, 0, 0, 0
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
    """The helper threads of a trace, ``others`` besides the calling thread; they start when called."""

    def __init__(self, threads: int, work: Callable[[], None]) -> None:
        self.others, self._work = threads - 1, work
        self.running: list[Future[None]] = []

    def call(self, count: int) -> None:
        """Start ``count`` threads."""
        self.running = [_pool().submit(self._work) for _ in range(count)]

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for all threads, at most ``seconds``; returns whether all have finished. Re-raises their exceptions."""
        if wait(self.running, seconds).not_done:
            return False
        for future in self.running:
            future.result()
        self.running = []
        return True

    def map(self, function: Callable[[int], Value], values: range) -> list[Value]:
        """The function of each value, computed in parallel."""
        if self.others == 0 or len(values) < 2:
            return [function(v) for v in values]
        return list(_pool().map(function, values))


@cache
def _pool() -> ThreadPoolExecutor:
    """The pool of helper threads, shared by all traces; larger than the number of processors, so that no trace waits for another."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="trace")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
