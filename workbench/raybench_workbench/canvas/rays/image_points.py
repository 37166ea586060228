"""Where image points are painted: those that would run together are painted over each other, so
that each mark is visible as a point.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from raybench_workbench.canvas.camera import Camera

Points = NDArray[np.float64]
"""(n, 2)"""
Indices = NDArray[np.int64]
REACH = 2
"""Cells whose diagonal is the distance to keep: points closer than this are at most so many cells
apart in each direction.
"""
AROUND = tuple(product(range(-REACH, REACH + 1), repeat=2))


def gathered(points: Points, distance: float) -> Indices:
    """For each point the index (n,) of the one where it is painted, less than twice ``distance``
    away; those are ``distance`` apart.

    The first point of a cell represents all in it. Cells `REACH` + 1 apart are decided at a time,
    since they do not influence each other.
    """
    if not len(points):
        return np.zeros(0, np.int64)
    cells = np.floor(points * (math.sqrt(2) / distance)).astype(np.int64)
    turn = cells % (REACH + 1)
    cells += REACH - cells.min(axis=0)
    columns, rows = (cells.max(axis=0) + REACH + 1).tolist()
    _, first, cell_of = np.unique(
        cells[:, 0] * rows + cells[:, 1], return_index=True, return_inverse=True
    )
    mark = np.full((columns, rows), -1)

    def nearest(some: Indices) -> tuple[Indices, NDArray[np.float64]]:
        """The nearest marks (k,) around some points, and how far they are."""
        best, least = np.full(len(some), -1), np.full(len(some), np.inf)
        for dx, dy in AROUND:
            there = mark[cells[some, 0] + dx, cells[some, 1] + dy]
            apart = points[there] - points[some]
            far = np.where(there >= 0, np.hypot(apart[:, 0], apart[:, 1]), np.inf)
            best, least = np.where(far < least, there, best), np.minimum(far, least)
        return best, least

    for turns in product(range(REACH + 1), repeat=2):
        some = first[(turn[first] == turns).all(axis=1)]
        free = some[nearest(some)[1] >= distance]
        mark[cells[free, 0], cells[free, 1]] = free
    return nearest(first)[0][cell_of]


def painted_points(
    points: Points, group: Indices, camera: Camera, size: tuple[int, int], distance: float
) -> tuple[Indices, Points]:
    """Sorted indices (k,) of the points on a canvas, and where they are painted (k, 2): marks of
    one ``group`` (n,) are ``distance`` pixels apart. They stay where they are when the canvas is
    moved.
    """
    on = camera.pixels(points)
    seen = np.flatnonzero(((on >= -distance) & (on <= np.asarray(size) + distance)).all(axis=1))
    at = points[seen]
    for g in np.unique(group[seen]):
        some = np.flatnonzero(group[seen] == g)
        at[some] = points[seen[some[gathered(points[seen[some]] * camera.scale, distance)]]]
    return seen, at
