"""Tracing a scene: `trace` is the one way from a scene to its light."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.scene.decorations import CropBox
from core.scene.modules import as_number
from core.scene.outline import fault_of
from core.scene.scene import Scene
from core.trace.codes import Completion, Flag, Interaction, Status
from core.trace.detectors import detector_readings
from core.trace.emission import InitialRays, initial_rays
from core.trace.result import ESCAPE_LENGTH, Ledger, TraceResult, Warning
from core.trace.tables import Tables, compile_scene

if TYPE_CHECKING:
    from core.trace.bvh import Hierarchy
    from core.trace.kernel import Columns
    from core.trace.surfaces import Entries

DEFAULT_LIMIT = 10_000_000
"""Segments after which a trace stops, unless it is told otherwise."""
BYTES_PER_SEGMENT = 91
POLL_ROWS = 100_000
"""Segments between two looks at ``stop``, on one thread."""
SHARED_SIZE = 4_096
"""The smallest generation that is worth sharing among threads."""
NEVER = 1 << 60
FEW = 12
"""Below this many primitives looking at all of them is faster than a hierarchy."""
OBJECT = 0


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
    from core.trace.surfaces import ALIVE, PARENT

    load_kernels()
    started = time.perf_counter()
    disabled = scene.with_parts(disabled)
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
    rows = {name: _trimmed(getattr(columns, name), n) for name in columns._fields if name != "polyline"}
    rows["polyline"] = _trimmed(columns.polyline, int(state[kernel.LINE]))
    if not len(tables.graded):
        rows["points"] = np.broadcast_to(np.zeros(2, np.int32), (n, 2))
    ends = rows.pop("ends")
    rows["p1"], rows["p2"] = ends[:, :2], ends[:, 2:]
    waiting = np.flatnonzero(entries.mark[: state[kernel.ENTRIES], ALIVE])
    parents = entries.tag[waiting, PARENT]
    rows["status"][parents[parents >= 0]] = Status.ALIVE
    total = rows["power"].sum(axis=1)
    ledger = Ledger(
        emitted=float(rays.power[chosen].sum()),
        resampled=float(sums[kernel.RESAMPLED_POWER]),
        gained=float(sums[kernel.CHANGED]),
        escaped=float(total[rows["status"] == Status.ESCAPED].sum()),
        absorbed=float(total[(rows["status"] == Status.ABSORBED) | (rows["status"] == Status.ILL_DEFINED)].sum() + sums[kernel.FADED]),
        truncated=float(sums[kernel.ALL_LOST]),
        alive=float(entries.ray[waiting, 4:6].sum()),
    )
    detectors = detector_readings(scene, *_arriving(rows), rows["hit"], rows["status"])
    return TraceResult(
        **rows,
        detectors=detectors,
        warnings=_faults(scene, disabled) + _warnings(scene, kernel, state, sums),
        ledger=ledger,
        completion=completion,
        milliseconds=(time.perf_counter() - started) * 1e3,
        revision=revision,
        object_names=tuple(o.title for o in scene.optical),
        scene=scene,
    )


@cache
def load_kernels() -> None:
    """Compile or load every kernel, so that no later trace waits."""
    for step in kernel_steps().values():
        step()


def kernel_steps() -> dict[str, Callable[[], object]]:
    """What compiles or loads each kernel, by tracing nothing: in this order, for the last is made of those before it."""
    from core.trace import kernel
    from core.trace.bvh import build_hierarchy

    tables = compile_scene(Scene())
    hierarchy, loose = _ordered(tables)
    entries, columns = _new_entries(0, 0), _new_columns(kernel, 0, 0)
    stack, state, sums = _stack(), np.zeros(kernel.STATE_SIZE, np.int64), np.zeros(kernel.SUMS_SIZE)
    return {
        "the hierarchy": lambda: build_hierarchy(np.zeros((0, 4)), loose),
        "curved rays": lambda: kernel.begin(tables, entries, 0, 0),
        "nearest hits": lambda: kernel.find_hits(tables, hierarchy, loose, entries, stack, 0, 0),
        "weak reflections": lambda: kernel.plan(tables, entries, 0, 0, -1),
        "interactions": lambda: kernel.interact(tables, hierarchy, loose, entries, columns, 0, 0, 0, 0, 0, 0, 1.0),
        "generations": lambda: kernel.advance(tables, hierarchy, loose, entries, columns, stack, state, sums, 1, 1, 1, 1.0),
    }


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
    hierarchy, loose = _ordered(tables)
    bodies = len(tables.graded)
    entries, columns = _new_entries(2 * len(chosen), bodies), _new_columns(kernel, min(limit, 8 * len(chosen)), bodies)
    stack, state, sums = _stack(), np.zeros(kernel.STATE_SIZE, np.int64), np.zeros(kernel.SUMS_SIZE)
    state[kernel.ENTRIES] = state[kernel.HIGH] = len(chosen)
    # a child's index continues the indices of all source rays, so that a reduced trace resamples as the full one would
    state[kernel.NEXT_PLACE], state[kernel.LAST_HIT] = len(rays), -1
    _emit(entries, rays, chosen)
    if bodies:
        kernel.begin(tables, entries, 0, len(chosen))
    large, poll = (NEVER if threads == 1 else SHARED_SIZE), (POLL_ROWS if stop or progress else NEVER)
    while True:
        # a generation that is planned is brought to its end, so that the power it lost belongs to rows
        if stop is not None and state[kernel.PLANNED] == 0 and state[kernel.FOUND] == 0 and stop():
            return entries, columns, state, sums, int(kernel.POLL)
        if progress is not None:
            progress(int(state[kernel.ROWS]))
        code = kernel.advance(tables, hierarchy, loose, entries, columns, stack, state, sums, limit, poll, large, far)
        if code in (kernel.DONE, kernel.LIMIT):
            return entries, columns, state, sums, code
        low, high = int(state[kernel.LOW]), int(state[kernel.HIGH])
        if code == kernel.GROW:
            entries = _grown(entries, int(state[kernel.ENTRIES]) + (high - low) * tables.most_children)
            columns = _grown(columns, min(limit, int(state[kernel.ROWS]) + high - low), ("polyline",))
            columns = _longer(columns, int(state[kernel.LINE] + state[kernel.NEW_POINTS]))
        elif code == kernel.LARGE:
            # the generation's next steps in ranges, a few for each thread
            last, row = int(state[kernel.LAST_HIT]), int(state[kernel.ROWS])
            place, child = int(state[kernel.NEXT_PLACE]), int(state[kernel.ENTRIES])
            cuts = np.linspace(low, high, 4 * threads + 1).astype(np.int64).tolist()
            if state[kernel.PLANNED] == 0:
                _share(threads, cuts, partial(_find_hits, kernel, tables, hierarchy, loose, entries))
                before = {a: last if a == low else int(entries.met[a - 1, OBJECT]) for a in cuts[:-1]}
                _share(threads, cuts, partial(_plan, kernel, tables, entries, before))
                state[kernel.FOUND] = 1
            else:
                _share(threads, cuts, partial(_interact, kernel, tables, hierarchy, loose, entries, columns, low, row, place, child, far))
                state[kernel.WRITTEN] = 1


def _find_hits(kernel: Any, t: Tables, h: Hierarchy, loose: NDArray[np.int32], e: Entries, a: int, b: int) -> None:
    kernel.find_hits(t, h, loose, e, _stack(), a, b)


def _plan(kernel: Any, t: Tables, e: Entries, before: dict[int, int], a: int, b: int) -> None:
    kernel.plan(t, e, a, b, before[a])


def _interact(
    kernel: Any, t: Tables, h: Hierarchy, loose: NDArray[np.int32], e: Entries, c: Columns,
    start: int, row: int, place: int, child: int, far: float, a: int, b: int,
) -> None:  # fmt: skip
    kernel.interact(t, h, loose, e, c, a, b, start, row, place, child, far)


def _share(threads: int, cuts: list[int], step: Callable[[int, int], None]) -> None:
    """Do a step on the ranges between cuts, by several threads."""
    list(_pool(threads).map(step, cuts[:-1], cuts[1:]))


def _stack() -> NDArray[np.int32]:
    """Room for a walk through the hierarchy: kernels allocate nothing, each thread brings its own."""
    from core.trace.bvh import STACK

    return np.empty(STACK, np.int32)


def _ordered(tables: Tables) -> tuple[Hierarchy, NDArray[np.int32]]:
    """The hierarchy over a scene's primitives, and those outside it: all of them where they are few, else those without end."""
    from core.trace.bvh import Hierarchy, build_hierarchy
    from core.trace.tables import primitive_boxes

    count = len(tables.primitive)
    boxes = primitive_boxes(tables)
    endless = ~np.isfinite(boxes).all(axis=1)
    if count - endless.sum() < FEW:
        none = np.empty(0, np.int32)
        return Hierarchy(np.empty((0, 4)), np.empty((0, 2), np.int32), none), np.arange(count, dtype=np.int32)
    order = np.flatnonzero(~endless).astype(np.int32)
    return build_hierarchy(boxes, order), np.flatnonzero(endless).astype(np.int32)


