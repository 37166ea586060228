"""Curved rays: integration of the ray equation d/ds(n dr/ds) = grad n up to the first surface, for
`LANES` rays at the same time.
"""

import math

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.kinds.primitives import GRADED_EXTENT, MATERIAL
from raybench.optics.colour import GREEN
from raybench.trace.compilation.jit import LANES, NONE, ONE, ZERO, allocating, inner, rare, whole
from raybench.trace.kernels import curved_step, rays
from raybench.trace.kernels.medium import (
    compute_forces,
    index_distinct_media,
    is_ray_bent,
    medium_registers,
)
from raybench.trace.kernels.nearest_hit import find_nearest_hits, hit_in_sight, put_in_sight
from raybench.trace.kernels.rays import Batch, Ray
from raybench.trace.tables.bvh import Walk
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import LEAST_STEP, PATH_END

MOST_STEPS = 20_000
"""Maximum number of steps of one path."""
PIECE = 0.02
"""The angle (rad) between neighbouring points of a path's polyline."""
MOST_TURN = 0.5
"""The largest angle (rad) that a path turns in one step."""
LAST_PIECE = 1e-3
"""Length of the polyline's last piece, as a fraction of the piece before: short enough to have the
direction at the end.
"""
FIRST_STEP, LONGEST_STEP = 0.1, 0.5
"""Length of the first step and maximum length of a step, as fractions of the smallest
gradient-index body's size.
"""
SAFETY, SHRINK, GROW, POWER = 0.9, 0.2, 4.0, -1.0 / curved_step.ORDER
"""Step size control: the next step is SAFETY error^POWER steps, from SHRINK to GROW (Hairer et al.,
II.4).
"""
LEAST_SQUARE, MOST_SQUARE = 1e-300, 1e300
"""Where the square of the index, or of the momentum n dr/ds, is beyond these, the forces, which are
such products, have no value.
"""
MOST_END_STEPS = 20
"""Maximum number of iterations for the end of a path on a surface."""
# columns of `Batch.path`
(
    X0,
    Y0,
    DX0,
    DY0,
    S0,
    P0,
    POINTS,
    PATH_LOSS,
    ENDING,
    LINE,
    WRITTEN,
    STOKES_2,
    STOKES_3,
    PATH_WIDTH,
) = range(14)
# how a path ends
STRAIGHT, REACHED, FAILED, CUT = range(-1, 3)

# rows of numbers, a column for each lane, after those of the step: what is kept of a step while the
# path's end is searched, and the forces kept with it; the next step; how fast the path turns;
# length so far; the piece's start, its length, how far back the search begins, how far into the
# step, and the whole step
KEPT, KEPT_FORCES = curved_step.STEP_ROWS, curved_step.STEP_ROWS + curved_step.OUTCOME
NEXT_STEP, TURNING, TRAVELLED, FROM_X, FROM_Y, LENGTH, REACH, TAU, WHOLE_STEP, NUMBERS = range(
    KEPT_FORCES + 3, KEPT_FORCES + 13
)
# rows of counts: the ray in a lane (-1 for none), whether its path's end is searched, steps so far,
# the piece of the step and how many it has, steps of the search, points of the polyline
RAY, SEARCHING, STEPS, AT_PIECE, PIECES, AGAIN, COUNT, COUNTS = range(8)


@rare
def distance_to_next_hit(t: Tables, walk: Walk, sight: Floats, ray: Ray) -> float:
    """The distance from a ray's start to its first hit if the ray continues straight on. The ray
    becomes the first of the ``sight``.
    """
    put_in_sight(t, sight, ZERO, ray)
    find_nearest_hits(t, walk, sight, ONE)
    return hit_in_sight(sight, ZERO)[0]


@inner
def straight_ray(t: Tables, b: Batch, ray_index: int) -> Ray:
    """A ray of a batch as the straight line that is searched for hits. A curved path was moved back
    from its surface, so that this line intersects the surface again.
    """
    ray, origin = b.ray[ray_index], whole(b.tag[ray_index, rays.ORIGIN])
    if len(t.graded) > 0 and b.path[ray_index, ENDING] != STRAIGHT:
        origin = NONE
    return Ray(
        ray[rays.X], ray[rays.Y], ray[rays.DX], ray[rays.DY], b.wavelength[ray_index], origin
    )


