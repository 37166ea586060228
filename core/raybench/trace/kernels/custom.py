"""Interactions with custom surfaces: outgoing angles and powers are computed by formulas."""

import math

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.primitives import (
    ARC,
    ARC_X,
    ARC_Y,
    BEZIER,
    CUSTOM_PROGRAM,
    CUSTOM_RAYS,
    CUSTOM_SPANS,
    CUSTOM_START,
    CUSTOM_SWEEP,
    LINE_LENGTH,
    LINE_TX,
    LINE_TY,
    LINE_X,
    LINE_Y,
)
from raybench.optics.colour import GREEN
from raybench.trace.codes import Interaction
from raybench.trace.compilation.jit import allocating, rare, whole
from raybench.trace.kernels import rays
from raybench.trace.kernels.coincidence import indices_beside_surfaces
from raybench.trace.kernels.intersect import bezier_parameter
from raybench.trace.kernels.medium import find_bodies_inside, run_packed
from raybench.trace.kernels.rays import Batch, Queue, Ray, Spot
from raybench.trace.kernels.surfaces import ABSORBED, CONTINUED, GAP, TRUNCATED, normal_against_ray
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import MOST_POWER

BY_CUSTOM = int(Interaction.CUSTOM)
KNOWN = 7
"""Number of variables that every formula has: theta_0, P_0, lambda, t, n_0, n_1, p."""
TURN = 2.0 * math.pi


@rare
def curve_parameter(
    t: Tables, obj: int, primitive: int, x: float, y: float, dx: float, dy: float
) -> float:
    """The variable t of the formulas where a ray hits a primitive of a custom surface. Along a
    line or an arc t runs from -1 to 1.

    Along an arc of negative sweep it is as in the file format, which takes the angles from the
    start the other way round: at the start more than 1, at the end 1.
    """
    row = t.geometry[primitive]
    if t.primitive[primitive] == BEZIER:
        span = int(t.parameters[obj, CUSTOM_SPANS]) + 2 * (primitive - t.first[obj])
        start = t.orders[span]
        return float(start + bezier_parameter(row, x, y, dx, dy) * (t.orders[span + 1] - start))
    if t.primitive[primitive] == ARC:
        sweep = t.parameters[obj, CUSTOM_SWEEP]
        # from the arc's middle, so that a hit at an end is there for any rounding
        turn = (
            math.atan2(y - row[ARC_Y], x - row[ARC_X])
            - t.parameters[obj, CUSTOM_START]
            - 0.5 * sweep
        )
        turn += 0.5 * sweep - TURN * math.floor(turn / TURN + 0.5)
        if sweep < 0.0:
            turn, sweep = turn + TURN, sweep + TURN
        return float(2.0 * turn / sweep - 1.0)
    along = (x - row[LINE_X]) * row[LINE_TX] + (y - row[LINE_Y]) * row[LINE_TY]
    return float(2.0 * along / row[LINE_LENGTH] - 1.0)


