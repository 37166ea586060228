"""Measures of the places of objects: where one is, the distances between two, and the light that
escapes between them.
"""

from __future__ import annotations

import math

import numpy as np

from raybench.analysis.geometry.contact import contacts
from raybench.analysis.geometry.edge_curve import clearance
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit, no_rays
from raybench.analysis.measures.paraxial import Axis, own_axis
from raybench.analysis.rays.stray_light import Gaps, gaps
from raybench.kinds.kinds import row_of
from raybench.kinds.mirrors import Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, Source
from raybench.scene.changes.placing import centre_of, mean
from raybench.shapes.point import Point
from raybench.shapes.shape import Line, Shape

OBJECT = Parameter("object", Role.OBJECT)
FIRST, SECOND = Parameter("first", Role.SURFACE), Parameter("second", Role.SURFACE)
ONE, OTHER = Parameter("first", Role.OBJECT), Parameter("second", Role.OBJECT)


def centre_x(light: Light, index: int) -> float:
    """The x coordinate of the centre of an object, about which it turns: of a curved mirror its
    vertex, of a point source or a ray where it starts, of a group the mean of its objects.
    """
    return _centre(light, index).x


def centre_y(light: Light, index: int) -> float:
    """The y coordinate, downwards, of the centre of an object (see centre_x)."""
    return _centre(light, index).y


def distance(light: Light, first: int, second: int) -> float:
    """Distance between the centres of two objects: of a curved mirror its vertex, of a point source
    or a ray where it starts, of a group the mean of its objects.
    """
    return math.dist(_centre(light, first), _centre(light, second))


def gap(light: Light, first: int, second: int) -> float:
    """Least distance between the surfaces of two objects, 0 where they touch; of a source from
    where its light starts.
    """
    return clearance(_shapes(light, first), _shapes(light, second))


def axial_gap(light: Light, first: int, second: int) -> float:
    """Distance between the surfaces of two objects along the optical axis of the first or, if it
    has none, of the second.
    """
    axis = own_axis(light, first) or own_axis(light, second)
    if axis is None:
        raise Undefined(
            f"Neither {light.title(first)} nor {light.title(second)} has an optical axis; distance"
            " and gap need none."
        )
    ours, theirs = (along_axis(light, index, axis) for index in (first, second))
    return min(abs(a - b) for a in ours for b in theirs)


def angle_between(light: Light, first: int, second: int) -> float:
    """Angle between two straight objects, such as flat mirrors, or with the light of a source: from
    0 to 90, of two sources to 180.
    """
    (ax, ay), (bx, by) = (line_of(light, index) for index in (first, second))
    along = ax * bx + ay * by
    if not all(isinstance(light.things[index], Source) for index in (first, second)):
        along = abs(along)
    return math.degrees(math.atan2(abs(ax * by - ay * bx), along))


def line_of(light: Light, index: int) -> tuple[float, float]:
    """The direction of a straight object, or of the light of a source. Raises Undefined for others."""
    if isinstance(obj := light.things[index], Source):
        axis = row_of(obj).axis(obj)
        if axis is None:
            raise Undefined(f"{light.title(index)} emits in no one direction.")
        return axis.direction
    shapes = _shapes(light, index)
    if len(shapes) != 1 or not isinstance(shapes[0], Line):
        raise Undefined(f"{light.title(index)} is not straight.")
    return shapes[0].b.x - shapes[0].a.x, shapes[0].b.y - shapes[0].a.y


def _centre(light: Light, index: int) -> Point:
    return mean([_middle(obj) for obj in _objects(light, index)])


def _middle(obj: SceneObject) -> Point:
    """The vertex of a mirror that has one, else the centre."""
    axis = row_of(obj).axis(obj) if isinstance(obj, Reflector) else None
    return centre_of(obj) if axis is None else axis.at


def _objects(light: Light, index: int) -> list[SceneObject]:
    return [light.scene.optical[i] for i in light.members(index)]


