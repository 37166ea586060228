"""The scrollable list of the conversation's messages, which scrolls to new ones while its end is visible."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QImage,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QTextBrowser, QVBoxLayout, QWidget

from workbench import theme
from workbench.chat.formulas import with_plain_formulas
from workbench.words.counts import counted
from workbench.words.labels import WrappedLabel, measurable
from workbench.words.plain_text import label_text

NEAR_END = 2 * theme.GRID
"""Distance in pixels from the end within which new messages are scrolled into view."""
MOST_SHOWN = 30
"""Passages that have widgets; a long conversation would slow the window down. Earlier questions are shown again on demand."""
AT_ONCE = 8
"""Questions that are shown again at a time: the window stands still meanwhile."""

MOST_LETTERS, MOST_LINES = 80_000, 2_000
"""Of an answer that is shown: a whole book would hold the window up. An exported conversation has all of it."""
PARAGRAPH = 2000
"""Characters after which a paragraph is broken while it is streamed: Qt lays the last one out again with each piece."""
LONG_WORD = re.compile(r"\S{500}(?=\S)")
"""What takes Qt a time that grows with the square of its length to break into lines."""

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


def _remove(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()


class AnswerText(QTextBrowser):
    """An answer: plain text while it is streamed, rendered as Markdown when complete. As high as its text; loads no resources."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "message")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().setDefaultFont(self.font())
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.text_so_far = ""
        """What is shown."""
        self._left_out = 0
        """Letters that are not."""

    def add(self, text: str) -> None:
        shown = "" if self._left_out else self._that_fits(text)
        self._left_out += len(text) - len(shown)
        self.text_so_far += shown
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for start in range(0, len(shown), PARAGRAPH):
            if cursor.block().length() > PARAGRAPH:
                cursor.insertBlock()
            cursor.insertText(shown[start : start + PARAGRAPH])

    def _that_fits(self, text: str) -> str:
        """The beginning of the next piece for which there is room."""
        lines = text[: MOST_LETTERS - len(self.text_so_far)].split("\n")
        return "\n".join(lines[: MOST_LINES - self.text_so_far.count("\n")])

    def finish(self) -> None:
        document = self.document()
        document.setMarkdown(LONG_WORD.sub(r"\g<0> ", with_plain_formulas(self.text_so_far.strip())), MARKDOWN)
        if self._left_out:
            cursor = QTextCursor(document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            cursor.insertText(f"… {counted(self._left_out)} more letters. Export the conversation to read them.")
        document.setIndentWidth(2 * theme.GRID)
        block = document.begin()
        while block.isValid():
            space = block.blockFormat()
            space.setTopMargin(0)
            space.setBottomMargin(theme.HALF if block.next().isValid() else 0)
            space.setNonBreakableLines(False)  # wide table lines wrap: there is no horizontal scroll bar
            QTextCursor(block).setBlockFormat(space)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _without_lines(frame)
        self._fit()

    def loadResource(self, type: int, name: object) -> object:
        """Load nothing: a model's text must not open files or addresses. Of an image without a value Qt opens the file itself."""
        blank = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        blank.fill(Qt.GlobalColor.transparent)
        return blank

    def _fit(self, *_size: object) -> None:
        self.setFixedHeight(max(1, round(self.document().size().height() + 0.5)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _without_lines(table: QTextTable) -> None:
    """Tell the columns of a table apart by space alone, in any theme."""
    form = table.format().toTableFormat()
    form.setBorder(0)
    form.setCellPadding(0)
    form.setCellSpacing(0)
    form.setTopMargin(theme.HALF)
    table.setFormat(form)
    for row, column in product(range(table.rows()), range(1, table.columns())):
        cell = table.cellAt(row, column)
        padded = cell.format().toTableCellFormat()
        padded.setLeftPadding(2 * theme.GRID)
        cell.setFormat(padded)


class QuestionButton(QPushButton):
    """A button with a question, wrapped to as many lines as it needs."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        theme.set_role(self, "question")
        self.setAccessibleName(question)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics, available = self.fontMetrics(), self.width() - 2 * theme.GRID - 2
        lines = [""]
        for word in measurable(self.question).split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if metrics.horizontalAdvance(longer) <= available or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        lines = [metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, available) for line in lines]
        self.setText(label_text("\n".join(lines)))
        self.setFixedHeight(len(lines) * metrics.lineSpacing() + 2 * theme.HALF + 2)


class Passage(QWidget):
    """A question with all that was said to it, or what was said without a question: a column of widgets."""

    def __init__(self, of_question: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.of_question = of_question
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(theme.GRID)


class Talk(QScrollArea):
    """The messages; while there are none, a hint and suggested questions. ``asked`` carries a question that was clicked.

    Of a long conversation the last passages are shown, and a button that asks for some of the ``hidden`` questions before them.
    """

    asked = Signal(str)
    earlierWanted = Signal()
    answered = Signal(object)
    """The `AnswerText` of an answer that is complete."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Conversation")
        inner = QWidget(self)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        self._column.setSpacing(2 * theme.GRID)
        self.earlier = QPushButton(inner)
        theme.set_role(self.earlier, "flat")
        self.earlier.hide()
        self.earlier.clicked.connect(self.earlierWanted)
        self._column.addWidget(self.earlier)
        self._column.addStretch(1)
        self.setWidget(inner)
        self._passages: list[Passage] = []
        self._passage: Passage | None = None
        """Where messages are added."""
        self.hidden = 0
        """How many questions came before those that are shown."""
        self.questions: list[QuestionButton] = []
        self._welcome: QWidget | None = None
        self._answer: AnswerText | None = None
        self._auto_scroll = True
        self._at: int | None = None
        """Where a passage is put in; at the end if None."""
        self._from_end: int | None = None
        """The distance from the end that the view keeps since earlier passages were put in, until the person scrolls."""
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._leave_place)
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._range_changed)

    @property
    def empty(self) -> bool:
        return self._welcome is not None or not self._passages

    def clear(self) -> None:
        """Remove all messages."""
        self.leave_welcome()
        for passage in self._passages:
            _remove(passage)
        self._passages, self._passage, self._answer = [], None, None
        self._set_hidden(0)
        self._auto_scroll = True

    def show_earlier(self, show: Callable[[int], None]) -> None:
        """Show some of the hidden questions, by calling ``show`` with the number of each; the view stays where it is."""
        bar = self.verticalScrollBar()
        answer, self._answer = self._answer, None  # one that is streamed meanwhile goes on
        last, first = self._passage, max(0, self.hidden - AT_ONCE)
        self._from_end, self._auto_scroll = bar.maximum() - bar.value(), False
        for i in range(first, self.hidden):
            self._at = i - first
            show(i)
        self._at, self._passage, self._answer = None, last, answer
        self._set_hidden(first)

    def hide_earlier(self, questions: int) -> None:
        """Begin behind these questions, of a conversation that is not shown yet."""
        self._set_hidden(questions)

    def _set_hidden(self, questions: int) -> None:
        self.hidden = questions
        self.earlier.setText(f"Show earlier questions ({questions})")
        self.earlier.setVisible(questions > 0)

    def _begin(self, of_question: bool) -> None:
        """Begin a passage at the end, or where earlier ones are put in."""
        self._passage = Passage(of_question, self)
        index = len(self._passages) if self._at is None else self._at
        self._passages.insert(index, self._passage)
        self._column.insertWidget(self._column.indexOf(self.earlier) + 1 + index, self._passage)
        self._passage.show()
        if self._at is None:
            self._hide_first()

    def _hide_first(self) -> None:
        """Hide the first passages, if there are too many."""
        if len(self._passages) > MOST_SHOWN:
            gone, self._passages = self._passages[:-MOST_SHOWN], self._passages[-MOST_SHOWN:]
            for passage in gone:
                self._column.removeWidget(passage)
                _remove(passage)
            self._set_hidden(self.hidden + sum(passage.of_question for passage in gone))

    def leave_welcome(self) -> None:
        """Remove the hint and the suggested questions: something is said."""
        if self._welcome is not None:
            self._column.removeWidget(self._welcome)
            _remove(self._welcome)
        self._welcome = None
        self.questions = []

    def welcome(self, text: str, questions: tuple[str, ...]) -> None:
        """Replace everything with a hint and suggested questions; what was told besides an earlier hint stays."""
        if self._welcome is None:
            self.clear()
        self.leave_welcome()
        box = QWidget(self)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.HALF)
        label = QLabel(text, box)
        label.setWordWrap(True)
        theme.set_role(label, "dim")
        column.addWidget(label)
        column.addSpacing(theme.HALF)
        for question in questions:
            button = QuestionButton(question, box)
            button.clicked.connect(lambda _checked=False, q=question: self.asked.emit(q))
            column.addWidget(button)
            self.questions.append(button)
        self._welcome = box
        self._column.insertWidget(0, box)
        box.show()

    def add_user_message(self, text: str) -> None:
        """Add a message of the user, which begins a passage."""
        self.leave_welcome()
        if self._at is None:
            self._auto_scroll, self._from_end = True, None
        self._begin(of_question=True)
        frame = QFrame(self)
        theme.set_role(frame, "user")
        box = QVBoxLayout(frame)
        box.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        box.addWidget(WrappedLabel(text, frame, selectable=True))
        self._append(frame)

    def append_answer(self, text: str) -> None:
        """Append streamed text to the current answer."""
        if self._answer is None:
            self._answer = AnswerText(self)
            self._append(self._answer)
        self._answer.add(text)

    def finish_answer(self) -> None:
        """Render the current answer: its text is complete."""
        if self._answer is not None:
            self._answer.finish()
            self.answered.emit(self._answer)
            self._answer = None

    def add_line(self, text: str, role: str) -> QLabel:
        """Add a line about the turn with the role ``dim``, ``warning`` or ``error``."""
        label = WrappedLabel(text, self, role=role, selectable=True)
        self._append(label)
        return label

    def add(self, widget: QWidget) -> None:
        """Add another widget, such as a card."""
        self.finish_answer()
        self._append(widget)

    def add_at_end(self, widget: QWidget) -> None:
        """Add a widget and scroll to it."""
        self._auto_scroll, self._from_end = True, None
        self.add(widget)

    def page(self, pages: int) -> None:
        """Scroll by pages, up if negative."""
        bar = self.verticalScrollBar()
        self._leave_place()
        bar.setValue(bar.value() + pages * bar.pageStep())

    def begin(self) -> None:
        """Begin a passage without a question."""
        self.finish_answer()
        self._begin(of_question=False)

    def _append(self, widget: QWidget) -> None:
        if self._passage is None:
            self._begin(of_question=False)
        assert self._passage is not None
        self._passage.column.addWidget(widget)
        widget.show()

    def _leave_place(self, _action: int = 0) -> None:
        self._from_end = None

    def _scrolled(self, value: int) -> None:
        self._auto_scroll = value >= self.verticalScrollBar().maximum() - NEAR_END

    def _range_changed(self, _least: int, most: int) -> None:
        if self._from_end is not None:
            self.verticalScrollBar().setValue(most - self._from_end)
        elif self._auto_scroll:
            self.verticalScrollBar().setValue(most)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
