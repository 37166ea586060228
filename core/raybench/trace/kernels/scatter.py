"""Scatter at edges with a finish (`raybench.scene.finishes`): the light that leaves such an edge in a
specular direction gives a share of its power to child rays about that direction, and a painted edge
absorbs the rest of the light that arrives.
"""

import math

from raybench.arrays import Floats
from raybench.kinds.primitives import (
    FINISH_NODES,
    FINISH_NODES_END,
    FINISH_OUTLINE,
    FINISH_OUTLINE_END,
    FINISH_RAYS,
    FINISH_REFLECTANCE,
    FINISH_REFLECTED,
    FINISH_TRANSMITTED,
    Surface,
)
from raybench.optics import laws
from raybench.trace.codes import Flag, Interaction, Status
from raybench.trace.compilation.jit import NONE, ONE, ZERO, inner, place, rare, whole
from raybench.trace.kernels import rays
from raybench.trace.kernels.medium import find_bodies_inside, wavelength_column
from raybench.trace.kernels.rays import Batch, Queue, Spot
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import WEAK_REFLECTION, WEAKEST_SPECULAR, WIDEST_SINE

reflect = inner(laws.reflect)
ABSORB, REFRACT = int(Surface.ABSORB), int(Surface.REFRACT)
BY_SCATTER, BY_REFLECT, BY_REFRACT = (
    int(i) for i in (Interaction.SCATTER, Interaction.REFLECT, Interaction.REFRACT)
)
CONTINUED, ABSORBED, TRUNCATED = (
    int(s) for s in (Status.CONTINUED, Status.ABSORBED, Status.TRUNCATED)
)
GAP, RESAMPLED = int(Flag.GAP), int(Flag.RESAMPLED)
SPECULAR = 1 << 20
"""The first number of the draws for specular light, above those of all scattered rays of a hit."""


@rare
def finish_row(t: Tables, b: Batch, ray_index: int, dx: float, dy: float) -> int:
    """The row of `Tables.finish_rows` for a ray of direction (``dx``, ``dy``) that hits an object
    with finished edges; -1 if the edge that it hits has no finish.
    """
    primitive = b.hit[ray_index, rays.PRIMITIVE]
    if primitive < 0 or t.finish[primitive] < 0:
        return NONE
    interface, columns = b.interface[ray_index], 1 + len(t.wavelengths)
    outward = dx * interface[rays.NX] + dy * interface[rays.NY] > 0.0
    column = columns * whole(t.finish[primitive]) + wavelength_column(t, b.wavelength[ray_index])
    return whole(2 * column + (1 if outward else 0))


@rare
def acting_surface(t: Tables, b: Batch, ray_index: int) -> int:
    """The interaction with an object that has finished edges: a painted edge absorbs light, unless
    the hit is ill-defined.
    """
    surface = whole(t.surface[b.hit[ray_index, rays.OBJECT]])
    if math.isnan(b.interface[ray_index, rays.RATIO]):
        return surface
    row = finish_row(t, b, ray_index, b.ray[ray_index, rays.DX], b.ray[ray_index, rays.DY])
    return ABSORB if row >= 0 and t.finish_rows[row, FINISH_REFLECTANCE] >= 0.0 else surface


@rare
def count_scattered_rays(t: Tables, b: Batch, ray_index: int) -> int:
    """Count the places for scattered rays of a ray that hits an object with finished edges, and
    store their number. A place is left empty where the scattered light is too weak.
    """
    hit, interface = b.hit[ray_index], b.interface[ray_index]
    row = finish_row(t, b, ray_index, b.ray[ray_index, rays.DX], b.ray[ray_index, rays.DY])
    if row < 0 or math.isnan(interface[rays.RATIO]):
        return ZERO
    finish, glass = t.finish_rows[row], t.surface[hit[rays.OBJECT]] == REFRACT
    painted, count = finish[FINISH_REFLECTANCE] >= 0.0, 0.0
    through = glass and not painted and interface[rays.COS_T] >= 0.0
    if finish[FINISH_REFLECTED] > 0.0 and (hit[rays.CHILD] > 0 or not through):
        count += finish[FINISH_RAYS]
    if finish[FINISH_TRANSMITTED] > 0.0 and through:
        count += finish[FINISH_RAYS]
    if finish[FINISH_REFLECTANCE] == 0.0:
        count = 0.0
    b.seed[ray_index, rays.SCATTERED] = place(count)
    return whole(count)


