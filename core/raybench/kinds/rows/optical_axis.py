"""The optical axis of an object and the focal points on it, for drawing and aligning."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from raybench.shapes.point import Point, midpoint


@dataclass(frozen=True, slots=True)
class OpticalAxis:
    """An axis through ``at`` with a unit ``direction``, and the focal points on it."""

    at: Point
    direction: tuple[float, float]
    foci: tuple[Point, ...] = ()


def across(a: Point, b: Point, *focal_lengths: float) -> OpticalAxis | None:
    """The axis through the middle of a line, perpendicular to it, with a focal point at each of
    these distances; None without a length.
    """
    length = math.hypot(b.x - a.x, b.y - a.y)
    if length == 0:
        return None
    middle, (ux, uy) = midpoint(a, b), ((b.y - a.y) / length, (a.x - b.x) / length)
    return OpticalAxis(
        middle, (ux, uy), tuple(Point(middle.x + f * ux, middle.y + f * uy) for f in focal_lengths)
    )


def of_line(obj: Any) -> OpticalAxis | None:
    """The axis of a source or an aperture between ``p1`` and ``p2``."""
    return across(obj.p1, obj.p2)


def along_line(obj: Any) -> OpticalAxis | None:
    """The axis of a ray from ``p1`` through ``p2``."""
    length = math.hypot(obj.p2.x - obj.p1.x, obj.p2.y - obj.p1.y)
    return (
        OpticalAxis(obj.p1, ((obj.p2.x - obj.p1.x) / length, (obj.p2.y - obj.p1.y) / length))
        if length
        else None
    )


def of_ideal(obj: Any) -> OpticalAxis | None:
    """The axis of an ideal lens or mirror, with the foci on both sides."""
    return across(obj.p1, obj.p2, obj.focal_length, -obj.focal_length)


def through_vertex(p1: Point, p2: Point, vertex: Point, focal_length: float) -> OpticalAxis | None:
    """The axis of a curved mirror between two ends through its vertex, along light into its hollow
    side, where the focus is.
    """
    axis = across(p1, p2)
    if axis is None:
        return None
    ux, uy = axis.direction
    side = math.copysign(1.0, (vertex.x - axis.at.x) * ux + (vertex.y - axis.at.y) * uy)
    ux, uy = side * ux, side * uy
    focus = Point(vertex.x - focal_length * ux, vertex.y - focal_length * uy)
    return OpticalAxis(vertex, (ux, uy), (focus,) if math.isfinite(focal_length) else ())
