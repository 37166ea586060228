"""Ids of rays in text, ``r<revision>-<row>``, back to rows of a trace."""

from __future__ import annotations

import re

from core.errors import RaybenchError, elided
from core.trace.results.result import TraceResult

_ID = re.compile(r"r(\d{1,18})-(\d{1,18})")


class UnknownRay(RaybenchError):
    """An id that names no ray of the active trace."""


def is_ray_id(text: str) -> bool:
    """Whether a text has the form of an id; blanks around it and capitals do not matter."""
    return _ID.fullmatch(text.strip().lower()) is not None


def row_of(result: TraceResult, ray_id: str) -> int:
    """The row of a ray; UnknownRay for an id of another revision, beyond the last row, or of another form."""
    found = _ID.fullmatch(str(ray_id).strip().lower())
    if found is None:
        example = result.segment_id(0) if len(result) else "r1-0"
        raise UnknownRay(f"'{elided(str(ray_id), 60)}' is no ray's id. Give one as answers show it, such as {example}.")
    revision, row = int(found[1]), int(found[2])
    if revision != result.revision:
        raise UnknownRay(
            f"{found[0]} was ray {row} of revision {revision}; the active trace is of revision {result.revision}, where that number may be "
            "another ray. Ask your question again, and use the ids of the new answer."
        )
    if row >= len(result):
        last = f"They run from {result.segment_id(0)} to {result.segment_id(len(result) - 1)}." if len(result) else "It has no rays."
        raise UnknownRay(f"There is no ray {found[0]} in this trace. {last}")
    return row
