"""The table of a study's results: parameters, then measures. A click on a heading sorts it."""

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from raybench.analysis.measures.bound import Bound
from raybench.analysis.measures.measure import Measured, find_extremes
from raybench.scene.changes.quantity import unit_suffix
from raybench.study.optimise import Optimum
from raybench.study.request import StudyOutcome
from raybench.study.table import Table
from raybench.study.terms.parameter import relative_value_notes
from raybench.study.tolerance import Tolerance, root_sum_square
from raybench_workbench import theme
from raybench_workbench.studies.runner import StudyProgress
from raybench_workbench.translation import tr, translate_phrase, with_decimal_sign
from raybench_workbench.widgets import RIGHT, Index, set_whole_row_selection

COLUMN_PADDING = 3 * theme.GRID
"""Pixels of a column besides its text."""
MEASURED_ROWS = 20
"""Number of rows whose values give a column its width."""


class ResultsModel(QAbstractTableModel):
    """The table model of the results. ``order`` gives the result row of each displayed row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table: Table | None = None
        self.order: NDArray[np.int64] = np.zeros(0, np.int64)

    def show_table(self, table: Table | None) -> None:
        """Show the rows of another table in their own order."""
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
            text = self.table.cell(index.column(), value, ".7g")
            return "—" if math.isnan(value) else with_decimal_sign(text)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        across = orientation == Qt.Orientation.Horizontal
        if self.table is None or not across or role != Qt.ItemDataRole.DisplayRole:
            return None
        name, unit = self.table.columns[section], _unit_symbol(self.table.units[section])
        return f"{name}\n[{unit}]" if unit else name

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column, undefined values last. The selection is kept."""
        if self.table is None or not 0 <= column < len(self.table.columns):
            return
        self.layoutAboutToBeChanged.emit()
        values, before = self.table.rows[:, column], self.order
        down = order == Qt.SortOrder.DescendingOrder
        self.order = np.argsort(-values if down else values, kind="stable")
        place = np.argsort(self.order)  # where each row of the table is shown
        kept = self.persistentIndexList()
        moved = [self.index(int(place[before[old.row()]]), old.column()) for old in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()


class ResultsTable(QTableView):
    """The table widget of the results. ``chosen`` is emitted with the selected row of the study, -1
    for none.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ResultsModel(self)
        self.setModel(self.rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        set_whole_row_selection(self, tr("Rows of the study"), theme.ROW_HEIGHT)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(
            lambda now, _before: self.chosen.emit(self._study_row_at(now))
        )

    def show_table(self, table: Table | None) -> None:
        """Show the rows of a study. Selected rows that still exist stay selected."""
        row = self._study_row_at(self.currentIndex())
        self.rows.show_table(table)
        if table is not None:
            header = self.horizontalHeader()
            self.rows.sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
            self._fit_columns()
            self.select_row(row)

    def _fit_columns(self) -> None:
        """Make each column as wide as its heading and its last values, so that two columns fit
        beside the plot in a window of default size.
        """
        last = range(self.rows.rowCount())[-MEASURED_ROWS:]
        for column in range(self.rows.columnCount()):
            heading = self.rows.headerData(column, Qt.Orientation.Horizontal)
            texts = [self.rows.index(row, column).data() for row in last]
            width = max(map(theme.text_pixel_width, [*heading.split("\n"), *texts]))
            self.setColumnWidth(column, width + COLUMN_PADDING)

    def select_row(self, row: int) -> None:
        """Select a row of the study."""
        found = np.flatnonzero(self.rows.order == row)
        if len(found):
            self.setCurrentIndex(self.rows.index(int(found[0]), 0))

    def _study_row_at(self, index: QModelIndex) -> int:
        known = index.isValid() and index.row() < len(self.rows.order)
        return int(self.rows.order[index.row()]) if known else -1


def column_title(table: Table, column: int) -> str:
    """The title of a column with its unit, in the language of the window."""
    unit = _unit_symbol(table.units[column])
    return f"{table.columns[column]} ({unit})" if unit else table.columns[column]


def _unit_symbol(unit: str) -> str:
    return _unit_suffix(unit).lstrip()


def _unit_suffix(unit: str) -> str:
    """The text of a unit after a number, in the language of the window."""
    return unit_suffix(translate_phrase(unit))


MOST_LINES = 60
"""Lines on parameters and measures that are shown; those on yields, and notes, all are."""


def study_summary(progress: StudyProgress, table: Table | None) -> str:
    """The summary of a study: extremes of a sweep, values of an optimum, or spread and yield of a
    tolerance. Also why measures are undefined, and how much light the results lack.
    """
    if table is None or not len(table.rows) or progress.experiment is None:
        return ""
    parameters, outcome = progress.experiment.parameters, progress.outcome
    note = [tr("{fault}.", fault=text) for text in (table.paths_note, table.note) if text]
    if outcome is not None and outcome.optimum is not None:
        lines, note = _optimum_lines(outcome.optimum), []  # its notes say what powers leave out
    elif outcome is not None and outcome.tolerance is not None:
        rows = [row for _, row in progress.rows]
        lines = _tolerance_lines(outcome, outcome.tolerance, rows)
    else:
        lines = _extremes_lines(table, len(parameters), progress.experiment.measures)
    reasons = dict.fromkeys(m.reason for _, row in progress.rows for m in row if not m.defined)
    return "\n".join(
        [*lines, *list(reasons)[:2], *note, *map(tr, relative_value_notes(parameters))]
    )


def _first_lines(lines: list[str]) -> list[str]:
    """The first lines, followed by a line with the number of the others if there are too many."""
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], tr("and {more} more lines", more=more)]


def row_text(table: Table, row: int, count: int | None = None) -> str:
    """The numbers of a row as one line of text, for all columns or for the first ``count``."""
    cells = zip(table.columns, table.rows[row].tolist(), table.units, strict=True)
    texts = [
        f"{name} = {with_decimal_sign(table.cell(i, value, '.6g'))}{_unit_suffix(unit)}"
        if math.isfinite(value)
        else tr("{name} undefined", name=name)
        for i, (name, value, unit) in enumerate(islice(cells, count))
    ]
    if count is None and (other := table.other_paths[row : row + 1]) and other[0]:
        texts.append(tr("another path: {other}", other=other[0]))
    return ", ".join(texts)


def _extremes_lines(table: Table, parameters: int, measures: Sequence[Bound]) -> list[str]:
    lines = []
    for column, measure in enumerate(measures, parameters):
        values = table.rows[:, column]
        found = find_extremes(values, measure.period, signed=measure.signed)
        if found is None:
            continue
        unit = _unit_suffix(table.units[column])
        least, most = (
            tr("{value:.6g}{unit}", value=float(values[row]), unit=unit)
            for row in (found.least, found.most)
        )
        text = tr(
            "least {least} at {row}, most {most} at {other}",
            least=least,
            row=row_text(table, found.least, parameters),
            most=most,
            other=row_text(table, found.most, parameters),
        )
        if measure.period or measure.signed:
            text += tr(", a range of {spread:.6g}{unit}", spread=found.spread, unit=unit)
        if values[found.least] == values[found.most]:
            text = tr("{least} throughout", least=least)
        lines.append(f"{table.columns[column]}: {text}")
    return _first_lines(lines)


def _optimum_lines(found: Optimum) -> list[str]:
    begun = found.experiment.base_document
    lines = [
        f"{b.parameter.text}: {with_decimal_sign(b.parameter.value_text(b.now))} →"
        f" {with_decimal_sign(b.parameter.value_text(v, '.8g'))}"
        f"{_unit_suffix(b.parameter.unit_text(begun))}"
        for b, v in zip(found.bounds, found.values, strict=True)
    ]
    for goal, before, after, met in zip(
        found.goals, found.before, found.after, found.met, strict=True
    ):
        lines.append(f"{goal}: {_change_text(before, after)}" + ("" if met else tr(", not met")))
    lines += [
        f"{after.expression}: {_change_text(before, after)}" for before, after in found.measured
    ]
    state = "" if found.complete else tr("Stopped; the best so far. ")
    return [
        *_first_lines(lines),
        tr(
            "{state}{evaluations} evaluations{number}{method}",
            state=state,
            evaluations=found.evaluations,
            number=", " * bool(found.method),
            method=found.method,
        ),
        *found.notes,
    ]


def _change_text(before: Measured, after: Measured) -> str:
    change = with_decimal_sign(f"{before.digits} → {after.digits}")
    return f"{change}{_unit_suffix(after.unit)}"


def _tolerance_lines(
    outcome: StudyOutcome, study: Tolerance, rows: Sequence[tuple[Measured, ...]]
) -> list[str]:
    lines, base = [], study.experiment.base_document
    for i, spread in enumerate(study.spreads(rows)):
        unit = _unit_suffix(spread.measure.unit.symbol(base.unit, base.power_unit))
        value = with_decimal_sign(f"{spread.mean:.6g} ± {spread.deviation:.3g}")
        lines.append(f"{spread.measure.expression}: {value}{unit}")
        if len(outcome.sensitivities) == len(study.deviations):
            lines[-1] += tr(
                " (linear ± {change:.3g}{unit})",
                change=root_sum_square(outcome.sensitivities, i),
                unit=unit,
            )
            for s in outcome.sensitivities:
                change = max(map(abs, s.changes(i, outcome.nominal)))
                lines.append(
                    tr(
                        "   {words} alone: ± {change:.3g}{unit}",
                        words=s.deviation.parameter.text,
                        change=change,
                        unit=unit,
                    )
                )
    yields = []
    for y in study.yields(rows):
        low, high = (100 * bound for bound in y.interval)
        yields.append(
            tr(
                "yield, {of}: {number:.3g} % ({low:.3g} to {high:.3g} %)",
                of=y.of,
                number=100 * y.share,
                low=low,
                high=high,
            )
        )
    return [*_first_lines(lines), *yields]
