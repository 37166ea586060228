"""Measures at an aperture, which light only passes."""

from __future__ import annotations

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Aperture
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace

LAMP = Beam(p1=Point(0, -5), p2=Point(0, 5), name="Lamp")
PASSES = "Light passes it without meeting it: name the object before or after it."


def reason(expression: str, opening: float) -> str:
    stop = Aperture(
        p1=Point(50, -40),
        p2=Point(50, 40),
        p3=Point(50, -opening),
        p4=Point(50, opening),
        name="Stop",
    )
    document = Document(scene=Scene.of([LAMP, stop], Settings(ray_mode_density=1.0)))
    (value,) = measure_values(expression, document, trace(document))
    return value.reason


@pytest.mark.parametrize(
    "of", ["direction(Stop)", "divergence(Stop)", "beam_width(Stop)", "focus(Stop)"]
)
def test_an_opening_does_not_send_light(of: str) -> None:
    assert reason(of, 10) == f"No light leaves 'Stop'. {PASSES}"


def test_nor_does_it_arrive() -> None:
    assert (
        reason("arriving_direction(Stop, Lamp)", 10)
        == f"No light of 'Lamp' arrives at 'Stop'. {PASSES}"
    )


def test_where_nothing_passes_nothing_is_said_of_it() -> None:
    assert reason("direction(Stop)", 0) == "No light leaves 'Stop'."


@pytest.mark.parametrize(
    "of", ["arriving_width(Stop)", "arriving_direction(Stop)", "arriving_divergence(Stop, Lamp)"]
)
def test_the_screen_around_an_opening(of: str) -> None:
    assert (
        reason(of, 2)
        == "Only a part of the light meets 'Stop': name the object before or after it."
    )
    assert reason(of, 0) == ""
