"""The values of an answer as plain text for users: fields in lines, and tables."""

from collections.abc import Iterator

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.page import answer_page
from raybench.analysis.answers.sections import MISSING, Table, answer_sections
from raybench.analysis.answers.words import underscores_to_spaces

MOST_TEXT_ELEMENTS = 100
"""Maximum number of elements rendered per list."""


_LENGTHS = frozenset(
    [
        "length",
        "perimeter",
        "radius",
        "left",
        "top",
        "right",
        "bottom",
        "x1",
        "y1",
        "x2",
        "y2",
        "mid x",
        "mid y",
        "centre x",
        "centre y",
    ]
)


def answer_text(answer: Answer, rows: int = MOST_TEXT_ELEMENTS) -> str:
    """The sections of an answer as lines of text, with at most ``rows`` elements of each list."""
    page = answer_page(answer, rows, brief=True)
    lines, unit = [underscores_to_spaces(page.root.tag)], str(page.root.attributes.get("unit", ""))
    for section in answer_sections(page.values):
        if isinstance(section, Table):
            lines += [section.title, *_table_lines(section)]
            continue
        facts = ", ".join(
            f"{name} {value}{_field_unit(name, value, unit)}"
            for name, value in section.rows
            if value not in ("", MISSING)
        )
        if facts and not section.title and len(lines) == 1:
            lines[0] += f": {facts}"
        elif facts:
            lines.append(f"{section.title}: {facts}" if section.title else facts)
    return "\n".join(lines)


def _field_unit(name: str, value: str, unit: str) -> str:
    """The unit of a field, derived from its name: degrees for ``critical angle``, for example."""
    if not value[-1:].isdigit():
        return ""  # left of a page is a text, left of a box a length
    if name == "area":
        return f" {unit}²"
    if "angle" in name.split():
        return "°"
    if name.startswith("wavelength"):
        return " nm"
    return f" {unit}".rstrip() if name in _LENGTHS else ""


def _table_lines(table: Table) -> Iterator[str]:
    """The lines of a table with aligned columns; numbers are aligned right."""
    lines = [table.headers, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            cell.rjust(width) if numeric_columns else cell.ljust(width)
            for cell, width, numeric_columns in zip(
                line, widths, table.numeric_columns, strict=True
            )
        )
        yield f"  {'  '.join(cells)}".rstrip()
