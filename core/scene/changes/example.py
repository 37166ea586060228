"""A small object of a kind, as an example of how one is written."""

from __future__ import annotations

from core.kinds.kinds import KINDS, ROWS
from core.kinds.object import SceneObject
from core.shapes.point import Point

_SAMPLES = {row.kind.__name__: row.sample for row in ROWS}
_ENDS = (Point(0, -20), Point(0, 20))
_CORNERS = (Point(0, 0), Point(40, 0), Point(20, 30))


def example_of(kind: str) -> SceneObject | None:
    """A small object of a kind as a mouse would make it; None for kinds that a mouse does not."""
    sample = _SAMPLES.get(kind)
    if sample is None:
        return None
    match sample.by:
        case "points":
            return KINDS[kind](**sample.fields(_CORNERS))
        case "drag":
            return KINDS[kind](**sample.fields(*_ENDS))
        case _:
            return KINDS[kind](**sample.fields(Point(0, 0)))
