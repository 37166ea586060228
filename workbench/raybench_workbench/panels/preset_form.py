"""The form of the preset that is being placed: its data, and where it goes if that is typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, fields_of
from raybench.presets import PRESETS
from raybench.presets.preset import Preset
from raybench.scene.changes import AddPreset
from raybench.scene.changes.presets import preset_of
from raybench.scene.creation import noun_of, size_of_default
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench.canvas.view import CanvasView
from raybench_workbench.panels.form import Form, Part, drop_typing, put_form
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.panels.rows import add_field

PLACE = ("x", "y", "angle")


@dataclass(frozen=True)
class _Placed:
    """What the form shows."""

    preset: Preset
    x: float
    y: float
    angle: float


class PresetForm(QScrollArea):
    """The data of one preset, which the canvas uses for what it draws; *Add* adds it at the typed
    place.
    """

    def __init__(self, view: CanvasView, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view, self.name = view, name
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(f"Data of the {noun_of(name)}")
        view.document.changed.connect(self._document_changed)
        self._make_form()

    def _document_changed(self, before: Document, after: Document) -> None:
        if after.unit != before.unit:
            drop_typing(self)
            self._make_form()

    def _make_form(self) -> None:
        """Make the form in the unit of the document."""
        view, name = self._view, self.name
        self._unit = view.document.document.unit
        middle = view.camera.to_scene(view.rect().center().toPointF())
        step = size_of_default(10.0 / view.camera.scale)
        self._place = {
            "x": _round_to_step(middle.x, step),
            "y": _round_to_step(middle.y, step),
            "angle": 0.0,
        }
        self.form = Form([self._shown()], self._change_values, self._unit)
        self.form.refused.connect(view.document.failed)
        self.form.add_note(PRESETS[name].summary)
        for f in fields_of(PRESETS[name]):
            add_field(
                self.form,
                f,
                Part.of(f, lambda o, attribute=f.name: getattr(o.preset, attribute)),  # type: ignore[misc]
            )
        self._data = self.form.findChildren(NumberEdit)
        self.form.add_heading(
            "Place", "Click on the canvas, or type where the middle goes and add it."
        )
        for key, unit, tip in (
            ("x", LENGTH, "To the right."),
            ("y", LENGTH, "Downwards."),
            ("angle", "deg", "Counter-clockwise as seen."),
        ):
            part = Part(key.capitalize(), lambda o, key=key: getattr(o, key), key, unit, tip)  # type: ignore[misc]
            self.form.add_row(part, self.form.number(part))
        self.fault = self.form.add_note("", "error")
        self.add = QPushButton("Add at this place")
        self.add.clicked.connect(self._add_preset)
        self.form.add_wide(self.add)
        self.form.add_stretch()
        put_form(self, self.form)
        self._refused: dict[NumberEdit, str] = {}
        """The reasons of refused numbers; empty once corrected."""
        for edit in self.form.findChildren(NumberEdit):
            edit.refused.connect(partial(self._note_refusal, edit))
        view.preset_refused = ""
        self._show_values()

    @property
    def values(self) -> dict[str, Any]:
        return self._view.preset_values.setdefault(self.name, {})

    def focus_first(self) -> None:
        """Put the focus on the first number."""
        first = self.form.findChild(NumberEdit)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def _shown(self) -> _Placed:
        return _Placed(preset_of(self.name, self.values, self._unit), **self._place)

    def _change_values(self, values: Mapping[str, Any], merge_key: str | None = None) -> str:
        try:
            preset_of(
                self.name,
                {**self.values, **{k: v for k, v in values.items() if k not in PLACE}},
                self._unit,
            )
        except RaybenchError as error:
            return str(error)
        for key, value in values.items():
            (self._place if key in PLACE else self.values)[key] = value
        self._show_values()
        return ""

    def _note_refusal(self, edit: NumberEdit, reason: str) -> None:
        """Nothing is placed with a number other than the one that stands in the form."""
        self._refused[edit] = reason
        self._view.preset_refused = next((r for e in self._data if (r := self._refused.get(e))), "")
        self._show_values()

    def _show_values(self) -> None:
        """Show the values, and why nothing can be made of them."""
        shown, fault = self._shown(), ""
        self.form.show_values([shown])
        try:
            shown.preset.objects_in(self._unit)
        except RaybenchError as error:
            fault = str(error)
        new = fault != self.fault.text()
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        if fault and new:
            QTimer.singleShot(
                0, self.fault, lambda: self.form.scroll_to(self.fault)
            )  # once it has its place
        self.add.setEnabled(not fault and not any(self._refused.values()))

    def _add_preset(self) -> None:
        change = AddPreset(
            self.name,
            dict(self.values),
            Point(self._place["x"], self._place["y"]),
            self._place["angle"],
        )
        if self._view.document.change(change):
            self._view.choose_kind(None)
            self._view.selection.present(change.keys.values())
            self._view.setFocus()


def _round_to_step(value: float, step: float) -> float:
    return float(f"{round(value / step) * step:.10g}")
