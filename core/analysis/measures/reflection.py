"""Measures of total reflection."""

from __future__ import annotations

from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Unit
from core.trace.codes import Flag

OBJECT = Parameter("object", Role.SURFACE, optional=True)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def total_reflections(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Number of total reflections of rays, at an object or anywhere."""
    return float((light.met(index, source) & ((light.result.flags & Flag.CAUSES_TIR) != 0)).sum())


MEASURES = (Measure(total_reflections, Unit.ONE, (OBJECT, SOURCE)),)
