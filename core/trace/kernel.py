"""The kernels: rays through flat tables, a generation at a time.

A generation is a range of live entries whose places in the order of processing are known. Four steps take it further: nearest hits,
in any order; what each entry's predecessor hit and how many children it will have, in any order; the children's places, in order; and
the interactions with their rows, in any order. So any number of threads gives the rows that one gives.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from core.optics import fresnel, grating, thin_lens
from core.trace.codes import Flag, Interaction, Status
from core.trace.kernel_cache import kernel_folder
from core.trace.tables import (
    ARC,
    FILTER,
    FULL_LINE,
    GLASS,
    INVERT,
    MERGES,
    MIRRORED,
    ONE_SIDED,
    PARABOLA,
    PARTIAL,
    SIMPLE,
    Surface,
    Tables,
)

numba.config.CACHE_DIR = str(kernel_folder())  # type: ignore[attr-defined]
_inner = numba.njit(nogil=True)
_entry = numba.njit(nogil=True, cache=True)

_reflectances, _reflect, _refract = _inner(fresnel.reflectances), _inner(fresnel.reflect), _inner(fresnel.refract)
_is_grazing, _cauchy_index, _thin_lens = _inner(fresnel.is_grazing), _inner(fresnel.cauchy_index), _inner(thin_lens.thin_lens)

_lowest_order, _highest_order = _inner(grating.lowest_order), _inner(grating.highest_order)
_slit_intensity = _inner(grating.slit_intensity)

REFRACT, REFLECT, ABSORB, LENS, DETECT, SPLIT, DIFFRACT = (
    int(s)
    for s in (
        Surface.REFRACT, Surface.REFLECT, Surface.ABSORB, Surface.LENS, Surface.DETECT, Surface.SPLIT, Surface.DIFFRACT
    )
)  # fmt: skip
CONTINUED, ESCAPED, ABSORBED, TRUNCATED, DEPTH, ILL_DEFINED, ALIVE = (
    int(s)
    for s in (
        Status.CONTINUED, Status.ESCAPED, Status.ABSORBED, Status.TRUNCATED, Status.DEPTH, Status.ILL_DEFINED, Status.ALIVE
    )
)  # fmt: skip
BY_SOURCE, BY_REFLECT, BY_REFRACT, BY_TIR, BY_LENS, BY_DETECT, BY_SPLIT, BY_DIFFRACT = (
    int(i)
    for i in (
        Interaction.SOURCE, Interaction.REFLECT, Interaction.REFRACT, Interaction.TIR, Interaction.LENS, Interaction.DETECT,
        Interaction.SPLIT, Interaction.DIFFRACT,
    )
)  # fmt: skip
TIR, CAUSES_TIR, GRAZING, CAUSES_GRAZING, RESAMPLED, GAP = (
    int(f) for f in (Flag.TIR, Flag.CAUSES_TIR, Flag.GRAZING, Flag.CAUSES_GRAZING, Flag.RESAMPLED, Flag.GAP)
)
DONE, GROW, POLL, LARGE, LIMIT = 0, 1, 2, 3, 4
"""Why `advance` came back: all light has ended; the arrays are full; it is time to look around; a generation is worth sharing; limit."""


class Entries(NamedTuple):
    """Rays on their way, in the order of processing, and the scratch columns of their present generation."""

    position: NDArray[np.float64]
    direction: NDArray[np.float64]
    power: NDArray[np.float64]
    wavelength: NDArray[np.float32]
    source: NDArray[np.int32]
    source_ray: NDArray[np.int32]
    depth: NDArray[np.int32]
    place: NDArray[np.int64]
    """The ray's index in the order of creation, which it keeps."""
    parent: NDArray[np.int32]
    interaction: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    alive: NDArray[np.uint8]
    hit: NDArray[np.int32]
    primitive: NDArray[np.int32]
    other: NDArray[np.int32]
    distance: NDArray[np.float64]
    ratio: NDArray[np.float64]
    children: NDArray[np.int32]
    lost: NDArray[np.float64]
    gained: NDArray[np.float64]


