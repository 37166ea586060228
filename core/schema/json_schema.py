"""Conversion between types of compact signatures and JSON schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.schema.signature import ANY, NAME, Field, ListOf, Optional, Primitive, Record, SignatureError, Type, optional

_NAMES = {
    "string": "string",
    "keyword": "string",
    "datetime": "string",  # without a format, which strict modes refuse
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "map": "object",
}
_PRIMITIVES = {"string": "string", "integer": "int", "number": "float", "boolean": "bool"}
_KNOWN = {"type", "description", "items", "properties", "required", "additionalProperties"}
DEEPEST_EXPANSION = 3


def type_schema(type: Type) -> dict[str, Any]:
    """The JSON schema of a type. An optional type is its own schema: being optional only drops a name from ``required``."""
    match type:
        case Optional(inner):
            return type_schema(inner)
        case ListOf(item):
            return {"type": "array", "items": type_schema(item)}
        case Record(fields):
            return record_schema(fields)
        case Primitive(name):
            return {"type": _NAMES[name]} if name != "any" else {}


def record_schema(fields: tuple[Field, ...]) -> dict[str, Any]:
    """The JSON schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": {f.name: type_schema(f.type) | ({"description": f.description} if f.description else {}) for f in fields},
        "required": [f.name for f in fields if not f.optional],
        "additionalProperties": False,
    }


def returns_schema(type: Type) -> dict[str, Any]:
    """The JSON schema of a result as an object: a list is wrapped in an object with the key ``items``."""
    schema = type_schema(type)
    if schema.get("type") != "array":
        return schema
    return {"type": "object", "properties": {"items": schema}, "required": ["items"], "additionalProperties": False}


def type_from_schema(schema: object) -> Type:
    """The type of a JSON schema; SignatureError names keys that have no equivalent."""
    if not isinstance(schema, Mapping):
        raise SignatureError(f"a JSON schema must be an object, got {schema!r}")
    if unknown := [str(key) for key in schema if key not in _KNOWN]:
        raise SignatureError(
            f"a signature cannot hold the JSON schema keys {', '.join(sorted(unknown))}; it can hold {', '.join(sorted(_KNOWN))}"
        )
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _PRIMITIVES:
        return Primitive(_PRIMITIVES[kind])
    if kind == "array":
        return ListOf(type_from_schema(schema["items"])) if "items" in schema else ListOf(ANY)
    if kind == "object":
        return _record(schema)
    if kind is None and not schema.keys() - {"description"}:
        return ANY
    raise SignatureError(f"a signature cannot hold the JSON schema type {kind!r}")


def _record(schema: Mapping[str, Any]) -> Type:
    properties, required, more = schema.get("properties", {}), schema.get("required", []), schema.get("additionalProperties", True)
    if not isinstance(properties, Mapping):
        raise SignatureError("'properties' must be an object")
    if not isinstance(required, list) or not all(isinstance(name, str) and name in properties for name in required):
        raise SignatureError(f"'required' must list names that 'properties' declares, got {required!r}")
    if not isinstance(more, bool):
        raise SignatureError(f"'additionalProperties' must be true or false, got {more!r}")
    if not properties and more:
        return Primitive("map")
    fields = []
    for name, about in properties.items():
        if not isinstance(name, str) or not re.fullmatch(NAME, name):
            raise SignatureError(f"a signature cannot hold a field called {name!r}")
        type = type_from_schema(about)
        description = about.get("description", "")
        fields.append(Field(name, type if name in required else optional(type), description if isinstance(description, str) else ""))
    return Record(tuple(fields), closed=not more)


def nearest_type(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> Type:
    """The nearest type of compact signatures for a JSON schema of pydantic; ``:any`` if there is none.

    ``definitions`` are the schema's ``$defs``; they are expanded three deep, which also ends those that hold themselves.
    """
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return ANY if depth >= DEEPEST_EXPANSION else nearest_type(definitions[name], definitions, depth + 1)
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option.get("type") != "null"]
        inner = nearest_type(options[0], definitions, depth) if len(options) == 1 else ANY
        return optional(inner) if len(options) < len(schema["anyOf"]) else inner
    kind = schema.get("type")
    if kind == "string":
        choice = "enum" in schema or "const" in schema
        return Primitive("keyword" if choice else "datetime" if schema.get("format") == "date-time" else "string")
    if kind == "array" and "prefixItems" not in schema:
        return ListOf(nearest_type(schema.get("items", {}), definitions, depth))
    if kind == "object":
        if not all(re.fullmatch(NAME, name) for name in schema.get("properties", {"": None})):
            return Primitive("map")  # any fields, or names that no signature can hold
        required = schema.get("required", [])
        types = {name: nearest_type(about, definitions, depth) for name, about in schema["properties"].items()}
        return Record(tuple(Field(name, type if name in required else optional(type)) for name, type in types.items()))
    return Primitive(_PRIMITIVES.get(str(kind), "any"))
