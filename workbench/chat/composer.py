"""Where a person writes to the agent: Enter sends, Shift+Enter breaks the line, Up recalls, Tab completes, Esc stops."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPlainTextEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from workbench import theme
from workbench.chat.completion import MOST, Completion, completions
from workbench.panels.messages import ElidedLabel

MOST_LINES = 8
PLACEHOLDER = "Ask, or type / for a command"


class Composer(QWidget):
    """``sent`` carries the text of a message; ``stopped`` asks to end the turn that is going on; ``paged`` to look a page up or down."""

    sent = Signal(str)
    stopped = Signal()
    paged = Signal(int)

    def __init__(self, names: Callable[[], list[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.commands: list[str] = ["help"]
        self._names = names
        self._busy = False
        self._completion = Completion(0, ())
        self._written: list[str] = []
        self._recalled = 0
        self.list = QListWidget(self)
        self.list.setAccessibleName("Completions")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _item: self.complete())
        self.list.hide()
        self.edit = _Edit(self)
        self.note = ElidedLabel(self)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        theme.set_role(self.note, "dim")
        self.button = QPushButton("Send", self)
        self.button.setFixedWidth(max(theme.width_of("Send"), theme.width_of("Stop")) + 4 * theme.GRID)
        self.button.clicked.connect(self._press)
        foot = QHBoxLayout()
        foot.addWidget(self.note, 1)
        foot.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        column.setSpacing(theme.HALF)
        column.addWidget(self.list)
        column.addWidget(self.edit)
        column.addLayout(foot)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.cursorPositionChanged.connect(self._offer)
        self._text_changed()

    @property
    def offered(self) -> tuple[str, ...]:
        """The completions on show."""
        return self._completion.texts if not self.list.isHidden() else ()

    def set_busy(self, busy: bool) -> None:
        """While a turn goes on the button stops it."""
        self._busy = busy
        self.button.setText("Stop" if busy else "Send")
        self.button.setToolTip("End this turn (Esc)" if busy else "Send (Enter)")
        self._text_changed()

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key before the editor does; whether it was one of ours."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self.list.isHidden():
            if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.list.currentRow() >= 0 and not shift:
                self.complete()
                return True
            if key == Qt.Key.Key_Escape:
                self.list.hide()
                return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self._send()
        elif key == Qt.Key.Key_Escape and self._busy:
            self.stopped.emit()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.paged.emit(1 if key == Qt.Key.Key_PageDown else -1)
        elif key == Qt.Key.Key_Up and self._at_edge(first=True) and self._recalled > 0:
            self._recall(self._recalled - 1)
        elif key == Qt.Key.Key_Down and self._at_edge(first=False) and self._recalled < len(self._written):
            self._recall(self._recalled + 1)
        else:
            return False
        return True

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        text = self.edit.toPlainText().strip()
        if not text or self._busy:
            return
        self.remember(text)
        self.edit.clear()
        self.sent.emit(text)

    def remember(self, text: str) -> None:
        """Keep a message for recall."""
        if self._written[-1:] != [text]:
            self._written.append(text)
        self._recalled = len(self._written)

    def _at_edge(self, first: bool) -> bool:
        cursor = self.edit.textCursor()
        return cursor.blockNumber() == (0 if first else self.edit.blockCount() - 1)

    def _recall(self, place: int) -> None:
        self._recalled = place
        self.edit.setPlainText(self._written[place] if place < len(self._written) else "")
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.list.hide()

    def _text_changed(self) -> None:
        lines = min(MOST_LINES, max(1, int(self.edit.document().size().height())))
        self.edit.setFixedHeight(lines * self.edit.fontMetrics().lineSpacing() + 2 * theme.GRID)
        self.button.setEnabled(self._busy or bool(self.edit.toPlainText().strip()))

    def _offer(self) -> None:
        cursor = self.edit.textCursor()
        before = self.edit.toPlainText()[: cursor.position()]
        found = Completion(0, ()) if cursor.hasSelection() or "\n" in before else completions(before, self.commands, self._names())
        self._completion = found
        self.list.clear()
        self.list.addItems(list(found.texts))
        self.list.setVisible(bool(found.texts))
        if found.texts:
            self.list.setFixedHeight(min(MOST, len(found.texts)) * max(1, self.list.sizeHintForRow(0)) + 2)
            # Enter completes a command that is not written whole; otherwise it sends, unless a completion was chosen with the arrows
            unfinished = before.startswith("/") and " " not in before and before[1:] not in self.commands
            self.list.setCurrentRow(0 if unfinished else -1)

    def complete(self) -> bool:
        """Take the completion that is chosen, else the first; whether there was one."""
        if self.list.isHidden():
            return False
        row = max(0, self.list.currentRow())
        text = self._completion.texts[row]
        cursor = self.edit.textCursor()
        cursor.setPosition(self._completion.start, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text if text == "/help" else f"{text} ")
        self.edit.setTextCursor(cursor)
        if not text.startswith("/"):
            self.list.hide()
        return True


class _Edit(QPlainTextEdit):
    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName("Message to the agent")
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._composer.key(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab completes where there is something to complete, else it moves on."""
        return (next and self._composer.complete()) or super().focusNextPrevChild(next)

    def minimumSizeHint(self) -> QSize:
        return QSize(10 * theme.GRID, super().minimumSizeHint().height())
