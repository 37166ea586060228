"""Glass bodies: homogeneous refracting media with a closed outline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.scene.fields import flag, number, path, point
from core.scene.object import SceneObject
from core.scene.point import Point, Vertex


@dataclass(frozen=True, kw_only=True)
class GlassBody(SceneObject):
    """A refracting body. The index is relative to its surroundings: where bodies overlap, indices multiply."""

    merges_with_glass: ClassVar[bool] = True

    ref_index: float = number(1.5, "Refractive index", low=1.0, high=4.0, help="Index, or Cauchy's A where colours are simulated.")
    cauchy_b: float = number(0.004, "Cauchy B", unit="µm²", low=0, high=0.1, help="Dispersion: n = A + B/λ², where colours are simulated.")
    partial_reflect: bool = flag(True, "Partial reflection", help="Split rays by Fresnel's equations instead of transmitting all.")


@dataclass(frozen=True, kw_only=True)
class Glass(GlassBody):
    """A body bounded by straight edges and circular arcs."""

    label: ClassVar[str] = "Glass"

    path: tuple[Vertex, ...] = path("Outline", help="Corners in order; a vertex marked arc bends the side between its neighbours.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.path) < 3:
            raise self.invalid("path", f"has {len(self.path)} points; an outline needs at least 3")
        for i, vertex in enumerate(self.path):
            if vertex.arc and self.path[(i + 1) % len(self.path)].arc:
                raise self.invalid(f"path[{i}]", "and the point after it are both arc points; an arc needs a corner on each side")


@dataclass(frozen=True, kw_only=True)
class CircleGlass(GlassBody):
    """A round body."""

    label: ClassVar[str] = "Circle glass"

    p1: Point = point("Centre", help="Centre of the circle.")
    p2: Point = point("Rim", help="A point on the circle.")
