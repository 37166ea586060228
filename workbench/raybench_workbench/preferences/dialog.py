"""The dialog of preferences: a row for each of the table; a choice takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from raybench_workbench import theme
from raybench_workbench.widgets import in_a_column, in_a_row
from raybench_workbench.window.keyboard import scrolls_form

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

from raybench_workbench.preferences.choices import PREFERENCES, Preference

SIZE = (520, 640)
WIDTH = 176
"""Width of the fields."""
COLUMNS = 2
"""Columns of boxes where a preference is a set."""


class PreferencesDialog(QDialog):
    """Shows what is chosen and stays open beside the work."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._show: dict[str, Callable[[Any], None]] = {}
        """Shows a value in the row of a preference, by its name."""
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        theme.set_role(self, "panel")
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(2 * theme.GRID, theme.GRID, 2 * theme.GRID, 2 * theme.GRID)
        grid.setHorizontalSpacing(2 * theme.GRID)
        grid.setVerticalSpacing(theme.GRID)
        grid.setColumnStretch(1, 1)
        for group, members in groupby(PREFERENCES, key=lambda row: row.group):
            self._add_heading(grid, group)
            for row in members:
                self._add_row(grid, row)
        self._add_heading(grid, "Language model")
        self.connect_button = QPushButton("Connect a model…", self)
        self.connect_button.setToolTip("Server, model and key are chosen in the chat.")
        self.connect_button.clicked.connect(self._connect_model)
        grid.addWidget(QLabel("Server, model and key"), grid.rowCount(), 0)
        grid.addWidget(self.connect_button, grid.rowCount() - 1, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setRowStretch(grid.rowCount(), 1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take it, and scroll into view
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(rows)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(False)
        self.defaults_button = buttons.addButton(
            "Restore defaults", QDialogButtonBox.ButtonRole.ResetRole
        )
        self.defaults_button.clicked.connect(self._restore_defaults)
        foot = in_a_row(buttons, margins=2 * theme.GRID)
        in_a_column((scroll, 1), foot, on=self, margins=0, spacing=0)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(
                False
            )  # Enter in a field ends its input, and does not close the dialog
        self.resize(*SIZE)
        for chosen in (window.preferences.changed, window.preferences.chosenElsewhere):
            chosen.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is chosen now."""
        for row in PREFERENCES:
            self._show[row.name](self._window.settings.get(row))

    def _add_heading(self, grid: QGridLayout, text: str) -> None:
        heading = QLabel(text)
        theme.set_role(heading, "title")
        heading.setContentsMargins(0, theme.GRID, 0, 0)
        grid.addWidget(heading, grid.rowCount(), 0, 1, 2)

    def _add_row(self, grid: QGridLayout, row: Preference) -> None:
        at = grid.rowCount()
        if isinstance(row.default, bool):
            box = QCheckBox(row.title)
            box.setToolTip(row.help)
            box.clicked.connect(lambda on: self._window.preferences.choose(row, on))
            self._show[row.name] = box.setChecked
            grid.addWidget(box, at, 0, 1, 2)
            return
        label = QLabel(row.title)
        label.setToolTip(row.help)
        if isinstance(row.default, frozenset):
            grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._check_boxes(row), at, 1)
            return
        grid.addWidget(label, at, 0)
        edit = self._choice_box(row) if row.choices else self._number_box(row)
        edit.setToolTip(row.help)
        edit.setAccessibleName(row.title)
        label.setBuddy(edit)
        grid.addWidget(edit, at, 1, Qt.AlignmentFlag.AlignLeft)

    def _choice_box(self, row: Preference) -> QComboBox:
        combo = QComboBox()
        for value, title in row.choices.items():
            combo.addItem(title, value)
        combo.setFixedWidth(WIDTH)
        scrolls_form(combo, focused_too=True)  # what the agent may do is not chosen by the way
        combo.activated.connect(lambda i: self._window.preferences.choose(row, combo.itemData(i)))
        self._show[row.name] = lambda value: combo.setCurrentIndex(combo.findData(value))
        return combo

    def _number_box(self, row: Preference) -> QDoubleSpinBox:
        spin = QDoubleSpinBox()
        spin.setRange(row.low, row.high)
        theme.inset_text(spin)
        spin.setDecimals(0)
        spin.setKeyboardTracking(False)
        spin.setSuffix(f" {row.unit}" if row.unit else "")
        spin.setSpecialValueText(row.zero)
        spin.setFixedWidth(WIDTH)
        scrolls_form(spin)
        spin.valueChanged.connect(partial(self._window.preferences.choose, row))
        self._show[row.name] = lambda value: _show_without_signals(spin, spin.setValue, value)
        return spin

    def _check_boxes(self, row: Preference) -> QWidget:
        """A box for each member of a set, checked unless it is off."""
        panel = QWidget()
        grid = QGridLayout(panel)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(theme.HALF)
        boxes: dict[str, QCheckBox] = {}
        for i, (value, title) in enumerate(row.choices.items()):
            boxes[value] = box = QCheckBox(title)
            box.setToolTip(row.help)
            box.clicked.connect(
                lambda: self._window.preferences.choose(
                    row, frozenset(v for v, b in boxes.items() if not b.isChecked())
                )
            )
            grid.addWidget(box, i // COLUMNS, i % COLUMNS)

        def show(off: frozenset[str]) -> None:
            for value, box in boxes.items():
                box.setChecked(value not in off)

        self._show[row.name] = show
        return panel

    def _connect_model(self) -> None:
        self._window.actions_by_id["chat.connect"].trigger()
        self.close()

    def _restore_defaults(self) -> None:
        for row in PREFERENCES:
            self._window.preferences.choose(row, row.default)
        self.refresh()


def _show_without_signals(widget: QWidget, show: Callable[[Any], object], value: Any) -> None:
    widget.blockSignals(True)
    show(value)
    widget.blockSignals(False)


def show_preferences(window: MainWindow) -> PreferencesDialog:
    """Show the preferences, without blocking the window; if they are open already, bring them to
    the front.
    """
    existing = window.findChild(PreferencesDialog)
    dialog = existing if isinstance(existing, PreferencesDialog) else PreferencesDialog(window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
