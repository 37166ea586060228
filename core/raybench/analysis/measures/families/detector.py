"""Measures of the light that arrives at an object, or that passes an aperture."""

from dataclasses import replace

import numpy as np

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.light import ANGULAR_ROUNDING, ROUNDING, Light
from raybench.analysis.measures.measure import (
    SOURCE,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
)
from raybench.analysis.measures.selections import ArrivingLight, weighted_mean
from raybench.analysis.rays.stray_light import ghost_mask, scattered_mask
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.trace.results.detectors import DetectorReading, detector_reading

OBJECT = Parameter("object", Role.SYSTEM)
DETECTOR = Parameter("detector", Role.DETECTOR, noun="detector")
ARRIVING: Family = Family(
    "Light that arrives",
    (OBJECT, SOURCE),
    ArrivingLight.at_object,
    by_path=True,
    needs=RowsNeeded.ARRIVING,
)


@ARRIVING.measure(
    Unit.POWER,
    "power that arrives at {object} [from {source}]",
    "How much power reaches {object}?",
    "What is the power at {object}?",
)
def power(arriving: ArrivingLight) -> float:
    """Power that arrives at an object from outside, positive from either side; light that arrives
    twice counts twice.
    """
    return arriving.arriving_power


@ARRIVING.measure(
    Unit.POWER,
    "power of the ghosts [of {source}] that arrive at {object}",
    "What is the total power of the ghosts at {object}?",
    needs=RowsNeeded.ARRIVING_PATHS,
)
def ghost_power(arriving: ArrivingLight) -> float:
    """Power that arrives at an object after an even number of partial reflections at glass."""
    light = arriving.light
    ghosts = light.cached_value(("ghosts",), lambda: ghost_mask(light.result, light.scene))
    return float(arriving.powers[ghosts[arriving.rows]].sum())


@ARRIVING.measure(
    Unit.POWER,
    "scattered power [of {source}] that arrives at {object}",
    "How much scattered power reaches {object}?",
    "How much of the light at {object} is scattered [stray power reach share]?",
    needs=RowsNeeded.ARRIVING_PATHS,
)
def scattered_power(arriving: ArrivingLight) -> float:
    """Power that arrives at an object after one or more surfaces scattered it."""
    light = arriving.light
    scattered = light.cached_value(("scattered",), lambda: scattered_mask(light.result))
    return float(arriving.powers[scattered[arriving.rows]].sum())


@ARRIVING.measure(
    Unit.POWER,
    "s-polarized power that arrives at {object} [from {source}]",
    "How much s-polarized power reaches {object}?",
)
def power_s(arriving: ArrivingLight) -> float:
    """S-polarised part of the power that arrives at an object from outside; its electric field is
    perpendicular to the plane.
    """
    return float(arriving.light.result.end_power[arriving.rows, 0].sum())


@ARRIVING.measure(
    Unit.POWER,
    "p-polarized power that arrives at {object} [from {source}]",
    "How much p-polarized power reaches {object}?",
)
def power_p(arriving: ArrivingLight) -> float:
    """P-polarised part of the power that arrives at an object from outside; its electric field is
    in the plane.
    """
    return float(arriving.light.result.end_power[arriving.rows, 1].sum())


@ARRIVING.measure(
    Unit.ONE,
    "share of the emitted power [of {source}] that arrives at {object}",
    "What share of the light reaches {object} [power emitted coupling efficiency]?",
    select=ArrivingLight.first_at_object,
    needs=RowsNeeded.FIRST_ARRIVING,
    share=True,
)
def share(arriving: ArrivingLight) -> float:
    """Fraction of the power emitted by all sources, or by the given one, that arrives at an object;
    light that arrives again counts once.
    """
    return arriving.light.share(power(arriving), arriving.source)


@ARRIVING.measure(
    Unit.ONE,
    "number of rays that arrive at {object} [from {source}]",
    "How many rays reach {object}?",
    by_path=False,
)
def rays(arriving: ArrivingLight) -> float:
    """Number of rays (segments) that arrive at an object from outside."""
    return arriving.count


def _strongest_rows(arriving: ArrivingLight) -> Rows:
    """The arriving segments with the largest power; several if their powers are equal."""
    rows: Rows = arriving.rows[arriving.weights >= arriving.weights.max() * (1 - ROUNDING)]
    return rows


@ARRIVING.measure(
    Unit.POWER,
    "largest power of one ray that arrives at {object} [from {source}]",
    "How strong is the strongest ray at {object}?",
    rays=_strongest_rows,
)
def strongest_ray(arriving: ArrivingLight) -> float:
    """Largest power of one ray (segment) among those that arrive at an object."""
    return float(arriving.weights.max())


@ARRIVING.measure(
    Unit.ANGLE,
    "mean angle of incidence at {object} [of the light from {source}]",
    "What is the angle of incidence at {object}?",
    "At what angle does the light reach {object}?",
)
def incidence(arriving: ArrivingLight) -> float:
    """Mean angle of incidence, weighted by power, of the arriving light."""
    return weighted_mean(arriving.incidences.angle, arriving.weights)


