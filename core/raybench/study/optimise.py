"""Optimisation: finding values of parameters that meet goals best. The result is a list of changes;
the document itself is not changed.
"""

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np

from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.kinds_of_path import Kinds, is_same_path, strongest_path_words
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.kinds.aspects.emission import TooManyRays
from raybench.kinds.lenses import SphericalLens
from raybench.scene.changes import Change
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document, use_negative_revisions
from raybench.study.experiment import Evaluator, Experiment, Row, Stop, Values, check_random_seed
from raybench.study.search import (
    SPREAD,
    Floats,
    Objective,
    SearchInterrupted,
    best_point_so_far,
    search_globally,
    search_locally,
    spread_points,
)
from raybench.study.terms.goal import Goal, merit
from raybench.study.terms.ranges import Bounds, shares_of_values, values_from_shares
from raybench.trace.limits import DEFAULT_LIMIT
from raybench.trace.results.warnings import omitted_light_text
from raybench.trace.run.emission import count_rays

CHECK_RAY_FACTOR = 4.0
"""How many times the rays of the scene an optimum is checked with."""
ROUGH_CHANGE = 1e-3
"""Change of a measure with the number of rays, relative to its value, from which on it is called
rough.
"""
LEAST_ROUGH = 1e-6
"""The same relative to its value in the present scene: less is no matter."""
REACHED_DIFFERENCE = 1e-4
"""Difference from a value to reach, relative to it or to a thousandth of its unit, up to which it
counts as reached.
"""
LEAST_IMPROVEMENT = 1e-12
"""Improvement of the merit, relative to it, up to which the scene stays as it is."""
MOST_COMBINATIONS = 100
"""Combinations of choices that a search tries."""
PLANE_RADIUS = 100
"""Radius, in heights of the lens, from which on a surface is called almost plane."""
MOST_ALTERNATIVES, MOST_OTHERS = 2, 3
"""Other paths, and other choices, that notes tell."""
Report = Callable[[int, float], None]
"""Takes the number of evaluations and the best merit so far."""


class NoOptimum(RaybenchError):
    """There is nothing to optimise, or there is no point at which the goals can be evaluated."""


class SearchStopped(NoOptimum):
    """The search was stopped before it found a point."""


@dataclass(frozen=True)
class PathAlternative:
    """The best point found for light that takes another kind of path than at present."""

    path: str
    values: Values
    measures: tuple[Measured, ...]


@dataclass(frozen=True)
class Optimum:
    """The result of an optimisation. ``changes`` set the optimal values; ``before`` and ``after``
    are the measures of the goals, traced with the rays of the scene.

    Attributes:
        values: The optimal value of each parameter.
        measured: Other requested measures, before and after.
        paths: The kinds of path of the light of the goals, before and after.
        alternatives: The best results for other kinds of path, which the search excluded.
        merit: The merit before and after (`raybench.study.terms.goal`).
        met: For each goal, whether it is met; always true for extremes.
        method: The search methods, in words.
        notes: Remarks: goals that are not met, bounds that were reached, measures that are not
            smooth.
        complete: False if the search was stopped; the optimum then is the best point so far.
    """

    experiment: Experiment = field(repr=False)
    bounds: tuple[Bounds, ...]
    goals: tuple[Goal, ...]
    values: Values
    changes: tuple[Change, ...]
    before: tuple[Measured, ...]
    after: tuple[Measured, ...]
    measured: tuple[tuple[Measured, Measured], ...]
    paths: tuple[str, str]
    alternatives: tuple[PathAlternative, ...]
    merit: tuple[float, float]
    met: tuple[bool, ...]
    evaluations: int
    method: str
    notes: tuple[str, ...]
    complete: bool

    @property
    def document(self) -> Document:
        """The document with the changes of the optimum applied."""
        return self.experiment.document_with_values(self.values)


