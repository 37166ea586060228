"""The conversation on show: what was said, one under the other, following the end as long as one looks at the end."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QTextCursor, QTextDocument, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QTextBrowser, QVBoxLayout, QWidget

from workbench import theme

NEAR_END = 2 * theme.GRID
"""Pixels from the end that still count as looking at it."""


MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML


class AnswerText(QTextBrowser):
    """What the agent says: streamed as it comes, set as Markdown when it is whole. As high as its text; never loads anything."""

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
        self.said = ""

    def add(self, text: str) -> None:
        self.said += text
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)

    def finish(self) -> None:
        document = self.document()
        document.setMarkdown(self.said.strip(), MARKDOWN)
        document.setIndentWidth(2 * theme.GRID)
        block = document.begin()
        while block.isValid():
            space = block.blockFormat()
            space.setTopMargin(0)
            space.setBottomMargin(theme.HALF if block.next().isValid() else 0)
            space.setNonBreakableLines(False)  # a wide line of a table wraps: there is no scroll bar to reach its end
            QTextCursor(block).setBlockFormat(space)
            block = block.next()
        self._fit()

    def loadResource(self, type: int, name: object) -> object:
        """Nothing: a text from a model opens no file and no address."""
        return None

    def _fit(self, *_size: object) -> None:
        self.setFixedHeight(max(1, round(self.document().size().height() + 0.5)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class QuestionButton(QPushButton):
    """A question to click, in as many lines as it needs."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        theme.set_role(self, "question")
        self.setAccessibleName(question)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics, room = self.fontMetrics(), self.width() - 2 * theme.GRID - 2
        lines = [""]
        for word in self.question.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if metrics.horizontalAdvance(longer) <= room or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        lines = [metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, room) for line in lines]
        self.setText("\n".join(lines).replace("&", "&&"))
        self.setFixedHeight(len(lines) * metrics.lineSpacing() + 2 * theme.HALF + 2)


class Talk(QScrollArea):
    """The messages. While there are none it says what to do, and offers questions; ``asked`` is one that was clicked."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Conversation")
        inner = QWidget(self)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        self._column.setSpacing(theme.GRID)
        self._column.addStretch(1)
        self.setWidget(inner)
        self.questions: list[QuestionButton] = []
        self._welcome: QWidget | None = None
        self._answer: AnswerText | None = None
        self._follows = True
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._moved)
        bar.rangeChanged.connect(self._grown)

    @property
    def empty(self) -> bool:
        return self._welcome is not None or self._column.count() == 1

    def clear(self) -> None:
        """Take away everything that was said."""
        self._answer = self._welcome = None
        self.questions = []
        while self._column.count() > 1:
            item = self._column.takeAt(0)
            if item is not None and (widget := item.widget()):
                widget.hide()
                widget.deleteLater()
        self._follows = True

    def welcome(self, text: str, questions: tuple[str, ...]) -> None:
        """What stands here before anything was said: what to do, and questions to click."""
        self.clear()
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
        self._append(box)

    def person(self, text: str) -> None:
        """A message of the person."""
        if self._welcome is not None:
            self.clear()
        self._follows = True
        if self._column.count() > 1:
            self._column.insertSpacing(self._column.count() - 1, theme.GRID)
        frame = QFrame(self)
        theme.set_role(frame, "user")
        label = QLabel(text, frame)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setMinimumWidth(1)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box = QVBoxLayout(frame)
        box.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        box.addWidget(label)
        self._append(frame)

    def say(self, text: str) -> None:
        """More of what the agent says."""
        if self._answer is None:
            self._answer = AnswerText(self)
            self._append(self._answer)
        self._answer.add(text)

    def finish_text(self) -> None:
        """What was being said is whole."""
        if self._answer is not None:
            self._answer.finish()
            self._answer = None

    def line(self, text: str, role: str) -> QLabel:
        """A line about the turn: ``dim``, ``warning`` or ``error``."""
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setMinimumWidth(1)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        theme.set_role(label, role)
        self._append(label)
        return label

    def add(self, widget: QWidget) -> None:
        """Something else, such as a card."""
        self.finish_text()
        self._append(widget)

    def page(self, pages: int) -> None:
        """Look further up (negative) or down."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())

    def _append(self, widget: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, widget)
        widget.show()

    def _moved(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - NEAR_END

    def _grown(self, _least: int, most: int) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(most)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
