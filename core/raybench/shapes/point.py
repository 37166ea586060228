"""Points of the plane: x to the right, y down, in scene units."""

import math
from typing import NamedTuple

ROUNDING_UNITS = 8
"""Rounding errors of a coordinate that is computed from others, in units of the last binary place
of the largest of them.
"""
SHORT_DIGITS = 11
"""Significant digits of a decimal that was meant where it is within those errors."""


class Point(NamedTuple):
    """A point, in scene units."""

    x: float
    y: float


def midpoint(a: Point, b: Point) -> Point:
    """The point half-way between two points."""
    return Point((a.x + b.x) / 2, (a.y + b.y) / 2)


class Vertex(NamedTuple):
    """A corner of an outline or, with ``arc``, the middle control point of a circular arc between
    its neighbours.
    """

    x: float
    y: float
    arc: bool = False

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)


def significant_decimals(size: float, digits: int) -> int:
    """The number of decimals for `round` with which numbers of about ``size`` have ``digits``
    significant digits.
    """
    return digits - math.frexp(size)[1] * 3 // 10 if size else digits


def without_rounding_errors(value: float, size: float) -> float:
    """The value without rounding errors: 0.3 for 0.1 + 0.2. If there is no short decimal number
    near the value, it is returned unchanged.
    """
    short = round(value, significant_decimals(size, SHORT_DIGITS))
    return short if abs(short - value) <= ROUNDING_UNITS * math.ulp(size) else value
