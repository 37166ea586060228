"""Edges as curves with a parameter from 0 to 1: points, lengths and distances; the intervals in
which two curves coincide, as on cemented surfaces; the least distance between two outlines.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from raybench.analysis.geometry.cubics import (
    cubic_at_parameter,
    cubic_points,
    cubic_tangents,
    curve_control_points,
    nearest_parameters_on_cubics,
)
from raybench.analysis.geometry.straight import Floats, Mask, unit_vectors, vector_lengths
from raybench.shapes.curves import Box, bounding_box_of, left_normal_at_parameter
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape

MANY = 64
"""For chains of more cubics than this, the stored length of the chain is accurate enough."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


ShapeKind = Literal["line", "arc", "conic", "curve"]


def shape_kind(shape: Shape) -> ShapeKind:
    """The displayed kind of a shape: ``line``, ``arc``, ``conic`` or ``curve``."""
    match shape:
        case Line() | FullLine():
            return "line"
        case Arc():
            return "arc"
        case Parabola():
            return "conic"
    return "curve"


def points_at_parameters(shape: Shape, us: Floats) -> Floats:
    """The points (n, 2) of a shape at the parameters ``us`` (n,)."""
    if isinstance(shape, Line | FullLine):
        a, b = np.array(shape.a), np.array(shape.b)
        line: Floats = a + us[:, None] * (b - a)
        return line
    if isinstance(shape, Arc):
        angle = shape.start + us * shape.sweep
        unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        arc: Floats = np.array(shape.centre) + shape.radius * unit
        return arc
    return cubic_points(*cubic_at_parameter(curve_control_points(shape), us))


def tangents_at_parameters(shape: Shape, us: Floats) -> Floats:
    """The derivatives (n, 2) of a shape at the parameters ``us`` (n,)."""
    if isinstance(shape, Line | FullLine):
        return np.broadcast_to(np.array(shape.b) - np.array(shape.a), (len(us), 2))
    if isinstance(shape, Arc):
        angle = shape.start + us * shape.sweep
        unit = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
        return shape.radius * shape.sweep * unit
    cubics = curve_control_points(shape)
    return len(cubics) * cubic_tangents(*cubic_at_parameter(cubics, us))


def left_normals(shape: Shape, us: Floats) -> Floats:
    """The unit normals (n, 2) of a shape at the parameters ``us`` (n,), on the side of
    `raybench.shapes.curves.left_normal_at_parameter`.
    """
    if isinstance(shape, Line | FullLine):
        return np.broadcast_to(np.array(left_normal_at_parameter(shape, 0.5)), (len(us), 2))
    unit, _ = unit_vectors(tangents_at_parameters(shape, us))
    return np.stack([unit[:, 1], -unit[:, 0]], axis=1)


