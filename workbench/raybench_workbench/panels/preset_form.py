"""The form of the preset that is being drawn, with its data and an optional position."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, described_fields
from raybench.presets import PRESETS
from raybench.presets.preset import Preset
from raybench.scene.changes import AddPreset
from raybench.scene.changes.presets import preset_with_values
from raybench.scene.creation import creatable_noun, default_object_size
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench.canvas.view import CanvasView
from raybench_workbench.panels.form import Form, FormArea, ValuePart, discard_typing
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.panels.rows import add_field_rows
from raybench_workbench.translation import tr, translated_message
from raybench_workbench.widgets import push_button

PLACE_PARTS = (
    ValuePart("X", attrgetter("x"), "x", LENGTH, tr("To the right.")),
    ValuePart("Y", attrgetter("y"), "y", LENGTH, tr("Downwards.")),
    ValuePart(tr("Angle"), attrgetter("angle"), "angle", "deg", tr("Counter-clockwise as seen.")),
)


@dataclass(frozen=True)
class _PlacedPreset:
    """The data that the preset form shows."""

    preset: Preset
    x: float
    y: float
    angle: float


class PresetForm(FormArea):
    """The form with the data of the preset that the canvas draws. The button *Add*, or Enter in a
    field of the position, adds the preset there. In other fields, Enter first commits the input.
    """

    def __init__(self, view: CanvasView, name: str, parent: QWidget | None = None) -> None:
        super().__init__(
            view.document,
            tr("Data of the {noun}", noun=tr(creatable_noun(name))),
            parent,
        )
        self._view, self.name = view, name
        view.document.changed.connect(self._document_changed)
        self.update_form()

    def _document_changed(self, before: Document, after: Document) -> None:
        if after.unit != before.unit:
            discard_typing(self)
            self.update_form()

    def form_key(self) -> tuple[object, ...]:
        return (self._document.document.unit,)

    def shown_values(self) -> list[Any]:
        return [
            _PlacedPreset(preset_with_values(self.name, self.values, self._unit), **self._place)
        ]

    def make_form(self) -> Form:
        view, preset = self._view, PRESETS[self.name]
        self._unit = view.document.document.unit
        middle = view.camera.to_scene(view.rect().center().toPointF())
        step = default_object_size(10.0 / view.camera.scale)
        self._place = {
            "x": _round_to_step(middle.x, step),
            "y": _round_to_step(middle.y, step),
            "angle": 0.0,
        }
        form = Form(self.shown_values(), self._change_values, self._unit)
        form.add_note(tr(preset.summary))
        for f in described_fields(preset):
            add_field_rows(form, f, ValuePart.of_field(f, attrgetter(f"preset.{f.name}")))
        self._data = form.findChildren(NumberEdit)
        form.add_heading(
            tr("Place"), tr("Click on the canvas, or type where the middle goes; Enter adds it.")
        )
        for part in PLACE_PARTS:
            form.add_row(part, form.make_number_edit(part))
        self.fault = form.add_note("", "error")
        self.add = push_button(tr("Add at this place"), self._add_preset, role="")
        form.add_full_width(self.add)
        self._refused: dict[NumberEdit, str] = {}
        """The reasons of refused numbers; empty once corrected."""
        for edit in form.findChildren(NumberEdit):
            edit.refused.connect(partial(self._record_refusal, edit))
            edit.entered.connect(partial(self._add_on_enter, edit))
        form.call_on_update(self._show_fault)
        view.preset_refused = ""
        return form

    @property
    def values(self) -> dict[str, Any]:
        return self._view.preset_values.setdefault(self.name, {})

    def focus_first(self) -> None:
        """Move the focus to the first number of the form."""
        first = self.findChild(NumberEdit)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def _change_values(self, values: Mapping[str, Any], merge_key: str | None) -> str:
        place = {key: value for key, value in values.items() if key in self._place}
        data = {key: value for key, value in values.items() if key not in place}
        try:
            preset_with_values(self.name, {**self.values, **data}, self._unit)
        except RaybenchError as error:
            return translated_message(error)
        self._place.update(place)
        self.values.update(data)
        self.update_form()
        return ""

    def _record_refusal(self, edit: NumberEdit, reason: str) -> None:
        """Record why a number is refused, so that the canvas draws nothing until it is corrected."""
        self._refused[edit] = reason
        reasons = [self._refused.get(edit, "") for edit in self._data]
        self._view.preset_refused = next(filter(None, reasons), "")
        self.update_form()

    def _show_fault(self) -> None:
        """Show why no objects can be made of the current data."""
        fault = ""
        try:
            preset_with_values(self.name, self.values, self._unit).objects_for_unit(self._unit)
        except RaybenchError as error:
            fault = translated_message(error)
        new, form = fault != self.fault.text(), self.form
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        if fault and new and form is not None:  # once it has its place
            QTimer.singleShot(0, self.fault, partial(form.scroll_to, self.fault))
        self.add.setEnabled(not fault and not any(self._refused.values()))

    def _add_on_enter(self, edit: NumberEdit, typed: bool) -> None:
        edit.setFocus(Qt.FocusReason.TabFocusReason)  # only Esc leaves the form
        if not (typed and edit in self._data):
            self.add.click()

    def _add_preset(self) -> None:
        place = dict(self._place)
        angle = place.pop("angle")
        change = AddPreset(self.name, dict(self.values), Point(**place), angle)
        if self._view.document.change(change):
            self._view.activate_drawing_mode(None)
            self._view.selection.select_and_show(change.keys.values())
            self._view.setFocus()


def _round_to_step(value: float, step: float) -> float:
    return float(f"{round(value / step) * step:.10g}")
