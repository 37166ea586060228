"""Icons. The icon of a kind of object is a small object drawn by the canvas's painters; the icon of
an action is a line drawing in the text colour.
"""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap

from raybench.kinds.kinds import KINDS, ROWS
from raybench.kinds.unread import UnreadObject
from raybench_workbench.canvas.object_painter import paint_icon
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.theme import ICON_SIZE, Theme

PIXEL_RATIOS = (1, 2)
"""Device pixel ratios for which icons are rendered."""
_ROWS = {row.kind: row for row in ROWS}


def kind_icon(kind: str, theme: Theme, *, disabled: bool = False) -> QIcon:
    """The icon of the kind of object with a name from the file format; for an unknown name, the
    icon of unreadable objects.
    """
    row = _ROWS[KINDS.get(kind, UnreadObject)]
    return icon_from_painter(
        lambda painter: paint_icon(row, painter, Style(theme, disabled=disabled))
    )


def icon_from_painter(paint: Callable[[QPainter], None]) -> QIcon:
    """An icon drawn by the function ``paint``, which paints a square of `ICON_SIZE` units."""
    icon = QIcon()
    _add_pixmaps(icon, paint, QIcon.Mode.Normal)
    return icon


def _add_pixmaps(icon: QIcon, paint: Callable[[QPainter], None], mode: QIcon.Mode) -> None:
    """Add the drawing of ``paint`` to an icon at all scales."""
    for scale in PIXEL_RATIOS:
        pixmap = QPixmap(ICON_SIZE * scale, ICON_SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint(painter)
        icon.addPixmap(pixmap, mode)


def action_icon(name: str, theme: Theme) -> QIcon:
    """The icon of an action in the tool bar, by its name in `_STROKES`."""
    icon, path = QIcon(), _icon_path(name)
    for mode, alpha in ((QIcon.Mode.Normal, 0.85), (QIcon.Mode.Disabled, 0.85 * 0.35)):
        pen = QPen(theme.color("text", alpha), 1.4)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)

        def paint(painter: QPainter, pen: QPen = pen) -> None:
            painter.strokePath(path, pen)

        _add_pixmaps(icon, paint, mode)
    return icon


def _icon_path(name: str) -> QPainterPath:
    path = QPainterPath()
    if name.startswith("zoom"):
        path.addEllipse(QRectF(3, 3, 10.5, 10.5))
    for stroke in _STROKES[name].split("M")[1:]:
        first, *rest = (map(float, point.split(",")) for point in stroke.split())
        path.moveTo(*first)
        for point in rest:
            path.lineTo(*point)
    if name in _BENDS:
        left, sweep, end = _BENDS[name]
        path.arcTo(QRectF(left, 7.5, 8.5, 8.5), 90, sweep)
        path.lineTo(end, 16)
    return path


_GLASS = "M12,12 17,17 M5.8,8.25 10.7,8.25"
_STROKES = {
    "arrow": "M5,3 5,15.5 8.2,12.4 10.6,17.2 12.8,16.1 10.5,11.4 14.8,11 5,3",
    "more": "M4,5 9,10 4,15 M11,5 16,10 11,15",
    "close": "M6,6 14,14 M14,6 6,14",
    "library": "M3.5,3.5 8.5,3.5 8.5,8.5 3.5,8.5 3.5,3.5"
    " M11.5,3.5 16.5,3.5 16.5,8.5 11.5,8.5 11.5,3.5"
    " M3.5,11.5 8.5,11.5 8.5,16.5 3.5,16.5 3.5,11.5 M14,11 14,17 M11,14 17,14",
    "open": "M3,16 3,4.5 8,4.5 9.5,6.5 15.5,6.5 15.5,9 M3,16 5.5,9 18,9 15.5,16 3,16",
    "save": "M10,3 10,12 M6.5,8.5 10,12 13.5,8.5 M3.5,12 3.5,16.5 16.5,16.5 16.5,12",
    "undo": "M7,4 3.5,7.5 7,11 M3.5,7.5 12,7.5",
    "redo": "M13,4 16.5,7.5 13,11 M16.5,7.5 8,7.5",
    "fit": "M3,7 3,3.5 7,3.5 M13,3.5 17,3.5 17,7 M17,13 17,16.5 13,16.5 M7,16.5 3,16.5 3,13",
    "grid": "M3.5,3.5 16.5,3.5 16.5,16.5 3.5,16.5 3.5,3.5"
    " M7.8,3.5 7.8,16.5 M12.2,3.5 12.2,16.5 M3.5,7.8 16.5,7.8 M3.5,12.2 16.5,12.2",
    "zoom_in": f"{_GLASS} M8.25,5.8 8.25,10.7",
    "zoom_out": _GLASS,
    "rays": "M3,4.5 17,4.5 M3,8.5 17,8.5 M3,12.5 17,12.5 M3,16.5 17,16.5 M7.5,4.5 7.5,16.5",
    "play": "M6,4 15.5,10 6,16 6,4",
    "pause": "M7,4.5 7,15.5 M13,4.5 13,15.5",
    "back": "M12,5 6,10 12,15",
    "forward": "M8,5 14,10 8,15",
    "chat": "M3,4 17,4 17,13 9.5,13 6,16.5 6,13 3,13 3,4 M6.5,7 13.5,7 M6.5,10 11,10",
}
"""The strokes of the icons of actions in a square of 20 units, as in the paths of SVG."""
_BENDS = {"undo": (7.5, -180, 8), "redo": (4, 180, 12)}
"""The left of a half circle that ends the last stroke, its sweep in degrees, and where a line from
it ends.
"""
