"""Interactions of rays with surfaces and gratings, by the laws of `raybench.optics`. The hits are
those that `raybench.trace.kernels.nearest_hit` finds. Each diffraction order is a child ray.
"""

import math

import numpy as np

from raybench.kinds.primitives import (
    COATED,
    GLASS_CAUCHY_B,
    GLASS_INDEX,
    GRADED,
    GRADED_BODY,
    GRATING_ORDER_COUNT,
    GRATING_ORDERS,
    GRATING_RIGHT,
    GRATING_SLIT_RATIO,
    GRATING_SPACING,
    LENS_FOCAL_LENGTH,
    LENS_TX,
    LENS_TY,
    LENS_X,
    LENS_Y,
    MATERIAL,
    MIRRORED,
    PARTIAL,
    SIMPLE,
    SPLITTER_TRANSMISSION,
    Surface,
)
from raybench.optics import laws
from raybench.optics.colour import GREEN
from raybench.trace.codes import Flag, Interaction, Status
from raybench.trace.compilation.jit import NONE, ONE, inner, place, rare, whole
from raybench.trace.kernels import glass, rays
from raybench.trace.kernels.intersect import count_outline_crossings, is_primitive_corner
from raybench.trace.kernels.medium import (
    find_bodies_inside,
    graded_index,
    material_index,
    wavelength_column,
)
from raybench.trace.kernels.rays import Batch, Queue, Ray, Spot
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import AT_THRESHOLD, MOST_POWER, WEAK_REFLECTION

reflect, cauchy_index, through_lens = (
    inner(laws.reflect),
    inner(laws.cauchy_index),
    inner(laws.refract_at_thin_lens),
)

# numba takes global integers as constants, but not members of enumerations
REFRACT, REFLECT, LENS, DETECT, SPLIT, DIFFRACT, CUSTOM, MUELLER = (
    int(s)
    for s in (
        Surface.REFRACT,
        Surface.REFLECT,
        Surface.LENS,
        Surface.DETECT,
        Surface.SPLIT,
        Surface.DIFFRACT,
        Surface.CUSTOM,
        Surface.MUELLER,
    )
)
CONTINUED, ABSORBED, TRUNCATED, ILL_DEFINED = (
    int(s) for s in (Status.CONTINUED, Status.ABSORBED, Status.TRUNCATED, Status.ILL_DEFINED)
)
BY_REFLECT, BY_REFRACT, BY_TIR, BY_LENS, BY_SPLIT, BY_DETECT = (
    int(i)
    for i in (
        Interaction.REFLECT,
        Interaction.REFRACT,
        Interaction.TIR,
        Interaction.LENS,
        Interaction.SPLIT,
        Interaction.DETECT,
    )
)
TIR, CAUSES_TIR, GRAZING, CAUSES_GRAZING, RESAMPLED, GAP = (
    int(f)
    for f in (
        Flag.TIR,
        Flag.CAUSES_TIR,
        Flag.GRAZING,
        Flag.CAUSES_GRAZING,
        Flag.RESAMPLED,
        Flag.GAP,
    )
)

CORNER = 2
MOST_RATIO = 1e15
"""A reflection weaker than the weakest one kept by this factor is dropped: the factor would not fit
into an integer.
"""


@inner
def glass_index(t: Tables, obj: int, x: float, y: float, wavelength: float) -> float:
    """The refractive index of a glass at a point, for a wavelength in nm (NaN if the scene does not
    simulate colours).
    """
    at = place(obj)
    if t.flags[at] & (GRADED | MATERIAL):
        return (
            material_index(t, obj, wavelength)
            if t.flags[at] & MATERIAL
            else graded_index(t, obj, x, y, wavelength)
        )
    n = t.parameters[at, GLASS_INDEX]
    if not math.isnan(wavelength):
        n = cauchy_index(n, t.parameters[at, GLASS_CAUCHY_B], wavelength)
    return n