class Columns(NamedTuple):
    """The rows written so far; see `TraceResult`."""

    p1: NDArray[np.float64]
    p2: NDArray[np.float64]
    power: NDArray[np.float64]
    wavelength: NDArray[np.float32]
    parent: NDArray[np.int32]
    source: NDArray[np.int32]
    source_ray: NDArray[np.int32]
    depth: NDArray[np.int32]
    hit: NDArray[np.int32]
    edge: NDArray[np.int16]
    interaction: NDArray[np.uint8]
    status: NDArray[np.uint8]
    flags: NDArray[np.uint8]


# the state of a trace between calls of `advance`
ENTRIES, LOW, HIGH, ROWS, NEXT_PLACE, LAST_HIT, FOUND, PLANNED, ILL_A, ILL_B, STATE_SIZE = range(11)
LOST, GAINED, CHANGED, ILL_POWER, SUMS_SIZE = range(5)


@_inner
def _exists(t: Tables, obj: int, wavelength: float) -> bool:
    """Whether a filtered object is there for this wavelength."""
    if t.flags[obj] & FILTER == 0 or wavelength == 0.0:
        return True
    within = abs(t.parameters[obj, 5] - wavelength) <= t.parameters[obj, 6]
    return within != (t.flags[obj] & INVERT != 0)


@_inner
def _meet_parabola(t: Tables, k: int, px: float, py: float, dx: float, dy: float) -> float:
    """As `_meet`, for a parabola y = c x² in its own frame: the smaller root of a quadratic, computed without cancellation."""
    g = t.geometry[k]
    rx, ry = px - g[0], py - g[1]
    x, y = rx * g[2] + ry * g[3], rx * g[3] - ry * g[2]
    u, v = dx * g[2] + dy * g[3], dx * g[3] - dy * g[2]
    a, b, c = g[5] * u * u, 2.0 * g[5] * x * u - v, g[5] * x * x - y
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return math.inf
    q = -0.5 * (b + math.copysign(math.sqrt(square), b))
    best = math.inf
    for s in (c / q if q != 0.0 else math.inf, q / a if a != 0.0 else math.inf):
        if t.shortest < s < best and abs(x + s * u) <= g[4] + 1e-3 * t.shortest:
            best = s
    return best


@_inner
def _meet(t: Tables, k: int, px: float, py: float, dx: float, dy: float) -> float:
    """The distance at which a ray first meets a primitive beyond the shortest segment; infinite if it does not."""
    g = t.geometry[k]
    slack = 1e-3 * t.shortest
    if t.primitive[k] == ARC:
        rx, ry = px - g[0], py - g[1]
        along = rx * dx + ry * dy
        cross = rx * dy - ry * dx
        square = g[2] * g[2] - cross * cross
        if square < 0.0:
            return math.inf
        half = math.sqrt(square)
        for s in (-along - half, -along + half):
            if s > t.shortest and (px + s * dx) * g[3] + (py + s * dy) * g[4] >= g[5] - slack:
                return s
        return math.inf
    if t.primitive[k] == PARABOLA:
        return _meet_parabola(t, k, px, py, dx, dy)
    det = dx * g[3] - dy * g[2]
    if det == 0.0:
        return math.inf
    ax, ay = g[0] - px, g[1] - py
    s = (ax * g[3] - ay * g[2]) / det
    if not s > t.shortest:
        return math.inf
    if t.primitive[k] == FULL_LINE:
        return s
    u = (ax * dy - ay * dx) / det
    if u < -slack or u > g[4] + slack:
        return math.inf
    return s


@_inner
def _outward(t: Tables, k: int, x: float, y: float) -> tuple[float, float]:
    """The unit normal of a primitive at a point on it, out of the body it bounds."""
    g = t.geometry[k]
    if t.primitive[k] == ARC:
        rx, ry = x - g[0], y - g[1]
        scale = g[6] / math.hypot(rx, ry)
        return rx * scale, ry * scale
    if t.primitive[k] == PARABOLA:
        slope = 2.0 * g[5] * ((x - g[0]) * g[2] + (y - g[1]) * g[3])
        norm = math.sqrt(1.0 + slope * slope)
        # (-slope, 1) in the parabola's frame, whose second axis is (g3, -g2)
        return (g[3] - slope * g[2]) / norm, (-g[2] - slope * g[3]) / norm
    return g[5], g[6]


