"""Detectors: objects that measure the light going through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kinds.fields import LENGTH, flag, number, point
from core.kinds.object import SceneObject
from core.shapes.point import Point

MOST_BINS = 1_000_000
"""Bins an irradiance map can have."""


@dataclass(frozen=True, kw_only=True)
class Detector(SceneObject):
    """A line that measures the power crossing it and lets the light pass."""

    label: ClassVar[str] = "Detector"

    p1: Point = point("First end", help="Bins count from here; with it above the second end, light going right counts as positive.")
    p2: Point = point("Second end", help="The other end of the detector.")
    two_sided: bool = flag(True, "Two-sided", help="Also count light from the other side, as negative.")
    irrad_map: bool = flag(False, "Irradiance map", help="Measure power along the line, bin by bin.")
    bin_size: float = number(1.0, "Bin size", unit=LENGTH, low=1e-9, help="Width of a bin of the irradiance map.")
