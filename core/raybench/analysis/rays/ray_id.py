"""Parses ray ids, ``r<revision>-<row>``, to rows of a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable

from raybench.errors import RaybenchError, elided
from raybench.trace.results.result import TraceResult

_ID = re.compile(r"r(\d{1,18})-(\d{1,18})")


class UnknownRay(RaybenchError):
    """There is no ray with an id in the active trace."""


def is_ray_id(text: str) -> bool:
    """Whether a text has the form of a ray id; case and surrounding whitespace are ignored."""
    return _ID.fullmatch(text.strip().lower()) is not None


def row_of(result: TraceResult, ray_id: str) -> int:
    """The row of a ray. Raises UnknownRay if the id is malformed, of another revision, or beyond
    the last row.
    """
    match = _ID.fullmatch(str(ray_id).strip().lower())
    if match is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(
            f"'{elided(str(ray_id), 60)}' is not a ray's id. Give one as answers show it, such as"
            f" {example}."
        )
    revision, row = int(match[1]), int(match[2])
    if revision != result.revision:
        raise UnknownRay(
            f"{match[0]} was ray {row} of revision {revision}; the active trace is of revision"
            f" {result.revision}, where that number may be another ray. Repeat the query, and use"
            " the ids of the new answer."
        )
    if row >= len(result):
        last = (
            f"They run from {result.segment_id(0)} to {result.segment_id(len(result) - 1)}."
            if len(result)
            else "It has no rays."
        )
        raise UnknownRay(f"There is no ray {match[0]} in this trace. {last}")
    return row


def rows_among(result: TraceResult, texts: Iterable[str]) -> list[int]:
    """The rows of those texts that are ids of rays of a trace, ascending, each once."""
    ids = (
        match
        for text in texts
        if (match := _ID.fullmatch(text)) is not None and int(match[1]) == result.revision
    )
    return sorted({row for match in ids if (row := int(match[2])) < len(result)})
