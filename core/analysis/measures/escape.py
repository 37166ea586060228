"""Measures of the light that escapes through the gap between two objects."""

from __future__ import annotations

from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Unit
from core.analysis.rays.gaps import Gaps, gaps

FIRST, SECOND = Parameter("first", Role.SURFACE), Parameter("second", Role.SURFACE)


def escaped_between(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects: those that, seen from where the light was last, stand on either side."""
    found = gaps_of(light)
    rows = found.rows[found.between(first, second)]
    return float(light.result.total_power[rows].sum())


def escaped_share(light: Light, first: int, second: int) -> float:
    """Power that escapes through the gap between two objects as a fraction of the emitted power."""
    return light.share(escaped_between(light, first, second))


def gaps_of(light: Light) -> Gaps:
    """The gaps through which light escapes."""
    return light.cached(("gaps", -1), lambda: gaps(light.result, light.scene, light.disabled))


MEASURES = (
    Measure(
        escaped_between,
        Unit.POWER,
        (FIRST, SECOND),
        said=(
            "power that (escapes|leaks|gets out) between {first} and {second}",
            "<light> (escaping|leaking|that escapes) between {first} and {second}",
        ),
    ),
    Measure(
        escaped_share,
        Unit.ONE,
        (FIRST, SECOND),
        share=True,
        said=(
            "share of the power that escapes between {first} and {second}",
            "<share> of the [emitted] <light> [that] (escapes|leaks|gets|leaves|escaping|leaking) [out] between {first} and {second}",
            "<share> (escapes|leaks|gets|leaves|escaping|leaking) [out] between {first} and {second}",
        ),
    ),
)
