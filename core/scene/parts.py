"""From filled templates to objects. Those that differ in numbers only are made by columns: the first is read, the others are like it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

import numpy as np

from core.formula.arrays import Floats
from core.scene.fields import Field, fields_of
from core.scene.modules import ModuleObj
from core.scene.object import LARGEST, SceneObject
from core.scene.point import Point, Vertex
from core.scene.templates import Filled, written


def objects_of(filled: Filled) -> Sequence[SceneObject]:
    """The objects that a template gives. Raises SceneFileError where one cannot be read."""
    template, count = filled.places[0][0] if filled.places else 0, len(filled.places)
    if count == 1:
        return [_object(_of_one(filled.data, 0), template)]
    return _alike(filled.data, count, template) or [_object(_of_one(filled.data, k), template) for k in range(count)]


def _alike(data: Any, count: int, template: int) -> list[SceneObject] | None:
    """Objects that differ in usable numbers of fields that `_column` reads, else like the first; None where they differ otherwise."""
    if not count:
        return None
    first = _object(_of_one(data, 0), template)
    kind = type(first)
    if kind.__name__ != data.get("type") or kind is ModuleObj:  # one that is not finished, or that has state of its own
        return None
    differing = {key: found for key, value in data.items() if (found := list(_columns_in(value)))}
    fields = [f for f in fields_of(kind) if f.json_name in differing]
    if len(fields) < len(differing) or not all(_usable(c) for found in differing.values() for c in found):
        return None
    columns = [_column(f, data[f.json_name], getattr(first, f.name)) for f in fields]
    if any(c is None for c in columns):
        return None
    names = [f.name for f in fields]
    objects = []
    for values in islice(zip(*columns, strict=False) if columns else repeat(()), count):
        obj = object.__new__(kind)
        own = vars(obj)
        own.update(vars(first))
        own.update(zip(names, values, strict=True))
        objects.append(obj)
    return objects


def _column(f: Field, value: Any, first: Any) -> Iterable[Any] | None:
    """A field's values for all objects, from its JSON with columns and what it is in the first; None for kinds without a column."""
    match f.about.kind:
        case "number" | "coordinate":
            return _numbers(value, first)
        case "point":
            return _points(value, first)
        case "points":
            return zip(*(_points(v, p) for v, p in zip(value, first, strict=True)), strict=False)
        case "path" if not any(isinstance(v.get("arc"), np.ndarray) for v in value):
            return zip(*(_points(v, p) for v, p in zip(value, first, strict=True)), strict=False)
        case _:
            return None


def _points(value: Mapping[str, Any], first: Point | Vertex) -> Iterable[Point | Vertex]:
    xs, ys = _numbers(value["x"], first.x), _numbers(value["y"], first.y)
    return map(Point, xs, ys) if isinstance(first, Point) else map(Vertex, xs, ys, repeat(first.arc))


def _numbers(value: Any, first: float) -> Iterable[float]:
    return value.tolist() if isinstance(value, np.ndarray) else repeat(first)


def _columns_in(data: Any) -> Iterator[Floats]:
    if isinstance(data, np.ndarray):
        yield data
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from _columns_in(inner)


def _usable(column: Floats) -> bool:
    return bool((np.abs(column) <= LARGEST).all())


def _of_one(data: Any, index: int) -> Any:
    """The JSON of one object, from that of several."""
    if isinstance(data, np.ndarray):
        return data[index].item()
    if isinstance(data, dict):
        return {k: _of_one(v, index) for k, v in data.items()}
    return [_of_one(v, index) for v in data] if isinstance(data, list) else data


def _object(data: Any, template: int) -> SceneObject:
    """The object of a filled template, in which numbers may stand where the kind has flags and texts."""
    from core.files.scene_json import object_from_json  # reading needs scenes, which need this module
    from core.scene.kinds import KINDS

    if isinstance(data, dict):
        kind = KINDS.get(data["type"]) if isinstance(data.get("type"), str) else None
        for f in fields_of(kind) if kind is not None else ():
            value = data.get(f.json_name)
            if f.about.kind == "flag" and isinstance(value, float):
                data[f.json_name] = value == value and value != 0.0
            elif f.about.kind == "text" and isinstance(value, float):
                data[f.json_name] = written(value)
            elif f.about.kind == "path" and isinstance(value, list):
                for vertex in value:
                    if isinstance(vertex, dict) and isinstance(vertex.get("arc"), float):
                        vertex["arc"] = vertex["arc"] != 0.0
    return object_from_json(data, template)
