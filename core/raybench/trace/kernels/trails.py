"""Which rows are kept (`raybench.trace.keep`), and what is known of the way of their light: a number
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
from raybench.trace.kernels.rays import Batch, Queue
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
"""As in `raybench.trace.keep`: the place of a row that is not kept."""


@inner
def is_row_kept(t: Tables, b: Batch, ray_index: int) -> bool:
    """Whether the row of a ray is kept: it ends on a kept object, or leaves one."""
    kept: bool = t.kept[b.hit[ray_index, rays.OBJECT] + 1, 0] >= 0
    if not kept and b.trail.shape[1] > 0:
        kept = b.trail[ray_index, rays.LEAVES] != 0
    return kept


@rare
def begin_trails(t: Tables, b: Batch) -> None:
    """Set the trails of rays that come straight from sources."""
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        b.trail[i, rays.PATH_KEY], b.trail[i, rays.MET] = 0, 0
        b.trail[i, rays.LEAVES] = place(t.kept[b.tag[i, rays.SOURCE] + 1, 1])


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
def write_trail(
    t: Tables, q: Queue, queue_index: int, surface: int, obj: int, key: int, met: int, branch: int
) -> None:
    """Write the trail of a ray in the queue, which leaves a ``surface`` of an object. The ``key`` and
    ``met`` are those of the light that arrived there.
    """
    to = place(queue_index)
    way = whole(q.mark[to, rays.INTERACTION])
    if way != BY_DETECT:
        step = ((surface * WAYS + way) << BRANCHES) + branch
        key = next_key(key, rays.mixed_seed(place(step), ONE))
    if way == surfaces.BY_REFLECT and t.flags[obj] & GLASS:
        met = int((met | REFLECTED) ^ ODD)
    if way == BY_SCATTER:
        met = int(met | SCATTERED)
    q.trail[to, rays.PATH_KEY], q.trail[to, rays.MET] = key, met
    q.trail[to, rays.LEAVES] = place(t.kept[obj + 1, 1])


@rare
def extend_trails(t: Tables, b: Batch, q: Queue, c: Columns, first_child: int) -> None:
    """Write the trails of the rows of a batch that are kept, of their children, which are in the queue
    from ``first_child`` on, and of the rays that go on.
    """
    for n in range(b.chunk[rays.COUNT]):
        i, begin = rays.entry_of_ray(b, n), first_child
        first_child += b.hit[i, rays.GAP_BEFORE]
        obj, row = b.hit[i, rays.OBJECT], b.tag[i, rays.PARENT]
        key, met = b.trail[i, rays.PATH_KEY], b.trail[i, rays.MET]
        surface = surface_number(t, b, i)
        if row >= 0:
            end = rays.mixed_seed(place(surface), ONE)
            c.trail[row, rays.PATH_KEY], c.trail[row, rays.MET] = next_key(key, end), met
        if obj < 0:
            continue
        if t.kept[obj + 1, 0] >= 0:
            met |= place(ONE) << place(t.kept[obj + 1, 0])
        splits, custom = t.surface[obj] == surfaces.SPLIT, ZERO
        for k in range(begin, first_child):
            child = place(k)
            if not q.mark[child, rays.ALIVE]:
                continue
            way, branch = whole(q.mark[child, rays.INTERACTION]), ZERO
            if way == BY_CUSTOM:
                branch, custom = custom, custom + 1
            elif way == BY_DIFFRACT:
                branch = whole(q.tag[child, rays.ORDER])
            elif way == BY_SPLIT:
                branch = TRANSMITTED if splits else REFLECTED_BRANCH
            write_trail(t, q, k, surface, obj, key, met, branch)
        if b.mark[i, rays.ALIVE]:
            way, branch = whole(b.mark[i, rays.INTERACTION]), ZERO
            if way == BY_CUSTOM:  # it follows its siblings, which are in the queue before it
                branch = custom
            elif way == BY_SPLIT:
                branch = REFLECTED_BRANCH if splits else TRANSMITTED
            write_trail(t, q, b.at[n], surface, obj, key, met, branch)
