"""The kernels that advance a batch of rays through the flat tables of a scene.

Each batch advances in four steps: (1) find the nearest hits; (2) compare each hit with that of the
preceding ray and count the children; (3) reserve indices for the children, which depends on all
earlier batches (in `raybench.trace.kernels.loop`); (4) apply the interactions and write the rows.
"""

import math

from raybench.arrays import Floats, Integers
from raybench.kinds.primitives import COATED, FINISHED, GLASS, PARTIAL
from raybench.trace.codes import Flag, Status
from raybench.trace.columns import Columns
from raybench.trace.compilation.jit import NONE, ZERO, inner, place, rare, whole
from raybench.trace.kernels import (
    curved_ray,
    glass,
    polarization,
    rays,
    scatter,
    surfaces,
    trails,
)
from raybench.trace.kernels.coincidence import object_acting_at_coincidence, reflect_in_corner
from raybench.trace.kernels.custom import count_custom_rays, emit_custom_rays
from raybench.trace.kernels.intersect import COUNTED_THERE, nearby_end_index, outward_normal
from raybench.trace.kernels.medium import find_bodies_inside, transmitted_fraction
from raybench.trace.kernels.nearest_hit import (
    find_nearest_hits,
    hit_in_sight,
    place_in_sight,
    put_in_sight,
    ray_in_sight,
)
from raybench.trace.kernels.rays import Batch, Offsets, Queue, Ray, Spot
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import MOST_POWER, TIGHT

FIRST, COUNTED = int(Flag.FIRST), int(Flag.COUNTED)
ESCAPED, DEPTH_REACHED = int(Status.ESCAPED), int(Status.DEPTH)
EVERY, TREATED = 0xFFFF, COATED | FINISHED
UNTREATED = EVERY & ~TREATED

(
    TRUNCATED_POWER,
    RESAMPLED_POWER,
    GAINED_POWER,
    ABSORBED_ON_PATH,
    ILL_POWER,
    ILL_A,
    ILL_B,
    REACH,
    SUMS_SIZE,
) = range(len(Status), len(Status) + 9)
"""Columns of the sums of each chunk: the power of its rows by status, then these. TRUNCATED_POWER:
not followed further. RESAMPLED_POWER: added by resampled reflections and scattered rays. GAINED_POWER: gained less
lost at elements that do not conserve power. ABSORBED_ON_PATH: absorbed along the way, by
coatings and by paints. ILL_POWER: power that hit ill-defined points; ILL_A and ILL_B: the objects at the first of these.
REACH: where not all rows are kept, the largest coordinate, in size, at which one starts.
"""


