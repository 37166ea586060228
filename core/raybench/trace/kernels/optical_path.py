"""The optical paths of a finished trace, in a pass over its rows."""

import math

from raybench.arrays import Booleans, Floats, Int32s, Integers
from raybench.kinds.primitives import GLASS
from raybench.trace.compilation.jit import entry, inner
from raybench.trace.kernels.medium import is_start_inside
from raybench.trace.kernels.surfaces import glass_index
from raybench.trace.tables.tables import Tables

LEFT, TOP, RIGHT, BOTTOM = range(4)
"""The columns of `Tables.box`."""


@entry
def add_optical_paths(
    t: Tables,
    p1: Floats,
    p2: Floats,
    wavelength: Floats,
    parent: Int32s,
    hit: Int32s,
    straight: Booleans,
    paths: Floats,
    rows: Integers,
    first: Integers,
    near: Integers,
) -> None:
    """Replace the optical lengths ``paths`` (n,) of segments by their sums over each segment and
    all before it. Those in the mask ``straight`` are computed first: the length times the indices
    of the bodies around the middle. ``p1`` to ``hit`` are columns of the rows. Used as memory:
    ``rows`` (n,), ``first`` (objects + 3,) of zeros, ``near`` (objects,).

    A body around a segment is around its end, too, so that only those are tested whose boxes meet
    that of the object at the end.
    """
    sort_rows_by_hit(hit, straight, rows, first)
    for obj in range(-1, len(near)):
        low, high = first[obj + 1], first[obj + 2]
        count = 0
        for body in range(len(near) if high > low else 0):
            if t.flags[body] & GLASS and (obj < 0 or do_boxes_meet(t, obj, body)):
                near[count] = body
                count += 1
        for k in range(low, high):
            row = rows[k]
            x, y = (p1[row, 0] + p2[row, 0]) / 2.0, (p1[row, 1] + p2[row, 1]) / 2.0
            dx, dy = p2[row, 0] - p1[row, 0], p2[row, 1] - p1[row, 1]
            optical = math.sqrt(dx * dx + dy * dy)
            # the index has no value where a path ends where it starts
            for i in range(count if optical > 0.0 else 0):
                body = near[i]
                if (
                    t.box[body, LEFT] <= x <= t.box[body, RIGHT]
                    and t.box[body, TOP] <= y <= t.box[body, BOTTOM]
                    and is_start_inside(t, body, x, y, 1.0, 0.0, len(t.owner))
                ):
                    optical *= glass_index(t, body, x, y, wavelength[row])
            paths[row] = optical
    for row in range(len(paths)):
        if parent[row] >= 0:
            paths[row] += paths[parent[row]]


@inner
def sort_rows_by_hit(hit: Int32s, straight: Booleans, rows: Integers, first: Integers) -> None:
    """List the rows in the mask ``straight`` by the objects at their ends, those without one first.
    ``first`` gets the index of the first row of each, and the number of all.
    """
    for row in range(len(hit)):
        if straight[row]:
            first[hit[row] + 3] += 1
    for i in range(1, len(first)):
        first[i] += first[i - 1]
    for row in range(len(hit)):
        if straight[row]:
            rows[first[hit[row] + 2]] = row
            first[hit[row] + 2] += 1


@inner
def do_boxes_meet(t: Tables, a: int, b: int) -> bool:
    return bool(
        t.box[a, LEFT] <= t.box[b, RIGHT]
        and t.box[b, LEFT] <= t.box[a, RIGHT]
        and t.box[a, TOP] <= t.box[b, BOTTOM]
        and t.box[b, TOP] <= t.box[a, BOTTOM]
    )
