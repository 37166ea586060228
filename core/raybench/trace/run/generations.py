"""Runs the compiled loop of a trace: polls for a stop, reports progress, enlarges arrays, and
shares work among threads.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.kinds.primitives import MATERIAL
from raybench.trace.codes import Completion, Status
from raybench.trace.compilation.machine_code import bind_first_arguments
from raybench.trace.keep import Keep
from raybench.trace.kernels import kernel, loop
from raybench.trace.kernels import rays as codes
from raybench.trace.kernels import team as team_codes
from raybench.trace.kernels.rays import Emitted
from raybench.trace.kernels.team import CALLED, CLOSED, LINE, WAITING, help_advance, new_team
from raybench.trace.run.emission import InitialRays
from raybench.trace.run.memory import (
    LOG_POINTS,
    NO_POINTS,
    SLOT_RAYS,
    ArrayBuffers,
    ColumnWidths,
    are_unused,
    batch_size,
    empty_columns,
    empty_queue,
    enlarge_log,
    entry_sizes,
    grow_arrays,
    new_batch,
    trim_arrays,
    with_more_points,
)
from raybench.trace.run.progress import StopEvent, TraceProgress
from raybench.trace.run.sharing import MOST_THREADS, POLL_INTERVAL, ThreadTeam
from raybench.trace.tables.compiled import CompiledScene

SHORT_TRACE = 1e-4
"""Seconds for which a trace takes one thread and measures its speed; one that ends before would not
be faster with more.
"""
WORTH_CALLING = 2e-4
"""Seconds of work that must wait before other threads are called; mainly the time until they begin.
With 0, a trace waits for all of them first.
"""
MAX_IDLE_LOOKS = 4_000
"""How often a thread looks for work, less than a microsecond apart, before it returns to Python."""
LEAST_SHARED = 2
"""The least rays that threads share which are there, in `SLOT_RAYS`."""
MOST_SHARED, MOST_GRADED = 2_048, 64
"""The most rays of a part that one thread searches or writes; fewer in scenes with gradient-index
bodies, where each takes long.
"""
PROGRESS_INTERVAL = 0.05
"""In seconds. A trace with ``stop`` or ``progress`` polls about every `POLL_INTERVAL`, and reports
progress at this one.
"""
FIRST_BATCHES = 4
"""Batches before it polls for the first time; as long as that is more often than necessary, twice
as many before the next poll.
"""
NEVER = 1 << 60
"""A number of rays beyond any trace."""


class Generations:
    """A running trace: the queue of live rays, and the rows written so far.

    ``limit`` is the maximum number of rows, ``memory`` the maximum number of bytes, ``far`` the
    length of escaping segments. ``rows`` is the number of rows so far; ``columns`` hold ``written``
    of them (all, or with ``keep`` only some) and ``points`` polyline points. At the end, ``sums``
    are the sums of `raybench.trace.kernels.kernel.write_interactions`, and ``alive_power`` is the
    power of the rays still alive.
    """

    def __init__(
        self,
        scene: CompiledScene,
        rays: InitialRays,
        chosen: Integers,
        limit: int,
        memory: int,
        far: float,
        buffers: ArrayBuffers,
        keep: Keep | None = None,
    ) -> None:
        self._tables, self._values = scene.tables, (limit, memory, far, buffers, keep)
        if keep is not None:
            size = 1 + len(scene.tables.surface) * keep.has_rows
            kept = np.full((size, 2), (-1, 0), np.int8)
            kept[[1 + i for i in keep.objects], 0] = np.arange(len(keep.objects))
            kept[[1 + i for i in keep.leaving], 1] = 1
            scene = replace(scene, tables=scene.tables._replace(kept=kept))
        self.scene = scene
        self.limit = limit
        self.memory = memory
        self.far = far
        self._buffers = buffers
        self.emitted = emitted_rays(rays, chosen)
        self.bodies = len(scene.tables.graded)
        self.bending = count_bending_bodies(scene)
        self._batch_size = batch_size(self.bending)
        self.widths = ColumnWidths(
            self.bodies,
            codes.SEED_WIDTH if len(scene.tables.finish) else 0,
            scene.stokes,
            codes.TRAIL_WIDTH if keep is not None and keep.has_paths else 0,
        )
        self.queue, self.columns = empty_queue(self.widths), empty_columns(self.widths)
        self.row_bytes, self.ray_bytes = entry_sizes(self.widths)
        self.state = np.zeros(codes.STATE_SIZE, np.int64)
        self._sums = np.zeros((2, kernel.SUMS_SIZE))
        self._reserved = 0
        self._bound: dict[tuple[int, int], Callable[..., Any]] = {}
        """Kernels with their arrays by the id of the kernel and the number of the thread, until
        arrays are replaced.
        """
        self.alive_power = 0.0
        self._worth_calling = NEVER
        """The rays that must wait until other threads are called, as soon as the time of one is
        known: also for the next traces.
        """
        self._slot = math.gcd(self._batch_size, SLOT_RAYS)
        most = MOST_GRADED if self.bending else MOST_SHARED
        self._buffer_size = max(self._batch_size, round_up_to_multiple(most, self._slot))
        self._batches = buffers.take_batches(
            self._buffer_size, self.widths, len(scene.tables.primitive)
        )
        self._add_batches(1)
        self._team = new_team(1, 0)
        self._begin((1 if len(scene.tables.kept) else 8) * len(chosen))

    def restart(self, scene: CompiledScene, rays: InitialRays, *others: Any) -> bool:
        """Restart for another trace with the same arrays. Returns False if these generations were
        made from other arguments; only the source rays and the numbers in the tables may differ.
        """
        chosen, *values = others
        if scene.tables is not self._tables or tuple(values) != self._values:
            return False
        if scene.stokes != self.widths.stokes:
            return False
        if rays.power is not self.emitted.power or chosen is not self.emitted.chosen:
            self.emitted, self._bound, self._reserved = emitted_rays(rays, chosen), {}, 0
        if not are_unused(self.columns):  # a result refers to the rows
            self._buffers.keep_arrays(self.columns)
            self.columns, self._bound = empty_columns(self.widths), {}
        rows = int(self.state[codes.ROW_ROOM])
        self.state[:], self._sums[:], self.alive_power = 0, 0.0, 0.0
        self._begin(rows)
        return True

    @property
    def largest_bytes(self) -> int:
        """The size in bytes of the larger of the queue and the columns."""
        return max(sum(a.nbytes for a in arrays) for arrays in (self.queue, self.columns))

    def release(self) -> None:
        """End these generations and return their arrays to the buffers, for other traces."""
        self._buffers.keep_arrays(self.queue)
        self._buffers.keep_arrays(self.columns)
        self._buffers.keep_batches(self._batches)
        self.queue, self.columns = empty_queue(self.widths), empty_columns(self.widths)
        self._batches, self._bound = [], {}

    def _begin(self, rows: int) -> None:
        """Make room for the first rays and for ``rows``, and put the source rays into the queue."""
        state, entries = self.state, len(self.emitted.chosen)
        self._reserve_capacity(2 * entries, min(self.limit, rows))
        # room for a batch's points, so that the first need not be repeated, and a stop within its
        # paths keeps them
        if self.bending:
            self._reserve_points(0, LOG_POINTS)
        state[codes.ENTRIES] = entries
        state[codes.BATCH] = self._batch_size
        state[codes.SLOT] = self._slot
        state[codes.MEMORY] = self.memory
        state[codes.ROW_BYTES], state[codes.RAY_BYTES] = self.row_bytes, self.ray_bytes
        # serials of children follow those of all source rays, so that a reduced trace resamples
        # like the full one
        state[codes.CREATED], state[codes.LAST_HIT] = len(self.emitted.power), -1
        self.queue.mark[:entries, codes.ALIVE] = 1

    @property
    def rows(self) -> int:
        return int(self.state[codes.ROWS])

    @property
    def written(self) -> int:
        return int(self.state[codes.WRITTEN])

    @property
    def points(self) -> int:
        return int(self.state[codes.LINE])

    @property
    def counted_rows(self) -> int:
        """The number of rows that detectors may count because they lie on the objects where the
        rows end.
        """
        return int(self.state[codes.COUNTED_ROWS])

    @property
    def sums(self) -> Floats:
        """The sums (SUMS_SIZE,) over all rows so far, in the columns that
        `raybench.trace.kernels.kernel` defines.
        """
        total: Floats = self._sums[0]
        return total

    @property
    def progress(self) -> TraceProgress:
        """The progress of the trace."""
        sums, emitted = self._sums.sum(axis=0), self.emitted
        supplied = float(
            emitted.power[emitted.chosen].sum()
            + sums[kernel.RESAMPLED_POWER]
            + sums[kernel.GAINED_POWER]
        )
        ended = sums[
            [
                Status.ESCAPED,
                Status.ABSORBED,
                Status.ILL_DEFINED,
                kernel.ABSORBED_ON_PATH,
                kernel.TRUNCATED_POWER,
            ]
        ].sum()
        alive = max(1.0 - float(ended) / supplied, 0.0) if supplied > 0 else 0.0  # sums are rounded
        return TraceProgress(self.rows, alive, self.limit)

    def run(
        self,
        threads: int | None,
        stop: Callable[[], bool] | None,
        report: Callable[[], None] | None,
    ) -> Completion:
        """Trace until no ray is alive, ``stop`` returns True, or a limit is reached. Returns which
        of these ended the trace.
        """
        compiled = getattr(loop.advance_trace, "code", None) is not None
        team = ThreadTeam(
            min(threads or os.cpu_count() or 1, MOST_THREADS) if compiled else 1,
            self._help_advance,
            self._close_team,
            self._stop_kernels,
        )
        try:
            if isinstance(stop, StopEvent):
                at = codes.STOP
                with stop.forwarded_to_flag(self.state[at : at + 1]):
                    completion = self._run_generations(team, None, report)
            else:
                completion = self._run_generations(team, stop, report)
        finally:
            team.dismiss()
        if self.state[codes.CHUNKS]:  # it ended early; a call makes threads change places
            self._bind_kernel_arrays(loop.add_chunk_sums, 0, self.state, self._sums)()
        if completion is not Completion.COMPLETE:
            entries = int(self.state[codes.ENTRIES])
            self.alive_power = float(
                loop.mark_unfinished_rays(
                    self.emitted, self.queue, self.columns, self.state, 0, entries
                )
            )
        # the next trace needs as much room again: pages that are mapped anew take longer than rows
        trim_arrays(self.queue, max(self._reserved, int(self.state[codes.ROOM])))
        rows = self.columns._replace(polyline=NO_POINTS)
        trim_arrays(rows, max(self.written, int(self.state[codes.ROW_ROOM])))
        return completion

    def _run_generations(
        self, team: ThreadTeam, stop: Callable[[], bool] | None, report: Callable[[], None] | None
    ) -> Completion:
        state, watched = self.state, stop is not None or report is not None
        large = self._worth_calling if team.threads > 1 else NEVER
        learning = team.threads > 1 and large == NEVER
        state[codes.LEAST_SHARED] = NEVER if large == NEVER else LEAST_SHARED * self._slot
        block = FIRST_BATCHES * self._batch_size if watched or learning else NEVER
        started = polled = reported = time.perf_counter()
        if len(self._team.helpers) != team.threads * LINE:
            self._team, self._bound = new_team(team.threads, MAX_IDLE_LOOKS), {}
        if team.threads > 1 and WORTH_CALLING == 0:
            learning, large, state[codes.LEAST_SHARED] = False, 0, 1
            self._team.range[team_codes.PATIENCE] = NEVER

        def poll_caller() -> None:
            if stop is not None and stop():
                self._stop_kernels()

        def advance() -> int:
            return self._advance(block, large)

        while True:
            # a path may take long, and Python notes Ctrl-C in this thread alone
            code = team.poll_during(advance, poll_caller) if watched and self.bending else advance()
            if code == codes.LARGE:
                self._call_helpers(team)
            elif code == codes.POLL:
                now = time.perf_counter()
                if learning and now - started > SHORT_TRACE:
                    large = math.ceil(WORTH_CALLING / (now - started) * max(1, self.rows))
                    self._worth_calling = large
                    state[codes.LEAST_SHARED] = LEAST_SHARED * self._slot
                    learning = False
                if watched:
                    poll_caller()
                    if report is not None and now - reported > PROGRESS_INTERVAL:
                        report()
                        reported = now
                fast = now - polled < POLL_INTERVAL
                block = (
                    NEVER
                    if not (watched or learning)
                    else block * 2
                    if fast
                    else max(self._batch_size, block // 2)
                )
                polled = now
            elif code == codes.STOPPED:
                return Completion.CANCELLED
            elif code == codes.DONE:
                return Completion.COMPLETE
            elif code == codes.LIMIT:
                return Completion.SEGMENT_LIMIT
            elif code == codes.FULL:
                return Completion.MEMORY_LIMIT
            else:  # arrays are replaced, to which the other threads refer
                team.dismiss()
                for batch in self._batches:
                    enlarge_log(batch)
                if self._grow_arrays():
                    continue
                if state[codes.LEAST_SHARED] == NEVER:
                    return Completion.MEMORY_LIMIT
                # parts need more room than batches: one thread finds out where the trace ends
                state[codes.LEAST_SHARED] = NEVER

    def _stop_kernels(self) -> None:
        """Request that the running kernels end soon."""
        self.state[codes.STOP] = 1

    def _call_helpers(self, team: ThreadTeam) -> None:
        """Call the other threads, which then wait in compiled code for rays to share."""
        self._add_batches(team.threads)
        self._team.range[CALLED] = 1
        team.call()
        while WORTH_CALLING == 0 and not team.has_left():
            if (self._team.helpers[LINE::LINE] == WAITING).all():
                break
            time.sleep(POLL_INTERVAL / 100)

    def _close_team(self, closed: bool) -> None:
        """Make the helpers leave compiled code soon, or let them wait for work again."""
        self._team.range[CLOSED] = closed
        self._team.range[CALLED] = 0

    def _help_advance(self, worker: int) -> None:
        t, e, q, c = self.scene.tables, self.emitted, self.queue, self.columns
        arrays = t, e, q, c, self._batches[worker], self._team, self.state, self._sums
        self._bind_kernel_arrays(help_advance, worker, *arrays)(worker, self.far)

    def _advance(self, block: int, large: int) -> int:
        t, e, q, c = self.scene.tables, self.emitted, self.queue, self.columns
        arrays = t, e, q, c, self._batches[0], self._team, self.state, self._sums
        advance = self._bind_kernel_arrays(loop.advance_trace, 0, *arrays)
        code: int = advance(self.limit, block, large, self.far)
        return code

    def _bind_kernel_arrays(
        self, kernel: Callable[..., Any], worker: int, *arrays: Any
    ) -> Callable[..., Any]:
        """The kernel with its arrays bound as arguments, for the thread with this number. They are
        bound once, and again after arrays were replaced.
        """
        call = self._bound.get((id(kernel), worker))
        if call is None:
            call = self._bound[id(kernel), worker] = bind_first_arguments(kernel, *arrays)
        return call

    def _add_batches(self, workers: int) -> None:
        """Make batches until each of the threads has one."""
        size, primitives = self._buffer_size, len(self.scene.tables.primitive)
        self._batches += [
            new_batch(size, self.widths, primitives) for _ in range(len(self._batches), workers)
        ]

    def _grow_arrays(self) -> bool:
        """Enlarge the arrays for the rays that are processed next. Returns False if that exceeds
        the memory limit.
        """
        state = self.state
        size, points = int(state[codes.WANTED]), self.points + int(state[codes.NEW_POINTS])
        rays = int(state[codes.ENTRIES]) + size * self.scene.tables.most_children
        rows = self.written + min(self.limit - self.rows, size)
        needed = rows * self.row_bytes + rays * self.ray_bytes + points * loop.POINT_BYTES
        if needed > self.memory:
            return False
        try:
            self._reserve_capacity(rays, rows)
            self._reserve_points(self.points, points)
        except MemoryError:
            return False
        state[codes.NEW_POINTS] = 0
        return True

    def _reserve_points(self, used: int, needed: int) -> None:
        """Reserve room for ``needed`` points of curved paths, of which ``used`` are in use."""
        if needed > len(self.columns.polyline):
            self.columns, self._bound = with_more_points(self.columns, used, needed), {}

    def _reserve_capacity(self, rays: int, rows: int) -> None:
        """Reserve room for a number of rays and rows. Large arrays get all the memory that is
        allowed at once, so that they are never copied.
        """
        state = self.state
        self._reserved = max(
            self._reserved, rays
        )  # also what was only room for children, so that the next trace need not copy
        before = self.queue, self.columns
        self.queue = grow_arrays(
            self.queue,
            int(state[codes.ENTRIES]),
            rays,
            max(rays, self.memory // self.ray_bytes),
            self._buffers,
        )
        self.columns = grow_arrays(
            self.columns,
            self.written,
            rows,
            max(rows, min(self.limit, self.memory // self.row_bytes)),
            self._buffers,
        )
        if self.queue is before[0] and self.columns is before[1]:
            return
        self._bound = {}
        size = min(len(self.queue.serial), loop.SECTION) // self._slot + 3
        if size > len(self._sums):
            sums = np.zeros((size, self._sums.shape[1]))
            sums[: len(self._sums)] = self._sums
            self._sums = sums


def begin_generations(before: Generations | None, *arguments: Any) -> Generations:
    """Generations at their start, made from ``arguments``. The generations of an earlier trace are
    reused if only source rays and numbers in the tables differ; otherwise their arrays may be
    reused.
    """
    if before is not None:
        if before.restart(*arguments):
            return before
        before.release()
    return Generations(*arguments)


def count_bending_bodies(scene: CompiledScene) -> int:
    """The number of gradient-index bodies, in which light is bent."""
    graded = scene.tables.graded
    return int((scene.tables.flags[graded] & MATERIAL == 0).sum()) if len(graded) else 0


def round_up_to_multiple(number: int, size: int) -> int:
    """The smallest multiple of ``size`` that is at least ``number``."""
    return -(-number // size) * size


def emitted_rays(rays: InitialRays, chosen: Integers) -> Emitted:
    """The source rays in the form that kernels take. ``chosen`` (m,) are the indices of the rays to
    trace.
    """
    return Emitted(
        rays.start, rays.direction, rays.power, rays.gap, rays.source, rays.wavelength, chosen,
        rays.polarization,
    )  # fmt: skip