@rare
def find_hits(t: Tables, b: Batch, state: Integers) -> int:
    """Step 1: find the next hit of each ray of the batch. For a hit on glass, also compute the
    ratio of the refractive indices, NaN where the interaction is not defined, and what the glass
    does to the ray.

    Returns the number of polyline points of all curved segments. If the trace is to stop
    (`raybench.trace.kernels.rays`) while paths are integrated, those so far are cut, and the batch
    ends with them.
    """
    graded, points, refracted = len(t.graded) > 0, 0, ZERO
    if graded:
        curved_ray.store_path_starts(b)
        b.chunk[rays.COUNT] = curved_ray.integrate_paths(t, b, state)
    for n in range(b.chunk[rays.COUNT]):
        put_in_sight(t, b.sight, n, curved_ray.straight_ray(t, b, rays.entry_of_ray(b, n)))
    find_nearest_hits(t, b.walk, b.sight, b.chunk[rays.COUNT])
    for n in range(b.chunk[rays.COUNT]):
        i, curved = rays.entry_of_ray(b, n), curved_ray.STRAIGHT
        ray, hit, interface = b.ray[i], b.hit[i], b.interface[i]
        obj = -1
        which = NONE
        other = -1
        shared, passed = False, ZERO
        best, ratio = 0.0, 1.0
        if graded:
            curved = int(b.path[i, curved_ray.ENDING])
            points += int(b.path[i, curved_ray.POINTS])
        if curved != curved_ray.CUT:
            r = ray_in_sight(b.sight, n)
            px, py, dx, dy = r.x, r.y, r.dx, r.dy
            best, second, which = hit_in_sight(b.sight, n)
            if which >= 0:
                obj = t.owner[place(which)]
                if second - best < t.merging:
                    obj, which, other, best, ratio, shared, counted = object_acting_at_coincidence(
                        t, b.walk, best, r
                    )
                    if counted:
                        passed = whole(COUNTED_THERE)
                        b.mark[i, rays.FLAGS] |= COUNTED
            if obj >= 0:
                x, y = px + best * dx, py + best * dy
                nx, ny = outward_normal(t, place(which), x, y, dx, dy)
                interface[rays.NX], interface[rays.NY] = nx, ny
                b.sight[place_in_sight(n, glass.NX)] = nx
                b.sight[place_in_sight(n, glass.NY)] = ny
                refracted |= whole(t.flags[place(obj)]) & GLASS
                if not shared and t.flags[place(obj)] & GLASS:
                    crossing = surfaces.glass_crossing(t, obj, which, best, r, nx, ny)
                    index = surfaces.glass_index(t, obj, x, y, r.wavelength)
                    ratio = surfaces.index_ratio_of_crossing(crossing, index)
                elif t.surface[place(obj)] == surfaces.REFLECT and (
                    best < TIGHT * t.shortest
                    or nearby_end_index(
                        t.primitive[which], t.geometry[which], x, y, TIGHT * t.shortest
                    )
                    >= 0
                ):
                    shared = True
            if curved == curved_ray.FAILED or (
                curved == curved_ray.REACHED and (obj < 0 or best > 4.0 * t.shortest)
            ):
                obj = first_body_around_ray(t, b, i)
                which = NONE
                best = 2.0 * t.shortest
                ratio = math.nan
                passed = ZERO
            if graded and curved == curved_ray.STRAIGHT:
                left = transmitted_fraction(
                    t, b.inside[i], r.wavelength, best if obj >= 0 else math.inf
                )
                b.path[i, curved_ray.PATH_LOSS] = rays.total_power(ray) * (1.0 - left)
                rays.set_powers(ray, ray[rays.S] * left, ray[rays.P] * left)
        if graded and b.stokes.shape[1] > 0:
            polarization.attenuate_along_path(b, i)
        hit[rays.OBJECT] = obj
        hit[rays.PRIMITIVE] = which
        hit[rays.OTHER] = other
        hit[rays.SHARED] = 1 if shared else 0
        hit[rays.NEXT_ORIGIN] = NONE if shared or obj < 0 else which + passed
        interface[rays.DISTANCE], interface[rays.RATIO] = best, ratio
        b.sight[place_in_sight(n, glass.RATIO)] = ratio
    if refracted != 0:
        glass.refract_and_reflect(b.sight, b.chunk[rays.COUNT])
    return points


@rare
def first_body_around_ray(t: Tables, b: Batch, ray_index: int) -> int:
    """The first of the gradient-index bodies that contain the ray, or the first body of all if none
    contains it.
    """
    for g in range(len(t.graded)):
        if b.inside[ray_index, g]:
            return t.graded[g]
    return t.graded[0]


