"""Parts of documents: objects that stay parametric after they were made."""

import math

import pytest

from raybench.files.document_file import document_from_json, document_to_json
from raybench.scene.changes import (
    AddPreset,
    Delete,
    Duplicate,
    Mirror,
    Move,
    Point,
    Rotate,
    Scale,
    Set,
)
from raybench.scene.changes.reverting import revert_differences
from raybench.scene.parameters.parameter import InvalidParameter, read_parameter
from raybench.session import Session


@pytest.fixture
def session() -> Session:
    session = Session()
    values = {"focalLength": 100, "diameter": 25}
    session.apply([AddPreset("Achromat", values, Point(10, 5), 30, as_="Objective")])
    session.apply([AddPreset("EquilateralPrism", {"side": 40}, Point(300, 0), as_="Prism")])
    return session


def names(session: Session) -> list[str]:
    return [session.document.part_name(part) for part in session.document.parts]


def test_moved_turned_and_mirrored_parts_stay_parts(session: Session) -> None:
    session.apply([Move("Objective", dx=5), Rotate("Objective", 17.3), Mirror("Prism", axis=30)])
    assert names(session) == ["Objective", "Prism"]
    session.apply([Set("Prism", {"side": "5 cm"})])
    (prism,) = [o for o in session.document.scene.objects if o.title == "Prism"]
    corners = [v.point for v in prism.path]  # type: ignore[attr-defined]
    assert math.dist(corners[0], corners[1]) == pytest.approx(50)
    assert "side 40 mm -> 50 mm" in session.history.undo_text


def test_new_data_keep_keys_names_and_place(session: Session) -> None:
    before = session.document.scene
    crown = next(o for o in before.objects if o.title == "Objective crown")
    session.apply([Set("Objective crown", {"name": "Front"})])
    session.apply([Set("Objective", {"focalLength": 150})])
    session.apply([Set("Objective", {"focalLength": 100})])
    after = session.document.scene.get(crown.key)
    assert after is not None
    assert after.title == "Front"
    assert (
        next(p.present_objects.keys() for p in session.document.parts)
        == session.document.groups["Objective"]
    )
    for was, now in zip(crown.path, after.path, strict=True):  # type: ignore[attr-defined]
        assert now == pytest.approx(was, abs=1e-12)


def test_names_of_fields_follow_fields_that_were_alike_for_a_while() -> None:
    session = Session()
    session.apply([AddPreset("CentredLens", {}, Point(0, 0), as_="Lens")])
    for fields in ({"field2": 14}, {"field3": 20}):
        session.apply([Set("Lens", fields)])
    named = {o.title.split(",")[0] for o in session.document.scene.objects if "Field" in o.title}
    assert named == {"Lens Field 0°", "Lens Field 14°", "Lens Field 20°"}
    assert not any(o.title.endswith("nm 2") for o in session.document.scene.objects)


@pytest.mark.parametrize(
    "edit",
    [
        Set("Prism", {"path[0].x": 290}),
        Scale("Prism", 2),
        Set("Prism", {"refIndex": 1.7}),
    ],
)
def test_an_edit_by_hand_frees_the_objects(session: Session, edit: Set | Scale) -> None:
    session.apply([edit])
    assert names(session) == ["Objective"]
    assert "the objects of Prism are free now" in session.history.undo_text
    session.undo()
    assert names(session) == ["Objective", "Prism"]


def test_colour_lock_and_name_are_a_persons(session: Session) -> None:
    session.apply([Set("Prism", {"locked": "locked"}), Set("Prism", {"name": "P"})])
    assert names(session) == ["Objective", "P"]


def test_part_of_a_part_deleted_frees_the_rest(session: Session) -> None:
    session.apply([Delete("Objective crown")])
    assert names(session) == ["Prism"]
    assert "free now" in session.history.undo_text
    session.undo()
    session.apply([Delete("Objective")])
    assert "free" not in session.history.undo_text


def test_copies_are_parts_of_their_own(session: Session) -> None:
    session.apply([Duplicate("Objective", dx=100, count=2)])
    assert names(session) == ["Objective", "Prism", "Objective 2", "Objective 3"]
    assert [o.title for o in session.document.scene.objects if "crown" in o.title] == [
        "Objective crown",
        "Objective 2 crown",
        "Objective 3 crown",
    ]
    session.apply([Set("Objective 2", {"focalLength": 80})])
    assert [p.preset.focal_length for p in session.document.parts if len(p.keys) == 2] == [
        100,
        80,
        100,
    ]  # type: ignore[attr-defined]


def test_a_file_keeps_copies_that_were_brought_back_from_far_away() -> None:
    session = Session()
    session.apply([AddPreset("PentaPrism", {}, Point(-1e9, 0), 1, as_="Prism")])
    session.apply([Duplicate("Prism", dx=1e9, dy=360)])
    data = document_to_json(session.document)
    assert document_to_json(document_from_json(data)) == data


def test_a_file_keeps_parts_and_objects_edited_elsewhere_are_free(session: Session) -> None:
    session.apply([Rotate("Objective", 11)])
    data = document_to_json(session.document)
    again = document_from_json(data)
    assert [again.part_name(part) for part in again.parts] == ["Objective", "Prism"]
    assert document_to_json(again) == data
    data["scene"]["objs"][2]["path"][0]["x"] += 1
    assert [p.preset.label for p in document_from_json(data).parts] == ["Achromat"]


def test_reverted_edits_bring_parts_back(session: Session) -> None:
    before = session.document
    session.apply([Set("Prism", {"path[0].x": 290})])
    after = session.document
    session.apply([Move("Objective", dx=1)])
    now, left = revert_differences(session.document, before, after)
    assert [now.part_name(part) for part in now.parts] == ["Objective", "Prism"]
    assert not left


def test_data_are_parameters_of_studies(session: Session) -> None:
    found = read_parameter("Objective.focalLength", session.document)
    assert found.value_in_document(session.document) == 100
    session.apply([found.change(120)])
    assert found.value_in_document(session.document) == 120
    with pytest.raises(InvalidParameter, match="focalLength, diameter"):
        read_parameter("Objective.radius", session.document)


def test_parameters_and_links_read_where_a_part_was_placed(session: Session) -> None:
    places = {"Objective.centre_x": 10, "Objective.orientation": 30, "Prism.centre_y": 0}
    for name, value in places.items():
        parameter = read_parameter(name, session.document)
        assert parameter.value_in_document(session.document) == pytest.approx(value)
    session.apply(read_parameter("Objective.centre_x", session.document).change(25))
    assert session.document.parts[0].placement.dx == pytest.approx(25)
