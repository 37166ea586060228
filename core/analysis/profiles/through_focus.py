"""The size of the spot along the axis of a detector: where its light would be sharpest if the detector stood elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.straight import Floats
from core.analysis.rays.detector_light import DetectorLight
from core.analysis.rays.incidence import last_pieces
from core.kinds.detectors import Detector
from core.trace.results.result import TraceResult

STEEPEST = math.sin(math.radians(1.0))
"""Rays closer than 1° to the detector's plane are left out: they do not reach a plane beside it."""
POINTS = 201
"""Points of the curve."""
SPAN = 1.5
"""The curve reaches this many times the distance of the best focus, or of the spot's own depth, to both sides."""


@dataclass(frozen=True, eq=False)
class ThroughFocus:
    """The RMS width ``rms`` (n,) of the spot at distances ``along`` (n,) from the detector, in scene units, positive
    the way most light goes.

    ``best`` is the distance with the smallest width, ``least``.
    """

    along: Floats
    rms: Floats
    best: float
    least: float


def through_focus(result: TraceResult, detector: Detector, light: DetectorLight) -> ThroughFocus | None:
    """The spot of the light at a detector along its axis, with rays continued straight; None for less than two rays."""
    start, end = last_pieces(result, light.rows)
    along = np.array([detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y], float)
    length = float(np.hypot(*along))
    if length == 0 or not len(light.rows):
        return None
    along /= length
    way = np.array(light.normal) * (1.0 if light.signed >= 0 else -1.0)
    d = end - start
    d = d / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-300)[:, None]
    used = np.abs(d @ way) > STEEPEST
    power = result.total_arriving_power[light.rows][used]
    if used.sum() < 2 or not power.sum() > 0:
        return None
    place, slope = (end[used] - np.array(detector.p1)) @ along, (d[used] @ along) / (d[used] @ way)
    weight = power / power.sum()
    place, slope = place - weight @ place, slope - weight @ slope
    a, b, c = weight @ slope**2, weight @ (place * slope), weight @ place**2
    best = float(-b / a) if a > 1e-24 else 0.0
    reach = SPAN * max(abs(best), math.sqrt(c / a) if a > 1e-24 else length, 1e-3 * length)
    z = np.linspace(-reach, reach, POINTS)
    z = np.unique(np.append(z, [0.0, best]))
    rms = np.sqrt(np.maximum(a * z**2 + 2 * b * z + c, 0.0))
    return ThroughFocus(z, rms, best, math.sqrt(max(a * best**2 + 2 * b * best + c, 0.0)))
