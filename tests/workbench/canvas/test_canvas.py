"""The canvas under mouse and keyboard."""

from __future__ import annotations

import math

import numpy as np
import pytest
from prism_window import PRISM, prism_document
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from window_state import named, selected, steps

from raybench.files.scene_json import scene_from_json
from raybench.kinds.decorations import Handle
from raybench.kinds.detectors import Detector
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource
from raybench.scene.changes import Delete, Move, Reorder, Set, SetSettings
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.codes import Completion
from raybench.trace.results.ray_set import RaySet
from raybench_workbench.canvas import navigation
from raybench_workbench.canvas.modes.point_editor import PointEditor
from raybench_workbench.canvas.rays import ray_layer
from raybench_workbench.shot import wait_seconds, wait_until_settled, widget_picture
from raybench_workbench.theme import GRID

pytestmark = pytest.mark.one_window


SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
INSIDE = (200, 220)
"""A place in the prism."""


def test_a_click_selects_what_lies_under_it(window, mouse):
    mouse.click(*INSIDE)
    assert selected(window) == {"Main Prism"}
    mouse.click(400, 252)
    assert selected(window) == {"Screen"}
    mouse.click(300, 50)
    assert selected(window) == set()


def test_shift_and_control_extend_the_selection(window, mouse):
    mouse.click(*INSIDE)
    mouse.click(400, 250, SHIFT)
    assert selected(window) == {"Main Prism", "Screen"}
    mouse.click(*INSIDE, CTRL)
    assert selected(window) == {"Screen"}


def test_a_rubber_band_selects_what_lies_wholly_in_it(window, mouse):
    mouse.drag((10, 90), (310, 300))
    assert selected(window) == {"Main Prism", "Lamp"}


@pytest.mark.parametrize("end", ["move", "escape"])
def test_a_rubber_band_does_not_select_objects_that_were_deleted_meanwhile(
    window, mouse, qtbot, end
):
    mouse.click(*INSIDE)
    mouse.press(10, 330, modifiers=SHIFT)
    mouse.move(30, 340, modifiers=SHIFT)
    assert selected(window) == {"Main Prism"}
    window.document.apply([Delete("Main Prism")])
    if end == "move":
        mouse.move(40, 350, modifiers=SHIFT)
    else:
        qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.selection.keys == frozenset()


def test_a_click_does_not_select_an_object_that_was_deleted_since_it_was_pressed(window, mouse):
    mouse.press(*INSIDE)
    window.document.apply([Delete("Main Prism")])
    mouse.release()
    assert window.selection.keys == frozenset()


def test_the_list_shows_the_same_selection_and_sets_it(window, mouse):
    mouse.click(*INSIDE)
    tree = window.tree
    assert [i.row() for i in tree.list.selectionModel().selectedRows()] == [1]
    tree.list.setCurrentIndex(tree.model.index(2))
    assert selected(window) == {"Screen"}


def test_dragging_an_object_is_one_undo_step_and_is_traced_in_full_afterwards(window, mouse):
    before, x = window.document.document, named(window, "Main Prism").path[0].x
    mouse.drag(INSIDE, (INSIDE[0] + 40, INSIDE[1] + 10))
    prism = named(window, "Main Prism")
    unit = 1 / window.canvas.camera.scale
    assert prism.path[0].x - x == pytest.approx(40, abs=unit)
    assert prism.path[2].y - 280 == pytest.approx(10, abs=unit)
    assert steps(window) == [
        f"Main Prism moved by ({prism.path[0].x - x:.6g}, {prism.path[2].y - 280:.6g}) mm"
    ]
    wait_until_settled(window)
    assert window.document.session.fresh_result.completion == Completion.COMPLETE
    window.document.undo()
    assert window.document.document is before


def test_light_follows_a_drag_before_it_ends(window, mouse, qtbot):
    mouse.press(*INSIDE)
    mouse.move(INSIDE[0] + 30, INSIDE[1])
    qtbot.waitUntil(
        lambda: window.document.result.revision == window.document.document.revision, timeout=5000
    )
    assert window.document.gesture is not None
    mouse.release()
    wait_until_settled(window)
    assert window.document.session.fresh_result is window.document.result


