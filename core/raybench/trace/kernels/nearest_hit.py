"""The search for the nearest hit of a ray among all primitives, over the bounding-volume hierarchy."""

import math

from raybench.arrays import Integers
from raybench.kinds.primitives import (
    FILTER,
    FILTER_CENTRE,
    FILTER_HALF_WIDTH,
    INVERT,
    LINE,
    LINE_TX,
    LINE_TY,
    ONE_SIDED,
)
from raybench.trace.compilation.jit import LANES, NONE, inner, place, rare
from raybench.trace.compilation.lanes import first_bit, meet_boxes
from raybench.trace.kernels.intersect import intersect, least_distance
from raybench.trace.tables.bvh import BOTTOM, BOX_ROWS, LEFT, RIGHT, TOP, Hierarchy, Walk
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import HUGE


@rare
def passes(
    t: Tables, k: int, obj: int, flags: int, dx: float, dy: float, wavelength: float
) -> bool:
    """Whether primitive k has no effect on a ray: a one-sided line that is hit from its back, or a
    filter that excludes the wavelength.
    """
    if (
        flags & ONE_SIDED
        and t.primitive[k] == LINE
        and dx * t.geometry[k, LINE_TY] - dy * t.geometry[k, LINE_TX] <= 0.0
    ):
        return True
    if flags & FILTER and wavelength != 0.0:
        within: bool = (
            abs(t.parameters[obj, FILTER_CENTRE] - wavelength)
            <= t.parameters[obj, FILTER_HALF_WIDTH]
        )
        return within == (flags & INVERT != 0)
    return False


@inner
def nearest_of_all(
    t: Tables,
    px: float,
    py: float,
    dx: float,
    dy: float,
    wavelength: float,
    origin: int,
    primitives: Integers,
) -> tuple[float, float, int]:
    """The nearest hit among some primitives, of a ray that starts on ``origin`` (see
    `least_distance`).

    Returns its distance (infinite for none), the distance of the second nearest, and the primitive.
    """
    kinds = t.primitive
    g = t.geometry
    owner = t.owner
    flags = t.flags
    shortest = t.shortest
    margin = t.end_margin
    best, second, which = math.inf, math.inf, NONE
    for i in range(len(primitives)):
        k = primitives[i]
        s = intersect(kinds[k], g, k, px, py, dx, dy, least_distance(k, origin, shortest), margin)
        if s < second:
            f = flags[owner[k]]
            if f & (ONE_SIDED | FILTER) and passes(t, k, owner[k], f, dx, dy, wavelength):
                continue
            if s < best:
                best, second, which = s, best, k
            else:
                second = s
    return best, second, which


@inner
def nearest_in_hierarchy(
    t: Tables,
    h: Hierarchy,
    walk: Walk,
    px: float,
    py: float,
    dx: float,
    dy: float,
    wavelength: float,
    origin: int,
    best: float,
    second: float,
    which: int,
) -> tuple[float, float, int]:
    """As `nearest_of_all`, over the hierarchy, starting from an earlier search's result. Boxes
    beyond the second hit are skipped.
    """
    kinds = h.kind
    g = h.geometry
    order = h.order
    owner = t.owner
    flags = t.flags
    shortest = t.shortest
    margin, merging = t.end_margin, t.merging
    box = h.box
    child = h.child
    waiting = walk.node
    near = walk.near
    enter = walk.enter
    # along an axis the other one's reciprocal is huge, not infinite: a start on a box's edge gives
    # 0, not NaN
    ix, iy = 1.0 / dx if dx != 0.0 else HUGE, 1.0 / dy if dy != 0.0 else HUGE
    x_in, x_out = (RIGHT, LEFT) if ix < 0.0 else (LEFT, RIGHT)
    y_in, y_out = (BOTTOM, TOP) if iy < 0.0 else (TOP, BOTTOM)
    limit = min(second, best + merging)
    node, depth = 0, 0
    while True:
        top = BOX_ROWS * node
        met = meet_boxes(
            box, top + x_in, top + y_in, top + x_out, top + y_out, px, py, ix, iy, limit, enter
        )
        floor = depth
        while met != 0:
            side = first_bit(met)
            met &= met - 1
            below = child[place(LANES * node + side)]
            if below >= 0:
                # the nodes to visit, the nearest on top
                slot = depth
                while slot > floor and near[place(slot - 1)] < enter[place(side)]:
                    waiting[place(slot)] = waiting[place(slot - 1)]
                    near[place(slot)] = near[place(slot - 1)]
                    slot -= 1
                waiting[place(slot)], near[place(slot)] = below, enter[place(side)]
                depth += 1
            elif enter[place(side)] <= limit:
                # as in `nearest_of_all`
                i = -1 - below
                k = order[place(i)]
                s = intersect(
                    kinds[place(i)],
                    g,
                    i,
                    px,
                    py,
                    dx,
                    dy,
                    least_distance(k, origin, shortest),
                    margin,
                )
                if s < second:
                    f = flags[owner[k]]
                    if f & (ONE_SIDED | FILTER) and passes(t, k, owner[k], f, dx, dy, wavelength):
                        continue
                    if s < best:
                        best, second, which = s, best, k
                    else:
                        second = s
                    limit = min(second, best + merging)
        while depth > 0 and near[place(depth - 1)] > limit:
            depth -= 1
        if depth == 0:
            return best, second, which
        depth -= 1
        node = waiting[place(depth)]
