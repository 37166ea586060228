"""Creation of objects with the mouse: by a drag, by a click, or by a click for each point of an
outline.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex

ARC_BULGE = 0.2
"""The sagitta of a new arc, as a fraction of its chord."""
Fields = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """The way in which users create an object of a kind with the mouse. ``fields`` computes the
    object's fields from the mouse input, whose form depends on ``by``:

    for ``drag``, from the points where the button was pressed and released, which give position,
    size and direction; for ``click``, from the point that was clicked; for ``points``, from a
    sequence of at least ``least`` clicked points.
    """

    by: Literal["drag", "click", "points"]
    fields: Callable[..., Fields]
    least: int = 0


def drag_sample(fields: Callable[[Point, Point], Fields]) -> Sample:
    return Sample("drag", fields)


def click_sample(fields: Callable[[Point], Fields]) -> Sample:
    return Sample("click", fields)


def points_sample(least: int, fields: Callable[[Sequence[Point]], Fields]) -> Sample:
    return Sample("points", fields, least)


def closed_path_field(corners: Sequence[Point]) -> Fields:
    """The field ``path``: a closed path through the corners."""
    return {"path": tuple(Vertex(p.x, p.y) for p in corners)}


def closed_chain_fields(nodes: Sequence[Point]) -> Fields:
    """The field ``points``: a closed chain of straight Bezier curves through the nodes."""
    ends = [*nodes[1:], nodes[0]]
    return {"points": tuple(map(_straight_curve_node, nodes, ends))}


def open_chain_fields(nodes: Sequence[Point]) -> Fields:
    """The fields ``points`` and ``is_closed``: an open chain of straight Bezier curves through the
    nodes.
    """
    return {
        "points": (*map(_straight_curve_node, nodes, nodes[1:]), CurveNode(nodes[-1])),
        "is_closed": False,
    }


def origin_field_at_mean(corners: Sequence[Point]) -> Fields:
    """The field ``origin``: the mean of the corners."""
    return {
        "origin": Point(
            sum(p.x for p in corners) / len(corners), sum(p.y for p in corners) / len(corners)
        )
    }


def point_between(a: Point, b: Point, fraction: float) -> Point:
    return Point(a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y))


def _straight_curve_node(a: Point, b: Point) -> CurveNode:
    return CurveNode(a, point_between(a, b, 1 / 3), point_between(a, b, 2 / 3))


def _bulged_arc_fields(a: Point, b: Point) -> Fields:
    """The fields of an arc between two ends: ``p1``, ``p2``, and ``p3`` near the middle, to one
    side.
    """
    dx, dy = b.x - a.x, b.y - a.y
    return {
        "p1": a,
        "p2": b,
        "p3": Point(a.x + dx / 2 - ARC_BULGE * dy, a.y + dy / 2 + ARC_BULGE * dx),
    }


ENDS = drag_sample(lambda a, b: {"p1": a, "p2": b})
BULGED = drag_sample(_bulged_arc_fields)
AT_XY = click_sample(lambda at: {"x": at.x, "y": at.y})
AT_ORIGIN = click_sample(lambda at: {"origin": at})
CORNERS = points_sample(3, closed_path_field)
CLOSED_CURVE = points_sample(3, closed_chain_fields)
OPEN_CURVE = points_sample(2, open_chain_fields)


def numbered_points_fields(*coordinates: float) -> Fields:
    """The fields ``p1``, ``p2`` ... with points at the coordinates x, y, x, y ...; used for the
    objects in icons.
    """
    places = zip(coordinates[::2], coordinates[1::2], strict=True)
    return {f"p{i}": Point(x, y) for i, (x, y) in enumerate(places, 1)}


BEAN_NODES = (
    CurveNode(Point(4, 10), Point(4, 0), Point(12, 6)),
    CurveNode(Point(17, 10), Point(18, 18), Point(4, 20)),
)
"""The nodes of a closed curve for icons."""
EGG_CURVE = (
    {
        "eqnX": "7\\cdot\\cos(t)",
        "eqnY": "4.5\\cdot\\sin(t)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": 0.1,
    },
)
"""The parametric curve for icons."""
