"""Lengths on the canvas in the document's unit: a bar in the corner, and coordinates along the
borders where the grid is shown.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from raybench.scene.document import Document
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.theme import GRID, HALF, SMALL_SIZE, text_font

LONGEST = 120
"""Longest scale bar, in pixels."""
APART = 72
"""Least distance between coordinates along a border, in pixels."""
BAND = SMALL_SIZE + GRID
"""Height of the band of coordinates at the top, in pixels."""


def round_length(longest: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten that is not larger than a length above 0."""
    power = 10.0 ** math.floor(math.log10(longest))
    return next(k * power for k in (5.0, 2.0, 1.0) if k * power <= longest * (1 + 1e-9))


def paint_scale_bar(painter: QPainter, document: Document, viewport: Viewport) -> QRectF:
    """Paint a bar of a round length and its length into the lower right corner. Returns its box."""
    camera, size, theme = viewport.camera, viewport.size, viewport.theme
    length = round_length(LONGEST / camera.scale)
    wide = length * camera.scale
    right, y = size[0] - 2 * GRID, size[1] - 2 * GRID
    painter.setFont(text_font(SMALL_SIZE - 1))
    text = f"{length:g} {document.unit}"
    width = painter.fontMetrics().horizontalAdvance(text)
    box = QRectF(right - max(wide, (wide + width) / 2), y - 2.5 * GRID, max(wide, width), 3 * GRID)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("canvas", 0.82))
    painter.drawRoundedRect(box.adjusted(-HALF, 0, HALF, 0), 3, 3)  # legible over light
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("dim"), 1))
    painter.drawLine(QPointF(right - wide, y), QPointF(right, y))
    for x in (right - wide, right):
        painter.drawLine(QPointF(x, y - 4), QPointF(x, y))
    painter.drawText(QPointF(right - (wide + width) / 2, y - 6), text)
    return box


def paint_coordinates(painter: QPainter, document: Document, viewport: Viewport) -> None:
    """Paint coordinates along the top and the left border of a canvas whose grid is shown: x to the
    right, y down.
    """
    camera, size, theme = viewport.camera, viewport.size, viewport.theme
    step = round_length(2.5 * APART / camera.scale)  # the next round length above APART
    left, top, width, height = camera.rectangle(size)
    painter.setFont(text_font(SMALL_SIZE - 1))
    metrics = painter.fontMetrics()
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    painter.fillRect(QRectF(0, 0, size[0], BAND), theme.color("canvas", 0.8))
    painter.setPen(theme.color("dim"))
    painter.drawText(QPointF(6, BAND - 6), document.unit)
    free = 6 + metrics.horizontalAdvance(document.unit) + HALF
    for i in range(math.ceil(left / step), math.floor((left + width) / step) + 1):
        x = (i * step - camera.x) * camera.scale
        text = f"{i * step:.{decimals}f}"
        painter.drawLine(QPointF(x, BAND - 4), QPointF(x, BAND))
        if (start := round(x - metrics.horizontalAdvance(text) / 2)) >= free:
            painter.drawText(QPointF(start, BAND - 6), text)
    for i in range(math.ceil(top / step), math.floor((top + height) / step) + 1):
        y = (i * step - camera.y) * camera.scale
        if y > 2 * BAND:
            text = f"{i * step:.{decimals}f}"
            painter.fillRect(
                QRectF(0, y - BAND / 2, metrics.horizontalAdvance(text) + GRID, BAND),
                theme.color("canvas", 0.8),
            )
            painter.drawText(QPointF(6, round(y + metrics.ascent() / 2 - 1)), text)
