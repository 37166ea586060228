"""Intersection of rays with primitives, including Bezier curves, and the normals, ends and outlines
of primitives. Directions of rays are unit vectors, so distances are lengths.
"""

import math
from typing import Any

from raybench.arrays import Floats
from raybench.kinds.primitives import (
    ARC,
    ARC_CHORD,
    ARC_OUTWARD,
    ARC_RADIUS,
    ARC_SIDE,
    ARC_UX,
    ARC_UY,
    ARC_X,
    ARC_Y,
    BEZIER,
    BEZIER_OUTWARD,
    BEZIER_X0,
    BEZIER_X1,
    BEZIER_X2,
    BEZIER_X3,
    BEZIER_Y0,
    BEZIER_Y1,
    BEZIER_Y2,
    BEZIER_Y3,
    FULL_LINE,
    LINE,
    LINE_END_X,
    LINE_END_Y,
    LINE_LENGTH,
    LINE_NX,
    LINE_NY,
    LINE_TX,
    LINE_TY,
    LINE_X,
    LINE_Y,
    PARABOLA,
    PARABOLA_CURVATURE,
    PARABOLA_HALF,
    PARABOLA_TX,
    PARABOLA_TY,
    PARABOLA_X,
    PARABOLA_Y,
)
from raybench.trace.compilation.jit import ZERO, elementwise, inner, rare
from raybench.trace.compilation.lanes import root, select
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import (
    NEXT_SURFACE,
    ON_END,
    PARALLEL,
    PARALLEL_AFAR,
    ROOT_STEP,
    ROOT_STEPS,
    SAME_HIT,
)


@inner
def cubic_value(c0: float, c1: float, c2: float, c3: float, u: float) -> float:
    """The value of a cubic polynomial in Bernstein form at ``u``."""
    v = 1.0 - u
    return v * v * v * c0 + 3.0 * v * v * u * c1 + 3.0 * v * u * u * c2 + u * u * u * c3


@inner
def cubic_root(c0: float, c1: float, c2: float, c3: float, low: float, high: float) -> float:
    """The root of a cubic polynomial between ``low`` and ``high``, where its values have different
    signs. Newton's method, safeguarded by bisection.
    """
    rising = cubic_value(c0, c1, c2, c3, high) > 0.0
    u = 0.5 * (low + high)
    for _ in range(ROOT_STEPS):
        f = cubic_value(c0, c1, c2, c3, u)
        if (f > 0.0) == rising:
            high = u
        else:
            low = u
        v = 1.0 - u
        slope = 3.0 * (v * v * (c1 - c0) + 2.0 * v * u * (c2 - c1) + u * u * (c3 - c2))
        step = u - f / slope if slope != 0.0 else low
        step = step if low < step < high else 0.5 * (low + high)
        if abs(step - u) < ROOT_STEP or step == u:
            break
        u = step
    return u


