"""The edges of objects, used for tracing, drawing and hit testing."""

from __future__ import annotations

from typing import TypeVar, cast

from raybench.errors import RaybenchError
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.rows.outlines import Edge as Edge
from raybench.kinds.rows.outlines import Edges
from raybench.kinds.rows.outlines import bounds as bounds
from raybench.kinds.rows.outlines import has_inside as has_inside
from raybench.kinds.rows.outlines import is_simple as is_simple
from raybench.kinds.rows.outlines import path_edges as path_edges
from raybench.kinds.rows.outlines import signed_area as signed_area

Kind = TypeVar("Kind", bound=SceneObject)


def edges_of(obj: SceneObject, colours: bool = False) -> Edges:
    """The edges of an object in order; empty for points and texts, and for objects with a fault
    (see `raybench.kinds.faults`).

    ``colours`` selects the outline in a scene with simulated colours, which differs for some
    lenses.
    """
    try:
        traced = in_colours(obj) if colours else obj
        if "edges" not in traced.derived:
            traced.derived["edges"] = row_of(traced).edges(traced)
        return cast(Edges, traced.derived["edges"])
    except RaybenchError:
        return ()


def in_colours(obj: Kind) -> Kind:
    """The object with the outline it has in a scene with simulated colours. Key and name are kept.

    Raises RaybenchError for an object with a fault."""
    if "in colours" not in obj.derived:
        obj.derived["in colours"] = row_of(obj).in_colours(obj)
    return cast(Kind, obj.derived["in colours"])
