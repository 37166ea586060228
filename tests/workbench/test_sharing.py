"""Scenes and objects that come from elsewhere: links, pasted and dropped texts, and objects on the
clipboard.
"""

from __future__ import annotations

import json
import os

import pytest
from prism_window import prism_document
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from raybench.files.scene_json import scene_to_json
from raybench.files.shared import link_from_scene
from raybench.kinds.decorations import Handle
from raybench.kinds.mirrors import Mirror
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import Add, Delete, Group, Hide, SetSettings
from raybench.scene.document import Document
from raybench.scene.modules.module import Module
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench.dialogs import TextDialog
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ONE = Scene.of([Mirror(name="Sent", p1=Point(1, 2), p2=Point(30, 4))])


@pytest.fixture
def window(open_window):
    QApplication.clipboard().clear()
    return open_window(prism_document())


def titles(window):
    return [o.title for o in window.document.scene.objects]


def message_text(window):
    return window.messages.error.label.full_text if window.messages.error.isVisible() else ""


def answer(button):
    """Press a button of the question that comes up next."""

    def press():
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), "no question came up"
        box.button(button).click()

    QTimer.singleShot(50, press)


def put(text):
    QApplication.clipboard().setText(text)


def paste(window, qtbot):
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_V, CTRL)


def drop(window, mime):
    enter = QDragEnterEvent(
        QPointF(300, 300).toPoint(),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier(0),
    )
    enter.ignore()
    window.dragEnterEvent(enter)
    if not enter.isAccepted():
        return False
    window.dropEvent(
        QDropEvent(
            QPointF(300, 300),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier(0),
        )
    )
    return True


@pytest.mark.parametrize(
    "text",
    [
        link_from_scene(ONE),
        json.dumps(scene_to_json(ONE)),
        "Here it is:\n```json\n" + json.dumps(scene_to_json(ONE)) + "\n```\nEnjoy",
    ],
    ids=["link", "JSON", "fenced"],
)
def test_a_pasted_scene_has_no_file(window, qtbot, text):
    put(text)
    paste(window, qtbot)
    assert titles(window) == ["Sent"]
    assert window.document.session.path is None
    assert window.isWindowModified()
    wait_until_settled(window)


@pytest.mark.parametrize(
    ("button", "stays"),
    [(QMessageBox.StandardButton.Cancel, True), (QMessageBox.StandardButton.Discard, False)],
)
def test_pasting_a_scene_asks_about_unsaved_work(window, qtbot, button, stays):
    window.document.change(Delete(o.key for o in window.document.scene.objects[2:]))
    put(link_from_scene(ONE))
    answer(button)
    paste(window, qtbot)
    assert (titles(window) == ["Lamp", "Main Prism"]) is stays


def test_pasted_text_of_no_scene_changes_nothing(window, qtbot):
    before = window.document.document
    put("good morning")
    paste(window, qtbot)
    assert "cannot be opened" in message_text(window)
    assert window.document.document is before


def test_a_link_of_the_clipboard_is_offered(window):
    put(link_from_scene(ONE))
    dialog = link_dialog(window)
    assert dialog.edit.toPlainText() == link_from_scene(ONE)
    dialog.accept_value()
    assert titles(window) == ["Sent"]


def test_a_refused_link_stays_to_be_corrected(window, qtbot):
    before = window.document.document
    dialog = link_dialog(window)
    qtbot.keyClicks(dialog.edit, "good morning")
    dialog.accept_value()
    assert dialog.isVisible()
    assert "cannot be opened" in dialog.reason.text()
    assert dialog.edit.toPlainText() == "good morning"
    assert window.document.document is before
    qtbot.keyClick(dialog.edit, Qt.Key.Key_X)
    assert not dialog.reason.isVisible()
    dialog.reject()


def link_dialog(window):
    window.actions_by_id["file.open_link"].trigger()
    (dialog,) = (d for d in window.findChildren(TextDialog) if d.isVisible())
    return dialog


def test_a_link_opens_the_same_scene(window, qtbot):
    before = window.document.scene
    window.actions_by_id["file.copy_link"].trigger()
    assert window.status.currentMessage() == "Link copied."
    window.document.new()
    paste(window, qtbot)
    assert scene_to_json(window.document.scene)["objs"] == scene_to_json(before)["objs"]


def test_a_copied_link_says_what_it_omits(window):
    lamp, prism, *_ = window.document.scene.objects
    window.document.change([Hide([lamp.key]), Group([lamp.key, prism.key], "Pair")])
    window.actions_by_id["file.copy_link"].trigger()
    (said,) = window.findChildren(QMessageBox)
    assert (said.text(), said.informativeText().splitlines()) == (
        "A link holds a plain scene:",
        [
            "Groups are left out: Pair.",
            f"Hidden objects are shown: {lamp.title}.",
        ],
    )
    said.close()


