"""Validation of values against the types of compact signatures: strict for results of tools,
lenient for input that a person types. Error messages are made from the errors of pydantic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from raybench.errors import RaybenchError
from raybench.schema.json_values import json_type
from raybench.schema.signature import IN_UTC, KEYWORD, read_datetime

if TYPE_CHECKING:
    from pydantic import BaseModel

Mode = Literal["enabled", "warn_only", "disabled", "strict"]
"""``enabled`` raises and allows undeclared fields; ``warn_only`` returns warnings; ``disabled``
skips validation; ``strict`` raises and allows no undeclared fields.
"""
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
_WRITTEN: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "int": (r"[+-]?[0-9]{1,1000}", int),
    "float": (r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", float),
    "bool": ("true|false", lambda text: text == "true"),
    "datetime": (".*", read_datetime),
}
"""The accepted syntax of numbers and booleans as text. Stricter than pydantic's lax mode, which
takes "yes", 1.0 and " 4_2 ".
"""

Path = tuple[str | int, ...]


class InvalidValue(RaybenchError):
    """A value does not match its type. The message lists paths and reasons."""


def _fault_at(path: Path, text: str) -> str:
    """The text of a fault with its path, such as ``results.0.id: expected int, got string``."""
    return f"{'.'.join(map(str, path))}: {text}" if path else text


@lru_cache(maxsize=128)
def _value_field_model(hint: Any, extra: Literal["ignore", "forbid"]) -> Any:
    """A pydantic model with one field ``value`` of the type ``hint``."""
    from pydantic import ConfigDict, create_model

    config = ConfigDict(strict=True, allow_inf_nan=False, extra=extra)
    model: type[BaseModel] = create_model("Result", __config__=config, value=(hint, ...))
    return model


def value_faults(
    value: Any, hint: Any, *, closed: bool = False, finite: bool = True
) -> tuple[str, ...]:
    """All faults of a JSON value, which is checked strictly. ``closed`` forbids undeclared fields;
    ``finite`` forbids NaN and infinity.
    """
    from pydantic import ValidationError

    if hint is Any:
        return ()
    try:
        _value_field_model(hint, "forbid" if closed else "ignore").model_validate_json(
            json.dumps({"value": value})
        )
    except ValidationError as error:
        found = [
            e for e in error.errors(include_url=False) if finite or e["type"] != "finite_number"
        ]
        return tuple(_fault_at(e["loc"][1:], _fault_text(e)) for e in found)
    except (TypeError, ValueError, RecursionError) as error:
        return (f"not JSON: {error}",)
    return ()


def _fault_text(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "no such field"
    expected = EXPECTED.get(error["type"], "")
    got = "nothing" if error["type"] == "missing" else json_type(error["input"])
    return f"expected {expected}, got {got}" if expected else str(error["msg"])


def coerce_value(value: Any, hint: Any) -> tuple[Any, tuple[str, ...]]:
    """Convert a JSON value leniently to its type, for example a text to a number or a boolean. Also
    return a warning for each conversion.

    A text such as ``"5"`` is replaced by the value that it represents, if strict validation then
    accepts the value. Conversions are exact: 42.0 is not an int and "3.5abc" not a float.
    Undeclared fields of a record are dropped. Raises InvalidValue for the first fault.
    """
    from pydantic import ValidationError

    warnings: list[str] = []
    while True:
        try:
            written = json.dumps({"value": value})
            read = _value_field_model(hint, "ignore").model_validate_json(written, context=IN_UTC)
            return read.value, tuple(warnings)
        except ValidationError as error:
            found = error.errors(include_url=False)
        except (TypeError, ValueError, RecursionError):  # as a number of thousands of digits
            raise InvalidValue(f"expected JSON, got {value_excerpt(value)}") from None
        for e in found:
            path, given, wanted = e["loc"][1:], e["input"], EXPECTED.get(e["type"], "")
            if e["type"] == "missing":
                raise InvalidValue(_fault_at(path, "expected field, got nothing"))
            new = _parse_value_text(given, wanted)
            if new is None:
                wanted = {"datetime": "datetime with an offset", "": str(e["msg"])}.get(
                    wanted, wanted
                )
                raise InvalidValue(
                    _fault_at(path, f"expected {wanted}, got {value_excerpt(given)}")
                )
            warnings.append(_fault_at(path, f"{value_excerpt(given)} was read as {wanted} {new}"))
            value = _replace_value_at_path(
                value, path, new.isoformat() if wanted == "datetime" else new
            )


def _parse_value_text(text: Any, wanted: str) -> Any:
    """Parse a text as a value of the type ``wanted``. None if the text has another form."""
    if not isinstance(text, str) or wanted not in _WRITTEN:
        return None
    syntax, read = _WRITTEN[wanted]
    if not re.fullmatch(syntax, text):
        return None
    try:
        return read(text)
    except ValueError:
        return None


def _replace_value_at_path(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    copy[path[0]] = _replace_value_at_path(value[path[0]], path[1:], new)
    return copy


def check_tool_result(
    value: Any, hint: Any, mode: Mode = "enabled", *, finite: bool = True
) -> tuple[str, ...]:
    """Validate the result of a tool. In the mode ``warn_only`` the faults are returned as warnings;
    in other modes they raise InvalidValue.
    """
    if mode == "disabled":
        return ()
    found = value_faults(value, hint, closed=mode == "strict", finite=finite)
    if found and mode != "warn_only":
        raise InvalidValue("; ".join(found))
    return found


# --- messages


def fault_sentences(faults: Sequence[Mapping[str, Any]], arguments: Any) -> list[tuple[str, str]]:
    """Convert the errors of pydantic to pairs (field, sentence), one for each field in order. A
    sentence gives the expected type and the given value.
    """
    fields: dict[str, list[Mapping[str, Any]]] = {}
    for error in faults:
        fields.setdefault(error_field_path(error, arguments), []).append(error)
    sentences = []
    for name, errors in fields.items():
        wanted = [_expected_value_text(error) for error in errors]
        given = value_excerpt(errors[0]["input"])
        if errors[0]["type"] == "missing":
            sentence = f"'{name}' is missing."
        elif all(wanted):
            sentence = f"'{name}' must be {' or '.join(dict.fromkeys(wanted))}, got {given}."
        else:
            sentence = f"'{name}' does not fit: {errors[0]['msg']}, got {given}."
        sentences.append((name, sentence))
    return sentences


def error_field_path(error: Mapping[str, Any], arguments: Any) -> str:
    """The path of the field with an error, such as ``points.1``. Members of unions, which pydantic
    adds to the path, are left out.
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


