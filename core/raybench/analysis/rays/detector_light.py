"""The light at a detector: spectrum, angles of incidence, and the irradiance along the detector
with standard errors.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Floats
from raybench.arrays import Booleans
from raybench.errors import RaybenchError, short_repr
from raybench.kinds.detectors import Detector
from raybench.trace.results.detectors import detector_crossings
from raybench.trace.results.result import TraceResult

ANGLE_BIN = 10.0
"""Bin width of the angular histogram, degrees."""
ON_BORDER = 1e-12
"""Distance within which a place counts as on the border of two bins, relative to the detector's
length.
"""


class InvalidBins(RaybenchError):
    """The number of bins is invalid."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """The power received in bins: ``edges`` (n + 1,), ``power`` (n,), ``signed`` power (n,), the
    standard ``error`` (n,) of both, and the number of ``rays`` (n,).
    """

    edges: Floats
    power: Floats
    signed: Floats
    error: Floats
    rays: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DetectorLight:
    """The light that arrives at a detector with the segments ``rows``.

    ``power``: positive from either side. ``signed``: positive for light along ``normal``, negative
    for light against it, including light that an object under the detector sends back.
    ``wavelengths`` (k,): in nm, NaN for light without a wavelength. ``spectrum`` (k,): power of
    each wavelength; ``signed_spectrum`` (k,) with sign. ``position`` (n,): distance of each ray
    from the first end of the detector. ``angle`` (n,): angle of each ray to the normal in degrees,
    -180 to 180, counter-clockwise on screen; ``angles``: their histogram. ``irradiance``: power per
    length along the detector.

    Errors are standard errors for random rays (root of the sum of squared powers), and upper bounds
    for evenly spaced rays.
    """

    detector: Detector
    rows: NDArray[np.int64]
    power: float
    signed: float
    error: float
    normal: tuple[float, float]
    wavelengths: Floats
    spectrum: Floats
    signed_spectrum: Floats
    spectrum_rays: NDArray[np.int64]
    position: Floats
    angle: Floats
    angles: Histogram
    irradiance: Histogram


def light_at_detector(
    result: TraceResult, index: int, detector: Detector, bins: int = 0
) -> DetectorLight:
    """The light that arrives at a detector. ``index`` is its index among the optical objects.
    ``bins`` is the number of equal bins of the irradiance; 0 selects the bins of the detector's
    irradiance map or, without a map, 20. Raises InvalidBins.
    """
    if isinstance(bins, bool) or not isinstance(bins, int) or not 0 <= bins <= 10_000:
        raise InvalidBins(
            f"bins is {short_repr(bins)}; give a whole number from 1 to 10000, or 0 for the"
            " detector's own bins."
        )
    ux, uy = detector.p2.x - detector.p1.x, detector.p2.y - detector.p1.y
    length = math.hypot(ux, uy)
    ux, uy = (
        (ux / length, uy / length) if length > 0 else (0.0, 0.0)
    )  # no ray meets a detector of zero length
    normal = (uy + 0.0, -ux + 0.0)
    light = detector_crossings(vars(result), index, detector)
    d, arrives = light.end - light.start, ~light.sent_back
    across, along = d @ np.array(normal), d @ np.array([ux, uy])
    power, signed = np.where(arrives, light.power, 0.0), np.sign(across) * light.power
    position = (light.at - np.array(detector.p1)) @ np.array([ux, uy])
    # on screen the detector's direction is clockwise from its normal, so light inclined towards its
    # second end has a negative angle; rounded, so that rounding errors do not decide the bin of
    # light along the normal
    angles = np.round(np.degrees(np.arctan2(-along, across)), 9)
    nm = result.wavelength[light.rows].astype(float)
    lines, which = np.unique(nm, return_inverse=True)
    return DetectorLight(
        detector=detector,
        rows=light.rows[arrives],
        power=float(power.sum()),
        signed=float(signed.sum()),
        error=float(np.sqrt((power**2).sum())),
        normal=normal,
        wavelengths=lines,
        spectrum=np.bincount(which, power, minlength=len(lines)).astype(float),
        signed_spectrum=np.bincount(which, signed, minlength=len(lines)).astype(float),
        spectrum_rays=np.bincount(which[arrives], minlength=len(lines)),
        position=position[arrives],
        angle=angles[arrives],
        angles=histogram(angles, power, signed, np.arange(-180.0, 180.1, ANGLE_BIN), arrives),
        irradiance=irradiance_along(detector, position, power, signed, bins, arrives),
    )


def irradiance_along(
    detector: Detector,
    position: Floats,
    power: Floats,
    signed: Floats,
    bins: int = 0,
    arrives: Booleans | None = None,
) -> Histogram:
    """The irradiance along a detector, for light at the distances ``position`` (n,) from its first
    end. ``bins`` is as for `light_at_detector`, ``arrives`` as for `histogram`.
    """
    length = math.dist(detector.p1, detector.p2)
    if length == 0:
        edges = np.zeros(1)
    elif bins == 0 and detector.map_bin_count:
        edges = np.minimum(np.arange(detector.map_bin_count + 1) * detector.bin_size, length)
    else:
        edges = np.linspace(0, length, (bins or 20) + 1)
    # a place that rounding puts just before the border of two bins counts as on it, as those just
    # after it do
    return _power_per_length(
        histogram(np.clip(position + ON_BORDER * length, 0, length), power, signed, edges, arrives)
    )


def histogram(
    values: Floats,
    power: Floats,
    signed: Floats,
    edges: Floats,
    arrives: Booleans | None = None,
) -> Histogram:
    """Sum the ``power`` (n,) and the ``signed`` power (n,) of rays in bins by their ``values``
    (n,), which lie within ``edges`` (k + 1,). ``arrives`` (n,) masks the rays to count, by default
    all.
    """
    bin_index = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    n = len(edges) - 1
    squares = np.bincount(bin_index, power**2, minlength=n)
    totals = [np.bincount(bin_index, p, minlength=n).astype(float) for p in (power, signed)]
    rays = np.bincount(bin_index if arrives is None else bin_index[arrives], minlength=n)
    return Histogram(edges, totals[0], totals[1], np.sqrt(squares), rays)


def _power_per_length(histogram: Histogram) -> Histogram:
    width = np.diff(histogram.edges)
    return Histogram(
        histogram.edges,
        histogram.power / width,
        histogram.signed / width,
        histogram.error / width,
        histogram.rays,
    )