def test_escape_during_a_drag_restores_everything_even_what_could_be_redone(window, mouse, qtbot):
    mouse.drag(INSIDE, (INSIDE[0] + 10, INSIDE[1]))
    window.document.undo()
    before, undone = window.document.document, list(window.document.session.history.undone)
    mouse.press(*INSIDE)
    mouse.move(INSIDE[0] + 60, INSIDE[1] + 5)
    assert window.document.document is not before
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    mouse.release()
    assert window.document.document is before
    assert steps(window) == []
    assert [s.after for s in window.document.session.history.undone] == [s.after for s in undone]
    assert window.document.session.history.undone[0] is undone[0]
    wait_until_settled(window)
    assert window.document.session.fresh_result is not None


def test_an_edit_made_by_code_in_the_middle_of_a_drag_survives_the_drag(window, mouse):
    document, prism, lamp = window.document, named(window, "Main Prism"), named(window, "Lamp")
    first = document.document
    mouse.press(*INSIDE)
    mouse.move(INSIDE[0] + 25, INSIDE[1])
    document.apply([Set("Main Prism", {"refIndex": 1.7}), Move("Lamp", 0, -7)])
    halfway = named(window, "Main Prism")
    assert halfway.ref_index == 1.7
    assert halfway.path[0].x == pytest.approx(prism.path[0].x + 25, abs=1), (
        "what is dragged stays where the pointer has it"
    )
    mouse.move(INSIDE[0] + 40, INSIDE[1] + 10)
    mouse.release()
    now = named(window, "Main Prism")
    assert (now.ref_index, named(window, "Lamp").p1.y) == (1.7, lamp.p1.y - 7)
    assert now.path[0].x == pytest.approx(prism.path[0].x + 40, abs=1)
    done = document.document
    edit, drag = steps(window)
    assert edit == "Main Prism: refractive index 1.5 -> 1.7, Lamp moved by (0, -7) mm"
    assert drag.startswith("Main Prism moved by (")
    document.undo()
    assert (named(window, "Main Prism").ref_index, named(window, "Main Prism").path) == (
        1.7,
        prism.path,
    )
    document.undo()
    assert document.document is first
    document.redo()
    document.redo()
    assert document.document == done


def test_escape_takes_back_a_drag_and_not_what_was_changed_meanwhile(window, mouse, qtbot):
    prism = named(window, "Main Prism")
    mouse.press(*INSIDE)
    mouse.move(INSIDE[0] + 25, INSIDE[1])
    window.document.apply(Set("Main Prism", {"refIndex": 1.7}))
    mouse.move(INSIDE[0] + 60, INSIDE[1] + 5)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    mouse.release()
    now = named(window, "Main Prism")
    assert (now.ref_index, now.path) == (1.7, prism.path)
    assert steps(window) == ["Main Prism: refractive index 1.5 -> 1.7"]


@pytest.mark.parametrize("action", ["insert.Mirror", "measure.distance", "edit.arrow"])
def test_a_tool_that_is_chosen_in_the_middle_of_a_drag_ends_the_drag_as_one_step(
    window, mouse, action
):
    first = window.document.document
    mouse.press(200, 220)
    mouse.move(240, 230)
    window.actions_by_id[action].trigger()
    moved = named(window, "Main Prism").path
    mouse.move(260, 260)
    assert window.document.gesture is None
    assert named(window, "Main Prism").path == moved
    assert len(steps(window)) == 1
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.document is first


def test_another_document_that_is_opened_in_the_middle_of_a_drag_can_be_edited_and_undone(
    window, mouse
):
    mouse.press(200, 220)
    mouse.move(240, 230)
    window.document.replace_session(Session(prism_document()))
    mouse.move(260, 260)
    mouse.release()
    assert window.document.gesture is None
    assert named(window, "Main Prism").path == PRISM
    mouse.drag((200, 220), (240, 230))
    assert window.actions_by_id["edit.undo"].isEnabled()


