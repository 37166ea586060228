"""Conversion of wavelengths to RGB colours for display."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

GREEN = 540.0
"""The wavelength in nm of light where a scene simulates no colours."""
RED, VIOLET = 620.0, 420.0
"""Default wavelengths in nm that are displayed as red and violet; a scene can set others."""
COLOURS = {
    "violet": (390.0, 455.0), "blue": (455.0, 492.0), "green": (492.0, 577.0), "yellow": (577.0, 597.0), "orange": (597.0, 622.0),
    "red": (622.0, 780.0),
}  # fmt: skip
"""The ranges of wavelengths in nm that have these names: Hecht, table 3.4."""
_STOPS = np.array([380.0, 420.0, 460.0, 500.0, 540.0, 580.0, 620.0, 700.0])
_RED = np.array([0.5, 0.5, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
_GREEN = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0])
_BLUE = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
_SEEN = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])


def wavelength_to_rgb(
    wavelength: ArrayLike, *, red: float = RED, violet: float = VIOLET
) -> NDArray[np.float64]:
    """The colours of some vacuum wavelengths (nm) as the scene format has them: linear ramps
    between the spectral colours, (..., 3) from 0 to 1.

    Black outside the visible range. ``red`` and ``violet`` are the wavelengths displayed in these
    colours; the spectrum is scaled accordingly if red is the longer one.
    """
    wave = np.asarray(wavelength, dtype=float)
    if red > violet:
        wave = VIOLET + (wave - violet) * (RED - VIOLET) / (red - violet)
    seen = np.interp(wave, _STOPS, _SEEN, left=0.0, right=0.0)
    return np.stack(
        [np.interp(wave, _STOPS, channel) * seen for channel in (_RED, _GREEN, _BLUE)], axis=-1
    )
