"""Recovery at the window: unsaved work is kept while it is unsaved, offered after a crash, and
opened without touching its file.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from clipped_texts import clipped
from full_disk import full_after
from prism_window import prism_document
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from raybench.files.document_file import document_to_json, load_document, save_document
from raybench.files.recovery import Draft, RecoverySlot, RecoveryWriter
from raybench.scene.changes import Delete, Move, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench_workbench import files, saving
from raybench_workbench.shot import offscreen_window, wait_seconds, wait_until_settled
from raybench_workbench.window.tabs import open_pages

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """Recovery files are written at once, or nearly."""
    monkeypatch.setattr(RecoveryWriter.__init__, "__defaults__", (0.01, 0.02))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bench.json"
    save_document(prism_document(), path)
    return path


def shift(window, by=5):
    key = window.document.scene.objects[1].key
    window.document.change(Move(key, by, 0))


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.raybench")) if folder.exists() else []


def holds(file: Path, document: Document) -> bool:
    return document_to_json(load_document(file)) == document_to_json(document)


def leave(
    folder: Path,
    document: Document,
    path: Path | None = None,
    digest: str | None = None,
    day: int = 1,
) -> Path:
    """A recovery file as a program leaves it that was killed."""
    slot = RecoverySlot.create(folder)
    slot.write(Draft(document, path, digest, datetime(2026, 3, day, 14, 32, tzinfo=UTC)))
    slot.release()
    return slot.file


def moved(document: Document) -> Document:
    return apply_changes(Move(document.scene.objects[1].key, 17, 0), document)


def named(name: str) -> Document:
    return Document(scene=Scene(name=name))


def offered(window, qtbot, count: int):
    """The rows of the strip once it holds so many."""
    window.recovery.search_leftovers()
    qtbot.waitUntil(lambda: len(window.recovery_offer.rows) == count)
    return list(window.recovery_offer.rows.values())


def press(button: QMessageBox.StandardButton) -> list[str]:
    asked: list[str] = []

    def act() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), "no question came up"
        asked.append(f"{box.text()} {box.informativeText()}")
        box.button(button).click()

    QTimer.singleShot(50, act)
    return asked


# --- keeping


def test_unsaved_changes_are_kept_until_they_are_saved(open_window, path, folder, qtbot):
    window = open_window(path)
    assert kept(folder) == []
    shift(window)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    assert holds(kept(folder)[0], window.document.document)
    assert load_document(path).scene == prism_document().scene, "the user's file was written to"
    shift(window)
    qtbot.waitUntil(lambda: holds(kept(folder)[0], window.document.document))
    assert saving.save_document(window)
    qtbot.waitUntil(lambda: list(folder.iterdir()) == [])


def test_undoing_all_changes_leaves_nothing_to_recover(open_window, path, folder, qtbot):
    window = open_window(path)
    shift(window)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    window.document.undo()
    qtbot.waitUntil(lambda: kept(folder) == [])
    window.document.redo()
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)


def test_a_drag_is_kept_while_it_goes_on(open_window, hand, folder, qtbot):
    window = open_window(prism_document())
    mouse = hand(window.canvas)
    mouse.press(200, 220)
    mouse.move(240, 230)
    assert window.document.gesture is not None
    qtbot.waitUntil(
        lambda: len(kept(folder)) == 1 and holds(kept(folder)[0], window.document.document)
    )
    mouse.release()


def test_discarding_at_the_close_leaves_nothing(open_window, path, folder, qtbot):
    window = open_window(path)
    shift(window)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    press(QMessageBox.StandardButton.Discard)
    assert window.close()
    assert list(folder.iterdir()) == []


def test_discarding_for_another_document_leaves_nothing(open_window, path, folder, qtbot):
    window = open_window(path)
    shift(window)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    press(QMessageBox.StandardButton.Discard)
    files.new_document(window)
    qtbot.waitUntil(lambda: list(folder.iterdir()) == [])


def test_a_scene_of_a_link_is_kept(open_window, folder, qtbot):
    window = open_window()
    files.open_text(window, '{"version": 5, "name": "pasted", "objs": []}')
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)
    assert load_document(kept(folder)[0]).scene.name == "pasted"


def test_windows_keep_their_documents_apart(open_window, folder, qtbot):
    windows = [open_window(prism_document()) for _ in range(3)]
    for i, window in enumerate(windows):
        shift(window, 10 * (i + 1))
    qtbot.waitUntil(lambda: len(kept(folder)) == 3)
    windows[0].recovery.search_leftovers()
    qtbot.wait(200)
    assert windows[0].recovery_offer.isHidden(), "a living document was offered"
    windows[1].document.session.discard()
    assert windows[1].close()
    assert len(kept(folder)) == 2


def test_what_cannot_be_kept_is_reported(open_window, folder, qtbot):
    window = open_window(prism_document())
    with full_after(100):
        shift(window)
        qtbot.waitUntil(window.messages.error.isVisible)
        assert "Unsaved changes are not kept for recovery" in window.messages.error.label.full_text
        assert str(folder) in window.messages.error.label.full_text
    shift(window)
    qtbot.waitUntil(lambda: len(kept(folder)) == 1)


def test_windows_of_pictures_and_tours_keep_nothing(raybench_app, path, tmp_path, monkeypatch):
    monkeypatch.setenv("RAYBENCH_STATE_DIR", str(tmp_path / "state"))
    with offscreen_window(path) as window:
        shift(window)
        window.recovery.search_leftovers()
        wait_seconds(0.2)
        assert window.document.session.modified
    assert not (tmp_path / "state").exists()


# --- offering


def test_an_empty_strip_takes_no_place(open_window, qtbot):
    window = open_window(prism_document())
    window.recovery.search_leftovers()
    qtbot.wait(100)
    assert window.recovery_offer.isHidden()


def test_what_is_recovered_is_unsaved(open_window, path, folder, qtbot):
    session = Session.open(path)
    unsaved = moved(session.document)
    file = leave(folder, unsaved, path, session.digest)
    before = path.read_bytes()
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    qtbot.mouseClick(row.recover, LEFT)
    wait_until_settled(window)
    assert window.windowTitle() == "bench.json[*] – Raybench"
    assert window.isWindowModified()
    assert document_to_json(window.document.document) == document_to_json(unsaved)
    assert window.recovery_offer.isHidden()
    assert path.read_bytes() == before
    assert kept(folder) == [file], "it is not kept until it is saved"
    assert saving.save_document(window)
    assert load_document(path).scene == unsaved.scene
    qtbot.waitUntil(lambda: list(folder.iterdir()) == [])


def test_a_crash_right_after_recovering_loses_nothing(open_window, folder, qtbot, monkeypatch):
    file = leave(folder, named("left"))
    monkeypatch.setattr(RecoveryWriter.__init__, "__defaults__", (60.0, 60.0))
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    qtbot.mouseClick(row.recover, LEFT)
    qtbot.wait(200)
    assert load_document(file).scene.name == "left"


def test_saving_asks_about_changes_since_the_crash(open_window, path, folder, qtbot):
    session = Session.open(path)
    leave(folder, moved(session.document), path, session.digest)
    save_document(named("later"), path)
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    qtbot.mouseClick(row.recover, LEFT)
    qtbot.waitUntil(
        lambda: (
            window.messages.file.label.full_text
            == "bench.json was changed on disk outside this window."
        )
    )
    asked = press(QMessageBox.StandardButton.Cancel)
    assert not saving.save_document(window)
    assert asked
    assert load_document(path).scene.name == "later"


def test_a_recovered_document_opens_beside_unsaved_work(open_window, folder, qtbot):
    for name in ("first", "second"):
        leave(folder, named(name), day=2 if name == "first" else 1)
    window = open_window(prism_document())
    shift(window)
    mine = window.document.document
    first, second = offered(window, qtbot, 2)
    assert first.text.full_text.startswith("first, 0 objects, changed")
    qtbot.mouseClick(first.recover, LEFT)
    assert len(open_pages()) == 1
    qtbot.mouseClick(second.recover, LEFT)
    assert window.document.document is mine
    recovered = open_pages()
    assert {page.document.scene.name for page in recovered} == {"first", "second"}
    assert all(page.window().isVisible() and page.isWindowModified() for page in recovered)
    qtbot.waitUntil(lambda: len(kept(folder)) == 3)
    for page in recovered:
        page.document.session.discard()
        assert page.close()
    assert open_pages() == []
    assert len(kept(folder)) == 1


def test_two_drafts_of_one_file_are_distinct(open_window, path, folder, qtbot):
    document = load_document(path)
    fewer = apply_changes(Delete(document.scene.objects[0].key), document)
    for second, draft in ((7, document), (9, document), (9, fewer)):
        slot = RecoverySlot.create(folder)
        slot.write(Draft(draft, path, None, datetime(2026, 3, 1, 14, 32, second, tzinfo=UTC)))
        slot.release()
    texts = [row.text.full_text for row in offered(open_window(), qtbot, 3)]
    assert len(set(texts)) == 3, texts
    assert all(text.endswith(f", {path.parent}") for text in texts)


def test_discarding_asks_first(open_window, path, folder, qtbot):
    leave(folder, moved(load_document(path)), path)
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    asked = press(QMessageBox.StandardButton.Cancel)
    qtbot.mouseClick(row.discard, LEFT)
    (question,) = asked
    assert question.startswith("Discard the unsaved changes to bench.json? ")
    assert (
        row.text.full_text.removesuffix(f", {path.parent}").removeprefix("bench.json, ") in question
    )
    assert question.endswith(" They cannot be brought back.")
    assert len(kept(folder)) == 1
    press(QMessageBox.StandardButton.Discard)
    qtbot.mouseClick(row.discard, LEFT)
    assert list(folder.iterdir()) == []
    assert window.recovery_offer.isHidden()


@pytest.mark.parametrize("end", ["later", "close"])
def test_later_leaves_it_to_the_next_start(open_window, folder, qtbot, end):
    leave(folder, named("left"))
    window = open_window()
    offered(window, qtbot, 1)
    if end == "later":
        qtbot.mouseClick(window.recovery_offer.later, LEFT)
        assert window.recovery_offer.isHidden()
    else:
        assert window.close()
    offered(open_window(), qtbot, 1)


def test_a_damaged_file_can_only_be_discarded(open_window, folder, qtbot):
    file = leave(folder, named("left"))
    file.write_bytes(b"{")
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    assert row.text.full_text.startswith(f"A damaged recovery file: {file}: this is not JSON")
    assert not row.recover.isVisible()
    press(QMessageBox.StandardButton.Discard)
    qtbot.mouseClick(row.discard, LEFT)
    assert list(folder.iterdir()) == []


def test_many_leftovers_scroll(open_window, folder, qtbot):
    for i in range(20):
        leave(folder, named(f"scene {i}"))
    window = open_window()
    offered(window, qtbot, 20)
    assert window.recovery_offer.height() < 200


def test_a_hostile_name_is_shown_as_it_is(open_window, folder, qtbot):
    leave(folder, named("<b>bold</b>\nsecond line " + "x" * 5000))
    window = open_window()
    (row,) = offered(window, qtbot, 1)
    assert row.text.full_text.startswith("<b>bold</b> second line xxx")
    assert window.width() == 1280


def test_the_offer_does_not_widen_a_small_window(open_window, folder, qtbot):
    leave(folder, prism_document())
    window = open_window(size=(800, 500))
    wait_until_settled(window)
    width = window.width()
    window.recovery.search_leftovers()
    qtbot.waitUntil(window.recovery_offer.isVisible)
    wait_until_settled(window)
    assert window.width() == width
    assert clipped(window.recovery_offer.title) == []


def test_the_offer_is_looked_at(open_window, shots, folder, qtbot, monkeypatch, request):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    request.addfinalizer(time.tzset)
    request.addfinalizer(lambda: os.environ.pop("TZ", None))
    leave(folder, moved(prism_document()), Path("/home/ada/optics/periscope.json"), day=3)
    leave(folder, named("Telescope"), day=2)
    window = open_window(prism_document())
    first, second = offered(window, qtbot, 2)
    assert (
        first.text.full_text
        == "periscope.json, 4 objects, changed 2026-03-03 14:32:00, /home/ada/optics"
    )
    assert second.text.full_text == "Telescope, 0 objects, changed 2026-03-02 14:32:00, never saved"
    assert window.recovery_offer.isVisible()
    wait_until_settled(window)
    shots(window.recovery_offer, "recovery-offer")
