"""The merit of a lens design, and its improvement by damped least squares.

The residuals of all operands in all configurations are searched together, with the links of the design
in force at each evaluation.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.arrays import Floats
from raybench.lens.design import LensDesign, split_configuration, with_parameters
from raybench.lens.operands import InvalidMerit, TracedLens, trace_lenses
from raybench.lens.parameters import Value, parameter_value, with_values
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import InvalidPrescription, Prescription

DAMPING = 1e-3
"""First damping of the search, relative to the curvature of the merit."""


def merit_value(design: LensDesign) -> float:
    """The merit of a design: the root of the mean of the weighted squares of all residuals in all
    configurations; 0 is perfect. Raises InvalidMerit without operands, and what tracing raises.
    """
    return _mean_root(_residuals(design, trace_lenses(design.systems)), _total_weight(design))


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
    """The sum of the weights of all operands in all configurations. Raises InvalidMerit if it is 0."""
    weights = [each.weight for each in design.configurations] or [1.0]
    total = sum(
        operand.weight * weight
        for operand in design.operands
        for k, weight in enumerate(weights, 1)
        if operand.configuration in (None, k)
    )
    if not total > 0:
        raise InvalidMerit("A merit needs an operand with a weight above 0.")
    return total


def _mean_root(residuals: Floats, total_weight: float) -> float:
    return math.sqrt(float(residuals @ residuals) / total_weight)


@dataclass(frozen=True)
class Improved:
    """The best lens that a search has found, its merit and that of the start, the number of evaluations,
    and the merit after each step.
    """

    design: LensDesign
    merit: float
    first_merit: float
    evaluations: int
    history: tuple[float, ...]


def improve(
    design: LensDesign,
    *,
    steps: int = 200,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[float, LensDesign], None] = lambda merit, design: None,
) -> Improved:
    """Improve a lens by damped least squares (Levenberg and Marquardt; Kidger, Fundamental Optical
    Design, chapter 8), within the bounds of its variables, until no step helps, ``steps`` are taken or
    ``stop`` says so. The best lens so far is kept; ``progress`` gets it and its merit after each step.

    Each variable is scaled by its effect on the merit. A lens whose surfaces cannot be traced counts as
    no improvement. Glasses stay. Raises InvalidMerit without variables or operands.
    """
    variables = [v for v in design.variables if not v.parameter.startswith("glass")]
    if not variables:
        raise InvalidMerit("A search needs at least one variable.")
    names = [v.parameter for v in variables]
    low, high = (np.array([getattr(v, side) for v in variables]) for side in ("low", "high"))
    total, evaluations = _total_weight(design), 0

    def residuals_at(points: Sequence[Floats]) -> list[Floats | None]:
        """The residuals at points; None where no light can be traced."""
        nonlocal evaluations
        found: list[Floats | None]
        try:
            with np.errstate(all="ignore"):
                states = [systems_with(design, names, point) for point in points]
                lenses = trace_lenses([system for state in states for system in state])
                each = len(states[0])
                found = [
                    _residuals(design, lenses[i : i + each]) for i in range(0, len(lenses), each)
                ]
        except (InvalidPrescription, ArithmeticError):
            if len(points) > 1:
                return [r for point in points for r in residuals_at([point])]
            found = [None]
        evaluations += len(points)
        return found

    def design_at(x: Floats) -> LensDesign:
        return with_parameters(design, dict(zip(names, x.tolist(), strict=True)))

    x = np.clip([_number(design, name) for name in names], low, high)
    (r,) = residuals_at([x])
    if r is None:
        raise InvalidMerit("The first lens cannot be traced. Change its surfaces first.")
    history, damping, best = [_mean_root(r, total)], DAMPING, design_at(x)
    span = max(abs(design.system.length), 2 * first_order(best.system).stop_semi_diameter)
    sizes = np.array([_step_size(name, span) for name in names])
    for _ in range(steps):
        if stop():
            break
        moves = np.where(x + sizes <= high, sizes, -sizes)
        jacobian = np.empty((len(r), len(x)))
        for j, there in enumerate(residuals_at([*(x + np.diag(moves))])):
            jacobian[:, j] = 0.0 if there is None else (there - r) / moves[j]
        gradient, square = jacobian.T @ r, jacobian.T @ jacobian
        # a variable at its bound that would leave it stays where it is
        held = ((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0))
        free = np.flatnonzero(~held & (np.diag(square) > 0))
        if not len(free):
            break
        helped = False
        for _ in range(12):
            if stop():
                break
            scale = np.diag(square)[free]
            damped = square[np.ix_(free, free)] + np.diag(damping * scale)
            new = x.copy()
            new[free] -= np.linalg.solve(damped, gradient[free])
            new = np.clip(new, low, high)
            (there,) = residuals_at([new])
            if there is not None and there @ there < r @ r:
                gain = 1 - math.sqrt((there @ there) / (r @ r))
                x, r, damping, helped = new, there, damping / 5, True
                break
            damping *= 6
        if not helped:
            break
        best = design_at(x)
        history.append(_mean_root(r, total))
        progress(history[-1], best)
        if gain < 1e-7:
            break
    return Improved(best, history[-1], history[0], evaluations, tuple(history))


def systems_with(
    design: LensDesign, names: Sequence[str], values: Floats
) -> tuple[Prescription, ...]:
    """The prescriptions of the configurations with other numbers in parameters, links in force."""
    base: dict[str, Value] = {}
    states: list[dict[str, Value]] = [dict(each.values) for each in design.configurations]
    for name, value in zip(names, values.tolist(), strict=True):
        own, state = split_configuration(design, name)
        (base if state is None else states[state])[own] = value
    system = with_values(design.system, base)
    return tuple(design.with_links(with_values(system, state)) for state in states or [{}])


def _number(design: LensDesign, name: str) -> float:
    own, state = split_configuration(design, name)
    if state is not None:
        return dict(design.configurations[state].values)[own]
    value = parameter_value(design.system, own)
    assert isinstance(value, float)
    return value


def _step_size(name: str, span: float) -> float:
    """The step of a parameter for derivatives, by the size of the system."""
    kind, power = name[0], name.split("_")[1] if name.startswith("a") else ""
    if power.isdigit():
        return 1e-6 / span ** (int(power) - 1)
    return {"c": 1e-7 / span, "t": 1e-6 * span, "o": 1e-6 * span}.get(kind, 1e-6)
