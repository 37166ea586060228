"""A scene as text: its layout, the places of faults, and the changes that an edited text makes."""

from __future__ import annotations

import json
import random
import re

import pytest

from raybench.files.examples import EXAMPLES
from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.files.scene_text import LINE_WIDTH, TextFault, read_edit, scene_text
from raybench.scene.changes import Add, Delete, Move, Reorder, Replace, Set
from raybench.scene.document import Document
from raybench.session import Session
from raybench_workbench.files import session_without_file

MIRROR = {"type": "Mirror", "name": "Left", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}}
PRISM = {
    "type": "Glass",
    "name": "Prism",
    "path": [{"x": x, "y": y, "arc": False} for x, y in ((0, 0), (60, 0), (30, 50))],
    "refIndex": 1.6,
}
COMB = {"numPoints": 1, "params": ["N=1:1:9:3"], "vars": [], "objs": [
    {"type": "Blocker", "for": "i=1:1:N", "p1": {"x": "`x_1+9*i`", "y": 0}, "p2": {"x": "`x_1+9*i`", "y": 5}}]}  # fmt: skip
COMBS = {
    "type": "ModuleObj",
    "name": "Combs",
    "module": "Comb",
    "points": [{"x": 5, "y": 5}],
    "params": {"N": 4},
}
SCENE = {
    "version": 5,
    "name": "Bench",
    "modules": {"Comb": COMB},
    "objs": [MIRROR, PRISM, COMBS],
    "rayModeDensity": 0.3,
    "madeBy": "hand",
}


def opened(data=SCENE):
    return Session(Document(scene=scene_from_json(data)))


def with_text(session, change):
    """Apply what an edit of the text makes; returns the changes. The document's text is then what
    was edited.
    """
    base = scene_text(session.document.scene)
    text = change(base.text)
    assert text != base.text
    done = read_edit(text, base, session.document)
    session.apply(done.changes)
    assert json.loads(text) == scene_to_json(session.document.scene)
    objects = [p for p in done.parts if p.entry == "objs" and p.owner is not None]
    assert [p.owner for p in objects] == [o.key for o in session.document.scene.objects]
    return done.changes


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.title)
def test_the_text_of_a_scene_is_its_json_with_the_place_of_each_object(example):
    scene = session_without_file(example.path).document.scene
    text = scene_text(scene)
    assert json.loads(text.text) == scene_to_json(scene)
    parts = [p for p in text.parts if p.entry == "objs" and p.owner is not None]
    assert [json.loads(text.part_text(p)) for p in parts] == scene_to_json(scene)["objs"]
    assert (
        max(len(line) for line in text.text.split("\n") if line.count('"') > 4) <= LINE_WIDTH + 1
    )  # with its comma


def test_characters_that_an_editor_changes_or_hides_are_escaped():
    name = "a\u00a0b\u2028c\u202ed\U0001f600e"
    text = scene_text(scene_from_json({"version": 5, "objs": [{**MIRROR, "name": name}]})).text
    assert text.isascii()
    assert json.loads(text)["objs"][0]["name"] == name


def test_a_number_in_the_text_is_one_change_of_one_object():
    session = opened()
    key = session.document.scene.objects[1].key
    (change,) = with_text(session, lambda t: t.replace("1.6", "1.75"))
    assert isinstance(change, Replace)
    assert session.document.scene.objects[1].key == key
    assert session.history.undo_text == "Prism: refractive index 1.6 -> 1.75"
    assert len(session.history.done) == 1


@pytest.mark.parametrize(
    ("edit", "kinds"),
    [
        (lambda s: s["objs"].pop(0), [Delete]),
        (lambda s: s["objs"].insert(1, {**MIRROR, "name": "New"}), [Add]),
        (lambda s: s["objs"].append({**MIRROR, "name": "New"}), [Add]),
        (lambda s: s["objs"].insert(0, s["objs"].pop()), [Reorder]),
        (lambda s: s["objs"].clear(), [Delete]),
        (lambda s: s["objs"][0].update(name="Right"), [Replace]),
    ],
)
def test_objects_are_added_removed_and_moved_by_their_text(edit, kinds):
    session = opened()
    data = scene_to_json(session.document.scene)
    edit(data)
    changes = with_text(session, lambda t: json.dumps(data, indent=1))
    assert [type(c) for c in changes] == kinds


