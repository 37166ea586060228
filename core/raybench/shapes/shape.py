"""The shapes of objects' edges: lines, circular arcs and parabolas."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from raybench.arrays import Floats
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.point import Point, midpoint

FloatOrArray = TypeVar("FloatOrArray", float, Floats)


@dataclass(frozen=True, slots=True)
class Line:
    """The segment from ``a`` to ``b``."""

    a: Point
    b: Point

    @property
    def length(self) -> float:
        return math.hypot(self.b.x - self.a.x, self.b.y - self.a.y)

    @property
    def midpoint(self) -> Point:
        return midpoint(self.a, self.b)

    def points(self, _step: float = 0.0) -> list[Point]:
        return [self.a, self.b]

    def nearest(self, p: Point) -> Point:
        """The point of the segment that is nearest to ``p``."""
        dx, dy = self.b.x - self.a.x, self.b.y - self.a.y
        square = dx * dx + dy * dy
        u = (
            0.0
            if square == 0
            else min(1.0, max(0.0, ((p.x - self.a.x) * dx + (p.y - self.a.y) * dy) / square))
        )
        return Point(self.a.x + u * dx, self.a.y + u * dy)


@dataclass(frozen=True, slots=True)
class Arc:
    """A circular arc that starts at the angle ``start`` and runs through the angle ``sweep``, both
    in rad. Positive angles are clockwise on screen, since y points down.
    """

    centre: Point
    radius: float
    start: float
    sweep: float

    @property
    def is_full_circle(self) -> bool:
        return abs(self.sweep) >= 2 * math.pi

    @property
    def a(self) -> Point:
        return self.at(0.0)

    @property
    def b(self) -> Point:
        return self.at(1.0)

    @property
    def length(self) -> float:
        return self.radius * abs(self.sweep)

    @property
    def midpoint(self) -> Point:
        return self.at(0.5)

    def at(self, u: float) -> Point:
        """The point at a fraction ``u`` of the arc's length."""
        angle = self.start + u * self.sweep
        return Point(
            self.centre.x + self.radius * math.cos(angle),
            self.centre.y + self.radius * math.sin(angle),
        )

    def points(self, step: float = math.radians(2)) -> list[Point]:
        """Points along the arc, no farther apart than ``step`` (rad)."""
        n = max(2, math.ceil(abs(self.sweep) / step))
        return [self.at(i / n) for i in range(n + 1)]

    def nearest(self, p: Point) -> Point:
        """The point of the arc that is nearest to ``p``."""
        angle = math.atan2(p.y - self.centre.y, p.x - self.centre.x)
        turn = (angle - self.start) * math.copysign(1.0, self.sweep) % (2 * math.pi)
        if turn <= abs(self.sweep):
            return self.at(turn / abs(self.sweep))
        return min(self.a, self.b, key=lambda q: math.hypot(q.x - p.x, q.y - p.y))


@dataclass(frozen=True, slots=True)
class FullLine:
    """The infinite line through two points. It is drawn as a long segment."""

    through: Point
    and_through: Point

    @property
    def unit_direction(self) -> tuple[float, float]:
        dx, dy = self.and_through.x - self.through.x, self.and_through.y - self.through.y
        norm = math.hypot(dx, dy)
        return (dx / norm, dy / norm) if norm else (1.0, 0.0)

    def signed_distance(self, x: FloatOrArray, y: FloatOrArray) -> FloatOrArray:
        """The signed distance of points from the line, positive to the left of the line's direction
        on screen.
        """
        ux, uy = self.unit_direction
        return (x - self.through.x) * uy - (y - self.through.y) * ux

    @property
    def a(self) -> Point:
        return self._point_at_distance(-DRAWN_LENGTH)

    @property
    def b(self) -> Point:
        return self._point_at_distance(DRAWN_LENGTH)

    def _point_at_distance(self, distance: float) -> Point:
        ux, uy = self.unit_direction
        return Point(self.through.x + distance * ux, self.through.y + distance * uy)

    @property
    def length(self) -> float:
        return math.inf if self.through != self.and_through else 0.0

    @property
    def midpoint(self) -> Point:
        return Line(self.through, self.and_through).midpoint

    def points(self, _step: float = 0.0) -> list[Point]:
        return [self.a, self.b]

    def nearest(self, p: Point) -> Point:
        """The point of the line that is nearest to ``p``."""
        ux, uy = self.unit_direction
        along = (p.x - self.through.x) * ux + (p.y - self.through.y) * uy
        return self._point_at_distance(along)


