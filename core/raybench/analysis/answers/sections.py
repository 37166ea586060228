"""Arranges the values of an answer for display, as named fields and tables with formatted numbers.

The input is the result of `Answer.values`, or any JSON value, so that a stored result is displayed
like a new one.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from raybench.analysis.answers.answer import place_of_item
from raybench.analysis.answers.words import PROVENANCE, rounded_number, underscores_to_spaces
from raybench.errors import escape_hidden
from raybench.scene import RELATIVE

_LAST_LINE_KEYS = (PROVENANCE - {"truncated_share"}) | {"left", "next_offset"}
"""Root keys that are rendered in the last line. A table has no sentence beside it, so light that
was not followed is one of its rows.
"""
_TITLES = ("label", "name")
MISSING = "–"
INDENT = "  "
BAR_WORDS = ("share", "power", "energy", "above", "relative")
"""Words in the names of numbers that are compared by bars, the best first."""


@dataclass(frozen=True)
class Fields:
    """Named values under a ``title``. The title is empty at the top level."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table of values. ``places`` are the places of its rows in the values of the answer
    (`Answer.elements_by_place`), empty for a row without a place. ``depths`` are 1 for rows that
    are parts of the row above, else 0.
    """

    title: str
    headers: tuple[str, ...]
    cells: tuple[tuple[Any, ...], ...]
    places: tuple[str, ...]
    depths: tuple[int, ...]

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells as text, empty for a missing value. Rows that are parts of the row above are
        indented.
        """
        texts = [["" if v is None else cell_text(v) for v in values] for values in self.cells]
        name = self.name_column
        for row, depth in zip(texts, self.depths, strict=True):
            row[name] = INDENT * depth + row[name]
        return tuple(map(tuple, texts))

    @cached_property
    def numeric_columns(self) -> tuple[bool, ...]:
        """For each column, whether it contains numbers."""
        return tuple(
            all(is_number(row[i]) for row in self.cells if row[i] is not None)
            for i in range(len(self.headers))
        )

    @property
    def name_column(self) -> int:
        """The index of the first column with texts, which name the rows; 0 if no column has
        texts.
        """
        return next(
            (i for i, numeric_columns in enumerate(self.numeric_columns) if not numeric_columns), 0
        )

    @cached_property
    def bar_column(self) -> int | None:
        """The index of a column whose numbers are parts of a whole, such as shares or powers; None
        if there is none. The column is drawn as bars.
        """
        found = [
            (sum(row[i] is None for row in self.cells), rank, i)
            for i, header in enumerate(self.headers)
            for rank, word in enumerate(BAR_WORDS)
            if word in header.split() and self.numeric_columns[i] and len(self.cells) > 1
        ]
        return min(found)[2] if found else None

    @cached_property
    def bars(self) -> tuple[float, ...]:
        """The numbers of the `bar_column` divided by the largest of them, from -1 to 1; empty
        without a bar column.
        """
        if self.bar_column is None:
            return ()
        values = [float(row[self.bar_column] or 0.0) for row in self.cells]
        most = max((abs(v) for v in values if math.isfinite(v)), default=0.0) or 1.0
        return tuple(v / most if math.isfinite(v) else 0.0 for v in values)


Section = Fields | Table


def answer_sections(values: Any) -> tuple[Section, ...]:
    """The values of an answer as sections: named fields, a table for each list of records, and a
    last line about units and omitted elements.
    """
    if not isinstance(values, Mapping):
        return tuple(
            _value_sections(
                "", {"result": values} if not isinstance(values, list) else {"": values}
            )
        )
    about = [
        f"{text} in {values[key]}"
        for key, text in _UNITS.items()
        if values.get(key) not in (None, "", RELATIVE)
    ]
    notes = [("units", ", ".join(about))] if about else []
    notes += [("not shown", str(values["left"]))] if values.get("left") else []
    own = {
        key: value
        for key, value in values.items()
        if key not in _LAST_LINE_KEYS or (key == "unit" and "revision" not in values)
    }
    found = tuple(_value_sections("", own))
    return (
        (*found, Fields("", tuple(notes)))
        if notes and any(isinstance(section, Table) or section.rows for section in found)
        else found
    )


_UNITS = {
    "unit": "lengths",
    "angle_unit": "angles",
    "wavelength_unit": "wavelengths",
    "power_unit": "powers",
}


