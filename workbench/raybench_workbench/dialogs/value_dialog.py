"""Base class of dialogs that ask for one value: a refused value stays to be corrected, with the
reason below it.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget
from shiboken6 import isValid

from raybench_workbench.dialogs.frame import dialog_column
from raybench_workbench.words.labels import WrappedLabel

WIDTH = 320


class ValueDialog(QDialog):
    """A label, an edit, the reason of a refusal, OK and Cancel. A subclass decides in `agree`
    whether it closes.
    """

    def __init__(self, title: str, label: str, edit: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._value_edit = edit
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.reason = WrappedLabel(parent=self, role="error")
        self.reason.hide()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.agree)
        buttons.rejected.connect(self.reject)
        column = dialog_column(self)
        for widget in (WrappedLabel(label, self), edit, self.reason, buttons):
            column.addWidget(widget)
        QWidget.setTabOrder(edit, buttons)
        edit.setFocus(Qt.FocusReason.TabFocusReason)  # which selects what stands in a line
        self.setFixedWidth(WIDTH)

    def agree(self) -> None:
        """Called at OK."""
        self.accept()

    def close_unless(self, reason: str) -> None:
        """Close, or show why the value is refused. Nothing if the dialog was closed while taking
        the value asked a question.
        """
        if not isValid(self):
            return
        if reason:
            self.show_reason(reason)
            self._value_edit.setFocus()
        else:
            self.accept()

    def show_reason(self, reason: str) -> None:
        """Show why the value is refused, or clear the reason if the text is empty; the height of
        the dialog follows.
        """
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.resize(
            self.width(), layout.totalHeightForWidth(self.width())
        )  # `adjustSize` does not count wrapped texts
