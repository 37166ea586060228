"""The header of the ray table: titles with dimmed units."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from raybench.trace.columns import LENGTH, NANOMETRES, RELATIVE
from raybench_workbench import theme
from raybench_workbench.ray_table.rows import COLUMNS, RIGHT_ALIGNED

UNITS = {NANOMETRES: "nm", RELATIVE: "rel."}
"""Units shown beside column titles, other than the document's length unit; degrees are shown with
each value.
"""


class Header(QHeaderView):
    """Column titles with dimmed units, aligned as their cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.unit = "mm"
        self.sorting: tuple[int, Qt.SortOrder] | None = None
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.ROW_HEIGHT)

    def unit_of(self, section: int) -> str:
        unit = COLUMNS[section].unit
        return self.unit if unit == LENGTH else UNITS.get(unit, "")

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        colors, column = theme.current(), COLUMNS[section]
        painter.save()
        painter.fillRect(rect, colors.color("panel"))
        painter.setPen(colors.color("separator"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(theme.text_font(theme.SMALL_SIZE))
        unit = self.unit_of(section)
        wide = painter.fontMetrics().horizontalAdvance(column.title)
        unit_wide = painter.fontMetrics().horizontalAdvance(" " + unit) if unit else 0
        inner = rect.adjusted(theme.GRID, 0, -theme.GRID, 0)
        left = (
            inner.right() + 1 - wide - unit_wide if column.name in RIGHT_ALIGNED else inner.left()
        )
        painter.setPen(colors.color("text"))
        painter.drawText(
            QRect(left, rect.top(), wide + 1, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            column.title,
        )
        painter.setPen(colors.color("dim"))
        painter.drawText(
            QRect(left + wide, rect.top(), unit_wide + 1, rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            " " + unit if unit else "",
        )
        if self.sorting is not None and self.sorting[0] == section:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.color("accent"))
            tip = 1 if self.sorting[1] == Qt.SortOrder.DescendingOrder else -1
            middle, base = QPointF(rect.right() - theme.HALF, rect.center().y() + 0.5), 2.0 * tip
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawPolygon(
                [middle + QPointF(-3, -base), middle + QPointF(3, -base), middle + QPointF(0, base)]
            )
        painter.restore()
