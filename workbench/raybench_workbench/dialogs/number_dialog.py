"""A dialog that asks for one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from raybench_workbench.dialogs.value_dialog import ValueDialog
from raybench_workbench.panels.number_edit import NumberEdit


class NumberDialog(ValueDialog):
    """Calls ``act`` with the number at OK or Enter."""

    def __init__(
        self,
        title: str,
        label: str,
        value: float,
        unit: str,
        scene_unit: str,
        act: Callable[[float], Any],
        parent: QWidget,
        limits: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """``unit`` is as in `raybench.kinds.fields`. The name of the number is the ``label`` up to
        the comma, ``limits`` the least and the largest that is taken.
        """
        edit = NumberEdit(label.partition(",")[0], unit, scene_unit, *limits)
        super().__init__(title, label, edit, parent)
        self.edit, self._act, self._value = edit, act, value
        edit.set_value(value)
        edit.committed.connect(self._take)
        edit.refused.connect(self.show_reason)
        edit.installEventFilter(self)

    def _take(self, value: float) -> None:
        self._value = value

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close by Esc, and by Enter once the number is committed."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.reject()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, self.agree)
        return super().eventFilter(watched, event)

    def agree(self) -> None:
        if self.edit.isModified():  # refused: it stays to be corrected
            self.edit.setFocus()
            return
        self.accept()
        self._act(self._value)
