"""Mirrors: lines and curves that reflect."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.equations import (
    curve_type_field,
    graph_between,
    origin_field,
    pieces_field,
    polygon_step,
    step_size_field,
)
from raybench.kinds.aspects.outlines import Edge, Edges
from raybench.kinds.aspects.pieces import (
    Piece,
    lens_frame_columns,
    lenses_geometry,
    lines_geometry,
    piece_on_edges,
    surface_piece_maker,
)
from raybench.kinds.aspects.row import OpticalAxis, Row, axis_of_ideal_element, axis_through_vertex
from raybench.kinds.aspects.transform import transform_between_directed_ends
from raybench.kinds.fields import LENGTH, curve, flag, number, point, string
from raybench.kinds.lenses import zero_focal_length_remarks
from raybench.kinds.object import Filtered, kind
from raybench.kinds.primitives import LENS_FOCAL_LENGTH, MIRRORED, SPLITTER_TRANSMISSION, Surface
from raybench.phrase import Phrase
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Parabola, arc_through


@kind
class Reflector(Filtered):
    """A surface between two ends that reflects on both sides."""

    merges_with_glass = True
    has_edge_table = True

    p1: Point = point("First end", help="One end of the mirror.")
    p2: Point = point("Second end", help="The other end of the mirror.")


@kind
class Mirror(Reflector):
    """A flat mirror that reflects without loss on both sides."""

    label = "Mirror"


@kind
class ArcMirror(Reflector):
    """A mirror in the form of a circular arc."""

    label = "Arc mirror"

    p3: Point = point("Point on the arc", help="A point on the arc, between its ends.")


@kind
class ParabolicMirror(Reflector):
    """A parabolic mirror whose axis is perpendicular to the line between its ends."""

    label = "Parabolic mirror"

    p3: Point = point("Vertex", help="The vertex of the parabola.")


@kind
class IdealMirror(Reflector):
    """A flat element that reflects and images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht,
    section 5.4.3).
    """

    label = "Ideal mirror"

    focal_length: float = number(
        100.0, "Focal length", unit=LENGTH, help="Positive for a converging mirror."
    )


@kind
class BeamSplitter(Reflector):
    """A flat mirror that transmits a fraction of the power."""

    label = "Beam splitter"
    merges_with_glass = False

    trans_ratio: float = number(
        0.5, "Transmission", low=0, high=1, help="The fraction of the power that is transmitted.",
        words=("split ratio", "splitting ratio"),
    )  # fmt: skip


@kind
class CurveMirror(Filtered):
    """A mirror in the form of a chain of cubic Bezier curves."""

    label = "Curve mirror"
    merges_with_glass = True
    has_edge_table = True

    points: tuple[CurveNode, ...] = curve("Curve", help="Nodes and control points in order.")
    is_closed: bool = flag(True, "Closed", help="Join the last node to the first.")


@kind
class CustomMirror(Reflector):
    """A mirror in the form of a graph y = f(x), whose ends are at x = -1 and x = 1."""

    label = "Equation mirror"

    eqn: str = string(
        "0.5\\cdot\\sqrt{1-x^2}",
        "f(x)",
        variables=("x",),
        help="LaTeX; y is up for ends from left to right, in half distances.",
    )
    curve_step_size: float = step_size_field()
    curve_type: str = curve_type_field()


@kind
class ParamMirror(Filtered):
    """A mirror in the form of parametric curves x(t), y(t)."""

    label = "Parametric mirror"
    merges_with_glass = True
    has_edge_table = True

    origin: Point = origin_field()
    pieces: Any = pieces_field()
    curve_type: str = curve_type_field()


def _parabola_edges(obj: ParabolicMirror) -> Edges:
    parabola = Parabola(obj.p1, obj.p2, obj.p3)
    return (Edge(0, parabola if parabola.local_frame[3] else Line(obj.p1, obj.p2)),)


def _ideal_mirror_piece(obj: IdealMirror, edges: Edges) -> Piece:
    frame = lens_frame_columns(*obj.p1, *obj.p2, edges[0].shape.length)
    return piece_on_edges(
        edges, Surface.LENS, MIRRORED, frame | {LENS_FOCAL_LENGTH: obj.focal_length}
    )


def _splitter_remarks(obj: BeamSplitter, edges: Edges) -> Iterator[str]:
    if not 0 <= obj.trans_ratio <= 1:
        yield (
            Phrase(
                "does not conserve power: transRatio is {trans_ratio:g}, but a fraction is from 0 to"
                " 1.",
                trans_ratio=obj.trans_ratio,
            )
        )


def _arc_mirror_axis(obj: ArcMirror) -> OpticalAxis | None:
    shape = arc_through(obj.p1, obj.p3, obj.p2)
    return (
        axis_through_vertex(obj.p1, obj.p2, shape.midpoint, shape.radius / 2)
        if isinstance(shape, Arc)
        else None
    )


def _parabolic_mirror_axis(obj: ParabolicMirror) -> OpticalAxis | None:
    curvature = Parabola(obj.p1, obj.p2, obj.p3).local_frame[3]
    return (
        axis_through_vertex(obj.p1, obj.p2, obj.p3, 1 / abs(4 * curvature)) if curvature else None
    )


reflecting_piece = surface_piece_maker(Surface.REFLECT)

mirror_row = partial(Row, family="Mirrors", piece=reflecting_piece, painter="mirror")
ROWS = (
    mirror_row(
        Mirror, edges=outlines.line_edges, ends_geometry=lines_geometry, sample=sample.ENDS,
        icon=sample.numbered_points_fields(5, 16, 15, 4),
    ),
    mirror_row(
        ArcMirror, edges=outlines.arc_edges, sample=sample.BULGED, axis=_arc_mirror_axis,
        icon=sample.numbered_points_fields(7, 3, 7, 17, 13, 10),
    ),
    mirror_row(
        ParabolicMirror, edges=_parabola_edges, sample=sample.BULGED, axis=_parabolic_mirror_axis,
        icon=sample.numbered_points_fields(4, 3, 4, 17, 15, 10),
    ),
    mirror_row(
        CurveMirror, edges=outlines.stored_curve_edges, sample=sample.OPEN_CURVE,
        icon={
            "points": (CurveNode(Point(6, 3), Point(16, 7), Point(3, 12)), CurveNode(Point(14, 17))),
            "is_closed": False,
        },
    ),
    mirror_row(
        CustomMirror,
        edges=lambda obj: (
            Edge(0, graph_between(obj.eqn, obj.p1, obj.p2, step=polygon_step(obj))),
        ),
        sample=sample.ENDS, transformed=transform_between_directed_ends,
        icon=sample.numbered_points_fields(2.5, 13, 17.5, 13),
    ),
    mirror_row(
        ParamMirror, edges=outlines.parametric_edges, sample=sample.AT_ORIGIN,
        icon={"origin": Point(10, 10), "pieces": sample.EGG_CURVE},
    ),
    Row(
        IdealMirror, family="Mirrors", edges=outlines.line_edges, piece=_ideal_mirror_piece,
        ends_geometry=lenses_geometry, remarks=zero_focal_length_remarks, sample=sample.ENDS, axis=axis_of_ideal_element,
        painter="ideal mirror", icon=sample.numbered_points_fields(10, 2.5, 10, 17.5),
    ),
    Row(
        BeamSplitter, family="Mirrors", edges=outlines.line_edges,
        piece=lambda obj, edges: piece_on_edges(
            edges, Surface.SPLIT, parameters={SPLITTER_TRANSMISSION: obj.trans_ratio}
        ),
        ends_geometry=lines_geometry, remarks=_splitter_remarks, sample=sample.ENDS, painter="splitter",
        icon=sample.numbered_points_fields(5, 16, 15, 4),
    ),
)  # fmt: skip
