"""A document at work: edits, history, revisions, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import RaybenchError
from core.kinds.glasses import Glass
from core.kinds.object import InvalidObject
from core.scene.document import Document
from core.scene.edits import move_objects, remove_objects, set_field
from core.scene.scene import Scene
from core.session import Session
from core.shapes.point import Vertex
from core.trace.trace import trace


@pytest.fixture
def session() -> Session:
    prism = Glass(path=(Vertex(0, 0), Vertex(9, 0), Vertex(0, 9)), name="P")
    return Session(Document(scene=Scene.of([prism])))


def shift(session: Session, dx: float, merge_key: str | None = None) -> None:
    key = session.document.scene.objects[0].key
    session.apply(lambda d: d.edit(lambda s: move_objects(s, {key}, dx, 0)), "Move", merge_key)


def left(session: Session) -> float:
    return session.document.scene.objects[0].path[0].x  # type: ignore[attr-defined, no-any-return]


def test_undo_returns_to_the_old_document_and_its_revision(session: Session) -> None:
    before = session.document
    shift(session, 5)
    assert session.document.revision > before.revision
    assert session.history.undo_text == "Move"
    assert session.undo()
    assert session.document is before
    assert session.redo()
    assert left(session) == 5
    assert not session.redo()


def test_a_gesture_is_one_step(session: Session) -> None:
    for _ in range(10):
        shift(session, 1, "drag 1")
    shift(session, 1, "drag 2")
    assert left(session) == 11
    session.undo()
    assert left(session) == 10
    session.undo()
    assert left(session) == 0
    assert not session.undo()


def test_a_step_after_an_undo_forgets_what_was_undone(session: Session) -> None:
    shift(session, 1)
    session.undo()
    shift(session, 2)
    assert not session.redo()
    assert left(session) == 2


def test_an_edit_that_fails_leaves_the_document_and_the_history(session: Session) -> None:
    before = session.document
    key = before.scene.objects[0].key
    for change in (
        lambda s: set_field(s, key, "ref_index", float("nan")),
        lambda s: set_field(s, key, "path", (Vertex(0, 0), Vertex(1, 1))),
        lambda s: set_field(s, -1, "ref_index", 2.0),
    ):
        with pytest.raises(InvalidObject):
            session.apply(lambda d, change=change: d.edit(change), "Break")  # type: ignore[misc]
    assert session.document is before
    assert not session.undo()


def test_an_edit_that_changes_nothing_is_no_step(session: Session) -> None:
    session.apply(lambda d: d, "Nothing")
    assert not session.undo()
    assert not session.modified


def test_saving_makes_the_document_unmodified(session: Session, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no file"):
        session.save()
    shift(session, 3)
    assert session.modified
    session.save(tmp_path / "a.json")
    assert not session.modified
    session.undo()
    assert session.modified
    again = Session.open(tmp_path / "a.json")
    assert left(again) == 3
    with pytest.raises(RaybenchError, match="no such file"):
        Session.open(tmp_path / "none.json")


def test_a_result_is_fresh_for_its_revision_only(session: Session) -> None:
    session.result = trace(session.document.scene, revision=session.document.revision)
    assert session.fresh_result is session.result
    shift(session, 1)
    assert session.fresh_result is None
    session.undo()
    assert session.fresh_result is session.result


def test_removing_an_object_is_undone_with_its_key(session: Session) -> None:
    key = session.document.scene.objects[0].key
    session.apply(lambda d: d.edit(lambda s: remove_objects(s, {key})), "Delete")
    assert session.document.scene.objects == ()
    session.undo()
    assert session.document.scene.objects[0].key == key
