"""The preferences dialog, with a row for each preference. A choice takes effect at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from raybench_workbench import theme
from raybench_workbench.preferences.choices import PREFERENCES, Preference
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    column_layout,
    describe_widget,
    push_button,
    row_layout,
    set_vertical_scrolling,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

DIALOG_SIZE = (520, 640)
FIELD_WIDTH = 176
"""Width of the fields."""
COLUMNS = 2
"""Columns of boxes where a preference is a set."""


class PreferencesDialog(QDialog):
    """The preferences dialog, which shows the current choices and can stay open beside the main
    window.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._choose = window.preferences.choose_value
        self._show: dict[str, Callable[[Any], object]] = {}
        """Shows a value in the row of a preference, by its name."""
        self.setWindowTitle(tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        theme.set_role(self, "panel")
        content = QWidget()
        self._rows = QFormLayout(content)
        self._rows.setContentsMargins(2 * theme.GRID, theme.GRID, 2 * theme.GRID, 2 * theme.GRID)
        self._rows.setHorizontalSpacing(2 * theme.GRID)
        self._rows.setVerticalSpacing(theme.GRID)
        self._rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        for group, members in groupby(PREFERENCES, key=lambda row: row.group):
            self._add_heading(tr(group))
            for row in members:
                self._add_row(row)
        self._add_heading(tr("Language model"))
        tip = tr("Server, model and key are chosen in the chat.")
        self.connect_button = push_button(
            tr("Connect a model…"), self._connect_model, tip=tip, role=""
        )
        self._rows.addRow(tr("Server, model and key"), self.connect_button)
        scroll = QScrollArea(self)
        set_vertical_scrolling(scroll, content)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(False)
        self.defaults_button = buttons.addButton(
            tr("Restore defaults"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self.defaults_button.clicked.connect(self._restore_defaults)
        foot = row_layout(buttons, margins=2 * theme.GRID)
        column_layout((scroll, 1), foot, on=self, margins=0, spacing=0)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a field ends its input, and closes nothing
        bar = scroll.verticalScrollBar().sizeHint().width()
        self.resize(max(DIALOG_SIZE[0], content.sizeHint().width() + bar), DIALOG_SIZE[1])
        for chosen in (window.preferences.changed, window.preferences.chosenElsewhere):
            chosen.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current choices."""
        for row in PREFERENCES:
            self._show[row.name](self._window.settings.get(row))

    def _add_heading(self, text: str) -> None:
        heading = describe_widget(QLabel(text), role="title")
        heading.setContentsMargins(0, theme.GRID, 0, 0)
        self._rows.addRow(heading)

    def _add_row(self, row: Preference) -> None:
        if isinstance(row.default, bool):
            box = describe_widget(QCheckBox(tr(row.title)), tip=tr(row.help))
            box.clicked.connect(lambda on: self._choose(row, on))
            self._show[row.name] = box.setChecked
            self._rows.addRow(box)
            return
        label = describe_widget(QLabel(tr(row.title)), tip=tr(row.help))
        if isinstance(row.default, frozenset):
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._rows.addRow(label, self._make_check_boxes(row))
            return
        edit = self._make_choice_box(row) if row.choices else self._make_number_box(row)
        edit.setFixedWidth(FIELD_WIDTH)
        label.setBuddy(describe_widget(edit, name=tr(row.title), tip=tr(row.help)))
        self._rows.addRow(label, edit)

    def _make_choice_box(self, row: Preference) -> QWidget:
        combo = QComboBox()
        for value, title in row.choices.items():
            combo.addItem(tr(title, row.title), value)
        leave_wheel_to_form(
            combo, focused_too=True
        )  # what the agent may do is not chosen by the way
        combo.activated.connect(lambda i: self._choose(row, combo.itemData(i)))
        self._show[row.name] = lambda value: combo.setCurrentIndex(combo.findData(value))
        return combo

    def _make_number_box(self, row: Preference) -> QWidget:
        spin = QDoubleSpinBox()
        spin.setRange(row.low, row.high)
        theme.indent_number_text(spin)
        spin.setDecimals(0)
        spin.setKeyboardTracking(False)
        spin.setSuffix(f" {tr(row.unit)}" if row.unit else "")
        spin.setSpecialValueText(tr(row.zero) if row.zero else "")
        leave_wheel_to_form(spin)
        spin.valueChanged.connect(partial(self._choose, row))

        def show_number(value: float) -> None:
            with QSignalBlocker(spin):
                spin.setValue(value)

        self._show[row.name] = show_number
        return spin

    def _make_check_boxes(self, row: Preference) -> QWidget:
        """A check box for each member of a set, which is checked unless the member is switched off."""
        panel = QWidget()
        grid = QGridLayout(panel)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(theme.HALF)
        boxes = {value: QCheckBox(tr(title)) for value, title in row.choices.items()}

        def choose_checked() -> None:
            self._choose(row, frozenset(v for v, box in boxes.items() if not box.isChecked()))

        def show_checked(off: frozenset[str]) -> None:
            for value, box in boxes.items():
                box.setChecked(value not in off)

        for i, box in enumerate(boxes.values()):
            box.setToolTip(tr(row.help))
            box.clicked.connect(lambda: choose_checked())
            grid.addWidget(box, i // COLUMNS, i % COLUMNS)
        self._show[row.name] = show_checked
        return panel

    def _connect_model(self) -> None:
        self._window.actions_by_id["chat.connect"].trigger()
        self.close()

    def _restore_defaults(self) -> None:
        for row in PREFERENCES:
            self._choose(row, row.default)
        self.refresh()


def show_preferences(window: MainWindow) -> PreferencesDialog:
    """Open the preferences dialog without blocking the window. If it is already open, bring it to
    the front.
    """
    dialog = window.findChild(PreferencesDialog) or PreferencesDialog(window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
