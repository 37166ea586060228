"""What is known of the way of light where some rows are kept (`raybench.trace.keep`): a number
for the path of each ray, and a bit for each thing that its light has met.

A row that is not kept has no place where one could look up its parents, so this travels with the
rays.
"""

import numpy as np

from raybench.kinds.primitives import GLASS
from raybench.trace.codes import Flag, Interaction, Met
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import NONE, ONE, ZERO, inner, place, rare, whole
from raybench.trace.kernels import rays, surfaces
from raybench.trace.kernels.rays import Batch, Offsets, Queue
from raybench.trace.tables.tables import Tables

COUNTED, WAYS = int(Flag.COUNTED), len(Interaction)
REFLECTED, ODD, SCATTERED = (np.uint64(bit) for bit in Met)
BY_SCATTER, BY_CUSTOM, BY_DETECT, BY_DIFFRACT, BY_SPLIT = (
    int(i)
    for i in (
        Interaction.SCATTER,
        Interaction.CUSTOM,
        Interaction.DETECT,
        Interaction.DIFFRACT,
        Interaction.SPLIT,
    )
)
EDGES, BRANCHES = 1 << 16, 20
"""More than the edges of an object, and the bits for the branches of an interaction: both as in
`raybench.trace.results.path_keys`.
"""
TRANSMITTED, REFLECTED_BRANCH = ONE, whole(2)
NOT_KEPT: int = whole(-2)


@inner
def is_row_kept(t: Tables, b: Batch, ray_index: int) -> bool:
    """Whether the row of a ray is kept: it ends on a kept object, or leaves one."""
    kept: bool = t.kept[b.hit[ray_index, rays.OBJECT] + 1, 0] >= 0
    if not kept:
        kept = (b.trail[ray_index, rays.ABOVE] & place(ONE)) != 0
    return kept


@inner
def number_above(t: Tables, parent: int, obj: int) -> int:
    """The number for the row that a ray comes from: where it is in the columns, -1 for none or -2 if
    it is not kept, and in the lowest bit whether the ray leaves an object of which that is kept.
    """
    return place(((parent + 2) << 1) | whole(t.kept[obj + 1, 1]))


@inner
def parent_place(number: int) -> int:
    """The place of the row above in `number_above`."""
    return whole(number >> place(ONE)) - 2


@rare
def begin_trails(t: Tables, b: Batch) -> None:
    """Set the trails of rays that come straight from sources."""
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        b.trail[i, rays.PATH_KEY], b.trail[i, rays.MET] = 0, 0
        b.trail[i, rays.ABOVE] = number_above(t, NONE, whole(b.tag[i, rays.SOURCE]))


@rare
def count_kept_rows(t: Tables, b: Batch) -> None:
    """Count the rows of a batch that are kept, and those that detectors on other objects may count."""
    kept, counted = 0, 0
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        kept += 1 if is_row_kept(t, b, i) else 0
        counted += 1 if b.mark[i, rays.FLAGS] & COUNTED else 0
    b.chunk[rays.KEPT_ROWS], b.chunk[rays.MAYBE_COUNTED] = kept, counted


@inner
def next_key(key: int, digit: int) -> int:
    """The number of a path with one more step: a digit in the base of
    `raybench.trace.results.path_keys`.
    """
    return (int(digit) + int(key) * rays.GOLDEN) & rays.BITS


@inner
def surface_number(t: Tables, b: Batch, ray_index: int) -> int:
    """A number for the surface that a ray hits."""
    obj: int = b.hit[ray_index, rays.OBJECT]
    primitive = b.hit[ray_index, rays.PRIMITIVE]
    edge = whole(t.edge[primitive]) if primitive >= 0 else NONE
    return (obj + 1) * EDGES + edge + 1


@inner
def extend_trail(
    t: Tables, b: Batch, ray_index: int, q: Queue, queue_index: int, way: int, branch: int
) -> None:
    """Write the trail of a ray in the queue, which comes from a ray of the batch by an interaction
    ``way``. `Batch.hit` has the place of that ray's row at GAP_BEFORE, which is used no more.
    """
    to, obj = place(queue_index), b.hit[ray_index, rays.OBJECT]
    key, met = b.trail[ray_index, rays.PATH_KEY], b.trail[ray_index, rays.MET]
    if way != BY_DETECT:
        step = ((surface_number(t, b, ray_index) * WAYS + way) << BRANCHES) + branch
        key = next_key(key, rays.mixed_seed(place(step), ONE))
    if t.kept[obj + 1, 0] >= 0:
        met |= place(ONE) << place(t.kept[obj + 1, 0])
    if way == surfaces.BY_REFLECT and t.flags[obj] & GLASS:
        met = (met | REFLECTED) ^ ODD
    if way == BY_SCATTER:
        met |= SCATTERED
    q.trail[to, rays.PATH_KEY], q.trail[to, rays.MET] = key, met
    q.trail[to, rays.ABOVE] = number_above(t, b.hit[ray_index, rays.GAP_BEFORE], obj)


@rare
def extend_trails(t: Tables, b: Batch, q: Queue, c: Columns, to: Offsets) -> None:
    """Write the trails of the rows of a batch that are kept, of their children, and of the rays that
    go on.
    """
    written = to.at
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        b.hit[i, rays.GAP_BEFORE] = NOT_KEPT
        if is_row_kept(t, b, i):
            end = rays.mixed_seed(place(surface_number(t, b, i)), ONE)
            c.trail[written, rays.PATH_KEY] = next_key(b.trail[i, rays.PATH_KEY], end)
            c.trail[written, rays.MET] = b.trail[i, rays.MET]
            c.parent[written] = parent_place(b.trail[i, rays.ABOVE])
            b.hit[i, rays.GAP_BEFORE] = written
            written += 1
    for k in range(to.child, to.child_end):  # before their parents' trails are overwritten
        child = place(k)
        if not q.mark[child, rays.ALIVE]:
            continue
        i = rays.entry_of_ray(b, whole(q.tag[child, rays.PARENT]) - to.row)
        way, branch = whole(q.mark[child, rays.INTERACTION]), ZERO
        if way == BY_CUSTOM:
            branch = k - b.hit[i, rays.CHILD]
        elif way == BY_DIFFRACT:
            branch = whole(q.tag[child, rays.ORDER])
        elif way == BY_SPLIT:
            splits = t.surface[b.hit[i, rays.OBJECT]] == surfaces.SPLIT
            branch = TRANSMITTED if splits else REFLECTED_BRANCH
        extend_trail(t, b, i, q, k, way, branch)
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        obj = b.hit[i, rays.OBJECT]
        if obj < 0 or not b.mark[i, rays.ALIVE]:
            continue
        way, branch = whole(b.mark[i, rays.INTERACTION]), ZERO
        if way == BY_CUSTOM:  # it follows its siblings, which are in the queue before it
            k = b.hit[i, rays.CHILD]
            while 0 <= k + branch < to.child_end and q.tag[k + branch, rays.PARENT] == to.row + n:
                branch += 1
        elif way == BY_SPLIT:
            splits = t.surface[obj] == surfaces.SPLIT
            branch = REFLECTED_BRANCH if splits else TRANSMITTED
        extend_trail(t, b, i, q, b.at[n], way, branch)
