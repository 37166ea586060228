"""The power ledger in an answer."""

from __future__ import annotations

from raybench.analysis.answers.record import Record
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


class PowerLedger(Record, tag="ledger"):
    """The power balance of a trace, and the imbalance of its terms."""

    emitted: float
    resampled: float
    gained: float
    escaped: float
    absorbed: float
    truncated: float
    alive: float
    imbalance: float


def ledger_of(light: Light) -> PowerLedger:
    """The terms of a trace: the measures of these names."""
    terms = (emitted, resampled, gained, escaped, absorbed, truncated, alive)
    return PowerLedger(
        **{term.__name__: term(light) for term in terms},
        imbalance=light.without_noise(light.result.ledger.imbalance, Unit.POWER),
    )
