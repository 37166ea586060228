"""The memory of traces: the arrays of rays and rows, and the data that one trace leaves for the
next one while a scene is edited.
"""

from __future__ import annotations

import sys
import threading
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from raybench.trace.columns import STORED, Columns
from raybench.trace.compilation.jit import LANES
from raybench.trace.kernels import rays
from raybench.trace.kernels.curved_ray import PATH_WIDTH
from raybench.trace.kernels.nearest_hit import GROUP_SIZE
from raybench.trace.kernels.rays import Batch, Queue
from raybench.trace.kernels.team import BUFFERS
from raybench.trace.tables.bvh import aligned, new_walk

if TYPE_CHECKING:
    from raybench.trace.run.emission import InitialRays
    from raybench.trace.run.generations import Generations
    from raybench.trace.tables.compiled import CompiledScene

Arrays = TypeVar("Arrays", bound=tuple[NDArray[Any], ...])
Shapes = tuple[type[Any], list[tuple[np.dtype[Any], tuple[int, ...]]]]

LEAST_BYTES, MOST_BYTES = 64 << 10, 128 << 20
"""Smaller sets of arrays are not worth keeping, larger ones are freed."""
MOST_SETS = 6
"""Maximum number of sets, including those in use by results; beyond that the oldest is dropped."""


class ColumnWidths(NamedTuple):
    """The widths of the columns of `Queue` and `Columns` that depend on the scene: the number of
    ``bodies`` in `Tables.graded`, the number of random ``seeds`` in a scene with finishes, the
    number of stored ``stokes`` parameters (2 or 0), and the number of ``trails`` if only some rows
    are kept.
    """

    bodies: int = 0
    seeds: int = 0
    stokes: int = 0
    trails: int = 0


class TraceLeftovers(NamedTuple):
    """The data that a trace leaves for the next one; None for missing data."""

    compiled: CompiledScene | None = None
    rays: InitialRays | None = None
    generations: Generations | None = None


class TraceMemory:
    """The data that the last trace has left for the next one: the compiled scene, the source rays,
    the generations with their arrays, and buffers for reuse. A caller of
    `raybench.trace.trace.trace` that traces repeatedly owns one.

    With it, a trace recomputes only what has changed; the rows are the same without it. Deleting it
    frees all memory that no result uses. It is thread-safe: data that a trace has taken are not
    available to another trace.
    """

    def __init__(self) -> None:
        self.left = TraceLeftovers()
        self.buffers = ArrayBuffers()
        self._lock = threading.Lock()

    def take(self) -> TraceLeftovers:
        """Remove and return the data that the last trace has left; its arrays may be
        overwritten.
        """
        with self._lock:
            taken, self.left = self.left, TraceLeftovers()
        return taken

    def keep(self, left: TraceLeftovers) -> None:
        """Keep the data that a trace leaves for the next one."""
        if left.generations is not None and left.generations.largest_bytes > MOST_BYTES:
            left.generations.release()
            left = left._replace(generations=None)
        with self._lock:
            self.left = left


class ArrayBuffers:
    """Sets of arrays (`Columns`, `Queue`) for reuse. A set is reused when nothing else refers to
    its arrays or to views of them. This avoids mapping new memory, which takes as long as tracing.
    During a drag, two sets are used alternately.
    """

    def __init__(self) -> None:
        self._sets: list[tuple[Shapes, tuple[NDArray[Any], ...]]] = []
        self._batches: list[Batch] = []
        self._lock = threading.Lock()

    def keep_arrays(self, arrays: tuple[NDArray[Any], ...]) -> None:
        """Keep a set of arrays for reuse. A result may still use it, but the caller must not write
        to it any more. Sets with views of arrays are not kept, because a view of a view refers to
        the base array only.
        """
        if isinstance(arrays, Columns):
            arrays = arrays._replace(polyline=NO_POINTS)
        if any(a.base is not None for a in arrays):
            return
        if LEAST_BYTES <= sum(a.nbytes for a in arrays) <= MOST_BYTES:
            with self._lock:
                self._sets = [*self._sets, (_array_shapes(arrays), arrays)][-MOST_SETS:]

    def take_arrays(self, like: Arrays, n: int) -> Arrays | None:
        """Remove and return the smallest unused set of arrays with the dtypes and widths of
        ``like`` and room for ``n`` items. None if there is none.
        """
        wanted = _array_shapes(like)
        with self._lock:
            fitting = [
                arrays
                for shapes, arrays in self._sets
                if len(arrays[0]) >= n
                and shapes == wanted
                and _reference_count(arrays) == UNUSED_REFERENCES
            ]
            smallest: Arrays | None = min(
                cast("list[Arrays]", fitting), key=lambda arrays: len(arrays[0]), default=None
            )
            self._sets = [held for held in self._sets if held[1] is not smallest]
            return smallest

    def keep_batches(self, batches: list[Batch]) -> None:
        """Keep the batches of a trace for the next trace. They replace those that were kept before."""
        with self._lock:
            self._batches = batches

    def take_batches(self, size: int, widths: ColumnWidths, primitives: int) -> list[Batch]:
        """Remove and return the batches that were kept, if they fit this size, these widths and
        this number of primitives; otherwise none.
        """
        with self._lock:
            batches, self._batches = self._batches, []
        fits = all(
            (
                len(b.at),
                *(a.shape[1] for a in (b.inside, b.seed, b.stokes, b.trail)),
                len(b.walk.hits),
            )
            == (size * BUFFERS, *widths, primitives)
            for b in batches
        )
        return batches if fits else []


