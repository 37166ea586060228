"""Which straight segments touch a line or an arc, and which points lie within an outline: exact geometry on arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis.bezier_contact import bezier_angles, crosses_to_the_right, touches_bezier
from core.analysis.straight import Floats, Mask, cross, distance, distance_to_each
from core.scene.bezier import Bezier
from core.scene.chain import Chain
from core.scene.outline import Edge
from core.scene.shapes import Arc, FullLine, Shape

TOUCH = 1e-7
"""How near counts as touching, in scene units times the length scale: an end computed to lie on an edge lies this near to it."""


def touches(p1: Floats, p2: Floats, shape: Shape, tolerance: float = TOUCH) -> Mask:
    """Which segments ``p1``-``p2`` (n, 2) come within ``tolerance`` of a line or an arc, ends included; (n,)."""
    if isinstance(shape, Arc):
        return _touches_arc(p1, p2, shape, tolerance)
    if isinstance(shape, Bezier):
        return touches_bezier(p1, p2, shape, tolerance)
    if isinstance(shape, Chain):
        near = np.zeros(len(p1), bool)
        for piece in shape.pieces:
            near |= touches_bezier(p1, p2, piece, tolerance)
        return near
    a, b = np.array(shape.a, float), np.array(shape.b, float)
    near = distance(p1, a, b) <= tolerance
    near |= distance(p2, a, b) <= tolerance
    near |= distance_to_each(a, p1, p2) <= tolerance
    near |= distance_to_each(b, p1, p2) <= tolerance
    d, e = p2 - p1, b - a
    side_1, side_2 = cross(e, p1 - a), cross(e, p2 - a)
    side_a, side_b = cross(d, a - p1), cross(d, b - p1)
    crossing: Mask = (side_1 * side_2 < 0) & (side_a * side_b < 0)
    near |= crossing
    return near


def _touches_arc(p1: Floats, p2: Floats, arc: Arc, tolerance: float) -> Mask:
    d = p2 - p1
    length = np.hypot(d[:, 0], d[:, 1])
    unit = d / np.where(length > 0, length, 1.0)[:, None]
    rel = p1 - np.array(arc.centre)
    foot = -(rel * unit).sum(axis=1)
    distance = np.abs(cross(rel, unit))
    half = np.sqrt(np.maximum(0.0, arc.radius**2 - distance**2))
    near = distance_to_each(np.array(arc.a), p1, p2) <= tolerance
    near |= distance_to_each(np.array(arc.b), p1, p2) <= tolerance
    # a segment meets the circle where its line does, or is nearest to it at its foot or at an end
    for s in (foot - half, foot + half, np.clip(foot, 0.0, length), np.zeros_like(length), length):
        x = rel + s[:, None] * unit
        on_circle = np.abs(np.hypot(x[:, 0], x[:, 1]) - arc.radius) <= tolerance
        near |= on_circle & (s >= -tolerance) & (s <= length + tolerance) & _within_sweep(x, arc, tolerance)
    return near


def _within_sweep(x: Floats, arc: Arc, tolerance: float) -> Mask:
    if arc.full:
        return np.ones(len(x), bool)
    slack = tolerance / arc.radius
    turn = (np.arctan2(x[:, 1], x[:, 0]) - arc.start) * np.copysign(1.0, arc.sweep)
    within: Mask = np.mod(turn + slack, 2 * np.pi) <= abs(arc.sweep) + 2 * slack
    return within


def incidence_angles(p1: Floats, p2: Floats, shape: Shape) -> Floats:
    """The angles in degrees, 0 to 90, between segments and the normal of an edge where they meet it; NaN for segments without length.

    On a Bezier curve that is where an end lies on it, the start before the end, or where it is crossed first.

    A straight line meets a circle at the same angle both times, so one answer serves.
    """
    d = p2 - p1
    length = np.hypot(d[:, 0], d[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):
        if isinstance(shape, Arc):
            sine = np.abs(cross(p1 - np.array(shape.centre), d)) / (length * shape.radius)
            return np.degrees(np.arcsin(np.minimum(sine, 1.0)))
        if isinstance(shape, Bezier):
            return bezier_angles(p1, p2, shape, TOUCH)
        if isinstance(shape, Chain):
            angles = np.full(len(p1), np.nan)
            for piece in shape.pieces:
                rows = np.flatnonzero(np.isnan(angles) & touches_bezier(p1, p2, piece, TOUCH))
                angles[rows] = bezier_angles(p1[rows], p2[rows], piece, TOUCH)
            return angles
        e = np.array(shape.b) - np.array(shape.a)
        along, across = np.abs(d @ e), np.abs(cross(d, e))
        return np.where(length > 0, np.degrees(np.arctan2(along, across)), np.nan)


def contains(edges: Sequence[Edge], points: Floats, tolerance: float = 1e-9) -> Mask:
    """Which points (n, 2) lie within an outline by the even-odd rule; a point on the outline, or that near to it, does not. (n,)."""
    inside = np.zeros(len(points), bool)
    on_edge = np.zeros(len(points), bool)
    for edge in edges:
        shape = edge.shape
        if isinstance(shape, FullLine):
            inside ^= shape.height(points[:, 0], points[:, 1]) < 0
            on_edge |= np.abs(shape.height(points[:, 0], points[:, 1])) <= tolerance
            continue
        a, b = shape.a, shape.b
        if isinstance(shape, Bezier):
            inside ^= crosses_to_the_right(shape, points)
        elif isinstance(shape, Chain):
            for piece in shape.pieces:
                inside ^= crosses_to_the_right(piece, points)
        elif not (isinstance(shape, Arc) and shape.full):
            inside ^= ((a.y > points[:, 1]) != (b.y > points[:, 1])) & _before_line(a, b, points)
        if isinstance(shape, Arc):
            # the region between an arc and its chord flips inside and outside
            r = np.hypot(points[:, 0] - shape.centre.x, points[:, 1] - shape.centre.y)
            control = _before_line(a, b, np.array([shape.midpoint]))[0]
            inside ^= (r < shape.radius) & (shape.full | (_before_line(a, b, points) == control))
        on_edge |= touches(points, points, shape, tolerance)
    return inside & ~on_edge


def _before_line(a: tuple[float, float], b: tuple[float, float], points: Floats) -> Mask:
    """On which side of the line through a and b points lie: left of it, or above it where it is level."""
    (ax, ay), (bx, by) = a, b
    if ay == by:
        return ay > points[:, 1]
    at: Floats = ax + (points[:, 1] - ay) * ((bx - ax) / (by - ay))
    return points[:, 0] < at
