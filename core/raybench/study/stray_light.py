"""Stray light, averaged over random draws: the power that each surface scatters to an object, and a
ranking of changes by how much they reduce a measure.

The same draws are taken with and without a change (common random numbers), so that their difference
has a smaller sampling error than the two values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, wrap_difference
from raybench.analysis.rays.stray_light import first_scatter_edges
from raybench.errors import RaybenchError
from raybench.scene.changes import convert_to_changes, describe_changes, documents_between_changes
from raybench.scene.document import Document, use_negative_revisions
from raybench.study.batch_means import BatchMeans
from raybench.study.estimate import Mean, means_of_draws
from raybench.study.experiment import Experiment
from raybench.study.what_if import bind_in_either_document
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import draws_differ, trace

DRAWS = 8
UNSCATTERED = (-1, -1)
"""What stands for the edge of light that none scattered."""
Stop = Callable[[], bool]


class NothingScatters(RaybenchError):
    """No edge of the scene has a finish, so no light is scattered."""


class EdgePower(NamedTuple):
    """The power of the light that an edge was the first to scatter, as mean over draws with its
    standard error. ``obj`` is the index of the object among the scene's optical objects.
    """

    obj: int
    edge: int
    power: float
    error: float


@dataclass(frozen=True)
class ScatterBudget:
    """The edges that scatter light to an object, the strongest first; the total power that arrives
    there, and the scattered part of it.
    """

    edges: tuple[EdgePower, ...]
    arriving: EdgePower
    scattered: EdgePower
    draws: int


@use_negative_revisions()
def scatter_budget(
    document: Document,
    obj: int,
    *,
    source: int | None = None,
    draws: int = DRAWS,
    max_segments: int = DEFAULT_LIMIT,
    stop: Stop | None = None,
) -> ScatterBudget:
    """Divide the power that arrives at the optical object ``obj`` by the edge that first scattered
    the light. If ``source`` is given, only light of the source with this index counts. Raises
    NothingScatters.
    """
    if not document.finishes:
        raise NothingScatters(
            "No surface of this scene scatters light. Give one a finish first, such as"
            ' {"finish": "Tube", "with": "Aeroglaze Z306 black paint"}.'
        )
    rows: list[dict[tuple[int, int], float]] = []
    memory = TraceMemory()
    for draw in range(draws):
        result = trace(document, max_segments=max_segments, memory=memory, draw=draw, stop=stop)
        if rows and stop is not None and stop():
            break
        arriving = Light.from_document(document, result).arriving_rows(obj, source)
        power = result.total_arriving_power[arriving]
        edges, inverse = np.unique(
            first_scatter_edges(result)[arriving], axis=0, return_inverse=True
        )
        sums = np.bincount(inverse.ravel(), power, minlength=len(edges))
        rows.append({(o, e): p for (o, e), p in zip(edges.tolist(), sums.tolist(), strict=True)})

    found = sorted({key for row in rows for key in row if key[0] >= 0})
    batches = BatchMeans()
    for row in rows:
        scattered = sum(power for key, power in row.items() if key != UNSCATTERED)
        each = [row.get(key, 0.0) for key in found]
        batches.add_numbers(np.array([sum(row.values()), scattered, *each]))
    whole, of_scattered, *each_edge = (
        EdgePower(*key, power, error)
        for key, power, error in zip(
            [UNSCATTERED, UNSCATTERED, *found],
            batches.means.tolist(),
            batches.errors.tolist(),
            strict=True,
        )
    )
    each_edge.sort(key=lambda edge: -edge.power)
    return ScatterBudget(tuple(each_edge), whole, of_scattered, batches.draws)


@dataclass(frozen=True)
class TriedChange:
    """A change that was tried: its number in the request (from 0), its text, the measure after the
    change, and the increase of the measure, both as means over draws. ``refused`` is the reason if
    it could not be applied or measured.
    """

    number: int
    words: str
    value: Mean | None = None
    difference: Mean | None = None
    refused: str = ""


@dataclass(frozen=True)
class RemedyRanking:
    """The measure without a change, and the tried changes, the smallest value first and refused
    changes last.
    """

    before: Mean
    remedies: tuple[TriedChange, ...]


@use_negative_revisions()
def rank_remedies(
    document: Document,
    measure: str,
    remedies: Sequence[Any],
    *,
    draws: int = DRAWS,
    max_segments: int = DEFAULT_LIMIT,
    stop: Stop | None = None,
) -> RemedyRanking:
    """Try several changes, given as values or as JSON, one at a time, and sort them by the value of
    a measure, the smallest first. Without randomness, each is traced only once. Raises the errors
    of `bind_measures`.
    """
    measured = partial(_measure_draws, document, measure, draws, max_segments, stop)
    before = measured(document)
    tried: list[TriedChange] = []
    for number, written in enumerate(remedies):
        try:
            changes = convert_to_changes(written, document)
            documents = documents_between_changes(changes, document)
            values = measured(documents[-1])
        except RaybenchError as error:
            tried.append(TriedChange(number, "", refused=str(error)))
            continue
        if tried and stop is not None and stop():
            break
        several = before * len(values) if len(before) == 1 else before  # nothing random before
        gained = [
            replace(v, value=float(wrap_difference(v.value - b.value, v.period)))
            for v, b in zip(values, several, strict=False)
        ]
        words = describe_changes(changes, documents)
        tried.append(
            TriedChange(number, words, _mean_of_measures(values), _mean_of_measures(gained))
        )
    return RemedyRanking(_mean_of_measures(before), tuple(sorted(tried, key=_ranking_key)))


def _ranking_key(remedy: TriedChange) -> float:
    value = None if remedy.value is None else remedy.value.value_or_none
    return math.inf if value is None else value


def _measure_draws(
    document: Document,
    measure: str,
    draws: int,
    max_segments: int,
    stop: Stop | None,
    changed: Document,
) -> list[Measured]:
    """The values of a measure of ``document`` in each draw of the document ``changed``."""
    (bound,) = bind_in_either_document(measure, document, changed)
    experiment = Experiment(changed, (), (bound,), max_segments=max_segments)
    memory, values = TraceMemory(), list[Measured]()
    for draw in range(draws if draws_differ(changed) or draws_differ(document) else 1):
        (value,) = experiment.evaluate((), memory, stop, draw)
        if values and stop is not None and stop():
            break
        values.append(value)
    return values


def _mean_of_measures(values: Sequence[Measured]) -> Mean:
    *_, (mean,) = means_of_draws((value,) for value in values)
    return mean
