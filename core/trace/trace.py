"""Tracing a scene: `trace` is the one way from a scene to its light."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.scene.decorations import CropBox
from core.scene.scene import Scene
from core.trace.codes import Completion, Flag, Interaction, Status
from core.trace.detectors import detector_readings
from core.trace.emission import InitialRays, initial_rays
from core.trace.result import ESCAPE_LENGTH, Ledger, TraceResult, Warning
from core.trace.tables import Tables, compile_scene

if TYPE_CHECKING:
    from core.trace.kernel import Columns, Entries

DEFAULT_LIMIT = 10_000_000
"""Segments after which a trace stops, unless it is told otherwise."""
BYTES_PER_SEGMENT = 87
POLL_ROWS = 100_000
"""Segments between two looks at ``stop``, on one thread."""
SHARED_SIZE = 4_096
"""The smallest generation that is worth sharing among threads."""
NEVER = 1 << 60


def trace(
    scene: Scene,
    *,
    threads: int | None = None,
    max_segments: int = DEFAULT_LIMIT,
    disabled: Collection[int] = (),
    revision: int = 0,
    max_source_rays: int | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> TraceResult:
    """Follow all light of a scene.

    The rows are the same for any number of ``threads`` (all processors by default). ``max_segments`` and a crop box's own limit end a
    trace with `Completion.SEGMENT_LIMIT`; ``stop``, asked now and then, ends it with `Completion.CANCELLED` and what there is so far.
    ``max_source_rays`` traces an even selection of the rays that leave the sources, with `Completion.REDUCED`. ``disabled`` holds keys
    of objects that light passes; ``progress`` is told the number of segments so far. Raises TooManyRays where a source would emit
    more than can be held.
    """
    from core.trace import kernel

    load_kernels()
    started = time.perf_counter()
    tables = compile_scene(scene, disabled)
    rays = initial_rays(scene, disabled)
    chosen = np.arange(len(rays))
    if max_source_rays is not None and len(rays) > max_source_rays:
        chosen = np.linspace(0, len(rays) - 1, max(1, max_source_rays)).astype(np.int64)
    limit = min(max_segments, _crop_limit(scene))
    far = ESCAPE_LENGTH * scene.settings.length_scale
    entries, columns, state, sums, code = _run(kernel, tables, rays, chosen, limit, far, threads, stop, progress)
    completion = Completion.COMPLETE
    if code == kernel.LIMIT:
        completion = Completion.SEGMENT_LIMIT
    elif code == kernel.POLL:
        completion = Completion.CANCELLED
    elif len(chosen) < len(rays):
        completion = Completion.REDUCED
    n = int(state[kernel.ROWS])
    rows = {name: _trimmed(getattr(columns, name), n) for name in columns._fields}
    waiting = np.flatnonzero(entries.alive[: state[kernel.ENTRIES]])
    parents = entries.parent[waiting]
    rows["status"][parents[parents >= 0]] = Status.ALIVE
    total = rows["power"].sum(axis=1)
    ledger = Ledger(
        emitted=float(rays.power[chosen].sum()),
        resampled=float(sums[kernel.GAINED]),
        gained=float(sums[kernel.CHANGED]),
        escaped=float(total[rows["status"] == Status.ESCAPED].sum()),
        absorbed=float(total[(rows["status"] == Status.ABSORBED) | (rows["status"] == Status.ILL_DEFINED)].sum()),
        truncated=float(sums[kernel.LOST]),
        alive=float(entries.power[waiting].sum()),
    )
    detectors = detector_readings(scene, rows["p1"], rows["p2"], rows["power"], rows["hit"], rows["status"])
    return TraceResult(
        **rows,
        detectors=detectors,
        warnings=_warnings(scene, kernel, state, sums),
        ledger=ledger,
        completion=completion,
        milliseconds=(time.perf_counter() - started) * 1e3,
        revision=revision,
        object_names=tuple(o.title for o in scene.optical),
    )


@cache
def load_kernels() -> None:
    """Compile or load every kernel by tracing nothing, so that no later trace waits."""
    from core.trace import kernel

    tables = compile_scene(Scene())
    entries, columns = _new_entries(kernel, 0), _new_columns(kernel, 0)
    state, sums = np.zeros(kernel.STATE_SIZE, np.int64), np.zeros(kernel.SUMS_SIZE)
    kernel.find_hits(tables, entries, 0, 0)
    kernel.plan(tables, entries, 0, 0, -1)
    kernel.interact(tables, entries, columns, 0, 0, 0, 0, 0, 0, 1.0)
    kernel.advance(tables, entries, columns, state, sums, 1, 1, 1, 1.0)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="trace")


def _run(
    kernel: Any,
    tables: Tables,
    rays: InitialRays,
    chosen: NDArray[np.int64],
    limit: int,
    far: float,
    threads: int | None,
    stop: Callable[[], bool] | None,
    progress: Callable[[int], None] | None,
) -> tuple[Entries, Columns, NDArray[np.int64], NDArray[np.float64], int]:
    threads = threads or os.cpu_count() or 1
    entries, columns = _new_entries(kernel, 2 * len(chosen)), _new_columns(kernel, min(limit, 8 * len(chosen)))
    state, sums = np.zeros(kernel.STATE_SIZE, np.int64), np.zeros(kernel.SUMS_SIZE)
    state[kernel.ENTRIES] = state[kernel.HIGH] = len(chosen)
    # a child's index continues the indices of all source rays, so that a reduced trace resamples as the full one would
    state[kernel.NEXT_PLACE], state[kernel.LAST_HIT] = len(rays), -1
    _emit(entries, rays, chosen)
    large, poll = (NEVER if threads == 1 else SHARED_SIZE), (POLL_ROWS if stop or progress else NEVER)
    while True:
        if stop is not None and stop():
            return entries, columns, state, sums, int(kernel.POLL)
        if progress is not None:
            progress(int(state[kernel.ROWS]))
        code = kernel.advance(tables, entries, columns, state, sums, limit, poll, large, far)
        if code in (kernel.DONE, kernel.LIMIT):
            return entries, columns, state, sums, code
        low, high = int(state[kernel.LOW]), int(state[kernel.HIGH])
        if code == kernel.GROW:
            entries = _grown(entries, int(state[kernel.ENTRIES]) + (high - low) * tables.most_children)
            columns = _grown(columns, min(limit, int(state[kernel.ROWS]) + high - low))
        elif code == kernel.LARGE:
            _share(kernel, _pool(threads), threads, tables, entries, columns, state, far)


def _share(
    kernel: Any, pool: ThreadPoolExecutor, threads: int, t: Tables, e: Entries, c: Columns, state: NDArray[np.int64], far: float
) -> None:
    """Do the present generation's next steps in ranges, a few for each thread."""
    low, high, last = int(state[kernel.LOW]), int(state[kernel.HIGH]), int(state[kernel.LAST_HIT])
    cuts = np.linspace(low, high, 4 * threads + 1).astype(np.int64).tolist()
    ranges = list(pairwise(cuts))
    if state[kernel.PLANNED] == 0:
        list(pool.map(lambda r: kernel.find_hits(t, e, *r), ranges))
        list(pool.map(lambda r: kernel.plan(t, e, *r, last if r[0] == low else int(e.hit[r[0] - 1])), ranges))
        state[kernel.FOUND] = 1
    else:
        row, place, child = int(state[kernel.ROWS]), int(state[kernel.NEXT_PLACE]), int(state[kernel.ENTRIES])
        list(pool.map(lambda r: kernel.interact(t, e, c, *r, low, row, place, child, far), ranges))


