"""Linked numbers follow others after every change, or the change is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.scene.changes.random_changes import made, steps
from tests.core.study.scenes import lens_scene

from raybench.files.document_file import (
    document_from_json,
    document_to_json,
    load_document,
    save_document,
)
from raybench.files.plain_scene import plain_scene
from raybench.scene.changes import (
    ChangeRefused,
    Delete,
    Duplicate,
    Group,
    LinkNumber,
    Move,
    Rotate,
    Set,
    SetDocument,
    apply_changes,
    changes_from_json,
)
from raybench.scene.document import Document
from raybench.scene.parameters.following import with_links_applied
from raybench.scene.parameters.numbers import numbers_of_document
from raybench.scene.parameters.parameter import InvalidParameter, read_parameter
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.study.experiment import Experiment

BEHIND = LinkNumber("Screen.centre_x", "Lens.centre_x + Lens.f / 2")


def number(document: Document, name: str) -> float:
    return read_parameter(name, document).value_in_document(document)


def linked() -> Document:
    """The screen of `lens_scene` follows the lens at x = 100 with f = 100."""
    return apply_changes(BEHIND, lens_scene())


def test_a_linked_number_follows_edits_drags_and_undo() -> None:
    session = Session(linked())
    session.apply(Set("Lens", {"focalLength": 60}))
    assert number(session.document, "Screen.centre_x") == 130
    drag = session.begin_gesture()
    drag.update(Move("Lens", 10))
    assert number(session.document, "Screen.centre_x") == 140
    drag.finish()
    session.apply(Move("Screen", 5, 7))
    assert number(session.document, "Screen.centre_x") == 140
    assert number(session.document, "Screen.centre_y") == 157
    session.undo()
    session.undo()
    assert number(session.document, "Screen.centre_x") == 130


def test_links_depend_on_links_and_on_shared_places() -> None:
    document = apply_changes(
        [LinkNumber("Lamp.p1.x", "Screen.p1.x - 50"), BEHIND, Move("Lens", 7)], lens_scene()
    )
    assert number(document, "Lamp.p1.x") == pytest.approx(107)


def test_lengths_in_a_link_have_units() -> None:
    document = apply_changes(LinkNumber("Screen.centre_x", "2 cm/2 + Lens.f - 5e3 µm"), linked())
    assert number(document, "Screen.centre_x") == 105
    document = apply_changes(SetDocument(unit="cm"), document)
    assert number(document, "Screen.centre_x") == 100.5


def test_an_orientation_follows() -> None:
    link = LinkNumber("Screen.orientation", "-Lens.orientation")
    turned = apply_changes([link, Rotate("Lens", 30)], linked())
    lens, screen = (number(turned, f"{name}.orientation") for name in ("Lens", "Screen"))
    assert (lens + screen) % 360 == pytest.approx(0, abs=1e-9)


def test_links_follow_renamed_objects_and_groups() -> None:
    document = apply_changes([Group(("Lens", "Lamp"), "Front")], linked())
    document = apply_changes(LinkNumber("Screen.centre_y", "Front.centre_y"), document)
    document = apply_changes(
        [Set("Lens", {"name": "L 1"}), Set("Screen", {"name": "Lens"})], document
    )
    front = changes_from_json(
        [{"ungroup": "Front"}, {"group": ["L 1", "Lamp"], "as": "Head"}], document
    )
    assert [link.text for link in document.links] == [
        "Lens.centre_x = L 1.centre_x + L 1.f / 2",
        "Lens.centre_y = Front.centre_y",
    ]
    gone = apply_changes(front[:1], document)
    assert [link.parameter.text for link in gone.links] == ["Lens.centre_x"]
    moved = apply_changes(Move("L 1", 3), document)
    assert number(moved, "Lens.centre_x") == 153


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"set": "Screen", "centre_x": "=2*Lens.f", "binSize": -1}, "binSize"),
        ({"link": "Lens.focalLength", "as": "Screen.centre_x"}, "circle"),
        ({"link": "Lens.focalLength", "as": "Screen.binSize + Lense.f"}, "Did you mean 'Lens'"),
        ({"link": "Screen.binSize", "as": "-Lens.f"}, "Screen.binSize = -Lens.f: .*at least"),
        ({"link": "Screen.binSize", "as": "1/(Lens.f - 100)"}, "Screen.binSize = .* gives inf"),
        ({"link": "Screen.p1.x", "as": "Screen.centre_x + 1"}, "contradicts"),
        ({"link": "Screen.x", "as": "Lens.f"}, "motion.*write Screen.centre_x"),
        ({"link": "Screen.binSize", "as": "2"}, "names no other number"),
        ({"link": "Screen.binSize", "as": ""}, "is not linked"),
    ],
)
def test_what_a_link_cannot_be_is_said_with_its_place(change: dict[str, Any], says: str) -> None:
    session = Session(linked())
    before = session.document
    with pytest.raises(ChangeRefused, match=says) as raised:
        session.apply(changes_from_json([change], before))
    assert session.document is before
    assert "\n" not in str(raised.value)


def test_a_linked_number_is_not_set_by_itself() -> None:
    document = apply_changes(LinkNumber("Lens.focalLength", "Lamp.p1.x + 80"), lens_scene())
    with pytest.raises(
        ChangeRefused, match=r"Lens.focalLength is linked: = Lamp.p1.x \+ 80. Unlink"
    ):
        apply_changes(Set("Lens", {"focalLength": 50}), document)
    free = apply_changes(
        changes_from_json(
            [{"set": "Lens", "focalLength": "="}, {"set": "Lens", "focalLength": 50}], document
        ),
        document,
    )
    assert (free.links, number(free, "Lens.focalLength")) == ((), 50)


def test_a_value_with_an_equals_sign_links_a_number_and_is_a_text_elsewhere() -> None:
    changes = [{"set": "Lens", "focalLength": "=2*Lamp.p1.y", "name": "=L"}]
    before = lens_scene()
    document = apply_changes(changes_from_json(changes, before), before)
    assert [link.text for link in document.links] == ["=L.focalLength = 2*Lamp.p1.y"]
    assert number(document, "=L.focalLength") == 280


def test_what_is_deleted_leaves_numbers_and_copies_keep_the_links_among_them() -> None:
    session = Session(linked())
    session.apply(Duplicate(("Lens", "Screen"), 0, 50))
    copy = "Screen 2.centre_x = Lens 2.centre_x + Lens 2.f / 2"
    assert [link.text for link in session.document.links][1:] == [copy]
    session.apply(Duplicate(("Screen",), 0, 50))
    session.apply(Delete("Lens"))
    assert session.history.undo_text == "Lens deleted; Screen.centre_x unlinked"
    assert [link.text for link in session.document.links] == [copy]
    session.undo()
    assert len(session.document.links) == 2


def test_a_reverted_step_takes_its_links_back() -> None:
    session = Session(lens_scene())
    session.apply(BEHIND, "turn")
    session.apply(Move("Lens", 10))
    session.revert("turn")
    assert session.document.links == ()
    assert number(session.document, "Lens.centre_x") == 110


def test_links_follow_a_reverted_name() -> None:
    session = Session(linked())
    session.apply(Set("Lens", {"name": "L1"}), "turn")
    session.apply(LinkNumber("Lamp.p1.x", "L1.p1.x - 90"))
    session.revert("turn")
    assert [link.text for link in session.document.links] == [
        "Screen.centre_x = Lens.centre_x + Lens.f / 2",
        "Lamp.p1.x = Lens.p1.x - 90",
    ]


def test_files_keep_links_and_plain_scenes_tell_of_them(tmp_path: Path) -> None:
    path = tmp_path / "bench.raybench"
    save_document(linked(), path)
    read = load_document(path)
    assert [link.text for link in read.links] == [link.text for link in linked().links]
    assert number(apply_changes(Move("Lens", 4), read), "Screen.centre_x") == 154
    assert "Links of numbers are left out: Screen.centre_x." in plain_scene(read).left_out


def test_studies_vary_what_others_follow_and_not_what_follows() -> None:
    document = linked()
    varied = [read_parameter("Lens.x", document)]
    found = Experiment.build(document, varied, "rms(Screen)").document_with_values((20.0,))
    assert number(found, "Screen.centre_x") == 170
    with pytest.raises(InvalidParameter, match=r"Screen.x follows by a link of the document"):
        Experiment.build(document, [read_parameter("Screen.x", document)], "rms(Screen)")


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_changes_keep_what_links_say_or_are_refused(data: st.DataObject) -> None:
    kinds = ("Glass", "Beam", "SphericalLens", "Mirror")
    objects = [made(kind, Point(99.0 * i, 0)) for i, kind in enumerate(kinds)]
    session = Session(Document(scene=Scene.of(objects)))
    for _ in range(data.draw(st.integers(2, 10))):
        document = session.document
        names = [n.parameter.text for n in numbers_of_document(document)]
        name = st.sampled_from(names)
        link = st.builds(
            lambda a, b, by: LinkNumber(a, f"{b} + {by}"), name, name, st.integers(0, 9)
        )
        try:
            session.apply(data.draw(link | steps(document)), data.draw(st.sampled_from(["a", "b"])))
        except ChangeRefused:
            assert session.document is document
        after = session.document
        assert with_links_applied(after) is after
        again = document_from_json(document_to_json(after))
        assert [o.text for o in again.links] == [o.text for o in after.links]
        if data.draw(st.integers(0, 3)) == 0:
            session.revert("a")
            continue
        if after is not document:
            session.undo()
            session.redo()
            assert session.document is after
