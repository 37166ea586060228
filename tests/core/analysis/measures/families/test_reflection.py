"""Reflections inside a body of glass, counted one segment after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace

RADIUS = 50.0
DROP = Document(
    scene=Scene.of(
        [
            SingleRay(p1=Point(-100, 30), p2=Point(-90, 30), name="Low"),
            SingleRay(p1=Point(-100, 45), p2=Point(-90, 45), name="High"),
            CircleGlass(p1=Point(0, 0), p2=Point(RADIUS, 0), ref_index=2.4, name="Drop"),
            Mirror(p1=Point(200, -100), p2=Point(200, 100), name="Mirror"),
        ]
    )
)


@pytest.mark.parametrize(
    ("arguments", "sources"), [("Drop", (0, 1)), ("Drop, Low", (0,)), ("Drop, High", (1,))]
)
def test_reflections_inside_a_drop_are_those_from_its_inside(
    arguments: str, sources: tuple[int, ...]
) -> None:
    result = trace(DROP)
    inside = np.hypot(*result.middle.T) < RADIUS
    begun = inside & (result.interaction == Interaction.REFLECT)
    chain = [0] * len(result)
    for row, parent in enumerate(result.parent.tolist()):
        chain[row] = (chain[parent] if parent >= 0 else 0) + int(begun[row])
    own = np.isin(result.source, sources)
    one, number, most = (
        m.value
        for m in measure_values(
            f"inner_reflections({arguments}); inner_reflections({arguments}, all);"
            f" most_inner_reflections({arguments})",
            DROP,
            result,
        )
    )
    assert one == 0, "most of the light goes straight through"
    assert number == np.count_nonzero(begun & own) > 1
    assert most == np.array(chain)[own].max() > 1
    assert np.count_nonzero(
        (result.interaction == Interaction.REFLECT) & ~inside & own
    )  # at the front, from outside


def test_total_reflections_count_too() -> None:
    """A ray at 60° from the normals of a guide of height h is reflected once in each length h tan
    60°.
    """
    height, length = 10.0, 100.0
    guide = Glass(
        path=(Vertex(0, 0), Vertex(length, 0), Vertex(length, height), Vertex(0, height)),
        ref_index=1.5,
        name="Guide",
    )
    sine = 1.5 * math.cos(math.radians(60))  # of the angle of incidence at the end of the guide
    start = SingleRay(p1=Point(-math.sqrt(1 - sine**2), 5 - sine), p2=Point(0, 5), name="Ray")
    document = Document(scene=Scene.of([start, guide]))
    inner, total = (
        m.value
        for m in measure_values(
            "most_inner_reflections(Guide); most_total_reflections(Guide)",
            document,
            trace(document),
        )
    )
    passes = 1 + math.floor(
        (length - 5 * math.tan(math.radians(60))) / (height * math.tan(math.radians(60)))
    )
    assert inner > total >= passes  # light that is reflected at the far end comes back


def test_what_is_no_glass_has_no_inside() -> None:
    (number,) = measure_values("inner_reflections(Mirror)", DROP, trace(DROP))
    assert "'Mirror' is no body of glass" in number.reason


def test_reflections_are_partial_total_and_at_mirrors_and_splitters() -> None:
    mirror = Mirror(p1=Point(200, -100), p2=Point(200, 100), name="Mirror")
    splitter = BeamSplitter(p1=Point(90, -10), p2=Point(110, 10), name="Splitter", trans_ratio=0.5)
    rays = [
        SingleRay(p1=Point(0, y), p2=Point(1, y), name=name)
        for name, y in (("Laser", 0), ("Other", 50))
    ]
    document = Document(scene=Scene.of([*rays, mirror, splitter]))
    result = trace(document)
    asked = (
        "reflections(all); reflections(Laser, all); reflections(Other); most_reflections();"
        " most_reflections(Other)"
    )
    # Laser: at the splitter, and of what that transmits, at the mirror and at the splitter again
    assert [m.value for m in measure_values(asked, document, result)] == [4, 3, 1, 2, 1]
    drop = trace(DROP)
    begun = np.isin(drop.interaction, (Interaction.REFLECT, Interaction.TIR))
    assert measure_values("reflections(all)", DROP, drop)[0].value == len(
        np.unique(drop.parent[begun])
    )
