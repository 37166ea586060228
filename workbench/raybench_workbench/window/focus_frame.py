"""A frame around the widget to which Tab moved the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from raybench_workbench import theme

STAYS = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""Reasons for which a widget loses the focus and gets it back."""


class FocusFrame(QWidget):
    """A frame on the border of a widget; a click removes it, or when the focus goes elsewhere."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(widget.size())
        widget.installEventFilter(self)
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        widget = self.parentWidget()
        if event.type() == QEvent.Type.Resize and widget is not None:
            self.resize(widget.size())
        left = isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in STAYS
        if left or event.type() == QEvent.Type.MouseButtonPress:
            self.hide()
            self.deleteLater()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme.current().color("accent"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
