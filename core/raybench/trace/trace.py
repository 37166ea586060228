"""Tracing a scene: `trace` computes all ray segments of a scene."""

import functools
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Integers
from raybench.errors import RaybenchError
from raybench.kinds.decorations import CropBox
from raybench.kinds.detectors import Detector
from raybench.kinds.object import objects_of_kind
from raybench.kinds.sources import Beam
from raybench.scene import RELATIVE
from raybench.scene.document import Document, next_revision
from raybench.scene.scene import Scene
from raybench.scene.treatments import NO_TREATMENTS, EdgeTreatments
from raybench.trace.codes import Completion, Status
from raybench.trace.columns import STORED, Columns
from raybench.trace.compilation.jit import LANES
from raybench.trace.compilation.loading import (
    compile_in_background,
    is_machine_code_loaded,
    use_machine_code,
)
from raybench.trace.keep import MOST_OBJECTS, NO_COLUMN, Keep, Kept
from raybench.trace.kernels import batch, kernel, loop, optical_path, team
from raybench.trace.kernels.curved_ray import integrate_paths
from raybench.trace.kernels.rays import BATCH, SLOT, STATE_SIZE, Offsets
from raybench.trace.limits import DEFAULT_LIMIT, default_memory_limit
from raybench.trace.results.counted_rows import rows_counted_by_detectors
from raybench.trace.results.kept_rows import keep_rows
from raybench.trace.results.power_units import columns_in_unit, ledger_in_unit, result_in_unit
from raybench.trace.results.result import ESCAPE_LENGTH, Ledger, TraceResult
from raybench.trace.results.warnings import (
    LEAST_POWER,
    colourless_lumens_warnings,
    ill_defined_warnings,
    trace_warnings,
)
from raybench.trace.run.emission import (
    STOPPED_SECONDS,
    InitialRays,
    initial_rays,
    settings_of_draw,
)
from raybench.trace.run.generations import (
    NEVER,
    Generations,
    begin_generations,
    count_bending_bodies,
    emitted_rays,
)
from raybench.trace.run.memory import (
    ColumnWidths,
    TraceLeftovers,
    TraceMemory,
    new_batch,
    new_columns,
    new_queue,
)
from raybench.trace.run.progress import TraceProgress
from raybench.trace.tables.bvh import BOX_ROWS, build_boxes
from raybench.trace.tables.compiled import compile_scene
from raybench.trace.tables.finished_edges import tables_for_scatter

MAX_SHOWN_SEGMENTS = 100_000
"""Maximum segments of a partial result that is shown while a trace is running."""
FIRST_SHOWN_SECONDS, SHOWN_TIME_FACTOR = 0.2, 1.6
"""Seconds after which partial results are first shown, and the factor from each time to the next.
"""
Tracer = TypeVar("Tracer", bound=Callable[..., TraceResult])


def _trace_while_compiling(tracer: Tracer) -> Tracer:
    """Wrap a trace function so that it does not wait for the compilation of kernels. It traces with
    uncompiled kernels, and starts a second trace when the compiled kernels are ready. The result is
    that of the trace that ends first.
    """

    @functools.wraps(tracer)
    def trace_at_once(
        *arguments: Any,
        stop: Callable[[], bool] | None = None,
        at_once: bool = False,
        **options: Any,
    ) -> TraceResult:
        compiling = None if at_once or is_machine_code_loaded() else compile_in_background()
        if compiling is not None:
            stopped = stop or (lambda: False)
            result = tracer(
                *arguments, stop=lambda: not compiling.is_alive() or stopped(), **options
            )
            if result.completion is not Completion.CANCELLED or stopped():
                return result
        if not at_once:
            load_kernels()
        return tracer(*arguments, stop=stop, **options)

    return cast("Tracer", trace_at_once)


