"""Measures of the distribution of the light that arrives along a straight object: the spot, where
it would be smallest, and the irradiance, the power in each bin of a detector over the bin's length.
"""

import math

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.families.detector import arriving_light, weighted_mean
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.rays.bundle import Focus, along_beam, best_focus, with_most
from raybench.analysis.rays.detector_light import irradiance_along
from raybench.analysis.rays.incidence import last_pieces
from raybench.kinds.detectors import Detector

LINE = Parameter("line", Role.LINE, noun="screen")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def centroid(light: Light, index: int, source: int | None = None) -> float:
    """Mean position, weighted by power, of the light that arrives at a line, measured along it from
    its first end.
    """
    position, weight = ray_positions(light, index, source)
    return weighted_mean(position, weight)


def rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, of the arriving light from its centroid along
    the line.
    """
    position, weight = ray_positions(light, index, source)
    return math.sqrt(weighted_mean((position - weighted_mean(position, weight)) ** 2, weight))


def separation(light: Light, index: int, source: int, other: int) -> float:
    """Distance along a line between the centroids of the light of two sources."""
    return abs(centroid(light, index, other) - centroid(light, index, source))


def _of_both(light: Light, index: int, source: int, other: int) -> Rows:
    return np.concatenate([light.arriving(index, s) for s in (source, other)])


def width(light: Light, index: int, source: int | None = None) -> float:
    """Full width along the line that contains all arriving power: the distance between the
    outermost rays.
    """
    position, weight = ray_positions(light, index, source)
    return float(np.ptp(position[weight > 0]))


def defocus(light: Light, index: int, source: int | None = None) -> float:
    """Distance along the beam from a line to where the arriving light would have its least RMS
    width, negative before the line.
    """
    rows, _ = arriving_light(light, index, source)
    return from_line(light, index, best_at(light, rows))


def from_line(light: Light, index: int, best: Focus) -> float:
    """The distance along the beam from a line to a focus of light that arrives at it, negative
    before the line. Raises NoFocus.
    """
    shape = light.edges(index)[0].shape
    return along_beam(best, shape.a, shape.b)


def least_rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, from the middle of the arriving light, where
    that is least along the beam.
    """
    return best_at(light, arriving_light(light, index, source)[0]).rms


def least_x(light: Light, index: int, source: int | None = None) -> float:
    """The x coordinate of the point along the beam where the light that arrives at a line has its
    least RMS width.
    """
    return best_at(light, arriving_light(light, index, source)[0]).point.x


def least_y(light: Light, index: int, source: int | None = None) -> float:
    """The y coordinate, downwards, of the point along the beam where the light that arrives at a
    line has its least RMS width.
    """
    return best_at(light, arriving_light(light, index, source)[0]).point.y


def best_at(light: Light, rows: Rows, *, each_source: bool = False) -> Focus:
    """The best focus of the light that arrives in some segments, weighted by power: of the spots of
    the sources, each for itself, if ``each_source``. Light that runs against most of it does not
    count. Raises NoFocus.
    """
    p1, p2 = last_pieces(light.result, rows)
    kept = with_most(p2 - p1, light.result.total_arriving_power[rows])
    p1, p2, rows = p1[kept], p2[kept], rows[kept]
    return best_focus(
        p1,
        p2 - p1,
        light.result.total_arriving_power[rows],
        light.result.source[rows] if each_source else None,
    )


def ray_positions(light: Light, index: int, source: int | None) -> tuple[Floats, Floats]:
    """The positions of the arriving rays along a straight object, from its first end, and their
    powers, (k,) each.
    """
    rows, weight = arriving_light(light, index, source)
    shape = light.edges(index)[0].shape
    length = math.dist(shape.a, shape.b)
    along = (shape.b.x - shape.a.x) / length, (shape.b.y - shape.a.y) / length
    off = light.result.p2[rows] - np.array(shape.a)
    return off[:, 0] * along[0] + off[:, 1] * along[1], weight


