"""Directions to which turned objects snap: parallel or perpendicular to others, horizontal or
vertical.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from raybench.kinds.kinds import row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.shapes.shape import FullLine, Line, Shape

MOST = 500
"""Maximum number of directions that are compared."""


@dataclass(frozen=True)
class Direction:
    """A direction in degrees counter-clockwise as seen, from 0 to 180, and whose it is; None for
    the horizontal.
    """

    angle: float
    of: SceneObject | None = None


@dataclass(frozen=True)
class Turned:
    """The snapped turn in degrees, and what it makes parallel or perpendicular, in words."""

    angle: float
    words: str


def directions_of(objects: Iterable[SceneObject]) -> list[Direction]:
    """The directions of the straight edges and the optical axes of objects."""
    found: dict[tuple[float, int], Direction] = {}
    for obj in objects:
        axis = row_of(obj).axis(obj)
        for x, y in [
            *map(_vector, (e.shape for e in edges_of(obj))),
            *([axis.direction] if axis is not None else []),
        ]:
            if math.isfinite(x) and math.isfinite(y) and (x or y):
                angle = math.degrees(math.atan2(-y, x)) % 180.0
                found.setdefault((round(angle, 6), obj.key), Direction(angle, obj))
        if len(found) >= MOST:
            break
    return list(found.values())


def _vector(shape: Shape) -> tuple[float, float]:
    """The direction of a straight line; (0, 0) for others."""
    if isinstance(shape, FullLine):
        return shape.unit
    return (shape.b.x - shape.a.x, shape.b.y - shape.a.y) if isinstance(shape, Line) else (0.0, 0.0)


def met_turn(
    angle: float, own: Sequence[Direction], others: Sequence[Direction], reach: float
) -> Turned | None:
    """The turn nearest to ``angle``, at most ``reach`` degrees from it, that makes one of the
    ``own`` directions parallel or perpendicular to one of the ``others``, or horizontal or
    vertical; None if there is none.
    """
    best: tuple[float, int, Turned] | None = None
    for mine in own:
        now = mine.angle + angle
        for rank, other in enumerate((Direction(0.0), *others)):
            for square in (0.0, 90.0):
                off = (other.angle + square - now + 90.0) % 180.0 - 90.0
                if abs(off) <= reach and (best is None or (round(abs(off), 6), rank) < best[:2]):
                    best = round(abs(off), 6), rank, Turned(angle + off, _words(other.of, square))
    return best[2] if best is not None else None


def _words(obj: SceneObject | None, square: float) -> str:
    if obj is None:
        return "vertical" if square else "horizontal"
    return f"{'perpendicular' if square else 'parallel'} to {obj.title}"