@_trace_while_compiling
def trace(
    what: Scene | Document,
    *,
    threads: int | None = None,
    max_segments: int = DEFAULT_LIMIT,
    memory_limit: int | None = None,
    disabled: Collection[int] = (),
    revision: int | None = None,
    max_source_rays: int | None = None,
    budget_ms: float | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[TraceProgress], None] | None = None,
    partial: Callable[[TraceResult], None] | None = None,
    memory: TraceMemory | None = None,
    at_once: bool = False,
    unit: str | None = None,
    power_unit: str = RELATIVE,
    treatments: EdgeTreatments = NO_TREATMENTS,
    draw: int = 0,
    keep: Keep | None = None,
) -> TraceResult:
    """Trace all rays of a scene or a document.

    The rows are the same for any number of threads. A trace that ends early is a valid, partial
    result.

    Args:
        what: A scene; or a document, which also states the disabled objects, the revision, the
            units, the coatings and the finishes.
        threads: The number of threads, up to `MOST_THREADS` of `raybench.trace.run.sharing`; all
            processors by default.
        max_segments: The limit on segments (`Completion.SEGMENT_LIMIT`); a crop box may set a lower
            one.
        memory_limit: The limit on memory in bytes (`Completion.MEMORY_LIMIT`); half of the
            machine's memory by default.
        disabled: Keys of the disabled objects of a scene.
        revision: The revision of a scene; by default a new one, so that ray ids differ from those
            of every other trace.
        max_source_rays: Trace only about so many source rays, evenly selected from each source
            (`Completion.REDUCED`).
        budget_ms: Stop after this time, once all source rays have been started
            (`Completion.REDUCED`); see `raybench.trace.run.frame_budget`.
        stop: Polled every few milliseconds; the trace ends when it returns True
            (`Completion.CANCELLED`). A `StopEvent` costs less.
        progress: Called now and then during a long trace with its progress.
        partial: Called now and then during a long trace with a partial result of about
            `MAX_SHOWN_SEGMENTS`
            segments at most: whole paths of evenly selected source rays (`Completion.REDUCED`).
        memory: Reuses data that have not changed since the last trace with the same memory; the
            rows do not depend on it.
        unit: The unit of lengths of a scene, for materials that absorb; mm by default.
        power_unit: The unit of a scene's powers (`raybench.scene.POWER_UNITS`). Unless powers are
            relative, the rays of a source carry its `raybench.kinds.sources.Source.power`.
        treatments: The coatings and finishes of a scene's edges.
        draw: The number of the draw; 0 is the scene itself. Draws have independent random numbers.
            If no source is random, the source rays of a draw lie between those of the other draws.
        keep: The rows to keep; all by default. The ledger, the warnings and the completion refer to
            all rows. If this is not possible, all rows are kept, and `TraceResult.kept` is None.
        at_once: Do not compile kernels that are not compiled yet: they run as Python, about a
            hundred times slower. Otherwise they are compiled in child processes meanwhile, and a
            trace that has not ended when they are ready starts again with them.

    Raises TooManyRays if a source would emit more rays than can be held, InvalidObject if a grating
    has too many orders, and RaybenchError for a number of threads or a memory limit below 1, or if
    arguments repeat a property of the document.
    """
    for name, value in (("threads", threads), ("memory_limit", memory_limit)):
        if value is not None and value < 1:
            raise RaybenchError(
                f"{name} is {value}; give a whole number of at least 1, or None for the default."
            )
    if isinstance(what, Document):
        own = disabled or revision is not None or unit is not None or power_unit != RELATIVE
        if own or any(treatments):
            raise RaybenchError(
                "A document has disabled objects, a revision, units, coatings and finishes of"
                " its own. Give them with a scene alone."
            )
        scene = what.scene
        disabled = what.disabled
        revision = what.revision
        unit = what.unit
        power_unit = what.power_unit
        treatments = what.treatments
    else:
        scene, unit = what, unit or "mm"
    if not is_machine_code_loaded():  # Python runs in one thread at a time
        threads = 1
    memory = memory or TraceMemory()
    started = time.perf_counter()
    disabled = scene.keys_with_parts(disabled)
    left = memory.take()
    ready = compiled = compile_scene(scene, disabled, left.compiled, unit, treatments)
    in_units = power_unit != RELATIVE
    rays = initial_rays(scene, disabled, stop, left.rays, draw, in_units=in_units)
    if ready.finished.edges:
        settings = settings_of_draw(scene.settings, draw)
        ready = replace(ready, tables=tables_for_scatter(ready.tables, rays.power, settings))
    full = rays.full or 1.0
    one = full if in_units else 1.0
    chosen = select_rays(rays, max_source_rays)
    limit = min(max_segments, _crop_segment_limit(scene))
    far = ESCAPE_LENGTH * scene.settings.length_scale
    out_of_time = False

    def should_stop() -> bool:
        nonlocal out_of_time
        timed = budget_ms is not None and generations.rows >= len(chosen)
        out_of_time = timed and (time.perf_counter() - started) * 1e3 > budget_ms  # type: ignore[operator]
        return out_of_time or (stop is not None and stop())

    revision = next_revision() if revision is None else revision
    due = started + FIRST_SHOWN_SECONDS

    def report() -> None:
        nonlocal due
        if progress is not None:
            progress(generations.progress)
        if partial is not None and time.perf_counter() > due:
            now = time.perf_counter()
            shown = _partial_result(scene, disabled, generations, ready.names, revision)
            if in_units:
                shown = result_in_unit(shown, full, power_unit)
            spent = (now - started) * 1e3
            partial(replace(shown, milliseconds=spent, ledger=Ledger(), draw=draw))
            due = now + (SHOWN_TIME_FACTOR - 1) * (now - started)

    preparing_ms = (time.perf_counter() - started) * 1e3
    watch = stop if budget_ms is None else should_stop
    if not rays.complete:  # already stopped: a few rays are traced briefly
        until = time.perf_counter() + STOPPED_SECONDS
        watch = lambda: time.perf_counter() > until  # noqa: E731
    all_rows = power_unit == "lm" or partial is not None or count_bending_bodies(ready) > 0
    if keep is not None and len(keep.objects) > MOST_OBJECTS:
        all_rows = True
    earlier = left.generations
    for kept in (None,) if all_rows else (keep, None):
        generations = earlier = begin_generations(
            earlier,
            ready,
            rays,
            chosen,
            limit,
            default_memory_limit() if memory_limit is None else memory_limit,
            far,
            memory.buffers,
            kept,
        )
        completion = generations.run(
            threads, watch, report if progress is not None or partial is not None else None
        )
        if kept is None or _are_kept_rows_enough(scene, generations, kept):
            break
    if not rays.complete:
        completion = Completion.CANCELLED
    if (completion is Completion.CANCELLED and out_of_time) or (
        completion is Completion.COMPLETE and len(chosen) < len(rays)
    ):
        completion = Completion.REDUCED
    sums = generations.sums
    ledger = Ledger(
        emitted=rays.total_power(chosen),
        resampled=float(sums[kernel.RESAMPLED_POWER]),
        gained=float(sums[kernel.GAINED_POWER]),
        escaped=float(sums[Status.ESCAPED]),
        absorbed=float(
            sums[Status.ABSORBED] + sums[Status.ILL_DEFINED] + sums[kernel.ABSORBED_ON_PATH]
        ),
        truncated=float(sums[kernel.TRUNCATED_POWER]),
        alive=generations.alive_power,
        unsent=rays.unsent_power(chosen),
    )
    rows: dict[str, Any] = _result_columns(
        generations.columns, generations.written, generations.points
    )
    warnings = ready.faults + trace_warnings(scene, ready, rays)
    if power_unit == "lm":
        warnings += colourless_lumens_warnings(scene, ready, rays)
    if kept is None and (sums[Status.ILL_DEFINED] > 0 or sums[kernel.ILL_POWER] > 0):
        ill = float(sums[kernel.ILL_POWER]), int(sums[kernel.ILL_A]), int(sums[kernel.ILL_B])
        warnings += ill_defined_warnings(scene, rows, *ill, ready.tables.shortest)
    factor: float | None = 1.0
    relative = rows
    if in_units:
        rows, factor, strongest = columns_in_unit(rows, full, power_unit)
        full = strongest if kept is None else max(full, strongest)
    facts = None
    if kept is None:
        rows["counted"] = rows_counted_by_detectors(scene, rows, disabled)
    else:
        if not kept.leaving:
            rows["parent"] = NO_COLUMN
        begun = chosen if generations.rows >= len(chosen) else chosen[: generations.rows]
        trail = generations.columns.trail[: generations.written]
        path_key, met = trail.T if kept.has_paths else (NO_COLUMN, NO_COLUMN)
        facts = Kept(
            kept,
            path_key,
            met,
            generations.rows,
            one * rays.power_of_sources(begun),
            one * float(sums[Status.DEPTH]),
            float(sums[kernel.REACH]),
        )
    result = TraceResult(
        **rows,
        power_unit=power_unit,
        full_power=full,
        warnings=warnings,
        ledger=ledger,
        completion=completion,
        milliseconds=(time.perf_counter() - started) * 1e3,
        revision=revision,
        object_names=ready.names,
        scene=scene,
        coated=ready.coated,
        finished=ready.finished,
        disabled=frozenset(disabled),
        preparing_ms=preparing_ms,
        draw=draw,
        kept=facts,
    )
    memory.keep(TraceLeftovers(compiled, rays if rays.complete else left.rays, generations))
    if in_units:
        result = replace(result, ledger=ledger_in_unit(result, factor, relative))
    return result if keep is None or kept is not None else keep_rows(result, keep)


