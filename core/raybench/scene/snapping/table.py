"""The table of kinds of snapping, a row each with the function that searches for places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from raybench.scene.snapping.meeting import foot, intersection, tangent_points
from raybench.scene.snapping.targets import CENTRE, CURVATURE, FOCUS, MIDPOINT, VERTEX
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape

Mark = Literal["square", "triangle", "circle", "cross", "diamond", "angle", "none"]


@dataclass(frozen=True)
class Met:
    """A place to snap to: its point, the key of its object (None for none), a guide line to draw,
    and a word for it if it has a more specific one than its kind.
    """

    at: Point
    key: int | None = None
    guide: tuple[Point, Point] | None = None
    word: str = ""


@dataclass(frozen=True)
class Near:
    """The targets near the pointer: points by kind, curves, axes and rays (see `targets.Index`),
    ends of rays on objects.

    ``begun`` is the point from which something is drawn, ``grid`` the distance of grid lines.
    """

    at: Point
    reach: float
    grid: float
    points: Sequence[tuple[Point, int, int, str]] = ()
    curves: Sequence[tuple[Shape, int]] = ()
    axes: Sequence[tuple[Line, int]] = ()
    rays: Sequence[Line] = ()
    hits: Sequence[tuple[Point, int]] = ()
    begun: Point | None = None


@dataclass(frozen=True)
class SnapKind:
    """A row: its id, its title in the menu, the word beside the point, where it looks, and its
    mark.

    Of the places in reach the lowest ``rank`` counts, then the distance; at about the same
    distance, the order of the rows. ``reach`` is a fraction of the tolerance. Moved objects meet a
    kind only if it is ``for_moves``. A kind that is not ``usual`` is off until the user switches it
    on. ``of`` joins the word and the name of the object. Places that are not ``exact``, coordinates
    of objects as they are, are rounded to far below a pixel: an intersection at 60 is not at
    59.99999999999999.
    """

    id: str
    title: str
    word: str
    find: Callable[[Near], Iterator[Met]] = field(repr=False)
    rank: int = 0
    mark: Mark = "square"
    reach: float = 1.0
    for_moves: bool = True
    usual: bool = True
    of: str = "of"
    exact: bool = False


def _points(what: int) -> Callable[[Near], Iterator[Met]]:
    return lambda near: (
        Met(p, key, word=word) for p, kind, key, word in near.points if kind == what
    )


def _crossings(near: Near) -> Iterator[Met]:
    lines = [*near.curves, *near.axes]
    for (a, key), (b, other) in combinations(lines, 2):
        at = intersection(a, b, near.at)
        if at is not None and (key != other or not _shares_end(a, b, at)):
            yield Met(at, key)


def _shares_end(a: Shape, b: Shape, at: Point) -> bool:
    """Whether a crossing of two curves is a corner that they share."""
    close = 1e-9 * (1 + abs(at.x) + abs(at.y))
    return all(min(math.dist(at, s.a), math.dist(at, s.b)) <= close for s in (a, b))


def _perpendicular(near: Near) -> Iterator[Met]:
    for shape, key in near.curves if near.begun is not None else ():
        for at in foot(shape, near.begun):  # type: ignore[arg-type]
            yield Met(at, key, (near.begun, at))  # type: ignore[arg-type]


def _tangent(near: Near) -> Iterator[Met]:
    for shape, key in near.curves if near.begun is not None else ():
        if isinstance(shape, Arc):
            for at in tangent_points(shape, near.begun):  # type: ignore[arg-type]
                yield Met(at, key, (near.begun, at))  # type: ignore[arg-type]


def _axis(near: Near) -> Iterator[Met]:
    for line, key in near.axes:
        at = _on_line(line, near.at)
        yield Met(at, key, (line.a, line.b))


def _on_line(line: Line, at: Point) -> Point:
    """The foot of the perpendicular on a line."""
    return FullLine(line.a, line.b).nearest(at) if line.a != line.b else line.a


def _edges(near: Near) -> Iterator[Met]:
    return (Met(shape.nearest(near.at), key) for shape, key in near.curves)


def _rays(near: Near) -> Iterator[Met]:
    return (Met(line.nearest(near.at), None, (line.a, line.b)) for line in near.rays)


def _whole(near: Near) -> Iterator[Met]:
    """No places near a point: for kinds to which objects snap as a whole, see
    `raybench.scene.snapping.alignment` and `raybench.scene.snapping.directions`.
    """
    return iter(())


def _grid(near: Near) -> Iterator[Met]:
    yield Met(
        Point(round(near.at.x / near.grid) * near.grid, round(near.at.y / near.grid) * near.grid)
    )


ALIGNMENT, DIRECTIONS = "alignment", "directions"
"""The kinds to which moved and turned objects snap as a whole."""
GRID = "grid"
"""The kind that a scene's own setting switches, at any distance."""
SNAPS: Mapping[str, SnapKind] = {
    row.id: row
    for row in (
        SnapKind("vertices", "Vertices and ends", "vertex", _points(VERTEX), exact=True),
        SnapKind("foci", "Focal points", "focus", _points(FOCUS), mark="diamond"),
        SnapKind("midpoints", "Midpoints", "midpoint", _points(MIDPOINT), mark="triangle"),
        SnapKind("centres", "Centres", "centre", _points(CENTRE), mark="circle", exact=True),
        SnapKind(
            "curvatures",
            "Centres of curvature",
            "centre of curvature",
            _points(CURVATURE),
            mark="circle",
        ),
        SnapKind(
            "hits",
            "Ray hits",
            "ray hit",
            lambda near: (Met(p, key) for p, key in near.hits),
            mark="cross",
            of="on",
        ),
        SnapKind("intersections", "Intersections", "intersection", _crossings, mark="cross"),
        SnapKind(
            "perpendicular", "Perpendicular", "perpendicular", _perpendicular, mark="angle", of="to"
        ),
        SnapKind("tangent", "Tangent", "tangent", _tangent, mark="circle", of="to"),
        SnapKind("axis", "Optical axis", "axis", _axis, rank=1, mark="none"),
        SnapKind(
            "edges", "Edges", "edge", _edges, rank=1, mark="cross", reach=0.6, for_moves=False
        ),
        SnapKind(
            "rays",
            "Rays",
            "ray",
            _rays,
            rank=1,
            mark="cross",
            reach=0.6,
            for_moves=False,
            usual=False,
        ),
        SnapKind(
            ALIGNMENT, "Edges and distances", "aligned", _whole, rank=1, mark="none", reach=0.5
        ),
        SnapKind(
            DIRECTIONS,
            "Directions of others",
            "parallel",
            _whole,
            rank=1,
            mark="none",
            reach=0.5,
            of="to",
        ),
        SnapKind(GRID, "Grid points", "grid", _grid, rank=2, mark="none", for_moves=False),
    )
}
"""All kinds, in the order of the menu."""
UNUSUAL = frozenset(row.id for row in SNAPS.values() if not row.usual)
"""The kinds that are off until the user switches them on."""
FOR_MOVES = frozenset(row.id for row in SNAPS.values() if row.for_moves)
"""The kinds to which moved objects snap."""
