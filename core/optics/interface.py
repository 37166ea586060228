"""What a plane interface between two media does to light: angles, shares of power, phases (Hecht, 4.6 and 4.7; Born & Wolf, 1.5)."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TypeGuard

from core.errors import RaybenchError, short_repr
from core.optics.fresnel import reflectances


class InvalidOptics(RaybenchError):
    """An argument has no meaning in the formula; the text names it, its value and what it may be."""


@dataclass(frozen=True, slots=True)
class Incidence:
    """Light that meets an interface from a medium of index ``n1`` to one of index ``n2``; all angles in degrees from the normal.

    ``r_s``, ``r_p``, ``t_s``, ``t_p`` are shares of power. On total reflection there is no angle of ``refraction``, and ``phase_s`` and
    ``phase_p`` are the magnitudes of the phase shifts (Born & Wolf, 1.5 (60)); otherwise these are None.
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
    def total(self) -> bool:
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
        """By how much the phases of p and s differ after total reflection."""
        return None if self.phase_s is None or self.phase_p is None else self.phase_p - self.phase_s


def incidence(n1: float, n2: float, angle: float) -> Incidence:
    """What becomes of light that meets an interface at ``angle`` degrees from its normal, 0 to 90, coming from index ``n1``.

    A negative index reflects as its absolute value does, and refracts to the same side of the normal, at a negative angle. Raises
    InvalidOptics.
    """
    check_index("n1", n1)
    check_index("n2", n2)
    check_angle("angle", angle)
    theta = math.radians(angle)
    ratio = n1 / n2
    cos_i = math.cos(theta) if angle < 90 else 0.0
    if angle == 90:  # grazing light is all reflected, or runs on where there is no interface
        r_s = r_p = 0.0 if abs(ratio) == 1 else 1.0
    else:
        r_s, r_p, _ = reflectances(ratio, cos_i)
    sine = abs(ratio) * math.sin(theta)
    if sine <= 1:
        return Incidence(n1, n2, angle, r_s, r_p, math.copysign(math.degrees(math.asin(sine)), ratio), None, None)
    root = math.sqrt(sine * sine - 1)
    phase_s = 2 * math.atan2(root, abs(ratio) * cos_i)
    phase_p = 2 * math.atan2(ratio * ratio * root, abs(ratio) * cos_i)
    return Incidence(n1, n2, angle, 1.0, 1.0, None, math.degrees(phase_s), math.degrees(phase_p))


def critical_angle(n1: float, n2: float) -> float | None:
    """The angle in degrees above which light that comes from index ``n1`` is totally reflected; None where it never is."""
    check_index("n1", n1)
    check_index("n2", n2)
    return math.degrees(math.asin(abs(n2 / n1))) if abs(n2) < abs(n1) else None


def brewster_angle(n1: float, n2: float) -> float:
    """The angle of incidence in degrees at which no p-polarised light is reflected."""
    check_index("n1", n1)
    check_index("n2", n2)
    return math.degrees(math.atan(abs(n2 / n1)))


def check_index(name: str, value: float) -> None:
    """Raise InvalidOptics for what is no refractive index."""
    if not is_number(value) or value == 0:
        raise InvalidOptics(f"{name} is {short_repr(value)}; a refractive index is a finite number other than 0, such as 1.5.")


def check_angle(name: str, value: float, most: float = 90.0) -> None:
    """Raise InvalidOptics for what is no angle from 0 to ``most`` degrees."""
    if not is_number(value) or not 0 <= value <= most:
        raise InvalidOptics(f"{name} is {short_repr(value)}; give degrees from 0 to {most:g}.")


def check_wavelength(name: str, value: float) -> None:
    """Raise InvalidOptics for what is no wavelength."""
    if not is_number(value) or value <= 0:
        raise InvalidOptics(f"{name} is {short_repr(value)}; a wavelength is a finite number of nm above 0, such as 540.")


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number that a float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
