"""Paints the layer above the objects: handles, names, edge labels, the rubber band and the hint on an empty canvas."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from core.kinds.object import SceneObject
from core.scene.control_points import control_points
from workbench.canvas.camera import Camera
from workbench.canvas.strokes import paint_label
from workbench.theme import GRID, HANDLE_SIZE, SMALL_SIZE, Theme, text_font

EMPTY_HINT = "Open a scene with Ctrl+O, drop a file here, or draw with the tools above"


def paint_handles(painter: QPainter, obj: SceneObject, camera: Camera, theme: Theme, *, fixed: bool) -> None:
    """Paint the control points of an object: filled discs where they can be dragged, hollow squares if the object is locked."""
    pen = QPen(theme.color("accent"), 1.25)
    painter.setPen(pen)
    painter.setBrush(theme.color("canvas"))
    half = HANDLE_SIZE / 2
    for control in control_points(obj):
        at = camera.to_screen(control.at)
        if fixed:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(at.x() - half + 1, at.y() - half + 1, HANDLE_SIZE - 2, HANDLE_SIZE - 2))
        else:
            painter.drawEllipse(at, half, half)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_band(painter: QPainter, band: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("accent"), 1))
    painter.setBrush(theme.color("accent", 0.10))
    painter.drawRect(band)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_stroke(painter: QPainter, corners: list[QPointF], hint: str, size: tuple[int, int], theme: Theme) -> None:
    """Paint the corners of an unfinished outline up to the pointer, and the ``hint`` at the foot of the canvas."""
    painter.setPen(QPen(theme.color("accent"), 1.25))
    if len(corners) > 1:
        painter.drawPolyline(corners)
        painter.setBrush(theme.color("canvas"))
        for corner in corners[:-1]:
            painter.drawEllipse(corner, HANDLE_SIZE / 2, HANDLE_SIZE / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(text_font(SMALL_SIZE))
    text = painter.fontMetrics().elidedText(hint, Qt.TextElideMode.ElideRight, size[0] - 4 * GRID)
    width = painter.fontMetrics().horizontalAdvance(text)
    paint_label(painter, QPointF(round((size[0] - width) / 2), size[1] - 2 * GRID), text, theme, "text")


def paint_hint(painter: QPainter, size: tuple[int, int], theme: Theme) -> None:
    """Paint the hint for an empty canvas."""
    painter.setFont(text_font())
    painter.setPen(theme.color("dim"))
    painter.drawText(QRectF(0, 0, *size), Qt.AlignmentFlag.AlignCenter, EMPTY_HINT)
