"""Glass bodies: refracting media with a closed outline."""

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import (
    FLAT_AREA,
    SMALLEST_INDEX,
    Edge,
    Edges,
    edges_extent,
    is_closed,
    is_free_of_self_intersections,
    signed_area,
    widest_gap_between_edges,
)
from raybench.kinds.aspects.pieces import Piece, circles_geometry, piece_on_edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.transform import transform_between_directed_ends
from raybench.kinds.fields import flag, number, path, point
from raybench.kinds.object import SceneObject, kind
from raybench.kinds.primitives import (
    BODIES,
    GLASS,
    GLASS_CAUCHY_B,
    GLASS_INDEX,
    GLASS_MATERIAL,
    GRADED,
    GRADED_BODY,
    MATERIAL,
    MATERIALS,
    PARTIAL,
    SIMPLE,
    Surface,
)
from raybench.materials.material import AssignedMaterial
from raybench.optics.laws import cauchy_index
from raybench.phrase import Phrase
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import FullLine


@kind
class GlassBody(SceneObject):
    """A refracting body. Its index is relative to its surroundings: where bodies overlap, their
    indices are multiplied.
    """

    merges_with_glass = True
    has_edge_table = True

    def __post_init__(self) -> None:
        super().__post_init__()
        nodes = getattr(self, "points", None)
        if nodes is not None and len(nodes) < 2:
            raise self.invalid_error(
                "points", f"has {len(nodes)} nodes; a closed curve needs at least 2"
            )

    def uniform_index(self, wavelength: float | None) -> float | None:
        """The refractive index of the body; None if it varies with position. ``wavelength`` is in
        nm, or None if the scene simulates no colours.
        """
        return None

    @abstractmethod
    def index_at(self, points: Floats, wavelength: float | None) -> Floats:
        """The refractive index (n,) at ``points`` (n, 2); NaN where the formula of the index is
        undefined. ``wavelength`` is in nm, or None if the scene simulates no colours.
        """


@kind
class HomogeneousGlass(GlassBody):
    """A body with the same index everywhere.

    ``assigned`` is a material, which determines the exact index; the scene format cannot store it.
    The material is used as long as ``ref_index`` and ``cauchy_b`` are the numbers of its fit; if
    another index is set, that index is used.
    """

    ref_index: float = number(
        1.5, "Refractive index", help="Index, or Cauchy's A where colours are simulated."
    )
    cauchy_b: float = number(
        0.004, "Cauchy B", unit="µm²", help="Dispersion: n = A + B/λ², where colours are simulated."
    )
    partial_reflect: bool = flag(
        True,
        "Partial reflection",
        help="Split rays by Fresnel's equations instead of transmitting all.",
    )
    assigned: AssignedMaterial | None = field(default=None)

    @property
    def material(self) -> AssignedMaterial | None:
        """The assigned material if ``ref_index`` and ``cauchy_b`` are still the numbers of its fit;
        otherwise None.
        """
        own = self.assigned
        return (
            own if own is not None and (own.a, own.b) == (self.ref_index, self.cauchy_b) else None
        )

    def uniform_index(self, wavelength: float | None) -> float:
        if (own := self.material) is not None:
            return own.index(wavelength)
        return (
            self.ref_index
            if wavelength is None
            else cauchy_index(self.ref_index, self.cauchy_b, wavelength)
        )

    def index_at(self, points: Floats, wavelength: float | None) -> Floats:
        return np.full(len(points), self.uniform_index(wavelength))


@kind
class Glass(HomogeneousGlass):
    """A body with a closed outline of straight edges and circular arcs."""

    label = "Glass"

    path: tuple[Vertex, ...] = path(
        "Outline",
        help="Corners in order; a vertex marked arc bends the side between its neighbours.",
    )


@kind
class CircleGlass(HomogeneousGlass):
    """A circular body."""

    label = "Circle glass"

    p1: Point = point("Centre", help="Centre of the circle.")
    p2: Point = point("Rim point", help="A point on the circle.")


@kind
class PlaneGlass(HomogeneousGlass):
    """A half-plane of glass on one side of a line: below the line if its first point is to the left
    of its second.
    """

    label = "Half-plane glass"

    p1: Point = point("First point", help="A point on the boundary.")
    p2: Point = point("Second point", help="Another point on the boundary.")


