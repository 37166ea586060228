"""The rows of the ray table: which rays a filter and a highlight leave, in which order, and what
their cells say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from raybench.analysis.rays.ray_filter import InvalidRowFilter, filtered_rows
from raybench.trace.columns import Column, IncompleteColumn, Reading, written
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View
from raybench_workbench.panels.ray_words import FORMATS, decimals_of, text_of

Index = QModelIndex | QPersistentModelIndex
COLUMNS = written(
    "title",
    (
        "id",
        "p1",
        "end",
        "length",
        "total_power",
        "degree_of_polarization",
        "wavelength",
        "interaction",
        "status",
        "object",
    ),
)
"""The table's columns; columns not named here follow in the order of `raybench.trace.columns`."""
if unformatted := [column.name for column in COLUMNS if (column.value, column.unit) not in FORMATS]:
    raise IncompleteColumn(
        f"The ray table cannot show {unformatted[0]!r}: give its type and unit a format in FORMATS."
    )
RIGHT_ALIGNED = {
    column.name for column in COLUMNS if column.value is not str or column.name == "id"
}


def sort_keys(result: TraceResult, column: Column) -> NDArray[np.float64]:
    """Numbers in whose order rows are sorted by a column, (n,): texts by the alphabet, places by x,
    what has no value last (NaN).
    """
    stored = getattr(result, column.name, None)
    if column.vocabulary is not None:
        words = {int(word): word.word for word in column.vocabulary}
        ranks = {
            code: rank for rank, code in enumerate(sorted(words, key=lambda code: words[code]))
        }
        return np.array([ranks.get(code, np.nan) for code in range(256)], np.float64)[stored]
    if column.name == "id":
        return np.arange(len(result), dtype=np.float64)
    if column.name == "object":
        order = np.argsort(
            np.array([name.lower() for name in result.object_names] or [""]), kind="stable"
        )
        ranks_of = np.full(len(order) + 1, np.nan)
        ranks_of[order] = np.arange(len(order))
        return ranks_of[result.hit]
    if column.name == "end":
        return np.where(result.escaped, np.nan, result.p2[:, 0])
    if isinstance(stored, np.ndarray) and stored.ndim == 2:
        return stored[:, 0]
    return column.numbers(result)


@dataclass(frozen=True, eq=False)
class ChosenRows:
    """Rows of a result in the order of the table, and why the filter cannot be read; it is left out
    then. ``ascending``: the order is that of the trace.
    """

    rows: NDArray[np.int64]
    problem: str = ""
    ascending: bool = True


def chosen_rows(
    result: TraceResult | None,
    view: View,
    text: str,
    answers: Mapping[str, RaySet],
    sorting: tuple[int, Qt.SortOrder] | None,
) -> ChosenRows:
    """The rows that the highlight, the filter of the view and that of the table leave, sorted by a
    column in a direction or, without one, in the order of the trace.
    """
    if result is None:
        return ChosenRows(np.zeros(0, np.int64))
    kept, problem = np.ones(len(result), bool), ""
    lit = (
        view.highlight.rows
        if view.highlight is not None and view.highlight.revision == result.revision
        else None
    )
    for rows in (lit, view.visible_rows(result)):
        if rows is not None:
            kept &= _mask(rows, len(result))
    if text.strip():
        try:
            kept &= _mask(filtered_rows(result, text, answers), len(result))
        except InvalidRowFilter as error:
            problem = str(error)
    rows = np.flatnonzero(kept)
    if sorting is not None:
        keys = sort_keys(result, COLUMNS[sorting[0]])[rows]
        down = sorting[1] == Qt.SortOrder.DescendingOrder
        rows = rows[np.argsort(-keys if down else keys, kind="stable")]
    return ChosenRows(rows, problem, sorting is None)


def _mask(rows: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, bool)
    mask[rows] = True
    return mask


class RayModel(QAbstractTableModel):
    """Some rows of a result; texts are formatted only for visible cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result: TraceResult | None = None
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._decimals = 2

    def show_rows(self, result: TraceResult | None, rows: NDArray[np.int64]) -> None:
        """Show some rows in this order."""
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
            return text_of(column, value, self._decimals)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if column.name in RIGHT_ALIGNED
                else Qt.AlignmentFlag.AlignLeft
            )
            return Qt.AlignmentFlag.AlignVCenter | side
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            words = COLUMNS[section].words
            return f"{words[0].upper()}{words[1:]}."
        return None
