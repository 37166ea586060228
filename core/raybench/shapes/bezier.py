"""Cubic Bezier curves (Farin, Curves and Surfaces for CAGD, chapter 4): single curves and long
chains.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats
from raybench.shapes.point import Point, midpoint

# three-point Gauss-Legendre: exact for polynomials up to the fifth degree, as x dy of a cubic is
GAUSS_NODES = ((0.5 - math.sqrt(0.15), 5 / 18), (0.5, 8 / 18), (0.5 + math.sqrt(0.15), 5 / 18))


class CurveNode(NamedTuple):
    """A node of a chain of cubic Bezier curves: the start of a curve and its two control points.
    The last node of an open chain has no control points.
    """

    a1: Point
    c1: Point | None = None
    c2: Point | None = None


def insert_node_after(nodes: tuple[CurveNode, ...], index: int) -> tuple[CurveNode, ...]:
    """The same curve with a node inserted in the middle of the cubic that starts at node ``index``
    (de Casteljau's algorithm).
    """
    node, end = nodes[index], nodes[(index + 1) % len(nodes)].a1
    a, b, c = node.a1, node.c1 or node.a1, node.c2 or end
    ab, bc, cd = midpoint(a, b), midpoint(b, c), midpoint(c, end)
    left, right = midpoint(ab, bc), midpoint(bc, cd)
    return (
        *nodes[:index],
        CurveNode(a, ab, left),
        CurveNode(midpoint(left, right), right, cd),
        *nodes[index + 1 :],
    )


def remove_node(nodes: tuple[CurveNode, ...], index: int, *, closed: bool) -> tuple[CurveNode, ...]:
    """The chain without the node ``index``. Its neighbours are joined by one cubic with the same
    directions at its ends.
    """
    out = list(nodes)
    if closed or 0 < index < len(nodes) - 1:
        out[index - 1] = out[index - 1]._replace(c2=nodes[index].c2)
    elif index == len(nodes) - 1:
        out[index - 1] = CurveNode(out[index - 1].a1)
    del out[index]
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Bezier:
    """The cubic Bezier curve from ``p0`` to ``p3`` with the control points ``p1`` and ``p2``."""

    p0: Point
    p1: Point
    p2: Point
    p3: Point

    @property
    def a(self) -> Point:
        return self.p0

    @property
    def b(self) -> Point:
        return self.p3

    @property
    def midpoint(self) -> Point:
        return self.at(0.5)

    def at(self, u: float) -> Point:
        """The point at the parameter ``u`` from 0 to 1."""
        v = 1 - u
        w0 = v * v * v
        w1 = 3 * v * v * u
        w2 = 3 * v * u * u
        w3 = u * u * u
        return Point(
            w0 * self.p0.x + w1 * self.p1.x + w2 * self.p2.x + w3 * self.p3.x,
            w0 * self.p0.y + w1 * self.p1.y + w2 * self.p2.y + w3 * self.p3.y,
        )

    def derivative(self, u: float) -> tuple[float, float]:
        """The derivative of the point with respect to the parameter."""
        v = 1 - u
        w0, w1, w2 = 3 * v * v, 6 * v * u, 3 * u * u
        return (
            w0 * (self.p1.x - self.p0.x)
            + w1 * (self.p2.x - self.p1.x)
            + w2 * (self.p3.x - self.p2.x),
            w0 * (self.p1.y - self.p0.y)
            + w1 * (self.p2.y - self.p1.y)
            + w2 * (self.p3.y - self.p2.y),
        )

    @property
    def length(self) -> float:
        """The arc length, with a relative error of about 1e-9, by Gauss-Legendre quadrature on 32
        intervals.
        """
        total = 0.0
        for i in range(32):
            for x, weight in GAUSS_NODES:
                total += weight / 32 * math.hypot(*self.derivative((i + x) / 32))
        return total

    @property
    def area(self) -> float:
        """The signed area between the curve and the origin, computed exactly: half the integral of
        x dy - y dx.
        """
        total = 0.0
        for u, weight in GAUSS_NODES:
            (x, y), (dx, dy) = self.at(u), self.derivative(u)
            total += weight * (x * dy - y * dx) / 2
        return total

    def points(self, step: float = math.radians(2)) -> list[Point]:
        """Points along the curve for drawing. The more the control polygon bends, the more points
        there are.
        """
        corners = [self.p0, self.p1, self.p2, self.p3]
        ways = [(b.x - a.x, b.y - a.y) for a, b in pairwise(corners) if a != b]
        turn = sum(
            abs(math.atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]))
            for u, v in pairwise(ways)
        )
        n = min(256, max(2, math.ceil(1.5 * turn / step)))
        return [self.at(i / n) for i in range(n + 1)]

    def nearest(self, p: Point) -> Point:
        """The point of the curve that is nearest to ``p``."""
        return self.at(self.parameter_nearest(p))

    def parameter_nearest(self, p: Point) -> float:
        """The parameter of the point nearest to ``p``: the best of many samples, refined by
        Newton's method.
        """
        u = min(
            (i / 64 for i in range(65)),
            key=lambda u: math.hypot(self.at(u).x - p.x, self.at(u).y - p.y),
        )
        for _ in range(8):
            q, (dx, dy) = self.at(u), self.derivative(u)
            square = dx * dx + dy * dy
            if square == 0:
                break
            u = min(1.0, max(0.0, u + ((p.x - q.x) * dx + (p.y - q.y) * dy) / square))
        return u


MAX_DRAWN_POINTS = 600
"""Maximum number of points for drawing a chain."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Cubic Bezier curves (n, 4, 2) in order. If a curve does not start at the end of the previous
    one, there is a gap.

    ``spans``, (n, 2), is the curve's own parameter at the start and end of each cubic, for
    parametric curves.
    """

    cubics: Floats
    spans: Floats = field(default_factory=lambda: np.empty((0, 2)))

    @property
    def a(self) -> Point:
        return Point(*self.cubics[0, 0].tolist())

    @property
    def b(self) -> Point:
        return Point(*self.cubics[-1, 3].tolist())

    @property
    def midpoint(self) -> Point:
        return self.at(0.5)

    @property
    def pieces(self) -> list[Bezier]:
        return [self.cubic_at(k) for k in range(len(self.cubics))]

    def cubic_at(self, k: int) -> Bezier:
        """The cubic with the index ``k``."""
        return Bezier(*(Point(x, y) for x, y in self.cubics[k].tolist()))

    @property
    def length(self) -> float:
        """The arc length: three-point Gauss-Legendre quadrature on each cubic."""
        tangents = 3 * np.diff(self.cubics, axis=1)
        total = 0.0
        for u, weight in GAUSS_NODES:
            weights = np.array([(1 - u) ** 2, 2 * u * (1 - u), u * u])
            total += weight * float(
                np.linalg.norm(np.einsum("i,nij->nj", weights, tangents), axis=1).sum()
            )
        return total

    @property
    def area(self) -> float:
        """The signed area between the curve and the origin, computed exactly (see `Bezier.area`)."""
        x, y = self.cubics[..., 0], self.cubics[..., 1]
        # the integral of (x dy - y dx) / 2 over a cubic, from the products of its Bernstein
        # polynomials
        pairs = ((0, 1, 0.3), (0, 2, 0.15), (0, 3, 0.05), (1, 2, 0.15), (1, 3, 0.15), (2, 3, 0.3))
        return float(sum(w * (x[:, i] * y[:, j] - x[:, j] * y[:, i]).sum() for i, j, w in pairs))

    def at(self, u: float) -> Point:
        """The point at the parameter ``u`` from 0 to 1, which is a fraction of the number of
        cubics.
        """
        place = min(len(self.cubics) - 1, int(u * len(self.cubics)))
        return self.cubic_at(place).at(u * len(self.cubics) - place)

    def points(self, _step: float = 0.0) -> list[Point]:
        """Points along the curve that are dense enough for drawing."""
        every = max(1, len(self.cubics) // MAX_DRAWN_POINTS)
        chosen = self.cubics[::every]
        if len(chosen) < MAX_DRAWN_POINTS // 4:
            return [p for piece in self.pieces for p in piece.points()[:-1]] + [self.b]
        return [Point(x, y) for x, y in chosen[:, 0].tolist()] + [self.b]

    def nearest(self, p: Point) -> Point:
        """The point of the curve that is nearest to ``p``."""
        distance = np.hypot(self.cubics[:, :, 0] - p.x, self.cubics[:, :, 1] - p.y).min(axis=1)
        near = np.argsort(distance)[:3]
        return min((self.cubic_at(int(i)).nearest(p) for i in near), key=lambda q: math.dist(p, q))

    def reversed(self) -> Chain:
        """The same curve in the opposite direction."""
        return Chain(self.cubics[::-1, ::-1], self.spans[::-1, ::-1])
