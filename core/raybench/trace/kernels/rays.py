"""Live rays: the queue of all rays, and the batch that one thread processes. The state of a trace
and of a batch are arrays of integers.
"""

from typing import NamedTuple

from raybench.arrays import Booleans, Bytes, Floats, Int32s, Integers, Seeds
from raybench.trace.codes import NO_ORDER, Flag, Interaction
from raybench.trace.compilation.jit import inner, place, rare, whole
from raybench.trace.tables.bvh import Walk

GO, DONE, LIMIT, GROW, FULL, STOPPED, POLL, LARGE, AGAIN = range(9)
"""Return codes of `advance`. DONE: no ray is alive. LIMIT: the limit on rows is reached. GROW: the
arrays are full, enlarge them. FULL: memory is exhausted. STOPPED: the caller asked to stop. POLL:
time to poll for a stop and report progress. LARGE: enough rays are waiting to share them among
threads. GO (a chunk was taken) and AGAIN (try once more) are never returned.
"""

# the state of a trace: the next ray in the queue, the end of the rays that are open, and that of
# the generation ...
(
    NEXT,
    HIGH,
    UNTIL,
    ENTRIES,
    ROWS,
    CREATED,
    LAST_HIT,
    CHUNKS,
    FIRST_ROW,
    SURVIVORS,
    KEPT,
    COMPACTED,
) = range(12)
LINE, NEW_POINTS, WANTED, MEMORY, ROW_BYTES, RAY_BYTES, STOP, ROOM = range(12, 20)
# ... the number of rows that are kept, of rows that detectors on other objects may count, and of rows
# for which there had to be room ...
WRITTEN, COUNTED_ROWS, ROW_ROOM = range(20, 23)
# ... the most rays of a batch, the rays whose power is added up together, and the least that threads
# share
BATCH, SLOT, LEAST_SHARED, STATE_SIZE = range(23, 27)
# `Batch.chunk`: its range of the queue, how many live rays that has and how many of them were
# searched, the number of points logged, of points, of children of all rays but the first, of the
# first one's children if the ray before it hit the same object or another, and of rays that go on ...
LOW, END, WHOLE, COUNT, LOGGED, POINTS, CHILDREN, FIRST_SAME, FIRST_OTHER, GOING_ON = range(10)
# ... of rows that are kept, and of those that detectors on other objects may count
KEPT_ROWS, MAYBE_COUNTED, CHUNK_SIZE = range(10, 13)


BY_SOURCE, GAP, NEW = int(Interaction.SOURCE), int(Flag.GAP), int(Flag.NEW)

# columns of `Queue.ray`, `tag`, `mark`, `seed` and `trail`
X, Y, DX, DY, S, P = range(6)
SOURCE, SOURCE_RAY, DEPTH, PARENT, ORIGIN, ORDER, TAG_WIDTH = range(7)
INTERACTION, FLAGS, ALIVE = range(3)
PATH, SCATTERED, SEED_WIDTH = range(3)
PATH_KEY, MET, LEAVES, TRAIL_WIDTH = range(4)
KEPT_TRAIL_WIDTH = LEAVES
# columns of `Batch.hit` and `interface`
OBJECT, PRIMITIVE, OTHER, CHILD, SHARED, NEXT_ORIGIN, GAP_BEFORE, HIT_WIDTH = range(8)
DISTANCE, RATIO, LOST, GAINED, NX, NY, R_S, R_P, COS_T, INTERFACE_WIDTH = range(10)


