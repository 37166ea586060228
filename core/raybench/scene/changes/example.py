"""A small object of a kind, as an example of how one is written."""

from __future__ import annotations

from raybench.kinds.kinds import KINDS, SAMPLES
from raybench.kinds.object import SceneObject
from raybench.shapes.point import Point

_PLACES = {
    "drag": (Point(0, -20), Point(0, 20)),
    "click": (Point(0, 0),),
    "points": ((Point(0, 0), Point(40, 0), Point(20, 30)),),
}
"""The points where the mouse is pressed and released, or clicks."""


def example_of(kind: str) -> SceneObject | None:
    """A small object of a kind as created by a mouse drag; None for kinds that cannot be created
    so.
    """
    sample = SAMPLES.get(kind)
    return None if sample is None else KINDS[kind](**sample.fields(*_PLACES[sample.by]))
