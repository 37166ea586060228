"""Measures of the light that passes an aperture."""

from __future__ import annotations

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.families.detector import power
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit

APERTURE = Parameter("aperture", Role.APERTURE, noun="aperture")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def passing(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through the opening of an aperture; light that passes twice counts twice."""
    return float(light.result.total_power[_through(light, index, source)].sum())


def passing_rays(light: Light, index: int, source: int | None = None) -> float:
    """Number of rays (segments) that go through the opening of an aperture."""
    return float(len(_through(light, index, source)))


def throughput(light: Light, index: int, source: int | None = None) -> float:
    """Power that goes through an aperture's opening as a fraction of the power that arrives at the
    opening or at the screen around it.
    """
    through, stopped = passing(light, index, source), power(light, index, source)
    if not through + stopped > 0:
        raise Undefined(f"No light{light.whose(source)} arrives at {light.title(index)}.")
    return through / (through + stopped)


def _through(light: Light, index: int, source: int | None = None) -> Rows:
    """The segments that pass the opening, in the order of the trace."""
    return light.of_source(light.through_opening(index), source)


MEASURES = (
    Measure(
        throughput,
        Unit.ONE,
        (APERTURE, SOURCE),
        share=True,
        quantity="share of the arriving power [from {source}] that goes through {aperture}",
        rays=_through,
        questions=(
            "What is the throughput of {aperture}?",
            "How strong is the vignetting at {aperture}?",
        ),
    ),
    Measure(
        passing,
        Unit.POWER,
        (APERTURE, SOURCE),
        quantity="power that goes through {aperture} [from {source}]",
        rays=_through,
        questions=("How much power passes {aperture}?",),
    ),
    Measure(
        passing_rays,
        Unit.ONE,
        (APERTURE, SOURCE),
        quantity="number of rays that go through {aperture} [from {source}]",
        rays=_through,
        questions=("How many rays pass {aperture}?",),
    ),
)
