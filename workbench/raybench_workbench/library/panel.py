"""The library: all kinds and presets, and the scene's modules, with a search field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from raybench.scene.creation import module_of, part_of_module
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.library.part_list import IMPORT, PART, PartList
from raybench_workbench.words.labels import NoMatch


class Library(QWidget):
    """A search field above the pictures. Enter chooses the part found first, the arrow keys
    another.
    """

    chosen = Signal(str, bool)
    """The part that is to be drawn, and whether it was chosen by the keyboard."""
    importRequested = Signal()
    """Modules of another scene are to be imported."""
    left = Signal()
    """The search was left by Esc."""

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Find a part: lens, prism, detector …")
        self.search.setAccessibleName("Find a part")
        self.search.setClearButtonEnabled(True)
        self.parts = PartList(self)
        self.no_match = NoMatch(
            "No part matches. Try another word, such as lens or mirror.", self.parts
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GRID, 0, 0, 0)
        column.setSpacing(theme.HALF)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, theme.GRID, 0)
        line.addWidget(self.search)
        column.addLayout(line)
        column.addWidget(self.parts, 1)
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.parts.chosen.connect(self._choose)
        theme.notifier.changed.connect(self.parts.viewport().update)
        document.changed.connect(self._show_modules)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_modules()

    def _choose(self, part: str, by_keyboard: bool) -> None:
        if part == IMPORT:
            self.importRequested.emit()
        else:
            self.chosen.emit(part, by_keyboard)

    def _show_modules(self, *_: object) -> None:
        if self.isVisible() and self.parts.show_modules(self._document.scene.modules):
            self._search(self.search.text())

    def _search(self, text: str) -> None:
        self.parts.search(text)
        self.no_match.setVisible(not self.parts.visible_parts())

    def reveal(self, module: str) -> None:
        """Scroll to a module of the scene; the library must be visible."""
        self.search.clear()
        self.parts.scrollToItem(self.parts.item_of(part_of_module(module)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Enter choose while the search has the focus, Esc clear it, then leave it, and the
        down key enter the pictures.
        """
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.parts.currentItem()
                if item is not None and self.search.text():
                    self._choose(item.data(PART), True)
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Down and (visible := self.parts.visible_parts()):
                self.parts.setFocus()
                self.parts.setCurrentItem(self.parts.currentItem() or visible[0])
                return True
        return super().eventFilter(watched, event)

    def show_tool(self, what: str) -> None:
        """Mark the part that is being drawn; empty for none."""
        if what and (self.isVisible() or module_of(what) is None):
            item = self.parts.item_of(what)
            self.parts.setCurrentItem(item)
            self.parts.scrollToItem(item)
        else:
            self.parts.clearSelection()
            self.parts.setCurrentRow(-1)