@rare
def interpolate_finish(t: Tables, row: int, value: float, column: int) -> float:
    """The cumulative distribution of a finish at a difference ``value`` of sines (``column`` 0), or
    the difference at which it has a value (``column`` 1).
    """
    size = math.fabs(value)
    low = int(t.finish_rows[row, FINISH_NODES])
    high = int(t.finish_rows[row, FINISH_NODES_END]) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if t.finish_nodes[middle, column] <= size:
            low = middle
        else:
            high = middle
    a, c = t.finish_nodes[low], t.finish_nodes[high]
    width = c[column] - a[column]
    f = min((size - a[column]) / width, 1.0) if width > 0.0 else 0.0
    return math.copysign(a[1 - column] + f * (c[1 - column] - a[1 - column]), value)


@rare
def sines_towards_target(
    t: Tables, row: int, spot: Spot, nx: float, ny: float
) -> tuple[float, float]:
    """The lowest and the highest sine, along (-``ny``, ``nx``), of the directions from a point of
    a finished edge to the outline of its target, on the side of the normal (``nx``, ``ny``). The
    first is above the second if there is no target on that side.
    """
    low, high, ahead = 2.0, -2.0, False
    first, end = t.finish_rows[row, FINISH_OUTLINE], t.finish_rows[row, FINISH_OUTLINE_END]
    for k in range(int(first), int(end)):
        x, y = t.finish_outlines[k, 0] - spot.x, t.finish_outlines[k, 1] - spot.y
        along = y * nx - x * ny
        if x * nx + y * ny > 0.0:
            ahead = True
            sine = along / math.sqrt(x * x + y * y)
        else:
            sine = math.copysign(1.0, along)
        low, high = min(low, sine), max(high, sine)
    if not ahead:
        return 2.0, -2.0
    return low, high