@inner
def count_children_of_ray(t: Tables, b: Batch, ray_index: int, number: int, treated: bool) -> None:
    """Count the children of a ray that hits an object. ``number`` is that of the ray in
    `Batch.sight`; ``treated`` is that of `interact`.
    """
    ray, hit, interface = b.ray[ray_index], b.hit[ray_index], b.interface[ray_index]
    obj = hit[rays.OBJECT]
    kind, kinds = whole(t.surface[place(obj)]), acting_flags(t, obj, treated)
    if kinds & FINISHED:
        kind = scatter.acting_surface(t, b, ray_index)
    if kind == surfaces.REFRACT:
        if math.isnan(interface[rays.RATIO]):
            return
        r_s, r_p, cos_t = glass.reflectances_of_ray(b.sight, number)
        interface[rays.R_S] = r_s
        interface[rays.R_P] = r_p
        interface[rays.COS_T] = cos_t
        partial = kinds & PARTIAL != 0
        if kinds & COATED:
            partial = surfaces.set_coated_reflectances(t, b, ray_index)
            r_s, r_p = interface[rays.R_S], interface[rays.R_P]
            cos_t = interface[rays.COS_T]
        if cos_t >= 0.0 and partial:
            power = ray[rays.S] * r_s + ray[rays.P] * r_p
            gap = b.mark[ray_index, rays.FLAGS] & surfaces.GAP != 0 or hit[rays.GAP_BEFORE] != 0
            if b.seed.shape[1] > 0:  # scattered rays are no neighbours of an image
                gap = False
            factor = surfaces.weak_reflection_factor(
                t.weakest_reflected, power, gap, b.serial[ray_index]
            )
            if factor != 1:
                interface[rays.LOST], interface[rays.GAINED] = power, power * factor
            hit[rays.CHILD] = 1 if factor > 0 else 0
    elif kind == surfaces.SPLIT:
        _, _, t_s, t_p = surfaces.splitter_powers(t, b, ray_index, kinds)
        power = t_s + t_p
        if not abs(power) < MOST_POWER:
            interface[rays.GAINED] = -rays.total_power(ray)
        elif power > t.weakest_reflected:
            hit[rays.CHILD] = 1
        else:
            interface[rays.LOST] = power
    elif kind == surfaces.CUSTOM:
        if not math.isnan(interface[rays.RATIO]):
            count_custom_rays(t, b, ray_index)
    elif kind == surfaces.DIFFRACT:
        surfaces.count_diffracted_rays(t, b, ray_index)
    elif treated and kind == surfaces.MUELLER:
        polarization.count_light_of_element(t, b, ray_index)
    if kinds & FINISHED:
        hit[rays.CHILD] += scatter.count_scattered_rays(t, b, ray_index)


@rare
def count_children_at_treated_edge(t: Tables, b: Batch, ray_index: int, number: int) -> None:
    """`count_children_of_ray` with all that polarized light and treated edges need."""
    count_children_of_ray(t, b, ray_index, number, True)


@rare
def count_children(t: Tables, b: Batch, ray_count: int, last_hit: int) -> int:
    """Step 2: for the first ``ray_count`` rays, count the children, and set GAP_BEFORE if the
    preceding ray hit another object. ``last_hit`` is the object that the ray before them hit.
    Returns the total number of children.

    After all rays of the batch comes the first one again, now as if the ray before it had hit the
    same object. The children that it had before are then at FIRST_OTHER.
    """
    children = 0
    for n in range(ray_count):
        again = n == b.chunk[rays.COUNT]
        number = 0 if again else n
        i = rays.entry_of_ray(b, number)
        hit, interface = b.hit[i], b.interface[i]
        obj = hit[rays.OBJECT]
        if again:
            b.chunk[rays.FIRST_OTHER], last_hit = hit[rays.CHILD], obj
        hit[rays.GAP_BEFORE] = 1 if obj != last_hit else 0
        last_hit = obj
        hit[rays.CHILD], interface[rays.LOST], interface[rays.GAINED] = 0, 0.0, 0.0
        if b.seed.shape[1] > 0:
            b.seed[i, rays.SCATTERED] = 0
        if obj < 0 or b.tag[i, rays.DEPTH] >= t.max_depth:
            continue
        if b.stokes.shape[1] > 0 or t.flags[place(obj)] & TREATED:
            count_children_at_treated_edge(t, b, i, number)
        else:
            count_children_of_ray(t, b, i, number, False)
        children += hit[rays.CHILD]
    return children


@inner
def acting_flags(t: Tables, obj: int, treated: bool) -> int:
    """The flags of an object; without those of coatings and finishes unless it may be ``treated``,
    so that the code for them is left out of the machine code for all other objects.
    """
    return whole(t.flags[place(obj)]) & (EVERY if treated else UNTREATED)


