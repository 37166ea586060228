"""What a tool returns, as JSON values and as the text that is read."""

from __future__ import annotations

import json
from typing import Any

MOST_REPR = 2_000


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
        return repr(value)[:MOST_REPR]

    try:
        return to_jsonable_python(value, fallback=other, inf_nan_mode="constants")
    except (ValueError, TypeError, RecursionError):  # bytes, or what holds itself
        if strict:
            raise
        return repr(value)[:MOST_REPR]


def json_text(value: Any) -> str:
    """A result of JSON values as text: a string is its own."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
