"""The edges of objects, used for tracing, drawing and hit testing, and the faults of objects."""

from collections.abc import Iterator
from typing import TypeVar, cast

from raybench.errors import RaybenchError
from raybench.kinds.aspects.outlines import IN_ONE_POINT, Edges, outline_fault
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject

Kind = TypeVar("Kind", bound=SceneObject)


def edges_of(obj: SceneObject, colours: bool = False) -> Edges:
    """The edges of an object in order; empty for points and texts, and for objects with a fault
    (see `raybench.kinds.outline`).

    ``colours`` selects the outline in a scene with simulated colours, which differs for some
    lenses.
    """
    try:
        traced = in_colours(obj) if colours else obj
        if "edges" not in traced.derived_values:
            traced.derived_values["edges"] = row_of(traced).edges(traced)
        return cast(Edges, traced.derived_values["edges"])
    except RaybenchError:
        return ()


def in_colours(obj: Kind) -> Kind:
    """The object with the outline it has in a scene with simulated colours. Key and name are kept.

    Raises RaybenchError for an object with a fault."""
    if "in colours" not in obj.derived_values:
        obj.derived_values["in colours"] = row_of(obj).in_colours(obj)
    return cast(Kind, obj.derived_values["in colours"])


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
        fault = row.fault(obj, edges)
        needs_edges = row.piece is not no_piece
        return fault or (outline_fault(obj) if needs_edges and not edges else "")
    except RaybenchError as error:
        return f"has no effect: {error}"


def remarks_on(obj: SceneObject) -> Iterator[str]:
    """Properties of an object that are not physical or probably unintended, and their consequences,
    as predicates for its name.
    """
    return row_of(obj).remarks(obj, edges_of(obj))
