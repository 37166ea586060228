"""Adds the form rows of a field, depending on the field's kind."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from raybench.kinds.fields import Field
from raybench_workbench.formula_preview import FormulaPreview
from raybench_workbench.panels.form import Form
from raybench_workbench.panels.form_part import Part
from raybench_workbench.panels.number_edit import format_number
from raybench_workbench.panels.style_rows import add_style
from raybench_workbench.window.wheel import scrolls_form

WIDEST = 1000
"""Width of a range up to which a number has a slider."""
STEPS = 180
"""Steps of such a slider: whole degrees of half a turn."""


def add_field(form: Form, f: Field, part: Part | None = None) -> None:
    """Add the rows of a number, limit, point, text, formula, style, flag or choice field; nothing
    for other kinds.

    ``part`` says how the field is read and written if the form's values are not the objects that
    have the field.
    """
    part = part or Part.of(f)
    match f.about.kind:
        case "number" | "coordinate":
            form.add_row(part, form.number(part))
            low, high = f.about.low, f.about.high
            if low is not None and high is not None and high - low <= WIDEST:
                form.add_wide(slider(form, part, low, (high - low) / STEPS, STEPS))
        case "point":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.point(part))
        case "limit":
            form.add_row(limit := _limit(part), form.text(limit, lambda o: "no limit"))
        case "color" | "line_style":
            add_style(form, part, lines=f.about.kind == "line_style")
        case "flag":
            form.add_wide(form.flag(part))
        case _ if f.about.choices:
            form.add_row(part, form.choice(part, f.about.choices, f.about.titles))
        case "material":
            form.add_row(part, form.material(part))
        case "text" if f.about.variables:
            add_formula(form, part, f.about.variables)
        case "text":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.text(part))


def _limit(part: Part) -> Part:
    """The part as text, empty without a limit."""

    def get(o: Any) -> str:
        value = part.get(o)
        return format_number(value) if math.isfinite(value) else ""

    return dataclasses.replace(part, get=get, encode=lambda text: text.strip() or None)


def add_formula(form: Form, part: Part, variables: tuple[str, ...]) -> None:
    """Add a heading, a formula edit and the line with its error."""
    form.add_heading(part.label, part.tip)
    edit = form.formula(part, variables)
    form.add_wide(edit)
    preview = FormulaPreview(variables)
    form.add_wide(preview)
    edit.checked.connect(lambda error: preview.show_formula("" if error else edit.text()))
    form.add_error_line(edit)


def slider(form: Form, part: Part, start: float, step: float, count: int) -> QSlider:
    """A slider over the range; one drag of the slider is one undo step, and so are key presses
    between two drags.
    """
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(0, count)
    made.setPageStep(max(1, count // 10))
    made.setAccessibleName(f"{part.label}, slider")
    made.setToolTip(part.tip)
    scrolls_form(made)
    drag = [0]

    def begin() -> None:
        drag[0] += 1

    def move(position: int) -> None:
        value = float(format_number(start + position * step, 12))
        form.change(part.values(value), f"slide {id(made)} {drag[0]}")

    def update() -> None:
        value = part.get(form.values[0])
        made.blockSignals(True)
        place = (value - start) / step if value is not None else 0.0
        made.setValue(
            round(min(max(place, 0.0), count))
        )  # a file may hold any number, also one that no slider can
        made.blockSignals(False)

    made.sliderPressed.connect(begin)
    made.sliderReleased.connect(begin)
    made.valueChanged.connect(move)
    form.on_update(update)
    return made
