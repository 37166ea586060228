"""The search for the nearest primitive that a ray hits, with a bounding-volume hierarchy."""

import math
from typing import NamedTuple

from raybench.kinds.primitives import (
    COUNTS,
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
from raybench.trace.kernels.intersect import COUNTED_THERE, intersect, least_distance
from raybench.trace.kernels.rays import Ray
from raybench.trace.tables.bvh import BOTTOM, BOX_ROWS, LEFT, RIGHT, TOP, Walk
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import HUGE


@rare
def ray_passes_primitive(t: Tables, k: int, r: Ray, s: float) -> bool:
    """Whether primitive ``k`` has no effect on a ray that hits it at the distance ``s``. It may be
    one-sided and hit from behind, a detector that has already counted the ray at its start, or a
    filter that ignores the wavelength.
    """
    obj = t.owner[k]
    flags: int = t.flags[obj]
    if (
        flags & ONE_SIDED
        and t.primitive[k] == LINE
        and r.dx * t.geometry[k, LINE_TY] - r.dy * t.geometry[k, LINE_TX] <= 0.0
    ):
        return True
    # a little more than the merging distance, so that rounding does not count light twice
    if flags & COUNTS and r.origin >= COUNTED_THERE and s < 1.01 * t.merging:
        return True
    if flags & FILTER and r.wavelength != 0.0:
        within: bool = (
            abs(t.parameters[obj, FILTER_CENTRE] - r.wavelength)
            <= t.parameters[obj, FILTER_HALF_WIDTH]
        )
        return within == (flags & INVERT != 0)
    return False


@inner
def primitive_acts_on_ray(t: Tables, k: int, r: Ray, s: float) -> bool:
    """Whether primitive ``k`` has an effect on a ray that hits it at the distance ``s``."""
    return not (
        t.flags[t.owner[k]] & (ONE_SIDED | FILTER | COUNTS) and ray_passes_primitive(t, k, r, s)
    )


@inner
def distance_to_primitive(t: Tables, k: int, r: Ray) -> float:
    """The distance at which a ray first hits primitive ``k``; infinite if it does not hit it."""
    least = least_distance(k, r.origin, t.shortest)
    return intersect(t.primitive[k], t.geometry[k], r.x, r.y, r.dx, r.dy, least, t.end_margin)


@inner
def nearest_hit(t: Tables, walk: Walk, r: Ray) -> tuple[float, float, int]:
    """The nearest hit of a ray: its distance (infinite for none), the distance of the second
    nearest hit, and the primitive.
    """
    best, second, which = math.inf, math.inf, NONE
    for i in range(len(t.loose)):
        k = t.loose[i]
        s = distance_to_primitive(t, k, r)
        if s < second and primitive_acts_on_ray(t, k, r, s):
            if s < best:
                best, second, which = s, best, k
            else:
                second = s
    if len(t.hierarchy.order) > 0:
        best, second, which = nearest_in_hierarchy(t, walk, r, best, second, which)
    return best, second, which


class Course(NamedTuple):
    """How a ray passes through boxes: which rows of `Hierarchy.box` hold the sides through which it
    enters and leaves along each axis, and the reciprocals of its direction.
    """

    x_in: int
    y_in: int
    x_out: int
    y_out: int
    ix: float
    iy: float


@inner
def ray_course_past_boxes(r: Ray) -> Course:
    # along an axis the other one's reciprocal is huge, not infinite: a start on a box's edge gives
    # 0, not NaN
    ix = 1.0 / r.dx if r.dx != 0.0 else HUGE
    iy = 1.0 / r.dy if r.dy != 0.0 else HUGE
    x_in, x_out = (RIGHT, LEFT) if ix < 0.0 else (LEFT, RIGHT)
    y_in, y_out = (BOTTOM, TOP) if iy < 0.0 else (TOP, BOTTOM)
    return Course(x_in, y_in, x_out, y_out, ix, iy)


@inner
def boxes_met_by_ray(t: Tables, walk: Walk, node: int, r: Ray, c: Course, limit: float) -> int:
    """The boxes of a node that a ray meets before the distance ``limit``, as one bit each. The
    distances are written to ``walk.enter``.
    """
    top = BOX_ROWS * node
    return meet_boxes(
        t.hierarchy.box, top + c.x_in, top + c.y_in, top + c.x_out, top + c.y_out,
        r.x, r.y, c.ix, c.iy, limit, walk.enter,
    )  # fmt: skip


@inner
def nearest_in_hierarchy(
    t: Tables, walk: Walk, r: Ray, best: float, second: float, which: int
) -> tuple[float, float, int]:
    """The nearest hit of a ray among the primitives of the hierarchy (see `nearest_hit`). ``best``,
    ``second`` and ``which`` are the result for the other primitives. Boxes beyond the second
    nearest hit are skipped.
    """
    h, waiting, near, enter = t.hierarchy, walk.node, walk.near, walk.enter
    limit = min(second, best + t.merging)
    node, depth = 0, 0
    course = ray_course_past_boxes(r)
    while True:
        met = boxes_met_by_ray(t, walk, node, r, course, limit)
        floor = depth
        while met != 0:
            side = first_bit(met)
            met &= met - 1
            below = h.child[place(LANES * node + side)]
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
                i = -1 - below
                k = h.order[place(i)]
                least = least_distance(k, r.origin, t.shortest)
                kind = h.kind[place(i)]
                s = intersect(kind, h.geometry[place(i)], r.x, r.y, r.dx, r.dy, least, t.end_margin)
                if s < second and primitive_acts_on_ray(t, k, r, s):
                    if s < best:
                        best, second, which = s, best, k
                    else:
                        second = s
                    limit = min(second, best + t.merging)
        while depth > 0 and near[place(depth - 1)] > limit:
            depth -= 1
        if depth == 0:
            return best, second, which
        depth -= 1
        node = waiting[place(depth)]
