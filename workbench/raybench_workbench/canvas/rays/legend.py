"""The legend of the colours of rays, in the lower left corner of the canvas, or in the emptiest
corner of a figure.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter

from raybench.raster.coloring import Legend
from raybench_workbench.canvas.rays.light_colors import readable
from raybench_workbench.theme import GRID, HALF, SMALL_SIZE, Theme, text_font

BAR = 168
"""Length of a scale's bar, in pixels."""
MOST_ROWS = 10
"""Categories that are listed."""
MARGIN = 2 * GRID
LINE = GRID + SMALL_SIZE // 2 + 2
"""Height of a row."""


def legend_corners(legend: Legend, size: tuple[int, int]) -> tuple[QRectF, ...]:
    """The boxes of a legend in the corners of a canvas: the lower left one, the other lower one,
    the upper ones.
    """
    metrics = QFontMetrics(text_font(SMALL_SIZE))
    if legend.scale:
        width, height = float(BAR), LINE + HALF + GRID + HALF + metrics.height()
    else:
        rows = _rows(legend)
        width = max(metrics.horizontalAdvance(text) + 3 * GRID for text in [*rows, legend.title])
        height = (len(rows) + 1) * LINE
    width, height = width + 2 * GRID, height + 2 * GRID
    right, bottom = size[0] - MARGIN - width, size[1] - MARGIN - height
    return tuple(QRectF(x, y, width, height) for y in (bottom, MARGIN) for x in (MARGIN, right))


def paint_legend(painter: QPainter, legend: Legend, box: QRectF, theme: Theme) -> None:
    """Paint a legend into one of its boxes."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setFont(text_font(SMALL_SIZE))
    metrics = painter.fontMetrics()
    colors = [QColor.fromRgbF(*rgb) for rgb in readable(legend.colors, theme).tolist()]
    painter.setPen(theme.color("separator"))
    painter.setBrush(theme.color("canvas", 0.86))
    painter.drawRoundedRect(box, 4, 4)
    inner = box.adjusted(GRID, GRID, -GRID, -GRID)
    painter.setPen(theme.color("dim"))
    painter.drawText(QPointF(inner.left(), inner.top() + metrics.ascent()), legend.title)
    if legend.scale:
        _paint_bar(painter, legend, colors, inner, theme)
    else:
        for i, text in enumerate(_rows(legend)):
            y = inner.top() + (i + 1) * LINE
            if i < len(colors) and i < MOST_ROWS:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors[i])
                painter.drawRect(QRectF(inner.left(), y + LINE / 2 - 2, 2 * GRID, 3))
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(inner.left() + 3 * GRID, y + metrics.ascent()), text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _rows(legend: Legend) -> list[str]:
    texts = [text for _, text in legend.labels]
    return (
        texts
        if len(texts) <= MOST_ROWS
        else [*texts[:MOST_ROWS], f"and {len(texts) - MOST_ROWS} more"]
    )


def _paint_bar(
    painter: QPainter, legend: Legend, colors: list[QColor], inner: QRectF, theme: Theme
) -> None:
    metrics = painter.fontMetrics()
    bar = QRectF(inner.left(), inner.top() + LINE + HALF, inner.width(), GRID)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for i, color in enumerate(colors):
        gradient.setColorAt(i / max(1, len(colors) - 1), color)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(gradient)
    painter.drawRect(bar)
    painter.setPen(theme.color("text"))
    for place, text in legend.labels:
        wide = metrics.horizontalAdvance(text)
        x = bar.left() + place * (bar.width() - wide)
        painter.drawText(QPointF(round(x), bar.bottom() + HALF + metrics.ascent()), text)
