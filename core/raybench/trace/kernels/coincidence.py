"""Hits on several surfaces at the same point: coincident surfaces, corners, and edges that two
bodies share.
"""

import math

from raybench.kinds.primitives import BEZIER, COATED, FINISHED, GLASS, MERGES
from raybench.trace.compilation.jit import LANES, NONE, ZERO, inner, rare
from raybench.trace.compilation.lanes import lowest_set_bit
from raybench.trace.kernels.intersect import (
    COUNTED_THERE,
    bezier_normal,
    is_primitive_corner,
    nearby_end_index,
    outward_normal,
)
from raybench.trace.kernels.nearest_hit import (
    boxes_met_by_ray,
    distance_to_primitive,
    primitive_acts_on_ray,
    primitives_near_ray,
    quadrant_of_direction,
)
from raybench.trace.kernels.rays import Ray
from raybench.trace.kernels.surfaces import (
    CORNER,
    CUSTOM,
    DETECT,
    REFLECT,
    glass_crossing,
    glass_index,
    index_ratio_of_crossing,
    reflect,
)
from raybench.trace.tables.bvh import Walk
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import HUGE, TIGHT

MOST_REFLECTIONS = 1000
"""Maximum number of rounds of reflections in a corner, after which a ray is reversed."""


@inner
def record_hit(t: Tables, walk: Walk, count: int, primitive: int, limit: float, ray: Ray) -> int:
    """Append the primitive to the list of hits if the ray hits it before the ``limit``.
    Returns the new length of the list.
    """
    s = distance_to_primitive(t, primitive, ray)
    if not s < limit or not primitive_acts_on_ray(t, primitive, ray, s):
        return count
    walk.hits[count], walk.distance[count] = primitive, s
    return count + 1


@inner
def sort_hits(walk: Walk, count: int) -> None:
    """Sort the first ``count`` hits by primitive. Shell's method is used, since there may be as
    many hits as the scene has surfaces.
    """
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            k, s, slot = walk.hits[i], walk.distance[i], i
            while slot >= gap and walk.hits[slot - gap] > k:
                walk.hits[slot] = walk.hits[slot - gap]
                walk.distance[slot] = walk.distance[slot - gap]
                slot -= gap
            walk.hits[slot], walk.distance[slot] = k, s
        gap //= 3


@rare
def coincident_hits(t: Tables, walk: Walk, distance: float, ray: Ray) -> int:
    """List all primitives that a ray hits before a ``distance`` plus twice the merging
    distance. Returns their number.

    They are written to ``walk.hits`` and ``walk.distance`` in ascending order of primitives, hence
    of objects.
    """
    h, until, count = t.hierarchy, distance + 2.0 * t.merging, 0
    for i in range(len(t.loose)):
        count = record_hit(t, walk, count, t.loose[i], until, ray)
    ix = 1.0 / ray.dx if ray.dx != 0.0 else HUGE
    iy = 1.0 / ray.dy if ray.dy != 0.0 else HUGE
    way = (ray.x, ray.y, ix, iy, until)
    walk.waiting[0] = quadrant_of_direction(ray.dx, ray.dy)
    waiting = 1 if len(h.child) > 0 else 0
    while waiting > 0:
        waiting -= 1
        node = walk.waiting[waiting]
        met = boxes_met_by_ray(walk.distance, h.box[node], way)
        while met != 0:
            below = h.child[LANES * node + lowest_set_bit(met)]
            met &= met - 1
            if below >= 0:
                walk.waiting[waiting] = below >> LANES
                waiting += 1
            else:
                leaf = -1 - below
                packs = (leaf & 1) + (leaf >> 1 & 1) + (leaf >> 2 & 1)
                for pack in range(leaf >> 3, (leaf >> 3) + packs):
                    near = primitives_near_ray(walk.distance, h.pack[pack], way)
                    while near != 0:
                        k = h.primitive[LANES * pack + lowest_set_bit(near)]
                        near &= near - 1
                        count = record_hit(t, walk, count, k, until, ray)
    sort_hits(walk, count)
    return count


@inner
def is_treated(t: Tables, primitive: int) -> bool:
    """Whether a primitive is part of an edge with a coating or a finish."""
    flags = t.flags[t.owner[primitive]]
    coated = flags & COATED and t.coating[primitive] >= 0
    return bool(coated or (flags & FINISHED and t.finish[primitive] >= 0))


