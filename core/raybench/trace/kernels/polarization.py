"""The Stokes parameters of rays, in scenes that need them: S0 and S1 are the sum s + p and the
difference s - p of a ray's powers, S2 and S3 are stored besides.

s is perpendicular to the drawing, p is s turned by 90 degrees about the ray, counter-clockwise for
somebody into whose eye it falls. For fields that vary in time as exp(-iωt), S2 + i S3 is 2 E_s E_p*,
so that S3 is positive for right circular light (Born & Wolf, 1.4.2). An interaction multiplies it by
the product of the amplitudes for s and for p, the one of them conjugate.
"""

import math

from raybench.arrays import Floats
from raybench.kinds.primitives import COATED, MUELLER_REFLECTS, MUELLER_ROW
from raybench.optics import laws
from raybench.trace.codes import Interaction
from raybench.trace.compilation.jit import ONE, ZERO, inner, place, rare, whole
from raybench.trace.kernels import rays, surfaces
from raybench.trace.kernels.curved_ray import P0, S0
from raybench.trace.kernels.medium import wavelength_column
from raybench.trace.kernels.rays import Batch, Queue, Ray, Spot
from raybench.trace.tables.tables import Tables

reflected_phase = inner(laws.reflected_phase)
BY_POLARIZE, BY_SCATTER = int(Interaction.POLARIZE), int(Interaction.SCATTER)
EXTINGUISHED = 1e-12
"""A smaller transmitted fraction of the power is a rounding error of light that is extinguished."""
FRACTIONS, PHASES = ONE, whole(5)
"""The first columns of `Tables.coating_nodes` with fractions of power, and with phases."""


@rare
def attenuate_along_path(b: Batch, ray_index: int) -> None:
    """Scale S2 and S3 of a ray as its power was scaled along its path."""
    path = b.path[ray_index]
    before = path[S0] + path[P0]
    left = rays.total_power(b.ray[ray_index]) / before if before != 0.0 else 0.0
    b.stokes[ray_index, 0] *= left
    b.stokes[ray_index, 1] *= left


@rare
def phases_of_interaction(t: Tables, b: Batch, ray_index: int) -> tuple[float, float, float, float]:
    """The complex numbers r_s r_p* and t_s t_p*, without their magnitudes, of the surface that a ray
    meets: the real and the imaginary part of each.

    A mirror reflects with -1. What no phase is known of, such as a grating, counts as a mirror in
    reflection, and as an aperture in transmission.
    """
    obj = b.hit[ray_index, rays.OBJECT]
    surface, ratio = t.surface[obj], b.interface[ray_index, rays.RATIO]
    cos_i = surfaces.normal_against_ray(b, ray_index)[2]
    if t.flags[obj] & COATED:
        table = surfaces.coating_table(t, b, ray_index)
        if table >= 0:
            return surfaces.coated_values(t, table, cos_i, PHASES)
    if surface != surfaces.REFRACT:
        return -1.0, 0.0, 1.0, 0.0
    re, im = reflected_phase(ratio, cos_i)
    return re, im, 1.0, 0.0


@inner
def set_coherence(
    ray: Floats, stokes: Floats, before: tuple[float, float, float, float], re: float, im: float
) -> None:
    """Set S2 and S3 of a ``ray`` that an interaction made of one with the powers and Stokes
    parameters s, p, S2 and S3 ``before``. The complex number gives the phase; the magnitude follows
    from the powers, since light that was completely polarized is so afterwards.
    """
    s, p, second, third = before
    norm, gain = math.hypot(re, im), 0.0
    if norm > 0.0 and s * p > 0.0:
        gain = math.sqrt(abs(ray[rays.S] / s * (ray[rays.P] / p))) / norm
    stokes[0] = gain * (re * second - im * third)
    stokes[1] = gain * (re * third + im * second)


@rare
def set_coherences(
    t: Tables,
    b: Batch,
    ray_index: int,
    q: Queue,
    first_child: int,
    children: int,
    arrived: Ray,
    power: tuple[float, float],
) -> None:
    """Set S2 and S3 of all rays that an interaction made of a ray: of itself and of its children,
    which begin at ``first_child`` in the queue. Scattered light is unpolarized.

    ``arrived`` is the ray before the interaction, and ``power`` its powers in s and p.
    """
    nx, ny, light = (
        b.interface[ray_index, rays.NX],
        b.interface[ray_index, rays.NY],
        b.ray[ray_index],
    )
    direction = light[rays.DX], light[rays.DY]
    rays.set_direction(light, (arrived.dx, arrived.dy))
    phases = phases_of_interaction(t, b, ray_index)
    side = arrived.dx * nx + arrived.dy * ny
    rays.set_direction(light, direction)
    before = power[0], power[1], b.stokes[ray_index, 0], b.stokes[ray_index, 1]
    for n in range(-1, children):
        if n < 0:
            ray, stokes, mark = b.ray[ray_index], b.stokes[ray_index], b.mark[ray_index]
        else:
            to = place(first_child + n)
            ray, stokes, mark = q.ray[to], q.stokes[to], q.mark[to]
        if mark[rays.INTERACTION] == BY_SCATTER or not mark[rays.ALIVE]:
            stokes[0], stokes[1] = 0.0, 0.0
        elif side * (ray[rays.DX] * nx + ray[rays.DY] * ny) < 0.0:
            set_coherence(ray, stokes, before, phases[0], phases[1])
        else:
            set_coherence(ray, stokes, before, phases[2], phases[3])