class Queue(NamedTuple):
    """The live rays in the order in which they are processed.

    ``ray`` (n, 6): position, unit direction, power in s and p. ``wavelength`` (n,): nm or NaN.
    ``tag`` (n, TAG_WIDTH): source, source ray, depth, the place of the parent segment's row in the
    columns (-1 for none, `raybench.trace.kernels.trails.NOT_KEPT` if it is not kept), the primitive on
    which the segment starts (`raybench.trace.kernels.intersect.least_hit_distance`), and the order
    of the last diffraction on its path. ``serial`` (n,): the ray's index in the order of creation,
    which never changes. ``mark`` (n, 3): the interaction that created the segment, its flags,
    whether the ray is alive. ``inside`` (n, bodies): whether each body of `Tables.graded` contains
    it. ``seed`` (n, SEED_WIDTH): a number that depends on the ray's path alone, for the directions of
    scattered light, and the number of scattered rays at its next hit; (n, 0) in scenes without
    finishes. ``stokes`` (n, 2): the Stokes parameters S2 and S3; (n, 0)
    in scenes that need none. ``trail`` (n, TRAIL_WIDTH), where kept rows have
    paths (`raybench.trace.keep.Keep.has_paths`): the number of the ray's path, what its light has
    met, and whether it leaves an object of which that is kept; else (n, 0).
    """

    ray: Floats
    wavelength: Floats
    tag: Int32s
    serial: Integers
    mark: Bytes
    inside: Bytes
    seed: Seeds
    stokes: Floats
    trail: Seeds


class Ray(NamedTuple):
    """A straight ray: its start, unit direction, wavelength (nm or NaN), and the primitive on which
    it starts (-1 for none; see `raybench.trace.kernels.intersect.COUNTED_THERE`).
    """

    x: float
    y: float
    dx: float
    dy: float
    wavelength: float
    origin: int


class Offsets(NamedTuple):
    """Where the results of a batch are written: the number of its first row, where in the columns
    its first kept row goes, the first row of the sweep over the queue, the index of the first child
    and that after the last one, the serial number of the first child, the first point of curved
    segments, and the row of ``sums``. A row of ``sums`` belongs to ``size`` entries of the queue,
    counted from ``low``.
    """

    row: int
    at: int
    first_row: int
    child: int
    child_end: int
    serial: int
    line: int
    slot: int
    low: int
    size: int


class Spot(NamedTuple):
    """The point where a ray meets a surface, the place of its segment's row in the columns, and the
    serial number of its first child.
    """

    x: float
    y: float
    row: int
    serial: int


