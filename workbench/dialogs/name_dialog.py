"""A dialog that asks for a name: one that is refused stays to be mended, with the reason below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from workbench import theme
from workbench.dialogs.number_dialog import fit_height

WIDTH = 320


class NameDialog(QDialog):
    """At OK or Enter calls ``act`` with the name; closes unless that returns a reason to refuse it."""

    def __init__(self, title: str, label: str, name: str, act: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._act = act
        self.edit = QLineEdit(name, self)
        self.edit.setAccessibleName(label)
        self.edit.selectAll()
        self.reason = QLabel(self)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setWordWrap(True)
        theme.set_role(self.reason, "error")
        self.reason.hide()
        self.edit.textEdited.connect(lambda: self._show_reason(""))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.accepted.connect(self._agree)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[2 * theme.GRID] * 4)
        column.setSpacing(theme.GRID)
        for widget in (QLabel(label, self), self.edit, self.reason, buttons):
            column.addWidget(widget)
        self.setFixedWidth(WIDTH)

    def _agree(self) -> None:
        reason = self._act(self.edit.text())
        if reason:
            self._show_reason(reason)
            self.edit.setFocus()
        else:
            self.accept()

    def _show_reason(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        theme.set_role(self.edit, "error" if reason else "")
        fit_height(self)
