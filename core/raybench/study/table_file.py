"""Tables of studies on disk: CSV, npz and JSON, each with units and the document's revision."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from raybench.errors import RaybenchError
from raybench.files.atomic import check_writable, replacing, write_text
from raybench.files.csv_text import CsvWriter
from raybench.study.table import Table

SUFFIXES = (".csv", ".npz", ".json")


def check_table_file(path: Path) -> None:
    """Raise RaybenchError for a name with another ending than `SUFFIXES`, FileWriteError where it
    can be seen that it cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise RaybenchError(
            f"{path}: a table is not written as '{path.suffix or path.name}'. Let the name end in"
            f" {', '.join(SUFFIXES)}."
        )
    check_writable(path)


def save_table(table: Table, path: Path) -> None:
    """Write a table in the form that the ending of the name asks for. An undefined value is an
    empty cell, NaN in npz, null in JSON; an infinite one is in JSON a text, "inf" or "-inf".

    Raises RaybenchError for another ending, FileWriteError where the file cannot be written.
    """
    check_table_file(path)
    match path.suffix.lower():
        case ".npz":
            with replacing(path) as file:
                np.savez(file, rows=table.rows, meta=np.array(json.dumps(_about(table))))
        case ".json":
            rows = [
                [None if math.isnan(v) else v if math.isfinite(v) else str(v) for v in row]
                for row in table.rows.tolist()
            ]
            write_text(
                path,
                json.dumps({**_about(table), "rows": rows}, indent=1, ensure_ascii=False) + "\n",
            )
        case _:
            text = io.StringIO(newline="")
            writer = CsvWriter(text)
            writer.writerow(headings(table))
            writer.writerows(
                ["" if math.isnan(v) else repr(v) for v in row] for row in table.rows.tolist()
            )
            write_text(path, text.getvalue())


def headings(table: Table) -> list[str]:
    """The columns, each with its unit."""
    return [
        f"{name} [{unit}]" if unit else name
        for name, unit in zip(table.columns, table.units, strict=True)
    ]


def _about(table: Table) -> dict[str, Any]:
    seed = {} if table.seed is None else {"seed": table.seed}
    note = {"note": f"{table.note}."} if table.note else {}
    return {
        "columns": table.columns,
        "units": table.units,
        "revision": table.revision,
        **seed,
        **note,
    }
