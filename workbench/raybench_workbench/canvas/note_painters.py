"""Painters of decorations except texts, module instances and unread objects."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from raybench.kinds.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench_workbench.canvas.strokes import Style, chevron, distance, unit
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import SMALL_SIZE, text_font

PIECE = 500
"""Lines of a stroke that are painted at a time: the time that Qt takes grows as the square of their
number where they cross.
"""


def nothing(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint nothing: for objects without a picture of their own."""


def arrow(obj: LineArrow, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.own_pen(obj.line_style, "decoration", 1.25))
    painter.drawLine(a, b)
    painter.setPen(_undashed(painter.pen()))
    for has_head, tip, other in ((obj.arrow, b, a), (obj.back_arrow, a, b)):
        if has_head:
            chevron(painter, tip, other, 8)


def _undashed(pen: QPen) -> QPen:
    pen.setStyle(Qt.PenStyle.SolidLine)
    return pen


def ruler(obj: Ruler, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.pen("decoration", 1))
    painter.drawLine(a, b)
    across = _across(a, b)
    painter.setFont(_number_font())
    for foot, number in _marks(obj, camera):
        painter.drawLine(foot, foot + across * (4 if number is None else 8))
        if number is not None:
            painter.drawText(
                _number_place(foot, across, painter.fontMetrics().horizontalAdvance(number)), number
            )


def number_boxes(document: Document, camera: Camera) -> list[QRectF]:
    """The boxes, in pixels, of the numbers of all rulers of a scene that are not hidden."""
    metrics = QFontMetrics(_number_font())
    boxes = []
    for obj in document.seen:
        if isinstance(obj, Ruler):
            across = _across(camera.to_screen(obj.p1), camera.to_screen(obj.p2))
            for foot, number in _marks(obj, camera):
                if number is not None:
                    width = metrics.horizontalAdvance(number)
                    at = _number_place(foot, across, width)
                    boxes.append(QRectF(at.x(), at.y() - metrics.ascent(), width, metrics.height()))
    return boxes


def _marks(obj: Ruler, camera: Camera) -> Iterator[tuple[QPointF, str | None]]:
    """Where the marks of a ruler are, with their numbers; none if they would be too close."""
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along, step = unit(a, b), obj.scale_interval * camera.scale
    if step < 4:
        return
    every = next(k for k in (1, 2, 5, 10, 20, 50, 100) if k * step >= 40 or k == 100)
    for i in range(min(1000, int(distance(a, b) / step + 1e-6) + 1)):
        yield a + along * (i * step), f"{i * obj.scale_interval:g}" if i % every == 0 else None


def _across(a: QPointF, b: QPointF) -> QPointF:
    """The direction of the marks of a ruler."""
    along = unit(a, b)
    return QPointF(-along.y(), along.x())


def _number_font() -> QFont:
    return text_font(SMALL_SIZE - 1)


def _number_place(foot: QPointF, across: QPointF, width: int) -> QPointF:
    """Where the base line of a number of a ruler begins."""
    return foot + across * 18 + QPointF(-width / 2, 4)


def ruler_icon(obj: Ruler, painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.pen("decoration", 1.25))
    painter.drawRect(QRectF(2.5, 7, 15, 6))
    for x in (6.25, 10, 13.75):
        painter.drawLine(QPointF(x, 7), QPointF(x, 10))


def protractor(obj: Protractor, painter: QPainter, camera: Camera, style: Style) -> None:
    centre, zero = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    radius = distance(centre, zero)
    painter.setPen(style.pen("decoration", 1))
    painter.drawEllipse(centre, radius, radius)
    start = math.atan2(zero.y() - centre.y(), zero.x() - centre.x())
    for degrees in range(0, 360, 10 if radius < 150 else 5):
        angle = start - math.radians(degrees)
        direction = QPointF(math.cos(angle), math.sin(angle))
        painter.drawLine(
            centre + direction * radius,
            centre + direction * (radius - (10 if degrees % 30 == 0 else 5)),
        )


def drawing(obj: Drawing, painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.own_pen(obj.line_style, "decoration", 1.25))
    for line in obj.lines:
        points = [camera.to_screen(p) for p in line]
        for first in range(0, max(1, len(points) - 1), PIECE):
            painter.drawPolyline(points[first : first + PIECE + 1])


def frame(obj: CropBox, painter: QPainter, camera: Camera, style: Style) -> None:
    pen = style.pen("separator", 1)
    pen.setDashPattern([1, 3])
    painter.setPen(pen)
    painter.drawRect(QRectF(camera.to_screen(obj.p1), camera.to_screen(obj.p4)))


def frame_icon(obj: CropBox, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint the frame stronger than on the canvas, where it must not disturb."""
    pen = style.pen("decoration", 1.25)
    pen.setDashPattern([2, 2])
    painter.setPen(pen)
    painter.drawRect(QRectF(camera.to_screen(obj.p1), camera.to_screen(obj.p4)))


def handle(obj: Handle, painter: QPainter, camera: Camera, style: Style) -> None:
    at = camera.to_screen(obj.p1)
    painter.setPen(style.pen("decoration", 1))
    painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7))


def module_icon(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint several parts: squares and a circle."""
    painter.setPen(style.pen("outline", 1.25))
    for x, y in ((3.5, 3.5), (11.5, 3.5), (3.5, 11.5)):
        painter.drawRect(QRectF(x, y, 5, 5))
    painter.drawEllipse(QRectF(11.5, 11.5, 5, 5))


def unread_icon(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint a dotted circle in the warning colour."""
    painter.setPen(QPen(style.theme.color("warning"), 1.25, Qt.PenStyle.DotLine))
    painter.drawEllipse(QPointF(10, 10), 6, 6)
