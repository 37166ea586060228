"""Long chains of cubic Bezier curves in one array: the curves given by formulas, each a single
edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from raybench.shapes.bezier import GAUSS, Bezier
from raybench.shapes.point import Point

DRAWN = 600
"""Maximum number of points for drawing a chain."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Cubics, (n, 4, 2), in order; there is a gap if a cubic does not start at the end of the
    previous one.

    ``spans``, (n, 2), is the curve's own parameter at the start and end of each cubic, for
    parametric curves.
    """

    cubics: NDArray[np.float64]
    spans: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))

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
        return [self.piece(k) for k in range(len(self.cubics))]

    def piece(self, k: int) -> Bezier:
        """The cubic ``k``."""
        return Bezier(*(Point(x, y) for x, y in self.cubics[k].tolist()))

    @property
    def length(self) -> float:
        """The arc length: three-point Gauss-Legendre quadrature on each cubic."""
        tangents = 3 * np.diff(self.cubics, axis=1)
        total = 0.0
        for u, weight in GAUSS:
            weights = np.array([(1 - u) ** 2, 2 * u * (1 - u), u * u])
            total += weight * float(
                np.linalg.norm(np.einsum("i,nij->nj", weights, tangents), axis=1).sum()
            )
        return total

    @property
    def area(self) -> float:
        """The signed area between the curve and the origin, as `Bezier.area`: exact."""
        x, y = self.cubics[..., 0], self.cubics[..., 1]
        # the integral of (x dy - y dx) / 2 over a cubic, from the products of its Bernstein
        # polynomials
        pairs = ((0, 1, 0.3), (0, 2, 0.15), (0, 3, 0.05), (1, 2, 0.15), (1, 3, 0.15), (2, 3, 0.3))
        return float(sum(w * (x[:, i] * y[:, j] - x[:, j] * y[:, i]).sum() for i, j, w in pairs))

    def at(self, u: float) -> Point:
        """The point at a fraction ``u`` of the number of cubics."""
        place = min(len(self.cubics) - 1, int(u * len(self.cubics)))
        return self.piece(place).at(u * len(self.cubics) - place)

    def points(self, _step: float = 0.0) -> list[Point]:
        """Points along the curve, dense enough for drawing."""
        every = max(1, len(self.cubics) // DRAWN)
        chosen = self.cubics[::every]
        if len(chosen) < DRAWN // 4:
            return [p for piece in self.pieces for p in piece.points()[:-1]] + [self.b]
        return [Point(x, y) for x, y in chosen[:, 0].tolist()] + [self.b]

    def nearest(self, p: Point) -> Point:
        """The point of the curve that is nearest to ``p``."""
        distance = np.hypot(self.cubics[:, :, 0] - p.x, self.cubics[:, :, 1] - p.y).min(axis=1)
        near = np.argsort(distance)[:3]
        return min((self.piece(int(i)).nearest(p) for i in near), key=lambda q: math.dist(p, q))

    def reversed(self) -> Chain:
        """The same curve in the opposite direction."""
        return Chain(self.cubics[::-1, ::-1], self.spans[::-1, ::-1])
