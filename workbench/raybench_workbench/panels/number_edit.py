"""Line edits for one value, such as a number with its unit. They accept units and expressions;
refused input stays until it is corrected.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu

from raybench.formula import FormulaError, parse_latex
from raybench.kinds.fields import unit_text
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity, unit_suffix
from raybench_workbench import theme
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import (
    tr,
    translated_message,
    with_decimal_point,
    with_decimal_sign,
)

MAX_DECIMALS = 6
ROUNDING_ERROR = 1e-12
"""Relative size of a difference that is only that of rounding."""
MIN_POSITIVE = 1e-9
"""The smallest value of fields that must be positive."""


def format_number(value: float, digits: int = 10) -> str:
    """A number with at most ``digits`` significant digits, without trailing zeros."""
    return f"{value:.{digits}g}"


def format_decimals(value: float, decimals: int) -> str:
    """A number with the given number of decimals, or in exponential notation if that would have too
    many digits or zeros.
    """
    if decimals > MAX_DECIMALS or decimals < -2:
        return with_decimal_sign(f"{value:.4e}") if value else "0"
    return with_decimal_sign(f"{value:.{max(decimals, 0)}f}")


def _check_limits(value: float, low: float | None, high: float | None) -> None:
    """Raises InvalidQuantity if a value is outside its limits, with a message such as "must be at
    least 1; 0.5 is not".
    """
    if (low is None or value >= low) and (high is None or value <= high):
        return
    if low == MIN_POSITIVE and high is None:
        limits = tr("above {value}", value=0)
    elif low is not None and high is not None:
        limits = tr(
            "between {value} and {high}",
            value=format_number(low),
            high=format_number(high),
        )
    elif low is not None:
        limits = tr("at least {value}", value=format_number(low))
    else:
        limits = tr("at most {value}", value=format_number(high or 0.0))
    raise InvalidQuantity(
        tr(
            "must be {limits}; {value} is not",
            limits=limits,
            value=format_number(value),
        )
    )


IDLE_DIGITS = 6
"""Significant digits shown without the focus, or fewer where they do not fit; all digits are shown
while the field has the focus.
"""
TEXT_MARGIN = 7
"""Pixels at each side of the text: border, padding and Qt's own margin."""


SELECTS_ALL = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
)
"""Reasons of a focus change, by keyboard or with a dialog, after which the number is selected, to
be overwritten.
"""


_visits = itertools.count()
"""Numbers the times at which fields get the focus."""


def is_undo_or_redo(event: QKeyEvent) -> bool:
    """Whether a key event is the shortcut of Undo or Redo."""
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(
        QKeySequence.StandardKey.Redo
    )


