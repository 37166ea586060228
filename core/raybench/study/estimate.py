"""Estimates: means of measures over draws of a scene, with their standard errors. If sources or
scattered light are random, the draws are independent. If no source is random, the source rays of
each draw lie between those of the other draws.

Each draw is a trace of the whole scene. Only the values of the measures are kept, so that memory
does not grow with the number of draws. The means are the same for any number of threads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from raybench.analysis.measures.measure import SIGNIFICANT, Measured, wrap_difference
from raybench.errors import RaybenchError
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
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
    """The mean of a measure over ``draws`` draws, of which ``undefined`` had no value and do not
    count. ``squares`` is the sum of squared deviations from the mean.

    ``latest`` is the value of the last draw. A mean of directions is taken around the first one.
    """

    latest: Measured
    value: float = math.nan
    squares: float = 0.0
    draws: int = 0
    undefined: int = 0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite for a single draw."""
        n = self.draws - self.undefined
        return math.sqrt(self.squares / (n * (n - 1))) if n > 1 else math.inf

    @property
    def relative_error(self) -> float:
        """The standard error as a part of the mean; infinite where both are 0 in few draws, since
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

    def with_draw(self, measured: Measured) -> Mean:
        """The mean after one more draw, by Welford's recurrence."""
        draws = self.draws + 1
        if not measured.defined:
            return replace(self, latest=measured, draws=draws, undefined=self.undefined + 1)
        n = draws - self.undefined
        if n == 1:
            return replace(self, latest=measured, value=measured.value, draws=draws)
        off = float(wrap_difference(measured.value - self.value, measured.period))
        return replace(
            self,
            latest=measured,
            value=self.value + off / n,
            squares=self.squares + off * off * (n - 1) / n,
            draws=draws,
        )


Means = tuple[Mean, ...]


def count_draws(document: Document, most: int = MOST_DRAWS) -> int:
    """The number of different draws of a document, up to ``most``; 1 if all draws are equal. Raises
    TooManyRays.
    """
    if draws_differ(document):
        return most
    scene = document.scene
    return min(most, count_interleaved_draws(scene, scene.keys_with_parts(document.disabled)))


@dataclass(frozen=True)
class _Draws:
    """An experiment without parameters, evaluated for a draw, the only value."""

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
    """Yield the means of measures after each draw, until the relative standard error of each that
    ever has a value is at most ``error``, or after ``draws`` draws. The first draw is the scene as
    it is traced.

    ``executor``, ``threads`` and ``stop`` are those of `Evaluator`. Raises InvalidEstimate, and the
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
    means: Means = ()
    with Evaluator(executor, threads, stop) as evaluator:
        points = ((float(draw),) for draw in itertools.count())
        for row in itertools.islice(evaluator.rows(_Draws(experiment), points), draws):
            before = means or tuple(map(Mean, row))
            means = tuple(m.with_draw(v) for m, v in zip(before, row, strict=True))
            yield means
            if means[0].draws >= LEAST_DRAWS and all(
                mean.relative_error <= error or mean.undefined == mean.draws for mean in means
            ):
                return
