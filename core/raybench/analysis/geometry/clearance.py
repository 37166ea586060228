"""The clearance of two outlines: the least distance between points of one and points of the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

from raybench.shapes.curves import Box, as_bezier, box_of, place
from raybench.shapes.point import Point
from raybench.shapes.shape import FullLine, Line, Parabola, Shape

SAMPLES = 32
"""Intervals of a curve in which the least distance is looked for."""
STEPS = 64
"""Steps of the golden section: they shorten an interval by 4e-14."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def clearance(one: Sequence[Shape], other: Sequence[Shape]) -> float:
    """The least distance between two outlines of at least one shape each; 0 where they touch or
    cross. Distances below 1e-9 of their size count as 0.
    """
    ours, theirs = (
        [as_bezier(s) if isinstance(s, Parabola) else s for s in shapes] for shapes in (one, other)
    )
    pairs = [
        (_box_distance(box_of(a), box_of(b)), i, j)
        for i, a in enumerate(ours)
        for j, b in enumerate(theirs)
    ]
    best, size = math.inf, 0.0
    for least, i, j in sorted(pairs):
        if least >= best:
            break
        a, b = ours[i], theirs[j]
        size = max(size, *(abs(c) for p in (a.midpoint, b.midpoint) for c in p))
        best = min(best, _between(a, b))
    return 0.0 if best <= 1e-9 * size else best


def _box_distance(one: Box, other: Box) -> float:
    dx = max(one[0] - other[2], other[0] - one[2], 0.0)
    dy = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(dx, dy)


def _between(a: Shape, b: Shape) -> float:
    if isinstance(a, FullLine):
        a, b = b, a
    if isinstance(a, Line | FullLine) and isinstance(b, Line | FullLine):
        return _between_lines(a, b)

    def off(u: float) -> float:
        p = place(a, u)
        return math.dist(p, b.nearest(p))

    values = [off(i / SAMPLES) for i in range(SAMPLES + 1)]
    low = [i for i, v in enumerate(values) if v <= min(values[max(i - 1, 0) : i + 2])]
    return min(_least(off, max(i - 1, 0) / SAMPLES, min(i + 1, SAMPLES) / SAMPLES) for i in low)


def _between_lines(a: Line | FullLine, b: Line | FullLine) -> float:
    """Of straight lines: 0 where they cross, else the distance of one's end."""
    h = [_height(p, b) for p in (a.a, a.b)]
    k = [_height(p, a) for p in (b.a, b.b)]
    if h[0] * h[1] < 0 and k[0] * k[1] < 0:
        return 0.0
    ends = itertools.chain(((p, b) for p in (a.a, a.b)), ((p, a) for p in (b.a, b.b)))
    return min(math.dist(p, line.nearest(p)) for p, line in ends)


def _height(p: Point, line: Line | FullLine) -> float:
    return (line.b.x - line.a.x) * (p.y - line.a.y) - (line.b.y - line.a.y) * (p.x - line.a.x)


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a function with one minimum between two numbers, ends included, by the
    golden section.
    """
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [function(u) for u in inner]
    found = [function(low), function(high), *values]
    for _ in range(STEPS):
        if values[0] <= values[1]:
            high, inner, values = (
                inner[1],
                [inner[1] - _GOLDEN * (inner[1] - low), inner[0]],
                [math.nan, values[0]],
            )
            new = 0
        else:
            low, inner, values = (
                inner[0],
                [inner[1], inner[0] + _GOLDEN * (high - inner[0])],
                [values[1], math.nan],
            )
            new = 1
        values[new] = function(inner[new])
        found.append(values[new])
    return min(found)
