"""Paints what the pointer has snapped to: a guide line, a mark and a word."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from raybench.scene.snapping.alignment import Guide
from raybench.scene.snapping.snap import Snap
from raybench_workbench.canvas.camera import Camera
from raybench_workbench.canvas.strokes import paint_label, text_width
from raybench_workbench.theme import GRID, HALF, Theme

SIZE = 5.0
"""Half the size of a mark in pixels."""
BEYOND = 12.0
"""Distance in pixels by which a line along edges extends beyond them."""


def paint_guides(
    painter: QPainter, guides: Sequence[Guide], unit: str, camera: Camera, theme: Theme
) -> None:
    """Paint the alignment of moved objects: a line along aligned edges, and equal distances with
    their length.
    """
    painter.setPen(QPen(theme.color("accent", 0.8), 1))
    for guide in guides:
        a, b = camera.to_screen(guide.a), camera.to_screen(guide.b)
        along = b - a
        length = math.hypot(along.x(), along.y())
        if guide.what == "aligned" and length:
            more = along * (BEYOND / length)
            painter.drawLine(a - more, b + more)
        elif length:
            painter.drawLine(a, b)
            end = QPointF(-along.y(), along.x()) * (SIZE / length)
            for at in (a, b):
                painter.drawLine(at - end, at + end)
    for guide in guides:
        if guide.what == "distance":
            text = f"{math.dist(guide.a, guide.b):.4g} {unit}"
            middle = (camera.to_screen(guide.a) + camera.to_screen(guide.b)) / 2
            level = guide.a.y == guide.b.y
            at = (
                QPointF(middle.x() - text_width(text) / 2, middle.y() - GRID)
                if level
                else QPointF(middle.x() + GRID, middle.y() + HALF)
            )
            paint_label(painter, at, text, theme, "accent")


def paint_snap(painter: QPainter, snap: Snap, words: str, camera: Camera, theme: Theme) -> QRectF:
    """Paint the mark and the name of a snap, and the guide to it; returns the box of mark and name."""
    at = camera.to_screen(snap.at)
    if snap.met.guide is not None:
        painter.setPen(QPen(theme.color("accent", 0.7), 1, Qt.PenStyle.DashLine))
        painter.drawLine(*(camera.to_screen(p) for p in snap.met.guide))
    painter.setPen(QPen(theme.color("accent"), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _mark(painter, snap.kind.mark, at)
    mark = QRectF(at.x() - SIZE, at.y() - SIZE, 2 * SIZE, 2 * SIZE)
    if words:
        left = max(
            at.x() - text_width(words) - 2 * GRID, GRID
        )  # readings of objects are on the right
        mark |= paint_label(
            painter, QPointF(round(left), round(at.y() - GRID - 2)), words, theme, "accent"
        )
    return mark


def _mark(painter: QPainter, mark: str, at: QPointF) -> None:
    box = QRectF(at.x() - SIZE, at.y() - SIZE, 2 * SIZE, 2 * SIZE)
    match mark:
        case "square":
            painter.drawRect(box)
        case "triangle":
            painter.drawPolygon(
                QPolygonF([QPointF(at.x(), box.top()), box.bottomRight(), box.bottomLeft()])
            )
        case "circle":
            painter.drawEllipse(box)
        case "cross":
            painter.drawLine(box.topLeft(), box.bottomRight())
            painter.drawLine(box.topRight(), box.bottomLeft())
        case "diamond":
            painter.drawPolygon(
                QPolygonF(
                    [at + QPointF(*d) * (SIZE + 1) for d in ((0, -1), (1, 0), (0, 1), (-1, 0))]
                )
            )
        case "angle":
            painter.drawLine(box.topLeft(), box.bottomLeft())
            painter.drawLine(box.bottomLeft(), box.bottomRight())
            painter.drawRect(QRectF(box.left(), at.y(), SIZE, SIZE))
