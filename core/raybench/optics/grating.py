"""Diffraction gratings (Hecht, section 10.2.8; Born & Wolf, section 8.6.1)."""

from __future__ import annotations

import math


def lowest_order(sin_i: float, spacing: float, wavelength: float) -> int:
    """The lowest propagating order m, with |sin i - m λ / g| <= 1; all lengths in the same unit."""
    return -math.floor(spacing / wavelength * (1.0 - sin_i))


def highest_order(sin_i: float, spacing: float, wavelength: float) -> int:
    """The highest propagating order m, with |sin i - m λ / g| <= 1."""
    return -math.ceil(spacing / wavelength * (-1.0 - sin_i))


def slit_intensity(order: int, slit_ratio: float) -> float:
    """The fraction of the power in an order, for slits that take a fraction ``slit_ratio`` of the
    spacing: (w/g)² sinc²(π m w/g).
    """
    phase = math.pi * order * slit_ratio
    sinc = 1.0 if phase == 0.0 else math.sin(phase) / phase
    return slit_ratio * slit_ratio * sinc * sinc
