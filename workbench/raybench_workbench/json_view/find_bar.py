"""The search bar of the text editor: a search field, the number of matches, and keys for the next
and the previous match.
"""

import re
from bisect import bisect_left, bisect_right
from functools import partial
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from raybench_workbench import theme
from raybench_workbench.json_view.editor import JsonEditor, editor_index_function
from raybench_workbench.translation import tr
from raybench_workbench.widgets import describe_widget, push_button, row_layout

MAX_FOUND = 5000
"""Places that are counted and gone through."""
MAX_MARKED = 500


class FindBar(QWidget):
    """The search bar: Enter goes to the next match, Shift+Enter to the previous one, Esc closes it."""

    def __init__(self, editor: JsonEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._editor = editor
        self.text = describe_widget(QLineEdit(), name=tr("Find in the text"))
        self.text.setPlaceholderText(tr("Find in the text"))
        self.text.setClearButtonEnabled(True)
        self.count = describe_widget(QLabel(), role="dim")
        self.previous = push_button(tr("Previous"), partial(self.go_to_match, -1))
        self.next = push_button(tr("Next"), partial(self.go_to_match, 1))
        self.close_button = push_button(tr("Close"), self.close_bar)
        row_layout(
            (self.text, 1),
            self.count,
            self.previous,
            self.next,
            self.close_button,
            on=self,
            margins=(theme.GRID, 2, theme.HALF, 2),
        )
        self.text.textEdited.connect(lambda _: self.go_to_match(0))
        editor.textChanged.connect(self._unmark_matches)
        self.hide()

    def open_bar(self) -> None:
        """Show the bar. Text that is selected within one line becomes the search text."""
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.text.setText(chosen)
        self.show()
        self.text.setFocus()
        self.text.selectAll()
        self.go_to_match(0)

    def close_bar(self) -> None:
        self.hide()
        self._editor.set_marks("found", [])
        self._editor.setFocus()

    def go_to_match(self, step: int) -> None:
        """Highlight all matches and go to one of them: the next after the cursor (1), the previous
        (-1), or the first at or after the cursor (0).
        """
        wanted, text = self.text.text(), self._editor.toPlainText()
        found = re.finditer(re.escape(wanted), text, re.IGNORECASE) if wanted else iter(())
        units = editor_index_function(text)
        places = [(units(m.start()), units(m.end())) for m in islice(found, MAX_FOUND)]
        self._editor.set_marks("found", places[:MAX_MARKED])
        self.count.setText(tr("not found") if wanted else "")
        if not places:
            return
        starts, at = [start for start, _ in places], self._editor.textCursor().selectionStart()
        after = bisect_right(starts, at) if step > 0 else bisect_left(starts, at)
        index = (after - (step < 0)) % len(places)
        had_focus = self.text.hasFocus()
        self._editor.scroll_to_position(*places[index], focus=True)
        if had_focus:
            self.text.setFocus()
        self.count.setText(tr("{index} of {count}", index=index + 1, count=len(places)))

    def _unmark_matches(self) -> None:
        """Remove the highlight of the matches, because the text has changed."""
        self._editor.set_marks("found", [])
        self.count.setText("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go_to_match(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)