def test_an_object_that_is_deleted_while_it_is_dragged_stays_deleted(window, mouse):
    mouse.press(*INSIDE)
    mouse.move(INSIDE[0] + 25, INSIDE[1])
    window.document.apply(Delete("Main Prism"))
    mouse.move(INSIDE[0] + 60, INSIDE[1] + 5)
    mouse.release()
    assert steps(window) == ["Main Prism deleted"]
    assert "no longer in the scene" in window.messages.error.label.full_text
    assert window.document.gesture is None
    window.document.undo()
    assert named(window, "Main Prism").path[0][:2] == (200, 100)


def test_dragging_a_control_point_moves_only_that(window, mouse):
    mouse.click(*INSIDE)
    mouse.drag((300, 280), (340, 290))
    path = named(window, "Main Prism").path
    assert (path[0], path[2]) == ((200, 100, False), (100, 280, False))
    assert (path[1].x, path[1].y) == (pytest.approx(340, abs=1), pytest.approx(290, abs=1))
    assert steps(window) == [
        f"Main Prism: outline[1] (300, 280) mm -> ({path[1].x:.6g}, {path[1].y:.6g}) mm"
    ]


def grip(**about):
    """A handle that holds the prism and the screen, in the lower left corner."""
    return Handle(p1=Point(100, 330), p2=Point(200, 220), obj_indices=[1, 2], name="Grip", **about)


def with_grip(open_window, **about):
    scene = prism_document().scene
    return open_window(Document(scene=scene.with_objects([*scene.objects, grip(**about)])))


def test_a_selected_object_of_a_few_pixels_is_moved_by_its_middle_and_resized_by_its_ends(
    open_window, hand
):
    far, small = (
        Mirror(p1=Point(0, 0), p2=Point(0, 900)),
        Mirror(p1=Point(300, 400), p2=Point(300, 420)),
    )
    window = open_window(Document(scene=Scene.of([far, small])))
    mouse, length = hand(window.canvas), 20 * window.canvas.camera.scale
    assert 10 < length < 20
    mouse.click(300, 410)
    assert window.selection.keys == {small.key}
    mouse.drag((300, 410), (400, 510))
    moved = window.document.scene.objects[1]
    assert (moved.p2.x - moved.p1.x, moved.p2.y - moved.p1.y) == (0, 20)
    mouse.drag(moved.p2, (400, 600))
    resized = window.document.scene.objects[1]
    assert resized.p1 == moved.p1
    assert resized.p2.y > 580


def test_dragging_a_handle_moves_its_group(open_window, hand):
    window = with_grip(open_window)
    mouse = hand(window.canvas)
    mouse.click(100, 330)
    assert selected(window) == {"Grip"}
    held = [o.title for o in window.document.scene.objects][1:3]
    before = {name: control_points(named(window, name)) for name in held}
    mouse.drag((100, 330), (140, 310))
    for name in held:
        for old, new in zip(before[name], control_points(named(window, name)), strict=True):
            assert (new.at.x - old.at.x, new.at.y - old.at.y) == pytest.approx((40, -20), abs=1)
    assert steps(window)[-1].startswith("Grip moved by (")
    window.document.undo()
    assert {name: control_points(named(window, name)) for name in held} == before


def test_a_selected_handle_shows_what_it_holds(open_window, hand):
    window = with_grip(open_window)
    held = window.document.scene.objects[1:3]
    points = [window.canvas.camera.to_screen(c.at) for o in held for c in control_points(o)]
    y = round(max(p.y() for p in points)) + GRID  # the lower side of a frame around them
    xs = range(round(min(p.x() for p in points)), round(max(p.x() for p in points)))

    def painted():
        image = widget_picture(window.canvas)
        return sum(image.pixelColor(x, y) != image.pixelColor(2, 2) for x in xs) / len(xs)

    assert painted() < 0.2
    hand(window.canvas).click(100, 330)
    assert selected(window) == {"Grip"}
    assert painted() > 0.4  # a dashed line


