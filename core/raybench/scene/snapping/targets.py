"""Snap targets: the kinds of targets, the intersections of curves near a point, and an index of the
targets of a scene.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.changes.placing import object_centre
from raybench.scene.control_points import control_points
from raybench.shapes.curves import Box, bounding_box_of, union_of_boxes
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape

MarkShape = Literal["square", "triangle", "circle", "cross", "diamond", "angle", "none"]
VERTEX, MIDPOINT, CENTRE, CURVATURE, FOCUS, HIT = (
    "vertices", "midpoints", "centres", "curvatures", "foci", "hits"
)  # fmt: skip
"""Kinds of points: ids of rows of `SNAPS`."""
STEPS = 12
INTERSECTION_TOLERANCE = 1e-9
"""Largest distance of an intersection from both curves, relative to its coordinates."""
EDGE_END = "vertex"
"""The name of an end of an edge that is not a point of the object itself."""
ENDLESS_COORDINATE = 1e6
"""Coordinates beyond which a box is that of an infinite line."""
EMPTY_BOX = (math.inf, math.inf, -math.inf, -math.inf)
"""The box of nothing."""
Floats = NDArray[np.float64]
NearPoint = tuple[Point, str, int, str]
"""A point, its kind, the key of its object, and a word for it if it has a more specific one."""


@dataclass(frozen=True)
class FoundTarget:
    """A snap target: its point, the key of its object (None without an object), a guide line to
    draw, and a word for the target if the word for its kind is not specific enough.
    """

    at: Point
    key: int | None = None
    guide: tuple[Point, Point] | None = None
    word: str = ""


@dataclass(frozen=True)
class NearbyTargets:
    """The points, curves, axes and rays near the pointer (see `targets.TargetIndex`).

    ``begun`` is the start point of the object that is being drawn, ``grid`` the distance of grid
    lines.
    """

    at: Point
    reach: float
    grid: float
    points: Sequence[NearPoint] = ()
    curves: Sequence[tuple[Shape, int]] = ()
    axes: Sequence[tuple[Line, int]] = ()
    rays: Sequence[Line] = ()
    begun: Point | None = None


@dataclass(frozen=True)
class SnapKind:
    """A kind of snap targets: its id, its title in the menu, the word next to the snapped point,
    the function that finds its targets (unless they are the points with its id), and its marker.

    Among the targets in reach, that with the lowest ``rank`` is chosen, then the nearest, and at
    about the same distance the first in the table. ``reach`` is a fraction of the tolerance. Moved
    objects snap only to kinds that are ``for_moves``. A kind that is not ``usual`` is off until the
    user switches it on. ``of`` joins the word and the name of the object. ObjectTargets that are
    not ``exact`` coordinates of objects are rounded to far below a pixel: an intersection at 60 is
    not at 59.99999999999999.
    """

    id: str
    title: str
    word: str
    find: Callable[[NearbyTargets], Iterable[FoundTarget]] | None = field(default=None, repr=False)
    rank: int = 0
    mark: MarkShape = "square"
    reach: float = 1.0
    for_moves: bool = True
    usual: bool = True
    of: str = "of"
    exact: bool = False

    def snap_places_near(self, near: NearbyTargets) -> Iterable[FoundTarget]:
        """The snap targets of this kind in ``near``."""
        if self.find is not None:
            return self.find(near)
        return (
            FoundTarget(at, key, word=word)
            for at, kind, key, word in near.points
            if kind == self.id
        )


def _intersections_near(near: NearbyTargets) -> Iterator[FoundTarget]:
    for (a, key), (b, other) in combinations([*near.curves, *near.axes], 2):
        at = intersection(a, b, near.at)
        if at is not None and (key != other or not _is_shared_end(a, b, at)):
            yield FoundTarget(at, key)


def _is_shared_end(a: Shape, b: Shape, at: Point) -> bool:
    """Whether two curves that cross at ``at`` only meet there in a common corner."""
    close = 1e-9 * (1 + abs(at.x) + abs(at.y))
    return all(min(math.dist(at, s.a), math.dist(at, s.b)) <= close for s in (a, b))


def _places_from_drawing_start(
    find: Callable[[Shape, Point], Iterable[Point]],
) -> Callable[[NearbyTargets], Iterator[FoundTarget]]:
    """Make a function that yields snap targets. ``find`` returns points of a curve that depend on
    the start point of the object that is being drawn.
    """

    def snap_places_from_start(near: NearbyTargets) -> Iterator[FoundTarget]:
        if near.begun is not None:
            for shape, key in near.curves:
                yield from (
                    FoundTarget(at, key, (near.begun, at)) for at in find(shape, near.begun)
                )

    return snap_places_from_start


def _axes_near(near: NearbyTargets) -> Iterator[FoundTarget]:
    for line, key in near.axes:
        at = FullLine(line.a, line.b).nearest(near.at) if line.a != line.b else line.a
        yield FoundTarget(at, key, (line.a, line.b))


def _edges_near(near: NearbyTargets) -> Iterator[FoundTarget]:
    return (FoundTarget(shape.nearest(near.at), key) for shape, key in near.curves)


def _rays_near(near: NearbyTargets) -> Iterator[FoundTarget]:
    return (FoundTarget(line.nearest(near.at), None, (line.a, line.b)) for line in near.rays)


def _grid_points_near(near: NearbyTargets) -> Iterator[FoundTarget]:
    yield FoundTarget(Point(*(round(c / near.grid) * near.grid for c in near.at)))


def perpendicular_foot_points(shape: Shape, point: Point) -> list[Point]:
    """The points of a line or an arc at which the normal passes through the point ``point``."""
    if isinstance(shape, FullLine):
        return [shape.nearest(point)]
    if isinstance(shape, Line) and shape.a != shape.b:
        feet, size = [FullLine(shape.a, shape.b).nearest(point)], shape.length
    elif isinstance(shape, Arc) and point != shape.centre:
        away = math.atan2(point.y - shape.centre.y, point.x - shape.centre.x)
        feet, size = _circle_points_at_angles(shape, away, away + math.pi), shape.radius
    else:
        return []
    close = INTERSECTION_TOLERANCE * (1 + size)
    return [p for p in feet if math.dist(shape.nearest(p), p) <= close and p != point]


def tangent_points(shape: Shape, point: Point) -> list[Point]:
    """The points of an arc at which the tangent passes through the point ``point``, which lies
    outside the arc's circle.
    """
    if not isinstance(shape, Arc) or (distance := math.dist(point, shape.centre)) <= shape.radius:
        return []
    towards = math.atan2(point.y - shape.centre.y, point.x - shape.centre.x)
    half = math.acos(shape.radius / distance)
    both = _circle_points_at_angles(shape, towards - half, towards + half)
    return [
        p
        for p in both
        if math.dist(shape.nearest(p), p) <= INTERSECTION_TOLERANCE * (1 + shape.radius)
    ]


def _circle_points_at_angles(arc: Arc, *angles: float) -> list[Point]:
    """The points at some angles on the circle to which an arc belongs."""
    (x, y), r = arc.centre, arc.radius
    return [Point(x + r * math.cos(t), y + r * math.sin(t)) for t in angles]


ALIGNMENT, DIRECTIONS = "alignment", "directions"
"""The kinds to which moved and turned objects snap as a whole, see
`raybench.scene.snapping.alignment` and `raybench.scene.snapping.snap`: they have no places.
"""
GRID = "grid"
"""The kind that a scene's own setting switches, at any distance."""
SNAPS: Mapping[str, SnapKind] = {
    row.id: row
    for row in (
        SnapKind(VERTEX, "Vertices and ends", "vertex", exact=True),
        SnapKind(FOCUS, "Focal points", "focus", mark="diamond"),
        SnapKind(MIDPOINT, "Midpoints", "midpoint", mark="triangle"),
        SnapKind(CENTRE, "Centres", "centre", mark="circle", exact=True),
        SnapKind(CURVATURE, "Centres of curvature", "centre of curvature", mark="circle"),
        SnapKind(HIT, "Ray hits", "ray hit", mark="cross", of="on"),
        SnapKind("intersections", "Intersections", "intersection", _intersections_near, mark="cross"),
        SnapKind(
            "perpendicular", "Perpendicular", "perpendicular", _places_from_drawing_start(perpendicular_foot_points), mark="angle", of="to"
        ),
        SnapKind("tangent", "Tangent", "tangent", _places_from_drawing_start(tangent_points), mark="circle", of="to"),
        SnapKind("axis", "Optical axis", "axis", _axes_near, 1, "none"),
        SnapKind("edges", "Edges", "edge", _edges_near, 1, "cross", 0.6, for_moves=False),
        SnapKind("rays", "Rays", "ray", _rays_near, 1, "cross", 0.6, for_moves=False, usual=False),
        SnapKind(ALIGNMENT, "Edges and distances", "aligned", None, 1, "none", 0.5),
        SnapKind(DIRECTIONS, "Directions of others", "parallel", None, 1, "none", 0.5, of="to"),
        SnapKind(GRID, "Grid points", "grid", _grid_points_near, 2, "none", for_moves=False),
    )
}  # fmt: skip
"""All kinds, in the order of the menu."""
OFF_BY_DEFAULT = frozenset(row.id for row in SNAPS.values() if not row.usual)
"""The kinds that are off until the user switches them on."""
MOVE_SNAPS = frozenset(row.id for row in SNAPS.values() if row.for_moves)
"""The kinds to which moved objects snap."""


