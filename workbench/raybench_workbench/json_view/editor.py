"""A text editor for JSON, with line numbers, colours for the visible lines, and highlighted ranges.
It does not depend on scenes.
"""

from __future__ import annotations

import bisect
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from raybench_workbench import theme
from raybench_workbench.panels.number_edit import is_undo_or_redo
from raybench_workbench.translation import tr

_TOKENS = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*"?)(?P<colon>\s*:)?|(?P<number>-?\d[\d.eE+-]*)|'
    r"(?P<word>true|false|null)|(?P<sign>[{}\[\],:])"
)
_COLOURS = {"string": "good", "number": "accent", "word": "warning", "sign": "dim"}
MARK_OPACITY = 0.15
"""Opacity of the ground of marked text: more, and the colours on it could not be read."""
MAX_COLOURED_WORDS = 5_000
"""Words and signs of a line that have colours: a scene that is pasted in one line has tens of
thousands.
"""
Range = tuple[int, int]


class _Gutter(QWidget):
    """The line numbers, left of the text."""

    def __init__(self, editor: JsonEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.gutter_width, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_line_numbers(event.rect())


class JsonEditor(QPlainTextEdit):
    """The text editor. Its indices count UTF-16 units, as in the widget's text document.

    ``edited`` is emitted after the user changed the text: with the index, the number of characters
    removed there, and of those added. ``caretMoved`` is emitted when the user moves the caret
    without changing the text.
    """

    edited = Signal(int, int, int)
    caretMoved = Signal()
    findRequested = Signal()
    abandoned = Signal()
    """Esc was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.installEventFilter(self)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName(tr("Scene as JSON"))
        self.undo_belongs_to_text = False
        """Whether Ctrl+Z takes back typing; else it is left to the window."""
        self._quiet = 0
        self._marks: dict[str, Sequence[Range]] = {}
        self._gutter = _Gutter(self)
        self._colouring = QTimer(self, singleShot=True, interval=0)
        self._colouring.timeout.connect(self._colour_visible)
        self.blockCountChanged.connect(self._position_gutter)
        self.updateRequest.connect(self._record_scrolling)
        self.document().contentsChange.connect(self._record_text_change)
        self.cursorPositionChanged.connect(self._caret_moved)
        theme.notifier.changed.connect(self.update_theme)
        self.update_theme()

    def update_theme(self, *_: object) -> None:
        font = theme.mono_font()
        self.setFont(font)
        self.document().setDefaultFont(font)
        for block in self._visible_blocks():
            block.setUserState(-1)
        self._show_marks()
        self._position_gutter()
        self._colouring.start()

    # --- the text

    def replace_text(self, text: str) -> None:
        """Replace the whole text without emitting the signals of an edit. The scroll position is
        kept.
        """
        with self._editing_by_program():
            self.setPlainText(text)

    def replace_ranges(self, pieces: Iterable[tuple[int, int, str]]) -> None:
        """Replace ranges of the text, from the last to the first, without emitting the signals of
        an edit. The scroll position is kept.
        """
        with self._editing_by_program():
            cursor = QTextCursor(self.document())
            cursor.beginEditBlock()
            for start, end, text in pieces:
                _select_range(cursor, start, end)
                cursor.insertText(text)
            cursor.endEditBlock()

    @contextmanager
    def _editing_by_program(self) -> Iterator[None]:
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        places = [bar.value() for bar in bars]
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1
        for bar, place in zip(bars, places, strict=True):
            bar.setValue(place)
        self._colouring.start()

    def clear_undo_history(self) -> None:
        """Clear the undo history of the text, so that Ctrl+Z undoes a step of the document."""
        self.document().clearUndoRedoStacks()
        self.undo_belongs_to_text = False

    def scroll_to_position(
        self, start: int, end: int | None = None, *, focus: bool = False
    ) -> None:
        """Scroll to the index ``start``. With ``focus``, also place the cursor there and select the
        text up to ``end``.
        """
        cursor = QTextCursor(self.document())
        _select_range(cursor, start, end if focus and end is not None else start)
        if focus:
            self.setTextCursor(cursor)
            self.setFocus()
        line, first = cursor.blockNumber(), self.firstVisibleBlock().blockNumber()
        count = max(1, self.viewport().height() // max(1, self.fontMetrics().lineSpacing()) - 1)
        if not first <= line < first + count:
            self.verticalScrollBar().setValue(max(0, line - count // 3))
        self.horizontalScrollBar().setValue(0)

    # --- marks

    def set_marks(self, kind: str, ranges: Sequence[Range]) -> None:
        """Highlight ranges of the text. ``kind`` is ``selected`` or ``changed`` for lines or
        characters, ``fault`` for an error, or ``found`` for search results.
        """
        if list(ranges) != list(self._marks.get(kind, ())):
            self._marks[kind] = ranges
            self._show_marks()

    def marked_ranges(self, kind: str) -> Sequence[Range]:
        return self._marks.get(kind, ())

    def _show_marks(self) -> None:
        """Highlight the visible ranges only, because Qt is slow with thousands of them. Scrolling
        calls this again.
        """
        blocks = self._visible_blocks()
        if not blocks:
            return
        first, last = blocks[0].position(), blocks[-1].position() + blocks[-1].length() - 1
        marks = []
        for kind in ("selected", "found", "changed", "fault"):
            look = _mark_format(kind)
            for start, end in self._visible_marks(kind, first, last):
                lines = [
                    (b.position(), b.position())
                    for b in blocks
                    if b.position() <= end and b.position() + b.length() > start
                ]
                for a, b in lines if kind == "selected" else [(max(start, first), min(end, last))]:
                    mark, cursor = QTextEdit.ExtraSelection(), QTextCursor(self.document())
                    _select_range(cursor, a, b)
                    mark.cursor, mark.format = cursor, look
                    marks.append(mark)
        self.setExtraSelections(marks)
        self._gutter.update()

    def _visible_marks(self, kind: str, first: int, last: int) -> list[Range]:
        return [(a, b) for a, b in self._marks.get(kind, ()) if b >= first and a <= last]

    # --- lines and colours

    @property
    def gutter_width(self) -> int:
        return (
            theme.text_pixel_width("9" * max(3, len(str(self.blockCount()))), theme.mono_font())
            + 2 * theme.GRID
        )

    def _position_gutter(self, *_: object) -> None:
        self.setViewportMargins(self.gutter_width, 0, 0, 0)
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), self.gutter_width, area.height()))
        self._gutter.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._position_gutter()
        self._colouring.start()

    def _record_scrolling(self, rect: QRect, dy: int) -> None:
        if dy:
            self._gutter.scroll(0, dy)
            self._show_marks()
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())
        self._colouring.start()

    def paint_line_numbers(self, rect: QRect) -> None:
        colors = theme.current_theme()
        painter = QPainter(self._gutter)
        painter.fillRect(rect, colors.color("panel"))
        painter.setFont(theme.mono_font())
        blocks = self._visible_blocks()
        seen = (
            (blocks[0].position(), blocks[-1].position() + blocks[-1].length())
            if blocks
            else (0, 0)
        )
        changed = [
            (self._line_number_at(a), self._line_number_at(b))
            for a, b in self._visible_marks("changed", *seen)
        ]
        wrong = {self._line_number_at(a) for a, _ in self._visible_marks("fault", *seen)}
        current = self.textCursor().blockNumber()
        width = self._gutter.width()
        for block in blocks:
            box = self.blockBoundingGeometry(block).translated(self.contentOffset()).toAlignedRect()
            number = block.blockNumber()
            if any(a <= number <= b for a, b in changed):
                painter.fillRect(
                    QRect(width - 3, box.top(), 3, box.height()), colors.color("accent")
                )
            name = "error" if number in wrong else "text" if number == current else "dim"
            painter.setPen(colors.color(name))
            painter.drawText(
                QRect(0, box.top(), width - theme.GRID, box.height()),
                Qt.AlignmentFlag.AlignRight,
                str(number + 1),
            )
        painter.end()

    def _line_number_at(self, index: int) -> int:
        return self.document().findBlock(index).blockNumber()

    def _visible_blocks(self) -> list:  # type: ignore[type-arg]
        blocks, block = [], self.firstVisibleBlock()
        bottom = self.viewport().height()
        while (
            block.isValid()
            and self.blockBoundingGeometry(block).translated(self.contentOffset()).top() <= bottom
        ):
            blocks.append(block)
            block = block.next()
        return blocks

    def _colour_visible(self) -> None:
        """Colour the syntax of the visible lines only, because colouring a large text would block
        the window.
        """
        self._quiet += 1
        for block in self._visible_blocks():
            state = zlib.crc32(block.text().encode("utf-16-le", "surrogatepass")) & 0x7FFFFFFF
            if block.userState() != state:
                block.setUserState(state)
                block.layout().setFormats(_token_formats(block.text()))
        self._quiet -= 1

    # --- keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave Undo and Redo to the window, unless they concern typing that was not yet read.
        Ctrl+F opens the search bar.
        """
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if is_undo_or_redo(event) and not self.undo_belongs_to_text:
                event.ignore()
                return True
            if event.matches(QKeySequence.StandardKey.Find) or event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo_or_redo(event) and not self.undo_belongs_to_text:
            event.ignore()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.findRequested.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.abandoned.emit()
        elif event.key() == Qt.Key.Key_Tab and not self.textCursor().hasSelection():
            self.insertPlainText("  ")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            line = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
            deeper = "  " if line.rstrip().endswith(("{", "[")) else ""
            self.insertPlainText("\n" + " " * (len(line) - len(line.lstrip(" "))) + deeper)
        else:
            super().keyPressEvent(event)

    def _record_text_change(self, position: int, removed: int, added: int) -> None:
        if not self._quiet:
            self.undo_belongs_to_text = True
            last = self.document().characterCount() - 1
            # Qt counts its last paragraph mark where the whole text is replaced
            surplus = max(0, position + added - last)
            self.edited.emit(position, removed - surplus, added - surplus)
            self._colouring.start()

    def _caret_moved(self) -> None:
        if not self._quiet:
            self.caretMoved.emit()


def _select_range(cursor: QTextCursor, start: int, end: int) -> None:
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)


