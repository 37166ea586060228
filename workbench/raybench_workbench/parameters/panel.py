"""The panel of a scene's numbers: a table to search, sort and edit, with sliders above it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.csv_text import csv_table
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.lens_data.cell_table import CellTable
from raybench_workbench.parameters.model import LINK, SLIDER, TITLES, VALUE, NumberModel
from raybench_workbench.parameters.sliders import Sliders
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedLabel,
    Hint,
    SearchField,
    column_layout,
    push_button,
    row_layout,
    set_vertical_scrolling,
)

FILTER_WIDTH = 200
MOST_SLIDERS = 0.4
"""The largest part of the panel's height that sliders take; more of them scroll."""
NO_NUMBER = tr("No number matches. Type words of its object, its name or its link.")
NOTHING_SELECTED = tr("Nothing is selected that has numbers.")


class ParameterPanel(QWidget):
    """The table and the sliders of the numbers of the scene or the selection."""

    studyRequested = Signal(str, str)
    """The kind of study, empty for the present one, and the parameter that it varies."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self.model = NumberModel(document, self)
        self.table = CellTable(self.model, tr("Parameters"), self)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        theme.set_role(self.table, "boxes")
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setStretchLastSection(True)
        header.sortIndicatorChanged.connect(self.model.sort)
        self.filter = SearchField(tr("Filter of the parameters"), tr("Filter", "rows"))
        self.filter.setMaximumWidth(FILTER_WIDTH)
        self.filter.textChanged.connect(self._filter_rows)
        self.filter.listEntered.connect(self.table.setFocus)
        self.selected_only = QCheckBox(tr("Selection only"))
        self.selected_only.toggled.connect(self._filter_rows)
        self.note = ElidedLabel()
        self.export_button = push_button(
            tr("Export…"), self.ask_export, tip=tr("Write the table to a file")
        )
        bar = QWidget()
        theme.set_role(bar, "bar")
        row_layout(
            (self.filter, FILTER_WIDTH),
            self.selected_only,
            (self.note, 1),
            self.export_button,
            on=bar,
            margins=(theme.GRID, 0, theme.GRID, 0),
        )
        self.sliders = Sliders(document)
        self._slider_area = QScrollArea()
        set_vertical_scrolling(self._slider_area, self.sliders, tr("Sliders"))
        self.hint = Hint(NO_NUMBER)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        column_layout(bar, self._slider_area, (self._stack, 1), on=self, margins=0, spacing=0)
        self._slider_area.hide()
        self._copy = self._add_action(tr("Copy"), QKeySequence.StandardKey.Copy, self.copy)
        self._paste = self._add_action(tr("Paste"), QKeySequence.StandardKey.Paste, self.paste)
        self._is_stale = True
        self.model.modelReset.connect(self._show_rows)
        self.model.refused.connect(self._show_state)
        self.sliders.removed.connect(self.model.toggle_slider)
        self.table.selectionModel().currentChanged.connect(self._show_state)
        document.changed.connect(self._update_table)
        selection.changed.connect(self._filter_by_selection)
        theme.notifier.changed.connect(self.table.viewport().update)
        if self.isVisible():
            self._update_table()

    def _add_action(self, title: str, key: QKeySequence.StandardKey, act: object) -> QAction:
        action = QAction(title, self.table)
        action.setShortcut(key)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(act)
        self.table.addAction(action)
        return action

    # --- what is shown

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._update_table()

    def _update_table(self, *_: object) -> None:
        self._is_stale = not self.isVisible()
        if self._is_stale:
            return
        at, bar = self.table.currentIndex(), self.table.verticalScrollBar()
        rows, scrolled = self.model.rows, bar.value()
        self.model.update_numbers()
        self._show_sliders()
        if self.model.rows is not rows:  # other rows; the current one stays
            place = rows[at.row()].parameter.identity if at.isValid() else None
            places = [n.parameter.identity for n in self.model.rows]
            if place in places:
                self.table.setCurrentIndex(self.model.index(places.index(place), at.column()))
            bar.setValue(scrolled)

    def _filter_by_selection(self, *_: object) -> None:
        if self.selected_only.isChecked():
            self._filter_rows()

    def _filter_rows(self, *_: object) -> None:
        keys = self._selection.keys if self.selected_only.isChecked() else None
        self.model.filter_rows(self.filter.text(), keys)
        self.table.scrollToTop()

    def _show_state(self, *_: object) -> None:
        """Show the table or the reason why it is empty, and the reason why the input of the current
        cell is refused.
        """
        is_empty = not self.model.rows
        self.hint.setText(
            NOTHING_SELECTED
            if self.selected_only.isChecked() and not self._selection.keys
            else NO_NUMBER
        )
        self._stack.setCurrentWidget(self.hint if is_empty else self.table)
        self.export_button.setEnabled(not is_empty)
        at = self.table.currentIndex()
        refusal = self.model.refusals.get((at.row(), at.column()))
        theme.set_role(self.note, "error" if refusal else "dim")
        count = len(self.model.rows)
        self.note.set_full_text(
            refusal.reason
            if refusal
            else tr("1 number")
            if count == 1
            else tr("{count} numbers", count=count)
        )

    def _show_rows(self) -> None:
        self._show_state()
        self.table.fit_columns()

    def _show_sliders(self) -> None:
        self.sliders.show_numbers(self.model.sliders)
        self._slider_area.setVisible(bool(self.sliders.rows))
        self._fit_sliders()

    def _fit_sliders(self) -> None:
        """Give the sliders the height that they need, if there is enough space."""
        wanted = self.sliders.needed_height
        self._slider_area.setFixedHeight(min(wanted, max(round(MOST_SLIDERS * self.height()), 48)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sliders()

    # --- copy, paste and export

    def copy(self) -> None:
        """Copy the selected cells, one line for each row with tabs between the cells, and with all
        digits.
        """
        chosen = self.table.selectionModel().selectedIndexes()
        rows = sorted({i.row() for i in chosen})
        columns = sorted({i.column() for i in chosen} - {SLIDER})
        lines = ("\t".join(self.model.edited_text(r, c) for c in columns) for r in rows)
        if rows and columns:
            QApplication.clipboard().setText("\n".join(lines))

    def paste(self) -> None:
        """Paste a column of numbers or expressions from the current row on. A single value goes
        into all selected rows.
        """
        at = self.table.currentIndex()
        texts = QApplication.clipboard().text().rstrip("\n").split("\n")
        if not at.isValid() or not texts:
            return
        reason = ""
        if any("\t" in text for text in texts):
            reason = tr("Several columns are pasted. Copy one column of numbers.")
        else:
            rows = sorted({i.row() for i in self.table.selectionModel().selectedIndexes()})
            consecutive = rows == list(range(rows[0], rows[0] + len(rows))) if rows else False
            first = at.row()
            if len(texts) == 1 and len(rows) > 1 and consecutive:
                first, texts = rows[0], texts * len(rows)
            reason = self.model.paste(first, LINK if at.column() == LINK else VALUE, texts)
        if reason:
            self._document.failed.emit(reason)

    def ask_export(self) -> None:
        """Ask for a file name and write the rows of the table to the file."""
        filters = tr("Table as CSV (*.csv)")
        path = ask_save_name(self, tr("Export parameters"), "parameters.csv", filters, (".csv",))
        if path is not None:
            self.export_table(path)

    def export_table(self, path: Path) -> None:
        """Write the rows of the table to a file as CSV."""
        columns = range(SLIDER + 1, len(TITLES))
        rows = range(len(self.model.rows))
        cells = ([self.model.edited_text(row, c) for c in columns] for row in rows)
        try:
            write_bytes(path, csv_table([TITLES[c] for c in columns], cells).encode())
        except (RaybenchError, OSError) as error:
            self._document.failed.emit(str(error))

    # --- menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = self.table.currentIndex()
        if not at.isValid() or not self.table.underMouse():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, at.row())
        menu.popup(event.globalPos())

    def fill_menu(self, menu: QMenu, row: int) -> None:
        """Add the actions for the number in a row to a menu."""
        from raybench.study.request import (
            STUDY_KINDS,
        )  # imports scipy: the first window does without

        number = self.model.rows[row]
        menu.addActions([self._copy, self._paste])
        menu.addSeparator()
        slider = menu.addAction(tr("Slider"), partial(self.model.toggle_slider, number))
        slider.setCheckable(True)
        slider.setChecked(number.parameter.text in self._document.document.sliders)
        unlink = menu.addAction(
            tr("Unlink"), lambda: self.model.setData(self.model.index(row, LINK), "")
        )
        unlink.setEnabled(bool(self.model.edited_text(row, LINK)))
        menu.addSeparator()
        for kind in STUDY_KINDS:
            title = f"{kind.capitalize()}…"
            ask = partial(self.studyRequested.emit, kind, number.parameter.text)
            menu.addAction(tr(title), ask)
        add = partial(self.studyRequested.emit, "", number.parameter.text)
        menu.addAction(tr("Add to study"), add)
