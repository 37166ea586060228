"""The search for the nearest primitives that rays hit. Outside the hierarchy `LANES` rays at a time
are tested against one primitive after the other. In the hierarchy a ray at a time is tested against
`LANES` boxes or primitives; all rays advance by a step in turn, so that the processor works on
several at once.
"""

import math
from typing import Any

from raybench.arrays import Floats
from raybench.kinds.primitives import (
    ARC,
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
from raybench.trace.compilation.jit import LANES, ZERO, inner, place, rare, whole
from raybench.trace.compilation.lanes import (
    greatest,
    lane_of_least,
    least,
    lowest_set_bit,
    over_lanes,
    select,
)
from raybench.trace.kernels.intersect import (
    COUNTED_THERE,
    distance_to_arc,
    distance_to_line,
    intersect_primitive,
    least_hit_distance,
)
from raybench.trace.kernels.rays import Ray
from raybench.trace.tables.bvh import ALL_SIDES, MOST_GROUPS, RAYS, BOTTOM, LEAF_PRIMITIVE, LEFT, RIGHT, TOP, Hierarchy, Walk
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


# rows of a sight, the numbers of rays in groups of `LANES`: start and direction, the primitive on
# which a ray starts, and its wavelength; the reciprocals of its direction; distances of the nearest
# and second nearest hit, the primitive of the nearest, and the distance to the one that is tested
X, Y, DX, DY, ORIGIN, WAVELENGTH, IX, IY, NEAREST, SECOND, PRIMITIVE, DISTANCE, GROUP = range(13)
RAY, HITS = (X, Y, DX, DY, ORIGIN), (NEAREST, SECOND, PRIMITIVE)
GROUP_SIZE = GROUP * LANES
"""The numbers of a group."""


@over_lanes(RAY, (DISTANCE,))
def write_distances_to_line(
    x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    line: Any, primitive: Any, shortest: Any, margin: Any,
) -> tuple[Any, ...]:  # fmt: skip
    least = least_hit_distance(primitive, origin, shortest)
    return (distance_to_line(line, x, y, dx, dy, least, margin),)


@over_lanes(RAY, (DISTANCE,))
def write_distances_to_arc(
    x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    arc: Any, primitive: Any, shortest: Any, margin: Any,
) -> tuple[Any, ...]:  # fmt: skip
    least = least_hit_distance(primitive, origin, shortest)
    return (distance_to_arc(arc, x, y, dx, dy, least, margin),)


@over_lanes((), HITS)
def begin_search(*_: Any) -> tuple[Any, ...]:
    """No hit yet."""
    return math.inf, math.inf, -1.0


@over_lanes((*HITS, DISTANCE), HITS)
def keep_nearest(
    nearest: Any, second: Any, which: Any, distance: Any, _: Any, primitive: Any
) -> tuple[Any, ...]:
    """Keep the two nearest hits of each ray."""
    return (
        least(distance, nearest),
        least(greatest(distance, nearest), second),
        select(distance < nearest, primitive, which),
    )


@inner
def place_in_sight(number: int, row: int) -> int:
    """Where a sight has a number of a ray."""
    return (
        place(number) // place(LANES) * place(GROUP_SIZE)
        + place(number) % place(LANES)
        + place(row * LANES)
    )


@inner
def put_in_sight(sight: Floats, number: int, ray: Ray) -> None:
    sight[place_in_sight(number, X)], sight[place_in_sight(number, Y)] = ray.x, ray.y
    sight[place_in_sight(number, DX)], sight[place_in_sight(number, DY)] = ray.dx, ray.dy
    sight[place_in_sight(number, ORIGIN)] = ray.origin
    sight[place_in_sight(number, WAVELENGTH)] = ray.wavelength


@inner
def ray_in_sight(sight: Floats, number: int) -> Ray:
    return Ray(
        sight[place_in_sight(number, X)],
        sight[place_in_sight(number, Y)],
        sight[place_in_sight(number, DX)],
        sight[place_in_sight(number, DY)],
        sight[place_in_sight(number, WAVELENGTH)],
        whole(sight[place_in_sight(number, ORIGIN)]),
    )


@inner
def hit_in_sight(sight: Floats, number: int) -> tuple[float, float, int]:
    """The nearest hit that was found for a ray: its distance (infinite for none), the distance of
    the second nearest hit, and the primitive.
    """
    return (
        sight[place_in_sight(number, NEAREST)],
        sight[place_in_sight(number, SECOND)],
        whole(sight[place_in_sight(number, PRIMITIVE)]),
    )


@inner
def find_loose_hits(t: Tables, sight: Floats, count: int) -> None:
    """Find the two nearest hits of the first ``count`` rays among the loose primitives."""
    none = t.geometry[0]
    for first in range(0, count, LANES):
        group = sight[first // LANES * GROUP_SIZE :]
        begin_search(group, none, ())
        for j in range(len(t.loose)):
            k = t.loose[j]
            kind, row, flags = t.primitive[k], t.geometry[k], whole(t.flags[t.owner[k]])
            if kind == LINE:
                write_distances_to_line(group, row, (float(k), t.shortest, t.end_margin))
            elif kind == ARC:
                write_distances_to_arc(group, row, (float(k), t.shortest, t.end_margin))
            else:
                for lane in range(min(LANES, count - first)):
                    r = ray_in_sight(group, lane)
                    group[DISTANCE * LANES + lane] = distance_to_primitive(t, k, r)
            if flags & (ONE_SIDED | FILTER | COUNTS):
                for lane in range(min(LANES, count - first)):
                    r = ray_in_sight(group, lane)
                    s = group[DISTANCE * LANES + lane]
                    if s < group[SECOND * LANES + lane] and is_transparent_to_ray(
                        flags, kind, row, t.parameters[t.owner[k]], t.merging, r, s
                    ):
                        group[DISTANCE * LANES + lane] = math.inf
            keep_nearest(group, row, (float(k),))


@over_lanes((DX, DY), (IX, IY))
def write_reciprocals(dx: Any, dy: Any, _: Any, one: Any) -> tuple[Any, ...]:
    """Along an axis the other one's reciprocal is huge, not infinite: a start on a box's edge gives
    0, not NaN.
    """
    return select(dx == 0.0, HUGE, one / dx), select(dy == 0.0, HUGE, one / dy)


@over_lanes((), (0,))
def write_boxes_met(
    box: Any, x_in: Any, y_in: Any, x_out: Any, y_out: Any,
    x: Any, y: Any, ix: Any, iy: Any, most: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The distances at which a ray enters the boxes of a node, and the boxes that it meets before
    the distance ``most``.
    """
    enters = greatest(greatest((box[x_in] - x) * ix, (box[y_in] - y) * iy), 0.0)
    leaves = least(least((box[x_out] - x) * ix, (box[y_out] - y) * iy), most)
    return enters, enters <= leaves


@inner
def boxes_met_by_ray(
    h: Hierarchy, walk: Walk, node: int, x: float, y: float, ix: float, iy: float, most: float
) -> int:
    """The boxes of a ``node`` that a ray meets before the distance ``most``, as one bit each; ``ix``
    and ``iy`` are the reciprocals of its direction. The distances are written to ``walk.reach``.
    """
    left, up = int(ix < 0.0), int(iy < 0.0)
    return write_boxes_met(
        walk.reach, h.box[place(node)],
        (
            LEFT + (RIGHT - LEFT) * left, TOP + (BOTTOM - TOP) * up,
            RIGHT - (RIGHT - LEFT) * left, BOTTOM - (BOTTOM - TOP) * up,
            x, y, ix, iy, most,
        ),
    )  # fmt: skip


@over_lanes((), (0,))
def write_lines_met(
    line: Any, x: Any, y: Any, dx: Any, dy: Any, origin: Any,
    shortest: Any, margin: Any, most: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The distances to the lines of a leaf, and those that a ray hits before the distance ``most``."""
    least = least_hit_distance(line[LEAF_PRIMITIVE], origin, shortest)
    s = distance_to_line(line, x, y, dx, dy, least, margin)
    return s, s < most


@over_lanes((), (1,))
def write_arcs_met(
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
    row, origin = h.leaf[place(leaf)], float(ray.origin)
    lines, arcs, others = h.lanes[place(leaf), 0], h.lanes[place(leaf), 1], h.lanes[place(leaf), 2]
    numbers = (ray.x, ray.y, ray.dx, ray.dy, origin, t.shortest, t.end_margin, most)
    if lines != 0:
        met = lines & write_lines_met(reach, row, numbers)
    if arcs != 0:
        met |= arcs & write_arcs_met(reach, row, numbers)
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
def find_hits_in_hierarchy(t: Tables, walk: Walk, sight: Floats, count: int) -> None:
    """Find the two nearest hits of the first ``count`` rays also among the primitives of the
    hierarchy. Boxes beyond the second nearest hit are skipped.

    Each round, every ray that is still searched takes the nearest side of the last node on its
    stack: it goes on to the node there, or tests the leaf there. The steps of different rays do not
    depend on each other, and have no branches that depend on the boxes met.
    """
    h = t.hierarchy
    for first in range(0, count, LANES):
        write_reciprocals(sight[first // LANES * GROUP_SIZE :], t.geometry[0], (1.0,))
    for n in range(count):
        walk.searched[n], walk.depth[n], walk.stack[n] = n, 0, ALL_SIDES
    searched = count
    while searched > 0:
        going_on, at_leaf = ZERO, ZERO
        for i in range(searched):
            n = walk.searched[place(i)]
            depth = walk.depth[place(n)]
            entry = walk.stack[place(RAYS * depth + n)]
            limit = min(
                sight[place_in_sight(n, SECOND)], sight[place_in_sight(n, NEAREST)] + t.merging
            )
            node = entry >> LANES
            met = entry & boxes_met_by_ray(
                h, walk, node,
                sight[place_in_sight(n, X)], sight[place_in_sight(n, Y)],
                sight[place_in_sight(n, IX)], sight[place_in_sight(n, IY)], limit,
            )  # fmt: skip
            side = lane_of_least(walk.reach, met, math.inf)
            met &= ~(1 << side)
            below = h.child[place(LANES * node + (side & (LANES - 1)))]
            walk.stack[place(RAYS * depth + n)] = entry & ~ALL_SIDES | met
            depth -= int(met == 0)
            # if there is nothing below, this entry is not used
            walk.stack[place(RAYS * (depth + 1) + n)] = below
            depth += int(side < LANES) & int(below >= 0)
            walk.depth[place(n)] = depth
            walk.searched[place(going_on)] = n
            going_on += int(depth >= 0)
            groups = (-1 - below) & 3 if side < LANES and below < 0 else 0
            for j in range(MOST_GROUPS):
                walk.at_leaf[place(at_leaf + j)] = n
                walk.leaf[place(at_leaf + j)] = ((-1 - below) >> 2) + j
            at_leaf += groups
        for i in range(at_leaf):
            n, leaf = walk.at_leaf[place(i)], walk.leaf[place(i)]
            ray = ray_in_sight(sight, n)
            nearest, second, primitive = hit_in_sight(sight, n)
            met = primitives_met_by_ray(t, walk, leaf, ray, min(second, nearest + t.merging))
            while met != 0:
                k, s = primitive_in_lane(h, walk, leaf, lowest_set_bit(met))
                met &= met - 1
                if s < second and primitive_acts_on_ray(t, k, ray, s):
                    if s < nearest:
                        nearest, second, primitive = s, nearest, k
                    else:
                        second = s
            sight[place_in_sight(n, NEAREST)], sight[place_in_sight(n, SECOND)] = nearest, second
            sight[place_in_sight(n, PRIMITIVE)] = primitive
        searched = going_on


@inner
def find_nearest_hits(t: Tables, walk: Walk, sight: Floats, count: int) -> None:
    """Find the two nearest hits of the first ``count`` rays of a sight."""
    find_loose_hits(t, sight, count)
    if len(t.hierarchy.child) > 0:
        find_hits_in_hierarchy(t, walk, sight, count)
