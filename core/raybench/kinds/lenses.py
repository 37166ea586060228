"""Spherical lenses and ideal lenses."""

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Self

from raybench.errors import list_choices
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import IN_ONE_POINT, SAME_OUTLINE, Edges, path_edges
from raybench.kinds.aspects.pieces import Piece, lens_frame_columns, lenses_geometry, piece_on_edges
from raybench.kinds.aspects.row import OpticalAxis, Row, axis_of_ideal_element
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import transform_fields
from raybench.kinds.fields import (
    LENGTH,
    Description,
    as_number,
    choice_field,
    data,
    described_field,
    number,
    point,
)
from raybench.kinds.glasses import HomogeneousGlass, glass_piece, glass_remarks
from raybench.kinds.object import SceneObject, has_usable_numbers, kind
from raybench.kinds.primitives import LENS_FOCAL_LENGTH, Surface
from raybench.phrase import Phrase
from raybench.shapes.point import Point, Vertex, midpoint
from raybench.shapes.shape import Arc, arc_through

LENS_PARAMETERS = {"DR1R2": ("d", "r1", "r2"), "DFfdBfd": ("d", "ffd", "bfd")}
"""The parameters of each definition of a spherical lens: axial thickness with two radii, or with
front and back focal distance.
"""
PARAMETERS = {
    "d": ("Thickness", "On the axis."),
    "r1": (
        "Radius 1",
        "Of the first surface; positive where its centre lies behind it, empty where it is flat.",
    ),
    "r2": (
        "Radius 2",
        "Of the second surface; positive where its centre lies behind it, empty where it is flat.",
    ),
    "ffd": (
        "Front focus",
        "Front focal distance: from the first surface to the focus before the lens.",
    ),
    "bfd": (
        "Back focus",
        "Back focal distance: from the second surface to the focus behind the lens.",
    ),
}
"""Labels and help of the parameters that define a lens."""


