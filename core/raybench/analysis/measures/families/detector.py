"""Measures of the light that arrives at an object, and of that which passes an aperture."""

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.light import ANGULAR_ROUNDING, ROUNDING, Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.rays.incidence import row_incidences
from raybench.kinds.glasses import GlassBody
from raybench.trace.results.detectors import detector_readings
from raybench.trace.results.result import DetectorReading

OBJECT = Parameter("object", Role.SYSTEM)
DETECTOR = Parameter("detector", Role.DETECTOR, noun="detector")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def power(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives at an object from outside, positive from either side; light that arrives
    twice counts twice.
    """
    return float(light.result.total_arriving_power[light.arriving(index, source)].sum())


def power_s(light: Light, index: int, source: int | None = None) -> float:
    """S-polarised part of the power that arrives at an object from outside; its electric field is
    perpendicular to the plane.
    """
    return float(light.result.end_power[light.arriving(index, source), 0].sum())


def power_p(light: Light, index: int, source: int | None = None) -> float:
    """P-polarised part of the power that arrives at an object from outside; its electric field is
    in the plane.
    """
    return float(light.result.end_power[light.arriving(index, source), 1].sum())


def degree_of_polarization(light: Light, index: int, source: int | None = None) -> float:
    """Degree of polarisation of the light that arrives at an object: the difference of its s- and
    p-polarised power over their sum.
    """
    rows, weight = arriving_light(light, index, source)
    s, p = light.result.end_power[rows].sum(
        axis=0
    )  # as raybench.optics.polarization defines it for one ray, but for any power
    return float(abs(s - p) / weight.sum())


def share(light: Light, index: int, source: int | None = None) -> float:
    """Part of the power emitted by all sources or by the given one that arrives at an object; light
    that arrives again counts once.
    """
    return light.share(
        float(light.result.total_arriving_power[light.first_arriving(index, source)].sum()), source
    )


def rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays (segments) that arrive at an object from outside."""
    return float(len(light.arriving(index, source)))


def incidence(light: Light, index: int, source: int | None = None) -> float:
    """Mean angle of incidence, weighted by power, of the arriving light."""
    rows, weight = arriving_light(light, index, source)
    angle = row_incidences(light.result, light.scene, rows, light.disabled).angle
    return weighted_mean(angle, weight)


def refraction(light: Light, index: int, source: int | None = None) -> float:
    """Mean angle of refraction, weighted by power, of the arriving light that enters a body of
    glass.
    """
    rows, weight = arriving_light(light, index, source)
    if not all(isinstance(light.scene.optical[i], GlassBody) for i in light.members(index)):
        raise Undefined(f"{light.title(index)} is no body of glass: it refracts no light.")
    return mean_refraction(light, rows, weight)


def mean_refraction(light: Light, rows: Rows, weight: Floats) -> float:
    """The mean angle of refraction at the ends of some segments, by Snell's law, without those that
    are totally reflected.
    """
    met = row_incidences(light.result, light.scene, rows, light.disabled)
    sine = met.n_before / met.n_after * np.sin(np.radians(met.angle))
    refracted = np.abs(sine) <= 1
    if not weight[refracted].sum() > 0:
        raise Undefined("All of the light is totally reflected.")
    return weighted_mean(np.degrees(np.arcsin(sine[refracted])), weight[refracted])


def least_incidence(light: Light, index: int, source: int | None = None) -> float:
    """Smallest angle of incidence of the arriving light."""
    return float(_incidence_angles(light, index, source).min())


def largest_incidence(light: Light, index: int, source: int | None = None) -> float:
    """Largest angle of incidence of the arriving light."""
    return float(_incidence_angles(light, index, source).max())


def strongest_ray(light: Light, index: int, source: int | None = None) -> float:
    """Largest power of one ray (segment) among those that arrive at an object."""
    rows = arriving_light(light, index, source)[0]
    return float(light.result.total_arriving_power[rows].max())


def _strongest_segments(light: Light, index: int, source: int | None = None) -> Rows:
    """The arriving segments of the largest power."""
    rows, powers = arriving_light(light, index, source)
    strongest: Rows = rows[powers >= powers.max() * (1 - ROUNDING)]
    return strongest


def _least_inclined(light: Light, index: int, source: int | None = None) -> Rows:
    """The arriving segments of the smallest angle of incidence."""
    rows, angles = _segments_with_angles(light, index, source)
    least: Rows = rows[angles <= angles.min() + ANGULAR_ROUNDING]
    return least


def _most_inclined(light: Light, index: int, source: int | None = None) -> Rows:
    """The arriving segments of the largest angle of incidence."""
    rows, angles = _segments_with_angles(light, index, source)
    most: Rows = rows[angles >= angles.max() - ANGULAR_ROUNDING]
    return most


def _incidence_angles(light: Light, index: int, source: int | None) -> Floats:
    return _segments_with_angles(light, index, source)[1]


def _segments_with_angles(light: Light, index: int, source: int | None) -> tuple[Rows, Floats]:
    """The arriving segments that carry power, and their angles of incidence, (k,) each."""
    rows, weight = arriving_light(light, index, source)
    rows = rows[weight > 0]
    return rows, row_incidences(light.result, light.scene, rows, light.disabled).angle


def signed_power(light: Light, index: int) -> float:
    """The detector's own reading: power along its normal minus power against it."""
    return light.without_noise(detector_reading(light, index).power, Unit.POWER)


def normal_force(light: Light, index: int) -> float:
    """Radiation force along a detector's normal, in units of power over the speed of light."""
    return light.without_noise(detector_reading(light, index).normal, Unit.POWER)


def shear_force(light: Light, index: int) -> float:
    """Radiation force along a detector's line, in units of power over the speed of light."""
    return light.without_noise(detector_reading(light, index).shear, Unit.POWER)


def detector_reading(light: Light, index: int) -> DetectorReading:
    """The reading of a detector, from the trace or, for segments of external origin, computed from
    these.
    """
    result = light.result
    readings = result.detectors or detector_readings(
        light.scene, result.p1, result.p2, result.end_power, result.hit, result.status
    )
    return next(r for r in readings if r.index == index)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """The weighted mean, summed by numpy and not by BLAS, whose threads are slower here and whose
    rounding is not reproducible.
    """
    return float((values * weights).sum() / weights.sum())


def arriving_light(light: Light, index: int, source: int | None) -> tuple[Rows, Floats]:
    """The arriving rows and their powers, (k,) each. Raises Undefined if there is no arriving
    power.
    """
    rows = light.arriving(index, source)
    return rows, light.weights(
        rows, f"light{light.whose(source)} arrives at {light.title(index)}", arriving=True
    )


MEASURES = (
    Measure(
        power,
        Unit.POWER,
        (OBJECT, SOURCE),
        quantity="power that arrives at {object} [from {source}]",
        rays=Light.arriving,
        questions=(
            "How much power reaches {object}?",
            "What is the power at {object}?",
        ),
    ),
    Measure(
        power_s,
        Unit.POWER,
        (OBJECT, SOURCE),
        quantity="s-polarized power that arrives at {object} [from {source}]",
        rays=Light.arriving,
        questions=("How much s-polarized power reaches {object}?",),
    ),
    Measure(
        power_p,
        Unit.POWER,
        (OBJECT, SOURCE),
        quantity="p-polarized power that arrives at {object} [from {source}]",
        rays=Light.arriving,
        questions=("How much p-polarized power reaches {object}?",),
    ),
    Measure(
        degree_of_polarization,
        Unit.ONE,
        (OBJECT, SOURCE),
        quantity="degree of polarization of the light [from {source}] that arrives at {object}",
        rays=Light.arriving,
        questions=("What is the degree of polarization at {object}?",),
    ),
    Measure(
        share,
        Unit.ONE,
        (OBJECT, SOURCE),
        share=True,
        quantity="share of the emitted power [of {source}] that arrives at {object}",
        rays=Light.first_arriving,
        questions=("What share of the light reaches {object} [power emitted]?",),
    ),
    Measure(
        rays,
        Unit.ONE,
        (OBJECT, SOURCE),
        quantity="number of rays that arrive at {object} [from {source}]",
        rays=Light.arriving,
        questions=("How many rays reach {object}?",),
    ),
    Measure(
        strongest_ray,
        Unit.POWER,
        (OBJECT, SOURCE),
        quantity="largest power of one ray that arrives at {object} [from {source}]",
        rays=_strongest_segments,
        questions=("How strong is the strongest ray at {object}?",),
    ),
    Measure(
        incidence,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        quantity="mean angle of incidence at {object} [of the light from {source}]",
        rays=Light.arriving,
        questions=(
            "What is the angle of incidence at {object}?",
            "At what angle does the light reach {object}?",
        ),
    ),
    Measure(
        refraction,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        quantity="mean angle of refraction where light [from {source}] enters {object}",
        rays=Light.arriving,
        questions=("What is the angle of refraction at {object}?",),
    ),
    Measure(
        least_incidence,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        quantity="smallest angle of incidence at {object} [of the light from {source}]",
        rays=_least_inclined,
        questions=("What is the smallest angle of incidence at {object}?",),
    ),
    Measure(
        largest_incidence,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        quantity="largest angle of incidence at {object} [of the light from {source}]",
        rays=_most_inclined,
        questions=("What is the largest angle of incidence at {object}?",),
    ),
    Measure(
        signed_power,
        Unit.POWER,
        (DETECTOR,),
        quantity="net power through {detector}",
        rays=Light.arriving,
        questions=("What is the net power through {detector}?",),
        signed=True,
    ),
    Measure(
        normal_force,
        Unit.POWER,
        (DETECTOR,),
        quantity="radiation force along the normal of {detector}",
        rays=Light.arriving,
        questions=(
            "What is the radiation pressure on {detector}?",
            "What is the normal force on {detector}?",
        ),
        signed=True,
    ),
    Measure(
        shear_force,
        Unit.POWER,
        (DETECTOR,),
        quantity="radiation force along the line of {detector}",
        rays=Light.arriving,
        questions=("What is the shear force on {detector}?",),
        signed=True,
    ),
)


APERTURE = Parameter("aperture", Role.APERTURE, noun="aperture")


def passing(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through the opening of an aperture; light that passes twice counts twice."""
    return float(light.result.total_power[_segments_through(light, index, source)].sum())


def passing_rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays (segments) that go through the opening of an aperture."""
    return float(len(_segments_through(light, index, source)))


def throughput(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through an aperture's opening as a fraction of the power that arrives at the
    opening or at the screen around it.
    """
    through, stopped = passing(light, index, source), power(light, index, source)
    if not through + stopped > 0:
        raise Undefined(f"No light{light.whose(source)} arrives at {light.title(index)}.")
    return through / (through + stopped)


def _segments_through(light: Light, index: int, source: int | None = None) -> Rows:
    """The segments that pass the opening, in the order of the trace."""
    return light.of_source(light.through_opening(index), source)


OPENINGS = (
    Measure(
        throughput,
        Unit.ONE,
        (APERTURE, SOURCE),
        share=True,
        quantity="share of the arriving power [from {source}] that goes through {aperture}",
        rays=_segments_through,
        questions=(
            "What is the throughput of {aperture}?",
            "How strong is the vignetting at {aperture}?",
        ),
    ),
    Measure(
        passing,
        Unit.POWER,
        (APERTURE, SOURCE),
        quantity="power that goes through {aperture} [from {source}]",
        rays=_segments_through,
        questions=("How much power passes {aperture}?",),
    ),
    Measure(
        passing_rays,
        Unit.ONE,
        (APERTURE, SOURCE),
        quantity="number of rays that go through {aperture} [from {source}]",
        rays=_segments_through,
        questions=("How many rays pass {aperture}?",),
    ),
)
