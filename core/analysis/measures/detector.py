"""Measures of the light that arrives at an object, and of its distribution along a straight one."""

from __future__ import annotations

import math

import numpy as np

from core.analysis.geometry.straight import Floats, Rows, cross
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.rays.bundle import Focus, best_focus
from core.analysis.rays.incidence import incidences, last_pieces
from core.trace.results.detectors import detector_readings
from core.trace.results.result import DetectorReading

OBJECT = Parameter("object", Role.SURFACE)
LINE = Parameter("line", Role.LINE)
DETECTOR = Parameter("detector", Role.DETECTOR)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def power(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives at an object from outside, positive from either side; light that arrives twice counts twice."""
    return float(light.result.total_power[light.arriving(index, source)].sum())


def share(light: Light, index: int, source: int | None = None) -> float:
    """Arriving power as a fraction of the power emitted by all sources or by the given one."""
    emitted = light.emitted(source)
    if not emitted > 0:
        raise Undefined("No light is emitted." if source is None else f"{light.title(source)} emits no light.")
    return power(light, index, source) / emitted


def rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays (segments) that arrive at an object from outside."""
    return float(len(light.arriving(index, source)))


def centroid(light: Light, index: int, source: int | None = None) -> float:
    """Mean position, weighted by power, of the light that arrives at a line, measured along it from its first end."""
    position, weight = _positions(light, index, source)
    return mean(position, weight)


def rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, of the arriving light from its centroid along the line."""
    position, weight = _positions(light, index, source)
    return math.sqrt(mean((position - mean(position, weight)) ** 2, weight))


def width(light: Light, index: int, source: int | None = None) -> float:
    """Full width along the line that contains all arriving power: the distance between the outermost rays."""
    position, weight = _positions(light, index, source)
    return float(np.ptp(position[weight > 0]))


def incidence(light: Light, index: int, source: int | None = None) -> float:
    """Mean angle of incidence, weighted by power, of the arriving light."""
    rows, weight = _arriving(light, index, source)
    angle = incidences(light.result, light.scene, rows, light.disabled).angle
    return mean(angle, weight)


def defocus(light: Light, index: int, source: int | None = None) -> float:
    """Distance along the beam from a line to where the arriving light would have its least RMS width, negative before the line."""
    rows, _ = _arriving(light, index, source)
    best = best_at(light, rows)
    shape = light.edges(index)[0].shape
    off, along = np.array(best.point) - np.array(shape.a), np.array(shape.b) - np.array(shape.a)
    turn = float(cross(along, np.array(best.axis)))
    if abs(turn) <= 1e-9 * float(np.hypot(*along)):
        raise Undefined("The light runs along the line.")
    return float(cross(along, off)) / turn


def least_rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, from the middle of the arriving light, where that is least along the beam."""
    return best_at(light, _arriving(light, index, source)[0]).rms


def least_x(light: Light, index: int, source: int | None = None) -> float:
    """The x coordinate of the point along the beam where the light that arrives at a line has its least RMS width."""
    return best_at(light, _arriving(light, index, source)[0]).point.x


def least_y(light: Light, index: int, source: int | None = None) -> float:
    """The y coordinate, downwards, of the point along the beam where the light that arrives at a line has its least RMS width."""
    return best_at(light, _arriving(light, index, source)[0]).point.y


def best_at(light: Light, rows: Rows) -> Focus:
    """The best focus of the light that arrives in some segments, weighted by power. Raises NoFocus."""
    p1, p2 = last_pieces(light.result, rows)
    return best_focus(p1, p2 - p1, light.result.total_power[rows])


def signed_power(light: Light, index: int) -> float:
    """The detector's own reading: power along its normal minus power against it."""
    return light.without_noise(reading(light, index).power, Unit.POWER)


def normal_force(light: Light, index: int) -> float:
    """Radiation force along a detector's normal, in units of power over the speed of light."""
    return light.without_noise(reading(light, index).normal, Unit.POWER)


def shear_force(light: Light, index: int) -> float:
    """Radiation force along a detector's line, in units of power over the speed of light."""
    return light.without_noise(reading(light, index).shear, Unit.POWER)


def reading(light: Light, index: int) -> DetectorReading:
    """The reading of a detector, from the trace or, for segments of external origin, computed from these."""
    result = light.result
    readings = result.detectors or detector_readings(light.scene, result.p1, result.p2, result.power, result.hit, result.status)
    return next(r for r in readings if r.index == index)


def _positions(light: Light, index: int, source: int | None) -> tuple[Floats, Floats]:
    """The positions of the arriving rays along a straight object, from its first end, and their powers, (k,) each."""
    rows, weight = _arriving(light, index, source)
    shape = light.edges(index)[0].shape
    length = math.dist(shape.a, shape.b)
    along = (shape.b.x - shape.a.x) / length, (shape.b.y - shape.a.y) / length
    off = light.result.p2[rows] - np.array(shape.a)
    return off[:, 0] * along[0] + off[:, 1] * along[1], weight


def mean(values: Floats, weights: Floats) -> float:
    """The weighted mean, summed by numpy and not by BLAS, whose threads are slower here and whose rounding is not reproducible."""
    return float((values * weights).sum() / weights.sum())


def _arriving(light: Light, index: int, source: int | None) -> tuple[Rows, Floats]:
    """The arriving rows and their powers, (k,) each. Raises Undefined if there is no arriving power."""
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
    Measure(defocus, Unit.LENGTH, (LINE, SOURCE)),
    Measure(least_rms, Unit.LENGTH, (LINE, SOURCE)),
    Measure(least_x, Unit.LENGTH, (LINE, SOURCE)),
    Measure(least_y, Unit.LENGTH, (LINE, SOURCE)),
    Measure(signed_power, Unit.POWER, (DETECTOR,)),
    Measure(normal_force, Unit.POWER, (DETECTOR,)),
    Measure(shear_force, Unit.POWER, (DETECTOR,)),
)
