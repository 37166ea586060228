"""Polarization of light by its Stokes parameters.

S0 = s + p and S1 = s - p are the sum and the difference of the powers of both components: s is
perpendicular to the drawing, p lies in it. S2 is the power at 45 degrees minus that at -45 degrees,
S3 the power of right circular light minus that of left circular light. Angles are measured about
the ray, from 0 for s, counter-clockwise as seen by an eye into which the light falls; seen this
way, right circular light rotates clockwise (Born & Wolf, 1.4.2). Mueller matrices (4, 4) act on
(S0, S1, S2, S3).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from raybench.arrays import Floats

EPS_POWER = 1e-10
"""Minimum power for which polarisation is defined, relative to full brightness."""
EPS_DEGREE = 1e-9
"""Minimum degree of polarization for which an ellipse is defined."""
MIRROR_MUELLER = np.diag([1.0, 1.0, -1.0, -1.0])
"""The Mueller matrix of a perfect mirror: right circular light becomes left circular."""


def degree_of_polarization(
    power: Floats, stokes: Floats | None = None, full: float = 1.0
) -> Floats:
    """The degree of polarisation (n,) of light with the powers (n, 2) of s and p and the Stokes
    parameters S2 and S3 (n, 2), 0 without power: the root of S1² + S2² + S3² over S0 (Born & Wolf,
    section 10.9.3). Without S2 and S3 it is |p - s| / (p + s). ``full`` is the power of full
    brightness.
    """
    total = power[:, 0] + power[:, 1]
    some = total > EPS_POWER * full
    polarized = np.abs(power[:, 1] - power[:, 0])
    if stokes is not None:
        polarized = np.minimum(np.hypot(polarized, np.hypot(*stokes.T)), np.maximum(total, 0.0))
    return np.where(some, polarized / np.where(some, total, 1.0), 0.0)


def polarization_ratio(power: Floats, full: float = 1.0) -> Floats:
    """The ratio p / s for powers (n, 2) of s and p; infinite without s power. ``full`` is the power
    of full brightness.
    """
    some = power[:, 0] > EPS_POWER * full
    return np.where(some, power[:, 1] / np.where(some, power[:, 0], 1.0), np.inf)


class Ellipse(NamedTuple):
    """The ellipses of polarized light: the ``azimuth`` (n,) of the long axis, in (-90, 90] degrees,
    and the ``ellipticity`` (n,), the angle whose tangent is the ratio of the axes: from -45 (left
    circular) through 0 (linear) to 45 degrees (right circular). NaN for unpolarized light, and the
    azimuth of circular light.
    """

    azimuth: Floats
    ellipticity: Floats


def polarization_ellipse(power: Floats, stokes: Floats, full: float = 1.0) -> Ellipse:
    """The ellipses of light with the powers (n, 2) of s and p, and with S2 and S3 (n, 2). ``full``
    is the power of full brightness.
    """
    first, (second, third) = power[:, 0] - power[:, 1], stokes.T
    linear = np.hypot(first, second)
    whole = np.hypot(linear, third)
    polarized = degree_of_polarization(power, stokes, full) > EPS_DEGREE
    azimuth = np.degrees(np.arctan2(second, first)) / 2
    azimuth = np.where(azimuth <= -90, 90.0, azimuth)
    return Ellipse(
        np.where(polarized & (linear > EPS_DEGREE * whole), azimuth, np.nan),
        np.where(polarized, np.degrees(np.arctan2(third, linear)) / 2, np.nan),
    )


def ellipse_in_words(azimuth: float, ellipticity: float) -> str:
    """The polarization ellipse in words, such as ``right elliptic, azimuth 45°, ellipticity 12°``;
    angles in degrees, NaN as in `Ellipse`.
    """
    if math.isnan(ellipticity):
        return "unpolarized"
    turn = "right" if ellipticity > 0 else "left"
    if math.isnan(azimuth) or abs(abs(ellipticity) - 45) < 0.05:
        return f"{turn} circular"
    if abs(ellipticity) < 0.05:
        special = {0.0: " (s)", 90.0: " (p)"}.get(round(abs(azimuth), 1), "")
        return f"linear, azimuth {azimuth + 0.0:.1f}°{special}"
    return f"{turn} elliptic, azimuth {azimuth + 0.0:.1f}°, ellipticity {ellipticity:.1f}°"


def double_angle(degrees: float) -> tuple[float, float]:
    """The cosine and the sine of twice an angle in degrees, exact where the doubled angle is a
    multiple of 90 degrees.
    """
    angle = 2 * math.radians(degrees)
    return round(math.cos(angle), 15) + 0.0, round(math.sin(angle), 15) + 0.0


def rotation_matrix(degrees: float) -> Floats:
    """The Mueller matrix that rotates the azimuth of light by an angle in degrees."""
    c, s = double_angle(degrees)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def diattenuator_matrix(along: float, across: float, axis: float) -> Floats:
    """The Mueller matrix of a polarizer that transmits the fraction ``along`` of light polarized
    along its ``axis`` (degrees), and the fraction ``across`` of light polarized perpendicular to
    it.
    """
    mean, half, both = (along + across) / 2, (along - across) / 2, math.sqrt(along * across)
    matrix: Any = np.diag([mean, mean, both, both])
    matrix[0, 1] = matrix[1, 0] = half
    return _rotate_matrix(matrix, axis)


def retarder_matrix(delay: float, fast_axis: float) -> Floats:
    """The Mueller matrix of a plate that delays light polarized across its fast axis (degrees) by a
    phase ``delay`` (degrees).
    """
    c, s = double_angle(delay / 2)
    matrix = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, c, s], [0, 0, -s, c]])
    return _rotate_matrix(matrix, fast_axis)


def _rotate_matrix(matrix: Floats, degrees: float) -> Floats:
    return rotation_matrix(degrees) @ matrix @ rotation_matrix(-degrees)