def test_the_grip_of_a_handle_that_rotates_turns_its_group(open_window, hand):
    window = with_grip(open_window, transformation="rotation")
    mouse = hand(window.canvas)
    top = named(window, "Main Prism").path[0].point
    mouse.click(100, 330)
    mouse.drag((100, 330), (310, 320))
    turned = named(window, "Main Prism").path[0].point
    assert math.dist(turned, (200, 220)) == pytest.approx(math.dist(top, (200, 220)))
    assert turned.x < top.x - 50
    assert steps(window)[-1].startswith("Grip turned by ")


def test_shift_keeps_a_drag_straight(window, mouse):
    mouse.drag(INSIDE, (INSIDE[0] + 40, INSIDE[1] + 10), SHIFT)
    assert named(window, "Main Prism").path[2].y == 280


def test_the_grid_catches_what_is_dragged(open_window, hand):
    window = open_window(prism_document(snap_to_grid=True, grid_size=20.0))
    mouse = hand(window.canvas)
    mouse.click(*INSIDE)
    mouse.drag((300, 280), (333, 291))
    assert named(window, "Main Prism").path[1][:2] == (340, 300) or named(
        window, "Main Prism"
    ).path[1][:2] == (340, 280)


def test_a_locked_object_stays_and_a_message_explains_why(window, mouse):
    key = named(window, "Main Prism").key
    window.document.change(Set(key, {"locked": "locked"}))
    before = window.document.document
    mouse.drag(INSIDE, (INSIDE[0] + 40, INSIDE[1]))
    assert window.document.document is before
    assert "'Main Prism' is locked" in window.messages.error.label.full_text


def test_arrow_keys_nudge_and_join_into_one_step(window, mouse, qtbot):
    window.canvas.navigation.zoom(1.01)  # Alt+Left would go back from it
    mouse.click(*INSIDE)
    for _ in range(3):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Up, SHIFT)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert named(window, "Main Prism").path[0][:2] == (202.9, 90)
    assert steps(window) == ["Main Prism moved by (2.9, -10) mm"]


def test_hidden_objects_are_counted_and_shown_by_a_click(window, mouse, qtbot):
    mouse.click(*INSIDE)
    chip = window.canvas.hidden_chip
    assert not chip.isVisible()
    qtbot.keyClick(window.canvas, Qt.Key.Key_H)
    assert chip.text() == "1 hidden   ×"
    assert chip.geometry().bottom() < window.canvas.height()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert not chip.isVisible()
    assert selected(window) == {"Main Prism"}


def test_delete_and_duplicate(window, mouse, qtbot):
    mouse.click(*INSIDE)
    qtbot.keyClick(window.canvas, Qt.Key.Key_D, CTRL)
    assert len(window.document.scene.objects) == 5
    (copy,) = window.selection.keys
    assert window.document.scene.get(copy).path[0][:2] == (220, 120)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Delete)
    assert len(window.document.scene.objects) == 4
    assert steps(window) == ["Main Prism duplicated as Main Prism 2", "Main Prism 2 deleted"]
    assert selected(window) == set()


def bulb_and_screen():
    objects = [
        PointSource(name="Bulb", x=100, y=200),
        Detector(name="Screen", p1=Point(300, 100), p2=Point(300, 300)),
    ]
    return Document(scene=Scene.of(objects))


def test_copies_are_in_the_order_of_their_originals(window, mouse):
    window.document.change(Reorder(["Mirror 1", "Screen"], to=0))
    window.actions_by_id["edit.select_all"].trigger()
    mouse.drag(INSIDE, (220, 240), CTRL)
    kinds = [o.type for o in window.document.scene.objects]
    assert kinds[4:] == kinds[:4]


def test_a_point_source_is_copied_by_its_only_point(open_window, hand):
    window = open_window(bulb_and_screen())
    hand(window.canvas).drag((100, 200), (140, 240), CTRL)
    objects = window.document.scene.objects
    assert [(o.x, o.y) for o in objects if isinstance(o, PointSource)] == [
        (100, 200),
        pytest.approx((140, 240), abs=1),
    ]
    assert window.selection.keys == {objects[-1].key}


