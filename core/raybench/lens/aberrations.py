"""Aberrations of a prescription, from exact meridional rays.

Everything within the meridional plane is exact: tangential fans, optical path differences, spots
along the section, colour, distortion, vignetting, the tangential field by Coddington's equations,
and the modulation of the tangential pupil function. The sagittal field of the lens with rotational
symmetry is computed by Coddington's equations along the chief ray. Wavelengths are in nm, lengths
in the unit of the prescription.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.fields import METRES
from raybench.lens.paraxial import FirstOrder, first_order
from raybench.lens.prescription import (
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Wavelength,
)
from raybench.lens.sequential import Fan, trace_fan, trace_fields


def nanometres_per_unit(unit: str) -> float:
    """The number of nanometres in a unit of length."""
    return float(METRES[unit] * 10**9)


def pupil_samples(count: int) -> Floats:
    """``count`` relative pupil heights from -1 to 1."""
    return np.linspace(-1.0, 1.0, count)


def ray_fan(
    system: Prescription, field: Field, wavelength: float | None = None, count: int = 65
) -> tuple[Floats, Floats]:
    """The transverse ray aberrations of a field. Returns the relative pupil heights, and the
    heights of the rays at the image surface relative to the chief ray of the primary wavelength.
    NaN where a ray is blocked.
    """
    wave = system.primary_wavelength if wavelength is None else wavelength
    pupil, first = pupil_samples(count), first_order(system)
    fan = trace_fan(system, field, wave, pupil, first=first)
    return pupil, fan.y[-1] - chief_height(system, field, system.primary_wavelength, first)


def chief_height(
    system: Prescription, field: Field, wavelength: float, first: FirstOrder | None = None
) -> float:
    """The height at the image surface of the ray through the centre of the entrance pupil."""
    plain = replace(field, lower_vignetting=0.0, upper_vignetting=0.0)
    fan = trace_fan(system, plain, wavelength, np.zeros(1), clipped=False, first=first)
    return float(fan.y[-1, 0])


def opd_fan(
    system: Prescription, field: Field, wavelength: float | None = None, count: int = 65
) -> tuple[Floats, Floats]:
    """The optical path differences of a field in wavelengths. Returns the relative pupil heights,
    and for each ray the optical path of the chief ray minus that of the ray, both up to the
    reference sphere (W of Welford, section 7.2).

    The sphere is centred where the chief ray of this wavelength meets the image surface, and passes
    through the centre of the paraxial exit pupil. With an exit pupil at infinity it is a plane. NaN
    where a ray is blocked.
    """
    wave = system.primary_wavelength if wavelength is None else wavelength
    first = first_order(system)
    pupil = pupil_samples(count)
    fan = trace_fan(system, field, wave, np.append(pupil, 0.0), first=first)
    plain = replace(field, lower_vignetting=0.0, upper_vignetting=0.0)
    chief = trace_fan(system, plain, wave, np.zeros(1), clipped=False, first=first)
    n = abs(system.indices(wave)[-1])
    at = system.vertices[-2] + first.exit_pupil
    path = path_to_sphere(fan, chief, n, at)
    reference = float(path_to_sphere(chief, chief, n, at)[0])
    waves = wave / nanometres_per_unit(system.unit)
    return pupil, (reference - path[:-1]) / waves


def path_to_sphere(fan: Fan, chief: Fan, n: float, pupil_at: float) -> Floats:
    """The optical paths of rays from their start to the reference sphere. The sphere is centred
    where the ``chief`` ray meets the image surface, and crosses the axis at ``pupil_at``. If the
    pupil is at infinity, it is the plane perpendicular to the chief ray. ``n`` is the index of
    image space.
    """
    cx, cy = float(chief.x[-1, 0]), float(chief.y[-1, 0])
    x, y, dx, dy = fan.x[-1] - cx, fan.y[-1] - cy, fan.dx[-2], fan.dy[-2]
    if math.isinf(pupil_at):
        ux, uy = float(chief.dx[-2, 0]), float(chief.dy[-2, 0])
        plane: Floats = fan.path[-1] - n * (x * ux + y * uy) / (dx * ux + dy * uy)
        return plane
    radius_square = (pupil_at - cx) ** 2 + cy**2
    # from the image point back along the ray: (x + s dx)² + (y + s dy)² = R²
    along = x * dx + y * dy
    with np.errstate(invalid="ignore"):  # a ray that misses the sphere is NaN
        reach = np.sqrt(along**2 - (x * x + y * y) + radius_square)
    towards = np.sign(dx * (pupil_at - cx))
    sphere: Floats = fan.path[-1] + n * (-along + towards * reach)
    return sphere


@dataclass(frozen=True)
class Spot:
    """The spot of a field in the meridional plane, over all wavelengths by weight: its
    ``centroid``, its ``rms`` radius and its half ``extent`` about the centroid.
    """

    centroid: float
    rms: float
    extent: float


def spot(system: Prescription, field: Field, *, defocus: float = 0.0, count: int = 101) -> Spot:
    """The spot of a field with all wavelengths in the plane at the distance ``defocus`` behind the
    image surface. The rays are equally spaced in the pupil. Raises InvalidPrescription if no ray
    reaches the image.
    """
    y, slope, w = _arriving_rays(system, field, count)
    y = y + defocus * slope
    if not w.sum() > 0:
        raise _no_light_error(field)
    centre = float((w * y).sum() / w.sum())
    rms = math.sqrt(float((w * (y - centre) ** 2).sum() / w.sum()))
    return Spot(centre, rms, float(np.abs(y - centre).max()))


def spot_through_focus(
    system: Prescription, field: Field, defocus: Floats, count: int = 101
) -> Floats:
    """The rms radii (m,) of the `spot` of a field at the distances ``defocus`` (m,) behind the
    image surface. Raises InvalidPrescription if no ray reaches the image.
    """
    y, slope, w = _arriving_rays(system, field, count)
    if not w.sum() > 0:
        raise _no_light_error(field)
    # heights are linear in the distance, so that the square of the rms is a parabola
    y, slope, w = y - np.average(y, weights=w), slope - np.average(slope, weights=w), w / w.sum()
    yy, ys, ss = (float((w * a * b).sum()) for a, b in ((y, y), (y, slope), (slope, slope)))
    square = yy + 2 * defocus * ys + defocus**2 * ss
    return np.asarray(np.sqrt(np.maximum(square, 0.0)))


def _no_light_error(field: Field) -> InvalidPrescription:
    return InvalidPrescription(
        f"No light of the field {field.value:g} reaches the image. Enlarge the semi-diameters, or make"
        " the field smaller."
    )


def _arriving_rays(system: Prescription, field: Field, count: int) -> tuple[Floats, Floats, Floats]:
    """Heights, slopes and weights at the image surface of the rays of all wavelengths that reach
    it.
    """
    first, columns = first_order(system), []
    for wave in system.wavelengths:
        fan = trace_fan(system, field, wave.value, pupil_samples(count), first=first)
        y, slope = fan.y[-1][fan.is_clear], (fan.dy[-2] / fan.dx[-2])[fan.is_clear]
        columns.append((y, slope, np.full(len(y), wave.weight)))
    y, slope, weights = (np.concatenate(column) for column in zip(*columns, strict=True))
    return y, slope, weights


def best_focus(system: Prescription, field: Field | None = None, count: int = 101) -> float:
    """The defocus from the image surface, along x, at which the rms of the spot is smallest, for
    one field or for all fields by weight. Computed in closed form, since heights are linear in the
    defocus.
    """
    cross = square = 0.0
    for each in system.fields if field is None else (field,):
        y, slope, w = _arriving_rays(system, each, count)
        if w.sum() > 0:
            weight = w / w.sum() * (each.weight if field is None else 1.0)
            turn = slope - np.average(slope, weights=w)
            cross += float((weight * y * turn).sum())
            square += float((weight * turn**2).sum())
    if not square > 0:
        raise InvalidPrescription("No rays reach the image. Enlarge the semi-diameters.")
    return -cross / square


def longitudinal_aberration(
    system: Prescription, wavelength: float, count: int = 33
) -> tuple[Floats, Floats]:
    """The longitudinal aberration of axial rays. Returns the relative pupil heights from 0 to 1,
    and the distances along x from the paraxial image of the primary wavelength to where the rays
    cross the axis. Curves of several wavelengths show the axial colour.
    """
    first = first_order(system)
    pupil = np.linspace(0.0, 1.0, count)
    pupil[0] = 1e-4  # a paraxial ray
    fan = trace_fan(system, Field(0.0), wavelength, pupil, first=first)
    with np.errstate(divide="ignore", invalid="ignore"):  # a parallel ray crosses nowhere
        crossing = fan.x[-1] - fan.y[-1] * fan.dx[-2] / fan.dy[-2]
        return pupil, crossing - (system.vertices[-2] + first.image)


def axial_colour(system: Prescription) -> dict[float, float]:
    """The distance of the paraxial image of each wavelength from that of the primary wavelength,
    along x.
    """
    primary = first_order(system).image
    return {w.value: first_order(system, w.value).image - primary for w in system.wavelengths}


def lateral_colour(system: Prescription, field: Field) -> dict[float, float]:
    """The height of the chief ray of each wavelength at the image surface, relative to the primary
    wavelength.
    """
    first = first_order(system)
    primary = chief_height(system, field, system.primary_wavelength, first)
    return {
        w.value: chief_height(system, field, w.value, first) - primary for w in system.wavelengths
    }


@dataclass(frozen=True)
class ChiefRays:
    """The chief rays of fields at all wavelengths, (fields, wavelengths) each.

    Attributes:
        height: Heights at which the chief rays meet the image surface.
        tangential, sagittal: Distances along x from the image surface to the images of narrow
            pencils about the chief rays.
    """

    height: Floats
    tangential: Floats
    sagittal: Floats


def chief_rays(system: Prescription, fields: Floats) -> ChiefRays:
    """Trace the chief rays of the field values ``fields`` (m,), and narrow pencils about them by
    Coddington's equations.
    """
    tried = replace(system, fields=tuple(map(Field, fields.tolist())))
    fan = trace_fields(tried, np.zeros(1), clipped=False)
    shape = len(fields), len(system.wavelengths)
    n = np.array([abs(system.indices(w.value)[-1]) for w in system.wavelengths])
    along = fan.dx[-2].reshape(shape)
    with np.errstate(divide="ignore"):
        images = (
            -n / vergence[-1].reshape(shape) * along for vergence in (fan.tangential, fan.sagittal)
        )
        return ChiefRays(fan.y[-1].reshape(shape), *images)


def field_curvature(
    system: Prescription, field: Field, wavelength: float | None = None
) -> tuple[float, float]:
    """The distances along x from the image surface to the tangential and the sagittal image of a
    narrow pencil about the chief ray (Coddington).
    """
    wave = system.primary_wavelength if wavelength is None else wavelength
    # the pupil is that of the primary wavelength
    tried = replace(system, wavelengths=(*system.wavelengths, Wavelength(wave)))
    rays = chief_rays(tried, np.array([field.value]))
    return float(rays.tangential[0, -1]), float(rays.sagittal[0, -1])


def distortion(system: Prescription, field: Field) -> float:
    """The relative distortion of a field at the primary wavelength: (real - ideal)/ideal image
    height. The ideal height is proportional to the tangent of the field angle, or to the object
    height, with the factor of a small field. 0 on the axis, NaN where the ideal height is 0.
    """
    first = first_order(system)
    if not field.value:
        return 0.0
    real = chief_height(system, field, system.primary_wavelength, first)
    part = 1e-5
    small = replace(field, value=field.value * part)
    if system.field_kind is FieldKind.ANGLE:
        part = math.tan(math.radians(small.value)) / math.tan(math.radians(field.value))
    ideal = chief_height(system, small, system.primary_wavelength, first) / part
    return real / ideal - 1 if ideal else math.nan


def unvignetted_fraction(system: Prescription, field: Field, count: int = 401) -> float:
    """The fraction (0 to 1) of the tangential section of the entrance pupil through which light of
    a field reaches the image. Only given semi-diameters block light.
    """
    plain = replace(field, lower_vignetting=0.0, upper_vignetting=0.0)
    middles = (np.arange(count) + 0.5) / count * 2 - 1
    fan = trace_fan(system, plain, system.primary_wavelength, middles)
    return float(fan.is_clear.mean())


def subtract_best_sphere(pupil: Floats, path_difference: Floats) -> Floats:
    """Optical path differences relative to the sphere for which their rms is smallest: mean, tilt
    and defocus are subtracted by a least-squares fit.
    """
    known = np.isfinite(path_difference)
    terms = np.stack([np.ones_like(pupil), pupil, pupil**2], axis=1)
    fitted = np.linalg.lstsq(terms[known], path_difference[known], rcond=None)[0]
    against: Floats = path_difference - terms @ fitted
    return against


@dataclass(frozen=True)
class Wavefront:
    """The tangential section of the wavefront of a field, in wavelengths.

    Attributes:
        rms: Standard deviation of the optical path difference.
        peak_to_valley: Range of the optical path difference.
        strehl: |mean exp(2πi W)|², the peak of the tangential line image relative to that of a
            perfect lens.
    """

    rms: float
    peak_to_valley: float
    strehl: float


def wavefront(
    system: Prescription,
    field: Field,
    wavelength: float | None = None,
    *,
    best: bool = False,
    count: int = 257,
) -> Wavefront:
    """The wavefront of a field relative to the sphere about the image point of the chief ray or,
    with ``best``, relative to the sphere for which its rms is smallest (tilt and defocus are
    fitted). Raises InvalidPrescription if no rays reach the image.
    """
    pupil, w = opd_fan(system, field, wavelength, count)
    pupil, w = pupil[np.isfinite(w)], w[np.isfinite(w)]
    if len(w) < 3:
        raise _no_light_error(field)
    if best:
        w = subtract_best_sphere(pupil, w)
    mean = np.exp(2j * np.pi * w).mean()
    return Wavefront(float(w.std()), float(np.ptp(w)), float(abs(mean) ** 2))


def geometric_mtf(
    system: Prescription, field: Field, frequencies: Floats, count: int = 2001
) -> Floats:
    """The modulation of the tangential section at spatial frequencies (lines per unit of length),
    from rays alone: |mean exp(2πi ν y)| over the pupil and the wavelengths by weight.
    """
    first, total, weight = first_order(system), np.zeros(len(frequencies), complex), 0.0
    for wave in system.wavelengths:
        fan = trace_fan(system, field, wave.value, pupil_samples(count), first=first)
        y = fan.y[-1][fan.is_clear]
        if len(y):
            phases = np.exp(2j * np.pi * np.outer(frequencies, y - y.mean()))
            shift = np.exp(2j * np.pi * frequencies * float(y.mean()))
            total += wave.weight * phases.mean(axis=1) * shift
            weight += wave.weight
    return np.abs(total) / weight if weight else np.full(len(frequencies), np.nan)


@dataclass(frozen=True)
class PupilSection:
    """The tangential section of the pupil of a field at one wavelength, sampled at equal steps of
    ``sine``, which is n sin of the angle to the axis in image space, (m,).

    Attributes:
        waves: The optical path differences at the samples, in wavelengths, (m,).
        along: n cos of the angle to the axis, negative where light runs towards -x, (m,).
        wavelength: The wavelength in the unit of length.
    """

    sine: Floats
    waves: Floats
    along: Floats
    wavelength: float

    @property
    def cutoff(self) -> float:
        """The cutoff frequency, above which the modulation is 0, in lines per unit of length."""
        return float(self.sine[-1] - self.sine[0]) / self.wavelength

    @property
    def largest_height(self) -> float:
        """The largest height for which the samples are dense enough for `line_spread`."""
        return 0.4 * len(self.sine) / self.cutoff

    def with_defocus(self, defocus: float) -> "PupilSection":
        """The section with the centre of its reference sphere moved by ``defocus`` along x. The
        mean of the change is removed, since a constant path difference has no effect.
        """
        longer = defocus * self.along / self.wavelength
        return replace(self, waves=self.waves - (longer - longer.mean()))

    def modulation(self, frequencies: Floats) -> Floats:
        """The modulation (1 at frequency 0): the autocorrelation of the pupil function exp(2πi
        W).
        """
        low, high = self.sine[0], self.sine[-1]
        out = []
        # the shift of the pupil at a frequency is ν λ in units of the sine
        for shift in np.abs(frequencies) * self.wavelength:
            if shift >= high - low:
                out.append(0.0)
                continue
            inside = np.linspace(low, high - shift, len(self.sine))
            difference = np.interp(inside + shift, self.sine, self.waves) - np.interp(
                inside, self.sine, self.waves
            )
            mean = np.trapezoid(np.exp(2j * np.pi * difference), inside)
            out.append(float(abs(mean)) / (high - low))
        return np.array(out)

    def line_spread(self, heights: Floats) -> Floats:
        """The irradiance of the image of a line at heights from the image point of the chief ray:
        the square of the Fourier transform of the pupil function. Its integral over all heights is
        1.
        """
        phases = self.waves - np.outer(heights, self.sine) / self.wavelength
        amplitude = np.trapezoid(np.exp(2j * np.pi * phases), self.sine, axis=1)
        whole = self.wavelength * (self.sine[-1] - self.sine[0])
        return np.asarray(np.abs(amplitude) ** 2 / float(whole))


def pupil_section(
    system: Prescription, field: Field, wavelength: float | None = None, count: int = 1025
) -> PupilSection:
    """The pupil section of a field at a wavelength (nm), by default the primary one, relative to
    the reference sphere of the chief ray. If the rim of the pupil is folded back, so that two of
    its rays leave in the same direction, the rim is left out. Raises InvalidPrescription if no
    light reaches the image.
    """
    wave = system.primary_wavelength if wavelength is None else wavelength
    pupil, w = opd_fan(system, field, wave, count)
    fan = trace_fan(system, field, wave, pupil)
    n = abs(system.indices(wave)[-1])
    sines, along = n * fan.dy[-2], n * fan.dx[-2]
    clear = np.isfinite(w) & np.isfinite(sines)
    if clear.sum() < 3:
        raise _no_light_error(field)
    sines, w, along = _select_monotonic_rays(sines[clear], w[clear], along[clear])
    if not sines[-1] > sines[0]:
        raise InvalidPrescription("The light leaves parallel and has no image. Add a lens behind.")
    even = np.linspace(sines[0], sines[-1], count)
    return PupilSection(
        even,
        np.interp(even, sines, w),
        np.interp(even, sines, along),
        wave / nanometres_per_unit(system.unit),
    )


def _select_monotonic_rays(sines: Floats, *columns: Floats) -> tuple[Floats, ...]:
    """The rays around the middle ray whose sines increase, or decrease, from ray to ray, sorted in
    increasing order.
    """
    middle = len(sines) // 2
    steps = np.diff(sines)
    turned = np.flatnonzero(steps * (steps[middle - 1] or 1.0) <= 0)
    first = int(turned[turned < middle].max(initial=-1)) + 1
    last = int(turned[turned >= middle].min(initial=len(steps)))
    order = slice(first, last + 1)
    rising = 1 if steps[middle - 1] > 0 else -1
    return tuple(column[order][::rising] for column in (sines, *columns))


def diffraction_mtf(
    system: Prescription,
    field: Field,
    frequencies: Floats,
    wavelength: float | None = None,
    count: int = 1025,
) -> Floats:
    """The modulation of the tangential section at spatial frequencies (lines per unit of length) at
    one wavelength, by diffraction: the autocorrelation of the tangential pupil function exp(2πi W),
    as for a slit-shaped pupil along the section. Without aberrations it is 1 - ν/ν_c with ν_c = 2
    NA/λ (Goodman, Introduction to Fourier Optics, section 6.4). NaN without light.
    """
    try:
        return pupil_section(system, field, wavelength, count).modulation(frequencies)
    except InvalidPrescription:
        return np.full(len(frequencies), np.nan)


def geometric_line_spread(
    system: Prescription, field: Field, edges: Floats, count: int = 2001
) -> Floats:
    """The irradiance (m,) of the image of a line between the heights ``edges`` (m + 1,) from the
    chief ray of the primary wavelength, computed from rays of all wavelengths by weight. Its
    integral over all heights is 1. The power between two neighbouring rays is spread evenly. NaN
    without light.
    """
    below, weight = np.zeros(len(edges)), 0.0
    for wave in system.wavelengths:
        _, y = ray_fan(system, field, wave.value, count)
        low, high = np.minimum(y[:-1], y[1:]), np.maximum(y[:-1], y[1:])
        both = np.isfinite(low)
        low, high = low[both], high[both]
        wide = np.maximum(high - low, 1e-12 * (np.ptp(edges) or 1.0))
        if len(low):
            parts = np.clip((edges[:, None] - low) / wide, 0, 1)
            below += wave.weight * parts.mean(axis=1)
            weight += wave.weight
    if not weight:
        return np.full(len(edges) - 1, np.nan)
    density: Floats = np.diff(below) / np.diff(edges) / weight
    return density