@ARRIVING.measure(
    Unit.ANGLE,
    "mean angle of refraction where light [from {source}] enters {object}",
    "What is the angle of refraction at {object}?",
    parameters=(Parameter("object", Role.SYSTEM, noun="glass"), SOURCE),
)
def refraction(arriving: ArrivingLight) -> float:
    """Mean angle of refraction, weighted by power, of the arriving light that enters a body of
    glass.
    """
    light, weights = arriving.light, arriving.weights
    if not all(
        isinstance(light.scene.optical[i], GlassBody) for i in light.members(arriving.index)
    ):
        title = light.title(arriving.index)
        raise Undefined(f"{title} is no body of glass: it refracts no light.")
    met = arriving.incidences  # Snell's law, without what is totally reflected
    sine = met.n_before / met.n_after * np.sin(np.radians(met.angle))
    refracted = np.abs(sine) <= 1
    if not weights[refracted].sum() > 0:
        raise Undefined("All of the light is totally reflected.")
    return weighted_mean(np.degrees(np.arcsin(sine[refracted])), weights[refracted])


def _rays_with_power(arriving: ArrivingLight) -> ArrivingLight:
    return replace(arriving, rows=arriving.rows[arriving.weights > 0])


def _least_inclined_rows(arriving: ArrivingLight) -> Rows:
    lit = _rays_with_power(arriving)
    rows: Rows = lit.rows[lit.incidences.angle <= lit.incidences.angle.min() + ANGULAR_ROUNDING]
    return rows


@ARRIVING.measure(
    Unit.ANGLE,
    "smallest angle of incidence at {object} [of the light from {source}]",
    "What is the smallest angle of incidence at {object}?",
    rays=_least_inclined_rows,
)
def least_incidence(arriving: ArrivingLight) -> float:
    """Smallest angle of incidence of the arriving light."""
    return float(_rays_with_power(arriving).incidences.angle.min())


def _most_inclined_rows(arriving: ArrivingLight) -> Rows:
    lit = _rays_with_power(arriving)
    rows: Rows = lit.rows[lit.incidences.angle >= lit.incidences.angle.max() - ANGULAR_ROUNDING]
    return rows


@ARRIVING.measure(
    Unit.ANGLE,
    "largest angle of incidence at {object} [of the light from {source}]",
    "What is the largest angle of incidence at {object}?",
    rays=_most_inclined_rows,
)
def largest_incidence(arriving: ArrivingLight) -> float:
    """Largest angle of incidence of the arriving light."""
    return float(_rays_with_power(arriving).incidences.angle.max())


def _detector_reading(arriving: ArrivingLight) -> DetectorReading:
    light, index = arriving.light, arriving.index
    detector = light.scene.optical[index]
    assert isinstance(detector, Detector)
    return light.cached_value(
        ("reading", index), lambda: detector_reading(vars(light.result), index, detector)
    )


@ARRIVING.measure(
    Unit.POWER,
    "net power through {detector}",
    "What is the net power through {detector}?",
    parameters=(DETECTOR,),
    signed=True,
)
def signed_power(arriving: ArrivingLight) -> float:
    """The detector's own reading: power along its normal minus power against it."""
    return arriving.light.remove_rounding_noise(_detector_reading(arriving).power, Unit.POWER)


@ARRIVING.measure(
    Unit.POWER,
    "radiation force along the normal of {detector}",
    "What is the radiation pressure on {detector}?",
    "What is the normal force on {detector}?",
    parameters=(DETECTOR,),
    signed=True,
)
def normal_force(arriving: ArrivingLight) -> float:
    """Radiation force along a detector's normal, in units of power over the speed of light."""
    return arriving.light.remove_rounding_noise(_detector_reading(arriving).normal, Unit.POWER)


@ARRIVING.measure(
    Unit.POWER,
    "radiation force along the line of {detector}",
    "What is the shear force on {detector}?",
    parameters=(DETECTOR,),
    signed=True,
)
def shear_force(arriving: ArrivingLight) -> float:
    """Radiation force along a detector's line, in units of power over the speed of light."""
    return arriving.light.remove_rounding_noise(_detector_reading(arriving).shear, Unit.POWER)


APERTURE = Parameter("aperture", Role.APERTURE, noun="aperture")


def _arriving_light_through_opening(
    light: Light, index: int, source: int | None = None
) -> ArrivingLight:
    """The light that passes through the opening of an aperture, in the order of the trace."""
    rows = light.rows_of_source(light.rows_through_opening(index), source)
    return ArrivingLight(light, rows, source, index, light.title(index))


OPENINGS: Family = Family("Openings", (APERTURE, SOURCE), _arriving_light_through_opening)


@OPENINGS.measure(
    Unit.ONE,
    "share of the arriving power [from {source}] that goes through {aperture}",
    "What is the throughput of {aperture}?",
    "How strong is the vignetting at {aperture}?",
    share=True,
)
def throughput(passing: ArrivingLight) -> float:
    """Power that goes through an aperture's opening as a fraction of the power that arrives at the
    opening or at the screen around it.
    """
    light = passing.light
    stopped = ArrivingLight.at_object(light, passing.index, passing.source).arriving_power
    if not passing.power + stopped > 0:
        raise Undefined(
            f"No light{light.source_phrase(passing.source)} arrives at {passing.title}."
        )
    return passing.power / (passing.power + stopped)


@OPENINGS.measure(
    Unit.POWER,
    "power that goes through {aperture} [from {source}]",
    "How much power passes {aperture}?",
)
def passing(passing: ArrivingLight) -> float:
    """Power that goes through the opening of an aperture; light that passes twice counts twice."""
    return passing.power


@OPENINGS.measure(
    Unit.ONE,
    "number of rays that go through {aperture} [from {source}]",
    "How many rays pass {aperture}?",
)
def passing_rays(passing: ArrivingLight) -> float:
    """Number of rays (segments) that go through the opening of an aperture."""
    return passing.count
