"""Sessions of random actions in a real window: nothing is raised or printed, what is selected
exists, a document saves and loads as itself, its light and its panels are those of a window that
has just opened it, and all undone it is the first, all redone the last.
"""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtWidgets import QApplication
from quiet import nothing_raised_or_printed
from random_user import RandomUser

from raybench.files.document_file import document_to_json, load_document, save_document
from raybench.files.examples import EXAMPLES
from raybench.scene.document import Document
from raybench.system.files import user_folder
from raybench.trace.codes import Completion
from raybench_workbench.files import session_without_file
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import NotSettled, wait_until, wait_until_settled

SESSIONS, ACTIONS = (40, 150) if os.environ.get("RAYBENCH_LONG") else (2, 40)
COLUMNS = ("p1", "p2", "power", "hit", "source")
pytestmark = pytest.mark.long


def first_document(chance: random.Random) -> Document:
    """A prism, an empty document or an example."""
    example = session_without_file(chance.choice(EXAMPLES).path).document
    return chance.choice((prism_document(), prism_document(), Document(), example, example))


def assert_consistent(window: MainWindow) -> None:
    """What holds at any moment."""
    document, session, canvas = window.document, window.document.session, window.canvas
    keys = {o.key for o in document.scene.objects}
    assert window.selection.keys <= keys
    assert canvas.hovered is None or canvas.hovered in keys
    assert (document.gesture is None) == (
        session.gesture is None
    ) or document.gesture is not None  # of an object that was deleted
    assert session.gesture is not None or session.base is session.document


def settled_untouched(window: MainWindow) -> bool:
    """Settle a window; returns whether nothing had to be stopped for it. A trace of more than a
    minute is stopped by its user: light that goes round in a graded index, for one, is traced until
    the limit of segments, which takes many minutes.
    """
    try:
        wait_until_settled(window, 60)
    except NotSettled:
        if not window.service.busy:
            raise
        window.actions_by_id["trace.stop"].trigger()
        wait_until_settled(window, 60)
        return False
    return True


def assert_as_opened_anew(window: MainWindow, open_window: Callable[..., MainWindow]) -> None:
    """The list, the problems and the light are those of another window with the same document."""
    other = open_window(window.document.document)
    assert [window.tree.model.key_at(i) for i in range(window.tree.model.rowCount())] == [
        o.key for o in window.document.scene.objects
    ]
    assert {k: [p.text for p in v] for k, v in window.problems.by_key.items()} == {
        k: [p.text for p in v] for k, v in other.problems.by_key.items()
    }
    mine, fresh = window.document.session.fresh_result, other.document.session.fresh_result
    assert (mine is None) == (
        fresh is None
    ) or not window.document.scene.objects  # an empty document that is opened is not traced
    if (
        mine is not None and fresh is not None and mine.completion != Completion.CANCELLED
    ):  # the user stopped a trace
        assert mine.completion == fresh.completion
        for name in COLUMNS:
            np.testing.assert_array_equal(getattr(mine, name), getattr(fresh, name))
    other.close()


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize("number", range(SESSIONS))
def test_whatever_a_user_does_the_window_stays_sound(
    number: int,
    open_window: Callable[..., MainWindow],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gc.collect()  # the session before may have left a trace of gigabytes
    monkeypatch.setenv("RAYBENCH_CACHE_DIR", str(user_folder("cache")))  # with the compiled kernels
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (folder := tmp_path / "files").mkdir()
    save_document(prism_document(), folder / "prism.json")
    chance = random.Random(f"actions {os.environ.get('RAYBENCH_SEED', '')} {number}")
    begun = [first_document(chance)]
    window = open_window(begun[0])
    document = window.document
    document.opened.connect(lambda: begun.append(document.document))
    user = RandomUser(window, chance, folder, monkeypatch, os.environ.get("RAYBENCH_ACTIONS"))
    with nothing_raised_or_printed(user.did) as check:
        for _ in range(ACTIONS):
            user.act()
            assert_consistent(window)
            check()
        user.finish()
        wait_until(lambda: not window.chat_dock.busy, 60)
        wait_until(lambda: window.json_dock.made is None or window.json.settled, 60)
        untouched = settled_untouched(window)
        assert document.gesture is None
        save_document(document.document, tmp_path / "saved.raybench")
        assert document_to_json(load_document(tmp_path / "saved.raybench")) == document_to_json(
            document.document
        )
        if untouched:  # another window would begin a long trace again
            assert_as_opened_anew(window, open_window)
        last = document.document
        undone = len(document.session.history.undone)
        while document.session.history.done:
            document.undo()
        assert document.document is begun[-1]
        while len(document.session.history.undone) > undone:
            document.redo()
        assert document.document is last
        QApplication.processEvents()
        settled_untouched(window)
        check()
