"""JSON schemas of the types of compact signatures, and the nearest types of pydantic's schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from raybench.schema.signature import (
    ANY,
    NAME,
    Field,
    ListOf,
    Optional,
    Primitive,
    Record,
    Type,
    optional,
)

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
DEEPEST_EXPANSION = 3


def type_schema(type: Type) -> dict[str, Any]:
    """The JSON schema of a type. An optional type is its own schema: being optional only drops a
    name from ``required``.
    """
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
        "properties": {
            f.name: type_schema(f.type) | ({"description": f.description} if f.description else {})
            for f in fields
        },
        "required": [f.name for f in fields if not f.optional],
        "additionalProperties": False,
    }


def nearest_type(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> Type:
    """The nearest type of compact signatures for a JSON schema of pydantic; ``:any`` if there is
    none.

    ``definitions`` are the schema's ``$defs``; they are expanded three deep, which also ends those
    that hold themselves.
    """
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return (
            ANY
            if depth >= DEEPEST_EXPANSION
            else nearest_type(definitions[name], definitions, depth + 1)
        )
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option.get("type") != "null"]
        inner = nearest_type(options[0], definitions, depth) if len(options) == 1 else ANY
        return optional(inner) if len(options) < len(schema["anyOf"]) else inner
    kind = schema.get("type")
    if kind == "string":
        choice = "enum" in schema or "const" in schema
        return Primitive(
            "keyword" if choice else "datetime" if schema.get("format") == "date-time" else "string"
        )
    if kind == "array" and "prefixItems" not in schema:
        return ListOf(nearest_type(schema.get("items", {}), definitions, depth))
    if kind == "object":
        if not all(re.fullmatch(NAME, name) for name in schema.get("properties", {"": None})):
            return Primitive("map")  # any fields, or names that no signature can hold
        required = schema.get("required", [])
        types = {
            name: nearest_type(about, definitions, depth)
            for name, about in schema["properties"].items()
        }
        return Record(
            tuple(
                Field(name, type if name in required else optional(type))
                for name, type in types.items()
            )
        )
    return Primitive(_PRIMITIVES.get(str(kind), "any"))
