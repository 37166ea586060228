"""Alignment of moved objects with other objects: equal edges or centres of bounding boxes, or equal
distances.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.shapes.curves import Box
from raybench.shapes.point import Point

Floats = NDArray[np.float64]
MAX_NEIGHBOURS = 60
"""Number of nearest objects that are compared."""
EQUAL_SHIFT = 1e-6
"""Shifts that differ by less, relative to the reach, are the same."""


@dataclass(frozen=True)
class GuideLine:
    """A guide line to draw. It runs along equal edges or centres (``aligned``), or across one of
    two equal distances (``distance``).
    """

    a: Point
    b: Point
    what: Literal["aligned", "distance"]


@dataclass(frozen=True)
class Alignment:
    """The shift along one axis that aligns a box with other boxes, and the guide lines that show
    the alignment.
    """

    shift: float
    guides: tuple[GuideLine, ...]


def find_alignments(
    box: Box, others: Floats, reach: float
) -> tuple[Alignment | None, Alignment | None]:
    """The horizontal and the vertical alignment of a box with ``others``, if they need a shift of
    at most ``reach``.

    Args:
        box: The bounding box of the moved objects at the pointer's position.
        others: Bounding boxes of other objects, shape (n, 4).
        reach: The largest shift, in scene units.
    """
    near, (left, top, right, bottom) = others, box
    if len(others) > MAX_NEIGHBOURS:
        away_x = np.maximum(0, np.maximum(others[:, 0] - right, left - others[:, 2]))
        away_y = np.maximum(0, np.maximum(others[:, 1] - bottom, top - others[:, 3]))
        near = others[np.argpartition(away_x**2 + away_y**2, MAX_NEIGHBOURS)[:MAX_NEIGHBOURS]]
    down = _alignment_along_x((top, left, bottom, right), near[:, [1, 0, 3, 2]], reach)
    if down is not None:  # with x and y exchanged
        guides = (GuideLine(Point(*g.a[::-1]), Point(*g.b[::-1]), g.what) for g in down.guides)
        down = Alignment(down.shift, tuple(guides))
    return _alignment_along_x(box, near, reach), down


def _alignment_along_x(box: Box, others: Floats, reach: float) -> Alignment | None:
    """The alignment with the smallest shift along x. Equal edges and centres come before equal
    distances.
    """
    if not len(others):
        return None
    own = np.array([box[0], (box[0] + box[2]) / 2, box[2]])
    theirs = np.stack(
        [others[:, 0], (others[:, 0] + others[:, 2]) / 2, others[:, 2]]
    )  # edge, other
    shifts = theirs[None] - own[:, None, None]  # own edge, their edge, other
    best = float(shifts.flat[np.abs(shifts).argmin()])
    if abs(best) <= reach:
        lines: dict[float, tuple[float, float]] = {}
        for _, edge, other in np.argwhere(np.abs(shifts - best) <= EQUAL_SHIFT * reach).tolist():
            x = float(theirs[edge, other])
            low, high = lines.get(x, (box[1], box[3]))
            lines[x] = min(low, float(others[other, 1])), max(high, float(others[other, 3]))
        return Alignment(
            best,
            tuple(
                GuideLine(Point(x, low), Point(x, high), "aligned")
                for x, (low, high) in lines.items()
            ),
        )
    return _equal_distance_shift(box, others, reach)


def _equal_distance_shift(box: Box, others: Floats, reach: float) -> Alignment | None:
    """The shift along x that centres a box between its neighbours, or that repeats the distance
    between a neighbour and the next box.
    """
    row = others[(others[:, 1] <= box[3]) & (box[1] <= others[:, 3])]  # beside the box
    (low, _, high, _), y = box, (box[1] + box[3]) / 2
    # the inner and outer edges of the neighbours on the left and on the right, nearest first
    left = sorted(row[row[:, 2] <= low + reach, :3:2].tolist(), key=lambda edges: -edges[1])
    right = sorted(row[row[:, 0] >= high - reach, :3:2].tolist())
    # the shift and the ends of both distances
    found: list[tuple[float, ...]] = []
    if left and right and (gap := (right[0][0] - left[0][1] - (high - low)) / 2) > 0:
        a, d = left[0][1], right[0][0]
        found.append((a + gap - low, a, a + gap, d - gap, d))
    if len(left) > 1 and (gap := left[0][0] - left[1][1]) > 0:
        (b, c), a = left[0], left[1][1]
        found.append((c + gap - low, a, b, c, c + gap))
    if len(right) > 1 and (gap := right[1][0] - right[0][1]) > 0:
        (b, c), d = right[0], right[1][0]
        found.append((b - gap - high, b - gap, b, c, d))
    shift, *ends = min(found, key=lambda f: abs(f[0]), default=(math.inf,))
    if abs(shift) > reach:
        return None
    a, b, c, d = (Point(x, y) for x in ends)
    return Alignment(shift, (GuideLine(a, b, "distance"), GuideLine(c, d, "distance")))
