"""Painters of sources, glass bodies, surfaces and detectors."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPolygonF

from core.kinds.detectors import Detector
from core.kinds.glasses import GlassBody, PlaneGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import IdealMirror
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from core.shapes.point import Point
from workbench.canvas.camera import Camera
from workbench.canvas.strokes import Style, chevron, distance, outline_path, paint_label, text_width, unit

LINE_EXTENT = 20_000.0
"""Half the length of an infinite line as painted, in pixels."""


def body_fill(obj: GlassBody, painter: QPainter, camera: Camera, style: Style) -> None:
    _fill(outline_path(edges_of(obj), camera, closed=True), painter, style)


def half_plane_fill(obj: PlaneGlass, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint the visible part of the half-plane, as a square on the boundary's glass side."""
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = unit(a, b) * LINE_EXTENT
    inward = QPointF(-along.y(), along.x())
    path = QPainterPath()
    path.addPolygon(QPolygonF([a - along, a + along, a + along + inward, a - along + inward]))
    _fill(path, painter, style)


def _fill(path: QPainterPath, painter: QPainter, style: Style) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme.color("glass", 0.4 if style.disabled else 1.0))
    painter.drawPath(path)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def body(obj: GlassBody, painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.pen("outline", 1.25))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=True))


def half_plane(obj: PlaneGlass, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = unit(a, b) * LINE_EXTENT
    painter.setPen(style.pen("outline", 1.25))
    painter.drawLine(a - along, a + along)


def mirror(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.pen("mirror", 2.5))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


def custom_surface(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    pen = style.pen("mirror", 2.5)
    pen.setDashPattern([5, 1.2, 1, 1.2])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


def splitter(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    pen = style.pen("mirror", 2.5)
    pen.setDashPattern([3, 1.2])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


def ideal_mirror(obj: IdealMirror, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.pen("mirror", 2.5))
    painter.drawLine(a, b)
    head = min(9.0, distance(a, b) / 5) * (1 if obj.focal_length > 0 else -1)
    painter.setPen(style.pen("mirror", 1.75))
    for tip, other in ((a, b), (b, a)):
        chevron(painter, tip, other, head)


def grating(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    pen = style.pen("mirror", 4)
    pen.setDashPattern([0.5, 0.5])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


def blocker(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.pen("blocker", 4))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


def ideal_lens(obj: IdealLens, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.pen("outline", 1.75))
    painter.drawLine(a, b)
    head = min(9.0, distance(a, b) / 5)
    outward = 1 if obj.focal_length > 0 else -1
    for tip, other in ((a, b), (b, a)):
        chevron(painter, tip, other, head * outward)
    middle = (a + b) / 2
    across = unit(a, b) * 3
    painter.drawLine(middle + QPointF(-across.y(), across.x()), middle - QPointF(-across.y(), across.x()))


def detector(obj: Detector, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    pen = style.pen("detector", 1.75)
    pen.setDashPattern([4, 2.5])
    painter.setPen(pen)
    painter.drawLine(a, b)
    painter.setPen(style.pen("detector", 1.75))
    across = unit(a, b) * 4
    for end in (a, b):
        painter.drawLine(end + QPointF(-across.y(), across.x()), end - QPointF(-across.y(), across.x()))
    if style.note:
        upper = a if a.y() <= b.y() else b
        # a label that would be clipped at the right border starts further left
        room = painter.window().right() - text_width(style.note) - 4
        paint_label(painter, QPointF(min(upper.x() + 8, max(room, 4)), upper.y() - 8), style.note, style.theme, "detector")


def beam(obj: Beam, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.pen("source", 2.5))
    painter.drawLine(a, b)
    along = unit(a, b)
    ahead = QPointF(along.y(), -along.x())
    painter.setPen(style.pen("source", 1.25))
    length = min(6.0, distance(a, b) / 4)
    for u in (0.0, 0.5, 1.0):
        foot = a + (b - a) * u
        painter.drawLine(foot, foot + ahead * length)


def point_source(obj: PointSource, painter: QPainter, camera: Camera, style: Style) -> None:
    _lamp(painter, camera.to_screen(Point(obj.x, obj.y)), style)


def directed_source(obj: SingleRay | AngleSource, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    if style.selected or style.hovered:
        pen = style.pen("source", 1.0)
        pen.setDashPattern([2, 3])
        painter.setPen(pen)
        painter.drawLine(a, b)
    _lamp(painter, a, style)


def ray_icon(obj: SingleRay, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint a source and its ray."""
    _rays_icon(obj, [QPointF(*obj.p2)], painter, camera, style)


def fan_icon(obj: AngleSource, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint a source and some of its rays."""
    _rays_icon(obj, [QPointF(17, 4), QPointF(17.5, 10), QPointF(17, 16)], painter, camera, style)


def _rays_icon(obj: SingleRay | AngleSource, ends: list[QPointF], painter: QPainter, camera: Camera, style: Style) -> None:
    painter.setPen(style.pen("source", 1.25))
    for end in ends:
        painter.drawLine(QPointF(*obj.p1), end)
    directed_source(obj, painter, camera, style)


def _lamp(painter: QPainter, at: QPointF, style: Style) -> None:
    pen = style.pen("source", 1.25)
    painter.setPen(pen)
    painter.drawEllipse(at, 5.5, 5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(pen.color())))
    painter.drawEllipse(at, 2.75, 2.75)
    painter.setBrush(Qt.BrushStyle.NoBrush)
