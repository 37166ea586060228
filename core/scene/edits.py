"""Edits: functions from scene to scene."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterator
from typing import Any

from core.kinds.fields import fields_of
from core.kinds.object import InvalidObject, SceneObject
from core.scene.scene import Scene
from core.shapes.bezier import CurveNode
from core.shapes.point import Point, Vertex


@dataclasses.dataclass(frozen=True, slots=True)
class ControlPoint:
    """A point of an object that can be dragged: the field that holds it and its place there (0 but for paths)."""

    field: str
    index: int
    label: str
    at: Point


def control_points(obj: SceneObject) -> tuple[ControlPoint, ...]:
    """The points of an object that can be dragged by hand or typed as numbers."""
    return tuple(_control_points(obj))


def _control_points(obj: SceneObject) -> Iterator[ControlPoint]:
    for f in fields_of(type(obj)):
        value = getattr(obj, f.name)
        if value is None:
            continue
        if f.about.kind == "point":
            yield ControlPoint(f.name, 0, f.about.label, value)
        elif f.about.kind == "path":
            yield from (ControlPoint(f.name, i, f"{f.about.label} {i}", v.point) for i, v in enumerate(value))
        elif f.about.kind == "points":
            yield from (ControlPoint(f.name, i, f"Point {i + 1}", p) for i, p in enumerate(value))
        elif f.about.kind == "curve":
            for i, node in enumerate(value):
                for j, (what, p) in enumerate(zip(("Node", "Control point 1", "Control point 2"), node, strict=True)):
                    if p is not None:
                        yield ControlPoint(f.name, 3 * i + j, f"{what} {i}", p)
        elif f.about.kind == "coordinate" and f.name == "x":
            yield ControlPoint("x", 0, "Position", Point(value, obj.y))  # type: ignore[attr-defined]


def with_control_point(obj: SceneObject, field: str, index: int, at: Point) -> SceneObject:
    """The object with one of its control points elsewhere."""
    if field == "x":
        return with_fields(obj, x=at.x, y=at.y)
    value = getattr(obj, field)
    if isinstance(value, Point):
        return with_fields(obj, **{field: at})
    if value and isinstance(value[0], CurveNode):
        nodes = list(value)
        nodes[index // 3] = nodes[index // 3]._replace(**{CurveNode._fields[index % 3]: at})
        return with_fields(obj, **{field: tuple(nodes)})
    path = list(value)
    path[index] = path[index]._replace(x=at.x, y=at.y)
    return with_fields(obj, **{field: tuple(path)})


def with_fields(obj: SceneObject, **values: Any) -> SceneObject:
    """The object with some fields set; InvalidObject if a value does not fit."""
    return dataclasses.replace(obj, **values)


def moved(obj: SceneObject, dx: float, dy: float) -> SceneObject:
    """The object, shifted."""
    changes: dict[str, Any] = {}
    for f in fields_of(type(obj)):
        value = getattr(obj, f.name)
        if value is None:
            continue
        if f.about.kind == "point":
            changes[f.name] = Point(value.x + dx, value.y + dy)
        elif f.about.kind == "path":
            changes[f.name] = tuple(Vertex(v.x + dx, v.y + dy, v.arc) for v in value)
        elif f.about.kind == "points":
            changes[f.name] = tuple(Point(p.x + dx, p.y + dy) for p in value)
        elif f.about.kind == "curve":
            changes[f.name] = tuple(CurveNode(*(p and Point(p.x + dx, p.y + dy) for p in node)) for node in value)
        elif f.about.kind == "coordinate":
            changes[f.name] = value + (dx if f.name == "x" else dy)
    return with_fields(obj, **changes)


def replace_object(scene: Scene, key: int, change: Callable[[SceneObject], SceneObject]) -> Scene:
    """The scene with one object changed; InvalidObject if it is not there any more."""
    if scene.get(key) is None:
        raise InvalidObject("The object is not in the scene any more. Undo its deletion first.")
    return scene.with_objects(change(o) if o.key == key else o for o in scene.objects)


def move_objects(scene: Scene, keys: Collection[int], dx: float, dy: float) -> Scene:
    """The scene with some objects shifted."""
    return scene.with_objects(moved(o, dx, dy) if o.key in keys else o for o in scene.objects)


def set_field(scene: Scene, key: int, field: str, value: Any) -> Scene:
    """The scene with one field of one object set; InvalidObject if the value does not fit."""
    return replace_object(scene, key, lambda o: with_fields(o, **{field: value}))


def add_objects(scene: Scene, objects: Collection[SceneObject]) -> Scene:
    """The scene with more objects at its end."""
    return scene.with_objects((*scene.objects, *objects))


def remove_objects(scene: Scene, keys: Collection[int]) -> Scene:
    """The scene without some objects."""
    return scene.with_objects(o for o in scene.objects if o.key not in keys)


def duplicate_objects(scene: Scene, keys: Collection[int], dx: float, dy: float) -> tuple[Scene, tuple[int, ...]]:
    """The scene with shifted copies of some objects, and the copies' keys."""
    return insert_objects(scene, [o for o in scene.objects if o.key in keys], dx, dy)


def insert_objects(scene: Scene, objects: Collection[SceneObject], dx: float, dy: float) -> tuple[Scene, tuple[int, ...]]:
    """The scene with shifted copies of some objects at its end, and the copies' keys.

    A copy of "Prism" is "Prism 2" where that name is taken, so that names stay unique.
    """
    taken = {o.title for o in scene.objects}
    numbers: dict[str, Iterator[int]] = {}
    copies = []
    for original in objects:
        copy = moved(original.fresh(), dx, dy)
        if copy.name in taken:
            stem = copy.name.rstrip("0123456789").rstrip() or copy.name
            tried = numbers.setdefault(stem, itertools.count(2))
            copy = with_fields(copy, name=next(n for i in tried if (n := f"{stem} {i}") not in taken))
        if copy.name:
            taken.add(copy.name)
        copies.append(copy)
    return add_objects(scene, copies), tuple(o.key for o in copies)
