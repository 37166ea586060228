"""Creating objects: the kinds that a user can add, and new objects from a mouse drag or clicked points."""

from __future__ import annotations

from collections.abc import Sequence

from core.kinds.kinds import KINDS, ROWS
from core.kinds.object import SceneObject
from core.kinds.rows.row import FAMILIES as NAMES
from core.kinds.rows.sample import Sample
from core.shapes.point import Point

FAMILIES: dict[str, tuple[str, ...]] = {name: tuple(r.kind.__name__ for r in ROWS if r.family == name) for name in NAMES}
"""Names of the kinds that a user can add, by menu. Module instances, handles and drawings are not among them."""
_SAMPLES: dict[str, Sample] = {row.kind.__name__: row.sample for row in ROWS if row.sample is not None}


def is_path(kind: str) -> bool:
    """Whether objects of a kind are created by clicking a sequence of points."""
    return _SAMPLES[kind].by == "points"


def is_click(kind: str) -> bool:
    """Whether objects of a kind are created by a single click."""
    return _SAMPLES[kind].by == "click"


def least_points(kind: str) -> int:
    """The minimum number of points of a path or curve."""
    return _SAMPLES[kind].least


def from_drag(kind: str, start: Point, end: Point) -> SceneObject:
    """A new object from the points where a mouse drag started and ended, which give its position, size and direction."""
    made = _SAMPLES[kind].fields
    return KINDS[kind](**(made(end) if is_click(kind) else made(start, end)))


def example_of(kind: str) -> SceneObject | None:
    """A small object of a kind as a mouse would make it; None for kinds that a mouse does not."""
    if kind not in _SAMPLES:
        return None
    return from_points(kind, (Point(0, 0), Point(40, 0), Point(20, 30))) if is_path(kind) else from_drag(kind, Point(0, -20), Point(0, 20))


def from_points(kind: str, points: Sequence[Point]) -> SceneObject:
    """A new object whose outline or curve goes through the given points."""
    return KINDS[kind](**_SAMPLES[kind].fields(points))
