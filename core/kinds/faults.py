"""What is wrong with an object that can be read: why light does not meet it, or what about it no real thing has."""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import RaybenchError
from core.kinds.kinds import row_of
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.rows.faults import IN_ONE_POINT


def fault_of(obj: SceneObject) -> str:
    """Why an object has no effect on light, and what to do about it, as the end of a sentence that begins with it; empty for others."""
    if not obj.optical:
        return ""
    row = row_of(obj)
    try:
        edges = row.edges(obj)
        if edges and all(e.shape.length == 0 for e in edges):
            return IN_ONE_POINT
        return row.fault(obj, edges)
    except RaybenchError as error:
        return f"has no effect: {error}"


def remarks_on(obj: SceneObject) -> Iterator[str]:
    """What about an object no real thing has, and what comes of it, as ends of sentences that begin with it."""
    return row_of(obj).remarks(obj, edges_of(obj))