@use_negative_revisions()
def optimise(
    document: Document,
    bounds: Sequence[Bounds],
    goals: Sequence[Goal],
    *,
    first: Sequence[Change] = (),
    measures: Sequence[str] = (),
    links: Sequence[str] = (),
    whole_range: bool = False,
    keep_path: bool = True,
    seed: int = 0,
    executor: Executor | None = None,
    threads: int | None = None,
    max_segments: int = DEFAULT_LIMIT,
    stop: Stop | None = None,
    report: Report | None = None,
) -> Optimum:
    """Find the values of parameters within bounds that meet the goals best. The document itself is
    not changed.

    Args:
        first: Changes that are made before the search; bounds and goals are those of the document
            with them (`raybench.study.experiment.with_initial_changes`).
        measures: Further measures to be evaluated for the present scene and the optimum.
        links: Formulas of linked parameters (`raybench.scene.parameters.link`).
        whole_range: Search the whole ranges (points spread over them, then differential evolution
            with this ``seed``) before the local search, which otherwise starts from the document's
            values.
        keep_path: Exclude points at which light takes another kind of path than in the present
            scene, such as a path with a total reflection; the best of them are reported as
            alternatives.
        stop: Polled between evaluations; if it returns True, the result is the best point so far.
        report: Called with the number of evaluations and the best merit so far.

    Raises:
        NoOptimum: Without parameters or goals, for more than `MOST_COMBINATIONS` of choices, or
            where the goals are undefined at all sampled points.
        InvalidSeed: For a seed below 0. InvalidParameter, InvalidLink: For parameters given twice
            and links that contradict each other. What `bind_measures` raises for a measure.
    """
    if not bounds or not goals:
        raise NoOptimum(
            "Nothing to optimise: give at least one parameter with bounds and one goal."
        )
    check_random_seed(seed)
    spaces = _spaces_of_choices(bounds)
    experiment = Experiment.build(
        document,
        [b.parameter for b in bounds],
        [g.measure for g in goals],
        links,
        max_segments,
        first=first,
        follows_paths=True,
    )
    others = dataclasses.replace(
        experiment,
        measures=bind_measures([*measures], experiment.base_document) if measures else (),
    )
    tried = 0
    with Evaluator(executor, threads, stop) as evaluator:
        before = evaluator.evaluate_point(experiment.without_parameters, ())
        at_start = merit(goals, before)
        kept = _required_paths(experiment, goals, before) if keep_path else ()
        found: list[_SearchResult] = []
        complete = True
        for space in spaces:
            objective = _make_objective(experiment, space, goals, evaluator, kept, None)
            least = min((each.objective.best_merit for each in found), default=math.inf)
            if report is not None:
                objective.report = _report_with_total(report, tried, least)
            method = ""
            try:
                method = _search_space(objective, space, seed if whole_range else None)
            except SearchInterrupted:
                complete = False
            tried += objective.evaluations
            found.append(_SearchResult(space, objective, method))
            if not complete:
                break
        found.sort(key=lambda each: each.objective.best_merit)
        space, objective, method = (best := found[0]).space, best.objective, best.method
        if objective.best is None:
            raise (
                NoOptimum(_no_optimum_reason([each.objective for each in found], tried))
                if complete
                else SearchStopped("The search was stopped before a point was found.")
            )
        finer, rough_notes = objective.best_row, list[str]()
        if complete:
            objective.report = None  # the check counts on from what all searches tried
            counted = report and _report_with_total(report, tried, objective.best_merit)
            more, finer, rough_notes = _verify_with_more_rays(
                best, experiment, evaluator, kept, counted, (before, at_start)
            )
            tried += more
        values = space.values(objective.best)
        after, reached = objective.best_row, objective.best_merit
        outside = [b for b in bounds if not b.contains_present_value]
        keeps = not (links or outside) and math.isfinite(at_start)  # links change the scene
        if keeps and at_start - reached <= LEAST_IMPROVEMENT * abs(at_start):
            values, after, reached = tuple(b.now for b in bounds), before, at_start
        measured = (
            tuple(
                zip(
                    evaluator.evaluate_point(others.without_parameters, ()),
                    evaluator.evaluate_point(others, values),
                    strict=True,
                )
            )
            if measures
            else ()
        )
    if len(spaces) > 1:
        tried_all = f"{len(spaces)}" if complete else f"{len(found)} of {len(spaces)}"
        each = f", each by {method}" if method else ""
        method = f"{tried_all} combinations of choices{each}"
    met = tuple(meets_goal(g, m) for g, m in zip(goals, after, strict=True))
    left_out = omitted_light_text(
        document.scene, (m.not_followed for m in (*before, *after, *finer))
    )
    paths = strongest_path_words(_row_paths(before)), strongest_path_words(_row_paths(after))
    alternatives = _excluded_alternatives(found, reached)
    notes, stuck = list[str](), _is_search_stuck(objective) and before == after
    if stuck:
        notes.append(
            f"The goals are the same at all of {objective.evaluations} points that were tried, so"
            " nothing was found. Vary something else, give wider bounds, or meet first a goal that"
            " depends on what is varied, such as direction(Mirror) = 90."
        )
    notes += [
        f"{g} was not found: the best of {tried} points that were tried"
        f"{f' ({method})' * bool(method)} gives {m.number}."
        for g, m, is_one_met in zip(goals, after, met, strict=True)
        if not is_one_met
    ]
    if complete and not all(met) and not stuck:
        if all(b.chosen for b in bounds):
            notes.append("Give other choices, or vary more.")
        else:
            search = "" if whole_range else "Search the whole ranges, "
            notes.append(f"{search}{'give' if search else 'Give'} wider bounds, or vary more.")
    notes += [_alternative_note(a, experiment, paths[0]) for a in alternatives]
    if complete and outside and reached > at_start:
        where = " and ".join(
            f"{b.parameter.text} is {b.parameter.value_text(b.now)}" for b in outside
        )
        notes.append(
            f"The present scene, where {where}, meets the goals better, but is out of bounds. Give"
            " bounds that include it."
        )
    notes += [
        f"{b.parameter.text} is at its bound {v:.6g}: wider bounds may give more."
        for b, v in zip(bounds, values, strict=True)
        if not b.chosen and min(v - b.low, b.high - v) < 1e-6 * (b.high - b.low)
    ]
    notes += _plane_surface_notes(bounds, values, experiment.base_document)
    notes += _other_path_notes(before, after)
    notes += _other_choice_notes(found[1:], experiment)
    notes += [*rough_notes, *([f"{left_out}."] if left_out else [])]
    return Optimum(
        experiment,
        tuple(bounds),
        tuple(goals),
        values,
        experiment.changes(values),
        before,
        after,
        measured,
        paths,
        alternatives,
        (at_start, reached),
        met,
        tried,
        method,
        tuple(dict.fromkeys(notes)),
        complete,
    )


