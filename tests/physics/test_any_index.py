"""Light in graded media of any formula: it ends at finite places, with finite power, and the ledger balances."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from core.files.scene_json import scene_from_json
from core.trace.codes import Status
from core.trace.trace import trace

COUNT = 4_000 if os.environ.get("RAYBENCH_LONG") else 60
MOST_SEGMENTS = 60
OF_PLACE = (
    *("x", "y", "-x", "x^3", "-x^3", "x^2", "-x^2-y^2", "xy", "(x-50)^2", "(50-x)", r"\sin(x)", r"\frac{1}{x}", r"\frac{1}{x-50}"),
    *(
        r"\sqrt{x}",
        r"\ln(x)",
        "10^{200}",
        "10^{-200}",
        r"\left|x-50\right|",
        r"\lfloor x\rfloor",
        r"\max(x,y)",
        "x-50",
        r"\frac{x}{50}",
        "7",
    ),
)
FUNCTIONS = (
    *(
        "e^{%s}",
        "e^{-%s}",
        r"\left(%s\right)^{-40}",
        r"\left(%s\right)^{40}",
        "1+e^{%s}",
        r"\frac{1}{1+e^{%s}}",
        r"10^{150}\left(%s\right)",
    ),
    *(
        r"10^{-300}\left(%s\right)",
        r"\tan(%s)",
        r"1+\left(%s\right)^{-9}",
        "e^{e^{%s}}",
        "e^{-e^{%s}}",
        r"\frac{%s}{10^{308}}",
        r"\sinh(%s)",
    ),
    *(r"\sqrt{\left|%s\right|}", r"-\left(%s\right)", r"e^{100\left(%s\right)}", "%s", r"1.5+10^{-3}\left(%s\right)", r"\frac{1}{%s}"),
)
OUTER = (r"\left(%s\right)^3", r"\frac{1}{%s}", "1+%s", r"\left(%s\right)\left(x-30\right)", "-%s")
ABSORPTION = ("0.01", "e^{x}", "-x", "x^9", "10^{300}", "-10^{300}", r"\frac{1}{x-50}", r"\ln(y)")
EDGES = [{"x": x, "y": y} for x, y in ((0, -60), (100, -60), (100, 60), (0, 60))]


@pytest.mark.long
@pytest.mark.filterwarnings("error")
def test_light_in_any_graded_medium_ends_at_a_finite_place_with_its_power_accounted_for() -> None:
    chance = random.Random(f"index {os.environ.get('RAYBENCH_SEED', '')}")
    stopped = 0
    for _ in range(COUNT):
        index = chance.choice(FUNCTIONS) % chance.choice(OF_PLACE)
        if chance.random() < 0.3:
            index = chance.choice(OUTER) % index
        x, y, angle = chance.choice((-20, -20, 20, 49)), chance.uniform(-20, 20), chance.choice((0.0, 0.3, -1.0))
        source = {"type": "SingleRay", "p1": {"x": x, "y": y}, "p2": {"x": x + np.cos(angle), "y": y + np.sin(angle)}}
        body = {"type": "GrinGlass", "path": EDGES, "refIndexFn": index, "partialReflect": chance.random() < 0.5}
        if chance.random() < 0.3:
            body["absorptionFn"] = chance.choice(ABSORPTION)
        result = trace(scene_from_json({"version": 5, "objs": [source, body]}), max_segments=MOST_SEGMENTS)
        for column in (result.p1, result.p2, result.power, result.end_power, result.polyline):
            assert np.isfinite(column).all(), (source, body)
        # light that a medium has amplified takes part with its largest power
        largest = max(1.0, float(result.power.sum(axis=1).max()), float(result.end_power.sum(axis=1).max()))
        assert abs(result.ledger.imbalance) < 1e-9 * largest, (source, body)
        stopped += bool(np.any(result.status == Status.ILL_DEFINED))
    assert stopped > COUNT / 20
