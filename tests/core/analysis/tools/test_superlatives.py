"""Questions for the object with the largest or the smallest value."""

from __future__ import annotations

import re

import pytest
from tests.core.analysis.tools.asking import ask, prism, traced

from raybench.agent.models.keywords import understand
from raybench.analysis.agentic_tools import measure_xml
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

LENSES = (
    IdealLens(p1=Point(0, -10), p2=Point(0, 10), focal_length=50, name="A"),
    IdealLens(p1=Point(30, -10), p2=Point(30, 10), focal_length=-80, name="B"),
    IdealLens(p1=Point(60, -10), p2=Point(60, 10), focal_length=20, name="C"),
)
SCREENS = (
    Detector(p1=Point(80, -1), p2=Point(80, 1), name="Left"),
    Detector(p1=Point(90, -10), p2=Point(90, 10), name="Right"),
)
MIRRORS = (
    Mirror(p1=Point(-50, -10), p2=Point(-40, 10), name="M1"),
    Mirror(p1=Point(-60, -10), p2=Point(-60, 10), name="M2"),
)
GLASSES = (
    prism(60.0, n=1.5, name="Crown"),
    CircleGlass(p1=Point(200, 0), p2=Point(210, 0), ref_index=1.8, name="Flint"),
)
LASER = SingleRay(p1=Point(-20, 0.1), p2=Point(0, 0.1), name="Laser")
BENCH = Document(
    scene=Scene.of(
        [LASER, PointSource(x=-30, y=40, name="Star"), *LENSES, *SCREENS, *MIRRORS, *GLASSES]
    )
)


@pytest.mark.parametrize(
    ("question", "measures", "order"),
    [
        (
            "which lens has the longest focal length?",
            "nominal_focal_length(A); nominal_focal_length(B); nominal_focal_length(C)",
            "largest first",
        ),
        (
            "Which of the lenses has the shortest focal length",
            "nominal_focal_length(A)",
            "smallest first",
        ),
        (
            "what is the lens with the largest focal length?",
            "nominal_focal_length(A)",
            "largest first",
        ),
        ("which detector receives the most light", "power(Left); power(Right)", "largest first"),
        ("which screen gets the least power?", "power(Left); power(Right)", "smallest first"),
        (
            "which mirror has the largest angle of incidence",
            "incidence(M1); incidence(M2)",
            "largest first",
        ),
        ("which glass absorbs the most?", "absorbed(Crown); absorbed(Flint)", "largest first"),
        ("which source is the strongest?", "emitted(Laser); emitted(Star)", "largest first"),
        ("which lamp is the weakest?", "emitted(Laser); emitted(Star)", "smallest first"),
        ("which mirror is hit by the most light", "power(M1); power(M2)", "largest first"),
        ("which screen gets less light?", "power(Left); power(Right)", "smallest first"),
        ("which of Left and Right gets more light?", "power(Left); power(Right)", "largest first"),
        ("which of Left or Right gets the fewer rays", "rays(Left); rays(Right)", "smallest first"),
        (
            "which glass has the bigger refractive index?",
            "refractive_index(Crown); refractive_index(Flint)",
            "largest first",
        ),
        (
            "which lens is stronger?",
            "nominal_focal_length(A); nominal_focal_length(B)",
            "smallest first",
        ),
        ("which mirror is hit by the fewest rays", "rays(M1); rays(M2)", "smallest first"),
        (
            "which glass has the highest refractive index?",
            "refractive_index(Crown); refractive_index(Flint)",
            "largest first",
        ),
        (
            "which glass has the lowest index",
            "refractive_index(Crown); refractive_index(Flint)",
            "smallest first",
        ),
        (
            "which glass absorbs the most light from Laser?",
            "absorbed(Crown, Laser); absorbed(Flint, Laser)",
            "largest first",
        ),
    ],
)
def test_a_superlative_measures_each_of_the_objects_the_one_it_asks_for_first(
    question: str, measures: str, order: str
) -> None:
    found = understand(question, BENCH)
    assert found.tool == "measure_xml", found.problem
    assert found.arguments is not None
    assert found.arguments["measures"].startswith(measures)
    assert found.arguments["order"] == order


@pytest.mark.parametrize(
    "question",
    ["which lens has the most colourful focal length", "which lens has the nicest focal length"],
)
def test_a_question_with_another_word_is_not_answered_in_part(question: str) -> None:
    assert not understand(question, BENCH).tool


def test_a_superlative_of_objects_that_the_scene_does_not_have_is_refused() -> None:
    found = understand("which grating has the largest angle of incidence", BENCH)
    assert not found.tool
    assert "There is no grating in this scene." in found.problem


def test_values_are_listed_by_their_magnitude_each_quantity_alone_and_undefined_ones_last() -> None:
    context = traced(LASER, *LENSES, Detector(p1=Point(300, 300), p2=Point(300, 310), name="Dark"))
    asked = (
        "nominal_focal_length(A); nominal_focal_length(B); nominal_focal_length(C); rms(Dark);"
        " incidence(Dark); incidence(A)"
    )

    def of(order: str) -> list[str]:
        answer = ask(context, measure_xml, asked, order=order)
        return [
            re.sub(r"\(.*", "", m.attrib["of"])[:3] + m.attrib["of"][-2]
            for m in answer.iter("measure")
        ]

    assert of("") == ["nomA", "nomB", "nomC", "rmsk", "inck", "incA"]
    assert of("largest first") == ["nomB", "nomA", "nomC", "rmsk", "incA", "inck"]
    assert of("smallest first") == ["nomC", "nomA", "nomB", "rmsk", "incA", "inck"]


def test_an_order_that_does_not_exist_is_refused() -> None:
    with pytest.raises(
        RaybenchError, match=r"no order 'alphabetical'\. Give largest first or smallest first"
    ):
        ask(traced(LASER, *LENSES), measure_xml, "nominal_focal_length(A)", order="alphabetical")
