"""Wavelength filters, shared by mirrors and blockers."""

from __future__ import annotations

from dataclasses import dataclass

from core.kinds.fields import flag, number
from core.kinds.object import SceneObject


@dataclass(frozen=True, kw_only=True)
class Filtered(SceneObject):
    """An object that may act on a band of wavelengths only, if the scene simulates colours."""

    filter: bool = flag(False, "Filter", help="Act only on wavelengths within the band.")
    invert: bool = flag(False, "Invert", help="Act on wavelengths outside the band instead.")
    wavelength: float = number(540.0, "Band centre", unit="nm", low=1, help="Centre of the filter's band.")
    bandwidth: float = number(10.0, "Half width", unit="nm", low=0, help="Half the width of the filter's band.")
