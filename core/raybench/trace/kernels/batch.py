"""The steps of a batch of rays: its hits are found, its results get positions, which depend on all
earlier batches, and are written there.
"""

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import LANES, ONE, ZERO, inner, rare
from raybench.trace.kernels import kernel, rays, trails
from raybench.trace.kernels.medium import find_bodies_inside
from raybench.trace.kernels.nearest_hit import GROUP_SIZE
from raybench.trace.kernels.rays import Batch, Emitted, Offsets, Queue
from raybench.trace.tables.tables import Tables

NO_OBJECT: int = np.int64(-2)  # type: ignore[assignment]
"""Differs from every object and from -1, that of a ray that hits nothing."""


@inner
def part_of_batch(b: Batch, number: int, size: int, parts: int) -> Batch:
    """A part of a batch, of at most ``size`` rays, that can hold rays of its own; ``number`` counts
    the parts from 0. All parts share the stacks.
    """
    low, high = number * size, (number + 1) * size
    group, log = -(-size // LANES) * GROUP_SIZE, len(b.log) // parts
    return Batch(
        b.ray[low:high], b.wavelength[low:high], b.tag[low:high], b.serial[low:high], b.mark[low:high],
        b.inside[low:high], b.seed[low:high], b.stokes[low:high], b.trail[low:high],
        b.at[low:high], b.entry[low:high], b.hit[low:high], b.interface[low:high],
        b.sight[number * group : (number + 1) * group], b.path[low:high],
        b.log[number * log : (number + 1) * log], b.log_ray[number * log : (number + 1) * log],
        b.chunk[number * rays.CHUNK_SIZE : (number + 1) * rays.CHUNK_SIZE], b.walk,
    )  # fmt: skip


@rare
def find_batch_hits(
    t: Tables,
    e: Emitted,
    q: Queue,
    b: Batch,
    state: Integers,
    low: int,
    high: int,
) -> None:
    """Find the hits of the live rays in a range of the queue, and count their children. For the
    first ray, the children are counted for two cases: the preceding ray hits the same object, or
    another one.
    """
    chunk, copied = b.chunk, len(t.graded) > 0
    chunk[rays.LOW], chunk[rays.END] = low, high
    b = rays.batch_of_queue(q, low, high, b, copied)
    if state[rays.FIRST_ROW] == 0 and low < len(
        e.chosen
    ):  # the first rows are those of the source rays
        rays.emit_source_rays(e, low, high, b)
        chunk[rays.COUNT] = high - low
        for i in range(high - low if copied else 0):
            x, y, dx, dy = b.ray[i, rays.X], b.ray[i, rays.Y], b.ray[i, rays.DX], b.ray[i, rays.DY]
            find_bodies_inside(t, b.inside[i], x, y, dx, dy)
        if b.trail.shape[1] > 0:
            trails.begin_trails(t, b)
    else:
        chunk[rays.COUNT] = rays.gather_live_rays(q, low, high, b, copied)
    chunk[rays.WHOLE] = chunk[rays.COUNT]
    chunk[rays.POINTS] = kernel.find_hits(t, b, state) if chunk[rays.COUNT] > 0 else ZERO
    chunk[rays.CHILDREN], chunk[rays.FIRST_SAME], chunk[rays.FIRST_OTHER] = 0, 0, 0
    if chunk[rays.COUNT] > 0:
        children = kernel.count_children(t, b, chunk[rays.COUNT] + 1, NO_OBJECT)
        chunk[rays.FIRST_SAME] = b.hit[b.entry[0], rays.CHILD]
        chunk[rays.CHILDREN] = children - chunk[rays.FIRST_OTHER] - chunk[rays.FIRST_SAME]
    chunk[rays.KEPT_ROWS], chunk[rays.MAYBE_COUNTED] = chunk[rays.COUNT], 0
    if len(t.kept) == 1:
        chunk[rays.KEPT_ROWS] = 0
    elif len(t.kept) > 1:
        trails.count_kept_rows(t, b)


@inner
def rays_fit(c: Columns, b: Batch, state: Integers) -> bool:
    """Whether there is room for the points of a batch whose hits were found. If not, the state says
    how much is needed.
    """
    chunk = b.chunk
    if state[rays.LINE] + chunk[rays.POINTS] <= len(c.polyline) and chunk[rays.LOGGED] <= len(
        b.log
    ):
        return True
    state[rays.NEW_POINTS] = chunk[rays.POINTS]
    state[rays.WANTED] = state[rays.HIGH] - chunk[rays.LOW]
    return False


@inner
def reserve_places(b: Batch, state: Integers) -> Offsets:
    """Reserve the positions of the results of a batch whose hits were found."""
    chunk, count, size = b.chunk, b.chunk[rays.COUNT], state[rays.SLOT]
    children = chunk[rays.CHILDREN]
    if count > 0:
        same = state[rays.LAST_HIT] == b.hit[b.entry[0], rays.OBJECT]
        children += chunk[rays.FIRST_SAME] if same else chunk[rays.FIRST_OTHER]
        state[rays.LAST_HIT] = b.hit[b.entry[count - 1], rays.OBJECT]
    to = Offsets(
        state[rays.ROWS],
        state[rays.WRITTEN],
        state[rays.FIRST_ROW],
        state[rays.ENTRIES],
        state[rays.ENTRIES] + children,
        state[rays.CREATED],
        state[rays.LINE],
        state[rays.CHUNKS] + 1,
        chunk[rays.LOW],
        size,
    )
    state[rays.ROWS] += count
    state[rays.WRITTEN] += chunk[rays.KEPT_ROWS]
    state[rays.COUNTED_ROWS] += chunk[rays.MAYBE_COUNTED]
    state[rays.ENTRIES] += children
    state[rays.CREATED] += children
    state[rays.LINE] += chunk[rays.POINTS]
    state[rays.CHUNKS] += -(-(chunk[rays.END] - chunk[rays.LOW]) // size)
    return to


@rare
def write_batch(
    t: Tables,
    e: Emitted,
    q: Queue,
    c: Columns,
    b: Batch,
    sums: Floats,
    last_hit: int,
    to: Offsets,
    far: float,
) -> None:
    """Write the rows and the children of a batch whose hits were found. ``last_hit`` is the object
    that the ray before the first one hit.
    """
    chunk = b.chunk
    chunk[rays.GOING_ON] = 0
    if chunk[rays.COUNT] == 0:
        return
    b = rays.batch_of_queue(q, chunk[rays.LOW], chunk[rays.END], b, len(t.graded) > 0)
    if last_hit != b.hit[b.entry[0], rays.OBJECT]:
        kernel.count_children(t, b, ONE, last_hit)
    if len(t.kept) > 0:
        kernel.add_reach(b, sums, to.slot)
    new = to.first_row == 0 and chunk[rays.LOW] < len(e.chosen)
    if kernel.is_light_treated(t, b):
        going_on = kernel.write_interactions_of_treated_light(t, b, q, c, sums, to, far, new)
    else:
        going_on = kernel.write_interactions(t, b, q, c, sums, to, far, new)
    chunk[rays.GOING_ON] = going_on
    if b.trail.shape[1] > 0:
        trails.extend_trails(t, b, q, c, to.child)