def _mark_format(kind: str) -> QTextCharFormat:
    """The text format of a kind of highlighted range."""
    colors, look = theme.current_theme(), QTextCharFormat()
    if kind == "selected":
        look.setBackground(colors.color("selected_row"))
        look.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
    elif kind == "fault":
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        look.setUnderlineColor(colors.color("error"))
        look.setBackground(colors.color("error", MARK_OPACITY))
    else:
        look.setBackground(colors.color("accent" if kind == "changed" else "warning", MARK_OPACITY))
    return look


def editor_index_function(text: str) -> Callable[[int], int]:
    """A function that converts indices into a text to indices of the editor, which counts some
    characters as two.
    """
    if text.isascii() or max(text) <= "\uffff":
        return lambda index: index
    double = [i for i, c in enumerate(text) if c > "\uffff"]
    return lambda index: index + bisect.bisect_left(double, index)


def _token_formats(line: str) -> list[QTextLayout.FormatRange]:
    """The text formats that colour the syntax of a line."""
    colors, units, formats = theme.current_theme(), editor_index_function(line), []
    for token in islice(_TOKENS.finditer(line), MAX_COLOURED_WORDS):
        kind = "string" if token["string"] is not None else token.lastgroup or "sign"
        start, end = (units(index) for index in token.span(kind))
        part, look = QTextLayout.FormatRange(), QTextCharFormat()
        look.setForeground(colors.color("text" if token["colon"] is not None else _COLOURS[kind]))
        part.start, part.length, part.format = start, end - start, look
        formats.append(part)
    return formats
