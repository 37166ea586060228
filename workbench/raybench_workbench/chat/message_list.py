"""The scrollable list of a conversation's messages. It scrolls to new messages while its end is
visible.
"""

import itertools
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from raybench.agent.turn.history import AttachedPicture
from raybench.errors import elide_text
from raybench_workbench import theme
from raybench_workbench.chat.answer_text import AnswerText
from raybench_workbench.chat.attachments import Thumbnail
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout, push_button, row_layout

SCROLL_END_DISTANCE = 2 * theme.GRID
"""Distance in pixels from the end within which new messages are scrolled into view."""
MAX_GROUPS = 30
"""Number of groups that have widgets; more would slow the window down. Earlier questions are shown
again on demand.
"""
PAGE_SIZE = 8
"""Number of earlier questions that are shown at a time: creating their widgets blocks the window.
"""
MAX_QUESTION = 120
"""Number of characters of a suggested question that are shown: a name in it may be a page long."""


PICTURE_HEIGHT, PICTURE_WIDTH = 14 * theme.GRID, 28 * theme.GRID
"""Largest size of an attached picture in a message."""


def _remove_widget(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()


class QuestionButton(QPushButton):
    """A button with a question, wrapped to as many lines as necessary. A very long question is
    shortened, and the tool tip shows all of it.
    """

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        theme.set_role(self, "question")
        self.setAccessibleName(question)
        self._shown = elide_text(question, MAX_QUESTION)
        self.setToolTip(literal_tool_tip(question) if self._shown != question else "")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_number(self, number: int) -> None:
        """Show a number before the question."""
        self._shown = f"{number}.\u2002{self._shown}"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics, available = self.fontMetrics(), self.width() - 2 * theme.GRID - 2

        def elide_line(line: str) -> str:
            return metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, available)

        lines = [""]
        for word in self._shown.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if elide_line(longer) == longer or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        lines = [elide_line(line) for line in lines]
        self.setText(literal_label_text("\n".join(lines)))
        self.setFixedHeight(len(lines) * metrics.lineSpacing() + 2 * theme.HALF + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class MessageGroup(QWidget):
    """A column of message widgets: a question with its answer and tool calls, or messages without a
    question.
    """

    def __init__(self, has_question: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.has_question = has_question
        self.column = column_layout(on=self, margins=0, spacing=theme.GRID)


class MessageList(QScrollArea):
    """The list of messages. In an empty conversation it shows a hint and suggested questions. The
    signal ``asked`` carries a question that was clicked.

    A long conversation shows its last groups, and a button that requests some of the ``hidden``
    earlier questions.
    """

    asked = Signal(str)
    retryWanted = Signal()
    """The last turn, which ended with an error, is to go on."""
    earlierWanted = Signal()
    answered = Signal(object)
    """The `AnswerText` of an answer that is complete."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Conversation"))
        inner = QWidget(self)
        self._column = column_layout(on=inner, margins=theme.GRID, spacing=2 * theme.GRID)
        self.earlier = QPushButton(inner)
        theme.set_role(self.earlier, "flat")
        self.earlier.hide()
        self.earlier.clicked.connect(self.earlierWanted)
        self._column.addWidget(self.earlier)
        self._column.addStretch(1)
        self.setWidget(inner)
        self._groups: list[MessageGroup] = []
        self._group: MessageGroup | None = None
        """The group to which messages are added."""
        self.hidden = 0
        """Number of questions before the first visible one."""
        self.questions: list[QuestionButton] = []
        self.offered: list[QuestionButton] = []
        """The questions that the last answer offers."""
        self.following: list[QuestionButton] = []
        """The questions that may follow on the last answer."""
        self._suggestions: QWidget | None = None
        self.retry: QPushButton | None = None
        """The button that goes on with the last turn; None unless that ended with an error."""
        self._welcome: QWidget | None = None
        self._answer: AnswerText | None = None
        self._complete: AnswerText | None = None
        """The latest complete answer."""
        self._auto_scroll = True
        self._running: list[QWidget] = []
        """What still changes or waits for the person, such as the card of a call; its group is not
        removed.
        """
        self._insert_at: int | None = None
        """Index at which the next group is inserted; at the end if None."""
        self._distance_from_end: int | None = None
        """The distance from the end that the view keeps after earlier groups were inserted, until
        the person scrolls.
        """
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._release_scroll_position)
        bar.valueChanged.connect(self._record_scrolling)
        bar.rangeChanged.connect(self._range_changed)

    @property
    def is_empty(self) -> bool:
        return self._welcome is not None or not self._groups

    def clear(self) -> None:
        """Remove all messages."""
        self.remove_welcome()
        for group in self._groups:
            _remove_widget(group)
        self._groups, self._group, self._answer, self._running = [], None, None, []
        self._complete = None
        self.set_hidden_question_count(0)
        self._auto_scroll = True

    def show_earlier_questions(self, show: Callable[[int], None]) -> None:
        """Show some of the earlier questions, by calling ``show`` with the number of each. The
        scroll position is kept.
        """
        bar = self.verticalScrollBar()
        # an answer that is being streamed continues afterwards
        answer, self._answer = self._answer, None
        last, first = self._group, max(0, self.hidden - PAGE_SIZE)
        self._distance_from_end, self._auto_scroll = bar.maximum() - bar.value(), False
        for i in range(first, self.hidden):
            self._insert_at = i - first
            show(i)
        self._insert_at, self._group, self._answer = None, last, answer
        self.set_hidden_question_count(first)

    def set_hidden_question_count(self, questions: int) -> None:
        """Set how many questions before the first visible one are hidden."""
        self.hidden = questions
        self.earlier.setText(tr("Show earlier questions ({questions})", questions=questions))
        self.earlier.setVisible(questions > 0)

    def _begin_group(self, has_question: bool) -> None:
        """Begin a group of messages at the end, or at the place where earlier messages are
        inserted.
        """
        self._group = MessageGroup(has_question, self)
        index = len(self._groups) if self._insert_at is None else self._insert_at
        self._groups.insert(index, self._group)
        self._column.insertWidget(self._column.indexOf(self.earlier) + 1 + index, self._group)
        self._group.show()
        if self._insert_at is None:
            busy = [w for w in (*self._running, self._answer) if w is not None]
            gone = list(
                itertools.takewhile(
                    lambda group: not any(map(group.isAncestorOf, busy)),
                    self._groups[:-MAX_GROUPS],
                )
            )
            if gone:
                self._groups = self._groups[len(gone) :]
                for group in gone:
                    self._column.removeWidget(group)
                    _remove_widget(group)
                self.set_hidden_question_count(
                    self.hidden + sum(group.has_question for group in gone)
                )

    def protect_group(self, widget: QWidget) -> None:
        """Protect the group of a widget from removal until `release_group` is called, because more
        will be added to it.
        """
        self._running.append(widget)

    def release_group(self, widget: QWidget) -> None:
        """Allow the removal of a protected group when there are too many groups."""
        if widget in self._running:
            self._running.remove(widget)

    def remove_welcome(self) -> None:
        """Remove the hint and the suggested questions before the first message is added."""
        if self._welcome is not None:
            self._column.removeWidget(self._welcome)
            _remove_widget(self._welcome)
        self._welcome = None
        self.questions = []

    def show_welcome(self, text: str, questions: tuple[str, ...]) -> None:
        """Replace all messages by a hint and suggested questions; lines that were added below an
        earlier hint are kept.
        """
        if self._welcome is None:
            self.clear()
        self.remove_welcome()
        box = QWidget(self)
        label = QLabel(text, box)
        label.setWordWrap(True)
        theme.set_role(label, "dim")
        self.questions = self._make_question_buttons(questions, box)
        column = column_layout(label, *self.questions, on=box, margins=0, spacing=theme.HALF)
        column.insertSpacing(1, theme.HALF)
        self._welcome = box
        self._column.insertWidget(0, box)
        box.show()

    def _make_question_buttons(
        self, questions: tuple[str, ...], box: QWidget
    ) -> list[QuestionButton]:
        """Make the buttons that ask these questions."""
        buttons = [QuestionButton(question, box) for question in questions]
        for button in buttons:
            button.clicked.connect(lambda _checked=False, q=button.question: self.asked.emit(q))
        return buttons

    def suggest_questions(self, questions: tuple[str, ...]) -> None:
        """Add questions that could follow the last answer. They disappear when another question is
        asked.
        """
        box = QWidget(self)
        self.following = self._make_question_buttons(questions, box)
        column_layout(*self.following, on=box, margins=0, spacing=theme.HALF)
        self.add_widget(box)
        self._suggestions = box

    def offer_questions(self, questions: tuple[str, ...]) -> None:
        """Add the follow-up questions of an answer, with numbers by which the user can choose one."""
        box = QWidget(self)
        self.offered = self._make_question_buttons(questions, box)
        column_layout(*self.offered, on=box, margins=0, spacing=theme.HALF)
        for number, button in enumerate(self.offered, 1):
            button.show_number(number)
        self.add_widget(box)

    def offer_retry(self) -> None:
        """Add the button that retries the last turn."""
        self.retry = push_button(
            tr("Retry"),
            self.retryWanted.emit,
            tip=tr("Go on with this question. What was found and changed so far stays"),
            role="",
        )
        box = QWidget(self)
        row_layout(self.retry, 1, on=box, margins=0)
        self.add_widget(box)
        self.protect_group(box)

    def remove_failed_group(self) -> None:
        """Remove the messages of the failed turn, because the retried turn shows them again."""
        assert self.retry is not None
        button, self._group = self.retry, None
        self._withdraw_retry()
        group = next(group for group in self._groups if group.isAncestorOf(button))
        self._groups.remove(group)
        self._column.removeWidget(group)
        _remove_widget(group)

    def _withdraw_retry(self) -> None:
        if self.retry is not None and (box := self.retry.parentWidget()) is not None:
            self.release_group(box)
            box.hide()
            self.retry = None

    def add_user_message(self, text: str, pictures: tuple[AttachedPicture, ...] = ()) -> QWidget:
        """Add a message of the user with its pictures, which begins a group; returns its widget."""
        self.remove_welcome()
        self.offered, self.following = [], []
        if self._suggestions is not None:
            _remove_widget(self._suggestions)
            self._suggestions = None
        if self._insert_at is None:
            self._auto_scroll, self._distance_from_end = True, None
            self._withdraw_retry()
        self._begin_group(has_question=True)
        frame = QFrame(self)
        theme.set_role(frame, "user")
        small = [Thumbnail(p, PICTURE_HEIGHT, PICTURE_WIDTH, frame) for p in pictures]
        column_layout(
            WrappedLabel(text, frame, selectable=True),
            *small,
            on=frame,
            margins=(theme.GRID, theme.HALF, theme.GRID, theme.HALF),
        )
        self._append_widget(frame)
        return frame

    def append_answer(self, text: str) -> None:
        """Append streamed text to the current answer."""
        if self._answer is None:
            self._answer = AnswerText(self)
            self._append_widget(self._answer)
        self._answer.append_text(text)

    def finish_answer(self) -> AnswerText | None:
        """Render the current answer as Markdown, since its text is complete. Returns the latest
        complete answer.
        """
        if self._answer is not None:
            self._answer.finish()
            self.answered.emit(self._answer)
            self._complete, self._answer = self._answer, None
        return self._complete

    def add_status_line(self, text: str, role: str) -> QLabel:
        """Add a line about the state of the turn, with the role ``dim``, ``warning`` or ``error``."""
        label = WrappedLabel(text, self, role=role, selectable=True)
        self._append_widget(label)
        return label

    def add_widget(self, widget: QWidget) -> None:
        """Add another widget, such as a card."""
        self.finish_answer()
        self._append_widget(widget)

    def add_widget_at_end(self, widget: QWidget) -> None:
        """Add a widget and scroll to it."""
        self._auto_scroll, self._distance_from_end = True, None
        self.add_widget(widget)

    def scroll_pages(self, pages: int) -> None:
        """Scroll by pages, up if negative."""
        bar = self.verticalScrollBar()
        self._release_scroll_position()
        bar.setValue(bar.value() + pages * bar.pageStep())

    def begin_group_without_question(self) -> None:
        """Begin a group without a question, for example for a call by another program."""
        self.finish_answer()
        self._begin_group(has_question=False)

    def _append_widget(self, widget: QWidget) -> None:
        if self._group is None:
            self._begin_group(has_question=False)
        assert self._group is not None
        self._group.column.addWidget(widget)
        widget.show()

    def _release_scroll_position(self, _action: int = 0) -> None:
        self._distance_from_end = None

    def _record_scrolling(self, value: int) -> None:
        self._auto_scroll = value >= self.verticalScrollBar().maximum() - SCROLL_END_DISTANCE

    def _range_changed(self, _least: int, most: int) -> None:
        if self._distance_from_end is not None:
            self.verticalScrollBar().setValue(most - self._distance_from_end)
        elif self._auto_scroll and self._groups:  # a hint alone is read from its beginning
            self.verticalScrollBar().setValue(most)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
