"""The differences between documents in words, and taking them back object by object."""

from __future__ import annotations

from raybench.files.document_file import document_from_json, document_to_json
from raybench.kinds.decorations import Handle
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import (
    Add,
    Delete,
    Disable,
    Group,
    LabelEdge,
    Move,
    Reorder,
    Set,
    SetDocument,
    SetSettings,
    apply_changes,
)
from raybench.scene.changes.differences import document_differences
from raybench.scene.changes.reverting import revert_differences
from raybench.scene.changes.setting import unknown_scene_entries
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point, Vertex


def document() -> Document:
    corners = (Vertex(0, 0), Vertex(40, 0), Vertex(20, 30))
    return Document(
        scene=Scene.of(
            [
                Glass(name="Wedge", path=corners),
                Mirror(name="Fold", p1=Point(0, 50), p2=Point(50, 50)),
                Mirror(name="Back", p1=Point(0, 90), p2=Point(50, 90)),
            ]
        )
    )


def told(before: Document, after: Document) -> list[str]:
    return [str(d) for d in document_differences(before, after)]


def test_each_value_is_told_with_its_name_and_unit() -> None:
    before = document()
    changes = [
        Set("Wedge", {"refIndex": 1.7, "path[1].x": 44}),
        Set("Back", {"name": "Rear"}),
        Delete("Fold"),
        Add([Mirror(name="New", p1=Point(0, 0), p2=Point(1, 1))]),  # type: ignore[arg-type]
        Disable("Wedge"),
        LabelEdge("Wedge", edge="N", as_="Entrance"),
        Group(["Wedge", "Rear"], as_="Pair"),
        SetSettings({"rayModeDensity": 0.5}),
        SetDocument(unit="cm", name="Bench"),
    ]
    after = apply_changes(changes, before)
    found = told(before, after)
    assert "Wedge: refractive index 1.5 -> 1.7" in found
    assert "Wedge: outline[1] (40, 0) cm -> (44, 0) cm" in found
    assert "Rear: name Back -> Rear" in found
    assert "Fold deleted" in found
    assert "New added (mirror)" in found
    assert "Wedge: disabled no -> yes" in found
    assert "Wedge: label of edge 0 none -> Entrance" in found
    assert "Group Pair: objects none -> Wedge, Rear" in found
    assert any(line.startswith("Settings: ") and line.endswith(" -> 0.5") for line in found)
    assert "Document: unit mm -> cm" in found
    assert "Document: name none -> Bench" in found
    assert len(found) == 11
    assert told(before, before) == []


def test_what_belongs_to_the_document_is_told_and_goes_back() -> None:
    values = {
        "studies": {"Turn": {"kind": "sweep"}},
        "background": {"file": "map.png"},
        "kept": {"author": "me"},
    }
    before = apply_changes(SetDocument(**values), document())  # type: ignore[arg-type]
    after = apply_changes(
        SetDocument(
            studies={"Turn": {"kind": "optimise"}, "New": {"kind": "sweep"}}, background={}, kept={}
        ),
        before,
    )
    assert told(before, after) == [
        "Study New: definition none -> defined",
        "Study Turn: definition defined -> redefined",
        "Kept entry author: value defined -> none",
        "Document: background map.png at (0, 0), scale 1, opacity 1 -> none",
    ]
    back, left = revert_differences(apply_changes(SetDocument(name="Bench"), after), before, after)
    assert left == ()
    assert (back.studies, back.background, back.scene.name) == (
        before.studies,
        before.background,
        "Bench",
    )
    assert unknown_scene_entries(back.scene) == {"author": "me"}
    by_hand = apply_changes(SetDocument(background={"file": "other.png"}, studies={}), after)
    back, left = revert_differences(by_hand, before, after)
    assert (left, back.background, back.studies) == (
        ("Study Turn", "the background"),
        by_hand.background,
        {},
    )