@rare
def intersect_bezier(
    row: Floats, px: float, py: float, dx: float, dy: float, shortest: float, side: float
) -> tuple[float, float, int]:
    """The first hit of a ray on a Bezier curve beyond the distance ``shortest``: the distance
    (infinite for none), the parameter of the curve, and the number of hits. If abs(``side``) > 1
    the curve is one-sided, and only hits from its front count.

    The curve's signed distance from the ray's line is a cubic in its parameter. It is split at its
    extrema, so that each piece has at most one root. An end on the line counts as below it, so that
    of two curves that share an end exactly one is hit.
    """
    c0 = dx * (row[BEZIER_Y0] - py) - dy * (row[BEZIER_X0] - px)
    c1 = dx * (row[BEZIER_Y1] - py) - dy * (row[BEZIER_X1] - px)
    c2 = dx * (row[BEZIER_Y2] - py) - dy * (row[BEZIER_X2] - px)
    c3 = dx * (row[BEZIER_Y3] - py) - dy * (row[BEZIER_X3] - px)
    best, which, count = math.inf, 0.0, 0
    if min(min(c0, c1), min(c2, c3)) > 0.0 or max(max(c0, c1), max(c2, c3)) <= 0.0:
        return best, which, count
    # the derivative in power form: a u² + 2 b u + c
    a, b, c = c3 - 3.0 * c2 + 3.0 * c1 - c0, c2 - 2.0 * c1 + c0, c1 - c0
    first, second = 1.0, 1.0
    square = b * b - a * c
    if square > 0.0:
        q = -(b + math.copysign(math.sqrt(square), b))
        r1, r2 = q / a if a != 0.0 else 2.0, c / q if q != 0.0 else 2.0
        r1, r2 = min(r1, r2), max(r1, r2)
        first = r1 if 0.0 < r1 < 1.0 else (r2 if 0.0 < r2 < 1.0 else 1.0)
        second = r2 if first < r2 < 1.0 else 1.0
    low = 0.0
    for high in (first, second, 1.0):
        if high > low:
            f_low = c0 if low == 0.0 else cubic_value(c0, c1, c2, c3, low)
            f_high = c3 if high == 1.0 else cubic_value(c0, c1, c2, c3, high)
            if (f_low > 0.0) != (f_high > 0.0) and (f_high > 0.0 or abs(side) <= 1.0):
                u = cubic_root(c0, c1, c2, c3, low, high)
                x = cubic_value(row[BEZIER_X0], row[BEZIER_X1], row[BEZIER_X2], row[BEZIER_X3], u)
                y = cubic_value(row[BEZIER_Y0], row[BEZIER_Y1], row[BEZIER_Y2], row[BEZIER_Y3], u)
                s = (x - px) * dx + (y - py) * dy
                if s > shortest:
                    count += 1
                    if s < best:
                        best, which = s, u
            low = high
    return best, which, count


@rare
def bezier_parameter(row: Floats, x: float, y: float, dx: float, dy: float) -> float:
    """The parameter of a Bezier curve at a hit (x, y) of a ray with direction (dx, dy).

    The intersection is repeated from just before the hit and, if that misses, backwards from just
    behind it.
    """
    extent = 0.0
    for j in range(BEZIER_X1, BEZIER_Y3 + 1):
        extent = max(extent, abs(row[j] - row[j % 2]))
    near = SAME_HIT * extent
    s, u, _ = intersect_bezier(row, x - near * dx, y - near * dy, dx, dy, 0.0, 0.0)
    if s <= 2.0 * near:
        return u
    back, other, _ = intersect_bezier(row, x + near * dx, y + near * dy, -dx, -dy, 0.0, 0.0)
    return other if back < s else u


@rare
def bezier_normal(row: Floats, u: float) -> tuple[float, float]:
    """The outward unit normal of a Bezier curve at parameter u."""
    v = 1.0 - u
    tx = (
        v * v * (row[BEZIER_X1] - row[BEZIER_X0])
        + 2.0 * v * u * (row[BEZIER_X2] - row[BEZIER_X1])
        + u * u * (row[BEZIER_X3] - row[BEZIER_X2])
    )
    ty = (
        v * v * (row[BEZIER_Y1] - row[BEZIER_Y0])
        + 2.0 * v * u * (row[BEZIER_Y2] - row[BEZIER_Y1])
        + u * u * (row[BEZIER_Y3] - row[BEZIER_Y2])
    )
    if tx == 0.0 and ty == 0.0:
        tx, ty = row[BEZIER_X3] - row[BEZIER_X0], row[BEZIER_Y3] - row[BEZIER_Y0]
    scale = math.copysign(1.0, row[BEZIER_OUTWARD]) / math.hypot(tx, ty)
    return ty * scale, -tx * scale


COUNTED_THERE = 1 << 30
"""Added to the primitive on which a ray starts where detectors lie there, which have counted the
light that arrived.
"""


