"""Edges as curves with a parameter from 0 to 1: lengths, distances and points on arrays, exact for
every shape; where two curves coincide, as on shared sides of bodies or cemented surfaces; and the
clearance of two outlines.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from raybench.analysis.geometry.contact import (
    distance_to_bezier,
    nearest_parameter,
    points_of,
)
from raybench.analysis.geometry.straight import Floats, Mask, distances_from_segment, vector_lengths
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.curves import Box, as_bezier, box_of, left_normal, place, tangent
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape

MANY = 64
"""For chains of more cubics than this, the stored length of the chain is accurate enough."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


ShapeKind = Literal["line", "arc", "conic", "curve"]


def kind_of(shape: Shape) -> ShapeKind:
    """The kind of a shape as reported to users: ``line``, ``arc``, ``conic`` or ``curve``."""
    match shape:
        case Line() | FullLine():
            return "line"
        case Arc():
            return "arc"
        case Parabola():
            return "conic"
    return "curve"


def points_at(shape: Shape, us: Floats) -> Floats:
    """The points (n, 2) at parameters (n,)."""
    if isinstance(shape, Line | FullLine):
        a, b = np.array(shape.a), np.array(shape.b)
        line: Floats = a + us[:, None] * (b - a)
        return line
    if isinstance(shape, Arc):
        angle = shape.start + us * shape.sweep
        out: Floats = np.array(shape.centre) + shape.radius * np.stack(
            [np.cos(angle), np.sin(angle)], axis=1
        )
        return out
    return np.array([place(shape, u) for u in us.tolist()]).reshape(-1, 2)


def left_normals(shape: Shape, us: Floats) -> Floats:
    """The unit normals (n, 2) as of `left_normal`, at parameters (n,)."""
    if isinstance(shape, Line | FullLine):
        return np.broadcast_to(np.array(left_normal(shape, 0.5)), (len(us), 2))
    if isinstance(shape, Arc):
        angle, turn = shape.start + us * shape.sweep, math.copysign(1.0, shape.sweep)
        return turn * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.array([left_normal(shape, u) for u in us.tolist()]).reshape(-1, 2)


