"""The history as a list: the words of each step, and going back and forth by a click."""

from __future__ import annotations

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from raybench.scene.changes import Group
from raybench_workbench import editing, theme
from raybench_workbench.shot import wait_seconds
from raybench_workbench.window import layout

pytestmark = pytest.mark.one_window


LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(open_window):
    made = open_window(prism_document())
    made.selection.set({made.document.scene.objects[1].key})
    return made


def texts(window):
    return [window.history.list.item(i).text() for i in range(window.history.list.count())]


def click(window, qtbot, row):
    panel = window.history.list
    qtbot.mouseClick(panel.viewport(), LEFT, pos=panel.visualItemRect(panel.item(row)).center())
    wait_seconds(0)


def test_a_click_goes_back_to_a_step_and_forth_again(window, qtbot):
    canvas, document = window.canvas, window.document
    canvas.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_H, Qt.Key.Key_H):
        qtbot.keyClick(canvas, key)
    states = [document.document]
    qtbot.keyClick(canvas, Qt.Key.Key_8, CONTROL)
    assert texts(window) == ["As it was opened", *(s.text for s in document.session.history.done)]
    assert texts(window)[1] == "Main Prism moved by (1, 0) mm"
    last = window.history.list.count() - 1
    click(window, qtbot, 1)
    assert len(document.session.history.done) == 1
    assert window.history.list.currentRow() == 1
    assert window.history.list.item(last).foreground().color() != theme.current_theme().color(
        "text"
    )
    click(window, qtbot, 0)
    assert not document.session.modified
    shown = []
    document.changed.connect(lambda before, after: shown.append(after))
    click(window, qtbot, last)
    assert document.document is states[0]
    assert shown == states, "no state in between is shown"
    assert window.history.list.item(last).foreground().color() == theme.current_theme().color(
        "text"
    )


STEPS = {
    "edit.cut": "3 objects cut",
    "arrange.align_left": "3 objects aligned: left sides",
    "arrange.align_middle": "3 objects aligned: centres, on a horizontal line",
    "arrange.distribute_y": "3 objects distributed vertically",
    "arrange.ungroup": "Bench ungrouped",
    "arrange.backward": "3 objects sent backward",
    "arrange.back": "3 objects sent to back",
    "arrange.group": "3 objects grouped as Group 1",
    "arrange.disable": "3 objects disabled: light passes",
    "arrange.hide": "3 objects hidden",
    "arrange.lock": "3 objects locked",
}


def test_a_step_is_called_as_the_action_that_made_it(window):
    keys = [o.key for o in window.document.scene.objects[1:]]
    layout.show_history(window)
    for action, words in STEPS.items():
        if action == "arrange.ungroup":
            window.document.change(Group(keys, "Bench"))
        window.selection.set(keys)
        window.actions_by_id[action].trigger()
        assert texts(window)[-1] == words
        assert window.actions_by_id["edit.undo"].text() == f"Undo: {words}"
        window.actions_by_id["edit.undo"].trigger()
        window.actions_by_id["edit.redo"].trigger()
        assert texts(window)[-1] == words, "also where it is done again"
        while window.document.session.history.done:
            window.document.undo()


def test_a_group_is_called_by_its_name_in_the_history_and_in_the_form(window, qtbot):
    keys = [o.key for o in window.document.scene.objects[1:]]
    window.document.change(Group(keys, "Bench"))
    window.selection.set(keys)
    assert (
        window.properties.widget().findChild(QLabel).text()
        == "Bench: 3 objects: a change applies to all of them."
    )
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Right)
    layout.show_history(window)
    assert texts(window)[-1] == "Bench moved by (1, 0) mm"
    window.selection.set(keys[:2])
    window.actions_by_id["arrange.rotate_left"].trigger()
    assert texts(window)[-1] == "2 objects turned by 1° counter-clockwise"


def test_what_comes_to_the_front_and_what_is_pasted_is_called_so(window):
    first = window.document.scene.objects[0]
    window.selection.set({first.key})
    layout.show_history(window)
    for action, words in (("forward", "brought forward"), ("front", "brought to front")):
        window.actions_by_id[f"arrange.{action}"].trigger()
        assert texts(window)[-1] == f"{first.title} {words}"
    window.actions_by_id["edit.copy"].trigger()
    window.actions_by_id["edit.paste"].trigger()
    assert texts(window)[-1] == f"{first.label} {window.document.scene.objects[-1].title} pasted"


def test_a_new_change_takes_the_place_of_those_undone(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(window.canvas, Qt.Key.Key_H)
    layout.show_history(window)
    click(window, qtbot, 1)
    window.selection.set({window.document.scene.objects[0].key})
    editing.delete_selection(window)
    assert texts(window)[1:] == [
        "Main Prism moved by (1, 0) mm",
        window.document.session.history.undo_text,
    ]


def test_another_document_has_its_own(window, qtbot):
    layout.show_history(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Right)
    assert len(texts(window)) == 2
    window.document.new()
    assert texts(window) == ["As it was opened"]
    assert not window.history.hint.isHidden()


def test_the_steps_are_legible_in_another_theme(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_H)
    layout.show_history(window)
    assert window.history.list.count() == 2
    window.show_theme("light")
    wait_seconds(0)
    assert all(
        window.history.list.item(i).foreground().color() == theme.LIGHT.color("text")
        for i in range(2)
    )
