"""Turning, scaling and copying the selection by mouse, with the numbers beside the pointer."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from raybench.kinds.blockers import Blocker
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.canvas.handles import transform_handles
from raybench_workbench.canvas.viewport import Camera

pytestmark = pytest.mark.one_window


CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def window(open_window):
    lines = [
        Blocker(name=n, p1=Point(x, 100), p2=Point(x, 300)) for n, x in (("One", 100), ("Two", 300))
    ]
    shown = open_window(
        Document(
            scene=Scene.of([*lines, Blocker(name="Far", p1=Point(-400, -300), p2=Point(-300, 700))])
        )
    )
    shown.selection.set(o.key for o in shown.document.scene.objects[:2])
    return shown


def ends(window):
    return [
        (round(p.x, 6), round(p.y, 6))
        for o in window.document.scene.objects[:2]
        for p in (o.p1, o.p2)
    ]


def place(window, name):
    at = window.canvas.camera.to_scene(getattr(transform_handles(window.canvas), name))
    return at.x, at.y


def turned(point, about, degrees):
    """A point turned counter-clockwise as seen, y downwards."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = point[0] - about[0], point[1] - about[1]
    return round(about[0] + c * x + s * y, 6), round(about[1] - s * x + c * y, 6)


def around(window, degrees):
    """Where the handle that turns is to be dragged for an angle."""
    about = transform_handles(window.canvas).about
    return turned(place(window, "turn"), about, degrees)


def test_handles_of_corners_at_the_edge_of_the_canvas_are_within_it(window, hand):
    canvas, before = window.canvas, ends(window)
    canvas.navigation.set_camera(
        Camera(303 - canvas.width(), 97)
    )  # a corner is three pixels from the top and the right
    handles = transform_handles(canvas)
    whole = canvas.rect().adjusted(7, 7, -7, -7)
    assert whole.contains(handles.turn.toPoint())
    assert whole.contains(handles.scale.toPoint())
    hand(canvas).drag(place(window, "turn"), around(window, 90), SHIFT)
    assert ends(window) == [turned(p, (200, 200), 90) for p in before]


def test_handles_of_corners_out_of_sight_are_so_too(window):
    canvas = window.canvas
    canvas.navigation.set_camera(Camera(250 - canvas.width(), 97))
    assert transform_handles(canvas).turn.x() > canvas.width()


def test_the_ring_turns_the_selection_about_its_centre_in_steps_with_shift(window, hand):
    before = ends(window)
    finger = hand(window.canvas)
    finger.press(*place(window, "turn"), SHIFT)
    finger.move(*around(window, 31), SHIFT)
    assert window.canvas.readout[0] == "30°"
    finger.release(modifiers=SHIFT)
    assert ends(window) == [turned(p, (200, 200), 30) for p in before]
    assert window.canvas.readout[0] == ""
    assert window.document.session.history.undo_text.startswith("2 objects turned by 30°")
    assert len(window.document.session.history.done) == 1
    assert len(window.selection.keys) == 2


def test_escape_gives_a_turn_up(window, hand, qtbot):
    before = ends(window)
    finger = hand(window.canvas)
    finger.press(*place(window, "turn"))
    finger.move(*around(window, 60))
    assert ends(window) != before
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert ends(window) == before
    assert not window.document.session.history.done


def test_the_square_scales_by_the_ratio_of_distances(window, hand):
    before = ends(window)
    x, y = place(window, "scale")
    hand(window.canvas).drag((x, y), (200 + 1.5 * (x - 200), 200 + 1.5 * (y - 200)), SHIFT)
    assert ends(window) == [(200 + 1.5 * (x - 200), 200 + 1.5 * (y - 200)) for x, y in before]


def test_the_centre_is_chosen_by_dragging_it(window, hand):
    before = ends(window)
    hand(window.canvas).drag((200, 200), (100, 300))
    about = transform_handles(window.canvas).about
    assert (about.x, about.y) == pytest.approx((100, 300), abs=2)
    assert ends(window) == before
    hand(window.canvas).drag(place(window, "turn"), around(window, 90), SHIFT)
    assert ends(window) == [turned(p, about, 90) for p in before]
    window.selection.clear()
    assert window.canvas.pivot is None


def test_the_centre_is_typed_after_a_double_click(window, hand, qtbot):
    hand(window.canvas).double_click(*place(window, "centre"))
    qtbot.keyClicks(QApplication.focusWidget(), "1 cm, 5 mm * 4")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.canvas)
    assert window.canvas.pivot == (10, 20)
    assert not window.document.session.history.done
    before = ends(window)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Plus)
    assert ends(window) == [turned(p, (10, 20), 1) for p in before]


def test_a_click_on_a_handle_keeps_the_selection(window, hand):
    hand(window.canvas).click(*place(window, "turn"))
    assert len(window.selection.keys) == 2


def test_ctrl_drags_a_copy_as_one_step(window, hand):
    window.selection.clear()
    before = ends(window)
    finger = hand(window.canvas)
    finger.press(100, 200, CONTROL)
    finger.move(160, 240, CONTROL)
    finger.release(modifiers=CONTROL)
    assert ends(window) == before
    assert [o.title for o in window.document.scene.objects] == ["One", "Two", "Far", "One 2"]
    copy = window.document.scene.objects[3]
    assert tuple(copy.p1) == pytest.approx((160, 140), abs=2)
    assert window.selection.keys == {copy.key}
    assert len(window.document.session.history.done) == 1


@pytest.mark.parametrize(
    ("to", "wanted"), [((200, 105), (200, 100)), ((190, 205), None), ((93, 500), (100, 500))]
)
def test_shift_keeps_a_dragged_end_at_multiples_of_45_degrees_about_the_other(
    window, hand, to, wanted
):
    one = window.document.scene.objects[0]
    window.selection.set({one.key})
    finger = hand(window.canvas)
    finger.press(100, 300, SHIFT)
    finger.move(*to, SHIFT)
    text = window.canvas.readout[0]
    finger.release(modifiers=SHIFT)
    end = window.document.scene.objects[0].p2
    angle = math.degrees(math.atan2(100 - end.y, end.x - 100))
    assert angle % 45 == pytest.approx(0, abs=1e-6) or angle % 45 == pytest.approx(45, abs=1e-6)
    assert text == f"{math.hypot(end.x - 100, end.y - 100):.4g} mm, {round(angle, 1):g}°"
    if wanted:
        assert tuple(end) == pytest.approx(wanted, abs=2)
    else:
        assert end.x - 100 == pytest.approx(end.y - 100)


def test_shift_draws_at_45_degrees_and_the_length_is_told(window, hand):
    window.actions_by_id["insert.Blocker"].trigger()
    finger = hand(window.canvas)
    finger.press(400, 100)
    finger.move(500, 212, SHIFT)
    assert window.canvas.readout[0].endswith("mm, -45°")
    finger.release(modifiers=SHIFT)
    made = window.document.scene.objects[-1]
    assert made.p2.x - made.p1.x == pytest.approx(made.p2.y - made.p1.y)
    assert window.canvas.readout[0] == ""