@_inner
def _is_corner(t: Tables, k: int, x: float, y: float) -> bool:
    """Whether a point lies within the shortest segment of an end of a primitive."""
    g = t.geometry[k]
    if t.primitive[k] == ARC:
        if g[3] == 0.0 and g[4] == 0.0:
            return False
        # the ends lie where the circle meets the chord, half a chord from its middle
        off = g[5] - (g[0] * g[3] + g[1] * g[4])
        half = math.sqrt(max(0.0, g[2] * g[2] - off * off))
        along = abs((y - g[1]) * g[3] - (x - g[0]) * g[4])
        height = x * g[3] + y * g[4] - g[5]
        return math.hypot(along - half, height) < t.shortest
    u = (x - g[0]) * g[2] + (y - g[1]) * g[3]
    return u < t.shortest or u > g[4] - t.shortest


@_inner
def _crossings_ahead(t: Tables, obj: int, px: float, py: float, dx: float, dy: float) -> int:
    """How often a ray crosses an outline beyond the shortest segment. A corner counts for that edge of its two which lies on the left."""
    total = 0
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        g = t.geometry[k]
        if t.primitive[k] == ARC:
            rx, ry = px - g[0], py - g[1]
            along = rx * dx + ry * dy
            cross = rx * dy - ry * dx
            square = g[2] * g[2] - cross * cross
            if square > 0.0:
                half = math.sqrt(square)
                for s in (-along - half, -along + half):
                    if s > t.shortest and (px + s * dx) * g[3] + (py + s * dy) * g[4] >= g[5]:
                        total += 1
        else:
            side_a = dx * (g[1] - py) - dy * (g[0] - px)
            side_b = side_a + g[4] * (dx * g[3] - dy * g[2])
            if (side_a > 0.0) != (side_b > 0.0):
                s = ((g[0] - px) * g[3] - (g[1] - py) * g[2]) / (dx * g[3] - dy * g[2])
                if s > t.shortest:
                    total += 1
    return total


@_inner
def _glass_factor(t: Tables, obj: int, k: int, s: float, px: float, py: float, dx: float, dy: float, wavelength: float) -> float:
    """A glass's factor in the ratio of indices where a ray meets it: n on leaving, 1/n on entering, NaN where that is ill-defined."""
    x, y = px + s * dx, py + s * dy
    multiplicity = 0
    for m in range(t.first[obj], t.first[obj] + t.size[obj]):
        if m == k or abs(_meet(t, m, px, py, dx, dy) - s) < t.shortest:
            multiplicity += 1
            if t.size[obj] > 1 and _is_corner(t, m, x, y):
                return math.nan
    if multiplicity % 2 == 0:
        return 1.0
    if t.flags[obj] & SIMPLE:
        nx, ny = _outward(t, k, x, y)
        along = dx * nx + dy * ny
        if along == 0.0:
            return math.nan
        leaving = along > 0.0
    else:
        leaving = _crossings_ahead(t, obj, px, py, dx, dy) % 2 == 1
    n = t.parameters[obj, 0]
    if not math.isnan(wavelength):
        n = _cauchy_index(n, t.parameters[obj, 1], wavelength)
    if n == 0.0:
        return math.nan
    return n if leaving else 1.0 / n


@_inner
def _object_hit(t: Tables, obj: int, px: float, py: float, dx: float, dy: float, wavelength: float) -> tuple[float, int]:
    """The nearest hit on one object: its distance (infinite for none) and primitive."""
    best, which = math.inf, -1
    if t.flags[obj] & FILTER and not _exists(t, obj, wavelength):
        return best, which
    for k in range(t.first[obj], t.first[obj] + t.size[obj]):
        s = _meet(t, k, px, py, dx, dy)
        if s < best and not (t.flags[obj] & ONE_SIDED and dx * t.geometry[k, 3] - dy * t.geometry[k, 2] <= 0.0):
            best, which = s, k
    return best, which


