"""The merit of a lens design, and its optimisation by damped least squares.

The residuals of all operands in all configurations are minimised together. The links of the design
are applied at each evaluation.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.fields import LENGTH
from raybench.lens.design import LensDesign, parameter_number, split_configuration, with_parameters
from raybench.lens.operands import InvalidMerit, TracedLens, trace_lenses
from raybench.lens.parameters import Value, parameter_place, parameter_unit, with_values
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import InvalidPrescription, Prescription

DAMPING, MOST_DAMPING = 1e-3, 1e7
"""First and largest damping of a search, relative to the curvature of the merit."""
DIFFERENCE = 1e-7
"""The change of a variable for derivatives, relative to a large one."""
LEAST_GAIN = 1e-7
"""The relative gain of a step below which a search ends."""
SCOUTS, DISTURBANCES = 24, (-2.5, -0.3)
"""Lenses that are drawn in each round of a wide search, and the powers of ten between which the
sizes of their disturbances lie, relative to the width of the bounds.
"""
SCOUT, STEPS, PROMISING = 12, 100, 1.5
"""Steps in each round of a wide search; and, where the merit is then below so many times the best,
the steps that follow.
"""


def merit_value(design: LensDesign, lenses: Sequence[TracedLens] | None = None) -> float:
    """The merit of a design: the root of the weighted mean square of all residuals in all
    configurations; 0 is perfect. ``lenses`` are its traced configurations; None traces them. Raises
    InvalidMerit without operands, and the errors of tracing.
    """
    total = _total_weight(design)
    traced = trace_lenses(design.systems) if lenses is None else lenses
    return _root_mean(_residuals(design, traced), total)


def _residuals(design: LensDesign, lenses: Sequence[TracedLens]) -> Floats:
    """The weighted residuals of all operands for the traced lenses of the configurations."""
    weights = [each.weight for each in design.configurations] or [1.0]
    return np.concatenate(
        [
            operand.residuals(lens) * math.sqrt(weight)
            for operand in design.operands
            for k, (lens, weight) in enumerate(zip(lenses, weights, strict=True), 1)
            if operand.configuration in (None, k)
        ]
    )


def _total_weight(design: LensDesign) -> float:
    """The sum of the weights of all operands in all configurations. Raises InvalidMerit if it is 0,
    or if an operand refers to a configuration that does not exist.
    """
    weights = [each.weight for each in design.configurations] or [1.0]
    for operand in design.operands:
        if operand.configuration is not None and operand.configuration > len(weights):
            raise InvalidMerit(
                f"{operand.text.capitalize()}: the lens has no configuration"
                f" {operand.configuration}. Add it, or choose another."
            )
    total = sum(
        operand.weight * weight
        for operand in design.operands
        for k, weight in enumerate(weights, 1)
        if operand.configuration in (None, k)
    )
    if not total > 0:
        raise InvalidMerit("A merit needs an operand with a weight above 0.")
    return total


def _root_mean(residuals: Floats, total_weight: float) -> float:
    return math.sqrt(float(residuals @ residuals) / total_weight)


@dataclass(frozen=True)
class OperandState:
    """The values of an operand in all its configurations, its fraction of the squared merit (0 to
    1), and the reason if it has no values (empty otherwise).
    """

    values: Floats
    share: float
    reason: str = ""


def operand_states(design: LensDesign) -> tuple[OperandState, ...]:
    """The values of the operands and their fractions of the squared merit; all fractions are 0 in a
    perfect lens. Raises the errors of tracing.
    """
    lenses = trace_lenses(design.systems)
    weights = [each.weight for each in design.configurations] or [1.0]
    found, squares = list[tuple[Floats, str]](), list[float]()
    for operand in design.operands:
        chosen = [
            (lens, weight)
            for k, (lens, weight) in enumerate(zip(lenses, weights, strict=True), 1)
            if operand.configuration in (None, k)
        ]
        try:
            values = [operand.values(lens) for lens, _ in chosen]
            square = sum(w * float((operand.residuals(lens) ** 2).sum()) for lens, w in chosen)
            reason = "" if chosen else f"The lens has no configuration {operand.configuration}."
            found.append((np.concatenate([np.zeros(0), *values]), reason))
        except InvalidMerit as error:
            square = 0.0
            found.append((np.zeros(0), str(error)))
        squares.append(square)
    total = sum(squares) or 1.0
    return tuple(
        OperandState(values, square / total, reason)
        for (values, reason), square in zip(found, squares, strict=True)
    )


@dataclass(frozen=True)
class ImprovedLens:
    """The result of an optimisation: the best lens, the number of evaluated lenses, and the merits
    of the initial lens and of each better lens.
    """

    design: LensDesign
    evaluations: int
    history: tuple[float, ...]

    @property
    def first_merit(self) -> float:
        """The merit of the initial lens."""
        return self.history[0]

    @property
    def merit(self) -> float:
        """The merit of the best lens."""
        return self.history[-1]


Stop = Callable[[], bool]
"""Whether a search should end; it is asked often."""
Progress = Callable[[ImprovedLens], None]
"""Gets the outcome so far, after each step that improves the lens."""


def improve(
    design: LensDesign,
    *,
    steps: int = 200,
    stop: Stop = lambda: False,
    progress: Progress = lambda found: None,
) -> ImprovedLens:
    """Improve a lens by damped least squares (Levenberg and Marquardt; Kidger, Fundamental Optical
    Design, chapter 8), within the bounds of its variables. The search ends when no step helps,
    after ``steps`` steps, or when ``stop`` returns True. ``progress`` is called with the best lens
    so far.

    Each variable is scaled by its effect on the merit. A lens that cannot be traced counts as no
    improvement. Glasses are not changed. Raises InvalidMerit without variables or operands.
    """
    search = LensSearch(design)
    best = search.start_point()
    for better in search.descend(best, steps, stop):
        best = better
        search.history.append(best.merit)
        progress(search.search_result(best))
    return search.search_result(best)


def search_widely(
    design: LensDesign,
    *,
    rounds: int = 100,
    seed: int = 0,
    stop: Stop = lambda: False,
    progress: Progress = lambda found: None,
) -> ImprovedLens:
    """Search for a better lens within the whole bounds of the variables (basin hopping: Wales and
    Doye, J. Phys. Chem. A 101, 5111 (1997)). In each round, many lenses are made by random changes
    of the best lens so far, small and large; the best of them is improved by damped least squares,
    and kept if it is better than all lenses before. The same ``seed`` gives the same lenses. Ends
    after ``rounds``, or when ``stop`` returns True.

    A variable without bounds is changed in proportion to the size of the lens. Raises the errors of
    `improve`.
    """
    search, random = LensSearch(design), np.random.default_rng(seed)
    best = search.start_point()
    for round_ in range(rounds + 1):
        point = best if not round_ else search.best_random_change(best, random)
        if point is None:
            continue
        for steps in (SCOUT, STEPS):
            for better in search.descend(point, steps, stop):
                point = better
                if point.merit < best.merit:
                    best = point
                    search.history.append(best.merit)
                    progress(search.search_result(best))
            # what is far from the best after a few steps is left there
            if point.merit > PROMISING * best.merit:
                break
        if stop():
            break
    return search.search_result(best)


@dataclass(frozen=True)
class SearchPoint:
    """Values of the variables of a search, with the residuals and the merit of this lens."""

    values: Floats
    residuals: Floats
    merit: float


class LensSearch:
    """A search over the variables of a design. It counts the evaluated lenses. Raises InvalidMerit
    without variables or operands.
    """

    def __init__(self, design: LensDesign) -> None:
        variables = [v for v in design.variables if not v.parameter.startswith("glass")]
        if not variables:
            raise InvalidMerit("A search needs at least one variable that is a number, such as c1.")
        self.design = design
        self.names = [v.parameter for v in variables]
        self.low, self.high = np.array([(v.low, v.high) for v in variables]).T
        self.total_weight = _total_weight(design)
        self.evaluations = 0
        self.history: list[float] = []
        size = max(abs(design.system.length), 2 * first_order(design.system).stop_semi_diameter)
        self._scales = np.array([_large_change(design, name, size) for name in self.names])

    def start_point(self) -> SearchPoint:
        """The point of the initial lens, with its variables moved into their bounds. Raises
        InvalidMerit if it cannot be traced.
        """
        values = [parameter_number(self.design, name) for name in self.names]
        (point,) = self.points_at([np.clip(values, self.low, self.high)])
        if point is None:
            raise InvalidMerit("The first lens cannot be traced. Change its surfaces first.")
        self.history.append(point.merit)
        return point

    def design_at(self, point: SearchPoint) -> LensDesign:
        """The design with the values of a point."""
        values = dict(zip(self.names, point.values.tolist(), strict=True))
        return with_parameters(self.design, values)

    def search_result(self, best: SearchPoint) -> ImprovedLens:
        """The result of the search, with its best point."""
        return ImprovedLens(self.design_at(best), self.evaluations, tuple(self.history))

    def points_at(self, values: Sequence[Floats]) -> list[SearchPoint | None]:
        """The points for values of the variables; None where the lens cannot be traced."""
        found: list[SearchPoint | None]
        try:
            with np.errstate(all="ignore"):
                states = [systems_with_values(self.design, self.names, each) for each in values]
                lenses = trace_lenses([system for state in states for system in state])
                count = len(states[0])
                residuals = [
                    _residuals(self.design, lenses[i : i + count])
                    for i in range(0, len(lenses), count)
                ]
                found = [
                    SearchPoint(v, r, _root_mean(r, self.total_weight))
                    for v, r in zip(values, residuals, strict=True)
                ]
        except (InvalidPrescription, ArithmeticError):
            if len(values) > 1:
                return [point for each in values for point in self.points_at([each])]
            found = [None]
        self.evaluations += len(values)
        return found

    def descend(self, point: SearchPoint, steps: int, stop: Stop) -> Iterator[SearchPoint]:
        """Yield the points of a descent by damped least squares from a point, each better than the
        one before.
        """
        damping = DAMPING
        for _ in range(steps):
            if stop():
                return
            x, r = point.values, point.residuals
            moves = np.where(x + DIFFERENCE * self._scales <= self.high, 1, -1) * (
                DIFFERENCE * self._scales
            )
            jacobian = np.zeros((len(r), len(x)))
            for j, there in enumerate(self.points_at([*(x + np.diag(moves))])):
                if there is not None:
                    jacobian[:, j] = (there.residuals - r) / moves[j]
            gradient, square = jacobian.T @ r, jacobian.T @ jacobian
            # a variable at its bound that would leave it stays where it is
            held = ((x <= self.low) & (gradient > 0)) | ((x >= self.high) & (gradient < 0))
            free = np.flatnonzero(~held & (np.diag(square) > 0))
            better = None
            while len(free) and better is None and damping < MOST_DAMPING and not stop():
                scale = np.sqrt(np.diag(square)[free])
                normal = square[np.ix_(free, free)] / np.outer(scale, scale)
                step = np.linalg.solve(normal + damping * np.eye(len(free)), gradient[free] / scale)
                new = x.copy()
                new[free] -= step / scale
                (there,) = self.points_at([np.clip(new, self.low, self.high)])
                if there is not None and there.merit < point.merit:
                    better, damping = there, damping / 5
                else:
                    damping *= 6
            if better is None:
                return
            gain, point = 1 - better.merit / point.merit, better
            yield point
            if gain < LEAST_GAIN:
                return

    def best_random_change(
        self, point: SearchPoint, random: np.random.Generator
    ) -> SearchPoint | None:
        """The best of several randomly changed lenses around a point; None if none of them can be
        traced.
        """
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        with np.errstate(invalid="ignore"):
            widths = np.where(bounded, self.high - self.low, self._scales)
        sizes = 10 ** random.uniform(*DISTURBANCES, (SCOUTS, 1))
        moved = point.values + sizes * widths * random.normal(size=(SCOUTS, len(widths)))
        found = self.points_at([*np.clip(moved, self.low, self.high)])
        return min((p for p in found if p), key=lambda p: p.merit, default=None)


def systems_with_values(
    design: LensDesign, names: Sequence[str], values: Floats
) -> tuple[Prescription, ...]:
    """The prescriptions of the configurations with other values of parameters; linked parameters
    are updated.
    """
    base: dict[str, Value] = {}
    states: list[dict[str, Value]] = [dict(each.values) for each in design.configurations]
    for name, value in zip(names, values.tolist(), strict=True):
        own, state = split_configuration(design, name)
        (base if state is None else states[state])[own] = value
    return design.systems_for_values(with_values(design.system, base), states)


def _large_change(design: LensDesign, name: str, size: float) -> float:
    """A large change of a parameter, in the unit of the parameter, for a lens of a given size."""
    own, _ = split_configuration(design, name)
    place, unit = parameter_place(own), parameter_unit(design.system, own)
    assert place is not None
    if unit.startswith("1/"):
        return 1 / size ** (2 * place.term + 1)
    return size if unit == LENGTH else 1.0
