"""Glass bodies bounded by curves: Bezier curves, graphs and parametric curves."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.equations import (
    curve_type_field,
    lower_and_upper_graphs,
    origin_field,
    pieces_field,
    polygon_step,
    step_size_field,
)
from raybench.kinds.aspects.outlines import MEETING_DISTANCE, Edge, Edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.transform import transform_between_directed_ends
from raybench.kinds.fields import curve, point, string
from raybench.kinds.glasses import (
    HomogeneousGlass,
    direction_remarks,
    glass_piece,
    glass_remarks,
    refractive_index_remarks,
)
from raybench.kinds.object import kind
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point
from raybench.shapes.shape import Line


@kind
class CurveGlass(HomogeneousGlass):
    """A body bounded by a closed chain of cubic Bezier curves."""

    label = "Curve glass"

    points: tuple[CurveNode, ...] = curve(
        "Curve", help="Nodes and control points in order; the last is joined to the first."
    )


@kind
class CustomGlass(HomogeneousGlass):
    """A body between two graphs, f(x) < y < g(x), where p1 is at x = -1 and p2 at x = 1."""

    label = "Equation glass"

    p1: Point = point("First end", help="Where x is -1 and y is 0.")
    p2: Point = point(
        "Second end", help="Where x is 1 and y is 0; y is up for ends from left to right."
    )
    eqn1: str = string(
        "0",
        "f(x)",
        variables=("x",),
        help="The lower bound, in LaTeX, in half distances of the ends.",
    )
    eqn2: str = string("0.5\\cdot\\sqrt{1-x^2}", "g(x)", variables=("x",), help="The upper bound.")
    curve_step_size: float = step_size_field()
    curve_type: str = curve_type_field()


@kind
class ParamGlass(HomogeneousGlass):
    """A body bounded by closed parametric curves x(t), y(t)."""

    label = "Parametric glass"

    origin: Point = origin_field()
    pieces: Any = pieces_field()
    curve_type: str = curve_type_field()


def _edges_between_graphs(obj: CustomGlass) -> Edges:
    lower, upper = lower_and_upper_graphs(obj.eqn1, obj.eqn2, obj.p1, obj.p2, polygon_step(obj))
    upper = upper.reversed()
    # straight sides join the graphs if they do not meet at the ends
    joined = MEETING_DISTANCE * math.dist(obj.p1, obj.p2)
    sides: list[Edge] = []
    for index, side, other in ((0, lower, upper), (1, upper, lower)):
        sides.append(Edge(index, side))
        if math.dist(side.b, other.a) > joined:
            sides.append(Edge(index + 2, Line(side.b, other.a)))
    return tuple(sides)


def _index_and_direction_remarks(obj: ParamGlass, edges: Edges) -> Iterator[str]:
    yield from refractive_index_remarks(obj, edges)
    yield from direction_remarks(obj, edges)


body_row = partial(Row, family="Glass", painter="body")
ROWS = (
    body_row(
        CurveGlass, edges=outlines.stored_closed_curve_edges, piece=glass_piece, remarks=glass_remarks,
        sample=sample.CLOSED_CURVE, icon={"points": sample.BEAN_NODES},
    ),
    body_row(
        CustomGlass, edges=_edges_between_graphs, piece=partial(glass_piece, simple=True), remarks=glass_remarks,
        sample=sample.ENDS, transformed=transform_between_directed_ends,
        icon={ "p1": Point(2.5, 10), "p2": Point(17.5, 10), "eqn1": "-0.6\\cdot\\sqrt{1-x^2}", "eqn2": "0.6\\cdot\\sqrt{1-x^2}", },
    ),
    body_row(
        ParamGlass, edges=outlines.parametric_edges, piece=partial(glass_piece, simple=True, directed=True),
        remarks=_index_and_direction_remarks, sample=sample.AT_ORIGIN,
        icon={"origin": Point(10, 10), "pieces": sample.EGG_CURVE},
    ),
)  # fmt: skip
