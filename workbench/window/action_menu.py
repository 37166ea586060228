"""A menu whose tool tips say what its titles do not: the file of a name, or why an action cannot be used."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QMenu, QToolTip

from workbench.words.plain_text import tool_tip

REASON = "reason"
"""The property of an action of the table that says why it cannot be used; empty while it can."""


class ActionMenu(QMenu):
    def event(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().event(event)
        under = self.actionAt(event.pos())
        QToolTip.showText(event.globalPos(), _tip(under) if under is not None else "", self)
        return True


def _tip(action: QAction) -> str:
    reason = action.property(REASON)
    if reason is not None:
        return tool_tip(reason)
    tip = action.toolTip()
    return tip if tip != action.iconText() else ""
