"""Measures of the light that arrives at an object, and where along a straight one it does."""

from __future__ import annotations

import math

import numpy as np

from core.analysis.geometry.straight import Floats, Rows
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.rays.incidence import incidences
from core.trace.results.detectors import detector_readings
from core.trace.results.result import DetectorReading

OBJECT = Parameter("object", Role.SURFACE)
LINE = Parameter("line", Role.LINE)
DETECTOR = Parameter("detector", Role.DETECTOR)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def power(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives at an object from outside, positive whatever side it comes from; light that comes twice counts twice."""
    return float(light.result.total_power[light.arriving(index, source)].sum())


def share(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives over power emitted, by all sources or the one named."""
    emitted = light.emitted(source)
    if not emitted > 0:
        raise Undefined("No light is emitted." if source is None else f"{light.title(source)} emits no light.")
    return power(light, index, source) / emitted


def rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays (segments) that arrive at an object from outside."""
    return float(len(light.arriving(index, source)))


def centroid(light: Light, index: int, source: int | None = None) -> float:
    """Mean position, weighted by power, of the light that arrives at a line, measured along it from its first end."""
    place, weight = _places(light, index, source)
    return mean(place, weight)


def rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, of the arriving light from its centroid along the line."""
    place, weight = _places(light, index, source)
    return math.sqrt(mean((place - mean(place, weight)) ** 2, weight))


def width(light: Light, index: int, source: int | None = None) -> float:
    """Full width along the line that holds all arriving power: the distance of the outermost rays."""
    place, weight = _places(light, index, source)
    return float(np.ptp(place[weight > 0]))


def incidence(light: Light, index: int, source: int | None = None) -> float:
    """Mean angle of incidence, weighted by power, of the light that arrives, from the surface's normal."""
    rows, weight = _lit(light, index, source)
    angle = incidences(light.result, light.scene, rows, light.disabled).angle
    return mean(angle, weight)


def signed_power(light: Light, index: int) -> float:
    """A detector's own reading: power along its normal less power against it."""
    return light.without_noise(reading(light, index).power, Unit.POWER)


def normal_force(light: Light, index: int) -> float:
    """Force of light along a detector's normal, in power over the speed of light."""
    return light.without_noise(reading(light, index).normal, Unit.POWER)


def shear_force(light: Light, index: int) -> float:
    """Force of light along a detector's line, in power over the speed of light."""
    return light.without_noise(reading(light, index).shear, Unit.POWER)


def reading(light: Light, index: int) -> DetectorReading:
    """What a detector reads, from the trace or, for rows that were recorded elsewhere, from these."""
    result = light.result
    found = result.detectors or detector_readings(light.scene, result.p1, result.p2, result.power, result.hit, result.status)
    return next(r for r in found if r.index == index)


def _places(light: Light, index: int, source: int | None) -> tuple[Floats, Floats]:
    """Where light arrives along a straight object, from its first end, and with what power, (k,) each."""
    rows, weight = _lit(light, index, source)
    shape = light.edges(index)[0].shape
    length = math.dist(shape.a, shape.b)
    along = (shape.b.x - shape.a.x) / length, (shape.b.y - shape.a.y) / length
    off = light.result.p2[rows] - np.array(shape.a)
    return off[:, 0] * along[0] + off[:, 1] * along[1], weight


def mean(values: Floats, weights: Floats) -> float:
    """The weighted mean. Summed by numpy rather than by BLAS, whose threads cost more than they bring, and whose last digits vary."""
    return float((values * weights).sum() / weights.sum())


def _lit(light: Light, index: int, source: int | None) -> tuple[Rows, Floats]:
    rows = light.arriving(index, source)
    whose = "" if source is None else f" of {light.title(source)}"
    return rows, light.weights(rows, f"light{whose} arrives at {light.title(index)}")


MEASURES = (
    Measure(power, Unit.POWER, (OBJECT, SOURCE)),
    Measure(share, Unit.ONE, (OBJECT, SOURCE)),
    Measure(rays, Unit.ONE, (OBJECT, SOURCE)),
    Measure(centroid, Unit.LENGTH, (LINE, SOURCE)),
    Measure(rms, Unit.LENGTH, (LINE, SOURCE)),
    Measure(width, Unit.LENGTH, (LINE, SOURCE)),
    Measure(incidence, Unit.ANGLE, (OBJECT, SOURCE)),
    Measure(signed_power, Unit.POWER, (DETECTOR,)),
    Measure(normal_force, Unit.POWER, (DETECTOR,)),
    Measure(shear_force, Unit.POWER, (DETECTOR,)),
)
