"""Code that changes the session itself: widgets are told once, and undo takes all of it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prism_window import prism_document

from raybench.library.scene import Scene
from raybench.session import Session
from raybench_workbench.document import WorkDocument


def test_changes_are_told_once_and_are_one_step(qtbot: Any, tmp_path: Path) -> None:
    document = WorkDocument(Session(prism_document()))
    before, changed, saved = document.document, [], []
    document.changed.connect(lambda *documents: changed.append(documents))
    document.saved.connect(lambda: saved.append(True))
    with document.emit_session_changes():
        scene = Scene.of(document.session)
        scene.move("Main Prism", dx=2)
        scene.move("Main Prism", dx=3)
        scene.save(tmp_path / "moved.raybench")
    assert changed == [(before, document.document)]
    assert saved == [True]
    assert [step.text for step in document.session.history.done] == [
        "Main Prism moved by (5, 0) mm"
    ]
    document.undo()
    assert document.document is before
