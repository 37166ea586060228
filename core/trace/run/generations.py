"""A trace at work: threads in the compiled loop, and what has to be looked after in between."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import Surface
from core.trace.codes import Completion
from core.trace.run.allocation import batch_size, bytes_per_item, grown, longer, new_batch, new_columns, new_queue, trimmed
from core.trace.run.emission import InitialRays
from core.trace.run.memory import Buffers
from core.trace.tables.compiled import Compiled

if TYPE_CHECKING:
    from core.trace.kernels.rays import Batch, Emitted

WORTH_SHARING = 8
"""Batches ahead that are worth the help of other threads."""
LOOK_EVERY, TELL_EVERY = 1e-3, 0.05
"""Seconds after which a trace that can be stopped leaves the work to others and looks whether to stop, and between two words about the
progress."""
ALONE = 4
"""Batches that it does before it looks at the clock."""
REST = 2e-4
"""Seconds that a thread rests where there is nothing to do."""
MOST_THREADS = 64
LEFT_AT_ONCE = 1 << 16
NEVER = 1 << 60
Value = TypeVar("Value")


class Generations:
    """Rays on their way and the rows they have left so far. ``far`` is how long escaping rays are drawn.

    ``columns``, ``rows`` and ``points`` are what there is so far. At the end ``sums`` are those of `core.trace.kernels.kernel.interact`,
    ``waiting`` the power of rays still on their way, and ``detected`` lists the rows that end on a detector.
    """

    def __init__(
        self, scene: Compiled, rays: InitialRays, chosen: NDArray[np.int64], limit: int, memory: int, far: float, buffers: Buffers
    ) -> None:
        from core.trace.kernels import kernel, loop
        from core.trace.kernels.rays import ALIVE

        self.scene, self.limit, self.memory, self.far, self._buffers = scene, limit, memory, far, buffers
        self.kernel, self.loop = kernel, loop
        self.emitted = emitted(rays, chosen)
        self.bodies = len(scene.tables.graded)
        self.queue, self.columns = new_queue(0, self.bodies), new_columns(0, self.bodies)
        self.row_bytes, self.ray_bytes = bytes_per_item(self.columns), bytes_per_item(self.queue)
        self.state, self._shares = np.zeros(loop.STATE_SIZE, np.int64), np.zeros((2, kernel.SUMS_SIZE))
        self._make_room(2 * len(chosen), min(limit, 8 * len(chosen)))
        self.state[loop.ENTRIES] = len(chosen)
        self.state[[loop.MEMORY, loop.ROW_BYTES, loop.RAY_BYTES]] = memory, self.row_bytes, self.ray_bytes
        # a child's index continues the indices of all source rays, so that a reduced trace resamples as the full one would
        self.state[loop.PLACES], self.state[loop.LAST_HIT] = len(rays), -1
        self.waiting = 0.0
        self.detected: list[NDArray[np.int64]] = []
        self._detector = scene.tables.surface == Surface.DETECT
        self._counted = 0
        self.queue.mark[: len(chosen), ALIVE] = 1

    @property
    def rows(self) -> int:
        return int(self.state[self.loop.ROWS])

    @property
    def points(self) -> int:
        return int(self.state[self.loop.LINE])

    @property
    def sums(self) -> NDArray[np.float64]:
        """What shares of the queue have added up, all together."""
        together: NDArray[np.float64] = self._shares[0]
        return together

    def run(self, threads: int | None, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        """Trace until all light has ended, ``stop`` says so, or a limit is reached; says which."""
        team = Team(threads or os.cpu_count() or 1, self._help)
        try:
            completion = self._run(team, stop, progress)
        except BaseException:  # of who was asked or told, or from the keyboard
            self.state[self.loop.STOP] = 1
            team.wait()
            raise
        self.loop.add_up(self.state, self._shares)
        self._count(self.rows)
        entries = int(self.state[self.loop.ENTRIES])
        left = team.map(lambda low: self._leave(low, min(low + LEFT_AT_ONCE, entries)), range(0, entries, LEFT_AT_ONCE))
        self.waiting = float(sum(left))
        self._buffers.keep(trimmed(self.queue, max(int(self.state[self.loop.PEAK]), entries)))
        self.queue = new_queue(0, self.bodies)
        return completion

    def _run(self, team: Team, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        loop, batch = self.loop, self._new_batch()
        watched, begun = stop is not None or progress is not None, time.perf_counter()
        while True:
            may_call = not watched and team.others > 0 and not team.at_work
            code = self._advance(
                batch, ALONE * len(batch.at) if watched else NEVER, WORTH_SHARING * len(batch.at) if may_call else NEVER
            )  # fmt: skip
            if code == loop.LARGE:
                team.call(team.others)
            elif code == loop.WAIT:
                time.sleep(0)
            elif code == loop.POLL:
                if time.perf_counter() - begun > LOOK_EVERY:
                    self._watch(team, stop, progress)
            else:
                team.wait()
                if code == loop.LEAVE:
                    return Completion.CANCELLED
                if code == loop.DONE:
                    return Completion.COMPLETE
                if code == loop.LIMIT:
                    return Completion.SEGMENT_LIMIT
                if code == loop.FULL or not self._grow():
                    return Completion.MEMORY_LIMIT

    def _watch(self, team: Team, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> None:
        """Look around while the team works, until it has come back, or was told to."""
        told = time.perf_counter()
        while True:
            if stop is not None and stop():
                self.state[self.loop.STOP] = 1
                return
            if not team.at_work:
                team.call(team.others + 1)
            self._count(int(self.state[self.loop.FINISHED]))
            now = time.perf_counter()
            if progress is not None and now - told > TELL_EVERY:
                progress(self.rows)
                told = now
            if team.wait(LOOK_EVERY):
                return

    def _advance(self, batch: Batch, block: int, large: int) -> int:
        t = self.scene
        code: int = self.loop.advance(
            t.tables, t.hierarchy, t.loose, self.emitted, self.queue, self.columns, batch, self.state, self._shares,
            self.limit, block, large, self.far,
        )  # fmt: skip
        return code

    def _leave(self, low: int, high: int) -> float:
        power: float = self.loop.leave(self.emitted, self.queue, self.columns, self.state, low, high)
        return power

    def _new_batch(self) -> Batch:
        return new_batch(self.bodies, len(self.scene.tables.primitive))

    def _help(self) -> None:
        """What the other threads do: work, rest where there is no work, and leave when the first one does."""
        batch = self._new_batch()
        while self._advance(batch, NEVER, NEVER) == self.loop.WAIT:
            time.sleep(REST)

    def _grow(self) -> bool:
        """Make room for the rays that are to be begun; False where that is more memory than is allowed."""
        loop, state = self.loop, self.state
        size, points = int(state[loop.WANTED]), self.points + int(state[loop.NEW_POINTS])
        rays, rows = int(state[loop.ENTRIES]) + size * self.scene.tables.most_children, min(self.limit, self.rows + size)
        if rows * self.row_bytes + rays * self.ray_bytes + points * loop.POINT_BYTES > self.memory:
            return False
        try:
            self._make_room(rays, rows)
            self.columns = longer(self.columns, self.points, points)
        except MemoryError:
            return False
        state[[loop.CODE, loop.ABORTED, loop.AT_WORK, loop.NEW_POINTS]] = loop.GO, 0, 0, 0
        return True

    def _make_room(self, rays: int, rows: int) -> None:
        """Have room for so many rays and rows; for many, at once for as many as memory allows, so that they are never moved."""
        loop, state = self.loop, self.state
        self.queue = grown(self.queue, int(state[loop.ENTRIES]), rays, max(rays, self.memory // self.ray_bytes), self._buffers)
        self.columns = grown(self.columns, self.rows, rows, max(rows, min(self.limit, self.memory // self.row_bytes)), self._buffers)
        shares = np.zeros((len(self.queue.place) // batch_size(self.bodies) + 3, self._shares.shape[1]))
        shares[: len(self._shares)] = self._shares
        self._shares = shares

    def _count(self, end: int) -> None:
        """Note which of the new rows end on a detector, so that little is left to do at the end."""
        begin = self._counted
        if begin < end and self._detector.any():
            hit = self.columns.hit[begin:end]
            self.detected.append(begin + np.flatnonzero((hit >= 0) & self._detector[hit]))
        self._counted = end


def emitted(rays: InitialRays, chosen: NDArray[np.int64]) -> Emitted:
    """The rays of the sources as kernels take them, of which some are chosen."""
    from core.trace.kernels.rays import Emitted

    return Emitted(rays.start, rays.direction, rays.power, rays.gap, rays.source, rays.wavelength, chosen)


class Team:
    """The threads of a trace besides the one that began it; they come when they are called."""

    def __init__(self, threads: int, work: Callable[[], None]) -> None:
        self.others, self._work = threads - 1, work
        self.at_work: list[Future[None]] = []

    def call(self, count: int) -> None:
        self.at_work = [_pool().submit(self._work) for _ in range(count)]

    def wait(self, seconds: float | None = None) -> bool:
        """Whether all have come back, waiting for them, or only so long; raises what went wrong."""
        if wait(self.at_work, seconds).not_done:
            return False
        for other in self.at_work:
            other.result()
        self.at_work = []
        return True

    def map(self, function: Callable[[int], Value], values: range) -> list[Value]:
        """The function of each value, found by all threads."""
        if self.others == 0 or len(values) < 2:
            return [function(v) for v in values]
        return list(_pool().map(function, values))


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads that help those that trace; more than there are processors, so that no trace waits for another to end."""
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="trace")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child has none of its parent's threads
