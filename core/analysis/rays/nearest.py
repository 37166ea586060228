"""The ray nearest to a point, for picking rays by the pointer."""

from __future__ import annotations

import numpy as np

from core.analysis.geometry.straight import Rows
from core.trace.results.result import TraceResult

AT_ONCE = 1 << 13
"""Pieces per batch: few enough for the processor's cache."""
EQUAL = 0.1
"""Difference in distance that decides nothing, as a fraction of the largest distance."""


def nearest_row(result: TraceResult, at: tuple[float, float], within: float, among: Rows | None = None) -> int | None:
    """The row that passes nearest to a point, or None if none comes within a distance, in scene units.

    Of rays at about the same distance (`EQUAL`), such as a ray and its reflection back along itself, the strongest is chosen.
    ``among``: the rows to choose from, ascending; None for all.
    """
    p1, p2, row_of_piece = result.straight_pieces
    rows, distances = [], []
    for k in range(0, len(p1), AT_ONCE):
        x, y = p1[k : k + AT_ONCE, 0], p1[k : k + AT_ONCE, 1]
        dx, dy = p2[k : k + AT_ONCE, 0] - x, p2[k : k + AT_ONCE, 1] - y
        cross = (x - at[0]) * dy - (y - at[1]) * dx  # the distance of the whole straight line times the piece's length
        near = np.flatnonzero(cross * cross <= within * within * (dx * dx + dy * dy))
        if not len(near):
            continue
        start, d = p1[k + near] - at, np.stack([dx[near], dy[near]], axis=1)
        square = (d * d).sum(axis=1)
        along = np.clip(-(start * d).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        distance = np.hypot(*(start + along[:, None] * d).T)
        close = distance <= within
        rows.append(row_of_piece[k + near[close]])
        distances.append(distance[close])
    if not rows:
        return None
    found, distance = np.concatenate(rows), np.concatenate(distances)
    if among is not None:
        allowed = np.isin(found, among)
        found, distance = found[allowed], distance[allowed]
    if not len(found):
        return None
    equal = found[distance <= distance.min() + EQUAL * within]
    return int(equal[np.argmax(result.power[equal].sum(axis=1))])
