"""Interactions with gratings: each diffraction order of `raybench.optics.laws` is a child ray."""

from __future__ import annotations

import math

from raybench.kinds.primitives import (
    GRATING_ORDER_COUNT,
    GRATING_ORDERS,
    GRATING_RIGHT,
    GRATING_SLIT_RATIO,
    GRATING_SPACING,
    MIRRORED,
)
from raybench.optics import laws
from raybench.trace.codes import Interaction
from raybench.trace.compilation.jit import inner, rare
from raybench.trace.kernels.medium import locate
from raybench.trace.kernels.rays import (
    ALIVE,
    CHILD,
    DX,
    DY,
    FLAGS,
    GAINED,
    LOST,
    NX,
    NY,
    OBJECT,
    ORDER,
    SHARED,
    Batch,
    P,
    Queue,
    S,
    start_child,
)
from raybench.trace.kernels.surfaces import CONTINUED, GAP, TRUNCATED, against
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import MOST_POWER

lowest_order, highest_order = inner(laws.lowest_order), inner(laws.highest_order)
slit_intensity = inner(laws.slit_intensity)
BY_DIFFRACT = int(Interaction.DIFFRACT)


@inner
def order_fraction(t: Tables, obj: int, order: int) -> float:
    """The fraction of the power that a grating diffracts into an order."""
    if t.parameters[obj, GRATING_ORDERS] < 0.0:
        return slit_intensity(order, t.parameters[obj, GRATING_SLIT_RATIO])
    index = -2 * order if order <= 0 else 2 * order - 1
    first, count = (
        int(t.parameters[obj, GRATING_ORDERS]),
        int(t.parameters[obj, GRATING_ORDER_COUNT]),
    )
    return t.orders[first + index] if index < count else 0.0


@inner
def across_grating(t: Tables, b: Batch, i: int) -> tuple[float, float, float, float, float]:
    """The local frame of a grating where a ray hits it: unit tangent l, unit normal n on the ray's
    side, and sin i = -d.l.

    Looking along the ray, l points to the right on a plane grating and to the left on a concave
    one: the file format's sign of orders.
    """
    dx, dy = b.ray[i, DX], b.ray[i, DY]
    nx, ny, _ = against(b.interface[i, NX], b.interface[i, NY], dx, dy)
    right = t.parameters[b.hit[i, OBJECT], GRATING_RIGHT]
    lx, ly = right * ny, -right * nx
    return lx, ly, nx, ny, -(dx * lx + dy * ly)


@rare
def plan_grating(t: Tables, b: Batch, i: int, obj: int, wavelength: float) -> None:
    """Count the orders of a grating that are strong enough to be followed; note the power lost with
    the others and gained.
    """
    ray, hit, interface = b.ray, b.hit, b.interface
    sin_i = across_grating(t, b, i)[4]
    power, spacing = ray[i, S] + ray[i, P], t.parameters[obj, GRATING_SPACING]
    interface[i, GAINED] = -power
    for order in range(
        lowest_order(sin_i, spacing, wavelength), highest_order(sin_i, spacing, wavelength) + 1
    ):
        fraction = order_fraction(t, obj, order)
        if not power * fraction < MOST_POWER:
            continue
        interface[i, GAINED] += power * fraction
        if power * fraction > t.weakest_reflected:
            hit[i, CHILD] += 1
        else:
            interface[i, LOST] += power * fraction


@rare
def diffract_at(
    t: Tables,
    b: Batch,
    i: int,
    q: Queue,
    row: int,
    x: float,
    y: float,
    serial: int,
    wavelength: float,
) -> int:
    """Create a child for each order of a grating; the incident ray ends. Returns the row's status."""
    ray, obj = b.ray, b.hit[i, OBJECT]
    lx, ly, nx, ny, sin_i = across_grating(t, b, i)
    spacing, s, p = t.parameters[obj, GRATING_SPACING], ray[i, S], ray[i, P]
    side = 1.0 if t.flags[obj] & MIRRORED else -1.0
    child = b.hit[i, CHILD]
    b.mark[i, ALIVE] = 0
    if child < 0:
        return TRUNCATED
    for order in range(
        lowest_order(sin_i, spacing, wavelength), highest_order(sin_i, spacing, wavelength) + 1
    ):
        fraction = order_fraction(t, obj, order)
        if t.weakest_reflected < (s + p) * fraction < MOST_POWER:
            sine = min(1.0, max(-1.0, sin_i - order * wavelength / spacing))
            cosine = side * math.sqrt(1.0 - sine * sine)
            start_child(b, i, q, child, row, x, y, BY_DIFFRACT, serial)
            q.ray[child, DX], q.ray[child, DY] = cosine * nx - sine * lx, cosine * ny - sine * ly
            q.ray[child, S], q.ray[child, P] = s * fraction, p * fraction
            if b.hit[i, SHARED]:
                locate(t, q.inside[child], x, y, q.ray[child, DX], q.ray[child, DY])
            q.mark[child, FLAGS], q.tag[child, ORDER] = GAP, order
            child, serial = child + 1, serial + 1
    return CONTINUED
