"""What acts where a ray meets several surfaces at once: coincident ones, corners, edges that two bodies share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import BEZIER, GLASS, MERGES
from core.trace.compilation.jit import NONE, inner, rare
from core.trace.kernels.intersect import bezier_normal, end_near, is_corner, least_distance, meet, outward, passes
from core.trace.kernels.surfaces import CORNER, REFLECT, TIGHT, crossing_factor, glass_crossing, glass_index, reflect
from core.trace.tables.bvh import Hierarchy, Walk
from core.trace.tables.tables import Tables


@inner
def note_hit(
    t: Tables, walk: Walk, count: int, k: int, until: float, px: float, py: float, dx: float, dy: float, wavelength: float, left: int
) -> int:
    """Put a primitive that a ray meets before ``until`` among those found, which are in order; returns how many there are."""
    s = meet(t.primitive[k], t.geometry, k, px, py, dx, dy, least_distance(k, left, t.shortest), t.shortest)
    if not s < until or passes(t, k, t.owner[k], t.flags[t.owner[k]], dx, dy, wavelength):
        return count
    place = count
    while place > 0 and walk.found[place - 1] > k:
        walk.found[place], walk.distance[place] = walk.found[place - 1], walk.distance[place - 1]
        place -= 1
    walk.found[place], walk.distance[place] = k, s
    return count + 1


@rare
def meet_together(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], walk: Walk,
    best: float, px: float, py: float, dx: float, dy: float, wavelength: float, left: int,
) -> int:  # fmt: skip
    """All primitives that a ray meets before or within two shortest segments of a hit, into ``walk.found`` with their distances, in order
    of the objects; returns how many."""
    until, count = best + 2.0 * t.shortest, 0
    for i in range(len(loose)):
        count = note_hit(t, walk, count, loose[i], until, px, py, dx, dy, wavelength, left)
    if len(h.order) == 0:
        return count
    box, child = h.box, h.child
    ix, iy = 1.0 / dx if dx != 0.0 else 1e300, 1.0 / dy if dy != 0.0 else 1e300
    walk.node[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        node = walk.node[depth]
        if node < 0:
            first = (-1 - node) >> 3
            for i in range(first, first + ((-1 - node) & 7)):
                count = note_hit(t, walk, count, h.order[i], until, px, py, dx, dy, wavelength, left)
            continue
        for side in range(2):
            x0, x1 = (box[node, 4 * side] - px) * ix, (box[node, 4 * side + 2] - px) * ix
            y0, y1 = (box[node, 4 * side + 1] - py) * iy, (box[node, 4 * side + 3] - py) * iy
            if max(max(min(x0, x1), min(y0, y1)), 0.0) <= min(min(max(x0, x1), max(y0, y1)), until):
                walk.node[depth] = child[node, side]
                depth += 1
    return count


@inner
def nearest_found(t: Tables, walk: Walk, count: int, begin: int) -> tuple[int, int]:
    """Of those found, of the object that stands at ``begin``: where its nearest hit stands, and where the next object's begin."""
    obj, at, end = t.owner[walk.found[begin]], begin, begin + 1
    while end < count and t.owner[walk.found[end]] == obj:
        if walk.distance[end] < walk.distance[at]:
            at = end
        end += 1
    return at, end


@rare
def shared_crossing(
    t: Tables, walk: Walk, begin: int, at: int, end: int, best: float, px: float, py: float, dx: float, dy: float, left: int
) -> int:
    """As `glass_crossing`, for a glass at a place where surfaces coincide, whose hits were found; 0 for a glass that is not there or
    whose edges cancel."""
    k, s = walk.found[at], walk.distance[at]
    obj = t.owner[k]
    if s - best >= t.shortest:
        return 0
    edges = 0
    for i in range(begin, end):
        if walk.distance[i] - s < t.shortest:
            edges += 1
            if t.size[obj] > 1 and is_corner(t.primitive[walk.found[i]], t.geometry, walk.found[i], px + s * dx, py + s * dy, t.shortest):
                return CORNER
    if edges % 2 == 0:
        return 0
    nx, ny = outward(t.primitive[k], t.geometry, k, px + s * dx, py + s * dy, dx, dy)
    return glass_crossing(t, obj, k, s, px, py, dx, dy, nx, ny, left)


