"""Exports rays to CSV, npz and XML files; the suffix of the file name selects the format."""

import io
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from raybench.analysis.answers.rays_xml import rays_to_xml
from raybench.analysis.context import TracedScene
from raybench.analysis.rays.columns import columns_with_name
from raybench.errors import RaybenchError
from raybench.files.atomic import replace_file, write_text
from raybench.files.csv_text import CsvWriter
from raybench.files.trace_npz import save_npz
from raybench.scene import RELATIVE
from raybench.scene.document import Document
from raybench.trace.columns import Column, EdgeName, Reading, unit_name
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

ROWS_PER_BLOCK = 20_000
"""Number of rows written at a time."""
FIRST_COLUMNS = (
    "id", "parent_id", "source_name", "source_ray", "depth", "interaction", "x1", "y1", "x2", "y2", "length", "power_s", "power_p",
    "total_power", "degree_of_polarization", "wavelength", "object", "edge_label", "status",
)  # fmt: skip
"""The first columns of a file; all others follow in the order of the table of columns."""
_FILE_COLUMNS = columns_with_name("csv", FIRST_COLUMNS)
WRITTEN_COLUMNS = tuple(c for c in _FILE_COLUMNS if not (c.on_request or c.polarized))
POLARIZATION_COLUMNS = tuple(c for c in _FILE_COLUMNS if c.polarized)
"""The columns that are written only of traces with polarized light."""
OPTIONAL_COLUMNS = {column.sql: column for column in _FILE_COLUMNS if column.on_request}
"""The columns that are written only where they are asked for, by their names in SQL."""


def save_csv(
    result: TraceResult,
    path: Path | str,
    rays: RaySet | None = None,
    *,
    unit: str = "mm",
    edge_name: EdgeName = lambda _hit, edge: str(edge),
    also: Collection[str] = (),
    progress: Callable[[float], object] = lambda _done: None,
) -> None:
    """Write rays to a CSV file, one segment per line: those in ``rays``, by default all. ``also``
    names additional columns, see `OPTIONAL_COLUMNS`. Lengths are in ``unit``; ``edge_name`` returns
    the label of an edge from the index of the optical object and of the edge. Text is UTF-8, lines
    end as in RFC 4180, and cells without a value are empty. ``progress`` is called with the
    fraction that is done; if it raises an error, no file is written. Raises FileWriteError.
    """
    rows = np.arange(len(result)) if rays is None else rays.rows
    with (
        replace_file(path) as file,
        io.TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="") as text,
    ):
        writer = CsvWriter(text)
        polarized = POLARIZATION_COLUMNS if result.is_polarized else ()
        written = (*WRITTEN_COLUMNS, *polarized, *(_column_on_request(name) for name in also))
        writer.writerow(column_headings(unit, written, result.power_unit))
        for start in range(0, len(rows), ROWS_PER_BLOCK):
            progress(start / len(rows))
            reading = Reading(result, rows[start : start + ROWS_PER_BLOCK], edge_name)
            columns = [
                map(int, column.values(reading)) if column.value is bool else column.values(reading)
                for column in written
            ]
            writer.writerows(zip(*columns, strict=True))


def _column_on_request(name: str) -> Column:
    if name not in OPTIONAL_COLUMNS:
        raise RaybenchError(
            f"There is no column {name!r} to add. Add {', '.join(OPTIONAL_COLUMNS)}."
        )
    return OPTIONAL_COLUMNS[name]


def column_headings(
    unit: str, columns: Sequence[Column] = WRITTEN_COLUMNS, power_unit: str = RELATIVE
) -> list[str]:
    """The headings of the columns of an exported table, with units."""
    return [
        f"{c.csv} [{unit_name(c.unit, unit, power_unit)}]" if c.unit else c.csv for c in columns
    ]


RAY_FILE_SUFFIXES = (".csv", ".npz", ".xml")
"""The suffixes of files that rays are written to."""


def export_rays(
    out: Path,
    document: Document,
    result: TraceResult,
    rays: RaySet | None,
    progress: Callable[[float], object] = lambda _done: None,
    also: Collection[str] = (),
) -> None:
    """Write the rays of a set, or all rays of a trace, to a file of one of the types
    `RAY_FILE_SUFFIXES`. ``also`` names additional columns of a CSV table, see `OPTIONAL_COLUMNS`.
    ``progress`` is called with the fraction that is done; if it raises an error, no file is
    written.
    """
    if also and out.suffix.lower() != ".csv":
        raise RaybenchError(f"{out}: only a .csv file has the column {', '.join(also)}. Write one.")
    edge_name, unit = TracedScene.from_document(document, result).edge_title, document.unit
    match out.suffix.lower():
        case ".csv":
            save_csv(
                result, out, rays, unit=unit, edge_name=edge_name, also=also, progress=progress
            )
        case ".npz":
            if rays is not None:
                raise RaybenchError(
                    f"{out}: an .npz file can only contain a whole trace. Leave --tool out, or"
                    " write .csv or .xml."
                )
            progress(0.0)
            # without times, so that the same rays give the same bytes
            save_npz(replace(result, milliseconds=0.0, preparing_ms=0.0), out, unit)
        case _:
            rows = range(len(result)) if rays is None else rays.rows.tolist()
            segments = [result.segments[row] for row in rows]
            xml = rays_to_xml(segments, unit=unit, edge_name=edge_name)
            progress(1.0)
            write_text(out, xml)
