"""Where a ray meets a primitive, and what it meets first. Rays have unit directions, so distances are lengths."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.trace.bvh import LEAF, Hierarchy
from core.trace.jit import inner, rare
from core.trace.tables import ARC, FILTER, FULL_LINE, INVERT, ONE_SIDED, PARABOLA, Tables

Floats = NDArray[np.float64]


@inner
def meet(kind: int, g: Floats, k: int, px: float, py: float, dx: float, dy: float, shortest: float) -> float:
    """The distance at which a ray first meets primitive k beyond the shortest segment; infinite if it does not.

    Ends belong to a line, with a thousandth of the shortest segment to spare, so that no ray slips between neighbours.
    """
    if kind == ARC:
        rx, ry = px - g[k, 0], py - g[k, 1]
        along = rx * dx + ry * dy
        off = rx * dy - ry * dx
        square = g[k, 2] * g[k, 2] - off * off
        found = math.inf
        if square >= 0.0:
            half = math.sqrt(square)
            limit = g[k, 5] - 1e-3 * shortest
            s = half - along
            if s > shortest and (px + s * dx) * g[k, 3] + (py + s * dy) * g[k, 4] >= limit:
                found = s
            s = -half - along
            if s > shortest and (px + s * dx) * g[k, 3] + (py + s * dy) * g[k, 4] >= limit:
                found = s
        return found
    if kind == PARABOLA:
        return meet_parabola(g, k, px, py, dx, dy, shortest)
    det = dx * g[k, 3] - dy * g[k, 2]
    ax, ay = g[k, 0] - px, g[k, 1] - py
    s = (ax * g[k, 3] - ay * g[k, 2]) / det
    if not (s > shortest and s < math.inf):
        return math.inf
    if kind != FULL_LINE:
        u = (ax * dy - ay * dx) / det
        if u < -1e-3 * shortest or u > g[k, 4] + 1e-3 * shortest:
            return math.inf
    return s


@rare
def meet_parabola(g: Floats, k: int, px: float, py: float, dx: float, dy: float, shortest: float) -> float:
    """As `meet`, for y = c x² in the parabola's own frame: the nearer root of a quadratic, computed without cancellation."""
    rx, ry = px - g[k, 0], py - g[k, 1]
    x, y = rx * g[k, 2] + ry * g[k, 3], rx * g[k, 3] - ry * g[k, 2]
    u, v = dx * g[k, 2] + dy * g[k, 3], dx * g[k, 3] - dy * g[k, 2]
    a, b, c = g[k, 5] * u * u, 2.0 * g[k, 5] * x * u - v, g[k, 5] * x * x - y
    square = b * b - 4.0 * a * c
    found = math.inf
    if square >= 0.0:
        q = -0.5 * (b + math.copysign(math.sqrt(square), b))
        reach = g[k, 4] + 1e-3 * shortest
        if a != 0.0:
            s = q / a
            if s > shortest and abs(x + s * u) <= reach:
                found = s
        if q != 0.0:
            s = c / q
            if shortest < s < found and abs(x + s * u) <= reach:
                found = s
    return found


@inner
def outward(kind: int, g: Floats, k: int, x: float, y: float) -> tuple[float, float]:
    """The unit normal of primitive k at a point on it, out of the body it bounds."""
    if kind == ARC:
        rx, ry = x - g[k, 0], y - g[k, 1]
        scale = g[k, 6] / math.hypot(rx, ry)
        return rx * scale, ry * scale
    if kind == PARABOLA:
        slope = 2.0 * g[k, 5] * ((x - g[k, 0]) * g[k, 2] + (y - g[k, 1]) * g[k, 3])
        norm = math.sqrt(1.0 + slope * slope)
        # (-slope, 1) in the parabola's frame, whose second axis is (g3, -g2)
        return (g[k, 3] - slope * g[k, 2]) / norm, (-g[k, 2] - slope * g[k, 3]) / norm
    return g[k, 5], g[k, 6]


@inner
def is_corner(kind: int, g: Floats, k: int, x: float, y: float, shortest: float) -> bool:
    """Whether a point of primitive k lies within the shortest segment of one of its ends."""
    if kind == ARC:
        # the ends lie where the circle meets the chord, half a chord from its middle; a full circle has none
        off = g[k, 5] - (g[k, 0] * g[k, 3] + g[k, 1] * g[k, 4])
        half = math.sqrt(max(0.0, g[k, 2] * g[k, 2] - off * off))
        along = abs((y - g[k, 1]) * g[k, 3] - (x - g[k, 0]) * g[k, 4])
        height = x * g[k, 3] + y * g[k, 4] - g[k, 5]
        return (g[k, 3] != 0.0 or g[k, 4] != 0.0) and math.hypot(along - half, height) < shortest
    u = (x - g[k, 0]) * g[k, 2] + (y - g[k, 1]) * g[k, 3]
    return u < shortest or u > g[k, 4] - shortest


