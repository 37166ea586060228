"""Points, tangents, normals and bounding boxes of all shapes, computed exactly. Points are given by
a parameter from 0 to 1.
"""

import math
from collections.abc import Iterable

import numpy as np

from raybench.arrays import Floats
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape

Box = tuple[float, float, float, float]
"""A bounding box: left, top, right, bottom."""


def union_of_boxes(boxes: Iterable[Box | None]) -> Box | None:
    """The smallest box around all the boxes; None without boxes."""
    found = [box for box in boxes if box]
    if len(found) < 2:
        return found[0] if found else None
    lefts, tops, rights, bottoms = zip(*found, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def point_at_parameter(shape: Shape, u: float) -> Point:
    """The point at the parameter ``u`` from 0 to 1. At 0 and 1 it is exactly an end of the
    shape.
    """
    if u in (0.0, 1.0):
        return shape.b if u else shape.a
    if isinstance(shape, Line | FullLine):
        a, b = shape.a, shape.b
        return Point(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y))
    return shape.at(u)


def tangent(shape: Shape, u: float) -> tuple[float, float]:
    """The derivative of the point with respect to the parameter, at ``u``."""
    if isinstance(shape, Arc):
        angle = shape.start + u * shape.sweep
        return -shape.radius * shape.sweep * math.sin(angle), shape.radius * shape.sweep * math.cos(
            angle
        )
    if isinstance(shape, Parabola):
        tx, ty, half, c = shape.local_frame
        slope = 2 * c * (2 * u - 1) * half
        return 2 * half * (tx + slope * ty), 2 * half * (ty - slope * tx)
    if isinstance(shape, Bezier):
        return shape.derivative(u)
    if isinstance(shape, Chain):
        count = len(shape.cubics)
        k = min(count - 1, int(u * count))
        dx, dy = shape.cubic_at(k).derivative(u * count - k)
        return dx * count, dy * count
    return shape.b.x - shape.a.x, shape.b.y - shape.a.y


def left_normal_at_parameter(shape: Shape, u: float) -> tuple[float, float]:
    """The unit normal to the left, on screen, of the direction of a shape. (0, 0) where the
    derivative is 0.
    """
    dx, dy = tangent(shape, u)
    norm = math.hypot(dx, dy)
    return (dy / norm + 0.0, -dx / norm + 0.0) if norm > 0 else (0.0, 0.0)


def bounding_box_of(shape: Shape) -> Box:
    """The bounding box of a shape. For an infinite line it is the whole plane."""
    match shape:
        case FullLine():
            return -math.inf, -math.inf, math.inf, math.inf
        case Arc():
            (cx, cy), r, sign = shape.centre, shape.radius, math.copysign(1.0, shape.sweep)
            sides = enumerate(
                (Point(cx + r, cy), Point(cx, cy + r), Point(cx - r, cy), Point(cx, cy - r))
            )
            reached = (
                p
                for k, p in sides
                if (k * math.pi / 2 - shape.start) * sign % (2 * math.pi) <= abs(shape.sweep)
            )
            points = [shape.a, shape.b, *reached]
        case Parabola():
            return bounding_box_of(parabola_as_bezier(shape))
        case Bezier():
            return _box_of_cubics(np.array([[shape.p0, shape.p1, shape.p2, shape.p3]], float))
        case Chain():
            return _box_of_cubics(shape.cubics)
        case Line():
            points = [shape.a, shape.b]
    xs, ys = [p.x for p in points], [p.y for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def parabola_as_bezier(parabola: Parabola) -> Bezier:
    """The parabola as a cubic Bezier curve. Each control point lies two thirds of the way from an
    end to the point where the end tangents meet.
    """
    a, b = parabola.a, parabola.b
    tx, ty, half, c = parabola.local_frame
    y = -c * half * half
    corner = Point(parabola.vertex.x + y * ty, parabola.vertex.y - y * tx)
    c1, c2 = (Point(p.x + (corner.x - p.x) * 2 / 3, p.y + (corner.y - p.y) * 2 / 3) for p in (a, b))
    return Bezier(a, c1, c2, b)


def _box_of_cubics(cubics: Floats) -> Box:
    """The bounding box of cubics (n, 4, 2), from their ends and the points where the derivative is
    0.
    """
    p0, p1, p2, p3 = np.moveaxis(cubics, 1, 0)
    a, b, c = (
        p3 - 3 * p2 + 3 * p1 - p0,
        p2 - 2 * p1 + p0,
        p1 - p0,
    )  # the derivative is 3 (a u² + 2 b u + c)
    with np.errstate(all="ignore"):
        q = -(b + np.copysign(np.sqrt(b * b - a * c), b))
        roots = np.stack([q / a, c / q])
    u = np.where((roots > 0) & (roots < 1), roots, 0.0)
    v = 1 - u
    turns = v * v * v * p0 + 3 * v * v * u * p1 + 3 * v * u * u * p2 + u * u * u * p3
    at = np.concatenate([p0, p3, *turns])
    (left, top), (right, bottom) = at.min(axis=0).tolist(), at.max(axis=0).tolist()
    return left, top, right, bottom
