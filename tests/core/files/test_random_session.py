"""A session of 200 random edits: at every step it saves and loads as the same document; all undone
it is the first, all redone the last.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.scene.changes.random_changes import made, steps

from raybench.files.document_file import document_to_json, load_document, save_document
from raybench.scene.changes import ChangeRefused
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point

ACTIONS, EXAMPLES = (200, 10) if os.environ.get("RAYBENCH_LONG") else (25, 3)
LARGEST = 60
"""Objects above which nothing more is added: modules and copies double a scene."""


@pytest.mark.long
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_edits_save_and_load_at_every_step_and_are_all_undone_and_redone(
    data: st.DataObject, tmp_path_factory: object
) -> None:
    path: Path = tmp_path_factory.mktemp("session") / "scene.raybench"  # type: ignore[attr-defined]
    session = Session(
        Document(scene=Scene.of([made("Glass", Point(0, 0)), made("Beam", Point(-99, 0))]))
    )
    seen = [session.document]
    chance = data.draw(st.randoms(use_true_random=False))
    for _ in range(ACTIONS):
        action = chance.choice(("edit", "edit", "edit", "undo", "redo"))
        if action == "undo":
            session.undo()
        elif action == "redo":
            session.redo()
        else:
            change = data.draw(steps(session.document))
            try:
                session.apply(change)
            except ChangeRefused:
                continue
            if len(session.document.scene.objects) > LARGEST:
                session.undo()
        save_document(session.document, path)
        assert document_to_json(load_document(path)) == document_to_json(session.document)
    while session.redo():
        pass
    last = session.document
    while session.undo():
        pass
    assert session.document is seen[0]
    while session.redo():
        pass
    assert session.document is last
