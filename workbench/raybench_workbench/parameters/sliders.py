"""Sliders for chosen numbers of a scene. The light follows while a slider is dragged."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSlider, QWidget

from raybench.errors import RaybenchError, elide_text
from raybench.kinds.fields import LENGTH
from raybench.kinds.object import MAX_NUMBER
from raybench.scene.changes import SetDocument
from raybench.scene.document import Document
from raybench.scene.parameters.following import link_at
from raybench.scene.parameters.numbers import DocumentNumber
from raybench.scene.parameters.parameter import POSITION_MOTIONS
from raybench.scene.slider_range import SliderRange
from raybench_workbench import theme
from raybench_workbench.document import DocumentGesture, WorkDocument
from raybench_workbench.panels.number_edit import NumberEdit, format_number
from raybench_workbench.translation import tr
from raybench_workbench.widgets import describe_widget, push_button
from raybench_workbench.window.keyboard import leave_wheel_to_form

SLIDER_STEPS = 1000
"""Steps of a slider over its range."""
DISTANCE_RANGE, ANGLE_RANGE = 5, 45.0
"""The usual range of where an object stands, to both sides: steps of the grid, and degrees."""
NAME_LENGTH = 30
END_WIDTH, VALUE_WIDTH = 9 * theme.GRID, 12 * theme.GRID
"""Pixels of the fields for the ends of the range and for the value."""
_visits = itertools.count()


def default_slider_range(number: DocumentNumber, value: float, document: Document) -> SliderRange:
    """The default range of a slider around a value, within the limits of the number."""
    by = abs(value) / 2 or 1.0
    if number.parameter.place in POSITION_MOTIONS:
        is_length = number.about.unit == LENGTH
        by = DISTANCE_RANGE * document.scene.settings.grid_size if is_length else ANGLE_RANGE
    ends = (float(format_number(value + d, 3)) for d in (-by, by))
    low, high = (min(max(end, -MAX_NUMBER), MAX_NUMBER) for end in ends)
    about = number.about
    low = low if about.low is None else max(low, about.low)
    high = high if about.high is None else min(high, about.high)
    return SliderRange(min(low, value), max(high, value))


class _Slider(QSlider):
    """A slider on which Esc cancels a drag."""

    escapePressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isSliderDown():
            self.escapePressed.emit()
        else:
            super().keyPressEvent(event)


class NumberSlider:
    """The widgets for one number, in a row of a grid: its name, the ends of its range, the slider,
    its value, and a button that removes the row.
    """

    def __init__(self, number: DocumentNumber, document: WorkDocument, remove: QPushButton) -> None:
        self.number, self._document = number, document
        self._gesture: DocumentGesture | None = None
        self._visit = next(_visits)
        self.range = document.document.sliders[number.parameter.text]
        name, unit, scene_unit = number.parameter.text, number.about.unit, document.document.unit
        self.name = describe_widget(QLabel(elide_text(name, NAME_LENGTH)), role="label", tip=name)
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        ends = [
            NumberEdit(f"{name}, {end}", unit, scene_unit, unit_shown=False)
            for end in (tr("left end of the slider"), tr("right end of the slider"))
        ]
        for edit in ends:
            edit.setFixedWidth(END_WIDTH)
            edit.committed.connect(self._change_range)
        self.low_edit, self.high_edit = ends
        self.slider = describe_widget(
            _Slider(Qt.Orientation.Horizontal), name=tr("{number}, slider", number=name)
        )
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setPageStep(SLIDER_STEPS // 10)
        self.slider.setMinimumWidth(END_WIDTH)
        leave_wheel_to_form(self.slider)
        self.slider.sliderPressed.connect(self._begin_drag)
        self.slider.sliderReleased.connect(self._finish_drag)
        self.slider.valueChanged.connect(self._drag_to)
        self.slider.escapePressed.connect(self._cancel_drag)
        self.value = NumberEdit(name, unit, scene_unit, number.about.low, number.about.high)
        self.value.setFixedWidth(VALUE_WIDTH)
        self.value.committed.connect(self._set_typed_value)
        self.remove = remove
        self.show_value()

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """The widgets from left to right."""
        return self.name, self.low_edit, self.slider, self.high_edit, self.value, self.remove

    def show_value(self) -> None:
        """Show the current value. The slider of a linked number is disabled."""
        document = self._document.document
        try:
            value = self.number.parameter.value_in_document(document)
        except RaybenchError:
            return
        self.range = document.sliders.get(self.number.parameter.text, self.range)
        low, high = self.range.low, self.range.high
        self.low_edit.set_value(low)
        self.high_edit.set_value(high)
        self.value.set_value(value)
        link = link_at(document, self.number.parameter)
        for widget in (self.slider, self.value):
            widget.setEnabled(link is None)
            widget.setToolTip("" if link is None else f"= {link.expression}")
        if self._gesture is None:
            with QSignalBlocker(self.slider):
                at = (value - low) / ((high - low) or 1.0)
                self.slider.setValue(round(SLIDER_STEPS * min(max(at, 0.0), 1.0)))

    def _change_range(self, _: float) -> None:
        sliders = {name: each.to_json() for name, each in self._document.document.sliders.items()}
        low, high = sorted((self.low_edit.value, self.high_edit.value))
        sliders[self.number.parameter.text] = {"low": low, "high": high}
        if not self._document.change(SetDocument(sliders=sliders)):
            self.show_value()

    def _begin_drag(self) -> None:
        self._visit = next(_visits)
        self._gesture = self._document.begin_gesture()

    def _drag_to(self, position: int) -> None:
        low, high = self.range.low, self.range.high
        value = low + (high - low) * position / SLIDER_STEPS
        value = float(format_number(value, 6))
        parameter, session = self.number.parameter, self._document.session
        if self._gesture is not None:
            self._gesture.update(parameter.change_in(session.base, value))
        else:  # by keys
            change = parameter.change_in(session.document, value)
            if not self._document.change(change, f"slider {self._visit}"):
                self.show_value()

    def _finish_drag(self) -> None:
        self._visit = next(_visits)
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.finish()
            self.show_value()

    def _cancel_drag(self) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel()
            self.slider.setSliderDown(False)
            self.show_value()

    def _set_typed_value(self, value: float) -> None:
        change = self.number.parameter.change_in(self._document.document, value)
        if reason := self._document.apply_or_refuse(change):
            self.value.refuse_number(reason)
            self._document.failed.emit(reason)


class Sliders(QWidget):
    """The sliders of chosen numbers, one row each. ``removed`` is emitted with a number when the
    user removes its slider.
    """

    removed = Signal(object)

    def __init__(self, document: WorkDocument) -> None:
        super().__init__()
        theme.set_role(self, "panel")
        self._document = document
        self.rows: list[NumberSlider] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        self._grid.setHorizontalSpacing(theme.HALF)
        self._grid.setVerticalSpacing(theme.HALF)
        self._grid.setColumnStretch(2, 1)

    def show_numbers(self, numbers: list[DocumentNumber]) -> None:
        places = [n.parameter.identity for n in numbers]
        for row in [r for r in self.rows if r.number.parameter.identity not in places]:
            self.rows.remove(row)
            for widget in row.widgets:
                self._grid.removeWidget(widget)
                widget.deleteLater()
        there = {row.number.parameter.identity: row for row in self.rows}
        for number in numbers:
            shown = there.get(number.parameter.identity)
            if shown is None:
                self._add_slider(number)
                continue
            shown.number = number
            shown.name.setText(elide_text(number.parameter.text, NAME_LENGTH))
            shown.show_value()

    @property
    def needed_height(self) -> int:
        """The height in pixels that all rows need."""
        high = [row.value.sizeHint().height() + theme.HALF for row in self.rows]  # not yet laid out
        return sum(high) + theme.HALF

    def _add_slider(self, number: DocumentNumber) -> None:
        name = tr("Remove the slider of {number}", number=number.parameter.text)
        button = push_button("×", lambda: None, name=name, tip=tr("Remove the slider"))
        button.setFixedWidth(2 * theme.GRID)
        row = NumberSlider(number, self._document, button)
        button.clicked.connect(lambda: self.removed.emit(row.number))
        at = self._grid.rowCount()
        for column, widget in enumerate(row.widgets):
            self._grid.addWidget(widget, at, column)
        self.rows.append(row)
