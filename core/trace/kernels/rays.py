"""Live rays: those that wait in the queue, and the batch that a thread works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.trace.codes import Flag, Interaction
from core.trace.compilation.jit import inner
from core.trace.tables.bvh import Walk

BY_SOURCE, GAP, NEW = int(Interaction.SOURCE), int(Flag.GAP), int(Flag.NEW)

# columns of a ray's arrays
X, Y, DX, DY, S, P = range(6)
SOURCE, SOURCE_RAY, DEPTH, PARENT, LEFT = range(5)
HOW, FLAGS, ALIVE = range(3)
# columns of a batch's arrays
OBJECT, PRIMITIVE, OTHER, CHILD, SHARED, LEAVING, PARTED, MET_WIDTH = range(8)
DISTANCE, RATIO, LOST, GAINED, NX, NY, R_S, R_P, COS_T, REACH_WIDTH = range(10)


class Queue(NamedTuple):
    """Live rays in the order of processing.

    ``ray`` (n, 6): position, unit direction, power in s and p. ``wavelength`` (n,): nm or NaN. ``tag`` (n, 5): source, source ray,
    depth, the row this segment comes from, and the primitive it left (`core.trace.kernels.intersect.least_distance`). ``place`` (n,): the
    ray's index in the order of creation, which it keeps. ``mark`` (n, 3): how the segment came to be, its flags, whether the ray is alive.
    ``inside`` (n, bodies): in which gradient-index bodies it is.
    """

    ray: NDArray[np.float64]
    wavelength: NDArray[np.float64]
    tag: NDArray[np.int32]
    place: NDArray[np.int64]
    mark: NDArray[np.uint8]
    inside: NDArray[np.uint8]


class Ray(NamedTuple):
    """A straight ray to be followed: start, unit direction, wavelength (nm or NaN), and the primitive it left (-1 for none)."""

    x: float
    y: float
    dx: float
    dy: float
    wavelength: float
    left: int


class Places(NamedTuple):
    """Where a batch's results go: its first row, the row that begins the sweep, the first child's index in the queue and in the order of
    creation, the first point of curved segments, and its row in the sums."""

    row: int
    first_row: int
    child: int
    place: int
    line: int
    slot: int


class Emitted(NamedTuple):
    """The rays of the sources, of which ``chosen`` (n,) are traced: columns as in `core.trace.run.emission.InitialRays`."""

    start: NDArray[np.float64]
    direction: NDArray[np.float64]
    power: NDArray[np.float64]
    gap: NDArray[np.bool_]
    source: NDArray[np.int32]
    wavelength: NDArray[np.float64]
    chosen: NDArray[np.int64]


class Batch(NamedTuple):
    """The rays that a thread works on, few enough to stay in its cache: columns as in a `Queue`, and what they meet.

    ``at`` (n,): their indices in the queue. ``met`` (n, MET_WIDTH): the object that is hit, its primitive, another object there that is
    no glass, how many children there will be, later the index of the first in the queue (-1 for none), whether surfaces coincide there,
    the primitive that light leaves which goes on (`core.trace.kernels.intersect.least_distance`), and whether the entry before hit another
    object. ``reach`` (n, REACH_WIDTH): distance, ratio of indices where glass is hit, power lost and power gained there, the outward unit
    normal, and of glass its reflectances and the cosine of the angle of refraction. ``path`` (n, PATH_WIDTH), in scenes with
    gradient-index media: the start x, y, direction and power of a curved segment, its number of points (0 for a straight one), and the
    power absorbed along it; its ray is then moved to just before its end. ``share``: the chunk of the queue that this is
    (`core.trace.kernels.loop`). ``walk``: stacks for the traversal of the hierarchy.
    """

    ray: NDArray[np.float64]
    wavelength: NDArray[np.float64]
    tag: NDArray[np.int32]
    place: NDArray[np.int64]
    mark: NDArray[np.uint8]
    inside: NDArray[np.uint8]
    at: NDArray[np.int64]
    met: NDArray[np.int64]
    reach: NDArray[np.float64]
    path: NDArray[np.float64]
    share: NDArray[np.int64]
    walk: Walk


@inner
def copy_ray(a: Queue | Batch, i: int, b: Queue | Batch, to: int) -> None:
    for j in range(6):
        b.ray[to, j] = a.ray[i, j]
    for j in range(5):
        b.tag[to, j] = a.tag[i, j]
    for j in range(3):
        b.mark[to, j] = a.mark[i, j]
    for j in range(a.inside.shape[1]):
        b.inside[to, j] = a.inside[i, j]
    b.wavelength[to], b.place[to] = a.wavelength[i], a.place[i]


@inner
def put_back(b: Batch, i: int, q: Queue) -> None:
    """Write what changed of a batch's ray that goes on to its entry in the queue."""
    at = b.at[i]
    for j in range(6):
        q.ray[at, j] = b.ray[i, j]
    q.tag[at, DEPTH], q.tag[at, PARENT], q.tag[at, LEFT] = b.tag[i, DEPTH], b.tag[i, PARENT], b.tag[i, LEFT]
    q.mark[at, HOW], q.mark[at, FLAGS] = b.mark[i, HOW], b.mark[i, FLAGS]
    for j in range(b.inside.shape[1]):
        q.inside[at, j] = b.inside[i, j]


@inner
def gather(q: Queue, low: int, high: int, b: Batch) -> None:
    """Put those of a range of the queue that are alive into a batch, in order."""
    n = 0
    for i in range(low, high):
        if q.mark[i, ALIVE]:
            copy_ray(q, i, b, n)
            b.at[n] = i
            n += 1


@inner
def emit(e: Emitted, low: int, high: int, b: Batch) -> None:
    """Put a range of the chosen rays of the sources, which have the first places in the queue, into a batch."""
    for i in range(low, high):
        k, n = e.chosen[i], i - low
        b.at[n] = i
        b.ray[n, X], b.ray[n, Y] = e.start[k, 0], e.start[k, 1]
        b.ray[n, DX], b.ray[n, DY] = e.direction[k, 0], e.direction[k, 1]
        b.ray[n, S], b.ray[n, P] = e.power[k] / 2, e.power[k] / 2
        b.wavelength[n], b.place[n] = e.wavelength[k], k
        b.tag[n, SOURCE], b.tag[n, SOURCE_RAY], b.tag[n, DEPTH], b.tag[n, PARENT], b.tag[n, LEFT] = e.source[k], k, 0, -1, -1
        b.mark[n, HOW], b.mark[n, FLAGS], b.mark[n, ALIVE] = BY_SOURCE, (GAP | NEW) if e.gap[k] else NEW, 1


@inner
def bear(b: Batch, i: int, q: Queue, child: int, row: int, x: float, y: float, how: int, place: int) -> None:
    """Begin a child of a batch's ray at an index in the queue and a point; the caller sets its direction, power and flags."""
    q.ray[child, X], q.ray[child, Y] = x, y
    q.wavelength[child] = b.wavelength[i]
    q.tag[child, SOURCE], q.tag[child, SOURCE_RAY] = b.tag[i, SOURCE], b.tag[i, SOURCE_RAY]
    q.tag[child, DEPTH], q.tag[child, PARENT], q.tag[child, LEFT] = b.tag[i, DEPTH], row, b.met[i, LEAVING]
    q.mark[child, HOW], q.mark[child, FLAGS], q.mark[child, ALIVE] = how, 0, 1
    q.place[child] = place
    for g in range(q.inside.shape[1]):
        q.inside[child, g] = b.inside[i, g]
