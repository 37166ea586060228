"""The snapping targets of objects, in arrays that are searched for those near a point."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.scene.changes.centre import centre_of
from raybench.scene.control_points import control_points
from raybench.shapes.curves import box_of, union
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape

VERTEX, MIDPOINT, CENTRE, CURVATURE, FOCUS = range(5)
"""Kinds of points."""
CORNER = "vertex"
"""The name of an end of an edge that is not a point of the object itself."""
ENDLESS = 1e6
"""Coordinates beyond which a box is that of an infinite line."""
Floats = NDArray[np.float64]


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
        points += _points(obj, shapes)
        axis = row_of(obj).axis(obj)
        if axis is not None:
            axes.append((*axis.at, *axis.direction))
            points += ((*focus, FOCUS, "") for focus in axis.foci)
    finite = tuple(dict.fromkeys(p for p in points if math.isfinite(p[0]) and math.isfinite(p[1])))
    return Targets(finite, tuple(curves), tuple(box_of(s) for s in curves), tuple(axes))


def _points(obj: SceneObject, shapes: Sequence[Shape]) -> Iterator[tuple[float, float, int, str]]:
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
        self.point_owner = _owners(there, "points")
        self.curves = [s for _, t in there for s in t.curves]
        self.boxes = np.array([b for _, t in there for b in t.boxes], float).reshape(-1, 4)
        self.curve_owner = _owners(there, "curves")
        self.axes = np.array([a for _, t in there for a in t.axes], float).reshape(-1, 4)
        self.axis_owner = _owners(there, "axes")
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
            (Line(*_stretch(self.axes[i].tolist(), at, reach)), int(self.axis_owner[i]))
            for i in near[np.argsort(away[near])]
        ]
        return [(line, key) for line, key in found if key not in without][:most]


def _stretch(axis: list[float], at: Point, reach: float) -> tuple[Point, Point]:
    """The part of an axis (x, y, dx, dy) from its first point to some way beyond another."""
    x, y, dx, dy = axis
    along = (at.x - x) * dx + (at.y - y) * dy
    end = along + math.copysign(4 * reach, along)
    start = -math.copysign(4 * reach, along)
    return Point(x + start * dx, y + start * dy), Point(x + end * dx, y + end * dy)


def _owners(there: Sequence[tuple[int, Targets]], what: str) -> NDArray[np.int64]:
    counts = [len(getattr(t, what)) for _, t in there]
    return np.repeat(np.array([key for key, _ in there], np.int64), counts)
