"""The rows of a study as a table: parameters, then measures; sorted by a click on a heading."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from raybench.study.table import Table
from raybench_workbench import theme

Index = QModelIndex | QPersistentModelIndex
PADDING = 3 * theme.GRID
"""Pixels of a column besides its text."""
MEASURED = 20
"""Number of rows whose values give a column its width."""


class ResultsModel(QAbstractTableModel):
    """The rows in the order that is shown; ``order`` maps shown rows to those of the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table: Table | None = None
        self.order: NDArray[np.int64] = np.zeros(0, np.int64)

    def show_table(self, table: Table | None) -> None:
        """Show another table, in its own order."""
        self.beginResetModel()
        self.table = table
        self.order = np.arange(0 if table is None else len(table.rows))
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.table is None else len(self.table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.table is not None and role == Qt.ItemDataRole.DisplayRole:
            value = float(self.table.rows[self.order[index.row()], index.column()])
            return "—" if math.isnan(value) else f"{value:.7g}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if (
            self.table is not None
            and orientation == Qt.Orientation.Horizontal
            and role == Qt.ItemDataRole.DisplayRole
        ):
            name, unit = self.table.columns[section], self.table.units[section]
            return f"{name}\n[{unit}]" if unit else name
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; undefined values come last. What is selected stays selected."""
        if self.table is None or not 0 <= column < len(self.table.columns):
            return
        self.layoutAboutToBeChanged.emit()
        values = self.table.rows[:, column]
        kept = [(index, int(self.order[index.row()])) for index in self.persistentIndexList()]
        self.order = np.argsort(
            values if order == Qt.SortOrder.AscendingOrder else -values, kind="stable"
        )
        place = np.argsort(self.order)  # where each row of the table is shown
        self.changePersistentIndexList(
            [old for old, _ in kept],
            [self.index(int(place[row]), old.column()) for old, row in kept],
        )
        self.layoutChanged.emit()


class ResultsTable(QTableView):
    """``chosen`` is emitted with the row of the study that is selected, -1 for none."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ResultsModel(self)
        self.setModel(self.rows)
        self.setAccessibleName("Rows of the study")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(
            lambda now, _before: self.chosen.emit(self._row_of(now))
        )

    def show_table(self, table: Table | None) -> None:
        """Show the rows of a study; the selection is kept by row."""
        row = self._row_of(self.currentIndex())
        self.rows.show_table(table)
        if table is not None:
            self.rows.sort(
                self.horizontalHeader().sortIndicatorSection(),
                self.horizontalHeader().sortIndicatorOrder(),
            )
            self._fit_columns()
        if row >= 0 and table is not None:
            self.select(row)

    def _fit_columns(self) -> None:
        """Make each column as wide as its heading and its last values, so that two fit beside the
        plot in a window of the default size.
        """
        count = self.rows.rowCount()
        for column in range(self.rows.columnCount()):
            heading = self.rows.headerData(column, Qt.Orientation.Horizontal)
            values = [
                self.rows.data(self.rows.index(row, column))
                for row in range(max(0, count - MEASURED), count)
            ]
            self.setColumnWidth(
                column, max(map(theme.width_of, [*heading.split("\n"), *values])) + PADDING
            )

    def select(self, row: int) -> None:
        """Select a row of the study."""
        found = np.flatnonzero(self.rows.order == row)
        if len(found):
            self.setCurrentIndex(self.rows.index(int(found[0]), 0))

    def _row_of(self, index: QModelIndex) -> int:
        return (
            int(self.rows.order[index.row()])
            if index.isValid() and index.row() < len(self.rows.order)
            else -1
        )