@dataclass(frozen=True, slots=True)
class Parabola:
    """The arc of a parabola over the chord from ``p1`` to ``p2``, with the given vertex. The axis
    is perpendicular to the chord.
    """

    p1: Point
    p2: Point
    vertex: Point

    @property
    def local_frame(self) -> tuple[float, float, float, float]:
        """The unit vector along the chord, half the length of the chord, and the curvature c in y =
        c x², where the origin is the vertex.
        """
        dx, dy = self.p2.x - self.p1.x, self.p2.y - self.p1.y
        chord = math.hypot(dx, dy)
        if chord == 0:
            return 1.0, 0.0, 0.0, 0.0
        tx, ty = dx / chord, dy / chord
        rx, ry = self.p1.x - self.vertex.x, self.p1.y - self.vertex.y
        x, y = rx * tx + ry * ty, rx * ty - ry * tx
        return tx, ty, chord / 2, y / (x * x) if x else 0.0

    def at(self, u: float) -> Point:
        """The point at a fraction ``u`` of the chord's length."""
        tx, ty, half, c = self.local_frame
        x = (2 * u - 1) * half
        y = c * x * x
        return Point(self.vertex.x + x * tx + y * ty, self.vertex.y + x * ty - y * tx)

    @property
    def a(self) -> Point:
        return self.at(0.0)

    @property
    def b(self) -> Point:
        return self.at(1.0)

    @property
    def midpoint(self) -> Point:
        return self.vertex

    @property
    def length(self) -> float:
        _, _, half, c = self.local_frame
        k = 2 * abs(c) * half
        return half * math.sqrt(1 + k * k) + (math.asinh(k) / (2 * abs(c)) if c else half)

    def points(self, step: float = math.radians(2)) -> list[Point]:
        """Points along the curve. Between two of them its direction turns by at most ``step``
        (rad).
        """
        _, _, half, c = self.local_frame
        n = max(2, math.ceil(2 * math.atan(2 * abs(c) * half) / step))
        return [self.at(i / n) for i in range(n + 1)]

    def nearest(self, p: Point) -> Point:
        """The point of the curve that is nearest to ``p``, approximated by its polyline."""
        points = self.points(math.radians(0.5))
        near = (Line(a, b).nearest(p) for a, b in pairwise(points))
        return min(near, key=lambda q: math.hypot(q.x - p.x, q.y - p.y))


Shape = Line | Arc | FullLine | Parabola | Bezier | Chain

MAX_RADIUS_TO_CHORD = 2.5e7
"""Arcs with a larger ratio of radius to chord become lines: their sagitta is below the rounding
error of points on the circle.
"""
DRAWN_LENGTH = 1e6
"""The drawn half length of an infinite line, in scene units."""


def circle_about(centre: Point, rim: Point) -> Arc:
    """The whole circle about ``centre`` through ``rim``."""
    angle = math.atan2(rim.y - centre.y, rim.x - centre.x)
    return Arc(centre, math.hypot(rim.x - centre.x, rim.y - centre.y), angle, 2 * math.pi)


def arc_through(a: Point, control: Point, b: Point) -> Shape:
    """The arc from ``a`` to ``b`` through ``control``; a line if the three points are collinear
    within rounding errors.
    """
    ax = a.x - control.x
    ay = a.y - control.y
    bx = b.x - control.x
    by = b.y - control.y
    d = 2 * (ax * by - ay * bx)
    a2, b2 = ax * ax + ay * ay, bx * bx + by * by
    if d == 0 or not math.isfinite(a2 / d) or not math.isfinite(b2 / d):
        return Line(a, b)
    ux, uy = (by * a2 - ay * b2) / d, (ax * b2 - bx * a2) / d
    centre, radius = Point(control.x + ux, control.y + uy), math.hypot(ux, uy)
    if radius > MAX_RADIUS_TO_CHORD * math.hypot(b.x - a.x, b.y - a.y):
        return Line(a, b)
    start, middle, end = (math.atan2(p.y - centre.y, p.x - centre.x) for p in (a, control, b))
    to_middle, to_end = (middle - start) % (2 * math.pi), (end - start) % (2 * math.pi)
    return Arc(centre, radius, start, to_end if to_middle < to_end else to_end - 2 * math.pi)
