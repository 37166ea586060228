"""Objects from filled templates. Objects that differ in numbers only are built in a batch: one is
decoded, the others copy it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from raybench.formula.arrays import Floats
from raybench.kinds.fields import Field, fields_of
from raybench.kinds.kinds import KINDS
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import LARGEST, SceneObject
from raybench.scene.codec import object_from_json
from raybench.scene.modules.templates import Filled, written
from raybench.shapes.point import Point, Vertex


class Batch(NamedTuple):
    """Objects that differ only in some fields: their addresses in the templates, the first object,
    and these fields' values for all.
    """

    addresses: Sequence[tuple[int, ...]]
    first: SceneObject
    differing: Mapping[str, Iterable[Any]]

    def objects(self, names: Iterable[str], keys: Iterable[int]) -> Iterator[SceneObject]:
        """The objects with the given names and keys. May be called once only, since it consumes the
        iterators of values.
        """
        kind = type(self.first)
        shared = {f.name: getattr(self.first, f.name) for f in dataclasses.fields(kind)}
        states = [shared.copy() for _ in self.addresses]
        for field, values in {
            **self.differing,
            "name" if self.first.name else "alias": names,
            "key": keys,
        }.items():
            for state, value in zip(
                states, values, strict=False
            ):  # constant columns are infinite `repeat` iterators
                state[field] = value
        for state in states:
            obj = object.__new__(kind)
            object.__setattr__(obj, "__dict__", state)
            yield obj


def batches_of(filled: Filled) -> Sequence[Batch]:
    """The objects of a filled template, in batches. Raises SceneFileError if one cannot be decoded."""
    if not filled.addresses:
        return ()
    template = filled.addresses[0][0]
    first = _object(_of_one(filled.data, 0), template)
    differing = _differing(filled.data, first)
    if differing is not None and (
        len(filled.addresses) == 1 or not isinstance(first, ModuleObj)
    ):  # instances are expanded one by one
        return [Batch(filled.addresses, first, differing)]
    return [
        Batch([a], _object(_of_one(filled.data, k), template), {})
        for k, a in enumerate(filled.addresses)
    ]


def _differing(data: Mapping[str, Any], first: SceneObject) -> dict[str, Iterable[Any]] | None:
    """The values of the fields that have columns in the JSON; None if a column cannot be decoded as
    a batch.
    """
    with_columns = {
        key: columns for key, value in data.items() if (columns := list(_columns_in(value)))
    }
    fields = [f for f in fields_of(type(first)) if f.json_name in with_columns]
    if len(fields) < len(with_columns) or not all(
        _usable(c) for columns in with_columns.values() for c in columns
    ):
        return None
    values = {f.name: _column(f, data[f.json_name], getattr(first, f.name)) for f in fields}
    return None if None in values.values() else values  # type: ignore[return-value]


def _column(f: Field, value: Any, first: Any) -> Iterable[Any] | None:
    """A field's values for all objects, from its JSON with columns and its value in the first
    object; None for kinds of fields that cannot have columns.
    """
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
    if isinstance(first, Vertex):
        return map(Vertex, xs, ys, repeat(first.arc))
    return map(
        tuple.__new__, repeat(Point), zip(xs, ys, strict=False)
    )  # twice as fast as Point(x, y)


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
    """The JSON of the object with this index, from JSON with columns."""
    if isinstance(data, np.ndarray):
        return data[index].item()
    if isinstance(data, dict):
        return {k: _of_one(v, index) for k, v in data.items()}
    return [_of_one(v, index) for v in data] if isinstance(data, list) else data


def _object(data: Any, template: int) -> SceneObject:
    """Decode the object of a filled template; numbers are converted where the kind's field is a
    flag or text.
    """
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
