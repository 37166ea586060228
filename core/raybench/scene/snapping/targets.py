"""What a point can snap to: the kinds of targets, where curves meet near a point, and an index of
the places of a scene.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.scene.changes.placing import centre_of
from raybench.scene.control_points import control_points
from raybench.shapes.curves import box_of, union
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape

MarkShape = Literal["square", "triangle", "circle", "cross", "diamond", "angle", "none"]
VERTEX, MIDPOINT, CENTRE, CURVATURE, FOCUS = range(5)
"""Kinds of points."""
STEPS = 12
CLOSE = 1e-9
"""Largest distance of an intersection from both curves, relative to its coordinates."""
CORNER = "vertex"
"""The name of an end of an edge that is not a point of the object itself."""
ENDLESS = 1e6
"""Coordinates beyond which a box is that of an infinite line."""
Floats = NDArray[np.float64]


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
    mark: MarkShape = "square"
    reach: float = 1.0
    for_moves: bool = True
    usual: bool = True
    of: str = "of"
    exact: bool = False


def _met_points(what: int) -> Callable[[Near], Iterator[Met]]:
    return lambda near: (
        Met(p, key, word=word) for p, kind, key, word in near.points if kind == what
    )


def _intersections_near(near: Near) -> Iterator[Met]:
    lines = [*near.curves, *near.axes]
    for (a, key), (b, other) in combinations(lines, 2):
        at = intersection(a, b, near.at)
        if at is not None and (key != other or not _shares_end(a, b, at)):
            yield Met(at, key)


def _shares_end(a: Shape, b: Shape, at: Point) -> bool:
    """Whether a crossing of two curves is a corner that they share."""
    close = 1e-9 * (1 + abs(at.x) + abs(at.y))
    return all(min(math.dist(at, s.a), math.dist(at, s.b)) <= close for s in (a, b))


def _feet_near(near: Near) -> Iterator[Met]:
    for shape, key in near.curves if near.begun is not None else ():
        for at in foot(shape, near.begun):  # type: ignore[arg-type]
            yield Met(at, key, (near.begun, at))  # type: ignore[arg-type]


def _tangent_points_near(near: Near) -> Iterator[Met]:
    for shape, key in near.curves if near.begun is not None else ():
        if isinstance(shape, Arc):
            for at in tangent_points(shape, near.begun):  # type: ignore[arg-type]
                yield Met(at, key, (near.begun, at))  # type: ignore[arg-type]


def _axes_near(near: Near) -> Iterator[Met]:
    for line, key in near.axes:
        at = FullLine(line.a, line.b).nearest(near.at) if line.a != line.b else line.a
        yield Met(at, key, (line.a, line.b))


def _edges_near(near: Near) -> Iterator[Met]:
    return (Met(shape.nearest(near.at), key) for shape, key in near.curves)


def _rays_near(near: Near) -> Iterator[Met]:
    return (Met(line.nearest(near.at), None, (line.a, line.b)) for line in near.rays)


def _nothing_near(near: Near) -> Iterator[Met]:
    """No places near a point: for kinds to which objects snap as a whole, see
    `raybench.scene.snapping.alignment` and `raybench.scene.snapping.snap`.
    """
    return iter(())


def _grid_points_near(near: Near) -> Iterator[Met]:
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
        SnapKind("vertices", "Vertices and ends", "vertex", _met_points(VERTEX), exact=True),
        SnapKind("foci", "Focal points", "focus", _met_points(FOCUS), mark="diamond"),
        SnapKind("midpoints", "Midpoints", "midpoint", _met_points(MIDPOINT), mark="triangle"),
        SnapKind("centres", "Centres", "centre", _met_points(CENTRE), mark="circle", exact=True),
        SnapKind(
            "curvatures",
            "Centres of curvature",
            "centre of curvature",
            _met_points(CURVATURE),
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
        SnapKind(
            "intersections", "Intersections", "intersection", _intersections_near, mark="cross"
        ),
        SnapKind(
            "perpendicular", "Perpendicular", "perpendicular", _feet_near, mark="angle", of="to"
        ),
        SnapKind("tangent", "Tangent", "tangent", _tangent_points_near, mark="circle", of="to"),
        SnapKind("axis", "Optical axis", "axis", _axes_near, rank=1, mark="none"),
        SnapKind(
            "edges", "Edges", "edge", _edges_near, rank=1, mark="cross", reach=0.6, for_moves=False
        ),
        SnapKind(
            "rays",
            "Rays",
            "ray",
            _rays_near,
            rank=1,
            mark="cross",
            reach=0.6,
            for_moves=False,
            usual=False,
        ),
        SnapKind(
            ALIGNMENT,
            "Edges and distances",
            "aligned",
            _nothing_near,
            rank=1,
            mark="none",
            reach=0.5,
        ),
        SnapKind(
            DIRECTIONS,
            "Directions of others",
            "parallel",
            _nothing_near,
            rank=1,
            mark="none",
            reach=0.5,
            of="to",
        ),
        SnapKind(
            GRID, "Grid points", "grid", _grid_points_near, rank=2, mark="none", for_moves=False
        ),
    )
}
"""All kinds, in the order of the menu."""
UNUSUAL = frozenset(row.id for row in SNAPS.values() if not row.usual)
"""The kinds that are off until the user switches them on."""
FOR_MOVES = frozenset(row.id for row in SNAPS.values() if row.for_moves)
"""The kinds to which moved objects snap."""


@dataclass(frozen=True)
class Targets:
    """The targets of one object: points as rows (x, y, kind, specific word if any), curves with
    their boxes, and its axis as (x, y, dx, dy).
    """

    points: tuple[tuple[float, float, int, str], ...]
    curves: tuple[Shape, ...]
    boxes: tuple[tuple[float, float, float, float], ...]
    axes: tuple[tuple[float, float, float, float], ...]

    @property
    def extent(self) -> tuple[float, float, float, float] | None:
        """The bounding box: of the curves, else of the points; None for what has no end."""
        boxes = self.boxes or tuple((x, y, x, y) for x, y, what, _ in self.points if what == VERTEX)
        box = union(boxes)
        return box if box is not None and max(map(abs, box)) < ENDLESS else None


def targets_of(objects: Iterable[SceneObject]) -> Targets:
    """The targets of an object, or of the parts of an instance."""
    points = list[tuple[float, float, int, str]]()
    curves, axes = list[Shape](), list[tuple[float, float, float, float]]()
    for obj in objects:
        shapes = [e.shape for e in edges_of(obj)]
        curves += shapes
        points += _object_points(obj, shapes)
        axis = row_of(obj).axis(obj)
        if axis is not None:
            axes.append((*axis.at, *axis.direction))
            points += ((*focus, FOCUS, "") for focus in axis.foci)
    finite = tuple(dict.fromkeys(p for p in points if math.isfinite(p[0]) and math.isfinite(p[1])))
    return Targets(finite, tuple(curves), tuple(box_of(s) for s in curves), tuple(axes))


def _object_points(
    obj: SceneObject, shapes: Sequence[Shape]
) -> Iterator[tuple[float, float, int, str]]:
    known, nouns = set[Point](), {control.at: control.noun for control in control_points(obj)}
    for shape in shapes:
        if isinstance(shape, Arc):
            known.add(shape.centre)
            yield *shape.centre, CENTRE if shape.full else CURVATURE, ""
        if isinstance(shape, FullLine) or (isinstance(shape, Arc) and shape.full):
            continue
        known |= {shape.a, shape.b}
        yield *shape.a, VERTEX, nouns.get(shape.a, CORNER)
        yield *shape.b, VERTEX, nouns.get(shape.b, CORNER)
        yield *shape.midpoint, MIDPOINT, ""
    if len(shapes) != 1:
        try:
            centre = centre_of(obj)
        except RaybenchError:
            return
        if nouns.get(centre, "centre") == "centre":  # else it is the start of a ray, say
            known.add(centre)
            yield *centre, CENTRE, ""
    for control in control_points(obj):
        if control.at not in known:
            yield *control.at, VERTEX, control.noun


class Index:
    """The targets of all objects of a scene, in arrays. Objects are immutable, so their targets are
    computed once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[SceneObject, tuple[SceneObject, ...], Targets]] = {}
        """By key, an object of the scene, its parts, and the targets of both."""
        self._objects: tuple[SceneObject, ...] | None = None
        self._parts: dict[int, tuple[SceneObject, ...]] = {}
        self.points: Floats = np.empty((0, 2))
        self.what: NDArray[np.int64] = np.empty(0, np.int64)
        self.words: list[str] = []
        self.point_owner: NDArray[np.int64] = np.empty(0, np.int64)
        self.curves: list[Shape] = []
        self.boxes: Floats = np.empty((0, 4))
        self.curve_owner: NDArray[np.int64] = np.empty(0, np.int64)
        self.axes: Floats = np.empty((0, 4))
        self.axis_owner: NDArray[np.int64] = np.empty(0, np.int64)
        self.extents: Floats = np.empty((0, 4))
        self.extent_owner: NDArray[np.int64] = np.empty(0, np.int64)

    @property
    def complete(self) -> bool:
        """Whether all objects that were shown are in the arrays."""
        return self._objects is not None

    def show(
        self,
        objects: tuple[SceneObject, ...],
        parts: dict[int, tuple[SceneObject, ...]],
        most: int | None = None,
    ) -> None:
        """Add the objects, and by key the parts of instances; at most ``most`` new ones, the others
        at the next call.
        """
        if objects is self._objects and parts == self._parts:
            return
        known = {
            o.key: self._known[o.key] for o in objects if o.key in self._known
        }  # without those that are gone
        new = [
            o
            for o in objects
            if (had := known.get(o.key)) is None
            or had[0] is not o
            or had[1] is not parts.get(o.key, ())
        ]
        for obj in new[:most]:
            own = parts.get(obj.key, ())
            known[obj.key] = obj, own, targets_of((obj, *own))
        there = [(o.key, known[o.key][2]) for o in objects if o.key in known]
        self._known, self._parts, self._objects = (
            known,
            parts,
            objects if most is None or len(new) <= most else None,
        )
        points = [p for _, t in there for p in t.points]
        self.points = np.array([p[:2] for p in points], float).reshape(-1, 2)
        self.what = np.array([p[2] for p in points], np.int64)
        self.words = [p[3] for p in points]
        self.point_owner = _target_owners(there, "points")
        self.curves = [s for _, t in there for s in t.curves]
        self.boxes = np.array([b for _, t in there for b in t.boxes], float).reshape(-1, 4)
        self.curve_owner = _target_owners(there, "curves")
        self.axes = np.array([a for _, t in there for a in t.axes], float).reshape(-1, 4)
        self.axis_owner = _target_owners(there, "axes")
        extents = [(key, box) for key, t in there if (box := t.extent) is not None]
        self.extents = np.array([box for _, box in extents], float).reshape(-1, 4)
        self.extent_owner = np.array([key for key, _ in extents], np.int64)

    def points_near(
        self, at: Point, reach: float, without: Collection[int]
    ) -> list[tuple[Point, int, int, str]]:
        """Points within a distance, each with its kind, the key of its object, and its word."""
        near = np.flatnonzero(
            (np.abs(self.points[:, 0] - at.x) <= reach)
            & (np.abs(self.points[:, 1] - at.y) <= reach)
        )
        words = (self.words[i] for i in near.tolist())
        found = zip(
            self.points[near].tolist(),
            self.what[near].tolist(),
            self.point_owner[near].tolist(),
            words,
            strict=True,
        )
        return [
            (Point(*p), what, key, word)
            for p, what, key, word in found
            if key not in without and math.dist(p, at) <= reach
        ]

    def curves_near(
        self, at: Point, reach: float, without: Collection[int], most: int
    ) -> list[tuple[Shape, int]]:
        """The nearest curves within a distance, with the keys of their objects."""
        left, top, right, bottom = self.boxes.T
        inside = (
            (left - reach <= at.x)
            & (at.x <= right + reach)
            & (top - reach <= at.y)
            & (at.y <= bottom + reach)
        )
        near = [
            (self.curves[i], int(self.curve_owner[i])) for i in np.flatnonzero(inside)[: 8 * most]
        ]
        ranked = [
            (math.dist(shape.nearest(at), at), i)
            for i, (shape, key) in enumerate(near)
            if key not in without
        ]
        return [near[i] for distance, i in sorted(ranked)[:most] if distance <= reach]

    def boxes_within(
        self, view: tuple[float, float, float, float], without: Collection[int]
    ) -> Floats:
        """The bounding boxes, shape (n, 4), of the objects that reach into a rectangle."""
        left, top, right, bottom = self.extents.T
        inside = (left <= view[2]) & (right >= view[0]) & (top <= view[3]) & (bottom >= view[1])
        boxes: Floats = self.extents[
            inside & ~np.isin(self.extent_owner, np.array([*without], np.int64))
        ]
        return boxes

    def axes_near(
        self, at: Point, reach: float, without: Collection[int], most: int
    ) -> list[tuple[Line, int]]:
        """The nearest axes within a distance, each as a segment from its object to beyond the
        point, with the keys of their objects.
        """
        x, y, dx, dy = self.axes.T
        away = np.abs((at.x - x) * dy - (at.y - y) * dx)
        near = np.flatnonzero(away <= reach)
        found = [
            (Line(*_axis_stretch(self.axes[i].tolist(), at, reach)), int(self.axis_owner[i]))
            for i in near[np.argsort(away[near])]
        ]
        return [(line, key) for line, key in found if key not in without][:most]


