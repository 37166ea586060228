"""One integration step along curved rays, for `LANES` rays at the same time, with its error and the
points within it.

The rule is Störmer's for r'' = f(r), extrapolated to step size zero (Hairer, Nørsett, Wanner,
Solving Ordinary Differential Equations I, section II.14), written as one explicit Nyström method:
weights of forces, as a Runge-Kutta method has. A step is done with 1, 2, ... `COLUMNS` parts. The
errors have only even powers of their length, so the results of all give one of order 14; without
the first, of order 12, which estimates the error.
"""

import math
from collections.abc import Sequence

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.trace.compilation.jit import LANES, inner, rare
from raybench.trace.compilation.lanes import add_scaled
from raybench.trace.kernels.medium import compute_forces
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import STEP_ERROR

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


def _extrapolation_weights(columns: Sequence[int]) -> list[float]:
    """The weights with which the results of several columns are combined to extrapolate to the step
    size zero.
    """
    return [float(np.prod([n * n / (n * n - m * m) for m in columns if m != n])) for n in columns]


def _fill_extrapolation_weights() -> None:
    all_columns, fewer = range(1, COLUMNS + 1), range(2, COLUMNS + 1)
    weights = _extrapolation_weights(all_columns)
    errors = [w - v for w, v in zip(weights, [0.0, *_extrapolation_weights(fewer)], strict=True)]
    halved = [n for n in all_columns if n % 2 == 0]
    middle = dict(zip(halved, _extrapolation_weights(halved), strict=True))
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


_fill_extrapolation_weights()


# rows of numbers, a column for each lane: the state (position, n dr/ds, absorption) before the step
# and after it, and that in the step's middle (position, n dr/ds, force)
AT_X, AT_Y, AT_TX, AT_TY, AT_LOSS, TO_X, TO_Y, TO_TX, TO_TY, TO_LOSS = range(10)
MIDDLE_X, MIDDLE_Y, MIDDLE_TX, MIDDLE_TY, MIDDLE_FX, MIDDLE_FY = range(10, 16)
OUTCOME = MIDDLE_FY + 1 - TO_X
"""The number of rows, from `TO_X` on, that a step writes."""
# a point in the medium, the wavelength there, and the index
PX, PY, WAVELENGTH, INDEX = range(16, 20)
# sums, error; the step taken; the smallest body's extent
(
    SUM_X,
    SUM_Y,
    SUM_LOSS,
    ERROR_X,
    ERROR_Y,
    ERROR_TX,
    ERROR_TY,
    ERROR_LOSS,
    ERROR,
    TAKEN,
    SIZE,
    STEP_ROWS,
) = range(20, 32)


@inner
def write_weighted_forces(
    number: Floats, to: int, weights: Floats, count: int, k: Floats, component: int
) -> None:
    """Write the weighted sum of the forces of ``count`` stages to the row ``to``."""
    for lane in range(LANES):
        number[to, lane] = 0.0
    for m in range(count):
        if weights[m] != 0.0:
            add_scaled(number, to, weights[m], k, 3 * m + component)


