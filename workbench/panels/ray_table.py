"""The segments of the trace as a table, or those of an answer; what is selected in it is lit on the canvas."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.trace.codes import Interaction, Status
from core.trace.result import RaySet, TraceResult
from core.view import View
from workbench import theme
from workbench.document import WorkDocument

Index = QModelIndex | QPersistentModelIndex
HINT = "No rays yet. A scene with a source fills this table."


@dataclass(frozen=True)
class RayColumn:
    """A column: its title, its unit (``length`` is the document's), how a row's text is made, and the widest text it may hold."""

    title: str
    unit: str
    text: Callable[[TraceResult, int], str]
    widest: str
    number: bool = True


def _point(p: NDArray[np.float64]) -> str:
    return f"{p[0]:.2f}, {p[1]:.2f}"


def _length(result: TraceResult, row: int) -> str:
    if result.status[row] == Status.ESCAPED:
        return "∞"
    d = result.p2[row] - result.p1[row]
    return f"{float(np.hypot(d[0], d[1])):.3f}"


def _polarisation(result: TraceResult, row: int) -> str:
    s, p = result.power[row]
    return f"{abs(s - p) / (s + p):.4f}" if s + p > 0 else "—"


def _wavelength(result: TraceResult, row: int) -> str:
    value = float(result.wavelength[row])
    return "—" if np.isnan(value) else f"{value:.1f}"


def _hit(result: TraceResult, row: int) -> str:
    index = int(result.hit[row])
    return result.object_names[index] if 0 <= index < len(result.object_names) else "—"


COLUMNS = (
    RayColumn("ID", "", lambda r, i: r.segment_id(i), "r1000-100000"),
    RayColumn("From", "length", lambda r, i: _point(r.p1[i]), "-1000.00, -1000.00"),
    RayColumn("To", "length", lambda r, i: _point(r.p2[i]), "-10000.00, -10000.00"),
    RayColumn("Length", "length", _length, "10000.000"),
    RayColumn("Power", "", lambda r, i: f"{float(r.total_power[i]):.5f}", "10.00000"),
    RayColumn("DOP", "", _polarisation, "0.00000"),
    RayColumn("Wavelength", "nm", _wavelength, "540.0"),
    RayColumn("Interaction", "", lambda r, i: Interaction(r.interaction[i]).name.lower(), "diffract", number=False),
    RayColumn("Status", "", lambda r, i: Status(r.status[i]).name.lower().replace("_", "-"), "ill-defined", number=False),
    RayColumn("Hits", "", _hit, "Angle source 10", number=False),
)
"""The one table of what can be said about a segment in a cell."""


class RayModel(QAbstractTableModel):
    """Rows of a result, texts made only for the cells on show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TraceResult | None = None
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)

    def show_rows(self, result: TraceResult | None, rows: NDArray[np.int64]) -> None:
        self.beginResetModel()
        self.result, self.rows = result, rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole and self.result is not None:
            return column.text(self.result, int(self.rows[index.row()]))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        return None


class _Header(QHeaderView):
    """Titles with their unit dimmed, above the numbers they belong to."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.unit = "mm"
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.ROW_HEIGHT)

    def unit_of(self, section: int) -> str:
        unit = COLUMNS[section].unit
        return self.unit if unit == "length" else unit

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        look, column = theme.current(), COLUMNS[section]
        painter.save()
        painter.fillRect(rect, look.color("panel"))
        painter.setPen(look.color("separator"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.setFont(theme.text_font(theme.SMALL_SIZE))
        unit = self.unit_of(section)
        wide = painter.fontMetrics().horizontalAdvance(column.title)
        unit_wide = painter.fontMetrics().horizontalAdvance(" " + unit) if unit else 0
        inner = rect.adjusted(theme.GRID, 0, -theme.GRID, 0)
        left = inner.right() + 1 - wide - unit_wide if column.number else inner.left()
        painter.setPen(look.color("text"))
        painter.drawText(QRect(left, rect.top(), wide + 1, rect.height()), Qt.AlignmentFlag.AlignVCenter, column.title)
        painter.setPen(look.color("dim"))
        painter.drawText(
            QRect(left + wide, rect.top(), unit_wide + 1, rect.height()), Qt.AlignmentFlag.AlignVCenter, " " + unit if unit else ""
        )
        painter.restore()


class RayTable(QWidget):
    """The table, and above it a line that says which answer's rays it holds and lets them go."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.model = RayModel(self)
        self.table = QTableView(self)
        self._header = _Header(self.table)
        self.table.setHorizontalHeader(self._header)
        self.table.setModel(self.model)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT - theme.HALF)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setAccessibleName("Rays")
        for i, column in enumerate(COLUMNS):
            title = theme.width_of(f"{column.title} {self._header.unit_of(i)}", theme.text_font(theme.SMALL_SIZE))
            self.table.setColumnWidth(i, max(theme.width_of(column.widest), title) + 2 * theme.GRID)
        self._header.setStretchLastSection(True)
        self.question = QLabel(self)
        self._clear = QPushButton("Show all rays", self)
        theme.set_role(self._clear, "flat")
        self._clear.clicked.connect(lambda: document.highlight(None))
        self._bar = QWidget(self)
        theme.set_role(self._bar, "bar")
        line = QHBoxLayout(self._bar)
        line.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        line.addWidget(self.question, 1)
        line.addWidget(self._clear)
        self.hint = QLabel(HINT, self)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme.set_role(self.hint, "dim")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(0)
        column_layout.addWidget(self._bar)
        column_layout.addWidget(self._stack)
        self._highlight: RaySet | None = None
        self.table.selectionModel().selectionChanged.connect(self._picked)
        document.fullResultReady.connect(self._show)
        document.opened.connect(self._show)
        document.viewChanged.connect(self._view_changed)
        self._show()

    def _view_changed(self, view: View) -> None:
        if view.highlight is not self._highlight:
            self._show()
        elif not view.picked:
            self.table.clearSelection()

    def _show(self, _: object = None) -> None:
        result, self._highlight = self._document.session.result, self._document.session.view.highlight
        self._header.unit = self._document.document.unit
        rays = self._highlight
        fresh = rays is not None and result is not None and rays.revision == result.revision
        self._bar.setVisible(rays is not None)
        if rays is not None:
            count = f"{len(rays):,} rays".replace(",", "\u2009") if len(rays) != 1 else "1 ray"
            age = "" if fresh else ", of an earlier state of the scene: ask again"
            theme.set_role(self.question, "accent" if fresh else "warning")
            self.question.setText(f"{rays.name + ': ' if rays.name else ''}{rays.question} ({count}{age})")
        every = np.arange(len(result)) if result is not None else np.zeros(0, np.int64)
        rows = rays.rows if rays is not None and fresh else every
        self.model.show_rows(result, rows)
        self._stack.setCurrentWidget(self.table if len(rows) else self.hint)

    def _picked(self) -> None:
        parts = [np.arange(r.top(), r.bottom() + 1) for r in self.table.selectionModel().selection().toList()]
        places = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
        view = self._document.session.view
        self._document.set_view(dataclasses.replace(view, picked=tuple(self.model.rows[places].tolist())))