def test_any_rearrangement_of_the_text_leads_to_that_scene():
    rng = random.Random(5)
    for _ in range(40):
        session = opened(
            {
                "version": 5,
                "objs": [{**MIRROR, "p1": {"x": i, "y": 0}, "name": f"M{i}"} for i in range(8)],
            }
        )
        data = scene_to_json(session.document.scene)
        for _ in range(rng.randrange(1, 4)):
            objs = data["objs"]
            i = rng.randrange(len(objs)) if objs else 0
            new = {**MIRROR, "name": f"N{rng.random()}"}
            rng.choice([lambda: rng.shuffle(objs), lambda: objs.insert(i, new), lambda: objs[i : i + 2].clear(),  # noqa: B023
                        lambda: objs.pop(i) if objs else None, lambda: objs[i].update(type="Blocker") if objs else None])()  # noqa: B023  # fmt: skip
        base = scene_text(session.document.scene)
        session.apply(read_edit(json.dumps(data), base, session.document).changes)
        assert scene_to_json(session.document.scene) == data
        while session.undo():
            pass
        assert scene_text(session.document.scene).text == base.text


def test_a_name_that_another_object_has_is_a_fault_of_the_text():
    session = opened()
    base = scene_text(session.document.scene)
    text = base.text.replace('"name": "Prism"', '"name": "Left"')
    with pytest.raises(TextFault, match="There is another object named 'Left'") as caught:
        read_edit(text, base, session.document)
    assert '"Left"' in text[caught.value.start : caught.value.end]
    with pytest.raises(TextFault, match="another object named 'Prism'"):
        read_edit(base.text.replace('"name": "Left"', '"name": "Prism"'), base, session.document)


def test_two_objects_of_the_text_exchange_their_names():
    session = opened()
    exchanged = {"Left": "Prism", "Prism": "Left"}
    with_text(
        session,
        lambda t: re.sub(r'(?<="name": ")(Left|Prism)', lambda found: exchanged[found[0]], t),
    )
    assert [o.name for o in session.document.scene.objects][:2] == ["Prism", "Left"]


def test_what_changed_elsewhere_meanwhile_stays():
    session = opened()
    base = scene_text(session.document.scene)
    session.apply(
        [
            Move("Left", dx=7),
            Delete("Combs"),
            Add(scene_from_json({"objs": [{**MIRROR, "name": "Late"}]}).objects),
        ]
    )
    session.apply(read_edit(base.text.replace("1.6", "1.7"), base, session.document).changes)
    left, prism, late = session.document.scene.objects
    assert (left.p1.x, prism.ref_index, late.name) == (7, 1.7, "Late")


def test_a_definition_is_edited_added_and_removed_in_the_text():
    session = opened()
    with_text(session, lambda t: t.replace("x_1+9*i", "x_1+20*i"))
    assert session.document.scene.parts_of(session.document.scene.objects[2])[0].p1.x == 25
    with_text(
        session, lambda t: t.replace('"Comb": {', '"Rake": {"numPoints": 0, "objs": []}, "Comb": {')
    )
    assert set(session.document.scene.modules) == {"Rake", "Comb"}
    with_text(session, lambda t: t.replace(',\n    "Rake": {"numPoints": 0, "objs": []}', ""))
    assert set(session.document.scene.modules) == {"Comb"}
    with_text(session, lambda t: t.replace('"Comb"', '"Fence"'))
    assert session.document.scene.objects[2].module == "Fence"
    assert set(session.document.scene.modules) == {"Fence"}


def test_definitions_of_which_one_uses_the_other_are_removed_together_in_the_text():
    session = opened()
    without = scene_text(session.document.scene).text
    added = (
        '"A": {"numPoints": 0, "objs": []}, "B": {"numPoints": 0, "objs": [{"type": "ModuleObj",'
        ' "module": "A", "points": []}]}, '
    )
    with_text(session, lambda t: t.replace('"Comb": {', f'{added}"Comb": {{'))
    assert set(session.document.scene.modules) == {"A", "B", "Comb"}
    with_text(session, lambda _: without)
    assert set(session.document.scene.modules) == {"Comb"}


def test_settings_name_and_what_other_programs_know_are_edited_in_the_text():
    session = opened()
    with_text(
        session,
        lambda t: t.replace('"rayModeDensity": 0.3', '"rayModeDensity": 0.5').replace(
            "Bench", "Table"
        ),
    )
    assert session.document.scene.settings.ray_mode_density == 0.5
    assert session.document.scene.name == "Table"
    with_text(session, lambda t: t.replace('  "rayModeDensity": 0.5,\n', ""))
    assert session.document.scene.settings.ray_mode_density == 0.1
    with_text(session, lambda t: t.replace(',\n  "madeBy": "hand"', ""))
    assert "madeBy" not in scene_to_json(session.document.scene)


def test_an_edit_that_changes_nothing_makes_no_step():
    session = opened()
    base = scene_text(session.document.scene)
    done = read_edit(base.text.replace("\n", "\n  "), base, session.document)
    session.apply(done.changes)
    assert not session.history.done