@rare
def scatter_light(
    t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot, row: int, share: float,
    direction: tuple[float, float], power: float, number: int,
) -> tuple[float, float, bool]:  # fmt: skip
    """Scatter light that leaves a finished edge in a specular ``direction`` with a ``power``. The
    children have the numbers from ``number`` on. ``share`` is scattered at normal incidence.

    Rays weaker than `Tables.weakest_scattered` survive with a probability (Russian roulette).
    Returns the share that is scattered, the power that this adds less what it removes, and whether a
    ray goes on.
    """
    finish, interface = t.finish_rows[row], b.interface[ray_index]
    nx, ny = interface[rays.NX], interface[rays.NY]
    if direction[0] * nx + direction[1] * ny < 0.0:
        nx, ny = -nx, -ny
    start = direction[1] * nx - direction[0] * ny
    low = interpolate_finish(t, row, -1.0 - start, ZERO)
    whole_range = interpolate_finish(t, row, 1.0 - start, ZERO) - low
    share = min(share * whole_range, 1.0)
    power *= share
    count, aimed, first, part = int(finish[FINISH_RAYS]), 0, low, 0.0
    least, most = sines_towards_target(t, row, spot, nx, ny)
    if least < most:
        first = interpolate_finish(t, row, least - start, ZERO)
        part = interpolate_finish(t, row, most - start, ZERO) - first
        if part > 0.0:
            aimed = count if part >= whole_range else max(count // 2, 1)
    draws = rays.mixed_seed(
        rays.path_seed(b.seed[ray_index, rays.PATH], whole(b.tag[ray_index, rays.DEPTH]), ZERO),
        t.random_seed,
    )
    offset = rays.uniform_number(rays.mixed_seed(draws, ZERO))
    gained, goes_on = 0.0, False
    for k in range(count):
        is_aimed = k < aimed
        number_of = aimed if is_aimed else count - aimed
        span = part if is_aimed else whole_range - (part if aimed > 0 else 0.0)
        step = k if is_aimed else k - aimed
        jitter = rays.uniform_number(rays.mixed_seed(draws, number + k))
        at = (step + jitter) / number_of * span
        at += first if is_aimed else low
        if aimed > 0 and not is_aimed and at > first:
            at += part
        weight = span / whole_range
        one, weakest = power * weight / number_of, t.weakest_scattered * weight
        flags = GAP
        if not one > 0.0:
            gained -= one
            continue
        if not one > weakest:
            gained -= one
            # at equal distances along the rays of a hit, so that their number hardly varies
            chance = one / weakest
            if not math.floor(offset + (step + 1) * chance) > math.floor(offset + step * chance):
                continue
            one, flags = weakest, GAP | RESAMPLED
            gained += one
        sine = start + interpolate_finish(t, row, at, ONE)
        sine = min(max(sine, -WIDEST_SINE), WIDEST_SINE)
        cosine = math.sqrt(1.0 - sine * sine)
        dx, dy = cosine * nx - sine * ny, cosine * ny + sine * nx
        child = rays.create_child_ray(
            b, ray_index, q, spot, number + k, BY_SCATTER, (dx, dy), one / 2.0, one / 2.0, flags
        )
        goes_on = True
        if q.inside.shape[1] > 0:
            find_bodies_inside(t, q.inside[child], spot.x, spot.y, dx, dy)
    return share, gained, goes_on


@rare
def leave_specular(
    t: Tables, b: Batch, ray_index: int, light: Floats, share: float, number: int
) -> tuple[bool, float]:
    """Take the ``share`` that is scattered from ``light``, a row of `Queue.ray`. What is left, if it
    is very weak, survives with a probability. Returns whether it goes on, and the power that this
    adds. ``number`` tells the two lights of a hit apart.
    """
    weakest = max(WEAK_REFLECTION * rays.total_power(light), WEAKEST_SPECULAR * t.weakest_scattered)
    rays.set_powers(light, light[rays.S] * (1.0 - share), light[rays.P] * (1.0 - share))
    left = rays.total_power(light)
    if left > weakest:
        return True, 0.0
    if not left > 0.0:
        return False, -left
    seed = rays.path_seed(b.seed[ray_index, rays.PATH], whole(b.tag[ray_index, rays.DEPTH]), ZERO)
    draw = rays.mixed_seed(seed, t.random_seed)
    chance = rays.uniform_number(rays.mixed_seed(draw, SPECULAR + number))
    if not chance * weakest < left:
        return False, -left
    rays.set_powers(light, light[rays.S] * (weakest / left), light[rays.P] * (weakest / left))
    return True, weakest - left


@rare
def scatter_at_edge(
    t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot, dx: float, dy: float,
    first_child: int, status: int,
) -> tuple[int, float, float]:  # fmt: skip
    """Scatter the light that leaves an edge with a finish, after the interaction there: the ray
    itself, which arrived with the direction (``dx``, ``dy``), and its reflected child. A painted
    edge reflects the ray first.

    ``first_child`` is the place of its first child in the queue. Returns the status of the row, the
    power that is absorbed, and the power that is added where some rays stand for all.
    """
    row = finish_row(t, b, ray_index, dx, dy)
    hit, ray, mark = b.hit[ray_index], b.ray[ray_index], b.mark[ray_index]
    interface = b.interface[ray_index]
    if row < 0 or math.isnan(interface[rays.RATIO]):
        return status, 0.0, 0.0
    finish, reflected = t.finish_rows[row], hit[rays.CHILD]
    # scattered rays are numbered from 1 on; a reflected child has the number 0
    before = 0 if reflected >= 0 else 1
    hit[rays.CHILD] = first_child - before
    spot = Spot(spot.x, spot.y, spot.row, spot.serial - before)
    for k in range(whole(b.seed[ray_index, rays.SCATTERED])):
        q.mark[place(first_child + 1 - before + k), rays.ALIVE] = 0
    absorbed, arrived = 0.0, rays.total_power(ray)
    reflectance = finish[FINISH_REFLECTANCE]
    if reflectance == 0.0:
        return status, 0.0, 0.0
    if reflectance > 0.0:
        absorbed = (1.0 - reflectance) * arrived
        rays.set_direction(ray, reflect(dx, dy, interface[rays.NX], interface[rays.NY]))
        rays.set_powers(ray, ray[rays.S] * reflectance, ray[rays.P] * reflectance)
        mark[rays.INTERACTION], mark[rays.ALIVE] = BY_REFLECT, 1
    gained, number, goes_on = 0.0, ONE, False
    share = finish[FINISH_REFLECTED]
    if reflected >= 0 and share > 0.0:
        child = q.ray[place(reflected)]
        share, more, goes_on = scatter_light(
            t, b, ray_index, q, spot, row, share, (child[rays.DX], child[rays.DY]),
            rays.total_power(child), number,
        )  # fmt: skip
        left, added = leave_specular(t, b, ray_index, child, share, ZERO)
        q.mark[place(reflected), rays.ALIVE] = 1 if left else 0
        if added > 0.0:
            q.mark[place(reflected), rays.FLAGS] |= RESAMPLED
        goes_on = goes_on or left
        gained += more + added
        number += int(finish[FINISH_RAYS])
    elif reflected >= 0:
        goes_on = True
    if reflectance < 0.0 and mark[rays.INTERACTION] == BY_REFRACT:
        share = finish[FINISH_TRANSMITTED]
    else:
        share = finish[FINISH_REFLECTED]
    if mark[rays.ALIVE] and share > 0.0:
        share, more, scattered = scatter_light(
            t, b, ray_index, q, spot, row, share, (ray[rays.DX], ray[rays.DY]),
            rays.total_power(ray), number,
        )  # fmt: skip
        left, added = leave_specular(t, b, ray_index, ray, share, ONE)
        mark[rays.ALIVE] = 1 if left else 0
        if added > 0.0:
            mark[rays.FLAGS] |= RESAMPLED
        goes_on = goes_on or scattered
        gained += more + added
    return CONTINUED if mark[rays.ALIVE] or goes_on else TRUNCATED, absorbed, gained