@allocating
def evaluate_outgoing_rays(
    t: Tables, b: Batch, ray_index: int, px: float, py: float
) -> tuple[Floats, float, float]:
    """Evaluate the formulas of a custom surface for a ray whose segment began at (``px``, ``py``).

    Returns the outgoing rays in order, (n, 3): angle (rad), power in s and p; and the unit normal
    on the side the ray comes from. Formulas are evaluated for s and p separately; where both give
    the same angle, the two powers form one ray.
    """
    ray = b.ray[ray_index]
    obj = b.hit[ray_index, rays.OBJECT]
    k = b.hit[ray_index, rays.PRIMITIVE]
    s = b.interface[ray_index, rays.DISTANCE]
    dx, dy = ray[rays.DX], ray[rays.DY]
    wavelength = b.wavelength[ray_index]
    x, y = px + s * dx, py + s * dy
    first, count = int(t.parameters[obj, CUSTOM_PROGRAM]), int(t.parameters[obj, CUSTOM_RAYS])
    nx, ny, _ = normal_against_ray(b, ray_index)
    before, after = 1.0, 1.0
    if b.hit[ray_index, rays.SHARED]:
        r = Ray(px, py, dx, dy, wavelength, whole(b.tag[ray_index, rays.ORIGIN]))
        before, after = indices_beside_surfaces(t, b.walk, s, r)
    values = np.empty(KNOWN + 2 * count)
    registers = np.empty(t.programs.largest)
    result = np.empty(1)
    values[0] = math.atan2(nx * dy - ny * dx, -nx * dx - ny * dy)
    values[2] = GREEN if math.isnan(wavelength) else wavelength
    values[3], values[4], values[5] = curve_parameter(t, obj, k, x, y, dx, dy), before, after
    outputs = np.empty((2, count, 2))
    for polarisation in range(2):
        values[1], values[6] = ray[rays.S + polarisation], float(polarisation)
        for j in range(2 * count):
            run_packed(t.programs, first + j, values, registers, result)
            values[KNOWN + j] = result[0]
            if j % 2 == 1:
                theta, power = values[KNOWN + j - 1], result[0]
                if not (power > 0.0 and power < MOST_POWER and math.isfinite(theta)):
                    values[KNOWN + j] = 0.0
                outputs[polarisation, j // 2, 0] = theta
                outputs[polarisation, j // 2, 1] = values[KNOWN + j]
    rows, n = np.empty((2 * count, 3)), 0
    for j in range(count):
        if outputs[0, j, 0] == outputs[1, j, 0]:
            rows[n, 0] = outputs[0, j, 0]
            rows[n, 1] = outputs[0, j, 1]
            rows[n, 2] = outputs[1, j, 1]
            n += 1
        else:
            for polarisation in range(2):
                rows[n, 0], rows[n, 1], rows[n, 2] = outputs[polarisation, j, 0], 0.0, 0.0
                rows[n, 1 + polarisation] = outputs[polarisation, j, 1]
                n += 1
    return rows[:n], nx, ny


@allocating
def count_custom_rays(t: Tables, b: Batch, ray_index: int) -> None:
    """Count the outgoing rays of a custom surface that are strong enough to be traced, and store
    the power that is lost with the others or gained.
    """
    rows, _, _ = evaluate_outgoing_rays(
        t, b, ray_index, b.ray[ray_index, rays.X], b.ray[ray_index, rays.Y]
    )
    total, weak = 0.0, 0.0
    for j in range(len(rows)):
        power = rows[j, 1] + rows[j, 2]
        total += power
        if not power > t.weakest_reflected:
            weak += power
        elif j > 0:
            b.hit[ray_index, rays.CHILD] += 1
    if total > 0.0:  # no outgoing power is absorption, not loss
        b.interface[ray_index, rays.LOST] = weak
        b.interface[ray_index, rays.GAINED] = (
            total - b.ray[ray_index, rays.S] - b.ray[ray_index, rays.P]
        )


@allocating
def emit_custom_rays(
    t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot, px: float, py: float
) -> int:
    """Create the outgoing rays of a custom surface. The first one continues the incident ray, the
    others are its children. Returns the status of the row.
    """
    rows, nx, ny = evaluate_outgoing_rays(t, b, ray_index, px, py)
    ray, mark = b.ray[ray_index], b.mark[ray_index]
    total, children = 0.0, 0
    for j in range(len(rows)):
        total += rows[j, 1] + rows[j, 2]
        if j > 0 and rows[j, 1] + rows[j, 2] > t.weakest_reflected:
            children += 1
    flags = GAP if children > 1 else mark[rays.FLAGS] & GAP
    n = 0
    for j in range(1, len(rows)):
        if rows[j, 1] + rows[j, 2] > t.weakest_reflected:
            dx, dy = direction_at_angle(nx, ny, rows[j, 0])
            child = rays.create_child_ray(
                b, ray_index, q, spot, n, BY_CUSTOM, (dx, dy), rows[j, 1], rows[j, 2], flags
            )
            if b.hit[ray_index, rays.SHARED]:
                find_bodies_inside(t, q.inside[child], spot.x, spot.y, dx, dy)
            n += 1
    if len(rows) > 0 and rows[0, 1] + rows[0, 2] > t.weakest_reflected:
        dx, dy = direction_at_angle(nx, ny, rows[0, 0])
        rays.set_direction(ray, (dx, dy))
        rays.set_powers(ray, rows[0, 1], rows[0, 2])
        if b.hit[ray_index, rays.SHARED]:
            find_bodies_inside(t, b.inside[ray_index], spot.x, spot.y, dx, dy)
        mark[rays.INTERACTION] = BY_CUSTOM
        return CONTINUED
    mark[rays.ALIVE] = 0
    if children > 0:
        return CONTINUED
    return TRUNCATED if total > 0.0 else ABSORBED


@rare
def direction_at_angle(nx: float, ny: float, angle: float) -> tuple[float, float]:
    """The direction at an angle ``angle`` (rad) to the normal (``nx``, ``ny``): the opposite of the
    normal, rotated by -``angle``.
    """
    c, s = math.cos(angle), math.sin(angle)
    return -nx * c - ny * s, nx * s - ny * c