@inner
def interact(
    t: Tables, b: Batch, ray_index: int, number: int, q: Queue, totals: Floats, r: Ray, spot: Spot,
    first_child: int, children: int, treated: bool,
) -> tuple[int, int]:  # fmt: skip
    """Apply the interaction to a ray that arrives at a ``spot``, where it was as ``r``, and write its
    children. ``number`` is that of the ray in `Batch.sight`, ``totals`` is its row of the sums. Returns
    the status of the ray's row, and flags to add to it.

    ``treated``: light may be polarized, media may act along its way, and edges may have coatings or
    finishes (`is_light_treated`). If not, the machine code has nothing for these.
    """
    ray, hit, interface, mark = (
        b.ray[ray_index],
        b.hit[ray_index],
        b.interface[ray_index],
        b.mark[ray_index],
    )
    obj, flags, status = hit[rays.OBJECT], 0, surfaces.CONTINUED
    surface, kinds = whole(t.surface[place(obj)]), acting_flags(t, obj, treated)
    arrived = ray[rays.S], ray[rays.P]
    if kinds & FINISHED:
        surface = scatter.acting_surface(t, b, ray_index)
    ill = math.isnan(interface[rays.RATIO])
    if ill and (surface == surfaces.REFRACT or surface == surfaces.CUSTOM):
        status = surfaces.ILL_DEFINED
        mark[rays.ALIVE] = 0
    elif surface == surfaces.REFRACT:
        if kinds & COATED:
            totals[ABSORBED_ON_PATH] += surfaces.absorbed_by_coated_body(t, b, ray_index)
        status, flags = surfaces.refract_at_glass(t, b, ray_index, number, q, spot, kinds, treated)
    elif surface == surfaces.REFLECT:
        if kinds & COATED:
            totals[ABSORBED_ON_PATH] += surfaces.absorb_at_coated_mirror(t, b, ray_index)
            if not mark[rays.ALIVE]:
                status = surfaces.TRUNCATED
        nx, ny = interface[rays.NX], interface[rays.NY]
        rx, ry = surfaces.reflect(r.dx, r.dy, nx, ny)
        if hit[rays.SHARED]:
            rx, ry = reflect_in_corner(t, interface[rays.DISTANCE], r, rx, ry)
        rays.set_direction(ray, (rx, ry))
        mark[rays.INTERACTION] = surfaces.BY_REFLECT
    elif surface == surfaces.LENS:
        status = surfaces.refract_at_lens(t, b, ray_index, spot.x, spot.y)
    elif surface == surfaces.DETECT:
        mark[rays.INTERACTION] = surfaces.BY_DETECT
    elif surface == surfaces.SPLIT:
        if kinds & COATED:
            totals[ABSORBED_ON_PATH] += surfaces.absorbed_by_coated_splitter(t, b, ray_index)
        status = surfaces.split_at_beam_splitter(t, b, ray_index, q, spot, kinds)
    elif surface == surfaces.CUSTOM:
        status = emit_custom_rays(t, b, ray_index, q, spot, r.x, r.y)
    elif surface == surfaces.DIFFRACT:
        status = surfaces.diffract_at_grating(t, b, ray_index, q, spot)
    elif treated and surface == surfaces.MUELLER:
        status, absorbed = polarization.cross_element(t, b, ray_index, q, spot)
        # of an absorbed ray all power is counted by its status
        totals[ABSORBED_ON_PATH] += absorbed
    else:
        status = surfaces.ABSORBED
        mark[rays.ALIVE] = 0
    if kinds & FINISHED:
        status, absorbed, gained = scatter.scatter_at_edge(
            t, b, ray_index, q, spot, r.dx, r.dy, first_child, status
        )
        totals[ABSORBED_ON_PATH] += absorbed
        totals[RESAMPLED_POWER] += gained
    if treated and b.stokes.shape[1] > 0 and surface != surfaces.MUELLER:
        polarization.set_coherences(t, b, ray_index, q, first_child, children, r, arrived)
    return status, flags


@inner
def is_light_treated(t: Tables, b: Batch) -> bool:
    """Whether light is polarized in a scene, media act along its way, or edges have coatings or
    finishes.
    """
    return len(t.graded) > 0 or len(t.coating) > 0 or len(t.finish) > 0 or b.stokes.shape[1] > 0


