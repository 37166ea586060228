"""Hit testing: finding the control point, the edge or the glass body at a point, in this order of
priority. Also bounding boxes, in scene units.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from raybench.kinds.aspects.outlines import Edge, edges_bounding_box
from raybench.kinds.decorations import CropBox
from raybench.kinds.glasses import GlassBody
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.scene import Scene
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.curves import Box, union_of_boxes
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, FullLine, Line, Shape


@dataclass(frozen=True, slots=True)
class ControlHit:
    """A hit on a control point of an object."""

    key: int
    control: ControlPoint


@dataclass(frozen=True, slots=True)
class EdgeHit:
    """A hit on an edge of an object: the ``index`` of the edge, and the ``distance`` between it and
    the point, in scene units.
    """

    key: int
    index: int
    distance: float


@dataclass(frozen=True, slots=True)
class BodyHit:
    """A hit on the inside of a glass body."""

    key: int


Hit = ControlHit | EdgeHit | BodyHit


def find_hit_at_point(
    scene: Scene,
    at: Point,
    tolerance: float,
    *,
    handles_of: Collection[int] = (),
    without: Collection[int] = (),
) -> Hit | None:
    """The control point, edge or body within ``tolerance`` of the point ``at``; None without a hit.

    ``handles_of`` are the keys of objects whose control points can be hit; ``without`` are the keys
    of ignored objects. Control points of a small object have a smaller tolerance, so that the
    object can also be hit between them.
    """
    objects = [o for o in scene.objects if o.key not in without]
    handles = [
        (distance, -i, ControlHit(o.key, c))
        for i, o in enumerate(objects)
        if o.key in handles_of
        for controls in [control_points(o)]
        for reach in [min(tolerance, _control_points_diagonal(controls) / 3 or tolerance)]
        for c in controls
        if (distance := math.hypot(c.at.x - at.x, c.at.y - at.y)) <= reach
    ]
    if handles:
        return min(handles, key=lambda g: g[:2])[2]
    lines = [
        (distance, -i, EdgeHit(o.key, index, distance))
        for i, o in enumerate(objects)
        for part in scene.with_parts_of(o)
        for index, distance in _edge_distances(part, at)
        if distance <= tolerance
    ]
    if lines:
        return min(lines, key=lambda line: line[:2])[2]
    parts = [part for o in objects for part in scene.parts_of(o)]
    bodies = [o for o in parts if isinstance(o, GlassBody) and is_inside(object_edges(o), at)]
    return (
        BodyHit(scene.instance_key_of(min(reversed(bodies), key=_box_area).key)) if bodies else None
    )


def _control_points_diagonal(controls: Collection[ControlPoint]) -> float:
    """The diagonal of the bounding box of control points; 0 for none."""
    box = _bounding_box([c.at for c in controls])
    return math.hypot(box[2] - box[0], box[3] - box[1]) if box else 0.0


def _edge_distances(obj: SceneObject, at: Point) -> Iterable[tuple[int, float]]:
    """Yield the index of each edge of an object, and of its other drawn elements, with the distance
    from the point ``at``.
    """
    for edge in object_edges(obj):
        near = edge.shape.nearest(at)
        yield edge.index, math.hypot(near.x - at.x, near.y - at.y)
    if (distance := kind_row_of(obj).distance) is not None:
        yield 0, distance(obj, at)
    if not object_edges(obj):
        for control in control_points(obj):
            yield control.index, math.hypot(control.at.x - at.x, control.at.y - at.y)


def is_inside(edges: Iterable[Edge], at: Point) -> bool:
    """Whether the point ``at`` lies inside a closed outline. It does if a half-line from it to the
    right crosses the outline an odd number of times.
    """
    return sum(_count_crossings(e.shape, at) for e in edges) % 2 == 1


def _count_crossings(shape: Shape, at: Point) -> int:
    """How often a shape crosses the half-line from ``at`` to the right. An infinite line counts as
    the border of the half-plane to its right.
    """
    if isinstance(shape, FullLine):
        return int(shape.signed_distance(at.x, at.y) < 0)
    if isinstance(shape, Bezier | Chain):
        return sum(_count_crossings(Line(a, b), at) for a, b in pairwise(shape.points()))
    if not isinstance(shape, Arc):
        a, b = shape.a, shape.b
        if (a.y > at.y) == (b.y > at.y):
            return 0
        return int(a.x + (at.y - a.y) * (b.x - a.x) / (b.y - a.y) > at.x)
    dy = at.y - shape.centre.y
    if abs(dy) >= shape.radius:
        return 0
    # split the arc at its extrema in y: each part is monotonic, crossed at most once and by the
    # same rule as a line
    direction = 1.0 if shape.sweep > 0 else -1.0
    first = math.asin(max(-1.0, min(1.0, dy / shape.radius)))
    count: int = 0
    turns = [0.0, 1.0]
    for k in range(-4, 5):
        u = (math.pi / 2 + k * math.pi - shape.start) / shape.sweep
        if 0 < u < 1:
            turns.append(u)
    turns.sort()
    for u, v in pairwise(turns):
        a, b = shape.at(u), shape.at(v)
        if (a.y > at.y) == (b.y > at.y):
            continue
        middle = shape.start + direction * abs(shape.sweep) * (u + v) / 2
        x = shape.centre.x + math.copysign(shape.radius * math.cos(first), math.cos(middle))
        count += int(x > at.x)
    return count


def _box_area(obj: SceneObject) -> float:
    left, top, right, bottom = edges_bounding_box(object_edges(obj)) or (0.0, 0.0, 0.0, 0.0)
    return (right - left) * (bottom - top)


def drawn_extent(scene: Scene, obj: SceneObject) -> Box | None:
    """The bounding box of everything that is drawn for an object, except text. None if the object
    has no position.
    """
    if not isinstance(obj, ModuleObj):
        return _own_extent(obj)
    return union_of_boxes(_own_extent(part) for part in scene.with_parts_of(obj))


def _own_extent(obj: SceneObject) -> Box | None:
    if "extent" not in obj.derived_values:
        edges = object_edges(obj)
        # the origin of formulas may lie anywhere; it is drawn only as a handle
        controls = [c.at for c in control_points(obj) if not (edges and c.field == "origin")]
        points = _bounding_box([*controls, *kind_row_of(obj).drawn(obj)])
        obj.derived_values["extent"] = union_of_boxes(
            (points, edges_bounding_box([e for e in edges if not isinstance(e.shape, FullLine)]))
        )
    return cast("Box | None", obj.derived_values["extent"])


def scene_extent(
    scene: Scene, keys: Collection[int] | None = None, *, hidden: Collection[int] = ()
) -> Box | None:
    """The bounding box of the objects with these ``keys``. Without ``keys``, the bounding box of
    the observer and of all objects that are not ``hidden``. None without objects.

    Without ``keys``, crop boxes are left out, since they are often much larger.
    """
    if keys is not None:
        seen = [o for key in keys if (o := scene.get(key)) is not None]
    else:
        seen = [o for o in scene.objects if o.key not in hidden and not isinstance(o, CropBox)]
    boxes = [drawn_extent(scene, o) for o in seen]
    if keys is None and scene.settings.mode == "observer" and scene.settings.observer is not None:
        (x, y), r = scene.settings.observer
        boxes.append((x - r, y - r, x + r, y + r))
    return union_of_boxes(boxes)


def _bounding_box(points: Collection[Point]) -> Box | None:
    if not points:
        return None
    return (
        min(p.x for p in points),
        min(p.y for p in points),
        max(p.x for p in points),
        max(p.y for p in points),
    )


def objects_in_box(scene: Scene, box: Box) -> frozenset[int]:
    """The keys of the objects that lie entirely within a box."""
    left, top, right, bottom = box
    boxes = ((o.key, drawn_extent(scene, o)) for o in scene.objects)
    return frozenset(
        key
        for key, e in boxes
        if e and left <= e[0] and top <= e[1] and e[2] <= right and e[3] <= bottom
    )
