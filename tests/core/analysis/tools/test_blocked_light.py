"""What an object takes from others: the closed form is the part of a beam that it covers."""

from __future__ import annotations

import pytest

from raybench.analysis.agentic_tools import blocked_light_xml
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Blocker
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace


def folded_telescope() -> Document:
    """A beam of 10, of which a diagonal mirror takes 2 before a mirror sends the rest back."""
    return Document(
        scene=Scene.of(
            [
                Beam(name="Star", p1=Point(0, -5), p2=Point(0, 5), brightness=1.0),
                Mirror(name="Primary", p1=Point(90, -5), p2=Point(90, 5)),
                Mirror(name="Diagonal", p1=Point(49, 1), p2=Point(51, -1)),
                Blocker(name="Aside", p1=Point(20, 30), p2=Point(30, 30)),
            ],
            Settings(ray_mode_density=1.0),
        )
    )


def test_an_object_takes_the_part_that_it_covers() -> None:
    document = folded_telescope()
    result = trace(document)
    values = measure_values(
        "blocked(Diagonal, Primary) / emitted(); blocked(Aside, Primary); blocked(Primary, Diagonal);"
        " blocked(Diagonal, Diagonal)",
        document,
        result,
    )
    assert values[0].value == pytest.approx(2 / 10)
    assert values[1].value == 0
    assert values[2].value == 0
    assert "takes no light from itself" in values[3].reason


def test_what_is_blocked_is_told_of_each_object() -> None:
    document = folded_telescope()
    with override_context(TracedScene.from_document(document, trace(document))):
        answer = blocked_light_xml("Diagonal")
    assert '<target name="Primary"' in answer
    assert 'share="0.2"' in answer
    assert "Aside" not in answer
