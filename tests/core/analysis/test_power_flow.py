"""The flow of power from sources to ends."""

from __future__ import annotations

import pytest

from core.analysis.measures.light import Light
from core.analysis.profiles.power_flow import REST, power_flow
from core.files.shared import read_shared
from core.trace.trace import trace


def test_the_last_end_is_net_of_the_power_added_in_place_of_weak_reflections() -> None:
    document = read_shared("example:prism").document
    result = trace(document.scene)
    ledger = result.ledger
    flow = power_flow(Light.of(document, result))
    assert REST == "not followed, net", "the status line gives the power of all rays that are too weak"
    assert flow.ends[-1] == REST
    assert flow.power[0, -1] == pytest.approx(ledger.truncated - ledger.resampled)
    assert flow.power[0, -1] < ledger.truncated / 10