@_entry
def find_hits(t: Tables, e: Entries, low: int, high: int) -> None:
    """Step 1: what each entry meets next, and by which ratio of indices where that is glass."""
    for i in range(low, high):
        px, py, dx, dy = e.position[i, 0], e.position[i, 1], e.direction[i, 0], e.direction[i, 1]
        wavelength = np.float64(e.wavelength[i])
        best, second, which = math.inf, math.inf, -1
        for k in range(len(t.primitive)):
            s = _meet(t, k, px, py, dx, dy)
            if s < second:
                owner = t.owner[k]
                if t.flags[owner] & ONE_SIDED and dx * t.geometry[k, 3] - dy * t.geometry[k, 2] <= 0.0:
                    continue
                if t.flags[owner] & FILTER and not _exists(t, owner, wavelength):
                    continue
                if s < best:
                    best, second, which = s, best, k
                else:
                    second = s
        e.primitive[i], e.distance[i], e.ratio[i], e.other[i] = which, best, 1.0, -1
        if which < 0:
            e.hit[i] = -1
            continue
        winner = t.owner[which]
        if second - best >= t.shortest:
            e.hit[i] = winner
            if t.flags[winner] & GLASS:
                e.ratio[i] = _glass_factor(t, winner, which, best, px, py, dx, dy, wavelength)
            continue
        # surfaces that coincide: the first that is no glass acts, else the first glass; the other glasses join in the ratio
        winner = -1
        for obj in range(len(t.surface)):
            s, k = _object_hit(t, obj, px, py, dx, dy, wavelength)
            if s - best < t.shortest:
                is_glass, has_glass = t.flags[obj] & GLASS != 0, winner >= 0 and t.flags[winner] & GLASS != 0
                if winner < 0 or (has_glass and not is_glass):
                    if winner >= 0 and t.flags[obj] & MERGES == 0:
                        e.other[i] = winner
                    winner, e.primitive[i], e.distance[i] = obj, k, s
                elif not is_glass or (not has_glass and t.flags[winner] & MERGES == 0):
                    e.other[i] = obj
        e.hit[i] = winner
        if t.flags[winner] & GLASS:
            ratio = 1.0
            for obj in range(len(t.surface)):
                if t.flags[obj] & GLASS:
                    s, k = _object_hit(t, obj, px, py, dx, dy, wavelength)
                    if s - best < t.shortest:
                        ratio *= _glass_factor(t, obj, k, s, px, py, dx, dy, wavelength)
            e.ratio[i] = ratio


@_inner
def _incidence(t: Tables, k: int, dx: float, dy: float, x: float, y: float) -> tuple[float, float, float]:
    """The unit normal against a ray where it meets a primitive, and the cosine of the angle of incidence."""
    nx, ny = _outward(t, k, x, y)
    along = dx * nx + dy * ny
    if along > 0.0:
        return -nx, -ny, along
    return nx, ny, -along


@_inner
def _weak_reflection(t: Tables, power: float, gap: bool, place: int) -> int:
    """The factor with which a reflection is followed: 1 for a strong one, 0 for none, more where it stands for several weak ones."""
    if power > t.weakest_reflected:
        return 1
    if gap or not power > 0.0:
        return 0
    share = 0.01 / power
    if share > 1e15:
        return 0
    factor = math.floor(share) + 1
    return factor if place % factor == 0 else 0


@_inner
def _order_share(t: Tables, obj: int, order: int) -> float:
    """The share of the power that a grating sends into an order."""
    q = t.parameters[obj]
    if q[2] < 0.0:
        return _slit_intensity(order, q[1])
    place = -2 * order if order <= 0 else 2 * order - 1
    return t.orders[int(q[2]) + place] if place < int(q[3]) else 0.0


@_inner
def _across(t: Tables, e: Entries, i: int, x: float, y: float) -> tuple[float, float, float, float, float]:
    """A grating where a ray meets it: the unit vector l along it, the unit normal n against the ray, and sin i = -d.l.

    On a flat grating l points to the end that lies to the left as the ray comes; on a curved one along the arc, so that the orders'
    signs are the same for both.
    """
    dx, dy = e.direction[i, 0], e.direction[i, 1]
    nx, ny, _ = _incidence(t, e.primitive[i], dx, dy, x, y)
    g = t.geometry[e.primitive[i]]
    lx, ly = ny, -nx
    if t.primitive[e.primitive[i]] != ARC:
        # the first end lies to the left if the ray's start does so of the line
        side = (e.position[i, 0] - x) * g[3] - (e.position[i, 1] - y) * g[2]
        sign = -1.0 if side > 0.0 else 1.0
        lx, ly = sign * g[2], sign * g[3]
    return lx, ly, nx, ny, -(dx * lx + dy * ly)


