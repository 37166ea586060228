"""Measures of where power goes in a whole trace: emitted + resampled + gained = escaped + absorbed + truncated + alive."""

from __future__ import annotations

from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Unit
from core.trace.codes import Status

OBJECT = Parameter("object", Role.SURFACE, optional=True)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def emitted(light: Light, source: int | None = None) -> float:
    """Power that sources emit, all of them or the one named."""
    return light.emitted(source)


def escaped(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene and meets nothing any more."""
    if source is None:
        return light.result.ledger.escaped
    return _ended(light, Status.ESCAPED, None, source)


def absorbed(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Power that an object absorbs; without one, all that surfaces and media absorb and that ends at ill-defined places."""
    if index is None:
        return light.without_noise(light.result.ledger.absorbed, Unit.POWER)
    return _ended(light, Status.ABSORBED, index, source)


def truncated(light: Light) -> float:
    """Power of light that became too weak to be followed."""
    return light.result.ledger.truncated


def resampled(light: Light) -> float:
    """Power added where one weak reflection is followed in place of several."""
    return light.result.ledger.resampled


def gained(light: Light) -> float:
    """Power added by gratings and custom surfaces that give more than they get, less what they take."""
    return light.without_noise(light.result.ledger.gained, Unit.POWER)


def alive(light: Light) -> float:
    """Power of light that was not followed to its end, for the trace was stopped or reached a limit."""
    return light.result.ledger.alive


def _ended(light: Light, status: Status, index: int | None, source: int | None) -> float:
    mask = light.met(index, source) & (light.result.status == status)
    return float(light.result.total_power[mask].sum())


MEASURES = (
    Measure(emitted, Unit.POWER, (SOURCE,)),
    Measure(escaped, Unit.POWER, (SOURCE,)),
    Measure(absorbed, Unit.POWER, (OBJECT, SOURCE)),
    Measure(truncated, Unit.POWER, ()),
    Measure(resampled, Unit.POWER, ()),
    Measure(gained, Unit.POWER, ()),
    Measure(alive, Unit.POWER, ()),
)
