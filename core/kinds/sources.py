"""Light sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kinds.fields import coordinate, flag, number, point
from core.kinds.object import SceneObject
from core.shapes.point import Point

_WAVELENGTH = "Vacuum wavelength; used where the scene simulates colours."


@dataclass(frozen=True, kw_only=True)
class Source(SceneObject):
    """Anything that emits rays; each ray carries half its power in each polarisation."""


@dataclass(frozen=True, kw_only=True)
class SingleRay(Source):
    """One ray from ``p1`` through ``p2``."""

    label: ClassVar[str] = "Single ray"

    p1: Point = point("Start", help="Where the ray starts.")
    p2: Point = point("Towards", help="Any other point on the ray.")
    brightness: float = number(1.0, "Power", low=0, help="Power carried by the ray.")
    wavelength: float = number(540.0, "Wavelength", unit="nm", low=1, help=_WAVELENGTH)


@dataclass(frozen=True, kw_only=True)
class Beam(Source):
    """Parallel or diverging rays leaving a line at right angles; with ``p1`` above ``p2`` they go to the right."""

    label: ClassVar[str] = "Beam"

    p1: Point = point("First end", help="One end of the emitting line.")
    p2: Point = point("Second end", help="The other end; with the first end above it the beam goes right.")
    brightness: float = number(0.5, "Power density", low=0, help="Power per unit of length of the line.")
    wavelength: float = number(540.0, "Wavelength", unit="nm", low=1, help=_WAVELENGTH)
    emis_angle: float = number(0.0, "Divergence", unit="deg", low=0, high=180, help="Full angle into which each point emits.")
    lambert: bool = flag(False, "Lambertian", help="Power falls with the cosine of the angle from the axis.")
    random: bool = flag(False, "Random", help="Positions and angles drawn at random from the scene's seed.")


@dataclass(frozen=True, kw_only=True)
class PointSource(Source):
    """A point that emits evenly in all directions."""

    label: ClassVar[str] = "Point source"

    x: float = coordinate("x", help="Position, to the right.")
    y: float = coordinate("y", help="Position, downwards.")
    brightness: float = number(0.5, "Power density", low=0, help="Emitted power: 500 of these to the full circle.")
    wavelength: float = number(540.0, "Wavelength", unit="nm", low=1, help=_WAVELENGTH)


@dataclass(frozen=True, kw_only=True)
class AngleSource(Source):
    """A point that emits into an angle about the direction from ``p1`` to ``p2``."""

    label: ClassVar[str] = "Angle source"

    p1: Point = point("Position", help="Where the rays start.")
    p2: Point = point("Towards", help="Gives the direction; its distance has no meaning.")
    brightness: float = number(0.5, "Power density", low=0, help="Emitted power: 500 of these to the full circle.")
    wavelength: float = number(540.0, "Wavelength", unit="nm", low=1, help=_WAVELENGTH)
    emis_angle: float = number(36.001, "Emission angle", unit="deg", low=0, high=360, help="Full angle of the fan.")
    symmetric: bool = flag(True, "Symmetric", help="The fan lies on both sides of the direction rather than on one.")
