"""Sweeps: measures over the values of one or two parameters. A sweep over one parameter can be
refined where a measure changes fast or becomes undefined.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.measures.bound import Bound, FunctionMeasure, bind_measures
from raybench.analysis.measures.kinds_of_path import is_same_path, strongest_path_words
from raybench.analysis.measures.measure import ROUNDING, Measured, find_extremes, wrap_difference
from raybench.errors import RaybenchError
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.study.experiment import Evaluator, Experiment, Row, Values, with_initial_changes
from raybench.study.table import Table, build_table
from raybench.study.terms.goal import Goal, read_goals
from raybench.study.terms.ranges import Axis, read_sweep_axis
from raybench.trace.limits import DEFAULT_LIMIT

MOST_POINTS = 1_000_000


class InvalidSweep(RaybenchError):
    """The request for a sweep is invalid."""


@dataclass(frozen=True)
class SweepPoint:
    """One row of a sweep: the values of the parameters and the measures at this point."""

    index: int
    values: Values
    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class Sweep:
    """A sweep: an experiment, and the values of its one or two parameters. ``targets`` are values
    of measures at which the parameter is to be found.
    """

    experiment: Experiment
    axes: tuple[Axis, ...]
    targets: tuple[Goal, ...] = ()

    @classmethod
    def build(
        cls,
        document: Document,
        axes: Sequence[str],
        measures: str | Sequence[str | FunctionMeasure],
        max_segments: int = DEFAULT_LIMIT,
        links: Sequence[str] = (),
        first: Sequence[Change] = (),
        targets: Sequence[str] = (),
    ) -> Sweep:
        """Make a sweep over ``axes``, texts for `read_sweep_axis`. The ``first`` changes are
        applied to the document before the sweep. ``targets`` are texts such as ``deviation(Prism) =
        40`` for `crossings`. Raises the errors of `read_sweep_axis` and `Experiment.build`,
        InvalidGoal, or InvalidSweep.
        """
        if not 1 <= len(axes) <= 2:
            raise InvalidSweep(f"A sweep has one or two parameters, not {len(axes)}.")
        begun = with_initial_changes(document, first) if first else document
        swept = tuple(read_sweep_axis(text, begun) for text in axes)
        wanted = read_goals(targets, begun)
        if wanted and (len(swept) > 1 or swept[0].parameter.choices):
            raise InvalidSweep("Places of a value are found along one parameter that is a number.")
        if other := next((goal for goal in wanted if goal.wanted != "="), None):
            raise InvalidSweep(f"'{other}' is no value. Write such as 'deviation(Prism) = 40'.")
        experiment = Experiment.build(
            document,
            [axis.parameter for axis in swept],
            _add_goal_measures(wanted, bind_measures(measures, begun)),
            links,
            max_segments,
            first=first,
            follows_paths=True,
        )
        made = cls(experiment, swept, wanted)
        if len(made) > MOST_POINTS:
            raise InvalidSweep(
                f"{len(made)} points are too many; at most {MOST_POINTS}. Take fewer values."
            )
        return made

    def __len__(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    @property
    def points(self) -> Iterator[Values]:
        """Yield all combinations of the parameters' values. The last parameter changes fastest."""
        return itertools.product(*(axis.values for axis in self.axes))

    def run(
        self,
        executor: Executor | None = None,
        threads: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[SweepPoint]:
        """Yield the points in order, as soon as they are computed.

        The values are the same for any executor and number of ``threads`` (all processors by
        default). ``stop`` is polled before each point; if it returns True, the sweep ends. Measures
        are undefined where a point cannot be set or traced. They are marked where their light takes
        another path than in the original scene or, if there is no such light, than at the first
        point with light.
        """
        with Evaluator(executor, threads, stop) as evaluator:
            rows = self.rows(evaluator, self.points)
            for index, (values, row) in enumerate(zip(self.points, rows, strict=False)):
                yield SweepPoint(index, values, row)

    def rows(self, evaluator: Evaluator, points: Iterable[Values]) -> Iterator[Row]:
        """Yield the measures at the points. A measure is marked if its light takes another path
        than in the original scene.
        """
        present = next(evaluator.rows(self.experiment.without_parameters, [()]), ())
        reference = [m.paths for m in present]
        if not present:  # stopped
            return
        for row in evaluator.rows(self.experiment, points):
            reference = [
                old if any(old) else new.paths for old, new in zip(reference, row, strict=True)
            ]
            yield tuple(
                m
                if is_same_path(old, m.paths)
                else replace(m, other_path=strongest_path_words(m.paths))
                for old, m in zip(reference, row, strict=True)
            )

    def crossings(
        self, points: Sequence[SweepPoint], stop: Callable[[], bool] | None = None
    ) -> Iterator[Crossing]:
        """Yield the parameter values between neighbouring ``points`` at which a measure crosses one
        of the targets, found to machine precision by Brent's method. A target that is only touched
        between two points is not found.
        """
        names = [m.expression for m in self.experiment.measures]
        known = sorted(points, key=lambda point: point.values)
        with Evaluator(threads=1, stop=stop) as evaluator:
            for goal in self.targets:
                column = names.index(goal.expression)
                for low, high in itertools.pairwise(known):
                    if evaluator.stopped:
                        return
                    yield from _crossing_between(
                        self.experiment, goal, column, low, high, evaluator
                    )
                if known and goal.signed_excess(known[-1].measures[column].value) == 0:
                    yield Crossing(goal, known[-1].values[0], known[-1].measures)

    def table(self, points: Sequence[SweepPoint]) -> Table:
        """The table of some points of the sweep."""
        return build_table(self.experiment, [(point.values, point.measures) for point in points])


@dataclass(frozen=True)
class Crossing:
    """A parameter value at which a measure reaches a target, with all measures there. With
    ``jumps``, the measure jumps across the target instead.
    """

    goal: Goal
    value: float
    measures: Row
    jumps: bool = False


def _add_goal_measures(
    goals: Sequence[Goal], measures: Sequence[Bound]
) -> list[str | FunctionMeasure]:
    """The measures, followed by the measures of the goals that are not among them."""
    given: list[str | FunctionMeasure] = [
        m if isinstance(m, FunctionMeasure) else m.expression for m in measures
    ]
    return [*given, *dict.fromkeys(g.expression for g in goals if g.expression not in given)]


def _crossing_between(
    experiment: Experiment,
    goal: Goal,
    column: int,
    low: SweepPoint,
    high: SweepPoint,
    evaluator: Evaluator,
) -> Iterator[Crossing]:
    """Yield the crossing of a goal's value in the interval from the point ``low`` up to, but not
    including, ``high``, if there is one.
    """
    from scipy.optimize import brentq

    rows = {point.values[0]: point.measures for point in (low, high)}

    def excess(value: float) -> float:
        if value not in rows:
            rows[value] = evaluator.evaluate_point(experiment, (value,))
        return goal.signed_excess(rows[value][column].value)

    (a, b), step = (low.values[0], high.values[0]), excess(high.values[0]) - excess(low.values[0])
    if excess(a) == 0:
        yield Crossing(goal, a, low.measures)
    wraps = goal.period and abs(step) > goal.period / 2
    if wraps or not excess(a) * excess(b) < 0:  # also where one is undefined
        return
    fine = 4 * np.finfo(float).eps
    try:
        place = float(brentq(excess, a, b, xtol=fine * max(abs(a), abs(b)), rtol=fine, disp=False))
    except ValueError:  # it is undefined on the way
        return
    off = excess(place)
    yield Crossing(goal, place, rows[place], jumps=not abs(off) <= SMOOTH_REMAINDER * abs(step))


SMOOTH_REMAINDER = 1e-4
"""What is left to a value at its crossing, as a part of the step there, up to which it is reached.
"""
LARGEST_CHANGE = 0.1
"""Change of a measure between neighbours, as a part of its range, from which on a point is put
between them.
"""
LEAST_DISTANCE = 1e-6
"""Distance of neighbours, as a part of the swept range, below which nothing is put between them."""


def refine_sweep(
    sweep: Sweep, points: Sequence[SweepPoint], most: int, evaluator: Evaluator
) -> Iterator[SweepPoint]:
    """Yield at most ``most`` further points of a sweep, as soon as they are computed. Their indices
    follow those of ``points``.

    Intervals in which a measure changes by more than the fraction `LARGEST_CHANGE` of its range, or
    is defined at only one end, are halved repeatedly, the largest change first. Raises InvalidSweep
    for two parameters, and for choices.
    """
    if len(sweep.axes) != 1 or sweep.axes[0].parameter.choices:
        raise InvalidSweep("Only a sweep over one parameter that is a number can be refined.")
    known = sorted(points, key=lambda point: point.values)
    narrowest = LEAST_DISTANCE * (known[-1].values[0] - known[0].values[0]) if known else 0.0
    index, left = len(points), most
    while left > 0 and not evaluator.stopped:
        at = np.array([point.values[0] for point in known])
        changes = _relative_measure_changes(sweep, known)
        wide = np.flatnonzero((changes > LARGEST_CHANGE) & (np.diff(at) > narrowest))
        largest_first = wide[np.argsort(-changes[wide], kind="stable")][:left]
        values = [(value,) for value in ((at[:-1] + at[1:]) / 2)[largest_first].tolist()]
        found = []
        for value, row in zip(values, sweep.rows(evaluator, values), strict=False):
            found.append(SweepPoint(index, value, row))
            index += 1
            yield found[-1]
        if not found or len(found) < len(values):
            return
        left -= len(found)
        known = sorted([*known, *found], key=lambda point: point.values)


def _relative_measure_changes(sweep: Sweep, points: Sequence[SweepPoint]) -> NDArray[np.float64]:
    """For each two neighbouring points, the largest change of a measure relative to the measure's
    range. The shape is (points - 1,). Infinite if a measure is defined at only one of the two
    points.
    """
    largest = np.zeros(max(len(points) - 1, 0))
    for i, measure in enumerate(sweep.experiment.measures):
        values = np.array([point.measures[i].value for point in points])
        defined = np.isfinite(values)
        largest[defined[1:] != defined[:-1]] = math.inf
        if (found := find_extremes(values, measure.period)) and (span := found.spread) > 0:
            size = np.abs(wrap_difference(np.diff(values), measure.period))
            size[size <= ROUNDING * np.maximum(abs(values[1:]), abs(values[:-1]))] = 0.0
            largest = np.maximum(largest, np.nan_to_num(size / span))
    return largest
