"""The select mode of the canvas: click to select an object or a ray, drag to move, drag on empty
canvas to select several objects.

Other buttons, or Space, pan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QMetaObject, QObject, QPointF, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from raybench.errors import in_quotes
from raybench.scene.changes.quantity import InvalidQuantity
from raybench.scene.control_points import control_points
from raybench.scene.hit_test import BodyHit, ControlHit, Hit
from raybench.scene.locks import is_locked, movable_keys
from raybench.scene.place_numbers import PointNumber
from raybench.shapes.point import Point
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.handles import (
    DragObserver,
    MoveCentre,
    ScaleSelection,
    TurnSelection,
    dragged_part,
    transform_handles,
)
from raybench_workbench.canvas.modes.drags import (
    Drag,
    Modifiers,
    MoveControl,
    MoveCopy,
    MoveObjects,
    Pan,
    RubberBand,
)
from raybench_workbench.canvas.modes.mode import Mode
from raybench_workbench.panels.form import Form, Part
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.theme import set_role

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

SLACK = 3
"""Largest movement of a click in pixels; more is a drag."""
WIDTH = 190
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")
_BEFORE_SIGN = re.compile(r"(?<=[^\s+\-*/^(,;])\s+(?=[+-][^\s+-])")
"""The space in "20 -30", which are two numbers; "20 - 30" and "20-30" are one."""


class SelectMode(Mode):
    """States: nothing pressed; pressed, not yet a drag; dragging."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._pressed: tuple[QPointF, Qt.MouseButton, Modifiers, Hit | None] | None = None
        self.drag: Drag | None = None

    @property
    def busy(self) -> bool:
        return self._pressed is not None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if self._pressed is None:
            self._pressed = at, button, modifiers, picking.hit_at(self._view, at)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pressed is None:
            return
        start = self._pressed[0]
        if self.drag is None and (at - start).manhattanLength() > SLACK:
            self.drag = self._begin_drag(*self._pressed)
        if self.drag is not None:
            self.drag.move(at, modifiers)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pressed is None or button != self._pressed[1]:
            return
        _, _, modifiers, hit = self._pressed
        drag = self._take_drag()
        if drag is not None:
            drag.finish()
        elif hit is not None and self._view.document.scene.get(hit.key) is None:
            return  # it was deleted, or replaced by a reload, since it was pressed
        elif button == Qt.MouseButton.LeftButton and not self.space:
            handles = transform_handles(self._view)
            if hit is not None or handles is None or not handles.at(at):
                self._click_object(at, hit, modifiers)
        elif button == Qt.MouseButton.RightButton:
            self._ask_menu(at, hit)

    def _ask_menu(self, at: QPointF, hit: Hit | None) -> None:
        selection = self._view.selection
        if hit is None:
            selection.clear()
        elif hit.key not in selection.keys:
            selection.set(self._view.document.document.grouped_with(hit.key))
        self._view.menuRequested.emit(self._view.mapToGlobal(at.toPoint()))

    def cancel(self) -> bool:
        """Cancel the current drag and undo its changes; returns whether there was one."""
        drag = self._take_drag()
        if drag is not None:
            drag.cancel()
        return drag is not None

    def leave(self) -> None:
        if (drag := self._take_drag()) is not None:
            drag.finish()

    def _take_drag(self) -> Drag | None:
        """The current drag, which ends."""
        drag, self.drag, self._pressed = self.drag, None, None
        return drag

    def _begin_drag(
        self, start: QPointF, button: Qt.MouseButton, modifiers: Modifiers, hit: Hit | None
    ) -> Drag | None:
        view, scene, selection = self._view, self._view.document.scene, self._view.selection
        if button != Qt.MouseButton.LeftButton or self.space:
            return Pan(view, start)
        alt = modifiers & Modifiers.AltModifier
        handles = transform_handles(view)
        if handles is not None and not isinstance(hit, ControlHit):
            handle = handles.at(start)
            if handle == "turn":
                return TurnSelection(view, start, handles)
            if handle == "scale":
                return ScaleSelection(view, start, handles)
            if handle == "centre" and (hit is None or alt):  # else the object below it is dragged
                return MoveCentre(view, start)
        if part := dragged_part(view, start, hit):
            return DragObserver(view, start, part)
        if hit is None:
            keep = selection.keys if _extends_selection(modifiers) else frozenset()
            return RubberBand(view, start, keep)
        obj = scene.get(hit.key)
        if obj is None:
            return None
        if hit.key not in selection.keys:
            adds = modifiers & Modifiers.ShiftModifier
            grouped = view.document.document.grouped_with(hit.key)
            selection.set(selection.keys | {hit.key} if adds else grouped)
        title, failed = in_quotes(obj.title), view.document.failed.emit
        if is_locked(scene, obj):
            failed(f"{title} is locked and cannot be moved. Unlock it in its properties.")
            return None
        copies = bool(modifiers & Modifiers.ControlModifier)
        # an only point is all there is to hold an object by
        whole = (copies or len(selection.keys) > 1) and len(control_points(obj)) == 1
        if isinstance(hit, ControlHit) and not whole:
            return MoveControl(view, start, obj, hit.control)
        keys = movable_keys(scene, selection.keys)
        if not keys:
            failed(f"{title} has no points to be moved by. Change it in its properties.")
            return None
        return (MoveCopy if copies else MoveObjects)(view, start, keys)

    def _click_object(self, at: QPointF, hit: Hit | None, modifiers: Modifiers) -> None:
        """Select the clicked object; without one, or with Alt inside a glass, the ray."""
        view, selection, extends = self._view, self._view.selection, _extends_selection(modifiers)
        alt = bool(modifiers & Modifiers.AltModifier)
        if hit is None:
            name = picking.measurement_at(view, at)
            if name is not None:
                selection.set_measurements(selection.measurements ^ {name} if extends else {name})
                return
            picking.pick_ray(view, at, extend=extends)
            if not extends:
                selection.clear()
            return
        grouped = view.document.document.grouped_with(hit.key)
        through = alt and isinstance(hit, BodyHit) and len(grouped) <= 1
        if through and picking.pick_ray(view, at, extend=extends):
            return
        if extends:
            selection.toggle(hit.key)
        else:
            selection.set({hit.key} if alt else grouped)


