"""Shapes for the plain tracer: where a line meets an object, with what tangent, and on which side
it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from tests.physics.plain_formulas import polyline, value

from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.curved_glasses import CustomGlass
from raybench.kinds.custom_surfaces import CustomArcSurface, CustomSurface
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, CustomMirror, IdealMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.shapes.point import Point

END = 1e-9
"""How far ends reach, in length scales: "inclusive" but for rounding."""
PARALLEL = 1e-14
"""The sine of the least angle at which a ray and a line meet: below it, it is rounding that decides
where.
"""
ENDS = (
    Mirror
    | BeamSplitter
    | Blocker
    | IdealLens
    | IdealMirror
    | Detector
    | DiffractionGrating
    | CustomSurface
)
ARCS = ArcMirror | CustomArcSurface


def cross(a: complex, b: complex) -> float:
    return (a.conjugate() * b).imag


def dot(a: complex, b: complex) -> float:
    return (a.conjugate() * b).real


def point(p: Point) -> complex:
    return complex(p.x, p.y)


@dataclass(frozen=True)
class LineSegment:
    a: complex
    b: complex
    endless: bool = False

    def meetings(self, at: complex, along: complex, end: float) -> Iterator[float]:
        way = (self.b - self.a) / abs(self.b - self.a)
        across = cross(along, way)
        if abs(across) < PARALLEL:
            return
        place = cross(self.a - at, along) / across
        if self.endless or -end <= place <= abs(self.b - self.a) + end:
            yield cross(self.a - at, way) / across

    def tangent(self, x: complex) -> complex:
        return (self.b - self.a) / abs(self.b - self.a)


@dataclass(frozen=True)
class Round:
    """A circle, or the arc of it from a through m to b."""

    centre: complex
    radius: float
    arc: tuple[complex, complex, complex] | None = None

    def meetings(self, at: complex, along: complex, end: float) -> Iterator[float]:
        middle, off = dot(along, self.centre - at), cross(along, self.centre - at)
        if abs(off) > self.radius:
            return
        half = math.sqrt(self.radius**2 - off**2)
        for s in (middle - half, middle + half):
            if self.arc is not None:
                a, m, b = self.arc
                side = cross(b - a, m - a)
                if cross(b - a, at + s * along - a) * math.copysign(1, side) < -end * abs(b - a):
                    continue
            yield s

    def tangent(self, x: complex) -> complex:
        turn = 1j
        if self.arc is not None and cross(self.arc[1] - self.arc[0], self.arc[2] - self.arc[1]) < 0:
            turn = -1j
        return (x - self.centre) / abs(x - self.centre) * turn


def sides(obj: SceneObject) -> list[LineSegment | Round]:
    """The sides of an object, each in its own direction."""
    if isinstance(obj, PlaneGlass):
        return [LineSegment(point(obj.p1), point(obj.p2), endless=True)]
    if isinstance(obj, Glass):
        corners = [complex(v.x, v.y) for v in obj.path]
        return [LineSegment(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    if isinstance(obj, ENDS):
        return [LineSegment(point(obj.p1), point(obj.p2))]
    if isinstance(obj, Aperture):
        return [
            LineSegment(point(obj.p1), point(obj.p3)),
            LineSegment(point(obj.p4), point(obj.p2)),
        ]
    if isinstance(obj, CircleGlass | CircleBlocker):
        return [Round(point(obj.p1), abs(point(obj.p2) - point(obj.p1)))]
    if isinstance(obj, ARCS):
        a, m, b = point(obj.p1), point(obj.p3), point(obj.p2)
        u, v = a - m, b - m
        centre = m - (abs(u) ** 2 * v - abs(v) ** 2 * u) * 1j / (2 * cross(u, v))
        return [Round(centre, abs(a - centre), (a, m, b))]
    if isinstance(obj, CustomMirror):
        return joined(graph(obj.eqn, point(obj.p1), point(obj.p2)))
    if isinstance(obj, CustomGlass):
        p1, p2 = point(obj.p1), point(obj.p2)
        lower, upper = graph(obj.eqn1, p1, p2), graph(obj.eqn2, p1, p2)[::-1]
        return joined([*lower, *upper, lower[0]])
    return []


def joined(corners: list[complex]) -> list[LineSegment | Round]:
    return [LineSegment(a, b) for a, b in pairwise(corners) if abs(b - a) > END]


@lru_cache(maxsize=1000)
def corners_of(equation: str) -> tuple[tuple[float, float], ...]:
    return tuple(polyline(lambda x: value(equation, {"x": x}), -1.0, 1.0))


def graph(equation: str, p1: complex, p2: complex) -> list[complex]:
    """Corners of y = f(x), where p1 is at x = -1 and p2 at x = 1, and y is up for ends from left to
    right.
    """
    along = (p2 - p1) / 2
    return [(p1 + p2) / 2 + along * complex(x, -y) for x, y in corners_of(equation)]


def even_odd(obj: Glass, x: complex) -> bool:
    """Whether a point is in a polygon."""
    right = [s.a.real + (x.imag - s.a.imag) * (s.b.real - s.a.real) / (s.b.imag - s.a.imag)
             for s in sides(obj) if isinstance(s, LineSegment) and (s.a.imag > x.imag) != (s.b.imag > x.imag)]  # fmt: skip
    return sum(r > x.real for r in right) % 2 == 1