def test_pasted_objects_are_displaced_and_selected(window, qtbot):
    lamp, prism, *_ = window.document.scene.objects
    window.selection.set({lamp.key, prism.key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_C, CTRL)
    assert [o["type"] for o in json.loads(QApplication.clipboard().text())] == ["Beam", "Glass"]
    paste(window, qtbot)
    paste(window, qtbot)
    assert titles(window)[4:] == ["Lamp 2", "Main Prism 2", "Lamp 3", "Main Prism 3"]
    new = window.document.scene.objects[4:]
    assert [o.path[0][:2] for o in new if o.type == "Glass"] == [(220, 120), (240, 140)]
    assert window.selection.keys == {o.key for o in new[2:]}
    assert window.document.session.history.undo_text == "2 objects pasted"
    window.document.undo()
    assert titles(window)[4:] == ["Lamp 2", "Main Prism 2"]


def test_objects_are_pasted_into_another_window(window, open_window, qtbot):
    lamp = window.document.scene.objects[0]
    window.selection.set({lamp.key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_C, CTRL)
    other = open_window(Document())
    other.activateWindow()
    qtbot.keyClick(other.canvas, Qt.Key.Key_V, CTRL)
    (made,) = other.document.scene.objects
    assert (made, made.key != lamp.key) == (lamp, True)
    assert other.selection.keys == {made.key}
    qtbot.keyClick(other.canvas, Qt.Key.Key_Z, CTRL)
    assert not other.document.scene.objects
    assert lamp in window.document.scene.objects


def test_a_pasted_handle_holds_copies_and_the_rest(window, qtbot):
    prism = window.document.scene.objects[1]
    window.document.change(
        Add(Handle(p1=Point(0, 0), p2=Point(9, 9), obj_indices=[0, 1], name="Grip"))
    )
    window.selection.set({prism.key, window.document.scene.objects[-1].key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_C, CTRL)
    paste(window, qtbot)
    scene = window.document.scene
    assert [scene.objects[i].title for i in scene.objects[-1].grouped_object_indices] == [
        "Lamp",
        "Main Prism 2",
    ]


def test_cut_objects_come_back_in_place(window, qtbot):
    prism = window.document.scene.objects[1]
    window.selection.set({prism.key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_X, CTRL)
    assert "Main Prism" not in titles(window)
    paste(window, qtbot)
    back = window.document.scene.objects[-1]
    assert (back.name, back.path) == ("Main Prism", prism.path)


def test_what_is_locked_is_not_cut(window, qtbot):
    window.document.change(SetSettings({"lockObjs": True}))
    window.selection.set({window.document.scene.objects[1].key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_X, CTRL)
    assert "locked" in message_text(window)
    assert "Main Prism" in titles(window)


def test_a_single_pasted_object_is_one_step(window, qtbot):
    put('{"type": "Blocker", "p1": {"x": 5, "y": 5}, "p2": {"x": 9, "y": 5}} // a note')
    paste(window, qtbot)
    assert titles(window)[4:] == ["Blocker 1"]
    assert window.document.session.history.undo_text == "Blocker pasted"


def test_a_pasted_instance_takes_its_module_along(window, qtbot):
    stand = {
        "numPoints": 1,
        "params": ["h=1:1:9:5"],
        "objs": [{"type": "Blocker", "p1": {"x": "`x_1`", "y": 0}, "p2": {"x": 9, "y": "`h`"}}],
    }
    scene = Scene.of(
        [ModuleObj(module="Stand", points=(Point(3, 4),))],
        modules={"Stand": Module.from_json("Stand", stand)},
    )
    window.document.replace_session(Session(Document(scene=scene)))
    window.selection.set({scene.objects[0].key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_C, CTRL)
    window.document.new()
    paste(window, qtbot)
    instance = window.document.scene.objects[0]
    assert [p.type for p in window.document.scene.parts_of(instance)] == ["Blocker"]


def test_keys_for_copying_belong_to_typed_text(window, qtbot):
    edit = window.chat_dock.composer.edit
    window.selection.set({window.document.scene.objects[1].key})
    put("hello")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_V, CTRL)
    assert edit.toPlainText() == "hello"
    assert not message_text(window)


@pytest.mark.parametrize("name", ["scene.txt", "scene.link", "answer.md"])
def test_a_dropped_text_is_as_if_pasted(window, tmp_path, name):
    path = tmp_path / name
    path.write_text(
        "```\n" + json.dumps(scene_to_json(ONE)) + "\n```"
        if name.endswith("md")
        else link_from_scene(ONE)
    )
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    assert drop(window, mime)
    assert titles(window) == ["Sent"]
    assert window.document.session.path is None, "saving would overwrite a link by JSON"


def test_a_dropped_file_of_no_scene_is_named(window, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    drop(window, mime)
    assert f"{path}: " in message_text(window)


@pytest.mark.parametrize(
    "name", ["pipe.txt", "pipe.json", "a\0b.txt", "a\0b.json", "n" * 5_000 + ".json"]
)
@pytest.mark.security
def test_a_drop_of_no_file_is_told(window, tmp_path, name):
    if name.startswith("pipe"):
        os.mkfifo(tmp_path / name)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(f"{tmp_path}/{name}")])
    drop(window, mime)
    assert "cannot be read: " in message_text(window)
    assert len(titles(window)) == len(prism_document().scene.objects)


@pytest.mark.parametrize("as_url", [True, False])
def test_a_dropped_link_is_opened(window, as_url):
    mime = QMimeData()
    if as_url:
        mime.setUrls([QUrl(link_from_scene(ONE))])
    mime.setText(link_from_scene(ONE))
    assert drop(window, mime)
    assert titles(window) == ["Sent"]


def test_several_files_at_once_are_not_taken(window, tmp_path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / n)) for n in ("a.json", "b.json")])
    assert not drop(window, mime)


@pytest.mark.parametrize("far", [1e12, 1e30])
def test_a_far_object_is_pasted_any_often(open_window, qtbot, far):
    window = open_window(
        Document(scene=Scene.of([Mirror(name="Far", p1=Point(far, far), p2=Point(2 * far, far))]))
    )
    window.selection.set(o.key for o in window.document.scene.objects)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_C, CTRL)
    for _ in range(3):
        qtbot.keyClick(window.canvas, Qt.Key.Key_V, CTRL)
    assert len(window.document.scene.objects) == 4
    assert message_text(window) == ""
