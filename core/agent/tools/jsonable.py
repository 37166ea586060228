"""What a tool returns, as JSON values and as the text that is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.hidden_characters import escaped_json

MOST_REPR = 2_000
DEEPEST = 100
"""How deep the arguments of a call may nest: far beyond what a tool takes, and well before Python's own limit."""


def jsonable(value: Any, *, strict: bool = False) -> Any:
    """A result as JSON values: dataclasses as objects, dates as ISO text, arrays as lists, and anything else as its ``repr``, shortened.

    With ``strict`` anything else is a TypeError or ValueError.
    """
    from pydantic_core import to_jsonable_python

    def other(value: Any) -> Any:
        if hasattr(value, "tolist"):  # arrays and numbers of numpy
            return value.tolist()
        if strict:
            raise TypeError(f"a {type(value).__name__} has no form in JSON")
        return _shown(value)

    try:
        return to_jsonable_python(value, fallback=other, inf_nan_mode="constants")
    except (ValueError, TypeError, RecursionError):  # bytes, or what holds itself
        if strict:
            raise
        return _shown(value)


def _shown(value: Any) -> str:
    try:
        return repr(value)[:MOST_REPR]
    except Exception as error:  # what is nested too deep, or says nothing of itself
        return f"<{type(value).__name__}: {error}>"[:MOST_REPR]


def too_deep(arguments: Mapping[str, Any]) -> bool:
    """Whether the lists and objects in a call's arguments nest more than `DEEPEST` deep."""
    level: list[Any] = [arguments]
    for _ in range(DEEPEST):
        level = [inner for item in level for inner in (item.values() if isinstance(item, Mapping) else item)]
        level = [item for item in level if isinstance(item, Mapping | list | tuple)]
        if not level:
            return False
    return True


def tellable(arguments: Any) -> Mapping[str, Any]:
    """What can be told of a call's arguments: themselves if they are an object of JSON, and nothing else."""
    if not isinstance(arguments, Mapping) or too_deep(arguments):
        return {}
    try:
        json.dumps(dict(arguments))
    except (TypeError, ValueError):  # such as a number of thousands of digits
        return {}
    return arguments


def json_text(value: Any) -> str:
    """A result of JSON values as text: a string is its own."""
    return value if isinstance(value, str) else escaped_json(json.dumps(value, ensure_ascii=False))


def json_document(value: Any) -> str:
    """JSON values as a document for other programs, in which NaN and infinities, that JSON has no numbers for, are texts."""
    from pydantic_core import to_json

    return escaped_json(to_json(value, indent=2, inf_nan_mode="strings").decode())