@inner
def nearest_hit_on_object(t: Tables, walk: Walk, hit_count: int, first_hit: int) -> tuple[int, int]:
    """The nearest of the hits on one object, which begin at the index ``first_hit`` of the sorted
    list. Returns its index, and the end of the object's range in the list.
    """
    obj, at, end = t.owner[walk.hits[first_hit]], first_hit, first_hit + 1
    while end < hit_count and t.owner[walk.hits[end]] == obj:
        if walk.distance[end] < walk.distance[at]:
            at = end
        end += 1
    return at, end


@rare
def crossing_of_shared_glass(
    t: Tables, walk: Walk, first_hit: int, nearest_hit: int, end_hit: int, distance: float, ray: Ray
) -> int:
    """Whether a ray leaves or enters a glass whose hits are ``first_hit`` to ``end_hit`` of the
    list (see `glass_crossing`). 0 if the glass has no hit at ``distance``, or an even number of
    hits there.
    """
    k, s = walk.hits[nearest_hit], walk.distance[nearest_hit]
    obj = t.owner[k]
    if s - distance >= t.merging:
        return 0
    x, y = ray.x + s * ray.dx, ray.y + s * ray.dy
    edges = 0
    for i in range(first_hit, end_hit):
        if walk.distance[i] - s < t.merging:
            edges += 1
            hit = walk.hits[i]
            if t.size[obj] > 1 and is_primitive_corner(
                t.primitive[hit], t.geometry[hit], x, y, t.merging
            ):
                return CORNER
    if edges % 2 == 0:
        return 0
    nx, ny = outward_normal(t, k, x, y, ray.dx, ray.dy)
    return glass_crossing(t, obj, k, s, ray, nx, ny)


@rare
def remove_inactive_hits(
    t: Tables, walk: Walk, count: int, distance: float
) -> tuple[int, int, float, bool]:
    """Remove hits that do not affect the ray at a ``distance``: the detectors or, if there
    are only detectors, all but the first.

    Returns the length of the list, how many of them coincide, the distance of the nearest, and
    whether detectors that are no longer in the list lie there.
    """
    nearest, first = math.inf, NONE
    for i in range(count):
        if t.surface[t.owner[walk.hits[i]]] != DETECT:
            nearest = min(nearest, walk.distance[i])
        elif first < 0 and walk.distance[i] - distance < t.merging:
            first = i
    alone = first >= 0 and nearest - distance >= t.merging
    if alone:
        nearest = walk.distance[first]
    kept, together, counted = ZERO, ZERO, False
    for i in range(count):
        k, s = walk.hits[i], walk.distance[i]
        detects = t.surface[t.owner[k]] == DETECT
        if (i == first) if alone else not detects:
            walk.hits[kept], walk.distance[kept] = k, s
            kept += 1
            together += int(s - nearest < t.merging)
        elif detects and abs(s - nearest) < t.merging:
            counted = True
    return kept, together, nearest, counted


@rare
def object_acting_at_coincidence(
    t: Tables, walk: Walk, nearest: float, ray: Ray
) -> tuple[int, int, int, float, float, bool, bool]:
    """Decide which object acts on a ray where surfaces coincide. It is the first object that is not
    glass, otherwise the first glass, combined with all other glasses; one with a coating or a finish
    there goes first. A detector lets light pass, so the others act as without it.

    Returns the object, its primitive, another object whose surface conflicts (-1 for none), the
    distance and the ratio of indices, whether several surfaces act together, and whether detectors
    count the light besides. Where several act, the ratio is NaN at a corner of glass, also for a
    custom surface, whose formulas use the indices.
    """
    winner = -1
    primitive = -1
    other = -1
    ratio = 1.0
    count, end = coincident_hits(t, walk, nearest, ray), ZERO
    count, together, nearest, counted = remove_inactive_hits(t, walk, count, nearest)
    distance = nearest
    while end < count:
        at, end = nearest_hit_on_object(t, walk, count, end)
        k, s = walk.hits[at], walk.distance[at]
        obj = t.owner[k]
        if s - nearest < t.merging:
            is_glass = t.flags[obj] & GLASS != 0
            has_glass = winner >= 0 and t.flags[winner] & GLASS != 0
            if winner < 0 or (has_glass and not is_glass):
                if winner >= 0 and t.flags[obj] & MERGES == 0:
                    other = winner
                winner, primitive, distance = obj, k, s
            elif is_glass and has_glass and is_treated(t, k) and not is_treated(t, primitive):
                winner, primitive, distance = obj, k, s
            elif (not is_glass and not has_glass) or (is_glass and t.flags[winner] & MERGES == 0):
                other = obj
                if t.surface[obj] == REFLECT and t.surface[winner] == REFLECT:
                    distance = min(distance, s)  # behind the nearer mirror the ray would be outside
    if together < 2:
        return winner, primitive, NONE, distance, ratio, False, counted
    if winner >= 0 and t.flags[winner] & GLASS:
        ratio = crossed_glass_indices(t, walk, count, nearest, ray)[0]
    elif winner >= 0 and t.surface[winner] == CUSTOM:
        _, before, after = crossed_glass_indices(t, walk, count, nearest, ray)
        ratio = math.nan if math.isnan(before) and math.isnan(after) else 1.0
    return winner, primitive, other, distance, ratio, True, counted


