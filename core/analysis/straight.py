"""Straight segments in arrays: cross products and distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def cross(u: Floats, v: Floats) -> Floats:
    result: Floats = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return result


def distance(points: Floats, a: Floats, b: Floats) -> Floats:
    """Distances of points (n, 2) from one segment."""
    e = b - a
    square = float(e @ e)
    u = np.clip((points - a) @ e / square, 0.0, 1.0) if square > 0 else np.zeros(len(points))
    off = points - (a + u[:, None] * e)
    distance: Floats = np.hypot(off[:, 0], off[:, 1])
    return distance


def distance_to_each(point: Floats, p1: Floats, p2: Floats) -> Floats:
    """Distances of one point from segments (n, 2)."""
    d = p2 - p1
    square = (d * d).sum(axis=1)
    u = np.clip(((point - p1) * d).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    off = point - (p1 + u[:, None] * d)
    distance: Floats = np.hypot(off[:, 0], off[:, 1])
    return distance
