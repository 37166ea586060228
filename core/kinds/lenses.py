"""Ideal lenses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kinds.fields import LENGTH, number, point
from core.kinds.object import SceneObject
from core.shapes.point import Point


@dataclass(frozen=True, kw_only=True)
class IdealLens(SceneObject):
    """A thin lens that images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht, section 5.2.3)."""

    label: ClassVar[str] = "Ideal lens"

    p1: Point = point("First end", help="One end of the lens.")
    p2: Point = point("Second end", help="The other end of the lens.")
    focal_length: float = number(100.0, "Focal length", unit=LENGTH, help="Positive for a converging lens.")
