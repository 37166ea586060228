"""Measures of the power balance of a whole trace: emitted + resampled + gained = escaped + absorbed + truncated + alive."""

from __future__ import annotations

from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Unit
from core.analysis.rays.energy import absorbed_inside
from core.trace.codes import Status

OBJECT = Parameter("object", Role.SURFACE, optional=True)
SURFACE = Parameter("object", Role.SURFACE)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def emitted(light: Light, source: int | None = None) -> float:
    """Power emitted by all sources or by the given one."""
    return light.emitted(source)


def escaped(light: Light, source: int | None = None) -> float:
    """Power that leaves the scene without meeting another object."""
    if source is None:
        return light.result.ledger.escaped
    return _ended(light, Status.ESCAPED, None, source)


def absorbed(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Power absorbed by an object: where light ends at it, and on the way through a body. Without one, by all surfaces and media, including
    light that ends at ill-defined points."""
    if index is None:
        return light.without_noise(light.result.ledger.absorbed, Unit.POWER)
    rows, lost = light.cached(("absorption", index), lambda: absorbed_inside(light.result, light.scene, index, light.disabled))
    inside = lost if source is None else lost[light.result.source[rows] == source]
    return _ended(light, Status.ABSORBED, index, source) + light.without_noise(float(inside.sum()), Unit.POWER)


def reflected(light: Light, index: int, source: int | None = None) -> float:
    """Power that an object reflects where it arrives, without light that comes back out of a body."""
    return light.leaving(index, source, transmitted=False)


def transmitted(light: Light, index: int, source: int | None = None) -> float:
    """Power that leaves an object after it passed its surface or went into its body, in any direction."""
    return light.leaving(index, source, transmitted=True)


def truncated(light: Light) -> float:
    """Power of light that became too weak to be traced."""
    return light.result.ledger.truncated


def resampled(light: Light) -> float:
    """Power added where one weak reflection is traced in place of several."""
    return light.result.ledger.resampled


def gained(light: Light) -> float:
    """Net power added by gratings and custom surfaces that emit more or less than they receive."""
    return light.without_noise(light.result.ledger.gained, Unit.POWER)


def alive(light: Light) -> float:
    """Power of light that was not traced to its end because the trace was stopped or reached a limit."""
    return light.result.ledger.alive


def _ended(light: Light, status: Status, index: int | None, source: int | None) -> float:
    mask = light.met(index, source) & (light.result.status == status)
    return float(light.result.total_arriving_power[mask].sum())


MEASURES = (
    Measure(emitted, Unit.POWER, (SOURCE,)),
    Measure(escaped, Unit.POWER, (SOURCE,)),
    Measure(absorbed, Unit.POWER, (OBJECT, SOURCE)),
    Measure(reflected, Unit.POWER, (SURFACE, SOURCE)),
    Measure(transmitted, Unit.POWER, (SURFACE, SOURCE)),
    Measure(truncated, Unit.POWER, ()),
    Measure(resampled, Unit.POWER, ()),
    Measure(gained, Unit.POWER, ()),
    Measure(alive, Unit.POWER, ()),
)