def _axis_stretch(axis: list[float], at: Point, reach: float) -> tuple[Point, Point]:
    """The part of an axis (x, y, dx, dy) from its first point to some way beyond another."""
    x, y, dx, dy = axis
    along = (at.x - x) * dx + (at.y - y) * dy
    end = along + math.copysign(4 * reach, along)
    start = -math.copysign(4 * reach, along)
    return Point(x + start * dx, y + start * dy), Point(x + end * dx, y + end * dy)


def _target_owners(there: Sequence[tuple[int, Targets]], what: str) -> NDArray[np.int64]:
    counts = [len(getattr(t, what)) for _, t in there]
    return np.repeat(np.array([key for key, _ in there], np.int64), counts)


def intersection(a: Shape, b: Shape, near: Point) -> Point | None:
    """The intersection of two curves that Newton's method finds from a point; None if it finds
    none.
    """
    at = near
    for _ in range(STEPS):
        (p, (ux, uy)), (q, (vx, vy)) = _touching_line(a, at), _touching_line(b, at)
        det = ux * vy - uy * vx
        if abs(det) < 1e-12:
            return None
        along = ((q.x - p.x) * vy - (q.y - p.y) * vx) / det
        new = Point(p.x + along * ux, p.y + along * uy)
        if math.dist(new, at) <= 1e-14 * (1 + abs(at.x) + abs(at.y)):
            break
        at = new
    size = CLOSE * (1 + abs(at.x) + abs(at.y))
    return (
        at
        if math.dist(a.nearest(at), at) <= size and math.dist(b.nearest(at), at) <= size
        else None
    )


