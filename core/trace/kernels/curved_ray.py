"""Curved rays: integration of the ray equation d/ds(n dr/ds) = grad n up to the first surface."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import GRADED_EXTENT
from core.trace.compilation.jit import NONE, builder, inner, rare
from core.trace.kernels.intersect import nearest_in_hierarchy, nearest_of_all
from core.trace.kernels.medium import GREEN, slopes
from core.trace.kernels.runge_kutta import ERROR_3, ERROR_5, STAGE, STAGES, STEP
from core.trace.tables.bvh import STACK, Hierarchy, Walk
from core.trace.tables.tables import Tables
from core.trace.tolerances import LEAST_STEP, PATH_END, STEP_ERROR

Floats = NDArray[np.float64]

MOST_STEPS = 20_000
"""Maximum number of steps of one path."""
PIECE = 0.02
"""The angle (rad) between neighbouring points of a path's polyline."""
MOST_TURN = 0.5
"""The largest angle (rad) that a path turns in one step."""
LAST_PIECE = 1e-3
"""Length of the polyline's last piece, as a fraction of the piece before: short enough to have the direction at the end."""
FIRST_STEP, LONGEST_STEP = 0.1, 0.5
"""Length of the first step and maximum length of a step, as fractions of the smallest gradient-index body's size."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 4.0
"""Step size control for errors of order 8: the next step is SAFETY error^(-1/8) steps, from SHRINK to GROW (Hairer et al., II.4)."""
MOST_END_STEPS = 20
"""Maximum number of iterations for the end of a path on a surface."""
# columns of `Batch.path`
X0, Y0, DX0, DY0, S0, P0, POINTS, PATH_LOSS, PATH_WIDTH = range(9)


@rare
def nearest(
    t: Tables,
    h: Hierarchy,
    loose: NDArray[np.int64],
    walk: Walk,
    px: float,
    py: float,
    dx: float,
    dy: float,
    wavelength: float,
) -> float:
    """The distance to the first hit of a straight ray."""
    best, second, which = nearest_of_all(t, px, py, dx, dy, wavelength, NONE, loose)
    if len(h.order) > 0:
        best, second, which = nearest_in_hierarchy(t, h, walk, px, py, dx, dy, wavelength, NONE, best, second, which)
    return best


@rare
def attempt(
    t: Tables,
    inside: NDArray[np.uint8],
    wavelength: float,
    state: Floats,
    step: float,
    k: Floats,
    new: Floats,
    registers: Floats,
    size: float,
) -> tuple[float, float]:
    """One Runge-Kutta step from ``state``, with derivatives k[0], to ``new``, whose derivatives are written to k[STAGES].

    Returns the estimated error divided by the tolerance, and the refractive index at ``new``.
    """
    graded, q, programs = t.graded, t.parameters, t.programs
    for stage in range(1, STAGES):
        for j in range(5):
            total = 0.0
            for m in range(stage):
                total += STAGE[stage, m] * k[m, j]
            new[j] = state[j] + step * total
        slopes(graded, q, programs, inside, wavelength, new[0], new[1], new[2], new[3], k, stage, registers)
    for j in range(5):
        total = 0.0
        for m in range(STAGES):
            total += STEP[m] * k[m, j]
        new[j] = state[j] + step * total
    n = slopes(graded, q, programs, inside, wavelength, new[0], new[1], new[2], new[3], k, STAGES, registers)
    square_5, square_3 = 0.0, 0.0
    for j in range(5):
        error_5, error_3 = 0.0, 0.0
        for m in range(STAGES + 1):
            error_5 += ERROR_5[m] * k[m, j]
            error_3 += ERROR_3[m] * k[m, j]
        scale = STEP_ERROR * (size if j < 2 else (abs(n) if j < 4 else 1.0))
        square_5 += error_5 * error_5 / (scale * scale)
        square_3 += error_3 * error_3 / (scale * scale)
    if square_5 == 0.0 and square_3 == 0.0:
        return 0.0, n
    return abs(step) * square_5 / math.sqrt(square_5 + 0.01 * square_3), n


@rare
def between(a: Floats, slope_a: Floats, b: Floats, slope_b: Floats, step: float, u: float) -> tuple[float, float]:
    """The point at a fraction u of a step: quintic Hermite interpolation of the ends' positions, first and second derivatives."""
    v = 1.0 - u
    a0, b0 = v * v * v * (1.0 + 3.0 * u + 6.0 * u * u), u * u * u * (1.0 + 3.0 * v + 6.0 * v * v)
    a1, b1 = step * u * v * v * v * (1.0 + 3.0 * u), -step * v * u * u * u * (1.0 + 3.0 * v)
    a2, b2 = 0.5 * step * step * u * u * v * v * v, 0.5 * step * step * v * v * u * u * u
    x = a0 * a[0] + b0 * b[0] + a1 * a[2] + b1 * b[2] + a2 * slope_a[2] + b2 * slope_b[2]
    y = a0 * a[1] + b0 * b[1] + a1 * a[3] + b1 * b[3] + a2 * slope_a[3] + b2 * slope_b[3]
    return x, y


