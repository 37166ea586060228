"""Icons. A kind's icon is a small object painted by the canvas's painters; actions have line
drawings in the text colour.
"""

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
    _add_pixmaps(icon, paint, QIcon.Mode.Normal)
    return icon


def _add_pixmaps(icon: QIcon, paint: Callable[[QPainter], None], mode: QIcon.Mode) -> None:
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
    """The icon of an action in the tool bar, by its name in `_STROKES`."""
    icon = QIcon()
    for mode, alpha in ((QIcon.Mode.Normal, 1.0), (QIcon.Mode.Disabled, 0.35)):
        pen = QPen(theme.color("text", 0.85 * alpha), 1.4)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        _add_pixmaps(icon, partial(_paint_strokes, name, pen), mode)
    return icon


def _paint_strokes(name: str, pen: QPen, painter: QPainter) -> None:
    path = QPainterPath()
    for x, y in _SQUARES.get(name, ()):
        side = 13 if name == "grid" else 5
        path.addRect(QRectF(x, y, side, side))
    if name.startswith("zoom"):
        path.addEllipse(QRectF(3, 3, 10.5, 10.5))
    strokes = QPainterPath()
    for first, *rest in _STROKES[name]:
        strokes.moveTo(*first)
        for x, y in rest:
            strokes.lineTo(x, y)
    if name in _BENDS:
        left, sweep, end = _BENDS[name]
        strokes.arcTo(QRectF(left, 7.5, 8.5, 8.5), 90, sweep)
        strokes.lineTo(end, 16)
    path.addPath(strokes)
    painter.setPen(pen)
    painter.drawPath(path)


_GLASS = (((12, 12), (17, 17)), ((5.8, 8.25), (10.7, 8.25)))
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "arrow": (
        (
            (5, 3),
            (5, 15.5),
            (8.2, 12.4),
            (10.6, 17.2),
            (12.8, 16.1),
            (10.5, 11.4),
            (14.8, 11),
            (5, 3),
        ),
    ),
    "more": (((4, 5), (9, 10), (4, 15)), ((11, 5), (16, 10), (11, 15))),
    "library": (((14, 11), (14, 17)), ((11, 14), (17, 14))),
    "open": (
        ((3, 16), (3, 4.5), (8, 4.5), (9.5, 6.5), (15.5, 6.5), (15.5, 9)),
        ((3, 16), (5.5, 9), (18, 9), (15.5, 16), (3, 16)),
    ),
    "save": (
        ((10, 3), (10, 12)),
        ((6.5, 8.5), (10, 12), (13.5, 8.5)),
        ((3.5, 12), (3.5, 16.5), (16.5, 16.5), (16.5, 12)),
    ),
    "undo": (((7, 4), (3.5, 7.5), (7, 11)), ((3.5, 7.5), (12, 7.5))),
    "redo": (((13, 4), (16.5, 7.5), (13, 11)), ((16.5, 7.5), (8, 7.5))),
    "fit": (
        ((3, 7), (3, 3.5), (7, 3.5)),
        ((13, 3.5), (17, 3.5), (17, 7)),
        ((17, 13), (17, 16.5), (13, 16.5)),
        ((7, 16.5), (3, 16.5), (3, 13)),
    ),
    "grid": (
        ((7.8, 3.5), (7.8, 16.5)),
        ((12.2, 3.5), (12.2, 16.5)),
        ((3.5, 7.8), (16.5, 7.8)),
        ((3.5, 12.2), (16.5, 12.2)),
    ),
    "zoom_in": (*_GLASS, ((8.25, 5.8), (8.25, 10.7))),
    "zoom_out": _GLASS,
    "rays": (
        *(((3, y), (17, y)) for y in (4.5, 8.5, 12.5, 16.5)),
        ((7.5, 4.5), (7.5, 16.5)),
    ),
    "chat": (
        ((3, 4), (17, 4), (17, 13), (9.5, 13), (6, 16.5), (6, 13), (3, 13), (3, 4)),
        ((6.5, 7), (13.5, 7)),
        ((6.5, 10), (11, 10)),
    ),
}
"""The strokes of the icons of actions, in a square of 20 units."""
_SQUARES = {"grid": ((3.5, 3.5),), "library": ((3.5, 3.5), (11.5, 3.5), (3.5, 11.5))}
"""The corners of the squares in icons."""
_BENDS = {"undo": (7.5, -180, 8), "redo": (4, 180, 12)}
"""The left of a half circle that ends the last stroke, its sweep in degrees, and where a line from
it ends.
"""
