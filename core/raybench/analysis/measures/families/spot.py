"""Measures of the light on a straight object: the spot, the place where the spot would be smallest,
and the irradiance, which is the power in each bin of a detector over the length of the bin.
"""

import math
from dataclasses import replace

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.measures.families.detector import DETECTOR
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    ORDER,
    SOURCE,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
)
from raybench.analysis.measures.selections import ArrivingLight
from raybench.analysis.rays.bundle import (
    Focus,
    best_focus,
    distance_along_beam,
    rays_in_main_direction,
)
from raybench.analysis.rays.detector_light import irradiance_along
from raybench.kinds.detectors import Detector
from raybench.trace.results.straight_pieces import last_straight_pieces

LINE = Parameter("line", Role.LINE, noun="screen")
SPOT: Family = Family(
    "Spot", (LINE, SOURCE), ArrivingLight.at_object, by_path=True, needs=RowsNeeded.ARRIVING
)


@SPOT.measure(
    Unit.LENGTH,
    "distance of the centroid of the light [from {source}] on {line} from its first end",
    "Where is the centroid of the light on {line} [centre spot]?",
    "Where does the light reach {line}?",
    "What is the position of the spot on {line}?",
)
def centroid(arriving: ArrivingLight) -> float:
    """Mean position, weighted by power, of the light that arrives at a line, measured along it from
    its first end.
    """
    return arriving.mean(arriving.positions)


@SPOT.measure(
    Unit.LENGTH,
    "x coordinate of the centroid of the light [from {source}] on {line}",
    "What is the x coordinate of the spot on {line}?",
)
def centroid_x(arriving: ArrivingLight) -> float:
    """The x coordinate of the mean point, weighted by power, of the light that arrives at a
    line.
    """
    return arriving.mean(last_straight_pieces(arriving.light.result, arriving.rows)[1][:, 0])


@SPOT.measure(
    Unit.LENGTH,
    "y coordinate of the centroid of the light [from {source}] on {line}",
    "What is the y coordinate of the spot on {line}?",
    senses=("y runs downwards",) * 2,
)
def centroid_y(arriving: ArrivingLight) -> float:
    """The y coordinate, downwards, of the mean point, weighted by power, of the light that arrives
    at a line.
    """
    return arriving.mean(last_straight_pieces(arriving.light.result, arriving.rows)[1][:, 1])


@SPOT.measure(
    Unit.LENGTH,
    "RMS radius of the light [from {source}] on {line}",
    "What is the RMS radius of the spot on {line}?",
    "What is the RMS [radius size width spot] on {line}?",
)
def rms(arriving: ArrivingLight) -> float:
    """Root mean square distance, weighted by power, of the arriving light from its centroid along
    the line.
    """
    _require_several_rays(arriving)
    return math.sqrt(arriving.mean((arriving.positions - centroid(arriving)) ** 2))


def _require_several_rays(arriving: ArrivingLight) -> None:
    """Raise Undefined if only a single ray arrives, which forms no spot."""
    lit = int(np.count_nonzero(arriving.weights > 0))
    if lit > 1:
        return
    others = len(arriving.light.arriving_rows(arriving.index, arriving.source)) > lit
    path = " on its strongest path" * others
    remedy = ", or give all as the last argument, for all light" * others
    raise Undefined(
        f"The light{path} at {arriving.title} is a single ray, which has no width. Use a higher ray"
        f" density or a source with more rays{remedy}."
    )


def _light_of_two_sources(
    light: Light, index: int, source: int, other: int, order: int | None = None
) -> tuple[ArrivingLight, ArrivingLight]:
    one, two = (ArrivingLight.at_object(light, index, s) for s in (source, other))
    return _light_in_order(one, order), _light_in_order(two, order)


def _light_in_order(arriving: ArrivingLight, order: int | None) -> ArrivingLight:
    """The part of the light that left the last grating in a diffraction order; all light if
    ``order`` is None.
    """
    if order is None:
        return arriving
    rows = arriving.rows
    return replace(arriving, rows=rows[arriving.light.result.order[rows] == order])


@SPOT.measure(
    Unit.LENGTH,
    "distance between the spots of {source} and {other} on {line}",
    "How far apart are the spots of {source} and {other} on {line} [separate distance lines colors]?",
    "How far apart are {source} and {other} on {line} [images]?",
    parameters=(LINE, Parameter("source", Role.SOURCE), Parameter("other", Role.SOURCE)),
    select=_light_of_two_sources,
    rays=lambda both: np.concatenate([arriving.rows for arriving in both]),
)
def separation(both: tuple[ArrivingLight, ArrivingLight]) -> float:
    """Distance along a line between the centroids of the light of two sources."""
    one, other = both
    return abs(centroid(other) - centroid(one))


@SPOT.measure(
    Unit.DISPERSION,
    "linear dispersion between {source} and {other} on {line}",
    "What is the linear dispersion of {source} and {other} on {line}?",
    parameters=(LINE, Parameter("source", Role.SOURCE), Parameter("other", Role.SOURCE), ORDER),
    select=_light_of_two_sources,
    rays=lambda both: np.concatenate([arriving.rows for arriving in both]),
)
def linear_dispersion(both: tuple[ArrivingLight, ArrivingLight]) -> float:
    """Linear dispersion along a line: the distance between the centroids of the light of two
    sources, in one order of a grating, over the difference of their wavelengths.
    """
    one, two = (arriving.mean(arriving.light.result.wavelength[arriving.rows]) for arriving in both)
    if not abs(one - two) > 0:
        raise Undefined(
            f"The light of both sources at {both[0].title} has one wavelength, or none. Give them"
            " different ones, in a scene with colours."
        )
    return separation(both) / abs(one - two)


