"""A menu that letters search, and whose tool tips say what its titles do not: the file of a name,
or why an action cannot be used.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from raybench_workbench.words.plain_text import tool_tip

NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
REASON = "reason"
"""The property of an action of the table that says why it cannot be used; empty while it can."""


class ActionMenu(QMenu):
    """A letter runs the only entry that begins with it, or goes to the next of several. It is no
    shortcut while the menu is open.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.installEventFilter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        found = self._beginning_with(event.text()) if _is_letter(event) else []
        if not found:
            super().keyPressEvent(event)
            return
        active = self.activeAction()
        self.setActiveAction(
            found[(found.index(active) + 1) % len(found) if active in found else 0]
        )
        if len(found) == 1:
            super().keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE))

    def _beginning_with(self, letter: str) -> list[QAction]:
        return [
            a
            for a in self.actions()
            if a.isEnabled() and a.iconText().casefold().startswith(letter.casefold())
        ]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep letters from being shortcuts, and show the tips."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_letter(event)
        ):
            event.accept()
            return True
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().eventFilter(watched, event)
        under = self.actionAt(event.pos())
        QToolTip.showText(event.globalPos(), _tip(under) if under is not None else "", self)
        return True


def _is_letter(event: QKeyEvent) -> bool:
    return event.text().isalpha() and event.modifiers() in (NONE, SHIFT)


def _tip(action: QAction) -> str:
    reason = action.property(REASON)
    if reason is not None:
        return tool_tip(reason)
    tip = action.toolTip()
    return tip if tip != action.iconText() else ""
