"""Light at a plane interface between two media: angles, reflectances, phase shifts (Hecht, 4.6 and
4.7; Born & Wolf, 1.5).
"""

import math
import sys
from dataclasses import dataclass
from typing import TypeGuard

from raybench.errors import RaybenchError, short_repr
from raybench.optics.laws import reflectances

SMALLEST_RATIO = 1e-100
"""Of two indices; the square of a smaller one, or of its inverse, is no number."""


class InvalidOptics(RaybenchError):
    """An argument is outside the domain of a formula; the message names it, its value and the
    allowed values.
    """


@dataclass(frozen=True, slots=True)
class Incidence:
    """Light incident on an interface from a medium of index ``n1`` to one of index ``n2``; all
    angles in degrees from the normal.

    ``r_s``, ``r_p``, ``t_s``, ``t_p`` are fractions of power. On total reflection ``refraction`` is
    None, and ``phase_s`` and ``phase_p`` are the magnitudes of the phase shifts (Born & Wolf, 1.5
    (60)); otherwise both are None.
    """

    n1: float
    n2: float
    angle: float
    r_s: float
    r_p: float
    refraction: float | None
    phase_s: float | None
    phase_p: float | None

    @property
    def is_total_reflection(self) -> bool:
        """Whether all light is reflected."""
        return self.refraction is None

    @property
    def t_s(self) -> float:
        return 1.0 - self.r_s

    @property
    def t_p(self) -> float:
        return 1.0 - self.r_p

    @property
    def phase_difference(self) -> float | None:
        """The difference of the phase shifts of p and s on total reflection, in degrees; None
        otherwise.
        """
        return None if self.phase_s is None or self.phase_p is None else self.phase_p - self.phase_s


def incidence(n1: float, n2: float, angle: float) -> Incidence:
    """Reflection and refraction of light incident from index ``n1`` at ``angle`` degrees from the
    normal, 0 to 90.

    A negative index has the reflectances of its absolute value, and refracts to the same side of
    the normal, at a negative angle. Raises InvalidOptics.
    """
    check_index("n1", n1)
    check_index("n2", n2)
    check_angle(angle)
    theta = math.radians(angle)
    ratio = n1 / n2
    if not SMALLEST_RATIO < abs(ratio) < 1 / SMALLEST_RATIO:
        raise InvalidOptics(
            f"n1 is {n1:g} and n2 is {n2:g}: their ratio is none of two media. Give indices such as"
            " 1.5 and 1."
        )
    cos_i = math.cos(theta) if angle < 90 else 0.0
    r_s, r_p, cos_t = reflectances(ratio, cos_i)
    sine = abs(ratio) * math.sin(theta)
    if cos_t >= 0:
        return Incidence(
            n1,
            n2,
            angle,
            r_s,
            r_p,
            math.copysign(math.degrees(math.asin(min(sine, 1.0))), ratio),
            None,
            None,
        )
    root = math.sqrt(max(sine * sine - 1, 0.0))
    phase_s = 2 * math.atan2(root, abs(ratio) * cos_i)
    phase_p = 2 * math.atan2(ratio * ratio * root, abs(ratio) * cos_i)
    return Incidence(n1, n2, angle, 1.0, 1.0, None, math.degrees(phase_s), math.degrees(phase_p))


def critical_angle(n1: float, n2: float) -> float | None:
    """The critical angle in degrees for light from index ``n1`` to ``n2``; None if there is no
    total reflection.
    """
    check_index("n1", n1)
    check_index("n2", n2)
    return math.degrees(math.asin(abs(n2 / n1))) if abs(n2) < abs(n1) else None


def brewster_angle(n1: float, n2: float) -> float:
    """The angle of incidence in degrees at which no p-polarised light is reflected."""
    check_index("n1", n1)
    check_index("n2", n2)
    return math.degrees(math.atan(abs(n2 / n1)))


def check_index(name: str, value: float) -> None:
    """Raise InvalidOptics unless the value is a refractive index."""
    if not is_number(value) or value == 0:
        raise InvalidOptics(
            f"{name} is {short_repr(value)}; a refractive index is a finite number other than 0,"
            " such as 1.5."
        )


def check_angle(value: float) -> None:
    """Raise InvalidOptics unless the value is an angle from 0 to 90 degrees."""
    if not is_number(value) or not 0 <= value <= 90:
        raise InvalidOptics(f"angle is {short_repr(value)}; give degrees from 0 to 90.")


def check_wavelength(value: float) -> None:
    """Raise InvalidOptics unless the value is a wavelength."""
    if not is_number(value) or value <= 0:
        raise InvalidOptics(
            f"wavelength is {short_repr(value)}; a wavelength is a finite number of nm above 0,"
            " such as 540."
        )


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number that a float can hold."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max
    )
