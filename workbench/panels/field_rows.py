"""The rows that a described field gets in a form, by its kind."""

from __future__ import annotations

from core.kinds.fields import Field
from workbench.panels.form import Form, Part


def add_field(form: Form, f: Field, part: Part | None = None) -> None:
    """The rows of a field that is a number, a point, a text, a formula, a switch or a choice; none for other kinds.

    ``part`` says how the field is read and put where the form's values only contain what has the field.
    """
    part = part or Part.of(f)
    match f.about.kind:
        case "number" | "coordinate":
            form.line(part, form.number(part))
        case "point":
            form.heading(part.label, part.tip)
            form.wide(form.point(part))
        case "flag":
            form.wide(form.flag(part))
        case "choice":
            form.line(part, form.choice(part, f.about.choices, f.about.titles))
        case "text" if f.about.variables:
            add_formula(form, part, f.about.variables)
        case "text":
            form.heading(part.label, part.tip)
            form.wide(form.text(part))


def add_formula(form: Form, part: Part, variables: tuple[str, ...]) -> None:
    """A formula under its heading, and below it what is wrong with it."""
    form.heading(part.label, part.tip)
    edit = form.formula(part, variables)
    form.wide(edit)
    form.complaint(edit)
