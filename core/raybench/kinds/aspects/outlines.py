"""The class `Edge`, the outlines that several kinds of objects share, and functions that check
outlines.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from raybench.kinds.aspects.equations import parametric_curves
from raybench.phrase import Phrase
from raybench.shapes.bezier import Bezier, Chain, CurveNode
from raybench.shapes.curves import Box, bounding_box_of
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, FullLine, Line, Shape, arc_through
from raybench.shapes.shape import circle_about as circle_about

# fractions of the extent of an outline, or of its square

MAX_GAP = 1e-8
"""The widest gap in a closed outline: more than formulas of its ends round, less than rays pass
through.
"""
FLAT_AREA = 1e-12
"""The largest area of an outline that encloses nothing, as a fraction of its extent squared."""
MEETING_DISTANCE = 1e-9
"""Graphs whose ends are closer than this, as a fraction of their width, are not joined by straight
sides.
"""
SAME_OUTLINE = 1e-6
"""The largest distance between the vertices of two equal lenses, as a fraction of the lens's
length.
"""

# numbers

SMALLEST_INDEX = 1e-9
"""The smallest refractive index of a body that transmits light."""
FIRST_ANGLE_MARGIN, LAST_ANGLE_MARGIN = 1e-6, 1e-5
"""The file format's margins (rad) of the first and last ray of a fan; they determine how many rays
there are.
"""


@dataclass(frozen=True, slots=True)
class Edge:
    """One side of an object. ``index`` is the index of the side's first vertex in the outline, so
    it stays the same if other sides become arcs.
    """

    index: int
    shape: Shape


Edges = tuple[Edge, ...]


def no_edges(obj: Any) -> Edges:
    """An empty tuple, the edges of a kind that is a point or a text."""
    return ()


def line_edges(obj: Any) -> Edges:
    """One edge: the line from ``p1`` to ``p2``."""
    return (Edge(0, Line(obj.p1, obj.p2)),)


def arc_edges(obj: Any) -> Edges:
    """One edge: the circular arc from ``p1`` to ``p2`` through ``p3``."""
    return (Edge(0, arc_through(obj.p1, obj.p3, obj.p2)),)


def circle_edges(obj: Any) -> Edges:
    """One edge: the circle about ``p1`` through ``p2``."""
    return (Edge(0, circle_about(obj.p1, obj.p2)),)


def stored_path_edges(obj: Any) -> Edges:
    """The edges of the closed outline with the vertices ``obj.path``."""
    return path_edges(obj.path)


def stored_closed_curve_edges(obj: Any) -> Edges:
    """The edges of the closed chain of Bezier curves through the nodes ``obj.points``."""
    return curve_edges(obj.points, closed=True)


def stored_curve_edges(obj: Any) -> Edges:
    """The edges of the chain of Bezier curves through the nodes ``obj.points``. The chain is closed
    if ``obj.is_closed``.
    """
    return curve_edges(obj.points, closed=obj.is_closed)


def parametric_edges(obj: Any) -> Edges:
    """The curves of the parametric equations ``pieces``, or their polygons, moved by ``origin``.
    Raises FormulaError or CurveError.
    """
    polygonal = obj.curve_type == "polygonal"
    chains = parametric_curves(obj.pieces, obj.origin, polygonal=polygonal)
    return tuple(Edge(i, chain) for i, chain in enumerate(chains))


def path_edges(path: Sequence[Vertex]) -> Edges:
    """The closed outline of a path: straight between corners, an arc where the vertex between two
    corners is an arc point.
    """
    n = len(path)
    out: list[Edge] = []
    for i, vertex in enumerate(path):
        if vertex.arc:
            continue
        following = path[(i + 1) % n]
        if following.arc:
            out.append(Edge(i, arc_through(vertex.point, following.point, path[(i + 2) % n].point)))
        else:
            out.append(Edge(i, Line(vertex.point, following.point)))
    return tuple(out)


def curve_edges(nodes: Sequence[CurveNode], *, closed: bool) -> Edges:
    """A Bezier curve from each node that has control points to the next node."""
    ends = [n.a1 for n in nodes[1:]] + ([nodes[0].a1] if closed and nodes else [])
    pieces = zip(nodes, ends, strict=False)
    return tuple(
        Edge(i, Bezier(n.a1, n.c1, n.c2, end))
        for i, (n, end) in enumerate(pieces)
        if n.c1 is not None and n.c2 is not None
    )


def signed_area(edges: Sequence[Edge]) -> float:
    """The enclosed area in square scene units (by Green's theorem).

    Positive if the outline runs clockwise as seen, since y is down.
    """
    total = 0.0
    for edge in edges:
        a, b, o = edge.shape.a, edge.shape.b, edges[0].shape.a
        # relative to one of its points, to keep precision for small outlines far from the origin
        total += ((a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y)) / 2
        if isinstance(edge.shape, Bezier | Chain):
            total += edge.shape.area - (a.x * b.y - b.x * a.y) / 2
        elif isinstance(edge.shape, Arc):
            total += edge.shape.radius**2 * (edge.shape.sweep - math.sin(edge.shape.sweep)) / 2
    return total


def edges_bounding_box(edges: Sequence[Edge]) -> Box | None:
    """The bounding box (left, top, right, bottom) of the edges; None without edges. An infinite
    line counts with the length with which it is drawn.
    """
    boxes = [
        (*e.shape.a, *e.shape.b) if isinstance(e.shape, FullLine) else bounding_box_of(e.shape)
        for e in edges
    ]
    if not boxes:
        return None
    corners = [(x, y) for box in boxes for x, y in (box[:2], box[2:])]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def edges_extent(edges: Sequence[Edge]) -> float:
    """The longer side of the bounding box of the edges; 0 if there are none."""
    box = edges_bounding_box(edges)
    return max(box[2] - box[0], box[3] - box[1]) if box else 0.0


def widest_gap_between_edges(edges: Sequence[Edge]) -> float:
    """The largest distance between the end of an edge and the start of the next one. The first edge
    follows the last.
    """
    following = (*edges[1:], *edges[:1])
    return max(
        (math.dist(e.shape.b, f.shape.a) for e, f in zip(edges, following, strict=True)),
        default=0.0,
    )


def is_closed(edges: Sequence[Edge]) -> bool:
    """Whether consecutive edges meet, apart from rounding errors. True without edges."""
    return widest_gap_between_edges(edges) <= MAX_GAP * edges_extent(edges)


def has_inside(edges: Sequence[Edge]) -> bool:
    """Whether edges enclose a region: a closed outline, or a half-plane."""
    if len(edges) == 1 and not isinstance(edges[0].shape, Arc | Bezier | Chain):
        return isinstance(edges[0].shape, FullLine)
    return len(edges) > 0 and is_closed(edges)


def is_free_of_self_intersections(edges: Edges) -> bool:
    """Whether an outline does not intersect itself, so that the side of a single edge distinguishes
    inside from outside.
    """
    if len(edges) == 3 and all(isinstance(e.shape, Line) for e in edges):
        return signed_area(edges) != 0
    if len(edges) == 1 and isinstance(edges[0].shape, Arc) and edges[0].shape.is_full_circle:
        return True
    ring = [p for e in edges for p in e.shape.points()[:-1]]
    if len(ring) < 3 or _is_convex(ring):
        return len(ring) >= 3
    from shapely import Polygon

    return bool(Polygon(ring).is_valid)


def _is_convex(ring: Sequence[Point]) -> bool:
    """Whether a polygon turns to the same side at each of its points, and once in all."""
    steps = [(q.x - p.x, q.y - p.y) for p, q in zip(ring, (*ring[1:], ring[0]), strict=True)]
    turns = [
        math.atan2(a * d - b * c, a * c + b * d)
        for (a, b), (c, d) in zip(steps, (*steps[1:], steps[0]), strict=True)
    ]
    same_side = min(turns) > 0.0 or max(turns) < 0.0
    return same_side and abs(sum(turns)) < 3.0 * math.pi


IN_ONE_POINT = Phrase("has no effect: it lies in one point. Move its ends apart.")


def outline_fault(obj: Any) -> str:
    """The reason why the curves of an object cannot be computed, with the remedy; empty if they
    can.
    """
    if hasattr(obj, "pieces"):
        return Phrase("has no outline: it has no pieces. Give at least one.")
    if hasattr(obj, "points"):
        return Phrase(
            "has no outline: its curve has {count} nodes. Give at least 2.", count=len(obj.points)
        )
    return ""
