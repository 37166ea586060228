"""The kernels: a batch of rays through flat tables.

Each batch advances in four steps: (1) find the nearest hits; (2) compare each hit with that of the
preceding ray and count the children; (3) reserve indices for the children, which depends on all
earlier batches (in `raybench.trace.kernels.loop`); (4) apply the interactions and write the rows.
"""

import math

import numpy as np

from raybench.arrays import Floats, Integers
from raybench.kinds.primitives import GLASS, PARTIAL, SPLITTER_TRANSMISSION
from raybench.optics.colour import GREEN
from raybench.trace.codes import Flag, Status
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import NONE, ZERO, place, rare, whole
from raybench.trace.kernels import curved_ray, rays, surfaces
from raybench.trace.kernels.coincidence import reflect_in_corner, resolve_coincidence
from raybench.trace.kernels.custom import custom_at, plan_custom
from raybench.trace.kernels.intersect import end_near, outward
from raybench.trace.kernels.medium import locate, transmitted
from raybench.trace.kernels.nearest_hit import nearest_in_hierarchy, nearest_of_all
from raybench.trace.kernels.rays import Batch, Offsets, Queue, Ray
from raybench.trace.tables.bvh import Hierarchy
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import MOST_POWER, TIGHT

FIRST = int(Flag.FIRST)
ESCAPED, DEPTH_REACHED = int(Status.ESCAPED), int(Status.DEPTH)

(
    TRUNCATED_POWER,
    RESAMPLED_POWER,
    GAINED_POWER,
    ABSORBED_ON_PATH,
    ILL_POWER,
    ILL_A,
    ILL_B,
    SUMS_SIZE,
) = range(len(Status), len(Status) + 8)
"""Columns of the sums of each chunk: the power of its rows by status, then these. TRUNCATED_POWER:
not followed further. RESAMPLED_POWER: added by resampled reflections. GAINED_POWER: gained less
lost at elements that do not conserve power. ABSORBED_ON_PATH: absorbed along the way. ILL_POWER:
power that hit ill-defined points; ILL_A and ILL_B: the objects at the first of these.
"""


@rare
def find_hits(t: Tables, h: Hierarchy, loose: Integers, b: Batch, state: Integers) -> int:
    """Step 1: find the next hit of each of the batch's rays, and the ratio of refractive indices if
    it is on glass (NaN where the interaction is not defined).

    ``loose`` (m,) are the primitives that are not in the hierarchy. Returns the number of polyline
    points of all curved segments. If the trace is to stop (`raybench.trace.kernels.rays`) while
    paths are integrated, those so far are cut, and the batch ends with them.
    """
    ray = b.ray
    hit = b.hit
    interface = b.interface
    tag = b.tag
    waves = b.wavelength
    flags = t.flags
    owner = t.owner
    shortest = t.shortest
    merging = t.merging
    kinds, g, ordered = t.primitive, t.geometry, len(h.order) > 0
    graded, points, count = len(t.graded) > 0, 0, b.chunk[rays.COUNT]
    if graded:
        curved_ray.begin_paths(b, count)
        count = b.chunk[rays.COUNT] = curved_ray.follow_paths(
            t, h, loose, b, state, ZERO, count, b.log, NONE
        )
    for n in range(count):
        i, curved = b.entry[n], curved_ray.STRAIGHT
        if graded:
            curved = int(b.path[i, curved_ray.ENDING])
            points += int(b.path[i, curved_ray.POINTS])
            if curved == curved_ray.CUT:
                hit[i, rays.OBJECT] = NONE
                hit[i, rays.PRIMITIVE] = NONE
                hit[i, rays.OTHER] = NONE
                hit[i, rays.SHARED] = 0
                hit[i, rays.NEXT_ORIGIN] = NONE
                interface[i, rays.DISTANCE], interface[i, rays.RATIO] = 0.0, 1.0
                continue
        px = ray[i, rays.X]
        py = ray[i, rays.Y]
        dx = ray[i, rays.DX]
        dy = ray[i, rays.DY]
        wavelength = np.float64(waves[i])
        # a curved path was moved back from its surface, so that this straight step intersects the
        # surface again
        origin = whole(tag[i, rays.ORIGIN]) if curved == curved_ray.STRAIGHT else NONE
        best, second, which = nearest_of_all(t, px, py, dx, dy, wavelength, origin, loose)
        if ordered:
            best, second, which = nearest_in_hierarchy(
                t, h, b.walk, px, py, dx, dy, wavelength, origin, best, second, which
            )
        ratio = 1.0
        other = -1
        obj = -1
        shared = 0
        if which >= 0:
            obj = owner[which]
            if second - best < merging:
                shared = 1
                r = Ray(px, py, dx, dy, wavelength, origin)
                obj, which, other, best, ratio = resolve_coincidence(t, h, loose, b.walk, best, r)
        if obj >= 0:
            x, y = px + best * dx, py + best * dy
            nx, ny = outward(kinds[which], g, which, x, y, dx, dy)
            interface[i, rays.NX], interface[i, rays.NY] = nx, ny
            if shared == 0 and flags[obj] & GLASS:
                crossing = surfaces.glass_crossing(
                    t, obj, which, best, px, py, dx, dy, nx, ny, origin
                )
                ratio = surfaces.crossing_factor(
                    crossing, surfaces.glass_index(t, obj, x, y, wavelength)
                )
            elif t.surface[obj] == surfaces.REFLECT and (
                best < TIGHT * shortest
                or end_near(kinds[which], g, which, x, y, TIGHT * shortest) >= 0
            ):
                shared = 1
        if curved == curved_ray.FAILED or (
            curved == curved_ray.REACHED and (obj < 0 or best > 4.0 * shortest)
        ):
            obj = first_body_inside(t, b, i)
            which = NONE
            best = 2.0 * shortest
            ratio = math.nan
        if graded and curved == curved_ray.STRAIGHT:
            left = transmitted(t, b.inside[i], wavelength, best if obj >= 0 else math.inf)
            b.path[i, curved_ray.PATH_LOSS] = (ray[i, rays.S] + ray[i, rays.P]) * (1.0 - left)
            ray[i, rays.S], ray[i, rays.P] = ray[i, rays.S] * left, ray[i, rays.P] * left
        hit[i, rays.OBJECT] = obj
        hit[i, rays.PRIMITIVE] = which
        hit[i, rays.OTHER] = other
        hit[i, rays.SHARED] = shared
        hit[i, rays.NEXT_ORIGIN] = NONE if shared or obj < 0 else which
        interface[i, rays.DISTANCE], interface[i, rays.RATIO] = best, ratio
    return points


