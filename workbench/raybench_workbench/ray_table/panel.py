"""The ray table: the segments of the trace, or those of an answer. Selected rows are highlighted on
the canvas.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QThreadPool
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from raybench.analysis.answers.words import rays_counted
from raybench.analysis.rays.ray_filter import COMPARED
from raybench.trace.columns import Reading
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.file_names import ask_save_name
from raybench_workbench.panels.ray_words import decimals_of, text_of
from raybench_workbench.ray_table.header import Header
from raybench_workbench.ray_table.rows import COLUMNS, ChosenRows, RayModel, chosen_rows
from raybench_workbench.threads.latest import Latest
from raybench_workbench.threads.progress import with_progress
from raybench_workbench.tracing import OUTDATED
from raybench_workbench.words.copied_rows import add_copy
from raybench_workbench.words.labels import ElidedLabel, Hint, measurable

FILTER_WIDTHS = 80, 184
"""The smallest and the usual width of the filter's field, in pixels: in a small window the buttons
beside it need the room.
"""
MEASURED, LONGEST, WIDEST = 100, 5, 160
"""Number of rays and of their longest texts that give a column its width, and the largest width, in
pixels.
"""
PADDING = 2 * theme.GRID - 2
"""Pixels by which a column is wider than its longest text: as few as leave room for the ids of a
long session at an ordinary size.
"""
MANY = 20_000
"""Number of segments above which rows are chosen in a thread."""
MOST_SELECTED = 1000
"""Number of rays up to which those picked elsewhere are selected in the table."""
HINT = "No rays yet. A scene with a source fills this table."
NOTHING_PASSES = "No ray matches the filter and the highlight. “Show all rays” removes both."
NOTHING_MATCHES = (
    "No ray matches what is typed above. Type names, words of the table, or a condition such as"
    " power > 0.1."
)


class RayTable(QWidget):
    """The table, and above it a line that names the answer or filter whose rays it shows, with a
    button to show all rays.
    """

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.model = RayModel(self)
        self.table = QTableView(self)
        self._header = Header(self.table)
        self.table.setHorizontalHeader(self._header)
        self.table.setModel(self.model)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(theme.ROW_HEIGHT - theme.HALF)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setAccessibleName("Rays")
        self._header.setStretchLastSection(True)
        self._widths = [0] * len(COLUMNS)
        self.question = ElidedLabel(self)
        self._clear = QPushButton("Show all rays", self)
        theme.set_role(self._clear, "flat")
        self._clear.clicked.connect(document.show_all_rays)
        self.filter = QLineEdit(self)
        self.filter.setAccessibleName("Filter of the table")
        self.filter.setPlaceholderText("power > 0.1, Screen, reflect")
        words = (
            "names, interactions, ends, the rays of an answer such as R1, or one of"
            f" {', '.join(COMPARED)}"
        )
        self.filter.setToolTip(f"Conditions that must all hold: {words}.")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(FILTER_WIDTHS[0])
        self.filter.setMaximumWidth(FILTER_WIDTHS[1])
        self.filter.textChanged.connect(lambda: self._show())
        self.whole = QCheckBox("Whole paths", self)
        self.whole.setToolTip(
            "Light with the selected rays all before them and all that came of them"
        )
        self.whole.clicked.connect(self._whole_chosen)
        self.export_button = QPushButton("Export…", self)
        self.export_button.setToolTip("Write the rays of the table to a file")
        theme.set_role(self.export_button, "flat")
        self.export_button.clicked.connect(self.ask_export)
        self._bar = QWidget(self)
        theme.set_role(self._bar, "bar")
        line = QHBoxLayout(self._bar)
        line.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
        line.addWidget(
            self.filter, FILTER_WIDTHS[1]
        )  # it takes what room there is up to its usual width
        line.addWidget(self.whole)
        line.addWidget(self.question, 1)
        line.addWidget(self._clear)
        line.addWidget(self.export_button)
        add_copy(self.table, self._titles, document.failed.emit)
        whole_paths, export = QAction("Whole paths", self.table), QAction("Export…", self.table)
        whole_paths.setCheckable(True)
        whole_paths.triggered.connect(self._whole_chosen)
        self.whole.toggled.connect(whole_paths.setChecked)
        export.triggered.connect(self.ask_export)
        self.table.addActions([whole_paths, export])
        self.hint = Hint(HINT, self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(0)
        column_layout.addWidget(self._bar)
        column_layout.addWidget(self._stack)
        self._seen: tuple[object, ...] = ()
        self._choosing = Latest(
            self,
            document.failed.emit,
            "Choosing the rows of the ray table",
            pool=QThreadPool.globalInstance(),
        )
        self._ascending = True
        """Whether the rows of the table are in the order of the trace."""
        self._header.sectionClicked.connect(self.sort_by)
        self.table.selectionModel().selectionChanged.connect(self._selection_changed)
        document.fullResultReady.connect(self._show)
        document.opened.connect(self._opened)
        document.viewChanged.connect(self._view_changed)
        self._show()

    def _view_changed(self, view: View) -> None:
        if (view.highlight, view.ray_filter, view.specific_rays) != self._seen:
            self._show()
        elif not view.picked:
            self.table.clearSelection()
        else:
            self._select(view.picked)
        self.whole.setChecked(view.whole_paths)

    def _opened(self) -> None:
        self._widths = [0] * len(COLUMNS)
        self._show()

    def _fit_columns(self, result: TraceResult | None) -> None:
        """Make the columns wide enough for a sample of the trace. They only grow, so that an edit
        does not shift them.
        """
        if result is None or not len(result):
            return
        sample, decimals = (
            np.unique(np.linspace(0, len(result) - 1, MEASURED).astype(np.int64)),
            decimals_of(result),
        )
        reading, title_font = Reading(result, sample), theme.text_font(theme.SMALL_SIZE)
        for i, column in enumerate(COLUMNS):
            texts = sorted(
                {text_of(column, value, decimals) for value in column.values(reading)}, key=len
            )[-LONGEST:]
            title = theme.width_of(f"{column.title} {self._header.unit_of(i)}", title_font)
            width = min(
                max(title, *(theme.width_of(measurable(text)) for text in texts)) + PADDING, WIDEST
            )
            if width > self._widths[i]:
                self._widths[i] = width
                self.table.setColumnWidth(i, width)

    def _show(self, _: object = None) -> None:
        """Choose the rows, of many rays in a thread: filters and sorting would hold the window."""
        result, view = self._document.session.result, self._document.session.view
        self._seen = view.highlight, view.ray_filter, view.specific_rays
        answers = dict(self._document.session.answers)
        choose = partial(
            chosen_rows, result, view, self.filter.text(), answers, self._header.sorting
        )
        self._choosing.drop()
        if result is None or len(result) <= MANY:
            self._fill(result, choose())
        else:
            self._choosing.ask(choose, partial(self._fill, result))

    @property
    def settled(self) -> bool:
        """Whether the table shows the rows that were chosen last."""
        return not self._choosing.working

    def _fill(self, result: TraceResult | None, chosen: ChosenRows) -> None:
        """Show chosen rows."""
        document, view = self._document.document, self._document.session.view
        rays, rows, problem = view.highlight, chosen.rows, chosen.problem
        self._header.unit = document.unit
        fresh = rays is not None and result is not None and rays.revision == result.revision
        texts = []
        theme.set_role(self.filter, "error" if problem else "")
        if rays is not None:
            age = "" if fresh else ", of an earlier state of the scene: ask again"
            texts.append(
                f"{rays.name + ': ' if rays.name else ''}{rays.question}"
                f" ({rays_counted(len(rays))}{age})"
            )
        if view.filtered:
            texts.append(f"Shown: {view.description(document)} ({rays_counted(len(rows))})")
        if self.filter.text().strip() and not problem:
            texts.append(rays_counted(len(rows)))
        self._clear.setVisible(rays is not None or view.filtered)
        theme.set_role(
            self.question, "warning" if problem or not (fresh or rays is None) else "accent"
        )
        self.question.set_full_text(problem or " · ".join(texts))
        same = result is self.model.result
        if not same:
            self._fit_columns(result)
        self.model.show_rows(result, rows)
        self._ascending = chosen.ascending
        if (
            same
        ):  # other rows were asked for, or another order; after an edit the table stays where it is
            self.table.scrollToTop()
        self._select(view.picked)
        self.whole.setChecked(view.whole_paths)
        self.export_button.setEnabled(len(rows) > 0)
        passes = NOTHING_PASSES if rays is not None or view.filtered else NOTHING_MATCHES
        self.hint.setText(HINT if result is None or not len(result) else passes)
        self._stack.setCurrentWidget(self.table if len(rows) else self.hint)

    def sort_by(self, section: int) -> None:
        """Sort by a column: the first click ascending, the second descending, the third in the
        order of the trace.
        """
        ascending, descending = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        last = self._header.sorting
        following = {
            None: (section, ascending),
            (section, ascending): (section, descending),
            (section, descending): None,
        }
        self._header.sorting = following.get(last, (section, ascending))
        self._header.viewport().update()
        self._show()

    def _select(self, picked: PickedRays) -> None:
        """Select the rows of rays that were picked elsewhere, and bring the first into view."""
        selected = self._selected()
        if len(picked) > MOST_SELECTED or (
            len(picked) == len(selected) and np.isin(selected, picked.rows).all()
        ):
            return
        places = self._places(picked.rows).tolist()
        selection = QItemSelection()
        for place in places:
            selection.select(self.model.index(place, 0), self.model.index(place, len(COLUMNS) - 1))
        self.table.selectionModel().blockSignals(True)
        self.table.selectionModel().select(
            selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self.table.selectionModel().blockSignals(False)
        self.table.viewport().update()
        if places:
            self.table.scrollTo(self.model.index(places[0], 0))

    def _places(self, rays: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where some rays stand in the table, ascending, without those that are not in it."""
        rows = self.model.rows
        if not self._ascending:
            return np.flatnonzero(np.isin(rows, rays))
        rays = np.sort(rays)
        place = np.searchsorted(rows, rays)
        found: NDArray[np.int64] = (
            place[rows[np.minimum(place, len(rows) - 1)] == rays] if len(rows) else place[:0]
        )
        return found

    def _selected(self) -> NDArray[np.int64]:
        """The rows of the selected rays, (k,), in the order of the table."""
        ranges = sorted(
            (r.top(), r.bottom() + 1) for r in self.table.selectionModel().selection().toList()
        )
        parts = [self.model.rows[first:end] for first, end in ranges]
        return parts[0] if len(parts) == 1 else np.concatenate([*parts, self.model.rows[:0]])

    def _titles(self) -> list[str]:
        return [
            f"{column.title} {self._header.unit_of(i)}".strip() for i, column in enumerate(COLUMNS)
        ]

    def _whole_chosen(self, whole: bool) -> None:
        self._document.set_view(dataclasses.replace(self._document.session.view, whole_paths=whole))

    def ask_export(self) -> None:
        """Ask for a name, and write the rays of the table."""
        if (
            path := ask_save_name(self, "Export rays", "rays.csv", "Rays as CSV (*.csv)", (".csv",))
        ) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the rays of the table, in the order of the trace; an error is shown above the
        canvas.
        """
        from raybench.files.rays_export import RAY_WRITERS

        result, document, failed = self.model.result, self._document.document, self._document.failed
        if result is None:
            return
        if result.revision != document.revision:
            failed.emit(OUTDATED)
            return
        rays, write = (
            RaySet(np.sort(self.model.rows), "rays of the table", result.revision),
            RAY_WRITERS[".csv"],
        )
        with_progress(
            lambda progress: write(path, document, result, rays, progress),
            f"Writing {path.name}", self, lambda _: None, failed.emit,
        )  # fmt: skip

    def _selection_changed(self) -> None:
        if (
            self.model.result is not self._document.session.result
        ):  # the rows of a new trace are being chosen
            return
        view = self._document.session.view
        self._document.set_view(dataclasses.replace(view, picked=PickedRays(self._selected())))
