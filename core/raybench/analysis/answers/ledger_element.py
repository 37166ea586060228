"""The power ledger, as an element of an answer."""

from __future__ import annotations

from raybench.analysis.answers.answer import Element, element
from raybench.analysis.measures.families.power import (
    absorbed,
    alive,
    emitted,
    escaped,
    gained,
    resampled,
    truncated,
)
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit


def ledger_element(light: Light) -> Element:
    """The power balance of a trace: the measures of these names, and the imbalance between them."""
    terms = {
        f.__name__: f(light)
        for f in (emitted, resampled, gained, escaped, absorbed, truncated, alive)
    }
    return element(
        "ledger", **terms, imbalance=light.without_noise(light.result.ledger.imbalance, Unit.POWER)
    )
