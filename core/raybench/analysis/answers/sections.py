"""Arranges the values of an answer for people, as named fields and tables with formatted numbers.

The input is what `Answer.values` gives, or any JSON value, so that a stored result is arranged as a
new one is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from raybench.analysis.answers.words import PROVENANCE, rounded_number, underscores_to_spaces
from raybench.errors import one_line
from raybench.scene import RELATIVE

_ABOUT = (PROVENANCE - {"truncated_share"}) | {"left", "next_offset"}
"""Root keys that are rendered in the last line. A table has no sentence beside it, so light that
was not followed is one of its rows.
"""
_TITLES = ("label", "name")
MISSING = "–"


@dataclass(frozen=True)
class Fields:
    """Named values under a ``title``, which is empty at the top level."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """A table of text cells. ``numeric`` says for each column whether it contains numbers."""

    title: str
    headers: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


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
        if key not in _ABOUT or (key == "unit" and "revision" not in values)
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


def cell_text(value: Any) -> str:
    """A value as text in one line. Floats have six significant digits, and short lists are
    separated by commas.
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return rounded_number(value)
    if isinstance(value, Mapping):
        return ", ".join(
            f"{underscores_to_spaces(str(key))} {cell_text(item)}" for key, item in value.items()
        )
    if isinstance(value, list | tuple):
        separator = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return separator.join(map(cell_text, value))
    return one_line(" ".join(str(value).split()))


def _value_sections(title: str, values: Mapping[str, Any]) -> Iterator[Section]:
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
            inner += _value_sections(heading, value)
        elif name == "row" and isinstance(columns, list) and isinstance(value, list):
            inner.append(_table_section(heading, [str(column) for column in columns], value))
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            inner += _record_sections(heading, value)
        else:
            fields.append((underscores_to_spaces(name), cell_text(value)))
    if fields:
        yield Fields(title, tuple(fields))
    yield from inner


def _record_sections(title: str, records: Sequence[Mapping[str, Any]]) -> Iterator[Section]:
    """A table of records. If the records consist of a name and a value, they become fields; if
    there are few and they contain lists, each becomes a section.
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
    nested = {key for record in records for key, value in record.items() if _is_record_list(value)}
    flat = [
        _flatten_record({key: value for key, value in record.items() if key not in nested})
        for record in records
    ]
    headers = [
        key
        for key in dict.fromkeys(key for row in flat for key in row)
        if any(row.get(key) is not None for row in flat)
    ]
    if headers:
        yield _table_section(
            title,
            [underscores_to_spaces(header) for header in headers],
            [[row.get(header) for header in headers] for row in flat],
        )
    for number, record in enumerate(records, 1):
        for key in (key for key in record if key in nested and record[key]):
            yield from _record_sections(
                f"{underscores_to_spaces(key)} {_record_title(record) or number}", record[key]
            )


def _is_record_list(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
    )


def _record_title(record: Mapping[str, Any]) -> str:
    return next((cell_text(record[key]) for key in _TITLES if record.get(key)), "")


def _flatten_record(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Replace records inside a record by their fields, whose keys are joined to the key of the
    inner record.
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        flat |= (
            _flatten_record(value, f"{prefix}{key}_")
            if isinstance(value, Mapping)
            else {f"{prefix}{key}": value}
        )
    return flat


def _table_section(title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    numeric = tuple(
        all(
            (isinstance(row[i], int | float) and not isinstance(row[i], bool))
            for row in rows
            if row[i] is not None
        )
        for i in range(len(headers))
    )
    return Table(
        title,
        tuple(headers),
        numeric,
        tuple(tuple("" if value is None else cell_text(value) for value in row) for row in rows),
    )
