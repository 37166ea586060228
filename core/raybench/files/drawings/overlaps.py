"""Outlines of a drawing that lie in others, as holes do."""

from __future__ import annotations

from collections.abc import Sequence

from raybench.files.drawings.contour import (
    Circle,
    Outline,
    box_of_outline,
    circle_segments,
    flattened,
)
from raybench.shapes.point import Point

MOST = 500
"""Number of outlines up to which they are compared."""
COARSE = 1e-3
"""Largest distance of an outline's polygon from it, as a fraction of its size."""


def outlines_in_others(outlines: Sequence[Outline]) -> int:
    """The number of closed outlines that begin in another one; 0 where there are too many to
    compare.
    """
    from shapely import Point as Place
    from shapely import Polygon, STRtree

    rings = [_ring(o) for o in outlines[: MOST + 1] if isinstance(o, Circle) or o.closed]
    rings = [r for r in rings if len(r) > 3]
    if not 1 < len(rings) <= MOST:
        return 0
    inner, _ = STRtree([Polygon(r) for r in rings]).query(
        [Place(r[0]) for r in rings], predicate="within"
    )
    return len(set(inner.tolist()))


def _ring(outline: Outline) -> list[Point]:
    left, top, right, bottom = box_of_outline(outline)
    segments = circle_segments(outline) if isinstance(outline, Circle) else outline.segments
    tolerance = COARSE * max(right - left, bottom - top)
    return (
        [segments[0].a, *(p for s in segments for p in flattened(s, tolerance))]
        if tolerance > 0
        else []
    )
