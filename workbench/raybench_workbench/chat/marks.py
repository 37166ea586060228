"""Small status marks, painted rather than typed, so that they do not depend on the installed fonts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from raybench_workbench import theme

SIZE = 2 * theme.GRID

_STROKES: dict[str, list[tuple[float, float]]] = {
    "done": [(3, 8.5), (6.5, 12), (13, 4.5)],
    "closed": [(6, 4), (10, 8), (6, 12)],
    "open": [(4, 6), (8, 10), (12, 6)],
}
_COLORS = {
    "done": "good",
    "failed": "error",
    "stopped": "warning",
    "running": "accent",
    "closed": "dim",
    "open": "dim",
}


class Mark(QWidget):
    """A mark of the kind ``running``, ``done``, ``failed``, ``stopped``, ``closed`` or ``open``."""

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setFixedSize(QSize(SIZE, SIZE))

    def show_kind(self, kind: str) -> None:
        self.kind = kind
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = theme.current().color(_COLORS[self.kind])
        painter.setPen(
            QPen(
                color,
                1.5,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        if self.kind == "running":
            painter.setBrush(color)
            for x in (4, 8, 12):
                painter.drawEllipse(QPointF(x, 8), 0.6, 0.6)
        elif self.kind == "failed":
            painter.drawLine(QPointF(4, 4), QPointF(12, 12))
            painter.drawLine(QPointF(12, 4), QPointF(4, 12))
        elif self.kind == "stopped":
            painter.drawRect(4, 4, 8, 8)
        else:
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in _STROKES[self.kind]]))
