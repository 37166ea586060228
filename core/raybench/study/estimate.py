"""Estimates: means of measures over draws of a scene, with their standard errors. If sources or
scattered light are random, the draws are independent. If no source is random, the source rays of
each draw lie between those of the other draws.

Each draw is a trace of the whole scene. Only the values of the measures are kept, so that memory
does not grow with the number of draws. The means are the same for any number of threads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from raybench.analysis.measures.measure import SIGNIFICANT, Measured, wrap_difference
from raybench.errors import RaybenchError
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.study.batch_means import BatchMeans
from raybench.study.experiment import Evaluator, Experiment, Stop, Values
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.run.emission import count_interleaved_draws
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import draws_differ

LEAST_DRAWS = 8
"""Draws before an error is compared with the wanted one: that of fewer is too uncertain itself."""
DRAWS_WITHOUT_LIGHT = 1_000
"""Draws after which a measure that was 0 in all of them counts as 0."""
MOST_DRAWS = 1_000_000


class InvalidEstimate(RaybenchError):
    """The request for an estimate is invalid, or all draws of the scene are the same."""


@dataclass(frozen=True)
class Mean:
    """The mean of a measure over ``draws`` draws, ignoring ``undefined`` draws in which it has no
    value; NaN if it never has one. ``error`` is the standard error of the mean, infinite for fewer
    than two values.

    ``latest`` is the value of the last draw. Directions are averaged relative to the first one, so
    that the jump at 360° has no effect.
    """

    latest: Measured
    value: float
    error: float
    draws: int
    undefined: int

    @property
    def relative_error(self) -> float:
        """The standard error relative to the mean; infinite if both are 0 after few draws, since
        light may arrive in another draw.
        """
        if self.value:
            return self.error / abs(self.value)
        return 0.0 if self.error == 0 and self.draws >= DRAWS_WITHOUT_LIGHT else math.inf

    @property
    def value_or_none(self) -> float | None:
        """The mean, or None if no draw had a value."""
        return None if math.isnan(self.value) else self.value

    @property
    def error_or_none(self) -> float | None:
        """The standard error, or None for fewer than two values."""
        return self.error if math.isfinite(self.error) else None

    def __str__(self) -> str:
        """The mean as text for a person, such as ``0.513 ± 0.005 relative power =
        power(Screen) (90 draws)``.
        """
        count = f"{self.draws} draws" + (
            f", {self.undefined} of them without a value" if self.undefined else ""
        )
        name, unit = self.latest.expression, unit_suffix(self.latest.unit)
        if math.isnan(self.value):
            return f"undefined = {name}: {self.latest.reason} ({count})"
        return f"{self.value:.{SIGNIFICANT}g} ± {self.error:.2g}{unit} = {name} ({count})"


Means = tuple[Mean, ...]


def means_of_draws(rows: Iterable[Sequence[Measured]]) -> Iterator[Means]:
    """Yield the means of measures after each of the ``rows``, where a row has the values of all
    measures in one draw.
    """
    batches, first = BatchMeans(), np.array(math.nan)
    for row in rows:
        values = np.array([measured.value for measured in row])
        first = np.where(np.isfinite(first), first, values)
        off = zip(row, (values - first).tolist(), strict=True)
        batches.add_numbers(np.array([wrap_difference(o, measured.period) for measured, o in off]))
        columns = (first + batches.means, batches.errors, batches.draws - batches.counts)
        yield tuple(
            Mean(measured, value, error, batches.draws, round(undefined))
            for measured, value, error, undefined in zip(
                row, *(column.tolist() for column in columns), strict=True
            )
        )


def count_draws(document: Document, most: int = MOST_DRAWS) -> int:
    """The number of different draws of a document, up to ``most``; 1 if all draws are equal. Raises
    TooManyRays.
    """
    if draws_differ(document):
        return most
    scene = document.scene
    return min(most, count_interleaved_draws(scene, scene.keys_with_parts(document.disabled)))


@dataclass(frozen=True)
class _DrawExperiment:
    """An experiment without parameters that is evaluated for draws: the only value is the number of
    the draw.
    """

    experiment: Experiment

    def evaluate(
        self, values: Values, memory: TraceMemory | None = None, stop: Stop | None = None
    ) -> tuple[Measured, ...]:
        (draw,) = values
        return self.experiment.evaluate((), memory, stop, draw=int(draw))


def estimate(
    document: Document,
    measures: str | Sequence[str],
    *,
    error: float = 0.0,
    draws: int = MOST_DRAWS,
    max_segments: int = DEFAULT_LIMIT,
    executor: Executor | None = None,
    threads: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Means]:
    """Yield the means of measures after each draw. The last draw is the one after which the
    relative standard error of each measure with a value is at most ``error``, or draw number
    ``draws``. The first draw is the normal trace of the scene.

    ``executor``, ``threads`` and ``stop`` are as in `Evaluator`. Raises InvalidEstimate, and the
    errors of `bind_measures`.
    """
    if not 0 <= error < math.inf:
        raise InvalidEstimate(f"The error is {error:g}; give a part of the value such as 0.01.")
    if not 2 <= draws <= MOST_DRAWS:
        raise InvalidEstimate(f"There are {draws} draws; give 2 to {MOST_DRAWS:,}.")
    draws = count_draws(document, draws)
    if draws < 2:
        raise InvalidEstimate(
            "All draws of this scene are the same: it has only single rays, and nothing is random."
            " Add a source with a ray density, such as a beam."
        )
    experiment = Experiment.build(document, (), measures, (), max_segments)
    with Evaluator(executor, threads, stop) as evaluator:
        points = ((float(draw),) for draw in itertools.count())
        rows = evaluator.rows(_DrawExperiment(experiment), points)
        for means in means_of_draws(itertools.islice(rows, draws)):
            yield means
            if means[0].draws >= LEAST_DRAWS and all(
                mean.relative_error <= error or mean.undefined == mean.draws for mean in means
            ):
                return
