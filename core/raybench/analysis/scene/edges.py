"""The edge table: shape, position and normal of each edge of a body or mirror."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from raybench.analysis.geometry.edge_curve import ShapeKind, length_between, shape_kind
from raybench.kinds.aspects.outlines import Edge, signed_area
from raybench.kinds.object import SceneObject
from raybench.scene.labels import NO_LABELS, LabelledEdge, labelled_edges
from raybench.shapes.curves import point_at_parameter
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Parabola, Shape


@dataclass(frozen=True, slots=True)
class EdgeFacts:
    """A row of the edge table. Lengths are in scene units, and y points down.

    ``kind``: line, arc, conic or curve. ``normal``: see `raybench.scene.labels.LabelledEdge`. For
    an infinite line ``p1`` and ``p2`` are two points on the line.
    """

    labelled: LabelledEdge
    kind: ShapeKind
    p1: Point
    p2: Point
    midpoint: Point
    length: float

    @property
    def normal(self) -> tuple[float, float]:
        return self.labelled.normal

    @property
    def index(self) -> int:
        return self.labelled.index

    @property
    def title(self) -> str:
        return self.labelled.title

    @property
    def shape(self) -> Shape:
        return self.labelled.edge.shape

    @property
    def is_infinite(self) -> bool:
        """Whether the edge is an infinite line."""
        return isinstance(self.shape, FullLine)

    @property
    def normal_angle(self) -> float:
        """The direction of the normal in degrees, [0, 360), 0 to the right, counter-clockwise on
        screen.
        """
        return math.degrees(math.atan2(-self.normal[1], self.normal[0])) % 360.0

    @property
    def radius(self) -> float | None:
        """The radius of curvature of an arc, or of a conic at its vertex; None for other shapes."""
        if isinstance(self.shape, Arc):
            return self.shape.radius
        if isinstance(self.shape, Parabola) and (c := self.shape.local_frame[3]):
            return 1 / abs(2 * c)
        return None

    @property
    def centre(self) -> Point | None:
        """The centre of curvature of an arc; None for other shapes."""
        return self.shape.centre if isinstance(self.shape, Arc) else None

    @property
    def bulge(self) -> Literal["convex", "concave"] | None:
        """``convex`` if the normal of an arc points away from its centre, ``concave`` if it points
        towards it; None for other shapes.
        """
        if self.centre is None:
            return None
        away = (self.midpoint.x - self.centre.x) * self.normal[0] + (
            self.midpoint.y - self.centre.y
        ) * self.normal[1]
        return "convex" if away > 0 else "concave"


def edge_table(
    obj: SceneObject, user_labels: Mapping[int, str] = NO_LABELS
) -> tuple[EdgeFacts, ...]:
    """The edges of an object in order; empty if it has none. ``user_labels`` are the user's labels
    by edge index.
    """
    return tuple(map(_edge_facts, labelled_edges(obj, user_labels)))


def _edge_facts(labelled: LabelledEdge) -> EdgeFacts:
    shape = labelled.edge.shape
    p1, p2 = (
        (shape.through, shape.and_through) if isinstance(shape, FullLine) else (shape.a, shape.b)
    )
    middle = shape.midpoint if isinstance(shape, FullLine) else point_at_parameter(shape, 0.5)
    return EdgeFacts(labelled, shape_kind(shape), p1, p2, middle, length_between(shape, 0.0, 1.0))


def perimeter(edges: Sequence[Edge]) -> float:
    """The length of an outline in scene units; infinite for a half-plane."""
    return math.fsum(length_between(e.shape, 0.0, 1.0) for e in edges)


def area(edges: Sequence[Edge]) -> float:
    """The area inside an outline in square scene units; infinite for a half-plane. Exact unless the
    outline crosses itself.
    """
    return (
        math.inf if any(isinstance(e.shape, FullLine) for e in edges) else abs(signed_area(edges))
    )
