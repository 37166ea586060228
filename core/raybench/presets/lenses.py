"""Presets of lenses, given by focal length, diameter, thickness and material."""

from typing import Any, ClassVar

from raybench.kinds.fields import LENGTH, number
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.object import SceneObject
from raybench.materials.material import Material
from raybench.phrase import Phrase
from raybench.presets.lens_design import (
    achromat_curvatures,
    check_lens_edge,
    lens_form_name,
    sagitta,
    singlet_curvatures,
)
from raybench.presets.preset import (
    InvalidPreset,
    Preset,
    body_fields_of_material,
    catalogue_material_field,
    material_index_at,
    transparent_material_named,
)
from raybench.shapes.point import Point, Vertex

MIN_LENGTH = 1e-9
"""Smallest length that a preset takes."""


def _diameter_parameter(default: float = 80.0) -> Any:
    return number(default, "Diameter", unit=LENGTH, low=MIN_LENGTH, help="From rim to rim.")


def _thickness_parameter(default: float, label: str = "Thickness") -> Any:
    return number(default, label, unit=LENGTH, low=MIN_LENGTH, help="On the axis.")


def _focal_length_parameter() -> Any:
    help = "From the principal plane, at 587.56 nm; negative for a diverging lens."
    return number(200.0, "Focal length", unit=LENGTH, help=help)


def make_thick_singlet(
    focal_length: float,
    diameter: float,
    thickness: float,
    material: Material,
    shape: float,
    centre_x: float = 0.0,
    name: str = "",
) -> SphericalLens:
    """A singlet, centred on the axis at ``centre_x``. Without a ``name`` it is named by its form.
    For ``shape`` see `lens_design.singlet_curvatures`.

    Raises InvalidPreset.
    """
    if focal_length == 0:
        raise InvalidPreset(Phrase("The focal length is 0. Give another one."))
    c1, c2 = singlet_curvatures(focal_length, thickness, material_index_at(material), shape)
    check_lens_edge(c1, c2, thickness, diameter / 2)
    radii = {"r1": 1 / c1 if c1 else None, "r2": 1 / c2 if c2 else None}
    rims = Point(centre_x, -diameter / 2), Point(centre_x, diameter / 2)
    return SphericalLens(
        name=name or lens_form_name(c1, c2),
        p1=rims[0],
        p2=rims[1],
        params={"d": thickness, **radii},
        **body_fields_of_material(material),
    )


class _Singlet(Preset):
    """The base class of presets for lenses of a fixed shape."""

    shape: ClassVar[float]
    """The shape factor, see `lens_design.singlet_curvatures`."""

    focal_length: float = _focal_length_parameter()
    diameter: float = _diameter_parameter()
    thickness: float = _thickness_parameter(12.0)
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        of = transparent_material_named(self.material)
        return (
            make_thick_singlet(self.focal_length, self.diameter, self.thickness, of, self.shape),
        )


class PlanoConvexLens(_Singlet):
    """A lens with one flat side."""

    label = "Plano-convex lens"
    family = "Lenses"
    summary = (
        "Its curved side faces parallel light; with a negative focal length it is plano-concave."
    )
    shape = 1.0


class BiconvexLens(_Singlet):
    """A lens with two equal radii."""

    label = "Biconvex lens"
    family = "Lenses"
    summary = (
        "Two equal radii, for images near natural size; with a negative focal length it is"
        " biconcave."
    )
    shape = 0.0


class MeniscusLens(Preset):
    """A lens that is bent to one side."""

    label = "Meniscus lens"
    family = "Lenses"
    summary = "Both surfaces bend to the same side, as its shape factor says."

    focal_length: float = _focal_length_parameter()
    diameter: float = _diameter_parameter()
    thickness: float = _thickness_parameter(12.0)
    shape: float = number(
        2.5,
        "Shape factor",
        help=(
            "(R2 + R1)/(R2 - R1): a meniscus beyond 1, with the steeper surface in front, and"
            " beyond -1, behind."
        ),
    )
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        of = transparent_material_named(self.material)
        return (
            make_thick_singlet(self.focal_length, self.diameter, self.thickness, of, self.shape),
        )


class Achromat(Preset):
    """A cemented doublet of two glasses."""

    label = "Achromat"
    family = "Lenses"
    summary = (
        "A cemented doublet with the same focus for red and blue, and hardly any spherical"
        " aberration."
    )

    focal_length: float = _focal_length_parameter()
    diameter: float = _diameter_parameter(60.0)
    crown_thickness: float = _thickness_parameter(14.0, "Crown thickness")
    flint_thickness: float = _thickness_parameter(7.0, "Flint thickness")
    crown: str = catalogue_material_field(
        "N-BK7", "Crown", "The glass in front, of low dispersion."
    )
    flint: str = catalogue_material_field("N-SF5", "Flint", "The glass behind, of high dispersion.")

    def objects(self) -> tuple[SceneObject, ...]:
        if self.focal_length == 0:
            raise InvalidPreset(Phrase("The focal length is 0. Give another one."))
        crown, flint, height = (
            transparent_material_named(self.crown),
            transparent_material_named(self.flint),
            self.diameter / 2,
        )
        thick = self.crown_thickness, self.flint_thickness
        c1, c2, c3 = achromat_curvatures(self.focal_length, self.diameter, thick, crown, flint)
        check_lens_edge(c1, c2, thick[0], height)
        check_lens_edge(c2, c3, thick[1], height)
        left = -(thick[0] + thick[1]) / 2
        front = _surface_vertices(left, c1, height)
        cemented = _surface_vertices(left + thick[0], c2, height)
        back = _surface_vertices(-left, c3, height)
        outlines = (
            ("crown", front, cemented, crown),
            ("flint", cemented, back, flint),
        )
        return tuple(
            SphericalLens(
                name=f"{self.label} {role}",
                path=_lens_outline_between_surfaces(*sides),
                **body_fields_of_material(of),
            )
            for role, *sides, of in outlines
        )


Surface = tuple[Vertex, Vertex, Vertex]
"""The upper rim, the vertex and the lower rim."""


def _surface_vertices(x: float, curvature: float, height: float) -> Surface:
    rim = x + sagitta(curvature, height)
    return Vertex(rim, -height), Vertex(x, 0.0, True), Vertex(rim, height)


def _lens_outline_between_surfaces(front: Surface, back: Surface) -> tuple[Vertex, ...]:
    """The outline of a lens between two surfaces. Lenses that share a surface have exactly the same
    points there.
    """
    return front[0], back[0], back[1], back[2], front[2], front[1]


class BallLens(Preset):
    """A sphere of glass."""

    label = "Ball lens"
    family = "Lenses"
    summary = "A sphere; its focal length from the centre is n D / (4 (n - 1))."

    diameter: float = _diameter_parameter(100.0)
    material: str = catalogue_material_field("N-BK7")

    def objects(self) -> tuple[SceneObject, ...]:
        return (
            CircleGlass(
                name=self.label,
                p1=Point(0, 0),
                p2=Point(0, self.diameter / 2),
                **body_fields_of_material(transparent_material_named(self.material)),
            ),
        )
