"""Where curves meet near a point: intersections, feet of perpendiculars and points of tangency."""

from __future__ import annotations

import math
from itertools import pairwise

from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape

STEPS = 12
CLOSE = 1e-9
"""Largest distance of an intersection from both curves, relative to its coordinates."""


def intersection(a: Shape, b: Shape, near: Point) -> Point | None:
    """The intersection of two curves that Newton's method finds from a point; None if it finds
    none.
    """
    at = near
    for _ in range(STEPS):
        (p, (ux, uy)), (q, (vx, vy)) = _touching(a, at), _touching(b, at)
        det = ux * vy - uy * vx
        if abs(det) < 1e-12:
            return None
        along = ((q.x - p.x) * vy - (q.y - p.y) * vx) / det
        new = Point(p.x + along * ux, p.y + along * uy)
        if math.dist(new, at) <= 1e-14 * (1 + abs(at.x) + abs(at.y)):
            break
        at = new
    size = CLOSE * (1 + abs(at.x) + abs(at.y))
    return (
        at
        if math.dist(a.nearest(at), at) <= size and math.dist(b.nearest(at), at) <= size
        else None
    )


def _touching(shape: Shape, at: Point) -> tuple[Point, tuple[float, float]]:
    """The nearest point of a curve and its unit tangent there."""
    near = shape.nearest(at)
    if isinstance(shape, Arc):
        x, y = near.x - shape.centre.x, near.y - shape.centre.y
        length = math.hypot(x, y) or 1.0
        return near, (-y / length, x / length)
    if isinstance(shape, FullLine):
        return near, shape.unit
    ends = pairwise(shape.points())
    line = min(
        (Line(a, b) for a, b in ends), key=lambda piece: math.dist(piece.nearest(near), near)
    )
    length = line.length or 1.0
    return near, ((line.b.x - line.a.x) / length, (line.b.y - line.a.y) / length)


def foot(shape: Shape, of: Point) -> list[Point]:
    """The points of a line or an arc whose normal goes through a point."""
    if isinstance(shape, Line):
        if shape.a == shape.b:
            return []
        at = FullLine(shape.a, shape.b).nearest(of)
        return (
            [at]
            if math.dist(shape.nearest(at), at) <= CLOSE * (1 + shape.length)
            and math.dist(at, of) > 0
            else []
        )
    if isinstance(shape, FullLine):
        return [shape.nearest(of)]
    if not isinstance(shape, Arc):
        return []
    x, y = of.x - shape.centre.x, of.y - shape.centre.y
    distance = math.hypot(x, y)
    if distance == 0:
        return []
    x, y = x / distance * shape.radius, y / distance * shape.radius
    both = (
        Point(shape.centre.x + x, shape.centre.y + y),
        Point(shape.centre.x - x, shape.centre.y - y),
    )
    return [p for p in both if math.dist(shape.nearest(p), p) <= CLOSE * (1 + shape.radius)]


def tangent_points(arc: Arc, of: Point) -> list[Point]:
    """The points of an arc whose tangent goes through a point outside its circle."""
    x, y = of.x - arc.centre.x, of.y - arc.centre.y
    distance = math.hypot(x, y)
    if distance <= arc.radius:
        return []
    towards, half = math.atan2(y, x), math.acos(arc.radius / distance)
    both = [
        Point(arc.centre.x + arc.radius * math.cos(a), arc.centre.y + arc.radius * math.sin(a))
        for a in (towards - half, towards + half)
    ]
    return [p for p in both if math.dist(arc.nearest(p), p) <= CLOSE * (1 + arc.radius)]