@inner
def least_hit_distance(primitive: int, origin: int, shortest: float) -> float:
    """The smallest distance at which a ray can hit a primitive if it starts on primitive
    ``origin``.

    The primitive that a ray starts on is not hit again within the shortest segment. Any other can
    be hit nearer than that, because in a corner a ray that missed the adjacent wall would get
    outside. ``origin`` is -1 after a hit on coincident surfaces, and for rays from sources and
    pieces of curved paths; then nothing is hit within the shortest segment.
    """
    at = origin & (COUNTED_THERE - 1)  # of -1 a number that is no primitive's
    return shortest if origin < 0 or primitive == at else NEXT_SURFACE * shortest


@elementwise
def distance_to_line(line: Any, x: Any, y: Any, dx: Any, dy: Any, least: Any, margin: Any) -> Any:
    """The distance at which a ray hits a line, as for `intersect_primitive`."""
    det = dx * line[LINE_TY] - dy * line[LINE_TX]
    ax, ay = line[LINE_X] - x, line[LINE_Y] - y
    s = (ax * line[LINE_TY] - ay * line[LINE_TX]) / det
    # the place on the line times the size of the determinant: one division less
    u, size = ax * dy - ay * dx, abs(det)
    u = select(det < 0.0, -u, u)
    inside = (u >= -margin * size) & (u <= (line[LINE_LENGTH] + margin) * size)
    return select((s > least) & (size > PARALLEL) & inside, s, math.inf)


@elementwise
def distance_to_arc(arc: Any, x: Any, y: Any, dx: Any, dy: Any, least: Any, margin: Any) -> Any:
    """The distance at which a ray first hits an arc, as for `intersect_primitive`."""
    rx, ry = x - arc[ARC_X], y - arc[ARC_Y]
    along = rx * dx + ry * dy
    off = rx * dy - ry * dx
    half = root(arc[ARC_RADIUS] * arc[ARC_RADIUS] - off * off)  # NaN if the ray passes by
    limit = arc[ARC_CHORD] - margin
    far, near = half - along, -half - along
    far_height = (x + far * dx) * arc[ARC_UX] + (y + far * dy) * arc[ARC_UY]
    near_height = (x + near * dx) * arc[ARC_UX] + (y + near * dy) * arc[ARC_UY]
    is_far = (far > least) & (arc[ARC_SIDE] >= 0.0) & (far_height >= limit)
    is_near = (near > least) & (arc[ARC_SIDE] <= 0.0) & (near_height >= limit)
    return select(is_near, near, select(is_far, far, math.inf))


@inner
def intersect_primitive(
    kind: int,
    row: Floats,
    px: float,
    py: float,
    dx: float,
    dy: float,
    least: float,
    margin: float,
) -> float:
    """The distance at which a ray first hits primitive ``k``, greater than ``least``; infinite if
    it does not hit it.

    Primitives are extended by ``margin`` at their ends, so that no ray passes between adjacent
    ones. A line that is parallel to the ray but for rounding is not hit.
    """
    if kind == LINE:
        return distance_to_line(row, px, py, dx, dy, least, margin)
    if kind == ARC:
        return distance_to_arc(row, px, py, dx, dy, least, margin)
    if kind == PARABOLA:
        return intersect_parabola(row, px, py, dx, dy, least, margin)
    if kind == BEZIER:
        return intersect_bezier(row, px, py, dx, dy, least, row[BEZIER_OUTWARD])[0]
    det = dx * row[LINE_TY] - dy * row[LINE_TX]
    s = ((row[LINE_X] - px) * row[LINE_TY] - (row[LINE_Y] - py) * row[LINE_TX]) / det
    return s if s > least and abs(det) > PARALLEL_AFAR else math.inf


