"""Results that need not be computed again: of tools that say so, within one run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def cache_key(tool: str, arguments: object, revision: int) -> str:
    """What two calls share if one's result serves the other.

    Names are compared with hyphens as underscores and in any order; 1.0 is 1, a tuple is a list; lists keep their order. The scene's
    revision is part of it: an answer about an older scene is never served.
    """
    given = arguments if isinstance(arguments, Mapping) else {"non_map": arguments}
    return json.dumps([tool, revision, isinstance(arguments, Mapping), canonical(given)], default=repr)


def canonical(value: Any) -> Any:
    """A JSON value in the one form that all equal ones share; an object becomes the sorted list of its pairs."""
    if isinstance(value, Mapping):
        pairs = [[str(key).replace("-", "_"), canonical(item)] for key, item in value.items()]
        return {"": sorted(pairs, key=json.dumps)}
    if isinstance(value, list | tuple):
        return [canonical(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class ResultCache(Generic[T]):
    """The results of one run. Two calls at a time may both miss and both run; the last one stays."""

    def __init__(self) -> None:
        self._results: dict[str, T] = {}

    def get(self, key: str) -> T | None:
        return self._results.get(key)

    def put(self, key: str, result: T) -> None:
        self._results[key] = result
