"""What the wheel does over the fields of a form: it scrolls the form."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


def scrolls_form(field: QWidget, focused_too: bool = False) -> None:
    """Leave the wheel over a choice, a slider or a spin box to the area that scrolls, unless the
    field has the focus; then, too, with ``focused_too``.
    """
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the wheel does not give it the focus
    field.installEventFilter(_Wheel(field, focused_too))


class _Wheel(QObject):
    def __init__(self, field: QWidget, focused_too: bool) -> None:
        super().__init__(field)
        self._field, self._focused_too = field, focused_too

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel or (self._field.hasFocus() and not self._focused_too):
            return False
        event.ignore()
        return True