def test_a_long_outline_is_told_as_a_whole() -> None:
    before = document()
    many = Document(
        scene=Scene.of([Glass(name="Disc", path=tuple(Vertex(i, i * i) for i in range(12)))])
    )
    (whole,) = told(many, apply_changes(Move("Disc", dx=1), many))
    assert whole.startswith("Disc: outline (0, 0) mm, (1, 1) mm")
    assert "-> (1, 0) mm, (2, 1) mm" in whole
    assert len(told(before, apply_changes(Move("Wedge", dx=1), before))) == 3


def test_what_still_is_as_it_became_goes_back_and_the_rest_is_left() -> None:
    before = document()
    after = apply_changes(
        [
            Set("Wedge", {"refIndex": 1.7}),
            Move("Fold", dx=5),
            Delete("Back"),
            SetSettings({"rayModeDensity": 0.5}),
        ],
        before,
    )
    later = apply_changes(
        [Set("Fold", {"p1.x": 9}), SetDocument(name="Bench"), Disable("Fold")], after
    )
    back, left = revert_differences(later, before, after)
    assert left == ("Fold",)
    assert [o.name for o in back.scene.objects] == ["Wedge", "Fold", "Back"]
    assert [o.key for o in back.scene.objects] == [o.key for o in before.scene.objects]
    assert back.scene.objects[0] == before.scene.objects[0]
    assert back.scene.objects[1] == later.scene.objects[1]
    assert back.scene.settings == before.scene.settings
    assert back.scene.name == "Bench"
    assert back.disabled == later.disabled


def test_what_was_added_is_removed_with_its_annotations_unless_it_was_changed() -> None:
    before = document()
    new = Mirror(name="New", p1=Point(0, 0), p2=Point(1, 1))
    after = apply_changes([Add([new]), Disable("New"), Group(["New"], as_="Pair")], before)  # type: ignore[arg-type]
    back, left = revert_differences(after, before, after)
    assert back == before
    assert left == ()
    changed = apply_changes(Set("New", {"p2.x": 7}), after)
    back, left = revert_differences(changed, before, after)
    assert "New" in [o.name for o in back.scene.objects]
    assert left == ("New",)


def test_deleted_by_hand_after_an_edit_stays_deleted() -> None:
    before = document()
    after = apply_changes(Set("Wedge", {"refIndex": 1.7}), before)
    back, left = revert_differences(apply_changes(Delete("Wedge"), after), before, after)
    assert [o.name for o in back.scene.objects] == ["Fold", "Back"]
    assert left == ("Wedge",)


def test_a_turn_is_one_step_and_what_a_hand_did_in_between_one_before_it() -> None:
    session = Session(document())
    first = session.document
    session.apply(Move("Wedge", dx=5), "turn 1", gather=True)
    session.apply(Set("Back", {"name": "Rear"}))
    session.apply([Move("Wedge", dx=5), Move("Fold", dx=1)], "turn 1", gather=True)
    last = session.document
    assert [step.text for step in session.history.done] == [
        "Back renamed to Rear",
        "Wedge moved by (10, 0) mm, Fold moved by (1, 0) mm",
    ]
    assert session.undo()
    assert [o.name for o in session.document.scene.objects] == ["Wedge", "Fold", "Rear"]
    assert session.document.scene.objects[:2] == first.scene.objects[:2]
    assert session.undo()
    assert session.document is first
    assert session.redo()
    assert session.redo()
    assert session.document is last


def test_an_object_that_turn_and_hand_both_changed_stays_as_the_hand_left_it() -> None:
    session = Session(document())
    first = session.document
    session.apply([Move("Wedge", dx=5), Move("Fold", dx=1)], "turn 1", gather=True)
    session.apply(Move("Wedge", dy=2))
    by_hand = session.document.scene.objects[0]
    session.apply(Move("Back", dx=1), "turn 1", gather=True)
    assert session.undo()
    assert session.document.scene.objects == (by_hand, *first.scene.objects[1:])
    assert session.undo()
    assert session.document is first


