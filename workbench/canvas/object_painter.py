"""How every kind of object is painted, on the canvas and as its icon. Lines keep their width in pixels at any zoom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.custom_surfaces import CustomSurfaceBase
from core.kinds.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler, TextLabel
from core.kinds.detectors import Detector
from core.kinds.glasses import GlassBody, PlaneGlass
from core.kinds.gratings import Grating
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import BeamSplitter, CurveMirror, IdealMirror, ParamMirror, Reflector
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_of
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from core.shapes.bezier import Bezier
from core.shapes.chain import Chain
from core.shapes.point import Point
from core.shapes.shape import Arc, Parabola
from workbench.canvas.camera import Camera
from workbench.theme import SMALL_SIZE, Theme, text_font

SEEN = 20_000.0
"""How far an endless line is painted to each side, in pixels."""


@dataclass(frozen=True)
class Look:
    """How an object is shown now. ``note`` is what is written beside it, such as a detector's reading."""

    theme: Theme
    selected: bool = False
    hovered: bool = False
    disabled: bool = False
    note: str = ""

    def pen(self, color: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen in one of the theme's colours: the accent where selected, fainter where disabled."""
        name = "accent" if self.selected else ("text" if self.hovered else color)
        pen = QPen(self.theme.color(name, 0.35 if self.disabled else 1.0), width + (0.5 if self.selected or self.hovered else 0), style)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen


def outline_path(edges: Sequence[Edge], camera: Camera, *, closed: bool) -> QPainterPath:
    """Edges as a path in pixels; arcs are arcs."""
    path = QPainterPath()
    if not edges:
        return path
    path.moveTo(camera.to_screen(edges[0].shape.a))
    for edge in edges:
        shape = edge.shape
        if not closed:
            path.moveTo(camera.to_screen(shape.a))
        if isinstance(shape, Arc):
            centre, radius = camera.to_screen(shape.centre), shape.radius * camera.scale
            box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
            path.arcTo(box, -math.degrees(shape.start), -math.degrees(shape.sweep))
        elif isinstance(shape, Bezier):
            path.cubicTo(*(camera.to_screen(p) for p in (shape.p1, shape.p2, shape.p3)))
        elif isinstance(shape, Parabola | Chain):
            for point in shape.points()[1:]:
                path.lineTo(camera.to_screen(point))
        else:
            path.lineTo(camera.to_screen(shape.b))
    if closed:
        path.closeSubpath()
    return path


def paint_fill(painter: QPainter, obj: SceneObject, camera: Camera, look: Look) -> None:
    """Paint what lies under the rays: the bodies of glasses."""
    if isinstance(obj, GlassBody):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.theme.color("glass", 0.4 if look.disabled else 1.0))
        path = _half_plane(obj, camera) if isinstance(obj, PlaneGlass) else outline_path(edges_of(obj), camera, closed=True)
        painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def _half_plane(obj: PlaneGlass, camera: Camera) -> QPainterPath:
    """The half-plane as far as it can be seen, as a square on the boundary's glass side."""
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = _unit(a, b) * SEEN
    inward = QPointF(-along.y(), along.x())
    path = QPainterPath()
    path.addPolygon(QPolygonF([a - along, a + along, a + along + inward, a - along + inward]))
    return path


@singledispatch
def paint_object(obj: SceneObject, painter: QPainter, camera: Camera, look: Look) -> None:
    """Paint an object's lines over the rays; nothing for kinds that have no picture."""


@paint_object.register
def _glass(obj: GlassBody, painter: QPainter, camera: Camera, look: Look) -> None:
    painter.setPen(look.pen("outline", 1.25))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=True))