@SPOT.measure(
    Unit.LENGTH,
    "full width of the light [from {source}] on {line}",
    "How wide is the light on {line}?",
    "What is the diameter of the spot on {line}?",
)
def width(arriving: ArrivingLight) -> float:
    """Full width of the arriving light along the line: the distance between the outermost rays, or
    the rim rays of the source where they arrive on the same path.
    """
    _require_several_rays(arriving)
    lit = arriving.positions[arriving.weights > 0]
    return float(np.ptp(np.concatenate([lit, arriving.rim_positions])))


@SPOT.measure(
    Unit.LENGTH,
    "distance from {line} to the best focus [of the light from {source}] along the beam",
    "How far is {line} out of focus?",
    "What is the defocus of {line}?",
    senses=("behind it", "before it"),
    signed=True,
)
def defocus(arriving: ArrivingLight) -> float:
    """Distance along the beam from a line to where the arriving light would have its least RMS
    width, negative before the line.
    """
    best = best_focus_of_light(arriving)
    return distance_along_beam(best, arriving.shape.a, arriving.shape.b)


@SPOT.measure(
    Unit.LENGTH,
    "least RMS radius [of the light from {source}] near {line}",
    "What is the smallest RMS radius near {line}?",
)
def least_rms(arriving: ArrivingLight) -> float:
    """Smallest root mean square distance, anywhere along the beam, of the arriving light from its
    middle, weighted by power.
    """
    return best_focus_of_light(arriving).rms


@SPOT.measure(
    Unit.LENGTH,
    "x coordinate of the least spot [of the light from {source}] near {line}",
    "What is the x coordinate of the smallest spot near {line}?",
)
def least_x(arriving: ArrivingLight) -> float:
    """The x coordinate of the point along the beam where the light that arrives at a line has its
    least RMS width.
    """
    return best_focus_of_light(arriving).point.x


@SPOT.measure(
    Unit.LENGTH,
    "y coordinate of the least spot [of the light from {source}] near {line}",
    "What is the y coordinate of the smallest spot near {line}?",
    senses=("y runs downwards",) * 2,
)
def least_y(arriving: ArrivingLight) -> float:
    """The y coordinate, downwards, of the point along the beam where the light that arrives at a
    line has its least RMS width.
    """
    return best_focus_of_light(arriving).point.y


def best_focus_of_light(arriving: ArrivingLight, *, each_source: bool = False) -> Focus:
    """The best focus of the light that arrives at an object, weighted by power, without light that
    runs against the rest. With ``each_source`` the spots of several sources may lie side by side.
    Raises NoFocus, or Undefined for less than two rays.
    """
    result, weights = arriving.light.result, arriving.weights
    _require_several_rays(arriving)
    p1, p2 = last_straight_pieces(result, arriving.rows)
    kept = rays_in_main_direction(p2 - p1, weights)
    sources = result.source[arriving.rows][kept] if each_source else None
    return best_focus(p1[kept], (p2 - p1)[kept], weights[kept], sources)


IRRADIANCE: Family = Family(
    "Irradiance", (DETECTOR, SOURCE), ArrivingLight.at_object, needs=RowsNeeded.ARRIVING
)


@IRRADIANCE.measure(
    Unit.IRRADIANCE,
    "largest irradiance at {detector} [of the light from {source}]",
    "What is the peak irradiance at {detector} [spot bright concentration hot]?",
    "What is the largest irradiance at {detector}?",
)
def peak_irradiance(arriving: ArrivingLight) -> float:
    """Largest irradiance of a detector's bins; of 20 bins if the detector has none of its own."""
    return float(_bin_irradiances(arriving).max())


@IRRADIANCE.measure(
    Unit.IRRADIANCE,
    "mean irradiance at {detector} [of the light from {source}]",
    "What is the mean irradiance at {detector}?",
)
def mean_irradiance(arriving: ArrivingLight) -> float:
    """Power that arrives at a detector over its length."""
    return float(arriving.weights.sum()) / arriving.shape.length


@IRRADIANCE.measure(
    Unit.IRRADIANCE,
    "smallest irradiance at {detector} [of the light from {source}]",
    "What is the smallest irradiance at {detector}?",
)
def least_irradiance(arriving: ArrivingLight) -> float:
    """Smallest irradiance of a detector's bins, 0 if a bin receives no light."""
    return float(_bin_irradiances(arriving).min())


@IRRADIANCE.measure(
    Unit.ONE,
    "uniformity as smallest over mean irradiance at {detector} [of the light from {source}]",
    "How uniform is the illumination of {detector}?",
    "What is the uniformity [of the light] at {detector}?",
)
def uniformity(arriving: ArrivingLight) -> float:
    # EN 12665, U0
    """Uniformity of the irradiance of a detector, the smallest irradiance of its bins over the
    mean: 1 if the detector is lit evenly.
    """
    values = _bin_irradiances(arriving)
    return float(values.min() / (values.sum() / len(values)))


def _bin_irradiances(arriving: ArrivingLight) -> Floats:
    """The irradiance of each bin of a detector. Raises Undefined if no light arrives."""
    detector = arriving.light.scene.optical[arriving.index]
    assert isinstance(detector, Detector)
    if detector.irradiance_map_fault:
        raise Undefined(f"{arriving.title} {detector.irradiance_map_fault}. Set another.")
    power = arriving.weights
    values: Floats = irradiance_along(detector, arriving.positions, power, power).power
    if not values.sum() > 0:
        raise Undefined(
            f"No light{arriving.light.source_phrase(arriving.source)} arrives at {arriving.title}."
        )
    return values
