"""Studies of directions: 179° and -179° are 2° apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.changes import Rotate, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.study.notebook import optimise, tolerance
from raybench.study.what_if import what_if
from raybench.trace.trace import trace


def folded() -> Document:
    """A mirror that sends a beam back, in the direction 180°; turned by a, it sends it to 180° + 2
    a.
    """
    beam = Beam(name="Lamp", p1=Point(-50, -5), p2=Point(-50, 5), brightness=1.0)
    return Document(
        scene=Scene.of([beam, Mirror(name="Mirror", p1=Point(50, -30), p2=Point(50, 30))])
    )


def test_a_direction_of_180_degrees_deviates_to_both_sides_of_it() -> None:
    limit = "direction(Mirror) = 179.9..180.1"
    found = tolerance(
        folded(),
        ["Mirror.angle±0.1"],
        ["direction(Mirror)", "deviation(Mirror)"],
        limits=[limit],
        samples=400,
    )
    (sensitivity,) = found.sensitivities
    assert [sensitivity.slope(i) for i in (0, 1)] == pytest.approx([2, 2])
    for spread, column in zip(found.spreads, (1, 2), strict=True):
        assert spread.deviation == pytest.approx(0.2 / math.sqrt(3), rel=0.1)
        assert abs(spread.mean) == pytest.approx(180, abs=0.02)
        assert spread.most - spread.least == pytest.approx(0.4, rel=0.05)
        assert np.ptp(found.table.rows[:, column]) == pytest.approx(0.4, rel=0.05)
    assert found.yields[-1].share == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(
    ("goal", "turn"), [("= 175", -2.5), ("= -175", 2.5), ("= 185", 2.5), ("= 176..178", -1.0)]
)
def test_a_search_for_a_direction_passes_180_degrees(goal: str, turn: float) -> None:
    found = optimise(folded(), ["Mirror.angle=-10..10"], [f"direction(Mirror) {goal}"])
    assert found.values[0] == pytest.approx(turn, abs=1e-3 if ".." not in goal else 1.1)
    assert all(found.met)


def test_the_change_of_a_direction_is_the_smaller_angle() -> None:
    document = folded()
    changes = Rotate("Mirror", -0.5), Rotate("Mirror", 1)
    before = apply_changes(changes[:1], document)
    (difference,) = what_if(before, trace(before), changes[1:], "direction(Mirror)").differences
    assert (difference.before.value, difference.after.value, difference.change) == pytest.approx(
        (179, -179, 2)
    )
