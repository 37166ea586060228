"""The input field of the chat. Enter sends the message, Shift+Enter breaks the line, Up recalls
messages, Tab completes and Esc stops the answer.

Messages sent during a turn are queued; the queue is shown above the field.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from raybench.agent.turn.history import AttachedPicture
from raybench_workbench import theme
from raybench_workbench.chat.attachments import (
    PICTURE_SUFFIXES,
    AttachmentStrip,
    pictures_from_mime_data,
)
from raybench_workbench.chat.completion import MAX_COMPLETIONS, Completion, find_completions
from raybench_workbench.dialogs import last_folder
from raybench_workbench.panels.number_edit import is_undo_or_redo
from raybench_workbench.translation import tr
from raybench_workbench.widgets import ElidedLabel, push_button
from raybench_workbench.window.keyboard import leave_wheel_to_form

MAX_LINES = 8
PROFILES = (
    ("read-only", "Read only", "The agent answers, and changes nothing"),
    ("ask", "Ask first", "The agent asks before it changes the scene or acts outside of it"),
    (
        "auto",
        "Automatic",
        "The agent changes the scene, which can be undone; it asks before everything else",
    ),
)
"""The approval profiles, with their titles and descriptions."""
PLACEHOLDER = tr("Ask, or type / for a command")


class Composer(QWidget):
    """The input field of the chat. The signal ``sent`` carries a message and its pictures,
    ``stopped`` asks to stop the current turn, and ``paged`` asks to scroll by a number of pages, up
    if negative.
    """

    sent = Signal(str, object)
    stopped = Signal()
    entered = Signal()
    """The input field got the focus."""
    paged = Signal(int)

    def __init__(
        self,
        names: Callable[[], list[str]],
        parent: QWidget | None = None,
        context: QWidget | None = None,
        parameter_names: Callable[[str, str], Sequence[str] | None] = lambda command, written: None,
        matching_questions: Callable[[str], Sequence[str]] = lambda text: (),
        offered_question: Callable[[], QWidget | None] = lambda: None,
    ) -> None:
        """``names`` returns the object names to complete, ``parameter_names`` the names that fit a
        parameter of a command, and ``matching_questions`` the example questions that match a text.
        ``offered_question`` returns the first follow-up question of the last answer, which Tab
        focuses from the empty field. ``context`` is the widget that shows the context sent with a
        message.
        """
        super().__init__(parent)
        self.commands: list[str] = ["help"]
        self._names, self._fitting, self._asking = names, parameter_names, matching_questions
        self._offered_question = offered_question
        self._busy = False
        self._completion = Completion(0, ())
        self._history: list[str] = []
        self._history_index = 0
        self.queue: list[tuple[str, tuple[AttachedPicture, ...]]] = []
        """Messages to be sent when the turn has ended, the next one first."""
        self.waiting = ElidedLabel(self)
        self.edit_waiting = QPushButton(tr("Edit"), self)
        self.edit_waiting.setToolTip(tr("Take it back into the field; it is not sent"))
        theme.set_role(self.edit_waiting, "flat")
        self.edit_waiting.clicked.connect(self.take_back_queued_messages)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Completions"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _item: self.insert_completion())
        self.list.hide()
        self.attachments = AttachmentStrip(self)
        self.attachments.changed.connect(lambda: self._update_button())
        self.attach = push_button(
            tr("Picture…"),
            self.choose_pictures,
            tip=tr("Attach pictures, which can also be dropped or pasted"),
        )
        self.edit = _MessageField(self)
        self.note = ElidedLabel(self, role="dim", selectable=False)
        self.button = QPushButton(tr("Send"), self)
        self.button.setFixedWidth(
            max(theme.text_pixel_width(tr("Send")), theme.text_pixel_width(tr("Stop")))
            + 4 * theme.GRID
        )
        self.button.clicked.connect(self._press_button)
        self.profile = QComboBox(self)
        self.profile.setAccessibleName(tr("What the agent may do"))
        leave_wheel_to_form(self.profile, focused_too=True)
        for name, title, about in PROFILES:
            self.profile.addItem(tr(title), name)
            self.profile.setItemData(
                self.profile.count() - 1, tr(about), Qt.ItemDataRole.ToolTipRole
            )
        self.profile.currentIndexChanged.connect(self._show_profile)
        foot = QHBoxLayout()
        foot.addWidget(self.profile)
        foot.addStretch(1)
        foot.addWidget(self.attach)
        foot.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        column.setSpacing(theme.HALF)
        line = QHBoxLayout()
        line.addWidget(self.waiting, 1)
        line.addWidget(self.edit_waiting)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addWidget(self.list)
        if context is not None:
            column.addWidget(context)
        column.addWidget(self.attachments)
        column.addWidget(self.edit)
        column.addLayout(foot)
        self.profile.setCurrentIndex(self.profile.findData("ask"))
        self._show_profile()
        self.edit.textChanged.connect(self._text_changed)
        self.edit.cursorPositionChanged.connect(self._update_completions)
        self._text_changed()
        self._show_queue()

    def _show_profile(self, *_: object) -> None:
        self.profile.setToolTip(self.profile.currentData(Qt.ItemDataRole.ToolTipRole))

    @property
    def offered_completions(self) -> tuple[str, ...]:
        """The completions in the list, as texts; empty while the list is hidden."""
        return (
            (*self._completion.texts, *self._completion.questions)
            if not self.list.isHidden()
            else ()
        )

    def set_busy(self, busy: bool) -> None:
        """Set whether a turn of the agent is running; the button then stops it."""
        self._busy = busy
        self.button.setText(tr("Stop") if busy else tr("Send"))
        self.button.setToolTip(tr("End this turn (Esc)") if busy else tr("Send (Enter)"))
        self._text_changed()

    def handle_key(self, event: QKeyEvent) -> bool:
        """Handle a key press before the editor gets it; returns whether it was handled."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not self.list.isHidden():
            if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
            if (
                key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
                and self.list.currentRow() >= 0
                and not shift
            ):
                self.insert_completion()
                return True
            if key == Qt.Key.Key_Escape:
                self.list.hide()
                return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self._send_text()
        elif key == Qt.Key.Key_Escape and self._busy:
            self.stopped.emit()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.paged.emit(1 if key == Qt.Key.Key_PageDown else -1)
        elif (
            key == Qt.Key.Key_Up
            and self._may_recall_message
            and self._is_cursor_at_edge(first=True)
            and self._history_index > 0
        ):
            self._recall_message(self._history_index - 1)
        elif (
            key == Qt.Key.Key_Down
            and self._may_recall_message
            and self._is_cursor_at_edge(first=False)
            and self._history_index < len(self._history)
        ):
            self._recall_message(self._history_index + 1)
        else:
            return False
        return True

    def _press_button(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self._send_text()

    def _send_text(self) -> None:
        text = self.edit.toPlainText().strip()
        if not text or self.attachments.reading:
            return
        self.remember_message(text)
        self.edit.clear()
        self.sent.emit(text, () if text.startswith("/") else self.attachments.take_pictures())

    def choose_pictures(self) -> None:
        """Ask for picture files, and attach them to the next message."""
        kinds = tr(
            "Pictures ({names})", names=" ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES)
        )
        names, _ = QFileDialog.getOpenFileNames(
            self, tr("Attach pictures"), str(last_folder(self)), kinds
        )
        if names:
            self.attachments.add_pictures([*map(Path, names)])

    def set_model_connected(self, connected: bool) -> None:
        """Set whether a model is connected, which can look at pictures."""
        self.attachments.model = connected
        self.attach.setVisible(connected)

    def write_command(self, name: str) -> None:
        """Replace the text by the name of a command, so that the user can add arguments."""
        self.edit.setPlainText(f"/{name} ")
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    def enqueue_message(self, text: str, pictures: tuple[AttachedPicture, ...] = ()) -> None:
        """Add a message to the queue of those sent after the current turn."""
        self.queue.append((text, pictures))
        self._show_queue()

    def send_next_queued_message(self) -> None:
        """Send the first message of the queue."""
        if self.queue:
            text, pictures = self.queue.pop(0)
            self._show_queue()
            self.sent.emit(text, pictures)

    def take_back_queued_messages(self) -> None:
        """Move the queued messages back into the input field, before its text."""
        if self.queue:
            texts = [*(text for text, _ in self.queue), self.edit.toPlainText()]
            self.attachments.put_back(tuple(p for _, pictures in self.queue for p in pictures))
            self.queue = []
            self.edit.setPlainText("\n".join(text for text in texts if text))
            self.edit.moveCursor(QTextCursor.MoveOperation.End)
            self.edit.setFocus()
        self._show_queue()

    def _show_queue(self) -> None:
        more = tr(" (and {count} more)", count=len(self.queue) - 1) if len(self.queue) > 1 else ""
        self.waiting.set_full_text(
            tr("Next{more}: {queue}", more=more, queue=self.queue[0][0]) if self.queue else ""
        )
        for part in (self.waiting, self.edit_waiting):
            part.setVisible(bool(self.queue))

    def remember_message(self, text: str) -> None:
        """Add a message to the history, which Up and Down browse."""
        if self._history[-1:] != [text]:
            self._history.append(text)
        self._history_index = len(self._history)

    @property
    def _may_recall_message(self) -> bool:
        """Whether Up and Down browse the message history, which they do not while a new text is
        being written.
        """
        text = self.edit.toPlainText()
        return not text or (
            self._history_index < len(self._history) and text == self._history[self._history_index]
        )

    def _is_cursor_at_edge(self, first: bool) -> bool:
        cursor = self.edit.textCursor()
        return cursor.blockNumber() == (0 if first else self.edit.blockCount() - 1)

    def _recall_message(self, index: int) -> None:
        self._history_index = index
        self.edit.setPlainText(self._history[index] if index < len(self._history) else "")
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.list.hide()

    def _text_changed(self) -> None:
        lines = min(MAX_LINES, max(1, int(self.edit.document().size().height())))
        self.edit.setFixedHeight(lines * self.edit.fontMetrics().lineSpacing() + 2 * theme.GRID)
        self._update_button()

    def _update_button(self) -> None:
        written = bool(self.edit.toPlainText().strip()) and not self.attachments.reading
        self.button.setEnabled(self._busy or written)

    def _update_completions(self) -> None:
        cursor = self.edit.textCursor()
        before = self.edit.toPlainText()[: cursor.position()]
        none = cursor.hasSelection() or "\n" in before
        completion = (
            Completion(0, ())
            if none
            else find_completions(before, self.commands, self._names(), self._fitting, self._asking)
        )
        self._completion = completion
        self.list.clear()
        offered = [*completion.texts, *completion.questions]
        self.list.addItems(offered)
        self.list.setVisible(bool(offered))
        if offered:
            self.list.setFixedHeight(
                min(MAX_COMPLETIONS, len(offered)) * max(1, self.list.sizeHintForRow(0)) + 2
            )
            # Enter completes an incomplete command; otherwise it sends, unless a completion was
            # selected with the arrow keys
            unfinished = (
                before.startswith("/") and " " not in before and before[1:] not in self.commands
            )
            self.list.setCurrentRow(0 if unfinished else -1)

    def insert_completion(self) -> bool:
        """Insert the selected completion, else the first; returns whether there was one."""
        if self.list.isHidden():
            return False
        row = max(0, self.list.currentRow())
        text = self.offered_completions[row]
        if text in self._completion.questions:
            self.edit.setPlainText(text)
            self.edit.moveCursor(QTextCursor.MoveOperation.End)
            self.list.hide()
            return True
        cursor = self.edit.textCursor()
        cursor.setPosition(self._completion.start, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text if text == "/help" else f"{text} ")
        self.edit.setTextCursor(cursor)
        if not text.startswith("/"):
            self.list.hide()
        return True

    def complete_or_focus_question(self) -> bool:
        """Insert a completion or, if the field is empty, focus a question that the last answer
        offers; returns whether one of these was possible.
        """
        question = None if self.edit.toPlainText() else self._offered_question()
        if question is not None:
            question.setFocus(Qt.FocusReason.TabFocusReason)
        return question is not None or self.insert_completion()


class _MessageField(QPlainTextEdit):
    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self.installEventFilter(self)
        self._composer = composer
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName(tr("Message to the agent"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave Undo and Redo to the window while the field has no typing to undo or redo."""
        if (
            watched is self
            and event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._is_window_undo(event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_window_undo(event):
            event.ignore()
        elif not self._composer.handle_key(event):
            super().keyPressEvent(event)

    def _is_window_undo(self, event: QKeyEvent) -> bool:
        return is_undo_or_redo(event) and not (
            self.document().isUndoAvailable() or self.document().isRedoAvailable()
        )

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._composer.entered.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return pictures_from_mime_data(source) is not None or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Attach pictures that are pasted or dropped; insert any other text."""
        found = pictures_from_mime_data(source)
        if found is not None:
            self._composer.attachments.add_pictures(found)
        else:
            super().insertFromMimeData(source)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Insert a completion on Tab if there is one. From an empty field, Tab moves to the
        questions that an answer offers; otherwise it moves the focus.
        """
        return (next and self._composer.complete_or_focus_question()) or super().focusNextPrevChild(
            next
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(10 * theme.GRID, super().minimumSizeHint().height())