def _emit(entries: Entries, rays: InitialRays, chosen: NDArray[np.int64]) -> None:
    n = len(chosen)
    entries.position[:n], entries.direction[:n] = rays.start[chosen], rays.direction[chosen]
    entries.power[:n] = rays.power[chosen, None] / 2
    entries.wavelength[:n], entries.source[:n] = rays.wavelength[chosen], rays.source[chosen]
    entries.source_ray[:n] = entries.place[:n] = chosen
    entries.depth[:n], entries.parent[:n], entries.interaction[:n] = 0, -1, Interaction.SOURCE
    entries.flags[:n] = np.where(rays.gap[chosen], int(Flag.GAP | Flag.NEW), int(Flag.NEW))
    entries.alive[:n] = 1


def _new_entries(kernel: Any, n: int) -> Entries:
    entries: Entries = kernel.Entries(
        position=np.empty((n, 2)), direction=np.empty((n, 2)), power=np.empty((n, 2)), wavelength=np.empty(n, np.float32),
        source=np.empty(n, np.int32), source_ray=np.empty(n, np.int32), depth=np.empty(n, np.int32), place=np.empty(n, np.int64),
        parent=np.empty(n, np.int32), interaction=np.empty(n, np.uint8), flags=np.empty(n, np.uint8), alive=np.empty(n, np.uint8),
        hit=np.empty(n, np.int32), primitive=np.empty(n, np.int32), other=np.empty(n, np.int32), distance=np.empty(n), ratio=np.empty(n),
        children=np.empty(n, np.int32), lost=np.empty(n), gained=np.empty(n),
    )  # fmt: skip
    return entries