@rare
def intersect_parabola(
    row: Floats, px: float, py: float, dx: float, dy: float, least: float, margin: float
) -> float:
    """The distance at which a ray first hits a parabola, as for `intersect_primitive`. In the
    parabola's own frame y = c x²; the nearer root of a quadratic is computed without cancellation.
    """
    rx, ry = px - row[PARABOLA_X], py - row[PARABOLA_Y]
    x = rx * row[PARABOLA_TX] + ry * row[PARABOLA_TY]
    y = rx * row[PARABOLA_TY] - ry * row[PARABOLA_TX]
    u = dx * row[PARABOLA_TX] + dy * row[PARABOLA_TY]
    v = dx * row[PARABOLA_TY] - dy * row[PARABOLA_TX]
    a = row[PARABOLA_CURVATURE] * u * u
    b = 2.0 * row[PARABOLA_CURVATURE] * x * u - v
    c = row[PARABOLA_CURVATURE] * x * x - y
    square = b * b - 4.0 * a * c
    nearest = math.inf
    if square >= 0.0:
        q = -0.5 * (b + math.copysign(math.sqrt(square), b))
        reach = row[PARABOLA_HALF] + margin
        if a != 0.0:
            s = q / a
            if s > least and abs(x + s * u) <= reach:
                nearest = s
        if q != 0.0:
            s = c / q
            if least < s < nearest and abs(x + s * u) <= reach:
                nearest = s
    return nearest


@inner
def outward_normal(
    t: Tables, primitive: int, x: float, y: float, dx: float, dy: float
) -> tuple[float, float]:
    """The outward unit normal of a primitive at the point (``x``, ``y``), where a ray with the
    direction (``dx``, ``dy``) hits it.
    """
    kind, row = t.primitive[primitive], t.geometry[primitive]
    if kind == BEZIER:
        return bezier_normal(row, bezier_parameter(row, x, y, dx, dy))
    if kind == ARC:
        rx, ry = x - row[ARC_X], y - row[ARC_Y]
        square = rx * rx + ry * ry
        if square == 0.0:  # a ray from so far away that its hit is rounded to the centre
            return -dx, -dy
        scale = row[ARC_OUTWARD] / math.sqrt(square)
        return rx * scale, ry * scale
    if kind == PARABOLA:
        slope = (
            2.0
            * row[PARABOLA_CURVATURE]
            * ((x - row[PARABOLA_X]) * row[PARABOLA_TX] + (y - row[PARABOLA_Y]) * row[PARABOLA_TY])
        )
        norm = math.sqrt(1.0 + slope * slope)
        # (-slope, 1) in the parabola's frame, whose second axis is (ty, -tx)
        return (row[PARABOLA_TY] - slope * row[PARABOLA_TX]) / norm, (
            -row[PARABOLA_TX] - slope * row[PARABOLA_TY]
        ) / norm
    return row[LINE_NX], row[LINE_NY]


@rare
def nearby_end_index(kind: int, row: Floats, x: float, y: float, near: float) -> int:
    """The end of a primitive that lies within ``near`` of a point: 0 for the first, 1 for the
    second, -1 for neither.
    """
    x0 = row[BEZIER_X0]
    y0 = row[BEZIER_Y0]
    x1 = row[BEZIER_X3]
    y1 = row[BEZIER_Y3]
    if kind == FULL_LINE:
        return -1
    if kind == LINE:
        x1, y1 = x0 + row[LINE_LENGTH] * row[LINE_TX], y0 + row[LINE_LENGTH] * row[LINE_TY]
    elif kind == ARC:
        return 0 if is_primitive_corner(kind, row, x, y, near) else -1
    elif kind == PARABOLA:
        tx, ty, half = row[PARABOLA_TX], row[PARABOLA_TY], row[PARABOLA_HALF]
        height = row[PARABOLA_CURVATURE] * half * half
        x0, y0 = x0 + height * ty, y0 - height * tx
        x0, y0, x1, y1 = x0 - half * tx, y0 - half * ty, x0 + half * tx, y0 + half * ty
    if (x - x0) * (x - x0) + (y - y0) * (y - y0) < near * near:
        return 0
    return 1 if (x - x1) * (x - x1) + (y - y1) * (y - y1) < near * near else -1