def _emit(entries: Entries, rays: InitialRays, chosen: NDArray[np.int64]) -> None:
    n = len(chosen)
    entries.ray[:n, 0:2], entries.ray[:n, 2:4] = rays.start[chosen], rays.direction[chosen]
    entries.ray[:n, 4:6] = rays.power[chosen, None] / 2
    entries.wavelength[:n] = rays.wavelength[chosen]
    entries.tag[:n, 0], entries.tag[:n, 1], entries.tag[:n, 2], entries.tag[:n, 3] = rays.source[chosen], chosen, 0, -1
    entries.place[:n] = chosen
    entries.mark[:n, 0], entries.mark[:n, 2] = Interaction.SOURCE, 1
    entries.mark[:n, 1] = np.where(rays.gap[chosen], int(Flag.GAP | Flag.NEW), int(Flag.NEW))


def _new_entries(n: int, bodies: int) -> Entries:
    from core.trace.ray_path import PATH_WIDTH
    from core.trace.surfaces import Entries

    return Entries(
        ray=np.empty((n, 6)),
        wavelength=np.empty(n),
        tag=np.empty((n, 4), np.int32),
        place=np.empty(n, np.int64),
        mark=np.empty((n, 3), np.uint8),
        met=np.empty((n, 5), np.int32),
        reach=np.empty((n, 4)),
        inside=np.zeros((n, bodies), np.uint8),
        path=np.empty((n, PATH_WIDTH if bodies else 0)),
    )


