"""Studies asked for in plain words: sweeps, best values, tolerances, and glasses by their numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from raybench.agent.by_hand.command_line import tool_without_model, typed_call
from raybench.agent.models.keywords import understand
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point, Vertex

PRISM = Glass(
    name="Prism",
    path=(Vertex(-50, 0), Vertex(0, -86.6025403784), Vertex(50, 0)),
    ref_index=1.5,
    partial_reflect=False,
)
DOCUMENT = Document(
    scene=Scene.of(
        [
            Beam(name="Laser", p1=Point(-120, -41), p2=Point(-120, -39), brightness=1),
            PRISM,
            IdealLens(name="Lens", p1=Point(150, -10), p2=Point(150, 90), focal_length=100),
            Detector(name="Screen", p1=Point(240, 0), p2=Point(240, 150)),
        ],
        Settings(ray_mode_density=3),
    )
)


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("Which angle of Prism gives the least deviation?", "optimise",
         {"vary": ["Prism.angle=-30..30"], "goals": ["least deviation(Prism)"], "whole_range": True}),
        ("at which angle of Prism is the deviation smallest", "optimise",
         {"vary": ["Prism.angle=-30..30"], "goals": ["least deviation(Prism)"], "whole_range": True}),
        ("which focal length of Lens between 50 and 150 mm gives the smallest spot on Screen?", "optimise",
         {"vary": ["Lens.focalLength=50..150"], "goals": ["least rms(Screen)"], "whole_range": True}),
        ("what focal length of Lens maximises the power on Screen", "optimise",
         {"vary": ["Lens.focalLength=50..200"], "goals": ["most power(Screen)"], "whole_range": True}),
        ("which index of Prism makes the deviation 40°?", "optimise",
         {"vary": ["Prism.refIndex=1.25..2"], "goals": ["|deviation(Prism)| = 40 deg"], "whole_range": True}),
        ("How sensitive is the spot on Screen to Lens.x?", "tolerance",
         {"vary": ["Lens.x±0.1"], "measures": ["rms(Screen)", "width(Screen)"]}),
        ("how sensitive is the centroid on Screen to the angle of Prism within 0.5 degrees", "tolerance",
         {"vary": ["Prism.angle±0.5"], "measures": ["centroid(Screen)"]}),
        ("how sensitive is the centroid on Screen to Lens.focalLength within 2%", "tolerance",
         {"vary": ["Lens.focalLength±2%"], "measures": ["centroid(Screen)"]}),
        ("how does the deviation of Prism depend on the angle of Prism from -10 to 10° in 5 steps", "sweep",
         {"axes": ["Prism.angle=-10..10:5"], "measures": "deviation(Prism)"}),
        ("sweep Prism.angle from -20 to 20 and plot power(Screen)", "sweep",
         {"axes": ["Prism.angle=-20..20"], "measures": "power(Screen)"}),
        ("plot rms(Screen, Laser); width(Screen) against the focal length of Lens from 50 to 150 mm in steps of 25 mm", "sweep",
         {"axes": ["Lens.focalLength=50..150:5"], "measures": "rms(Screen, Laser); width(Screen)"}),
        ("vary Lens.x from 0 to 10 and show power(Screen) / power(Lens)", "sweep",
         {"axes": ["Lens.x=0..10"], "measures": "power(Screen) / power(Lens)"}),
        ("minimise the spot on Screen by changing the focal length of Lens", "optimise",
         {"vary": ["Lens.focalLength=50..200"], "goals": ["least rms(Screen)"], "whole_range": True}),
        ("optimise Lens.x from -5 to 5 for the least rms(Screen)", "optimise",
         {"vary": ["Lens.x=-5..5"], "goals": ["least rms(Screen)"], "whole_range": True}),
        ("how does the deviation of Prism change with the index", "sweep",
         {"axes": ["Prism.refIndex=1.25..2"], "measures": "deviation(Prism)"}),
        ("plot the spot width behind Lens against the focal length from 50 to 150 mm", "sweep",
         {"axes": ["Lens.focalLength=50..150"], "measures": "spot_width(Lens)"}),
        ("which glass has n 1.62 and V 36", "find_glass", {"n_d": 1.62, "v_d": 36.0}),
        ("find a plastic with an index of 1.49 and an Abbe number of 57", "find_glass", {"n_d": 1.49, "v_d": 57.0, "family": "plastic"}),
    ],
)  # fmt: skip
def test_a_study_is_asked_for_in_words(question: str, tool: str, arguments: dict[str, Any]) -> None:
    found = understand(question, DOCUMENT)
    assert (found.tool, found.arguments, found.problem) == (tool, arguments, "")


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ("r1", "params.r1"),
        ("front radius", "params.r1"),
        ("back radius", "params.r2"),
        ("thickness", "params.d"),
    ],
)
def test_radii_and_thickness_of_a_lens_are_parameters(words: str, field: str) -> None:
    lens = SphericalLens(
        name="Ball", p1=Point(0, -10), p2=Point(0, 10), params={"d": 5.0, "r1": 40.0, "r2": 50.0}
    )
    document = Document(scene=Scene.of([*DOCUMENT.scene.objects, lens]))
    found = understand(
        f"which {words} of Ball from 3 to 30 mm gives the smallest spot on Screen?", document
    )
    assert (found.problem, (found.arguments or {}).get("vary")) == ("", [f"Ball.{field}=3..30"])


def test_the_least_deviation_is_found_also_from_where_light_is_totally_reflected() -> None:
    """As the prism stands first the light does not leave its other side: only beyond a jump is
    there less deviation.
    """
    session = Session.open("example:minimum-deviation")
    typed_call(
        session, tool_without_model("change_scene"), (), {"changes": [{"rotate": "Prism", "by": 7}]}
    )
    found = understand("Which angle of Prism gives the least deviation?", session.document)
    outcome = typed_call(session, tool_without_model(found.tool), (), found.arguments)
    least = 2 * math.degrees(math.asin(0.75)) - 60
    assert abs(outcome.value["goal"][0]["after"]) == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        (
            "optimise the position of Lens for the smallest spot on Screen",
            "Which coordinate of Lens? Such as: x of Lens",
        ),
        (
            "which x of Lens gives the smallest spot on Screen",
            "In which range of Lens.x? Such as: from -5 to 5.",
        ),
        (
            "which x of Lens from 40 to 80 gives the smallest spot on Screen",
            "Lens.x is counted from where it is now, which is 0",
        ),
        (
            "how does the power at Screen depend on the angle of Lens from 5 to 10",
            "or write “Lens.angle from 5 to 10”",
        ),
        (
            "which focal length of Lens from 80 to 20 gives the smallest spot on Screen",
            "which is not above 80",
        ),
        (
            "sweep Prism.angle from -20 to 20 in steps of 7 and plot power(Screen)",
            "Steps of 7 do not lead from -20 to 20.",
        ),
        ("sweep Prism.angle and plot power(Scren)", "Did you mean 'Screen'?"),
        ("sweep Prism.angle from -20 to 20", "Which measure? Such as: and show the focal length."),
        ("how does the deviation of Prism change with the weather", "with the weather"),
        ("sweep the index from 1 to 2", "Which measure?"),
        ("which colour of Prism gives the least deviation", "Prism has no colour"),
        ("which angle of Prism gives the least deviation and the best coffee", "“best coffee”"),
        ("how sensitive is the power at Screen to the angle of Prism and the weather", "“weather”"),
        ("which glass has n 1.62 and V 36 and is cheap", "“cheap”"),
        ("how does the rms on Screen depend on the angle of Prism on Mondays", "on Mondays"),
    ],
)
def test_what_is_missing_or_too_much_is_told(question: str, problem: str) -> None:
    found = understand(question, DOCUMENT)
    assert found.tool == ""
    assert problem in found.problem


def asked(question: str) -> Any:
    found = understand(question, DOCUMENT)
    return typed_call(Session(DOCUMENT), tool_without_model(found.tool), (), found.arguments)


def test_the_least_deviation_is_that_of_the_textbook_whatever_its_sign() -> None:
    found = asked("which angle of Prism gives the least deviation")
    least = 2 * math.degrees(math.asin(1.5 * math.sin(math.radians(30)))) - 60
    assert abs(found.value["goal"][0]["after"]) == pytest.approx(least, abs=1e-6)
    reached = asked("which angle of Prism makes the deviation 40°")
    assert abs(reached.value["goal"][0]["after"]) == pytest.approx(40, abs=1e-6)


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        (
            "which paths lead from Laser to Screen",
            "find_paths_xml",
            {"pattern": "Laser > * > Screen"},
        ),
        (
            "how much power comes back to Screen",
            "measure_xml",
            {"measures": "power(Screen); share(Screen)"},
        ),
        ("where does Laser hit Screen", "measure_xml", {"measures": "centroid(Screen, Laser)"}),
        ("where does Laser reach Screen", "measure_xml", {"measures": "centroid(Screen, Laser)"}),
        (
            "where does the light of Laser reach Screen",
            "measure_xml",
            {"measures": "centroid(Screen, Laser)"},
        ),
        ("where does the light reach Screen", "measure_xml", {"measures": "centroid(Screen)"}),
        ("where on Screen does the light arrive", "measure_xml", {"measures": "centroid(Screen)"}),
        ("how wide is the beam at Screen", "measure_xml", {"measures": "width(Screen)"}),
        ("how far must Screen be moved to be in focus", "spot_xml", {"object_name": "Screen"}),
        (
            "by how much does Prism deviate the beam",
            "measure_xml",
            {"measures": "deviation(Prism, Laser)"},
        ),
    ],
)
def test_what_an_engineer_asks_is_understood(
    question: str, tool: str, arguments: dict[str, Any]
) -> None:
    found = understand(question, DOCUMENT)
    assert (found.tool, found.arguments, found.problem) == (tool, arguments, "")


def test_a_measure_without_a_value_is_told_with_its_reason() -> None:
    found = asked("how sensitive is the rms on Screen to Lens.x")
    assert "rms(Screen) is undefined: No light arrives at 'Screen'" in found.notes
    assert "nan" not in found.model_text.lower()