@paint_object.register
def _half_plane_edge(obj: PlaneGlass, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = _unit(a, b) * SEEN
    painter.setPen(look.pen("outline", 1.25))
    painter.drawLine(a - along, a + along)


@paint_object.register(Reflector)
@paint_object.register(CurveMirror)
@paint_object.register(ParamMirror)
def _mirror(obj: Reflector | CurveMirror | ParamMirror, painter: QPainter, camera: Camera, look: Look) -> None:
    painter.setPen(look.pen("mirror", 2.5))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


@paint_object.register
def _custom(obj: CustomSurfaceBase, painter: QPainter, camera: Camera, look: Look) -> None:
    pen = look.pen("mirror", 2.5)
    pen.setDashPattern([5, 1.2, 1, 1.2])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


@paint_object.register
def _splitter(obj: BeamSplitter, painter: QPainter, camera: Camera, look: Look) -> None:
    pen = look.pen("mirror", 2.5)
    pen.setDashPattern([3, 1.2])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


@paint_object.register
def _ideal_mirror(obj: IdealMirror, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(look.pen("mirror", 2.5))
    painter.drawLine(a, b)
    head = min(9.0, _distance(a, b) / 5) * (1 if obj.focal_length > 0 else -1)
    painter.setPen(look.pen("mirror", 1.75))
    for tip, other in ((a, b), (b, a)):
        _chevron(painter, tip, other, head)


@paint_object.register
def _grating(obj: Grating, painter: QPainter, camera: Camera, look: Look) -> None:
    pen = look.pen("mirror", 4)
    pen.setDashPattern([0.5, 0.5])
    painter.setPen(pen)
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


@paint_object.register(Blocker)
@paint_object.register(CircleBlocker)
@paint_object.register(Aperture)
def _blocker(obj: Blocker | CircleBlocker | Aperture, painter: QPainter, camera: Camera, look: Look) -> None:
    painter.setPen(look.pen("blocker", 4))
    painter.drawPath(outline_path(edges_of(obj), camera, closed=False))


@paint_object.register
def _lens(obj: IdealLens, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(look.pen("outline", 1.75))
    painter.drawLine(a, b)
    head = min(9.0, _distance(a, b) / 5)
    outward = 1 if obj.focal_length > 0 else -1
    for tip, other in ((a, b), (b, a)):
        _chevron(painter, tip, other, head * outward)
    middle = (a + b) / 2
    across = _unit(a, b) * 3
    painter.drawLine(middle + QPointF(-across.y(), across.x()), middle - QPointF(-across.y(), across.x()))


@paint_object.register
def _detector(obj: Detector, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    pen = look.pen("detector", 1.75)
    pen.setDashPattern([4, 2.5])
    painter.setPen(pen)
    painter.drawLine(a, b)
    painter.setPen(look.pen("detector", 1.75))
    across = _unit(a, b) * 4
    for end in (a, b):
        painter.drawLine(end + QPointF(-across.y(), across.x()), end - QPointF(-across.y(), across.x()))
    if look.note:
        upper = a if a.y() <= b.y() else b
        plate(painter, upper + QPointF(8, -8), look.note, look.theme, "detector")


@paint_object.register
def _beam(obj: Beam, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(look.pen("source", 2.5))
    painter.drawLine(a, b)
    along = _unit(a, b)
    ahead = QPointF(along.y(), -along.x())
    painter.setPen(look.pen("source", 1.25))
    length = min(6.0, _distance(a, b) / 4)
    for u in (0.0, 0.5, 1.0):
        foot = a + (b - a) * u
        painter.drawLine(foot, foot + ahead * length)


@paint_object.register
def _point_source(obj: PointSource, painter: QPainter, camera: Camera, look: Look) -> None:
    _lamp(painter, camera.to_screen(Point(obj.x, obj.y)), look)


@paint_object.register(SingleRay)
@paint_object.register(AngleSource)
def _directed(obj: SingleRay | AngleSource, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    if look.selected or look.hovered:
        pen = look.pen("source", 1.0)
        pen.setDashPattern([2, 3])
        painter.setPen(pen)
        painter.drawLine(a, b)
    _lamp(painter, a, look)


@paint_object.register
def _text(obj: TextLabel, painter: QPainter, camera: Camera, look: Look) -> None:
    size = round(obj.font_size * camera.scale)
    if not 3 <= size <= 2000:
        return
    painter.save()
    painter.setPen(look.pen("decoration", 1))
    font = text_font(size, italic="Italic" in obj.font_style or "Oblique" in obj.font_style, strong="Bold" in obj.font_style)
    painter.setFont(font)
    painter.translate(camera.to_screen(Point(obj.x, obj.y)))
    painter.rotate(-obj.angle)
    metrics = painter.fontMetrics()
    for i, line in enumerate(obj.text.split("\n")):
        width = metrics.horizontalAdvance(line)
        left = {"left": 0, "center": -width / 2, "right": -width}[obj.alignment]
        painter.drawText(QPointF(left, i * size * 1.2), line)
    painter.restore()


@paint_object.register
def _arrow(obj: LineArrow, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(look.pen("decoration", 1.25))
    painter.drawLine(a, b)
    for shown, tip, other in ((obj.arrow, b, a), (obj.back_arrow, a, b)):
        if shown:
            _chevron(painter, tip, other, 8)


@paint_object.register
def _ruler(obj: Ruler, painter: QPainter, camera: Camera, look: Look) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(look.pen("decoration", 1))
    painter.drawLine(a, b)
    along, step = _unit(a, b), obj.scale_interval * camera.scale
    across = QPointF(-along.y(), along.x())
    if step < 4:
        return
    painter.setFont(text_font(SMALL_SIZE - 1))
    every = next(k for k in (1, 2, 5, 10, 20, 50, 100) if k * step >= 40 or k == 100)
    for i in range(min(1000, int(_distance(a, b) / step + 1e-6) + 1)):
        foot = a + along * (i * step)
        painter.drawLine(foot, foot + across * (8 if i % every == 0 else 4))
        if i % every == 0:
            number = f"{i * obj.scale_interval:g}"
            width = painter.fontMetrics().horizontalAdvance(number)
            painter.drawText(foot + across * 18 + QPointF(-width / 2, 4), number)


@paint_object.register
def _protractor(obj: Protractor, painter: QPainter, camera: Camera, look: Look) -> None:
    centre, zero = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    radius = _distance(centre, zero)
    painter.setPen(look.pen("decoration", 1))
    painter.drawEllipse(centre, radius, radius)
    start = math.atan2(zero.y() - centre.y(), zero.x() - centre.x())
    for degrees in range(0, 360, 10 if radius < 150 else 5):
        angle = start - math.radians(degrees)
        way = QPointF(math.cos(angle), math.sin(angle))
        painter.drawLine(centre + way * radius, centre + way * (radius - (10 if degrees % 30 == 0 else 5)))


@paint_object.register
def _drawing(obj: Drawing, painter: QPainter, camera: Camera, look: Look) -> None:
    painter.setPen(look.pen("decoration", 1.25))
    for line in obj.lines:
        painter.drawPolyline([camera.to_screen(p) for p in line])


@paint_object.register
def _crop(obj: CropBox, painter: QPainter, camera: Camera, look: Look) -> None:
    pen = look.pen("decoration", 1)
    pen.setDashPattern([1, 5])
    painter.setPen(pen)
    painter.drawRect(QRectF(camera.to_screen(obj.p1), camera.to_screen(obj.p4)))


@paint_object.register
def _grip(obj: Handle, painter: QPainter, camera: Camera, look: Look) -> None:
    at = camera.to_screen(obj.p1)
    painter.setPen(look.pen("decoration", 1))
    painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7))


def plate(painter: QPainter, at: QPointF, text: str, theme: Theme, color: str = "text") -> QRectF:
    """Small text that stays legible over rays: its base line starts at ``at``. Returns the space it took."""
    painter.setFont(text_font(SMALL_SIZE))
    metrics = painter.fontMetrics()
    box = QRectF(at.x() - 4, at.y() - metrics.ascent() - 1, metrics.horizontalAdvance(text) + 8, metrics.height() + 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("canvas", 0.78))
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.color(color))
    painter.drawText(at, text)
    return box


def _lamp(painter: QPainter, at: QPointF, look: Look) -> None:
    pen = look.pen("source", 1.25)
    painter.setPen(pen)
    painter.drawEllipse(at, 5.5, 5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(pen.color())))
    painter.drawEllipse(at, 2.75, 2.75)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _chevron(painter: QPainter, tip: QPointF, other: QPointF, size: float) -> None:
    """Two strokes at ``tip`` that point away from ``other``, or towards it where ``size`` is negative."""
    back = _unit(tip, other)
    across = QPointF(-back.y(), back.x())
    for side in (0.6, -0.6):
        painter.drawLine(tip, tip + back * size + across * (side * abs(size)))


def _distance(a: QPointF, b: QPointF) -> float:
    return math.hypot(b.x() - a.x(), b.y() - a.y())


def _unit(a: QPointF, b: QPointF) -> QPointF:
    length = _distance(a, b)
    return QPointF(1, 0) if length == 0 else (b - a) / length
