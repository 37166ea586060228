"""The ray table: the segments of the trace, or those of an answer. Selected rows are highlighted on the canvas."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
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
    QSizePolicy,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.trace.columns import LENGTH, NANOMETRES, RELATIVE, IncompleteColumn, Reading, written
from core.trace.results.result import TraceResult
from core.view import View
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.messages import ElidedLabel
from workbench.panels.number_edit import format_decimals

Index = QModelIndex | QPersistentModelIndex
UNITS = {NANOMETRES: "nm"}
"""Units shown beside column titles, other than the document's length unit; powers have none."""
PADDING = 6
"""Free pixels on each side of a text in the header."""
HINT = "No rays yet. A scene with a source fills this table."
NOTHING_PASSES = "No ray matches the filter and the highlight. “Show all rays” removes both."


def decimals_of(result: TraceResult) -> int:
    """The number of decimals that resolves 1e-5 of the extent of the traced rays."""
    if not len(result):
        return 2
    ends = result.p1
    if not np.ptp(ends, axis=0).any():
        ends = np.concatenate([result.p1, result.p2[~result.escaped]])
    size = float(np.ptp(ends, axis=0).max()) or float(np.abs(ends).max()) or 1.0
    return 5 - math.ceil(math.log10(size))


def _point(value: Sequence[float] | float, decimals: int) -> str:
    """A point as text; for the end of an escaping ray (a float) its direction in degrees."""
    if isinstance(value, float):
        return f"∞ at {value:.1f}°"
    return f"{format_decimals(value[0], decimals)}, {format_decimals(value[1], decimals)}"


def _length(value: float, decimals: int) -> str:
    return "∞" if math.isinf(value) else format_decimals(value, decimals + 1)


def _power(value: float, _: int) -> str:
    return f"{value:.5f}" if value >= 1e-3 or value == 0 else f"{value:.2e}"


FORMATS: dict[tuple[type, str], Callable[[Any, int], str]] = {
    (tuple, LENGTH): _point,
    (float, LENGTH): _length,
    (float, RELATIVE): _power,
    (float, NANOMETRES): lambda value, _: f"{value:.1f}",
    (float, ""): lambda value, _: f"{value:.4f}",
    (int, ""): lambda value, _: str(value),
    (bool, ""): lambda value, _: "yes" if value else "no",
    (str, ""): lambda value, _: str(value),
}
"""Formatting functions by value type and unit; arguments are the value and the number of decimals of lengths."""
COLUMNS = written(
    "title", ("id", "p1", "end", "length", "total_power", "degree_of_polarization", "wavelength", "interaction", "status", "object")
)
"""The table's columns; columns not named here follow in the order of `core.trace.columns`."""
if unformatted := [column.name for column in COLUMNS if (column.value, column.unit) not in FORMATS]:
    raise IncompleteColumn(f"The ray table cannot show {unformatted[0]!r}: give its type and unit a format in FORMATS.")
RIGHT_ALIGNED = {column.name for column in COLUMNS if column.value is not str or column.name == "id"}


class RayModel(QAbstractTableModel):
    """Some rows of a result; texts are formatted only for visible cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TraceResult | None = None
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._decimals = 2

    def show_rows(self, result: TraceResult | None, rows: NDArray[np.int64]) -> None:
        self.beginResetModel()
        self.result, self.rows = result, rows
        self._decimals = decimals_of(result) if result is not None else 2
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole and self.result is not None:
            (value,) = column.values(Reading(self.result, self.rows[index.row()][None]))
            return "—" if value is None else FORMATS[column.value, column.unit](value, self._decimals)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.name in RIGHT_ALIGNED else Qt.AlignmentFlag.AlignLeft
            return Qt.AlignmentFlag.AlignVCenter | side
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            words = COLUMNS[section].words
            return f"{words[0].upper()}{words[1:]}."
        return None


class _Header(QHeaderView):
    """Column titles with dimmed units, aligned as their cells."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.unit = "mm"
        self.setHighlightSections(False)
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
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        left = inner.right() + 1 - wide - unit_wide if column.name in RIGHT_ALIGNED else inner.left()
        painter.setPen(colors.color("text"))
        painter.drawText(QRect(left, rect.top(), wide + 1, rect.height()), Qt.AlignmentFlag.AlignVCenter, column.title)
        painter.setPen(colors.color("dim"))
        painter.drawText(
            QRect(left + wide, rect.top(), unit_wide + 1, rect.height()), Qt.AlignmentFlag.AlignVCenter, " " + unit if unit else ""
        )
        painter.restore()


class RayTable(QWidget):
    """The table, and above it a line that names the answer or filter whose rays it shows, with a button to show all rays."""

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
            self.table.setColumnWidth(i, max(theme.width_of(column.widest), title) + 2 * PADDING)
        self._header.setStretchLastSection(True)
        self.question = ElidedLabel(self)
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._clear = QPushButton("Show all rays", self)
        theme.set_role(self._clear, "flat")
        self._clear.clicked.connect(document.show_all_rays)
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
        self._seen: tuple[object, ...] = ()
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        document.fullResultReady.connect(self._show)
        document.opened.connect(self._show)
        document.viewChanged.connect(self._view_changed)
        self._show()

    def _view_changed(self, view: View) -> None:
        if (view.highlight, view.ray_filter, view.specific_rays) != self._seen:
            self._show()
        elif not view.picked:
            self.table.clearSelection()

    def _show(self, _: object = None) -> None:
        document, view = self._document.document, self._document.session.view
        result, rays = self._document.session.result, view.highlight
        self._seen = rays, view.ray_filter, view.specific_rays
        self._header.unit = document.unit
        visible = view.visible_rows(result) if result is not None else None
        fresh = rays is not None and result is not None and rays.revision == result.revision
        rows = np.arange(len(result)) if result is not None else np.zeros(0, np.int64)
        if rays is not None and fresh:
            rows = rays.rows
        if visible is not None:
            rows = np.intersect1d(rows, visible)
        texts = []
        if rays is not None:
            age = "" if fresh else ", of an earlier state of the scene: ask again"
            texts.append(f"{rays.name + ': ' if rays.name else ''}{rays.question} ({_counted(len(rays))}{age})")
        if view.filtered:
            texts.append(f"Shown: {view.words(document)} ({_counted(len(rows))})")
        self._bar.setVisible(bool(texts))
        theme.set_role(self.question, "accent" if fresh or rays is None else "warning")
        self.question.set_full_text(" · ".join(texts))
        self.model.show_rows(result, rows)
        self.hint.setText(HINT if result is None or not len(result) else NOTHING_PASSES)
        self._stack.setCurrentWidget(self.table if len(rows) else self.hint)

    def _selection_changed(self) -> None:
        parts = [np.arange(r.top(), r.bottom() + 1) for r in self.table.selectionModel().selection().toList()]
        indices = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
        view = self._document.session.view
        self._document.set_view(dataclasses.replace(view, picked=tuple(self.model.rows[indices].tolist())))


def _counted(n: int) -> str:
    return "1 ray" if n == 1 else f"{n:,} rays".replace(",", "\u2009")
