"""A document at work: edits, history, revisions, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from raybench.errors import RaybenchError
from raybench.kinds.glasses import Glass
from raybench.scene.changes import Change, ChangeRefused, Delete, Move, Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Vertex
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick


@pytest.fixture
def session() -> Session:
    prism = Glass(path=(Vertex(0, 0), Vertex(9, 0), Vertex(0, 9)), name="P")
    return Session(Document(scene=Scene.of([prism])))


def shift(session: Session, dx: float, merge_key: str | None = None) -> None:
    key = session.document.scene.objects[0].key
    session.apply(Move(key, dx, 0), merge_key)


def left(session: Session) -> float:
    return session.document.scene.objects[0].path[0].x  # type: ignore[attr-defined, no-any-return]


def test_undo_returns_to_the_old_document_and_its_revision(session: Session) -> None:
    before = session.document
    shift(session, 5)
    assert session.document.revision > before.revision
    assert session.history.undo_text == "P moved by (5, 0) mm"
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


def test_a_gesture_is_applied_on_top_of_concurrent_changes(session: Session) -> None:
    first = session.document
    gesture = session.begin_gesture()
    gesture.update(Move("P", 1, 0))
    session.apply(Set("P", {"refIndex": 1.7}))
    gesture.update(Move("P", 5, 0))
    assert (left(session), session.document.scene.objects[0].ref_index) == (5, 1.7)  # type: ignore[attr-defined]
    dragged = session.document
    gesture.finish()
    assert session.document is dragged, "letting go changes nothing"
    assert [s.text for s in session.history.done] == [
        "P: refractive index 1.5 -> 1.7",
        "P moved by (5, 0) mm",
    ]
    session.undo()
    assert (left(session), session.document.scene.objects[0].ref_index) == (0, 1.7)  # type: ignore[attr-defined]
    session.undo()
    assert session.document is first


def test_a_cancelled_gesture_keeps_the_redo_stack(session: Session) -> None:
    shift(session, 3)
    session.undo()
    first = session.document
    gesture = session.begin_gesture()
    gesture.update(Move("P", 1, 0))
    with pytest.raises(ChangeRefused):
        gesture.update(Move("Q", 1, 0))
    assert left(session) == 1
    gesture.cancel()
    assert session.document is first
    assert session.redo()
    assert left(session) == 3


def test_undo_during_a_gesture_undoes_the_step_before_it(session: Session) -> None:
    session.apply(Set("P", {"refIndex": 1.7}))
    gesture = session.begin_gesture()
    gesture.update(Move("P", 4, 0))
    session.undo()
    assert (left(session), session.document.scene.objects[0].ref_index) == (4, 1.5)  # type: ignore[attr-defined]
    gesture.finish()
    session.undo()
    assert left(session) == 0


def test_a_gesture_ends_where_its_object_is_deleted(session: Session) -> None:
    gesture = session.begin_gesture()
    gesture.update(Move("P", 4, 0))
    session.apply(Delete("P"))
    assert not gesture.active
    assert session.document.scene.objects == ()
    with pytest.raises(ChangeRefused, match="no longer in the scene"):
        gesture.update(Move("P", 5, 0))
    gesture.finish()
    assert [s.text for s in session.history.done] == ["P deleted"]


def test_merged_steps_have_a_common_description(session: Session) -> None:
    for index in (1.6, 1.65, 1.8):
        session.apply(Set("P", {"refIndex": index}), "slide")
    assert [s.text for s in session.history.done] == ["P: refractive index 1.5 -> 1.8"]
    assert session.history.done[0].changes == (Set("P", {"refIndex": 1.8}),)


def test_the_last_steps_are_joined_into_one(session: Session) -> None:
    shift(session, 1)
    before = session.document
    for dx in (2, 3, 4):
        shift(session, dx)
    after = session.document
    session.history.join_steps(1)
    assert len(session.history.done) == 2
    assert session.history.undo_text == "P moved by (9, 0) mm"
    session.undo()
    assert session.document is before
    session.redo()
    assert session.document is after


def test_a_step_after_an_undo_clears_the_redo_stack(session: Session) -> None:
    shift(session, 1)
    session.undo()
    shift(session, 2)
    assert not session.redo()
    assert left(session) == 2


def test_an_edit_that_fails_leaves_the_document_and_the_history(session: Session) -> None:
    before = session.document
    key = before.scene.objects[0].key
    changes: list[Change] = [
        Set(key, {"refIndex": float("nan")}),
        Set(key, {"path": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}),
        Set(-1, {"refIndex": 2.0}),
    ]
    for change in changes:
        with pytest.raises(ChangeRefused):
            session.apply([Move(key, 1, 0), change])
    assert session.document is before
    assert not session.undo()


def test_an_edit_that_changes_nothing_is_no_step(session: Session) -> None:
    session.apply([Move("P", 0, 0), Set("P", {"name": "P"})])
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


def test_undo_leads_back_to_what_was_saved(session: Session, tmp_path: Path) -> None:
    shift(session, 1, "keys")
    session.save(tmp_path / "a.json")
    for _ in range(2):
        shift(session, 1, "keys")
    session.undo()
    assert left(session) == 1
    assert not session.modified
    session.undo()
    assert left(session) == 0


def test_a_result_is_fresh_for_its_revision_only(session: Session) -> None:
    session.result = trace(session.document)
    assert session.fresh_result is session.result
    shift(session, 1)
    assert session.fresh_result is None
    session.undo()
    assert session.fresh_result is session.result


def test_removing_an_object_is_undone_with_its_key(session: Session) -> None:
    key = session.document.scene.objects[0].key
    session.apply(Delete(key))
    assert session.document.scene.objects == ()
    session.undo()
    assert session.document.scene.objects[0].key == key
