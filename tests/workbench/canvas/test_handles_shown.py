"""Handles of all families as they are seen, typed ends while drawing, and arranging about a chosen
centre, in the window.
"""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF, Qt

from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.curved_glasses import CurveGlass
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import ArcMirror
from raybench.kinds.sources import AngleSource
from raybench.scene.changes import AddPreset
from raybench.scene.control_points import control_points
from raybench.scene.creation import object_from_points
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench_workbench import editing
from raybench_workbench.canvas.handles import transform_handles
from raybench_workbench.canvas.modes.point_editor import PointEditor
from raybench_workbench.dialogs import NumberDialog
from raybench_workbench.shot import wait_seconds, wait_until_settled

pytestmark = pytest.mark.one_window


FAMILIES = (
    ArcMirror(p1=Point(100, 100), p2=Point(100, 260), p3=Point(140, 180)),
    CircleGlass(p1=Point(300, 180), p2=Point(350, 180)),
    Glass(path=(Vertex(450, 120), Vertex(520, 100, True), Vertex(590, 120), Vertex(520, 250))),
    object_from_points("CurveGlass", [Point(700, 100), Point(820, 120), Point(760, 250)]),
    AngleSource(p1=Point(100, 400), p2=Point(160, 380), brightness=0.0),
    Aperture(p1=Point(300, 320), p2=Point(300, 480), p3=Point(300, 380), p4=Point(300, 420)),
)


@pytest.fixture
def bench(open_window):
    document = Document(scene=Scene.of(FAMILIES))
    window = open_window(document)
    window.document.change(AddPreset("BiconvexLens", at=Point(650, 400)))
    window.canvas.navigation.fit_scene()
    wait_until_settled(window)
    return window


def test_the_handles_of_each_family(bench, shots):
    editing.select_all_visible(bench)
    bench.canvas.setFocus()
    wait_until_settled(bench)
    meanings = {
        o.type: {c.meaning for c in control_points(o)} for o in bench.document.scene.objects
    }
    assert meanings["ArcMirror"] == {"end", "bend"}
    assert meanings["CircleGlass"] == {"centre", "end"}
    assert meanings["Glass"] == {"end", "bend"}
    assert meanings["CurveGlass"] == {"end", "bend"}
    assert isinstance(bench.document.scene.objects[3], CurveGlass)
    shots(bench.canvas, "canvas-handles")


def test_handles_keep_their_size_at_any_zoom(bench):
    ball = bench.document.scene.objects[1]
    bench.selection.set({ball.key})
    sizes = []
    for factor in (1.0, 3.0):
        bench.canvas.navigation.zoom(factor, bench.canvas.camera.to_screen(Point(350, 180)))
        wait_until_settled(bench)
        at = bench.canvas.camera.to_screen(Point(350, 180)).toPoint()
        image = bench.canvas.grab().toImage()
        inside = image.pixel(at)
        sizes.append(next(i for i in range(1, 30) if image.pixel(at.x(), at.y() - i) != inside))
    assert sizes[0] == sizes[1]


def test_the_numbers_of_a_handle(bench, hand, qtbot, shots):
    bench.selection.set({bench.document.scene.objects[1].key})
    hand(bench.canvas).double_click(350, 180)
    form = bench.canvas.findChild(PointEditor)
    assert [e.accessibleName() for e in form.edits] == ["X", "Y", "Radius", "Angle"]
    shots(form, "canvas-point-numbers")
    radius = form.edits[2]
    radius.setFocus()
    radius.selectAll()
    qtbot.keyClicks(radius, "8/2 cm")
    qtbot.keyClick(radius, Qt.Key.Key_Return)
    assert math.dist(bench.document.scene.objects[1].p1, bench.document.scene.objects[1].p2) == 40


def test_the_radius_is_told_while_a_rim_is_dragged(bench, hand):
    bench.selection.set({bench.document.scene.objects[1].key})
    mouse = hand(bench.canvas)
    mouse.press(350, 180)
    mouse.move(380, 180)
    ball = bench.document.scene.objects[1]
    assert bench.canvas.readout[0] == f"r {math.dist(ball.p1, ball.p2):.4g} mm, 0°"
    mouse.release()


