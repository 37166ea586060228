"""Search for the lowest merit with the methods of scipy. All ranges are scaled to 0..1. If the
search is stopped, the best point so far is kept.

Local: least squares (trust region) if all goals are target values, COBYQA (a derivative-free trust
region) if there are constraints, else the simplex of Nelder and Mead, which tolerates merits that
are not smooth because of few rays. Global: points spread over the ranges, differential evolution
(Storn and Price) from the best of them, then a local search. A smooth minimum is refined by
Newton's method on five-point differences, since the position of a minimum can be found from values
only to the square root of their precision.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.measures.measure import Measured
from raybench.study.terms.goal import INFEASIBLE, Goal, merit

Floats = NDArray[np.float64]
Row = tuple[Measured, ...]
DIFFERENCE_STEP = 1e-5
"""Step of difference quotients for least squares, as a part of the range."""
STENCIL_STEP = 1e-3
"""Step of the five-point differences that refine a minimum, as a part of the range."""
SIMPLEX_SIZES = (0.1, 0.01, 0.001)
"""Sizes of the first simplex, of that of the restart and so on, as a part of the range."""
EVALUATIONS_PER_PARAMETER = 300
"""Evaluations of a local search for each parameter."""
POPULATION, GENERATIONS = 12, 60
"""Differential evolution: individuals for each parameter, and generations."""
SPREAD, SPREAD_GLOBALLY = 64, 256
"""Points for each parameter that are spread over the ranges, where a local search finds too little,
and at the begin of a global one.
"""
UNDEFINED_MERIT = 1e140
"""Merit of an undefined point for methods that need a finite one, whose square is finite too."""
MOST_REFINED = 6
"""Parameters up to which a minimum is refined by Newton's method."""


class SearchInterrupted(Exception):
    """The search was stopped by the caller."""


@dataclass(frozen=True)
class ExcludedPoint:
    """The best of the points that a search excludes for the same reason."""

    point: Floats
    row: Row
    merit: float


@dataclass
class Objective:
    """The function that a search minimises: the merit at a point, which is given by fractions of
    the ranges. It remembers the best point.

    ``rows`` evaluates the measures at several points at once, in order; if it returns fewer rows
    than points, the search was stopped. ``report`` is called with the number of evaluations and the
    best merit after each batch. ``exclude`` returns the reason to exclude a row, or an empty text;
    the merit of an excluded row is infinite, and ``excluded`` keeps the best row for each reason.
    """

    goals: Sequence[Goal]
    rows: Callable[[Iterable[Floats]], Iterator[Row]]
    report: Callable[[int, float], None] | None = None
    exclude: Callable[[Row], str] = lambda row: ""
    excluded: dict[str, ExcludedPoint] = field(default_factory=dict)
    best: Floats | None = None
    best_row: Row = ()
    best_merit: float = math.inf
    worst_merit: float = -math.inf
    evaluations: int = 0
    last_reason: str = ""
    _known: dict[bytes, Row] = field(default_factory=dict)
    _counts: Counter[float] = field(default_factory=Counter)

    def evaluate_points(self, points: Sequence[Floats]) -> list[Row]:
        """Evaluate the measures at points. Raises SearchInterrupted."""
        several = [np.clip(p, 0.0, 1.0) for p in points]
        found: list[Row] = []
        for point, row in zip(several, self.rows(several), strict=False):
            found.append(row)
            self.evaluations += 1
            self._keep_if_best(point, row)
        if self.report is not None:
            self.report(self.evaluations, self.best_merit)
        if len(found) < len(several):
            raise SearchInterrupted
        return found

    @property
    def is_flat(self) -> bool:
        """Whether the merit was the same at all points that were evaluated."""
        return self.best_merit == self.worst_merit

    @property
    def is_mostly_flat(self) -> bool:
        """Whether the merit was the same at most of the points that were evaluated."""
        return 2 * max(self._counts.values(), default=0) > self._counts.total()

    def measures_at_point(self, point: Floats) -> Row:
        """The measures at one point, which are computed only once. Raises SearchInterrupted."""
        key = np.clip(point, 0.0, 1.0).tobytes()
        if key not in self._known:
            self._known[key] = self.evaluate_points([point])[0]
        return self._known[key]

    def merits_at_points(self, points: Sequence[Floats]) -> list[float]:
        """The merits at points. Raises SearchInterrupted."""
        return [self.merit_of(row) for row in self.evaluate_points(points)]

    def __call__(self, point: Floats) -> float:
        return self.merit_of(self.measures_at_point(point))

    def merit_of(self, row: Row) -> float:
        """The merit of the measures in a row; infinite if the row is excluded."""
        return math.inf if self.exclude(row) else merit(self.goals, row)

    def goal_differences(self, row: Row) -> list[float]:
        """How much each measure exceeds the value of its goal; NaN if the row is excluded."""
        if self.exclude(row):
            return [math.nan] * len(row)
        return [g.signed_excess(m.value) for g, m in zip(self.goals, row, strict=True)]

    def _keep_if_best(self, point: Floats, row: Row) -> None:
        value = self.merit_of(row)
        self._counts[value] += 1
        if reason := self.exclude(row):
            there, known = merit(self.goals, row), self.excluded.get(reason)
            if known is None or there < known.merit:
                self.excluded[reason] = ExcludedPoint(point, row, there)
        self.worst_merit = max(self.worst_merit, value)
        if value < self.best_merit:
            self.best, self.best_row, self.best_merit = point, row, value
        elif math.isinf(value):
            self.last_reason = next((m.reason for m in row if not m.defined), "")


