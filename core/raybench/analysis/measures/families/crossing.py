"""Measures of where two beams cross: the axes of the strongest bundles that leave two sources or
objects.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross
from raybench.analysis.measures.families.beam import leaving_axis
from raybench.analysis.measures.families.detector import mean
from raybench.analysis.measures.light import ANGULAR_ROUNDING, Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Takes, Undefined, Unit
from raybench.analysis.rays.incidence import first_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.trace.codes import Status

FIRST, SECOND = Parameter("first", Role.OBJECT), Parameter("second", Role.OBJECT)
BEYOND = 1e-9
"""Rounding error of where an axis ends, relative to its length."""


def crossing_x(light: Light, first: int, second: int) -> float:
    """The x coordinate of the point where the beams that leave two sources or objects cross: the
    axes of their strongest bundles, before either meets another object.
    """
    return float(_crossing(light, first, second)[0])


def crossing_y(light: Light, first: int, second: int) -> float:
    """The y coordinate, downwards, of the point where the beams that leave two sources or objects
    cross.
    """
    return float(_crossing(light, first, second)[1])


def crossing_angle(light: Light, first: int, second: int) -> float:
    """Angle between the directions of the strongest bundles that leave two sources or objects, from
    0 to 180, whether or not they cross.
    """
    (ax, ay), (bx, by) = (_axis(light, index).along for index in (first, second))
    return math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


@dataclass(frozen=True, eq=False)
class _Axis:
    """The axis of a beam: where it starts, its unit direction, and its length to where it meets an
    object, infinite if it escapes.
    """

    start: Floats
    along: Floats
    length: float


def _axis(light: Light, index: int) -> _Axis:
    bundle = light.strongest(Takes.LEAVING, index)
    assert isinstance(bundle, LeavingBundle)
    start, along = leaving_axis(light, bundle)
    weights = light.weights(bundle.rows, "light")
    (_, end), escapes = (
        first_pieces(light.result, bundle.rows),
        light.result.status[bundle.rows] == Status.ESCAPED,
    )
    length = math.inf if escapes.any() else mean((end - start) @ along, weights)
    return _Axis(start, along, length)


def _crossing(light: Light, first: int, second: int) -> Floats:
    one, other = _axis(light, first), _axis(light, second)
    names = f"{light.title(first)} and {light.title(second)}"
    turn = float(cross(one.along, other.along))
    if abs(turn) <= math.radians(ANGULAR_ROUNDING):
        raise Undefined(f"The beams of {names} are parallel.")
    off = other.start - one.start
    ways = float(cross(off, other.along)) / turn, float(cross(off, one.along)) / turn
    at: Floats = one.start + ways[0] * one.along
    for axis, way, index in ((one, ways[0], first), (other, ways[1], second)):
        slack = BEYOND * (1 + abs(way))
        if not -slack <= way <= axis.length + slack:
            where = "behind where it starts" if way < 0 else "beyond the object that it meets"
            there = f"at {at[0]:.6g}, {at[1]:.6g}, for {light.title(index)} {where}"
            raise Undefined(f"The beams of {names} do not cross: their axes meet {there}.")
    return at


def _of_both(light: Light, first: int, second: int) -> Rows:
    """The segments of both bundles."""
    return np.concatenate([light.strongest(Takes.LEAVING, index).rows for index in (first, second)])


MEASURES = (
    Measure(
        crossing_x,
        Unit.LENGTH,
        (FIRST, SECOND),
        quantity="x coordinate of the point where the beams of {first} and {second} cross",
        rays=_of_both,
        questions=("At what x do the beams of {first} and {second} cross?",),
    ),
    Measure(
        crossing_y,
        Unit.LENGTH,
        (FIRST, SECOND),
        quantity="y coordinate of the point where the beams of {first} and {second} cross",
        senses=("y runs downwards",) * 2,
        rays=_of_both,
        questions=("At what y do the beams of {first} and {second} cross?",),
    ),
    Measure(
        crossing_angle,
        Unit.ANGLE,
        (FIRST, SECOND),
        quantity="angle between the beams of {first} and {second}",
        rays=_of_both,
        questions=(
            "At what angle do the beams of {first} and {second} cross?",
            "What is the angle between the beams of {first} and {second}?",
        ),
    ),
)
