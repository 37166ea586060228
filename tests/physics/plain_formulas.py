"""Formulas of the file format for the plain tracer: rewritten as Python by replacing text, and
sampled.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping

REPLACED = {
    r"\left": "", r"\right": "", r"\cdot": "*", r"\pi": "pi", r"\theta": "theta", r"\lambda": "wave", r"\operatorname{floor}": "floor",
    r"\operatorname{sgn}": "sgn", r"\operatorname{abs}": "abs", r"\sin": "sin", r"\cos": "cos", r"\arcsin": "arcsin", "^": "**",
}  # fmt: skip
SAMPLES = 2000
FLAT = 1e-11
"""How far a straight line may be from a line."""


def arcsin(x: float) -> float:
    return math.asin(x) if abs(x) <= 1 else math.nan


NAMES = {
    "pi": math.pi, "floor": math.floor, "sin": math.sin, "cos": math.cos, "abs": abs, "arcsin": arcsin,
    "sgn": lambda x: math.copysign(1.0, x) if x else 0.0,
}  # fmt: skip


def value(formula: str, variables: Mapping[str, float]) -> float:
    """The value of a formula; NaN where it has none."""
    for latex, python in REPLACED.items():
        formula = formula.replace(latex, python)
    try:
        return float(eval(formula, {"__builtins__": {}} | NAMES | dict(variables)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def polyline(f: Callable[[float], float], low: float, high: float) -> list[tuple[float, float]]:
    """The corners (x, f(x)) of a function that is straight between corners and jumps, of which no
    two are in neighbouring steps of SAMPLES.

    A jump gives two corners, one above the other.
    """
    step = (high - low) / SAMPLES
    runs: list[
        tuple[float, float, float]
    ] = []  # a straight part: slope, value at x = 0, and where it was last seen
    for i in range(SAMPLES):
        a, b = low + (i + 0.01) * step, low + (i + 0.99) * step
        y, slope = f(a), (f(b) - f(a)) / (b - a)
        if (
            abs(f((a + b) / 2) - y - slope * (b - a) / 2) > FLAT
            or abs(f(a + 0.2 * step) - y - slope * 0.2 * step) > FLAT
        ):
            continue
        if (
            runs
            and abs(y - runs[-1][0] * a - runs[-1][1]) < FLAT
            and abs(f(b) - runs[-1][0] * b - runs[-1][1]) < FLAT
        ):
            runs[-1] = *runs[-1][:2], b
        else:
            runs.append((slope, y - slope * a, b))
    corners = [(low, runs[0][0] * low + runs[0][1])]
    for (slope, at_0, last), (next_slope, next_at_0, _) in itertools.pairwise(runs):
        left, right = last, last + 2 * step
        while left < (x := (left + right) / 2) < right:
            if abs(f(x) - slope * x - at_0) < FLAT:
                left = x
            else:
                right = x
        corners.append((left, slope * left + at_0))
        if abs(corners[-1][1] - next_slope * left - next_at_0) > FLAT:
            corners.append((left, next_slope * left + next_at_0))
    return [*corners, (high, runs[-1][0] * high + runs[-1][1])]
