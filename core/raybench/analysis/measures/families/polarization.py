"""Measures of the polarization of the light that arrives at an object. The Stokes parameters of all
rays are added.
"""

import math
from collections.abc import Sequence

import numpy as np

from raybench.analysis.measures.families.detector import OBJECT
from raybench.analysis.measures.measure import SOURCE, Family, RowsNeeded, Undefined, Unit
from raybench.analysis.measures.selections import ArrivingLight
from raybench.optics.polarization import EPS_DEGREE, polarization_ellipse

POLARIZATION: Family = Family(
    "Polarization", (OBJECT, SOURCE), ArrivingLight.at_object, needs=RowsNeeded.ARRIVING
)


def _stokes_sums(arriving: ArrivingLight) -> tuple[float, float, float, float]:
    """The Stokes parameters S0, S1, S2 and S3 of all arriving light. Raises Undefined if no light
    arrives.
    """
    assert arriving.weights.sum() > 0
    s, p = arriving.light.result.end_power[arriving.rows].sum(axis=0).tolist()
    second, third = arriving.light.result.end_stokes[arriving.rows].sum(axis=0).tolist()
    return s + p, s - p, second, third


def _polarization_ellipse(arriving: ArrivingLight) -> tuple[float, float]:
    """The azimuth and the ellipticity of the arriving light. Raises Undefined if the light is
    unpolarized.
    """
    total, first, second, third = _stokes_sums(arriving)
    if math.hypot(first, second, third) <= EPS_DEGREE * total:
        raise Undefined(f"The light that arrives at {arriving.title} is unpolarized.")
    halves = np.array([[total + first, total - first]]) / (2 * total)
    (azimuth,), (ellipticity,) = polarization_ellipse(halves, np.array([[second, third]]) / total)
    return float(azimuth), float(ellipticity)


@POLARIZATION.measure(
    Unit.ONE,
    "degree of polarization of the light [from {source}] that arrives at {object}",
    "What is the degree of polarization at {object}?",
    "How polarized is the light at {object}?",
)
def degree_of_polarization(arriving: ArrivingLight) -> float:
    """Polarized fraction of the power that arrives at an object: the root of S1² + S2² + S3² over
    S0.
    """
    total, *polarized = _stokes_sums(arriving)
    return min(math.hypot(*polarized) / total, 1.0)


@POLARIZATION.measure(
    Unit.ANGLE,
    "azimuth of the polarization [of the light from {source}] at {object}",
    "What is the azimuth of the polarization at {object}?",
    period=180.0,
)
def azimuth(arriving: ArrivingLight) -> float:
    """Azimuth of the polarization of the light that arrives at an object: 0 perpendicular to the
    drawing (s), 90 in it (p), counter-clockwise looking into the light.
    """
    found = _polarization_ellipse(arriving)[0]
    if math.isnan(found):
        raise Undefined(f"The light that arrives at {arriving.title} is circular.")
    return found


@POLARIZATION.measure(
    Unit.ANGLE,
    "ellipticity of the polarization [of the light from {source}] at {object}",
    "What is the ellipticity of the light at {object}?",
    signed=True,
)
def ellipticity(arriving: ArrivingLight) -> float:
    """Angle whose tangent is the ratio of the axes of the polarization ellipse at an object: 0
    linear, 45 right circular, -45 left circular.
    """
    return _polarization_ellipse(arriving)[1]


def _stokes_parameter(arriving: ArrivingLight, number: int) -> float:
    parameters: Sequence[float] = _stokes_sums(arriving)
    return arriving.light.remove_rounding_noise(parameters[number], Unit.POWER)


@POLARIZATION.measure(
    Unit.POWER,
    "Stokes parameter S1 of the light [from {source}] that arrives at {object}",
    "What is the Stokes parameter S1 at {object}?",
    signed=True,
)
def stokes_1(arriving: ArrivingLight) -> float:
    """Power of s minus power of p in the light that arrives at an object."""
    return _stokes_parameter(arriving, 1)


@POLARIZATION.measure(
    Unit.POWER,
    "Stokes parameter S2 of the light [from {source}] that arrives at {object}",
    "What is the Stokes parameter S2 at {object}?",
    signed=True,
)
def stokes_2(arriving: ArrivingLight) -> float:
    """Power with the azimuth 45 minus power with the azimuth -45 degrees in the light that arrives
    at an object.
    """
    return _stokes_parameter(arriving, 2)


@POLARIZATION.measure(
    Unit.POWER,
    "Stokes parameter S3 of the light [from {source}] that arrives at {object}",
    "What is the Stokes parameter S3 at {object}?",
    signed=True,
)
def stokes_3(arriving: ArrivingLight) -> float:
    """Power of right minus power of left circular light in the light that arrives at an object."""
    return _stokes_parameter(arriving, 3)


@POLARIZATION.measure(
    Unit.ONE,
    "degree of linear polarization of the light [from {source}] that arrives at {object}",
    "What is the degree of linear polarization at {object}?",
)
def degree_of_linear_polarization(arriving: ArrivingLight) -> float:
    """Linearly polarized fraction of the power that arrives at an object: the root of S1² + S2²
    over S0.
    """
    total, first, second, _ = _stokes_sums(arriving)
    return min(math.hypot(first, second) / total, 1.0)


@POLARIZATION.measure(
    Unit.ONE,
    "extinction ratio of the light [from {source}] that arrives at {object}",
    "What is the extinction ratio at {object}?",
)
def extinction_ratio(arriving: ArrivingLight) -> float:
    """Largest over smallest power that an ideal polarizer in front of an object would pass when it
    is turned.
    """
    total, first, second, _ = _stokes_sums(arriving)
    linear = math.hypot(first, second)
    if total - linear <= EPS_DEGREE**2 * total:
        raise Undefined(f"A polarizer could extinguish all light that arrives at {arriving.title}.")
    return (total + linear) / (total - linear)
