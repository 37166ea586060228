"""Tables of studies: columns of numbers with units, parameters first, then measures. They are saved
as CSV, npz or JSON.
"""

import io
import json
import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.measures.measure import Measured, unwrap_values
from raybench.errors import RaybenchError, list_first_texts
from raybench.files.atomic import check_writable, replace_file, write_text
from raybench.files.csv_text import CsvWriter
from raybench.study.experiment import Experiment, Values
from raybench.trace.results.warnings import OmittedLight, omitted_light_text


@dataclass(frozen=True)
class Table:
    """The rows of a study. ``columns`` are the parameters, then the measures, each with its unit,
    which is empty for a pure number.

    ``revision`` is the revision of the document, ``seed`` the seed of the random numbers (None
    without random numbers). ``note`` states, without a full stop, how much light the powers omit;
    empty if negligible. ``choices`` are the choices of each column whose numbers are indices of
    choices. ``other_paths`` are the paths of the light in each row, empty if they are the same as
    in the scene.
    """

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: NDArray[np.float64]
    """(points, columns); NaN where a measure is undefined."""
    revision: int
    seed: int | None = None
    note: str = ""
    choices: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    other_paths: tuple[str, ...] = ()

    def cell(self, column: int, value: float, form: str) -> str:
        """A number of a column as text; for a choice, the choice with this index."""
        choices = self.choices.get(column)
        return choices[round(value)] if choices else format(value, form)

    @property
    def paths_note(self) -> str:
        """A note, without a full stop, on the number of rows in which light takes another path than
        in the scene, and on these paths. Empty without such rows.
        """
        others = [path for path in self.other_paths if path]
        if not others:
            return ""
        paths = list_first_texts(list(dict.fromkeys(others)), MOST_PATHS)
        return (
            f"In {len(others)} of {len(self.rows)} rows light takes another path than in the scene:"
            f" {paths}"
        )


MOST_PATHS = 3
"""Other paths that a note names."""
Row = tuple[Values, tuple[Measured, ...]]
"""A point of an experiment, and its measures."""


class TableBuilder:
    """Builds tables of the points of an experiment while they arrive. Points that were added before
    are not read again.

    With ``continuing``, values of periodic measures, such as directions, are shifted by whole
    periods to lie near the first value, so that random samples on both sides of 180° are close.
    """

    def __init__(self, experiment: Experiment, *, continuing: bool = False) -> None:
        self._experiment, self._continuing = experiment, continuing
        self._numbers = array("d")
        self._not_followed: set[OmittedLight | None] = set()
        self._other_paths: list[str] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Sequence[Row]) -> None:
        """Add the rows of further points."""
        for values, measures in rows:
            self._numbers.extend((*values, *(m.value for m in measures)))
            self._not_followed.update(m.not_followed for m in measures)
            others = dict.fromkeys(m.other_path for m in measures if m.other_path)
            self._other_paths.append(" and ".join(others))
        self._count += len(rows)

    def table(self, seed: int | None = None) -> Table:
        """The table of all points that were added so far."""
        experiment, document = self._experiment, self._experiment.base_document
        names = [p.text for p in experiment.parameters] + [
            m.expression for m in experiment.measures
        ]
        units = [p.unit_text(document) for p in experiment.parameters]
        units += [m.unit.symbol(document.unit, document.power_unit) for m in experiment.measures]
        rows = np.array(self._numbers, np.float64).reshape(-1, len(names))
        for column, measure in (
            enumerate(experiment.measures, len(experiment.parameters)) if self._continuing else ()
        ):
            rows[:, column] = unwrap_values(rows[:, column], measure.period)
        note = omitted_light_text(document.scene, self._not_followed)
        choices = {i: p.choices for i, p in enumerate(experiment.parameters) if p.choices}
        others = tuple(self._other_paths)
        return Table(
            tuple(names), tuple(units), rows, document.revision, seed, note, choices, others
        )


def build_table(
    experiment: Experiment,
    rows: Sequence[Row],
    seed: int | None = None,
    *,
    continuing: bool = False,
) -> Table:
    """The table of some points of an experiment. For the arguments see `TableBuilder`."""
    builder = TableBuilder(experiment, continuing=continuing)
    builder.add(rows)
    return builder.table(seed)


SUFFIXES = (".csv", ".npz", ".json")


def check_table_file(path: Path) -> None:
    """Raise RaybenchError if the ending of the file name is not in `SUFFIXES`, and FileWriteError
    if the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise RaybenchError(
            f"{path}: a table is not written as '{path.suffix or path.name}'. Let the name end in"
            f" {', '.join(SUFFIXES)}."
        )
    check_writable(path)


def save_table(table: Table, path: Path) -> None:
    """Write a table to a file, in the format that the ending of its name selects. An undefined
    value is an empty cell, NaN in npz and null in JSON. An infinite value is the text "inf" or
    "-inf" in JSON.

    Raises RaybenchError for an unknown ending, and FileWriteError if the file cannot be written.
    """
    check_table_file(path)
    match path.suffix.lower():
        case ".npz":
            with replace_file(path) as file:
                columns = {"rows": table.rows, "meta": np.array(json.dumps(_table_header(table)))}
                if any(table.other_paths):
                    columns["other_paths"] = np.array(table.other_paths)
                np.savez(file, **columns)  # type: ignore[arg-type]
        case ".json":
            rows = [[_json_cell(table, i, v) for i, v in enumerate(r)] for r in table.rows.tolist()]
            others = {"other_paths": table.other_paths} if any(table.other_paths) else {}
            written = {**_table_header(table), "rows": rows, **others}
            write_text(path, json.dumps(written, indent=1, ensure_ascii=False) + "\n")
        case _:
            text = io.StringIO(newline="")
            writer = CsvWriter(text)
            marked = any(table.other_paths)
            writer.writerow([*column_headings(table), *(["other path"] if marked else [])])
            writer.writerows(
                [
                    *("" if math.isnan(v) else table.cell(i, v, "") for i, v in enumerate(row)),
                    *([other] if marked else []),
                ]
                for row, other in zip(
                    table.rows.tolist(), table.other_paths or repeat(""), strict=False
                )
            )
            write_text(path, text.getvalue())


def _json_cell(table: Table, column: int, value: float) -> str | float | None:
    if column in table.choices:
        return table.cell(column, value, "")
    return None if math.isnan(value) else value if math.isfinite(value) else str(value)


def column_headings(table: Table) -> list[str]:
    """The headings of the columns, each with its unit."""
    return [
        f"{name} [{unit}]" if unit else name
        for name, unit in zip(table.columns, table.units, strict=True)
    ]


def _table_header(table: Table) -> dict[str, Any]:
    seed = {} if table.seed is None else {"seed": table.seed}
    choices = {"choices": {table.columns[i]: c for i, c in table.choices.items()}}
    note = {"note": f"{table.note}."} if table.note else {}
    return {
        "columns": table.columns,
        "units": table.units,
        "revision": table.revision,
        **seed,
        **note,
        **(choices if table.choices else {}),
    }