def glass_piece(
    obj: HomogeneousGlass, edges: Edges, *, simple: bool | None = None, directed: bool = False
) -> Piece:
    """The piece of a glass body. ``simple`` says whether the outline is free of self-intersections,
    None if this is not known. With ``directed`` the outside is to the left, on screen, of the
    direction of the curve.
    """
    if simple is None:
        simple = is_free_of_self_intersections(edges)
    orientation = 1.0 if directed else math.copysign(1.0, signed_area(edges))
    flags = GLASS | (SIMPLE if simple else 0) | (PARTIAL if obj.partial_reflect else 0)
    numbers, material = {GLASS_INDEX: obj.ref_index, GLASS_CAUCHY_B: obj.cauchy_b}, obj.material
    if material is None:
        return piece_on_edges(edges, Surface.REFRACT, flags, numbers, orientation=orientation)
    flags |= MATERIAL | (GRADED if material.absorbs else 0)
    links = ((GLASS_MATERIAL, MATERIALS), *([(GRADED_BODY, BODIES)] if material.absorbs else []))
    return piece_on_edges(
        edges,
        Surface.REFRACT,
        flags,
        numbers,
        orientation=orientation,
        links=links,
        material=material,
        graded=material.absorbs,
    )


def glass_remarks(obj: HomogeneousGlass, edges: Edges) -> Iterator[str]:
    """Remarks on the index and the outline of a body."""
    yield from refractive_index_remarks(obj, edges)
    yield from outline_remarks(obj, edges)


def refractive_index_remarks(obj: HomogeneousGlass, edges: Edges) -> Iterator[str]:
    if abs(obj.ref_index) < SMALLEST_INDEX:
        yield (
            Phrase(
                "absorbs all light at its surface: refIndex is {ref_index:g}. Give another index.",
                ref_index=obj.ref_index,
            )
        )


def outline_remarks(obj: Any, edges: Edges) -> Iterator[str]:
    """Yield remarks on an outline that should be closed but is not, or that encloses nothing."""
    if not is_closed(edges):
        yield (
            Phrase(
                "does not close: its outline has a gap of {gap:.3g}, so inside"
                " and outside cannot be distinguished. Close it.",
                gap=widest_gap_between_edges(edges),
            )
        )
    elif edges and _encloses_nothing(edges):
        yield Phrase("encloses no area: its sides lie on each other. Move its points apart.")


def direction_remarks(obj: Any, edges: Edges) -> Iterator[str]:
    """Remarks on a closed outline whose direction determines which side is inside."""
    remarks = tuple(outline_remarks(obj, edges))
    yield from remarks
    if not remarks and signed_area(edges) < 0:
        yield (
            Phrase(
                "runs counter-clockwise as seen, so its inside and outside are swapped for light."
                " Write -t for t in its formulas, and change tMin and tMax accordingly."
            )
        )


def _encloses_nothing(edges: Edges) -> bool:
    """Whether an outline contains no point, by the even-odd rule."""
    extent = edges_extent(edges)
    if abs(signed_area(edges)) > FLAT_AREA * extent**2:
        return False
    points = [p for e in edges for p in e.shape.points()[:-1]]
    if len(points) < 3 or not extent:
        return True
    from shapely import GEOSException, Polygon, make_valid

    try:
        return bool(make_valid(Polygon(points)).area <= FLAT_AREA * extent**2)
    except GEOSException:  # of corners 10^50 times as far away as others nothing can be said
        return False


ROWS = (
    Row(
        Glass, family="Glass", edges=outlines.stored_path_edges, piece=glass_piece, remarks=glass_remarks,
        sample=sample.CORNERS, painter="body",
        icon={"path": (Vertex(10, 3.5), Vertex(17, 16), Vertex(3, 16))},
    ),
    Row(
        CircleGlass, family="Glass", edges=outlines.circle_edges, piece=partial(glass_piece, simple=True),
        ends_geometry=circles_geometry, remarks=glass_remarks, sample=sample.ENDS, centre="p1",
        painter="body", icon=sample.numbered_points_fields(10, 10, 17, 10),
    ),
    Row(
        PlaneGlass, family="Glass", edges=lambda obj: (Edge(0, FullLine(obj.p1, obj.p2)),),
        piece=partial(glass_piece, simple=True), remarks=refractive_index_remarks, sample=sample.ENDS,
        transformed=transform_between_directed_ends, painter="half-plane",
        icon=sample.numbered_points_fields(0, 10, 20, 10),
    ),
)  # fmt: skip
