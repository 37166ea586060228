"""Presets of small systems: several lenses, or a light guide."""

import math
from types import MappingProxyType

from raybench.kinds.fields import LENGTH, choice_field, number
from raybench.kinds.glasses import Glass
from raybench.kinds.object import SceneObject
from raybench.materials.material import Material
from raybench.phrase import Phrase
from raybench.presets.lens_design import focal_distances, sagitta, singlet_curvatures
from raybench.presets.lenses import MIN_LENGTH, make_thick_singlet
from raybench.presets.preset import (
    InvalidPreset,
    Preset,
    body_fields_of_material,
    catalogue_material_field,
    material_index_at,
    transparent_material_named,
)
from raybench.shapes.point import Vertex

FIRST_DIAMETER, SECOND_DIAMETER = 2.0, 1.3
"""Diameters of the lenses of a beam expander, in widths of the beam there."""
MIN_BEND = 1e-12
"""Bend in radians below which a guide is straight within the rounding of its points."""
RIM_THICKNESS = 0.06
"""Thickness of their rims, or of the middle of a diverging lens, as a fraction of the diameter."""


class BeamExpander(Preset):
    """Two plano-convex or plano-concave lenses with a common focus."""

    label = "Beam expander"
    family = "Systems"
    summary = "Widens a parallel beam, after Galilei or Kepler (with a focus inside)."
    pictured = MappingProxyType({"magnification": 2.0, "focal_length": 130.0})

    magnification: float = number(
        3.0,
        "Magnification",
        low=1.01,
        help="Width of the beam behind it, in widths of the beam before it.",
    )
    beam: float = number(
        30.0, "Beam", unit=LENGTH, low=MIN_LENGTH, help="Width of the beam that comes in."
    )
    focal_length: float = number(
        300.0, "Focal length", unit=LENGTH, low=MIN_LENGTH, help="Of the second lens."
    )
    form: str = choice_field(
        "galilean",
        "Form",
        ("galilean", "keplerian"),
        titles=("Galilei", "Kepler"),
        help="Without or with a focus inside.",
    )
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        of = transparent_material_named(self.material)
        first = (
            -self.focal_length / self.magnification
            if self.form == "galilean"
            else self.focal_length / self.magnification
        )
        across = FIRST_DIAMETER * self.beam, SECOND_DIAMETER * self.beam * self.magnification
        thick = (
            _plano_lens_thickness(first, across[0], of),
            _plano_lens_thickness(self.focal_length, across[1], of),
        )
        n = material_index_at(of)
        _, behind = focal_distances(*singlet_curvatures(first, thick[0], n, 1.0), thick[0], n)
        before, _ = focal_distances(
            *singlet_curvatures(self.focal_length, thick[1], n, -1.0), thick[1], n
        )
        gap = behind + before
        if gap <= 0:
            raise InvalidPreset(
                Phrase(
                    "Its lenses overlap. Make the focal length longer, or the magnification larger."
                )
            )
        centres = -(gap + thick[1]) / 2, (gap + thick[0]) / 2
        return (
            make_thick_singlet(
                first, across[0], thick[0], of, 1.0, centres[0], f"{self.label} first"
            ),
            make_thick_singlet(
                self.focal_length, across[1], thick[1], of, -1.0, centres[1], f"{self.label} second"
            ),
        )


def _plano_lens_thickness(focal_length: float, diameter: float, material: Material) -> float:
    """The thickness on the axis of a plano lens. The lens' radius does not depend on it."""
    return RIM_THICKNESS * diameter + max(
        sagitta(1 / (focal_length * (material_index_at(material) - 1)), diameter / 2), 0.0
    )


class LightGuide(Preset):
    """A glass plate in which light is guided by total reflection."""

    label = "Light guide"
    family = "Systems"
    summary = "A straight or bent rod that keeps light by total reflection."

    length: float = number(
        300.0, "Length", unit=LENGTH, low=MIN_LENGTH, help="Along its middle line."
    )
    width: float = number(30.0, "Width", unit=LENGTH, low=MIN_LENGTH, help="Across it.")
    bend: float = number(
        0.0,
        "Bend",
        unit="deg",
        low=-330,
        high=330,
        help="By which it turns, upwards where it is positive; 0 is straight.",
    )
    material: str = catalogue_material_field("PMMA")

    def objects(self) -> tuple[SceneObject, ...]:
        half = self.width / 2
        angle = math.radians(abs(self.bend))
        if angle < MIN_BEND:
            x = self.length / 2
            path = tuple(Vertex(*p) for p in ((-x, -half), (x, -half), (x, half), (-x, half)))
        else:
            radius = self.length / angle
            if radius <= half:
                raise InvalidPreset(
                    Phrase(
                        "It is too wide to be bent so much. Make the width less than {width}, or the"
                        " bend smaller."
                    ),
                    width=2 * radius,
                )
            up = math.copysign(1.0, self.bend)

            def guide_vertex(out: float, u: float, *, arc: bool = False) -> Vertex:
                """A vertex of the guide at the distance ``out`` from the middle line, at the
                fraction ``u`` of the bending angle. The middle line starts at the origin.
                """
                sagitta = (
                    2 * (radius + out) * math.sin(u * angle / 2) ** 2
                )  # exact also for a large radius
                return Vertex((radius + out) * math.sin(u * angle), up * (out - sagitta), arc)

            path = (
                guide_vertex(-half, 0),
                guide_vertex(-half, 0.5, arc=True),
                guide_vertex(-half, 1),
                guide_vertex(half, 1),
                guide_vertex(half, 0.5, arc=True),
                guide_vertex(half, 0),
            )
        return (
            Glass(
                name=self.label,
                path=path,
                **body_fields_of_material(transparent_material_named(self.material)),
            ),
        )