def test_a_turn_goes_on_after_a_hand_has_deleted_what_it_changed() -> None:
    session = Session(document())
    first = session.document
    session.apply(Move("Wedge", dx=5), "turn 1", gather=True)
    session.apply(Delete("Wedge"))
    session.apply(Move("Fold", dx=1), "turn 1", gather=True)
    session.apply(Move("Fold", dx=1), "turn 1", gather=True)
    assert [step.text for step in session.history.done] == [
        "Wedge deleted",
        "Wedge moved by (5, 0) mm, Fold moved by (1, 0) mm, Fold moved by (1, 0) mm",
    ]
    assert session.revert("turn 1") == ()
    assert session.document.scene.objects == first.scene.objects[1:]
    assert session.undo()
    assert session.document is first


def test_a_change_by_hand_that_takes_a_turn_back_is_no_step_under_it() -> None:
    session = Session(document())
    index = session.document.scene.objects[0].ref_index
    session.apply(Set("Wedge", {"refIndex": 1.9}), "turn 1", gather=True)
    session.apply(Set("Wedge", {"refIndex": index}))
    session.apply(Move("Fold", dx=1), "turn 1", gather=True)
    assert len(session.history.done) == 1


def test_a_session_reverts_a_turn_and_keeps_what_was_done_since() -> None:
    session = Session(document())
    first = session.document
    session.apply(Move("Wedge", dx=5), "turn 1", gather=True)
    session.apply(Set("Back", {"name": "Rear"}))
    assert session.revert("turn 1") == ()
    assert [o.name for o in session.document.scene.objects] == ["Wedge", "Fold", "Rear"]
    assert session.document.scene.objects[:2] == first.scene.objects[:2]
    assert session.history.undo_text.startswith("Reverted: Wedge moved by (5, 0) mm")
    assert session.undo()
    assert session.document.scene.objects[0] != first.scene.objects[0]
    assert session.revert("turn 9") == ()


def test_what_comes_back_gets_another_name_if_its_own_was_given_to_another_object() -> None:
    session = Session(
        document().with_scene(
            Scene.of([*document().scene.objects, Mirror(p1=Point(0, 0), p2=Point(0, 5))])
        )
    )
    session.apply([Set("Wedge", {"name": "Prism"}), Delete("Mirror 1")], "turn 1", gather=True)
    session.apply([Set("Back", {"name": "Wedge"}), Set("Fold", {"name": "Mirror 1"})])
    session.revert("turn 1")
    assert [o.title for o in session.document.scene.objects] == [
        "Wedge 2",
        "Mirror 1",
        "Wedge",
        "Mirror 2",
    ]
    assert [o.title for o in document_from_json(document_to_json(session.document)).scene.objects][
        1::2
    ] == ["Mirror 1", "Mirror 2"]


def test_a_handle_holds_the_same_objects_after_what_stood_before_them_is_back() -> None:
    walls = [
        Mirror(p1=Point(9 * i, 0), p2=Point(9 * i, 5), name=name)
        for i, name in enumerate(("X", "M", "N"))
    ]
    session = Session(
        Document(
            scene=Scene.of(
                [*walls, Handle(p1=Point(0, 9), p2=Point(0, 9), obj_indices=(2,), name="H")]
            )
        )
    )
    session.apply(Delete("X"), "turn 1", gather=True)
    session.apply(Set("H", {"name": "Grip"}))
    assert session.revert("turn 1") == ()
    objects = session.document.scene.objects
    assert [o.name for o in objects] == ["X", "M", "N", "Grip"]
    assert objects[3].obj_indices == (2,)


def test_an_order_is_reverted_unless_it_was_changed_since() -> None:
    session = Session(document())
    session.apply(Reorder("Back", to=0), "turn 1", gather=True)
    session.apply(Move("Fold", dx=1))
    assert session.revert("turn 1") == ()
    assert [o.name for o in session.document.scene.objects] == ["Wedge", "Fold", "Back"]
    session.apply(Reorder("Back", to=0), "turn 2", gather=True)
    session.apply(Reorder("Wedge", to=2))
    assert session.revert("turn 2") == ("the order of the objects",)
    assert [o.name for o in session.document.scene.objects] == ["Back", "Fold", "Wedge"]
