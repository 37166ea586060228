"""Changes as JSON: read strictly, written with names, and described by one JSON schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.errors import RaybenchError, elided
from core.files.scene_json import DEEPEST, nesting
from core.kinds.fields import LENGTH, Description, fields_of
from core.kinds.kinds import KINDS
from core.scene.changes.annotations import Disable, Group, Hide, LabelEdge, Ungroup
from core.scene.changes.change import Change, ChangeRefused, Target, Targeted
from core.scene.changes.objects import Add, Define, Delete, Duplicate, Reorder, read_object
from core.scene.changes.placing import Mirror, Move, Rotate, Scale
from core.scene.changes.quantity import InvalidQuantity, quantity
from core.scene.changes.setting import Set, SetDocument, SetSettings
from core.scene.changes.transaction import Changes, named, refused
from core.scene.changes.values import InvalidValue, nearest
from core.scene.document import Document
from core.scene.settings import Settings
from core.shapes.point import Point

VERBS: dict[str, type[Change]] = {
    c.verb: c
    for c in (
        Set, Move, Rotate, Scale, Mirror, Add, Delete, Duplicate, Reorder, Group, Ungroup, SetSettings, SetDocument, Hide, Disable,
        LabelEdge, Define,
    )
}  # fmt: skip
"""The changes there are, by the key that names them in JSON."""
MOST_CHANGES = 10_000


def changes_from_json(data: Any, document: Document) -> tuple[Change, ...]:
    """The changes that a JSON value describes, with keys for names: one change, or a list of them.

    Each is tried on the document as the ones before leave it. Raises ChangeRefused, which names the change at fault and says why.
    """
    many = [data] if isinstance(data, Mapping) else data
    if not isinstance(many, list | tuple) or len(many) > MOST_CHANGES:
        raise ChangeRefused(f"Changes are a list of at most {MOST_CHANGES} JSON objects, such as [{{'set': 'Prism', 'refIndex': 1.7}}].")
    out: list[Change] = []
    for i, item in enumerate(many, 1):
        change: Change | None = None
        try:
            change = read_change(item, document.unit)
            out.append(change.bound(document))
            document = out[-1].apply(document)
        except (RaybenchError, OverflowError, ZeroDivisionError) as error:
            if change is not None:
                raise refused(change, i, len(many), error) from error
            where = f"Change {i} of {len(many)}: " if len(many) > 1 else ""
            raise ChangeRefused(f"{where}{error}{' None of the changes was made.' if where else ''}", i) from error
    return tuple(out)


def as_changes(changes: Any, document: Document) -> tuple[Change, ...]:
    """Changes from what a program gives: changes, or their JSON. Raises ChangeRefused."""
    if isinstance(changes, Change):
        return (changes,)
    if not isinstance(changes, Mapping):
        changes = list(changes) if isinstance(changes, Iterable) and not isinstance(changes, str | bytes) else [changes]
        if all(isinstance(c, Change) for c in changes):
            return tuple(changes)
    return changes_from_json(changes, document)


def read_change(data: Any, unit: str = "mm") -> Change:
    """One change with names, as it is written in JSON. Raises InvalidValue."""
    if not isinstance(data, Mapping) or not all(isinstance(k, str) for k in data):
        raise InvalidValue("A change is a JSON object such as {'move': 'Lens', 'dx': 5}.")
    if nesting(data) > DEEPEST:
        raise InvalidValue("The change is nested too deeply.")
    verbs = ["set"] if "set" in data else [k for k in data if k in VERBS]
    if len(verbs) != 1:
        key = next(iter(data), "")
        raise InvalidValue(
            f"A change has one verb, this has {' and '.join(verbs)}."
            if verbs
            else f"{elided(key, 60)!r} is no change. {nearest(key, list(VERBS))}"
        )
    verb, kind = verbs[0], VERBS[verbs[0]]
    first, rest = data[verb], {k: v for k, v in data.items() if k != verb}
    if kind is Set:
        if not rest:
            raise InvalidValue("Nothing is set. Give fields and their values.")
        return Set(_targets(first, verb), rest)
    if kind is SetDocument:
        if not isinstance(first, Mapping):
            raise InvalidValue("'document' holds an object with unit, name or both.")
        rest = {**first, **rest}
    arguments = _parameters(kind, rest, unit)
    if kind is SetDocument:
        return SetDocument(**arguments)
    if issubclass(kind, Targeted):
        return kind(_targets(first, verb), **arguments)
    if kind is Add:
        return Add(tuple(read_object(o, unit) for o in (first if isinstance(first, list | tuple) else [first])))
    if kind is Ungroup:
        if not isinstance(first, str):
            raise InvalidValue("'ungroup' takes the name of a group.")
        return Ungroup(first)
    if not isinstance(first, Mapping) or not first:
        raise InvalidValue(f"'{verb}' holds an object with what is to be changed.")
    return kind(dict(first))  # type: ignore[call-arg]


def _targets(value: Any, verb: str) -> tuple[Target, ...]:
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not given or not all(isinstance(t, str) and t for t in given):
        raise InvalidValue(f"'{verb}' takes an object's name or a list of names.")
    return tuple(given)


def _parameters(kind: type[Change], given: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """The arguments of a change, checked by their descriptions."""
    fields = {f.json_name: f for f in fields_of(kind)}
    out: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            known = nearest(name, list(fields)) if fields else "It takes nothing else."
            raise InvalidValue(f"'{kind.verb}' has no parameter {elided(name, 60)!r}. {known}")
        out[fields[name].name] = _argument(fields[name].about, value, f"{kind.verb}.{name}", unit)
    return out


def _argument(about: Description, value: Any, where: str, unit: str) -> Any:
    try:
        match about.kind:
            case "number":
                return _number(about, value, where, unit)
            case "flag" if isinstance(value, bool):
                return value
            case "choice" if value in about.choices:
                return value
            case "text" | "object" if isinstance(value, str):
                return value
            case "place" if isinstance(value, str):
                return value
            case "place" if isinstance(value, Mapping) and set(value) == {"x", "y"}:
                return Point(*(_number(about, value[k], f"{where}.{k}", unit) for k in "xy"))
    except InvalidQuantity as error:
        raise InvalidValue(f"{where} {error}.") from None
    needed = {"flag": "true or false", "choice": f"one of {', '.join(about.choices)}", "text": "a text", "object": "an object's name",
              "place": "a point with x and y, or an object's name"}  # fmt: skip
    raise InvalidValue(f"{where} must be {needed[about.kind]}, it is {elided(repr(value), 60)}.")


def _number(about: Description, value: Any, where: str, unit: str) -> float:
    if isinstance(value, str):
        value = quantity(value, about.unit, unit)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e50:
        raise InvalidValue(f"{where} must be a finite number, it is {elided(repr(value), 60)}.")
    if (about.low is not None and value < about.low) or (about.high is not None and value > about.high):
        raise InvalidValue(
            f"{where} must be at least {about.low:g}{f' and at most {about.high:g}' if about.high else ''}; {value:g} is not."
        )
    return float(value)


# --- writing


def changes_to_json(changes: Changes, document: Document) -> list[dict[str, Any]]:
    """Changes of a document as JSON, with names. Raises UnknownName where a name stands for several objects."""
    return [_written(change) for change in named(changes, document)]


def _written(change: Change) -> dict[str, Any]:
    rest = {f.json_name: _plain(v) for f in fields_of(type(change)) if (v := getattr(change, f.name)) != f.default and v is not None}
    match change:
        case SetDocument():
            return {change.verb: rest}
        case Set():
            return {change.verb: _some(change), **change.values}
        case Targeted():
            return {change.verb: _some(change), **rest}
        case Add():
            objects = change.json()
            return {change.verb: objects[0] if len(objects) == 1 else objects}
        case Ungroup():
            return {change.verb: change.name}
        case SetSettings():
            return {change.verb: dict(change.values)}
        case Define():
            return {change.verb: dict(change.modules)}
    raise TypeError(f"{type(change).__name__} cannot be written.")


def _some(change: Targeted) -> Any:
    return change.listed[0] if len(change.listed) == 1 else list(change.listed)


def _plain(value: Any) -> Any:
    if isinstance(value, Point):
        return {"x": value.x, "y": value.y}
    return value


# --- schema

_NUMBER = {"type": ["number", "string"]}
_POINT = {"type": "object", "properties": {"x": _NUMBER, "y": _NUMBER}}
_TYPES: dict[str, dict[str, Any]] = {
    "number": _NUMBER,
    "coordinate": _NUMBER,
    "limit": {"type": ["number", "null"]},
    "flag": {"type": "boolean"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "object": {"type": "string"},
    "point": _POINT,
    "place": {"anyOf": [{**_POINT, "required": ["x", "y"]}, {"type": "string"}]},
    "path": {"type": "array", "items": {"type": "object", "properties": {"x": _NUMBER, "y": _NUMBER, "arc": {"type": "boolean"}}}},
    "points": {"type": "array", "items": _POINT},
    "curve": {"type": "array", "items": {"type": "object", "properties": {"a1": _POINT, "c1": _POINT, "c2": _POINT}}},
    "numbers": {"type": "array", "items": {"type": "number"}},
    "out_rays": {
        "type": "array",
        "items": {"type": "object", "properties": {"eqnTheta": {"type": "string"}, "eqnP": {"type": "string"}}},
    },
    "data": {},
}
_PART = r"^[A-Za-z]\w*(\[\d+\]|\.[A-Za-z]\w*)+$"
_TARGETS = {"$ref": "#/$defs/targets"}


def changes_schema() -> dict[str, Any]:
    """The JSON schema of a list of changes, made from the fields of kinds, settings and changes."""
    return {
        "type": "array",
        "description": "Changes, made in order: all of them, or none. Lengths are in scene units, or texts with a unit such as '5 mm'.",
        "items": {"anyOf": [_schema_of(kind) for kind in VERBS.values()]},
        "$defs": {
            "targets": {
                "description": "An object's name, a group's, or a list of names.",
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
            },
            "settings": {
                "type": "object",
                "properties": {f.json_name: _described(f.about) for f in fields_of(Settings)},
                "patternProperties": {_PART: {}},
                "additionalProperties": False,
            },
            "object": {
                "type": "object",
                "properties": {"type": {"enum": list(KINDS)}, **_object_fields()},
                "required": ["type"],
                "additionalProperties": False,
                "description": "Needs: "
                + "; ".join(f"{n} {', '.join(f.json_name for f in fields_of(k) if f.required) or 'nothing'}" for n, k in KINDS.items()),
            },
        },
    }


def _schema_of(kind: type[Change]) -> dict[str, Any]:
    verb = kind.verb
    parameters = {f.json_name: _described(f.about) for f in fields_of(kind)}
    out: dict[str, Any] = {"type": "object", "description": kind.summary, "required": [verb]}
    match verb:
        case "set":
            return out | {
                "properties": {verb: _TARGETS, **_object_fields()},
                "patternProperties": {_PART: {"description": "A part of a field, such as p1.x, path[2].x or params.r1."}},
                "additionalProperties": False,
                "minProperties": 2,
            }
        case "settings":
            own: dict[str, Any] = {"$ref": "#/$defs/settings"}
        case "document":
            own, parameters = {"type": "object", "properties": parameters, "additionalProperties": False}, {}
        case "add":
            own = {"anyOf": [{"$ref": "#/$defs/object"}, {"type": "array", "items": {"$ref": "#/$defs/object"}}]}
        case "ungroup":
            own = {"type": "string"}
        case "define":
            own = {"type": "object"}
        case _:
            own = _TARGETS
    return out | {"properties": {verb: own, **parameters}, "additionalProperties": False}


def _described(about: Description) -> dict[str, Any]:
    """The schema of a field."""
    out = dict(_TYPES[about.kind])
    if about.kind == "choice":
        out["enum"] = list(about.choices)
    if about.kind == "number" and about.low is not None:
        out["minimum"] = about.low
    if about.kind == "number" and about.high is not None:
        out["maximum"] = about.high
    unit = "" if about.unit in ("", LENGTH) else f" ({about.unit})"
    return out | {"description": f"{about.label}{unit}. {about.help}".strip()}


def _object_fields() -> dict[str, Any]:
    """Every field that some kind has; what kinds mean by the same name in different ways is described by each."""
    out: dict[str, list[dict[str, Any]]] = {}
    for kind in KINDS.values():
        for f in fields_of(kind):
            schema = _described(f.about)
            if schema not in out.setdefault(f.json_name, []):
                out[f.json_name].append(schema)
    return {name: each[0] if len(each) == 1 else _joined(each) for name, each in out.items()}


def _joined(each: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema for several: what they have in common, and the labels of all."""
    common = {k: v for k, v in each[0].items() if k != "description" and all(s.get(k) == v for s in each)}
    labels = dict.fromkeys(s["description"].split(".")[0] for s in each)
    return common | {"description": " / ".join(labels)}
