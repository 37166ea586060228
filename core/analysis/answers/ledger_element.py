"""The power ledger as an element of an answer."""

from __future__ import annotations

from core.analysis.answers.answer import Element, element
from core.trace.results.result import Ledger


def ledger_element(ledger: Ledger) -> Element:
    """Where the power of a trace went."""
    return element(
        "ledger",
        emitted=ledger.emitted,
        resampled=ledger.resampled,
        gained=ledger.gained,
        escaped=ledger.escaped,
        absorbed=ledger.absorbed,
        truncated=ledger.truncated,
        alive=ledger.alive,
        imbalance=ledger.imbalance,
    )
