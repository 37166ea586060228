"""A small form on the canvas for the coordinates of a point: a control point, the centre of the
selection, or the point being drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QMetaObject, QObject, QPointF, Qt, QTimer, SignalInstance
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from raybench.kinds.object import SceneObject
from raybench.scene.changes.placing import control_drag_change
from raybench.scene.changes.quantity import InvalidQuantity
from raybench.scene.control_points import ControlPoint, control_points
from raybench.scene.creation import creatable_title
from raybench.scene.place_numbers import (
    COORDINATE_NUMBERS,
    PointNumber,
    point_numbers,
    polar_numbers,
)
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.panels.form import Form, ValuePart
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.theme import set_role
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

EDITOR_WIDTH = 190
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")
_BEFORE_SIGN = re.compile(r"(?<=[^\s+\-*/^(,;])\s+(?=[+-][^\s+-])")
"""The space in "20 -30", which are two numbers; "20 - 30" and "20-30" are one."""


def edit_point(view: CanvasView, obj: SceneObject, control: ControlPoint) -> None:
    """Open the form with the coordinates of a control point. All changes made in it are one undo
    step.
    """
    document = view.document

    def find_point() -> tuple[SceneObject, ControlPoint] | None:
        now = document.scene.get(obj.key)
        controls = control_points(now) if now is not None else ()
        same = (c for c in controls if (c.field, c.path) == (control.field, control.path))
        return next(((now, c) for c in same if now is not None), None)

    def current_numbers_and_point() -> tuple[Sequence[PointNumber], Point] | None:
        now = find_point()
        return (point_numbers(*now), now[1].at) if now is not None else None

    def move_point(at: Point) -> str:
        now = find_point()
        if now is None:
            return tr("{title} is no longer in the scene.", title=obj.title)
        return document.apply_or_refuse(
            control_drag_change(*now, at), tr("point {id}", id=id(find_point))
        )

    title, numbers = f"{obj.title}: {tr(control.label.lower())}", point_numbers(obj, control)
    editor = PointEditor(view, title, numbers, control.at, moved=move_point)
    editor.form.refused.connect(document.failed)
    editor.follow_point(document.changed, current_numbers_and_point)


def edit_selection_centre(view: CanvasView, at: Point) -> None:
    """Open the form with the centre about which the selection is rotated, mirrored and scaled. The
    centre is not stored in the document.
    """

    def move_centre(to: Point) -> str:
        view.pivot = to
        view.update()
        return ""

    PointEditor(view, tr("Centre of rotation"), COORDINATE_NUMBERS, at, moved=move_centre)


def open_form_for_point(view: CanvasView, text: str) -> None:
    """Open the form for the next point of the create mode, with ``text`` as its first number."""
    mode = view.mode
    assert isinstance(mode, CreateMode)
    at = mode.at or view.camera.to_scene(QPointF(view.mapFromGlobal(QCursor.pos())))
    numbers: tuple[PointNumber, ...] = COORDINATE_NUMBERS
    if mode.previous_point is not None:
        numbers = *polar_numbers(mode.previous_point), *COORDINATE_NUMBERS
    what = tr("first point") if mode.previous_point is None else tr("next point")
    done = mode.begin_object_at if mode.previous_point is None else mode.draw_object_to
    form = PointEditor(view, f"{tr(creatable_title(mode.kind))}: {what}", numbers, at, done=done)
    form.focus_number(0, text)


class PointEditor(QWidget):
    """A form with the coordinates of a point. It calls ``moved`` with the point after each
    committed number, and ``done`` when Enter closes it. Esc or a click elsewhere also closes it.

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
            part = ValuePart(
                tr(number.label),
                partial(self._coordinate_of_point, i),
                str(i),
                number.unit,
                low=number.low,
            )
            edit = self.form.make_number_edit(part)
            edit.installEventFilter(self)
            self.form.add_row(part, edit)
            self.edits.append(edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self.form)
        self.form.show_values([at])
        self.setFixedWidth(EDITOR_WIDTH)
        self.adjustSize()
        beside = view.camera.to_screen(at) + QPointF(14, 14)
        self.move(
            int(min(max(beside.x(), 0), max(0, view.width() - self.width()))),
            int(min(max(beside.y(), 0), max(0, view.height() - self.height()))),
        )
        self.show()
        self.focus_number(0)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._connections: list[QMetaObject.Connection] = [
            app.focusChanged.connect(self._focus_changed)
        ]

    def focus_number(self, row: int, text: str = "") -> None:
        """Focus the field of a number; if ``text`` is given, it replaces the number."""
        edit = self.edits[row]
        edit.setFocus(Qt.FocusReason.TabFocusReason)
        if text:
            edit.setText(text)
            edit.setModified(True)

    def follow_point(
        self,
        changed: SignalInstance,
        current: Callable[[], tuple[Sequence[PointNumber], Point] | None],
    ) -> None:
        """Update the form with the numbers and the point that ``current`` returns, each time
        ``changed`` is emitted. Close the form if the point no longer exists.
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

    def _coordinate_of_point(self, index: int, at: Point) -> float:
        return self._numbers[index].get(at)

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
        """Close the form on Esc, and on Enter once the number is committed."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_editor()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                self._fill_fields_from_pair(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                QTimer.singleShot(0, self, partial(self._commit_text, watched))
        return super().eventFilter(watched, event)

    def _fill_fields_from_pair(self, edit: QObject) -> None:
        """Fill two adjacent fields from two numbers typed into the first, such as "100, 50" or "5
        cm 3 cm".
        """
        row = next(i for i, e in enumerate(self.edits) if e is edit)
        pair = self.edits[row : row + 2]
        if row % 2 or len(pair) < 2 or not pair[0].isModified():
            return
        numbers = _split_number_pair(pair[0].text(), *pair)
        if numbers is not None:
            for one in pair:
                one.setModified(False)
            self.form.change({str(row): numbers[0], str(row + 1): numbers[1]})

    def _commit_text(self, edit: QObject) -> None:
        refused = not isinstance(edit, NumberEdit) or edit.isModified()
        if not refused:  # else it stays open to be corrected
            self._done(self._at)
            self.close_editor()

    def _focus_changed(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isVisible() and not self.isAncestorOf(now):
            self._close()

    def close_editor(self) -> None:
        """Close the form and give the focus back to the canvas."""
        self._close()
        self._view.setFocus()

    def _close(self) -> None:
        for connection in self._connections:
            QObject.disconnect(connection)
        self._connections.clear()
        self.hide()
        self.deleteLater()


def _split_number_pair(
    text: str, first: NumberEdit, second: NumberEdit
) -> tuple[float, float] | None:
    """The two numbers for two fields from a text with a comma, a semicolon or a space between them;
    None if the text holds only one number.
    """
    signed = list(_BEFORE_SIGN.finditer(text))
    if not signed:
        with suppress(InvalidQuantity):
            first.parse_number(text)
            return None
    for separator in (*signed, *_SEPARATOR.finditer(text)):
        try:
            return first.parse_number(text[: separator.start()]), second.parse_number(
                text[separator.end() :]
            )
        except InvalidQuantity:
            continue
    return None
