"""Paraxial optics of a prescription: rays y, u through its surfaces, focal lengths, principal
planes, pupils, image and magnification (Welford, Aberrations of Optical Systems, chapter 3).

Indices are negative where light travels towards -x, so that a mirror is a surface between the
indices n and -n, to which all formulas of refraction apply.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from raybench.arrays import Floats
from raybench.lens.prescription import ApertureKind, FieldKind, InvalidPrescription, Prescription


def signed_indices(system: Prescription, wavelength: float) -> tuple[float, ...]:
    """The refractive indices before and behind each surface, negative where light travels towards
    -x.
    """
    sign, indices = 1.0, list(system.indices(wavelength))
    for i, surface in enumerate(system.surfaces):
        sign = -sign if surface.is_mirror else sign
        indices[i + 1] *= sign
    return tuple(indices)


@dataclass(frozen=True)
class ParaxialRay:
    """A paraxial ray: its height at each surface, and its slopes before, between and behind the
    surfaces (one more than there are surfaces).
    """

    y: Floats
    u: Floats


def trace_paraxial_ray(
    system: Prescription, height: float, slope: float, wavelength: float | None = None
) -> ParaxialRay:
    """Trace a paraxial ray with a ``height`` at the first vertex and a ``slope`` before it, at a
    wavelength (nm), by default the primary one: n'u' = nu - y (n' - n) c.
    """
    n = signed_indices(system, system.primary_wavelength if wavelength is None else wavelength)
    heights, slopes = [height], [slope]
    for i, surface in enumerate(system.surfaces):
        power = (n[i + 1] - n[i]) * surface.vertex_curvature
        slope = (n[i] * slope - height * power) / n[i + 1]
        slopes.append(slope)
        height += surface.thickness * slope
        heights.append(height)
    return ParaxialRay(np.array(heights[:-1]), np.array(slopes))


@dataclass(frozen=True)
class FirstOrder:
    """First-order data at one wavelength. Distances are along x; those in object space are from the
    first vertex, those in image space from the last. Infinite where a point is at infinity.

    Attributes:
        focal_length: Effective focal length |n'|/power; positive if converging.
        back_focus: From the last vertex to the rear focus.
        front_focus: From the first vertex to the front focus.
        front_principal: From the first vertex to the front principal point.
        rear_principal: From the last vertex to the rear principal point.
        image: From the last vertex to the paraxial image.
        magnification: Transverse magnification; 0 for an object at infinity.
        f_number: Focal length divided by entrance pupil diameter; 0 for an infinite diameter.
        image_na: Numerical aperture in image space, n' sin u' with the paraxial tan u' = u'.
        entrance_pupil: From the first vertex to the entrance pupil.
        entrance_diameter: Diameter of the entrance pupil.
        object_slope: Slope in object space of the axial ray to the upper rim of the pupil; 0 for an
            object at infinity. It states the width of the light if the entrance pupil is at
            infinity.
        exit_pupil: From the last vertex to the exit pupil.
        exit_diameter: Diameter of the exit pupil.
        stop_semi_diameter: Half the diameter of the axial beam at the stop.
        invariant: Lagrange invariant n (ū y - u ȳ) of the largest field.
    """

    focal_length: float
    back_focus: float
    front_focus: float
    front_principal: float
    rear_principal: float
    image: float
    magnification: float
    f_number: float
    image_na: float
    entrance_pupil: float
    entrance_diameter: float
    object_slope: float
    exit_pupil: float
    exit_diameter: float
    stop_semi_diameter: float
    invariant: float


@dataclass(frozen=True)
class RayMatrix:
    """A ray matrix: y' = a y + b nu, n'u' = c y + d nu."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0

    def followed_by(self, other: "RayMatrix") -> "RayMatrix":
        """The matrix of this part of a system followed by the ``other`` part."""
        return RayMatrix(
            other.a * self.a + other.b * self.c,
            other.a * self.b + other.b * self.d,
            other.c * self.a + other.d * self.c,
            other.c * self.b + other.d * self.d,
        )


def ray_matrix(system: Prescription, wavelength: float, first: int, last: int) -> RayMatrix:
    """The ray matrix from just before the surface with index ``first`` to just before the surface
    with index ``last``. If ``last`` is the number of surfaces, the matrix ends just behind the last
    surface.
    """
    n, whole = signed_indices(system, wavelength), RayMatrix()
    for i in range(first, last):
        surface = system.surfaces[i]
        whole = whole.followed_by(RayMatrix(c=-(n[i + 1] - n[i]) * surface.vertex_curvature))
        if i + 1 < len(system.surfaces):
            whole = whole.followed_by(RayMatrix(b=surface.thickness / n[i + 1]))
    return whole


def first_order(system: Prescription, wavelength: float | None = None) -> FirstOrder:
    """The first-order data at a wavelength (nm), by default the primary one. Raises
    InvalidPrescription if light cannot pass the stop.
    """
    wave = system.primary_wavelength if wavelength is None else wavelength
    n = signed_indices(system, wave)
    before, behind = n[0], n[-1]
    to_stop = ray_matrix(system, wave, 0, system.stop)
    from_stop = ray_matrix(system, wave, system.stop, len(system.surfaces))
    whole = to_stop.followed_by(from_stop)
    focal_length = _ratio(-abs(behind), whole.c)
    front_focal = _ratio(before, whole.c)
    back_focus = _ratio(-behind * whole.a, whole.c)
    front_focus = _ratio(before * whole.d, whole.c)
    # the stop's centre has y = 0: a·y + b·nu = 0 at the first vertex, and y' = b·nu, n'u' = d·nu behind
    entrance = _ratio(before * to_stop.b, to_stop.a)
    exit_pupil = _ratio(-behind * from_stop.b, from_stop.d)
    distance = system.object_distance
    if math.isinf(distance):
        image, magnification = back_focus, 0.0
    else:
        through = RayMatrix(b=distance / before).followed_by(whole)
        image = _ratio(-behind * through.b, through.d)
        magnification = through.a + image / behind * through.c if math.isfinite(image) else math.inf
    diameter = _entrance_diameter(system, to_stop, entrance, before, focal_length)
    object_slope = _object_slope(system, to_stop, entrance, diameter, before)
    start = (diameter / 2, 0.0) if math.isinf(distance) else (distance * object_slope, object_slope)
    marginal = trace_paraxial_ray(system, *start, wave)
    pupil_height = float(marginal.y[-1] + exit_pupil * marginal.u[-1])
    first = FirstOrder(
        focal_length=focal_length,
        back_focus=back_focus,
        front_focus=front_focus,
        front_principal=front_focus - front_focal,
        rear_principal=back_focus - _ratio(-behind, whole.c),
        image=image,
        magnification=magnification,
        f_number=abs(focal_length) / diameter,
        image_na=abs(behind * float(marginal.u[-1])),
        entrance_pupil=entrance,
        entrance_diameter=diameter,
        object_slope=object_slope,
        exit_pupil=exit_pupil,
        exit_diameter=2 * abs(pupil_height),
        stop_semi_diameter=abs(float(marginal.y[system.stop])),
        invariant=0.0,
    )
    chief_y, chief_u = _chief_start(system, first)
    return replace(first, invariant=before * (chief_u * start[0] - start[1] * chief_y))


def marginal_and_chief_rays(
    system: Prescription, wavelength: float | None = None
) -> tuple[ParaxialRay, ParaxialRay]:
    """The paraxial marginal ray, from the axial object point to the rim of the pupil, and the
    paraxial chief ray, from the largest field through the centre of the pupil. The pupil is that of
    the primary wavelength.
    """
    first = first_order(system)
    wave = system.primary_wavelength if wavelength is None else wavelength
    start = (
        (first.entrance_diameter / 2, 0.0)
        if math.isinf(system.object_distance)
        else (first.object_slope * system.object_distance, first.object_slope)
    )
    return (
        trace_paraxial_ray(system, *start, wave),
        trace_paraxial_ray(system, *_chief_start(system, first), wave),
    )


def _chief_start(system: Prescription, first: FirstOrder) -> tuple[float, float]:
    """The height of the chief ray of the largest field at the first vertex, and its slope there."""
    field = max(abs(f.value) for f in system.fields)
    slope = chief_slope(system, first, field)
    if math.isinf(first.entrance_pupil):
        return object_height(system, first, field) + slope * system.object_distance, slope
    return -slope * first.entrance_pupil, slope


def object_height(system: Prescription, first: FirstOrder, field: float) -> float:
    """The height of a field point on an object at a finite distance."""
    if system.field_kind is FieldKind.OBJECT_HEIGHT:
        return field
    if system.field_kind is FieldKind.IMAGE_HEIGHT:
        return field / first.magnification
    return -math.tan(math.radians(field)) * (system.object_distance + first.entrance_pupil)


def chief_slope(system: Prescription, first: FirstOrder, field: float) -> float:
    """The slope in object space of the paraxial chief ray of a field. Light of a positive field
    comes from below: for an object at infinity and a positive focal length the image has a positive
    height.
    """
    if system.field_kind is FieldKind.ANGLE:
        return math.tan(math.radians(field))
    if math.isinf(system.object_distance):
        n = system.indices(system.primary_wavelength)
        return field * n[-1] / n[0] / first.focal_length
    to_pupil = system.object_distance + first.entrance_pupil
    return -object_height(system, first, field) / to_pupil


def _entrance_diameter(
    system: Prescription, to_stop: RayMatrix, entrance: float, before: float, focal_length: float
) -> float:
    kind, value = system.aperture.kind, system.aperture.value
    if kind is ApertureKind.PUPIL:
        return value
    if kind is ApertureKind.F_NUMBER:
        if math.isinf(focal_length):
            raise InvalidPrescription(
                "An afocal system has no f-number. Give the diameter of the entrance pupil."
            )
        return abs(focal_length) / value
    if kind is ApertureKind.OBJECT_NA:
        return 2 * abs(system.object_distance + entrance) * _slope_from_aperture(value, before)
    half = system.surfaces[system.stop].semi_diameter
    assert half is not None
    # the height in the entrance pupil whose image in the stop is at the rim
    return 2 * half / abs(to_stop.a) if to_stop.a else math.inf


def _slope_from_aperture(aperture: float, index: float) -> float:
    """The slope of a ray whose numerical aperture in a medium of the given index is
    ``aperture``.
    """
    if aperture >= index:
        raise InvalidPrescription(f"A numerical aperture of {aperture:g} is not below the index.")
    return math.tan(math.asin(aperture / index))


def _object_slope(
    system: Prescription, to_stop: RayMatrix, entrance: float, diameter: float, before: float
) -> float:
    distance, kind = system.object_distance, system.aperture.kind
    if math.isfinite(entrance):
        if not distance + entrance:
            raise InvalidPrescription("The entrance pupil is in the object. Move the stop.")
        return diameter / 2 / (distance + entrance)
    if math.isfinite(distance) and system.field_kind is not FieldKind.ANGLE:
        if kind is ApertureKind.OBJECT_NA:
            return _slope_from_aperture(system.aperture.value, before)
        half = system.surfaces[system.stop].semi_diameter
        if kind is ApertureKind.STOP and half:
            return half / abs(before * to_stop.b)
    raise InvalidPrescription(
        "The entrance pupil is at infinity. Give an object nearby with its numerical aperture and"
        " fields as heights, or move the stop."
    )


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.copysign(math.inf, numerator)
