"""A line edit for a formula in LaTeX, which underlines the character at which parsing fails."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen

from raybench.formula import FormulaError, parse_latex
from raybench_workbench import theme
from raybench_workbench.panels.number_edit import CommittedLineEdit

PAUSE = 250
"""Idle time after a key press before the formula is parsed, in milliseconds."""


class FormulaEdit(CommittedLineEdit):
    """``committed`` is emitted with a valid formula on Enter or when focus leaves; ``checked`` with
    the error, empty if there is none.

    An invalid formula is not committed and stays in the field until it is corrected, or Esc
    restores the old one.
    """

    committed = Signal(str)
    checked = Signal(str)

    def __init__(self, label: str, variables: tuple[str, ...]) -> None:
        super().__init__()
        self._variables = variables
        self._value: str | None = None
        self.error: FormulaError | None = None
        self.setAccessibleName(label)
        self.setMinimumWidth(40)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._check)
        self.textEdited.connect(lambda _: self._pause.start())

    def set_value(self, value: str | None) -> None:
        """Show a formula, None if several objects differ. Uncommitted input is kept unless the
        value changed.
        """
        if value != self._value or not self.isModified():
            self._value = value
            self.discard()

    @property
    def refusal(self) -> str:
        return f"{self.accessibleName()}: {self.error}" if self.error is not None else ""

    def discard(self) -> None:
        """Show the formula again that was there before."""
        self.setText(self._value or "")
        self.setPlaceholderText("several" if self._value is None else "")
        self.setCursorPosition(0)
        self.setModified(False)
        # not at once: parsing the first formula of the process takes half a second
        self._pause.start()

    def _check(self) -> None:
        self._pause.stop()
        self.error = None
        if self._value is not None or self.isModified():
            try:
                parse_latex(self.text(), self._variables)
            except FormulaError as error:
                self.error = error
        role = "error" if self.error else ""
        if (
            self.property("role") or ""
        ) != role:  # setting it paints the field anew, with other corners
            theme.set_role(self, role)
        self.checked.emit(str(self.error) if self.error else "")
        self.update()

    def commit(self) -> None:
        if self.isModified():
            self._check()
            if self.error is None:
                self.setModified(False)
                self.committed.emit(self.text())
            elif self.error.position is not None and self.hasFocus():
                self.setCursorPosition(self.error.position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.commit()
        elif event.key() == Qt.Key.Key_Escape:
            self.discard()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.commit()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.error is None or self.error.position is None:
            return
        metrics = self.fontMetrics()

        def x_of(index: int) -> float:
            cursor = self.cursorRect().center().x()
            return (
                cursor
                + metrics.horizontalAdvance(self.text()[:index])
                - metrics.horizontalAdvance(self.text()[: self.cursorPosition()])
            )

        first = x_of(self.error.position)
        last = max(x_of(self.error.position + 1), first + theme.HALF)
        y = self.cursorRect().bottom() - 1
        painter = QPainter(self)
        painter.setClipRect(self.rect().adjusted(theme.HALF, 0, -theme.HALF, 0))
        painter.setPen(QPen(theme.current().color("error"), 2))
        painter.drawLine(QPointF(first, y), QPointF(last, y))
        painter.end()