def length_between(shape: Shape, u0: float, u1: float) -> float:
    """The length of the part from ``u0`` to ``u1``: in closed form for lines and arcs, by
    Gauss-Legendre quadrature otherwise.
    """
    if isinstance(shape, Line | FullLine | Arc):
        return shape.length * (u1 - u0)
    count = len(shape.cubics) if isinstance(shape, Chain) else 1
    if (u0, u1, count > MANY) == (0.0, 1.0, True):
        return shape.length
    pieces = count * max(1, 8 // count)
    cuts = [u0, *(k / pieces for k in range(pieces + 1) if u0 < k / pieces < u1), u1]
    total = 0.0
    for a, b in itertools.pairwise(cuts):
        for x, weight in zip(_NODES.tolist(), _WEIGHTS.tolist(), strict=True):
            total += (
                weight * (b - a) / 2 * math.hypot(*tangent(shape, (a + b) / 2 + x * (b - a) / 2))
            )
    return total


def parameters_near(shape: Shape, points: Floats) -> Floats:
    """The parameters (n,) of the curve's points nearest to points (n, 2)."""
    if isinstance(shape, Arc):
        x, y = points[:, 0], points[:, 1]
        turn = np.mod(
            (np.arctan2(y - shape.centre.y, x - shape.centre.x) - shape.start)
            * math.copysign(1.0, shape.sweep),
            2 * math.pi,
        )
        to_start, to_end = (np.hypot(x - end.x, y - end.y) for end in (shape.a, shape.b))
        return np.where(
            turn <= abs(shape.sweep),
            turn / abs(shape.sweep),
            np.where(to_start <= to_end, 0.0, 1.0),
        )
    if isinstance(shape, Line | FullLine):
        a, b = np.array(shape.a), np.array(shape.b)
        square = float((b - a) @ (b - a))
        return (
            np.clip((points - a) @ (b - a) / square, 0.0, 1.0)
            if square > 0
            else np.zeros(len(points))
        )
    cubics = shape.cubics if isinstance(shape, Chain) else _control_points(shape)[None]
    gaps = np.hypot(*(cubics - points[:, None, None]).transpose(3, 0, 1, 2)).min(axis=2)
    near = np.argsort(gaps, axis=1, kind="stable")[
        :, :3
    ]  # the nearest point is on one of these pieces
    hulls, there = cubics[near.ravel()], np.repeat(points, near.shape[1], axis=0)
    u = nearest_parameter(there, hulls)
    best = vector_lengths(points_of(hulls, u) - there).reshape(near.shape).argmin(axis=1)[:, None]
    parameters: Floats = (
        np.take_along_axis(near + u.reshape(near.shape), best, axis=1) / len(cubics)
    )[:, 0]
    return parameters


def distances_from_shape(points: Floats, shape: Shape) -> Floats:
    """The distances (n,) of points (n, 2) from a shape."""
    if isinstance(shape, Arc):
        rel = points - np.array(shape.centre)
        turn = np.mod(
            (np.arctan2(rel[:, 1], rel[:, 0]) - shape.start) * math.copysign(1.0, shape.sweep),
            2 * math.pi,
        )
        ends = np.minimum(
            *(np.hypot(points[:, 0] - q.x, points[:, 1] - q.y) for q in (shape.a, shape.b))
        )
        off_circle = np.abs(np.hypot(rel[:, 0], rel[:, 1]) - shape.radius)
        return np.where(turn <= abs(shape.sweep), off_circle, ends)
    if isinstance(shape, Chain):
        # a cubic lies within the convex hull of its control points, so it is no nearer than their
        # bounding box
        low, high = shape.cubics.min(axis=1), shape.cubics.max(axis=1)
        off = np.maximum(np.maximum(low[None] - points[:, None], points[:, None] - high[None]), 0.0)
        gap = np.hypot(off[..., 0], off[..., 1])
        best = np.full(len(points), np.inf)
        for k in np.flatnonzero(
            (gap <= gap.min(axis=1, keepdims=True) + np.hypot(*(high - low).T)[None]).any(axis=0)
        ).tolist():
            best = np.minimum(best, distance_to_bezier(points, shape.cubics[k]))
        return best
    if isinstance(shape, Bezier | Parabola):
        return distance_to_bezier(points, _control_points(shape))
    return distances_from_segment(points, np.array(shape.a, float), np.array(shape.b, float))


def _control_points(curve: Bezier | Parabola) -> Floats:
    """The four control points of a cubic, or of a parabola as a cubic, (4, 2)."""
    cubic = as_bezier(curve) if isinstance(curve, Parabola) else curve
    return np.array([cubic.p0, cubic.p1, cubic.p2, cubic.p3], float)


ROUNDING = 1e-12
"""Tolerance within which a parameter is rounded to 0 or 1."""
SAMPLES = 33
"""Evenly spaced samples of a curve at which its distance from another is evaluated first, besides
those nearest to the other's ends.
"""


def contact_intervals(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """The parameter intervals of ``shape`` that lie on ``other`` to within ``tolerance``. A mere
    crossing does not count.
    """
    if isinstance(shape, Line | FullLine) and isinstance(other, Line | FullLine):
        intervals = _of_lines(shape, other, tolerance)
    elif (
        isinstance(shape, Arc)
        and isinstance(other, Arc)
        and at_most_cross(shape, np.array([circle_of_arc(other)]), tolerance)[0]
    ):
        return []
    else:
        intervals = _of_curves(shape, other, tolerance)
    least = least_contact(shape.length, other.length, tolerance)
    # snap to the ends, so that rounding leaves no tiny remainder there
    intervals = [
        (0.0 if u0 < ROUNDING else u0, 1.0 if u1 > 1.0 - ROUNDING else u1) for u0, u1 in intervals
    ]
    return [(u0, u1) for u0, u1 in intervals if length_between(shape, u0, u1) > least]


def least_contact(length: float, other: Any, tolerance: float) -> Any:
    """The minimum length of an overlap that counts as a contact, given the lengths of both curves;
    ``other`` may be an array.
    """
    return np.maximum(4 * tolerance, np.minimum(1e3 * tolerance, 0.01 * np.minimum(length, other)))


def _of_lines(
    shape: Line | FullLine, other: Line | FullLine, tolerance: float
) -> list[tuple[float, float]]:
    """The interval of the first line's parameter in which the second lies within ``tolerance`` of
    it; empty list if none.
    """
    a, b = shape.a, shape.b
    length = math.dist(a, b)
    if length == 0:
        return []
    tx, ty = (b.x - a.x) / length, (b.y - a.y) / length
    (s0, h0), (s1, h1) = (
        ((p.x - a.x) * tx + (p.y - a.y) * ty, (p.x - a.x) * ty - (p.y - a.y) * tx)
        for p in (other.a, other.b)
    )
    low, high = 0.0, 1.0
    if abs(h1 - h0) > 1e-300:
        at = sorted(((-tolerance - h0) / (h1 - h0), (tolerance - h0) / (h1 - h0)))
        low, high = max(low, at[0]), min(high, at[1])
    elif abs(h0) > tolerance:
        return []
    if low >= high:
        return []
    ends = sorted(s0 + v * (s1 - s0) for v in (low, high))
    return (
        [(max(0.0, ends[0] / length), min(1.0, ends[1] / length))]
        if ends[0] < length and ends[1] > 0
        else []
    )


def circle_of_arc(arc: Arc) -> tuple[float, float, float, float]:
    """An arc as `at_most_cross` takes it: centre, radius and length."""
    return arc.centre.x, arc.centre.y, arc.radius, arc.length


def at_most_cross(arc: Arc, others: Floats, tolerance: float) -> Mask:
    """Mask (n,) of the circles (n, 4), as of `circle_of_arc`, that an arc does not follow: it passes them
    by, or crosses them at such an angle that they are close over less than a contact's length. NaN
    for what is no circle.
    """
    x, y, q, length = others.T
    r, d = arc.radius, np.hypot(x - arc.centre.x, y - arc.centre.y)
    least = least_contact(arc.length, length, tolerance)
    with np.errstate(all="ignore"):
        apart = (np.abs(r - d) - tolerance > q) | (q > r + d + tolerance)
        sine = np.sqrt(np.maximum(0.0, 1 - ((r * r + q * q - d * d) / (2 * r * q)) ** 2))
        # over so short a length the circles are nearly straight, and two lines are closer than the
        # tolerance over 2 / sine times it
        mask: Mask = apart | (
            (least * sine > 3 * tolerance) & (least < 0.1 * sine * np.minimum(r, q))
        )
    return mask


def _of_curves(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """As `contact_intervals`, by sampling; the ends of each interval are refined."""
    marks = parameters_near(shape, np.array([other.a, place(other, 0.5), other.b])).tolist()
    us = np.unique(
        np.concatenate(
            [np.linspace(0, 1, SAMPLES), marks, [(a + b) / 2 for a, b in itertools.pairwise(marks)]]
        )
    )

    def near(values: Floats) -> Mask:
        on: Mask = distances_from_shape(points_at(shape, values), other) <= tolerance
        return on

    out = []
    for first, last in _true_intervals(near(us)):
        if first == last:
            continue
        u0 = _end_of_run(us[first], us[first - 1], near) if first > 0 else us[0]
        u1 = _end_of_run(us[last], us[last + 1], near) if last + 1 < len(us) else us[-1]
        out.append((float(u0), float(u1)))
    return out


def _true_intervals(on: Mask) -> list[tuple[int, int]]:
    """The first and last index of every run of true values."""
    change = np.diff(on.astype(np.int8), prepend=0, append=0)
    return list(
        zip(
            np.flatnonzero(change > 0).tolist(),
            (np.flatnonzero(change < 0) - 1).tolist(),
            strict=True,
        )
    )


def _end_of_run(near_u: float, far_u: float, near: Callable[[Floats], Mask]) -> float:
    """The end of a near interval, between a parameter that is near and one that is not: each
    iteration evaluates 32 samples between.
    """
    for _ in range(10):
        us = np.linspace(near_u, far_u, 34)
        on = near(us[1:-1])
        k = int(np.argmin(on)) if not on.all() else len(on)
        near_u, far_u = float(us[k]), float(us[k + 1])
    return near_u


GAP_INTERVALS = 32
"""Intervals of a curve in which the least distance is looked for."""
STEPS = 64
"""Steps of the golden section: they shorten an interval by 4e-14."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def least_clearance(one: Sequence[Shape], other: Sequence[Shape]) -> float:
    """The least distance between two outlines of at least one shape each; 0 where they touch or
    cross. Distances below 1e-9 of their size count as 0.
    """
    ours, theirs = (
        [as_bezier(s) if isinstance(s, Parabola) else s for s in shapes] for shapes in (one, other)
    )
    pairs = [
        (_box_distance(box_of(a), box_of(b)), i, j)
        for i, a in enumerate(ours)
        for j, b in enumerate(theirs)
    ]
    best, size = math.inf, 0.0
    for least, i, j in sorted(pairs):
        if least >= best:
            break
        a, b = ours[i], theirs[j]
        size = max(size, *(abs(c) for p in (a.midpoint, b.midpoint) for c in p))
        best = min(best, _between(a, b))
    return 0.0 if best <= 1e-9 * size else best


def _box_distance(one: Box, other: Box) -> float:
    dx = max(one[0] - other[2], other[0] - one[2], 0.0)
    dy = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(dx, dy)


def _between(a: Shape, b: Shape) -> float:
    if isinstance(a, FullLine):
        a, b = b, a
    if isinstance(a, Line | FullLine) and isinstance(b, Line | FullLine):
        return _between_lines(a, b)

    def off(u: float) -> float:
        p = place(a, u)
        return math.dist(p, b.nearest(p))

    values = [off(i / GAP_INTERVALS) for i in range(GAP_INTERVALS + 1)]
    low = [i for i, v in enumerate(values) if v <= min(values[max(i - 1, 0) : i + 2])]
    return min(
        _least_value(off, max(i - 1, 0) / GAP_INTERVALS, min(i + 1, GAP_INTERVALS) / GAP_INTERVALS)
        for i in low
    )


def _between_lines(a: Line | FullLine, b: Line | FullLine) -> float:
    """Of straight lines: 0 where they cross, else the distance of one's end."""
    h = [_height_over_line(p, b) for p in (a.a, a.b)]
    k = [_height_over_line(p, a) for p in (b.a, b.b)]
    if h[0] * h[1] < 0 and k[0] * k[1] < 0:
        return 0.0
    ends = itertools.chain(((p, b) for p in (a.a, a.b)), ((p, a) for p in (b.a, b.b)))
    return min(math.dist(p, line.nearest(p)) for p, line in ends)


def _height_over_line(p: Point, line: Line | FullLine) -> float:
    return (line.b.x - line.a.x) * (p.y - line.a.y) - (line.b.y - line.a.y) * (p.x - line.a.x)


def _least_value(function: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a function with one minimum between two numbers, ends included, by the
    golden section.
    """
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [function(u) for u in inner]
    found = [function(low), function(high), *values]
    for _ in range(STEPS):
        if values[0] <= values[1]:
            high, inner, values = (
                inner[1],
                [inner[1] - _GOLDEN * (inner[1] - low), inner[0]],
                [math.nan, values[0]],
            )
            new = 0
        else:
            low, inner, values = (
                inner[0],
                [inner[1], inner[0] + _GOLDEN * (high - inner[0])],
                [values[1], math.nan],
            )
            new = 1
        values[new] = function(inner[new])
        found.append(values[new])
    return min(found)
