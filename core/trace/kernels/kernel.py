"""The kernels: a batch of rays through flat tables.

Four steps take it further: nearest hits; what each ray's predecessor hit and how many children it will have; the children's places, which
depend on all batches before (in `core.trace.kernels.loop`); and the interactions with their rows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import GLASS, PARTIAL, SPLITTER_TRANSMISSION
from core.trace.codes import Flag, Status
from core.trace.columns import Columns
from core.trace.compilation.jit import NONE, entry, rare
from core.trace.kernels.coincidence import reflect_in_corner, resolve_coincidence
from core.trace.kernels.custom import custom_at, plan_custom
from core.trace.kernels.gratings import diffract_at, plan_grating
from core.trace.kernels.intersect import end_near, nearest_in_hierarchy, nearest_of_all, outward
from core.trace.kernels.medium import locate
from core.trace.kernels.ray_path import DX0, DY0, GONE, P0, POINTS, S0, X0, Y0, follow
from core.trace.kernels.rays import (
    ALIVE,
    CHILD,
    COS_T,
    DEPTH,
    DISTANCE,
    DX,
    DY,
    FLAGS,
    GAINED,
    HOW,
    LEAVING,
    LEFT,
    LOST,
    NX,
    NY,
    OBJECT,
    OTHER,
    PARENT,
    PARTED,
    PRIMITIVE,
    R_P,
    R_S,
    RATIO,
    SHARED,
    SOURCE,
    SOURCE_RAY,
    Batch,
    P,
    Places,
    Queue,
    Ray,
    S,
    X,
    Y,
    copy_ray,
    put_back,
)
from core.trace.kernels.surfaces import (
    ABSORBED,
    BY_DETECT,
    BY_REFLECT,
    CONTINUED,
    CUSTOM,
    DETECT,
    DIFFRACT,
    GAP,
    GREEN,
    ILL_DEFINED,
    LENS,
    REFLECT,
    REFRACT,
    SPLIT,
    against,
    crossing_factor,
    glass_crossing,
    glass_index,
    lens_at,
    reflect,
    reflectances,
    refract_at,
    split_at,
    weak_reflection,
)
from core.trace.tables.bvh import Hierarchy
from core.trace.tables.tables import Tables
from core.trace.tolerances import TIGHT

FIRST = int(Flag.FIRST)
ESCAPED, CUT = int(Status.ESCAPED), int(Status.DEPTH)

ALL_LOST, RESAMPLED_POWER, CHANGED, FADED, ILL_POWER, ILL_A, ILL_B, SUMS_SIZE = range(len(Status), len(Status) + 8)
"""Columns of the sums of each chunk: the power of its rows by status, then these; ILL_A and ILL_B are the objects at the first ill-defined
place."""


@rare
def curve_to_hit(t: Tables, h: Hierarchy, loose: NDArray[np.int64], b: Batch, i: int) -> int:
    """Follow an entry to the end of its path through gradient-index media, and move its ray to just before that end.

    Returns -1 for an entry outside all of them, 0 for one that came to a surface, 1 for one whose path cannot be followed to an end.
    """
    ray, path = b.ray, b.path
    path[i, POINTS] = 0.0
    if not np.any(b.inside[i]):
        return -1
    path[i, X0], path[i, Y0], path[i, DX0], path[i, DY0] = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
    path[i, S0], path[i, P0] = ray[i, S], ray[i, P]
    found, count, x, y, dx, dy, left = follow(t, h, loose, b.inside[i], np.float64(b.wavelength[i]), path[i], path, NONE)
    path[i, POINTS] = count
    back = 2.0 * t.shortest
    ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY] = x - back * dx, y - back * dy, dx, dy
    if not (ray[i, S] + ray[i, P]) * left < math.inf:  # power that grows beyond numbers has no end
        found, left = False, 1.0
    path[i, GONE] = (ray[i, S] + ray[i, P]) * (1.0 - left)
    ray[i, S], ray[i, P] = ray[i, S] * left, ray[i, P] * left
    return 0 if found else 1


@entry
def find_hits(t: Tables, h: Hierarchy, loose: NDArray[np.int64], b: Batch, count: int) -> int:
    """Step 1: what each of a batch's rays meets next, and by which ratio of indices where that is glass; returns how many points their
    curved segments have.

    ``loose`` are the primitives that are not in the hierarchy.
    """
    ray, met, reach, tag, waves, flags, owner, shortest = b.ray, b.met, b.reach, b.tag, b.wavelength, t.flags, t.owner, t.shortest
    kinds, g, ordered = t.primitive, t.geometry, len(h.order) > 0
    graded, points = len(t.graded) > 0, 0
    for i in range(count):
        curved = NONE
        if graded:
            curved = curve_to_hit(t, h, loose, b, i)
            points += int(b.path[i, POINTS])
        px, py, dx, dy = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
        wavelength = np.float64(waves[i])
        # a curved path ends a little before its surface, so that the last straight step finds it again
        left = NONE if curved >= 0 else int(tag[i, LEFT])
        best, second, which = nearest_of_all(t, px, py, dx, dy, wavelength, left, loose)
        if ordered:
            best, second, which = nearest_in_hierarchy(t, h, b.walk, px, py, dx, dy, wavelength, left, best, second, which)
        ratio, other, obj, shared = 1.0, -1, -1, 0
        if which >= 0:
            obj = owner[which]
            if second - best < shortest:
                shared = 1
                r = Ray(px, py, dx, dy, wavelength, left)
                obj, which, other, best, ratio = resolve_coincidence(t, h, loose, b.walk, best, r)
        if obj >= 0:
            x, y = px + best * dx, py + best * dy
            nx, ny = outward(kinds[which], g, which, x, y, dx, dy)
            reach[i, NX], reach[i, NY] = nx, ny
            if shared == 0 and flags[obj] & GLASS:
                crossing = glass_crossing(t, obj, which, best, px, py, dx, dy, nx, ny, left)
                ratio = crossing_factor(crossing, glass_index(t, obj, x, y, wavelength))
            elif t.surface[obj] == REFLECT and (best < TIGHT * shortest or end_near(kinds[which], g, which, x, y, TIGHT * shortest) >= 0):
                shared = 1
        if curved > 0 or (curved == 0 and (obj < 0 or best > 4.0 * shortest)):
            obj, which, best, ratio = lost_in(t, b, i), 0, 2.0 * shortest, math.nan
        met[i, OBJECT], met[i, PRIMITIVE], met[i, OTHER], met[i, SHARED] = obj, which, other, shared
        met[i, LEAVING] = NONE if shared or obj < 0 else which
        reach[i, DISTANCE], reach[i, RATIO] = best, ratio
    return points


@rare
def lost_in(t: Tables, b: Batch, i: int) -> int:
    """The first gradient-index body that a ray is in."""
    for g in range(len(t.graded)):
        if b.inside[i, g]:
            return t.graded[g]
    return t.graded[0]


@entry
def plan(t: Tables, h: Hierarchy, loose: NDArray[np.int64], b: Batch, low: int, high: int, last_hit: int) -> int:
    """Step 2: the gap to the predecessor, and how many children each of some rays will have; returns how many all have together.

    ``last_hit`` is what ray ``low - 1`` hit.
    """
    ray, met, reach, mark, tag, places, waves = b.ray, b.met, b.reach, b.mark, b.tag, b.place, b.wavelength
    surface, flags, weakest = t.surface, t.flags, t.weakest_reflected
    children = 0
    for i in range(low, high):
        obj = met[i, OBJECT]
        met[i, PARTED] = 1 if obj != last_hit else 0
        last_hit = obj
        met[i, CHILD], reach[i, LOST], reach[i, GAINED] = 0, 0.0, 0.0
        if obj < 0 or tag[i, DEPTH] >= t.max_depth:
            continue
        kind = surface[obj]
        if kind == REFRACT:
            if math.isnan(reach[i, RATIO]):
                continue
            cos_i = against(reach[i, NX], reach[i, NY], ray[i, DX], ray[i, DY])[2]
            r_s, r_p, cos_t = reflectances(reach[i, RATIO], cos_i)
            reach[i, R_S], reach[i, R_P], reach[i, COS_T] = r_s, r_p, cos_t
            if cos_t >= 0.0 and flags[obj] & PARTIAL:
                power = ray[i, S] * r_s + ray[i, P] * r_p
                factor = weak_reflection(weakest, power, mark[i, FLAGS] & GAP != 0 or met[i, PARTED] != 0, places[i])
                if factor != 1:
                    reach[i, LOST], reach[i, GAINED] = power, power * factor
                met[i, CHILD] = 1 if factor > 0 else 0
        elif kind == SPLIT:
            power = (ray[i, S] + ray[i, P]) * t.parameters[obj, SPLITTER_TRANSMISSION]
            if power > weakest:
                met[i, CHILD] = 1
            else:
                reach[i, LOST] = power
        elif kind == CUSTOM:
            plan_custom(t, h, loose, b, i)
        elif kind == DIFFRACT:
            plan_grating(t, b, i, obj, GREEN if math.isnan(waves[i]) else np.float64(waves[i]))
        children += met[i, CHILD]
    return children


@entry
def interact(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], b: Batch, q: Queue, c: Columns, sums: NDArray[np.float64], count: int, to: Places,
    far: float, new: bool,
) -> None:  # fmt: skip
    """Step 4: write the rows of a batch's rays, send the rays on, and add up what became of their power.

    Rays that are ``new`` come from the sources and are not in the queue yet. An escaping ray is drawn ``far`` long.
    """
    child, place, line, slot = to.child, to.place, to.line, to.slot
    ray, met, reach, mark, tag, waves = b.ray, b.met, b.reach, b.mark, b.tag, b.wavelength
    starts, ends, powers, wavelengths = c.p1, c.p2, c.power, c.wavelength
    parents, sources, source_rays = c.parent, c.source, c.source_ray
    depths, hits, edges, interactions, statuses, flags = c.depth, c.hit, c.edge, c.interaction, c.status, c.flags
    surfaces, edge_of, max_depth = t.surface, t.edge, t.max_depth
    graded = len(t.graded) > 0
    for i in range(count):
        row = to.row + i
        obj, k = met[i, OBJECT], met[i, PRIMITIVE]
        px, py, dx, dy = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
        s = reach[i, DISTANCE] if obj >= 0 else far
        x, y = px + s * dx, py + s * dy
        power = ray[i, S] + ray[i, P]
        starts[row, 0], starts[row, 1], ends[row, 0], ends[row, 1] = px, py, x, y
        powers[row, 0], powers[row, 1], wavelengths[row] = ray[i, S], ray[i, P], waves[i]
        parents[row], sources[row], source_rays[row] = tag[i, PARENT], tag[i, SOURCE], tag[i, SOURCE_RAY]
        depths[row], hits[row], edges[row] = tag[i, DEPTH], obj, edge_of[k] if obj >= 0 else -1
        # a row has the gap it came with: the one to its predecessor is the ray's from here on
        interactions[row], flags[row] = mark[i, HOW], mark[i, FLAGS] | (FIRST if row == to.first_row else 0)
        if met[i, OTHER] >= 0 or math.isnan(reach[i, RATIO]):
            if sums[slot, ILL_POWER] == 0.0:
                sums[slot, ILL_A], sums[slot, ILL_B] = obj, met[i, OTHER]
            sums[slot, ILL_POWER] += power
        if graded:
            write_path(t, h, loose, b, c, i, row, line)
            if b.path[i, POINTS] > 0.0:
                power = b.path[i, S0] + b.path[i, P0]
                line += int(b.path[i, POINTS])
        children = met[i, CHILD]
        met[i, CHILD] = child if children > 0 else -1
        if reach[i, LOST] != 0.0 or reach[i, GAINED] != 0.0:
            sums[slot, ALL_LOST] += reach[i, LOST]
            sums[slot, RESAMPLED_POWER if t.flags[obj] & GLASS else CHANGED] += reach[i, GAINED]
            reach[i, LOST] = 0.0
        ray[i, X], ray[i, Y] = x, y
        mark[i, FLAGS] = GAP if mark[i, FLAGS] & GAP != 0 or met[i, PARTED] != 0 else 0  # the other flags belong to one segment
        tag[i, DEPTH] += 1
        tag[i, PARENT] = row
        status = CONTINUED
        if obj < 0:
            status = ESCAPED
            mark[i, ALIVE] = 0
        elif tag[i, DEPTH] > max_depth:
            status = CUT
            reach[i, LOST] = ray[i, S] + ray[i, P]
            mark[i, ALIVE] = 0
        else:
            surface = surfaces[obj]
            if surface == REFRACT:
                if math.isnan(reach[i, RATIO]):
                    status = ILL_DEFINED
                    mark[i, ALIVE] = 0
                else:
                    status, more = refract_at(t, b, i, q, row, x, y, place)
                    flags[row] |= more
            elif surface == REFLECT:
                ray[i, DX], ray[i, DY] = reflect(dx, dy, reach[i, NX], reach[i, NY])
                if met[i, SHARED]:
                    r = Ray(px, py, dx, dy, np.float64(waves[i]), int(tag[i, LEFT]))
                    ray[i, DX], ray[i, DY] = reflect_in_corner(t, s, r, ray[i, DX], ray[i, DY])
                mark[i, HOW] = BY_REFLECT
            elif surface == LENS:
                status = lens_at(t, b, i, x, y)
            elif surface == DETECT:
                mark[i, HOW] = BY_DETECT
            elif surface == SPLIT:
                status = split_at(t, b, i, q, row, x, y, place)
            elif surface == CUSTOM:
                status = custom_at(t, h, loose, b, i, q, row, px, py, x, y, place)
            elif surface == DIFFRACT:
                status = diffract_at(t, b, i, q, row, x, y, place, GREEN if math.isnan(waves[i]) else np.float64(waves[i]))
            else:
                status = ABSORBED
                mark[i, ALIVE] = 0
            if graded and met[i, OTHER] >= 0 and mark[i, ALIVE]:
                locate(t, b.inside[i], x, y, ray[i, DX], ray[i, DY])
            tag[i, LEFT] = met[i, LEAVING]
            # distances are measured in units of the direction: one step of Newton's method keeps its length at 1
            dx, dy = ray[i, DX], ray[i, DY]
            scale = 1.5 - 0.5 * (dx * dx + dy * dy)
            ray[i, DX], ray[i, DY] = dx * scale, dy * scale
        statuses[row] = status
        sums[slot, status] += power
        sums[slot, ALL_LOST] += reach[i, LOST]
        if graded and b.path[i, POINTS] > 0.0 and status != ABSORBED and status != ILL_DEFINED:
            # a row that is absorbed at its end counts as a whole
            sums[slot, FADED] += b.path[i, GONE]
        child, place = child + children, place + children
        if mark[i, ALIVE]:
            if new:
                copy_ray(b, i, q, b.at[i])
            else:
                put_back(b, i, q)
        else:
            q.mark[b.at[i], ALIVE] = 0


@rare
def write_path(t: Tables, h: Hierarchy, loose: NDArray[np.int64], b: Batch, c: Columns, i: int, row: int, line: int) -> None:
    """Write what a curved segment's row has of its own: where it began and with what power, and its points, from ``line`` on."""
    path, count = b.path, int(b.path[i, POINTS])
    c.points[row, 0], c.points[row, 1] = line if count else 0, count
    if count:
        c.p1[row, 0], c.p1[row, 1] = path[i, X0], path[i, Y0]
        c.power[row, 0], c.power[row, 1] = path[i, S0], path[i, P0]
        follow(t, h, loose, b.inside[i], np.float64(b.wavelength[i]), path[i], c.polyline, line)