@inner
def glass_crossing(
    t: Tables, obj: int, primitive: int, distance: float, ray: Ray, nx: float, ny: float
) -> int:
    """Whether a ray leaves (1) or enters (-1) a glass at a ``distance`` on a primitive,
    where the outward normal is (``nx``, ``ny``). CORNER within the merging distance of a corner,
    where this is ambiguous.
    """
    x, y = ray.x + distance * ray.dx, ray.y + distance * ray.dy
    if t.size[place(obj)] > 1 and is_primitive_corner(
        t.primitive[place(primitive)], t.geometry[place(primitive)], x, y, t.merging
    ):
        return CORNER
    if t.flags[place(obj)] & SIMPLE:
        # a tangent ray counts as entering: at 90° the reflectance is 1, and reflection leaves its
        # direction unchanged
        return 1 if ray.dx * nx + ray.dy * ny > 0.0 else -1
    return (
        1
        if count_outline_crossings(t, obj, ray.x, ray.y, ray.dx, ray.dy, ray.origin) % 2 == 1
        else -1
    )


@inner
def index_ratio_of_crossing(crossing: int, index: float) -> float:
    """What a glass of refractive ``index`` contributes to the ratio of indices: index if the ray
    leaves it, 1/index if it enters it, NaN if this is not defined.
    """
    if crossing == 0:
        return 1.0
    if crossing == CORNER or index == 0.0:
        return math.nan
    return index if crossing > 0 else 1.0 / index


@inner
def normal_against_ray(b: Batch, ray_index: int) -> tuple[float, float, float]:
    """The unit normal on the side from which the ray comes, and the cosine of the angle of
    incidence.
    """
    ray, nx, ny = b.ray[ray_index], b.interface[ray_index, rays.NX], b.interface[ray_index, rays.NY]
    along = ray[rays.DX] * nx + ray[rays.DY] * ny
    if along > 0.0:
        return -nx, -ny, along
    return nx, ny, -along


@inner
def weak_reflection_factor(weakest: float, power: float, gap: bool, serial: int) -> int:
    """The factor for the power of a reflected ray: 1 if the ray is strong, 0 if it is dropped, n if
    it represents n weak reflections (resampling).

    Of weak reflections, those are kept whose ``serial`` (index in the order of creation) is a
    multiple of n.
    """
    if power > weakest:
        return 1
    if gap or not power > 0.0:
        return 0
    ratio = WEAK_REFLECTION * (1.0 + AT_THRESHOLD) / power
    if ratio > MOST_RATIO:
        return 0
    factor = int(math.floor(ratio)) + 1  # noqa: RUF046 - compiled, floor gives a float
    return factor if serial % factor == 0 else 0


OPAQUE = -2.0
"""In place of the cosine of the angle of refraction: the coating of the edge transmits nothing."""


@rare
def coating_table(t: Tables, b: Batch, ray_index: int) -> int:
    """The row of `Tables.coating_spans` for a ray that hits an object with coated edges; -1 if the
    edge that it hits has no coating at its wavelength.
    """
    edge = whole(t.coating[b.hit[ray_index, rays.PRIMITIVE]])
    if edge < 0:
        return NONE
    ray, interface = b.ray[ray_index], b.interface[ray_index]
    outward = ray[rays.DX] * interface[rays.NX] + ray[rays.DY] * interface[rays.NY] > 0.0
    column = wavelength_column(t, b.wavelength[ray_index])
    row = whole(2 * ((1 + len(t.wavelengths)) * edge + column) + (1 if outward else 0))
    return row if t.coating_spans[row, 1] > t.coating_spans[row, 0] else NONE