def _shapes(light: Light, index: int) -> list[Shape]:
    if isinstance(obj := light.things[index], Source):
        return [
            Line(obj.p1, obj.p2) if isinstance(obj, Beam) else Line(centre_of(obj), centre_of(obj))
        ]
    return [edge.shape for member in light.members(index) for edge in light.edges(member)]


def along_axis(light: Light, index: int, axis: Axis) -> list[float]:
    """Where an axis meets an object, as distances along it; of a source where its light starts.
    Raises Undefined if it misses it.
    """
    (x, y), (dx, dy) = axis
    if isinstance(light.things[index], Source):
        at = _centre(light, index)
        return [(at.x - x) * dx + (at.y - y) * dy]
    shapes = _shapes(light, index)
    reach = 1.0 + sum(
        math.dist((x, y), p) + (s.length if math.isfinite(s.length) else 0.0)
        for s in shapes
        for p in (s.a, s.midpoint)
    )
    line = (
        np.array([[x - reach * dx, y - reach * dy]]),
        np.array([[x + reach * dx, y + reach * dy]]),
    )
    met = [float(along) - reach for shape in shapes for along in contacts(*line, shape).along]
    if not met:
        raise Undefined(
            f"The optical axis does not meet {light.title(index)}; distance and gap need no axis."
        )
    return met


def escaped_between(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects: those that, seen from where the light
    was last, stand on either side.
    """
    return float(light.result.total_power[_escaping_between(light, first, second)].sum())


def escaped_share(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects as a fraction of the emitted power."""
    return light.share(escaped_between(light, first, second))


def _escaping_between(light: Light, first: int, second: int) -> Rows:
    """The segments that escape through the gap between two objects."""
    found = gaps_of(light)
    return found.rows[found.between(first, second)]


def gaps_of(light: Light) -> Gaps:
    """The gaps through which light escapes."""
    return light.cached(("gaps", -1), lambda: gaps(light.result, light.scene, light.disabled))


MEASURES = (
    Measure(
        centre_x,
        Unit.LENGTH,
        (OBJECT,),
        quantity="x coordinate of the centre of {object}",
        rays=no_rays,
        questions=("What is the x coordinate of {object}?",),
    ),
    Measure(
        centre_y,
        Unit.LENGTH,
        (OBJECT,),
        quantity="y coordinate of the centre of {object}",
        rays=no_rays,
        questions=("What is the y coordinate of {object}?",),
    ),
    Measure(
        distance,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="distance between the centres of {first} and {second}",
        rays=no_rays,
        questions=("What is the distance from {first} to {second} [centre]?",),
    ),
    Measure(
        gap,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="gap between {first} and {second}",
        rays=no_rays,
        questions=("How large is the gap between {first} and {second}?",),
    ),
    Measure(
        axial_gap,
        Unit.LENGTH,
        (ONE, OTHER),
        quantity="distance between {first} and {second} along the optical axis",
        rays=no_rays,
        questions=("What is the distance from {first} to {second} along the axis?",),
    ),
    Measure(
        angle_between,
        Unit.ANGLE,
        (ONE, OTHER),
        quantity="angle between {first} and {second}",
        rays=no_rays,
        questions=(
            "What is the angle between {first} and {second}?",
            "Are {first} and {second} parallel [perpendicular]?",
        ),
    ),
    Measure(
        escaped_between,
        Unit.POWER,
        (FIRST, SECOND),
        quantity="power that escapes between {first} and {second}",
        rays=_escaping_between,
        questions=("How much power escapes between {first} and {second}?",),
    ),
    Measure(
        escaped_share,
        Unit.ONE,
        (FIRST, SECOND),
        share=True,
        quantity="share of the emitted power that escapes between {first} and {second}",
        rays=_escaping_between,
        questions=("What share of the power escapes between {first} and {second}?",),
    ),
)
