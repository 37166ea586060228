"""Snapping: of a point to the nearest target, and of a rotation to the nearest direction."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.phrase import Phrase
from raybench.scene.scene import Scene
from raybench.scene.snapping.targets import (
    GRID,
    HIT,
    SNAPS,
    FoundTarget,
    NearbyTargets,
    NearPoint,
    SnapKind,
    TargetIndex,
)
from raybench.shapes.point import Point
from raybench.shapes.shape import FullLine, Line, Shape

if TYPE_CHECKING:
    from raybench.trace.results.result import TraceResult

MAX_DIRECTIONS = 500
"""Maximum number of directions that are compared."""
MOST_CURVES, MOST_AXES, MOST_RAYS = 8, 4, 8
"""Maximum numbers of curves, axes and rays near a point that are examined."""
LARGE_TRACE = 400_000
"""Segments of a trace above which rays are not searched."""
SAME_DISTANCE = 0.35
"""Difference of distances, relative to the reach, below which two places are at about the same
distance: a hand cannot tell them apart.
"""
ROUNDED_DECIMALS = 11
"""Decimals of the reach to which places that are not exact are rounded."""


@dataclass(frozen=True)
class Direction:
    """A direction in degrees from 0 to 180, counter-clockwise on screen, and its object; None for
    the horizontal direction.
    """

    angle: float
    of: SceneObject | None = None


@dataclass(frozen=True)
class SnappedAngle:
    """The angle of a snapped rotation in degrees, and a text about the directions that become
    parallel or perpendicular.
    """

    angle: float
    words: str


def edge_and_axis_directions(objects: Iterable[SceneObject]) -> list[Direction]:
    """The directions of the straight edges and the optical axes of objects."""
    found: dict[tuple[float, int], Direction] = {}
    for obj in objects:
        axis = kind_row_of(obj).axis(obj)
        for x, y in [
            *map(_direction_vector, (e.shape for e in object_edges(obj))),
            *([axis.direction] if axis is not None else []),
        ]:
            if math.isfinite(x) and math.isfinite(y) and (x or y):
                angle = math.degrees(math.atan2(-y, x)) % 180.0
                found.setdefault((round(angle, 6), obj.key), Direction(angle, obj))
        if len(found) >= MAX_DIRECTIONS:
            break
    return list(found.values())


def _direction_vector(shape: Shape) -> tuple[float, float]:
    """The direction of a straight line; (0, 0) for any other shape."""
    if isinstance(shape, FullLine):
        return shape.unit_direction
    return (shape.b.x - shape.a.x, shape.b.y - shape.a.y) if isinstance(shape, Line) else (0.0, 0.0)


def snap_rotation(
    angle: float, own: Sequence[Direction], others: Sequence[Direction], reach: float
) -> SnappedAngle | None:
    """The rotation nearest to ``angle`` that makes one of the ``own`` directions parallel or
    perpendicular to one of the ``others``, or horizontal or vertical. None if it differs from
    ``angle`` by more than ``reach`` degrees.
    """
    found = list[tuple[float, int, SnappedAngle]]()
    for mine in own:
        now = mine.angle + angle
        for rank, other in enumerate((Direction(0.0), *others)):
            for square in (0.0, 90.0):
                off = (other.angle + square - now + 90.0) % 180.0 - 90.0
                if abs(off) <= reach:
                    words = Phrase("vertical") if square else Phrase("horizontal")
                    if other.of is not None:
                        name = other.of.title
                        words = (
                            Phrase("perpendicular to {name}", name=name)
                            if square
                            else Phrase("parallel to {name}", name=name)
                        )
                    found.append((round(abs(off), 6), rank, SnappedAngle(angle + off, words)))
    return min(found, key=lambda f: f[:2])[2] if found else None


@dataclass(frozen=True)
class Snap:
    """The target to which a point snaps, and the kind of this target."""

    met: FoundTarget
    kind: SnapKind

    @property
    def at(self) -> Point:
        return self.met.at


def snap_targets_near(
    index: TargetIndex,
    scene: Scene,
    result: TraceResult | None,
    at: Point,
    reach: float,
    *,
    begun: Point | None = None,
    without: Collection[int] = (),
) -> NearbyTargets:
    """The snap targets within ``reach`` (scene units) of the point ``at``. Objects with keys in
    ``without`` are left out.

    ``result`` is a trace of the scene, or None. For ``begun`` see `NearbyTargets`.
    """
    rays, hits = _rays_and_hits_near(scene, result, at, reach, without)
    return NearbyTargets(
        at,
        reach,
        scene.settings.grid_size,
        [*index.points_near(at, reach, without), *hits],
        index.curves_near(at, reach, without, MOST_CURVES),
        index.axes_near(at, reach, without, MOST_AXES),
        rays,
        begun,
    )


def nearest_snap(near: NearbyTargets, kinds: Collection[str]) -> Snap | None:
    """The target to which the point snaps. Only kinds of targets in ``kinds`` count. None if
    nothing is within reach; grid points are always within reach.
    """
    found: list[tuple[int, float, int, Snap]] = []
    digits = ROUNDED_DECIMALS - math.floor(math.log10(near.reach))
    for i, kind in enumerate(SNAPS.values()):
        for place in kind.snap_places_near(near) if kind.id in kinds else ():
            distance = math.dist(place.at, near.at) / near.reach
            if distance <= kind.reach or kind.id == GRID:
                if not kind.exact:
                    place = replace(place, at=Point(*(round(c, digits) for c in place.at)))
                found.append((kind.rank, distance, i, Snap(place, kind)))
    if not found:
        return None
    rank, nearest = min(found, key=lambda f: f[:2])[:2]
    nearest_places = (f for f in found if f[0] == rank and f[1] <= nearest + SAME_DISTANCE)
    return min(nearest_places, key=lambda f: (f[2], f[1]))[3]


def _rays_and_hits_near(
    scene: Scene, result: TraceResult | None, at: Point, reach: float, without: Collection[int]
) -> tuple[list[Line], list[NearPoint]]:
    """The rays near the point ``at``, and the points near it at which rays end on objects."""
    if result is None or not 0 < len(result) <= LARGE_TRACE:
        return [], []
    start, end = result.p1, result.p2
    low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
    close = np.flatnonzero(((low <= at) & (at <= high)).all(axis=1))
    rows = list(zip(start[close].tolist(), end[close].tolist(), strict=True))
    lines = [Line(Point(*a), Point(*b)) for a, b in rows]
    ranked = sorted((math.dist(line.nearest(at), at), i) for i, line in enumerate(lines))
    optical, hits = (result.scene or scene).optical, list[NearPoint]()
    for on, line in zip(result.hit[close].tolist(), lines, strict=True):
        if 0 <= on < len(optical) and math.dist(line.b, at) <= reach:
            key = optical[on].key
            hits += [(line.b, HIT, key, "")] if key not in without else []
    return [lines[i] for distance, i in ranked[:MOST_RAYS] if distance <= reach], hits