@dataclass(frozen=True)
class ObjectTargets:
    """The snap targets of one object: points with their kinds and specific words, curves with their
    bounding boxes, and axes as (x, y, dx, dy).
    """

    points: tuple[tuple[Point, str, str], ...]
    curves: tuple[tuple[Shape, Box], ...]
    axes: tuple[tuple[float, float, float, float], ...]

    @cached_property
    def box(self) -> Box | None:
        """The bounding box of all points and curves."""
        return union_of_boxes(
            [*(box for _, box in self.curves), *((*p, *p) for p, *_ in self.points)]
        )

    @cached_property
    def extent(self) -> Box | None:
        """The bounding box of the curves or, without curves, of the points. None if it is
        infinite.
        """
        box = union_of_boxes(box for _, box in self.curves) or union_of_boxes(
            (*p, *p) for p, kind, _ in self.points if kind == VERTEX
        )
        return box if box is not None and max(map(abs, box)) < ENDLESS_COORDINATE else None


def snap_targets_of_objects(objects: Iterable[SceneObject]) -> ObjectTargets:
    """The snap targets of one object, which is given as itself or, for an instance, as its
    parts.
    """
    points = list[tuple[Point, str, str]]()
    curves, axes = list[Shape](), list[tuple[float, float, float, float]]()
    for obj in objects:
        shapes = [e.shape for e in object_edges(obj)]
        curves += shapes
        points += _object_snap_points(obj, shapes)
        if (axis := kind_row_of(obj).axis(obj)) is not None:
            axes.append((*axis.at, *axis.direction))
            points += ((Point(*focus), FOCUS, "") for focus in axis.foci)
    finite = dict.fromkeys(p for p in points if all(map(math.isfinite, p[0])))
    return ObjectTargets(tuple(finite), tuple((s, bounding_box_of(s)) for s in curves), tuple(axes))


