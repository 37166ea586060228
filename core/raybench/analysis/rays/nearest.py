"""The ray nearest to a point, for picking rays by the pointer."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.trace.results.result import TraceResult

AT_ONCE = 1 << 13
"""Pieces per batch: few enough for the processor's cache."""
FEW = 250_000
"""Number of pieces below which another thread does not pay."""
EQUAL = 0.1
"""Difference in distance that is ignored, as a fraction of the largest distance."""


def nearest_row(
    result: TraceResult, at: tuple[float, float], within: float, among: Rows | None = None
) -> int | None:
    """The row that passes nearest to a point, or None if none comes within a distance, in scene
    units.

    Of rays at about the same distance (`EQUAL`), such as a ray and its reflection back along
    itself, the strongest is chosen. ``among``: the rows to choose from, ascending; None for all.
    """
    p1, p2, row_of_piece = result.straight_pieces
    each = max(FEW, -(-len(p1) // (os.cpu_count() or 1)))
    chunks = [(first, min(first + each, len(p1))) for first in range(0, len(p1), each)]

    def near(ends: tuple[int, int]) -> tuple[Rows, Floats]:
        return _near(p1, p2, at, within, *ends)

    if len(chunks) > 1:
        with ThreadPoolExecutor(len(chunks)) as pool:
            parts = list(pool.map(near, chunks))
    else:
        parts = [near(ends) for ends in chunks]
    if not parts:
        return None
    found, distance = (
        row_of_piece[np.concatenate([pieces for pieces, _ in parts])],
        np.concatenate([d for _, d in parts]),
    )
    if among is not None:
        allowed = np.isin(found, among)
        found, distance = found[allowed], distance[allowed]
    if not len(found):
        return None
    equal = found[distance <= distance.min() + EQUAL * within]
    return int(equal[np.argmax(result.power[equal].sum(axis=1))])


def _near(
    p1: Floats, p2: Floats, at: tuple[float, float], within: float, first: int, end: int
) -> tuple[Rows, Floats]:
    """Which of the straight pieces from ``first`` to before ``end`` are near a point, and their
    distances.
    """
    pieces, distances = [np.zeros(0, np.int64)], [np.zeros(0)]
    for k in range(first, end, AT_ONCE):
        last = min(k + AT_ONCE, end)
        x, y = p1[k:last, 0], p1[k:last, 1]
        dx, dy = p2[k:last, 0] - x, p2[k:last, 1] - y
        cross = (x - at[0]) * dy - (
            y - at[1]
        ) * dx  # the distance of the whole straight line times the piece's length
        near = np.flatnonzero(cross * cross <= within * within * (dx * dx + dy * dy))
        if not len(near):
            continue
        start, d = p1[k + near] - at, np.stack([dx[near], dy[near]], axis=1)
        square = (d * d).sum(axis=1)
        along = np.clip(-(start * d).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        distance = np.hypot(*(start + along[:, None] * d).T)
        close = distance <= within
        pieces.append(k + near[close])
        distances.append(distance[close])
    return np.concatenate(pieces), np.concatenate(distances)
