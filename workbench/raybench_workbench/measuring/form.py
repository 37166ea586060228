"""The form of the selected measurements: name, text and digits and, for dimension lines, the
measured direction and the distance of the line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from PySide6.QtWidgets import QLineEdit, QWidget

from raybench.errors import RaybenchError, in_quotes
from raybench.kinds.fields import LENGTH
from raybench.scene.measurements import DIRECTIONS, PINNED_KIND, Measurement
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.mode import measurements_change
from raybench_workbench.panels.form import Form, FormArea, ValuePart
from raybench_workbench.translation import capitalized, tr


class _NamedMeasurement(NamedTuple):
    """A measurement with its name, as the form shows them."""

    name: str
    measurement: Measurement


NAME = ValuePart(tr("Name"), lambda m: m.name, "name", encode=str.strip)
TEXT = ValuePart(
    tr("Text"),
    lambda m: m.measurement.text.replace("\n", r"\n"),
    "text",
    tip=tr(r"In place of the value. {} is the value, {power(Screen)} a measure, \n begins a line."),
    encode=lambda text: text.replace(r"\n", "\n"),
)
DIRECTION = ValuePart(
    tr("Direction"),
    lambda m: m.measurement.direction,
    "direction",
    tip=tr("What is measured: the distance of the points, or one component of it."),
)
DIGITS = ValuePart(
    tr("Decimals"),
    lambda m: "" if m.measurement.digits is None else str(m.measurement.digits),
    "digits",
    tip=tr("Digits after the decimal point."),
    encode=lambda text: int(text) if text else None,
)
MOST_DIGITS = 6
"""The largest number of decimals that the form offers."""
OFFSET = ValuePart(
    tr("Offset"),
    lambda m: m.measurement.offset[1] if m.measurement.offset is not None else 0.0,
    "offset",
    LENGTH,
    tip=tr("The distance of the dimension line from the middle of the two points."),
)


class MeasurementForm(FormArea):
    """The form of the selected measurements. Each committed change is one undo step."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, tr("Properties of the measurements"), parent)
        self._selection = selection
        selection.measurementsChanged.connect(self.update_form)
        document.changed.connect(self.update_form)
        self.update_form()

    def shown_values(self) -> list[Any]:
        measurements = self._document.document.measurements
        names = sorted(self._selection.measurements & measurements.keys())
        return [_NamedMeasurement(name, measurements[name]) for name in names]

    def form_key(self) -> tuple[object, ...]:
        shown = self.shown_values()
        return self._document.document.unit, [(m.name, m.measurement.kind) for m in shown]

    def make_form(self) -> Form:
        shown = self.shown_values()
        form = Form(shown, self._change_measurements, self._document.document.unit)
        if len(shown) == 1:
            form.add_row(NAME, form.make_line_edit(NAME))
        elif shown:
            form.add_note(
                tr("{count} measurements: a change applies to all of them.", count=len(shown))
            )
        if not shown:
            return form
        if all(m.measurement.kind != PINNED_KIND for m in shown):
            form.add_row(TEXT, form.make_line_edit(TEXT, lambda _: tr("the value")))
        counts = [str(n) for n in range(MOST_DIGITS + 1)]
        form.add_row(
            DIGITS, form.make_choice_box(DIGITS, ("", *counts), (tr("as needed"), *counts))
        )
        if all(m.measurement.kind == "dimension" for m in shown):
            titles = [capitalized(tr(direction)) for direction in DIRECTIONS]
            form.add_row(DIRECTION, form.make_choice_box(DIRECTION, DIRECTIONS, titles))
            form.add_row(OFFSET, form.make_number_edit(OFFSET))
        return form

    def edit_text(self) -> None:
        """Move the focus to the field for the text of the measurement."""
        for edit in self.findChildren(QLineEdit):
            if edit.accessibleName() == TEXT.label:
                edit.setFocus()
                edit.selectAll()

    def _change_measurements(self, values: Mapping[str, Any], merge_key: str | None) -> str:
        existing = self._document.document.measurements
        names = [m.name for m in self.form.values] if self.form is not None else []
        new_name = values.get(NAME.path)
        if new_name is not None and (not new_name or new_name in existing.keys() - names):
            return (
                tr("There is another measurement {name}.", name=in_quotes(new_name))
                if new_name
                else tr("No name.")
            )
        changed: dict[str, Measurement] = {}
        try:
            for name, m in existing.items():
                changed[(name in names and new_name) or name] = (
                    _with_values(m, values) if name in names else m
                )
        except RaybenchError as error:
            return str(error)
        change = measurements_change(self._document.document, changed)
        reason = self._document.apply_or_refuse(change, merge_key)
        if not reason and new_name is not None:
            self._selection.set_measurements({new_name})
        return reason


def _with_values(measurement: Measurement, values: Mapping[str, Any]) -> Measurement:
    """The measurement with values of the form."""
    given = {name: value for name, value in values.items() if name != NAME.path}
    if OFFSET.path in given:
        along = measurement.offset[0] if measurement.offset is not None else 0.0
        given[OFFSET.path] = along, given[OFFSET.path]
    return dataclasses.replace(measurement, **given)