@kind
class SphericalLens(HomogeneousGlass):
    """A lens with two spherical surfaces, given by its outline or by its rim and optical data."""

    label = "Spherical lens"

    def_by: str = choice_field(
        "DR1R2",
        "Defined by",
        tuple(LENS_PARAMETERS),
        titles=("Radii", "Foci"),
        help="Radii, or front and back focal distances.",
    )
    path: tuple[Vertex, ...] | None = described_field(
        "path", None, "Outline", unit=LENGTH, help="Six points: rim, arc, rim, arc."
    )
    p1: Point | None = described_field(
        "point", None, "First rim", unit=LENGTH, help="Middle of the edge at one rim."
    )
    p2: Point | None = described_field(
        "point", None, "Second rim", unit=LENGTH, help="Middle of the edge at the other rim."
    )
    params: Mapping[str, Any] | None = data(
        None,
        "Parameters",
        unit=LENGTH,
        help=(
            "d, r1, r2: thickness and radii, r1 > 0 > r2 is biconvex, null is flat; or d, ffd, bfd:"
            " focal distances."
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.path is None and (self.p1 is None or self.p2 is None):
            raise self.invalid_error(
                "path", "is missing; a lens needs its outline, or p1, p2 and params"
            )
        if self.path is not None and len(self.path) != 6:
            raise self.invalid_error("path", f"has {len(self.path)} points; a spherical lens has 6")

    @property
    def given_parameters(self) -> Mapping[str, Any]:
        """The lens parameters by name. Empty if the file holds a value of another form."""
        return self.params if isinstance(self.params, Mapping) else {}

    def outline(self, *, simulate_colors: bool = False) -> tuple[Vertex, ...] | None:
        """The six vertices of the lens outline, stored or computed from the definition. None if no
        lens satisfies the definition.
        """
        if self.path is not None:
            return self.path
        fit = self._radii_and_vertices(self._lens_index(simulate_colors))
        return fit[1] if fit else None

    def with_definition(self, how: str, *, simulate_colors: bool = False) -> Self:
        """The same lens, defined by other parameters: ``how`` is a key of `LENS_PARAMETERS`. The
        parameters are converted, unless no lens satisfies them or the lens has a stored outline.

        Raises InvalidObject if its focal distances define no lens, or a different lens.
        """
        index = self._lens_index(simulate_colors)
        fit = self._radii_and_vertices(index) if self.path is None else None
        if fit is None or how == self.def_by:
            return dataclasses.replace(self, def_by=how)
        (d, r1, r2), outline = fit
        numbers = (d, r1, r2) if how == "DR1R2" else (d, *_focal_distances(d, r1, r2, index))
        others = {
            k: v for k, v in self.given_parameters.items() if k not in LENS_PARAMETERS[self.def_by]
        }
        named = zip(LENS_PARAMETERS[how], numbers, strict=True)
        lens = dataclasses.replace(
            self, def_by=how, params=others | {k: None if math.isinf(v) else v for k, v in named}
        )
        refit = lens._radii_and_vertices(index)
        size = math.dist(outline[1][:2], outline[3][:2])
        if (
            refit is None
            or max(math.dist(a[:2], b[:2]) for a, b in zip(outline, refit[1], strict=True))
            > SAME_OUTLINE * size
        ):
            raise self.invalid_error(
                "defBy",
                f"cannot be {how}, since its focal distances are infinite or define another lens"
                " too. Keep its radii",
            )
        return lens

    def with_fields(self, values: Mapping[str, Any], *, simulate_colors: bool = False) -> Self:
        if set(values) == {"def_by"}:
            return self.with_definition(values["def_by"], simulate_colors=simulate_colors)
        how, params = values.get("def_by", self.def_by), values.get("params")
        if how != self.def_by and isinstance(params, Mapping):
            former = set(LENS_PARAMETERS[self.def_by]) - set(LENS_PARAMETERS[how])
            values = {
                **values,
                "params": {name: v for name, v in params.items() if name not in former},
            }
        return super().with_fields(values)

    def _lens_index(self, simulate_colors: bool) -> float:
        return self.ref_index + self.cauchy_b / 0.546**2 if simulate_colors else self.ref_index

    def _radii_and_vertices(
        self, index: float
    ) -> tuple[tuple[float, float, float], tuple[Vertex, ...]] | None:
        """The thickness and radii, and the vertices, of the lens that satisfies the definition.
        None if no lens does.
        """
        assert self.p1 is not None
        assert self.p2 is not None
        for radii in self._possible_radii(index):
            vertices = _lens_vertices(self.p1, self.p2, *radii)
            if vertices is not None:
                return radii, vertices
        return None

    def _possible_radii(self, n: float) -> list[tuple[float, float, float]]:
        """All solutions (thickness, r1, r2) of the lens definition for the index ``n``, the most
        plausible first.
        """
        params = self.given_parameters
        try:
            # a flat surface has an infinite radius, which JSON writes as null
            d, a, b = (
                math.inf if params[name] is None else float(params[name])
                for name in LENS_PARAMETERS[self.def_by]
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            return []
        if self.def_by == "DR1R2":
            return [(d, a, b)]
        square = d * d + 4 * b * a * n * n
        if square < 0:
            return []
        solutions = []
        for w in (math.sqrt(square), -math.sqrt(square)):
            below_1, below_2 = 2 * n * (d + (a - b) * n), 2 * n * (d + (b - a) * n)
            if below_1 != 0 and below_2 != 0:
                r1 = d * (n - 1) * (d + 2 * a * n - w) / below_1
                r2 = -d * (n - 1) * (d + 2 * b * n - w) / below_2
                solutions.append((d, r1, r2))
        return sorted(solutions, key=lambda r: abs(r[1]) + abs(r[2]))


def _focal_distances(d: float, r1: float, r2: float, n: float) -> tuple[float, float]:
    """Front and back focal distance of a thick lens (Hecht, section 6.1); infinite for an afocal
    lens.
    """
    power = (n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2))
    if power == 0:
        return math.inf, math.inf
    return (1 + (n - 1) * d / (n * r2)) / power, (1 - (n - 1) * d / (n * r1)) / power


def _lens_vertices(
    p1: Point, p2: Point, d: float, r1: float, r2: float
) -> tuple[Vertex, ...] | None:
    """The vertices of a lens with the ends of its rim at ``p1`` and ``p2``. None if a radius is too
    small to reach the rim.
    """
    length = math.hypot(p2.x - p1.x, p2.y - p1.y)
    if length == 0:
        return None
    ax, ay = (p2.y - p1.y) / length, (p1.x - p2.x) / length  # along the axis
    sagittas = []
    for r in (r1, r2):
        if math.isinf(r):
            sagittas.append(0.0)
            continue
        square = r * r - length * length / 4
        if not square >= 0:
            return None
        sagittas.append(r - math.copysign(math.sqrt(square), r))
    if not all(map(has_usable_numbers, (d, *sagittas))):
        return None
    edge_1, edge_2 = d / 2 - sagittas[0], d / 2 + sagittas[1]
    cx, cy = (p1.x + p2.x) / 2, (p1.y + p2.y) / 2
    return (
        Vertex(p1.x - ax * edge_1, p1.y - ay * edge_1),
        Vertex(p1.x + ax * edge_2, p1.y + ay * edge_2),
        Vertex(cx + ax * d / 2, cy + ay * d / 2, True),
        Vertex(p2.x + ax * edge_2, p2.y + ay * edge_2),
        Vertex(p2.x - ax * edge_1, p2.y - ay * edge_1),
        Vertex(cx - ax * d / 2, cy - ay * d / 2, True),
    )


@kind
class IdealLens(SceneObject):
    """A thin lens that images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht, section 5.2.3)."""

    label = "Ideal lens"
    has_edge_table = True

    p1: Point = point("First end", help="One end of the lens.")
    p2: Point = point("Second end", help="The other end of the lens.")
    focal_length: float = number(
        100.0, "Focal length", unit=LENGTH, help="Positive for a converging lens."
    )


def _lens_with_stored_outline(obj: SphericalLens) -> SphericalLens:
    """The lens with its computed outline stored. This fixes its shape before colours are simulated,
    since radii computed from focal distances depend on the index.
    """
    return (
        obj
        if obj.path is not None
        else dataclasses.replace(obj, path=obj.outline(simulate_colors=True), params=None)
    )


def _lens_parameters(obj: SphericalLens) -> Mapping[str, Description]:
    """The parameters that define the lens, with their descriptions. Empty for a lens with a stored
    outline, whose points are edited instead.
    """
    if obj.path is not None or not isinstance(obj.params, Mapping):
        return {}
    return {
        name: Description("number", label, help, LENGTH)
        for name in LENS_PARAMETERS[obj.def_by]
        for label, help in [PARAMETERS[name]]
    }


def _hidden_fields(obj: SphericalLens) -> Collection[str]:
    return ("def_by",) if obj.path is not None else ()


def _lens_fault(obj: SphericalLens, edges: Edges) -> str:
    if obj.p1 is not None and obj.p1 == obj.p2:
        return IN_ONE_POINT
    if not edges and obj.outline(simulate_colors=True) is None:
        if lacking := [
            name for name in LENS_PARAMETERS[obj.def_by] if name not in obj.given_parameters
        ]:
            return Phrase(
                "has no outline: its params lack {names}. Give what is missing.",
                names=list_choices(lacking, "and"),
            )
        return Phrase(
            "has no outline: no lens fits its definition. Give a thickness, and radii that reach"
            " from rim to rim."
        )
    return ""


def _biconvex_lens_fields(rim: Point, other: Point) -> dict[str, Any]:
    """The fields of a biconvex lens between two ends of its rim. The radii equal the distance
    between the ends.
    """
    length = math.dist(rim, other)
    sagitta = length - math.sqrt(length**2 - length**2 / 4)
    return {
        "p1": rim,
        "p2": other,
        "params": {"d": 2 * sagitta + 0.05 * length, "r1": length, "r2": -length},
    }


def _ideal_lens_piece(obj: IdealLens, edges: Edges) -> Piece:
    frame = lens_frame_columns(*obj.p1, *obj.p2, edges[0].shape.length)
    return piece_on_edges(
        edges, Surface.LENS, parameters=frame | {LENS_FOCAL_LENGTH: obj.focal_length}
    )


def zero_focal_length_remarks(obj: Any, edges: Edges) -> Iterator[str]:
    """Yield a remark if an ideal lens or mirror has the focal length 0."""
    if obj.focal_length == 0:
        yield Phrase("absorbs all light: focalLength is 0. Give another focal length.")


def _transform_lens(obj: SphericalLens, by: Similarity) -> SphericalLens:
    new: SphericalLens = transform_fields(obj, by)
    if obj.given_parameters and by.scale != 1:
        lengths = {
            n: by.length(v)
            for n in LENS_PARAMETERS[obj.def_by]
            if (v := as_number(obj.given_parameters.get(n))) is not None
        }
        new = dataclasses.replace(new, params={**obj.given_parameters, **lengths})
    if by.is_mirrored:
        rims = (4, 3, 2, 1, 0, 5)
        new = dataclasses.replace(
            new, p1=new.p2, p2=new.p1, path=new.path and tuple(new.path[i] for i in rims)
        )
    return new


def _lens_axis(obj: SphericalLens) -> OpticalAxis | None:
    """The axis through the vertices of both surfaces, with the focal points of the thick lens in
    air at the d line.
    """
    path = obj.outline()
    if path is None:
        return None
    front, back = path[5].point, path[2].point
    thick = math.dist(front, back)
    if thick == 0:
        return None
    x, y = (back.x - front.x) / thick, (back.y - front.y) / thick

    def signed_radius(rim: Vertex, vertex: Point, other: Vertex) -> float:
        shape = arc_through(rim.point, vertex, other.point)
        if not isinstance(shape, Arc):
            return math.inf
        return math.copysign(
            shape.radius, (shape.centre.x - vertex.x) * x + (shape.centre.y - vertex.y) * y
        )

    before, behind = _focal_distances(
        thick,
        signed_radius(path[0], front, path[4]),
        signed_radius(path[1], back, path[3]),
        obj.uniform_index(None),
    )
    foci = (
        Point(front.x - before * x, front.y - before * y),
        Point(back.x + behind * x, back.y + behind * y),
    )
    return OpticalAxis(midpoint(front, back), (x, y), foci if math.isfinite(before) else ())


ROWS = (
    Row(
        SphericalLens, family="Glass", edges=lambda obj: path_edges(obj.outline() or ()),
        in_colours=_lens_with_stored_outline, piece=glass_piece, fault=_lens_fault, remarks=glass_remarks,
        sample=sample.drag_sample(_biconvex_lens_fields), axis=_lens_axis, transformed=_transform_lens,
        parameters=_lens_parameters, not_shown=_hidden_fields, painter="body",
        icon=sample.numbered_points_fields(10, 3, 10, 17) | {"params": {"d": 8, "r1": 9, "r2": -9}},
    ),
    Row(
        IdealLens, family="Glass", edges=outlines.line_edges, piece=_ideal_lens_piece,
        ends_geometry=lenses_geometry, remarks=zero_focal_length_remarks, sample=sample.ENDS, axis=axis_of_ideal_element,
        painter="ideal lens", icon=sample.numbered_points_fields(10, 2.5, 10, 17.5),
    ),
)  # fmt: skip
