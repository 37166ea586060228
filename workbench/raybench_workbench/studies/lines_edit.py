"""A list of one-line edits that grows as it is filled, with completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from raybench_workbench import theme
from raybench_workbench.words.completion import complete_with, is_choosing

LONGEST = 1_000_000
"""Characters of a line. Qt cuts longer texts off, by default from 32,767."""


class LinesEdit(QWidget):
    """Texts, one to a line; there is always an empty line at the end. ``submitted`` is emitted on
    Enter.
    """

    submitted = Signal()

    def __init__(self, label: str, names: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._label, self._names, self._placeholder = label, names, ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.HALF)
        self.lines: list[QLineEdit] = []
        self._add()

    @property
    def texts(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(text for line in self.lines if (text := line.text().strip()))

    def set_texts(self, texts: Sequence[str]) -> None:
        """Show other texts."""
        while len(self.lines) > 1:
            self._remove(self.lines[-1])
        self.lines[0].clear()
        for text in texts:
            self.lines[-1].setText(text)
            self._tidy()

    def set_placeholder(self, text: str) -> None:
        """Show an example in the empty first line."""
        self._placeholder = text
        self.lines[0].setPlaceholderText(text)

    def _add(self) -> None:
        line = QLineEdit()
        line.setMaxLength(LONGEST)
        line.setAccessibleName(f"{self._label} {len(self.lines) + 1}")
        line.setPlaceholderText(self._placeholder if not self.lines else "")
        complete_with(line, self._names)
        line.textChanged.connect(lambda _text: self._tidy())
        line.returnPressed.connect(lambda: None if is_choosing(line) else self.submitted.emit())
        self._column.addWidget(line)
        self.lines.append(line)

    def _tidy(self) -> None:
        """Keep one empty line at the end."""
        if self.lines[-1].text():
            self._add()
        elif len(self.lines) > 1 and not self.lines[-2].text():
            self._remove(self.lines[-1])

    def _remove(self, line: QLineEdit) -> None:
        self.lines.remove(line)
        self._column.removeWidget(line)
        line.deleteLater()
