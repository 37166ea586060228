"""The edges of every object: what light meets, what is drawn, and what can be pointed at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from core.errors import RaybenchError
from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.custom_surfaces import CustomArcSurface, CustomCurveSurface, CustomParamSurface, CustomSurface
from core.kinds.decorations import CropBox, LineArrow, Ruler
from core.kinds.detectors import Detector
from core.kinds.equations import graph_between, graphs_around, parametric_curves
from core.kinds.glasses import CircleGlass, CurveGlass, CustomGlass, Glass, ParamGlass, PlaneGlass, SphericalLens
from core.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from core.kinds.grin import CircleGrinGlass, CurveGrinGlass, GrinGlass, ParamGrinGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import (
    ArcMirror,
    BeamSplitter,
    CurveMirror,
    CustomMirror,
    IdealMirror,
    Mirror,
    ParabolicMirror,
    ParamMirror,
    Reflector,
)
from core.kinds.object import SceneObject
from core.kinds.sources import Beam
from core.shapes.bezier import Bezier
from core.shapes.chain import Chain
from core.shapes.point import Point, Vertex
from core.shapes.shape import Arc, FullLine, Line, Parabola, Shape, arc_through, circle


@dataclass(frozen=True, slots=True)
class Edge:
    """One side of an object. ``index`` is the place of its first vertex in the outline, so straight sides keep theirs beside arcs."""

    index: int
    shape: Shape


@singledispatch
def edges_of(obj: SceneObject) -> tuple[Edge, ...]:
    """The edges of an object in order; none for objects that are points or text."""
    return ()


@edges_of.register(Mirror)
@edges_of.register(IdealMirror)
@edges_of.register(BeamSplitter)
@edges_of.register(DiffractionGrating)
@edges_of.register(Blocker)
@edges_of.register(IdealLens)
@edges_of.register(Detector)
@edges_of.register(CustomSurface)
@edges_of.register(Beam)
@edges_of.register(Ruler)
@edges_of.register(LineArrow)
def _line(obj: Reflector | DiffractionGrating | Blocker | IdealLens | Detector | Beam | Ruler | LineArrow) -> tuple[Edge, ...]:
    return (Edge(0, Line(obj.p1, obj.p2)),)


@edges_of.register(ArcMirror)
@edges_of.register(ConcaveDiffractionGrating)
@edges_of.register(CustomArcSurface)
def _arc(obj: ArcMirror | ConcaveDiffractionGrating) -> tuple[Edge, ...]:
    return (Edge(0, arc_through(obj.p1, obj.p3, obj.p2)),)


@edges_of.register
def _parabola(obj: ParabolicMirror) -> tuple[Edge, ...]:
    parabola = Parabola(obj.p1, obj.p2, obj.p3)
    return (Edge(0, parabola if parabola.frame[3] else Line(obj.p1, obj.p2)),)


@edges_of.register(CircleGlass)
@edges_of.register(CircleBlocker)
@edges_of.register(CircleGrinGlass)
def _circle(obj: CircleGlass | CircleBlocker) -> tuple[Edge, ...]:
    return (Edge(0, circle(obj.p1, obj.p2)),)


@edges_of.register
def _aperture(obj: Aperture) -> tuple[Edge, ...]:
    return Edge(0, Line(obj.p1, obj.p3)), Edge(1, Line(obj.p4, obj.p2))


@edges_of.register
def _half_plane(obj: PlaneGlass) -> tuple[Edge, ...]:
    return (Edge(0, FullLine(obj.p1, obj.p2)),)


@edges_of.register(CurveMirror)
@edges_of.register(CustomCurveSurface)
@edges_of.register(CurveGlass)
@edges_of.register(CurveGrinGlass)
def _curve(obj: CurveMirror | CurveGlass | CurveGrinGlass | CustomCurveSurface) -> tuple[Edge, ...]:
    nodes = obj.points
    closed = isinstance(obj, CurveGlass | CurveGrinGlass) or obj.is_closed
    ends = [n.a1 for n in nodes[1:]] + ([nodes[0].a1] if closed and nodes else [])
    pieces = zip(nodes, ends, strict=False)
    return tuple(Edge(i, Bezier(n.a1, n.c1, n.c2, end)) for i, (n, end) in enumerate(pieces) if n.c1 is not None and n.c2 is not None)


@edges_of.register(CustomMirror)
@edges_of.register(CustomGlass)
@edges_of.register(ParamMirror)
@edges_of.register(ParamGlass)
@edges_of.register(ParamGrinGlass)
@edges_of.register(CustomParamSurface)
def _formula_curve(obj: SceneObject) -> tuple[Edge, ...]:
    try:
        return edges_from_formulas(obj)
    except RaybenchError:  # `core.kinds.faults` tells it
        return ()


def edges_from_formulas(obj: SceneObject) -> tuple[Edge, ...]:
    """The edges of an object whose outline comes from formulas, none for others. Raises FormulaError or CurveError."""
    return _FROM_FORMULAS[type(obj)](obj) if type(obj) in _FROM_FORMULAS else ()


def _graph(obj: CustomMirror) -> tuple[Edge, ...]:
    return (Edge(0, graph_between(obj.eqn, obj.p1, obj.p2)),)


def _between_graphs(obj: CustomGlass) -> tuple[Edge, ...]:
    lower, upper = graphs_around(obj.eqn1, obj.eqn2, obj.p1, obj.p2)
    upper = upper.reversed()
    # where the graphs do not meet at the ends, straight sides join them
    joined = 1e-9 * math.dist(obj.p1, obj.p2)
    sides: list[Edge] = []
    for index, side, other in ((0, lower, upper), (1, upper, lower)):
        sides.append(Edge(index, side))
        if math.dist(side.b, other.a) > joined:
            sides.append(Edge(index + 2, Line(side.b, other.a)))
    return tuple(sides)


def _parametric(obj: ParamMirror | ParamGlass | ParamGrinGlass | CustomParamSurface) -> tuple[Edge, ...]:
    return tuple(Edge(i, chain) for i, chain in enumerate(parametric_curves(obj.pieces, obj.origin)))


_FROM_FORMULAS: dict[type[SceneObject], Callable[[Any], tuple[Edge, ...]]] = {
    CustomMirror: _graph,
    CustomGlass: _between_graphs,
    ParamMirror: _parametric,
    ParamGlass: _parametric,
    ParamGrinGlass: _parametric,
    CustomParamSurface: _parametric,
}


@edges_of.register
def _spherical_lens(obj: SphericalLens) -> tuple[Edge, ...]:
    return path_edges(obj.outline() or ())


@edges_of.register(Glass)
@edges_of.register(GrinGlass)
def _polygon(obj: Glass | GrinGlass) -> tuple[Edge, ...]:
    return path_edges(obj.path)


@edges_of.register
def _frame(obj: CropBox) -> tuple[Edge, ...]:
    (x1, y1), (x2, y2) = obj.p1, obj.p4
    corners = (Vertex(x1, y1), Vertex(x2, y1), Vertex(x2, y2), Vertex(x1, y2))
    return path_edges(corners)


def path_edges(path: Sequence[Vertex]) -> tuple[Edge, ...]:
    """The closed outline of a path: straight between corners, an arc where the vertex between two corners is an arc point."""
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


def signed_area(edges: Sequence[Edge]) -> float:
    """The enclosed area in square units (Green's theorem over lines and arcs).

    Positive where the outline runs clockwise as seen, for y is down.
    """
    total = 0.0
    for edge in edges:
        a, b, o = edge.shape.a, edge.shape.b, edges[0].shape.a
        # seen from a point of its own, a small outline far from the origin loses no digits
        total += ((a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y)) / 2
        if isinstance(edge.shape, Bezier | Chain):
            total += edge.shape.area - (a.x * b.y - b.x * a.y) / 2
        elif isinstance(edge.shape, Arc):
            total += edge.shape.radius**2 * (edge.shape.sweep - math.sin(edge.shape.sweep)) / 2
    return total


def bounds(edges: Sequence[Edge]) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of some edges, or None without any."""
    points: list[Point] = [p for e in edges for p in e.shape.points()]
    if not points:
        return None
    xs, ys = [p.x for p in points], [p.y for p in points]
    return min(xs), min(ys), max(xs), max(ys)
