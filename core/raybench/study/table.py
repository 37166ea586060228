"""Tables of studies: numbers in columns with units, parameters first, then measures."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.measures.measure import Measured, unwrapped
from raybench.study.experiment import Experiment, Values
from raybench.trace.results.not_followed import NotFollowed, not_followed_text


@dataclass(frozen=True)
class Table:
    """The rows of a study: ``columns`` are parameters, then measures, each with its unit (empty for
    a number without one).

    ``revision`` is that of the document, ``seed`` that of the random numbers, None without any.
    ``note`` states how much light the powers omit, without a full stop; empty if that is
    negligible.
    """

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: NDArray[np.float64]
    """(points, columns); NaN where a measure is undefined."""
    revision: int
    seed: int | None = None
    note: str = ""


Row = tuple[Values, tuple[Measured, ...]]
"""A point of an experiment, and its measures."""


class TableBuilder:
    """Makes tables of the points of an experiment while they arrive, each in the time of the new
    points.

    ``continuing``: directions go on beyond 180°, so that those on both sides of it are neighbours,
    as samples are.
    """

    def __init__(self, experiment: Experiment, *, continuing: bool = False) -> None:
        self._experiment, self._continuing = experiment, continuing
        self._numbers = array("d")
        self._not_followed: set[NotFollowed | None] = set()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Sequence[Row]) -> None:
        """Add points."""
        for values, measures in rows:
            self._numbers.extend((*values, *(m.value for m in measures)))
            self._not_followed.update(m.not_followed for m in measures)
        self._count += len(rows)

    def table(self, seed: int | None = None) -> Table:
        """The table of all points so far."""
        experiment, document = self._experiment, self._experiment.document
        names = [p.text for p in experiment.parameters] + [
            m.expression for m in experiment.measures
        ]
        units = [p.unit_text(document) for p in experiment.parameters]
        units += [m.unit.symbol(document.unit) for m in experiment.measures]
        rows = np.array(self._numbers, np.float64).reshape(-1, len(names))
        for column, measure in (
            enumerate(experiment.measures, len(experiment.parameters)) if self._continuing else ()
        ):
            rows[:, column] = unwrapped(rows[:, column], measure.period)
        note = not_followed_text(document.scene, self._not_followed)
        return Table(tuple(names), tuple(units), rows, document.revision, seed, note)


def table_of(
    experiment: Experiment,
    rows: Sequence[Row],
    seed: int | None = None,
    *,
    continuing: bool = False,
) -> Table:
    """The table of some points of an experiment; arguments as for `TableBuilder`."""
    builder = TableBuilder(experiment, continuing=continuing)
    builder.add(rows)
    return builder.table(seed)
