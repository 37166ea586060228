"""The search for the nearest primitive that a ray hits, with a bounding-volume hierarchy."""

import math
from typing import Any, NamedTuple

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
from raybench.trace.compilation.jit import LANES, NONE, ZERO, inner, place, rare, whole
from raybench.trace.compilation.lanes import (
    greatest,
    lane_of_least,
    least,
    lowest_set_bit,
    over_lanes,
)
from raybench.trace.kernels.intersect import (
    COUNTED_THERE,
    NO_ORIGIN,
    distance_to_arc,
    distance_to_line,
    intersect_primitive,
    least_hit_distance,
)
from raybench.trace.kernels.rays import Ray
from raybench.trace.tables.bvh import BOTTOM, LEAF_PRIMITIVE, LEFT, RIGHT, TOP, Hierarchy, Walk
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
    least = least_hit_distance(primitive, ray.origin & NO_ORIGIN, t.shortest)
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
    if len(t.hierarchy.child) > 0:
        best, second, which = nearest_hit_in_hierarchy(t, walk, ray, best, second, which)
    return best, second, which


class Course(NamedTuple):
    """How a ray passes through boxes: which rows of `Hierarchy.box` hold the sides through which it
    enters and leaves along each axis, its start, and the reciprocals of its direction.
    """

    x_in: int
    y_in: int
    x_out: int
    y_out: int
    x: float
    y: float
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
    return Course(x_in, y_in, x_out, y_out, ray.x, ray.y, ix, iy)


@over_lanes((), (0,))
def boxes_met_by_ray(
    box: Any, x_in: Any, y_in: Any, x_out: Any, y_out: Any,
    x: Any, y: Any, ix: Any, iy: Any, most: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The boxes of a node that a ray meets before the distance ``most``, and the distances at which
    it enters them.
    """
    enters = greatest(greatest((box[x_in] - x) * ix, (box[y_in] - y) * iy), 0.0)
    leaves = least(least((box[x_out] - x) * ix, (box[y_out] - y) * iy), most)
    return enters, enters <= leaves


@inner
def sides_met_by_ray(
    h: Hierarchy, walk: Walk, course: Course, limit: float, depth: int, node: int
) -> int:
    """The sides of a ``node`` at a ``depth`` that a ray meets before the ``limit``, as one bit
    each.
    """
    c = course
    return boxes_met_by_ray(
        walk.enter[place(depth)], h.box[place(node)],
        (c.x_in, c.y_in, c.x_out, c.y_out, c.x, c.y, c.ix, c.iy, limit),
    )  # fmt: skip


@inner
def next_leaf(
    h: Hierarchy, walk: Walk, course: Course, limit: float, depth: int, node: int, sides: int
) -> tuple[int, int, int, int]:
    """The next leaf whose box a ray meets before the ``limit``, -1 if there is none. Of a node's
    sides the nearest is visited first.

    Returns also the ``depth`` of the traversal, its ``node``, and which ``sides`` of that are still
    to be visited.
    """
    while True:
        side = lane_of_least(walk.enter[place(depth)], sides, limit)
        if side < LANES:
            sides ^= 1 << side
            below = h.child[place(LANES * node + side)]
            if below < 0:
                return -1 - below, depth, node, sides
            walk.node[place(depth)], walk.sides[place(depth)] = node, sides
            depth, node = depth + 1, below
            sides = sides_met_by_ray(h, walk, course, limit, depth, node)
        elif depth == 0:
            return NONE, depth, node, sides
        else:
            depth -= 1
            node, sides = walk.node[place(depth)], walk.sides[place(depth)]


@over_lanes((), (0,))
def lines_met_by_ray(
    line: Any, x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    shortest: Any, margin: Any, most: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The distances to the lines of a leaf, and those that a ray hits before the distance ``most``."""
    least = least_hit_distance(line[LEAF_PRIMITIVE], origin, shortest)
    s = distance_to_line(line, x, y, dx, dy, least, margin)
    return s, s < most


@over_lanes((), (1,))
def arcs_met_by_ray(
    arc: Any, x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    shortest: Any, margin: Any, most: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The distances to the arcs of a leaf, and those that a ray hits before the distance ``most``."""
    least = least_hit_distance(arc[LEAF_PRIMITIVE], origin, shortest)
    s = distance_to_arc(arc, x, y, dx, dy, least, margin)
    return s, s < most


@inner
def primitives_met_by_ray(t: Tables, walk: Walk, leaf: int, ray: Ray, most: float) -> int:
    """The primitives of a leaf that a ray hits before the distance ``most``, as one bit each. The
    distances are written to ``walk.reach``.
    """
    h, reach, met = t.hierarchy, walk.reach, ZERO
    row, origin = h.leaf[place(leaf)], float(ray.origin & NO_ORIGIN)
    lines, arcs, others = h.lanes[place(leaf), 0], h.lanes[place(leaf), 1], h.lanes[place(leaf), 2]
    if lines != 0:
        met = lines & lines_met_by_ray(
            reach, row,
            (ray.x, ray.y, ray.dx, ray.dy, origin, t.shortest, t.end_margin, most),
        )  # fmt: skip
    if arcs != 0:
        met |= arcs & arcs_met_by_ray(
            reach, row,
            (ray.x, ray.y, ray.dx, ray.dy, origin, t.shortest, t.end_margin, most),
        )  # fmt: skip
    while others != 0:
        lane = lowest_set_bit(others)
        s = distance_to_primitive(t, whole(row[LEAF_PRIMITIVE, place(lane)]), ray)
        reach[place(lane)] = s
        met |= int(s < most) << lane
        others &= others - 1
    return met


@inner
def primitive_in_lane(h: Hierarchy, walk: Walk, leaf: int, lane: int) -> tuple[int, float]:
    """The primitive in a lane of a leaf, and its distance."""
    arcs = (h.lanes[place(leaf), 1] >> lane) & 1
    return (
        whole(h.leaf[place(leaf), LEAF_PRIMITIVE, place(lane)]),
        walk.reach[place(LANES * arcs + lane)],
    )


@inner
def nearest_hit_in_hierarchy(
    t: Tables, walk: Walk, ray: Ray, nearest: float, second_nearest: float, primitive: int
) -> tuple[float, float, int]:
    """The nearest hit of a ray among the primitives of the hierarchy (see `nearest_hit`).
    ``nearest``, ``second_nearest`` and ``primitive`` are the result for the other primitives. Boxes
    beyond the second nearest hit are skipped.
    """
    h = t.hierarchy
    limit = min(second_nearest, nearest + t.merging)
    course = ray_course_past_boxes(ray)
    depth, node = ZERO, ZERO
    sides = sides_met_by_ray(h, walk, course, limit, depth, node)
    while True:
        leaf, depth, node, sides = next_leaf(h, walk, course, limit, depth, node, sides)
        if leaf < 0:
            return nearest, second_nearest, primitive
        met = primitives_met_by_ray(t, walk, leaf, ray, limit)
        while met != 0:
            k, s = primitive_in_lane(h, walk, leaf, lowest_set_bit(met))
            met &= met - 1
            if s < second_nearest and primitive_acts_on_ray(t, k, ray, s):
                if s < nearest:
                    nearest, second_nearest, primitive = s, nearest, k
                else:
                    second_nearest = s
        limit = min(second_nearest, nearest + t.merging)