@rare
def resolve_coincidence(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], walk: Walk,
    best: float, px: float, py: float, dx: float, dy: float, wavelength: float, left: int,
) -> tuple[int, int, int, float, float]:  # fmt: skip
    """What acts where surfaces coincide: the first object that is no glass, else the first glass, which all glasses join.

    Returns the object, its primitive, another object that must not lie there (-1 for none), the distance and the ratio of indices.
    """
    winner, primitive, other, distance, ratio = -1, -1, -1, best, 1.0
    count, end = meet_together(t, h, loose, walk, best, px, py, dx, dy, wavelength, left), 0
    while end < count:
        at, end = nearest_found(t, walk, count, end)
        k, s = walk.found[at], walk.distance[at]
        obj = t.owner[k]
        if s - best < t.shortest:
            is_glass, has_glass = t.flags[obj] & GLASS != 0, winner >= 0 and t.flags[winner] & GLASS != 0
            if winner < 0 or (has_glass and not is_glass):
                if winner >= 0 and t.flags[obj] & MERGES == 0:
                    other = winner
                winner, primitive, distance = obj, k, s
            elif (not is_glass and not has_glass) or (is_glass and t.flags[winner] & MERGES == 0):
                other = obj
                if t.surface[obj] == REFLECT and t.surface[winner] == REFLECT:
                    distance = min(distance, s)  # beyond the nearer one it would be outside
    if winner >= 0 and t.flags[winner] & GLASS:
        end = 0
        while end < count:
            begin = end
            at, end = nearest_found(t, walk, count, begin)
            obj = t.owner[walk.found[at]]
            if t.flags[obj] & GLASS:
                crossing = shared_crossing(t, walk, begin, at, end, best, px, py, dx, dy, left)
                ratio *= crossing_factor(crossing, glass_index(t, obj, px + best * dx, py + best * dy, wavelength))
    return winner, primitive, other, distance, ratio


@rare
def indices_beside(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], walk: Walk,
    s: float, px: float, py: float, dx: float, dy: float, wavelength: float, left: int,
) -> tuple[float, float]:  # fmt: skip
    """The products of the indices of the glasses that a ray leaves, and of those it enters, where surfaces coincide."""
    before, after = 1.0, 1.0
    count, end = meet_together(t, h, loose, walk, s, px, py, dx, dy, wavelength, left), 0
    while end < count:
        begin = end
        at, end = nearest_found(t, walk, count, begin)
        obj = t.owner[walk.found[at]]
        if t.flags[obj] & GLASS:
            crossing = shared_crossing(t, walk, begin, at, end, s, px, py, dx, dy, left)
            if crossing == CORNER:
                return math.nan, math.nan
            if crossing == 1:
                before *= glass_index(t, obj, px + s * dx, py + s * dy, wavelength)
            elif crossing == -1:
                after *= glass_index(t, obj, px + s * dx, py + s * dy, wavelength)
    return before, after


@inner
def is_near(t: Tables, obj: int, x: float, y: float) -> bool:
    """Whether a point lies in an object's box, made larger by the shortest segment."""
    near = t.shortest
    box = t.box
    return bool(box[obj, 0] - near <= x <= box[obj, 2] + near and box[obj, 1] - near <= y <= box[obj, 3] + near)


@rare
def object_hit(t: Tables, obj: int, px: float, py: float, dx: float, dy: float, wavelength: float, left: int) -> tuple[float, int]:
    """The nearest hit on one object: its distance (infinite for none) and primitive."""
    best, which = math.inf, NONE
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        s = meet(t.primitive[k], t.geometry, k, px, py, dx, dy, least_distance(k, left, t.shortest), t.shortest)
        if s < best and not passes(t, k, obj, t.flags[obj], dx, dy, wavelength):
            best, which = s, k
    return best, which


@rare
def reflect_in_corner(
    t: Tables, best: float, px: float, py: float, dx: float, dy: float, wavelength: float, left: int, rx: float, ry: float
) -> tuple[float, float]:
    """The direction that a ray has after it met several mirrors at once, reflected by one of them into (rx, ry).

    Every other mirror there that it would go behind reflects it too, until it goes before all of them: that is how light very near to
    the corner leaves it. In a corner too sharp for that it goes back as it came. Deep in a sharp corner the mirror it comes from is one
    of them.
    """
    x, y = px + best * dx, py + best * dy
    for _ in range(1000):
        turned = False
        for obj in range(len(t.surface)):
            if t.surface[obj] != REFLECT or not is_near(t, obj, x, y):
                continue
            s, hit = object_hit(t, obj, px, py, dx, dy, wavelength, left)
            for k in range(t.first[obj], t.first[obj] + t.size[obj]):
                end = end_near(t.primitive[k], t.geometry, k, x, y, 2.0 * TIGHT * t.shortest)
                # before a mirror is the side that the ray came from; from the one that it has just left it moves away
                before = 1.0
                if k != hit or abs(s - best) >= t.shortest:
                    if end < 0 and (k != left or best >= TIGHT * t.shortest):
                        continue
                    before = -1.0 if k == left else 1.0
                if end >= 0 and t.primitive[k] == BEZIER:
                    nx, ny = bezier_normal(t.geometry, k, float(end))
                else:
                    nx, ny = outward(t.primitive[k], t.geometry, k, x, y, dx, dy)
                if before * (rx * nx + ry * ny) * (dx * nx + dy * ny) > 0.0:
                    rx, ry = reflect(rx, ry, nx, ny)
                    turned = True
        if not turned:
            return rx, ry
    return -dx, -dy
