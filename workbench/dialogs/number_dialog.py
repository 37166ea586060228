"""A dialog that asks for one number: a text that is none stays to be mended, with the reason below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from workbench import theme
from workbench.panels.number_edit import NumberEdit

WIDTH = 280


def fit_height(dialog: QDialog) -> None:
    """Make a dialog of fixed width as high as its wrapped texts need, which `QWidget.adjustSize` does not count."""
    layout = dialog.layout()
    assert layout is not None
    layout.activate()
    dialog.resize(dialog.width(), layout.totalHeightForWidth(dialog.width()))


class NumberDialog(QDialog):
    """Calls ``act`` with the number at OK or Enter."""

    def __init__(
        self, title: str, label: str, value: float, unit: str, scene_unit: str, act: Callable[[float], Any], parent: QWidget
    ) -> None:
        """``unit`` is as in `core.kinds.fields`. What is asked for stands in ``label`` up to the comma."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._act, self._value = act, value
        self.edit = NumberEdit(label.partition(",")[0], unit, scene_unit)
        self.edit.set_value(value)
        self.edit.committed.connect(self._take)
        self.edit.installEventFilter(self)
        self.reason = QLabel(self)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setWordWrap(True)
        theme.set_role(self.reason, "error")
        self.reason.hide()
        self.edit.refused.connect(self._refuse)
        about = QLabel(label, self)
        about.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.accepted.connect(self._agree)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[2 * theme.GRID] * 4)
        column.setSpacing(theme.GRID)
        for widget in (about, self.edit, self.reason, buttons):
            column.addWidget(widget)
        self.setFixedWidth(WIDTH)
        self.edit.setFocus(Qt.FocusReason.TabFocusReason)

    def _take(self, value: float) -> None:
        self._value = value

    def _refuse(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        fit_height(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close by Esc, and by Enter once the number is committed."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.reject()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, self._agree)
        return super().eventFilter(watched, event)

    def _agree(self) -> None:
        if self.edit.isModified():  # refused: it stays to be mended
            self.edit.setFocus()
            return
        self.accept()
        self._act(self._value)