@dataclass(frozen=True)
class _SearchSpace:
    """The search ranges for one combination of the choices. ``chosen`` holds the chosen value of
    each parameter, or None for a parameter that is searched.
    """

    bounds: tuple[Bounds, ...]
    chosen: tuple[float | None, ...]

    @property
    def searched_bounds(self) -> tuple[Bounds, ...]:
        return tuple(b for b, c in zip(self.bounds, self.chosen, strict=True) if c is None)

    @property
    def start(self) -> Floats:
        """The present values of the searched parameters, as fractions of their ranges."""
        return np.array(
            shares_of_values(self.searched_bounds, [b.now for b in self.searched_bounds])
        )

    def values(self, shares: Floats) -> Values:
        """The values of all parameters at a point, which is given by fractions of the ranges."""
        free = iter(values_from_shares(self.searched_bounds, shares.tolist()))
        return tuple(next(free) if c is None else c for c in self.chosen)


@dataclass(frozen=True)
class _SearchResult:
    """The best point for one combination of choices, and how it was found."""

    space: _SearchSpace
    objective: Objective
    method: str


def _spaces_of_choices(bounds: Sequence[Bounds]) -> list[_SearchSpace]:
    """A search space for each combination of the choices; a single one if there are no choices.
    Raises NoOptimum if there are too many.
    """
    count = math.prod(len(b.chosen) or 1 for b in bounds)
    if count > MOST_COMBINATIONS:
        raise NoOptimum(
            f"{count} combinations of choices are too many; at most {MOST_COMBINATIONS} are tried."
            " Give fewer choices."
        )
    return [
        _SearchSpace(tuple(bounds), chosen)
        for chosen in itertools.product(*(b.chosen or (None,) for b in bounds))
    ]


