"""What is known of the way of light where some rows are kept (`raybench.trace.keep`): a number
for the path of each ray, and a bit for each thing that its light has met.

A row that is not kept has no place where one could look up its parents, so this travels with the
rays.
"""

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.primitives import GLASS
from raybench.trace.codes import Flag, Interaction, Met
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import NONE, ONE, ZERO, inner, place, rare, whole
from raybench.trace.kernels import rays, surfaces
from raybench.trace.kernels.kernel import REACH
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


@rare
def count_kept_rows(t: Tables, b: Batch) -> None:
    """Count the rows of a batch that are kept, and those that detectors on other objects may count."""
    kept, counted = 0, 0
    for n in range(b.chunk[rays.COUNT]):
        i = b.entry[n]
        obj = b.hit[i, rays.OBJECT]
        kept += 1 if obj >= 0 and t.kept[obj] >= 0 else 0
        counted += 1 if b.mark[i, rays.FLAGS] & COUNTED else 0
    b.chunk[rays.KEPT_ROWS], b.chunk[rays.MAYBE_COUNTED] = kept, counted


@rare
def add_reach(b: Batch, sums: Floats, slot: int) -> None:
    """Add the largest coordinate at which a ray of a batch starts, in size, to its sums."""
    reach = sums[slot, REACH]
    for n in range(b.chunk[rays.COUNT]):
        i = b.entry[n]
        reach = max(reach, abs(b.ray[i, rays.X]), abs(b.ray[i, rays.Y]))
    sums[slot, REACH] = reach


@inner
def next_key(key: int, digit: int) -> int:
    """The number of a path with one more step: a digit in the base of
    `raybench.trace.results.path_keys`.
    """
    return (int(digit) + int(key) * rays.GOLDEN) & rays.BITS


@inner
def surface_number(t: Tables, b: Batch, ray_index: int) -> int:
    """A number for the surface that a ray hits."""
    primitive = b.hit[ray_index, rays.PRIMITIVE]
    edge = whole(t.edge[primitive]) if primitive >= 0 else NONE
    return (b.hit[ray_index, rays.OBJECT] + 1) * EDGES + edge + 1


@inner
def extend_trail(
    t: Tables, b: Batch, ray_index: int, q: Queue, queue_index: int, way: int, branch: int
) -> None:
    """Write the trail of a ray in the queue, which comes from a ray of the batch by an interaction
    ``way``.
    """
    to, obj = place(queue_index), b.hit[ray_index, rays.OBJECT]
    key, met = b.trail[ray_index, rays.PATH_KEY], b.trail[ray_index, rays.MET]
    if way != BY_DETECT:
        step = ((surface_number(t, b, ray_index) * WAYS + way) << BRANCHES) + branch
        key = next_key(key, rays.mixed_seed(place(step), ONE))
    if t.kept[obj] >= 0:
        met |= place(ONE) << place(t.kept[obj])
    if way == surfaces.BY_REFLECT and t.flags[obj] & GLASS:
        met = (met | REFLECTED) ^ ODD
    if way == BY_SCATTER:
        met |= SCATTERED
    q.trail[to, rays.PATH_KEY], q.trail[to, rays.MET] = key, met


@rare
def extend_trails(t: Tables, b: Batch, q: Queue, c: Columns, to: Offsets) -> None:
    """Write the trails of the rows of a batch that are kept, of their children, and of the rays that
    go on.
    """
    for k in range(to.child, to.child_end):  # first, since their parents' trails are overwritten
        child = place(k)
        if not q.mark[child, rays.ALIVE]:
            continue
        i = b.entry[whole(q.tag[child, rays.PARENT]) - to.row]
        way, branch = whole(q.mark[child, rays.INTERACTION]), ZERO
        if way == BY_CUSTOM:
            branch = k - b.hit[i, rays.CHILD]
        elif way == BY_DIFFRACT:
            branch = whole(q.tag[child, rays.ORDER])
        elif way == BY_SPLIT:
            splits = t.surface[b.hit[i, rays.OBJECT]] == surfaces.SPLIT
            branch = TRANSMITTED if splits else REFLECTED_BRANCH
        extend_trail(t, b, i, q, k, way, branch)
    written = to.at
    for n in range(b.chunk[rays.COUNT]):
        i = b.entry[n]
        obj = b.hit[i, rays.OBJECT]
        if obj < 0:
            continue
        if t.kept[obj] >= 0:
            end = rays.mixed_seed(place(surface_number(t, b, i)), ONE)
            c.trail[written, rays.PATH_KEY] = next_key(b.trail[i, rays.PATH_KEY], end)
            c.trail[written, rays.MET] = b.trail[i, rays.MET]
            c.trail[written, rays.ROW] = place(to.row + n)
            written += 1
        if not b.mark[i, rays.ALIVE]:
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


@rare
def place_of_row(c: Columns, written: int, row: int) -> int:
    """Where the row with a number is in the columns; -1 if it is not kept."""
    if c.trail.shape[1] == 0:
        return NONE
    low, high = 0, written
    while low < high:
        middle = (low + high) // 2
        if whole(c.trail[middle, rays.ROW]) < row:
            low = middle + 1
        else:
            high = middle
    return whole(low) if low < written and whole(c.trail[low, rays.ROW]) == row else NONE
