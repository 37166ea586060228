"""The palette: every action of the window by a few letters of its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from raybench_workbench import theme
from raybench_workbench.window.action_menu import REASON
from raybench_workbench.words.labels import NoMatch

SIZE = (460, 340)
UNUSABLE = 0.4
"""Cost of an action that cannot be used: it is listed after others that match as well, and before
those that match by chance.
"""
_ACTION = Qt.ItemDataRole.UserRole


def score(query: str, title: str) -> float | None:
    """How well the letters of a query match a title: less is better, None if they do not occur in
    this order.

    Letters that follow each other or begin a word cost nothing, others one; a match that starts
    late costs a little.
    """
    low, at, cost, first = title.lower(), -1, 0.0, 0
    for i, letter in enumerate(query.lower().replace(" ", "")):
        starts = [k for k in range(at + 1, len(low)) if low[k] == letter]
        if not starts:
            return None
        near = next((k for k in starts if k == at + 1 or not low[k - 1].isalnum()), None)
        at, cost = (near, cost) if near is not None else (starts[0], cost + 1)
        first = at if i == 0 else first
    return cost + first / 100 + len(title) / 1000


class Palette(QDialog):
    """Lists the actions that match what is typed, the best first; Enter or a click runs one."""

    def __init__(self, actions: Sequence[tuple[str, QAction]], parent: QWidget) -> None:
        """``actions`` are pairs of a menu's name and an action in it."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName("Find an action")
        theme.set_role(self, "panel")
        self._actions = actions
        blank = QPixmap(theme.ICON_SIZE, theme.ICON_SIZE)
        blank.fill(Qt.GlobalColor.transparent)
        self._no_icon = QIcon(blank)
        """Keeps the titles of actions without a picture in line with the others."""
        self.query = QLineEdit(self)
        self.query.setPlaceholderText("What do you want to do?")
        self.query.setAccessibleName("Action to find")
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.no_match = NoMatch(
            "No action matches. Try another word, or ask in the chat.", self.list
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        column.addWidget(self.query)
        column.addWidget(self.list)
        self.query.textChanged.connect(self._fill)
        self.query.installEventFilter(self)
        self.list.itemClicked.connect(self._run)
        self._fill("")
        self.resize(*SIZE)

    def _fill(self, query: str) -> None:
        self.list.clear()
        ranked = []
        for i, (menu, action) in enumerate(self._actions):
            title = action.text().replace("&&", "&")
            costs = [
                c + extra
                for text, extra in ((title, 0.0), (f"{menu} {title}", 0.5))
                if (c := score(query, text)) is not None
            ]
            if costs:
                best = min(costs) if query else 0.0
                ranked.append(
                    (best if action.isEnabled() else best + UNUSABLE, i, menu, title, action)
                )
        for _, _, menu, title, action in sorted(ranked, key=lambda r: r[:2]):
            keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            reason = action.property(REASON) or ""
            text = "    ".join(
                filter(None, (f"{menu}: {title}", keys, reason and f"({reason.removesuffix('.')})"))
            )
            item = QListWidgetItem(
                action.icon() if not action.icon().isNull() else self._no_icon, text
            )
            item.setData(_ACTION, action)
            if not action.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.no_match.setVisible(not self.list.count())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the query has the focus, and Enter run."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: 8,
                Qt.Key.Key_PageUp: -8,
            }.get(Qt.Key(event.key()))
            if step is not None:
                self.list.setCurrentRow(
                    min(max(self.list.currentRow() + step, 0), self.list.count() - 1)
                )
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.list.currentItem()
                if item is not None:
                    self._run(item)
                return True
        return super().eventFilter(watched, event)

    def _run(self, item: QListWidgetItem) -> None:
        action: QAction = item.data(_ACTION)
        if action.isEnabled():
            self.close()
            QTimer.singleShot(
                0, action.trigger
            )  # after the click, since a dialog of the action may run while the palette is deleted

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the upper middle of a window."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        at = window.mapToGlobal(window.rect().topLeft())
        self.move(at.x() + (window.width() - self.width()) // 2, at.y() + window.height() // 8)
        self.show()
        self.query.setFocus()