def test_a_selection_is_dragged_by_the_only_point_of_one_of_its_objects(open_window, hand):
    window = open_window(bulb_and_screen())
    window.actions_by_id["edit.select_all"].trigger()
    hand(window.canvas).drag((100, 200), (140, 240))
    bulb, screen = window.document.scene.objects
    assert (bulb.x, bulb.y) == pytest.approx((140, 240), abs=1)
    assert tuple(screen.p1) == pytest.approx((340, 140), abs=1)


def test_the_place_of_a_handle_is_typed_after_a_double_click(window, mouse, qtbot):
    mouse.click(*INSIDE)
    mouse.double_click(300, 280)
    form = window.canvas.findChild(PointEditor)
    assert [(e.accessibleName(), e.text()) for e in form.edits[:2]] == [("X", "300"), ("Y", "280")]
    assert form.edits[0].hasFocus()
    qtbot.keyClicks(form.edits[0], "320; x")
    qtbot.keyClick(form.edits[0], Qt.Key.Key_Return)
    wait_seconds(0.05)
    assert form.isVisible(), "what is refused stays to be corrected"
    assert steps(window) == []
    form.edits[0].selectAll()
    qtbot.keyClicks(form.edits[0], "32 cm + 0.5 mm")
    qtbot.keyClick(form.edits[0], Qt.Key.Key_Tab)
    qtbot.keyClicks(form.edits[1], "250")
    qtbot.keyClick(form.edits[1], Qt.Key.Key_Return)
    assert named(window, "Main Prism").path[1][:2] == (320.5, 250)
    assert len(steps(window)) == 1, "one step for both"
    wait_seconds(0.05)
    assert window.canvas.findChild(PointEditor) is None
    assert window.canvas.hasFocus()


def test_the_form_of_a_handle_follows_undo_and_edits_of_others(window, mouse, qtbot):
    mouse.click(*INSIDE)
    mouse.double_click(300, 280)
    x, y, *_ = window.canvas.findChild(PointEditor).edits
    qtbot.keyClicks(x, "320")
    qtbot.keyClick(x, Qt.Key.Key_Tab)
    qtbot.keyClick(y, Qt.Key.Key_Z, CTRL)
    assert (x.text(), y.text()) == ("300", "280")
    window.document.change(Move("Main Prism", 7, 0))
    assert x.text() == "307"
    y.selectAll()
    qtbot.keyClicks(y, "250")
    qtbot.keyClick(y, Qt.Key.Key_Tab)
    assert named(window, "Main Prism").path[1][:2] == (307, 250)
    window.document.change(Delete("Main Prism"))
    wait_seconds(0.05)
    assert window.canvas.findChild(PointEditor) is None


def test_length_and_angle_from_the_corner_before_are_typed_and_escape_closes(window, mouse, qtbot):
    mouse.click(*INSIDE)
    mouse.double_click(300, 280)
    form = window.canvas.findChild(PointEditor)
    length, angle = form.edits[2:]
    before = named(window, "Main Prism").path[0]
    length.setFocus()
    length.selectAll()
    qtbot.keyClicks(length, "100")
    qtbot.keyClick(length, Qt.Key.Key_Tab)
    qtbot.keyClicks(angle, "-30 deg")
    qtbot.keyClick(angle, Qt.Key.Key_Return)
    corner = named(window, "Main Prism").path[1]
    assert corner[:2] == pytest.approx((before.x + 100 * math.cos(math.pi / 6), before.y + 50))
    mouse.double_click(*corner[:2])
    qtbot.keyClick(window.canvas.findChild(PointEditor).edits[0], Qt.Key.Key_Escape)
    assert (
        window.canvas.findChild(PointEditor) is None
        or not window.canvas.findChild(PointEditor).isVisible()
    )
    assert len(steps(window)) == 1


