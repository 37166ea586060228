"""Exact tracing of meridional rays through the surfaces of a prescription, in order.

A ray is a point and a direction in the plane. Refraction is Snell's law in vector form (Welford,
Aberrations of Optical Systems, section 4.2). With each ray are computed its optical path and, by
Coddington's equations (Welford, section 9.6), the vergences of a narrow pencil about it in the
plane (tangential) and perpendicular to it (sagittal).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from raybench.arrays import Floats
from raybench.lens.paraxial import (
    FirstOrder,
    chief_slope,
    first_order,
    object_height,
    signed_indices,
)
from raybench.lens.prescription import Field, Prescription, Surface

MOST_STEPS = 60
"""Newton steps to an aspheric surface at most."""


@dataclass(frozen=True)
class Fan:
    """Meridional rays through a system. The arrays have a row for each surface and one for the
    image surface, and a column for each ray. Values are NaN behind the point where a ray ends.

    Attributes:
        pupil: Relative height of each ray in the entrance pupil, -1 to 1.
        x, y: Points where the rays meet the surfaces; x is measured from the first vertex.
        dx, dy: Directions behind the surfaces.
        path: Optical path from the object point to each surface; for an object at infinity, from
            the plane wavefront through the centre of the entrance pupil.
        tangential, sagittal: Vergences n/t and n/s of a narrow pencil behind the surfaces, positive
            if it diverges along the light; n is positive.
        is_clear: Whether each ray passes all surfaces within their semi-diameters, (m,).
    """

    pupil: Floats
    x: Floats
    y: Floats
    dx: Floats
    dy: Floats
    path: Floats
    tangential: Floats
    sagittal: Floats
    is_clear: np.ndarray


def trace_fan(
    system: Prescription,
    field: Field,
    wavelength: float,
    pupil: Floats,
    *,
    clipped: bool = True,
    first: FirstOrder | None = None,
) -> Fan:
    """Trace the rays of a field at a wavelength (nm) through the relative heights ``pupil`` (m,) in
    the paraxial entrance pupil of the primary wavelength. A ray ends (NaN) if it misses a surface
    or is totally reflected or, with ``clipped``, if it passes outside a semi-diameter.
    """
    first = first_order(system) if first is None else first
    n = np.abs(signed_indices(system, wavelength))
    start = _starting_rays(system, first, (field,), n[:1], pupil)
    return _trace_rays(
        system.surfaces, system.vertices, system.image_radius, n, pupil, start, clipped
    )


def trace_fields(system: Prescription, pupil: Floats, *, clipped: bool = True) -> Fan:
    """Trace all fields at all wavelengths at once. The columns of the result are the rays of
    `trace_fan`, ordered by field, then wavelength, then pupil height.
    """
    return trace_systems((system,), pupil, clipped=clipped)[0]


def trace_systems(
    systems: Sequence[Prescription],
    pupil: Floats,
    *,
    firsts: Sequence[FirstOrder] | None = None,
    clipped: bool = True,
) -> tuple[Fan, ...]:
    """Trace all fields at all wavelengths of several systems at once, see `trace_fields`. The
    systems may differ only in their numbers and media. ``firsts`` are their first-order data, if
    these are already known.
    """
    starts, indices = [], []
    for system, first in zip(systems, firsts or map(first_order, systems), strict=True):
        n = np.abs([signed_indices(system, w.value) for w in system.wavelengths])
        starts.append(_starting_rays(system, first, system.fields, n[:, 0], pupil))
        indices.append(np.tile(np.repeat(n, len(pupil), axis=0).T, len(system.fields)))
    count = len(starts[0][0])

    def of_rays(values: Sequence[float]) -> float | Floats:
        """A number of each system, for each ray; itself if they are equal."""
        return values[0] if len(set(values)) == 1 else np.repeat(values, count)

    stacked = [
        _stack_surfaces(rows, of_rays) for rows in zip(*(s.surfaces for s in systems), strict=True)
    ]
    fan = _trace_rays(
        stacked,
        [of_rays(at) for at in zip(*(s.vertices for s in systems), strict=True)],
        of_rays([s.image_radius for s in systems]),
        np.concatenate(indices, axis=1),
        np.tile(pupil, len(systems) * count // len(pupil)),
        tuple(np.concatenate(column) for column in zip(*starts, strict=True)),
        clipped,
    )
    if len(systems) == 1:
        return (fan,)
    columns = [getattr(fan, each.name) for each in fields(fan)]
    return tuple(
        Fan(*(column[..., i * count : (i + 1) * count] for column in columns))
        for i in range(len(systems))
    )


@dataclass(frozen=True)
class _StackedSurface:
    """The same surface of several systems; each value is one number, or an array with a number for
    each ray.
    """

    curvature: float | Floats
    conic: float | Floats
    aspheric: tuple[float | Floats, ...]
    semi_diameter: float | Floats | None
    is_mirror: bool


def _stack_surfaces(
    rows: Sequence[Surface], of_rays: Callable[[Sequence[float]], float | Floats]
) -> "Surface | _StackedSurface":
    first = rows[0]
    if all(row is first for row in rows):
        return first
    terms = max(len(row.aspheric) for row in rows)
    padded = [(*row.aspheric, *[0.0] * (terms - len(row.aspheric))) for row in rows]
    halves = [math.inf if r.semi_diameter is None else r.semi_diameter for r in rows]
    return _StackedSurface(
        of_rays([row.curvature for row in rows]),
        of_rays([row.conic for row in rows]),
        tuple(of_rays(column) for column in zip(*padded, strict=True)),
        None if min(halves) == math.inf else of_rays(halves),
        first.is_mirror,
    )


def _starting_rays(
    system: Prescription, first: FirstOrder, chosen: Sequence[Field], n: Floats, pupil: Floats
) -> tuple[Floats, ...]:
    """The rays of the ``chosen`` fields at the plane of the first vertex, ordered by field, then
    index, then pupil height: x, y, the direction dx, dy, the optical path from the start, and the
    vergence of a narrow pencil. ``n`` are the indices before the first surface.
    """

    def by_field(values: Sequence[float]) -> Floats:
        return np.array(values)[:, None, None]

    n = n[None, :, None]
    low = by_field([-1 + f.lower_vignetting for f in chosen])
    high = by_field([1 - f.upper_vignetting for f in chosen])
    part = (low + high) / 2 + pupil * (high - low) / 2
    slope = by_field([chief_slope(system, first, f.value) for f in chosen])
    pupil_at = first.entrance_pupil
    if math.isinf(system.object_distance):
        heights = part * (first.entrance_diameter / 2)
        dx = 1 / np.hypot(1, slope)
        dy, y = slope * dx, heights - pupil_at * slope
        # back from the pupil plane to the vertex plane; the wavefront passes the pupil's centre
        path, vergence = n * (heights * dy - pupil_at / dx), np.zeros(1)
    else:
        slopes = slope + part * first.object_slope
        dx = 1 / np.hypot(1, slopes)
        dy, reach = slopes * dx, system.object_distance / dx
        with np.errstate(divide="ignore"):
            vergence = n / reach
        y = by_field([object_height(system, first, f.value) for f in chosen]) + reach * dy
        path = n * reach
    return tuple(a.ravel() for a in np.broadcast_arrays(np.zeros(1), y, dx, dy, path, vergence))


def _trace_rays(
    surfaces: Sequence[Surface | _StackedSurface],
    vertices: Sequence[float | Floats],
    image_radius: float | Floats,
    n: Floats,
    pupil: Floats,
    start: tuple[Floats, ...],
    clipped: bool,
) -> Fan:
    """Trace rays, given as `_starting_rays` returns them, through surfaces. ``n`` are the indices
    before, between and behind the surfaces, (surfaces + 1,), or these for each ray, (surfaces + 1,
    m).
    """
    x, y, dx, dy, path, curved = start
    columns: list[list[Floats]] = [[] for _ in range(7)]
    tangential, sagittal, clear = curved, curved, np.ones(len(y), bool)
    with np.errstate(all="ignore"):  # a ray that ends is NaN from there
        for i, surface in enumerate(surfaces):
            x, y, way, nx, ny, bend, ring = _intersect_surface(surface, x - vertices[i], y, dx, dy)
            x += vertices[i]
            path = path + n[i] * way
            tangential, sagittal = (
                _propagate_vergence(tangential, n[i], way),
                _propagate_vergence(sagittal, n[i], way),
            )
            if surface.semi_diameter is not None:
                clear &= ~(np.abs(y) > surface.semi_diameter * (1 + 1e-12))
            cosine = dx * nx + dy * ny
            if surface.is_mirror:
                dx, dy = dx - 2 * cosine * nx, dy - 2 * cosine * ny
                # as refraction between n and -n, with the normal along the arriving light
                side = np.sign(cosine)
                power = 2 * n[i] * np.abs(cosine)
                tangential = tangential + side * power * bend / cosine**2
                sagittal = sagittal + side * power * ring
            else:
                ratio = n[i] / n[i + 1]
                under = 1 - ratio * ratio * (1 - cosine * cosine)
                behind = np.copysign(np.sqrt(np.where(under < 0, np.nan, under)), cosine)
                dx = ratio * dx + (behind - ratio * cosine) * nx
                dy = ratio * dy + (behind - ratio * cosine) * ny
                power = n[i + 1] * behind - n[i] * cosine
                tangential = (tangential * cosine**2 - power * bend) / behind**2
                sagittal = sagittal - power * ring
            if clipped:
                dx, dy = np.where(clear, dx, np.nan), np.where(clear, dy, np.nan)
            for column, value in zip(
                columns, (x, y, dx, dy, path, tangential, sagittal), strict=True
            ):
                column.append(value)
        image = _StackedSurface(1 / image_radius, 0.0, (), None, False)
        x, y, way, *_ = _intersect_surface(image, x - vertices[-1], y, dx, dy)
        path = path + n[-1] * way
        tangential, sagittal = (
            _propagate_vergence(tangential, n[-1], way),
            _propagate_vergence(sagittal, n[-1], way),
        )
        for column, value in zip(
            columns, (x + vertices[-1], y, dx, dy, path, tangential, sagittal), strict=True
        ):
            column.append(value)
    xs, ys, dxs, dys, paths, ts, ss = (np.array(c) for c in columns)
    return Fan(pupil, xs, ys, dxs, dys, paths, ts, ss, clear & np.isfinite(ys[-1]))


def _propagate_vergence(vergence: Floats, n: Floats, way: Floats) -> Floats:
    """The vergence V of a pencil after a distance ``way``: 1/V increases by way/n."""
    return vergence / (1 + vergence * way / n)


def _intersect_surface(
    surface: Surface | _StackedSurface, x: Floats, y: Floats, dx: Floats, dy: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats]:
    """Intersect rays with a surface whose vertex is at the origin. Returns the points, the
    distances along the rays, the unit normals towards +x, and the curvatures of the surface in the
    plane and perpendicular to it.
    """
    c, k = surface.curvature, surface.conic
    # from the vertex plane, where x = 0, on to c (x² (1 + k) + y²) = 2 x: of two roots the near one
    to_plane = -x / dx
    at = y + to_plane * dy
    a = c * (dy * dy + (1 + k) * dx * dx)
    b = c * at * dy - dx
    e = c * at * at
    root = b * b - a * e
    way = to_plane + e / (-b + np.copysign(np.sqrt(np.where(root < 0, np.nan, root)), -b))
    if surface.aspheric:
        way = np.where(np.isfinite(way), way, to_plane)
        for _ in range(MOST_STEPS):
            sag, slope, _ = _sag_and_derivatives(surface, y + way * dy)
            step = (x + way * dx - sag) / (dx - slope * dy)
            way = way - step
            if not (np.abs(step) > 1e-14 * (1 + np.abs(way))).any():
                break
        off = np.abs(x + way * dx - _sag_and_derivatives(surface, y + way * dy)[0])
        way = np.where(off < 1e-9 * (1 + np.abs(way)), way, np.nan)
    px, py = x + way * dx, y + way * dy
    _, slope, second = _sag_and_derivatives(surface, py)
    length = np.hypot(1, slope)
    bend = second / length**3
    ring = np.where(py == 0, second, slope / np.where(py == 0, 1, py)) / length
    return px, py, way, 1 / length, -slope / length, bend, ring


def _sag_and_derivatives(
    surface: Surface | _StackedSurface, y: Floats
) -> tuple[Floats, Floats, Floats]:
    """The sag of a surface at heights, with its first and second derivative with respect to the
    height.
    """
    c, k = surface.curvature, surface.conic
    square = y * y
    under = 1 - (1 + k) * c * c * square
    root = np.sqrt(np.where(under < 0, np.nan, under))
    sag, slope, second = c * square / (1 + root), c * y / root, c / root**3
    for i, a in enumerate(surface.aspheric):
        p = 2 * i + 2
        sag = sag + a * y**p
        slope = slope + a * p * y ** (p - 1)
        second = second + a * p * (p - 1) * y ** (p - 2)
    return sag, slope, second
