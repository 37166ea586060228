"""Störmer's rule for r'' = f(r), extrapolated to step size zero (Hairer, Nørsett, Wanner, Solving
Ordinary Differential Equations I, section II.14), written as one explicit Nyström method: weights
of forces, as a Runge-Kutta method has.

A step is done with 1, 2, ... `COLUMNS` parts. The errors have only even powers of their length, so
the results of all give one of order 14; without the first, of order 12, which estimates the error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

COLUMNS = 7
ORDER = 2 * COLUMNS - 1
"""The power of the step with which the estimated error grows."""
STAGES = 1 + COLUMNS * (COLUMNS + 1) // 2
"""Forces of a step: at its start, and at each part's end of each column. The force at the step's
end is one more.
"""
NODE, POSITION, MOMENTUM = np.zeros(STAGES + 1), np.zeros((STAGES + 1, STAGES)), np.zeros(STAGES)
"""For each stage, and last for the step's end: the fraction of the step at which it is, and the
weights of the earlier forces, times the step squared, in its position. The weights of the forces,
times the step, in the change of the momentum.
"""
POSITION_ERROR, MOMENTUM_ERROR = np.zeros(STAGES), np.zeros(STAGES)
"""The same, in the estimated errors of both."""
MIDDLE_POSITION, MIDDLE_MOMENTUM, MIDDLE_FORCE = (
    np.zeros(STAGES),
    np.zeros(STAGES),
    np.zeros(STAGES),
)
"""The weights of the forces in position, momentum and force in the middle of the step, to order 6,
from the columns that have it as the end of a part: for points between.
"""


def _extrapolated(columns: Sequence[int]) -> list[float]:
    """The weights with which the results of some columns add to the value at step size zero."""
    return [float(np.prod([n * n / (n * n - m * m) for m in columns if m != n])) for n in columns]


def _fill() -> None:
    all_columns, fewer = range(1, COLUMNS + 1), range(2, COLUMNS + 1)
    weights = _extrapolated(all_columns)
    errors = [w - v for w, v in zip(weights, [0.0, *_extrapolated(fewer)], strict=True)]
    halved = [n for n in all_columns if n % 2 == 0]
    middle = dict(zip(halved, _extrapolated(halved), strict=True))
    stage = 1
    for n, weight, error in zip(all_columns, weights, errors, strict=True):
        # the momentum half a part ahead, and the position, as weights of forces
        momentum, position = np.zeros(STAGES), np.zeros(STAGES)
        momentum[0] = 0.5 / n
        for i in range(1, n + 1):
            position = position + momentum / n
            NODE[stage], POSITION[stage] = i / n, position
            momentum = momentum.copy()
            momentum[stage] += 0.5 / n
            if 2 * i == n:
                MIDDLE_POSITION[:] += middle[n] * position
                MIDDLE_MOMENTUM[:] += middle[n] * momentum
                MIDDLE_FORCE[stage] = middle[n]
            if i < n:
                momentum[stage] += 0.5 / n
            stage += 1
        for total, share in ((POSITION[STAGES], position), (MOMENTUM, momentum)):
            total += weight * share
        for total, share in ((POSITION_ERROR, position), (MOMENTUM_ERROR, momentum)):
            total += error * share
    NODE[STAGES] = 1.0


_fill()
