"""Power: what leaves the sources is what escapes and is absorbed, and every way to lose or gain
some is on the ledger.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from raybench.files.scene_json import scene_from_json
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

Objects = list[dict[str, Any]]


def p(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


def body(*corners: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"type": "Glass", "path": [p(*c) for c in corners], **more}


FAN = {"type": "AngleSource", "p1": p(-80, 3), "p2": p(0, 0), "emisAngle": 40, "brightness": 0.03}
BEAM = {
    "type": "Beam",
    "p1": p(-80, -30),
    "p2": p(-80, 30),
    "emisAngle": 6,
    "lambert": True,
    "brightness": 0.2,
}
GRADED = {"type": "CircleGrinGlass", "p1": p(0, 0), "p2": p(40, 0), "partialReflect": False}

WHOLE: dict[str, Objects] = {
    "one interface": [
        FAN,
        {"type": "PlaneGlass", "p1": p(0, 100), "p2": p(0, -100), "refIndex": 1.7},
    ],
    "a prism without reflections": [
        BEAM,
        body((-30, 30), (30, 30), (0, -30), partialReflect=False),
    ],
    "a lens and mirrors": [
        BEAM,
        {"type": "IdealLens", "p1": p(-40, -60), "p2": p(-40, 60), "focalLength": 55},
        {"type": "ArcMirror", "p1": p(50, -60), "p2": p(50, 60), "p3": p(60, 0)},
        {"type": "IdealMirror", "p1": p(-70, -200), "p2": p(-75, 200), "focalLength": 90},
    ],
    "splitters in a blocker": [
        FAN,
        *(
            {"type": "BeamSplitter", "p1": p(x, -50), "p2": p(x + 60, 50), "transRatio": 0.3}
            for x in (-30, 20)
        ),
        {"type": "CircleBlocker", "p1": p(0, 0), "p2": p(150, 0)},
    ],
    "bodies that share an edge": [
        BEAM,
        body((-30, -40), (0, -40), (0, 40), (-20, 40), partialReflect=False),
        body((0, -40), (40, -40), (20, 40), (0, 40), refIndex=1.8, partialReflect=False),
    ],
    "a gradient-index ball that absorbs": [
        BEAM,
        GRADED | {"absorptionFn": r"0.001+0.00001\cdot x^2"},
    ],
    "curves by formula": [
        BEAM,
        {
            "type": "CustomMirror",
            "p1": p(20, -50),
            "p2": p(20, 50),
            "eqn": r"0.2\cdot\cos\left(3x\right)",
        },
        {"type": "ParamGlass", "origin": p(-30, 0), "partialReflect": False},
    ],
}


MOST = 1_000_000
"""Segments of a trace whose light goes on between mirrors."""


def lit(objects: Objects, mode: str, **settings: Any) -> TraceResult:
    return trace(
        scene_from_json(
            {"version": 5, "objs": objects, "colorMode": mode, "rayModeDensity": 0.5, **settings}
        ),
        max_segments=MOST,
    )


@pytest.mark.parametrize("what", WHOLE)
def test_without_truncation_all_power_escapes_or_is_absorbed(what: str) -> None:
    result = lit(WHOLE[what], "linear")
    ledger = result.ledger
    assert len(result) > 50
    assert (ledger.truncated, ledger.resampled, ledger.gained, ledger.alive) == (0, 0, 0, 0)
    assert ledger.escaped + ledger.absorbed == pytest.approx(ledger.emitted, rel=1e-12)


MIXED: Objects = [
    BEAM,
    body((-30, 30), (30, 30), (0, -30)),
    body((-20, 30), (20, 30), (20, 60), (-20, 60), refIndex=1.9),
    {"type": "CircleGlass", "p1": p(45, 0), "p2": p(58, 0), "refIndex": 2.4},
    GRADED | {"p1": p(-45, -45), "p2": p(-25, -45), "origin": p(-45, -45), "partialReflect": True, "absorptionFn": "0.02"},
    {"type": "DiffractionGrating", "p1": p(70, -80), "p2": p(70, 80), "lineDensity": 400},
    {"type": "BeamSplitter", "p1": p(-70, 90), "p2": p(90, 70)},
    {"type": "CustomSurface", "p1": p(100, -200), "p2": p(100, 200), "twoSided": True, "outRays": [
        {"eqnTheta": r"\pi-\theta_0", "eqnP": "1.2P_0"}, {"eqnTheta": r"\theta_0+0.1p", "eqnP": "0.1P_0"}]},
    {"type": "Mirror", "p1": p(-120, -200), "p2": p(-120, 200)},
    {"type": "Blocker", "p1": p(-100, -150), "p2": p(150, -150)},
    {"type": "Detector", "p1": p(-60, -100), "p2": p(-60, 100)},
]  # fmt: skip


@pytest.mark.parametrize("depth", [None, 7])
@pytest.mark.parametrize("mode", ["default", "linear", "reinhard"])
def test_the_ledger_balances_whatever_light_meets(mode: str, depth: int | None) -> None:
    result = lit(MIXED, mode, simulateColors=True, **({"maxRayDepth": depth} if depth else {}))
    ledger = result.ledger
    assert ledger.gained != 0
    assert ledger.truncated > 0
    assert abs(ledger.imbalance) <= 1e-9 * ledger.emitted
    left = np.array([ledger.escaped, ledger.absorbed, ledger.truncated, ledger.alive]).sum()
    assert left == pytest.approx(ledger.emitted + ledger.resampled + ledger.gained, rel=1e-9)
