"""Points of the plane: x to the right, y down, in scene units."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """A point, in scene units."""

    x: float
    y: float


class Vertex(NamedTuple):
    """A corner of an outline; with ``arc`` it is the middle control point of a circular arc between its neighbours."""

    x: float
    y: float
    arc: bool = False

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)