class Emitted(NamedTuple):
    """The rays of the sources in columns (see `raybench.trace.run.emission.InitialRays`). Those
    with the indices ``chosen`` (n,) are traced. ``polarization`` (objects, 3): S1, S2 and S3 of a
    source over its power, by its index; no row where all are unpolarized.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: Booleans
    source: Int32s
    wavelength: Floats
    chosen: Integers
    polarization: Floats


class Batch(NamedTuple):
    """The rays that a thread processes at a time, few enough to fit into its cache. It has the
    columns of `Queue`, and data of the rays' hits.

    ``at`` (n,): indices of the live rays in the queue. ``entry`` (n,): their indices in all other
    columns. The columns of the queue are the queue's own (`batch_of_queue`); in scenes with media
    that act along a ray's way they are copies, so that a search can be repeated. ``hit`` (n,
    HIT_WIDTH): the object hit, its primitive (-1 within a medium), another object whose surface
    conflicts there (-1 for none), the number of children, later the queue index of the first (-1
    for none), whether surfaces coincide, the primitive on which the next segments start
    (`raybench.trace.kernels.intersect.least_hit_distance`), and whether the preceding ray hit
    another object. ``interface`` (n, INTERFACE_WIDTH): distance, ratio of indices at glass, power
    lost and gained, outward unit normal, and at glass the reflectances and the cosine of the angle
    of refraction. ``sight``: the rays in groups of `LANES`
    (`raybench.trace.kernels.nearest_hit`, then `raybench.trace.kernels.glass`). ``path`` (n, PATH_WIDTH), in scenes with media that act along a ray's way: start
    x, y, direction and power of a segment, its number of points (0 for a straight one), the power
    absorbed along it, how it ends, and the index of its first point; the ray of a curved one is
    then moved to just before the segment's end. ``log`` (points, 2): the points of all paths, as
    they are found, and ``log_ray`` (points,): the ray of each. ``chunk``: the range of the queue in
    this batch (`raybench.trace.kernels.rays`). ``walk``: stacks for the traversal of the hierarchy.
    """

    ray: Floats
    wavelength: Floats
    tag: Int32s
    serial: Integers
    mark: Bytes
    inside: Bytes
    seed: Seeds
    stokes: Floats
    trail: Seeds
    at: Integers
    entry: Integers
    hit: Integers
    interface: Floats
    sight: Floats
    path: Floats
    log: Floats
    log_ray: Int32s
    chunk: Integers
    walk: Walk


GOLDEN, FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
BITS, POSITIVE = 0xFFFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF


@rare
def mixed_seed(seed: int, number: int) -> int:
    """A random seed of 64 bits that depends on another one and on a number (splitmix64)."""
    z = (
        int(seed) + int(place(number)) * GOLDEN
    ) & BITS  # where this is Python, numbers have no end
    z = ((z ^ (z >> 30)) * FIRST_FACTOR) & BITS
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & BITS
    return z ^ (z >> 31)


@rare
def path_seed(seed: int, depth: int, number: int) -> int:
    """The seed of child ``number`` of a ray, counted from 1, at a depth of its path; 0 stands for
    the ray itself.
    """
    return mixed_seed(mixed_seed(seed, depth), number)


@rare
def uniform_number(seed: int) -> float:
    """A number from 0 to 1, without 1, of the highest 53 bits of a seed."""
    return float(int(seed) >> 11) * 2.0**-53


@inner
def set_direction(ray: Floats, direction: tuple[float, float]) -> None:
    """Set the direction of a ray, a row of `Queue.ray`."""
    ray[DX], ray[DY] = direction


@inner
def set_powers(ray: Floats, s: float, p: float) -> None:
    """Set the powers of a ray."""
    ray[S], ray[P] = s, p


@inner
def total_power(ray: Floats) -> float:
    power: float = ray[S] + ray[P]
    return power


@inner
def copy_ray(
    source: Queue | Batch, source_index: int, target: Queue | Batch, target_index: int
) -> None:
    old, new = place(source_index), place(target_index)
    for j in range(6):
        target.ray[new, j] = source.ray[old, j]
    for j in range(TAG_WIDTH):
        target.tag[new, j] = source.tag[old, j]
    for j in range(3):
        target.mark[new, j] = source.mark[old, j]
    for j in range(source.inside.shape[1]):
        target.inside[new, j] = source.inside[old, j]
    for j in range(source.seed.shape[1]):
        target.seed[new, j] = source.seed[old, j]
    for j in range(source.stokes.shape[1]):
        target.stokes[new, j] = source.stokes[old, j]
    for j in range(source.trail.shape[1]):
        target.trail[new, j] = source.trail[old, j]
    target.wavelength[new], target.serial[new] = source.wavelength[old], source.serial[old]


@inner
def write_ray_to_queue(b: Batch, ray_index: int, q: Queue, queue_index: int) -> None:
    """Write the changed values of a live ray from a batch of copies to its entry in the queue."""
    at = place(queue_index)
    for j in range(6):
        q.ray[at, j] = b.ray[ray_index, j]
    q.tag[at, DEPTH] = b.tag[ray_index, DEPTH]
    q.tag[at, PARENT] = b.tag[ray_index, PARENT]
    q.tag[at, ORIGIN] = b.tag[ray_index, ORIGIN]
    q.mark[at, INTERACTION], q.mark[at, FLAGS] = (
        b.mark[ray_index, INTERACTION],
        b.mark[ray_index, FLAGS],
    )
    for j in range(b.inside.shape[1]):
        q.inside[at, j] = b.inside[ray_index, j]
    for j in range(b.stokes.shape[1]):
        q.stokes[at, j] = b.stokes[ray_index, j]


@inner
def batch_of_queue(q: Queue, low: int, high: int, b: Batch, copied: bool) -> Batch:
    """A batch for a range of the queue. Its columns are parts of the queue's columns, or its own if
    it holds copies.
    """
    if copied:
        return b
    return Batch(
        q.ray[low:high], q.wavelength[low:high], q.tag[low:high], q.serial[low:high], q.mark[low:high], q.inside[low:high],
        q.seed[low:high], q.stokes[low:high], q.trail[low:high], b.at, b.entry, b.hit, b.interface, b.sight, b.path, b.log, b.log_ray, b.chunk, b.walk,
    )  # fmt: skip


@inner
def entry_of_ray(b: Batch, number: int) -> int:
    """The entry of a ray of the batch, with a sign bit that is known: so no index is examined for
    whether it counts from the end.
    """
    return b.entry[number] & POSITIVE  # type: ignore[no-any-return]


@inner
def gather_live_rays(q: Queue, low: int, high: int, b: Batch, copied: bool) -> int:
    """List the live rays of a range of the queue in a batch, in order, or copy them into it.
    Returns their number.
    """
    n = 0
    for i in range(low, high):
        b.at[place(n)], b.entry[place(n)] = i, n if copied else i - low
        if copied and q.mark[place(i), ALIVE]:
            copy_ray(q, i, b, n)
        n += whole(q.mark[place(i), ALIVE])
    return n


@inner
def emit_source_rays(e: Emitted, low: int, high: int, b: Batch) -> None:
    """Put the chosen source rays ``low`` to ``high`` into a batch. They come first in the queue."""
    for i in range(low, high):
        k, n = e.chosen[i], i - low
        b.at[n], b.entry[n] = i, n
        ray, tag, mark = b.ray[n], b.tag[n], b.mark[n]
        ray[X], ray[Y] = e.start[k, 0], e.start[k, 1]
        ray[DX], ray[DY] = e.direction[k, 0], e.direction[k, 1]
        ray[S], ray[P] = e.power[k] / 2, e.power[k] / 2
        for j in range(b.stokes.shape[1]):
            b.stokes[n, j] = 0.0
        if len(e.polarization) > 0:
            polarization = e.polarization[e.source[k]]
            ray[S] = e.power[k] * (1.0 + polarization[0]) / 2
            ray[P] = e.power[k] * (1.0 - polarization[0]) / 2
            for j in range(b.stokes.shape[1]):
                b.stokes[n, j] = e.power[k] * polarization[1 + j]
        b.wavelength[n], b.serial[n] = e.wavelength[k], k
        if b.seed.shape[1] > 0:
            b.seed[n, PATH] = place(k)
        tag[SOURCE] = e.source[k]
        tag[SOURCE_RAY] = k
        tag[DEPTH] = 0
        tag[PARENT] = -1
        tag[ORIGIN] = -1
        tag[ORDER] = NO_ORDER
        mark[INTERACTION] = BY_SOURCE
        mark[FLAGS] = (GAP | NEW) if e.gap[k] else NEW
        mark[ALIVE] = 1


@inner
def create_child_ray(
    b: Batch, ray_index: int, q: Queue, spot: Spot, child_number: int,
    interaction: int, direction: tuple[float, float], power_s: float, power_p: float, flags: int,
    treated: bool = True,
) -> int:  # fmt: skip
    """Create the child ``child_number`` of a ray of the batch. Returns its index in the queue.
    ``treated`` is that of `raybench.trace.kernels.kernel.interact`.
    """
    child: int = b.hit[ray_index, CHILD] + child_number
    to = place(child)
    ray, tag, mark, parent = q.ray[to], q.tag[to], q.mark[to], b.tag[ray_index]
    ray[X], ray[Y] = spot.x, spot.y
    set_direction(ray, direction)
    set_powers(ray, power_s, power_p)
    q.wavelength[to] = b.wavelength[ray_index]
    tag[SOURCE], tag[SOURCE_RAY] = parent[SOURCE], parent[SOURCE_RAY]
    tag[DEPTH], tag[PARENT] = parent[DEPTH], spot.row
    tag[ORIGIN], tag[ORDER] = b.hit[ray_index, NEXT_ORIGIN], parent[ORDER]
    mark[INTERACTION], mark[FLAGS], mark[ALIVE] = interaction, flags, 1
    q.serial[to] = spot.serial + child_number
    for g in range(q.inside.shape[1] if treated else 0):
        q.inside[to, g] = b.inside[ray_index, g]
    if treated and q.seed.shape[1] > 0:
        q.seed[to, PATH] = path_seed(
            b.seed[ray_index, PATH], whole(parent[DEPTH]), child_number + 1
        )
    return child