@_inner
def _plan_grating(t: Tables, e: Entries, i: int, obj: int) -> None:
    dx, dy, s = e.direction[i, 0], e.direction[i, 1], e.distance[i]
    sin_i = _across(t, e, i, e.position[i, 0] + s * dx, e.position[i, 1] + s * dy)[4]
    wavelength = _wavelength(e, i)
    power, spacing = e.power[i, 0] + e.power[i, 1], t.parameters[obj, 0]
    e.gained[i] = -power
    for order in range(_lowest_order(sin_i, spacing, wavelength), _highest_order(sin_i, spacing, wavelength) + 1):
        share = _order_share(t, obj, order)
        e.gained[i] += power * share
        if power * share > t.weakest_reflected:
            e.children[i] += 1
        else:
            e.lost[i] += power * share


@_inner
def _wavelength(e: Entries, i: int) -> float:
    """An entry's wavelength in nm; where the scene has none, green."""
    return 540.0 if math.isnan(e.wavelength[i]) else np.float64(e.wavelength[i])


@_inner
def _bear(e: Entries, i: int, child: int, row: int, x: float, y: float, how: int, place: int) -> None:
    """Begin a child of an entry at a point; its direction, power and flags are set by who calls."""
    e.position[child, 0], e.position[child, 1] = x, y
    e.wavelength[child], e.source[child], e.source_ray[child] = e.wavelength[i], e.source[i], e.source_ray[i]
    e.depth[child], e.parent[child], e.interaction[child] = e.depth[i], row, how
    e.place[child] = place
    e.flags[child] = 0
    e.alive[child] = 1


@_inner
def _diffract_at(
    t: Tables, e: Entries, i: int, row: int, x: float, y: float, sx: float, sy: float, first_place: int, first_child: int
) -> int:
    """Send the orders of a grating on; (sx, sy) is where the ray came from. Returns the row's status."""
    obj = e.hit[i]
    e.position[i, 0], e.position[i, 1] = sx, sy
    lx, ly, nx, ny, sin_i = _across(t, e, i, x, y)
    wavelength, spacing = _wavelength(e, i), t.parameters[obj, 0]
    s, p = e.power[i, 0], e.power[i, 1]
    side = 1.0 if t.flags[obj] & MIRRORED else -1.0
    child = e.children[i]
    e.alive[i] = 0
    if child < 0:
        return TRUNCATED
    for order in range(_lowest_order(sin_i, spacing, wavelength), _highest_order(sin_i, spacing, wavelength) + 1):
        share = _order_share(t, obj, order)
        if (s + p) * share > t.weakest_reflected:
            sine = min(1.0, max(-1.0, sin_i - order * wavelength / spacing))
            cosine = side * math.sqrt(1.0 - sine * sine)
            _bear(e, i, child, row, x, y, BY_DIFFRACT, first_place + (child - first_child))
            e.direction[child, 0], e.direction[child, 1] = cosine * nx - sine * lx, cosine * ny - sine * ly
            e.power[child, 0], e.power[child, 1] = s * share, p * share
            e.flags[child] = GAP
            child += 1
    return CONTINUED


@_inner
def _split_at(t: Tables, e: Entries, i: int, row: int, x: float, y: float, first_place: int, first_child: int) -> int:
    """Split an entry at a beam splitter: a child goes through, the entry itself is reflected. Returns the row's status."""
    dx, dy = e.direction[i, 0], e.direction[i, 1]
    through = t.parameters[e.hit[i], 0]
    s, p = e.power[i, 0], e.power[i, 1]
    child = e.children[i]
    if child >= 0:
        _bear(e, i, child, row, x, y, BY_SPLIT, first_place + (child - first_child))
        e.direction[child, 0], e.direction[child, 1] = dx, dy
        e.power[child, 0], e.power[child, 1] = s * through, p * through
    elif not (s + p) * (1.0 - through) > t.weakest_reflected:
        e.lost[i] = (s + p) * (1.0 - through)
        e.alive[i] = 0
        return TRUNCATED
    nx, ny = _outward(t, e.primitive[i], x, y)
    e.direction[i, 0], e.direction[i, 1] = _reflect(dx, dy, nx, ny)
    e.power[i, 0], e.power[i, 1] = s * (1.0 - through), p * (1.0 - through)
    e.interaction[i] = BY_SPLIT
    return CONTINUED