def length_between(shape: Shape, u0: float, u1: float) -> float:
    """The length of a shape from parameter ``u0`` to ``u1``: in closed form for lines and arcs,
    otherwise by Gauss-Legendre quadrature.
    """
    if isinstance(shape, Line | FullLine | Arc):
        return shape.length * (u1 - u0)
    count = len(curve_control_points(shape))
    if (u0, u1) == (0.0, 1.0) and count > MANY:
        return shape.length
    pieces = count * max(1, 8 // count)
    borders = np.arange(1, pieces) / pieces
    cuts = np.array([u0, *borders[(u0 < borders) & (borders < u1)], u1])
    half, middle = np.diff(cuts)[:, None] / 2, (cuts[1:] + cuts[:-1])[:, None] / 2
    speed = vector_lengths(tangents_at_parameters(shape, (middle + half * _NODES).ravel()))
    return float((half * _WEIGHTS * speed.reshape(-1, len(_NODES))).sum())


def nearest_parameters_on_shape(shape: Shape, points: Floats) -> tuple[Floats, Floats]:
    """The parameters (n,) at which a shape is nearest to points (n, 2), and the distances (n,)."""
    if isinstance(shape, Arc):
        rel = points - np.array(shape.centre)
        angle = (np.arctan2(rel[:, 1], rel[:, 0]) - shape.start) * math.copysign(1.0, shape.sweep)
        turn = np.mod(angle, 2 * math.pi)
        within = turn <= abs(shape.sweep)
        to_ends = np.stack([vector_lengths(points - np.array(end)) for end in (shape.a, shape.b)])
        return (
            np.where(within, turn / abs(shape.sweep), to_ends.argmin(axis=0)),
            np.where(within, np.abs(vector_lengths(rel) - shape.radius), to_ends.min(axis=0)),
        )
    if isinstance(shape, Line | FullLine):
        a, b = np.array(shape.a), np.array(shape.b)
        square = float((b - a) @ (b - a))
        u = (points - a) @ (b - a) / square if square > 0 else np.zeros(len(points))
        u = np.clip(u, 0.0, 1.0)
        return u, vector_lengths(points - points_at_parameters(shape, u))
    return nearest_parameters_on_cubics(curve_control_points(shape), points)


ROUNDING = 1e-12
"""Tolerance within which a parameter is rounded to 0 or 1."""
SAMPLES = 33
"""Evenly spaced samples of a curve at which its distance from another is evaluated first, besides
those nearest to the other's ends.
"""


def contact_intervals(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """The parameter intervals of ``shape`` within ``tolerance`` of ``other``. A mere crossing is no
    contact.
    """
    if isinstance(shape, Line | FullLine) and isinstance(other, Line | FullLine):
        intervals = _line_contact_intervals(shape, other, tolerance)
    elif (
        isinstance(shape, Arc)
        and isinstance(other, Arc)
        and circles_without_contact(shape, np.array([circle_of_arc(other)]), tolerance)[0]
    ):
        return []
    else:
        intervals = _curve_contact_intervals(shape, other, tolerance)
    least = least_contact_length(shape.length, other.length, tolerance)
    # snap to the ends, so that rounding leaves no tiny remainder there
    intervals = [
        (0.0 if u0 < ROUNDING else u0, 1.0 if u1 > 1.0 - ROUNDING else u1) for u0, u1 in intervals
    ]
    return [(u0, u1) for u0, u1 in intervals if length_between(shape, u0, u1) > least]


def least_contact_length(length: float, other: Any, tolerance: float) -> Any:
    """The least length of an overlap that counts as a contact of two curves. ``length`` and
    ``other`` are the lengths of the curves; ``other`` may be an array.
    """
    return np.maximum(4 * tolerance, np.minimum(1e3 * tolerance, 0.01 * np.minimum(length, other)))


def _line_contact_intervals(
    shape: Line | FullLine, other: Line | FullLine, tolerance: float
) -> list[tuple[float, float]]:
    """The parameter interval in which the first line is within ``tolerance`` of the second, as a
    list of one interval; empty if there is none.
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
    """The centre (x, y), radius and length of an arc, as `circles_without_contact` expects them."""
    return arc.centre.x, arc.centre.y, arc.radius, arc.length


def circles_without_contact(arc: Arc, others: Floats, tolerance: float) -> Mask:
    """Mask (n,) of the circles ``others`` (n, 4), see `circle_of_arc`, that have no contact with an
    arc: they miss the arc, or cross it too steeply. Rows of NaN stand for no circle.
    """
    x, y, q, length = others.T
    r, d = arc.radius, np.hypot(x - arc.centre.x, y - arc.centre.y)
    least = least_contact_length(arc.length, length, tolerance)
    with np.errstate(all="ignore"):
        apart = (np.abs(r - d) - tolerance > q) | (q > r + d + tolerance)
        sine = np.sqrt(np.maximum(0.0, 1 - ((r * r + q * q - d * d) / (2 * r * q)) ** 2))
        # over so short a length the circles are nearly straight, and two lines are closer than the
        # tolerance over 2 / sine times it
        mask: Mask = apart | (
            (least * sine > 3 * tolerance) & (least < 0.1 * sine * np.minimum(r, q))
        )
    return mask


def _curve_contact_intervals(
    shape: Shape, other: Shape, tolerance: float
) -> list[tuple[float, float]]:
    """Like `contact_intervals`, for any shapes. The first curve is sampled, then the ends of each
    interval are refined.
    """
    marks, _ = nearest_parameters_on_shape(
        shape, points_at_parameters(other, np.array([0.0, 0.5, 1.0]))
    )
    us = np.unique(
        np.concatenate([np.linspace(0, 1, SAMPLES), marks, (marks[1:] + marks[:-1]) / 2])
    )

    def is_near(values: Floats) -> Mask:
        on: Mask = (
            nearest_parameters_on_shape(other, points_at_parameters(shape, values))[1] <= tolerance
        )
        return on

    change = np.diff(is_near(us).astype(np.int8), prepend=0, append=0)
    runs = zip(np.flatnonzero(change > 0), np.flatnonzero(change < 0) - 1, strict=True)
    return [
        (
            _refine_interval_end(us[first], us[first - 1], is_near) if first > 0 else float(us[0]),
            _refine_interval_end(us[last], us[last + 1], is_near)
            if last + 1 < len(us)
            else float(us[-1]),
        )
        for first, last in runs
        if first < last
    ]


def _refine_interval_end(near_u: float, far_u: float, near: Callable[[Floats], Mask]) -> float:
    """The parameter at which two curves begin to be near each other. They are near at ``near_u``,
    and not near at ``far_u``. Each iteration takes 32 samples.
    """
    for _ in range(10):
        us = np.linspace(near_u, far_u, 34)
        on = near(us[1:-1])
        k = int(np.argmin(on)) if not on.all() else len(on)
        near_u, far_u = float(us[k]), float(us[k + 1])
    return near_u


GAP_INTERVALS = 32
"""Intervals of a curve in which the least distance is looked for, and of each of these again."""
ZOOMS = 10
"""How often an interval is shortened, together to 1e-12 of itself."""


def least_clearance(one: Sequence[Shape], other: Sequence[Shape]) -> float:
    """The least distance between two outlines. It is 0 if they touch or cross, or if the distance
    is below 1e-9 of their size.
    """
    pairs = sorted(
        (_box_distance(bounding_box_of(a), bounding_box_of(b)), i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
    )
    best, size = math.inf, 0.0
    for least, i, j in pairs:
        if least >= best:
            break
        a, b = one[i], other[j]
        size = max(size, *(abs(c) for p in (a.midpoint, b.midpoint) for c in p))
        best = min(best, _least_distance(a, b))
    return 0.0 if best <= 1e-9 * size else best


def _box_distance(one: Box, other: Box) -> float:
    dx = max(one[0] - other[2], other[0] - one[2], 0.0)
    dy = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(dx, dy)


def _least_distance(a: Shape, b: Shape) -> float:
    if isinstance(a, FullLine):
        a, b = b, a

    def distance_at(us: Floats) -> Floats:
        points = points_at_parameters(a, us)
        if isinstance(b, FullLine):
            return np.abs(b.signed_distance(points[:, 0], points[:, 1]))
        return nearest_parameters_on_shape(b, points)[1]

    us = np.linspace(0, 1, GAP_INTERVALS + 1)
    values = distance_at(us)
    beside = np.pad(values, 1, constant_values=np.inf)
    best = float(values.min())
    for k in np.flatnonzero((values <= beside[:-2]) & (values <= beside[2:])).tolist():
        low, high = us[max(k - 1, 0)], us[min(k + 1, GAP_INTERVALS)]
        for _ in range(ZOOMS):
            inner = np.linspace(low, high, GAP_INTERVALS + 1)
            found = distance_at(inner)
            best = min(best, float(found.min()))
            i = int(found.argmin())
            low, high = inner[max(i - 1, 0)], inner[min(i + 1, GAP_INTERVALS)]
    return best