def _are_kept_rows_enough(scene: Scene, generations: Generations, keep: Keep) -> bool:
    """Whether the kept rows of a trace are sufficient for its result. They are not if kept
    detectors may count rows that end on other objects, or if a warning refers to an undefined
    interaction.
    """
    ill = generations.sums[Status.ILL_DEFINED] + generations.sums[kernel.ILL_POWER]
    counts = any(isinstance(scene.optical[i], Detector) for i in keep.objects if i >= 0)
    return not (ill > LEAST_POWER or (counts and generations.counted_rows > 0))


def select_rays(rays: InitialRays, most: int | None) -> Integers:
    """The indices of about ``most`` rays, selected evenly from each source, at least one of each.
    All indices if there are no more than ``most`` rays.
    """
    if most is None or len(rays) <= most:
        return rays.indices
    begins = rays.first_ray_indices
    ends = np.append(begins[1:], len(rays))
    fraction = most / len(rays)
    return np.concatenate(
        [
            np.linspace(a, b - 1, max(1, round((b - a) * fraction))).astype(np.int64)
            for a, b in zip(begins, ends, strict=True)
        ]
    )


def draws_differ(document: Document) -> bool:
    """Whether anything in a document is random, so that its draws (`trace`) differ."""
    return bool(document.finishes) or any(
        isinstance(o, Beam) and o.random and o.key not in document.disabled
        for o in document.scene.optical
    )