def test_the_wheel_zooms_about_the_pointer(window):
    view = window.canvas
    at = QPointF(300, 200)
    fixed, scale = view.camera.to_scene(at), view.camera.scale
    event = QWheelEvent(at, view.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                        Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    QApplication.sendEvent(view, event)
    assert view.camera.scale > scale
    assert view.camera.to_scene(at) == pytest.approx(fixed)


def test_the_wheel_turned_sideways_leaves_the_camera_to_the_scene(window):
    view = window.canvas
    before = view.camera
    for x in range(3, 400, 17):
        at = QPointF(x, x / 3)
        event = QWheelEvent(at, view.mapToGlobal(at), QPoint(), QPoint(120, 0), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                            Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
        QApplication.sendEvent(view, event)
    assert view.camera == before
    assert view.navigation.is_fitted


def test_panning_fitting_and_actual_size(window, mouse, qtbot):
    fitted = window.canvas.camera
    middle = Qt.MouseButton.MiddleButton
    mouse.press(50, 50, button=middle)
    mouse.move(90, 70, button=middle)
    mouse.release(middle)
    moved = window.canvas.camera
    assert moved.scale == fitted.scale
    assert moved.x < fitted.x
    assert window.document.session.view.camera is not None
    qtbot.keyClick(window.canvas, Qt.Key.Key_0, CTRL)
    assert window.canvas.camera.scale == pytest.approx(1)
    qtbot.keyClick(window.canvas, Qt.Key.Key_F)
    assert window.canvas.camera == fitted
    assert window.document.session.view.camera is None


def focusing(focal_length=200):
    """A beam and a lens whose focus is beyond all objects; by default 200 behind it."""
    beam = {"type": "Beam", "name": "Beam", "p1": {"x": 0, "y": -20}, "p2": {"x": 0, "y": 20}}
    lens = {
        "type": "IdealLens",
        "name": "Lens",
        "p1": {"x": 100, "y": -30},
        "p2": {"x": 100, "y": 30},
        "focalLength": focal_length,
    }
    return Document(scene=scene_from_json({"version": 5, "objs": [beam, lens]}))


def shows(canvas, x, y):
    at = canvas.camera.to_screen(Point(x, y))
    return 0 < at.x() < canvas.width() and 0 < at.y() < canvas.height()


@pytest.mark.parametrize("large", [False, True])
def test_a_scene_is_fitted_with_the_foci_near_its_objects(open_window, monkeypatch, large):
    if large:
        monkeypatch.setattr(navigation, "LARGE_TRACE", 3)
        monkeypatch.setattr(ray_layer, "LARGE_TRACE", 3)
    canvas = open_window(focusing()).canvas
    assert shows(canvas, 300, 0), "the focus"
    assert shows(canvas, 0, -20), "the beam"
    assert canvas.camera.scale > canvas.width() / 600, "not the endless rays behind it"


def test_the_view_stays_where_the_person_moved_it_before_the_light_came(open_window, qtbot):
    window = open_window(focusing())
    canvas = window.canvas
    window.document.change([Move(named(window, "Lens").key, 0, 1)])
    canvas.navigation.zoom(2.0)
    moved = canvas.camera
    wait_until_settled(window)
    assert canvas.camera == moved
    qtbot.keyClick(canvas, Qt.Key.Key_F)
    assert shows(canvas, 300, 1)


def test_an_edit_does_not_move_the_view_but_another_mode_shows_its_images(open_window):
    window = open_window(focusing(-150))
    canvas, before = window.canvas, window.canvas.camera
    assert not shows(canvas, -50, 0), "rays have no virtual image"
    window.document.change([Set(named(window, "Lens").key, {"focalLength": -140})])
    wait_until_settled(window)
    assert canvas.camera == before
    window.document.change([SetSettings({"mode": "images"})])
    wait_until_settled(window)
    assert shows(canvas, -40, 0)


def test_space_pans_and_a_drag_with_it_moves_no_object(window, mouse, qtbot):
    before = window.document.document
    qtbot.keyPress(window.canvas, Qt.Key.Key_Space)
    mouse.drag(INSIDE, (INSIDE[0] + 40, INSIDE[1]))
    qtbot.keyRelease(window.canvas, Qt.Key.Key_Space)
    assert window.document.document is before
    assert window.document.session.view.camera is not None


def test_the_pointer_s_position_is_shown_with_its_unit(window, mouse, qtbot):
    qtbot.mouseMove(window.canvas, mouse.at(200, 150))
    assert window.status.position.text().endswith(" mm")
    x, y = window.status.position.text().removesuffix(" mm").split(", ")
    assert (float(x), float(y)) == (pytest.approx(200, abs=1), pytest.approx(150, abs=1))


def test_escape_lets_go_of_the_selection_and_then_of_the_highlight(window, mouse, qtbot):
    result = window.document.session.result
    window.document.highlight(RaySet(np.array([1]), "a ray", result.revision))
    mouse.click(*INSIDE)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert selected(window) == set()
    assert window.document.session.view.highlight is not None
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.document.session.view.highlight is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_delete_works_in_the_list_too(window, qtbot, key):
    window.tree.list.setCurrentIndex(window.tree.model.index(3))
    window.tree.list.setFocus()
    qtbot.keyClick(window.tree.list, key)
    assert [o.title for o in window.document.scene.objects] == ["Lamp", "Main Prism", "Screen"]


def test_a_crowd_of_rays_is_thinned_while_the_picture_moves_and_whole_at_rest(open_window):
    window = open_window(prism_document(ray_mode_density=60.0))
    whole = window.canvas.backdrop.painted_count
    assert whole == len(window.canvas.backdrop.rays) > 10_000
    window.canvas.navigation.zoom(1.3)
    window.canvas.repaint()
    assert window.canvas.backdrop.painted_count < whole / 2
    assert window.status.segments.text().startswith("showing ")
    wait_until_settled(window)
    assert window.canvas.backdrop.painted_count == whole
    assert not window.status.segments.text().startswith("showing ")


def test_a_picture_made_in_the_background_is_the_same(open_window, monkeypatch):
    before = widget_picture(open_window(prism_document()).canvas)
    monkeypatch.setattr(ray_layer, "LARGE_TRACE", 10)
    assert widget_picture(open_window(prism_document()).canvas) == before


def test_the_canvas_is_not_at_rest_before_a_highlight_of_many_rays_is_painted(
    open_window, monkeypatch
):
    window = open_window(prism_document())
    monkeypatch.setattr(ray_layer, "LARGE_TRACE", 10)
    result = window.document.result
    window.document.highlight(RaySet(np.arange(50), "the first", result.revision, "R1"))
    assert not window.canvas.rays.settled
    wait_until_settled(window)
    assert len(window.canvas.backdrop.lit) == 50
    window.document.highlight(RaySet(np.arange(40), "the first", result.revision, "R2"))
    window.document.highlight(None)
    wait_until_settled(window)
    assert window.canvas.backdrop.lit is None


@pytest.mark.parametrize(
    "broken",
    [
        {
            "type": "SphericalLens",
            "p1": {"x": 1, "y": 2},
            "p2": {"x": 1, "y": 2},
            "params": {"d": 5, "r1": 1, "r2": -1},
        },
        {"type": "Drawing", "strokes": 7},
        {"type": "ParamGlass", "pieces": [{"eqnX": "t", "eqnY": "t", "tMin": "zero", "tMax": [1]}]},
        {"type": "ModuleObj", "module": "M", "points": [], "params": 5},
    ],
    ids=lambda b: b["type"],
)
def test_a_broken_object_that_is_selected_is_painted_and_its_properties_shown(open_window, broken):
    modules = {"M": {"params": ["a=1:1:9"], "objs": []}}
    window = open_window(
        Document(scene=scene_from_json({"version": 5, "objs": [broken], "modules": modules}))
    )
    window.selection.set({window.document.scene.objects[0].key})
    assert not widget_picture(window).isNull()
    assert window.messages.problem.isVisible()
