"""The tools that make, improve and tolerance lens systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.core.agent.scene_tools.called_tool import call

from raybench.agent.turn.scene_text import scene_text
from raybench.lens.design import Configuration
from raybench.lens.in_document import lens_design, set_design
from raybench.lens.paraxial import first_order
from raybench.lens.report import report_lens
from raybench.lens.tolerance import COMMERCIAL
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session

DOUBLET: list[list[Any]] = [[61, 6, "N-BK7"], [-45, 2.5, "N-SF5"], [-130, 97]]
PATENT: list[list[Any]] = [
    ["radius", "thickness", "nd", "vd", "semi-diameter"],
    [21.52, 3.44, 1.62041, 60.3, 8],
    [None, 3.09, None, None, 8],
    [-25.97, 1.2, 1.62004, 36.4, 6],
    [22.19, 3.54, None, None, 6],
    [79.63, 4.29, 1.62041, 60.3, 7],
    [-20.15, 46, None, None, 7],
]


@pytest.fixture
def session() -> Session:
    return Session(Document(scene=Scene()))


@pytest.fixture
def doublet(session: Session) -> Session:
    made = call(
        session,
        "edit_lens",
        lens="Objective",
        rows=DOUBLET,
        aperture="F/5",
        fields=[0, 1],
        links=["t3 = focus"],
    )
    assert made.ok, made.text
    return session


def test_a_triplet_of_a_patent_is_made_in_one_call(session: Session) -> None:
    made = call(session, "edit_lens", rows=PATENT, stop=4, aperture="pupil 11", fields=[0, 14])
    assert "focal length 49." in made.value
    system = lens_design(session.document).system
    assert (system.stop, len(system.surfaces), system.surfaces[2].semi_diameter) == (3, 6, 6)
    assert str(system.surfaces[2].glass) == "1.62004/36.4"
    assert len(session.history.done) == 1


def test_a_wrong_row_is_named_and_nothing_is_made(session: Session) -> None:
    wrong = call(session, "edit_lens", rows=[[61, 6, "N-BK8"], [-45, 97]])
    assert not wrong.ok
    assert "Line 1" in wrong.text
    assert "N-BK7" in wrong.text
    for words, remedy in (
        ({"aperture": "large"}, "F/5"),
        ({"links": ["t3 is the focus"]}, "t6 = focus"),
        ({"stop": 4}, "1 to 2"),
    ):
        refused = call(session, "edit_lens", rows=[[61, 6, "N-BK7"], [-45, 97]], **words)
        assert not refused.ok
        assert remedy in refused.text
    assert session.history.done == []


def test_parts_of_a_lens_change_and_links_follow(doublet: Session) -> None:
    assert call(doublet, "edit_lens", focal_length=75).ok
    first = first_order(lens_design(doublet.document).system)
    assert (first.focal_length, first.f_number) == (pytest.approx(75), pytest.approx(5))
    assert call(doublet, "edit_lens", values={"r1": 50, "k3": -1, "semi": 9}).ok
    design = lens_design(doublet.document)
    assert [s.semi_diameter for s in design.system.surfaces] == [9, 9, 9]
    assert design.solves
    told = call(doublet, "edit_lens", aperture="F/2.8").text
    assert "surfaces 1 (9, needed" in told
    assert call(doublet, "edit_lens", values={"t3": 60, "semi": None}).ok
    assert not lens_design(doublet.document).solves
    assert call(doublet, "edit_lens", reverse=True, links=[]).ok
    assert lens_design(doublet.document).system.surfaces[2].radius == -50


def test_a_relay_is_kept_symmetric_by_pickups(session: Session) -> None:
    half = [[60, 4, "N-BK7"], [-60, 10, None], [None, 10, None]]
    rows = [*half, [60, 4, "N-BK7"], [-60, 90, None]]
    made = call(
        session, "edit_lens", rows=rows, stop=3, aperture="NA 0.05", object_distance=60,
        fields=[0, 5], field_kind="object height", links=["r4 = -r2", "r5 = -r1", "t5 = focus"],
    )  # fmt: skip
    assert made.ok, made.text
    better = call(session, "improve_lens", want=["magnification = -1"], vary=["c1", "c2", "t2"])
    assert better.ok, better.text
    system = lens_design(session.document).system
    assert system.surfaces[3].radius == -system.surfaces[1].radius
    assert first_order(system).magnification == pytest.approx(-1, abs=0.01)


def test_an_achromat_is_found_as_one_step(doublet: Session) -> None:
    before = doublet.document
    spot = report_lens(lens_design(before).system).fields[1].rms_spot
    found = call(doublet, "improve_lens", want=["focal length = 100"])
    system = lens_design(doublet.document).system
    assert first_order(system).focal_length == pytest.approx(100, abs=0.01)
    assert report_lens(system).fields[1].rms_spot < spot / 2
    assert "focal length = 100: 99.1546 -> 100" in found.text
    assert doublet.undo()
    assert doublet.document is before


def test_what_is_wanted_is_scaled_with_the_lens(doublet: Session) -> None:
    assert call(doublet, "improve_lens", want=["focal length = 100"], vary=["c1", "c3"]).ok
    assert call(doublet, "edit_lens", focal_length=50).ok
    assert lens_design(doublet.document).operands[0].target == pytest.approx(50, abs=0.01)
    assert call(doublet, "edit_lens", links=["r3 = -2 r1"]).ok
    assert [v.parameter for v in lens_design(doublet.document).variables] == ["c1"]
    assert call(doublet, "edit_lens", values={"r1": "5 cm"}).ok
    assert lens_design(doublet.document).system.surfaces[2].radius == pytest.approx(-100)
    nothing = call(doublet, "edit_lens", values={"r1": 50})
    assert "Nothing is changed" in nothing.text


def test_glasses_are_chosen_among_those_given(doublet: Session) -> None:
    names = ["N-BK7", "N-K5", "N-F2"]
    assert call(doublet, "improve_lens", glasses=names, seconds=100).ok
    glasses = {s.glass for s in lens_design(doublet.document).system.surfaces} - {"AIR"}
    assert glasses <= {*names}
    assert len(glasses) == 2


def test_what_is_no_operand_is_told_with_those_that_there_are(doublet: Session) -> None:
    wrong = call(doublet, "improve_lens", want=["sharpness = 1"])
    assert not wrong.ok
    assert "rms spot" in wrong.text
    assert "no parameter" in call(doublet, "improve_lens", vary=["c9"]).text
    assert "= VALUE" in call(doublet, "improve_lens", want=["focal length"]).text
    assert "mtf at 50" in call(doublet, "improve_lens", want=["mtf"]).text


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("edit_lens", {"values": {"": 1}}, "no parameter"),
        ("edit_lens", {"values": {"r1": 10**400}}, "too large"),
        ("improve_lens", {"want": ["rms spot in configuration 3"]}, "no configuration 3"),
        ("improve_lens", {"glasses": ["Germanium"]}, "Choose among other glasses"),
        ("tolerance_lens", {"limits": ["rms spot of 9 < 1"]}, "no number 9"),
        ("tolerance_lens", {"limits": ["rms spot in configuration 4 < 1"]}, "no configuration 4"),
        ("tolerance_lens", {"adjust": ["r1"]}, "Let c1 vary"),
        ("tolerance_lens", {"samples": -1}, "-1 samples"),
    ],
)
def test_wrong_arguments_are_refused_with_a_reason(
    doublet: Session, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert message in call(doublet, tool, **arguments).text


def test_a_new_aspheric_term_is_told(doublet: Session) -> None:
    assert "a1_4 0 -> 1e-07" in call(doublet, "edit_lens", values={"a1_4": 1e-7}).text


def test_all_configurations_are_told(doublet: Session) -> None:
    near = Configuration((("objectDistance", 1000.0),))
    design = replace(lens_design(doublet.document), configurations=(Configuration(()), near))
    doublet.apply([set_design(doublet.document, "Objective", design)])
    want = ["magnification in configuration 2 = -0.11"]
    told = call(doublet, "improve_lens", want=want, vary=["c1"]).text
    assert "magnification in configuration 2 = -0.11: -0.1" in told


def test_tolerances_tell_what_matters_and_the_yield(doublet: Session) -> None:
    limits = ["focal length = 98..100"]
    found = call(doublet, "tolerance_lens", limits=limits, adjust=["t3"], samples=20).value
    assert {row["parameter"] for row in found["most sensitive"]} >= {"r1", "n1", "t1"}
    by = next(row["by"] for row in found["most sensitive"] if row["parameter"] == "n1")
    assert by == COMMERCIAL.index
    assert found["yields"][0]["samples"] == found["samples"] == 20
    assert "no bound" in call(doublet, "tolerance_lens", limits=["rms spot"]).text


def test_a_lens_is_told_in_one_line_with_its_data(doublet: Session) -> None:
    lines = scene_text(doublet.document).splitlines()
    (line,) = [line for line in lines if line.startswith("- 'Objective")]
    assert "focal length 99.1546 mm, f/5" in line
    assert "6 sources" in line
    (read,) = call(doublet, "read_objects", names=["Objective"]).value
    assert "f/5" in read["data"]
    assert "Objective Image" in read["objects"]
    told = call(doublet, "read_lens_xml").text
    assert told.count("<surface") == 3
    assert "t3 = focus" in told
    assert "<seidel" in call(doublet, "read_lens_xml", show="seidel").text
