"""The text of an answer in the conversation: plain while it is streamed, rendered as Markdown when
complete.
"""

import re
from itertools import product

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from raybench_workbench import theme
from raybench_workbench.chat.formula_text import make_formulas_plain
from raybench_workbench.texts import grouped_digits
from raybench_workbench.translation import tr

MARK_SIZE = 2 * theme.GRID

_STROKES: dict[str, list[tuple[float, float]]] = {
    "done": [(3, 8.5), (6.5, 12), (13, 4.5)],
    "closed": [(6, 4), (10, 8), (6, 12)],
    "open": [(4, 6), (8, 10), (12, 6)],
}
_COLORS = {
    "done": "good",
    "failed": "error",
    "stopped": "warning",
    "running": "accent",
    "closed": "dim",
    "open": "dim",
}


class StateMark(QWidget):
    """A small symbol for a state: ``running``, ``done``, ``failed``, ``stopped``, ``closed`` or
    ``open``.
    """

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setFixedSize(QSize(MARK_SIZE, MARK_SIZE))

    def show_state(self, kind: str) -> None:
        self.kind = kind
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = theme.current_theme().color(_COLORS[self.kind])
        painter.setPen(
            QPen(
                color,
                1.5,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        if self.kind == "running":
            painter.setBrush(color)
            for x in (4, 8, 12):
                painter.drawEllipse(QPointF(x, 8), 0.6, 0.6)
        elif self.kind == "failed":
            painter.drawLine(QPointF(4, 4), QPointF(12, 12))
            painter.drawLine(QPointF(12, 4), QPointF(4, 12))
        elif self.kind == "stopped":
            painter.drawRect(4, 4, 8, 8)
        else:
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in _STROKES[self.kind]]))


MAX_CHARACTERS, MAX_LINES = 80_000, 2_000
"""Limits of the visible text: laying out a longer one would block the window. An exported
conversation has all of it.
"""
MAX_PARAGRAPH = 2000
"""Characters after which a paragraph is broken while it is streamed: Qt lays out the last paragraph
again for each piece.
"""
LONG_WORD = re.compile(r"\S{500}(?=\S)")
"""Part of a long word: the time that Qt takes to break one into lines grows with the square of its
length.
"""
LONG_BLANK = re.compile(r"([^\S\n]{200})[^\S\n]+")
"""A row of blanks of which 200 are shown: Qt does not end the layout of a line with more than
65,535.
"""
NESTED_LISTS = re.compile(
    r"^((?:[ \t>]*+(?:[-+*]|\d{1,9}[.)])(?=[ \t])){8})(?=[ \t>]*+(?:[-+*]|\d{1,9}[.)])[ \t])",
    re.MULTILINE,
)
"""The first eight of the list items that begin within each other on one line. Each is a line of its
own when it is shown, and the time that Qt takes to read them grows with the square of their number.
A character without a width after them makes the rest text.
"""
WIDE_TABLE = re.compile(r"^(?=[ \t>]*+\|?(?:[ \t]*+:?-++:?[ \t]*+\|){60})", re.MULTILINE)
"""The line below the head of a table of more than sixty columns, which Qt would lay out for
minutes: it is shown as text.
"""
MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class AnswerText(QTextBrowser):
    """The text of an answer: plain text while it is streamed, rendered as Markdown when it is
    complete. The widget is as high as its text and loads no resources.
    """

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
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self.text_so_far = ""
        """The visible part of the answer."""
        self._omitted = 0
        """Number of characters that are not shown."""

    def append_text(self, text: str) -> None:
        """Append streamed text, up to a maximum length."""
        lines = text[: MAX_CHARACTERS - len(self.text_so_far)].split("\n")
        fitting = "\n".join(lines[: MAX_LINES - self.text_so_far.count("\n")])
        shown = "" if self._omitted else fitting
        self._omitted += len(text) - len(shown)
        self.text_so_far += shown
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        for start in range(0, len(shown), MAX_PARAGRAPH):
            if cursor.block().length() > MAX_PARAGRAPH:
                cursor.insertBlock()
            cursor.insertText(shown[start : start + MAX_PARAGRAPH])

    def finish(self) -> None:
        """Render the complete text as Markdown."""
        document = self.document()
        text = LONG_BLANK.sub(
            r"\1", LONG_WORD.sub(r"\g<0> ", make_formulas_plain(self.text_so_far.strip()))
        )
        text = WIDE_TABLE.sub("\u200b", NESTED_LISTS.sub("\\1 \u200b", text))
        document.setMarkdown(text, MARKDOWN)
        if self._omitted:
            cursor = QTextCursor(document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            cursor.insertText(
                tr(
                    "… {count} more letters. Export the conversation to read them.",
                    count=grouped_digits(self._omitted),
                )
            )
        document.setIndentWidth(2 * theme.GRID)
        edit = QTextCursor(document)
        # one layout for all blocks: with one for each the time would grow with the square of their
        # number
        edit.beginEditBlock()
        block = document.begin()
        while block.isValid():
            space = block.blockFormat()
            space.setTopMargin(0)
            space.setBottomMargin(theme.HALF if block.next().isValid() else 0)
            space.setNonBreakableLines(
                False
            )  # wide table lines wrap: there is no horizontal scroll bar
            QTextCursor(block).setBlockFormat(space)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _remove_borders(frame)
        edit.endEditBlock()
        self._fit_height()

    def loadResource(self, type: int, name: object) -> object:
        """Load nothing, because text from a model must not open files or addresses. Without a
        returned image, Qt would open the file itself.
        """
        blank = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        blank.fill(Qt.GlobalColor.transparent)
        return blank

    def _fit_height(self, *_size: object) -> None:
        self.setFixedHeight(max(1, round(self.document().size().height() + 0.5)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _remove_borders(table: QTextTable) -> None:
    """Remove the borders of a table, so that only space separates its columns in every theme."""
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
