"""Saving at the window while other programs write to the same file: what is noticed, asked and
kept.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from full_disk import full_after
from ordinary_user import folder_of_ordinary_user, ordinary_user
from prism_window import prism_document
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from shiboken6 import isValid
from window_state import select, steps

from raybench.files.atomic import backup_path, digest_on_disk
from raybench.files.document_file import load_document, save_document
from raybench.files.shared import read_shared
from raybench.kinds.mirrors import CustomMirror
from raybench.scene.changes import Delete, Move, SetDocument
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench import files, saving
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.panels.number_edit import FormulaEdit

pytestmark = pytest.mark.one_window


THEIRS = Document(scene=Scene(name="theirs"))
OTHERS = Document(scene=Scene(name="another's"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "scenes" / "bench.json"
    path.parent.mkdir()
    save_document(prism_document(), path)
    return path


@pytest.fixture
def window(open_window, path):
    return open_window(path)


def shift(window):
    key = window.document.scene.objects[1].key
    window.document.change(Move(key, 5, 0))


def press(name: str) -> list[str]:
    """Press a button of the question that comes up next, by its text; the list will hold what was
    asked.
    """
    asked: list[str] = []

    def act() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), "no question came up"
        asked.append(f"{box.text()} {box.informativeText()}")
        next(b for b in box.buttons() if b.text().replace("&", "") == name).click()

    QTimer.singleShot(50, act)
    return asked


def notice(window) -> str:
    return window.messages.file.label.full_text if window.messages.file.isVisible() else ""


def edited(path: Path) -> None:
    save_document(THEIRS, path)


def written_in_place(path: Path) -> None:
    other = path.with_suffix(".other")
    save_document(THEIRS, other)
    path.write_bytes(other.read_bytes())
    other.unlink()


@pytest.mark.parametrize("change", [edited, written_in_place], ids=["replaced", "written in place"])
def test_a_changed_file_is_reloaded_as_a_step(window, path, qtbot, change):
    shift(window)
    mine = window.document.document
    change(path)
    qtbot.waitUntil(lambda: notice(window) == "bench.json was changed on disk outside this window.")
    qtbot.mouseClick(window.messages.file.button, Qt.MouseButton.LeftButton)
    assert window.document.scene.name == "theirs"
    assert not window.isWindowModified()
    assert notice(window) == ""
    window.document.undo()
    assert window.document.document is mine
    assert window.isWindowModified()


def test_a_large_file_is_reloaded_in_a_thread(window, path, qtbot, monkeypatch):
    on = []
    monkeypatch.setattr(files, "LARGE_FILE_BYTES", 0)
    monkeypatch.setattr(
        files,
        "read_shared",
        lambda p, **how: (on.append(threading.current_thread()), read_shared(p, **how))[1],
    )
    edited(path)
    qtbot.waitUntil(lambda: notice(window) != "")
    qtbot.mouseClick(window.messages.file.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.scene.name == "theirs")
    assert on != []
    assert threading.main_thread() not in on


def test_a_failed_reload_changes_nothing(window, path, qtbot):
    before = window.document.document
    path.write_text("{")
    qtbot.waitUntil(lambda: notice(window) != "")
    qtbot.mouseClick(window.messages.file.button, Qt.MouseButton.LeftButton)
    assert "this is not JSON" in window.messages.error.label.full_text
    assert window.document.document is before


def test_a_replaced_file_is_watched_on(window, path, qtbot):
    for document in (THEIRS, OTHERS, THEIRS):
        save_document(document, path)
        qtbot.waitUntil(lambda: notice(window) != "")
        qtbot.mouseClick(window.messages.file.button, Qt.MouseButton.LeftButton)
        assert window.document.scene.name == document.scene.name
        assert notice(window) == ""


def test_a_restored_file_is_no_longer_reported(window, path, qtbot):
    before = path.read_bytes()
    edited(path)
    qtbot.waitUntil(lambda: notice(window) != "")
    path.write_bytes(before)
    qtbot.waitUntil(lambda: notice(window) == "")


def test_a_file_behind_a_link_is_watched(open_window, path, tmp_path, qtbot):
    link = tmp_path / "link.json"
    link.symlink_to(path)
    window = open_window(link)
    edited(path)
    qtbot.waitUntil(lambda: notice(window) == "link.json was changed on disk outside this window.")


def test_a_file_that_is_gone_is_saved_again(window, path, qtbot):
    path.rename(path.with_name("elsewhere.json"))
    qtbot.waitUntil(
        lambda: notice(window) == "bench.json was moved or deleted on disk. Save writes it again."
    )
    assert not window.messages.file.button.isVisible()
    assert saving.save_document(window)
    assert path.exists()
    assert notice(window) == ""


def test_a_folder_in_its_place_is_reported(window, path, qtbot):
    path.unlink()
    path.mkdir()
    qtbot.waitUntil(
        lambda: notice(window) == "bench.json was moved or deleted on disk. Save writes it again."
    )
    assert not saving.save_document(window)


def test_a_silent_drive_holds_no_window(window, path, qtbot, monkeypatch):
    answers, on = threading.Event(), []

    def slow(p):
        on.append(threading.current_thread())
        answers.wait(30)
        return digest_on_disk(p)

    monkeypatch.setattr(saving, "digest_on_disk", slow)
    edited(path)
    qtbot.waitUntil(lambda: bool(on))
    shift(window)
    assert saving.save_to_file(window, path.with_name("other.json")), (
        "the window works while the drive does not"
    )
    assert notice(window) == ""
    written_in_place(path.with_name("other.json"))
    answers.set()
    qtbot.waitUntil(lambda: notice(window) == "other.json was changed on disk outside this window.")
    assert threading.main_thread() not in on


def test_own_saves_are_not_taken_for_another_programs(window, path, qtbot):
    shift(window)
    assert saving.save_document(window)
    qtbot.wait(500)
    assert notice(window) == ""
    os.utime(path)
    qtbot.wait(500)
    assert notice(window) == "", "a file that was touched holds the same"


def test_another_document_ends_messages_about_the_file(window, path, qtbot):
    edited(path)
    qtbot.waitUntil(lambda: notice(window) != "")
    window.document.new()
    assert notice(window) == ""


def test_an_unreadable_change_leaves_the_document(window, path, qtbot):
    before = window.document.document
    path.write_text("{")
    qtbot.waitUntil(lambda: notice(window) != "")
    qtbot.mouseClick(window.messages.file.button, Qt.MouseButton.LeftButton)
    assert window.document.document is before
    assert "not JSON" in window.messages.error.label.full_text
    assert notice(window) != ""


def test_saving_over_a_changed_file_asks(window, path):
    shift(window)
    edited(path)
    asked = press("Cancel")
    assert not saving.save_document(window)
    assert asked == [
        "bench.json was changed on disk outside this window. Overwrite it? The version on disk is"
        " then kept as bench.json~."
    ]
    assert load_document(path).scene.name == "theirs"
    assert window.isWindowModified()


def test_overwriting_a_changed_file_keeps_a_backup(window, path, qtbot):
    shift(window)
    edited(path)
    press("Overwrite")
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load_document(path).scene == window.document.scene
    assert load_document(backup_path(path)).scene.name == "theirs"
    assert not window.isWindowModified()
    assert notice(window) == ""


def test_a_changed_file_can_be_left_alone(window, path, monkeypatch):
    other = path.with_name("mine.json")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(other), ""))
    shift(window)
    edited(path)
    press("Save as…")
    assert saving.save_document(window)
    assert load_document(path).scene.name == "theirs"
    assert load_document(other).scene == window.document.scene
    assert window.document.session.path == other


def test_closing_asks_about_the_changed_file_too(window, path):
    shift(window)
    edited(path)

    def save_then_cancel():
        box = QApplication.activeModalWidget()
        assert "Save the changes" in box.text()
        press("Cancel")
        box.button(QMessageBox.StandardButton.Save).click()

    QTimer.singleShot(50, save_then_cancel)
    assert not window.close()
    assert load_document(path).scene.name == "theirs"


@pytest.mark.parametrize(("button", "replaced"), [("Cancel", False), ("Replace", True)])
def test_a_name_with_a_new_suffix_is_asked_about(window, path, monkeypatch, button, replaced):
    other = path.with_name("mine.json")
    save_document(THEIRS, other)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(other.with_suffix("")), "")
    )
    asked = press(button)
    assert saving.save_document_as(window) is replaced
    assert asked == [
        "mine.json already exists. Replace it? Its present content is then kept as mine.json~."
    ]
    assert (load_document(other).scene.name == "theirs") is not replaced
    assert backup_path(other).exists() is replaced


def test_too_long_a_name_is_refused_in_words(window, path, monkeypatch, qtbot):
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(path.with_name(300 * "a")), "")
    )
    with qtbot.waitSignal(window.document.failed):
        assert not saving.save_document_as(window)
    assert ask_save_name(
        window, "Export figure", path, "PNG picture (*.png)", (".png",)
    ) == path.with_name(300 * "a" + ".png")


def test_a_dot_in_a_name_is_no_suffix(window, path, monkeypatch):
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(path.with_name("lens v1.5")), "")
    )
    assert saving.save_document_as(window)
    assert window.document.session.path == path.with_name("lens v1.5.json")
    window.document.change(SetDocument(unit="cm"))
    press("Save as .raybench")
    assert saving.save_document(window)
    assert load_document(path.with_name("lens v1.5.raybench")).unit == "cm"


def test_a_suffix_in_capitals_keeps_everything_too(open_window, path):
    own = path.with_name("BENCH.RAYBENCH")
    save_document(prism_document().with_annotations(unit="cm"), own)
    window = open_window(own)
    shift(window)
    assert saving.save_document(window)
    assert load_document(own).unit == "cm"


@pytest.mark.parametrize(
    ("button", "closed", "there"),
    [("Cancel", False, False), ("Save", True, True), ("Discard", True, False)],
)
def test_closing_asks_where_the_file_was_deleted(window, path, button, closed, there):
    path.unlink()
    asked = press(button)
    assert saving.may_leave_document(window) is closed
    assert asked == [
        "bench.json no longer exists. Save it again? The scene is lost if you discard it."
    ]
    assert path.exists() is there


def error(window) -> str:
    return window.messages.error.label.full_text if window.messages.error.isVisible() else ""


def test_a_full_disk_leaves_file_and_document(window, path, qtbot):
    before = path.read_bytes()
    shift(window)
    mine = window.document.document
    with full_after(100):
        qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: "cannot be written" in error(window))
    assert str(path) in error(window)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]
    assert window.document.document is mine
    assert window.isWindowModified()
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load_document(path).scene == mine.scene
    assert not window.isWindowModified()
    assert error(window) == "", "the fault is over"


def test_a_read_only_folder_is_told(open_window, path, monkeypatch, qtbot):
    with folder_of_ordinary_user() as folder:
        closed, other = folder / "bench.json", path.with_name("mine.json")
        save_document(prism_document(), closed)
        before = closed.read_bytes()
        window = open_window(closed)
        shift(window)
        mine = window.document.document
        folder.chmod(0o555)
        with ordinary_user():
            qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            qtbot.waitUntil(lambda: str(closed) in error(window))
        assert "folder" in error(window)
        assert closed.read_bytes() == before
        assert window.document.document is mine
        assert window.isWindowModified()
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(other), ""))
        qtbot.keyClick(
            window,
            Qt.Key.Key_S,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        assert load_document(other).scene == mine.scene
        assert not window.isWindowModified()
        assert error(window) == "", "the fault is over"


def test_a_folder_that_is_gone_is_told(window, path, tmp_path, qtbot):
    shift(window)
    mine = window.document.document
    path.parent.rename(tmp_path / "elsewhere")
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: str(path) in error(window))
    assert window.document.document is mine
    assert window.isWindowModified()
    assert not path.parent.exists()
    (tmp_path / "elsewhere").rename(path.parent)
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load_document(path).scene == mine.scene


def test_saving_a_plain_scene_names_its_losses(open_window, tmp_path):
    document = prism_document()
    first, second = document.scene.objects[:2]
    window = open_window(
        document.with_annotations(
            hidden=frozenset({first.key}), groups={"Pair": frozenset({first.key, second.key})}
        )
    )
    texts = press("Cancel")
    assert not saving.save_to_file(window, tmp_path / "plain.json")
    assert (
        texts[0]
        == "plain.json is a plain scene, which cannot hold everything. Save it nevertheless? •"
        f" Groups are left out: Pair.\n• Hidden objects are shown: {first.title}.\n\nA"
        " .raybench file keeps everything."
    )


def test_an_undone_reload_selects_what_comes_back(window, path, qtbot):
    shift(window)
    lost = {o.key for o in window.document.scene.objects[2:]}
    save_document(Document(scene=Scene.of(prism_document().scene.objects[:2])), path)
    qtbot.waitUntil(lambda: "changed on disk" in notice(window))
    window.messages.file.button.click()
    qtbot.waitUntil(lambda: not notice(window))
    window.actions_by_id["edit.undo"].trigger()
    assert window.selection.keys == lost


def put(qtbot, window, name: str, text: str) -> QLineEdit:
    """Type a text into a field of the forms, without Enter."""
    edit = next(
        e
        for e in window.form_pages.findChildren(QLineEdit)
        if e.accessibleName() == name and e.isVisible()
    )
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    return edit


FIELDS = [
    ((), "Grid size", "30"),
    (("Main Prism",), "Refractive index", "1.9"),
    (("Main Prism",), "Name", "Wedge"),
]


@pytest.mark.parametrize(("selection", "name", "text"), FIELDS)
def test_what_is_typed_and_not_committed_is_saved(window, path, qtbot, selection, name, text):
    select(window, *selection)
    edit = put(qtbot, window, name, text)
    qtbot.keyClick(edit, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert len(steps(window)) == 1
    assert load_document(path).scene == window.document.scene
    assert not window.document.session.modified
    assert edit.hasFocus()


@pytest.mark.parametrize("leave", ["close", "new"])
def test_typing_that_is_refused_is_asked_about(window, qtbot, leave):
    put(qtbot, window, "Grid size", "30")
    asked = press("Cancel")
    window.close() if leave == "close" else files.new_document(window)
    assert asked == ["Save the changes to bench.json? They are lost if you discard them."]
    assert window.isVisible()
    assert window.document.scene.settings.grid_size == 30


LEAVING = {
    "save": lambda w: w.actions_by_id["file.save"].trigger(),
    "new": lambda w: files.new_document(w),
    "close": lambda w: w.close(),
}
REFUSED = [
    ((), "Grid size", "-1", "Grid size must be above 0; -1 is not."),
    (("Main Prism",), "Refractive index", "1;5", "Refractive index "),
]


@pytest.mark.parametrize("leave", LEAVING)
@pytest.mark.parametrize(("selection", "name", "text", "why"), REFUSED)
def test_a_refused_number_is_asked_about(window, path, qtbot, leave, selection, name, text, why):
    select(window, *selection)
    before, file = window.document.document, path.read_bytes()
    edit = put(qtbot, window, name, text)
    asked = press("Cancel")
    LEAVING[leave](window)
    assert len(asked) == 1
    assert asked[0].startswith(f"Discard what is typed? {why}")
    assert window.isVisible()
    assert window.document.document is before
    assert path.read_bytes() == file
    assert (edit.text(), edit.refusal.startswith(why), window.focusWidget()) == (
        text,
        True,
        edit,
    ), "it can be corrected"
    press("Discard typing")
    LEAVING[leave](window)
    assert window.isVisible() is (leave != "close")
    assert edit.text() != text
    assert edit.refusal == ""
    assert path.read_bytes() == file


@pytest.mark.parametrize("answer", ["Cancel", "Discard typing"])
def test_the_field_asked_about_may_be_gone(window, path, qtbot, answer):
    """An agent may delete the object meanwhile."""
    select(window, "Main Prism")
    edit = put(qtbot, window, "Refractive index", "1;5")

    def delete() -> None:
        window.document.change(Delete("Main Prism"))
        press(answer)

    QTimer.singleShot(10, delete)
    window.actions_by_id["file.save"].trigger()
    assert not isValid(edit)
    saved = answer == "Discard typing"
    assert window.document.session.modified is not saved
    assert ("Main Prism" in path.read_text()) is not saved


def test_refused_text_keeps_the_window_open_once(window, path, qtbot):
    before, file = window.document.document, path.read_bytes()
    for leave in LEAVING.values():
        put(qtbot, window, "Largest depth", "deep")
        leave(window)
        assert error(window)
        assert window.isVisible()
        assert window.document.document is before
        assert path.read_bytes() == file
    window.close()
    assert not window.isVisible()


def test_a_refused_formula_is_asked_about(open_window, qtbot):
    window = open_window(
        Document(scene=Scene.of([CustomMirror(p1=Point(0, 0), p2=Point(90, 0), name="Curve")]))
    )
    select(window, "Curve")
    edit = put(qtbot, window, window.form_pages.findChild(FormulaEdit).accessibleName(), "x^")
    asked = press("Discard typing")
    window.close()
    assert asked[0].startswith(f"Discard what is typed? {edit.accessibleName()}: ")
    assert not window.isVisible()


def test_an_action_takes_what_is_typed_into_account(window, qtbot):
    select(window, "Main Prism")
    edit = put(qtbot, window, "Refractive index", "1.9")
    qtbot.keyClick(edit, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert [o.ref_index for o in window.document.scene.objects if hasattr(o, "ref_index")] == [
        1.9,
        1.9,
    ]


def renaming(window, qtbot, hand) -> QWidget:
    select(window, "Main Prism")
    window.actions_by_id["edit.rename"].trigger()
    qtbot.keyClicks(QApplication.focusWidget(), "Wedge")
    return QApplication.focusWidget()


def typing_a_place(window, qtbot, hand) -> QWidget:
    hand(window.canvas).click(200, 220)
    hand(window.canvas).double_click(300, 280)
    qtbot.keyClicks(QApplication.focusWidget(), "320")
    return QApplication.focusWidget()


def typing_json(window, qtbot, hand) -> QWidget:
    window.actions_by_id["view.json"].trigger()
    panel = window.json_dock.made
    qtbot.waitUntil(lambda: panel.settled)
    at = panel.editor.toPlainText().index("Main Prism")
    panel.editor.scroll_to_position(at, focus=True)
    qtbot.keyClicks(panel.editor, "The ")
    return panel.editor


ELSEWHERE = pytest.mark.parametrize("begin", [renaming, typing_a_place, typing_json])


@ELSEWHERE
def test_typing_outside_of_forms_is_saved(window, path, qtbot, hand, begin):
    before = window.document.scene
    qtbot.keyClick(begin(window, qtbot, hand), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load_document(path).scene == window.document.scene != before
    assert not window.document.session.modified


@ELSEWHERE
def test_typing_outside_of_forms_is_asked_about(window, qtbot, hand, begin):
    begin(window, qtbot, hand)
    asked = press("Cancel")
    window.close()
    assert asked == ["Save the changes to bench.json? They are lost if you discard them."]
    assert window.isVisible()


@pytest.mark.parametrize("hidden", [False, True])
def test_json_with_a_fault_is_asked_about(window, path, qtbot, hand, hidden):
    file = path.read_bytes()
    qtbot.keyClicks(typing_json(window, qtbot, hand), '"')
    if hidden:
        window.json_dock.hide()
        qtbot.waitUntil(lambda: window.json.fault is not None)
    else:
        window.actions_by_id["file.save"].trigger()
        assert window.messages.error.label.full_text.startswith("The JSON has a fault: Line ")
    assert path.read_bytes() == file
    typed = window.json.editor.toPlainText()
    asked = press("Cancel")
    window.close()
    assert window.isVisible()
    (question,) = asked
    assert question.startswith(
        "Discard what is typed as JSON? The scene cannot take it over: Line "
    )
    assert window.json.isVisible()
    assert window.json.editor.toPlainText() == typed
    press("Discard typing")
    window.close()
    assert not window.isVisible()
    assert path.read_bytes() == file
