"""Reflection and refraction at an interface (Hecht, sections 4.4 and 4.6; Born & Wolf, section
1.5).
"""

from __future__ import annotations

import math

SAME_INDEX = 1e-15
"""The largest difference from 1 of a ratio of equal indices: n times 1/n is not always 1."""
GRAZING_SQUARE = 1e-9
"""The square of a cosine of refraction below which its rounding error counts."""


def reflectances(ratio: float, cos_i: float) -> tuple[float, float, float]:
    """The reflectances for s and p polarisation (fractions of power), and the cosine of the angle
    of refraction.

    ``ratio`` is the index on the incident side over that on the other side; ``cos_i`` (positive)
    belongs to the angle of incidence. On total reflection the reflectances are 1 and the cosine is
    -1. A negative ratio has the reflectances of its absolute value. Between equal indices nothing
    is reflected, at grazing incidence neither.
    """
    ratio = abs(ratio)
    square = 1.0 - ratio * ratio * (1.0 - cos_i * cos_i)
    if not square >= GRAZING_SQUARE:  # also if NaN, for an infinite ratio
        if abs(ratio - 1.0) < SAME_INDEX:
            return 0.0, 0.0, cos_i
        if not square >= 0.0:
            return 1.0, 1.0, -1.0
    cos_t = math.sqrt(square)
    r_s = (ratio * cos_i - cos_t) / (ratio * cos_i + cos_t)
    r_p = (ratio * cos_t - cos_i) / (ratio * cos_t + cos_i)
    return r_s * r_s, r_p * r_p, cos_t


def reflect(dx: float, dy: float, nx: float, ny: float) -> tuple[float, float]:
    """The direction (dx, dy) reflected at a surface with unit normal (nx, ny), on either side."""
    along = 2.0 * (dx * nx + dy * ny)
    return dx - along * nx, dy - along * ny


def refract(
    dx: float, dy: float, nx: float, ny: float, ratio: float, cos_i: float, cos_t: float
) -> tuple[float, float]:
    """The unit direction (dx, dy) refracted by Snell's law; the unit normal points against the ray.

    A negative ratio, of a medium with negative index, refracts to the same side of the normal
    (Veselago).
    """
    along = abs(ratio) * cos_i - cos_t
    if ratio < 0.0:
        along = -abs(ratio) * cos_i - cos_t
    return ratio * dx + along * nx, ratio * dy + along * ny


def is_grazing(ratio: float, cos_i: float) -> bool:
    """Whether the angle of incidence is within 5 degrees of the critical angle, or of 90 degrees if
    there is none.
    """
    cos_5, sin_5 = 0.9961946980917455, 0.08715574274765817
    ratio = abs(ratio)
    if ratio <= 1.0:
        return cos_i <= sin_5
    sin_c = 1.0 / ratio
    return cos_i <= math.sqrt(1.0 - sin_c * sin_c) * cos_5 + sin_c * sin_5