@_entry
def plan(t: Tables, e: Entries, low: int, high: int, last_hit: int) -> None:
    """Step 2: the gap to the predecessor, and how many children each entry will have. ``last_hit`` is what entry ``low - 1`` hit."""
    for i in range(low, high):
        if e.hit[i] != (e.hit[i - 1] if i > low else last_hit):
            e.flags[i] |= GAP
        e.children[i], e.lost[i], e.gained[i] = 0, 0.0, 0.0
        obj = e.hit[i]
        if obj < 0 or e.depth[i] >= t.max_depth:
            continue
        if t.surface[obj] == SPLIT:
            power = (e.power[i, 0] + e.power[i, 1]) * t.parameters[obj, 0]
            if power > t.weakest_reflected:
                e.children[i] = 1
            else:
                e.lost[i] = power
            continue
        if t.surface[obj] == DIFFRACT:
            _plan_grating(t, e, i, obj)
            continue
        if t.surface[obj] != REFRACT or math.isnan(e.ratio[i]) or t.flags[obj] & PARTIAL == 0:
            continue
        dx, dy, s = e.direction[i, 0], e.direction[i, 1], e.distance[i]
        cos_i = _incidence(t, e.primitive[i], dx, dy, e.position[i, 0] + s * dx, e.position[i, 1] + s * dy)[2]
        r_s, r_p, cos_t = _reflectances(e.ratio[i], cos_i)
        if cos_t < 0.0:
            continue
        power = e.power[i, 0] * r_s + e.power[i, 1] * r_p
        factor = _weak_reflection(t, power, e.flags[i] & GAP != 0, e.place[i])
        if factor != 1:
            e.lost[i] = power
            e.gained[i] = power * factor
        if factor > 0:
            e.children[i] = 1


@_inner
def _tally(t: Tables, e: Entries, low: int, high: int, state: NDArray[np.int64], sums: NDArray[np.float64]) -> int:
    """Step 3: give the children their places; returns how many there are."""
    total = 0
    for i in range(low, high):
        count = e.children[i]
        e.children[i] = state[ENTRIES] + total if count else -1
        total += count
        sums[LOST] += e.lost[i]
        sums[GAINED if e.hit[i] >= 0 and t.flags[e.hit[i]] & GLASS else CHANGED] += e.gained[i]
        e.lost[i] = 0.0
        if e.other[i] >= 0 or math.isnan(e.ratio[i]):
            if sums[ILL_POWER] == 0.0:
                state[ILL_A], state[ILL_B] = e.hit[i], e.other[i]
            sums[ILL_POWER] += e.power[i, 0] + e.power[i, 1]
    return total


