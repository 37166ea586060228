"""The kernels: rays through flat tables, a generation at a time.

A generation is a range of live entries whose places in the order of processing are known. Four steps take it further: nearest hits,
in any order; what each entry's predecessor hit and how many children it will have, in any order; the children's places, in order (in
`core.trace.loop`); and the interactions with their rows, in any order. So any number of threads gives the rows that one gives.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.trace.bvh import Hierarchy, Walk
from core.trace.bvh import new_walk as new_walk
from core.trace.codes import Flag, Status
from core.trace.custom import custom_at, plan_custom
from core.trace.gratings import diffract_at, plan_grating
from core.trace.intersect import nearest_in_hierarchy, nearest_of_all, outward
from core.trace.jit import NONE, entry, rare
from core.trace.medium import locate
from core.trace.ray_path import DX0, DY0, GONE, P0, PLACE, POINTS, S0, X0, Y0, follow
from core.trace.surfaces import (
    ABSORBED,
    ALIVE,
    BY_DETECT,
    BY_REFLECT,
    CHILD,
    CONTINUED,
    CUSTOM,
    DEPTH,
    DETECT,
    DIFFRACT,
    DISTANCE,
    DX,
    DY,
    FLAGS,
    GAINED,
    GAP,
    GREEN,
    HOW,
    ILL_DEFINED,
    LEAVING,
    LEFT,
    LENS,
    LOST,
    NX,
    NY,
    OBJECT,
    OTHER,
    PARENT,
    PRIMITIVE,
    RATIO,
    REFLECT,
    REFRACT,
    SHARED,
    SOURCE,
    SOURCE_RAY,
    SPLIT,
    TIGHT,
    Entries,
    P,
    S,
    X,
    Y,
    against,
    crossing_factor,
    glass_crossing,
    glass_index,
    lens_at,
    reflect,
    reflect_in_corner,
    reflectances,
    refract_at,
    resolve_coincidence,
    split_at,
    weak_reflection,
)
from core.trace.tables import BEZIER, GLASS, PARTIAL, Tables

FIRST = PARTED = int(Flag.FIRST)
"""In a row: the first of a sweep. Among an entry's flags the same bit says, between planning and interaction, that its predecessor hit
something else."""
ESCAPED, CUT = int(Status.ESCAPED), int(Status.DEPTH)


class Columns(NamedTuple):
    """The rows written so far; ``ends`` (n, 4) holds p1 and p2, the others are those of `TraceResult`."""

    ends: NDArray[np.float64]
    power: NDArray[np.float64]
    wavelength: NDArray[np.float64]
    parent: NDArray[np.int32]
    source: NDArray[np.int32]
    source_ray: NDArray[np.int32]
    depth: NDArray[np.int32]
    hit: NDArray[np.int32]
    edge: NDArray[np.int16]
    interaction: NDArray[np.uint8]
    status: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    points: NDArray[np.int32]
    polyline: NDArray[np.float64]


@entry
def begin(t: Tables, e: Entries, low: int, high: int) -> None:
    """Before the first step: in which gradient-index bodies the rays from the sources start."""
    for i in range(low, high):
        locate(t, e.inside[i], e.ray[i, X], e.ray[i, Y], e.ray[i, DX], e.ray[i, DY])


@rare
def curve_to_hit(t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Entries, i: int) -> int:
    """Follow an entry to the end of its way through gradient-index media, and put its ray just before that end.

    Returns -1 for an entry outside all of them, 0 for one that came to a surface, 1 for one whose way cannot be followed to an end.
    """
    ray, path = e.ray, e.path
    path[i, POINTS] = 0.0
    if not np.any(e.inside[i]):
        return -1
    path[i, X0], path[i, Y0], path[i, DX0], path[i, DY0] = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
    path[i, S0], path[i, P0] = ray[i, S], ray[i, P]
    found, count, x, y, dx, dy, left = follow(t, h, loose, e.inside[i], np.float64(e.wavelength[i]), path[i], path, NONE)
    path[i, POINTS] = count
    back = 2.0 * t.shortest
    ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY] = x - back * dx, y - back * dy, dx, dy
    if not (ray[i, S] + ray[i, P]) * left < math.inf:  # power that grows beyond numbers has no end
        found, left = False, 1.0
    path[i, GONE] = (ray[i, S] + ray[i, P]) * (1.0 - left)
    ray[i, S], ray[i, P] = ray[i, S] * left, ray[i, P] * left
    return 0 if found else 1


@entry
def find_hits(t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Entries, walk: Walk, low: int, high: int) -> None:
    """Step 1: what each entry meets next, and by which ratio of indices where that is glass.

    ``loose`` are the primitives that are not in the hierarchy.
    """
    ray, met, reach, tag, waves, flags, owner, shortest = e.ray, e.met, e.reach, e.tag, e.wavelength, t.flags, t.owner, t.shortest
    kinds, g, ordered = t.primitive, t.geometry, len(h.order) > 0
    graded = len(t.graded) > 0
    for i in range(low, high):
        curved = curve_to_hit(t, h, loose, e, i) if graded else -1
        px, py, dx, dy = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
        wavelength = np.float64(waves[i])
        # a curved way ends a little before its surface, so that the last straight step finds it again
        left = NONE if curved >= 0 else int(tag[i, LEFT])
        best, second, which = nearest_of_all(t, px, py, dx, dy, wavelength, left, loose)
        if ordered:
            best, second, which = nearest_in_hierarchy(t, h, walk, px, py, dx, dy, wavelength, left, best, second, which)
        ratio, other, obj, shared = 1.0, -1, -1, 0
        if which >= 0:
            obj = owner[which]
            if second - best < shortest:
                shared = 1
                obj, which, other, best, ratio = resolve_coincidence(t, best, px, py, dx, dy, wavelength, left)
        if obj >= 0:
            x, y = px + best * dx, py + best * dy
            nx, ny = outward(kinds[which], g, which, x, y, dx, dy)
            reach[i, NX], reach[i, NY] = nx, ny
            if shared == 0 and flags[obj] & GLASS:
                crossing = glass_crossing(t, obj, which, best, px, py, dx, dy, nx, ny, left)
                ratio = crossing_factor(crossing, glass_index(t, obj, x, y, wavelength))
            elif best < TIGHT * shortest and t.surface[obj] == REFLECT:
                shared = 1
        if curved > 0 or (curved == 0 and (obj < 0 or best > 4.0 * shortest)):
            obj, which, best, ratio = lost_in(t, e, i), 0, 2.0 * shortest, math.nan
        met[i, OBJECT], met[i, PRIMITIVE], met[i, OTHER], met[i, SHARED] = obj, which, other, shared
        met[i, LEAVING] = NONE if shared or obj < 0 or t.primitive[which] == BEZIER else which
        reach[i, DISTANCE], reach[i, RATIO] = best, ratio


@rare
def lost_in(t: Tables, e: Entries, i: int) -> int:
    """The first gradient-index body that an entry is in."""
    for g in range(len(t.graded)):
        if e.inside[i, g]:
            return t.graded[g]
    return t.graded[0]


@entry
def plan(t: Tables, e: Entries, low: int, high: int, last_hit: int) -> None:
    """Step 2: the gap to the predecessor, and how many children each entry will have. ``last_hit`` is what entry ``low - 1`` hit."""
    ray, met, reach, mark, tag, places, waves = e.ray, e.met, e.reach, e.mark, e.tag, e.place, e.wavelength
    surface, flags, weakest = t.surface, t.flags, t.weakest_reflected
    for i in range(low, high):
        obj = met[i, OBJECT]
        if obj != last_hit:
            mark[i, FLAGS] |= PARTED
        last_hit = obj
        met[i, CHILD], reach[i, LOST], reach[i, GAINED] = 0, 0.0, 0.0
        if obj < 0 or tag[i, DEPTH] >= t.max_depth:
            continue
        kind = surface[obj]
        if kind == REFRACT:
            if math.isnan(reach[i, RATIO]) or flags[obj] & PARTIAL == 0:
                continue
            cos_i = against(reach[i, NX], reach[i, NY], ray[i, DX], ray[i, DY])[2]
            r_s, r_p, cos_t = reflectances(reach[i, RATIO], cos_i)
            if cos_t >= 0.0:
                power = ray[i, S] * r_s + ray[i, P] * r_p
                factor = weak_reflection(weakest, power, mark[i, FLAGS] & (GAP | PARTED) != 0, places[i])
                if factor != 1:
                    reach[i, LOST], reach[i, GAINED] = power, power * factor
                met[i, CHILD] = 1 if factor > 0 else 0
        elif kind == SPLIT:
            power = (ray[i, S] + ray[i, P]) * t.parameters[obj, 0]
            if power > weakest:
                met[i, CHILD] = 1
            else:
                reach[i, LOST] = power
        elif kind == CUSTOM:
            plan_custom(t, e, i)
        elif kind == DIFFRACT:
            plan_grating(t, e, i, obj, GREEN if math.isnan(waves[i]) else np.float64(waves[i]))


@entry
def interact(
    t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Entries, c: Columns, low: int, high: int,
    start: int, row0: int, first_place: int, first_child: int, far: float,
) -> None:  # fmt: skip
    """Step 4: write the rows of the entries ``low`` to ``high`` and send the entries on. Entry ``start`` has row ``row0``."""
    ray, met, reach, mark, tag, waves = e.ray, e.met, e.reach, e.mark, e.tag, e.wavelength
    ends, powers, wavelengths, parents, sources, source_rays = c.ends, c.power, c.wavelength, c.parent, c.source, c.source_ray
    depths, hits, edges, interactions, statuses, flags = c.depth, c.hit, c.edge, c.interaction, c.status, c.flags
    surfaces, edge_of, max_depth = t.surface, t.edge, t.max_depth
    graded = len(t.graded) > 0
    for i in range(low, high):
        row = row0 + i - start
        obj, k = met[i, OBJECT], met[i, PRIMITIVE]
        px, py, dx, dy = ray[i, X], ray[i, Y], ray[i, DX], ray[i, DY]
        s = reach[i, DISTANCE] if obj >= 0 else far
        x, y = px + s * dx, py + s * dy
        ends[row, 0], ends[row, 1], ends[row, 2], ends[row, 3] = px, py, x, y
        powers[row, 0], powers[row, 1], wavelengths[row] = ray[i, S], ray[i, P], waves[i]
        parents[row], sources[row], source_rays[row] = tag[i, PARENT], tag[i, SOURCE], tag[i, SOURCE_RAY]
        depths[row], hits[row], edges[row] = tag[i, DEPTH], obj, edge_of[k] if obj >= 0 else -1
        # a row has the gap it came with: the one to its predecessor is the ray's from here on
        interactions[row], flags[row] = mark[i, HOW], (mark[i, FLAGS] & 127) | (FIRST if i == 0 else 0)
        if graded:
            write_path(t, h, loose, e, c, i, row)
        if obj < 0:
            statuses[row] = ESCAPED
            mark[i, ALIVE] = 0
            continue
        ray[i, X], ray[i, Y] = x, y
        mark[i, FLAGS] = GAP if mark[i, FLAGS] & (GAP | PARTED) else 0  # the other flags belong to one segment
        tag[i, DEPTH] += 1
        tag[i, PARENT] = row
        if tag[i, DEPTH] > max_depth:
            statuses[row] = CUT
            reach[i, LOST] = ray[i, S] + ray[i, P]
            mark[i, ALIVE] = 0
            continue
        status, surface = CONTINUED, surfaces[obj]
        place = first_place + met[i, CHILD] - first_child
        if surface == REFRACT:
            if math.isnan(reach[i, RATIO]):
                status = ILL_DEFINED
                mark[i, ALIVE] = 0
            else:
                status, more = refract_at(t, e, i, row, x, y, place)
                flags[row] |= more
        elif surface == REFLECT:
            ray[i, DX], ray[i, DY] = reflect(dx, dy, reach[i, NX], reach[i, NY])
            if met[i, SHARED]:
                ray[i, DX], ray[i, DY] = reflect_in_corner(t, s, px, py, dx, dy, waves[i], int(tag[i, LEFT]), ray[i, DX], ray[i, DY])
            mark[i, HOW] = BY_REFLECT
        elif surface == LENS:
            status = lens_at(t, e, i, x, y)
        elif surface == DETECT:
            mark[i, HOW] = BY_DETECT
        elif surface == SPLIT:
            status = split_at(t, e, i, row, x, y, place)
        elif surface == CUSTOM:
            status = custom_at(t, e, i, row, px, py, x, y, place)
        elif surface == DIFFRACT:
            status = diffract_at(t, e, i, row, x, y, place, GREEN if math.isnan(waves[i]) else np.float64(waves[i]))
        else:
            status = ABSORBED
            mark[i, ALIVE] = 0
        if graded and met[i, OTHER] >= 0 and mark[i, ALIVE]:
            locate(t, e.inside[i], x, y, ray[i, DX], ray[i, DY])
        statuses[row], tag[i, LEFT] = status, met[i, LEAVING]
        # distances are measured in units of the direction: one step of Newton's method keeps its length at 1
        dx, dy = ray[i, DX], ray[i, DY]
        scale = 1.5 - 0.5 * (dx * dx + dy * dy)
        ray[i, DX], ray[i, DY] = dx * scale, dy * scale


@rare
def write_path(t: Tables, h: Hierarchy, loose: NDArray[np.int64], e: Entries, c: Columns, i: int, row: int) -> None:
    """Write what a curved segment's row has of its own: where it began and with what power, and its points."""
    path, count = e.path, int(e.path[i, POINTS])
    c.points[row, 0], c.points[row, 1] = int(path[i, PLACE]) if count else 0, count
    if count:
        c.ends[row, 0], c.ends[row, 1] = path[i, X0], path[i, Y0]
        c.power[row, 0], c.power[row, 1] = path[i, S0], path[i, P0]
        follow(t, h, loose, e.inside[i], np.float64(e.wavelength[i]), path[i], c.polyline, int(path[i, PLACE]))