@rare
def crossed_glass_indices(
    t: Tables, walk: Walk, count: int, distance: float, ray: Ray
) -> tuple[float, float, float]:
    """For coincident hits on glasses: the ratio of the refractive indices, the product of the
    indices of the glasses that the ray leaves, and that of the glasses that it enters. NaN where
    these are not defined.
    """
    ratio, before, after = 1.0, 1.0, 1.0
    x, y, end = ray.x + distance * ray.dx, ray.y + distance * ray.dy, ZERO
    while end < count:
        begin = end
        at, end = nearest_hit_on_object(t, walk, count, begin)
        obj = t.owner[walk.hits[at]]
        if t.flags[obj] & GLASS:
            crossing = crossing_of_shared_glass(t, walk, begin, at, end, distance, ray)
            if crossing == CORNER:
                return math.nan, math.nan, math.nan
            if crossing != 0:
                n = glass_index(t, obj, x, y, ray.wavelength)
                ratio *= index_ratio_of_crossing(crossing, n)
                if crossing > 0:
                    before *= n
                else:
                    after *= n
    return ratio, before, after


@rare
def indices_beside_surfaces(
    t: Tables, walk: Walk, distance: float, ray: Ray
) -> tuple[float, float]:
    """At coincident surfaces at a ``distance``: the product of the indices of the glasses that
    a ray leaves, and that of the glasses that it enters.
    """
    _, before, after = crossed_glass_indices(
        t, walk, coincident_hits(t, walk, distance, ray), distance, ray
    )
    return before, after


@inner
def is_near_object(t: Tables, obj: int, x: float, y: float) -> bool:
    """Whether a point lies in an object's bounding box, enlarged by the merging distance."""
    near = t.merging
    box = t.box
    return bool(
        box[obj, 0] - near <= x <= box[obj, 2] + near
        and box[obj, 1] - near <= y <= box[obj, 3] + near
    )


@rare
def nearest_object_hit(t: Tables, obj: int, ray: Ray) -> tuple[float, int]:
    """The nearest hit on one object: its distance (infinite for none) and primitive."""
    best, which = math.inf, NONE
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        s = distance_to_primitive(t, k, ray)
        if s < best and primitive_acts_on_ray(t, k, ray, s):
            best, which = s, k
    return best, which


@rare
def reflect_in_corner(
    t: Tables, distance: float, ray: Ray, rx: float, ry: float
) -> tuple[float, float]:
    """The direction of a ray that hits several mirrors at once. One of them has reflected it into
    the direction (``rx``, ``ry``); the others reflect it further.

    Every other mirror whose back it would then face reflects it too, until it is in front of all of
    them: the limit of paths very near the corner. If that does not end, because the corner is too
    sharp, the ray is reversed. Deep in a sharp corner, the mirror that the ray started from takes
    part too.
    """
    dx, dy, origin = ray.dx, ray.dy, ray.origin & (COUNTED_THERE - 1)
    x, y = ray.x + distance * dx, ray.y + distance * dy
    for _ in range(MOST_REFLECTIONS):
        turned = False
        for obj in range(len(t.surface)):
            if t.surface[obj] != REFLECT or not is_near_object(t, obj, x, y):
                continue
            s, hit = nearest_object_hit(t, obj, ray)
            for k in range(t.first[obj], t.first[obj] + t.size[obj]):
                near = 2.0 * TIGHT * t.shortest
                end = nearby_end_index(t.primitive[k], t.geometry[k], x, y, near)
                # the front of a mirror is the side that the ray came from; from the mirror it
                # started on, the ray moves away
                front = 1.0
                if k != hit or abs(s - distance) >= t.merging:
                    if end < 0 and (k != origin or distance >= TIGHT * t.shortest):
                        continue
                    front = -1.0 if k == origin else 1.0
                if end >= 0 and t.primitive[k] == BEZIER:
                    nx, ny = bezier_normal(t.geometry[k], float(end))
                else:
                    nx, ny = outward_normal(t, k, x, y, dx, dy)
                if front * (rx * nx + ry * ny) * (dx * nx + dy * ny) > 0.0:
                    rx, ry = reflect(rx, ry, nx, ny)
                    turned = True
        if not turned:
            return rx, ry
    return -dx, -dy
