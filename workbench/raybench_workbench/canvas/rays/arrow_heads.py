"""Arrow heads on the strongest rays, which show the direction of light."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from raybench_workbench.canvas.rays.drawing import RayDrawing
from raybench_workbench.canvas.rays.light_colors import Colors
from raybench_workbench.canvas.rays.pixel_lines import clip_lines_to_canvas
from raybench_workbench.canvas.viewport import Viewport

MAX_ARROWS = 600
"""Largest number of lines that get an arrow."""
LINES_PER_ARROW = 8
"""How many times as many lines are looked at for them."""
ARROW_SIZE = 7.0
"""Length of an arrow head, in pixels."""
MIN_DISTANCE = 2 * ARROW_SIZE
"""Smallest distance of two arrow heads, in pixels: closer ones run together to bars across a beam.
"""
MIN_LINE_LENGTH = 36.0
"""Length in pixels that a line must have to get an arrow."""


@dataclass(frozen=True, eq=False)
class ArrowHeads:
    """Arrow heads: the corners (n, 3, 2) of their triangles, in pixels, and their colours (n,
    4).
    """

    corners: NDArray[np.float64]
    colors: Colors

    @property
    def centres(self) -> NDArray[np.float64]:
        """The centre of each arrow head, (n, 2)."""
        middle: NDArray[np.float64] = self.corners.mean(axis=1)
        return middle


def arrow_heads(drawing: RayDrawing, viewport: Viewport) -> ArrowHeads:
    """Arrow heads in the middle of the visible parts of the strongest lines: at most `MAX_ARROWS`
    heads, at least `MIN_DISTANCE` apart.
    """
    colors = drawing.line_colors()
    some = np.argsort(-colors[:, 3], kind="stable")[: LINES_PER_ARROW * MAX_ARROWS]
    lines, kept = clip_lines_to_canvas(drawing.lines[some], viewport.camera, viewport.size)
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    long = np.flatnonzero(length >= MIN_LINE_LENGTH)
    long = long[
        _spaced_point_indices((lines[long, :2] + lines[long, 2:]) / 2, MIN_DISTANCE)[:MAX_ARROWS]
    ]
    middle, along = (lines[long, :2] + lines[long, 2:]) / 2, along[long] / length[long, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    tip, back = middle + along * ARROW_SIZE / 2, middle - along * ARROW_SIZE / 2
    corners = np.stack(
        [tip, back + across * ARROW_SIZE * 0.36, back - across * ARROW_SIZE * 0.36], axis=1
    )
    return ArrowHeads(corners, colors[some[kept[long]]])


def _spaced_point_indices(points: NDArray[np.float64], distance: float) -> NDArray[np.int64]:
    """The indices of points (n, 2) that are at least ``distance`` apart from each other. Of two
    near points the earlier is kept.
    """
    kept = list[int]()
    cells = dict[tuple[int, int], list[tuple[float, float]]]()
    for i, (x, y) in enumerate(points.tolist()):
        column, row = int(x // distance), int(y // distance)
        near = (
            p for c in (-1, 0, 1) for r in (-1, 0, 1) for p in cells.get((column + c, row + r), ())
        )
        if all(math.dist((x, y), p) >= distance for p in near):
            cells.setdefault((column, row), []).append((x, y))
            kept.append(i)
    return np.array(kept, np.int64)


def paint_arrow_heads(painter: QPainter, heads: ArrowHeads) -> None:
    """Paint arrow heads, twice as opaque as their lines."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    for triangle, (red, green, blue, alpha) in zip(
        heads.corners.tolist(), heads.colors.tolist(), strict=True
    ):
        painter.setBrush(QColor.fromRgbF(red, green, blue, min(1.0, 2 * alpha)))
        painter.drawConvexPolygon(QPolygonF([QPointF(*corner) for corner in triangle]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
