"""Tolerance studies: how much measures change if parameters deviate, one at a time (sensitivities)
or all at once (Monte Carlo).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from raybench.analysis.measures.bound import Bound, bind_measures
from raybench.analysis.measures.measure import ROUNDING, Measured, unwrap_values
from raybench.errors import RaybenchError
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.study.experiment import (
    Evaluator,
    Experiment,
    Row,
    Stop,
    Values,
    check_random_seed,
    with_initial_changes,
)
from raybench.study.search import Objective, best_point_so_far, search_locally
from raybench.study.table import Table, build_table
from raybench.study.terms.goal import Goal, read_goals, read_limits
from raybench.study.terms.ranges import (
    Bounds,
    Deviation,
    draw_samples,
    read_bounds,
    read_deviation,
    shares_of_values,
    values_from_shares,
)
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.run.memory import TraceMemory

DEFAULT_SAMPLES = 200
"""Number of random samples where none is given."""
LEAST_SAMPLES, MOST_SAMPLES = 2, 1_000_000
QUANTILES = (0.05, 0.5, 0.95)
CONFIDENCE = 1.96
"""Half width of the 95 % confidence interval, in standard deviations."""


SCALE_RANGE = 1 / 64, 64.0
"""Factors of all deviations between which the one for a yield is sought."""


class InvalidTolerance(RaybenchError):
    """The request for a tolerance study is invalid."""


@dataclass(frozen=True)
class CompensatedExperiment:
    """An experiment that adjusts compensators at every point, as in assembly. Compensators are
    parameters with ``bounds``, which are adjusted to meet ``goals`` best. Among the parameters of
    ``experiment``, they come after the deviating parameters. The first ``requested_count`` measures
    are the requested ones, followed by the measures of the goals.
    """

    experiment: Experiment
    bounds: tuple[Bounds, ...]
    goals: tuple[Goal, ...]
    requested_count: int

    def evaluate(
        self, values: Values, memory: TraceMemory | None = None, stop: Stop | None = None
    ) -> Row:
        """Adjust the compensators at a point. Returns the measures, followed by the values of the
        compensators.
        """
        bounds, goals = self.bounds, self.goals
        whole: dict[bytes, Row] = {}

        def evaluated_rows(points: Any) -> Iterator[Row]:
            for point in points:
                row = self.experiment.evaluate(
                    (*values, *values_from_shares(bounds, point.tolist())), memory, stop
                )
                whole[point.tobytes()] = row
                yield row[self.requested_count :]

        objective = Objective(goals, evaluated_rows)
        start = np.array(shares_of_values(bounds, [b.now for b in bounds]))
        if math.isfinite(objective(start)):
            search_locally(objective, start)
        best = best_point_so_far(objective, start)
        document, adjusted = (
            self.experiment.base_document,
            values_from_shares(bounds, best.tolist()),
        )
        settings = [
            Measured(v, b.parameter.unit_text(document), b.parameter.text)
            for b, v in zip(bounds, adjusted, strict=True)
        ]
        return (*whole[best.tobytes()][: self.requested_count], *settings)


@dataclass(frozen=True)
class Sensitivity:
    """The effect of one parameter: the measures at the lower and at the upper end of its deviation."""

    deviation: Deviation
    low: Row
    high: Row

    def slope(self, index: int) -> float:
        """The change of a measure per unit of the parameter; NaN if the measure is undefined."""
        return self.high[index].difference_from(self.low[index]) / (2 * self.deviation.by)

    def changes(self, index: int, nominal: Row) -> tuple[float, float]:
        """The changes of a measure at the lower and at the upper end; NaN where the measure is
        undefined.
        """
        return self.low[index].difference_from(nominal[index]), self.high[index].difference_from(
            nominal[index]
        )


@dataclass(frozen=True)
class Spread:
    """The distribution of a measure over the samples in which it is defined: mean, standard
    deviation, minimum, `QUANTILES` and maximum.
    """

    measure: Bound
    defined: int
    mean: float
    deviation: float
    least: float
    quantiles: tuple[float, ...]
    most: float


@dataclass(frozen=True)
class Yield:
    """The number of samples within a limit, and the 95 % confidence interval of their fraction
    (Wilson). ``of`` is the limit, which may be a range, or ``all limits``.
    """

    of: str
    within: int
    samples: int

    @property
    def share(self) -> float:
        """The fraction of the samples that lie within the limit."""
        return self.within / self.samples

    def samples_for(self, half_width: float) -> int:
        """The number of samples for which the confidence interval of the same fraction has this
        half width.
        """
        spread = max(self.share * (1 - self.share), 1 / self.samples)
        return math.ceil(CONFIDENCE**2 * spread / half_width**2)

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds of the confidence interval of the share, after E. B. Wilson, J. Am. Stat.
        Assoc. 22, 209 (1927).
        """
        n, p, z = self.samples, self.share, CONFIDENCE
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + z * z / n)), min(
            1.0, (middle + half) / (1 + z * z / n)
        )


