"""Tables of studies: numbers in columns with units, parameters first, then measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.measures.measure import Measured, continued
from core.study.experiment import Experiment, Values
from core.trace.results.not_followed import not_followed_text


@dataclass(frozen=True)
class Table:
    """The rows of a study: ``columns`` are parameters, then measures, each with its unit (empty for a number without one).

    ``revision`` is that of the document, ``seed`` that of the random numbers, None without any. ``note`` states how much light
    the powers omit, without a full stop; empty if that is negligible.
    """

    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: NDArray[np.float64]
    """(points, columns); NaN where a measure is undefined."""
    revision: int
    seed: int | None = None
    note: str = ""


def table_of(
    experiment: Experiment, rows: Sequence[tuple[Values, tuple[Measured, ...]]], seed: int | None = None, *, continuing: bool = False
) -> Table:
    """The table of some points of an experiment; ``continuing``: directions go on beyond 180°, so that those on both sides of it are
    neighbours, as samples are."""
    document = experiment.document
    names = [p.text for p in experiment.parameters] + [m.expression for m in experiment.measures]
    units = [p.unit_text(document) for p in experiment.parameters]
    units += [m.unit.text(document.unit) for m in experiment.measures]
    numbers = [[*values, *(m.value for m in measures)] for values, measures in rows]
    array = np.array(numbers, np.float64).reshape(-1, len(names))
    for column, period in enumerate((m.period for m in experiment.measures), len(experiment.parameters)) if continuing else ():
        array[:, column] = continued(array[:, column], period)
    note = not_followed_text(document.scene, (m.not_followed for _, measures in rows for m in measures))
    return Table(tuple(names), tuple(units), array, document.revision, seed, note)
