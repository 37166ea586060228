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


def edges_of(obj: SceneObject, colours: bool = False) -> Edges:
    """The edges of an object in order; none for points and texts, and where `core.kinds.faults` says why there are none.

    ``colours`` selects the outline that the object has in a scene with simulated colours, which is another for some lenses.
    """
    row = row_of(obj)
    try:
        return row.edges_in_colours(obj) if colours and row.edges_in_colours is not None else row.edges(obj)
    except RaybenchError:
        return ()
