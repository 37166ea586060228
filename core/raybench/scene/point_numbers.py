"""The numbers by which a control point can be typed: coordinates, and length, angle or radius with
respect to other points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from raybench.kinds.fields import LENGTH
from raybench.kinds.kinds import row_of
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.rows.similarity import cosine_and_sine
from raybench.scene.control_points import ControlPoint, control_points
from raybench.shapes.point import Point, decimals, midpoint
from raybench.shapes.shape import Arc, arc_through

DIGITS = 13
"""Significant digits of coordinates that are computed from a length and an angle."""


@dataclass(frozen=True)
class PointNumber:
    """A number of a point: ``get`` reads it, ``put`` is the point with another value of it.
    ``unit`` as in `raybench.kinds.fields`.
    """

    label: str
    unit: str
    get: Callable[[Point], float]
    put: Callable[[Point, float], Point]
    low: float | None = None


COORDINATES = (
    PointNumber("X", LENGTH, lambda p: p.x, lambda p, x: Point(x, p.y)),
    PointNumber("Y", LENGTH, lambda p: p.y, lambda p, y: Point(p.x, y)),
)


def places_at(about: Point, length: float) -> int:
    """Decimals of the coordinates of a point at a distance from another."""
    return decimals(max(abs(about.x), abs(about.y), length), DIGITS)


def at_polar(about: Point, length: float, degrees: float) -> Point:
    """The point at a distance from another, in a direction counter-clockwise as seen."""
    cosine, sine = cosine_and_sine(degrees)
    digits = places_at(about, length)  # so that 60 up from -60 is 0, not its rounding error
    return Point(round(about.x + length * cosine, digits), round(about.y - length * sine, digits))


def polar(about: Point, label: str = "Length") -> tuple[PointNumber, PointNumber]:
    """The distance from a point and the direction, in degrees counter-clockwise as seen."""

    def angle(p: Point) -> float:
        return math.degrees(math.atan2(about.y - p.y, p.x - about.x)) + 0.0

    def turned(p: Point, degrees: float) -> Point:
        length = math.dist(p, about)
        return at_polar(
            about, round(length, places_at(about, length) - 1), degrees
        )  # undoes the rounding of both coordinates

    return (
        PointNumber(
            label,
            LENGTH,
            lambda p: math.dist(p, about),
            lambda p, length: at_polar(about, length, angle(p)),
            0.0,
        ),
        PointNumber("Angle", "deg", angle, turned),
    )


def bend_radius(a: Point, b: Point) -> PointNumber:
    """The radius of the arc from ``a`` to ``b`` through a point; the new point is in the middle of
    the arc, on the same side.
    """
    half, middle = math.dist(a, b) / 2, midpoint(a, b)
    nx, ny = ((b.y - a.y) / (2 * half), (a.x - b.x) / (2 * half)) if half else (0.0, 0.0)

    def get(p: Point) -> float:
        arc = arc_through(a, p, b)
        return arc.radius if isinstance(arc, Arc) else math.inf

    def put(p: Point, radius: float) -> Point:
        height = (p.x - middle.x) * nx + (p.y - middle.y) * ny
        rest = math.sqrt(max(radius * radius - half * half, 0.0))
        sagitta = math.copysign(radius + rest if abs(height) > half else radius - rest, height)
        return Point(middle.x + sagitta * nx, middle.y + sagitta * ny)

    return PointNumber("Radius", LENGTH, get, put, half)


def vertex_focal_length(a: Point, b: Point) -> PointNumber:
    """The focal length of the parabola from ``a`` to ``b`` with a vertex; the new vertex is before
    their middle, on the same side.
    """
    half, middle = math.dist(a, b) / 2, midpoint(a, b)
    nx, ny = ((b.y - a.y) / (2 * half), (a.x - b.x) / (2 * half)) if half else (0.0, 0.0)

    def height(p: Point) -> float:
        return (p.x - middle.x) * nx + (p.y - middle.y) * ny

    def get(p: Point) -> float:
        return half * half / (4 * abs(height(p))) if height(p) else math.inf

    def put(p: Point, focal_length: float) -> Point:
        depth = (
            math.copysign(half * half / (4 * focal_length), height(p))
            if focal_length
            else height(p)
        )
        return Point(middle.x + depth * nx, middle.y + depth * ny)

    return PointNumber("Focal length", LENGTH, get, put, half / 1e3)


def point_numbers(obj: SceneObject, control: ControlPoint) -> tuple[PointNumber, ...]:
    """The coordinates of a control point, then what it measures: from the other end, the centre or
    the corner before, or of its arc.
    """
    return *COORDINATES, *_relative(obj, control)


def _relative(obj: SceneObject, control: ControlPoint) -> Iterator[PointNumber]:
    points = control_points(obj)
    if control.meaning == "bend":
        ends = _ends_of_bend(obj, control)
        if ends is not None:
            yield (
                vertex_focal_length(*ends)
                if isinstance(obj, ParabolicMirror)
                else bend_radius(*ends)
            )
            return
    others = [p for p in points if p != control and p.field != control.field]
    if control.field == row_of(obj).centre or not control.path:
        return
    if row_of(obj).centre and any(isinstance(e.shape, Arc) and e.shape.full for e in edges_of(obj)):
        yield from polar(others[0].at, "Radius")
    elif (before := _before(points, control)) is not None:
        yield from polar(before)


def _ends_of_bend(obj: SceneObject, control: ControlPoint) -> tuple[Point, Point] | None:
    """The ends of the arc that a point bends; None for a control point of a Bezier curve."""
    own = [p.at for p in control_points(obj) if p.field == control.field]
    if len(own) > 1:
        return (
            (own[control.index - 1], own[(control.index + 1) % len(own)])
            if control.path.endswith("]")
            else None
        )
    ends = {p.field: p.at for p in control_points(obj)}
    return (ends["p1"], ends["p2"]) if {"p1", "p2"} <= ends.keys() else None


def _before(points: tuple[ControlPoint, ...], control: ControlPoint) -> Point | None:
    """The corner or node before a point; the other end of an object with two points of its own."""
    own = [p for p in points if p.field == control.field]
    if len(own) > 1:
        nodes = [p for p in own if p.meaning != "bend" or p == control]
        return nodes[nodes.index(control) - 1].at
    return next(
        (p.at for p in points if p.field in ("p1", "p2") and p.field != control.field), None
    )
