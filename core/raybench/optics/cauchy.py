"""Cauchy's formula for the dispersion of a transparent medium (Hecht, section 3.5.1; Born & Wolf,
section 2.3.4).
"""

from __future__ import annotations


def cauchy_index(a: float, b: float, wavelength: float) -> float:
    """n = a + b / λ², with b in µm² and the vacuum wavelength in nm."""
    return a + b / (wavelength * wavelength * 1e-6)
