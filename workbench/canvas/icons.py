"""Icons. A kind's icon is the kind itself, painted small by the canvas's own code; actions have line drawings in the text's colour."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap

from core.kinds.blockers import Aperture, Blocker, CircleBlocker
from core.kinds.custom_surfaces import CustomArcSurface, CustomCurveSurface, CustomParamSurface, CustomSurface
from core.kinds.decorations import CropBox, Drawing, Handle, LineArrow, Protractor, Ruler, TextLabel
from core.kinds.detectors import Detector
from core.kinds.glasses import CircleGlass, CurveGlass, CustomGlass, Glass, ParamGlass, PlaneGlass, SphericalLens
from core.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from core.kinds.grin import CircleGrinGlass, CurveGrinGlass, GrinGlass, ParamGrinGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, CurveMirror, CustomMirror, IdealMirror, Mirror, ParabolicMirror, ParamMirror
from core.kinds.object import SceneObject
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from core.scene.modules.module import ModuleObj
from core.shapes.bezier import CurveNode
from core.shapes.point import Point, Vertex
from workbench.canvas.camera import Camera
from workbench.canvas.object_painter import Look, paint_fill, paint_object
from workbench.theme import ICON_SIZE, Theme

SCALES = (1, 2)
"""Icons are made for these numbers of pixels to a logical one."""
_BEAN = (CurveNode(Point(4, 10), Point(4, 0), Point(12, 6)), CurveNode(Point(17, 10), Point(18, 18), Point(4, 20)))
_EGG = ({"eqnX": "7\\cdot\\cos(t)", "eqnY": "4.5\\cdot\\sin(t)", "tMin": 0, "tMax": 6.283185307179586, "tStep": 0.1},)
_SAMPLES: dict[str, SceneObject] = {
    o.type: o
    for o in (
        SingleRay(p1=Point(5, 14), p2=Point(17, 5)),
        Beam(p1=Point(8, 3), p2=Point(8, 17)),
        PointSource(x=10, y=10),
        AngleSource(p1=Point(5, 10), p2=Point(17, 10)),
        Mirror(p1=Point(5, 16), p2=Point(15, 4)),
        ArcMirror(p1=Point(7, 3), p2=Point(7, 17), p3=Point(13, 10)),
        ParabolicMirror(p1=Point(4, 3), p2=Point(4, 17), p3=Point(15, 10)),
        CurveMirror(points=(CurveNode(Point(6, 3), Point(16, 7), Point(3, 12)), CurveNode(Point(14, 17))), is_closed=False),
        IdealMirror(p1=Point(10, 2.5), p2=Point(10, 17.5)),
        BeamSplitter(p1=Point(5, 16), p2=Point(15, 4)),
        DiffractionGrating(p1=Point(10, 2.5), p2=Point(10, 17.5)),
        ConcaveDiffractionGrating(p1=Point(7, 3), p2=Point(7, 17), p3=Point(13, 10)),
        Glass(path=(Vertex(10, 3.5), Vertex(17, 16), Vertex(3, 16))),
        CircleGlass(p1=Point(10, 10), p2=Point(17, 10)),
        PlaneGlass(p1=Point(0, 10), p2=Point(20, 10)),
        CurveGlass(points=_BEAN),
        SphericalLens(p1=Point(10, 3), p2=Point(10, 17), params={"d": 8, "r1": 9, "r2": -9}),
        IdealLens(p1=Point(10, 2.5), p2=Point(10, 17.5)),
        Blocker(p1=Point(5, 16), p2=Point(15, 4)),
        CircleBlocker(p1=Point(10, 10), p2=Point(15.5, 10)),
        Aperture(p1=Point(10, 2), p3=Point(10, 7.5), p4=Point(10, 12.5), p2=Point(10, 18)),
        ModuleObj(module="", points=()),
        CustomMirror(p1=Point(2.5, 13), p2=Point(17.5, 13)),
        ParamMirror(origin=Point(10, 10), pieces=_EGG),
        CustomGlass(p1=Point(2.5, 10), p2=Point(17.5, 10), eqn1="-0.6\\cdot\\sqrt{1-x^2}", eqn2="0.6\\cdot\\sqrt{1-x^2}"),
        ParamGlass(origin=Point(10, 10), pieces=_EGG),
        CircleGrinGlass(p1=Point(10, 10), p2=Point(17, 10)),
        GrinGlass(path=(Vertex(3, 6), Vertex(17, 6), Vertex(17, 14), Vertex(3, 14))),
        CurveGrinGlass(points=_BEAN),
        ParamGrinGlass(origin=Point(10, 10), pieces=_EGG),
        CustomSurface(p1=Point(5, 16), p2=Point(15, 4)),
        CustomArcSurface(p1=Point(7, 3), p2=Point(7, 17), p3=Point(13, 10)),
        CustomCurveSurface(points=_BEAN),
        CustomParamSurface(origin=Point(10, 10), pieces=_EGG),
        Detector(p1=Point(10, 3), p2=Point(10, 17)),
        Ruler(p1=Point(2.5, 7), p2=Point(18, 7), scale_interval=5),
        Protractor(p1=Point(10, 10), p2=Point(17.5, 10)),
        TextLabel(x=10, y=15.5, text="T", font_size=16, alignment="center"),
        LineArrow(p1=Point(4, 16), p2=Point(16, 4), arrow=True),
        Drawing(strokes=((3, 13, 6, 7, 9, 12, 12, 6, 16, 11),)),
        CropBox(p1=Point(3, 4), p4=Point(17, 16)),
        Handle(p1=Point(10, 10), p2=Point(10, 10)),
    )
}


def kind_icon(kind: str, theme: Theme, *, disabled: bool = False) -> QIcon:
    """The icon of a kind of object, by its name in the file format; a question mark for kinds that are not known."""
    sample = _SAMPLES.get(kind)

    def paint(painter: QPainter) -> None:
        look = Look(theme, disabled=disabled)
        if sample is None:
            painter.setPen(QPen(theme.color("warning"), 1.25, Qt.PenStyle.DotLine))
            painter.drawEllipse(QPointF(10, 10), 6, 6)
        elif isinstance(sample, SingleRay | AngleSource):
            painter.setPen(look.pen("source", 1.25))
            for end in _fan(sample):
                painter.drawLine(QPointF(*sample.p1), end)
            paint_object(sample, painter, Camera(), look)
        elif isinstance(sample, ModuleObj):
            painter.setPen(look.pen("outline", 1.25))
            for x, y in ((3.5, 3.5), (11.5, 3.5), (3.5, 11.5)):
                painter.drawRect(QRectF(x, y, 5, 5))
            painter.drawEllipse(QRectF(11.5, 11.5, 5, 5))
        elif isinstance(sample, Ruler):
            painter.setPen(look.pen("decoration", 1.25))
            painter.drawRect(QRectF(2.5, 7, 15, 6))
            for x in (6.25, 10, 13.75):
                painter.drawLine(QPointF(x, 7), QPointF(x, 10))
        else:
            paint_fill(painter, sample, Camera(), look)
            paint_object(sample, painter, Camera(), look)

    return _icon(paint)


def _fan(sample: SingleRay | AngleSource) -> list[QPointF]:
    return [QPointF(*sample.p2)] if isinstance(sample, SingleRay) else [QPointF(17, 4), QPointF(17.5, 10), QPointF(17, 16)]


def _icon(paint: Callable[[QPainter], None]) -> QIcon:
    icon = QIcon()
    for scale in SCALES:
        pixmap = QPixmap(ICON_SIZE * scale, ICON_SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


def action_icon(name: str, theme: Theme) -> QIcon:
    """The drawing of an action in the tool bar."""
    icon = QIcon()
    for mode, alpha in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.35)):
        for scale in SCALES:
            pixmap = QPixmap(ICON_SIZE * scale, ICON_SIZE * scale)
            pixmap.setDevicePixelRatio(scale)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(theme.color("text", 0.85 * alpha), 1.4)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPath(_DRAWINGS[name]())
            painter.end()
            icon.addPixmap(pixmap, mode)
    return icon


def _strokes(*strokes: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    for first, *rest in strokes:
        path.moveTo(*first)
        for x, y in rest:
            path.lineTo(x, y)
    return path


def _open() -> QPainterPath:
    return _strokes(((3, 16), (3, 4.5), (8, 4.5), (9.5, 6.5), (15.5, 6.5), (15.5, 9)), ((3, 16), (5.5, 9), (18, 9), (15.5, 16), (3, 16)))


def _save() -> QPainterPath:
    return _strokes(((10, 3), (10, 12)), ((6.5, 8.5), (10, 12), (13.5, 8.5)), ((3.5, 12), (3.5, 16.5), (16.5, 16.5), (16.5, 12)))


def _undo() -> QPainterPath:
    path = _strokes(((7, 4), (3.5, 7.5), (7, 11)), ((3.5, 7.5), (12, 7.5)))
    path.arcTo(QRectF(7.5, 7.5, 8.5, 8.5), 90, -180)
    path.lineTo(8, 16)
    return path


def _redo() -> QPainterPath:
    path = _strokes(((13, 4), (16.5, 7.5), (13, 11)), ((16.5, 7.5), (8, 7.5)))
    path.arcTo(QRectF(4, 7.5, 8.5, 8.5), 90, 180)
    path.lineTo(12, 16)
    return path


def _fit() -> QPainterPath:
    return _strokes(
        ((3, 7), (3, 3.5), (7, 3.5)), ((13, 3.5), (17, 3.5), (17, 7)), ((17, 13), (17, 16.5), (13, 16.5)), ((7, 16.5), (3, 16.5), (3, 13))
    )  # fmt: skip


def _grid() -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(3.5, 3.5, 13, 13))
    path.addPath(_strokes(((7.8, 3.5), (7.8, 16.5)), ((12.2, 3.5), (12.2, 16.5)), ((3.5, 7.8), (16.5, 7.8)), ((3.5, 12.2), (16.5, 12.2))))
    return path


def _zoom(plus: bool) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QRectF(3, 3, 10.5, 10.5))
    path.addPath(_strokes(((12, 12), (17, 17)), ((5.8, 8.25), (10.7, 8.25)), *([((8.25, 5.8), (8.25, 10.7))] if plus else [])))
    return path


def _rays() -> QPainterPath:
    return _strokes(
        ((3, 4.5), (17, 4.5)), ((3, 8.5), (17, 8.5)), ((3, 12.5), (17, 12.5)), ((3, 16.5), (17, 16.5)), ((7.5, 4.5), (7.5, 16.5))
    )


def _chat() -> QPainterPath:
    return _strokes(
        ((3, 4), (17, 4), (17, 13), (9.5, 13), (6, 16.5), (6, 13), (3, 13), (3, 4)), ((6.5, 7), (13.5, 7)), ((6.5, 10), (11, 10))
    )


def _arrow() -> QPainterPath:
    return _strokes(((5, 3), (5, 15.5), (8.2, 12.4), (10.6, 17.2), (12.8, 16.1), (10.5, 11.4), (14.8, 11), (5, 3)))


_DRAWINGS: dict[str, Callable[[], QPainterPath]] = {
    "arrow": _arrow,
    "open": _open,
    "save": _save,
    "undo": _undo,
    "redo": _redo,
    "fit": _fit,
    "grid": _grid,
    "zoom_in": lambda: _zoom(True),
    "zoom_out": lambda: _zoom(False),
    "rays": _rays,
    "chat": _chat,
}
