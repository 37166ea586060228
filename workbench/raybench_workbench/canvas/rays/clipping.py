"""Clipping of lines to the canvas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raybench_workbench.canvas.camera import Camera

Lines = NDArray[np.float64]
"""(n, 4): x1, y1, x2, y2."""


def on_screen(
    lines: Lines, camera: Camera, size: tuple[float, float]
) -> tuple[Lines, NDArray[np.int64]]:
    """Lines clipped to the canvas by the Liang-Barsky algorithm, in pixels, and the indices of the
    visible lines.
    """
    p = (lines - np.array([camera.x, camera.y, camera.x, camera.y])) * camera.scale
    d = p[:, 2:] - p[:, :2]
    low, high = np.full(2, -4.0), np.asarray(size) + 4.0
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (low - p[:, :2]) / d, (high - p[:, :2]) / d
    parallel = d == 0
    within = (p[:, :2] >= low) & (p[:, :2] <= high)
    enter = np.where(parallel, np.where(within, -np.inf, np.inf), np.minimum(at_low, at_high))
    leave = np.where(parallel, np.where(within, np.inf, -np.inf), np.maximum(at_low, at_high))
    u = np.maximum(0.0, np.maximum(enter[:, 0], enter[:, 1]))
    v = np.minimum(1.0, np.minimum(leave[:, 0], leave[:, 1]))
    kept = np.flatnonzero(u <= v)
    start, delta = p[kept, :2], d[kept]
    return (
        np.concatenate([start + delta * u[kept, None], start + delta * v[kept, None]], axis=1),
        kept,
    )
