"""Diffraction gratings. Their lines are counted per millimetre, whatever a scene unit is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kinds.fields import described, flag, number, point
from core.kinds.object import SceneObject
from core.shapes.point import Point


@dataclass(frozen=True, kw_only=True)
class Grating(SceneObject):
    """Equal slits or grooves between two ends; each order leaves by the grating equation (Hecht, section 10.2.8)."""

    p1: Point = point("First end", help="One end of the grating.")
    p2: Point = point("Second end", help="The other end of the grating.")
    line_density: float = number(1000.0, "Line density", unit="1/mm", low=0, help="Lines in a millimetre.")
    custom_brightness: bool = flag(False, "Custom orders", help="Give the power of each order instead of a slit width.")
    brightnesses: tuple[float, ...] = described(
        "numbers", (1.0, 0.5, 0.5), "Orders", help="Shares of the power in the orders 0, 1, -1, 2, -2 and so on."
    )
    slit_ratio: float = number(0.5, "Slit ratio", low=0, high=1, help="Slit width over line spacing.")


@dataclass(frozen=True, kw_only=True)
class DiffractionGrating(Grating):
    """A flat grating that transmits, or reflects."""

    label: ClassVar[str] = "Grating"

    mirrored: bool = flag(False, "Reflecting", help="Reflect the orders instead of transmitting them.")


@dataclass(frozen=True, kw_only=True)
class ConcaveDiffractionGrating(Grating):
    """A reflecting grating in the form of a circular arc, as in a Rowland spectrograph."""

    label: ClassVar[str] = "Concave grating"

    p3: Point = point("On the arc", help="A point on the arc, between its ends.")