def _object_snap_points(
    obj: SceneObject, shapes: Sequence[Shape]
) -> Iterator[tuple[Point, str, str]]:
    controls = control_points(obj)
    known, nouns = set[Point](), {control.at: control.noun for control in controls}
    for shape in shapes:
        full = isinstance(shape, Arc) and shape.is_full_circle
        if isinstance(shape, Arc):
            known.add(shape.centre)
            yield shape.centre, CENTRE if full else CURVATURE, ""
        if full or isinstance(shape, FullLine):
            continue
        known |= {shape.a, shape.b}
        yield shape.a, VERTEX, nouns.get(shape.a, EDGE_END)
        yield shape.b, VERTEX, nouns.get(shape.b, EDGE_END)
        yield shape.midpoint, MIDPOINT, ""
    if len(shapes) != 1:
        try:
            centre = object_centre(obj)
        except RaybenchError:
            return
        if nouns.get(centre, "centre") == "centre":  # else it is the start of a ray, say
            known.add(centre)
            yield centre, CENTRE, ""
    yield from ((c.at, VERTEX, c.noun) for c in controls if c.at not in known)


class TargetIndex:
    """An index of the snap targets of all objects of a scene. The targets of each object are
    computed only once, since objects are immutable.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[SceneObject, tuple[SceneObject, ...], ObjectTargets]] = {}
        """By key, an object of the scene, its parts, and the targets of both."""
        self._targets: list[tuple[int, ObjectTargets]] = []
        """The key and the targets of each object that is known."""
        self._objects: tuple[SceneObject, ...] | None = None
        self._parts: dict[int, tuple[SceneObject, ...]] = {}
        self._boxes: Floats = np.empty((0, 4))
        """The box around the targets of each object that is known."""
        self._extents: Floats = np.empty((0, 4))
        self._axes: Floats = np.empty((0, 4))
        self._axis_keys: list[int] = []

    @property
    def is_complete(self) -> bool:
        """Whether the targets of all objects that were passed to `add_objects` are computed."""
        return self._objects is not None

    def add_objects(
        self,
        objects: tuple[SceneObject, ...],
        parts: dict[int, tuple[SceneObject, ...]],
        most: int | None = None,
    ) -> None:
        """Add objects; ``parts`` holds the parts of instances by key. At most ``most`` new objects
        are added, and later calls add the rest.
        """
        if objects is self._objects and parts == self._parts:
            return
        known, left = dict[int, tuple[SceneObject, tuple[SceneObject, ...], ObjectTargets]](), 0
        for obj in objects:
            own, had = parts.get(obj.key, ()), self._known.get(obj.key)
            if had is None or had[0] is not obj or had[1] is not own:
                left += 1
                if most is None or left <= most:
                    had = obj, own, snap_targets_of_objects((obj, *own))
            if had is not None:
                known[obj.key] = had
        self._known, self._parts = known, parts
        self._objects = objects if most is None or left <= most else None
        targets = [t for *_, t in known.values()]
        self._targets = list(zip(known, targets, strict=True))
        self._axes = np.array([axis for t in targets for axis in t.axes]).reshape(-1, 4)
        self._axis_keys = [key for key, t in self._targets for _ in t.axes]
        self._boxes = np.array([t.box or EMPTY_BOX for t in targets]).reshape(-1, 4)
        self._extents = np.array([t.extent or EMPTY_BOX for t in targets]).reshape(-1, 4)

    def _targets_near(
        self, at: Point, reach: float, without: Collection[int]
    ) -> Iterator[tuple[int, ObjectTargets]]:
        """Yield the keys and targets of the objects that may have targets within ``reach`` of the
        point ``at``.
        """
        near = _boxes_overlapping(
            self._boxes, (at.x - reach, at.y - reach, at.x + reach, at.y + reach)
        )
        for i in np.flatnonzero(near).tolist():
            key, targets = self._targets[i]
            if key not in without:
                yield key, targets

    def points_near(self, at: Point, reach: float, without: Collection[int]) -> list[NearPoint]:
        """The target points within ``reach`` of the point ``at``."""
        return [
            (point, kind, key, word)
            for key, targets in self._targets_near(at, reach, without)
            for point, kind, word in targets.points
            if math.dist(point, at) <= reach
        ]

    def curves_near(
        self, at: Point, reach: float, without: Collection[int], most: int
    ) -> list[tuple[Shape, int]]:
        """At most ``most`` of the nearest curves within ``reach`` of the point ``at``, with the
        keys of their objects.
        """
        near = [
            (shape, key)
            for key, targets in self._targets_near(at, reach, without)
            for shape, (left, top, right, bottom) in targets.curves
            if left - reach <= at.x <= right + reach and top - reach <= at.y <= bottom + reach
        ]
        ranked = sorted((math.dist(s.nearest(at), at), i) for i, (s, _) in enumerate(near))
        return [near[i] for distance, i in ranked[:most] if distance <= reach]

    def boxes_within(self, view: Box, without: Collection[int]) -> Floats:
        """The bounding boxes (n, 4) of the objects that overlap the rectangle ``view``."""
        others = np.array([key not in without for key in self._known], bool)
        boxes: Floats = self._extents[others & _boxes_overlapping(self._extents, view)]
        return boxes

    def axes_near(
        self, at: Point, reach: float, without: Collection[int], most: int
    ) -> list[tuple[Line, int]]:
        """The nearest axes within ``reach`` of the point ``at``, with the keys of their objects.
        Each is a segment from its object to beyond the point.
        """
        x, y, dx, dy = self._axes.T
        away = np.abs((at.x - x) * dy - (at.y - y) * dx)
        near = [
            i for i in np.flatnonzero(away <= reach).tolist() if self._axis_keys[i] not in without
        ]
        found = list[tuple[Line, int]]()
        for i in sorted(near, key=away.__getitem__)[:most]:
            x, y, dx, dy = self._axes[i].tolist()
            along = (at.x - x) * dx + (at.y - y) * dy
            beyond = math.copysign(4 * reach, along)
            ends = (Point(x + u * dx, y + u * dy) for u in (-beyond, along + beyond))
            found.append((Line(*ends), self._axis_keys[i]))
        return found


def _boxes_overlapping(boxes: Floats, box: Box) -> NDArray[np.bool_]:
    """A mask of the boxes (n, 4) that overlap ``box``."""
    left, top, right, bottom = boxes.T
    near: NDArray[np.bool_] = (
        (left <= box[2]) & (right >= box[0]) & (top <= box[3]) & (bottom >= box[1])
    )
    return near


def intersection(a: Shape, b: Shape, near: Point) -> Point | None:
    """The intersection of two curves that Newton's method finds when it starts at the point
    ``near``. None if it finds none.
    """
    at = near
    for _ in range(STEPS):
        (p, (ux, uy)), (q, (vx, vy)) = _nearest_tangent(a, at), _nearest_tangent(b, at)
        det = ux * vy - uy * vx
        if abs(det) < 1e-12:
            return None
        along = ((q.x - p.x) * vy - (q.y - p.y) * vx) / det
        new = Point(p.x + along * ux, p.y + along * uy)
        if math.dist(new, at) <= 1e-14 * (1 + abs(at.x) + abs(at.y)):
            break
        at = new
    size = INTERSECTION_TOLERANCE * (1 + abs(at.x) + abs(at.y))
    return (
        at
        if math.dist(a.nearest(at), at) <= size and math.dist(b.nearest(at), at) <= size
        else None
    )


def _nearest_tangent(shape: Shape, at: Point) -> tuple[Point, tuple[float, float]]:
    """The nearest point of a curve and its unit tangent there."""
    near = shape.nearest(at)
    if isinstance(shape, Arc):
        x, y = near.x - shape.centre.x, near.y - shape.centre.y
        length = math.hypot(x, y) or 1.0
        return near, (-y / length, x / length)
    if isinstance(shape, FullLine):
        return near, shape.unit_direction
    line = (
        shape
        if isinstance(shape, Line)
        else min(
            (Line(a, b) for a, b in pairwise(shape.points())),
            key=lambda piece: math.dist(piece.nearest(near), near),
        )
    )
    length = line.length or 1.0
    return near, ((line.b.x - line.a.x) / length, (line.b.y - line.a.y) / length)
