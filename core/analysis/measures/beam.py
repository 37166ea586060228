"""Measures of the light that leaves an object: direction, divergence, width and deviation of its strongest bundle."""

from __future__ import annotations

import math

import numpy as np

from core.analysis.geometry.straight import Floats, cross
from core.analysis.measures.detector import mean
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.rays.incidence import first_pieces
from core.analysis.rays.leaving_light import LeavingBundle

OBJECT = Parameter("object", Role.OBJECT)
THROUGH = Parameter("object", Role.SURFACE)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def direction(light: Light, index: int, source: int | None = None) -> float:
    """Direction of the strongest bundle that leaves an object, in (-180, 180], 0 to the right, counter-clockwise on screen."""
    bundle = light.strongest(index, source)
    x, y = mean_direction(light.leaving_directions(bundle), _weights(light, bundle))
    return as_seen(x, y)


def divergence(light: Light, index: int, source: int | None = None) -> float:
    """Full angle between the outermost rays of the strongest bundle that leaves an object, positive also if it converges."""
    bundle = _several(light, index, source)
    d = light.leaving_directions(bundle)
    axis = np.array(mean_direction(d, _weights(light, bundle)))
    return float(np.ptp(np.degrees(np.arctan2(cross(axis[None], d), d @ axis))))


def deviation(light: Light, index: int, source: int | None = None) -> float:
    """Angle from the direction of the arriving light to that of the strongest transmitted bundle, counter-clockwise on screen."""
    bundle = light.strongest(index, source, transmitted=True)
    weights = _weights(light, bundle)
    ax, ay = mean_direction(light.arriving_directions(bundle), weights)
    bx, by = mean_direction(light.leaving_directions(bundle), weights)
    return as_seen(ax * bx + ay * by, ax * by - ay * bx)


def beam_power(light: Light, index: int, source: int | None = None) -> float:
    """Power of the strongest bundle that leaves an object."""
    return light.strongest(index, source).power


def beam_rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays in the strongest bundle that leaves an object."""
    return float(len(light.strongest(index, source).rows))


def beam_width(light: Light, index: int, source: int | None = None) -> float:
    """Full width, perpendicular to its mean direction, of the strongest bundle where it leaves an object."""
    bundle = _several(light, index, source)
    axis = np.array(mean_direction(light.leaving_directions(bundle), _weights(light, bundle)))
    return float(np.ptp(cross(axis[None], first_pieces(light.result, bundle.rows)[0])))


def mean_direction(d: Floats, weights: Floats) -> tuple[float, float]:
    """The unit direction of the weighted mean of unit directions (n, 2). Raises Undefined if they cancel out."""
    x, y = mean(d[:, 0], weights), mean(d[:, 1], weights)
    if (norm := math.hypot(x, y)) < 1e-6:
        raise Undefined("The rays run in all directions and have no mean direction.")
    return x / norm, y / norm


def as_seen(x: float, y: float) -> float:
    """The angle of a direction (y down) in degrees, in (-180, 180], 0 to the right, counter-clockwise on screen."""
    angle = math.degrees(math.atan2(-y, x))
    return angle if angle > -180.0 else 180.0


def _weights(light: Light, bundle: LeavingBundle) -> Floats:
    return light.weights(bundle.rows, "light")


def _several(light: Light, index: int, source: int | None) -> LeavingBundle:
    bundle = light.strongest(index, source)
    if len(bundle.rows) < 2:
        raise Undefined(f"The strongest bundle that leaves {light.title(index)} is a single ray. Use a source with more rays.")
    return bundle


MEASURES = (
    Measure(direction, Unit.ANGLE, (OBJECT, SOURCE)),
    Measure(divergence, Unit.ANGLE, (OBJECT, SOURCE)),
    Measure(deviation, Unit.ANGLE, (THROUGH, SOURCE)),
    Measure(beam_power, Unit.POWER, (OBJECT, SOURCE)),
    Measure(beam_rays, Unit.ONE, (OBJECT, SOURCE)),
    Measure(beam_width, Unit.LENGTH, (OBJECT, SOURCE)),
)