@rare
def first_body_inside(t: Tables, b: Batch, i: int) -> int:
    """The first gradient-index body that contains the ray; the first of all if none does."""
    for g in range(len(t.graded)):
        if b.inside[i, g]:
            return t.graded[g]
    return t.graded[0]


@rare
def plan(
    t: Tables, h: Hierarchy, loose: Integers, b: Batch, low: int, high: int, last_hit: int
) -> int:
    """Step 2: for rays ``low`` to ``high - 1``, set GAP_BEFORE (the preceding ray hit another
    object) and the number of children.

    ``last_hit`` is the object that ray ``low - 1`` hit. Returns the total number of children.
    """
    ray = b.ray
    hit = b.hit
    interface = b.interface
    mark = b.mark
    tag = b.tag
    serials = b.serial
    waves = b.wavelength
    surface, flags, weakest = t.surface, t.flags, t.weakest_reflected
    children = 0
    for n in range(low, high):
        i = b.entry[n]
        obj = hit[i, rays.OBJECT]
        hit[i, rays.GAP_BEFORE] = 1 if obj != last_hit else 0
        last_hit = obj
        hit[i, rays.CHILD], interface[i, rays.LOST], interface[i, rays.GAINED] = 0, 0.0, 0.0
        if obj < 0 or tag[i, rays.DEPTH] >= t.max_depth:
            continue
        kind = surface[obj]
        if kind == surfaces.REFRACT:
            if math.isnan(interface[i, rays.RATIO]):
                continue
            cos_i = surfaces.against(
                interface[i, rays.NX], interface[i, rays.NY], ray[i, rays.DX], ray[i, rays.DY]
            )[2]
            r_s, r_p, cos_t = surfaces.reflectances(interface[i, rays.RATIO], cos_i)
            interface[i, rays.R_S] = r_s
            interface[i, rays.R_P] = r_p
            interface[i, rays.COS_T] = cos_t
            if cos_t >= 0.0 and flags[obj] & PARTIAL:
                power = ray[i, rays.S] * r_s + ray[i, rays.P] * r_p
                factor = surfaces.weak_reflection(
                    weakest,
                    power,
                    mark[i, rays.FLAGS] & surfaces.GAP != 0 or hit[i, rays.GAP_BEFORE] != 0,
                    serials[i],
                )
                if factor != 1:
                    interface[i, rays.LOST], interface[i, rays.GAINED] = power, power * factor
                hit[i, rays.CHILD] = 1 if factor > 0 else 0
        elif kind == surfaces.SPLIT:
            power = (ray[i, rays.S] + ray[i, rays.P]) * t.parameters[obj, SPLITTER_TRANSMISSION]
            if not abs(power) < MOST_POWER:
                interface[i, rays.GAINED] = -(ray[i, rays.S] + ray[i, rays.P])
            elif power > weakest:
                hit[i, rays.CHILD] = 1
            else:
                interface[i, rays.LOST] = power
        elif kind == surfaces.CUSTOM:
            if not math.isnan(interface[i, rays.RATIO]):
                plan_custom(t, h, loose, b, i)
        elif kind == surfaces.DIFFRACT:
            surfaces.plan_grating(
                t, b, i, obj, GREEN if math.isnan(waves[i]) else np.float64(waves[i])
            )
        children += hit[i, rays.CHILD]
    return children


