"""Faults and remarks: why an object has no effect on light, and which of its properties are not
physical.
"""

from __future__ import annotations

from collections.abc import Iterator

from raybench.errors import RaybenchError
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.rows.faults import IN_ONE_POINT


def fault_of(obj: SceneObject) -> str:
    """Why an object has no effect on light, and the remedy, as a predicate for its name; empty if
    it has an effect.
    """
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
    """Properties of an object that are not physical or probably unintended, and their consequences,
    as predicates for its name.
    """
    return row_of(obj).remarks(obj, edges_of(obj))
