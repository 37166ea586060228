"""The optical axis of a lens, of a mirror, or of a system."""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.geometry.contact import contacts_with_shape
from raybench.kinds.glasses import Glass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Shape

Axis = tuple[Point, tuple[float, float]]
"""A point on an optical axis, and the unit direction of light along it."""
COAXIAL = 1e-6
"""Sine of the angle, and distance relative to that of the objects, within which optical axes count
as one.
"""


def common_axis(objects: Sequence[SceneObject]) -> Axis | None:
    """The optical axis that all objects with an axis have in common; None if they have different
    axes or none.
    """
    axes = [axis for obj in objects if (axis := optical_axis(obj)) is not None]
    if not axes:
        return None
    at, (dx, dy) = axes[0]
    for other, (ex, ey) in axes[1:]:
        x, y = other.x - at.x, other.y - at.y
        aside = COAXIAL * (1 + math.hypot(x, y))
        if abs(dx * ey - dy * ex) > COAXIAL or abs(dx * y - dy * x) > aside:
            return None
    return axes[0]


def optical_axis(obj: SceneObject) -> Axis | None:
    """The optical axis of a lens or mirror, in either direction; None for other objects, such as a
    free outline.
    """
    match obj:
        case Glass():
            return _axis_of_outline([e.shape for e in object_edges(obj)])
        case IdealLens() | SphericalLens() | Reflector():
            axis = kind_row_of(obj).axis(obj)
            return None if axis is None else (axis.at, axis.direction)
    return None


def _axis_of_outline(shapes: Sequence[Shape]) -> Axis | None:
    """The axis of an outline with circular arcs: for two arcs, the line through their centres; for
    one arc, the line through its centre perpendicular to the longest straight side that it meets.
    None if an arc does not cross this line, or if the outline has other curves.
    """
    arcs = [s for s in shapes if isinstance(s, Arc)]
    lines = [s for s in shapes if type(s) is Line]
    size = max((s.length for s in shapes), default=0.0)
    if not 1 <= len(arcs) <= 2 or len(arcs) + len(lines) < len(shapes):
        return None
    centre = arcs[0].centre
    others: list[tuple[Point, list[Shape]]]  # a second point of the axis, and what it has to meet
    if len(arcs) == 2:
        apart = math.dist(centre, arcs[1].centre) > 1e-9 * size
        others = [(arcs[1].centre, [*arcs])] if apart else []
    else:
        others = [
            (Point(centre.x + side.b.y - side.a.y, centre.y + side.a.x - side.b.x), [arcs[0], side])
            for side in sorted(lines, key=lambda line: -line.length)
            if side.length > 0
        ]
    for other, met in others:
        length = math.dist(centre, other)
        axis = centre, ((other.x - centre.x) / length, (other.y - centre.y) / length)
        reach = 2 * (size + max(arc.radius for arc in arcs) + length)
        if all(axis_crossings(axis, [shape], reach) for shape in met):
            return axis
    return None


def axis_crossings(axis: Axis, shapes: Sequence[Shape], reach: float) -> list[float]:
    """The points where an axis crosses some shapes, as distances along the axis from its point, up
    to ``reach`` in either direction.
    """
    at, along = np.array(axis[0]), np.array(axis[1])
    line = (at - reach * along)[None], (at + reach * along)[None]
    return [
        float(distance) - reach
        for shape in shapes
        for distance in contacts_with_shape(*line, shape).along
    ]


def line_for_distance(
    optical_axis_line: Axis | None, point: Point, direction: tuple[float, float]
) -> Axis:
    """The line along which the distance of a ``point`` is measured, in the ``direction`` of the
    light: parallel to the optical axis at the foot of the point or, without an axis, through the
    point in the direction.
    """
    if optical_axis_line is None:
        return point, direction
    (x, y), (dx, dy) = optical_axis_line
    foot = (point.x - x) * dx + (point.y - y) * dy
    sign = 1.0 if dx * direction[0] + dy * direction[1] > 0 else -1.0
    return Point(x + foot * dx, y + foot * dy), (sign * dx, sign * dy)
