"""New objects: which kinds a person can add, and what comes of a stroke of the mouse or of points that are clicked."""

from __future__ import annotations

from collections.abc import Sequence

from core.kinds.kinds import KINDS, ROWS
from core.kinds.object import SceneObject
from core.kinds.rows.row import FAMILIES as NAMES
from core.kinds.rows.sample import Sample
from core.shapes.point import Point

FAMILIES: dict[str, tuple[str, ...]] = {name: tuple(r.kind.__name__ for r in ROWS if r.family == name) for name in NAMES}
"""The kinds that can be added, by what they are for. Instances come from modules, handles and drawings from the web application."""
_SAMPLES: dict[str, Sample] = {row.kind.__name__: row.sample for row in ROWS if row.sample is not None}


def is_path(kind: str) -> bool:
    """Whether objects of a kind are made by clicking points one after the other."""
    return _SAMPLES[kind].by == "points"


def is_place(kind: str) -> bool:
    """Whether a single click says all about where a new object is."""
    return _SAMPLES[kind].by == "place"


def least_points(kind: str) -> int:
    """How many points a path or curve needs."""
    return _SAMPLES[kind].least


def from_stroke(kind: str, start: Point, end: Point) -> SceneObject:
    """A new object from where a stroke of the mouse began to where it ended, which is its size and direction."""
    made = _SAMPLES[kind].fields
    return KINDS[kind](**(made(end) if is_place(kind) else made(start, end)))


def from_points(kind: str, points: Sequence[Point]) -> SceneObject:
    """A new object with an outline or a curve through some points."""
    return KINDS[kind](**_SAMPLES[kind].fields(points))