def _report_with_total(report: Report, tried: int, least: float) -> Report:
    """A progress report that also counts the evaluations of earlier searches, ``tried``, and gives
    their best merit, ``least``, while no better one is found.
    """
    return lambda count, best: report(tried + count, min(best, least))


def _required_paths(
    experiment: Experiment, goals: Sequence[Goal], before: Row
) -> tuple[tuple[int, Kinds], ...]:
    """The kinds of path that the search must keep, each with the index of the goal that measures
    the light. Paths of unwanted power are left out, since this light may disappear.
    """
    return tuple(
        (i, before[i].paths)
        for i, (goal, measure) in enumerate(zip(goals, experiment.measures, strict=True))
        if not (measure.is_power and goal.wanted in ("least", "<"))
    )


def _make_objective(
    experiment: Experiment,
    space: _SearchSpace,
    goals: Sequence[Goal],
    evaluator: Evaluator,
    kept: Sequence[tuple[int, Kinds]],
    report: Report | None,
) -> Objective:
    def evaluated_rows(points: Iterable[Floats]) -> Iterator[Row]:
        return evaluator.rows(experiment, [space.values(p) for p in points])

    def exclusion_reason(row: Row) -> str:
        return strongest_path_words(
            tuple(
                kinds
                for i, paths in kept
                if not is_same_path(paths, row[i].paths)
                for kinds in row[i].paths
            )
        )

    return Objective(goals, evaluated_rows, report, exclusion_reason)


def _search_space(objective: Objective, space: _SearchSpace, seed: int | None) -> str:
    """Search from the document's values or, if the goals are undefined there, from the best of
    several points that are spread over the ranges. With a ``seed``, search the whole ranges. If the
    result is poor, the spread points are searched too. Returns the names of the methods; empty if
    no point was found. Raises SearchInterrupted.
    """
    start, count = space.start, len(space.searched_bounds)
    at_start = objective(start)
    if not count:
        return ""
    spread, before = spread_points(count, SPREAD), ""
    if seed is not None:
        return search_globally(objective, count, seed)
    if not math.isfinite(at_start):
        objective.evaluate_points(spread)
        if objective.best is None:
            return ""
        before = f"{len(spread)} points of the ranges, then "
    method = search_locally(objective, best_point_so_far(objective, start))
    if not before and _is_search_result_poor(objective):
        objective.evaluate_points(spread)
        method = search_locally(objective, best_point_so_far(objective, start))
        before = f"{len(spread)} points of the ranges, then "
    return before + method


def _is_search_result_poor(objective: Objective) -> bool:
    """Whether the result of a search is poor: a goal is not met, or the goals are extremes but the
    merit is the same almost everywhere.
    """
    goals = objective.goals
    if not all(meets_goal(g, m) for g, m in zip(goals, objective.best_row, strict=True)):
        return True
    return objective.is_mostly_flat and any(g.wanted in ("least", "most") for g in goals)


def _no_optimum_reason(objectives: Sequence[Objective], tried: int) -> str:
    paths = dict.fromkeys(path for objective in objectives for path in objective.excluded)
    if paths:
        return (
            f"Light takes the path of the present scene at none of {tried} points within the"
            f" bounds, but {' or '.join([*paths][:MOST_ALTERNATIVES])}. Allow any path, or give"
            " other bounds."
        )
    reasons = [each.last_reason for each in objectives if each.last_reason]
    return (
        f"The goals are undefined at all of {tried} points within the bounds:"
        f" {(reasons or ['a measure is undefined.'])[0]} Use more rays, give bounds within which they"
        " are defined, or meet first a goal that is defined already, such as direction(Mirror) = 90."
    )