class CommittedLineEdit(QLineEdit):
    """A line edit that leaves Undo and Redo to the window while it contains no uncommitted input,
    since committed input is a step of the document's history.
    """

    escapePressed = Signal()
    """Esc was pressed; subclasses that discard input by it themselves do not emit this."""
    refusal = ""
    """Why what is typed is refused, and kept to be corrected; empty if it is not."""

    def __init__(self) -> None:
        super().__init__()
        self.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not self.isModified()
            and is_undo_or_redo(event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_undo_or_redo(event) and not self.isModified():
            event.ignore()
        elif event.key() == Qt.Key.Key_Escape:
            self.discard()
        else:
            super().keyPressEvent(event)

    def commit(self) -> None:
        """Commit the typed input, for example when the field loses the focus."""
        self.editingFinished.emit()

    def discard(self) -> None:
        """Discard the typed input, for example on Esc."""
        self.escapePressed.emit()


class _ValueEdit(CommittedLineEdit):
    """A line edit that shows a value and commits the typed value on Enter or when it loses the
    focus. Invalid input is not committed; it stays until it is corrected, or Esc restores the
    value.
    """

    exited = Signal()
    """Enter was pressed and the input is valid, or Esc without uncommitted input."""
    entered = Signal(bool)
    """Enter was pressed and the input is valid; whether it was typed since the last commit."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self._value: Any = None
        self.setAccessibleName(label)
        self.setMinimumWidth(40)

    @property
    def value(self) -> Any:
        """The value that was committed last; None if the values of several objects differ."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Show a value, or None if the values of several objects differ. Typed input is kept unless
        the value changed.
        """
        if value != self._value or not self.isModified():
            self._value = value
            self.discard()

    def _show_text(self, text: str) -> None:
        if text != self.text():  # what is selected stays selected
            self.setText(text)
            self.setCursorPosition(0)
        self.setPlaceholderText(tr("several") if self._value is None else "")
        self.setModified(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            typed = self.isModified()
            self.commit()
            if not self.refusal:
                self._release_focus()
                self.entered.emit(typed)
        elif event.key() == Qt.Key.Key_Escape:
            discarded = self.isModified()
            self.discard()
            if not discarded:
                self._release_focus()
        else:
            super().keyPressEvent(event)

    def _release_focus(self) -> None:
        self.exited.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.commit()
        super().focusOutEvent(event)


class NumberEdit(_ValueEdit):
    """A line edit for a number. ``refused`` is emitted with the reason if the text is not a valid
    number or the receiver of ``committed`` calls `refuse_number`, and with an empty text once the
    input is corrected or discarded.
    """

    committed = Signal(float)
    refused = Signal(str)

    def __init__(
        self,
        label: str,
        unit: str = "",
        scene_unit: str = "mm",
        low: float | None = None,
        high: float | None = None,
        step: float | None = None,
        *,
        unit_shown: bool = True,
    ) -> None:
        """``unit`` is a unit as in `Description.unit`. With ``unit_shown`` False it is not
        displayed, as in the first of two fields in a line.
        """
        super().__init__(label)
        self._dimension, self._scene_unit = unit, scene_unit
        self.low, self._high, self._by = low, high, step
        self._before: tuple[str, float | None] = "", None
        """The text of the number committed last, and the number before it."""
        self.merge_key: str | None = None
        """While ``committed`` is emitted: the same for all arrow keys pressed from when the field
        got the focus; None for typed input.
        """
        self._visit = next(_visits)
        self.extend_menu: Callable[[QMenu], object] = lambda menu: None
        """Adds entries to the context menu."""
        self.link: Callable[[str], str] | None = None
        """Takes an expression after an equals sign, which the number is to follow; returns the
        reason if that is refused.
        """
        self._mark: QLabel | None = None
        """The sign of a linked number."""
        self._expression = self._tip = ""
        text = unit_suffix(unit_text(unit, scene_unit)).strip() if unit_shown else ""
        self._unit = QLabel(text, self)
        self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.set_role(self._unit, "dim")
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setTextMargins(0, 0, theme.text_pixel_width(text) + theme.GRID if text else 0, 0)
        self._place_unit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        self.extend_menu(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def show_link(self, expression: str) -> None:
        """Mark the number as one that follows an expression; an empty one removes the mark."""
        if expression == self._expression:
            return
        if self._mark is None:
            self._mark, self._tip = QLabel("=", self), self.toolTip()
            theme.set_role(self._mark, "accent")
            self._mark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._expression = expression
        self._mark.setVisible(bool(expression))
        self._place_unit()
        linked = tr("It follows = {expression}\nType = alone to unlink it.", expression=expression)
        tip = literal_tool_tip(f"{linked}\n{self._tip}".strip())
        self.setToolTip(tip if expression else self._tip)

    def discard(self) -> None:
        if self.refusal:
            self.refusal = ""
            self.refused.emit("")
        theme.set_role(self, "")
        if self._value is None:
            self._show_text("")
        elif self.hasFocus():
            self._show_text(with_decimal_sign(format_number(self._value)))
        else:
            self._show_text(self._number_to_fit(self._value))

    def _number_to_fit(self, value: float) -> str:
        """A number as text with as many digits as fit into the field."""
        room = self.width() - self.textMargins().right() - 2 * TEXT_MARGIN
        texts = [
            with_decimal_sign(format_number(value, digits)) for digits in range(IDLE_DIGITS, 0, -1)
        ]
        return next(
            (text for text in texts if theme.text_pixel_width(text, self.font()) <= room), texts[0]
        )

    def _select_text(self) -> None:
        """Select the text from its end, so that the beginning of a long number is visible."""
        self.setSelection(len(self.text()), -len(self.text()))

    def parse_number(self, text: str) -> float:
        """The number in a text, in the unit and within the limits of this field, see
        `raybench.scene.changes.quantity`. Raises InvalidQuantity.
        """
        value = read_quantity(with_decimal_point(text), self._dimension, self._scene_unit)
        _check_limits(value, self.low, self._high)
        return value

    def commit(self) -> None:
        if not self.isModified():
            return
        if self.link is not None and self.text().lstrip().startswith("="):
            if reason := self.link(self.text()):
                self._refuse_text(reason)
            else:
                self.discard()
            return
        try:
            value = self.parse_number(self.text())
        except InvalidQuantity as error:
            self._refuse_text(
                tr(
                    "{name} {refusal}.",
                    name=self.accessibleName(),
                    refusal=translated_message(error),
                )
            )
            return
        self._before = self.text(), self._value
        self._value = value
        self.discard()
        if value != self._before[1]:
            self.committed.emit(value)

    def refuse_number(self, reason: str) -> None:
        """Refuse the number that was just committed, and restore its text so that the user can
        correct it.
        """
        text, self._value = self._before
        self.setText(text)
        self.setModified(True)
        self._refuse_text(reason)

    def _refuse_text(self, reason: str) -> None:
        self.refusal = reason
        theme.set_role(self, "error")
        self.refused.emit(reason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if direction and self._value is not None:
            coarse = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._step_value(direction * coarse)
            return
        super().keyPressEvent(event)
        if event.key() == Qt.Key.Key_Escape and self.hasFocus():
            self._select_text()

    def _release_focus(self) -> None:
        self._select_text()
        super()._release_focus()

    def _step_value(self, count: int) -> None:
        """Change the value by ``count`` steps. A step is that of the field, else one unit of the
        value's second significant digit.
        """
        size = 10.0 ** (math.floor(math.log10(abs(self._value))) - 1) if self._value else 0.1
        change = count * (self._by or size)
        value = self._value + change
        if abs(value) < ROUNDING_ERROR * max(abs(self._value), abs(change)):
            value = 0.0
        self.setText(with_decimal_sign(format_number(value)))
        self.setModified(True)
        self.merge_key = f"arrows {self._visit}"
        self.commit()
        self.merge_key = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._visit = next(_visits)
        if not self.isModified():
            self.discard()
        super().focusInEvent(event)
        if event.reason() in SELECTS_ALL and not self.isModified():
            self._select_text()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.refusal:
            self.discard()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_unit()
        if not self.isModified() and not self.hasFocus():
            self.discard()

    def _place_unit(self) -> None:
        if self._mark is not None:
            self._mark.adjustSize()
            self._mark.move(theme.HALF + 2, (self.height() - self._mark.height()) // 2)
        self._unit.adjustSize()
        self._unit.move(
            self.width() - self._unit.width() - theme.HALF - 2,
            (self.height() - self._unit.height()) // 2,
        )


PARSE_DELAY = 250
"""Idle time after a key press before the formula is parsed, in milliseconds."""


class FormulaEdit(_ValueEdit):
    """A line edit for a formula. ``checked`` is emitted with the error in the formula, or with an
    empty text.
    """

    committed = Signal(str)
    checked = Signal(str)

    def __init__(self, label: str, variables: tuple[str, ...]) -> None:
        super().__init__(label)
        self._variables = variables
        self.error: FormulaError | None = None
        self._pause = QTimer(self, singleShot=True, interval=PARSE_DELAY)
        self._pause.timeout.connect(self._check_formula)
        self.textEdited.connect(lambda _: self._pause.start())

    def discard(self) -> None:
        self._show_text(self._value or "")
        # not at once: parsing the first formula of the process takes half a second
        self._pause.start()

    def _check_formula(self) -> None:
        self._pause.stop()
        self.error = None
        if self._value is not None or self.isModified():
            try:
                parse_latex(self.text(), self._variables)
            except FormulaError as error:
                self.error = error
        self.refusal = f"{self.accessibleName()}: {self.error}" if self.error else ""
        role = "error" if self.error else ""
        if (self.property("role") or "") != role:  # it paints the field anew, with other corners
            theme.set_role(self, role)
        self.checked.emit(str(self.error) if self.error else "")
        self.update()

    def commit(self) -> None:
        if self.isModified():
            self._check_formula()
            if self.error is None:
                self.setModified(False)
                self.committed.emit(self.text())
            elif self.error.position is not None and self.hasFocus():
                self.setCursorPosition(self.error.position)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.error is None or self.error.position is None:
            return
        width_of, text = self.fontMetrics().horizontalAdvance, self.text()
        start = self.cursorRect().center().x() - width_of(text[: self.cursorPosition()])
        first = start + width_of(text[: self.error.position])
        last = max(start + width_of(text[: self.error.position + 1]), first + theme.HALF)
        y = self.cursorRect().bottom() - 1
        painter = QPainter(self)
        painter.setClipRect(self.rect().adjusted(theme.HALF, 0, -theme.HALF, 0))
        painter.setPen(QPen(theme.current_theme().color("error"), 2))
        painter.drawLine(QPointF(first, y), QPointF(last, y))
        painter.end()