@rare
def interact(
    t: Tables,
    h: Hierarchy,
    loose: Integers,
    b: Batch,
    q: Queue,
    c: Columns,
    sums: Floats,
    count: int,
    to: Offsets,
    far: float,
    new: bool,
) -> None:
    """Step 4: write one row per ray, apply the interaction to the ray, and accumulate its power in
    ``sums``.

    ``new``: the rays come straight from the sources and are not in the queue yet. An escaping ray
    gets a segment of length ``far``.
    """
    child = to.child
    serial = to.serial
    slot = to.slot
    slot_end = to.low + to.size
    ray = b.ray
    hit = b.hit
    interface = b.interface
    mark = b.mark
    tag = b.tag
    waves = b.wavelength
    starts = c.p1
    ends = c.p2
    powers = c.power
    wavelengths = c.wavelength
    parents, sources, source_rays = c.parent, c.source, c.source_ray
    depths = c.depth
    hits = c.hit
    edges = c.edge
    interactions = c.interaction
    statuses = c.status
    flags = c.flags
    orders = c.order
    kinds, edge_of, max_depth = t.surface, t.edge, t.max_depth
    graded = len(t.graded) > 0
    if graded:
        curved_ray.write_polylines(t, h, loose, b, count, c.polyline, to.line)
    for n in range(count):
        i, row = b.entry[n], to.row + n
        while b.at[n] >= slot_end:
            slot, slot_end = slot + 1, slot_end + to.size
        obj, k = hit[i, rays.OBJECT], hit[i, rays.PRIMITIVE]
        px = ray[i, rays.X]
        py = ray[i, rays.Y]
        dx = ray[i, rays.DX]
        dy = ray[i, rays.DY]
        cut = graded and b.path[i, curved_ray.ENDING] == curved_ray.CUT
        s = interface[i, rays.DISTANCE] if obj >= 0 or cut else far
        x, y = px + s * dx, py + s * dy
        power = ray[i, rays.S] + ray[i, rays.P]
        at = place(row)
        starts[at, 0] = px
        starts[at, 1] = py
        ends[at, 0] = x
        ends[at, 1] = y
        powers[at, 0], powers[at, 1], wavelengths[at] = ray[i, rays.S], ray[i, rays.P], waves[i]
        parents[at] = tag[i, rays.PARENT]
        sources[at] = tag[i, rays.SOURCE]
        source_rays[at] = tag[i, rays.SOURCE_RAY]
        depths[at], hits[at], edges[at] = tag[i, rays.DEPTH], obj, edge_of[k] if k >= 0 else -1
        orders[at] = tag[i, rays.ORDER]
        # this row keeps the gap flag of the ray as it started; GAP_BEFORE applies to the ray's next
        # segment
        interactions[at] = mark[i, rays.INTERACTION]
        flags[at] = mark[i, rays.FLAGS] | (FIRST if row == to.first_row else 0)
        if hit[i, rays.OTHER] >= 0 or math.isnan(interface[i, rays.RATIO]):
            if sums[slot, ILL_POWER] == 0.0:
                sums[slot, ILL_A], sums[slot, ILL_B] = obj, hit[i, rays.OTHER]
            sums[slot, ILL_POWER] += power
        if graded:
            write_path(b, c, i, row)
            sums[slot, ABSORBED_ON_PATH] += b.path[i, curved_ray.PATH_LOSS]
        children = hit[i, rays.CHILD]
        hit[i, rays.CHILD] = child if children > 0 else -1
        if interface[i, rays.LOST] != 0.0 or interface[i, rays.GAINED] != 0.0:
            sums[slot, TRUNCATED_POWER] += interface[i, rays.LOST]
            sums[slot, RESAMPLED_POWER if t.flags[obj] & GLASS else GAINED_POWER] += interface[
                i, rays.GAINED
            ]
            interface[i, rays.LOST] = 0.0
        ray[i, rays.X], ray[i, rays.Y] = x, y
        mark[i, rays.FLAGS] = (
            surfaces.GAP
            if mark[i, rays.FLAGS] & surfaces.GAP != 0 or hit[i, rays.GAP_BEFORE] != 0
            else 0
        )  # the other flags apply to one segment only
        tag[i, rays.DEPTH] += 1
        tag[i, rays.PARENT] = row
        status = surfaces.CONTINUED
        if cut:
            tag[i, rays.ORIGIN] = NONE
        elif obj < 0:
            status = ESCAPED
            mark[i, rays.ALIVE] = 0
        elif tag[i, rays.DEPTH] > max_depth:
            status = DEPTH_REACHED
            interface[i, rays.LOST] = ray[i, rays.S] + ray[i, rays.P]
            mark[i, rays.ALIVE] = 0
        else:
            surface = kinds[obj]
            if surface == surfaces.REFRACT:
                if math.isnan(interface[i, rays.RATIO]):
                    status = surfaces.ILL_DEFINED
                    mark[i, rays.ALIVE] = 0
                else:
                    status, more = surfaces.refract_at(t, b, i, q, row, x, y, serial)
                    flags[at] |= more
            elif surface == surfaces.REFLECT:
                ray[i, rays.DX], ray[i, rays.DY] = surfaces.reflect(
                    dx, dy, interface[i, rays.NX], interface[i, rays.NY]
                )
                if hit[i, rays.SHARED]:
                    r = Ray(px, py, dx, dy, np.float64(waves[i]), whole(tag[i, rays.ORIGIN]))
                    ray[i, rays.DX], ray[i, rays.DY] = reflect_in_corner(
                        t, s, r, ray[i, rays.DX], ray[i, rays.DY]
                    )
                mark[i, rays.INTERACTION] = surfaces.BY_REFLECT
            elif surface == surfaces.LENS:
                status = surfaces.lens_at(t, b, i, x, y)
            elif surface == surfaces.DETECT:
                mark[i, rays.INTERACTION] = surfaces.BY_DETECT
            elif surface == surfaces.SPLIT:
                status = surfaces.split_at(t, b, i, q, row, x, y, serial)
            elif surface == surfaces.CUSTOM:
                if math.isnan(interface[i, rays.RATIO]):
                    status = surfaces.ILL_DEFINED
                    mark[i, rays.ALIVE] = 0
                else:
                    status = custom_at(t, h, loose, b, i, q, row, px, py, x, y, serial)
            elif surface == surfaces.DIFFRACT:
                status = surfaces.diffract_at(
                    t,
                    b,
                    i,
                    q,
                    row,
                    x,
                    y,
                    serial,
                    GREEN if math.isnan(waves[i]) else np.float64(waves[i]),
                )
            else:
                status = surfaces.ABSORBED
                mark[i, rays.ALIVE] = 0
            if graded and hit[i, rays.OTHER] >= 0 and mark[i, rays.ALIVE]:
                locate(t, b.inside[i], x, y, ray[i, rays.DX], ray[i, rays.DY])
            tag[i, rays.ORIGIN] = hit[i, rays.NEXT_ORIGIN]
            # distances assume unit directions: one Newton step for 1/sqrt renormalises
            dx, dy = ray[i, rays.DX], ray[i, rays.DY]
            scale = 1.5 - 0.5 * (dx * dx + dy * dy)
            ray[i, rays.DX], ray[i, rays.DY] = dx * scale, dy * scale
        statuses[at] = status
        sums[slot, status] += power
        sums[slot, TRUNCATED_POWER] += interface[i, rays.LOST]
        child, serial = child + children, serial + children
        if graded:  # the batch has copies
            if not mark[i, rays.ALIVE]:
                q.mark[b.at[n], rays.ALIVE] = 0
            elif new:
                rays.copy_ray(b, i, q, b.at[n])
            else:
                rays.write_back(b, i, q, b.at[n])


@rare
def write_path(b: Batch, c: Columns, i: int, row: int) -> None:
    """Write a row's ``points``, and its power at its start and at its end; for a curved segment
    also its start.
    """
    path, count = b.path, int(b.path[i, curved_ray.POINTS])
    c.points[row, 0], c.points[row, 1] = int(path[i, curved_ray.LINE]) if count else 0, count
    c.power[row, 0], c.power[row, 1] = path[i, curved_ray.S0], path[i, curved_ray.P0]
    c.end_power[row, 0], c.end_power[row, 1] = b.ray[i, rays.S], b.ray[i, rays.P]
    if count:
        c.p1[row, 0], c.p1[row, 1] = path[i, curved_ray.X0], path[i, curved_ray.Y0]
