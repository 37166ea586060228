"""A field for one number with its unit: typed, stepped with the arrow keys, and refused with a reason when it is none."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit

from workbench import theme

MOST_DECIMALS = 6


def shown(value: float, digits: int = 10) -> str:
    """A number as a field shows it, without noise."""
    return f"{value:.{digits}g}"


def in_decimals(value: float, decimals: int) -> str:
    """A number with so many decimals; in powers of ten where that would be a row of noughts."""
    if decimals > MOST_DECIMALS or decimals < -2:
        return f"{value:.4e}" if value else "0"
    return f"{value:.{max(decimals, 0)}f}"


def parse_number(text: str, label: str, low: float | None = None, high: float | None = None) -> float:
    """The number a person typed; ValueError says what is wrong and what would do."""
    plain = text.strip().replace("\u2212", "-").replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        raise ValueError(f"{label}: '{text.strip()}' is not a number. Type one such as 1.5.") from None
    if not math.isfinite(value):
        raise ValueError(f"{label}: '{text.strip()}' is not a finite number.")
    if (low is not None and value < low) or (high is not None and value > high):
        limits = f"between {shown(low)} and {shown(high)}" if low is not None and high is not None else (
            f"at least {shown(low)}" if low is not None else f"at most {shown(high or 0.0)}")  # fmt: skip
        raise ValueError(f"{label} must be {limits}; {shown(value)} is not. The old value stays.")
    return value


BRIEF = 6
"""Digits of a number that nobody is typing in; all of them are there when the field is entered."""


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class NumberEdit(QLineEdit):
    """``committed`` carries a new number when Enter is pressed or the field is left; ``refused`` the reason why input was not taken."""

    committed = Signal(float)
    refused = Signal(str)

    def __init__(self, label: str, unit: str = "", low: float | None = None, high: float | None = None, step: float | None = None) -> None:
        super().__init__()
        self._label, self._low, self._high, self._by = label, low, high, step
        self._value: float | None = None
        self._unit = QLabel(unit, self)
        self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.set_role(self._unit, "dim")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(label)
        self.setMinimumWidth(40)
        self.set_unit(unit)

    def set_unit(self, unit: str) -> None:
        self._unit.setText(unit)
        self.setTextMargins(0, 0, theme.width_of(unit) + theme.HALF if unit else 0, 0)
        self._place_unit()

    def set_value(self, value: float | None) -> None:
        """Show a number; None where several objects differ. What is being typed is left alone."""
        if value != self._value or not self.isModified():
            self._value = value
            self._show_value()

    def _show_value(self) -> None:
        theme.set_role(self, "")
        self.setText("" if self._value is None else shown(self._value, 10 if self.hasFocus() else BRIEF))
        self.setPlaceholderText("several" if self._value is None else "")
        self.setCursorPosition(0)
        self.setModified(False)

    def _take(self) -> None:
        if not self.isModified():
            return
        try:
            value = parse_number(self.text().removesuffix(self._unit.text()), self._label, self._low, self._high)
        except ValueError as error:
            self.setModified(False)
            theme.set_role(self, "error")
            self.refused.emit(str(error))
            return
        self.setModified(False)
        theme.set_role(self, "")
        if value != self._value:
            self._value = value
            self.committed.emit(value)

    def restore(self) -> None:
        """Show the old value again."""
        self._show_value()

    def event(self, event: QEvent) -> bool:
        """Leave Undo and Redo to the window while nothing is being typed: what was entered is a step of the document."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not self.isModified() and _is_undo(event):
            event.ignore()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if _is_undo(event) and not self.isModified():
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
            self.selectAll()
        elif key == Qt.Key.Key_Escape:
            self._show_value()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self._value is not None:
            coarse = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._step((1 if key == Qt.Key.Key_Up else -1) * coarse)
        else:
            super().keyPressEvent(event)

    def _step(self, count: int) -> None:
        """Change by the field's own step, else by the last digit that matters: one in a hundred of the value's size."""
        assert self._value is not None
        size = 10.0 ** (math.floor(math.log10(abs(self._value))) - 1) if self._value else 0.1
        value = round(self._value + count * (self._by or size), 12)
        self.setText(shown(value))
        self.setModified(True)
        self._take()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.isModified():
            self._show_value()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._take()
        super().focusOutEvent(event)
        self._show_value()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_unit()

    def _place_unit(self) -> None:
        self._unit.adjustSize()
        self._unit.move(self.width() - self._unit.width() - theme.HALF - 2, (self.height() - self._unit.height()) // 2)