def load_kernels() -> None:
    """Load the machine code of all kernels, so that later traces do not have to. A child process
    compiles it if it is missing.
    """
    if not is_machine_code_loaded():
        use_machine_code()


def kernel_compile_calls() -> dict[str, functools.partial[Any]]:
    """A call with empty input for each kernel, by a name that users can read. The kernel is
    compiled for the types of this call; the call also shows that it runs.

    The calls are in the order of compilation: later kernels contain earlier ones.
    """
    from raybench.raster.lines import add_lines, overlay_lines, write_pixel_bytes

    empty = compile_scene(Scene())
    t = empty.tables
    q, c, b = (
        new_queue(0, ColumnWidths()),
        new_columns(0, ColumnWidths()),
        new_batch(1, ColumnWidths(), 0),
    )
    state, sums = np.zeros(STATE_SIZE, np.int64), np.zeros((2, kernel.SUMS_SIZE))
    state[[BATCH, SLOT]] = 1
    shared = team.new_team(2, patience=0)
    shared.range[[team.LENGTH, team.WORKERS]] = 1
    e, to = emitted_rays(initial_rays(Scene()), np.arange(0)), Offsets(0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    call = functools.partial
    return {
        "the hierarchy": call(
            build_boxes,
            *(np.zeros((0, 4)), t.primitive, t.loose, np.zeros((1, BOX_ROWS, LANES))),
            *(np.zeros((1, LANES), np.int64), np.zeros((1, LANES), np.int64)),
        ),
        "weak reflections": call(kernel.count_children, t, b, 0, -1),
        "curved paths": call(integrate_paths, t, b, state),
        "nearest hits": call(kernel.find_hits, t, b, state),
        "interactions": call(kernel.write_interactions, t, b, q, c, sums, to, 1.0, False),
        "interactions of treated light": call(
            kernel.write_interactions_of_treated_light, t, b, q, c, sums, to, 1.0, False
        ),
        "searches": call(batch.find_batch_hits, t, e, q, b, state, 0, 0),
        "rows": call(batch.write_batch, t, e, q, c, b, sums, -1, to, 1.0),
        "parts": call(team.advance_parts, t, e, q, c, b, shared, state, sums, 0, 1.0),
        "shared rays": call(team.share_range, t, e, q, c, b, shared, state, sums, 1, 0, 1.0),
        "helpers": call(team.help_advance, t, e, q, c, b, shared, state, sums, 1, 1.0),
        "sums": call(loop.add_chunk_sums, state, sums),
        "generations": call(loop.advance_trace, t, e, q, c, b, shared, state, sums, 1, 1, 1, 1.0),
        "endings": call(loop.mark_unfinished_rays, e, q, c, state, 0, 0),
        "optical paths": call(
            optical_path.add_optical_paths,
            *(t, c.p1, c.p2, c.wavelength, c.parent, c.hit),
            *(np.zeros(0, np.bool_), np.zeros(0)),
            *(np.zeros(size, np.int64) for size in (0, 3, 0)),
        ),
        "brightness": call(
            add_lines,
            np.zeros((1, 3), np.float32),
            1,
            1,
            np.zeros((0, 4)),
            np.zeros((0, 3), np.float32),
            0,
            1,
        ),
        "lines": call(
            overlay_lines,
            np.zeros((1, 4), np.float32),
            1,
            1,
            np.zeros((0, 4)),
            np.zeros((0, 4), np.float32),
            0,
            1,
        ),
        "pixels": call(write_pixel_bytes, np.zeros((0, 4), np.uint8), np.zeros((0, 4), np.float32)),
    }


def _result_columns(columns: Columns, n: int, points: int) -> dict[str, NDArray[Any]]:
    """The columns of a result, as views of the first n rows. The arrays are reused after the result
    is deleted.
    """
    polyline = columns.polyline
    if len(polyline) > points:
        polyline.resize((points, 2), refcheck=False)
    return _first_rows(columns, n) | {"polyline": polyline}


_NO_POINT_NUMBERS, _NO_STOKES = (
    np.broadcast_to(np.zeros(2, STORED[name].dtype), (1 << 31, 2)) for name in ("points", "stokes")
)
"""Columns for any number of rows that are straight, and that are not polarized, in the memory of
one row; to slice them is faster than to make them.
"""


def _first_rows(columns: Columns, n: int) -> dict[str, NDArray[Any]]:
    rows: dict[str, NDArray[Any]] = {name: getattr(columns, name)[:n] for name in STORED}
    if not rows["points"].shape[1]:  # not written in this scene: no medium acts along the rays
        rows["points"] = _NO_POINT_NUMBERS[:n]
        rows["end_power"] = rows["power"]
    if not rows["stokes"].shape[1]:
        rows["stokes"] = _NO_STOKES[:n]
    return rows


def _partial_result(
    scene: Scene,
    disabled: Collection[int],
    generations: Generations,
    names: tuple[str, ...],
    revision: int,
) -> TraceResult:
    """A result with a copy of the rows that a running trace has written so far, or of some whole
    paths if the rows are many. It is called between two batches, when all rows are complete.
    """
    n = generations.rows
    rows = _first_rows(generations.columns, n)
    rows["polyline"] = generations.columns.polyline[: generations.points].copy()
    rows["counted"] = rows_counted_by_detectors(scene, rows, disabled)
    chosen = np.flatnonzero(rows["source_ray"] % max(1, -(-n // MAX_SHOWN_SEGMENTS)) == 0)
    columns: dict[str, Any] = rows
    return TraceResult(
        **columns,
        revision=revision,
        object_names=names,
        scene=scene,
        disabled=frozenset(disabled),
    ).subset(chosen, revision)


def _crop_segment_limit(scene: Scene) -> int:
    """The limit on segments of the first crop box that has one. A trace stops after the first
    segment beyond the limit.
    """
    for _, obj in objects_of_kind(scene.objects, CropBox):
        if 0 < obj.ray_count_limit < NEVER:
            return int(obj.ray_count_limit) + 1
    return NEVER
