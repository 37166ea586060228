"""Arranging by menu and key: turned, mirrored, scaled, hidden and disabled objects, each one step
to undo.
"""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.workbench.prism_window import prism_document

from raybench.scene.changes import ChangeRefused, Duplicate, Scale, Set
from raybench_workbench.dialogs import NumberDialog
from raybench_workbench.shot import wait_seconds

pytestmark = pytest.mark.one_window


PRISM = "Main Prism"
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(open_window):
    shown = open_window(prism_document())
    shown.selection.set(o.key for o in shown.document.scene.objects if o.title == PRISM)
    return shown


def corners(window):
    prism = next(o for o in window.document.scene.objects if o.title == PRISM)
    return [(v.x, v.y) for v in prism.path]


def centre(points):
    return tuple(sum(c) / len(points) for c in zip(*points, strict=True))


def bearing(points):
    """The direction from the centre to the first corner, degrees counter-clockwise as seen."""
    (x, y), (cx, cy) = points[0], centre(points)
    return math.degrees(math.atan2(cy - y, x - cx))


def answer(window, qtbot, text):
    """Type a text into the dialog that asks for a number, and Enter."""
    (dialog,) = window.findChildren(NumberDialog)
    dialog.edit.selectAll()
    qtbot.keyClicks(dialog.edit, text)
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    wait_seconds(0.02)
    return dialog


def find_and_run(window, qtbot, words):
    """Run an action by Ctrl+K, a few letters of its title, and Enter."""
    qtbot.keyClick(window.canvas, Qt.Key.Key_K, CONTROL)
    query = QApplication.activePopupWidget().query
    qtbot.keyClicks(query, words)
    qtbot.keyClick(query, Qt.Key.Key_Return)
    wait_seconds(0.02)


@pytest.mark.parametrize(
    ("text", "degrees"), [("7", 7), ("-30 deg", -30), ("0.1 rad", math.degrees(0.1))]
)
def test_a_prism_is_turned_by_a_typed_angle_as_one_step(window, qtbot, text, degrees):
    before = corners(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_R, CONTROL)
    answer(window, qtbot, text)
    after = corners(window)
    assert (bearing(after) - bearing(before) + 180) % 360 - 180 == pytest.approx(degrees)
    assert window.document.session.history.undo_text.startswith(f"{PRISM} turned by ")
    window.document.undo()
    assert corners(window) == before


def test_plus_and_minus_turn_on_the_canvas(window, qtbot):
    before = corners(window)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Plus)
    assert bearing(corners(window)) - bearing(before) == pytest.approx(1)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Minus)
    assert sum(corners(window), ()) == pytest.approx(sum(before, ()))


def test_mirroring_twice_gives_the_object_back(window, qtbot):
    before = corners(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_M, CONTROL)
    assert sum(corners(window), ()) != pytest.approx(sum(before, ()))
    qtbot.keyClick(window.canvas, Qt.Key.Key_M, CONTROL)
    assert sum(corners(window), ()) == pytest.approx(sum(before, ()))


def test_scaling_takes_a_factor(window, qtbot):
    before = corners(window)
    find_and_run(window, qtbot, "scale")
    answer(window, qtbot, "2")
    after = corners(window)
    assert math.dist(after[0], after[1]) == pytest.approx(2 * math.dist(before[0], before[1]))


def test_a_factor_that_leaves_nothing_of_an_object_is_refused(window, qtbot):
    before = corners(window)
    find_and_run(window, qtbot, "scale")
    dialog = answer(window, qtbot, "0")
    assert dialog.isVisible()
    assert dialog.reason.text() == "Factor must be between 1e-09 and 1000000000; 0 is not."
    assert corners(window) == before
    with pytest.raises(ChangeRefused, match="must be between"):
        window.document.apply(Scale(PRISM, 0.0))


def test_a_wrong_angle_stays_to_be_corrected_with_its_reason(window, qtbot):
    before = corners(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_R, CONTROL)
    dialog = answer(window, qtbot, "7 mm")
    assert dialog.isVisible()
    assert dialog.edit.text() == "7 mm"
    assert "mm" in dialog.reason.text()
    assert corners(window) == before
    answer(window, qtbot, "7 deg")
    assert bearing(corners(window)) - bearing(before) == pytest.approx(7)
    assert not window.findChildren(NumberDialog)