@inner
def add_path_point(b: Batch, lane_counters: Integers, lane: int, x: float, y: float) -> None:
    """Add a point to the polyline of a lane. If the log of points is full, the point is only
    counted; the search is later repeated with a larger log.
    """
    at = b.chunk[rays.LOGGED]
    if at < len(b.log):
        b.log[at, 0], b.log[at, 1], b.log_ray[at] = x, y, lane_counters[RAY, lane]
    b.chunk[rays.LOGGED] = at + 1
    lane_counters[COUNT, lane] += 1


@inner
def copy_lane_rows(
    lane_values: Floats, first_row: int, to_row: int, row_count: int, lane: int
) -> None:
    for j in range(row_count):
        lane_values[to_row + j, lane] = lane_values[first_row + j, lane]


@rare
def start_ray_in_lane(
    t: Tables,
    b: Batch,
    ray: int,
    lane: int,
    lane_values: Floats,
    lane_counters: Integers,
    media: Integers,
    inside: Integers,
) -> None:
    """Begin the integration of a ray in a lane. Its momentum and the force at its start are
    computed later.
    """
    path = b.path
    lane_values[curved_step.AT_X, lane] = path[ray, X0]
    lane_values[curved_step.AT_Y, lane] = path[ray, Y0]
    lane_values[curved_step.AT_LOSS, lane] = 0.0
    lane_values[FROM_X, lane] = path[ray, X0]
    lane_values[FROM_Y, lane] = path[ray, Y0]
    lane_values[TRAVELLED, lane] = 0.0
    wavelength = b.wavelength[ray]
    lane_values[curved_step.WAVELENGTH, lane] = GREEN if math.isnan(wavelength) else wavelength
    lane_values[curved_step.SIZE, lane] = math.inf
    for g in range(len(t.graded)):
        inside[g, lane] = 0
    for g in range(len(t.graded)):
        inside[media[g, 0], lane] += whole(b.inside[ray, g])
        if b.inside[ray, g] and t.flags[t.graded[g]] & MATERIAL == 0:
            lane_values[curved_step.SIZE, lane] = min(
                lane_values[curved_step.SIZE, lane], t.parameters[t.graded[g], GRADED_EXTENT]
            )
    for j in range(COUNTS):
        lane_counters[j, lane] = 0
    lane_counters[RAY, lane] = ray


@rare
def end_path_in_lane(
    t: Tables, b: Batch, lane: int, lane_counters: Integers, ending: int,
    x: float, y: float, dx: float, dy: float, loss: float,
) -> None:  # fmt: skip
    """End the path of a lane's ray at (``x``, ``y``) with the direction (``dx``, ``dy``), and move
    the ray to a point just before.
    """
    i = lane_counters[RAY, lane]
    ray, path = b.ray[i], b.path[i]
    lane_counters[RAY, lane] = -1
    back, left = 2.0 * t.shortest if ending != CUT else 0.0, math.exp(-loss)
    if not rays.total_power(ray) * left < math.inf:  # negative absorption has overflowed it
        ending, left = FAILED, 1.0
    path[POINTS], path[ENDING] = lane_counters[COUNT, lane], ending
    path[PATH_LOSS] = rays.total_power(ray) * (1.0 - left)
    ray[rays.X], ray[rays.Y] = x - back * dx, y - back * dy
    rays.set_direction(ray, (dx, dy))
    rays.set_powers(ray, ray[rays.S] * left, ray[rays.P] * left)


@rare
def end_path_at_last_point(
    t: Tables, b: Batch, lane: int, lane_values: Floats, lane_counters: Integers, ending: int
) -> None:
    """End the path of a lane's ray at its last point, because the integration failed or was
    stopped.
    """
    tx, ty = lane_values[curved_step.AT_TX, lane], lane_values[curved_step.AT_TY, lane]
    norm, loss = math.hypot(tx, ty), lane_values[curved_step.AT_LOSS, lane]
    x, y = lane_values[FROM_X, lane], lane_values[FROM_Y, lane]
    end_path_in_lane(t, b, lane, lane_counters, ending, x, y, tx / norm, ty / norm, loss)


