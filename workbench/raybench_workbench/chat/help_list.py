"""The list of commands that ``/help`` shows. The user can search it by words and insert a command
into the input field.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from raybench.agent.tools.tool import Tool
from raybench_workbench import theme
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout

VISIBLE_LINES = 14


class HelpList(QWidget):
    """A search field, and the commands whose name, parameters or description contain all the words
    typed.
    """

    chosen = Signal(str)
    """The name of a tool whose command is to be inserted."""

    def __init__(self, tools: Sequence[Tool], words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tools = sorted(tools, key=lambda tool: tool.name)
        self.search = _SearchField(self)
        self.search.setPlaceholderText(tr("Search the commands"))
        self.search.setAccessibleName(tr("Search the commands"))
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Commands"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        self.about = WrappedLabel(parent=self, role="dim")
        column_layout(self.search, self.list, self.about, on=self, margins=0, spacing=theme.HALF)
        self.search.textChanged.connect(self._fill_list)
        self.list.currentItemChanged.connect(self._describe_current)
        self.list.itemActivated.connect(lambda _item: self.choose_current_command())
        self.list.itemClicked.connect(lambda _item: self.choose_current_command())
        self.search.setText(words)
        self._fill_list()

    @property
    def names(self) -> list[str]:
        """The names of the commands in the list."""
        return [self.list.item(row).text()[1:] for row in range(self.list.count())]

    def choose_current_command(self) -> None:
        """Insert the current command into the input field."""
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(item.text()[1:])

    def move_current_command(self, step: int) -> None:
        """Make the next (1) or the previous (-1) command current."""
        self.list.setCurrentRow(max(0, min(self.list.count() - 1, self.list.currentRow() + step)))

    def _fill_list(self, *_: object) -> None:
        words = self.search.text().lower().replace("_", " ").split()
        self.list.clear()
        for tool in self._tools:
            text = f"{tool.usage} {tool.summary}".lower().replace("_", " ")
            if all(word in text for word in words):
                item = QListWidgetItem(f"/{tool.name}")
                item.setToolTip(literal_tool_tip(tool.summary))
                item.setData(Qt.ItemDataRole.UserRole, tool)
                self.list.addItem(item)
        lines = min(VISIBLE_LINES, self.list.count())
        self.list.setFixedHeight(
            lines * max(1, self.list.sizeHintForRow(0)) + 2 * self.list.frameWidth()
        )
        self.list.setVisible(lines > 0)
        self.list.setCurrentRow(0)
        self._describe_current()

    def _describe_current(self, *_: object) -> None:
        item = self.list.currentItem()
        tool = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        self.about.setText(
            tr("No command has these words.") if tool is None else f"{tool.summary}\n/{tool.usage}"
        )


class _SearchField(QLineEdit):
    def __init__(self, owner: HelpList) -> None:
        super().__init__(owner)
        self._owner = owner

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._owner.move_current_command(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._owner.choose_current_command()
        else:
            super().keyPressEvent(event)
