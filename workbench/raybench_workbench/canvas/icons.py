"""Icons. A kind's icon is a small object painted by the canvas's painters; actions have line
drawings in the text colour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap

from raybench.kinds.kinds import KINDS, ROWS
from raybench.kinds.unread import Unread
from raybench_workbench.canvas.object_painter import paint_icon
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.theme import ICON_SIZE, Theme

SCALES = (1, 2)
"""Device pixel ratios for which icons are rendered."""
_ROWS = {row.kind: row for row in ROWS}


def kind_icon(kind: str, theme: Theme, *, disabled: bool = False) -> QIcon:
    """The icon of a kind of object, by its name in the file format; for an unknown name the icon of
    unread objects.
    """
    row = _ROWS[KINDS.get(kind, Unread)]
    return painted_icon(lambda painter: paint_icon(row, painter, Style(theme, disabled=disabled)))


def painted_icon(paint: Callable[[QPainter], None]) -> QIcon:
    """An icon from a function that paints a square of `ICON_SIZE` units."""
    icon = QIcon()
    _add(icon, paint, QIcon.Mode.Normal)
    return icon


def _add(icon: QIcon, paint: Callable[[QPainter], None], mode: QIcon.Mode) -> None:
    """Add the drawing to an icon, in all scales."""
    for scale in SCALES:
        pixmap = QPixmap(ICON_SIZE * scale, ICON_SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter)
        painter.end()
        icon.addPixmap(pixmap, mode)


def action_icon(name: str, theme: Theme) -> QIcon:
    """The icon of an action in the tool bar, by its name in `_DRAWINGS`."""
    icon = QIcon()
    for mode, alpha in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.35)):
        pen = QPen(theme.color("text", 0.85 * alpha), 1.4)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        _add(icon, partial(_draw, name, pen), mode)
    return icon


def _draw(name: str, pen: QPen, painter: QPainter) -> None:
    painter.setPen(pen)
    painter.drawPath(_DRAWINGS[name]())


def _strokes(*strokes: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    for first, *rest in strokes:
        path.moveTo(*first)
        for x, y in rest:
            path.lineTo(x, y)
    return path


def _more() -> QPainterPath:
    return _strokes(((4, 5), (9, 10), (4, 15)), ((11, 5), (16, 10), (11, 15)))


def _open() -> QPainterPath:
    return _strokes(
        ((3, 16), (3, 4.5), (8, 4.5), (9.5, 6.5), (15.5, 6.5), (15.5, 9)),
        ((3, 16), (5.5, 9), (18, 9), (15.5, 16), (3, 16)),
    )


def _save() -> QPainterPath:
    return _strokes(
        ((10, 3), (10, 12)),
        ((6.5, 8.5), (10, 12), (13.5, 8.5)),
        ((3.5, 12), (3.5, 16.5), (16.5, 16.5), (16.5, 12)),
    )


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
    path.addPath(
        _strokes(
            ((7.8, 3.5), (7.8, 16.5)),
            ((12.2, 3.5), (12.2, 16.5)),
            ((3.5, 7.8), (16.5, 7.8)),
            ((3.5, 12.2), (16.5, 12.2)),
        )
    )
    return path


def _zoom(plus: bool) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QRectF(3, 3, 10.5, 10.5))
    path.addPath(
        _strokes(
            ((12, 12), (17, 17)),
            ((5.8, 8.25), (10.7, 8.25)),
            *([((8.25, 5.8), (8.25, 10.7))] if plus else []),
        )
    )
    return path


def _rays() -> QPainterPath:
    return _strokes(
        ((3, 4.5), (17, 4.5)),
        ((3, 8.5), (17, 8.5)),
        ((3, 12.5), (17, 12.5)),
        ((3, 16.5), (17, 16.5)),
        ((7.5, 4.5), (7.5, 16.5)),
    )


def _chat() -> QPainterPath:
    return _strokes(
        ((3, 4), (17, 4), (17, 13), (9.5, 13), (6, 16.5), (6, 13), (3, 13), (3, 4)),
        ((6.5, 7), (13.5, 7)),
        ((6.5, 10), (11, 10)),
    )


def _library() -> QPainterPath:
    path = QPainterPath()
    for x, y in ((3.5, 3.5), (11.5, 3.5), (3.5, 11.5)):
        path.addRect(QRectF(x, y, 5, 5))
    path.addPath(_strokes(((14, 11), (14, 17)), ((11, 14), (17, 14))))
    return path


def _arrow() -> QPainterPath:
    return _strokes(
        (
            (5, 3),
            (5, 15.5),
            (8.2, 12.4),
            (10.6, 17.2),
            (12.8, 16.1),
            (10.5, 11.4),
            (14.8, 11),
            (5, 3),
        )
    )


_DRAWINGS: dict[str, Callable[[], QPainterPath]] = {
    "arrow": _arrow,
    "more": _more,
    "library": _library,
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
