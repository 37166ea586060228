"""Edges as curves with a parameter from 0 to 1: lengths, distances and points on arrays, exact for
every shape.
"""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np

from raybench.analysis.geometry.contact import (
    distance_to_bezier,
    nearest_parameter,
    points_of,
)
from raybench.analysis.geometry.straight import Floats, distance, lengths
from raybench.shapes.bezier import Bezier
from raybench.shapes.chain import Chain
from raybench.shapes.curves import as_bezier, left_normal, place, tangent
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


def places(shape: Shape, us: Floats) -> Floats:
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
    cubics = shape.cubics if isinstance(shape, Chain) else _hull(shape)[None]
    gaps = np.hypot(*(cubics - points[:, None, None]).transpose(3, 0, 1, 2)).min(axis=2)
    near = np.argsort(gaps, axis=1, kind="stable")[
        :, :3
    ]  # the nearest point is on one of these pieces
    hulls, there = cubics[near.ravel()], np.repeat(points, near.shape[1], axis=0)
    u = nearest_parameter(there, hulls)
    best = lengths(points_of(hulls, u) - there).reshape(near.shape).argmin(axis=1)[:, None]
    parameters: Floats = (
        np.take_along_axis(near + u.reshape(near.shape), best, axis=1) / len(cubics)
    )[:, 0]
    return parameters


def distances(points: Floats, shape: Shape) -> Floats:
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
        return distance_to_bezier(points, _hull(shape))
    return distance(points, np.array(shape.a, float), np.array(shape.b, float))


def _hull(curve: Bezier | Parabola) -> Floats:
    """The four control points of a cubic, or of a parabola as a cubic, (4, 2)."""
    cubic = as_bezier(curve) if isinstance(curve, Parabola) else curve
    return np.array([cubic.p0, cubic.p1, cubic.p2, cubic.p3], float)