def _array_shapes(arrays: tuple[NDArray[Any], ...]) -> Shapes:
    return type(arrays), [(a.dtype, a.shape[1:]) for a in arrays]


def _reference_count(arrays: tuple[NDArray[Any], ...]) -> int:
    """The largest reference count of the arrays that are not empty. A view of an array counts as
    one reference, and so does a view of a view.
    """
    return max((sys.getrefcount(a) for a in arrays if a.size), default=0)


def are_unused(arrays: tuple[NDArray[Any], ...]) -> bool:
    """Whether nothing but one tuple refers to the arrays or to views of them."""
    return _reference_count(arrays) == UNUSED_REFERENCES


UNUSED_REFERENCES = _reference_count((np.empty(1),))
"""References to an array that only its set holds."""


BATCH_RAYS, GRADED_BATCH_RAYS = 512, 16
"""Rays per batch: few enough for a processor's cache; fewer in scenes with gradient-index bodies,
where each takes long, but two for each lane.
"""
SLOT_RAYS = 64
"""The most rays whose power is added up together; so many, or a part, are the least that a thread
takes.
"""
LOG_POINTS = 1 << 17
"""Room for the points of a buffer's curved paths, which are kept until their places are known."""
LARGE_ROWS = 1 << 18
"""Arrays of more rows are allocated at their maximum size at once: pages that are never touched
take no memory.
"""
NO_POINTS = np.empty((0, 2))
"""An empty polyline."""


def new_queue(n: int, widths: ColumnWidths) -> Queue:
    """An uninitialised queue for n rays."""
    return Queue(
        ray=np.empty((n, 6)),
        wavelength=np.empty(n),
        tag=np.empty((n, rays.TAG_WIDTH), np.int32),
        serial=np.empty(n, np.int64),
        mark=np.empty((n, 3), np.uint8),
        inside=np.zeros((n, widths.bodies), np.uint8),
        seed=np.empty((n, widths.seeds), np.uint64),
        stokes=np.empty((n, widths.stokes)),
        trail=np.empty((n, widths.trails), np.uint64),
    )


def batch_size(bending: int) -> int:
    """The number of rays in a batch, in a scene with ``bending`` gradient-index bodies."""
    return GRADED_BATCH_RAYS if bending else BATCH_RAYS


