"""CSV whose texts no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import lru_cache
from typing import TextIO

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that spreadsheets calculate, or, after white space that they drop, may calculate."""


class CsvWriter:
    """Writes rows to a text file, lines ending as in RFC 4180."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file)

    def writerow(self, cells: Iterable[object]) -> None:
        self._writer.writerow([cell_text(cell) if isinstance(cell, str) else cell for cell in cells])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        for row in rows:
            self.writerow(row)


@lru_cache(4096)
def cell_text(text: str) -> str:
    """A text as a cell: with an apostrophe before it, as spreadsheets mark text, where they would take it for a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