@_inner
def _refract_at(t: Tables, e: Entries, c: Columns, i: int, row: int, x: float, y: float, first_place: int, first_child: int) -> int:
    """Split an entry at a glass surface: a child is reflected, the entry itself refracted. Returns the row's status."""
    dx, dy = e.direction[i, 0], e.direction[i, 1]
    ratio, partial = e.ratio[i], t.flags[e.hit[i]] & PARTIAL != 0
    nx, ny, cos_i = _incidence(t, e.primitive[i], dx, dy, x, y)
    r_s, r_p, cos_t = _reflectances(ratio, cos_i)
    if cos_t < 0.0:
        c.flags[row] |= CAUSES_TIR
        e.direction[i, 0], e.direction[i, 1] = _reflect(dx, dy, nx, ny)
        e.interaction[i] = BY_TIR
        e.flags[i] |= TIR
        return CONTINUED
    if not partial:
        r_s, r_p = 0.0, 0.0
    grazing = _is_grazing(ratio, cos_i)
    if grazing:
        c.flags[row] |= CAUSES_GRAZING
    child = e.children[i]
    if child >= 0:
        s, p = e.power[i, 0] * r_s, e.power[i, 1] * r_p
        factor = _weak_reflection(t, s + p, e.flags[i] & GAP != 0, e.place[i])
        _bear(e, i, child, row, x, y, BY_REFLECT, first_place + (child - first_child))
        e.direction[child, 0], e.direction[child, 1] = _reflect(dx, dy, nx, ny)
        e.power[child, 0], e.power[child, 1] = s * factor, p * factor
        e.flags[child] = (e.flags[i] & GAP) | (RESAMPLED if factor > 1 else 0) | (GRAZING if grazing else 0)
    s, p = e.power[i, 0] * (1.0 - r_s), e.power[i, 1] * (1.0 - r_p)
    if not s + p > t.weakest_refracted:
        e.lost[i] = s + p
        e.alive[i] = 0
        return CONTINUED if child >= 0 else TRUNCATED
    e.direction[i, 0], e.direction[i, 1] = _refract(dx, dy, nx, ny, ratio, cos_i, cos_t)
    e.power[i, 0], e.power[i, 1] = s, p
    e.interaction[i] = BY_REFRACT
    if grazing:
        e.flags[i] |= GRAZING
    return CONTINUED


@_entry
def interact(
    t: Tables, e: Entries, c: Columns, low: int, high: int, start: int, row0: int, first_place: int, first_child: int, far: float
) -> None:
    """Step 4: write the rows of the entries ``low`` to ``high`` and send the entries on. Entry ``start`` has row ``row0``."""
    for i in range(low, high):
        row = row0 + i - start
        obj, s = e.hit[i], e.distance[i]
        dx, dy = e.direction[i, 0], e.direction[i, 1]
        if obj < 0:
            s = far
        x, y = e.position[i, 0] + s * dx, e.position[i, 1] + s * dy
        c.p1[row, 0], c.p1[row, 1], c.p2[row, 0], c.p2[row, 1] = e.position[i, 0], e.position[i, 1], x, y
        c.power[row, 0], c.power[row, 1], c.wavelength[row] = e.power[i, 0], e.power[i, 1], e.wavelength[i]
        c.parent[row], c.source[row], c.source_ray[row], c.depth[row] = e.parent[i], e.source[i], e.source_ray[i], e.depth[i]
        c.hit[row] = obj
        c.edge[row] = t.edge[e.primitive[i]] if obj >= 0 else -1
        c.interaction[row], c.flags[row] = e.interaction[i], e.flags[i]
        if obj < 0:
            c.status[row] = ESCAPED
            e.alive[i] = 0
            continue
        e.position[i, 0], e.position[i, 1] = x, y
        e.flags[i] &= GAP  # the other flags belong to one segment
        e.depth[i] += 1
        e.parent[i] = row
        if e.depth[i] > t.max_depth:
            c.status[row] = DEPTH
            e.lost[i] = e.power[i, 0] + e.power[i, 1]
            e.alive[i] = 0
            continue
        status = CONTINUED
        surface = t.surface[obj]
        if surface == REFRACT:
            if math.isnan(e.ratio[i]):
                status = ILL_DEFINED
                e.alive[i] = 0
            else:
                status = _refract_at(t, e, c, i, row, x, y, first_place, first_child)
        elif surface == REFLECT:
            nx, ny = _outward(t, e.primitive[i], x, y)
            e.direction[i, 0], e.direction[i, 1] = _reflect(dx, dy, nx, ny)
            e.interaction[i] = BY_REFLECT
        elif surface == LENS:
            q = t.parameters[obj]
            height = (x - q[0]) * q[2] + (y - q[1]) * q[3]
            if q[4] == 0.0:
                status = ILL_DEFINED
                e.alive[i] = 0
            else:
                dx, dy = _thin_lens(dx, dy, q[2], q[3], height, q[4])
                if t.flags[obj] & MIRRORED:
                    dx, dy = _reflect(dx, dy, q[3], -q[2])
                    e.interaction[i] = BY_REFLECT
                else:
                    e.interaction[i] = BY_LENS
                e.direction[i, 0], e.direction[i, 1] = dx, dy
        elif surface == DETECT:
            e.interaction[i] = BY_DETECT
        elif surface == SPLIT:
            status = _split_at(t, e, i, row, x, y, first_place, first_child)
        elif surface == DIFFRACT:
            status = _diffract_at(t, e, i, row, x, y, c.p1[row, 0], c.p1[row, 1], first_place, first_child)
        else:
            status = ABSORBED
            e.alive[i] = 0
        c.status[row] = status
        # distances are measured in units of the direction: one step of Newton's method keeps its length at 1
        dx, dy = e.direction[i, 0], e.direction[i, 1]
        scale = 1.5 - 0.5 * (dx * dx + dy * dy)
        e.direction[i, 0], e.direction[i, 1] = dx * scale, dy * scale


