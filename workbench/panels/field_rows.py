"""Adds the form rows of a field, depending on the field's kind."""

from __future__ import annotations

from core.kinds.fields import Field
from workbench.panels.form import Form, Part


def add_field(form: Form, f: Field, part: Part | None = None) -> None:
    """Add the rows of a number, point, text, formula, flag or choice field; nothing for other kinds.

    ``part`` says how the field is read and written if the form's values are not the objects that have the field.
    """
    part = part or Part.of(f)
    match f.about.kind:
        case "number" | "coordinate":
            form.add_row(part, form.number(part))
        case "point":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.point(part))
        case "flag":
            form.add_wide(form.flag(part))
        case "choice":
            form.add_row(part, form.choice(part, f.about.choices, f.about.titles))
        case "material":
            form.add_row(part, form.material(part))
        case "text" if f.about.variables:
            add_formula(form, part, f.about.variables)
        case "text":
            form.add_heading(part.label, part.tip)
            form.add_wide(form.text(part))


def add_formula(form: Form, part: Part, variables: tuple[str, ...]) -> None:
    """Add a heading, a formula edit and the line with its error."""
    form.add_heading(part.label, part.tip)
    edit = form.formula(part, variables)
    form.add_wide(edit)
    form.add_error_line(edit)
