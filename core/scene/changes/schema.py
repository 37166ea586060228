"""The JSON schema of changes, generated from the fields of kinds, of settings and of the changes themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.kinds.fields import LENGTH, Description, fields_of
from core.kinds.kinds import KINDS
from core.presets.presets import PRESETS
from core.scene.changes.change import Change
from core.scene.changes.written import VERBS
from core.scene.settings import Settings

_NUMBER = {"type": ["number", "string"]}
_POINT = {"type": "object", "properties": {"x": _NUMBER, "y": _NUMBER}}
_TYPES: dict[str, dict[str, Any]] = {
    "number": _NUMBER,
    "coordinate": _NUMBER,
    "limit": {"type": ["number", "null"]},
    "flag": {"type": "boolean"},
    "text": {"type": "string"},
    "material": {"type": "string"},
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
    "scene_object": {"$ref": "#/$defs/object"},
    "mapping": {"type": "object", "additionalProperties": {"type": "object"}},
}
_PART = r"^[A-Za-z]\w*(\[\d+\]|\.[A-Za-z]\w*)+$"
_TARGETS = {"$ref": "#/$defs/targets"}


def changes_schema() -> dict[str, Any]:
    """The JSON schema of a list of changes."""
    return {
        "type": "array",
        "description": "Changes, applied in order: all of them, or none. Lengths are in scene units, or texts with a unit such as '5 mm'.",
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
        case "preset":
            own, parameters = {"enum": list(PRESETS), "description": _preset_fields()}, _joined_fields(PRESETS.values()) | parameters
        case "ungroup" | "undefine":
            own = {"type": "string"}
        case "define":
            own = {"type": "object"}
        case _:
            own = _TARGETS
    if kind.needs:
        out["anyOf"] = [{"required": [name]} for name in kind.needs]
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


def _preset_fields() -> str:
    """The fields of each preset, in words."""
    return "; ".join(f"{name}: {', '.join(f.json_name for f in fields_of(kind))}" for name, kind in PRESETS.items())


def _object_fields() -> dict[str, Any]:
    """The schemas of the fields of all kinds, by name."""
    return _joined_fields(KINDS.values())


def _joined_fields(kinds: Iterable[type[Any]]) -> dict[str, Any]:
    """The schemas of the fields of classes, by name; the schemas of fields with the same name are joined."""
    out: dict[str, list[dict[str, Any]]] = {}
    for kind in kinds:
        for f in fields_of(kind):
            schema = _described(f.about)
            if schema not in out.setdefault(f.json_name, []):
                out[f.json_name].append(schema)
    return {name: each[0] if len(each) == 1 else _joined(each) for name, each in out.items()}


def _joined(each: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema for several: their common entries, and all their labels."""
    common = {k: v for k, v in each[0].items() if k != "description" and all(s.get(k) == v for s in each)}
    labels = dict.fromkeys(s["description"].split(".")[0] for s in each)
    return common | {"description": " / ".join(labels)}
