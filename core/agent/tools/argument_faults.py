"""What is wrong with arguments, in words that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

KEYWORD = r"^[A-Za-z_][A-Za-z0-9_\-]*$"
"""What a keyword is: a short name such as a choice."""


def faults_told(faults: Sequence[Mapping[str, Any]], arguments: Any) -> list[tuple[str, str]]:
    """Pydantic's errors as fields, each once and in order, with a sentence on it: what it must be, and what was given."""
    fields: dict[str, list[Mapping[str, Any]]] = {}
    for error in faults:
        fields.setdefault(field_of(error, arguments), []).append(error)
    told = []
    for name, errors in fields.items():
        wanted = [_wanted(error) for error in errors]
        given = shown(errors[0]["input"])
        if errors[0]["type"] == "missing":
            sentence = f"'{name}' is missing."
        elif all(wanted):
            sentence = f"'{name}' must be {' or '.join(dict.fromkeys(wanted))}, got {given}."
        else:
            sentence = f"'{name}' does not fit: {errors[0]['msg']}, got {given}."
        told.append((name, sentence))
    return told


def field_of(error: Mapping[str, Any], arguments: Any) -> str:
    """Where in the arguments an error is, such as ``points.1``. Pydantic also names the members of a union, which nobody sent."""
    path, value = [], arguments
    for i, part in enumerate(error["loc"]):
        here = (isinstance(value, Mapping) and part in value) or (
            isinstance(value, list | tuple) and isinstance(part, int) and part < len(value)
        )
        if here:
            value = value[part]
        if here or (error["type"] == "missing" and i == len(error["loc"]) - 1):
            path.append(str(part))
    return ".".join(path)


def _wanted(error: Mapping[str, Any]) -> str:
    """What a field must be, as far as pydantic says it in that form."""
    if error["type"] == "datetime_from_date_parsing" or error["type"] == "datetime_parsing":
        return "a date and time such as 2026-01-31T12:00:00Z"
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == KEYWORD:
        return "a keyword: letters, digits, _ and -, a letter or _ first"
    for said in ("Input should be a valid ", "Input should be ", "Value error, "):
        if error["msg"].startswith(said):
            return _article(error["msg"].removeprefix(said))
    return ""


def _article(words: str) -> str:
    if words.startswith(("a ", "an ", "less ", "greater ", "'", '"')):
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def shown(value: Any) -> str:
    """A value as JSON, shortened."""
    try:
        text = json.dumps(value, default=str)
    except (TypeError, ValueError, RecursionError):  # keys of other kinds, what holds itself, a number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def type_words(about: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> str:
    """The type of a JSON schema in words, such as ``string`` or ``list of {x: number}``; ``definitions`` are the ``$defs`` around it."""

    def words(part: Mapping[str, Any]) -> str:
        return type_words(part, definitions, depth + 1)

    if "$ref" in about:
        name = str(about["$ref"]).rsplit("/", 1)[-1]
        return words(definitions[name]) if name in definitions and depth < 4 else "object"
    if "enum" in about:
        return " | ".join(json.dumps(v) for v in about["enum"])
    if "anyOf" in about:
        return " or ".join(words(option) for option in about["anyOf"])
    if "prefixItems" in about:
        return f"[{', '.join(map(words, about['prefixItems']))}]"
    if about.get("type") == "array":
        return f"list of {words(about.get('items', {}))}"
    if "properties" in about:
        required = about.get("required", ())
        fields = (f"{name}{'' if name in required else '?'}: {words(part)}" for name, part in about["properties"].items())
        return f"{{{', '.join(fields)}}}"
    return str(about.get("type", "any"))
