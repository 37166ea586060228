"""The cache of tool results within one conversation or run, for tools with ``cache``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def cache_key(tool: str, arguments: object, revision: int) -> str:
    """The cache key of a call: two calls with equal keys have the same result.

    Names are compared with hyphens as underscores and in any order; 1.0 is 1, a tuple is a list;
    lists keep their order. The scene's revision is part of it: an answer about an older scene is
    never served.
    """
    given = arguments if isinstance(arguments, Mapping) else {"non_map": arguments}
    return json.dumps(
        [tool, revision, isinstance(arguments, Mapping), canonical(given)], default=repr
    )


def canonical(value: Any) -> Any:
    """The canonical form of a JSON value; an object becomes the sorted list of its pairs."""
    if isinstance(value, Mapping):
        pairs = [[str(key).replace("-", "_"), canonical(item)] for key, item in value.items()]
        return {"": sorted(pairs, key=json.dumps)}
    if isinstance(value, list | tuple):
        return [canonical(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


MOST_KEPT = 200
"""Maximum number of results; then the least recently used one is dropped."""
MOST_REVISIONS = 3
"""Maximum number of revisions, since results hold the trace of their revision; then results of the
least recently used one are dropped.
"""


class ResultCache(Generic[T]):
    """Results by key. Two concurrent calls may both miss and run; the later result is kept."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._results: dict[str, tuple[int, T]] = {}
        """Each result with its revision, the most recently used one last."""
        self._most = most

    def get(self, key: str) -> T | None:
        entry = self._results.pop(key, None)
        if entry is None:
            return None
        self._results[key] = entry
        return entry[1]

    def put(self, key: str, result: T, revision: int = 0) -> None:
        self._results.pop(key, None)
        self._results[key] = (revision, result)
        revisions = list(dict.fromkeys(of for of, _ in reversed(self._results.values())))[
            :MOST_REVISIONS
        ]
        kept = [(name, entry) for name, entry in self._results.items() if entry[0] in revisions]
        self._results = dict(kept[-self._most :])
