"""The dialog that lists the differences between the open scene and a file or another open scene,
value by value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMenu,
    QTableWidget,
    QTableWidgetItem,
)

from raybench.files.shared import read_shared
from raybench.phrase import Phrase
from raybench.scene.changes.differences import (
    ValueDifference,
    document_differences,
    match_object_keys,
)
from raybench.scene.document import Document
from raybench_workbench.dialogs import ask_open_name, dialog_column_layout
from raybench_workbench.files import FILTER
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import WrappedLabel, set_whole_row_selection
from raybench_workbench.window.tabs import open_pages, scene_title

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

DIALOG_SIZE = (720, 420)
MOST_ROWS = 2000
"""Differences that are listed."""


class CompareDialog(QDialog):
    """Lists the differences between the open scene and another one, without blocking the window. A
    click on a row selects the object.
    """

    def __init__(self, window: MainWindow, name: str, rows: tuple[ValueDifference, ...]) -> None:
        super().__init__(window)
        self._window, self._differences = window, rows
        self.setWindowTitle(tr("Compared with {name}", name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*DIALOG_SIZE)
        count = tr("1 difference") if len(rows) == 1 else tr("{count} differences", count=len(rows))
        more = (
            tr(", of which the first {most} are listed", most=MOST_ROWS)
            if len(rows) > MOST_ROWS
            else ""
        )
        differ = tr(
            "{count} from {name}{more}. Objects are the same where name and kind are.",
            count=count,
            name=name,
            more=more,
        )
        self.summary = WrappedLabel(
            differ if rows else tr("This scene is equal to {name}.", name=name), self
        )
        self.rows = QTableWidget(min(len(rows), MOST_ROWS), 4, self)
        self.rows.setHorizontalHeaderLabels([tr("Object"), tr("Value"), name, tr("Here")])
        set_whole_row_selection(self.rows, tr("Differences"))
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for row, difference in enumerate(rows[:MOST_ROWS]):
            after = difference.after or Phrase("deleted")
            texts = (difference.subject, difference.label, difference.before, after)
            for place, text in enumerate(map(translate_phrase, texts)):
                item = QTableWidgetItem(text)
                item.setToolTip(literal_tool_tip(text))
                self.rows.setItem(row, place, item)
        self.rows.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.rows.setVisible(bool(rows))
        self.rows.itemSelectionChanged.connect(self._select_changed_object)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.copy_button = buttons.addButton(
            tr("Copy as text"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.copy_button.setEnabled(bool(rows))
        self.copy_button.clicked.connect(
            lambda: QApplication.clipboard().setText("\n".join(map(str, rows)))
        )
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        dialog_column_layout(self, self.summary, (self.rows, 1), buttons)
        if not rows:
            self.resize(DIALOG_SIZE[0] // 2, self.sizeHint().height())

    def _select_changed_object(self) -> None:
        scene = self._window.document.scene
        keys = {self._differences[index.row()].key for index in self.rows.selectedIndexes()}
        self._window.selection.set(k for k in keys if k is not None and scene.get(k) is not None)


def ask_file_to_compare(window: MainWindow) -> None:
    """Ask for a file and show how the open scene differs from it."""
    path = ask_open_name(window, tr("Compare with a scene"), window.document.folder, FILTER)
    if path is not None:
        show_differences_from(window, path)


def show_differences_from(window: MainWindow, path: Path) -> None:
    """Show how the open scene differs from a file. An error is reported if the file cannot be read."""
    _show_differences(window, path.name, lambda: read_shared(path, pipes=False).document)


def fill_scenes_menu(page: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the other open scenes. An entry compares its scene with this one."""
    menu.clear()
    for other in open_pages():
        if other is not page:
            title = literal_label_text(scene_title(other))
            menu.addAction(title, partial(show_differences_from_scene, page, other))
    if menu.isEmpty():
        menu.addAction(tr("No other scene is open")).setEnabled(False)


def show_differences_from_scene(window: MainWindow, other: MainWindow) -> None:
    """Show how the open scene differs from that of another tab."""
    document = other.document.document
    _show_differences(window, scene_title(other), lambda: document)


def _show_differences(window: MainWindow, name: str, read: Callable[[], Document]) -> None:
    current = window.document.document

    def compare() -> tuple[ValueDifference, ...]:
        other = match_object_keys(read(), current.scene.objects)
        return document_differences(other, current)

    run_in_background(
        window,
        compare,
        lambda rows: CompareDialog(window, name, rows).show(),
        lambda error: window.document.failed.emit(
            error_reason(error, tr("Comparing with {name}", name=name))
        ),
    )
