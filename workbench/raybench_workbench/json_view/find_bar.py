"""Finding a text in the editor: a line edit with the number of places, and keys for the next and
the previous one.
"""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from raybench_workbench import theme
from raybench_workbench.json_view.editor import JsonEditor, in_units

MAX_FOUND = 5000
"""Places that are counted and gone through."""
MAX_MARKED = 500


class FindBar(QWidget):
    """Enter goes to the next place, Shift+Enter to the previous one, Esc closes."""

    def __init__(self, editor: JsonEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._editor = editor
        self._places: list[tuple[int, int]] = []
        self.text = QLineEdit(self)
        self.text.setPlaceholderText("Find in the text")
        self.text.setAccessibleName("Find in the text")
        self.text.setClearButtonEnabled(True)
        self.count = QLabel(self)
        theme.set_role(self.count, "dim")
        self.previous, self.next, self.close_button = (
            QPushButton(t, self) for t in ("Previous", "Next", "Close")
        )
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.GRID, 2, theme.HALF, 2)
        line.addWidget(self.text, 1)
        for widget in (self.count, self.previous, self.next, self.close_button):
            line.addWidget(widget)
        for button in (self.previous, self.next, self.close_button):
            theme.set_role(button, "flat")
        self.text.textEdited.connect(lambda _: self._search())
        self.next.clicked.connect(lambda: self.step(1))
        self.previous.clicked.connect(lambda: self.step(-1))
        self.close_button.clicked.connect(self.leave)
        editor.textChanged.connect(self._forget)
        self.hide()

    def open(self) -> None:
        """Show the bar; a text selected within a line is what to find."""
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.text.setText(chosen)
        self.show()
        self.text.setFocus()
        self.text.selectAll()
        self._search()

    def leave(self) -> None:
        self.hide()
        self._editor.set_marks("found", [])
        self._editor.setFocus()

    def _search(self) -> None:
        """Mark all places, and go to the first one at or after the caret."""
        self._find()
        at = self._editor.textCursor().selectionStart()
        if self._places:
            self._go(next((i for i, (a, _) in enumerate(self._places) if a >= at), 0))

    def _find(self) -> None:
        """Mark all places in the text as it is now."""
        wanted, text = self.text.text(), self._editor.plain()
        found = re.finditer(re.escape(wanted), text, re.IGNORECASE) if wanted else ()
        places = []
        for match, _ in zip(found, range(MAX_FOUND), strict=False):
            places.append(match.span())
        units = in_units(text)
        self._places = places = [(units(a), units(b)) for a, b in places]
        self._editor.set_marks("found", places[:MAX_MARKED])
        self._show_count()

    def _forget(self) -> None:
        """Discard the matches, since the text changed: the next step searches again."""
        if self._places:
            self._places = []
            self._editor.set_marks("found", [])
            self.count.setText("")

    def step(self, by: int) -> None:
        """Go to the next place, or with -1 to the previous one."""
        if not self._places:
            self._find()
        if not self._places:
            return
        at = self._editor.textCursor().selectionStart()
        if by > 0:
            index = next((i for i, (a, _) in enumerate(self._places) if a > at), 0)
        else:
            index = next(
                (i for i in reversed(range(len(self._places))) if self._places[i][0] < at),
                len(self._places) - 1,
            )
        self._go(index)

    def _go(self, index: int) -> None:
        had = self.text.hasFocus()
        self._editor.show_place(*self._places[index], focus=True)
        if had:
            self.text.setFocus()
        self._show_count(index)

    def _show_count(self, index: int | None = None) -> None:
        count = len(self._places)
        if not self.text.text():
            self.count.setText("")
        elif not count:
            self.count.setText("not found")
        else:
            self.count.setText(f"{index + 1} of {count}" if index is not None else f"{count}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)
