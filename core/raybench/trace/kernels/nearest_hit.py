"""The search for the nearest primitives that rays hit. Outside the hierarchy `LANES` rays at a time
are tested against one primitive after the other. In the hierarchy each ray is tested against
`LANES` boxes or primitives at a time; the rays advance by turns, so that the processor works on
several at once.
"""

import math
from collections.abc import Callable
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
from raybench.trace.compilation.jit import LANES, NONE, ZERO, inner, place, rare, whole
from raybench.trace.compilation.lanes import (
    greatest,
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
from raybench.trace.tables.bvh import (
    ALL_SIDES,
    BOTTOM,
    LEFT,
    PACKED,
    RAYS,
    RIGHT,
    TOP,
    X_IN,
    X_OUT,
    Y_IN,
    Y_OUT,
    Walk,
)
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
# which a ray starts, the least distance of a hit on others, `Ray.origin`, and the wavelength; the
# reciprocals of the direction; distances of the nearest and second nearest hit, the primitive of the
# nearest, and the distance to the one that is tested
(
    X, Y, DX, DY, ORIGIN, ELSEWHERE, COUNTED, WAVELENGTH, IX, IY, NEAREST, SECOND, PRIMITIVE, DISTANCE, GROUP,
) = range(15)  # fmt: skip
RAY, HITS = (X, Y, DX, DY, ORIGIN, ELSEWHERE), (NEAREST, SECOND, PRIMITIVE)
GROUP_SIZE = GROUP * LANES
"""The numbers of a group."""
LOWER = (1 << 32) - 1
"""The bits of a test in which `Walk` has the pack."""


def _operation_on_rays(distance_to: Callable[..., Any]) -> Callable[..., int]:
    """The operation that writes the distances at which rays hit one line or arc."""

    @over_lanes(RAY, (DISTANCE,))
    def write_distances(
        x: Any, y: Any, dx: Any, dy: Any, origin: Any, elsewhere: Any,
        row: Any, primitive: Any, shortest: Any, margin: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        least = select(origin == primitive, shortest, elsewhere)
        return (distance_to(row, x, y, dx, dy, least, margin),)

    return write_distances


write_distances_to_line = _operation_on_rays(distance_to_line)
write_distances_to_arc = _operation_on_rays(distance_to_arc)


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
def put_in_sight(t: Tables, sight: Floats, number: int, ray: Ray) -> None:
    """Write a ray to a sight, where its hits are searched."""
    sight[place_in_sight(number, X)], sight[place_in_sight(number, Y)] = ray.x, ray.y
    sight[place_in_sight(number, DX)], sight[place_in_sight(number, DY)] = ray.dx, ray.dy
    sight[place_in_sight(number, ORIGIN)] = ray.origin & (COUNTED_THERE - 1)
    sight[place_in_sight(number, ELSEWHERE)] = least_hit_distance(NONE, ray.origin, t.shortest)
    sight[place_in_sight(number, COUNTED)] = float(ray.origin)
    sight[place_in_sight(number, WAVELENGTH)] = ray.wavelength


@inner
def ray_in_sight(sight: Floats, number: int) -> Ray:
    return Ray(
        sight[place_in_sight(number, X)],
        sight[place_in_sight(number, Y)],
        sight[place_in_sight(number, DX)],
        sight[place_in_sight(number, DY)],
        sight[place_in_sight(number, WAVELENGTH)],
        whole(sight[place_in_sight(number, COUNTED)]),
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
    for first in range(0, count, LANES):
        group = sight[first // LANES * GROUP_SIZE :]
        begin_search(group, group, ())
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


@inner
def quadrant_of_direction(dx: float, dy: float) -> int:
    """The quadrant to which a ray goes, as in `raybench.trace.tables.bvh.Hierarchy`."""
    return int(dx < 0.0) + 2 * int(dy < 0.0)


@over_lanes((), ())
def boxes_met_by_ray(box: Any, x: Any, y: Any, ix: Any, iy: Any, most: Any) -> tuple[Any, ...]:
    """The boxes of a node that a ray meets before the distance ``most``, as one bit each; ``ix`` and
    ``iy`` are the reciprocals of its direction.
    """
    enters = greatest(greatest((box[X_IN] - x) * ix, (box[Y_IN] - y) * iy), 0.0)
    leaves = least(least((box[X_OUT] - x) * ix, (box[Y_OUT] - y) * iy), most)
    return (enters <= leaves,)


@over_lanes((), ())
def primitives_near_ray(pack: Any, x: Any, y: Any, ix: Any, iy: Any, most: Any) -> tuple[Any, ...]:
    """The primitives of a pack whose boxes a ray meets, as for `boxes_met_by_ray`."""
    left, right = (pack[LEFT] - x) * ix, (pack[RIGHT] - x) * ix
    top, bottom = (pack[TOP] - y) * iy, (pack[BOTTOM] - y) * iy
    enters = greatest(greatest(least(left, right), least(top, bottom)), 0.0)
    leaves = least(least(greatest(left, right), greatest(top, bottom)), most)
    return ((enters <= leaves) & (pack[PACKED] >= 0.0),)


def _operation_on_pack(distance_to: Callable[..., Any]) -> Callable[..., int]:
    """The operation that writes the distances at which a ray hits the lines or the arcs of a pack,
    and returns those that it hits before the distance ``most``.
    """

    @over_lanes((), (0,))
    def write_distances(
        pack: Any, x: Any, y: Any, dx: Any, dy: Any, origin: Any, elsewhere: Any,
        shortest: Any, margin: Any, most: Any,
    ) -> tuple[Any, ...]:  # fmt: skip
        least = select(pack[PACKED] == origin, shortest, elsewhere)
        s = distance_to(pack, x, y, dx, dy, least, margin)
        return s, s < most

    return write_distances


write_distances_to_lines = _operation_on_pack(distance_to_line)
write_distances_to_arcs = _operation_on_pack(distance_to_arc)


@inner
def write_distances_to_others(
    t: Tables, reach: Floats, pack: int, ray: Ray, ix: float, iy: float, most: float
) -> int:
    """Write the distances at which a ray hits other primitives of a pack, and return those that it
    hits before the distance ``most``. ``ix`` and ``iy`` are the reciprocals of its direction.
    """
    h, met = t.hierarchy, ZERO
    near = primitives_near_ray(reach, h.pack[place(pack)], (ray.x, ray.y, ix, iy, most))
    while near != 0:
        lane = lowest_set_bit(near)
        near &= near - 1
        s = distance_to_primitive(t, h.primitive[place(LANES * pack + lane)], ray)
        reach[place(lane)] = s
        met |= int(s < most) << lane
    return met


@inner
def limit_of_search(t: Tables, sight: Floats, number: int) -> float:
    """The distance beyond which a ray's search ends: that of the second nearest hit, or of the
    nearest one and what coincides with it.
    """
    nearest, second = sight[place_in_sight(number, NEAREST)], sight[place_in_sight(number, SECOND)]
    limit: float = min(second, nearest + t.merging)
    return limit


@inner
def numbers_for_pack(t: Tables, sight: Floats, number: int) -> tuple[float, ...]:
    """The numbers of a ray that its test against a pack takes."""
    return (
        sight[place_in_sight(number, X)],
        sight[place_in_sight(number, Y)],
        sight[place_in_sight(number, DX)],
        sight[place_in_sight(number, DY)],
        sight[place_in_sight(number, ORIGIN)],
        sight[place_in_sight(number, ELSEWHERE)],
        t.shortest,
        t.end_margin,
        limit_of_search(t, sight, number),
    )


@inner
def add_pack_hit(walk: Walk, hits: int, test: int, met: int) -> int:
    """Append a test of a pack to the list of those with hits, if it has some. Returns the new length
    of the list.
    """
    walk.hit[place(hits)], walk.met[place(hits)] = test, met
    return hits + int(met != 0)


@inner
def step_down(t: Tables, walk: Walk, sight: Floats, searched: int) -> tuple[int, int, int, int]:
    """Each ray that is ``searched`` takes the first side that it meets of the last node on its stack:
    the node there becomes the last, or the packs of the leaf there are to be tested. Returns how
    many rays are still searched, and how many packs of lines, arcs and others are to be tested.
    """
    h, going_on, lines, arcs, others = t.hierarchy, ZERO, ZERO, ZERO, ZERO
    for i in range(searched):
        n = walk.searched[place(i)]
        depth = walk.depth[place(n)]
        entry = walk.stack[place(RAYS * depth + n)]
        node = entry >> LANES
        met = entry & boxes_met_by_ray(
            sight, h.box[place(node)],
            (
                sight[place_in_sight(n, X)], sight[place_in_sight(n, Y)],
                sight[place_in_sight(n, IX)], sight[place_in_sight(n, IY)],
                limit_of_search(t, sight, n),
            ),
        )  # fmt: skip
        below = h.child[place(LANES * node + lowest_set_bit(met | 1 << (LANES - 1)))]
        some = int(met != 0)
        met &= met - 1
        walk.stack[place(RAYS * depth + n)] = entry & ~ALL_SIDES | met
        depth -= int(met == 0)
        walk.stack[place(RAYS * (depth + 1) + n)] = below  # not used if it is no node
        depth += some & int(below >= 0)
        walk.depth[place(n)], walk.searched[place(going_on)] = depth, n
        going_on += int(depth >= 0)
        leaf = (-1 - below) & (below >> 63) & -some  # 0, which has no packs, if it is no leaf
        test = n << 32 | leaf >> 3
        walk.lines[place(lines)] = test
        walk.arcs[place(arcs)] = test + (leaf & 1)
        walk.others[place(others)] = test + (leaf & 1) + (leaf >> 1 & 1)
        lines, arcs, others = lines + (leaf & 1), arcs + (leaf >> 1 & 1), others + (leaf >> 2 & 1)
    return going_on, lines, arcs, others


@inner
def find_hits_in_hierarchy(t: Tables, walk: Walk, sight: Floats, count: int) -> None:
    """Find the two nearest hits of the first ``count`` rays, at most `RAYS`, also among the primitives
    of the hierarchy. Boxes beyond the second nearest hit are skipped.

    All rays advance by a step, then all packs that they came to are tested, then all hits are
    compared. The turns of these loops do not depend on each other, nor branch on what a ray meets.
    """
    h, w = t.hierarchy, walk
    for first in range(0, count, LANES):
        group = sight[first // LANES * GROUP_SIZE :]
        write_reciprocals(group, group, (1.0,))
    for n in range(count):
        w.searched[n], w.depth[n] = n, 0
        quadrant = quadrant_of_direction(sight[place_in_sight(n, DX)], sight[place_in_sight(n, DY)])
        w.stack[n] = quadrant << LANES | ALL_SIDES
    searched = count
    while searched > 0:
        searched, lines, arcs, others = step_down(t, w, sight, searched)
        hits = ZERO
        for i in range(lines):
            test = w.lines[place(i)]
            n, pack, reach = test >> 32, test & LOWER, w.reach[place(hits)]
            met = write_distances_to_lines(
                reach, h.pack[place(pack)], numbers_for_pack(t, sight, n)
            )
            hits = add_pack_hit(w, hits, test, met)
        for i in range(arcs):
            test = w.arcs[place(i)]
            n, pack, reach = test >> 32, test & LOWER, w.reach[place(hits)]
            met = write_distances_to_arcs(reach, h.pack[place(pack)], numbers_for_pack(t, sight, n))
            hits = add_pack_hit(w, hits, test, met)
        for i in range(others):
            test = w.others[place(i)]
            n, pack, reach = test >> 32, test & LOWER, w.reach[place(hits)]
            ix, iy = sight[place_in_sight(n, IX)], sight[place_in_sight(n, IY)]
            ray, limit = ray_in_sight(sight, n), limit_of_search(t, sight, n)
            met = write_distances_to_others(t, reach, pack, ray, ix, iy, limit)
            hits = add_pack_hit(w, hits, test, met)
        for i in range(hits):
            n, pack, met = w.hit[place(i)] >> 32, w.hit[place(i)] & LOWER, w.met[place(i)]
            while met != 0:
                lane = lowest_set_bit(met)
                met &= met - 1
                s, k = w.reach[place(i), place(lane)], h.primitive[place(LANES * pack + lane)]
                if primitive_acts_on_ray(t, k, ray_in_sight(sight, n), s):
                    nearest, second, primitive = hit_in_sight(sight, n)
                    sight[place_in_sight(n, SECOND)] = min(second, max(nearest, s))
                    sight[place_in_sight(n, NEAREST)] = min(nearest, s)
                    sight[place_in_sight(n, PRIMITIVE)] = k if s < nearest else primitive


@inner
def find_nearest_hits(t: Tables, walk: Walk, sight: Floats, count: int) -> None:
    """Find the two nearest hits of the first ``count`` rays of a sight."""
    find_loose_hits(t, sight, count)
    for first in range(0, count if len(t.hierarchy.child) > 0 else 0, RAYS):
        rest = sight[first // LANES * GROUP_SIZE :]
        find_hits_in_hierarchy(t, walk, rest, min(RAYS, count - first))
