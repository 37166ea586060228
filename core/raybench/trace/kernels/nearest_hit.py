"""The search for the nearest primitive that a ray hits, with a bounding-volume hierarchy."""

import math
from typing import NamedTuple

from raybench.arrays import Floats
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
from raybench.trace.compilation.jit import LANES, NONE, inner, place, rare, whole
from raybench.trace.compilation.lanes import boxes_met_by_ray_mask, lowest_set_bit
from raybench.trace.kernels.intersect import COUNTED_THERE, intersect_primitive, least_hit_distance
from raybench.trace.kernels.rays import Ray
from raybench.trace.tables.bvh import BOTTOM, BOX_ROWS, LEFT, RIGHT, TOP, Walk
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import HUGE


@rare
def is_transparent_to_ray(
    flags: int,
    kind: int,
    row: Floats,
    parameters: Floats,
    merging: float,
    ray: Ray,
    distance: float,
) -> bool:
    """Whether a primitive of a ``kind`` has no effect on a ray that hits it at a ``distance``. It may
    be one-sided and hit from behind, a detector that has already counted the ray at its start, or a
    filter that ignores the wavelength. ``flags`` and ``parameters`` are its object's.
    """
    if flags & ONE_SIDED and kind == LINE and ray.dx * row[LINE_TY] - ray.dy * row[LINE_TX] <= 0.0:
        return True
    # a little more than the merging distance, so that rounding does not count light twice
    if flags & COUNTS and ray.origin >= COUNTED_THERE and distance < 1.01 * merging:
        return True
    if flags & FILTER and ray.wavelength != 0.0:
        within: bool = (
            abs(parameters[FILTER_CENTRE] - ray.wavelength) <= parameters[FILTER_HALF_WIDTH]
        )
        return within == (flags & INVERT != 0)
    return False


@inner
def primitive_acts_on_ray(t: Tables, primitive: int, ray: Ray, distance: float) -> bool:
    """Whether a primitive has an effect on a ray that hits it at a ``distance``."""
    obj = t.owner[primitive]
    flags = whole(t.flags[obj])
    return not (
        flags & (ONE_SIDED | FILTER | COUNTS)
        and is_transparent_to_ray(
            flags, t.primitive[primitive], t.geometry[primitive], t.parameters[obj], t.merging,
            ray, distance,
        )
    )  # fmt: skip


@inner
def distance_to_primitive(t: Tables, primitive: int, ray: Ray) -> float:
    """The distance at which a ray first hits a primitive; infinite if it does not hit it."""
    least = least_hit_distance(primitive, ray.origin, t.shortest)
    return intersect_primitive(
        t.primitive[primitive],
        t.geometry[primitive],
        ray.x,
        ray.y,
        ray.dx,
        ray.dy,
        least,
        t.end_margin,
    )


@inner
def nearest_hit(t: Tables, walk: Walk, ray: Ray) -> tuple[float, float, int]:
    """The nearest hit of a ray: its distance (infinite for none), the distance of the second
    nearest hit, and the primitive.
    """
    best, second, which = math.inf, math.inf, NONE
    for i in range(len(t.loose)):
        k = t.loose[i]
        s = distance_to_primitive(t, k, ray)
        if s < second and primitive_acts_on_ray(t, k, ray, s):
            if s < best:
                best, second, which = s, best, k
            else:
                second = s
    if len(t.hierarchy.order) > 0:
        best, second, which = nearest_hit_in_hierarchy(t, walk, ray, best, second, which)
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
def ray_course_past_boxes(ray: Ray) -> Course:
    # along an axis the other one's reciprocal is huge, not infinite: a start on a box's edge gives
    # 0, not NaN
    ix = 1.0 / ray.dx if ray.dx != 0.0 else HUGE
    iy = 1.0 / ray.dy if ray.dy != 0.0 else HUGE
    x_in, x_out = (RIGHT, LEFT) if ix < 0.0 else (LEFT, RIGHT)
    y_in, y_out = (BOTTOM, TOP) if iy < 0.0 else (TOP, BOTTOM)
    return Course(x_in, y_in, x_out, y_out, ix, iy)


@inner
def boxes_met_by_ray(
    t: Tables, walk: Walk, node: int, ray: Ray, course: Course, limit: float
) -> int:
    """The boxes of a node that a ray meets before the ``limit``, as one bit each. The
    distances are written to ``walk.enter``.
    """
    top = BOX_ROWS * node
    return boxes_met_by_ray_mask(
        t.hierarchy.box, top + course.x_in, top + course.y_in, top + course.x_out, top + course.y_out,
        ray.x, ray.y, course.ix, course.iy, limit, walk.enter,
    )  # fmt: skip


@inner
def nearest_hit_in_hierarchy(
    t: Tables, walk: Walk, ray: Ray, nearest: float, second_nearest: float, primitive: int
) -> tuple[float, float, int]:
    """The nearest hit of a ray among the primitives of the hierarchy (see `nearest_hit`).
    ``nearest``, ``second_nearest`` and ``primitive`` are the result for the other primitives. Boxes
    beyond the second nearest hit are skipped.
    """
    h, waiting, near, enter = t.hierarchy, walk.node, walk.near, walk.enter
    limit = min(second_nearest, nearest + t.merging)
    node, depth = 0, 0
    course = ray_course_past_boxes(ray)
    while True:
        met = boxes_met_by_ray(t, walk, node, ray, course, limit)
        floor = depth
        while met != 0:
            side = lowest_set_bit(met)
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
                least = least_hit_distance(k, ray.origin, t.shortest)
                kind = h.kind[place(i)]
                s = intersect_primitive(
                    kind, h.geometry[place(i)], ray.x, ray.y, ray.dx, ray.dy, least, t.end_margin
                )
                if s < second_nearest and primitive_acts_on_ray(t, k, ray, s):
                    if s < nearest:
                        nearest, second_nearest, primitive = s, nearest, k
                    else:
                        second_nearest = s
                    limit = min(second_nearest, nearest + t.merging)
        while depth > 0 and near[place(depth - 1)] > limit:
            depth -= 1
        if depth == 0:
            return nearest, second_nearest, primitive
        depth -= 1
        node = waiting[place(depth)]
