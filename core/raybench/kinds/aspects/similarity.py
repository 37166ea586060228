"""Similarity transformations of the plane: shifts, rotations, uniform scaling, reflections and
their compositions.
"""

import math
from dataclasses import dataclass
from typing import Self

from raybench.shapes.point import Point, without_rounding_errors

_QUARTERS = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}


@dataclass(frozen=True, slots=True)
class Similarity:
    """A similarity transformation: x' = a x + b y + dx, y' = c x + d y + dy. The matrix (a b, c d)
    is a rotation or a reflection, multiplied by a positive factor.

    y is down; angles are in degrees, counter-clockwise as seen.
    """

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    dx: float = 0.0
    dy: float = 0.0

    @classmethod
    def shift(cls, dx: float, dy: float) -> Self:
        """The translation by ``dx`` to the right and ``dy`` down."""
        return cls(dx=dx, dy=dy)

    @classmethod
    def rotation(cls, angle: float, about: Point) -> Self:
        """The rotation by ``angle`` degrees about a point, counter-clockwise on screen."""
        c, s = cosine_and_sine(angle)
        return cls._with_matrix_about_point(c, s, -s, c, about)

    @classmethod
    def rotation_then_shift(cls, angle: float, at: Point) -> Self:
        """The rotation by ``angle`` degrees about the origin, followed by the shift of the origin
        to ``at``.
        """
        c, s = cosine_and_sine(angle)
        return cls(c, s, -s, c, at.x, at.y)

    @classmethod
    def scaling(cls, factor: float, about: Point) -> Self:
        """The scaling by ``factor`` of all distances from the point ``about``."""
        return cls._with_matrix_about_point(factor, 0.0, 0.0, factor, about)

    @classmethod
    def reflection(cls, axis: float, about: Point) -> Self:
        """The reflection in a line through ``about``. ``axis`` is the line's direction in degrees:
        0 is horizontal, 90 vertical.
        """
        c, s = cosine_and_sine(2 * axis)
        return cls._with_matrix_about_point(c, -s, -s, -c, about)

    @classmethod
    def _with_matrix_about_point(cls, a: float, b: float, c: float, d: float, p: Point) -> Self:
        return cls(a, b, c, d, p.x - (a * p.x + b * p.y), p.y - (c * p.x + d * p.y))

    @property
    def determinant(self) -> float:
        return self.a * self.d - self.b * self.c

    @property
    def scale(self) -> float:
        """The factor by which lengths are scaled; exactly 1 if only rounding makes it differ from
        1.
        """
        factor = math.sqrt(abs(self.determinant))
        return 1.0 if abs(factor - 1.0) < 1e-15 else factor

    @property
    def is_mirrored(self) -> bool:
        return self.determinant < 0

    @property
    def is_shift(self) -> bool:
        return (self.a, self.b, self.c, self.d) == (1.0, 0.0, 0.0, 1.0)

    @property
    def keeps_axes(self) -> bool:
        """Whether horizontal and vertical lines stay horizontal or vertical."""
        return (self.b == 0 and self.c == 0) or (self.a == 0 and self.d == 0)

    def point(self, p: Point) -> Point:
        x, y = self.a * p.x + self.b * p.y + self.dx, self.c * p.x + self.d * p.y + self.dy
        size = max(abs(p.x), abs(p.y), abs(self.dx), abs(self.dy), abs(x), abs(y))
        return Point(without_rounding_errors(x, size), without_rounding_errors(y, size))

    def length(self, value: float) -> float:
        """A length after the transformation."""
        return without_rounding_errors(value * self.scale, value)

    def angle(self, degrees: float) -> float:
        """A direction after the transformation, in degrees from -180 to 180."""
        c, s = cosine_and_sine(degrees)
        x, y = self.a * c - self.b * s, self.c * c - self.d * s
        return without_rounding_errors(math.degrees(math.atan2(0.0 - y, x)), 180.0)

    def inverse_matrix(self) -> tuple[float, float, float, float]:
        """The matrix (a, b, c, d) of the inverse transformation."""
        n = self.determinant
        return self.d / n, -self.b / n, -self.c / n, self.a / n


def cosine_and_sine(degrees: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees, exact for multiples of 90."""
    turn = math.fmod(degrees, 360.0) % 360.0
    return _QUARTERS.get(turn) or (math.cos(math.radians(turn)), math.sin(math.radians(turn)))  # type: ignore[call-overload]
