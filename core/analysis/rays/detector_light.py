"""The light at a detector: its spectrum, the angles it comes from, and the irradiance along it with an estimate of its error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.geometry.straight import Floats
from core.errors import RaybenchError, short_repr
from core.kinds.detectors import Detector
from core.trace.codes import Status
from core.trace.results.result import TraceResult

ANGLE_BIN = 10.0
"""The width of a bin of the angular histogram, degrees."""


class InvalidBins(RaybenchError):
    """A detector cannot be divided like this."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Signed power in bins: ``edges`` (n + 1,), ``power`` (n,), ``error`` (n,), and the number of ``rays`` (n,)."""

    edges: Floats
    power: Floats
    error: Floats
    rays: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DetectorLight:
    """What meets a detector. ``power`` is signed: light in the direction of ``normal`` counts positive.

    Errors are standard errors as of rays drawn at random, the root of the sum of the squares of their powers (counting statistics); for
    rays that a source spaces evenly they are upper bounds. ``wavelengths`` (k,) in nm, NaN for light without one, and their
    ``spectrum`` (k,); ``angles`` in degrees from the normal, counter-clockwise as seen, -180 to 180; ``irradiance`` is power per length
    along the detector from its first end.
    """

    rows: NDArray[np.int64]
    power: float
    error: float
    normal: tuple[float, float]
    wavelengths: Floats
    spectrum: Floats
    spectrum_rays: NDArray[np.int64]
    angles: Histogram
    irradiance: Histogram


def light_at(result: TraceResult, index: int, detector: Detector, bins: int = 0) -> DetectorLight:
    """The light at a detector, which is the optical object ``index``.

    Irradiance is told in ``bins`` equal bins; 0 means the detector's own bins where it maps irradiance, else 20.
    """
    if isinstance(bins, bool) or not isinstance(bins, int) or not 0 <= bins <= 10_000:
        raise InvalidBins(f"bins is {short_repr(bins)}; give a whole number from 1 to 10000, or 0 for the detector's own bins.")
    ux, uy = detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y
    length = math.hypot(ux, uy)
    ux, uy = (ux / length, uy / length) if length > 0 else (0.0, 0.0)  # nothing meets one without length
    normal = (uy + 0.0, -ux + 0.0)
    rows = np.flatnonzero((result.hit == index) & (result.status != Status.DEPTH))
    start, end = _arrivals(result, rows)
    d = end - start
    across, along = d @ np.array(normal), d @ np.array([ux, uy])
    power = np.sign(across) * result.total_power[rows]
    place = (end - np.array(detector.p1)) @ np.array([ux, uy])
    if length == 0:
        edges = np.zeros(1)
    elif bins == 0 and detector.irrad_map and detector.bin_size > 0:
        count = max(1, math.ceil(length / detector.bin_size))
        edges = np.minimum(np.arange(count + 1) * detector.bin_size, length)
    else:
        edges = np.linspace(0, length, (bins or 20) + 1)
    # the detector runs clockwise of its normal as seen, so light that leans towards its second end has a negative angle; without the
    # noise of rounding, which would choose the bin of light that comes along the normal
    angles = np.round(np.degrees(np.arctan2(-along, across)), 9)
    nm = result.wavelength[rows].astype(float)
    lines, which = np.unique(nm, return_inverse=True)
    return DetectorLight(
        rows=rows,
        power=float(power.sum()),
        error=float(np.sqrt((power**2).sum())),
        normal=normal,
        wavelengths=lines,
        spectrum=np.bincount(which, power, minlength=len(lines)).astype(float),
        spectrum_rays=np.bincount(which, minlength=len(lines)),
        angles=_histogram(angles, power, np.arange(-180.0, 180.1, ANGLE_BIN)),
        irradiance=_per_length(_histogram(np.clip(place, 0, length), power, edges)),
    )


def _arrivals(result: TraceResult, rows: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Starts and ends of the last straight pieces of rows."""
    if not len(result.polyline):
        return result.p1[rows], result.p2[rows]
    p1, p2, owner = result.straight_pieces
    last = np.searchsorted(owner, rows, side="right") - 1
    return p1[last], p2[last]


def _histogram(values: Floats, power: Floats, edges: Floats) -> Histogram:
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    n = len(edges) - 1
    squares = np.bincount(place, power**2, minlength=n)
    return Histogram(edges, np.bincount(place, power, minlength=n).astype(float), np.sqrt(squares), np.bincount(place, minlength=n))


def _per_length(h: Histogram) -> Histogram:
    width = np.diff(h.edges)
    return Histogram(h.edges, h.power / width, h.error / width, h.rays)
