"""Error messages for invalid arguments, from the errors of pydantic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

KEYWORD = r"^[A-Za-z_][A-Za-z0-9_\-]*$"
"""The pattern of a keyword: a short name such as a choice."""


def fault_sentences(faults: Sequence[Mapping[str, Any]], arguments: Any) -> list[tuple[str, str]]:
    """Pydantic's errors as (field, sentence) pairs, one per field in order: the expected type and
    the given value.
    """
    fields: dict[str, list[Mapping[str, Any]]] = {}
    for error in faults:
        fields.setdefault(field_of(error, arguments), []).append(error)
    sentences = []
    for name, errors in fields.items():
        wanted = [_wanted(error) for error in errors]
        given = excerpt(errors[0]["input"])
        if errors[0]["type"] == "missing":
            sentence = f"'{name}' is missing."
        elif all(wanted):
            sentence = f"'{name}' must be {' or '.join(dict.fromkeys(wanted))}, got {given}."
        else:
            sentence = f"'{name}' does not fit: {errors[0]['msg']}, got {given}."
        sentences.append((name, sentence))
    return sentences


EXPECTED = {
    "int_type": "int",
    "float_type": "float",
    "finite_number": "finite float",
    "bool_type": "bool",
    "string_type": "string",
    "string_pattern_mismatch": "keyword",
    "list_type": "list",
    "dict_type": "map",
    "missing": "field",
    "value_error": "datetime",
}
"""The type expected by each error type of pydantic, as compact signatures name it."""


def field_of(error: Mapping[str, Any], arguments: Any) -> str:
    """The path of an error within the arguments, such as ``points.1``, without the union members
    that pydantic adds to it.
    """
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
    """The expected value with its article, from pydantic's message; empty if the message has
    another form.
    """
    if error["type"] == "datetime_from_date_parsing" or error["type"] == "datetime_parsing":
        return "a date and time such as 2026-01-31T12:00:00Z"
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == KEYWORD:
        return "a keyword: letters, digits, _ and -, a letter or _ first"
    for prefix in ("Input should be a valid ", "Input should be ", "Value error, "):
        if error["msg"].startswith(prefix):
            return _article(error["msg"].removeprefix(prefix))
    return ""


def _article(words: str) -> str:
    if words.startswith(("a ", "an ", "less ", "greater ", "'", '"')):
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def excerpt(value: Any) -> str:
    """A value as JSON, shortened."""
    try:
        text = json.dumps(value, default=str)
    except (
        TypeError,
        ValueError,
        RecursionError,
    ):  # non-string keys, cycles, a number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def type_words(about: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> str:
    """The type of a JSON schema in words, such as ``string`` or ``list of {x: number}``;
    ``definitions`` are the ``$defs`` around it.
    """

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
        fields = (
            f"{name}{'' if name in required else '?'}: {words(part)}"
            for name, part in about["properties"].items()
        )
        return f"{{{', '.join(fields)}}}"
    return str(about.get("type", "any"))
