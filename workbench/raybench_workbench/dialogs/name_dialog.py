"""A dialog that asks for a name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from raybench_workbench import theme
from raybench_workbench.dialogs.value_dialog import ValueDialog


class NameDialog(ValueDialog):
    """At OK or Enter calls ``act`` with the name; closes unless that returns a reason to refuse it."""

    def __init__(
        self, title: str, label: str, name: str, act: Callable[[str], str], parent: QWidget
    ) -> None:
        edit = QLineEdit(name)
        super().__init__(title, label, edit, parent)
        self.edit, self._act = edit, act
        self.edit.setAccessibleName(label)
        self.edit.selectAll()
        self.edit.textEdited.connect(lambda: self.show_reason(""))

    def agree(self) -> None:
        self.close_unless(self._act(self.edit.text()))

    def show_reason(self, reason: str) -> None:
        theme.set_role(self.edit, "error" if reason else "")
        super().show_reason(reason)
