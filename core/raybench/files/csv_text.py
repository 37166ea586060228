"""Writes CSV in which texts that look like formulas are marked, so that spreadsheets do not
evaluate them.
"""

import csv
import io
from collections.abc import Iterable
from functools import lru_cache
from typing import TextIO

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of cells that spreadsheets evaluate, or may evaluate after dropping white space."""


class CsvWriter:
    """Writes rows of CSV to a text file, with line ends as in RFC 4180."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file)

    def writerow(self, cells: Iterable[object]) -> None:
        self._writer.writerow(
            [without_spreadsheet_formula(cell) if isinstance(cell, str) else cell for cell in cells]
        )

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        for row in rows:
            self.writerow(row)


def csv_table(titles: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with column titles as CSV text."""
    text = io.StringIO(newline="")
    CsvWriter(text).writerows([titles, *rows])
    return text.getvalue()


@lru_cache(4096)
def without_spreadsheet_formula(text: str) -> str:
    """The text of a cell, preceded by an apostrophe if spreadsheets would otherwise evaluate the
    text as a formula.
    """
    return (
        f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) and not _is_number(text) else text
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
