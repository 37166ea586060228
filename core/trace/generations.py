"""A trace at work: generation after generation, in blocks small enough to look up in between.

Entries are a queue: whatever the size of the blocks, rays are processed in the same order and give the same rows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.trace.allocation import bytes_per_item, grown, longer, new_columns, new_entries
from core.trace.codes import Completion, Flag, Interaction, Status
from core.trace.compiled import Compiled
from core.trace.emission import InitialRays
from core.trace.tables import Surface

SHARED_SIZE = 2_048
"""The smallest block that is worth sharing among threads."""
LARGEST_BLOCK, FIRST_BLOCK, SMALLEST_BLOCK = 1 << 17, 2_048, 64
BLOCK_SECONDS = 3e-3
"""What a block of a trace that can be stopped should take."""
TOLD_EVERY = 0.05
"""Seconds between two words about the progress."""
POINT_BYTES = 16
NEVER = 1 << 60
OBJECT = 0


class Generations:
    """Rays on their way and the rows they have left so far. ``far`` is how long escaping rays are drawn.

    ``columns``, ``rows`` and ``points`` are what there is so far; ``power`` (by `Status`) sums the power of the rows, ``detected`` lists
    those that end on a detector.
    """

    def __init__(self, scene: Compiled, rays: InitialRays, chosen: NDArray[np.int64], limit: int, memory: int, far: float) -> None:
        from core.trace import kernel, loop

        self.scene, self.limit, self.memory, self.far = scene, limit, memory, far
        self.kernel, self.loop = kernel, loop
        bodies = len(scene.tables.graded)
        self.entries, self.columns = new_entries(0, bodies), new_columns(0, bodies)
        self.row_bytes, self.entry_bytes = bytes_per_item(self.columns), bytes_per_item(self.entries)
        self.state, self.sums = np.zeros(loop.STATE_SIZE, np.int64), np.zeros(loop.SUMS_SIZE)
        self._make_room(2 * len(chosen), min(limit, 8 * len(chosen)))
        self.state[loop.ENTRIES] = self.state[loop.HIGH] = len(chosen)
        # a child's index continues the indices of all source rays, so that a reduced trace resamples as the full one would
        self.state[loop.NEXT_PLACE], self.state[loop.LAST_HIT] = len(rays), -1
        self.power = np.zeros(len(Status))
        self.detected: list[NDArray[np.int64]] = []
        self._detector = scene.tables.surface == Surface.DETECT
        self._counted = 0
        self._emit(rays, chosen)

    @property
    def rows(self) -> int:
        return int(self.state[self.loop.ROWS])

    @property
    def points(self) -> int:
        return int(self.state[self.loop.LINE])

    def run(self, threads: int | None, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        """Trace until all light has ended, ``stop`` says so, or a limit is reached; says which."""
        completion = self._run(threads or os.cpu_count() or 1, stop, progress)
        self._count()
        self.loop.leave(self.entries, self.columns, self.state, self.sums)
        return completion

    def _run(self, threads: int, stop: Callable[[], bool] | None, progress: Callable[[int], None] | None) -> Completion:
        loop, state, scene, walk = self.loop, self.state, self.scene, self.kernel.new_walk()
        watched = stop is not None or progress is not None
        block = FIRST_BLOCK if watched else LARGEST_BLOCK
        large = SHARED_SIZE if threads > 1 else NEVER
        before, begun, told = 0, time.perf_counter(), time.perf_counter()
        while True:
            # a block that is planned is brought to its end, so that the power it lost belongs to rows
            if watched and state[loop.PLANNED] == 0 and state[loop.FOUND] == 0:
                now = time.perf_counter()
                if self.rows > before:
                    fitting = int((self.rows - before) * BLOCK_SECONDS / max(now - begun, 1e-6))
                    block = min(max(fitting, SMALLEST_BLOCK), 2 * block, LARGEST_BLOCK)
                before, begun = self.rows, now
                if stop is not None and stop():
                    return Completion.CANCELLED
                self._count()
                if progress is not None and now - told > TOLD_EVERY:
                    progress(self.rows)
                    told = now
            code = loop.advance(
                scene.tables, scene.hierarchy, scene.loose, self.entries, self.columns, walk, state, self.sums,
                self.limit, block, block if watched else NEVER, large, self.far,
            )  # fmt: skip
            if code == loop.DONE:
                return Completion.COMPLETE
            if code == loop.LIMIT:
                return Completion.SEGMENT_LIMIT
            if code == loop.GROW and not self._grow():
                return Completion.MEMORY_LIMIT
            if code == loop.LARGE:
                self._share(threads)

    def _grow(self) -> bool:
        """Make room for what the next step needs; False where that is more memory than is allowed."""
        loop, state = self.loop, self.state
        size = int(state[loop.HIGH] - state[loop.LOW])
        entries = int(state[loop.ENTRIES]) + size * self.scene.tables.most_children
        rows, points = min(self.limit, self.rows + size), self.points + int(state[loop.NEW_POINTS])
        if rows * self.row_bytes + entries * self.entry_bytes + points * POINT_BYTES > self.memory:
            return False
        try:
            self._make_room(entries, rows)
            self.columns = longer(self.columns, self.points, points)
        except MemoryError:
            return False
        return True

    def _make_room(self, entries: int, rows: int) -> None:
        """Have room for so many entries and rows; for many, at once for as many as memory allows, so that they are never moved."""
        loop, state = self.loop, self.state
        self.entries = grown(self.entries, int(state[loop.ENTRIES]), entries, max(entries, self.memory // self.entry_bytes))
        self.columns = grown(self.columns, self.rows, rows, max(rows, min(self.limit, self.memory // self.row_bytes)))

    def _share(self, threads: int) -> None:
        """The next step of a block in ranges, by several threads."""
        kernel, loop, state, e = self.kernel, self.loop, self.state, self.entries
        t, h, loose = self.scene.tables, self.scene.hierarchy, self.scene.loose
        low, high = int(state[loop.LOW]), int(state[loop.HIGH])
        if state[loop.PLANNED] == 0:

            def look(a: int, b: int) -> None:
                kernel.find_hits(t, h, loose, e, kernel.new_walk(), a, b)
                kernel.plan(t, e, a + 1, b, int(e.met[a, OBJECT]))

            # what the first of a range follows is known when all have been looked at
            last = int(state[loop.LAST_HIT])
            for a in _in_ranges(threads, low, high, look):
                kernel.plan(t, e, a, a + 1, last if a == low else int(e.met[a - 1, OBJECT]))
            state[loop.FOUND] = 1
        else:
            place, child = int(state[loop.NEXT_PLACE]), int(state[loop.ENTRIES])
            row, columns, far = self.rows, self.columns, self.far
            _in_ranges(threads, low, high, lambda a, b: kernel.interact(t, h, loose, e, columns, a, b, low, row, place, child, far))
            state[loop.WRITTEN] = 1

    def _count(self) -> None:
        """Add up what the new rows say, so that little is left to do at the end."""
        begin, end = self._counted, self.rows
        if begin == end:
            return
        power, status = self.columns.power[begin:end], self.columns.status[begin:end]
        self.power += np.bincount(status, weights=power[:, 0] + power[:, 1], minlength=len(Status))
        if self._detector.any():
            hit = self.columns.hit[begin:end]
            self.detected.append(begin + np.flatnonzero((hit >= 0) & self._detector[hit]))
        self._counted = end

    def _emit(self, rays: InitialRays, chosen: NDArray[np.int64]) -> None:
        e, n = self.entries, len(chosen)
        some = slice(None) if n == len(rays) else chosen
        e.ray[:n, 0:2], e.ray[:n, 2:4] = rays.start[some], rays.direction[some]
        e.ray[:n, 4:6] = rays.power[some, None] / 2
        e.wavelength[:n] = rays.wavelength[some]
        e.tag[:n, 0], e.tag[:n, 1], e.tag[:n, 2], e.tag[:n, 3:] = rays.source[some], chosen, 0, -1
        e.place[:n] = chosen
        e.mark[:n, 0], e.mark[:n, 2] = Interaction.SOURCE, 1
        e.mark[:n, 1] = np.where(rays.gap[some], int(Flag.GAP | Flag.NEW), int(Flag.NEW))
        if len(self.scene.tables.graded):
            self.kernel.begin(self.scene.tables, e, 0, n)


def _in_ranges(threads: int, low: int, high: int, step: Callable[[int, int], object]) -> list[int]:
    """Do a step on ranges between ``low`` and ``high``, by this thread and others; the ranges' starts."""
    count = threads * (4 if high - low > 4 * SHARED_SIZE else 1)
    cuts = [low + (high - low) * i // count for i in range(count + 1)]
    ranges = iter(list(pairwise(cuts)))

    def work() -> None:
        for a, b in ranges:  # each range is handed out once
            step(a, b)

    others = [_pool(threads).submit(work) for _ in range(threads - 1)]
    work()
    for other in others:
        other.result()
    return cuts[:-1]


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads that help the one that traces."""
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="trace")
