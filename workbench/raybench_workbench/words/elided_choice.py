"""A list of choices with names or formulas, which may be wider than the list."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from raybench_workbench.words.labels import elided_to
from raybench_workbench.words.plain_text import tool_tip


class ElidedChoice(QComboBox):
    """A combo box that elides its current text in the middle where there is no room for it, instead
    of cutting its end off. The full text is its tool tip.
    """

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        parts, style = QStyle.SubControl, self.style()
        room = (
            style.subControlRect(
                QStyle.ComplexControl.CC_ComboBox, option, parts.SC_ComboBoxEditField, self
            ).width()
            - 2
        )
        option.currentText = elided_to(
            self.currentText() or self.placeholderText(), self.fontMetrics(), room
        )
        self.setToolTip(tool_tip(self.currentText()))
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