def _extends_selection(modifiers: Modifiers) -> bool:
    return bool(modifiers & (Modifiers.ShiftModifier | Modifiers.ControlModifier))


class PointEditor(QWidget):
    """Calls ``moved`` with the point for each committed number, and ``done`` when Enter closes it.
    Esc or a click elsewhere also close it.

    ``moved`` returns why the position is refused, or an empty text.
    """

    def __init__(
        self,
        view: CanvasView,
        title: str,
        numbers: Sequence[PointNumber],
        at: Point,
        *,
        moved: Callable[[Point], str] = lambda at: "",
        done: Callable[[Point], object] = lambda at: None,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._numbers, self._at, self._moved, self._done = numbers, at, moved, done
        set_role(self, "card")
        self.form = Form([at], self._change_document, view.document.document.unit)
        self.form.add_heading(title)
        self.edits: list[NumberEdit] = []
        for i, number in enumerate(numbers):
            part = Part(
                number.label, partial(self._number_at, i), str(i), number.unit, low=number.low
            )
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
        beside = view.camera.to_screen(at) + QPointF(14, 14)
        self.move(
            int(min(max(beside.x(), 0), max(0, view.width() - self.width()))),
            int(min(max(beside.y(), 0), max(0, view.height() - self.height()))),
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

    def _number_at(self, i: int, at: Point) -> float:
        return self._numbers[i].get(at)

    def _change_document(self, values: Mapping[str, Any], merge_key: str | None = None) -> str:
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
                self._fill_pair(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, partial(self._take_text, watched))
        return super().eventFilter(watched, event)

    def _fill_pair(self, edit: QObject) -> None:
        """Two numbers typed into the first field of a pair, as in "100, 50" or "5 cm 3 cm", are for
        both fields.
        """
        row = next(i for i, e in enumerate(self.edits) if e is edit)
        pair = self.edits[row : row + 2]
        if row % 2 or len(pair) < 2 or not pair[0].isModified():
            return
        numbers = _two_numbers(pair[0].text(), *pair)
        if numbers is not None:
            for one in pair:
                one.setModified(False)
            self.form.change({str(row): numbers[0], str(row + 1): numbers[1]})

    def _take_text(self, edit: QObject) -> None:
        refused = not isinstance(edit, NumberEdit) or edit.isModified()
        if not refused:  # else it stays open to be corrected
            self._done(self._at)
            self.close_editor()

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isVisible() and not self.isAncestorOf(now):
            self._close()

    def close_editor(self) -> None:
        """Close, and give the focus back to the canvas."""
        self._close()
        self._view.setFocus()

    def _close(self) -> None:
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