@rare
def set_initial_force(
    t: Tables, b: Batch, lane: int, lane_values: Floats, lane_counters: Integers, forces: Floats
) -> None:
    """Set the momentum and the force at the start of a new lane's ray. The force was computed
    together with those at the ends of steps. Ends the path if the index is undefined.
    """
    ray, n = lane_counters[RAY, lane], abs(lane_values[curved_step.INDEX, lane])
    x, y, dx, dy = b.path[ray, X0], b.path[ray, Y0], b.path[ray, DX0], b.path[ray, DY0]
    add_path_point(b, lane_counters, lane, x, y)
    lane_values[curved_step.AT_TX, lane], lane_values[curved_step.AT_TY, lane] = n * dx, n * dy
    for j in range(3):
        forces[j, lane] = forces[3 * (curved_step.STAGES + 1) + j, lane]
    lane_values[NEXT_STEP, lane] = FIRST_STEP * lane_values[curved_step.SIZE, lane] / n
    if not LEAST_SQUARE < n * n < MOST_SQUARE:
        end_path_in_lane(t, b, lane, lane_counters, whole(FAILED), x, y, dx, dy, 0.0)


@rare
def choose_step_length(
    lane_values: Floats, lane_counters: Integers, forces: Floats, lane: int
) -> None:
    """Choose the length of a lane's next step."""
    if lane_counters[RAY, lane] < 0:
        lane_values[curved_step.TAKEN, lane] = 0.0
    elif lane_counters[SEARCHING, lane]:
        lane_values[curved_step.TAKEN, lane] = lane_values[TAU, lane]
    else:
        speed = math.hypot(
            lane_values[curved_step.AT_TX, lane], lane_values[curved_step.AT_TY, lane]
        )
        turning = abs(
            forces[0, lane] * lane_values[curved_step.AT_TY, lane]
            - forces[1, lane] * lane_values[curved_step.AT_TX, lane]
        ) / (speed * speed)
        step = min(
            lane_values[NEXT_STEP, lane], LONGEST_STEP * lane_values[curved_step.SIZE, lane] / speed
        )
        lane_values[TURNING, lane] = turning
        lane_values[curved_step.TAKEN, lane] = (
            MOST_TURN / turning if step * turning > MOST_TURN else step
        )


@rare
def accept_or_reject_step(
    t: Tables, b: Batch, lane_values: Floats, lane_counters: Integers, forces: Floats, lane: int
) -> bool:
    """Accept the step of a lane and divide it into straight pieces. Returns False if the error is
    too large; the next step is then shorter.
    """
    step = lane_values[curved_step.TAKEN, lane]
    # where the index grows without bound, a state overflows before the estimate of its error does
    square = (
        lane_values[curved_step.TO_TX, lane] * lane_values[curved_step.TO_TX, lane]
        + lane_values[curved_step.TO_TY, lane] * lane_values[curved_step.TO_TY, lane]
    )
    error = (
        lane_values[curved_step.ERROR, lane] if LEAST_SQUARE < square < MOST_SQUARE else math.inf
    )
    lane_counters[STEPS, lane] += 1
    if not error <= 1.0:
        step *= max(SHRINK, SAFETY * error**POWER) if error < math.inf else SHRINK
        lane_values[NEXT_STEP, lane] = step
        speed = math.hypot(
            lane_values[curved_step.AT_TX, lane], lane_values[curved_step.AT_TY, lane]
        )
        if (
            lane_counters[STEPS, lane] >= MOST_STEPS
            or not step * speed > LEAST_STEP * lane_values[curved_step.SIZE, lane]
        ):
            end_path_at_last_point(t, b, lane, lane_values, lane_counters, whole(FAILED))
        return False
    lane_values[NEXT_STEP, lane] = step * (
        min(GROW, SAFETY * error**POWER) if error > 0.0 else GROW
    )
    tx, ty = lane_values[curved_step.AT_TX, lane], lane_values[curved_step.AT_TY, lane]
    turning = lane_values[TURNING, lane]
    for m in range(
        curved_step.STAGES - curved_step.COLUMNS, curved_step.STAGES
    ):  # also where the path turns within the step, and back
        turning = max(
            turning,
            abs(forces[3 * m, lane] * ty - forces[3 * m + 1, lane] * tx) / (tx * tx + ty * ty),
        )
    lane_counters[PIECES, lane] = 1 + int(turning * step / PIECE)
    lane_counters[AT_PIECE, lane] = 1
    return True