@dataclass(frozen=True)
class Tolerance:
    """A tolerance study: an experiment with limits. Its first parameters deviate; the others are
    compensators with bounds.

    ``measures`` is the number of requested measures; the experiment has further measures for the
    limits. ``goals`` are the goals of the compensators.
    """

    experiment: Experiment
    deviations: tuple[Deviation, ...]
    limits: tuple[Goal, ...]
    measures: int
    seed: int
    samples: int
    compensators: tuple[Bounds, ...] = ()
    goals: tuple[Goal, ...] = ()

    @classmethod
    def read(
        cls,
        document: Document,
        vary: Sequence[str],
        measures: Sequence[str],
        *,
        limits: Sequence[str] = (),
        adjust: Sequence[str] = (),
        goals: Sequence[str] = (),
        links: Sequence[str] = (),
        first: Sequence[Change] = (),
        samples: int = DEFAULT_SAMPLES,
        seed: int = 0,
        max_segments: int = DEFAULT_LIMIT,
    ) -> Tolerance:
        """Read a study from texts: deviations such as ``Lens.x±0.1``, limits, and the goals of the
        compensators in ``adjust``, such as ``Screen.x=-5..5``. The ``first`` changes are applied to
        the document before the study. Without ``measures``, the measures of the limits are used.

        Raises InvalidTolerance, InvalidSeed, the errors of reading the texts, InvalidParameter for
        a compensator that also deviates, or the errors of `Experiment.build`.
        """
        if not vary:
            raise InvalidTolerance(
                "Nothing deviates: give at least one parameter, such as Lens.x±0.1."
            )
        if not (isinstance(samples, Integral) and LEAST_SAMPLES <= samples <= MOST_SAMPLES):
            raise InvalidTolerance(
                f"{samples} samples; a study has {LEAST_SAMPLES} to {MOST_SAMPLES}, a whole number."
            )
        check_random_seed(seed)
        if bool(adjust) != bool(goals):
            given, missing = (
                ("A goal", "what is adjusted (Screen.x=-5..5)")
                if goals
                else ("What is adjusted", "a goal (least rms(Screen))")
            )
            raise InvalidTolerance(f"{given} needs {missing} with it. Give both, or neither.")
        begun = with_initial_changes(document, first) if first else document
        deviations = tuple(read_deviation(text, begun) for text in vary)
        bounds = tuple(read_bounds(text, begun) for text in adjust)
        if chosen := next((b for b in bounds if b.chosen), None):
            raise InvalidTolerance(
                f"{chosen.parameter.text}: a compensator is adjusted within bounds, not chosen. Give"
                " them, such as Screen.x=-5..5."
            )
        held = read_limits(limits, begun)
        needed = dict.fromkeys(g.expression for g in held)
        asked = dict.fromkeys(m.expression for m in bind_measures(measures or [*needed], begun))
        experiment = Experiment.build(
            document,
            [varied.parameter for varied in (*deviations, *bounds)],
            [*(asked | needed)],
            links,
            max_segments,
            first=first,
        )
        aims = read_goals(goals, begun)
        return cls(experiment, deviations, held, len(asked), seed, samples, bounds, aims)

    @property
    def points(self) -> list[Values]:
        """The values of the parameters in each sample."""
        return [*map(tuple, draw_samples(self.deviations, self.samples, self.seed).tolist())]

    def experiment_to_evaluate(self) -> Experiment | CompensatedExperiment:
        """The experiment that is evaluated for each sample."""
        if not self.compensators:
            return self.experiment
        own = self.experiment.measures
        aims = bind_measures([g.measure for g in self.goals], self.experiment.base_document)
        whole = dataclasses.replace(self.experiment, measures=(*own, *aims))
        return CompensatedExperiment(whole, self.compensators, self.goals, len(own))

    def split_row(self, point: Values, row: Row) -> tuple[Values, Row]:
        """The values of all parameters of a sample, including compensators, and its measures.
        ``row`` is the result of evaluating ``point``.
        """
        own = len(self.experiment.measures)
        return (*point, *(m.value for m in row[own:])), row[:own]

    def nominal(self, evaluator: Evaluator) -> Row:
        """Evaluate the measures without deviations."""
        return evaluator.evaluate_point(
            self.experiment_to_evaluate(), tuple(d.nominal for d in self.deviations)
        )

    def sensitivities(self, evaluator: Evaluator) -> Iterator[Sensitivity]:
        """Yield the effect of each parameter alone. There are fewer if the evaluator was stopped."""
        centre = [d.nominal for d in self.deviations]
        points = []
        for i, d in enumerate(self.deviations):
            for value in (d.nominal - d.by, d.nominal + d.by):
                points.append((*centre[:i], value, *centre[i + 1 :]))
        rows = evaluator.rows(self.experiment_to_evaluate(), points)
        for deviation, low, high in zip(self.deviations, rows, rows, strict=False):
            yield Sensitivity(deviation, low, high)

    def run(
        self, executor: Executor | None = None, threads: int | None = None, stop: Stop | None = None
    ) -> Iterator[Row]:
        """Yield the measures of the samples in order, as soon as they are computed. They do not
        depend on the executor or the number of threads.
        """
        with Evaluator(executor, threads, stop) as evaluator:
            yield from evaluator.rows(self.experiment_to_evaluate(), self.points)

    def scaled(self, factor: float) -> Tolerance:
        """The same study with all deviations multiplied by a factor. Each sample deviates in the
        same proportion.
        """
        several = tuple(dataclasses.replace(d, by=d.by * factor) for d in self.deviations)
        return dataclasses.replace(self, deviations=several)

    def scale_for_yield(self, wanted: float, evaluator: Evaluator) -> tuple[float, Yield] | None:
        """The largest factor for all deviations, accurate to 1 %, with which the fraction of the
        samples within all limits is at least ``wanted``; and the yield with this factor. It is
        searched within `SCALE_RANGE` by bisection; after a stop the result is the largest factor
        found so far. None if the smallest factor is too large, or was not evaluated.

        Raises InvalidTolerance without limits, or for a fraction that is not between 0 and 1.
        """
        if not self.limits:
            raise InvalidTolerance("A yield needs limits, such as rms(Screen) < 0.2.")
        if not 0 < wanted < 1:
            raise InvalidTolerance(f"A yield lies between 0 and 1; {wanted:g} does not.")

        def yield_at(factor: float) -> Yield | None:
            study = self.scaled(factor)
            rows = [*evaluator.rows(study.experiment_to_evaluate(), study.points)]
            return self.yields(rows)[-1] if len(rows) == self.samples else None

        low, high = SCALE_RANGE
        best: tuple[float, Yield] | None = None
        for factor in (low, high):
            if (found := yield_at(factor)) is None:
                return best
            if found.share >= wanted:
                best = factor, found
            elif best is None:
                return None
        assert best is not None
        low = best[0]
        while high > 1.01 * low:
            middle = math.sqrt(low * high)
            if (found := yield_at(middle)) is None:
                break
            if found.share >= wanted:
                low, best = middle, (middle, found)
            else:
                high = middle
        return best

    def table(self, rows: Sequence[Row]) -> Table:
        """The table of the samples with their measures."""
        samples = [self.split_row(*sample) for sample in zip(self.points, rows, strict=False)]
        return build_table(self.experiment, samples, self.seed, continuing=True)

    def spreads(self, rows: Sequence[Row]) -> list[Spread]:
        """The distribution of each requested measure."""
        return [
            _measure_spread(m, [row[i] for row in rows])
            for i, m in enumerate(self.experiment.measures[: self.measures])
        ]

    def yields(self, rows: Sequence[Row]) -> list[Yield]:
        """The yield of each limit and, if there are several limits, of all together. A range is one
        limit.
        """
        if not rows or not self.limits:
            return []
        within = np.array(
            [
                [
                    m.defined and g.violation(m.value) == 0
                    for g, m in self._limits_with_measures(row)
                ]
                for row in rows
            ]
        )
        whole = [limit.range_text for limit in self.limits]
        columns = {of: [i for i, name in enumerate(whole) if name == of] for of in whole}
        if len(columns) > 1:
            columns["all limits"] = list(range(len(whole)))
        return [
            Yield(of, int(within[:, its].all(axis=1).sum()), len(rows))
            for of, its in columns.items()
        ]

    def worst_samples(self, rows: Sequence[Row], count: int) -> list[int]:
        """The indices of the ``count`` worst samples, the worst first.

        The worst samples violate the limits most, relative to the values of the limits; without
        limits, they are farthest from the median of the first measure. A sample with an undefined
        measure is the worst of all.
        """
        badness = self._rank_rows(rows)
        return sorted(range(len(rows)), key=lambda i: (-badness[i], i))[:count]

    def changes(self, index: int, row: Row) -> tuple[Change, ...]:
        """The changes that turn the document into a sample with its adjusted compensators. ``row``
        is the result of evaluating the sample.
        """
        return self.experiment.changes(self.split_row(self.points[index], row)[0])

    def _limits_with_measures(self, row: Row) -> list[tuple[Goal, Measured]]:
        by_expression = {
            m.expression: value for m, value in zip(self.experiment.measures, row, strict=False)
        }
        return [(limit, by_expression[limit.expression]) for limit in self.limits]

    def _rank_rows(self, rows: Sequence[Row]) -> list[float]:
        if self.limits:
            return [
                max(_limit_excess(g, m) for g, m in self._limits_with_measures(row)) for row in rows
            ]
        first = unwrap_values(
            np.array([row[0].value for row in rows]), self.experiment.measures[0].period
        )
        middle = np.nanmedian(first) if np.isfinite(first).any() else 0.0
        return [math.inf if math.isnan(d) else float(d) for d in np.abs(first - middle)]


