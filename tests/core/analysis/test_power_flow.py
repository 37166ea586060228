"""The flow of power from sources to ends."""

from __future__ import annotations

import pytest

from raybench.analysis.measures.light import Light
from raybench.analysis.profiles import NOT_FOLLOWED, power_flow
from raybench.files.shared import read_shared
from raybench.kinds.blockers import Blocker
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace


def test_the_last_end_is_net() -> None:
    document = read_shared("example:prism").document
    result = trace(document.scene)
    ledger = result.ledger
    flow = power_flow(Light.from_document(document, result))
    assert NOT_FOLLOWED == "not followed, net", (
        "the status line gives the power of all rays that are too weak"
    )
    assert flow.ends[-1] == NOT_FOLLOWED
    assert flow.power[0, -1] == pytest.approx(ledger.truncated - ledger.resampled)
    assert flow.power[0, -1] < ledger.truncated / 10


@pytest.mark.parametrize(
    "names",
    [
        ("Light trap number 1, of black velvet", "Light trap number 2, of black velvet"),
        ("Wall", "escapes"),
    ],
)
def test_ends_with_names_alike_are_separate(names: tuple[str, str]) -> None:
    walls = [
        Blocker(name=name, p1=Point(x, x - 50), p2=Point(x, x - 40))
        for name, x in zip(names, (50, 60), strict=True)
    ]
    lamp = Beam(name="Lamp", p1=Point(0, 0), p2=Point(0, 30), brightness=1.0)
    document = Document(scene=Scene.of([lamp, *walls], Settings(ray_mode_density=10.0)))
    flow = power_flow(Light.from_document(document, trace(document.scene)))
    assert sorted(flow.ends) == sorted([*names, "escapes"])
    assert flow.power.tolist() == [pytest.approx([10.0, 10.0, 10.0])]