@rare
def add_step_to_path(
    t: Tables, b: Batch, lane_values: Floats, lane_counters: Integers, forces: Floats, lane: int
) -> bool:
    """Add the remaining pieces of a lane's step to the path, and go to the end of the step. Returns
    False if a surface is in the way; the search for the end of the path then begins, and its data
    of the step are stored.
    """
    pieces, step = lane_counters[PIECES, lane], lane_values[curved_step.TAKEN, lane]
    while lane_counters[AT_PIECE, lane] <= pieces:
        x, y = lane_values[FROM_X, lane], lane_values[FROM_Y, lane]
        to_x, to_y = curved_step.point_within_step(
            lane_values, forces, lane, lane_counters[AT_PIECE, lane] / pieces
        )
        length = math.hypot(to_x - x, to_y - y)
        if length > 0.0 and lane_counters[SEARCHING, lane] == 0:
            dx, dy = (to_x - x) / length, (to_y - y) / length
            # pieces overlap slightly, so that no surface is missed at their joints
            back = min(2.0 * t.shortest, 0.5 * lane_values[TRAVELLED, lane])
            wavelength = b.wavelength[lane_counters[RAY, lane]]
            r = Ray(x - back * dx, y - back * dy, dx, dy, wavelength, NONE)
            ahead = distance_to_next_hit(t, b.walk, b.sight, r) - back
            if ahead <= length:
                lane_values[TAU, lane] = (
                    step * (lane_counters[AT_PIECE, lane] - 1 + max(0.0, ahead) / length) / pieces
                )
                lane_values[LENGTH, lane], lane_values[REACH, lane] = length, length
                lane_counters[SEARCHING, lane], lane_counters[AGAIN, lane] = 1, 0
                copy_lane_rows(lane_values, curved_step.TO_X, KEPT, curved_step.OUTCOME, lane)
                for j in range(3):
                    lane_values[KEPT_FORCES + j, lane] = forces[3 * curved_step.STAGES + j, lane]
                lane_values[WHOLE_STEP, lane] = step
                return False
        lane_counters[SEARCHING, lane] = 0
        if length > 0.0:
            add_path_point(b, lane_counters, lane, to_x, to_y)
            lane_values[TRAVELLED, lane] += length
            lane_values[FROM_X, lane], lane_values[FROM_Y, lane] = to_x, to_y
        lane_counters[AT_PIECE, lane] += 1
    copy_lane_rows(lane_values, curved_step.TO_X, curved_step.AT_X, 5, lane)
    for j in range(3):
        forces[j, lane] = forces[3 * curved_step.STAGES + j, lane]
    return True


@rare
def end_path_if_step_meets_surface(
    t: Tables, b: Batch, lane_values: Floats, lane_counters: Integers, forces: Floats, lane: int
) -> bool:
    """Check a lane's step that should end on the surface ahead, and end the path if it does.
    Returns True if the search is given up; the step then continues.
    """
    speed = math.hypot(lane_values[curved_step.TO_TX, lane], lane_values[curved_step.TO_TY, lane])
    dx, dy = (
        lane_values[curved_step.TO_TX, lane] / speed,
        lane_values[curved_step.TO_TY, lane] / speed,
    )
    x = lane_values[curved_step.TO_X, lane]
    y = lane_values[curved_step.TO_Y, lane]
    from_x = lane_values[FROM_X, lane]
    from_y = lane_values[FROM_Y, lane]
    reach = min(
        lane_values[REACH, lane],
        0.5 * (lane_values[TRAVELLED, lane] + math.hypot(x - from_x, y - from_y)),
    )
    wavelength = b.wavelength[lane_counters[RAY, lane]]
    r = Ray(x - reach * dx, y - reach * dy, dx, dy, wavelength, NONE)
    off = distance_to_next_hit(t, b.walk, b.sight, r) - reach
    lane_counters[AGAIN, lane] += 1
    if abs(off) <= lane_values[LENGTH, lane]:
        if abs(off) <= PATH_END * lane_values[curved_step.SIZE, lane]:
            x, y = x + off * dx, y + off * dy
            last = LAST_PIECE * math.hypot(x - from_x, y - from_y)
            add_path_point(b, lane_counters, lane, x - last * dx, y - last * dy)
            add_path_point(b, lane_counters, lane, x, y)
            end_path_in_lane(
                t,
                b,
                lane,
                lane_counters,
                whole(REACHED),
                x,
                y,
                dx,
                dy,
                lane_values[curved_step.TO_LOSS, lane],
            )
            return False
        if lane_counters[AGAIN, lane] < MOST_END_STEPS:
            lane_values[TAU, lane] += off / speed
            lane_values[REACH, lane] = 4.0 * (abs(off) + t.shortest)
            return False
    copy_lane_rows(lane_values, KEPT, curved_step.TO_X, curved_step.OUTCOME, lane)
    for j in range(3):
        forces[3 * curved_step.STAGES + j, lane] = lane_values[KEPT_FORCES + j, lane]
    lane_values[curved_step.TAKEN, lane] = lane_values[WHOLE_STEP, lane]
    return True