@inner
def coated_values(
    t: Tables, table: int, cos_i: float, column: int
) -> tuple[float, float, float, float]:
    """Four values of a coating from a ``column`` of `Tables.coating_nodes` on, at an angle of
    incidence, interpolated linearly.
    """
    low, high = t.coating_spans[table, 0], t.coating_spans[table, 1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if t.coating_nodes[middle, 0] <= cos_i:
            low = middle
        else:
            high = middle
    a, c = t.coating_nodes[low], t.coating_nodes[high]
    width = c[0] - a[0]
    f = min(max((cos_i - a[0]) / width, 0.0), 1.0) if width > 0.0 else 0.0
    e = 1.0 - f
    return (
        e * a[column] + f * c[column],
        e * a[column + 1] + f * c[column + 1],
        e * a[column + 2] + f * c[column + 2],
        e * a[column + 3] + f * c[column + 3],
    )


@rare
def coated_fractions(t: Tables, table: int, cos_i: float) -> tuple[float, float, float, float]:
    """R_s, R_p, T_s and T_p of a coating at an angle of incidence."""
    return coated_values(t, table, cos_i, ONE)


@rare
def set_coated_reflectances(t: Tables, b: Batch, ray_index: int) -> bool:
    """For a ray that hits a glass body with coated edges, set the reflectances of the edge's coating,
    and whether it transmits nothing. Returns whether the edge reflects partially.

    Where there is total reflection or the coating is opaque, what is not absorbed is reflected.
    """
    interface, obj = b.interface[ray_index], b.hit[ray_index, rays.OBJECT]
    table = coating_table(t, b, ray_index)
    if table < 0:
        return t.flags[obj] & PARTIAL != 0
    r_s, r_p, t_s, t_p = coated_fractions(t, table, normal_against_ray(b, ray_index)[2])
    if interface[rays.COS_T] < 0.0:
        r_s, r_p = r_s + t_s, r_p + t_p
    elif t_s <= 0.0 and t_p <= 0.0:
        interface[rays.COS_T] = OPAQUE
    interface[rays.R_S], interface[rays.R_P] = r_s, r_p
    return True


@rare
def transmitted_by_coated_body(t: Tables, b: Batch, ray_index: int) -> tuple[float, float]:
    """The powers s and p that a glass body with coated edges transmits of a ray."""
    ray, interface = b.ray[ray_index], b.interface[ray_index]
    table = coating_table(t, b, ray_index)
    if table < 0:
        r_s, r_p = interface[rays.R_S], interface[rays.R_P]
        if t.flags[b.hit[ray_index, rays.OBJECT]] & PARTIAL == 0:
            r_s, r_p = 0.0, 0.0
        return ray[rays.S] * (1.0 - r_s), ray[rays.P] * (1.0 - r_p)
    _, _, t_s, t_p = coated_fractions(t, table, normal_against_ray(b, ray_index)[2])
    return ray[rays.S] * t_s, ray[rays.P] * t_p


@rare
def absorbed_by_coated_body(t: Tables, b: Batch, ray_index: int) -> float:
    """The power of a ray that the coating of a glass body absorbs."""
    ray, interface = b.ray[ray_index], b.interface[ray_index]
    if coating_table(t, b, ray_index) < 0:
        return 0.0
    through_s, through_p = 0.0, 0.0
    if interface[rays.COS_T] >= 0.0:
        through_s, through_p = transmitted_by_coated_body(t, b, ray_index)
    return np.float64(
        ray[rays.S] * (1.0 - interface[rays.R_S])
        - through_s
        + ray[rays.P] * (1.0 - interface[rays.R_P])
        - through_p
    )


@rare
def absorb_at_coated_mirror(t: Tables, b: Batch, ray_index: int) -> float:
    """Leave a ray with the power that the coating of a mirror reflects; it ends if that is too
    little. Returns the power that is absorbed.
    """
    ray = b.ray[ray_index]
    table = coating_table(t, b, ray_index)
    if table < 0:
        return 0.0
    before = rays.total_power(ray)
    r_s, r_p, _, _ = coated_fractions(t, table, normal_against_ray(b, ray_index)[2])
    rays.set_powers(ray, ray[rays.S] * r_s, ray[rays.P] * r_p)
    left = rays.total_power(ray)
    if not left > t.weakest_refracted:
        b.interface[ray_index, rays.LOST] = left
        b.mark[ray_index, rays.ALIVE] = 0
    return before - left


@inner
def reflect_at_coating(t: Tables, b: Batch, ray_index: int) -> int:
    """Leave a ray that is reflected as a whole with the power that a coated glass body reflects; it
    ends if that is too little. Returns the status of its row.
    """
    ray, interface = b.ray[ray_index], b.interface[ray_index]
    rays.set_powers(ray, ray[rays.S] * interface[rays.R_S], ray[rays.P] * interface[rays.R_P])
    left = rays.total_power(ray)
    if left > t.weakest_refracted:
        return CONTINUED
    interface[rays.LOST] = left
    b.mark[ray_index, rays.ALIVE] = 0
    return TRUNCATED


@rare
def enter_or_leave_bodies(t: Tables, b: Batch, ray_index: int, x: float, y: float) -> None:
    """Update ``inside`` for a ray that was refracted at (``x``, ``y``): which of the bodies that
    act along its path contain it.
    """
    ray, obj = b.ray[ray_index], b.hit[ray_index, rays.OBJECT]
    dx, dy = ray[rays.DX], ray[rays.DY]
    if b.hit[ray_index, rays.SHARED] or t.flags[obj] & (GRADED | SIMPLE) == GRADED:
        find_bodies_inside(t, b.inside[ray_index], x, y, dx, dy)
    elif t.flags[obj] & GRADED:
        b.inside[ray_index, int(t.parameters[obj, GRADED_BODY])] = (
            1
            if dx * b.interface[ray_index, rays.NX] + dy * b.interface[ray_index, rays.NY] < 0.0
            else 0
        )


@inner
def refract_at_glass(
    t: Tables,
    b: Batch,
    ray_index: int,
    number: int,
    q: Queue,
    spot: Spot,
    kinds: int,
    treated: bool,
) -> tuple[int, int]:
    """Split a ray at a glass surface: the reflected part becomes a child, and the ray itself is
    refracted. ``number`` is that of the ray in `Batch.sight`, ``kinds`` are the object's flags.
    Returns the status of the ray's row, and flags to add to it.
    """
    ray, mark, interface = b.ray[ray_index], b.mark[ray_index], b.interface[ray_index]
    r_s, r_p, cos_t = interface[rays.R_S], interface[rays.R_P], interface[rays.COS_T]
    if cos_t < 0.0:
        rays.set_direction(ray, glass.reflected_direction(b.sight, number))
        status = reflect_at_coating(t, b, ray_index) if kinds & COATED else CONTINUED
        if cos_t == OPAQUE:
            mark[rays.INTERACTION] = BY_REFLECT
            return status, 0
        mark[rays.INTERACTION] = BY_TIR
        mark[rays.FLAGS] |= TIR
        return status, CAUSES_TIR
    if kinds & (PARTIAL | COATED) == 0:
        r_s, r_p = 0.0, 0.0
    grazing = GRAZING if glass.is_incidence_grazing(b.sight, number) else 0
    causes = CAUSES_GRAZING if grazing else 0
    split = b.hit[ray_index, rays.CHILD] >= 0
    if split:
        s, p = ray[rays.S] * r_s, ray[rays.P] * r_p
        gap = mark[rays.FLAGS] & GAP
        is_apart = gap != 0 and not (treated and b.seed.shape[1] > 0)
        factor = weak_reflection_factor(t.weakest_reflected, s + p, is_apart, b.serial[ray_index])
        flags = gap | (RESAMPLED if factor > 1 else 0) | grazing
        rays.create_child_ray(
            b, ray_index, q, spot, 0, BY_REFLECT, glass.reflected_direction(b.sight, number),
            s * factor, p * factor, flags, treated,
        )  # fmt: skip
    s, p = ray[rays.S] * (1.0 - r_s), ray[rays.P] * (1.0 - r_p)
    if kinds & COATED:
        s, p = transmitted_by_coated_body(t, b, ray_index)
    if not s + p > t.weakest_refracted:
        interface[rays.LOST] = s + p
        mark[rays.ALIVE] = 0
        return CONTINUED if split else TRUNCATED, causes
    rays.set_direction(ray, glass.refracted_direction(b.sight, number))
    rays.set_powers(ray, s, p)
    if treated and b.inside.shape[1] > 0:
        enter_or_leave_bodies(t, b, ray_index, spot.x, spot.y)
    mark[rays.INTERACTION] = BY_REFRACT
    mark[rays.FLAGS] |= grazing
    return CONTINUED, causes


@inner
def splitter_powers(
    t: Tables, b: Batch, ray_index: int, kinds: int
) -> tuple[float, float, float, float]:
    """The powers s and p of a ray that a beam splitter with the flags ``kinds`` reflects, and those
    that it transmits; by its coating, if it has one.
    """
    s, p = b.ray[ray_index, rays.S], b.ray[ray_index, rays.P]
    obj = b.hit[ray_index, rays.OBJECT]
    if kinds & COATED:
        table = coating_table(t, b, ray_index)
        if table >= 0:
            cos_i = normal_against_ray(b, ray_index)[2]
            r_s, r_p, t_s, t_p = coated_fractions(t, table, cos_i)
            return s * r_s, p * r_p, s * t_s, p * t_p
    through = t.parameters[obj, SPLITTER_TRANSMISSION]
    return s * (1.0 - through), p * (1.0 - through), s * through, p * through


@rare
def absorbed_by_coated_splitter(t: Tables, b: Batch, ray_index: int) -> float:
    """The power of a ray that the coating of a beam splitter absorbs."""
    if coating_table(t, b, ray_index) < 0:
        return 0.0
    r_s, r_p, t_s, t_p = splitter_powers(t, b, ray_index, COATED)
    return np.float64(rays.total_power(b.ray[ray_index]) - (r_s + r_p) - (t_s + t_p))


@rare
def split_at_beam_splitter(
    t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot, kinds: int
) -> int:
    """Split a ray at a beam splitter with the flags ``kinds``: the transmitted part becomes a child,
    and the ray itself is reflected. Returns the status of the ray's row.
    """
    ray = b.ray[ray_index]
    dx, dy = ray[rays.DX], ray[rays.DY]
    r_s, r_p, t_s, t_p = splitter_powers(t, b, ray_index, kinds)
    if b.hit[ray_index, rays.CHILD] >= 0:
        child = rays.create_child_ray(b, ray_index, q, spot, 0, BY_SPLIT, (dx, dy), t_s, t_p, 0)
        if b.hit[ray_index, rays.SHARED]:
            find_bodies_inside(t, q.inside[child], spot.x, spot.y, dx, dy)
    elif not abs(t_s + t_p) < MOST_POWER:
        b.mark[ray_index, rays.ALIVE] = 0
        return TRUNCATED
    elif not r_s + r_p > t.weakest_reflected:
        b.interface[ray_index, rays.LOST] = r_s + r_p
        b.mark[ray_index, rays.ALIVE] = 0
        return TRUNCATED
    rays.set_direction(
        ray, reflect(dx, dy, b.interface[ray_index, rays.NX], b.interface[ray_index, rays.NY])
    )
    rays.set_powers(ray, r_s, r_p)
    b.mark[ray_index, rays.INTERACTION] = BY_SPLIT
    return CONTINUED


@inner
def refract_at_lens(t: Tables, b: Batch, ray_index: int, x: float, y: float) -> int:
    """Refract a ray at an ideal lens, or reflect it at an ideal mirror. Returns the status of the
    ray's row.
    """
    obj, lens = b.hit[ray_index, rays.OBJECT], t.parameters
    if lens[obj, LENS_FOCAL_LENGTH] == 0.0:
        b.mark[ray_index, rays.ALIVE] = 0
        return ILL_DEFINED
    tx, ty = lens[obj, LENS_TX], lens[obj, LENS_TY]
    height = (x - lens[obj, LENS_X]) * tx + (y - lens[obj, LENS_Y]) * ty
    dx, dy = through_lens(
        b.ray[ray_index, rays.DX],
        b.ray[ray_index, rays.DY],
        tx,
        ty,
        height,
        lens[obj, LENS_FOCAL_LENGTH],
    )
    b.mark[ray_index, rays.INTERACTION] = BY_LENS
    if t.flags[obj] & MIRRORED:
        dx, dy = reflect(dx, dy, ty, -tx)
        b.mark[ray_index, rays.INTERACTION] = BY_REFLECT
    rays.set_direction(b.ray[ray_index], (dx, dy))
    return CONTINUED


lowest_order, highest_order = inner(laws.lowest_order), inner(laws.highest_order)
slit_intensity = inner(laws.slit_intensity)
BY_DIFFRACT = int(Interaction.DIFFRACT)


@inner
def order_power_fraction(t: Tables, obj: int, order: int) -> float:
    """The fraction of the power that a grating diffracts into an order."""
    if t.parameters[obj, GRATING_ORDERS] < 0.0:
        return slit_intensity(order, t.parameters[obj, GRATING_SLIT_RATIO])
    index = -2 * order if order <= 0 else 2 * order - 1
    first = int(t.parameters[obj, GRATING_ORDERS])
    count = int(t.parameters[obj, GRATING_ORDER_COUNT])
    return t.orders[first + index] if index < count else 0.0


@inner
def grating_local_frame(
    t: Tables, b: Batch, ray_index: int
) -> tuple[float, float, float, float, float]:
    """The local frame of a grating where a ray hits it: the unit tangent l, the unit normal n on
    the side of the ray, and sin i = -d.l for the direction d.

    Looking along the ray, l points to the right on a plane grating and to the left on a concave
    one: the file format's sign of orders.
    """
    dx, dy = b.ray[ray_index, rays.DX], b.ray[ray_index, rays.DY]
    nx, ny, _ = normal_against_ray(b, ray_index)
    right = t.parameters[b.hit[ray_index, rays.OBJECT], GRATING_RIGHT]
    lx, ly = right * ny, -right * nx
    return lx, ly, nx, ny, -(dx * lx + dy * ly)


@inner
def diffraction_orders(
    t: Tables, b: Batch, ray_index: int, sin_i: float
) -> tuple[int, int, float, float]:
    """The lowest and the highest order in which a grating diffracts a ray, the ray's wavelength,
    and the grating's spacing.
    """
    spacing = t.parameters[b.hit[ray_index, rays.OBJECT], GRATING_SPACING]
    wave = GREEN if math.isnan(b.wavelength[ray_index]) else b.wavelength[ray_index]
    lowest, highest = lowest_order(sin_i, spacing, wave), highest_order(sin_i, spacing, wave)
    return lowest, highest, wave, spacing


@rare
def count_diffracted_rays(t: Tables, b: Batch, ray_index: int) -> None:
    """Count the orders of a grating that are strong enough to be traced, and store the power that
    is lost with the others or gained.
    """
    obj, interface, power = (
        b.hit[ray_index, rays.OBJECT],
        b.interface[ray_index],
        rays.total_power(b.ray[ray_index]),
    )
    interface[rays.GAINED] = -power
    lowest, highest, _, _ = diffraction_orders(
        t, b, ray_index, grating_local_frame(t, b, ray_index)[4]
    )
    for order in range(lowest, highest + 1):
        diffracted = power * order_power_fraction(t, obj, order)
        if not diffracted < MOST_POWER:
            continue
        interface[rays.GAINED] += diffracted
        if diffracted > t.weakest_reflected:
            b.hit[ray_index, rays.CHILD] += 1
        else:
            interface[rays.LOST] += diffracted


@rare
def diffract_at_grating(t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot) -> int:
    """Create a child ray for each order of a grating. The incident ray ends. Returns the status of
    its row.
    """
    obj, s, p = b.hit[ray_index, rays.OBJECT], b.ray[ray_index, rays.S], b.ray[ray_index, rays.P]
    lx, ly, nx, ny, sin_i = grating_local_frame(t, b, ray_index)
    side = 1.0 if t.flags[obj] & MIRRORED else -1.0
    b.mark[ray_index, rays.ALIVE] = 0
    if b.hit[ray_index, rays.CHILD] < 0:
        return TRUNCATED
    lowest, highest, wavelength, spacing = diffraction_orders(t, b, ray_index, sin_i)
    n = 0
    for order in range(lowest, highest + 1):
        fraction = order_power_fraction(t, obj, order)
        if t.weakest_reflected < (s + p) * fraction < MOST_POWER:
            sine = min(1.0, max(-1.0, sin_i - order * wavelength / spacing))
            cosine = side * math.sqrt(1.0 - sine * sine)
            dx, dy = cosine * nx - sine * lx, cosine * ny - sine * ly
            child = rays.create_child_ray(
                b, ray_index, q, spot, n, BY_DIFFRACT, (dx, dy), s * fraction, p * fraction, GAP
            )
            q.tag[child, rays.ORDER] = order
            if b.hit[ray_index, rays.SHARED]:
                find_bodies_inside(t, q.inside[child], spot.x, spot.y, dx, dy)
            n += 1
    return CONTINUED
