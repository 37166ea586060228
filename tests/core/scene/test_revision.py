"""Superseded states of a document: known as long as anything can ask about them, and no longer."""

from __future__ import annotations

import pytest

from raybench.analysis.context import (
    TracedScene,
    clear_context,
    require_context,
    set_context_from_result,
)
from raybench.kinds.glasses import Glass
from raybench.scene.changes import Move
from raybench.scene.document import Document, is_superseded, state_of_revision
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Vertex
from raybench.trace.results.result import TraceResult


@pytest.fixture
def session() -> Session:
    prism = Glass(path=(Vertex(0, 0), Vertex(9, 0), Vertex(0, 9)), name="P")
    return Session(Document(scene=Scene.of([prism])))


def move(session: Session, dx: float) -> Move:
    return Move(session.document.scene.objects[0].key, dx, 0)


def result_of(document: Document) -> TraceResult:
    return TraceResult.from_segments((), revision=document.revision)


def test_intermediate_states_of_a_drag_are_not_kept(session: Session) -> None:
    first = session.document
    gesture = session.begin_gesture()
    passed = [gesture.update(move(session, x)).revision for x in range(1, 1000)]
    gesture.finish()
    assert is_superseded(first.revision)
    assert [r for r in passed if state_of_revision(r) is not None] == [session.document.revision]
    assert not any(is_superseded(r) for r in passed)


def test_a_context_of_an_intermediate_state_stays_stale(session: Session) -> None:
    gesture = session.begin_gesture()
    document = gesture.update(move(session, 1))
    context = TracedScene.from_document(document, result_of(document))
    del document
    assert not context.is_stale
    gesture.update(move(session, 2))
    gesture.finish()
    assert context.is_stale


def test_a_context_stays_stale_when_the_history_has_dropped_its_state(session: Session) -> None:
    session.apply(move(session, 1))
    scene, result = session.document.scene, result_of(session.document)
    context = TracedScene.from_document(session.document, result)
    set_context_from_result(scene, result)
    by_hand = require_context()
    clear_context()
    assert not context.is_stale
    assert not by_hand.is_stale
    session.undo()
    assert context.is_stale
    assert by_hand.is_stale
    session.redo()
    assert not by_hand.is_stale
    session.undo()
    session.apply(move(session, 2))
    del context
    assert by_hand.is_stale
