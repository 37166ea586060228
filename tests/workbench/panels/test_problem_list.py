"""Problems where one works: the badge on the canvas, the row of the tree, and the list with
remedies that are clicked.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import Disable, Set
from raybench.scene.document import Document
from raybench.session import Session
from raybench_workbench.canvas import picking
from raybench_workbench.panels.scene_tree_rows import PROBLEM_ROLE
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

LEFT = Qt.MouseButton.LeftButton
MIRROR = {"type": "Mirror", "name": "Left", "p1": {"x": -40, "y": 0}, "p2": {"x": -40, "y": 50}}
LENS = {"type": "SphericalLens", "name": "Lens", "p1": {"x": 30, "y": -20}, "p2": {"x": 30, "y": 20}, "defBy": "DR1R2",
        "params": {"d": 1, "r1": 30, "r2": -30}}  # fmt: skip
RAY = {"type": "SingleRay", "name": "Laser", "p1": {"x": -90, "y": -60}, "p2": {"x": 0, "y": -60}}


@pytest.fixture
def window(open_window):
    return open_window(
        Document(
            scene=scene_from_json(
                {"version": 5, "objs": [MIRROR, {**MIRROR, "name": "Copy"}, LENS, RAY]}
            )
        )
    )


def titles(window):
    return [o.title for o in window.document.scene.objects]


def badges(window):
    return {window.document.scene.get(k).title for k in picking.badge_boxes(window.canvas)}


def told(window):
    rows = range(window.tree.model.rowCount())
    return {titles(window)[i] for i in rows if window.tree.model.index(i).data(PROBLEM_ROLE)}


def button_in_row(window, index):
    holder = window.messages.list.itemWidget(window.messages.list.item(index))
    return next(w for w in holder.children() if hasattr(w, "click"))


def test_a_problem_is_on_the_object_in_the_tree_and_in_the_list(window, shots):
    assert badges(window) == told(window) == {"Lens", "Copy"}
    assert window.messages.problem.label.full_text.startswith("2 problems.")
    row = window.tree.model.index(titles(window).index("Lens"))
    assert "surfaces cross at the rim" in row.data(Qt.ItemDataRole.ToolTipRole)
    shots(window.canvas, "canvas-problems")


def test_a_remedy_is_in_sight_beside_a_text_that_is_too_long_for_the_list(open_window, qtbot):
    name = (
        "The first lens of a telescope whose name says all that there is to say about where it came"
        " from and who made it"
    )
    objects = [
        {**LENS, "name": name},
        {**LENS, "name": "Short", "p1": {"x": 90, "y": -20}, "p2": {"x": 90, "y": 20}},
        RAY,
    ]
    window = open_window(Document(scene=scene_from_json({"version": 5, "objs": objects})))
    qtbot.mouseClick(window.messages.problem.button, LEFT)
    wait_until_settled(window)
    shown = window.messages.list
    assert not shown.horizontalScrollBar().isVisible()
    for i in range(2):
        assert shown.viewport().rect().contains(shown.visualItemRect(shown.item(i)))
        button = button_in_row(window, i)
        assert button.visibleRegion().boundingRect() == button.rect()
    before = shown.viewport().grab().toImage()
    button_in_row(window, 0).hide()
    assert shown.viewport().grab().toImage() != before
    left = (
        button_in_row(window, 0)
        .mapTo(shown.viewport(), button_in_row(window, 0).rect().topLeft())
        .x()
    )
    panel = before.pixel(left - 2, 4)
    assert {
        before.pixel(left - 2, y)
        for y in range(2, shown.visualItemRect(shown.item(0)).height() - 2)
    } == {panel}, "a text beneath"


@pytest.mark.one_window(False)
def test_remedies_are_clicked_one_by_one_and_undone(window, qtbot):
    qtbot.mouseClick(window.messages.problem.button, LEFT)
    assert window.messages.list.isVisible()
    qtbot.mouseClick(button_in_row(window, 1), LEFT)
    assert titles(window) == ["Left", "Lens", "Laser"]
    assert badges(window) == told(window) == {"Lens"}
    assert window.messages.remedy.isVisible()
    assert window.messages.remedy.text() == "Make it 16.1 thick"
    qtbot.mouseClick(window.messages.remedy, LEFT)
    wait_until_settled(window)
    assert badges(window) == told(window) == set()
    assert not window.messages.problem.isVisible()
    assert window.selection.keys == {window.document.scene.objects[1].key}
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_until_settled(window)
    assert badges(window) == {"Lens", "Copy"}


def test_a_click_on_the_badge_selects_the_object_and_opens_the_list_there(window, qtbot):
    lens = window.document.scene.objects[2]
    at = picking.badge_boxes(window.canvas)[lens.key].center().toPoint()
    qtbot.mouseClick(window.canvas, LEFT, pos=at)
    assert window.selection.keys == {lens.key}
    assert "Lens" in window.messages.list.currentItem().text()


def test_the_tip_of_a_badge_is_the_problem(window):
    lens = window.document.scene.objects[2]
    at = picking.badge_boxes(window.canvas)[lens.key].center().toPoint()
    QApplication.sendEvent(
        window.canvas, QHelpEvent(QEvent.Type.ToolTip, at, window.canvas.mapToGlobal(at))
    )
    assert "surfaces cross at the rim" in QToolTip.text()
    QToolTip.hideText()


def test_a_problem_comes_and_goes_while_one_edits(window, hand):
    lens = window.document.scene.objects[2]
    window.document.change(Set(lens.key, {"params.d": 20}))
    assert badges(window) == told(window) == {"Copy"}
    copy = window.document.scene.objects[1]
    mouse = hand(window.canvas)
    mouse.press(-40, 25)
    mouse.move(-20, 25)
    assert badges(window) == set()  # none while something moves
    mouse.release()
    wait_until_settled(window)
    assert badges(window) == told(window) == set()
    assert (
        window.document.scene.get(copy.key).p1.x != -40
        or window.document.scene.objects[0].p1.x != -40
    )


def test_a_copy_that_is_disabled_is_no_problem_until_it_acts_again(window):
    window.document.change(Disable("Copy"))
    wait_until_settled(window)
    assert badges(window) == told(window) == {"Lens"}
    window.document.change(Disable("Copy", on=False))
    wait_until_settled(window)
    assert badges(window) == told(window) == {"Lens", "Copy"}


def test_the_problems_of_a_scene_that_is_opened_a_second_time_stay(window):
    found = window.problems.all
    assert found
    window.document.replace_session(Session(window.document.document))
    assert window.problems.all == found


def test_a_hidden_object_has_no_badge(window, qtbot):
    window.selection.set({window.document.scene.objects[2].key})
    qtbot.keyClick(window.canvas, Qt.Key.Key_H)
    assert badges(window) == {"Copy"}
    assert told(window) == {"Lens", "Copy"}


def test_the_keyboard_selects_the_object_of_a_problem(window, qtbot):
    qtbot.mouseClick(window.messages.problem.button, LEFT)
    problems = window.messages.list
    problems.setFocus()
    qtbot.keyClick(problems, Qt.Key.Key_End)
    qtbot.keyClick(problems, Qt.Key.Key_Return)
    assert window.selection.keys == {
        window.document.scene.objects[titles(window).index("Copy")].key
    }


def test_a_warning_of_the_trace_is_corrected_by_a_click_where_a_setting_does_it(open_window, qtbot):
    grating = {
        "type": "DiffractionGrating",
        "name": "Grating",
        "p1": {"x": -20, "y": -90},
        "p2": {"x": -20, "y": -30},
    }
    window = open_window(Document(scene=scene_from_json({"version": 5, "objs": [grating, RAY]})))
    assert "takes all light for 540 nm" in window.messages.problem.label.full_text
    assert window.messages.remedy.text() == "Simulate colours"
    qtbot.mouseClick(window.messages.remedy, LEFT)
    wait_until_settled(window)
    assert window.document.scene.settings.simulate_colors
    assert not window.messages.problem.isVisible()
    window.actions_by_id["edit.undo"].trigger()
    assert not window.document.scene.settings.simulate_colors


def test_a_remedy_shows_an_ampersand_in_a_name(open_window):
    window = open_window(
        Document(scene=scene_from_json({"version": 5, "objs": [{**MIRROR, "A&B": 1}]}))
    )
    assert window.messages.remedy.text() == "Remove 'A&&B'"


def test_a_long_name_of_an_unknown_property_does_not_make_the_window_wider(open_window):
    window = open_window(
        Document(scene=scene_from_json({"version": 5, "objs": [{**MIRROR, 300 * "k": 1}]}))
    )
    assert window.messages.remedy.text().startswith("Remove 'kkk")
    assert window.messages.remedy.sizeHint().width() < 400


def test_a_long_problem_is_wrapped_beside_its_remedy(window, qtbot):
    qtbot.mouseClick(window.messages.problem.button, LEFT)
    shown, heights = window.messages.list, []
    for width in (1600, 800):
        window.resize(width, 700)
        wait_until_settled(window)
        heights.append(shown.visualItemRect(shown.item(0)).height())
    assert heights[1] >= heights[0] + shown.fontMetrics().height()