@pytest.mark.parametrize(
    ("old", "new", "at", "why"),
    [
        ('"refIndex": 1.6', '"refIndex": , "cauchyB": 0', ", ", "A value is missing here"),
        ('"refIndex": 1.6', '"refIndex" 1.6', "1.6", "A colon is missing"),
        ('{"type": "Mirror"', '{"type": "Mirorr"', '"Mirorr"', "Did you mean Mirror"),
        ('"refIndex"', '"refIndx"', "1.6", "has no field 'refIndx'"),
        ('"refIndex": 1.6', '"refIndex": "thick"', '"thick"', "must be a number"),
        ('{"x": 30, "y": 50', '{"x": 30', '{"x": 30, "arc"', "must be a point"),
        ('"rayModeDensity"', '"rayDensity"', '"rayDensity"', "no setting 'rayDensity'"),
        ('"rayModeDensity": 0.3', '"rayModeDensity": "much"', '"much"', "must be a number"),
        ('"version": 5', '"version": 6', "6,", "Version 5"),
        ('"N=1:1:9:3"', '7', '{', "a parameter is a text"),
        ('"vars": []', '"vars": 7', "7", "'vars' must be a list"),
        ('"module": "Comb"', '"module": "Bomb"', '"Bomb"', "no module 'Bomb'"),
        ('    "Comb": {', '    "Bomb": {', '"Comb"', "no module 'Comb'"),
        ("0.3,", "NaN,", "NaN", "is not a JSON number"),
        ("0.3,", "1e999,", "1e999", "too large"),
        ('"name": "Left"', '"name": "Left", "name": "L"', '"name": "Left"', "there twice"),
    ],
)  # fmt: skip
def test_a_fault_has_its_line_and_column_and_changes_nothing(old, new, at, why):
    session = opened()
    base = scene_text(session.document.scene)
    text = base.text.replace(old, new, 1)
    assert text != base.text
    with pytest.raises(TextFault, match=f"(?i){re.escape(why)}") as caught:
        read_edit(text, base, session.document)
    fault = caught.value
    assert text[fault.start :].startswith(at), text[fault.start :][:40]
    before = text[: fault.start]
    assert (fault.line, fault.column) == (
        before.count("\n") + 1,
        len(before.rpartition("\n")[2]) + 1,
    )
    assert str(fault).startswith(f"Line {fault.line}, column {fault.column}: ")


NO_SCENES = [
    "",
    "[]",
    "{",
    "[" * 9000,
    '{"version": 5} x',
    '{"version": 5, "objs": {}}',
    '{"version": 5, "objs": [1]}',
    '{"version": 5, "objs": [' + "[" * 9000,
    '{"version": 5, "modules": []}',
    '{"version": 5, "modules": {"M": 3}}',
]


@pytest.mark.parametrize("text", NO_SCENES)
def test_text_that_is_no_scene_is_a_fault(text):
    session = opened()
    with pytest.raises(TextFault):
        read_edit(text, scene_text(session.document.scene), session.document)


def test_cutting_the_text_anywhere_is_a_fault_or_a_scene():
    session = opened()
    base = scene_text(session.document.scene)
    for i in range(len(base.text)):
        for text in (
            base.text[:i],
            base.text[:i] + base.text[i + 1 :],
            base.text[:i] + '"' + base.text[i:],
        ):
            try:
                done = read_edit(text, base, session.document)
            except TextFault:
                continue
            other = Session(session.document)
            other.apply(done.changes)
            assert (
                scene_to_json(other.document.scene)["objs"]
                == scene_to_json(scene_from_json(json.loads(text)))["objs"]
            )


def test_the_text_of_a_replaced_object_is_what_was_typed():
    session = opened()
    session.apply(Set("Prism", {"refIndex": 1.5}))
    with_text(session, lambda t: t.replace('"name": "Prism"', '"name": "Prism",\n"refIndex": 1.8'))
    assert session.document.scene.objects[1].ref_index == 1.8


@pytest.mark.parametrize(
    "entry", [7, None, "a mirror", [], {"type": "Balloon"}, {"p1": 0}], ids=json.dumps
)
def test_entries_that_are_no_objects_stay_while_others_are_edited_around_them(entry):
    session = opened(SCENE | {"objs": [MIRROR, entry, PRISM, entry]})
    (change,) = with_text(session, lambda text: text.replace("1.6", "1.7"))
    assert isinstance(change, Replace)
    written = json.dumps(entry)
    with_text(
        session,
        lambda text: text.replace(f"    {written},", f"    {written}\n,", 1).replace("1.7", "1.8"),
    )
    assert scene_to_json(session.document.scene)["objs"][1::2] == [entry, entry]
    changes = with_text(session, lambda text: text.replace(f"    {written},", "", 1))
    assert any(isinstance(c, Delete) for c in changes)
    assert scene_to_json(session.document.scene)["objs"][2] == entry
