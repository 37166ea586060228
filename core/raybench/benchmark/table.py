"""Tables of measurements, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Cell = str | int | float | None
"""A word, a count, a measured number, or None if unavailable."""


@dataclass(frozen=True)
class Column:
    """A column's name and unit; ``key`` names it in JSON."""

    key: str
    name: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """Measurements of one sort: rows with one cell per column. ``note`` is an explanation for
    readers.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The table as JSON, with its rows as objects."""
        return {
            "key": self.key,
            "title": self.title,
            "note": self.note,
            "units": {c.key: c.unit for c in self.columns if c.unit},
            "rows": [
                dict(zip((c.key for c in self.columns), row, strict=True)) for row in self.rows
            ],
        }

    def to_text(self) -> str:
        """The table as text: words left-aligned, numbers right-aligned, units below the column
        names.
        """
        words = [
            all(isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))
        ]
        lines = [
            [c.name for c in self.columns],
            [c.unit for c in self.columns],
            *([_written(v) for v in row] for row in self.rows),
        ]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        text = [
            "  ".join(
                v.ljust(w) if left else v.rjust(w)
                for v, w, left in zip(line, widths, words, strict=True)
            ).rstrip()
            for line in lines
        ]
        text.insert(2, "  ".join("-" * w for w in widths))
        return "\n".join([self.title, "", *text, *([self.note] if self.note else [])])


def _written(value: Cell) -> str:
    if value is None:
        return "—"
    if isinstance(value, float):
        # three digits, the precision of measurements on a shared machine
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:,}".replace(",", "\u2009") if isinstance(value, int) else value
