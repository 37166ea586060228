"""The edges of objects, for tracing, drawing and hit testing; and the faults of objects, which
prevent an effect on light.
"""

from collections.abc import Iterator
from typing import TypeVar, cast

from raybench.errors import RaybenchError
from raybench.kinds.aspects.outlines import IN_ONE_POINT, Edges, outline_fault
from raybench.kinds.aspects.pieces import no_piece
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.phrase import Phrase

Kind = TypeVar("Kind", bound=SceneObject)


def object_edges(obj: SceneObject, colours: bool = False) -> Edges:
    """The edges of an object in order. Empty for points and texts, and for objects that have a
    fault (see `object_fault`).

    ``colours`` says whether the scene simulates colours, on which the outline of some lenses
    depends.
    """
    try:
        return _computed_edges(with_colour_outline(obj) if colours else obj)
    except RaybenchError:
        return ()


def _computed_edges(obj: SceneObject) -> Edges:
    if "edges" not in obj.derived_values:
        obj.derived_values["edges"] = kind_row_of(obj).edges(obj)
    return cast(Edges, obj.derived_values["edges"])


def with_colour_outline(obj: Kind) -> Kind:
    """The object with the outline that it has in a scene with simulated colours. Its key and name
    stay the same.

    Raises RaybenchError for an object with a fault.
    """
    if "in colours" not in obj.derived_values:
        obj.derived_values["in colours"] = kind_row_of(obj).in_colours(obj)
    return cast(Kind, obj.derived_values["in colours"])


def object_fault(obj: SceneObject) -> str:
    """The reason why an object has no effect on light, and the remedy, as text that follows the
    object's name. Empty if the object has an effect.
    """
    if not obj.optical:
        return ""
    if "fault" not in obj.derived_values:
        obj.derived_values["fault"] = _computed_fault(obj)
    return cast(str, obj.derived_values["fault"])


def _computed_fault(obj: SceneObject) -> str:
    row = kind_row_of(obj)
    try:
        edges = _computed_edges(obj)
        if edges and all(e.shape.length == 0 for e in edges):
            return IN_ONE_POINT
        fault = row.fault(obj, edges)
        needs_edges = row.piece is not no_piece
        return fault or (outline_fault(obj) if needs_edges and not edges else "")
    except RaybenchError as error:
        return Phrase("has no effect: {error}", error=error)


def object_remarks(obj: SceneObject) -> Iterator[str]:
    """Yield remarks on properties of an object that are unphysical or probably unintended. Each
    remark states the consequence, as text that follows the object's name.
    """
    return kind_row_of(obj).remarks(obj, object_edges(obj))