def _new_columns(kernel: Any, n: int, bodies: int) -> Columns:
    columns: Columns = kernel.Columns(
        ends=np.empty((n, 4)), power=np.empty((n, 2)), wavelength=np.empty(n),
        parent=np.empty(n, np.int32), source=np.empty(n, np.int32), source_ray=np.empty(n, np.int32), depth=np.empty(n, np.int32),
        hit=np.empty(n, np.int32), edge=np.empty(n, np.int16), interaction=np.empty(n, np.uint8), status=np.empty(n, np.uint8),
        flags=np.empty(n, np.uint8), points=np.empty((n, 2 if bodies else 0), np.int32), polyline=np.empty((0, 2)),
    )  # fmt: skip
    return columns


def _longer(columns: Columns, needed: int) -> Columns:
    """The columns with room for ``needed`` points of curved rays, and half as many again to spare."""
    if len(columns.polyline) >= needed:
        return columns
    longer = np.empty((needed + needed // 2, 2))
    longer[: len(columns.polyline)] = columns.polyline
    return columns._replace(polyline=longer)


def _grown(arrays: Any, needed: int, but: tuple[str, ...] = ()) -> Any:
    """The arrays, ``but`` some, with room for ``needed`` rows and half as many again to spare; unchanged if they have it."""
    have = len(arrays[0])
    if have >= needed:
        return arrays
    size = needed + needed // 2

    def grow(old: NDArray[Any]) -> NDArray[Any]:
        new = np.empty((size, *old.shape[1:]), old.dtype)
        new[:have] = old
        return new

    return arrays._replace(**{name: grow(old) for name, old in zip(arrays._fields, arrays, strict=True) if name not in but})


def _trimmed(column: NDArray[Any], n: int) -> NDArray[Any]:
    """The first n rows, copied where that frees much memory."""
    return column[:n].copy() if len(column) > 1.25 * n else column[:n]


def _crop_limit(scene: Scene) -> int:
    """The first crop box's own limit on segments; it stops after the segment that exceeds it."""
    for obj in scene.objects:
        limit = as_number(obj.ray_count_limit) if isinstance(obj, CropBox) else None
        if limit is not None and limit > 0:
            return int(min(limit, NEVER)) + 1
    return NEVER


def _arriving(rows: dict[str, NDArray[Any]]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Where segments end, from just before, and with what power they arrive: for curved ones not what they began with."""
    p1, power, points = rows["p1"], rows["power"], rows["points"]
    curved = np.flatnonzero(points[:, 1])
    if not len(curved):
        return p1, rows["p2"], power
    p1, power = p1.copy(), power.copy()
    p1[curved] = rows["polyline"][points[curved].sum(axis=1) - 2]
    after = np.flatnonzero((rows["interaction"] == Interaction.DETECT) & (rows["parent"] >= 0))
    power[rows["parent"][after]] = rows["power"][after]
    return p1, rows["p2"], power


def _faults(scene: Scene, disabled: Collection[int]) -> tuple[Warning, ...]:
    """A warning for every object that light passes because its formulas cannot be used."""
    found = ((i, fault_of(o)) for i, o in enumerate(scene.optical) if o.key not in disabled)
    return tuple(Warning(i, fault) for i, fault in found if fault)


def _warnings(scene: Scene, kernel: Any, state: NDArray[np.int64], sums: NDArray[np.float64]) -> tuple[Warning, ...]:
    power = float(sums[kernel.ILL_POWER])
    if power <= 1e-3:
        return ()
    a, b = int(state[kernel.ILL_A]), int(state[kernel.ILL_B])
    names = [scene.optical[i].title for i in (a, b) if i >= 0]
    where = f"where '{names[0]}' and '{names[1]}' lie on each other" if len(names) == 2 else f"at a corner of '{names[0]}'"
    return (Warning(a, f"Light of power {power:.3g} met an ill-defined place, first {where}."),)
