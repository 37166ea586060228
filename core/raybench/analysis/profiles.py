"""Data for plots: the power that flows from sources to objects, and the width of a beam along its
direction.
"""

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.measures.light import Light
from raybench.analysis.paths.principal import light_by_path
from raybench.analysis.rays.bundle import best_focus, distance_along_beam
from raybench.analysis.rays.detector_light import DetectorLight
from raybench.analysis.rays.energy import power_absorbed_by_object
from raybench.errors import elide_text
from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Source
from raybench.scene import RELATIVE
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces

ENDINGS = {
    Status.ESCAPED: "escapes",
    Status.DEPTH: "depth limit",
    Status.ILL_DEFINED: "corners",
    Status.ALIVE: "still travelling",
}
"""Ways to end that belong to no object."""
NOT_FOLLOWED = "not followed, net"
"""Rays too weak to follow, less the power added where one weak reflection is traced in place of
several.
"""
SMALLEST_SHARE = 1e-6
"""Share of the total power below which a flow is omitted."""


@dataclass(frozen=True, eq=False)
class PowerFlow:
    """The power (sources, ends) that flows from each of the ``sources`` to each of the ``ends``, in
    ``power_unit``.

    Light that a body absorbs on its way counts as ending at the body. The last end, `NOT_FOLLOWED`,
    holds emitted power that ends nowhere else.
    """

    sources: tuple[str, ...]
    ends: tuple[str, ...]
    power: Floats
    wavelengths: Floats
    """Of each source in nm; NaN for light of several or none, (sources,)."""
    power_unit: str = RELATIVE

    def rows(self) -> list[tuple[str, str, float, float]]:
        """All flows as tuples: source, end, power, and power as a fraction of the source's power;
        for each source in order of decreasing power.
        """
        found = []
        for source, powers in zip(self.sources, self.power.tolist(), strict=True):
            ends = sorted(zip(self.ends, powers, strict=True), key=lambda pair: -pair[1])
            found += [(source, end, power, power / sum(powers)) for end, power in ends if power > 0]
        return found


def power_flow(light: Light) -> PowerFlow:
    result, objects = light.result, light.scene.optical
    sources = [
        i for i, o in enumerate(objects) if isinstance(o, Source) and (result.source == i).any()
    ]
    names = [elide_text(o.title) for o in objects]
    ends: dict[int | str, Floats] = {}  # by the index of an object, or by what else happened

    def add_flow(end: int | str, rows: Mask | Rows, power: Floats) -> None:
        of_source = np.bincount(result.source[rows] + 1, power, minlength=len(objects) + 1)
        ends[end] = ends.get(end, 0.0) + of_source[np.array(sources, int) + 1]

    arriving, absorbed = result.total_arriving_power, result.status == Status.ABSORBED
    for index in np.unique(result.hit[absorbed]).tolist():
        there = absorbed & (result.hit == index)
        add_flow(index if index >= 0 else "absorbed", there, arriving[there])
    for index in range(len(objects)):
        rows, lost = power_absorbed_by_object(
            result, light.scene, index, light.disabled, light.length_unit
        )
        if len(rows):
            add_flow(index, rows, lost)
    for status, words in ENDINGS.items():
        ended = result.status == status
        add_flow(words, ended, arriving[ended])
    emitted = np.array([light.emitted(i) for i in sources])
    ends[NOT_FOLLOWED] = np.maximum(emitted - sum(ends.values(), np.zeros(len(sources))), 0.0)
    least = SMALLEST_SHARE * max(float(emitted.sum()), 1e-300)
    shown = {
        end: np.where(power > least, power, 0.0)
        for end, power in ends.items()
        if power.sum() > least
    }
    order = sorted(shown, key=lambda end: (end == NOT_FOLLOWED, -float(shown[end].sum())))
    return PowerFlow(
        tuple(names[i] for i in sources),
        tuple(end if isinstance(end, str) else names[end] for end in order),
        np.array([shown[end] for end in order]).reshape(len(order), len(sources)).T,
        np.array([_sole_wavelength(result, source) for source in sources]),
        light.power_unit,
    )


def _sole_wavelength(result: TraceResult, source: int) -> float:
    wavelengths = result.wavelength[result.source == source]
    return float(wavelengths[0]) if (wavelengths == wavelengths[0]).all() else math.nan


POINTS = 201
"""Points of the curve."""
SPAN = 1.5
"""The curve reaches this many times the distance of the best focus, or of the spot's own depth, to
both sides.
"""


@dataclass(frozen=True, eq=False)
class ThroughFocusCurve:
    """The RMS width of a beam as a function of the distance from a detector, measured along the
    beam in scene units, positive behind the detector.

    ``along`` (n,): distances to plot. ``best``: the distance of the smallest width, and ``least``:
    that width (the measures ``defocus`` and ``least_rms``). Far from there the width grows by
    ``spread`` per distance.
    """

    along: Floats
    best: float
    least: float
    spread: float

    def rms(self, along: Floats) -> Floats:
        """The RMS width (n,) at distances (n,)."""
        width: Floats = np.hypot(self.least, self.spread * (along - self.best))
        return width


def rms_through_focus(
    result: TraceResult, detector: Detector, detector_light: DetectorLight
) -> ThroughFocusCurve | None:
    """The RMS width of the light at a detector as a function of the distance along the beam. Rays
    on the principal path are extended as straight lines. None for less than two rays. Raises
    NoFocus if the rays form no beam or have no focus.
    """
    arriving = result.total_arriving_power
    rows = light_by_path(result, detector_light.rows, arriving[detector_light.rows]).principal_rows
    if len(rows) < 2 or not arriving[rows].sum() > 0:
        return None
    start, end = last_straight_pieces(result, rows)
    focus = best_focus(start, end - start, arriving[rows])
    best, least, spread = (
        distance_along_beam(focus, detector.p1, detector.p2),
        focus.rms,
        focus.spread,
    )
    reach = SPAN * max(abs(best), least / spread, 1e-3 * math.dist(detector.p1, detector.p2))
    z = np.unique(np.append(np.linspace(-reach, reach, POINTS), [0.0, best]))
    return ThroughFocusCurve(z, best, least, spread)
