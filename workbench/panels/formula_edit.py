"""A field for a formula in LaTeX: while it cannot be read, the character where the trouble is stands underlined."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit

from core.formula import FormulaError, parse_latex
from workbench import theme

PAUSE = 250
"""Milliseconds without a key after which a formula is read."""


class FormulaEdit(QLineEdit):
    """``committed`` carries a formula that can be read when Enter is pressed or the field is left; ``judged`` what is wrong, or nothing.

    A formula that cannot be read is not committed and stays in the field until it is mended, or Esc brings the old one back.
    """

    committed = Signal(str)
    judged = Signal(str)

    def __init__(self, label: str, variables: tuple[str, ...]) -> None:
        super().__init__()
        self._variables = variables
        self._value: str | None = None
        self.error: FormulaError | None = None
        self.setAccessibleName(label)
        self.setMinimumWidth(40)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._judge)
        self.textEdited.connect(lambda _: self._pause.start())

    def set_value(self, value: str | None) -> None:
        """Show a formula; None where several objects differ. What is being typed is left alone."""
        if value != self._value or not self.isModified():
            self._value = value
            self._restore()

    def _restore(self) -> None:
        self.setText(self._value or "")
        self.setPlaceholderText("several" if self._value is None else "")
        self.setCursorPosition(0)
        self.setModified(False)
        # not at once: reading the first formula of all takes half a second
        self._pause.start()

    def _judge(self) -> None:
        self._pause.stop()
        self.error = None
        if self._value is not None or self.isModified():
            try:
                parse_latex(self.text(), self._variables)
            except FormulaError as error:
                self.error = error
        theme.set_role(self, "error" if self.error else "")
        self.judged.emit(str(self.error) if self.error else "")
        self.update()

    def _take(self) -> None:
        if self.isModified():
            self._judge()
            if self.error is None:
                self.setModified(False)
                self.committed.emit(self.text())
            elif self.error.position is not None and self.hasFocus():
                self.setCursorPosition(self.error.position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif event.key() == Qt.Key.Key_Escape:
            self._restore()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._take()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.error is None or self.error.position is None:
            return
        metrics = self.fontMetrics()

        def x_of(place: int) -> float:
            cursor = self.cursorRect().center().x()
            return cursor + metrics.horizontalAdvance(self.text()[:place]) - metrics.horizontalAdvance(self.text()[: self.cursorPosition()])

        first = x_of(self.error.position)
        last = max(x_of(self.error.position + 1), first + theme.HALF)
        y = self.cursorRect().bottom() - 1
        painter = QPainter(self)
        painter.setClipRect(self.rect().adjusted(theme.HALF, 0, -theme.HALF, 0))
        painter.setPen(QPen(theme.current().color("error"), 2))
        painter.drawLine(QPointF(first, y), QPointF(last, y))
        painter.end()