def is_number(value: Any) -> bool:
    """Whether a value is a number. True and False are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def cell_text(value: Any) -> str:
    """A value as text in one line. Floats have six significant digits; the items of a short list
    are separated by commas.
    """
    if isinstance(value, str):
        return escape_hidden(" ".join(value.split()))
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return rounded_number(value)
    if isinstance(value, Mapping):
        return ", ".join(
            f"{underscores_to_spaces(str(key))} {cell_text(item)}" for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        separator = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return separator.join(map(cell_text, value))
    return cell_text(str(value))


def _value_sections(title: str, values: Mapping[str, Any], place: str = "") -> Iterator[Section]:
    fields: list[tuple[str, str]] = []
    inner: list[Section] = []
    columns = values.get("columns")
    for name, value in values.items():
        heading = f"{title} {underscores_to_spaces(name)}".strip()
        if (name == "columns" and isinstance(values.get("row"), list)) or (
            name == "left" and value is None
        ):
            continue
        if isinstance(value, Mapping):
            inner += _value_sections(heading, value, f"{place}/{name}" if place else name)
        elif name == "row" and isinstance(columns, list) and isinstance(value, list):
            inner.append(_table_of_rows(heading, [str(column) for column in columns], value))
        elif isinstance(value, list) and _holds_records(value):
            inner += _record_sections(heading, value, place, name)
        else:
            fields.append((underscores_to_spaces(name), cell_text(value)))
    if fields:
        yield Fields(title, tuple(fields))
    yield from inner


def _record_sections(
    title: str, records: Sequence[Mapping[str, Any]], place: str, name: str
) -> Iterator[Section]:
    """The sections for a list of records, the list ``name`` of the value at ``place``. Records of a
    name and a value become fields, other records a table. Each list inside the records becomes a
    section of its own, or rows below its record if its items have the same columns.
    """
    if all("value" in record and any(key in record for key in _TITLES) for record in records):
        yield Fields(
            title,
            tuple(
                (
                    _record_title(record),
                    f"{cell_text(record['value'])} {record.get('unit') or ''}".strip(),
                )
                for record in records
            ),
        )
        return
    nested = dict.fromkeys(
        key
        for record in records
        for key, value in record.items()
        if isinstance(value, list) and _holds_records(value)
    )
    flat = [
        _flatten_record({key: value for key, value in record.items() if key not in nested})
        for record in records
    ]
    headers = [
        key
        for key in dict.fromkeys(chain.from_iterable(flat))
        if any(row.get(key) is not None for row in flat)
    ]
    parts = next((key for key in nested if _have_same_columns(records, key, headers)), "")
    if parts and all(len(record.get(parts) or ()) < 2 for record in records):
        headers.append(parts)  # a part that is the whole would say everything twice
    rows: list[tuple[str, int, Mapping[str, Any]]] = []
    for number, (record, row) in enumerate(zip(records, flat, strict=True)):
        here, own = place_of_item(place, name, number), record.get(parts) or ()
        names = [next(str(part[key]) for key in part if key not in headers) for part in own]
        rows.append((here, 0, {**row, parts: next(iter(names), None)}))
        if parts not in headers:
            first = next((h for h in headers if isinstance(row.get(h), str)), headers[0])
            for k, (part, title) in enumerate(zip(own, names, strict=True)):
                rows.append((place_of_item(here, parts, k), 1, {**part, first: title}))
    if headers:
        yield Table(
            title,
            tuple(map(underscores_to_spaces, headers)),
            tuple(tuple(map(row.get, headers)) for _, _, row in rows),
            tuple(at for at, _, _ in rows),
            tuple(depth for _, depth, _ in rows),
        )
    for number, record in enumerate(records):
        for key in (key for key in record if key in nested and key != parts and record[key]):
            yield from _record_sections(
                f"{underscores_to_spaces(key)} {_record_title(record) or number + 1}",
                record[key],
                place_of_item(place, name, number),
                key,
            )


def _have_same_columns(
    records: Sequence[Mapping[str, Any]], key: str, headers: Sequence[str]
) -> bool:
    """Whether the items of the list ``key`` in each record have the same columns as the records,
    and one more text: the name of the item.
    """
    for part in (part for record in records for part in record.get(key) or ()):
        others = [value for name, value in part.items() if name not in headers]
        if len(others) != 1 or not isinstance(others[0], str):
            return False
    return bool(headers)


def _holds_records(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(item, Mapping) for item in values)


def _record_title(record: Mapping[str, Any]) -> str:
    return next((cell_text(record[key]) for key in (*_TITLES, "of") if record.get(key)), "")


def _flatten_record(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Replace each inner record by its fields. The key of the inner record becomes a prefix of
    their keys.
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            flat |= _flatten_record(value, f"{prefix}{key}_")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _table_of_rows(title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    cells = tuple(map(tuple, rows))
    return Table(title, tuple(headers), cells, ("",) * len(cells), (0,) * len(cells))
