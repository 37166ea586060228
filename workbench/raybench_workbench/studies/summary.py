"""The result of a finished study, in a few lines of text."""

from __future__ import annotations

import math

import numpy as np

from raybench.scene.changes.quantity import unit_after
from raybench.study.table import Table
from raybench.study.terms.parameter import about_motions
from raybench.study.tolerance import root_sum_square
from raybench_workbench.studies.runner import Progress

MOST_LINES = 60
"""Lines on parameters and measures that are shown; those on yields, and notes, all are."""


def summary_of(progress: Progress, table: Table | None) -> str:
    """The summary: extremes of a sweep, the values of an optimum, spread and yield of a tolerance;
    why measures are undefined, and how much light powers leave out.
    """
    if table is None or not len(table.rows) or progress.experiment is None:
        return ""
    outcome = progress.outcome
    optimum = outcome is not None and outcome.optimum is not None
    if optimum:
        lines = _optimum(progress)  # with what powers leave out among its notes
    elif outcome is not None and outcome.tolerance is not None:
        lines = _tolerance(progress)
    else:
        lines = _extremes(table, len(progress.experiment.parameters))
    reasons = dict.fromkeys(m.reason for _, row in progress.rows for m in row if not m.defined)
    note = [f"{table.note}."] if table.note and not optimum else []
    return "\n".join(
        [*lines, *list(reasons)[:2], *note, *about_motions(progress.experiment.parameters)]
    )


def _shortened(lines: list[str]) -> list[str]:
    """The first of some lines, and how many more there are."""
    return (
        [*lines[:MOST_LINES], f"and {len(lines) - MOST_LINES} more lines"]
        if len(lines) > MOST_LINES
        else lines
    )


def row_text(table: Table, row: int) -> str:
    """The numbers of a row in one line."""
    cells = zip(table.columns, table.rows[row].tolist(), table.units, strict=True)
    texts = (
        f"{name} = {value:.6g}{unit_after(unit)}" if math.isfinite(value) else f"{name} undefined"
        for name, value, unit in cells
    )
    return ", ".join(texts)


def _extremes(table: Table, parameters: int) -> list[str]:
    def at(row: int) -> str:
        return ", ".join(
            f"{table.columns[i]} = {table.rows[row, i]:.6g}{unit_after(table.units[i])}"
            for i in range(parameters)
        )

    lines = []
    for column in range(parameters, len(table.columns)):
        values = table.rows[:, column]
        if not np.isfinite(values).any():
            continue
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        name, unit = table.columns[column], unit_after(table.units[column])
        if values[low] == values[high]:
            lines.append(f"{name}: {values[low]:.6g}{unit} throughout")
        else:
            lines.append(
                f"{name}: least {values[low]:.6g}{unit} at {at(low)}, most {values[high]:.6g}{unit}"
                f" at {at(high)}"
            )
    return _shortened(lines)


def _optimum(progress: Progress) -> list[str]:
    assert progress.outcome is not None
    found = progress.outcome.optimum
    assert found is not None
    unit = found.experiment.document
    lines = [
        f"{b.parameter.text}: {b.now:.6g} → {v:.8g}{unit_after(b.parameter.unit_text(unit))}"
        for b, v in zip(found.bounds, found.values, strict=True)
    ]
    for goal, before, after, met in zip(
        found.goals, found.before, found.after, found.met, strict=True
    ):
        change = f"{before.value:.6g} → {after.value:.6g}{unit_after(after.unit)}"
        lines.append(f"{goal}: {change}{'' if met else ', not met'}")
    state = "" if found.complete else "Stopped; the best so far. "
    return [
        *_shortened(lines),
        f"{state}{found.evaluations} evaluations{', ' * bool(found.method)}{found.method}",
        *found.notes,
    ]


def _tolerance(progress: Progress) -> list[str]:
    assert progress.outcome is not None
    outcome, rows = progress.outcome, [row for _, row in progress.rows]
    study = outcome.tolerance
    assert study is not None
    lines = []
    for i, spread in enumerate(study.spreads(rows)):
        unit = unit_after(spread.measure.unit.text(study.experiment.document.unit))
        lines.append(
            f"{spread.measure.expression}: {spread.mean:.6g} ± {spread.deviation:.3g}{unit}"
        )
        if len(outcome.sensitivities) == len(study.deviations):
            lines[-1] += f" (linear ± {root_sum_square(outcome.sensitivities, i):.3g}{unit})"
            for s in outcome.sensitivities:
                change = max(map(abs, s.changes(i, outcome.nominal)))
                lines.append(f"   {s.deviation.parameter.text} alone: ± {change:.3g}{unit}")
    yields = []
    for y in study.yields(rows):
        low, high = (100 * bound for bound in y.interval)
        yields.append(f"yield, {y.of}: {100 * y.share:.3g} % ({low:.3g} to {high:.3g} %)")
    return [*_shortened(lines), *yields]
