"""A dialog that asks for a text of several lines."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from raybench_workbench.dialogs.value_dialog import ValueDialog

WIDTH, LINES = 480, 8


class TextDialog(ValueDialog):
    """At OK calls ``act`` with the text; closes unless that returns a reason to refuse it."""

    def __init__(
        self, title: str, label: str, text: str, act: Callable[[str], str], parent: QWidget
    ) -> None:
        edit = QPlainTextEdit(text)
        super().__init__(title, label, edit, parent)
        self.edit, self._act = edit, act
        edit.setAccessibleName(label)
        edit.setTabChangesFocus(True)
        edit.setFixedHeight(LINES * edit.fontMetrics().lineSpacing())
        edit.selectAll()
        edit.textChanged.connect(lambda: self.show_reason(""))
        self.setFixedWidth(WIDTH)

    def agree(self) -> None:
        self.close_unless(self._act(self.edit.toPlainText()))
