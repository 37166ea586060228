"""Answers of measures: a sentence with the quantity, its objects, the value and the unit, and the
rays that it is about.
"""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.answers.answer import Answer
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools.light.measure import measure
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction
from raybench.trace.trace import trace

LENS = IdealLens(p1=Point(0, -20), p2=Point(0, 20), focal_length=100.0, name="Lens")
MIRROR = Mirror(p1=Point(180, -30), p2=Point(220, 30), name="Mirror")
SCREEN = Detector(p1=Point(50, -20), p2=Point(50, 20), name="Screen")
RED = Beam(p1=Point(-100, -10), p2=Point(-100, 10), brightness=0.5, name="Red")
BLUE = Beam(p1=Point(-100, -18), p2=Point(-100, -12), brightness=0.1, name="Blue")
DOCUMENT = Document(
    scene=Scene.of([LENS, SCREEN, MIRROR, RED, BLUE], settings=None).with_settings(
        color_mode="linear"
    )
)
CONTEXT = TracedScene.from_document(DOCUMENT, trace(DOCUMENT.scene))


def asked(text: str) -> Answer:
    with override_context(CONTEXT):
        return measure(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("power(Screen, Red)", "The power that arrives at Screen from Red is 10 (relative power)"),
        ("share(Screen)", "The share of the emitted power that arrives at Screen is 1 (100 %)"),
        ("width(Screen, Red)", "The full width of the light from Red on Screen is 10 mm"),
        (
            "incidence(Mirror, Red)",
            "The mean angle of incidence at Mirror of the light from Red is ",
        ),
        (
            "deviation(Mirror, Red)",
            "The angle by which Mirror deviates the light from Red is -112.62°, clockwise",
        ),
        ("prism_angle(Mirror)", "The refracting angle of Mirror is undefined: "),
        (
            "focus(Lens, Red)",
            (
                "The distance from the last surface of Lens to the best focus of the light from Red"
                " is 100 mm"
            ),
        ),
        (
            "focal_length(Lens, Red)",
            "The focal length of Lens for the traced light from Red is 100 mm",
        ),
        ("total_reflections()", "The number of total reflections is 0"),
        ("distance(Lens, Screen)", "The distance between the centres of Lens and Screen is 50 mm"),
        (
            "power(Screen, Red) / emitted(Red)",
            "The value of power(Screen, Red) / emitted(Red) is 1",
        ),
        (
            'path_rays("Red > Lens > Screen")',
            "The number of rays that follow Red > Lens > Screen is 10",
        ),
    ],
)
def test_an_answer_names_quantity_objects_value_and_unit(text: str, says: str) -> None:
    answer = asked(text)
    assert answer.sentence.startswith(says)
    assert answer.expression == text.replace('"', "")


def test_a_sign_is_explained() -> None:
    assert asked("direction(Lens, Blue)").sentence.endswith(
        "°, clockwise from the right"
    )  # from above the axis downwards
    before = asked("defocus(Screen, Red)").sentence
    assert (
        before
        == "The distance from Screen to the best focus of the light from Red along the beam is 50"
        " mm, behind it"
    )


def test_rays_of_a_measure() -> None:
    result = CONTEXT.result
    rays = asked("power(Screen, Red)").rays
    assert rays is not None
    screen = next(i for i, o in enumerate(DOCUMENT.scene.optical) if o.name == "Screen")
    assert (result.hit[rays.rows] == screen).all()
    assert float(result.total_arriving_power[rays.rows].sum()) == pytest.approx(10)
    bundle = asked("focus(Lens, Red)").rays
    assert bundle is not None
    assert (result.interaction[bundle.rows] == Interaction.LENS).all()
    assert len(bundle) == 10


def test_several_measures_highlight_the_rays_of_each() -> None:
    one, other, both = (
        asked(text).rays
        for text in (
            "power(Screen, Red)",
            "power(Screen, Blue)",
            "power(Screen, Red); power(Screen, Blue)",
        )
    )
    assert one is not None
    assert other is not None
    assert both is not None
    assert both.rows.tolist() == sorted({*one.rows.tolist(), *other.rows.tolist()})


def test_a_distance_of_objects_is_not_about_rays() -> None:
    assert asked("gap(Lens, Screen)").rays is None
    rays = asked("gap(Lens, Screen); rays(Screen)").rays
    assert rays is not None
    assert len(rays) > 0


def test_largest_incidence_highlights_its_ray() -> None:
    steepest, all_rays = (
        asked("largest_incidence(Screen, Red)").rays,
        asked("incidence(Screen, Red)").rays,
    )
    assert steepest is not None
    assert all_rays is not None
    assert 0 < len(steepest) < len(all_rays)
    assert np.isin(steepest.rows, all_rays.rows).all()