MEASURES = (
    Measure(
        centroid,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity=(
            "distance of the centroid of the light [from {source}] on {line} from its first end"
        ),
        rays=Light.arriving,
        questions=(
            "Where is the centroid of the light on {line} [centre spot]?",
            "Where does the light reach {line}?",
            "What is the position of the spot on {line}?",
        ),
    ),
    Measure(
        rms,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity="RMS radius of the light [from {source}] on {line}",
        rays=Light.arriving,
        questions=(
            "What is the RMS radius of the spot on {line}?",
            "What is the RMS [radius size width spot] on {line}?",
        ),
    ),
    Measure(
        separation,
        Unit.LENGTH,
        (LINE, Parameter("source", Role.SOURCE), Parameter("other", Role.SOURCE)),
        quantity="distance between the spots of {source} and {other} on {line}",
        rays=_of_both,
        questions=(
            "How far apart are the spots of {source} and {other} on {line} [separate distance lines colors]?",
        ),
    ),
    Measure(
        width,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity="full width of the light [from {source}] on {line}",
        rays=Light.arriving,
        questions=(
            "How wide is the light on {line}?",
            "What is the diameter of the spot on {line}?",
        ),
    ),
    Measure(
        defocus,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity=(
            "distance from {line} to the best focus [of the light from {source}] along the beam"
        ),
        rays=Light.arriving,
        senses=("behind it", "before it"),
        questions=(
            "How far is {line} out of focus?",
            "What is the defocus of {line}?",
        ),
        signed=True,
    ),
    Measure(
        least_rms,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity="least RMS radius [of the light from {source}] near {line}",
        rays=Light.arriving,
        questions=("What is the smallest RMS radius near {line}?",),
    ),
    Measure(
        least_x,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity="x coordinate of the least spot [of the light from {source}] near {line}",
        rays=Light.arriving,
        questions=("What is the x coordinate of the smallest spot near {line}?",),
    ),
    Measure(
        least_y,
        Unit.LENGTH,
        (LINE, SOURCE),
        quantity="y coordinate of the least spot [of the light from {source}] near {line}",
        rays=Light.arriving,
        senses=("y runs downwards",) * 2,
        questions=("What is the y coordinate of the smallest spot near {line}?",),
    ),
)


DETECTOR = Parameter("detector", Role.DETECTOR, noun="detector")


def peak_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Largest irradiance of a detector's bins: its own, or 20 where it has none."""
    return float(_bin_irradiance(light, index, source).max())


def least_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Smallest irradiance of a detector's bins, 0 where one receives no light."""
    return float(_bin_irradiance(light, index, source).min())


def mean_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives at a detector over its length."""
    length = light.edges(index)[0].shape.length
    return float(arriving_light(light, index, source)[1].sum()) / length


def uniformity(light: Light, index: int, source: int | None = None) -> float:
    # EN 12665, U0
    """Uniformity of the irradiance of a detector, the smallest of its bins over the mean: 1 if all
    of it is lit evenly.
    """
    values = _bin_irradiance(light, index, source)
    return float(values.min() / (values.sum() / len(values)))


def _bin_irradiance(light: Light, index: int, source: int | None) -> Floats:
    """The irradiance of each bin. Raises Undefined where no light arrives."""
    detector = light.scene.optical[index]
    assert isinstance(detector, Detector)
    if detector.map_fault:
        raise Undefined(f"{light.title(index)} {detector.map_fault}. Set another.")
    position, power = ray_positions(light, index, source)
    values: Floats = irradiance_along(detector, position, power, power).power
    if not values.sum() > 0:
        raise Undefined(f"No light{light.whose(source)} arrives at {light.title(index)}.")
    return values


IRRADIANCES = (
    Measure(
        peak_irradiance,
        Unit.IRRADIANCE,
        (DETECTOR, SOURCE),
        quantity="largest irradiance at {detector} [of the light from {source}]",
        rays=Light.arriving,
        questions=(
            "What is the peak irradiance at {detector} [spot bright concentration hot]?",
            "What is the largest irradiance at {detector}?",
        ),
    ),
    Measure(
        mean_irradiance,
        Unit.IRRADIANCE,
        (DETECTOR, SOURCE),
        quantity="mean irradiance at {detector} [of the light from {source}]",
        rays=Light.arriving,
        questions=("What is the mean irradiance at {detector}?",),
    ),
    Measure(
        least_irradiance,
        Unit.IRRADIANCE,
        (DETECTOR, SOURCE),
        quantity="smallest irradiance at {detector} [of the light from {source}]",
        rays=Light.arriving,
        questions=("What is the smallest irradiance at {detector}?",),
    ),
    Measure(
        uniformity,
        Unit.ONE,
        (DETECTOR, SOURCE),
        quantity=(
            "uniformity as smallest over mean irradiance at {detector} [of the light from {source}]"
        ),
        rays=Light.arriving,
        questions=(
            "How uniform is the illumination of {detector}?",
            "What is the uniformity [of the light] at {detector}?",
        ),
    ),
)