@rare
def light_of_element(
    t: Tables, b: Batch, ray_index: int, reflected: int
) -> tuple[float, float, float, float]:
    """What a polarizing element makes of a ray: s, p, S2 and S3 of the transmitted (0) or of the
    reflected (1) light.
    """
    obj, ray, interface = b.hit[ray_index, rays.OBJECT], b.ray[ray_index], b.interface[ray_index]
    forward = ray[rays.DX] * interface[rays.NX] + ray[rays.DY] * interface[rays.NY] > 0.0
    element = int(t.parameters[obj, MUELLER_ROW])
    column = wavelength_column(t, b.wavelength[ray_index])
    row = 4 * ((1 + len(t.wavelengths)) * element + column) + (0 if forward else 2) + reflected
    m = t.mueller[row]
    total, difference = ray[rays.S] + ray[rays.P], ray[rays.S] - ray[rays.P]
    second, third = b.stokes[ray_index, 0], b.stokes[ray_index, 1]
    sum_out = m[0] * total + m[1] * difference + m[2] * second + m[3] * third
    difference_out = m[4] * total + m[5] * difference + m[6] * second + m[7] * third
    return (
        max(sum_out + difference_out, 0.0) / 2,
        max(sum_out - difference_out, 0.0) / 2,
        m[8] * total + m[9] * difference + m[10] * second + m[11] * third,
        m[12] * total + m[13] * difference + m[14] * second + m[15] * third,
    )


@rare
def count_light_of_element(t: Tables, b: Batch, ray_index: int) -> None:
    """Count the reflected ray of a polarizing element if it is strong enough to be traced."""
    if t.parameters[b.hit[ray_index, rays.OBJECT], MUELLER_REFLECTS] == 0.0:
        return
    s, p, _, _ = light_of_element(t, b, ray_index, ONE)
    if s + p > t.weakest_reflected:
        b.hit[ray_index, rays.CHILD] = 1
    else:
        b.interface[ray_index, rays.LOST] = s + p


@rare
def cross_element(t: Tables, b: Batch, ray_index: int, q: Queue, spot: Spot) -> tuple[int, float]:
    """Let a ray pass through a polarizing element; what the element reflects becomes a child.
    Returns the status of the ray's row, and the power that is absorbed besides.
    """
    ray, interface = b.ray[ray_index], b.interface[ray_index]
    splits = t.parameters[b.hit[ray_index, rays.OBJECT], MUELLER_REFLECTS] != 0.0
    made_by = surfaces.BY_SPLIT if splits else BY_POLARIZE
    before = rays.total_power(ray)
    absorbed, child = before, b.hit[ray_index, rays.CHILD] >= 0
    if splits:
        s, p, second, third = light_of_element(t, b, ray_index, ONE)
        absorbed -= s + p
        if child:
            reflected = surfaces.reflect(
                ray[rays.DX], ray[rays.DY], interface[rays.NX], interface[rays.NY]
            )
            at = rays.create_child_ray(b, ray_index, q, spot, ZERO, made_by, reflected, s, p, ZERO)
            q.stokes[at, 0], q.stokes[at, 1] = second, third
    s, p, second, third = light_of_element(t, b, ray_index, ZERO)
    left = s + p
    b.mark[ray_index, rays.INTERACTION] = made_by
    if left > t.weakest_refracted and left > EXTINGUISHED * before:
        rays.set_powers(ray, s, p)
        b.stokes[ray_index, 0], b.stokes[ray_index, 1] = second, third
        return surfaces.CONTINUED, absorbed - left
    b.mark[ray_index, rays.ALIVE] = 0
    if left > EXTINGUISHED * before:
        interface[rays.LOST] = left
        absorbed -= left
    elif not splits:
        return surfaces.ABSORBED, 0.0
    return surfaces.CONTINUED if child else surfaces.TRUNCATED, absorbed