def root_sum_square(sensitivities: Sequence[Sensitivity], index: int) -> float:
    """The standard deviation of a measure by linear propagation of independent deviations (JCGM
    100:2008, eq. 10).
    """
    return math.sqrt(
        sum((s.slope(index) * s.deviation.standard_deviation) ** 2 for s in sensitivities)
    )


def _measure_spread(measure: Bound, values: Sequence[Measured]) -> Spread:
    known = unwrap_values(np.array([m.value for m in values if m.defined]), measure.period)
    if not len(known):
        nan = math.nan
        return Spread(measure, 0, nan, nan, nan, (nan,) * len(QUANTILES), nan)
    differ = np.ptp(known) > ROUNDING * np.abs(known).max()
    return Spread(
        measure,
        len(known),
        float(known.mean()),
        float(known.std(ddof=1)) if differ else 0.0,
        float(known.min()),
        tuple(np.quantile(known, QUANTILES).tolist()),
        float(known.max()),
    )


def _limit_excess(limit: Goal, measure: Measured) -> float:
    """The amount by which a measure exceeds its limit, relative to the limit; negative within the
    limit, infinite if the measure is undefined.
    """
    if not measure.defined:
        return math.inf
    beyond = limit.signed_excess(measure.value)
    return (beyond if limit.wanted == "<" else -beyond) / (abs(limit.value) or 1.0)