@inner
def write_rows(
    t: Tables, b: Batch, q: Queue, columns: Columns, sums: Floats, to: Offsets, far: float,
    new: bool, treated: bool,
) -> int:  # fmt: skip
    """`write_interactions`; ``treated`` is that of `interact`."""
    child, serial, slot, slot_end = to.child, to.serial, to.slot, to.low + to.size
    graded, going_on = treated and len(t.graded) > 0, ZERO
    if graded:
        curved_ray.write_polylines(b, columns.polyline, to.line)
    keeps_all, keeps_some, kept = len(t.kept) == 0, b.chunk[rays.KEPT_ROWS] > 0, to.at
    for n in range(b.chunk[rays.COUNT]):
        i, row = rays.entry_of_ray(b, n), to.row + n
        ray, hit, interface, mark, tag = b.ray[i], b.hit[i], b.interface[i], b.mark[i], b.tag[i]
        while b.at[n] >= slot_end:
            slot, slot_end = slot + 1, slot_end + to.size
        totals = sums[place(slot)]
        obj, k = hit[rays.OBJECT], hit[rays.PRIMITIVE]
        px, py, dx, dy = ray[rays.X], ray[rays.Y], ray[rays.DX], ray[rays.DY]
        cut = graded and b.path[i, curved_ray.ENDING] == curved_ray.CUT
        s = interface[rays.DISTANCE] if obj >= 0 or cut else far
        x, y = px + s * dx, py + s * dy
        power = rays.total_power(ray)
        is_kept = keeps_all or (keeps_some and trails.is_row_kept(t, b, i))
        number = row if keeps_all else kept if is_kept else trails.NOT_KEPT
        at = place(kept)
        if is_kept:
            columns.p1[at, 0], columns.p1[at, 1] = px, py
            columns.p2[at, 0], columns.p2[at, 1] = x, y
            columns.power[at, 0], columns.power[at, 1] = ray[rays.S], ray[rays.P]
            for j in range(b.stokes.shape[1] if treated else 0):
                columns.stokes[at, j] = b.stokes[i, j]
            columns.wavelength[at] = b.wavelength[i]
            columns.parent[at] = tag[rays.PARENT]
            columns.source[at] = tag[rays.SOURCE]
            columns.source_ray[at] = tag[rays.SOURCE_RAY]
            columns.depth[at] = tag[rays.DEPTH]
            columns.order[at] = tag[rays.ORDER]
            columns.hit[at], columns.edge[at] = obj, t.edge[place(k)] if k >= 0 else -1
            # this row keeps the gap flag of the ray as it started; GAP_BEFORE applies to the ray's next
            # segment
            columns.interaction[at] = mark[rays.INTERACTION]
            if graded:
                write_path_columns(b, columns, i, kept)
        flags = whole(mark[rays.FLAGS]) | (FIRST if row == to.first_row else 0)
        if hit[rays.OTHER] >= 0 or math.isnan(interface[rays.RATIO]):
            if totals[ILL_POWER] == 0.0:
                totals[ILL_A], totals[ILL_B] = obj, hit[rays.OTHER]
            totals[ILL_POWER] += power
        if graded:
            totals[ABSORBED_ON_PATH] += b.path[i, curved_ray.PATH_LOSS]
        children = hit[rays.CHILD]
        has_seeds = treated and b.seed.shape[1] > 0
        scattered = whole(b.seed[i, rays.SCATTERED]) if has_seeds else ZERO
        hit[rays.CHILD] = child if children > scattered else -1
        if interface[rays.LOST] != 0.0 or interface[rays.GAINED] != 0.0:
            totals[TRUNCATED_POWER] += interface[rays.LOST]
            gained_at = RESAMPLED_POWER if t.flags[place(obj)] & GLASS else GAINED_POWER
            totals[gained_at] += interface[rays.GAINED]
            interface[rays.LOST] = 0.0
        ray[rays.X], ray[rays.Y] = x, y
        gap = mark[rays.FLAGS] & surfaces.GAP != 0 or hit[rays.GAP_BEFORE] != 0
        mark[rays.FLAGS] = surfaces.GAP if gap else 0  # the others apply to one segment only
        tag[rays.DEPTH] += 1
        tag[rays.PARENT] = number
        status = surfaces.CONTINUED
        if cut:
            tag[rays.ORIGIN] = NONE
        elif obj < 0:
            status = ESCAPED
            mark[rays.ALIVE] = 0
        elif tag[rays.DEPTH] > t.max_depth:
            status = DEPTH_REACHED
            interface[rays.LOST] = rays.total_power(ray)
            mark[rays.ALIVE] = 0
        else:
            r = Ray(px, py, dx, dy, b.wavelength[i], whole(tag[rays.ORIGIN]))
            spot = Spot(x, y, number, serial)
            status, more = interact(t, b, i, n, q, totals, r, spot, child, children, treated)
            flags |= more
            dx, dy = ray[rays.DX], ray[rays.DY]
            if graded and hit[rays.OTHER] >= 0 and mark[rays.ALIVE]:
                find_bodies_inside(t, b.inside[i], x, y, dx, dy)
            tag[rays.ORIGIN] = hit[rays.NEXT_ORIGIN]
            # distances assume unit directions: one Newton step for 1/sqrt renormalises
            scale = 1.5 - 0.5 * (dx * dx + dy * dy)
            rays.set_direction(ray, (dx * scale, dy * scale))
        if is_kept:
            columns.flags[at] = flags
            columns.status[at] = status
            kept += 1
        totals[place(status)] += power
        totals[TRUNCATED_POWER] += interface[rays.LOST]
        if graded:  # the batch has copies
            if not mark[rays.ALIVE]:
                q.mark[b.at[n], rays.ALIVE] = 0
            elif new:
                rays.copy_ray(b, i, q, b.at[n])
            else:
                rays.write_ray_to_queue(b, i, q, b.at[n])
        hit[rays.GAP_BEFORE] = children  # it is used no more; `trails.extend_trails` reads this
        child, serial = child + children, serial + children
        going_on += whole(mark[rays.ALIVE])
    return going_on


