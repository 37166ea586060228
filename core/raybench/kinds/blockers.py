"""Blockers: lines, discs and screens that absorb light."""

from functools import partial

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.aspects.pieces import circles_geometry, lines_geometry, surface_piece_maker
from raybench.kinds.aspects.row import Row, axis_across_own_line
from raybench.kinds.fields import point
from raybench.kinds.object import Filtered, kind
from raybench.kinds.primitives import Surface
from raybench.shapes.point import Point
from raybench.shapes.shape import Line


@kind
class Blocker(Filtered):
    """A line that absorbs incident light."""

    label = "Blocker"
    merges_with_glass = True
    has_edge_table = True

    p1: Point = point("First end", help="One end of the blocker.")
    p2: Point = point("Second end", help="The other end of the blocker.")


@kind
class CircleBlocker(Filtered):
    """A circle whose rim absorbs incident light."""

    label = "Circle blocker"
    merges_with_glass = True
    has_edge_table = True

    p1: Point = point("Centre", help="Centre of the circle.")
    p2: Point = point("Rim point", help="A point on the circle.")


@kind
class Aperture(Filtered):
    """A screen with an opening: it absorbs between each outer end and the corresponding end of the
    opening.
    """

    label = "Aperture"
    merges_with_glass = True
    has_edge_table = True

    p1: Point = point("First outer end", help="Where the screen begins.")
    p2: Point = point("Second outer end", help="Where the screen ends.")
    p3: Point = point(
        "First end of the opening", help="The end of the opening that faces the first outer end."
    )
    p4: Point = point(
        "Second end of the opening", help="The end of the opening that faces the second outer end."
    )


def _aperture_fields(a: Point, b: Point) -> dict[str, Point]:
    """The fields of a screen between two ends, with an opening in the middle third."""
    return {
        "p1": a,
        "p2": b,
        "p3": sample.point_between(a, b, 1 / 3),
        "p4": sample.point_between(b, a, 1 / 3),
    }


absorbing_piece = surface_piece_maker(Surface.ABSORB)
blocker_row = partial(Row, family="Blockers", piece=absorbing_piece, painter="blocker")
ROWS = (
    blocker_row(
        Blocker, edges=outlines.line_edges, ends_geometry=lines_geometry, sample=sample.ENDS,
        icon=sample.numbered_points_fields(5, 16, 15, 4),
    ),
    blocker_row(
        CircleBlocker, edges=outlines.circle_edges, ends_geometry=circles_geometry, sample=sample.ENDS,
        centre="p1", icon=sample.numbered_points_fields(10, 10, 15.5, 10),
    ),
    blocker_row(
        Aperture, edges=lambda obj: (Edge(0, Line(obj.p1, obj.p3)), Edge(1, Line(obj.p4, obj.p2))),
        sample=sample.drag_sample(_aperture_fields), axis=axis_across_own_line,
        icon={"p1": Point(10, 2), "p3": Point(10, 7.5), "p4": Point(10, 12.5), "p2": Point(10, 18)},
    ),
)  # fmt: skip