def test_hidden_objects_come_back_selected(window, qtbot):
    keys = window.selection.keys
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_H)
    assert window.document.document.hidden == keys
    assert not window.selection.keys
    qtbot.keyClick(window.canvas, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    assert window.document.document.hidden == frozenset()
    assert window.selection.keys == keys


def test_light_passes_a_disabled_object_until_it_is_enabled_again(window, qtbot):
    action = window.actions_by_id["arrange.disable"]
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_D)
    assert window.document.document.disabled == window.selection.keys
    assert action.isChecked()
    qtbot.keyClick(window.canvas, Qt.Key.Key_D)
    assert window.document.document.disabled == frozenset()


def test_a_locked_object_is_not_turned(window, qtbot):
    window.canvas.setFocus()
    window.document.change(Set(PRISM, {"locked": "locked"}))
    before = corners(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Plus)
    assert corners(window) == before
    assert "Unlock it" in window.messages.error.label.full_text


def test_an_undone_delete_selects_what_came_back_and_keeps_the_canvas_still(window, qtbot):
    keys = window.selection.keys
    window.canvas.setFocus()
    size, camera = window.canvas.size(), window.canvas.camera
    qtbot.keyClick(window.canvas, Qt.Key.Key_Delete)
    assert not window.selection.keys
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert window.selection.keys == keys
    window.document.failed.emit("Something was refused.")
    qtbot.wait(10)
    assert window.messages.error.isVisible()
    assert (window.canvas.size(), window.canvas.camera) == (size, camera)


def test_new_shows_the_same_part_whatever_was_shown_before(open_window, qtbot, monkeypatch):
    fresh = open_window().canvas.camera
    window = open_window(prism_document())
    whole = window.canvas.camera
    for _ in range(6):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Minus, CONTROL)
    assert window.canvas.camera.scale == pytest.approx(whole.scale * 0.8**6)
    monkeypatch.setattr("raybench_workbench.files.may_leave_document", lambda _: True)
    qtbot.keyClick(window.canvas, Qt.Key.Key_N, CONTROL)
    assert window.canvas.camera == fresh
    qtbot.keyClick(window.canvas, Qt.Key.Key_A)  # the library
    qtbot.keyClicks(window.library.search, "spherical lens")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Return)
    assert window.canvas.drawn_kind == "SphericalLens"
    assert window.canvas.camera == fresh


def test_why_an_angle_is_refused_is_read_in_full_in_the_dialog(window, qtbot):
    qtbot.keyClick(window.canvas, Qt.Key.Key_R, CONTROL)
    (dialog,) = window.findChildren(NumberDialog)
    for text in ("seven", "10*sin(30) deg"):
        dialog.edit.selectAll()
        qtbot.keyClicks(dialog.edit, text)
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
        wait_seconds(0.02)
        assert dialog.reason.text().startswith("Angle ")
        assert dialog.reason.height() >= dialog.reason.heightForWidth(dialog.reason.width())
    dialog.reject()


def test_an_undone_hide_selects_what_came_back_into_view(window):
    key = window.document.scene.objects[2].key
    window.selection.set([key])
    window.actions_by_id["arrange.hide"].trigger()
    assert not window.selection.keys
    window.actions_by_id["edit.undo"].trigger()
    assert window.selection.keys == {key}


@pytest.mark.parametrize(
    ("action", "order"), [("front", [1, 3, 0, 2, 4]), ("back", [0, 2, 4, 1, 3])]
)
def test_objects_of_which_one_is_at_the_end_already_go_there_together(open_window, action, order):
    window = open_window(prism_document())
    window.document.change(Duplicate("Screen"))
    before = [o.key for o in window.document.scene.objects]
    window.selection.set(before[::2])
    window.actions_by_id[f"arrange.{action}"].trigger()
    assert [o.key for o in window.document.scene.objects] == [before[i] for i in order]
    window.actions_by_id[f"arrange.{action}"].trigger()
    assert len(window.document.session.history.done) == 2, "they are there"


@pytest.mark.parametrize(
    ("action", "chosen", "order"),
    [("forward", [0, 4], [1, 0, 2, 3, 4]), ("backward", [0, 4], [0, 1, 2, 4, 3])],
)
def test_of_several_objects_those_that_can_still_move_go_one_place(
    open_window, action, chosen, order
):
    window = open_window(prism_document())
    window.document.change(Duplicate("Screen"))
    before = [o.key for o in window.document.scene.objects]
    window.selection.set(before[i] for i in chosen)
    window.actions_by_id[f"arrange.{action}"].trigger()
    assert [o.key for o in window.document.scene.objects] == [before[i] for i in order]
