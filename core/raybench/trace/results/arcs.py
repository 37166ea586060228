"""The arcs of curved rays whose chords are the straight pieces of a polyline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def bending(
    p1: NDArray[np.float64], p2: NDArray[np.float64], line: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The square of curvature times length of each chord, (k,), 0 for a polyline of one chord.

    ``p1`` and ``p2`` (k, 2) are the ends of chords, ``line`` (k,) is the index of the polyline to
    which each belongs, ascending. The curvature is that of the circles through neighbouring points.
    To fourth order an arc is longer than its chord by the part `bending` / 24.
    """
    d = p2 - p1
    length = np.hypot(*d.T)
    squared = np.zeros(
        len(d) + 1
    )  # of the curvature at the start of each chord, and at the end of the last one
    joined = np.flatnonzero((line[1:] == line[:-1]) & (length[1:] > 0) & (length[:-1] > 0))
    a, b = d[joined], d[joined + 1]
    across = length[joined] * length[joined + 1] * np.hypot(*(a + b).T)
    twice = 2 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    squared[joined + 1] = np.divide(twice, across, out=np.zeros(len(joined)), where=across > 0) ** 2
    known = np.zeros(len(d) + 1, bool)
    known[joined + 1] = True
    mean: NDArray[np.float64] = (squared[:-1] + squared[1:]) / np.maximum(
        known[:-1].astype(int) + known[1:], 1
    )
    bent: NDArray[np.float64] = np.minimum(
        mean * length**2, 4.0
    )  # no chord is longer than the diameter
    return bent