def search_locally(objective: Objective, start: Floats) -> str:
    """Search near the point ``start``, and return the name of the method. Raises SearchInterrupted."""
    goals = objective.goals
    if not any(g.is_constraint for g in goals):
        if all(g.wanted == "=" for g in goals):
            _minimise_least_squares(objective, start)
            return "least squares"
        _minimise_simplex(objective, start)
        _refine_best_point(objective)
        return "simplex"
    _minimise_constrained(objective, start)
    _minimise_simplex(objective, best_point_so_far(objective, start), SIMPLEX_SIZES[1:])
    return "trust region with constraints"


def spread_points(parameter_count: int, points_per_parameter: int) -> list[Floats]:
    """Points that are spread over the ranges of ``parameter_count`` parameters, with
    ``points_per_parameter`` points for each parameter. For a single parameter they are evenly
    spaced, including both ends.
    """
    from scipy.stats import qmc

    if parameter_count == 1:
        return list(np.linspace(0.0, 1.0, points_per_parameter)[:, None])
    return list(
        qmc.Halton(parameter_count, scramble=False).random(
            points_per_parameter * parameter_count + 1
        )[1:]
    )


def search_globally(objective: Objective, count: int, seed: int) -> str:
    """Search the whole ranges of ``count`` parameters, then near the best point. Returns the names
    of the methods. Raises SearchInterrupted.
    """
    from scipy.optimize import differential_evolution

    points, size = spread_points(count, SPREAD_GLOBALLY), POPULATION * count
    ranked = np.argsort(objective.merits_at_points(points), kind="stable")
    others = ranked[size // 2 :: 1 + len(points) // size]  # so that not all are in one valley

    def evaluate_population(_function: Any, points: Iterable[Floats]) -> list[float]:
        return [
            min(m, UNDEFINED_MERIT)
            for m in objective.merits_at_points([np.array(p) for p in points])
        ]

    differential_evolution(
        lambda _point: 0.0,
        [(0.0, 1.0)] * count,
        rng=np.random.default_rng(seed),
        init=np.array([points[i] for i in (*ranked[: size // 2], *others)][:size]),
        maxiter=GENERATIONS,
        updating="deferred",
        workers=evaluate_population,
        polish=False,
        tol=1e-6,
    )
    return (
        f"{len(points)} points of the ranges, differential evolution, then"
        f" {search_locally(objective, best_point_so_far(objective, np.full(count, 0.5)))}"
    )


def best_point_so_far(objective: Objective, start: Floats) -> Floats:
    """The best point of the objective so far, or ``start`` if there is none."""
    return start if objective.best is None else objective.best


def _minimise_least_squares(objective: Objective, start: Floats) -> None:
    from scipy.optimize import least_squares

    weights = np.sqrt([g.weight for g in objective.goals])

    def residuals(row: Row) -> Floats:
        differences: Floats = weights * np.array(objective.goal_differences(row))
        return differences

    def jacobian(point: Floats) -> Floats:
        low, high = (
            np.maximum(point - DIFFERENCE_STEP, 0.0),
            np.minimum(point + DIFFERENCE_STEP, 1.0),
        )
        own = np.eye(len(point), dtype=bool)
        points = [np.where(one, end, point) for one in own for end in (low, high)]
        found = np.array([residuals(row) for row in objective.evaluate_points(points)])
        matrix: Floats = np.nan_to_num(((found[1::2] - found[::2]).T) / (high - low))
        return matrix

    inner = np.clip(start, 1e-9, 1 - 1e-9)
    if not np.isfinite(residuals(objective.measures_at_point(inner))).all():
        return
    least_squares(
        lambda p: residuals(objective.measures_at_point(p)),
        inner,
        jac=jacobian,
        bounds=(0.0, 1.0),
        xtol=1e-14,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=EVALUATIONS_PER_PARAMETER,
    )


def _minimise_constrained(objective: Objective, start: Floats) -> None:
    from scipy.optimize import Bounds, NonlinearConstraint, minimize

    free = [i for i, g in enumerate(objective.goals) if not g.is_constraint]
    held = [i for i, g in enumerate(objective.goals) if g.is_constraint]

    def merit_at(point: Floats) -> float:
        row = objective.measures_at_point(point)
        total = sum(objective.goals[i].merit_term(row[i].value) for i in free)
        return total if math.isfinite(total) and not objective.exclude(row) else 1e30

    def constraint_excess(point: Floats) -> Floats:
        off = objective.goal_differences(objective.measures_at_point(point))
        sides = {"<": -1.0, ">": 1.0}
        return np.array([sides[objective.goals[i].wanted] * off[i] for i in held])

    limits = NonlinearConstraint(
        lambda p: np.nan_to_num(constraint_excess(p), nan=-1e30), 0.0, np.inf
    )
    options = {
        "maxfev": EVALUATIONS_PER_PARAMETER * len(start),
        "initial_tr_radius": 0.1,
        "final_tr_radius": 1e-8,
    }
    minimize(
        merit_at if free else lambda _p: 0.0,
        start,
        method="COBYQA",
        bounds=Bounds(0.0, 1.0),
        constraints=limits,
        options=options,
    )


def _minimise_simplex(
    objective: Objective, start: Floats, sizes: Sequence[float] = SIMPLEX_SIZES
) -> None:
    from scipy.optimize import minimize

    for size in sizes:
        first = best_point_so_far(objective, start)
        away = first + np.diag(np.where(first + size <= 1, size, -size))
        before = objective.best_merit
        options = {
            "initial_simplex": np.vstack([first, away]),
            "xatol": 1e-11,
            "fatol": 1e-15,
            "maxfev": EVALUATIONS_PER_PARAMETER * len(first),
            "adaptive": len(first) > 3,
        }
        minimize(
            lambda p: min(objective(p), UNDEFINED_MERIT),
            first,
            method="Nelder-Mead",
            bounds=[(0.0, 1.0)] * len(first),
            options=options,
        )
        if not before - objective.best_merit > 1e-9 * abs(before) and math.isfinite(before):
            break


def _refine_best_point(objective: Objective) -> None:
    """Refine the best point by a step of Newton's method with differences of fourth order. The new
    point is kept only if its merit is not higher.
    """
    if (
        objective.best is None
        or len(objective.best) > MOST_REFINED
        or objective.best_merit >= INFEASIBLE
    ):
        return
    count = len(objective.best)
    for step in (STENCIL_STEP, STENCIL_STEP):
        centre, least = objective.best, objective.best_merit
        if ((centre < 2 * step) | (centre > 1 - 2 * step)).any():
            return
        pairs, axes = list(combinations(range(count), 2)), step * np.eye(count)
        lines = [centre + k * axis for axis in axes for k in (-2, -1, 1, 2)]
        corners = [
            centre + a * axes[j] + b * axes[i] for i, j in pairs for a in (-1, 1) for b in (-1, 1)
        ]
        found = objective.merits_at_points([*lines, *corners])
        if not np.isfinite(found).all():
            return
        f = np.array(found[: len(lines)]).reshape(count, 4)
        slope = (f[:, 0] - 8 * f[:, 1] + 8 * f[:, 2] - f[:, 3]) / (12 * step)
        hessian = np.diag(
            (-f[:, 0] + 16 * f[:, 1] - 30 * least + 16 * f[:, 2] - f[:, 3]) / (12 * step**2)
        )
        for (i, j), (mm, mp, pm, pp) in zip(
            pairs, np.array(found[len(lines) :]).reshape(-1, 4), strict=True
        ):
            hessian[i, j] = hessian[j, i] = (pp - pm - mp + mm) / (4 * step**2)
        if not (np.linalg.eigvalsh(hessian) > 0).all():
            return
        target = centre - np.linalg.solve(hessian, slope)
        if np.abs(target - centre).max() > step or not (np.abs(target - 0.5) <= 0.5).all():
            return
        row = objective.measures_at_point(target)
        if (value := objective.merit_of(row)) <= least + 1e-13 * abs(least):
            objective.best, objective.best_row, objective.best_merit = target, row, value
