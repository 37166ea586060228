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
from raybench.trace.compilation.lanes import add_scaled_row
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
    lane_values: Floats,
    to_row: int,
    weights: Floats,
    stage_count: int,
    forces: Floats,
    component: int,
) -> None:
    """Write the weighted sum of the forces of ``stage_count`` stages to the row ``to_row``."""
    for lane in range(LANES):
        lane_values[to_row, lane] = 0.0
    for m in range(stage_count):
        if weights[m] != 0.0:
            add_scaled_row(lane_values, to_row, weights[m], forces, 3 * m + component)


@rare
def compute_integration_step(
    t: Tables,
    media: Integers,
    inside: Integers,
    lane_values: Floats,
    forces: Floats,
    registers: Floats,
) -> None:
    """Compute a step of the size TAKEN in each lane. The first rows of ``forces`` hold the forces
    at the start; those at the end are written after the forces of the stages. Also writes the state
    at the end, and the estimated error divided by the tolerance to ERROR.
    """
    for stage in range(1, STAGES + 1):
        write_weighted_forces(lane_values, SUM_X, POSITION[stage], stage, forces, 0)
        write_weighted_forces(lane_values, SUM_Y, POSITION[stage], stage, forces, 1)
        node = NODE[stage]
        for lane in range(LANES):
            h = lane_values[TAKEN, lane]
            lane_values[PX, lane] = lane_values[AT_X, lane] + h * (
                node * lane_values[AT_TX, lane] + h * lane_values[SUM_X, lane]
            )
            lane_values[PY, lane] = lane_values[AT_Y, lane] + h * (
                node * lane_values[AT_TY, lane] + h * lane_values[SUM_Y, lane]
            )
        compute_forces(t, media, inside, lane_values[PX : INDEX + 1], registers, forces, 3 * stage)
    for component in range(3):
        write_weighted_forces(lane_values, SUM_X + component, MOMENTUM, STAGES, forces, component)
    for component in range(2):
        write_weighted_forces(
            lane_values, ERROR_X + component, POSITION_ERROR, STAGES, forces, component
        )
        write_weighted_forces(
            lane_values, MIDDLE_X + component, MIDDLE_POSITION, STAGES, forces, component
        )
        write_weighted_forces(
            lane_values, MIDDLE_TX + component, MIDDLE_MOMENTUM, STAGES, forces, component
        )
        write_weighted_forces(
            lane_values, MIDDLE_FX + component, MIDDLE_FORCE, STAGES, forces, component
        )
    for component in range(3):
        write_weighted_forces(
            lane_values, ERROR_TX + component, MOMENTUM_ERROR, STAGES, forces, component
        )
    for lane in range(LANES):
        h = lane_values[TAKEN, lane]
        lane_values[TO_X, lane], lane_values[TO_Y, lane] = (
            lane_values[PX, lane],
            lane_values[PY, lane],
        )
        for j in range(3):
            lane_values[TO_TX + j, lane] = (
                lane_values[AT_TX + j, lane] + h * lane_values[SUM_X + j, lane]
            )
        for j in range(2):
            change = 0.5 * lane_values[AT_TX + j, lane] + h * lane_values[MIDDLE_X + j, lane]
            lane_values[MIDDLE_X + j, lane] = lane_values[AT_X + j, lane] + h * change
            lane_values[MIDDLE_TX + j, lane] = (
                lane_values[AT_TX + j, lane] + h * lane_values[MIDDLE_TX + j, lane]
            )
        place, momentum = h / lane_values[SIZE, lane], 1.0 / abs(lane_values[INDEX, lane])
        x = lane_values[ERROR_X, lane] * place
        y = lane_values[ERROR_Y, lane] * place
        loss = lane_values[ERROR_LOSS, lane]
        tx, ty = lane_values[ERROR_TX, lane] * momentum, lane_values[ERROR_TY, lane] * momentum
        lane_values[ERROR, lane] = (
            abs(h) * math.sqrt(x * x + y * y + tx * tx + ty * ty + loss * loss) / STEP_ERROR
        )


@inner
def quintic_hermite_value(
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
def point_within_step(
    lane_values: Floats, forces: Floats, lane: int, fraction: float
) -> tuple[float, float]:
    """The point at a ``fraction`` of a lane's step, by Hermite interpolation in each half of
    the step.
    """
    half, end = 0.5 * lane_values[TAKEN, lane], 3 * STAGES
    mx = lane_values[MIDDLE_X, lane]
    my = lane_values[MIDDLE_Y, lane]
    mtx = lane_values[MIDDLE_TX, lane]
    mty = lane_values[MIDDLE_TY, lane]
    mfx, mfy = lane_values[MIDDLE_FX, lane], lane_values[MIDDLE_FY, lane]
    if fraction < 0.5:
        x = quintic_hermite_value(
            2.0 * fraction,
            half,
            lane_values[AT_X, lane],
            lane_values[AT_TX, lane],
            forces[0, lane],
            mx,
            mtx,
            mfx,
        )
        return x, quintic_hermite_value(
            2.0 * fraction,
            half,
            lane_values[AT_Y, lane],
            lane_values[AT_TY, lane],
            forces[1, lane],
            my,
            mty,
            mfy,
        )
    fraction = 2.0 * fraction - 1.0
    x = quintic_hermite_value(
        fraction,
        half,
        mx,
        mtx,
        mfx,
        lane_values[TO_X, lane],
        lane_values[TO_TX, lane],
        forces[end, lane],
    )
    return x, quintic_hermite_value(
        fraction,
        half,
        my,
        mty,
        mfy,
        lane_values[TO_Y, lane],
        lane_values[TO_TY, lane],
        forces[end + 1, lane],
    )