def _verify_with_more_rays(
    found: _SearchResult,
    experiment: Experiment,
    evaluator: Evaluator,
    kept: Sequence[tuple[int, Kinds]],
    report: Report | None,
    start: tuple[Row, float],
) -> tuple[int, Row, list[str]]:
    """Evaluate the best point again with more rays. If all goals are extremes and one depends on
    the number of rays, continue the search with more rays. The new point replaces the old one
    unless it is worse than ``start``, evaluated with the rays of the scene.

    Returns the number of evaluations, the measures with more rays, and notes.
    """
    objective, (before, at_start) = found.objective, start
    assert objective.best is not None
    raised, times = with_more_rays(experiment.base_document)
    if times == 1.0:
        return 0, objective.best_row, []
    fine = _make_objective(
        dataclasses.replace(experiment, document=raised, first=()),
        found.space,
        objective.goals,
        evaluator,
        kept,
        report,
    )
    goals, last = objective.goals, ""
    try:
        finer = fine.measures_at_point(objective.best)
        if any(m.not_followed is not None and m.not_followed.limit for m in finer):
            return fine.evaluations, objective.best_row, []
        rough = [
            i
            for i, (goal, *both) in enumerate(
                zip(goals, objective.best_row, finer, before, strict=True)
            )
            if depends_on_ray_count(goal, *both)
        ]
        if (
            rough
            and len(found.space.searched_bounds)
            and all(g.wanted in ("least", "most") for g in goals)
        ):
            search_locally(fine, objective.best)
            if fine.best is not None:
                row = objective.measures_at_point(fine.best)
                if all(m.defined for m in row) and objective.merit_of(row) <= at_start:
                    objective.best, objective.best_row = fine.best, row
                    objective.best_merit, finer = objective.merit_of(row), fine.best_row
                    last = ", for which the last steps were made"
    except SearchInterrupted:
        return fine.evaluations, objective.best_row, []
    return (
        fine.evaluations,
        finer if rough else objective.best_row,
        [
            f"{m.expression} depends on the number of rays: it is {m.digits} with those of the"
            f" search, and {finer[i].digits} with {times:.2g} times as many{last}. Use more"
            " rays."
            for i in rough
            for m in [objective.best_row[i]]
            if m.digits != finer[i].digits
        ],
    )


def with_more_rays(document: Document) -> tuple[Document, float]:
    """The document with about `CHECK_RAY_FACTOR` times as many rays, and the actual factor. If the
    number of rays cannot be increased, the same document and 1. For a beam that emits cones, a
    density affects the number of points as well as the number of rays from each point.
    """
    try:
        now = count_rays(document.scene, document.disabled)
        factor = CHECK_RAY_FACTOR
        for _ in range(2):
            raised = document.with_scene(document.scene.with_scaled_ray_density(factor))
            more = count_rays(raised.scene, raised.disabled)
            if more <= now:
                return document, 1.0
            if abs(more / now - CHECK_RAY_FACTOR) < 0.5:
                break
            factor **= math.log(CHECK_RAY_FACTOR) / math.log(more / now)
        raised = document.with_scene(document.scene.with_scaled_ray_density(factor))
        return raised, count_rays(raised.scene, raised.disabled) / now
    except (TooManyRays, ZeroDivisionError):
        return document, 1.0


def depends_on_ray_count(goal: Goal, own: Measured, finer: Measured, before: Measured) -> bool:
    """Whether more rays change a measure by more than the tolerance of its goal."""
    if own.defined != finer.defined:
        return True
    scale = abs(before.value) if before.defined else 0.0
    return abs(own.difference_from(finer)) > max(
        ROUGH_CHANGE * max(abs(own.value), abs(finer.value)),
        REACHED_DIFFERENCE * max(abs(goal.value), 1e-3),
        LEAST_ROUGH * scale,
    )


def meets_goal(goal: Goal, measure: Measured) -> bool:
    """Whether a measure meets a goal. A constraint must be met exactly, a target within
    `REACHED_DIFFERENCE`; an extreme is always met.
    """
    if goal.is_constraint:
        return goal.violation(measure.value) == 0
    return goal.wanted != "=" or abs(goal.signed_excess(measure.value)) <= REACHED_DIFFERENCE * max(
        abs(goal.value), abs(measure.value), 1e-3
    )


