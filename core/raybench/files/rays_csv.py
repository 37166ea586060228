"""Export of rays as CSV, with units in the column headings."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from raybench.files.atomic import replacing
from raybench.files.csv_text import CsvWriter
from raybench.trace.columns import LENGTH, Column, EdgeName, Reading, written
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

BLOCK = 20_000
"""Number of rows written at a time."""
ORDER = (
    "id", "parent_id", "source_name", "source_ray", "depth", "interaction", "x1", "y1", "x2", "y2", "length", "power_s", "power_p",
    "total_power", "degree_of_polarization", "wavelength", "object", "edge_label", "status",
)  # fmt: skip
"""The first columns of a file; all others follow in the order of the table of columns."""
WRITTEN = written("csv", ORDER)


def save_csv(
    result: TraceResult,
    path: Path | str,
    rays: RaySet | None = None,
    *,
    unit: str = "mm",
    edge_name: EdgeName = lambda _hit, edge: str(edge),
    progress: Callable[[float], object] = lambda _done: None,
) -> None:
    """Write all segments, or those in ``rays``, one per line. Lengths are in ``unit``;
    ``edge_name`` maps the index of an optical object and of its edge to a label. Text is UTF-8,
    lines end as in RFC 4180, and cells without a value are empty. ``progress`` is called with the
    part that is done; it may raise an error, which leaves no file. Raises FileWriteError.
    """
    rows = np.arange(len(result)) if rays is None else rays.rows
    with (
        replacing(path) as file,
        io.TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="") as text,
    ):
        writer = CsvWriter(text)
        writer.writerow(headings(unit))
        for start in range(0, len(rows), BLOCK):
            progress(start / len(rows))
            writer.writerows(_lines(Reading(result, rows[start : start + BLOCK], edge_name)))


def headings(unit: str) -> list[str]:
    """The headings of the columns, with units."""
    units = {LENGTH: unit}
    return [f"{c.csv} [{units.get(c.unit, c.unit)}]" if c.unit else c.csv for c in WRITTEN]


def _lines(reading: Reading) -> Iterator[tuple[Any, ...]]:
    return zip(*(_cells(column, reading) for column in WRITTEN), strict=True)


def _cells(column: Column, reading: Reading) -> list[Any]:
    values = column.values(reading)
    return [int(value) for value in values] if column.value is bool else values
