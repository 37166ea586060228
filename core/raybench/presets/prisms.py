"""Presets of prisms, given by a length, angles and a material."""

import math
from typing import Any

from raybench.kinds.fields import LENGTH, choice_field, number
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.materials.material import Material
from raybench.phrase import Phrase
from raybench.presets.lenses import MIN_LENGTH
from raybench.presets.preset import (
    InvalidPreset,
    Preset,
    catalogue_material_field,
    material_index_at,
    polygon_glass_body,
    transparent_material_named,
)
from raybench.shapes.point import Point


def _length_parameter(default: float, label: str, help: str) -> Any:
    return number(default, label, unit=LENGTH, low=MIN_LENGTH, help=help)


def _totally_reflecting_material(name: str) -> Material:
    """The material with this name, if it totally reflects light that meets a face at 45° from
    inside. Raises InvalidPreset otherwise.
    """
    of = transparent_material_named(name)
    if material_index_at(of) <= math.sqrt(2):
        raise InvalidPreset(
            Phrase(
                "{name} has the index {index:.4g}; total reflection at 45° needs more than"
                " {least:.4g}. Choose another one.",
                name=of.name,
                index=material_index_at(of),
                least=math.sqrt(2),
            )
        )
    return of


class EquilateralPrism(Preset):
    """A prism of three equal sides."""

    label = "Equilateral prism"
    family = "Prisms"
    summary = "Three sides at 60°, to disperse light."

    side: float = _length_parameter(120.0, "Side", "Of each of the three faces.")
    material: str = catalogue_material_field("N-F2")

    def objects(self) -> tuple[SceneObject, ...]:
        height = self.side * math.sqrt(3) / 2
        corners = ((0.0, -height), (self.side / 2, 0.0), (-self.side / 2, 0.0))
        return (polygon_glass_body(self.label, corners, transparent_material_named(self.material)),)


class RightAnglePrism(Preset):
    """A prism with angles of 45°, 90° and 45°. Light enters through one of the short faces."""

    label = "Right-angle prism"
    family = "Prisms"
    summary = "Turns a beam upwards by 90° by total reflection at its long face."

    leg: float = _length_parameter(80.0, "Leg", "Of each of the two short faces.")
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        corners = ((0.0, -self.leg), (self.leg, -self.leg), (0.0, 0.0))
        return (
            polygon_glass_body(self.label, corners, _totally_reflecting_material(self.material)),
        )


class DovePrism(Preset):
    """A truncated right-angle prism, long enough for a beam of its full height."""

    label = "Dove prism"
    family = "Prisms"
    summary = "Turns an image upside down without deviating the beam."

    height: float = _length_parameter(50.0, "Height", "Of the beam that gets through.")
    base_angle: float = number(
        45.0,
        "Base angle",
        unit="deg",
        low=20,
        high=70,
        help="Between the base and each of the inclined faces.",
    )
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        of, angle = transparent_material_named(self.material), math.radians(self.base_angle)
        n, incidence = material_index_at(of), math.pi / 2 - angle
        down = incidence - math.asin(math.sin(incidence) / n)
        if down <= 0 or n * math.sin(math.pi / 2 - down) <= 1:
            raise InvalidPreset(
                Phrase(
                    "In a material with the index {index:.4g} the base does not reflect totally."
                    " Choose one with a higher index.",
                    index=n,
                )
            )
        cut, half = (
            self.height / math.tan(angle),
            self.height * (1 / math.tan(angle) + 1 / math.tan(down)) / 2,
        )
        corners = (
            (-half + cut, -self.height),
            (half - cut, -self.height),
            (half, 0.0),
            (-half, 0.0),
        )
        return (polygon_glass_body(self.label, corners, of),)


class PentaPrism(Preset):
    """A prism with five sides, two of which are mirrors at 45° to each other."""

    label = "Penta prism"
    family = "Prisms"
    summary = "Turns a beam downwards by 90° exactly, however it is turned; two faces are mirrored."

    aperture: float = _length_parameter(
        70.0, "Aperture", "Of the faces where light comes in and goes out."
    )
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        a, b = self.aperture, self.aperture * math.sqrt(2)
        corners = ((0.0, 0.0), (0.0, -a), (a, -b), (b, -a), (a, 0.0))
        body = polygon_glass_body(
            f"{self.label} glass", corners, transparent_material_named(self.material)
        )
        p = [v.point for v in body.path]
        mirrors = (
            Mirror(name=f"{self.label} face {i}", p1=p[k], p2=p[k + 1]) for i, k in ((1, 3), (2, 1))
        )
        return body, *mirrors


class WedgePrism(Preset):
    """A prism with a small angle."""

    label = "Wedge prism"
    family = "Prisms"
    summary = "Deviates a beam downwards by about (n - 1) times its angle."

    height: float = _length_parameter(80.0, "Height", "Of the face where light comes in.")
    thickness: float = _length_parameter(5.0, "Thin edge", "Thickness at the upper edge.")
    wedge_angle: float = number(
        10.0, "Wedge angle", unit="deg", low=0, high=60, help="Between its faces."
    )
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        thick = self.thickness + self.height * math.tan(math.radians(self.wedge_angle))
        corners = ((0.0, 0.0), (self.thickness, 0.0), (thick, self.height), (0.0, self.height))
        return (polygon_glass_body(self.label, corners, transparent_material_named(self.material)),)


class CornerCube(Preset):
    """Two reflecting faces at right angles, the section of a corner cube."""

    label = "Corner cube"
    family = "Prisms"
    summary = "Sends light back where it came from, even if it is turned."

    aperture: float = _length_parameter(120.0, "Aperture", "The width that light enters through.")
    form: str = choice_field(
        "solid",
        "Form",
        ("solid", "hollow"),
        titles=("Solid", "Hollow"),
        help="A prism, or two mirrors.",
    )
    material: str = catalogue_material_field("N-BK7", help="Of the solid form.")

    def objects(self) -> tuple[SceneObject, ...]:
        half = self.aperture / 2
        corners = ((-half / 2, -half), (half / 2, 0.0), (-half / 2, half))
        if self.form == "solid":
            return (
                polygon_glass_body(
                    self.label, corners, _totally_reflecting_material(self.material)
                ),
            )
        top, apex, foot = (Point(*c) for c in corners)
        return Mirror(name=f"{self.label} upper", p1=top, p2=apex), Mirror(
            name=f"{self.label} lower", p1=apex, p2=foot
        )
