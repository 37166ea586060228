"""The size of the spot along the beam that reaches a detector: where its light is sharpest before
or behind it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.rays.bundle import along_beam, best_focus, with_most
from raybench.analysis.rays.detector_light import DetectorLight
from raybench.analysis.rays.incidence import last_pieces
from raybench.kinds.detectors import Detector
from raybench.trace.results.result import TraceResult

POINTS = 201
"""Points of the curve."""
SPAN = 1.5
"""The curve reaches this many times the distance of the best focus, or of the spot's own depth, to
both sides.
"""


@dataclass(frozen=True, eq=False)
class ThroughFocus:
    """The RMS width across the beam ``rms`` (n,) at distances ``along`` (n,) along it from the
    detector, in scene units, positive behind.

    ``best`` is the distance with the smallest width, ``least``: the measures ``defocus`` and
    ``least_rms``.
    """

    along: Floats
    rms: Floats
    best: float
    least: float


def through_focus(
    result: TraceResult, detector: Detector, light: DetectorLight
) -> ThroughFocus | None:
    """The spot of the light at a detector along its beam, with rays continued straight; None for
    less than two rays.

    Light that runs against most of it does not count. Raises NoFocus for rays that form no beam or
    have no focus.
    """
    power = result.total_arriving_power[light.rows]
    if len(light.rows) < 2 or not power.sum() > 0:
        return None
    start, end = last_pieces(result, light.rows)
    kept = with_most(end - start, power)
    focus = best_focus(start[kept], (end - start)[kept], power[kept])
    best, least, spread = along_beam(focus, detector.p1, detector.p2), focus.rms, focus.spread
    reach = SPAN * max(abs(best), least / spread, 1e-3 * math.dist(detector.p1, detector.p2))
    z = np.unique(np.append(np.linspace(-reach, reach, POINTS), [0.0, best]))
    return ThroughFocus(z, np.hypot(least, spread * (z - best)), best, least)
