"""The edges of every object: what light meets, what is drawn, and what can be pointed at."""

from __future__ import annotations

from core.errors import RaybenchError
from core.kinds.kinds import row_of
from core.kinds.object import SceneObject
from core.kinds.rows.outlines import Edge as Edge
from core.kinds.rows.outlines import Edges
from core.kinds.rows.outlines import bounds as bounds
from core.kinds.rows.outlines import path_edges as path_edges
from core.kinds.rows.outlines import signed_area as signed_area


def edges_of(obj: SceneObject) -> Edges:
    """The edges of an object in order; none for points and texts, and where `core.kinds.faults` says why there are none."""
    try:
        return row_of(obj).edges(obj)
    except RaybenchError:
        return ()


def edges_in(obj: SceneObject, colours: bool) -> Edges:
    """The edges of an object in a scene with simulated colours, or without. Raises RaybenchError where there are none."""
    row = row_of(obj)
    return (row.edges_in_colours or row.edges)(obj) if colours else row.edges(obj)
