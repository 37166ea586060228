"""A lens system as a part of a document."""

import math

import pytest

import raybench as rb
from raybench.errors import SceneFileError
from raybench.files.document_file import document_from_json, document_to_json
from raybench.lens.design import design_to_json
from raybench.lens.in_document import lens_design, lens_parts, lens_systems
from raybench.lens.paraxial import first_order
from raybench.scene.changes import (
    AddPreset,
    ChangeRefused,
    Delete,
    Duplicate,
    Move,
    Point,
    Rotate,
    Set,
    SetDocument,
)
from raybench.scene.names import UnknownName
from raybench.scene.parameters.numbers import parameter_names
from raybench.scene.parameters.parameter import read_parameter
from raybench.session import Session
from raybench.study.terms.parameter import read_choices


@pytest.fixture
def session() -> Session:
    session = Session()
    session.apply([AddPreset("CentredLens", {}, Point(10, 5), 30, as_="Objective")])
    return session


def titles(session: Session) -> list[str]:
    return [o.title.removeprefix("Objective ") for o in session.document.scene.objects]


def test_its_numbers_are_set_by_name(session: Session) -> None:
    session.apply([Set("Objective", {"r1": "2.5 cm", "glass3": "N-SF5", "field2": 7})])
    system = lens_design(session.document).system
    assert (system.surfaces[0].radius, system.surfaces[2].glass) == (25, "N-SF5")
    assert "Field 7°, 587.562 nm" in titles(session)
    assert "radius of surface 1 21.52 mm -> 25 mm" in session.history.undo_text
    session.undo()
    assert lens_design(session.document).system.surfaces[0].radius == 21.52


def test_links_stay_in_force(session: Session) -> None:
    session.apply([Set("Objective", {"t1": 5})])
    system = lens_design(session.document).system
    assert system.surfaces[5].thickness == pytest.approx(first_order(system).image, rel=1e-12)
    with pytest.raises(ChangeRefused, match="t6 is solved for a paraxial focus"):
        session.apply([Set("Objective", {"t6": 40})])
    with pytest.raises(ChangeRefused, match="cross"):
        session.apply([Set("Objective", {"t1": 0.2})])
    assert lens_design(session.document).system == system


def test_a_design_replaces_rows(session: Session) -> None:
    design = design_to_json(lens_design(session.document))
    design["system"]["surfaces"][:2] = []
    design["system"]["stop"] = 1
    design["solves"][0]["parameter"] = "t4"
    keys = {o.title: o.key for o in session.document.scene.objects}
    session.apply([Set("Objective", {"design": design})])
    assert titles(session)[-3:] == ["Surfaces 1 and 2", "Surfaces 3 and 4", "Image"]
    last = session.document.scene.objects[-1]
    assert last.key == keys["Objective Image"]
    assert {o.key for o in session.document.scene.objects} == session.document.groups["Objective"]


def test_sources_and_the_detector_can_be_deleted(session: Session) -> None:
    session.apply([Delete(["Objective Image", "Objective Field 0°, 486.133 nm"])])
    session.apply([Set("Objective", {"r1": 22})])
    assert "Image" not in titles(session)
    assert "Field 0°, 486.133 nm" not in titles(session)
    session.apply([Set("Objective", {"sources": False})])
    assert titles(session) == ["Surfaces 1 and 2", "Surfaces 3 and 4", "Surfaces 5 and 6"]


def test_a_glass_edited_by_hand_frees_the_lens(session: Session) -> None:
    session.apply([Move("Objective Surfaces 1 and 2", dx=1)])
    assert not lens_parts(session.document)
    assert "the objects of Objective are free now" in session.history.undo_text


def test_turned_aspheres_stay_one_lens(session: Session) -> None:
    design = design_to_json(lens_design(session.document))
    design["system"]["surfaces"][0] |= {"conic": -0.5, "aspheric": [0, 1e-7]}
    session.apply([Set("Objective", {"design": design})])
    session.apply([Rotate("Objective", 20), Duplicate("Objective", dx=100)])
    assert list(lens_parts(session.document)) == ["Objective", "Objective 2"]
    with pytest.raises(UnknownName, match="several lens systems; name one"):
        lens_design(session.document)
    session.apply([Set("Objective 2", {"k1": -0.6, "a1_4": 2e-7})])
    system = lens_design(session.document, "Objective 2").system
    assert system.surfaces[0].aspheric == (0, 2e-7)
    data = document_to_json(session.document)
    assert list(lens_parts(document_from_json(data))) == ["Objective", "Objective 2"]


def test_its_numbers_are_parameters_of_studies(session: Session) -> None:
    radius = read_parameter("Objective.r4", session.document)
    assert radius.unit_text(session.document) == "mm"
    session.apply([radius.change(23)])
    assert radius.value_in_document(session.document) == 23
    glass = read_choices("Objective.glass1", ["N-LAK9", "N-SK16"], session.document)
    session.apply([glass.change(0)])
    assert lens_design(session.document).system.surfaces[0].glass == "N-LAK9"
    session.apply([Set("Objective", {"r2": "Infinity"})])
    assert math.isinf(lens_design(session.document).system.surfaces[1].radius)
    offered = parameter_names(session.document)
    assert "Objective.r1" in offered
    assert "Objective.r2" not in offered  # a plane has no number to vary


def test_its_design_is_in_the_unit_of_the_scene(session: Session) -> None:
    session.apply([SetDocument(unit="cm")])
    assert lens_design(session.document).system.unit == "cm"
    assert lens_systems(session.document)["Objective"].unit == "cm"


def test_a_damaged_place_is_refused_in_a_line(session: Session) -> None:
    data = document_to_json(session.document)
    data["parts"][0]["placement"][0] = 10**400
    with pytest.raises(SceneFileError, match="'parts' cannot be read"):
        document_from_json(data)


def test_mounts_block_light_beside_the_glasses(session: Session) -> None:
    def power() -> float:
        return float(rb.Scene.of(session.document).trace().measure("power(Objective Image)"))

    session.apply([Set("Objective", {f"semi{i}": 3 for i in range(1, 7)})])
    with_light_beside = power()
    session.apply([Set("Objective", {"mounts": True})])
    assert "Mount of surface 1" in titles(session)
    assert power() < 0.8 * with_light_beside