def _touching_line(shape: Shape, at: Point) -> tuple[Point, tuple[float, float]]:
    """The nearest point of a curve and its unit tangent there."""
    near = shape.nearest(at)
    if isinstance(shape, Arc):
        x, y = near.x - shape.centre.x, near.y - shape.centre.y
        length = math.hypot(x, y) or 1.0
        return near, (-y / length, x / length)
    if isinstance(shape, FullLine):
        return near, shape.unit
    ends = pairwise(shape.points())
    line = min(
        (Line(a, b) for a, b in ends), key=lambda piece: math.dist(piece.nearest(near), near)
    )
    length = line.length or 1.0
    return near, ((line.b.x - line.a.x) / length, (line.b.y - line.a.y) / length)


def foot(shape: Shape, of: Point) -> list[Point]:
    """The points of a line or an arc whose normal goes through a point."""
    if isinstance(shape, Line):
        if shape.a == shape.b:
            return []
        at = FullLine(shape.a, shape.b).nearest(of)
        return (
            [at]
            if math.dist(shape.nearest(at), at) <= CLOSE * (1 + shape.length)
            and math.dist(at, of) > 0
            else []
        )
    if isinstance(shape, FullLine):
        return [shape.nearest(of)]
    if not isinstance(shape, Arc):
        return []
    x, y = of.x - shape.centre.x, of.y - shape.centre.y
    distance = math.hypot(x, y)
    if distance == 0:
        return []
    x, y = x / distance * shape.radius, y / distance * shape.radius
    both = (
        Point(shape.centre.x + x, shape.centre.y + y),
        Point(shape.centre.x - x, shape.centre.y - y),
    )
    return [p for p in both if math.dist(shape.nearest(p), p) <= CLOSE * (1 + shape.radius)]


def tangent_points(arc: Arc, of: Point) -> list[Point]:
    """The points of an arc whose tangent goes through a point outside its circle."""
    x, y = of.x - arc.centre.x, of.y - arc.centre.y
    distance = math.hypot(x, y)
    if distance <= arc.radius:
        return []
    towards, half = math.atan2(y, x), math.acos(arc.radius / distance)
    both = [
        Point(arc.centre.x + arc.radius * math.cos(a), arc.centre.y + arc.radius * math.sin(a))
        for a in (towards - half, towards + half)
    ]
    return [p for p in both if math.dist(arc.nearest(p), p) <= CLOSE * (1 + arc.radius)]