@inner
def copy(a: Floats, b: Floats) -> None:
    """Copy a into b; slice assignment would take two seconds longer to compile, for its error messages."""
    for j in range(5):
        b[j] = a[j]


@builder
def follow(
    t: Tables,
    h: Hierarchy,
    loose: NDArray[np.int64],
    inside: NDArray[np.uint8],
    wavelength: float,
    path: Floats,
    line: Floats,
    first_point: int,
) -> tuple[bool, int, float, float, float, float, float]:
    """Integrate a ray's path from the start in ``path`` (X0 ... DY0) to the first surface.

    Returns whether a surface was reached, the number of points of the path, its end x, y, its direction there, and the fraction of power
    transmitted. The points are written to ``line`` from index ``first_point``, unless that is negative.
    """
    green = GREEN if math.isnan(wavelength) else wavelength
    walk, registers = Walk(np.empty(STACK, np.int64), np.empty(STACK), np.empty(0, np.int64), np.empty(0)), np.empty(t.programs.largest)
    k, trial = np.zeros((STAGES + 1, 5)), np.empty((STAGES + 1, 5))
    state, new, end = np.zeros(5), np.empty(5), np.empty(5)
    size = math.inf
    for g in range(len(t.graded)):
        if inside[g]:
            size = min(size, t.parameters[t.graded[g], GRADED_EXTENT])
    state[0], state[1] = path[X0], path[Y0]
    n = abs(attempt(t, inside, green, state, 0.0, k, new, registers, size)[1])
    count = 1
    if first_point >= 0:
        line[first_point, 0], line[first_point, 1] = state[0], state[1]
    if not 0.0 < n < math.inf:
        return False, count, path[X0], path[Y0], path[DX0], path[DY0], 1.0
    state[2], state[3] = n * path[DX0], n * path[DY0]
    attempt(t, inside, green, state, 0.0, k, new, registers, size)
    copy(k[STAGES], k[0])
    step, travelled = FIRST_STEP * size / n, 0.0
    for _ in range(MOST_STEPS):
        speed = math.hypot(state[2], state[3])
        turning = abs(k[0, 2] * state[3] - k[0, 3] * state[2]) / (speed * speed)
        step = min(step, LONGEST_STEP * size / speed)
        if step * turning > MOST_TURN:
            step = MOST_TURN / turning
        error, n = attempt(t, inside, green, state, step, k, new, registers, size)
        if not error <= 1.0:
            step *= max(SHRINK, SAFETY * error**-0.125) if error < math.inf else SHRINK
            if not step * speed > LEAST_STEP * size:
                break
            continue
        turn = abs(math.atan2(state[2] * new[3] - state[3] * new[2], state[2] * new[2] + state[3] * new[3]))
        pieces = 1 + int(max(turn, turning * step) / PIECE)
        x, y = state[0], state[1]
        for j in range(1, pieces + 1):
            to_x, to_y = between(state, k[0], new, k[STAGES], step, j / pieces)
            length = math.hypot(to_x - x, to_y - y)
            if length == 0.0:
                continue
            dx, dy = (to_x - x) / length, (to_y - y) / length
            # pieces overlap slightly, so that no surface is missed at their joints
            back = min(2.0 * t.shortest, 0.5 * travelled)
            ahead = nearest(t, h, loose, walk, x - back * dx, y - back * dy, dx, dy, wavelength) - back
            if ahead <= length:
                tau = step * (j - 1 + max(0.0, ahead) / length) / pieces
                reach = length
                copy(k[0], trial[0])
                for _again in range(MOST_END_STEPS):
                    attempt(t, inside, green, state, tau, trial, end, registers, size)
                    speed = math.hypot(end[2], end[3])
                    dx, dy = end[2] / speed, end[3] / speed
                    gone = travelled + math.hypot(end[0] - x, end[1] - y)
                    reach = min(reach, 0.5 * gone)
                    off = nearest(t, h, loose, walk, end[0] - reach * dx, end[1] - reach * dy, dx, dy, wavelength) - reach
                    if not abs(off) <= length:
                        break
                    tau += off / speed
                    if abs(off) <= PATH_END * size:
                        end_x, end_y = end[0] + off * dx, end[1] + off * dy
                        if first_point >= 0:
                            last = LAST_PIECE * math.hypot(end_x - x, end_y - y)
                            line[first_point + count, 0], line[first_point + count, 1] = end_x - last * dx, end_y - last * dy
                            line[first_point + count + 1, 0], line[first_point + count + 1, 1] = end_x, end_y
                        return True, count + 2, end_x, end_y, dx, dy, math.exp(-end[4])
                    reach = 4.0 * (abs(off) + t.shortest)
            if first_point >= 0:
                line[first_point + count, 0], line[first_point + count, 1] = to_x, to_y
            count += 1
            travelled += length
            x, y = to_x, to_y
        copy(new, state)
        copy(k[STAGES], k[0])
        step *= min(GROW, SAFETY * error**-0.125) if error > 0.0 else GROW
    norm = math.hypot(state[2], state[3])
    return False, count, state[0], state[1], state[2] / norm, state[3] / norm, math.exp(-state[4])