def _expected_value_text(error: Mapping[str, Any]) -> str:
    """The expected value with its article, extracted from pydantic's message. Empty if the message
    has an unknown form.
    """
    if error["type"] in ("datetime_from_date_parsing", "datetime_parsing"):
        return "a date and time such as 2026-01-31T12:00:00Z"
    if error["type"] == "string_pattern_mismatch" and error["ctx"]["pattern"] == KEYWORD:
        return "a keyword: letters, digits, _ and -, a letter or _ first"
    found = re.match(r"(?:Input should be (?:a valid )?|Value error, )(.*)", error["msg"])
    words = found[1] if found else ""
    if not words or words.startswith(("a ", "an ", "less ", "greater ", "'", '"')):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def value_excerpt(value: Any) -> str:
    """A value as shortened JSON text."""
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
    """The type in a JSON schema in words, such as ``string`` or ``list of {x: number}``;
    ``definitions`` are the schema's ``$defs``.
    """

    def part_type_words(part: Mapping[str, Any]) -> str:
        return type_words(part, definitions, depth + 1)

    if "$ref" in about:
        name = str(about["$ref"]).rsplit("/", 1)[-1]
        return part_type_words(definitions[name]) if name in definitions and depth < 4 else "object"
    if "enum" in about:
        return " | ".join(json.dumps(v) for v in about["enum"])
    if "anyOf" in about:
        return " or ".join(part_type_words(option) for option in about["anyOf"])
    if "prefixItems" in about:
        return f"[{', '.join(map(part_type_words, about['prefixItems']))}]"
    if about.get("type") == "array":
        return f"list of {part_type_words(about.get('items', {}))}"
    if "properties" in about:
        required = about.get("required", ())
        fields = (
            f"{name}{'' if name in required else '?'}: {part_type_words(part)}"
            for name, part in about["properties"].items()
        )
        return f"{{{', '.join(fields)}}}"
    return str(about.get("type", "any"))
