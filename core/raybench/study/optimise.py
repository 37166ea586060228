"""Optimisation: values of parameters for which goals are met best. The outcome is a list of
changes; nothing is changed.
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np

from raybench.analysis.answers.beam_elements import interaction_words
from raybench.analysis.measures.bound import Combination
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.scene.changes import Change
from raybench.scene.document import Document
from raybench.study.experiment import Evaluator, Experiment, Row, Stop, Values, check_seed
from raybench.study.search import (
    Floats,
    Objective,
    Stopped,
    best_of,
    search_globally,
    search_locally,
)
from raybench.study.terms.goal import Goal, merit
from raybench.study.terms.ranges import Bounds, from_units, to_units
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.warnings import not_followed_text
from raybench.trace.trace import trace

MORE_RAYS = 4.0
"""Factor of the ray density with which an optimum is checked."""
ROUGH = 1e-3
"""Change of a measure with the ray density, relative to its value, from which on it is called
rough.
"""
REACHED = 1e-4
"""Difference from a value to reach, relative to it or to a thousandth of its unit, up to which it
counts as reached.
"""
SAME = 1e-12
"""Improvement of the merit, relative to it, up to which the scene stays as it is."""
SCANNED = 64
"""Points at which the ranges are sampled where the measures are undefined at the start, or the same
around it.
"""
Report = Callable[[int, float], None]
"""Takes the number of evaluations and the best merit so far."""


class NoOptimum(RaybenchError):
    """There is nothing to optimise, or no point at which the goals can be computed."""


class SearchStopped(NoOptimum):
    """The search was stopped before a point was found."""


@dataclass(frozen=True)
class Optimum:
    """The outcome: ``changes`` make it; ``before`` and ``after`` are the goals' measures.

    Attributes:
        values: One for each parameter.
        merit: Before and after (`raybench.study.terms.goal`).
        met: For each goal, whether it is met; always true for extremes.
        method: How it was searched, in words.
        notes: Remarks: constraints that do not hold, bounds that were reached, measures that are
            rough.
        complete: False if the search was stopped; the best so far is given.
    """

    experiment: Experiment = field(repr=False)
    bounds: tuple[Bounds, ...]
    goals: tuple[Goal, ...]
    values: Values
    changes: tuple[Change, ...]
    before: tuple[Measured, ...]
    after: tuple[Measured, ...]
    merit: tuple[float, float]
    met: tuple[bool, ...]
    evaluations: int
    method: str
    notes: tuple[str, ...]
    complete: bool

    @property
    def document(self) -> Document:
        """The document with the changes."""
        return self.experiment.at(self.values)


def optimise(
    document: Document,
    bounds: Sequence[Bounds],
    goals: Sequence[Goal],
    *,
    links: Sequence[str] = (),
    whole_range: bool = False,
    seed: int = 0,
    executor: Executor | None = None,
    threads: int | None = None,
    max_segments: int = DEFAULT_LIMIT,
    stop: Stop | None = None,
    report: Report | None = None,
) -> Optimum:
    """Vary parameters within bounds so that the goals are met best; the document stays as it is.

    Args:
        links: Formulas for parameters that follow (`raybench.study.terms.link`).
        whole_range: Search the whole ranges (differential evolution with this ``seed``) before the
            local search, which otherwise starts
            from the document's values.
        stop: Polled between evaluations; true ends the search with the best so far.
        report: Called with the number of evaluations and the best merit so far.

    Raises:
        NoOptimum: Without parameters or goals, or where the goals are undefined at all sampled
            points.
        InvalidSeed: For a seed below 0. InvalidParameter, InvalidLink: For parameters given twice
            and links that contradict each other.
    """
    if not bounds or not goals:
        raise NoOptimum(
            "Nothing to optimise: give at least one parameter with bounds and one goal."
        )
    check_seed(seed)
    experiment = Experiment.build(
        document, [b.parameter for b in bounds], [g.expression for g in goals], links, max_segments
    )
    with Evaluator(executor, threads, stop) as evaluator:
        objective = _make_objective(experiment, bounds, goals, evaluator, report)
        before = evaluator.one(dataclasses.replace(experiment, parameters=(), links=()), ())
        at_start = merit(goals, before)
        method, complete = "", True
        try:
            method = _search(objective, bounds, seed if whole_range else None)
        except Stopped:
            complete = False
        if objective.best is None:
            raise (
                NoOptimum(_why_undefined(objective))
                if complete
                else SearchStopped("The search was stopped before a point was found.")
            )
        judged, rough_notes = objective.best_row, list[str]()
        if complete:
            judged, rough_notes = _with_more_rays(
                objective, experiment, bounds, evaluator, report, at_start
            )
    values = from_units(bounds, objective.best.tolist())
    after, reached = objective.best_row, objective.best_merit
    outside = [b for b in bounds if not b.low <= b.now <= b.high]
    kept = not (links or outside) and math.isfinite(at_start)  # links change the scene
    if kept and at_start - reached <= SAME * abs(at_start):
        values, after, reached = tuple(b.now for b in bounds), before, at_start
    met = tuple(is_met(g, m) for g, m in zip(goals, judged, strict=True))
    left_out = not_followed_text(
        document.scene, (m.not_followed for m in (*before, *after, *judged))
    )
    notes = []
    if _is_stuck(objective):
        notes.append(
            f"The goals are the same at all of {objective.evaluations} points that were tried, so"
            " nothing was found. Vary something else, give wider bounds, or meet first a goal that"
            " depends on what is varied, such as direction(Mirror) = 90."
        )
    notes += [
        f"{g} is not met within the bounds: it is {m.value:.6g}."
        for g, m, is_met in zip(goals, judged, met, strict=True)
        if not is_met
    ]
    if complete and outside and reached > at_start:
        where = " and ".join(f"{b.parameter.text} is {b.now:.6g}" for b in outside)
        notes.append(
            f"The present scene, where {where}, meets the goals better, but is out of bounds. Give"
            " bounds that include it."
        )
    notes += [
        f"{b.parameter.text} is at its bound {v:.6g}: wider bounds may give more."
        for b, v in zip(bounds, values, strict=True)
        if min(v - b.low, b.high - v) < 1e-6 * (b.high - b.low)
    ]
    if complete and after is not before:
        notes += _other_ways(experiment, values)
    notes += [*rough_notes, *([f"{left_out}."] if left_out else [])]
    return Optimum(
        experiment,
        tuple(bounds),
        tuple(goals),
        values,
        experiment.changes(values),
        before,
        after,
        (at_start, reached),
        met,
        objective.evaluations,
        method,
        tuple(dict.fromkeys(notes)),
        complete,
    )


def _make_objective(
    experiment: Experiment,
    bounds: Sequence[Bounds],
    goals: Sequence[Goal],
    evaluator: Evaluator,
    report: Report | None,
) -> Objective:
    def rows(points: Iterable[Floats]) -> Iterator[Row]:
        return evaluator.rows(experiment, [from_units(bounds, p.tolist()) for p in points])

    return Objective(goals, rows, report)


def _search(objective: Objective, bounds: Sequence[Bounds], seed: int | None) -> str:
    """Search from the document's values or, if the goals are undefined there, from the best of
    points spread over the ranges; in the whole ranges with a ``seed``. Returns the name of the
    method. Raises NoOptimum, Stopped.
    """
    start = np.array(to_units(bounds, [b.now for b in bounds]))
    if not math.isfinite(objective(start)):
        _scan_ranges(objective, len(bounds))
        if objective.best is None:
            raise NoOptimum(_why_undefined(objective))
        start = objective.best
    if seed is not None:
        return search_globally(objective, len(bounds), seed)
    method = search_locally(objective, start)
    if _is_stuck(objective):
        _scan_ranges(objective, len(bounds))
        method = search_locally(objective, best_of(objective, start))
        return f"{SCANNED} points of the ranges, then {method}"
    return method


def _scan_ranges(objective: Objective, count: int) -> None:
    """Evaluate points that are spread over the ranges of ``count`` parameters. Raises Stopped."""
    from scipy.stats import qmc

    objective.many(list(qmc.Halton(count, scramble=False).random(SCANNED + 1)[1:]))


def _why_undefined(objective: Objective) -> str:
    reason = objective.last_reason or "a measure is undefined."
    return (
        f"The goals are undefined at all of {objective.evaluations} points within the bounds:"
        f" {reason} Give bounds within which they are defined, or meet first a goal that is defined"
        " already, such as direction(Mirror) = 90."
    )


def _with_more_rays(
    objective: Objective,
    experiment: Experiment,
    bounds: Sequence[Bounds],
    evaluator: Evaluator,
    report: Report | None,
    at_start: float,
) -> tuple[Row, list[str]]:
    """Search on from the best point with more rays where the measures depend on their number.

    The new point is taken unless with the rays of the scene it is worse than the start, whose merit
    is ``at_start``. Returns the measures by which the goals are judged, and notes.
    """
    assert objective.best is not None
    document = experiment.document
    raised = dataclasses.replace(
        experiment, document=document.with_scene(document.scene.with_density(MORE_RAYS))
    )
    so_far = objective.evaluations
    fine = _make_objective(
        raised,
        bounds,
        objective.goals,
        evaluator,
        report and (lambda count, _: report(so_far + count, objective.best_merit)),
    )
    try:
        finer = fine.at(objective.best)
        if any(m.not_followed is not None and m.not_followed.limit for m in finer):
            return objective.best_row, []
        rough = [
            i
            for i, (a, b) in enumerate(zip(objective.best_row, finer, strict=True))
            if _values_differ(a, b)
        ]
        if rough:
            search_locally(fine, objective.best)
        if not rough or fine.best is None:
            return objective.best_row, []
        row = objective.at(fine.best)
    except Stopped:
        return objective.best_row, []
    if not all(m.defined for m in row):  # the few rays of the scene miss what more of them meet
        return objective.best_row, []
    objective.evaluations += fine.evaluations
    if taken := objective.merit_of(row) <= at_start:
        objective.best, objective.best_row, objective.best_merit = (
            fine.best,
            row,
            objective.merit_of(row),
        )
    scene, more = (row, fine.best_row) if taken else (objective.best_row, finer)
    last = ", for which the last steps were made" if taken else ""
    return more, [
        f"{scene[i].expression} depends on the number of rays: it is {scene[i].value:.6g} with"
        f" those of the scene, {more[i].value:.6g} with {MORE_RAYS:g} times as many{last}. Raise"
        " the scene's ray density."
        for i in rough
    ]


def _values_differ(a: Measured, b: Measured) -> bool:
    return a.defined != b.defined or abs(a.minus(b)) > ROUGH * max(abs(a.value), abs(b.value), 1e-9)


def is_met(goal: Goal, measure: Measured) -> bool:
    """Whether a measure's value meets a goal: a constraint exactly, a value up to `REACHED`, an
    extreme always.
    """
    if goal.is_constraint:
        return goal.violation(measure.value) == 0
    return goal.wanted != "=" or abs(goal.off(measure.value)) <= REACHED * max(
        abs(goal.value), abs(measure.value), 1e-3
    )


def _is_stuck(objective: Objective) -> bool:
    """Whether all points were equally good, and there may be better ones."""
    met = all(
        g.wanted == "=" and is_met(g, m)
        for g, m in zip(objective.goals, objective.best_row, strict=True)
    )
    return objective.flat and not met


def _other_ways(experiment: Experiment, values: Values) -> list[str]:
    """Notes on measures whose bundle took another path than in the present scene, such as one with
    a total reflection.
    """
    if all(isinstance(m, Combination) or m.measure.takes is None for m in experiment.measures):
        return []
    before, after = (
        Light.of(document, trace(document, threads=1, max_segments=experiment.max_segments))
        for document in (experiment.document, experiment.at(values))
    )
    ways = [
        (m.expression, interaction_words(before, m), interaction_words(after, m))
        for m in experiment.measures
    ]
    warnings = (
        f"{name} was measured for light that leaves by {new}; in the present scene it leaves by"
        f" {old}."
        for name, old, new in ways
        if "" != old != new != ""
    )
    return list(dict.fromkeys(warnings))