def _new_columns(kernel: Any, n: int) -> Columns:
    columns: Columns = kernel.Columns(
        p1=np.empty((n, 2)), p2=np.empty((n, 2)), power=np.empty((n, 2)), wavelength=np.empty(n, np.float32),
        parent=np.empty(n, np.int32), source=np.empty(n, np.int32), source_ray=np.empty(n, np.int32), depth=np.empty(n, np.int32),
        hit=np.empty(n, np.int32), edge=np.empty(n, np.int16), interaction=np.empty(n, np.uint8), status=np.empty(n, np.uint8),
        flags=np.empty(n, np.uint8),
    )  # fmt: skip
    return columns


def _grown(arrays: Any, needed: int) -> Any:
    """The arrays with room for ``needed`` rows, and half as many again to spare; unchanged if they have it."""
    have = len(arrays[0])
    if have >= needed:
        return arrays
    size = needed + needed // 2

    def grow(old: NDArray[Any]) -> NDArray[Any]:
        new = np.empty((size, *old.shape[1:]), old.dtype)
        new[:have] = old
        return new

    return type(arrays)(*map(grow, arrays))


def _trimmed(column: NDArray[Any], n: int) -> NDArray[Any]:
    """The first n rows, copied where that frees much memory."""
    return column[:n].copy() if len(column) > 1.25 * n else column[:n]


def _crop_limit(scene: Scene) -> int:
    """The first crop box's own limit on segments; it stops after the segment that exceeds it."""
    for obj in scene.objects:
        if isinstance(obj, CropBox) and isinstance(obj.ray_count_limit, (int, float)) and obj.ray_count_limit > 0:
            return int(min(obj.ray_count_limit, NEVER)) + 1
    return NEVER


def _warnings(scene: Scene, kernel: Any, state: NDArray[np.int64], sums: NDArray[np.float64]) -> tuple[Warning, ...]:
    power = float(sums[kernel.ILL_POWER])
    if power <= 1e-3:
        return ()
    a, b = int(state[kernel.ILL_A]), int(state[kernel.ILL_B])
    names = [scene.optical[i].title for i in (a, b) if i >= 0]
    where = f"where '{names[0]}' and '{names[1]}' lie on each other" if len(names) == 2 else f"at a corner of '{names[0]}'"
    return (Warning(a, f"Light of power {power:.3g} met an ill-defined place, first {where}."),)