@rare
def try_step(
    t: Tables, media: Integers, inside: Integers, number: Floats, k: Floats, registers: Floats
) -> None:
    """Compute a step of the size TAKEN in each lane. The first rows of ``k`` hold the forces at the
    start; those at the end are written after the forces of the stages. Also writes the state at the
    end, and the estimated error divided by the tolerance to ERROR.
    """
    for stage in range(1, STAGES + 1):
        write_weighted_forces(number, SUM_X, POSITION[stage], stage, k, 0)
        write_weighted_forces(number, SUM_Y, POSITION[stage], stage, k, 1)
        node = NODE[stage]
        for lane in range(LANES):
            h = number[TAKEN, lane]
            number[PX, lane] = number[AT_X, lane] + h * (
                node * number[AT_TX, lane] + h * number[SUM_X, lane]
            )
            number[PY, lane] = number[AT_Y, lane] + h * (
                node * number[AT_TY, lane] + h * number[SUM_Y, lane]
            )
        compute_forces(t, media, inside, number[PX : INDEX + 1], registers, k, 3 * stage)
    for component in range(3):
        write_weighted_forces(number, SUM_X + component, MOMENTUM, STAGES, k, component)
    for component in range(2):
        write_weighted_forces(number, ERROR_X + component, POSITION_ERROR, STAGES, k, component)
        write_weighted_forces(number, MIDDLE_X + component, MIDDLE_POSITION, STAGES, k, component)
        write_weighted_forces(number, MIDDLE_TX + component, MIDDLE_MOMENTUM, STAGES, k, component)
        write_weighted_forces(number, MIDDLE_FX + component, MIDDLE_FORCE, STAGES, k, component)
    for component in range(3):
        write_weighted_forces(number, ERROR_TX + component, MOMENTUM_ERROR, STAGES, k, component)
    for lane in range(LANES):
        h = number[TAKEN, lane]
        number[TO_X, lane], number[TO_Y, lane] = number[PX, lane], number[PY, lane]
        for j in range(3):
            number[TO_TX + j, lane] = number[AT_TX + j, lane] + h * number[SUM_X + j, lane]
        for j in range(2):
            change = 0.5 * number[AT_TX + j, lane] + h * number[MIDDLE_X + j, lane]
            number[MIDDLE_X + j, lane] = number[AT_X + j, lane] + h * change
            number[MIDDLE_TX + j, lane] = number[AT_TX + j, lane] + h * number[MIDDLE_TX + j, lane]
        place, momentum = h / number[SIZE, lane], 1.0 / abs(number[INDEX, lane])
        x = number[ERROR_X, lane] * place
        y = number[ERROR_Y, lane] * place
        loss = number[ERROR_LOSS, lane]
        tx, ty = number[ERROR_TX, lane] * momentum, number[ERROR_TY, lane] * momentum
        number[ERROR, lane] = (
            abs(h) * math.sqrt(x * x + y * y + tx * tx + ty * ty + loss * loss) / STEP_ERROR
        )


@inner
def hermite_value(
    u: float,
    step: float,
    a: float,
    slope_a: float,
    force_a: float,
    b: float,
    slope_b: float,
    force_b: float,
) -> float:
    """The value, at the fraction ``u`` of a step, of the quintic polynomial with given values,
    first and second derivatives at both ends.
    """
    v = 1.0 - u
    first = (
        a * (1.0 + 3.0 * u + 6.0 * u * u)
        + step * u * slope_a * (1.0 + 3.0 * u)
        + 0.5 * step * step * u * u * force_a
    )
    last = (
        b * (1.0 + 3.0 * v + 6.0 * v * v)
        - step * v * slope_b * (1.0 + 3.0 * v)
        + 0.5 * step * step * v * v * force_b
    )
    return first * v * v * v + last * u * u * u


@rare
def point_within_step(number: Floats, k: Floats, lane: int, u: float) -> tuple[float, float]:
    """The point at the fraction ``u`` of a lane's step, by Hermite interpolation in each half of
    the step.
    """
    half, end = 0.5 * number[TAKEN, lane], 3 * STAGES
    mx = number[MIDDLE_X, lane]
    my = number[MIDDLE_Y, lane]
    mtx = number[MIDDLE_TX, lane]
    mty = number[MIDDLE_TY, lane]
    mfx, mfy = number[MIDDLE_FX, lane], number[MIDDLE_FY, lane]
    if u < 0.5:
        x = hermite_value(
            2.0 * u, half, number[AT_X, lane], number[AT_TX, lane], k[0, lane], mx, mtx, mfx
        )
        return x, hermite_value(
            2.0 * u, half, number[AT_Y, lane], number[AT_TY, lane], k[1, lane], my, mty, mfy
        )
    u = 2.0 * u - 1.0
    x = hermite_value(u, half, mx, mtx, mfx, number[TO_X, lane], number[TO_TX, lane], k[end, lane])
    return x, hermite_value(
        u, half, my, mty, mfy, number[TO_Y, lane], number[TO_TY, lane], k[end + 1, lane]
    )
