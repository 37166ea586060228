"""An instance of a module on the canvas: one object to the mouse, its parts to the eye."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from raybench.files.scene_json import scene_from_json
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench.shot import wait_until_settled, widget_picture

pytestmark = pytest.mark.one_window


BALLS = {
    "numPoints": 2,
    "objs": [
        {
            "type": "CircleGlass",
            "p1": {"x": f"`x_{i}`", "y": f"`y_{i}`"},
            "p2": {"x": f"`x_{i}+30`", "y": f"`y_{i}`"},
        }
        for i in (1, 2)
    ],
}
PAIR = {
    "type": "ModuleObj",
    "module": "Balls",
    "points": [{"x": 100, "y": 200}, {"x": 300, "y": 200}],
}
LAMP = {"type": "SingleRay", "p1": {"x": 20, "y": 100}, "p2": {"x": 400, "y": 350}}


@pytest.fixture
def window(open_window):
    return open_window(
        Document(scene=scene_from_json({"modules": {"Balls": BALLS}, "objs": [LAMP, PAIR]}))
    )


def points(window):
    return window.document.scene.objects[1].points


def test_any_part_selects_the_whole_and_drags_it(window, mouse):
    for x in (100, 300):
        window.selection.set(())
        mouse.click(x + 10, 205)
        assert window.selection.keys == {window.document.scene.objects[1].key}
    window.actions_by_id["snap.all"].trigger()
    mouse.drag((310, 205), (320, 225))
    first, second = points(window)
    assert (*first, *second) == pytest.approx(
        (110, 220, 310, 220), abs=1
    )  # the mouse stops at whole pixels
    assert window.document.scene.optical[2].p2 == (second.x + 30, second.y)


def test_its_points_are_handles(window, mouse):
    mouse.click(310, 205)
    mouse.drag((300, 200), (350, 220))
    first, second = points(window)
    assert first == (100, 200)
    assert second == pytest.approx((350, 220), abs=1)


def test_its_parts_are_painted(window):
    wait_until_settled(window)
    seen, canvas = widget_picture(window.canvas), window.canvas

    def colour(x, y):
        return seen.pixelColor(
            (canvas.camera.to_screen(Point(x, y)) * seen.devicePixelRatio()).toPoint()
        )

    ground = colour(200, 320)
    assert colour(100, 215) == colour(300, 215) != ground
    assert colour(60, 320) == ground


def test_a_module_without_points_is_previewed_carried_and_placed(open_window, mouse):
    frame = {
        "numPoints": 0,
        "objs": [{"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 50, "y": 0}}],
    }
    window = open_window(
        Document(scene=scene_from_json({"modules": {"Frame": frame}, "objs": [LAMP]}))
    )
    window.activate_drawing_tool("ModuleObj Frame")
    canvas = window.canvas
    canvas.mode.move(QPointF(50, 50), Qt.KeyboardModifier.NoModifier)
    assert [o.type for o in canvas.mode.ghost] == ["Mirror"]
    canvas.preview_object_at("ModuleObj Frame", QPoint(60, 60))
    canvas.mode.finish_drawing()  # as by Enter
    assert [o.type for o in window.document.scene.objects] == ["SingleRay", "ModuleObj"]
