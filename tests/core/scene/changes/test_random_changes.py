"""Random changes: undo restores the first document, JSON round trips are exact, and no JSON crashes
the decoder.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.core.scene.changes.random_changes import made, steps

from raybench.files.document_file import document_to_json
from raybench.kinds.fields import described_fields
from raybench.kinds.kinds import KINDS
from raybench.scene.changes import (
    Change,
    ChangeRefused,
    LabelEdge,
    Set,
    apply_changes,
    changes_from_json,
    changes_to_json,
)
from raybench.scene.changes.change import CHANGE_TYPES
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_undoing_all_gives_the_first_document_and_redoing_all_the_last(data: st.DataObject) -> None:
    session = Session(
        Document(scene=Scene.of([made("Glass", Point(0, 0)), made("Beam", Point(-99, 0))]))
    )
    first, seen = session.document, [session.document]
    for _ in range(data.draw(st.integers(1, 12))):
        change = data.draw(steps(session.document))
        try:
            session.apply(change)
        except ChangeRefused:  # a crop box turned by an odd angle, say
            assert session.document is seen[-1]
        if session.document is not seen[-1]:
            seen.append(session.document)
    last = session.document
    for wanted in reversed(seen[:-1]):
        assert session.undo()
        assert session.document is wanted
    assert session.document is first
    assert not session.undo()
    while session.redo():
        pass
    assert session.document is last


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_changes_converted_to_json_and_back_give_the_same_document(data: st.DataObject) -> None:
    first = document = Document(
        scene=Scene.of([made("Glass", Point(0, 0)), made("SphericalLens", Point(99, 0))])
    )
    changes: list[Change] = []
    for _ in range(data.draw(st.integers(1, 8))):
        change = data.draw(steps(document))
        if isinstance(change, Set) and change.values.get("name") in {
            o.title for o in document.scene.objects
        }:
            continue  # JSON names objects, so names must tell them apart
        try:
            document = apply_changes(change, document)
        except ChangeRefused:
            continue
        changes.append(change)
    written = json.loads(json.dumps(changes_to_json(changes, first), allow_nan=False))
    again = apply_changes(changes_from_json(written, first), first)
    renumbered = dict(
        zip(
            (o.key for o in again.scene.objects),
            (o.key for o in document.scene.objects),
            strict=True,
        )
    )
    assert again.scene == document.scene
    assert [o.title for o in again.scene.objects] == [o.title for o in document.scene.objects]
    for name in ("hidden", "disabled"):
        there = {renumbered[k] for k in getattr(again, name) if k in renumbered}
        assert there == {k for k in getattr(document, name) if k in renumbered.values()}
    assert (again.unit, again.groups.keys()) == (document.unit, document.groups.keys())


def test_objects_of_one_name_are_edited_by_key_and_refused_in_json_with_the_remedy() -> None:
    one, other = (dataclasses.replace(made("Blocker", Point(x, 0)), name="Stop") for x in (0, 50))
    document = Document(scene=Scene.of([one, other]))
    change = LabelEdge(other.key, "0", "Mine")
    session = Session(document)
    session.apply(change)
    assert session.document.edge_labels == {other.key: {0: "Mine"}}
    with pytest.raises(UnknownName, match=r"2 objects are named 'Stop'\. Rename one"):
        changes_to_json([change], document)


WORDS = st.sampled_from(["Prism", "5 mm", "1e400", "Lens", "x"])
KEYS = st.sampled_from(["x", "y", "type", "c", "r"]) | st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
PARAMETERS = {"by", "about", "dx", "to", "as", "on", "edge", "axis", "before"}
FIELDS = sorted({f.json_name for k in KINDS.values() for f in described_fields(k)} | PARAMETERS)
PARTS = st.sampled_from(["", ".x", "[0]", "[1].y", ".r1", "[0].c1.x", "["])
PATHS = st.builds(lambda field, part: field + part, st.sampled_from(FIELDS), PARTS)
OBJECTS = st.builds(
    lambda kind, rest: {"type": kind, "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 5}, **rest},
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
)  # fmt: skip
CHANGES = st.builds(
    lambda verb, first, rest: {verb: first, **rest},
    st.sampled_from(sorted(CHANGE_TYPES)),
    st.sampled_from(["Prism", "Lens", ["Prism", "Lens"]]) | OBJECTS | JSON,
    st.dictionaries(PATHS, JSON | st.floats(-1e3, 1e3), max_size=3),
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(CHANGES | JSON, max_size=3) | JSON)
def test_arbitrary_json_is_applied_or_refused_in_one_line(data: Any) -> None:
    document = Document(
        scene=Scene.of([made("Glass", Point(0, 0)), made("SphericalLens", Point(99, 0))])
    )
    glass, lens = (o.key for o in document.scene.objects)
    document = apply_changes([Set(glass, {"name": "Prism"}), Set(lens, {"name": "Lens"})], document)
    try:
        after = apply_changes(changes_from_json(data, document), document)
    except ChangeRefused as error:
        refused = str(error)
    else:
        assume(after is not document)
        refused = "made"
        assert json.dumps(document_to_json(after), allow_nan=False)
    assert 3 < len(refused) < 3000
    assert "\n" not in refused


@pytest.mark.parametrize("depth", [300, 100_000])
def test_json_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    deep: Any = 1.0
    for _ in range(depth):
        deep = [deep]
    document = Document(scene=Scene.of([made("Ruler", Point(0, 0))]))
    name = document.scene.objects[0].title
    for change in (
        {"set": name, "p1": deep},
        {"add": {"type": "Drawing", "strokes": deep}},
        {"move": name, "dx": deep},
        deep,
    ):
        with pytest.raises(ChangeRefused):
            changes_from_json([change], document)


def test_changes_that_double_a_scene_repeatedly_are_refused_at_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("raybench.scene.changes.objects.MAX_OBJECTS", 1000)
    document = Document(scene=Scene.of([made("Mirror", Point(0, 0)) for _ in range(200)]))
    names = [o.title for o in document.scene.objects]
    with pytest.raises(ChangeRefused, match="it can have 1,000"):
        changes_from_json(
            [{"group": names, "as": "All"}, *({"duplicate": "All"} for _ in range(9))], document
        )
