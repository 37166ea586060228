"""The power ledger as an element of an answer."""

from __future__ import annotations

from dataclasses import asdict

from core.analysis.answers.answer import Element, element
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Unit


def ledger_element(light: Light) -> Element:
    """Where the power of a trace went: the measures of these names, and by how much their balance fails."""
    ledger = light.result.ledger
    terms = asdict(ledger) | {"imbalance": ledger.imbalance}
    return element("ledger", **{name: light.without_noise(power, Unit.POWER) for name, power in terms.items()})