@inner
def is_primitive_corner(kind: int, row: Floats, x: float, y: float, near: float) -> bool:
    """Whether a point of a primitive lies within ``near`` of one of its ends. Never for Bezier
    curves, which join smoothly.
    """
    if kind == BEZIER:
        return False
    if kind == ARC:
        # the ends lie where the circle meets the chord, half a chord from its middle; a full circle
        # has none
        off = row[ARC_CHORD] - (row[ARC_X] * row[ARC_UX] + row[ARC_Y] * row[ARC_UY])
        half = math.sqrt(max(0.0, row[ARC_RADIUS] * row[ARC_RADIUS] - off * off))
        along = abs((y - row[ARC_Y]) * row[ARC_UX] - (x - row[ARC_X]) * row[ARC_UY])
        height = x * row[ARC_UX] + y * row[ARC_UY] - row[ARC_CHORD]
        return (row[ARC_UX] != 0.0 or row[ARC_UY] != 0.0) and math.hypot(
            along - half, height
        ) < near
    u = (x - row[LINE_X]) * row[LINE_TX] + (y - row[LINE_Y]) * row[LINE_TY]
    return u < near or u > row[LINE_LENGTH] - near


@rare
def passes_between_arc_ends(
    t: Tables, obj: int, arc: int, px: float, py: float, dx: float, dy: float, otherwise: int
) -> int:
    """1 if the line of a ray passes between the ends of the arc ``arc``, so that it crosses the arc
    an odd number of times; otherwise 0.

    The ends are those of the lines next to it; without lines on both sides, ``otherwise`` modulo 2.
    """
    g, first, last = t.geometry, t.first[obj], t.first[obj] + t.size[obj] - 1
    before, after = arc - 1 if arc > first else last, arc + 1 if arc < last else first
    if t.primitive[before] != LINE or t.primitive[after] != LINE:
        return otherwise % 2
    side_a = dx * (g[before, LINE_END_Y] - py) - dy * (g[before, LINE_END_X] - px)
    side_b = dx * (g[after, LINE_Y] - py) - dy * (g[after, LINE_X] - px)
    return 1 if (side_a > 0.0) != (side_b > 0.0) else 0


@rare
def count_outline_crossings(
    t: Tables, obj: int, px: float, py: float, dx: float, dy: float, origin: int
) -> int:
    """How often a ray crosses the outline of an object. Only whether the number is odd or even is
    certain.

    A vertex on the ray counts for one of its two edges: the one left of the ray. So that rounding
    does not count it for both or for none, its side is computed by the same operations for both.
    """
    g = t.geometry
    total = 0
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        row, least = g[k], least_hit_distance(k, origin, t.shortest)
        if t.primitive[k] == ARC:
            rx, ry = px - row[ARC_X], py - row[ARC_Y]
            along = rx * dx + ry * dy
            off = rx * dy - ry * dx
            square = row[ARC_RADIUS] * row[ARC_RADIUS] - off * off
            if square > 0.0:
                half = math.sqrt(square)
                crossed, doubt, doubtful = ZERO, math.inf, 0.0
                for s in (-along - half, -along + half):
                    height = (
                        (px + s * dx) * row[ARC_UX] + (py + s * dy) * row[ARC_UY] - row[ARC_CHORD]
                    )
                    if height >= 0.0:
                        crossed += 1
                        if s > least:
                            total += 1
                    if abs(height) < doubt:
                        doubt, doubtful = abs(height), s
                if (
                    doubt < ON_END * row[ARC_RADIUS]
                    and doubtful > least
                    and crossed % 2 != passes_between_arc_ends(t, obj, k, px, py, dx, dy, crossed)
                ):
                    total += 1
        elif t.primitive[k] == BEZIER:
            total += intersect_bezier(row, px, py, dx, dy, least, 0.0)[2]
        else:
            side_a = dx * (row[LINE_Y] - py) - dy * (row[LINE_X] - px)
            side_b = dx * (row[LINE_END_Y] - py) - dy * (row[LINE_END_X] - px)
            if (side_a > 0.0) != (side_b > 0.0):
                s = ((row[LINE_X] - px) * row[LINE_TY] - (row[LINE_Y] - py) * row[LINE_TX]) / (
                    dx * row[LINE_TY] - dy * row[LINE_TX]
                )
                if s > least:
                    total += 1
    return total
