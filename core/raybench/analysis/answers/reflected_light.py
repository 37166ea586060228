"""The partially reflected light in a spot, a small part of which may widen it much."""

from __future__ import annotations

import numpy as np

from raybench.analysis.answers.units import in_unit
from raybench.analysis.answers.words import in_words, number_of
from raybench.analysis.measures.bound import SAME, Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Role, Unit


def without_reflections(light: Light, *measures: Bound, unit: str = "") -> str:
    """The rays at a line that were partially reflected at glass, their share of the power there,
    and the measures without them, in a ``unit`` of length.

    Empty if that changes no measure, or if at least half of the light was partially reflected and
    is thus the main light.
    """
    found = [
        (bound, bound.of(light))
        for bound in measures
        if isinstance(bound, BoundMeasure) and _of_spot(bound)
    ]
    if not found or not found[0][1].defined:
        return ""
    (line, *rest), direct = found[0][0].indices(light), light.without_partial_reflections
    assert isinstance(line, int)
    source = rest[0] if rest else None
    assert not isinstance(source, str)
    rows = light.arriving(line, source)
    left = direct.arriving(line, source)
    power = light.result.total_arriving_power
    share = 1 - float(power[left].sum() / power[rows].sum())
    values = [(was, bound.of(direct)) for bound, was in found]
    if len(left) == len(rows) or share >= 0.5 or not any(_differs(was, now) for was, now in values):
        return ""
    shown = [in_unit(now, Unit.LENGTH, unit, light.unit) for _, now in values]
    changed = ", ".join(
        f"{now.expression} is {now.number}" if len(shown) > 1 else f"it is {now.number}"
        for now in shown
    )
    rays = number_of(len(rows) - len(left), "ray")
    return (
        f"counts {rays} with {in_words(100 * share)} % of the power that were partially reflected"
        f" at glass; without them {changed}"
    )


def _of_spot(bound: BoundMeasure) -> bool:
    return bound.unit is Unit.LENGTH and any(p.role is Role.LINE for p in bound.measure.parameters)


def _differs(one: Measured, other: Measured) -> bool:
    return not np.isclose(one.value, other.value, rtol=SAME, atol=SAME)
