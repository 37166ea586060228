"""Measures of the irradiance along a detector: the power that arrives in each of its bins, over the
bin's length.
"""

from __future__ import annotations

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.measures.families.detector import arriving_light
from raybench.analysis.measures.families.spot import positions
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.rays.detector_light import irradiance_along
from raybench.kinds.detectors import Detector

DETECTOR = Parameter("detector", Role.DETECTOR, noun="detector")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def peak_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Largest irradiance of a detector's bins: its own, or 20 where it has none."""
    return float(_irradiance(light, index, source).max())


def least_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Smallest irradiance of a detector's bins, 0 where one receives no light."""
    return float(_irradiance(light, index, source).min())


def mean_irradiance(light: Light, index: int, source: int | None = None) -> float:
    """Power that arrives at a detector over its length."""
    length = light.edges(index)[0].shape.length
    return float(arriving_light(light, index, source)[1].sum()) / length


def uniformity(light: Light, index: int, source: int | None = None) -> float:
    # EN 12665, U0
    """Uniformity of the irradiance of a detector, the smallest of its bins over the mean: 1 if all of it is lit evenly."""
    values = _irradiance(light, index, source)
    return float(values.min() / (values.sum() / len(values)))


def _irradiance(light: Light, index: int, source: int | None) -> Floats:
    """The irradiance of each bin. Raises Undefined where no light arrives."""
    detector = light.scene.optical[index]
    assert isinstance(detector, Detector)
    if detector.map_fault:
        raise Undefined(f"{light.title(index)} {detector.map_fault}. Set another.")
    position, power = positions(light, index, source)
    values: Floats = irradiance_along(detector, position, power, power).power
    if not values.sum() > 0:
        raise Undefined(f"No light{light.whose(source)} arrives at {light.title(index)}.")
    return values


MEASURES = (
    Measure(
        peak_irradiance,
        Unit.IRRADIANCE,
        (DETECTOR, SOURCE),
        quantity="largest irradiance at {detector} [of the light from {source}]",
        rays=Light.arriving,
        questions=(
            "What is the peak irradiance at {detector}?",
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
