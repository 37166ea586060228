"""The history: every step in its words. A click goes back to the state after it, or forward again."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.words.labels import WrappedLabel
from raybench_workbench.words.plain_text import tool_tip

FIRST = "As it was opened"
HINT = (
    "Every change is listed here. Click one to go back to it, and a later one to go forward again."
)


class HistoryPanel(QWidget):
    """The steps from the first to the last; those that were undone are dim. Filled only while it is
    visible.
    """

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.list = QListWidget(self)
        self.list.setAccessibleName("History")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        self.hint = WrappedLabel(HINT, self, role="dim")
        self.hint.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.hint)
        column.addWidget(self.list, 1)
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        document.changed.connect(self._show)
        document.opened.connect(self._show)
        document.gestureChanged.connect(self._show)
        theme.notifier.changed.connect(self._show)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._show()

    def _show(self, *_: object) -> None:
        if not self.isVisible() or self._document.gesture is not None:
            return
        history = self._document.session.history
        texts = [
            FIRST,
            *(step.text for step in history.done),
            *(step.text for step in reversed(history.undone)),
        ]
        dim, plain = theme.current().color("dim"), theme.current().color("text")
        while self.list.count() > len(texts):
            self.list.takeItem(self.list.count() - 1)
        for i, text in enumerate(texts):
            item = self.list.item(i)
            if item is None:
                item = QListWidgetItem()
                item.setSizeHint(QSize(0, theme.ROW_HEIGHT))
                self.list.addItem(item)
            item.setText(text)
            item.setToolTip(tool_tip(text))
            undone = i > len(history.done)
            item.setForeground(dim if undone else plain)
            item.setFont(theme.text_font(italic=undone))
        self.list.setCurrentRow(len(history.done))
        self.list.scrollToItem(self.list.item(len(history.done)))
        self.hint.setVisible(len(texts) == 1)

    def _go(self, item: QListWidgetItem) -> None:
        """Undo or redo up to a step."""
        self._document.travel(self.list.row(item))