def _is_search_stuck(objective: Objective) -> bool:
    """Whether the merit was the same at all points, although better points may exist."""
    met = all(
        g.wanted in "=<>" and meets_goal(g, m)
        for g, m in zip(objective.goals, objective.best_row, strict=True)
    )
    return objective.is_flat and not met and objective.evaluations > 1


def _row_paths(row: Row) -> Kinds:
    return tuple(kinds for m in row for kinds in m.paths)


def _excluded_alternatives(
    found: Sequence[_SearchResult], reached: float
) -> tuple[PathAlternative, ...]:
    """The best points with excluded paths whose merit is better than ``reached``, the best
    first.
    """
    better = [
        (point.merit, PathAlternative(path, each.space.values(point.point), point.row))
        for each in found
        for path, point in each.objective.excluded.items()
        if reached - point.merit > ROUGH_CHANGE * min(abs(reached), abs(point.merit))
    ]
    by_path = {a.path: a for _, a in sorted(better, key=lambda item: -item[0])}
    return tuple([*by_path.values()][::-1][:MOST_ALTERNATIVES])


def _values_in_words(experiment: Experiment, values: Values) -> str:
    return ", ".join(
        f"{p.text} = {p.value_text(v)}{unit_suffix(p.unit_text(experiment.base_document))}"
        for p, v in zip(experiment.parameters, values, strict=True)
    )


def _measures_in_words(row: Row) -> str:
    return " and ".join(dict.fromkeys(f"{m.expression} = {m.number}" for m in row))


def _alternative_note(other: PathAlternative, experiment: Experiment, path: str) -> str:
    return (
        f"Another path of the light, {other.path}, gives {_measures_in_words(other.measures)} at"
        f" {_values_in_words(experiment, other.values)}. The search kept the present one, {path};"
        " allow any path to search the others."
    )


def _plane_surface_notes(bounds: Sequence[Bounds], values: Values, document: Document) -> list[str]:
    """Notes on lenses whose optimal radius is so large that the surface is almost plane."""
    notes = []
    for b, value in zip(bounds, values, strict=True):
        lens = (
            document.scene.get(b.parameter.target) if isinstance(b.parameter.target, int) else None
        )
        if (
            isinstance(lens, SphericalLens)
            and b.parameter.place in ("params.r1", "params.r2")
            and lens.p1 is not None
            and lens.p2 is not None
            and abs(value) > PLANE_RADIUS * (height := math.dist(lens.p1, lens.p2))
        ):
            notes.append(
                f"{b.parameter.text} {value:.6g} is almost plane over the height {height:.6g} of the"
                " lens: a plane surface, or a narrower range, will do."
            )
    return notes


def _other_path_notes(before: Row, after: Row) -> list[str]:
    """Notes on measures whose light takes another path than in the present scene."""
    return [
        f"{new.expression} is of light on another path than in the present scene:"
        f" {strongest_path_words(new.paths)}, not {strongest_path_words(old.paths)}."
        for old, new in zip(before, after, strict=True)
        if not is_same_path(old.paths, new.paths)
    ]


def _other_choice_notes(found: Sequence[_SearchResult], experiment: Experiment) -> list[str]:
    """Notes on the best points with other choices."""
    texts = [
        f"With {_choices_in_words(each.space, experiment)} the best is"
        f" {_measures_in_words(each.objective.best_row)}."
        for each in found
        if each.objective.best is not None
    ]
    more = len(texts) - MOST_OTHERS
    return texts[:MOST_OTHERS] + (
        [f"{more} more combinations of choices are less good."] if more > 0 else []
    )


def _choices_in_words(space: _SearchSpace, experiment: Experiment) -> str:
    return ", ".join(
        f"{b.parameter.text} = {b.parameter.value_text(c)}"
        f"{unit_suffix(b.parameter.unit_text(experiment.base_document))}"
        for b, c in zip(space.bounds, space.chosen, strict=True)
        if c is not None
    )
