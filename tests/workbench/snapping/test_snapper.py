"""Snapping on the canvas: of what is drawn, dragged and moved; suspended by Alt, switched in the
menu, never for typed numbers.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from window_state import named

from raybench.files.scene_json import scene_from_json
from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import AddPreset, Define, Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.snapping.targets import SNAPS
from raybench.shapes.point import Point
from raybench_workbench import editing
from raybench_workbench.preferences.choices import SNAPS_OFF
from raybench_workbench.shot import wait_seconds, wait_until_settled
from raybench_workbench.snapping import OBJECTS_PER_SLICE

pytestmark = pytest.mark.one_window


ALT, SHIFT, NONE = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


@pytest.fixture
def window(open_window):
    scene = Scene.of([
        Blocker(name="Wall", p1=Point(400, 0), p2=Point(400, 300)),
        IdealLens(name="Lens", p1=Point(200, 60), p2=Point(200, 140), focal_length=90),
        CircleGlass(name="Ball", p1=Point(100, 250), p2=Point(130, 250)),
        Mirror(name="Mirror", p1=Point(20, 20), p2=Point(60, 20)),
    ])  # fmt: skip
    return open_window(Document(scene=scene))


def drawn(window, hand, kind, start, end, modifiers=NONE):
    window.activate_drawing_tool(kind)
    hand(window.canvas).drag(start, end, modifiers)
    return window.document.scene.objects[-1]


def test_what_is_drawn_begins_and_ends_exactly_at_what_it_meets(window, hand):
    made = drawn(window, hand, "Mirror", (201.5, 61), (291.5, 99))
    assert (made.p1, made.p2) == ((200, 60), (290, 100)), "from the end of the lens to its focus"
    assert window.canvas.snapper.current is None, "the guide is gone"


def test_a_word_says_what_is_met(window, hand):
    window.activate_drawing_tool("Detector")
    mouse = hand(window.canvas)
    mouse.press(300, 200)
    places = {
        (399, 151): "midpoint of Wall",
        (288, 101): "focus of Lens",
        (399, 199): "perpendicular to Wall",
        (330, 220): "",
        (399, 299): "end of Wall",
        (131, 251): "rim point of Ball",
    }
    for place, words in places.items():
        mouse.move(*place)
        assert window.canvas.snapper.snap_title == words
    mouse.release()


def test_alt_suspends_it_and_the_menu_switches_kinds_off(window, hand):
    assert drawn(window, hand, "Mirror", (201.5, 61), (291.5, 99), ALT).p1 != (200, 60)
    editing.undo_step(window)
    window.actions_by_id["snap.foci"].trigger()
    assert "foci" in window.settings.get(SNAPS_OFF)
    made = drawn(window, hand, "Mirror", (201.5, 61), (291.5, 98))
    assert made.p1 == (200, 60)
    assert made.p2 != (290, 100)
    editing.undo_step(window)
    window.actions_by_id["snap.all"].trigger()
    assert not editing.snaps_to_objects(window)
    assert drawn(window, hand, "Mirror", (201.5, 61), (291.5, 98)).p1 != (200, 60)


def test_every_row_of_the_table_is_in_the_menu(window):
    titles = [a.text() for a in window.menus["Snap to"].actions() if a.text()]
    assert titles == ["Snapping", *(row.title for row in SNAPS.values())]


def test_a_dragged_end_meets_others_but_not_its_own_object(window, hand):
    mirror = named(window, "Mirror")
    window.selection.set({mirror.key})
    hand(window.canvas).drag((60, 20), (398.5, 151))
    assert named(window, "Mirror").p2 == (400, 150)
    hand(window.canvas).drag((400, 150), (24, 22))
    assert named(window, "Mirror").p2 == pytest.approx((24, 22), abs=1), (
        "its other end is no target"
    )


def test_a_moved_object_meets_with_one_of_its_own_points(window, hand):
    hand(window.canvas).drag((40, 20), (379, 152))
    mirror = named(window, "Mirror")
    assert mirror.p2 == (400, 150)
    assert mirror.p1 == (360, 150)
    assert len(window.document.session.history.done) == 1


def test_shift_keeps_the_direction_of_what_is_drawn_beside_a_place(window, hand):
    made = drawn(window, hand, "Mirror", (20, 110), (199, 61.5), SHIFT)
    assert made.p1.y == made.p2.y
    assert made.p2.x == pytest.approx(200, abs=1.5)


def test_the_place_where_light_hits_is_met(open_window, hand):
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(10, 1.7)),
            Blocker(name="Wall", p1=Point(300, -100), p2=Point(300, 160)),
        ]
    )
    window = open_window(Document(scene=scene))
    wait_until_settled(window)
    made = drawn(window, hand, "Mirror", (302, 53), (200, 120))
    assert made.p1 == pytest.approx((300, 51))


def test_a_typed_number_is_never_snapped(window):
    window.document.change(Set("Mirror", {"p2": {"x": 399.9, "y": 150.1}}))
    assert named(window, "Mirror").p2 == (399.9, 150.1)


def test_a_large_scene_is_taken_in_while_the_window_is_idle(open_window, hand, qtbot):
    objects = [
        Blocker(
            p1=Point(20 * (i % 60), 20 * (i // 60)), p2=Point(20 * (i % 60) + 6, 20 * (i // 60))
        )
        for i in range(3 * OBJECTS_PER_SLICE)
    ]
    window = open_window(Document(scene=Scene.of(objects)))
    window.activate_drawing_tool("Mirror")
    mouse = hand(window.canvas)
    mouse.press(401, 201)
    snapper = window.canvas.snapper
    qtbot.waitUntil(lambda: snapper._index.is_complete, timeout=5000)
    mouse.move(607, 201)
    assert snapper.current is not None
    assert tuple(snapper.current.at) == (606, 200)
    mouse.release()


def test_elements_of_an_achromat_have_no_focus_of_their_own(window, hand):
    window.document.change(AddPreset("Achromat", at=Point(200, 250)))
    crown = window.document.scene.objects[-2]
    focus = kind_row_of(crown).axis(crown).foci[-1]
    window.activate_drawing_tool("Detector")
    mouse = hand(window.canvas)
    mouse.press(300, 200)
    for grouped in (True, False):
        window.canvas.snapper.snap_point(Point(*focus), NONE)
        assert window.canvas.snapper.snap_title.startswith("focus of Achromat") is not grouped
        window.selection.set({crown.key})
        window.actions_by_id["arrange.ungroup"].trigger()
    mouse.release()


def test_guides_on_the_canvas_while_a_detector_is_drawn(window, hand, shots):
    window.activate_drawing_tool("Detector")
    mouse = hand(window.canvas)
    mouse.press(290, 200)
    mouse.move(330, 101)
    assert window.canvas.snapper.snap_title == "axis of Lens"
    wait_seconds(
        0.2
    )  # a drag goes on, so the window never settles; without a source there is nothing to trace
    shots(window.canvas, "canvas-snapping")
    mouse.release()


def test_what_is_placed_is_seen_before_the_click(window, hand, shots):
    window.activate_drawing_tool("BiconvexLens")
    mouse = hand(window.canvas)
    mouse.press(100, 100, button=Qt.MouseButton.MiddleButton)
    mouse.release(Qt.MouseButton.MiddleButton)
    mouse.move(288, 101, button=Qt.MouseButton.NoButton)
    assert window.canvas.snapper.snap_title == "focus of Lens"
    assert [o.type for o in window.canvas.mode.ghost] == ["SphericalLens"]
    wait_until_settled(window)
    shots(window.canvas, "canvas-placing")


def test_the_parts_of_an_instance_are_met_where_they_are_once_its_module_is_defined_anew(
    open_window,
):
    def frame(x):
        return {
            "numPoints": 0,
            "objs": [{"type": "Mirror", "p1": {"x": x, "y": 0}, "p2": {"x": x, "y": 50}}],
        }

    objects = [
        {"type": "ModuleObj", "module": "Frame", "points": []},
        {"type": "Blocker", "p1": {"x": 0, "y": 0}, "p2": {"x": 200, "y": 90}},
    ]
    window = open_window(
        Document(scene=scene_from_json({"modules": {"Frame": frame(40)}, "objs": objects}))
    )
    snapper = window.canvas.snapper
    assert snapper.snap_point(Point(40.2, 0.2), NONE) == (40, 0)
    window.document.change(Define({"Frame": frame(70)}))
    wait_until_settled(window)
    assert snapper.snap_point(Point(70.2, 0.2), NONE) == (70, 0)
    assert snapper.snap_point(Point(40.2, 0.2), NONE) != (40, 0)