def test_the_other_end_is_typed_while_drawing(bench, hand, qtbot):
    bench.activate_drawing_tool("Mirror")
    mouse = hand(bench.canvas)
    mouse.click(400, 300)
    begun = bench.canvas.mode.previous_point
    qtbot.keyClick(bench.canvas, "7")
    form = bench.canvas.findChild(PointEditor)
    assert [e.accessibleName() for e in form.edits] == ["Length", "Angle", "X", "Y"]
    assert form.edits[0].text() == "7"
    qtbot.keyClicks(form.edits[0], "5.5")
    qtbot.keyClick(form.edits[0], Qt.Key.Key_Tab)
    qtbot.keyClicks(form.edits[1], "90")
    qtbot.keyClick(form.edits[1], Qt.Key.Key_Return)
    wait_seconds(0.05)
    made = bench.document.scene.objects[-1]
    assert made.p1 == begun
    assert tuple(made.p2) == pytest.approx((begun.x, begun.y - 75.5))
    assert bench.canvas.drawn_kind == ""


@pytest.mark.parametrize("kind", ["Mirror", "PointSource", "Glass", "BallLens"])
def test_the_first_point_is_typed_too(bench, hand, qtbot, kind):
    bench.activate_drawing_tool(kind)
    mouse = hand(bench.canvas)
    mouse._last = QPointF(bench.canvas.rect().center())
    mouse.move(410, 310, button=Qt.MouseButton.NoButton)
    qtbot.keyClick(bench.canvas, "2")
    form = bench.canvas.findChild(PointEditor)
    assert [e.accessibleName() for e in form.edits] == ["X", "Y"]
    qtbot.keyClicks(form.edits[0], "0 cm")
    qtbot.keyClick(form.edits[0], Qt.Key.Key_Tab)
    qtbot.keyClicks(form.edits[1], "-30")
    qtbot.keyClick(form.edits[1], Qt.Key.Key_Return)
    wait_seconds(0.05)
    if kind in ("Mirror", "Glass"):
        assert bench.canvas.mode.previous_point == (200, -30)
        assert bench.canvas.hasFocus()
    else:
        made = bench.document.scene.objects[-1]
        assert (made.x, made.y) == (200, -30) if kind == "PointSource" else made.p1 == (200, -30)
        assert bench.canvas.drawn_kind == ""


@pytest.fixture
def lines(open_window):
    walls = [
        Blocker(name=n, p1=Point(x, y), p2=Point(x, y + 60))
        for n, x, y in (("A", 100, 100), ("B", 150, 180), ("C", 300, 130))
    ]
    window = open_window(Document(scene=Scene.of(walls)))
    editing.select_all_visible(window)
    return window


def tops(window):
    return [o.p1.y for o in window.document.scene.objects]


def test_objects_are_aligned_and_distributed_by_the_menu(lines):
    titles = [a.text() for a in lines.menus["Align"].actions() if a.text()]
    assert titles[:3] == ["Left sides", "Centres, on a vertical line", "Right sides"]
    lines.actions_by_id["arrange.align_top"].trigger()
    assert tops(lines) == [100, 100, 100]
    lines.actions_by_id["arrange.distribute_x"].trigger()
    assert [o.p1.x for o in lines.document.scene.objects] == [100, 200, 300]
    assert len(lines.document.session.history.done) == 2
    lines.selection.set({lines.document.scene.objects[0].key})
    assert not lines.actions_by_id["arrange.align_top"].isEnabled()


def test_a_typed_angle_turns_about_the_chosen_centre(lines, hand, qtbot):
    about = transform_handles(lines.canvas).about
    hand(lines.canvas).drag((about.x, about.y), (220, 260))
    chosen = lines.canvas.pivot
    assert tuple(chosen) == pytest.approx((220, 260), abs=2)
    before = [o.p1 for o in lines.document.scene.objects]
    lines.actions_by_id["arrange.rotate"].trigger()
    (dialog,) = lines.findChildren(NumberDialog)
    dialog.edit.selectAll()
    qtbot.keyClicks(dialog.edit, "7 deg")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    wait_seconds(0.02)
    for was, obj in zip(before, lines.document.scene.objects, strict=True):
        assert math.dist(obj.p1, chosen) == pytest.approx(math.dist(was, chosen))
        turned = math.degrees(
            math.atan2(was.y - chosen.y, was.x - chosen.x)
            - math.atan2(obj.p1.y - chosen.y, obj.p1.x - chosen.x)
        )
        assert turned % 360 == pytest.approx(7)
