"""Light at objects of any formula: it ends at finite places, with finite power that is accounted
for, or the scene is refused.
"""

from __future__ import annotations

import math
import os
import random
from typing import Any

import numpy as np
import pytest

from raybench.errors import RaybenchError
from raybench.files.scene_json import scene_from_json
from raybench.trace.trace import trace

COUNT = 6_000 if os.environ.get("RAYBENCH_LONG") else 80
MOST_SEGMENTS = 60
OF_ANY = (
    "%s",
    "-%s",
    "%s^3",
    "-%s^3",
    "%s^2",
    r"50-%s",
    r"\left(%s-50\right)^2",
    r"\sin(%s)",
    r"\frac{1}{%s}",
    r"\frac{1}{%s-0.5}",
)
FUNCTIONS = (
    *(
        "%s",
        "e^{%s}",
        "e^{-%s}",
        r"\left(%s\right)^{-40}",
        r"\left(%s\right)^{40}",
        "1+e^{%s}",
        r"\frac{1}{1+e^{%s}}",
        r"\frac{1}{%s}",
    ),
    *(
        r"10^{150}\left(%s\right)",
        r"10^{-300}\left(%s\right)",
        r"\tan(%s)",
        r"1+\left(%s\right)^{-9}",
        "e^{e^{%s}}",
        "e^{-e^{%s}}",
    ),
    *(
        r"\frac{%s}{10^{308}}",
        r"\sinh(%s)",
        r"\sqrt{\left|%s\right|}",
        r"e^{100\left(%s\right)}",
        r"1.5+10^{-3}\left(%s\right)",
    ),
    *(
        r"\lfloor %s\rfloor",
        r"\sqrt{%s}",
        r"\ln(%s)",
        r"50+%s",
        r"0.3\left(%s\right)",
        r"\frac{%s}{50}",
        r"\cos(%s)",
        r"50\sin(%s)",
    ),
)
OUTER = (r"\left(%s\right)^3", r"\frac{1}{%s}", "1+%s", r"\left(%s\right)\left(7-1\right)", "-%s")
CONSTANTS = ("0", "7", "0.3", "10^{200}", "10^{-200}", "-1")
EDGES = [{"x": x, "y": y} for x, y in ((0, -60), (100, -60), (100, 60), (0, 60))]


def formula(chance: random.Random, *variables: str) -> str:
    """A formula of up to three functions, most of which grow, of one of the variables."""
    if chance.random() < 0.1:
        return chance.choice(CONSTANTS)
    made = chance.choice(FUNCTIONS) % (chance.choice(OF_ANY) % chance.choice(variables))
    return chance.choice(OUTER) % made if chance.random() < 0.3 else made


def body(chance: random.Random) -> dict[str, Any]:
    """An object that has formulas."""
    kind = chance.choice(
        (
            "GrinGlass",
            "CircleGrinGlass",
            "CustomMirror",
            "CustomGlass",
            "ParamMirror",
            "ParamGlass",
            "CustomSurface",
            "CustomArcSurface",
        )
    )
    made: dict[str, Any] = {"type": kind, "p1": {"x": 0, "y": -50}, "p2": {"x": 0, "y": 50}}
    if "Grin" in kind:
        made |= {
            "path": EDGES,
            "refIndexFn": formula(chance, "x", "y", "xy", "-x^2-y^2"),
            "partialReflect": chance.random() < 0.5,
        }
        made |= (
            {"p1": {"x": 50, "y": 0}, "p2": {"x": 110, "y": 0}} if kind == "CircleGrinGlass" else {}
        )
        made |= {"absorptionFn": formula(chance, "x", "y")} if chance.random() < 0.3 else {}
    elif kind.startswith("Param"):
        ends = chance.choice(((0, math.tau), (-1, 1), (0, 1), (1, 50)))
        step = chance.choice((0.01, 0.1))
        made["pieces"] = [
            {
                "eqnX": formula(chance, "t"),
                "eqnY": formula(chance, "t"),
                "tMin": ends[0],
                "tMax": ends[1],
                "tStep": step,
            }
        ]
    elif "Surface" in kind:
        incident = (r"\theta_0", "P_0", r"\lambda", r"\theta_1", "P_1")
        made |= {"p3": {"x": 20, "y": 0}} if kind == "CustomArcSurface" else {}
        made["outRays"] = [
            {"eqnTheta": formula(chance, *incident), "eqnP": formula(chance, *incident)}
            for _ in range(chance.choice((1, 2)))
        ]
    else:
        made |= {
            "eqn": formula(chance, "x"),
            "eqn1": formula(chance, "x"),
            "eqn2": formula(chance, "x"),
        }
    return made


@pytest.mark.long
@pytest.mark.filterwarnings("error::RuntimeWarning")  # not what earlier tests left to be collected
def test_light_at_an_object_of_any_formula_ends_at_a_finite_place_with_its_power_accounted_for() -> (
    None
):
    chance = random.Random(f"formula {os.environ.get('RAYBENCH_SEED', '')}")
    traced = 0
    for _ in range(COUNT):
        x, y, angle = (
            chance.choice((-20, -20, 20, 49)),
            chance.uniform(-20, 20),
            chance.choice((0.0, 0.3, -1.0)),
        )
        source = {
            "type": "SingleRay",
            "p1": {"x": x, "y": y},
            "p2": {"x": x + math.cos(angle), "y": y + math.sin(angle)},
        }
        objects = [source, body(chance)]
        try:
            result = trace(
                scene_from_json({"version": 5, "objs": objects}), max_segments=MOST_SEGMENTS
            )
        except RaybenchError as error:
            refused = str(error)
        else:
            refused = ""
        assert len(refused.splitlines()) == bool(refused), objects
        if refused:
            continue
        for column in (result.p1, result.p2, result.power, result.end_power, result.polyline):
            assert np.isfinite(column).all(), objects
        # light that a medium has amplified takes part with its largest power
        largest = max(
            1.0,
            *(
                float(np.abs(c).sum(axis=1).max(initial=0.0))
                for c in (result.power, result.end_power)
            ),
        )
        assert abs(result.ledger.imbalance) < 1e-9 * largest, objects
        traced += len(result) > 1
    assert traced > COUNT / 5
