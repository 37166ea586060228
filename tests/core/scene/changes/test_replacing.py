"""An object replaced by JSON in its place: what it keeps, what is refused, and where the fault is."""

from __future__ import annotations

import re

import pytest

from raybench.kinds.lenses import IdealLens
from raybench.scene.changes import ChangeRefused, Group, Hide, Replace, changes_from_json
from raybench.scene.changes.objects import read_object
from raybench.scene.changes.values import InvalidValue
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session

MIRROR = {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}}
LENS = {"type": "IdealLens", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}, "focalLength": 80}


@pytest.fixture
def session():
    objects = [
        object_from_json(d)
        for d in (
            MIRROR,
            {**LENS, "name": "Lens", "origin": "elsewhere"},
            {"type": "Balloon", "r": 3},
        )
    ]
    return Session(Document(scene=Scene.of(objects)))


def test_it_keeps_its_key_place_and_groups_and_is_one_step(session):
    key = session.document.scene.objects[0].key
    session.apply([Hide(key), Group([key, "Lens"], "G")])
    session.apply(Replace("Mirror 1", LENS))
    new = session.document.scene.objects[0]
    assert isinstance(new, IdealLens)
    assert new.key == key
    assert new.title == "Ideal lens 1"
    assert key in session.document.hidden & session.document.groups["G"]
    session.undo()
    assert session.document.scene.objects[0].title == "Mirror 1"


def test_fields_that_are_left_out_have_their_defaults_and_the_words_say_what_changed(session):
    session.apply(Replace("Lens", {**LENS, "name": "Lens", "focalLength": "12 cm"}))
    assert session.document.scene.objects[1].focal_length == 120
    assert session.history.undo_text == "Lens: focal length 80 mm -> 120 mm"


def test_what_only_other_programs_know_may_stay_or_go(session):
    session.apply(Replace("Lens", {**LENS, "name": "Lens", "origin": "here"}))
    assert object_to_json(session.document.scene.objects[1])["origin"] == "here"
    session.apply(Replace("Lens", {**LENS, "name": "Lens"}))
    assert "origin" not in object_to_json(session.document.scene.objects[1])
    with pytest.raises(ChangeRefused, match="no field 'origin'"):
        session.apply(Replace("Lens", {**LENS, "name": "Lens", "origin": "here"}))


def test_an_object_of_another_program_may_be_edited_and_stays_one(session):
    key = session.document.scene.objects[2].key
    session.apply(Replace(key, {"type": "Balloon", "r": 4}))
    assert object_to_json(session.document.scene.objects[2]) == {"type": "Balloon", "r": 4}


@pytest.mark.parametrize(
    ("data", "path", "why"),
    [
        ({**MIRROR, "type": "Mirorr"}, "type", "Did you mean Mirror"),
        ({**MIRROR, "p3": 1}, "p3", "has no field 'p3'"),
        ({**MIRROR, "p2": {"x": "wide", "y": 0}}, "p2", "must be a number"),
        (
            {"type": "Glass", "path": [{"x": 0, "y": 0}, {"x": 1}, {"x": 1, "y": 1}]},
            "path[1]",
            "must be a point",
        ),
        ({**LENS, "focalLength": True}, "focalLength", "must be a number"),
        (
            {"type": "CustomMirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}, "eqn": "x^"},
            "eqn",
            "eqn",
        ),
        ([], "", "An object is JSON"),
    ],
)
def test_a_fault_is_found_with_its_path(session, data, path, why):
    with pytest.raises(InvalidValue, match=re.escape(why)) as found:
        read_object(data)
    assert found.value.path == path
    before = session.document
    with pytest.raises(ChangeRefused):
        session.apply(Replace("Lens", data))
    assert session.document is before


def test_in_json_it_needs_the_object(session):
    (change,) = changes_from_json({"replace": "Lens", "with": LENS}, session.document)
    assert change.with_ == LENS
    with pytest.raises(ChangeRefused, match="in 'with'"):
        changes_from_json({"replace": "Lens"}, session.document)
