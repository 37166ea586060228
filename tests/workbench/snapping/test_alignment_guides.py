"""What is moved is aligned with others, what is turned meets their directions; Alt and the menu
suspend it.
"""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from window_state import named

from raybench.kinds.blockers import Blocker
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench_workbench import editing
from raybench_workbench.canvas.handles import transform_handles
from raybench_workbench.shot import wait_seconds

pytestmark = pytest.mark.one_window


ALT, SHIFT, NONE = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def glass(name, x, y, width, height):
    corners = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
    return Glass(name=name, path=tuple(Vertex(*c) for c in corners))


@pytest.fixture
def window(open_window):
    scene = Scene.of([
        glass("A", 0, 0, 60, 80),
        glass("B", 150, 10, 70, 50),
        glass("Moved", 400, 330, 40, 46),
        Blocker(name="Wall", p1=Point(-40, 420), p2=Point(60, 450)),
        Mirror(name="M", p1=Point(540, 300), p2=Point(600, 300)),
    ])  # fmt: skip
    window = open_window(Document(scene=scene))
    window.actions_by_id["snap.all"].trigger()
    for kind in ("alignment", "directions"):
        window.actions_by_id[f"snap.{kind}"].trigger()
    assert window.canvas.snapper.enabled_kinds == {"alignment", "directions"}
    return window


def corner(window):
    return named(window, "Moved").path[0]


def dragged(window, hand, to, modifiers=NONE):
    """Drag the moved glass by its middle, so that its corner would be at a place; the guides while
    it is there.
    """
    mouse = hand(window.canvas)
    at = corner(window).x + 20, corner(window).y + 23
    window.selection.clear()
    mouse.press(*at, modifiers)
    mouse.move(to[0] + 20, to[1] + 23, modifiers)
    guides = window.canvas.snapper.guides
    mouse.release(modifiers=modifiers)
    assert window.canvas.snapper.guides == (), "they go with the drag"
    return guides


def test_equal_edges_and_centres_draw_lines(window, hand):
    guides = dragged(window, hand, (220 - 1.5, 420))
    assert corner(window).x == pytest.approx(220), "its left side is on the right side of B"
    (line,) = (g for g in guides if g.a.x == g.b.x)
    assert (line.a.x, line.a.y, line.what) == (220, 10, "aligned")
    assert line.b.y > 420
    dragged(window, hand, (300, 17 + 1.2))
    assert corner(window).y == pytest.approx(17), "its middle is level with that of A"


def test_equal_distances_in_a_row(window, hand):
    guides = dragged(window, hand, (310 + 1.5, 14.5))
    assert corner(window).x == pytest.approx(310), "as far from B as B from A"
    assert [round(math.dist(g.a, g.b), 6) for g in guides if g.what == "distance"] == [90, 90]
    dragged(window, hand, (85 - 1, 14.5))
    assert corner(window).x == pytest.approx(85), "in the middle between A and B"


def test_alt_and_the_menu_suspend_it(window, hand):
    assert dragged(window, hand, (218.5, 470), ALT) == ()
    assert corner(window).x == pytest.approx(218.5, abs=1)
    editing.undo_step(window)
    window.actions_by_id["snap.alignment"].trigger()
    assert dragged(window, hand, (218.5, 470)) == ()


def test_shift_keeps_its_line_and_is_aligned_along_it(window, hand):
    dragged(window, hand, (221.5, 334), SHIFT)
    assert (corner(window).x, corner(window).y) == pytest.approx((220, 330))


def test_hidden_objects_and_those_out_of_sight_are_not_met(window, hand):
    window.selection.set({named(window, "B").key})
    window.actions_by_id["arrange.hide"].trigger()
    assert dragged(window, hand, (218.5, 470)) == ()


def turned(window, hand, by, modifiers=NONE):
    """Turn the mirror by its handle; the readout before it is released."""
    window.selection.set({named(window, "M").key})
    handles = transform_handles(window.canvas)
    centre, start = handles.about, window.canvas.camera.to_scene(handles.turn)
    angle = math.radians(-by)
    x, y = start.x - centre.x, start.y - centre.y
    to = (
        centre.x + x * math.cos(angle) - y * math.sin(angle),
        centre.y + x * math.sin(angle) + y * math.cos(angle),
    )
    mouse = hand(window.canvas)
    mouse.press(start.x, start.y, modifiers)
    mouse.move(*to, modifiers)
    text = window.canvas.readout[0]
    mouse.release(modifiers=modifiers)
    return text


def angle_of(window):
    p, q = named(window, "M").p1, named(window, "M").p2
    return math.degrees(math.atan2(p.y - q.y, q.x - p.x))


def test_a_turn_meets_the_directions_of_others(window, hand):
    slope = math.degrees(math.atan2(-30, 100))
    assert "parallel to Wall" in turned(window, hand, slope + 0.8)
    assert angle_of(window) == pytest.approx(slope, abs=1e-9)
    editing.undo_step(window)
    assert "perpendicular to Wall" in turned(window, hand, slope + 90 - 0.8)
    assert angle_of(window) == pytest.approx(slope + 90, abs=1e-9)
    editing.undo_step(window)
    assert "vertical" in turned(window, hand, 90.7)
    assert angle_of(window) == pytest.approx(90, abs=1e-9)


def test_a_turn_is_free_with_alt_and_in_steps_with_shift(window, hand):
    slope = math.degrees(math.atan2(-30, 100))
    assert "Wall" not in turned(window, hand, slope + 0.8, ALT)
    assert angle_of(window) == pytest.approx(slope + 0.8, abs=0.5)
    editing.undo_step(window)
    turned(window, hand, 33, SHIFT)
    assert angle_of(window) == pytest.approx(30)


def test_the_guides_on_the_canvas(window, hand, shots):
    mouse = hand(window.canvas)
    mouse.press(420, 353)
    mouse.move(310 + 20 + 1.5, 17 + 23 + 1)
    guides = window.canvas.snapper.guides
    assert {g.what for g in guides} == {"aligned", "distance"}
    wait_seconds(
        0.2
    )  # a drag goes on, so the window never settles; without a source there is nothing to trace
    shots(window.canvas, "canvas-alignment")
    mouse.release()