@allocating
def integrate_paths(t: Tables, b: Batch, state: Integers) -> int:
    """Integrate the paths of a batch's rays up to the first surface. They start at the points and
    directions in ``Batch.path`` (X0 ... DY0).

    Writes POINTS, PATH_LOSS and ENDING, and moves each ray to just before its path's end, with the
    power that is left; rays outside all bodies are STRAIGHT. Points are logged in the batch.
    Returns the number of rays, or if the trace is to stop that of those begun; the ones on their
    way are then CUT.
    """
    media, bodies, last = index_distinct_media(t), len(t.graded), whole(b.chunk[rays.COUNT])
    registers = medium_registers(t, media)
    number, k = np.zeros((NUMBERS, LANES)), np.zeros((3 * (curved_step.STAGES + 2), LANES))
    count, inside = np.zeros((COUNTS, LANES), np.int64), np.zeros((bodies, LANES), np.int64)
    at = number[curved_step.PX : curved_step.INDEX + 1]
    for lane in range(LANES):
        count[RAY, lane] = -1
    ray = 0
    while True:
        fresh = 0
        for lane in range(LANES):
            while count[RAY, lane] < 0 and ray < last:
                b.path[ray, POINTS], b.path[ray, ENDING] = 0.0, STRAIGHT
                if is_ray_bent(t, b.inside[ray]):
                    start_ray_in_lane(t, b, ray, lane, number, count, media, inside)
                    fresh |= 1 << lane
                ray += 1
        if fresh != 0:
            for lane in range(LANES):
                at[0, lane] = number[curved_step.AT_X, lane]
                at[1, lane] = number[curved_step.AT_Y, lane]
            compute_forces(t, media, inside, at, registers, k, 3 * (curved_step.STAGES + 1))
            for lane in range(LANES):
                if (fresh >> lane) & 1:
                    set_initial_force(t, b, lane, number, count, k)
        working = False
        for lane in range(LANES):
            choose_step_length(number, count, k, lane)
            working = working or count[RAY, lane] >= 0
        if not working:
            if ray == last:
                return last
            continue
        curved_step.compute_integration_step(t, media, inside, number, k, registers)
        for lane in range(LANES):
            if count[RAY, lane] < 0:
                continue
            if count[SEARCHING, lane]:
                through = end_path_if_step_meets_surface(t, b, number, count, k, lane)
            else:
                through = accept_or_reject_step(t, b, number, count, k, lane)
            if (
                through
                and add_step_to_path(t, b, number, count, k, lane)
                and count[STEPS, lane] >= MOST_STEPS
            ):
                end_path_at_last_point(t, b, lane, number, count, whole(FAILED))
        if state[rays.STOP] != 0:
            for lane in range(LANES):
                if count[RAY, lane] >= 0:
                    end_path_at_last_point(t, b, lane, number, count, whole(CUT))
            return ray


@rare
def store_path_starts(b: Batch) -> None:
    """Store where the rays of the batch start, before the integration moves them."""
    b.chunk[rays.LOGGED] = 0
    for i in range(b.chunk[rays.COUNT]):
        for j in range(6):
            b.path[i, X0 + j] = b.ray[i, rays.X + j]
        for j in range(b.stokes.shape[1]):
            b.path[i, STOKES_2 + j] = b.stokes[i, j]
        b.path[i, PATH_LOSS] = 0.0


@rare
def write_polylines(b: Batch, polyline: Floats, first_point: int) -> None:
    """Write the points of the paths, ray by ray, to ``polyline`` from the index ``first_point`` on.
    Column LINE gets the index at which each path begins.
    """
    path, at = b.path, first_point
    for i in range(b.chunk[rays.COUNT]):
        path[i, LINE], path[i, WRITTEN] = at, 0.0
        at += int(path[i, POINTS])
    for j in range(b.chunk[rays.LOGGED]):
        i = b.log_ray[j]
        to = int(path[i, LINE] + path[i, WRITTEN])
        polyline[to, 0], polyline[to, 1] = b.log[j, 0], b.log[j, 1]
        path[i, WRITTEN] += 1.0