def new_batch(size: int, widths: ColumnWidths, primitives: int) -> Batch:
    """An uninitialised batch with buffers of ``size`` rays, for a scene with a number of
    primitives.
    """
    n, bodies = size * BUFFERS, widths.bodies
    return Batch(
        *new_queue(n if bodies else 0, widths),
        at=np.empty(n, np.int64),
        entry=np.empty(n, np.int64),
        hit=np.empty((n, rays.HIT_WIDTH), np.int64),
        interface=np.empty((n, rays.INTERFACE_WIDTH)),
        sight=aligned(np.empty(-(-size // LANES) * GROUP_SIZE * BUFFERS)),
        path=np.empty((n, PATH_WIDTH if bodies else 0)),
        log=np.empty((LOG_POINTS * BUFFERS if bodies else 0, 2)),
        log_ray=np.empty(LOG_POINTS * BUFFERS if bodies else 0, np.int32),
        chunk=np.zeros(rays.CHUNK_SIZE * BUFFERS, np.int64),
        walk=new_walk(primitives),
    )


def enlarge_log(batch: Batch) -> None:
    """Enlarge the logs of a batch in place if one was too small for the points of its paths, which
    must then be searched again.
    """
    logged = int(batch.chunk[rays.LOGGED :: rays.CHUNK_SIZE].max())
    if logged * BUFFERS > len(batch.log):
        batch.log.resize((2 * logged * BUFFERS, 2), refcheck=False)
        batch.log_ray.resize(2 * logged * BUFFERS, refcheck=False)


def new_columns(n: int, widths: ColumnWidths) -> Columns:
    """Uninitialised columns for ``n`` rows, without points of polylines. ``widths`` are the widths
    of the columns that depend on the scene.
    """
    shapes = {
        name: (0,)
        if (c.curved and not widths.bodies) or (c.polarized and not widths.stokes)
        else (c.width,)
        if c.width
        else ()
        for name, c in STORED.items()
    }
    stored = [np.empty((n, *shapes[name]), c.dtype) for name, c in STORED.items()]
    return Columns._make(
        [*stored, np.empty((n, min(widths.trails, rays.KEPT_TRAIL_WIDTH)), np.uint64), NO_POINTS]
    )


@cache
def empty_queue(widths: ColumnWidths) -> Queue:
    """An empty queue."""
    return new_queue(0, widths)


@cache
def empty_columns(widths: ColumnWidths) -> Columns:
    """Columns without rows."""
    return new_columns(0, widths)


@cache
def entry_sizes(widths: ColumnWidths) -> tuple[int, int]:
    """The size in bytes of a row and of an entry of the queue."""
    row, ray = (
        sum(a.dtype.itemsize * int(np.prod(a.shape[1:])) for a in arrays if a is not NO_POINTS)
        for arrays in (empty_columns(widths), empty_queue(widths))
    )
    return row, ray


def grow_arrays(arrays: Any, used: int, needed: int, most: int, buffers: ArrayBuffers) -> Any:
    """A larger queue or larger columns, with room for at least ``needed`` and at most ``most``
    items. The first ``used`` items are copied.

    Unused arrays from ``buffers`` are taken first. Raises MemoryError if ``needed`` items cannot be
    allocated.
    """
    have = len(arrays[0])
    if have >= needed:
        return arrays
    names = [name for name in arrays._fields if name != "polyline"]
    reused = buffers.take_arrays(
        arrays._replace(polyline=NO_POINTS) if "polyline" in arrays._fields else arrays, needed
    )
    if reused is not None:
        for name in names if used else ():
            getattr(reused, name)[:used] = getattr(arrays, name)[:used]
        return reused if len(names) == len(reused) else reused._replace(polyline=arrays.polyline)
    sizes = [most] if needed > LARGE_ROWS else []
    sizes += [min(most, 4 * needed), needed]
    for size in sizes:
        try:
            new = {
                name: np.empty(
                    (size, *getattr(arrays, name).shape[1:]), getattr(arrays, name).dtype
                )
                for name in names
            }
        except MemoryError:  # the system counts untouched pages too: try a smaller size
            if size == sizes[-1]:
                raise
            continue
        break
    for name in names if used else ():
        new[name][:used] = getattr(arrays, name)[:used]
    return arrays._replace(**new)


def with_more_points(columns: Columns, used: int, needed: int) -> Columns:
    """The columns with room for at least ``needed`` points of polylines. The first ``used`` points
    are copied.
    """
    if len(columns.polyline) >= needed:
        return columns
    line = np.empty((needed + needed // 2, 2))
    line[:used] = columns.polyline[:used]
    return columns._replace(polyline=line)


def trim_arrays(arrays: Any, n: int) -> Any:
    """Shrink a queue, or columns without points, in place to n items and a quarter more. The rest
    of the memory is freed.
    """
    room = n + n // 4
    if len(arrays[0]) > room + LARGE_ROWS // 64:
        for array in arrays:
            array.resize((min(room, len(array)), *array.shape[1:]), refcheck=False)
    return arrays