@_inner
def _close(e: Entries, low: int, high: int, sums: NDArray[np.float64]) -> None:
    """Add up what the interactions of a generation dropped, in order."""
    for i in range(low, high):
        sums[LOST] += e.lost[i]


@_inner
def _copy_entry(e: Entries, i: int, to: int) -> None:
    e.position[to, 0], e.position[to, 1] = e.position[i, 0], e.position[i, 1]
    e.direction[to, 0], e.direction[to, 1] = e.direction[i, 0], e.direction[i, 1]
    e.power[to, 0], e.power[to, 1] = e.power[i, 0], e.power[i, 1]
    e.wavelength[to], e.source[to], e.source_ray[to], e.depth[to] = e.wavelength[i], e.source[i], e.source_ray[i], e.depth[i]
    e.place[to], e.parent[to], e.interaction[to], e.flags[to], e.alive[to] = (
        e.place[i], e.parent[i], e.interaction[i], e.flags[i], e.alive[i]
    )  # fmt: skip


@_inner
def _next_sweep(e: Entries, state: NDArray[np.int64]) -> None:
    """Keep the entries that are alive, in order, and make them the next generation."""
    kept = 0
    for i in range(state[ENTRIES]):
        if e.alive[i]:
            if kept != i:
                _copy_entry(e, i, kept)
            kept += 1
    state[ENTRIES], state[LOW], state[HIGH], state[LAST_HIT] = kept, 0, kept, -1


@_entry
def advance(
    t: Tables, e: Entries, c: Columns, state: NDArray[np.int64], sums: NDArray[np.float64],
    limit: int, poll: int, large: int, far: float,
) -> int:  # fmt: skip
    """Trace until all light has ended or something is wanted of the caller; says what (DONE, GROW, POLL, LARGE, LIMIT).

    At LARGE the caller has to do steps 1 and 2, or step 4, of the present generation (`FOUND` and `PLANNED` in the state say which).
    """
    until = state[ROWS] + poll
    while True:
        low, high = state[LOW], state[HIGH]
        if low == high:
            _next_sweep(e, state)
            low, high = state[LOW], state[HIGH]
            if low == high:
                return DONE
        if state[ROWS] + (high - low) > limit:
            high = low + limit - state[ROWS]
            state[HIGH] = high
        size = high - low
        if state[PLANNED] == 0:
            if state[ROWS] + size > len(c.status) or state[ENTRIES] + size * t.most_children > len(e.alive):
                return GROW
            if state[FOUND] == 0:
                if state[ROWS] >= until:
                    return POLL
                if size >= large:
                    return LARGE
                find_hits(t, e, low, high)
                plan(t, e, low, high, state[LAST_HIT])
            children = _tally(t, e, low, high, state, sums)
            state[FOUND], state[PLANNED] = 0, children + 1
            if size >= large:
                return LARGE
            interact(t, e, c, low, high, low, state[ROWS], state[NEXT_PLACE], state[ENTRIES], far)
        _close(e, low, high, sums)
        children = state[PLANNED] - 1
        state[PLANNED] = 0
        state[LAST_HIT] = e.hit[high - 1]
        state[ROWS] += size
        state[NEXT_PLACE] += children
        state[ENTRIES] += children
        state[LOW], state[HIGH] = high, state[ENTRIES]
        if state[ROWS] >= limit:
            return LIMIT if _any_alive(e, state[ENTRIES]) else DONE


@_inner
def _any_alive(e: Entries, count: int) -> bool:
    return bool(np.any(e.alive[:count]))
