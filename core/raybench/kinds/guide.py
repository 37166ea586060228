"""Documentation generated from the table of kinds: the help page ``objects.md``."""

import dataclasses
import inspect
import math
import re
from typing import Any

from raybench.kinds.aspects.row import FAMILIES, Row
from raybench.kinds.fields import LENGTH, Field, described_fields
from raybench.kinds.kinds import ROWS

_HEAD = """\
# Objects

## Fields

Every object has a name, which tools and people use, and a lock against the mouse. Its other fields are listed below as the properties show
them, with the key that changes and files use (`{"set": "Lens", "focalLength": 80}`), the unit, and the value of a new object. Lengths are
in scene units; x points to the right and y down. A point is a pair x, y.
"""
_DRAWN = {
    "drag": "Drawn by dragging from one end to the other.",
    "click": "Placed with one click.",
    "points": "Drawn by clicking its points, at least {least}; Enter or a double click ends it.",
}
_COMMON = ("name", "locked")
_UNITS = {LENGTH: "scene units"}


def help_page() -> str:
    """The help page as Markdown."""
    parts = [_HEAD]
    for family in FAMILIES:
        parts += [_kind_section(row) for row in ROWS if row.family == family]
    return "".join(parts)


def _kind_section(row: Row) -> str:
    assert row.sample is not None, "kinds with a family have one"
    text = re.sub(r"``([^`]*)``", r"`\1`", " ".join((inspect.getdoc(row.kind) or "").split()))
    fields = [
        _field_item(field) for field in described_fields(row.kind) if field.name not in _COMMON
    ]
    drawn = _DRAWN[row.sample.by].format(least=row.sample.least)
    where = f"In files: `{row.kind.__name__}`; in the menu Insert under {row.family}."
    return f"\n## {row.kind.label}\n\n{text} {drawn} {where}\n\n{''.join(fields)}"


def _field_item(field: Field) -> str:
    about = field.about
    unit = f" [{_UNITS.get(about.unit, about.unit)}]" if about.unit else ""
    notes = [note for note in (_field_bounds(field), _default_text(field.default)) if note]
    noted = f" ({'; '.join(notes)})" if notes else ""
    return f"- {about.label}, `{field.json_name}`{unit}: {about.help}{noted}\n"


def _field_bounds(field: Field) -> str:
    about = field.about
    if about.choices:
        return "one of " + ", ".join(f"`{choice}`" for choice in about.choices)
    if about.low is not None and about.high is not None:
        return f"from {about.low:g} to {about.high:g}"
    return (
        f"at least {about.low:g}"
        if about.low is not None
        else f"at most {about.high:g}"
        if about.high is not None
        else ""
    )


def _default_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is dataclasses.MISSING or value in (None, "", math.inf) or isinstance(value, tuple):
        return ""
    return f"{value:g}" if isinstance(value, int | float) else f"`{value}`"