@rare
def write_interactions(
    t: Tables,
    b: Batch,
    q: Queue,
    columns: Columns,
    sums: Floats,
    to: Offsets,
    far: float,
    new: bool,
) -> int:
    """Step 4: write one row for each ray, apply the interaction to the ray, and add its power to
    ``sums``. Only kept rows are written. Returns the number of rays that go on.

    ``new``: the rays come straight from the sources and are not in the queue yet. An escaping ray
    gets a segment of length ``far``.
    """
    return write_rows(t, b, q, columns, sums, to, far, new, False)


@rare
def write_interactions_of_treated_light(
    t: Tables,
    b: Batch,
    q: Queue,
    columns: Columns,
    sums: Floats,
    to: Offsets,
    far: float,
    new: bool,
) -> int:
    """`write_interactions` where `is_light_treated`: apart, so that other light is not slower."""
    return write_rows(t, b, q, columns, sums, to, far, new, True)


@rare
def add_reach(b: Batch, sums: Floats, slot: int) -> None:
    """Add the largest coordinate at which a ray of a batch starts, in size, to its sums."""
    reach = sums[slot, REACH]
    for n in range(b.chunk[rays.COUNT]):
        i = rays.entry_of_ray(b, n)
        reach = max(reach, abs(b.ray[i, rays.X]), abs(b.ray[i, rays.Y]))
    sums[slot, REACH] = reach


@rare
def write_path_columns(b: Batch, c: Columns, ray_index: int, row: int) -> None:
    """Write the ``points`` of a row, and its power at its start and at its end. For a curved
    segment, also write its start.
    """
    path, count = b.path, int(b.path[ray_index, curved_ray.POINTS])
    c.points[row, 0], c.points[row, 1] = (
        int(path[ray_index, curved_ray.LINE]) if count else 0,
        count,
    )
    c.power[row, 0], c.power[row, 1] = (
        path[ray_index, curved_ray.S0],
        path[ray_index, curved_ray.P0],
    )
    c.end_power[row, 0], c.end_power[row, 1] = b.ray[ray_index, rays.S], b.ray[ray_index, rays.P]
    for j in range(b.stokes.shape[1]):
        c.stokes[row, j] = path[ray_index, curved_ray.STOKES_2 + j]
    if count:
        c.p1[row, 0], c.p1[row, 1] = path[ray_index, curved_ray.X0], path[ray_index, curved_ray.Y0]