@rare
def crossings_ahead(t: Tables, obj: int, px: float, py: float, dx: float, dy: float) -> int:
    """How often a ray crosses an outline beyond the shortest segment. A corner counts for that edge of its two which lies on the left."""
    g = t.geometry
    total = 0
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        if t.primitive[k] == ARC:
            rx, ry = px - g[k, 0], py - g[k, 1]
            along = rx * dx + ry * dy
            off = rx * dy - ry * dx
            square = g[k, 2] * g[k, 2] - off * off
            if square > 0.0:
                half = math.sqrt(square)
                for s in (-along - half, -along + half):
                    if s > t.shortest and (px + s * dx) * g[k, 3] + (py + s * dy) * g[k, 4] >= g[k, 5]:
                        total += 1
        else:
            side_a = dx * (g[k, 1] - py) - dy * (g[k, 0] - px)
            side_b = side_a + g[k, 4] * (dx * g[k, 3] - dy * g[k, 2])
            if (side_a > 0.0) != (side_b > 0.0):
                s = ((g[k, 0] - px) * g[k, 3] - (g[k, 1] - py) * g[k, 2]) / (dx * g[k, 3] - dy * g[k, 2])
                if s > t.shortest:
                    total += 1
    return total


@rare
def passes(t: Tables, k: int, obj: int, flags: int, dx: float, dy: float, wavelength: float) -> bool:
    """Whether a ray goes through primitive k of an object as if it were not there: a one-sided one from behind, or by its filter."""
    if flags & ONE_SIDED and dx * t.geometry[k, 3] - dy * t.geometry[k, 2] <= 0.0:
        return True
    if flags & FILTER and wavelength != 0.0:
        within = abs(t.parameters[obj, 5] - wavelength) <= t.parameters[obj, 6]
        return within == (flags & INVERT != 0)
    return False


@inner
def nearest_of_all(
    t: Tables, px: float, py: float, dx: float, dy: float, wavelength: float, primitives: NDArray[np.int32]
) -> tuple[float, float, int]:
    """The nearest hit among some primitives: its distance (infinite for none), the distance of the next one, and the primitive."""
    kinds, g, owner, flags, shortest = t.primitive, t.geometry, t.owner, t.flags, t.shortest
    best, second, which = math.inf, math.inf, -1
    for i in range(len(primitives)):
        k = primitives[i]
        s = meet(kinds[k], g, k, px, py, dx, dy, shortest)
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
    stack: NDArray[np.int32],
    px: float,
    py: float,
    dx: float,
    dy: float,
    wavelength: float,
    best: float,
    second: float,
    which: int,
) -> tuple[float, float, int]:
    """As `nearest_of_all`, over the hierarchy, beginning with what was found before. Boxes farther than the next hit are left out."""
    kinds, g, owner, flags, shortest = t.primitive, t.geometry, t.owner, t.flags, t.shortest
    box, child, order = h.box, h.child, h.order
    ix, iy = 1.0 / dx, 1.0 / dy
    depth = 1
    stack[0] = 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        # the part of the ray within the box; a ray along an axis divides by zero, and is told by where it starts
        near, far = 0.0, min(second, best + shortest)
        if dx != 0.0:
            a, b = (box[node, 0] - px) * ix, (box[node, 2] - px) * ix
            near, far = max(near, min(a, b)), min(far, max(a, b))
        elif px < box[node, 0] or px > box[node, 2]:
            continue
        if dy != 0.0:
            a, b = (box[node, 1] - py) * iy, (box[node, 3] - py) * iy
            near, far = max(near, min(a, b)), min(far, max(a, b))
        elif py < box[node, 1] or py > box[node, 3]:
            continue
        if near > far:
            continue
        first, count = child[node, 0], child[node, 1]
        if count < LEAF:
            for i in range(first, first + count):
                k = order[i]
                s = meet(kinds[k], g, k, px, py, dx, dy, shortest)
                if s < second:
                    f = flags[owner[k]]
                    if f & (ONE_SIDED | FILTER) and passes(t, k, owner[k], f, dx, dy, wavelength):
                        continue
                    if s < best:
                        best, second, which = s, best, k
                    else:
                        second = s
        else:
            # the child on the ray's side is looked at first: it is pushed last
            along = (box[count - LEAF, 0] + box[count - LEAF, 2] - box[first, 0] - box[first, 2]) * dx
            along += (box[count - LEAF, 1] + box[count - LEAF, 3] - box[first, 1] - box[first, 3]) * dy
            stack[depth] = count - LEAF if along > 0.0 else first
            stack[depth + 1] = first if along > 0.0 else count - LEAF
            depth += 2
    return best, second, which
