"""A small form on the canvas for the exact position of a point: coordinates, and length, angle or
radius.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QMetaObject, QObject, QPointF, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from raybench.scene.changes.quantity import InvalidQuantity
from raybench.scene.point_numbers import PointNumber
from raybench.shapes.point import Point
from raybench_workbench.panels.form import Form, Part
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.theme import set_role

WIDTH = 190
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")
_BEFORE_SIGN = re.compile(r"(?<=[^\s+\-*/^(,;])\s+(?=[+-][^\s+-])")
"""The space in "20 -30", which are two numbers; "20 - 30" and "20-30" are one."""


class PointEditor(QWidget):
    """Calls ``moved`` with the point for each committed number, and ``done``, if given, when Enter
    closes it. Esc or a click elsewhere also close it.

    ``moved`` returns why the position is refused, or an empty text.
    """

    def __init__(
        self,
        parent: QWidget,
        beside: QPointF,
        title: str,
        numbers: Sequence[PointNumber],
        at: Point,
        unit: str,
        moved: Callable[[Point], str],
        done: Callable[[Point], None] | None = None,
    ) -> None:
        super().__init__(parent)
        self._numbers, self._at, self._moved, self._done = numbers, at, moved, done
        set_role(self, "card")
        self.form = Form([at], self._change, unit)
        self.form.add_heading(title)
        self.edits: list[NumberEdit] = []
        for i, number in enumerate(numbers):
            part = Part(number.label, partial(self._number, i), str(i), number.unit, low=number.low)
            edit = self.form.number(part)
            edit.installEventFilter(self)
            self.form.add_row(part, edit)
            self.edits.append(edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self.form)
        self.form.show_values([at])
        self.setFixedWidth(WIDTH)
        self.adjustSize()
        self.move(
            int(min(max(beside.x() + 14, 0), max(0, parent.width() - self.width()))),
            int(min(max(beside.y() + 14, 0), max(0, parent.height() - self.height()))),
        )
        self.show()
        self.begin(0)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._connections: list[QMetaObject.Connection] = [
            app.focusChanged.connect(self._focus_changed)
        ]

    def begin(self, row: int, text: str = "") -> None:
        """Put the focus on a number, replaced by ``text`` if that is given."""
        edit = self.edits[row]
        edit.setFocus(Qt.FocusReason.TabFocusReason)
        if text:
            edit.setText(text)
            edit.setModified(True)

    def follow(
        self,
        changed: SignalInstance,
        current: Callable[[], tuple[Sequence[PointNumber], Point] | None],
    ) -> None:
        """Show the ``current`` numbers and place of the point whenever a signal is emitted; None
        for a point that is gone.
        """

        def show(*_: object) -> None:
            now = current()
            if now is None or len(now[0]) != len(self.edits):
                self.close_editor()
                return
            self._numbers, self._at = now
            for edit, number in zip(self.edits, self._numbers, strict=True):
                edit.low = number.low
            self.form.show_values([self._at])

        self._connections.append(changed.connect(show))

    def _number(self, i: int, at: Point) -> float:
        return self._numbers[i].get(at)

    def _change(self, values: Mapping[str, Any], merge_key: str | None = None) -> str:
        at = self._at
        for i, value in values.items():
            at = self._numbers[int(i)].put(at, float(value))
        if reason := self._moved(at):
            return reason
        self._at = at
        self.form.show_values([at])
        return ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close by Esc, and by Enter once the number is committed."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_editor()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                self._spread(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, partial(self._entered, watched))
        return super().eventFilter(watched, event)

    def _spread(self, edit: QObject) -> None:
        """Two numbers typed into the first field of a pair, as in "100, 50" or "5 cm 3 cm", are for
        both fields.
        """
        row = next(i for i, e in enumerate(self.edits) if e is edit)
        pair = self.edits[row : row + 2]
        if (
            row % 2
            or len(pair) < 2
            or not pair[0].isModified()
            or (numbers := _two_numbers(pair[0].text(), *pair)) is None
        ):
            return
        for one in pair:
            one.setModified(False)
        self.form.change({str(row): numbers[0], str(row + 1): numbers[1]})

    def _entered(self, edit: QObject) -> None:
        if (
            not isinstance(edit, NumberEdit) or edit.isModified()
        ):  # refused: it stays open to be corrected
            return
        if self._done is not None:
            self._done(self._at)
        self.close_editor()

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isVisible() and not self.isAncestorOf(now):
            self._remove()

    def close_editor(self) -> None:
        """Close, and give the focus back to the canvas."""
        self._remove()
        parent = self.parentWidget()
        if parent is not None:
            parent.setFocus()

    def _remove(self) -> None:
        for connection in self._connections:
            QObject.disconnect(connection)
        self._connections.clear()
        self.hide()
        self.deleteLater()


def _two_numbers(text: str, first: NumberEdit, second: NumberEdit) -> tuple[float, float] | None:
    """The numbers for two fields in a text, with a comma, a semicolon or a space between them; None
    for one number.
    """
    signed = list(_BEFORE_SIGN.finditer(text))
    if not signed:
        with suppress(InvalidQuantity):
            first.parsed(text)
            return None
    for separator in (*signed, *_SEPARATOR.finditer(text)):
        try:
            return first.parsed(text[: separator.start()]), second.parsed(text[separator.end() :])
        except InvalidQuantity:
            continue
    return None
