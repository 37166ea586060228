"""Conversion of scene objects, and of dataclasses with described fields, from and to the JSON
format of Ray Optics Simulation.

The JSON that an object was read from is kept in its ``read``: unchanged and unknown properties are
written back exactly as they were, and properties equal to their default are omitted.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from raybench.errors import RaybenchError, SceneFileError, elide_text, in_quotes, list_choices
from raybench.kinds.custom_surfaces import OutRayFormulas
from raybench.kinds.fields import Field, camel_case, described_fields, label_in_sentence
from raybench.kinds.kinds import KINDS
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.kinds.unread import UnreadDecoration, UnreadEntry, UnreadObject, json_type_words
from raybench.phrase import Phrase
from raybench.scene.settings import Observer
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex

Record = TypeVar("Record")
MAX_DEPTH = 200
"""Maximum nesting depth of JSON lists and objects; real scenes need about ten."""


class FormMismatch(Exception):
    """A JSON value does not have the form that its field needs."""


def object_from_json(data: Any, index: int = 0) -> SceneObject:
    """Decode an object. Unknown kinds and unfinished objects become `UnreadObject`.

    Raises SceneFileError, with the object's name and its number (``index`` + 1), if a property
    cannot be read.
    """
    who = f"object {index + 1}"
    if not isinstance(data, dict):
        raise SceneFileError(f"{who} must be a JSON object, it is {json_type_words(data)}.")
    try:
        return _read_object(data)
    except FormMismatch as error:
        name = f" {in_quotes(_object_name_in(data))}" if _object_name_in(data) else ""
        raise SceneFileError(f"{who}{name} ({_kind_noun(data)}): {error}.") from None
    except InvalidObject as error:
        raise SceneFileError(f"{who}: {error}") from None


def read_object_or_unread(data: Any, index: int) -> SceneObject:
    """Decode an object as `object_from_json` does. An object that cannot be read becomes
    `UnreadObject`, so that the rest of the scene can be opened.
    """
    obj: SceneObject
    if not isinstance(data, dict):
        obj = UnreadEntry(entry=data, reason='an object is JSON such as {"type": "Mirror", …}.')
    else:
        try:
            obj = _read_object(data)
        except FormMismatch as error:
            obj = _unread_object(data, str(error))
        except InvalidObject as error:
            title = in_quotes(_object_name_in(data) or KINDS[data["type"]].label)
            reason = str(error).removeprefix(f"{title} ({_kind_noun(data)}): ")
            obj = _unread_object(data, reason.removesuffix("."))
    return dataclasses.replace(obj, place=index + 1) if isinstance(obj, UnreadObject) else obj


def _kind_noun(data: Mapping[str, Any]) -> str:
    """The noun of the kind of object that the JSON describes, such as ``mirror``, if the kind is
    known.
    """
    return label_in_sentence(KINDS[data["type"]].label)


def _object_name_in(data: Mapping[str, Any]) -> str:
    name = data.get("name")
    return name if isinstance(name, str) else ""


def _read_object(data: Mapping[str, Any]) -> SceneObject:
    """Decode an object from JSON. Raises FormMismatch if a property has a wrong form, and
    InvalidObject if a value is not allowed.
    """
    type_ = data.get("type")
    kind = KINDS.get(type_) if isinstance(type_, str) else None
    if "type" not in data:
        return _unread_object(data, Phrase("it has no 'type'"))
    if kind is None:
        type_name = elide_text(json.dumps(type_), 60)
        return _unread_object(
            data, Phrase("objects of type {type_name} are not supported", type_name=type_name)
        )
    values: dict[str, Any] = {}
    for f in described_fields(kind):
        if data.get(f.json_name) is None and (f.is_required or f.json_name == "name"):
            if f.about.kind == "points":  # an instance of a module without points
                values[f.name] = ()
            elif f.is_required:
                return _unread_object(
                    data, Phrase("it is not finished: '{name}' is missing", name=f.json_name)
                )
            continue
        if f.json_name in data:
            try:
                values[f.name] = decode_field(f, data[f.json_name])
            except FormMismatch as error:
                raise FormMismatch(f"'{f.json_name}' {error}") from None
    if data.get("notDone") is True:
        return _unread_object(data, Phrase("it is not finished"))
    return kind(read=data, **values)


def _unread_object(data: Mapping[str, Any], reason: str) -> UnreadObject:
    """Make an `UnreadObject` object from JSON. An unfinished optical object counts as an optical
    object; an object of an unknown kind does not, as in the file format.
    """
    type_ = data.get("type")
    optical = isinstance(type_, str) and type_ in KINDS and KINDS[type_].optical
    kind = UnreadObject if optical else UnreadDecoration
    return kind(name=_object_name_in(data), read=data, reason=Phrase("{fault}.", fault=reason))


def decode_field(f: Field, value: Any) -> Any:
    """Decode the JSON value of a field. Raises FormMismatch if it is malformed; the message does
    not name the field.
    """
    if value is None and f.default is None:
        return None
    if f.about.kind in _LIST_KINDS:
        what, read_item = _LIST_KINDS[f.about.kind]
        if not isinstance(value, list):
            raise FormMismatch(f"must be a list of {what}, it is {json_type_words(value)}")
        return tuple(read_item(v, f"[{i}]") for i, v in enumerate(value))
    match f.about.kind:
        case "number" | "coordinate":
            return _read_number(value)
        case "limit":
            return math.inf if value is None or value == "Infinity" else _read_number(value)
        case "flag":
            if not isinstance(value, bool):
                raise FormMismatch(f"must be true or false, it is {json_type_words(value)}")
            return value
        case "text" | "material":
            if not isinstance(value, str):
                raise FormMismatch(f"must be text, it is {json_type_words(value)}")
            return value
        case "choice":
            if value not in f.about.choices:
                choices, given = list_choices(f.about.choices), json.dumps(value)[:60]
                raise FormMismatch(f"must be one of {choices}, it is {given}")
            return value
        case "point":
            return _read_point(value)
        case _:
            if f.name == "observer" and value is not None:
                if not isinstance(value, dict):
                    raise FormMismatch(f"must hold c and r, it is {json_type_words(value)}")
                return Observer(_read_point(value.get("c")), _read_number(value.get("r")))
            if f.name == "random_seed" and value is not None and not isinstance(value, str):
                return str(_plain_number(_read_number(value)))
            return f.default if isinstance(f.default, tuple) and value == list(f.default) else value


def field_from_json(f: Field, value: Any) -> Any:
    """Decode the value of a field. Raises SceneFileError with the name of the field if the JSON
    value is invalid.
    """
    try:
        return decode_field(f, value)
    except FormMismatch as error:
        raise SceneFileError(f"{f.json_name} {error}.") from None


def record_from_json(
    kind: type[Record], data: Any, what: str, invalid: type[RaybenchError]
) -> Record:
    """Decode a dataclass with described fields. In error messages it is called ``what``; errors
    have the type ``invalid``.
    """
    fields = described_fields(kind)
    names = ", ".join(f.json_name for f in fields)
    if not isinstance(data, Mapping) or not json_names(kind).issuperset(data):
        raise invalid(f"{what} is a JSON object with {names}.")
    values = {}
    for f in fields:
        if f.is_required or f.json_name in data:
            try:
                values[f.name] = decode_field(f, data.get(f.json_name))
            except FormMismatch as error:
                raise invalid(f"{what} has {names}: {f.json_name} {error}.") from None
    return kind(**values)


def nesting_depth(data: Any) -> int:
    """The nesting depth of lists and objects in a JSON value."""
    depth, level = 0, [data]
    while level := [v for v in level if isinstance(v, dict | list)]:
        depth += 1
        level = [inner for v in level for inner in (v.values() if isinstance(v, dict) else v)]
    return depth


def _read_number(value: Any) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise FormMismatch(f"must be a number, it is {json.dumps(value)[:60]}") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormMismatch(f"must be a number, it is {json_type_words(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FormMismatch(f"must be a finite number, it is {number}")
    return number


def _read_point(value: Any, where: str = "") -> Point:
    if not isinstance(value, dict):
        raise FormMismatch(
            f"{where} must be a point with x and y, it is {json_type_words(value)}".strip()
        )
    return Point(_read_coordinate(value, "x", where), _read_coordinate(value, "y", where))


def _read_coordinate(point: Mapping[str, Any], axis: str, where: str) -> float:
    if axis not in point:
        raise FormMismatch(f"{where} must be a point with x and y, it has no {axis}".strip())
    try:
        return _read_number(point[axis])
    except FormMismatch as error:
        raise FormMismatch(f"{where} {axis} {error}".strip()) from None


def _read_vertex(value: Any, where: str) -> Vertex:
    return Vertex(*_read_point(value, where), value.get("arc") is True)


def _read_node(value: Any, where: str) -> CurveNode:
    if not isinstance(value, dict):
        raise FormMismatch(f"{where} must be a node, it is {json_type_words(value)}")
    a1 = _read_point(value.get("a1"), f"{where}.a1")
    controls = (
        _read_point(value[k], f"{where}.{k}") if value.get(k) is not None else None
        for k in ("c1", "c2")
    )
    return CurveNode(a1, *controls)


def _read_out_ray(value: Any, where: str) -> OutRayFormulas:
    formulas = [value.get(k) for k in ("eqnTheta", "eqnP")] if isinstance(value, dict) else [None]
    if not all(isinstance(f, str | int | float) and not isinstance(f, bool) for f in formulas):
        raise FormMismatch(f"{where} must hold the formulas eqnTheta and eqnP")
    return OutRayFormulas(*map(str, formulas))


_LIST_KINDS: Mapping[str, tuple[str, Callable[[Any, str], Any]]] = {
    "path": ("points", _read_vertex),
    "points": ("points", _read_point),
    "curve": ("nodes", _read_node),
    "numbers": ("numbers", lambda value, _where: _read_number(value)),
    "out_rays": ("rays", _read_out_ray),
}
"""Kinds of fields that are lists: what they are lists of, and how an item is decoded."""


def object_to_json(obj: SceneObject) -> Any:
    """Encode an object as JSON. An `UnreadObject` object returns the JSON from which it was read."""
    if isinstance(obj, UnreadEntry):
        return obj.entry
    if isinstance(obj, UnreadObject):
        return dict(obj.read)
    out = {"type": obj.type} | fields_to_json(obj, obj.read)
    return out | {
        k: v for k, v in obj.read.items() if k not in out and k not in json_names(type(obj))
    }


def json_names(kind: type) -> frozenset[str]:
    """The names that the fields of a dataclass have in the file format."""
    return frozenset(f.json_name for f in described_fields(kind))


def fields_to_json(value: Any, read: Mapping[str, Any]) -> dict[str, Any]:
    """Encode the fields of a dataclass that differ from their defaults. ``read`` is the JSON from
    the file; an unchanged field keeps its JSON.
    """
    out = {}
    for f in described_fields(type(value)):
        now = getattr(value, f.name)
        encoded = read[f.json_name] if _is_unchanged(f, now, read) else field_to_json(f, now)
        default = (
            field_to_json(f, () if f.about.kind == "points" else None)
            if f.is_required
            else field_to_json(f, f.default)
        )
        if encoded != default or (f.json_name in read and f.is_required):
            out[f.json_name] = encoded
    return out


def _is_unchanged(f: Field, value: Any, read_json: Mapping[str, Any]) -> bool:
    if f.json_name not in read_json:
        return False
    try:
        return bool(decode_field(f, read_json[f.json_name]) == value)
    except FormMismatch:
        return f.json_name == "name" and value == ""


def field_to_json(f: Field, value: Any) -> Any:
    """Encode the value of a field as JSON."""
    return None if f.about.kind == "limit" and math.isinf(value) else _value_as_json(value)


def _value_as_json(value: Any) -> Any:
    """Convert a value to JSON. A named tuple, such as a point, becomes a JSON object."""
    if isinstance(value, float) and math.isfinite(value):
        return _plain_number(value)
    if isinstance(value, tuple) and (names := getattr(value, "_fields", None)):
        parts = zip(names, value, strict=True)
        return {camel_case(k): _value_as_json(v) for k, v in parts if v is not None}
    if isinstance(value, tuple):
        return [_value_as_json(v) for v in value]
    if isinstance(value, Mapping):
        return {k: _value_as_json(v) if isinstance(v, float) else v for k, v in value.items()}
    return value


def _plain_number(value: float) -> float | int:
    """Convert a whole number to an int, so that JSON contains 100 instead of 100.0."""
    return int(value) if value == int(value) and abs(value) < 1e15 else value
