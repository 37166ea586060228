"""Drawing objects: by strokes, clicks and keys, on the real canvas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from window_state import select, selected, steps

from raybench.kinds.kinds import KINDS
from raybench.kinds.outline import object_fault
from raybench.scene.changes import SetSettings
from raybench.scene.creation import FAMILIES
from raybench.shapes.point import Point
from raybench_workbench import saving
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.preferences.choices import KEEPS_TOOL
from raybench_workbench.shot import wait_seconds, wait_until_settled

pytestmark = pytest.mark.one_window


EVERY = [kind for kinds in FAMILIES.values() for kind in kinds]
CORNERS = ((330, 20), (380, 20), (360, 60))
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def last(window):
    return window.document.scene.objects[-1]


def test_a_mirror_is_dragged_out_and_selected_in_one_step(window, hand):
    window.actions_by_id["insert.Mirror"].trigger()
    assert window.canvas.drawn_kind == "Mirror"
    mouse = hand(window.canvas)
    mouse.drag((50, 50), (90, 120))
    made = last(window)
    assert (made.type, made.title) == ("Mirror", "Mirror 2")
    assert made.p1 == pytest.approx((50, 50), abs=1)
    assert made.p2 == pytest.approx((90, 120), abs=1)
    assert steps(window) == ["Mirror 2 added"]
    assert window.selection.keys == {made.key}
    assert window.canvas.drawn_kind == "", "the arrow is back"
    wait_until_settled(window)
    window.document.undo()
    assert len(window.document.scene.objects) == 4


def type_place(window, qtbot, text):
    """Type coordinates on the canvas, which opens a field."""
    qtbot.keyClicks(window.canvas, text[0])
    edit = QApplication.focusWidget()
    qtbot.keyClicks(edit, text[1:])
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    wait_seconds(0.02)


def test_both_coordinates_are_typed_at_once(window, qtbot):
    for typed in ("100, 50", "100 50", "100;50", "10 cm 5 cm", "200/2,50"):
        window.activate_drawing_tool("Mirror")
        window.canvas.setFocus()
        for text in (typed, "60 90"):
            type_place(window, qtbot, text)
        assert last(window).p1 == pytest.approx((100, 50)), typed
        assert last(window).p2 == pytest.approx((100, -10)), "a length and an angle"
        window.document.undo()


def test_negative_coordinates_are_typed_and_turn_nothing(window, qtbot):
    prism = window.document.scene.objects[1]
    window.selection.set({prism.key})
    for typed, wanted in (
        ("-20 -30", (-20, -30)),
        ("20 -30", (20, -30)),
        ("2 cm -3 cm", (20, -30)),
        ("40/2 -30", (20, -30)),
        ("-20, 30-60", (-20, -30)),
    ):
        window.activate_drawing_tool("Mirror")
        window.canvas.setFocus()
        type_place(window, qtbot, typed)
        assert window.canvas.mode.previous_point == wanted, typed
        assert window.document.scene.objects[1] is prism, "minus without a tool turns the selection"
        window.canvas.activate_drawing_mode(None)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Minus)
    assert window.document.scene.objects[1] != prism


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [("250 25", "50 90", (250, -25)), ("0.1 0.1", "0.2 -90", (0.1, 0.3))],
)
def test_a_typed_length_and_angle_give_coordinates_without_rounding_errors(
    window, hand, qtbot, first, second, wanted
):
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    mouse.press(77, 33, button=Qt.MouseButton.MiddleButton)
    mouse.release(Qt.MouseButton.MiddleButton)
    mouse.move(71.3, 31.7, button=Qt.MouseButton.NoButton)
    for text in (first, second):
        window.canvas.setFocus()
        qtbot.keyClicks(window.canvas, text[0])
        edit = QApplication.focusWidget()
        qtbot.keyClicks(edit, text[1:])
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        wait_seconds(0.02)
    assert tuple(last(window).p2) == wanted


@pytest.mark.parametrize("typed", ["100 - 40", "100-40"])
def test_a_difference_is_one_number(window, qtbot, typed):
    window.activate_drawing_tool("Mirror")
    window.canvas.setFocus()
    qtbot.keyClicks(window.canvas, typed[0])
    edit = QApplication.focusWidget()
    qtbot.keyClicks(edit, typed[1:])
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.text() == "60"


def test_its_light_is_seen_while_it_is_drawn(window, hand, qtbot):
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    before = len(window.document.result)
    mouse.press(80, 100)
    mouse.move(80, 300)
    assert last(window).type == "Mirror"
    qtbot.waitUntil(lambda: len(window.document.result) != before)
    mouse.release()


def test_two_clicks_make_what_a_drag_makes(window, hand):
    window.activate_drawing_tool("Blocker")
    mouse = hand(window.canvas)
    mouse.click(50, 50)
    assert len(window.document.scene.objects) == 4
    mouse._last = window.canvas.camera.to_screen((50, 50))
    mouse.move(70, 90)
    mouse.click(70, 90)
    assert last(window).p2 == pytest.approx((70, 90), abs=1)
    assert [s.split()[-1] for s in steps(window)] == ["added"]


def test_shift_keeps_a_stroke_straight(window, hand):
    window.activate_drawing_tool("Mirror")
    hand(window.canvas).drag((50, 50), (90, 58), SHIFT)
    assert last(window).p2[1] == last(window).p1[1]


def test_strokes_keep_to_the_grid_where_it_snaps(window, hand):
    window.document.change(SetSettings({"snapToGrid": True, "gridSize": 20.0}))
    window.activate_drawing_tool("Mirror")
    hand(window.canvas).drag((48, 51), (93, 117))
    assert (last(window).p1, last(window).p2) == ((40, 60), (100, 120))


def test_escape_takes_back_what_is_being_drawn_and_then_leaves_the_tool(window, hand, qtbot):
    before = window.document.document
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    mouse.press(50, 50)
    mouse.move(90, 120)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.document.document is before
    assert steps(window) == []
    assert window.canvas.drawn_kind == "Mirror", "one can begin again"
    mouse.release()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.canvas.drawn_kind == ""


def test_escape_takes_back_the_last_corner(window, hand, qtbot):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in ((330, 20), (380, 20), (370, 90)):
        mouse.click(*corner)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    mouse.click(360, 60)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
    assert [v[:2] for v in last(window).path] == [
        pytest.approx(c, abs=1) for c in ((330, 20), (380, 20), (360, 60))
    ]
    window.activate_drawing_tool("Glass")
    mouse.click(330, 20)
    for kind in ("Glass", ""):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
        assert window.canvas.drawn_kind == kind


def test_a_ghost_shows_what_the_first_click_begins_with(window, hand):
    for kind in ("Mirror", "PointSource", "Glass", "Achromat"):
        window.activate_drawing_tool(kind)
        mouse = hand(window.canvas)
        mouse.press(60, 40, button=Qt.MouseButton.MiddleButton)  # rests a hand on the canvas
        mouse.release(Qt.MouseButton.MiddleButton)
        mouse.move(70, 50, button=Qt.MouseButton.NoButton)
        ghost = window.canvas.mode.ghost
        assert {o.type for o in ghost} == ({kind} if kind != "Achromat" else {"SphericalLens"})
        assert len(window.document.scene.objects) == 4, "nothing is made yet"
    assert abs(sum(v.x for o in ghost for v in o.path) / 12 - 70) < 10
    QApplication.sendEvent(window.canvas, QEvent(QEvent.Type.Leave))
    assert window.canvas.mode.ghost == ()


def test_control_draws_symmetrically_about_the_start(window, hand):
    window.activate_drawing_tool("Mirror")
    hand(window.canvas).drag((60, 60), (90, 80), CONTROL)
    assert tuple(last(window).p1) == pytest.approx((30, 40), abs=1)
    assert tuple(last(window).p2) == pytest.approx((90, 80), abs=1)
    window.activate_drawing_tool("CircleGlass")
    hand(window.canvas).drag((60, 60), (90, 60), CONTROL)
    assert tuple(last(window).p1) == pytest.approx((60, 60), abs=1), (
        "a circle is drawn about its centre anyway"
    )


def test_the_tool_stays_by_choice_and_that_is_remembered(window, hand):
    window.actions_by_id["insert.keep"].trigger()
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    mouse.drag((50, 50), (90, 120))
    mouse.drag((60, 50), (95, 110))
    assert len(window.document.scene.objects) == 6
    assert window.canvas.drawn_kind == "Mirror"
    assert window.settings.get(KEEPS_TOOL)
    window.actions_by_id["insert.keep"].trigger()
    mouse.drag((70, 50), (99, 100))
    assert window.canvas.drawn_kind == ""
    assert not window.settings.get(KEEPS_TOOL)


def test_data_of_a_preset_that_are_changed_during_its_drag_are_for_the_next_one(window, hand):
    window.activate_drawing_tool("Achromat")
    mouse = hand(window.canvas)
    mouse.press(60, 90)
    window.canvas.preset_values.setdefault("Achromat", {})["focalLength"] = -1e9  # as its form does
    mouse.release()
    assert steps(window) == ["Achromat added"]
    (step,) = window.document.session.history.done
    assert step.changes[0].values == {}


def test_a_preset_is_placed_by_a_click_and_turned_by_a_drag(window, hand):
    window.activate_drawing_tool("Achromat")
    mouse = hand(window.canvas)
    mouse.click(60, 300)
    crown, flint = window.document.scene.objects[-2:]
    assert (crown.title, flint.title) == ("Achromat crown", "Achromat flint")
    assert window.selection.keys == {crown.key, flint.key}
    assert crown.path[5].y == pytest.approx(300, abs=1)
    assert steps(window) == ["Achromat added"]
    window.activate_drawing_tool("RightAnglePrism")
    mouse.drag((60, 100), (60, 60), SHIFT)
    assert window.document.session.history.done[-1].changes[0].angle == 90
    assert len(steps(window)) == 2


def test_an_outline_is_clicked_and_closed_at_its_first_corner(window, hand):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in ((330, 20), (380, 20), (360, 60)):
        mouse.click(*corner)
    assert len(window.document.scene.objects) == 4
    mouse.click(330, 20)
    assert [v[:2] for v in last(window).path] == [
        pytest.approx(c, abs=1) for c in ((330, 20), (380, 20), (360, 60))
    ]
    assert [s.split()[-1] for s in steps(window)] == ["added"]


def test_undo_takes_back_the_last_corner_of_an_outline_before_changes_of_the_document(
    window, hand, qtbot
):
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in ((330, 20), (350, 90), (380, 20)):
        mouse.click(*corner)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert len(steps(window)) == 1, "the document keeps its change"
    assert window.canvas.mode.clicked_and_pointer_points[:-1] == [
        pytest.approx(c, abs=1) for c in ((330, 20), (350, 90))
    ]
    for _ in range(2):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert window.canvas.mode.clicked_and_pointer_points == []
    assert window.canvas.drawn_kind == "Glass"
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert steps(window) == [], "without a corner it is the last change"


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Delete])
@pytest.mark.parametrize(("kind", "begun"), [("Glass", 2), ("Mirror", 1)])
def test_keys_that_delete_take_back_points_of_what_is_drawn_and_not_the_selection(
    window, hand, qtbot, key, kind, begun
):
    select(window, "Mirror 1")
    before = window.document.document
    window.activate_drawing_tool(kind)
    for corner in CORNERS[:begun]:
        hand(window.canvas).click(*corner)
    window.canvas.setFocus()
    for left in reversed(range(begun)):
        qtbot.keyClick(window.canvas, key)
        assert (window.canvas.mode.previous_point is not None, window.document.document) == (
            left > 0,
            before,
        )
    assert (window.canvas.drawn_kind, steps(window)) == (kind, [])
    qtbot.keyClick(window.canvas, key)
    assert steps(window) == ["Mirror 1 deleted"], "without a point it is the selection"


@pytest.mark.parametrize(("kind", "begun"), [("Glass", 2), ("Mirror", 1)])
def test_keys_do_not_act_on_what_was_selected_before_while_an_object_is_drawn(
    window, hand, qtbot, kind, begun
):
    select(window, "Mirror 1")
    before = window.document.document
    window.activate_drawing_tool(kind)
    for corner in CORNERS[:begun]:
        hand(window.canvas).click(*corner)
    window.canvas.setFocus()
    for key in (Qt.Key.Key_L, Qt.Key.Key_H, Qt.Key.Key_D, Qt.Key.Key_Plus, Qt.Key.Key_Left):
        qtbot.keyClick(window.canvas, key)
    qtbot.keyClick(window.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert window.document.document is before
    for _ in range(begun):
        assert not selected(window)
        qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert (window.canvas.drawn_kind, selected(window)) == (
        kind,
        {"Mirror 1"},
    ), "as before the first point"


def test_an_outline_ends_at_a_double_click_too(window, hand):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    mouse.click(330, 20)
    mouse.click(380, 20)
    mouse.double_click(360, 60)
    assert len(last(window).path) == 3


def test_too_few_corners_are_reported(window, hand, qtbot):
    window.activate_drawing_tool("Glass")
    hand(window.canvas).click(330, 20)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
    assert "needs 3 points" in window.messages.error.label.full_text
    assert window.canvas.drawn_kind == "Glass", "one can go on"


@pytest.mark.parametrize(
    "leave", ["insert.Mirror", "edit.arrow", "insert.Glass", "measure.distance"]
)
def test_another_tool_finishes_an_outline(window, hand, leave):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in CORNERS:
        mouse.click(*corner)
    window.actions_by_id[leave].trigger()
    assert [v[:2] for v in last(window).path] == [pytest.approx(c, abs=1) for c in CORNERS]
    assert [s.split()[-1] for s in steps(window)] == ["added"]
    assert window.selection.keys == {window.document.scene.objects[-1].key}
    window.document.undo()
    assert len(window.document.scene.objects) == 4


def test_corners_that_are_too_few_are_not_dropped_without_a_word(window, hand):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in CORNERS[:2]:
        mouse.click(*corner)
    window.activate_drawing_tool("Mirror")
    assert (
        window.messages.error.label.full_text
        == "No glass was made: only 2 of the 3 points that it needs were clicked."
    )
    assert (len(window.document.scene.objects), window.canvas.drawn_kind) == (4, "Mirror")


def test_an_outline_that_is_being_drawn_is_saved_before_another_document_is_opened(
    window, hand, monkeypatch
):
    window.activate_drawing_tool("Glass")
    mouse = hand(window.canvas)
    for corner in CORNERS:
        mouse.click(*corner)
    asked = []
    monkeypatch.setattr(
        QMessageBox,
        "exec",
        lambda box: (
            asked.append(len(window.document.scene.objects)) or QMessageBox.StandardButton.Discard
        ),
    )
    assert saving.may_leave_document(window)
    assert asked == [5], "the question is about it too"
    window.activate_drawing_tool("Glass")
    for corner in CORNERS:
        mouse.click(*corner)
    window.document.new()
    assert window.document.scene.objects == (), "its corners are those of another document"


def test_every_kind_is_placed_from_the_keyboard_whole(window, qtbot):
    for kind in EVERY:
        window.activate_drawing_tool(kind)
        qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
        made = last(window)
        assert made.type == kind
        assert object_fault(made) == "", kind
        assert window.selection.keys == {made.key}, kind
        window.document.undo()


def test_a_place_is_clicked(window, hand):
    window.activate_drawing_tool("PointSource")
    hand(window.canvas).click(40, 60)
    assert (last(window).x, last(window).y) == pytest.approx((40, 60), abs=1)


def test_the_first_object_is_drawn_in_the_visible_area(open_window, hand):
    window = open_window()
    camera = window.canvas.camera
    window.activate_drawing_tool("Mirror")
    hand(window.canvas).drag((500, 300), (520, 320))
    assert window.canvas.camera == camera


def test_one_can_pan_meanwhile(window, hand):
    window.activate_drawing_tool("Mirror")
    camera = window.canvas.camera
    mouse = hand(window.canvas)
    mouse.press(50, 50, button=Qt.MouseButton.MiddleButton)
    mouse.move(80, 50, button=Qt.MouseButton.MiddleButton)
    mouse.release(Qt.MouseButton.MiddleButton)
    assert window.canvas.camera != camera
    assert window.canvas.drawn_kind == "Mirror"


def test_another_document_ends_drawing(window, hand):
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    mouse.press(50, 50)
    mouse.move(80, 70)
    window.document.new()
    assert window.canvas.drawn_kind == ""
    assert window.document.gesture is None
    mouse.release()
    assert window.document.scene.objects == ()


def test_the_button_of_a_family_shows_and_draws_the_kind_used_last(window, qtbot):
    button = window.create_bar.buttons["Mirrors"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert window.canvas.drawn_kind == "Mirror"
    assert button.isChecked()
    window.actions_by_id["insert.ArcMirror"].trigger()
    assert "arc mirror" in button.toolTip()
    window.canvas.activate_drawing_mode(None)
    assert not button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert window.canvas.drawn_kind == "ArcMirror"


def test_every_kind_but_those_of_other_programs_can_be_drawn():
    assert set(KINDS) - set(EVERY) == {"ModuleObj", "Drawing", "Handle"}


def test_what_is_drawn_or_dragged_freely_has_round_coordinates(open_window, hand):
    window = open_window(None)
    window.document.new()
    window.canvas.navigation.set_camera(Camera(3.3, 7.7, 0.45))
    window.actions_by_id["insert.Mirror"].trigger()
    mouse = hand(window.canvas)
    mouse.drag((211.7, 203.1), (405.2, 377.9))
    made = last(window)
    assert all(value == round(value) for point in (made.p1, made.p2) for value in point)
    middle = (made.p1.x + made.p2.x) / 2, (made.p1.y + made.p2.y) / 2
    mouse.drag(middle, (middle[0] + 71.4, middle[1] + 33.3))
    moved = last(window)
    assert moved.p1.x != made.p1.x
    assert all(value == round(value) for point in (moved.p1, moved.p2) for value in point)
    mouse.drag(moved.p2, (moved.p2.x + 20.6, moved.p2.y - 51.2))
    assert all(value == round(value) for value in last(window).p2)


def test_the_numbers_beside_the_pointer_are_those_of_the_coordinates(open_window, hand):
    window = open_window(None)
    window.document.new()
    window.canvas.navigation.set_camera(Camera(0.0, 0.0, 0.5))
    window.actions_by_id["insert.Mirror"].trigger()
    mouse = hand(window.canvas)
    mouse.drag((200, 200), (400, 200))
    mouse.press(300, 200)
    mouse.move(300, 320)
    assert window.status.position.text() == "300, 320 mm"
    assert window.canvas.readout[0] == "0, 120 mm"
    mouse.release()
    assert last(window).p1 == (200, 320)


def test_names_of_persons_and_abbreviations_stay_in_capitals_in_hints(window):
    for kind, words in (
        ("CircleGrinGlass", "New circle GRIN glass:"),
        ("DovePrism", "New Dove prism:"),
        ("IdealLens", "New ideal lens:"),
    ):
        window.activate_drawing_tool(kind)
        assert window.canvas.mode.hint.startswith(words)
        assert (
            any(words[4:-1] in button.toolTip() for button in window.create_bar.buttons.values())
            or kind == "DovePrism"
        )


@pytest.mark.parametrize("kind", ["PointSource", "Mirror", "Glass", "CurveMirror", "Achromat"])
def test_a_place_that_is_too_far_away_is_refused_with_the_reason(window, qtbot, kind):
    told, before = [], window.document.document
    window.document.failed.connect(told.append)
    window.activate_drawing_tool(kind)
    mode, far = window.canvas.mode, Point(1e60, 0.0)
    if kind in ("PointSource", "Achromat"):
        mode.begin_object_at(far)
    else:
        mode.begin_object_at(Point(0.0, 0.0))
        for x in (1e60, 2e60, 3e60):
            mode.draw_object_to(Point(x, x / 2))
        if mode.clicked_and_pointer_points:
            mode.finish_drawing()
    assert told
    assert all("at most 1e+50" in text for text in told)
    assert window.document.document is before
    window.activate_drawing_tool("Mirror")  # an outline is finished where another tool is taken
    assert window.document.document is before


def test_an_object_dragged_out_too_far_away_is_refused_with_the_reason(window):
    told = []
    window.document.failed.connect(told.append)
    window.canvas.navigation.set_camera(Camera(1e60, 0.0, 1.0))
    window.activate_drawing_tool("Mirror")
    mode = window.canvas.mode
    mode.press(QPointF(50, 50), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    mode.move(QPointF(50, 90), Qt.KeyboardModifier.NoModifier)
    mode.release(QPointF(50, 90), Qt.MouseButton.LeftButton)
    assert all("at most 1e+50" in text for text in told)
    assert told
    assert steps(window) == []
