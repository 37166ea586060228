"""Glass bodies bounded by curves: Bezier curves, graphs and parametric curves."""

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.equations import (
    curve_step_size,
    curve_type,
    graphs_around,
    origin,
    pieces,
)
from raybench.kinds.aspects.outlines import MEETING, Edge, Edges, no_pieces
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import REFLECTED_X, parametric, rewritten_in, with_sides
from raybench.kinds.fields import curve, point, string
from raybench.kinds.glasses import (
    HomogeneousGlass,
    directed_glass_piece,
    direction_remarks,
    glass_piece,
    glass_remarks,
    index_remarks,
    simple_glass_piece,
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

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.points) < 2:
            raise self.invalid(
                "points", f"has {len(self.points)} nodes; a closed curve needs at least 2"
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
    curve_step_size: float = curve_step_size()
    curve_type: str = curve_type()


@kind
class ParamGlass(HomogeneousGlass):
    """A body bounded by closed parametric curves x(t), y(t)."""

    label = "Parametric glass"

    origin: Point = origin()
    pieces: Any = pieces()
    curve_type: str = curve_type()


def _between_graphs(obj: CustomGlass) -> Edges:
    lower, upper = graphs_around(obj.eqn1, obj.eqn2, obj.p1, obj.p2)
    upper = upper.reversed()
    # straight sides join the graphs if they do not meet at the ends
    joined = MEETING * math.dist(obj.p1, obj.p2)
    sides: list[Edge] = []
    for index, side, other in ((0, lower, upper), (1, upper, lower)):
        sides.append(Edge(index, side))
        if math.dist(side.b, other.a) > joined:
            sides.append(Edge(index + 2, Line(side.b, other.a)))
    return tuple(sides)


def _directed_remarks(obj: ParamGlass, edges: Edges) -> Iterator[str]:
    yield from index_remarks(obj, edges)
    yield from direction_remarks(obj, edges)


def _graphs_transformed(obj: CustomGlass, by: Similarity) -> CustomGlass:
    new: CustomGlass = with_sides(obj, by)
    if not by.mirrored:
        return new
    lower, upper = (
        rewritten_in(obj, n, text, ("x",), REFLECTED_X)
        for n, text in (("eqn1", obj.eqn1), ("eqn2", obj.eqn2))
    )
    return dataclasses.replace(new, eqn1=lower, eqn2=upper)


ROWS = (
    Row(
        CurveGlass, family="Glass", edges=outlines.closed_curve, piece=glass_piece, remarks=glass_remarks, sample=sample.CLOSED_CURVE,
        painter="body", icon={"points": sample.BEAN},
    ),
    Row(
        CustomGlass, family="Glass", edges=_between_graphs, piece=simple_glass_piece, remarks=glass_remarks, sample=sample.ENDS,
        transformed=_graphs_transformed, painter="body",
        icon={
            "p1": Point(2.5, 10), "p2": Point(17.5, 10), "eqn1": "-0.6\\cdot\\sqrt{1-x^2}", "eqn2": "0.6\\cdot\\sqrt{1-x^2}",
        },
    ),
    Row(
        ParamGlass, family="Glass", edges=outlines.parametric, piece=directed_glass_piece, fault=no_pieces, remarks=_directed_remarks,
        sample=sample.AT_ORIGIN, transformed=parametric, painter="body", icon={"origin": Point(10, 10), "pieces": sample.EGG},
    ),
)  # fmt: skip
