"""The result of a call as JSON values for another program, with long lists truncated to a limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from raybench.agent.call.outcome import ToolOutcome
from raybench.bisection import largest_that_fits

CHARACTERS = 20_000
"""Length limit of the JSON text; about 5000 tokens."""


def structured(outcome: ToolOutcome, characters: int = CHARACTERS) -> dict[str, Any]:
    """The result of a call that is ``ok``, as an object that can be written as JSON.

    ``summary`` is the finding in words, ``result`` the values of the answer, ``rays`` the name,
    count and revision of its ray set. If the values are too long, each list is truncated to as many
    elements as fit, and ``omitted`` counts the missing elements by the lists' names. Values that
    are too long without their lists are given as their JSON text, truncated. NaN and infinities,
    which JSON lacks, are texts.
    """
    values, omitted = shortened(_json_values(outcome.value), characters)
    about: dict[str, Any] = {"summary": outcome.notes or outcome.sentence, "result": values}
    if outcome.rays is not None and outcome.rays.name:
        about["rays"] = {
            "name": outcome.rays.name,
            "count": len(outcome.rays),
            "revision": outcome.rays.revision,
        }
    return about | ({"omitted": omitted} if omitted else {})


def shortened(value: Any, characters: int) -> tuple[Any, dict[str, int]]:
    """JSON values with each list truncated to as many elements as fit, and the number of missing
    elements by the list's name.

    A text is truncated, too, as is the JSON text of values that are too long even without elements
    of lists.
    """
    from pydantic_core import to_json

    def fits(value: Any) -> bool:
        return len(to_json(value)) <= characters

    if fits(value):
        return value, {}
    if isinstance(value, str) or not fits(_first(value, 0, "result", {})):
        text = value if isinstance(value, str) else to_json(value).decode()
        return text[:characters], {"characters": len(text) - characters}
    most = largest_that_fits(
        lambda count: fits(_first(value, count, "result", {})), 0, _longest(value)
    )
    omitted: dict[str, int] = {}
    return _first(value, most, "result", omitted), omitted


def _json_values(value: Any) -> Any:
    from pydantic_core import from_json, to_json

    return from_json(to_json(value, inf_nan_mode="strings"))


def _longest(value: Any) -> int:
    """The length of the longest list."""
    inner = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    )
    return max((len(value) if isinstance(value, list) else 0, *map(_longest, inner)))


def _first(value: Any, count: int, name: str, omitted: dict[str, int]) -> Any:
    """The value with at most ``count`` elements of each list; adds the numbers of missing elements
    to ``omitted``.
    """
    if isinstance(value, Mapping):
        return {key: _first(item, count, key, omitted) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > count:
        omitted[name] = omitted.get(name, 0) + len(value) - count
    return [_first(item, count, name, omitted) for item in value[:count]]
