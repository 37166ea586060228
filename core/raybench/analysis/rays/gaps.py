"""The gaps through which light escapes: between which two objects each escaping ray leaves the
scene.

Turned about its start to either side, an escaping ray first meets one object on the left and one on
the right. These two bound the opening through which it leaves; the distance of the points that it
would first meet is the width of the gap.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.edge_curve import places
from raybench.analysis.geometry.straight import Floats, Mask, Rows, lengths, unit_vectors
from raybench.analysis.rays.incidence import last_pieces
from raybench.analysis.scene.traced_outline import edges_as_traced
from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Source
from raybench.scene.scene import Scene
from raybench.shapes.shape import FullLine, Line
from raybench.trace.results.result import TraceResult

SAMPLES = 65
"""Points on a curved edge; the direction of its outermost one is right to 1e-3 of the angle under
which it is seen.
"""
PAIRS = 50_000_000
"""Maximum pairs of rays and points, which limits the time to about a second. The strongest rays are
examined first.
"""
SAME_WAY = 1e-9
"""Difference of the turns, in about radians, to two points that are in one direction."""
AT_ONCE = 30_000
"""Pairs of a batch, which fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class Gaps:
    """The escaping rays ``rows`` (k,), strongest first, each with the objects on either side of the
    gap it leaves through.

    ``pair`` (k, 2): their indices among the optical objects, the lower first, -1 where there is
    none. ``width`` (k,): the distance of the points that bound the gap, infinite where there is
    none on one side. ``others``: the power of escaping rays that were not examined, because there
    are too many.
    """

    rows: Rows
    pair: Rows
    width: Floats
    others: float

    def between(self, first: int, second: int) -> Mask:
        """Mask (k,) of the rays that leave between two objects."""
        mask: Mask = (self.pair == sorted((first, second))).all(axis=1)
        return mask


def gaps(result: TraceResult, scene: Scene, disabled: Collection[int] = ()) -> Gaps:
    """The gaps through which the light of a trace escapes. Detectors, which light passes, bound no
    gap, nor do disabled objects.
    """
    escaped = np.flatnonzero(result.escaped)
    escaped = escaped[np.argsort(-result.total_power[escaped], kind="stable")]
    points, owner = _outlines(scene, disabled)
    most = PAIRS // max(1, len(points))
    rows = escaped[:most]
    others = float(result.total_power[escaped[most:]].sum())
    pair, width = np.full((len(rows), 2), -1, np.int64), np.full(len(rows), np.inf)
    if len(points):
        step = max(1, AT_ONCE // len(points))
        for first in range(0, len(rows), step):
            part = slice(first, first + step)
            pair[part], width[part] = _bounds(*last_pieces(result, rows[part]), points, owner)
    return Gaps(rows, pair, width, others)


def _bounds(p1: Floats, p2: Floats, points: Floats, owner: Rows) -> tuple[Rows, Floats]:
    """The objects on either side of rays (k, 2) and the distance of the two bounding points (k,)."""
    d, _ = unit_vectors(p2 - p1)
    dx, dy = d[:, :1], d[:, 1:]
    off_x, off_y = points[:, 0] - p1[:, :1], points[:, 1] - p1[:, 1:]
    along, across = off_x * dx + off_y * dy, dx * off_y - dy * off_x
    size = np.abs(along) + np.abs(across)
    near = size <= 1e-9 * np.abs(points).max()  # the point where the ray starts is on neither side
    size[near] = 1.0
    # grows with the angle from the ray, as the angle does, from 0 to 4, and is much quicker
    turn = 2.0 - np.copysign(1.0 + along / size, across + 0.0)
    turn[near] = np.inf
    left = _nearest(turn <= turn.min(axis=1, keepdims=True) + SAME_WAY, size)
    turn[near] = -np.inf
    right = _nearest(turn >= turn.max(axis=1, keepdims=True) - SAME_WAY, size)
    row = np.arange(len(p1))
    angle_left, angle_right = (
        np.where(near[row, k], np.nan, np.mod(np.arctan2(across[row, k], along[row, k]), 2 * np.pi))
        for k in (left, right)
    )
    pair = np.sort(np.stack([owner[left], owner[right]], axis=1), axis=1)
    opening = 2 * np.pi - angle_right + angle_left
    # half a turn or more is no gap: nothing is beside the ray
    width = np.where(opening < np.pi - 1e-9, lengths(points[left] - points[right]), np.inf)
    return pair, width


def _nearest(among: Mask, size: Floats) -> Rows:
    """The index of the nearest of the points of each row that are in one direction: it hides the
    others.
    """
    nearest: Rows = np.where(among, size, np.inf).argmin(axis=1)
    return nearest


def _outlines(scene: Scene, disabled: Collection[int]) -> tuple[Floats, Rows]:
    """Points (n, 2) on the outlines of all objects that can stop or turn light, and the index of
    the object of each (n,).
    """
    points, owner = [np.empty((0, 2))], [np.empty(0, np.int64)]
    for i, obj in enumerate(scene.optical):
        if isinstance(obj, Source | Detector) or obj.key in disabled:
            continue
        for edge in edges_as_traced(obj, scene):
            if isinstance(edge.shape, FullLine):
                continue
            us = np.linspace(0, 1, 2 if isinstance(edge.shape, Line) else SAMPLES)
            points.append(places(edge.shape, us))
            owner.append(np.full(len(us), i))
    return np.concatenate(points), np.concatenate(owner)
