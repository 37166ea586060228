"""What gratings do to rays: the orders of `core.optics.grating`, each a child."""

from __future__ import annotations

import math

from core.kinds.primitives import GRATING_ORDER_COUNT, GRATING_ORDERS, GRATING_RIGHT, GRATING_SLIT_RATIO, GRATING_SPACING, MIRRORED
from core.optics import grating
from core.trace.codes import Interaction
from core.trace.compilation.jit import inner, rare
from core.trace.kernels.rays import ALIVE, CHILD, DX, DY, FLAGS, GAINED, LOST, NX, NY, OBJECT, Batch, P, Queue, S, bear
from core.trace.kernels.surfaces import CONTINUED, GAP, TRUNCATED, against
from core.trace.tables.tables import Tables

lowest_order, highest_order = inner(grating.lowest_order), inner(grating.highest_order)
slit_intensity = inner(grating.slit_intensity)
BY_DIFFRACT = int(Interaction.DIFFRACT)


@inner
def order_share(t: Tables, obj: int, order: int) -> float:
    """The share of the power that a grating sends into an order."""
    if t.parameters[obj, GRATING_ORDERS] < 0.0:
        return slit_intensity(order, t.parameters[obj, GRATING_SLIT_RATIO])
    place = -2 * order if order <= 0 else 2 * order - 1
    first, count = int(t.parameters[obj, GRATING_ORDERS]), int(t.parameters[obj, GRATING_ORDER_COUNT])
    return t.orders[first + place] if place < count else 0.0


@inner
def across_grating(t: Tables, b: Batch, i: int) -> tuple[float, float, float, float, float]:
    """A grating where an entry meets it: the unit vector l along it, the unit normal n against the ray, and sin i = -d.l.

    As the ray sees it, l points to the right on a plane grating and to the left on a concave one: so the format counts orders.
    """
    dx, dy = b.ray[i, DX], b.ray[i, DY]
    nx, ny, _ = against(b.reach[i, NX], b.reach[i, NY], dx, dy)
    right = t.parameters[b.met[i, OBJECT], GRATING_RIGHT]
    lx, ly = right * ny, -right * nx
    return lx, ly, nx, ny, -(dx * lx + dy * ly)


@rare
def plan_grating(t: Tables, b: Batch, i: int, obj: int, wavelength: float) -> None:
    """Count the orders of a grating that are strong enough, and what the others carry away."""
    ray, met, reach = b.ray, b.met, b.reach
    sin_i = across_grating(t, b, i)[4]
    power, spacing = ray[i, S] + ray[i, P], t.parameters[obj, GRATING_SPACING]
    reach[i, GAINED] = -power
    for order in range(lowest_order(sin_i, spacing, wavelength), highest_order(sin_i, spacing, wavelength) + 1):
        share = order_share(t, obj, order)
        reach[i, GAINED] += power * share
        if power * share > t.weakest_reflected:
            met[i, CHILD] += 1
        else:
            reach[i, LOST] += power * share


@rare
def diffract_at(t: Tables, b: Batch, i: int, q: Queue, row: int, x: float, y: float, place: int, wavelength: float) -> int:
    """Send the orders of a grating on as children; the entry ends. Returns the row's status."""
    ray, obj = b.ray, b.met[i, OBJECT]
    lx, ly, nx, ny, sin_i = across_grating(t, b, i)
    spacing, s, p = t.parameters[obj, GRATING_SPACING], ray[i, S], ray[i, P]
    side = 1.0 if t.flags[obj] & MIRRORED else -1.0
    child = b.met[i, CHILD]
    b.mark[i, ALIVE] = 0
    if child < 0:
        return TRUNCATED
    for order in range(lowest_order(sin_i, spacing, wavelength), highest_order(sin_i, spacing, wavelength) + 1):
        share = order_share(t, obj, order)
        if (s + p) * share > t.weakest_reflected:
            sine = min(1.0, max(-1.0, sin_i - order * wavelength / spacing))
            cosine = side * math.sqrt(1.0 - sine * sine)
            bear(b, i, q, child, row, x, y, BY_DIFFRACT, place)
            q.ray[child, DX], q.ray[child, DY] = cosine * nx - sine * lx, cosine * ny - sine * ly
            q.ray[child, S], q.ray[child, P] = s * share, p * share
            q.mark[child, FLAGS] = GAP
            child, place = child + 1, place + 1
    return CONTINUED
