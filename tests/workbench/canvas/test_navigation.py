"""What comes into the scene is shown: the canvas moves as little as is needed."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QApplication

from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import Move
from raybench.scene.codec import object_to_json
from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.view import View
from raybench_workbench.panels.number_edit import NumberEdit

pytestmark = pytest.mark.one_window


CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(open_window):
    window = open_window(
        Document(scene=Scene.of([Mirror(name="First", p1=Point(0, 0), p2=Point(300, 200))]))
    )
    window.canvas.navigation.zoom(
        1.3
    )  # the person has moved the camera: it no longer fits by itself
    return window


def paste(window, qtbot, *objects):
    QApplication.clipboard().setText(json.dumps([object_to_json(o) for o in objects]))
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_V, CONTROL)


def seen(window):
    """Where the selection is, in pixels."""
    left, top, right, bottom = scene_extent(window.document.scene, window.selection.keys)
    return QRectF(
        window.canvas.camera.to_screen(Point(left, top)),
        window.canvas.camera.to_screen(Point(right, bottom)),
    )


def test_what_is_pasted_outside_is_brought_into_sight_without_another_scale(window, qtbot):
    before = window.canvas.camera
    paste(window, qtbot, Mirror(p1=Point(5000, 100), p2=Point(5040, 130)))
    assert QRectF(window.canvas.rect()).contains(seen(window))
    assert window.canvas.camera.scale == before.scale
    assert window.canvas.camera.y == before.y, "up and down it was in sight"


def test_what_is_too_large_for_the_scale_is_zoomed_out_to(window, qtbot):
    before = window.canvas.camera
    paste(window, qtbot, Mirror(p1=Point(5000, 100), p2=Point(9000, 3000)))
    assert QRectF(window.canvas.rect()).contains(seen(window))
    assert window.canvas.camera.scale < before.scale


def test_what_is_in_sight_moves_nothing(window, qtbot):
    before = window.canvas.camera
    paste(window, qtbot, Mirror(p1=Point(100, 150), p2=Point(140, 130)))
    window.actions_by_id["edit.duplicate"].trigger()
    assert window.canvas.camera == before


def test_what_undo_brings_back_is_shown(window, qtbot):
    paste(window, qtbot, Mirror(name="Far", p1=Point(5000, 100), p2=Point(5040, 130)))
    qtbot.keyClick(window.canvas, Qt.Key.Key_Delete)
    window.canvas.navigation.set_camera(window.canvas.camera.panned(9000, 0))
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert QRectF(window.canvas.rect()).contains(seen(window))


def test_what_is_moved_out_of_sight_by_a_number_or_a_key_is_brought_back_into_it(window, qtbot):
    window.selection.set({window.document.scene.objects[0].key})
    edit = next(
        e for e in window.properties.findChildren(NumberEdit) if e.accessibleName() == "Centre x"
    )
    edit.setText("9000")
    edit.setModified(True)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert QRectF(window.canvas.rect()).contains(seen(window))
    window.canvas.setFocus()
    for _ in range(60):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert QRectF(window.canvas.rect()).intersects(seen(window))


def test_a_canvas_that_fits_the_scene_fits_what_is_pasted_too(window, qtbot):
    window.canvas.navigation.fit_scene()
    paste(window, qtbot, Mirror(p1=Point(5000, 100), p2=Point(5040, 130)))
    qtbot.waitUntil(lambda: QRectF(window.canvas.rect()).contains(seen(window)))
    window.selection.set(o.key for o in window.document.scene.objects)
    qtbot.waitUntil(lambda: QRectF(window.canvas.rect()).contains(seen(window)))


def test_what_an_agent_moves_away_leaves_the_view_where_the_person_works(window):
    before = window.canvas.camera
    window.document.change(Move("First", 4000, 0))
    assert window.canvas.camera == before


def test_the_previous_view_and_the_next_one_are_shown_again(open_window):
    window = open_window(
        Document(scene=Scene.of([Mirror(name="First", p1=Point(0, 0), p2=Point(300, 200))]))
    )
    back, forward = window.actions_by_id["view.back"], window.actions_by_id["view.forward"]
    fitted = window.canvas.camera
    assert (back.isEnabled(), forward.isEnabled()) == (False, False)
    window.canvas.navigation.zoom(2.0)
    near = window.canvas.camera
    window.actions_by_id["coloring.power"].trigger()
    back.trigger()
    assert (window.document.session.view.coloring, window.canvas.camera) == ("", near)
    back.trigger()
    assert window.canvas.camera == fitted
    assert window.canvas.navigation.is_fitted
    assert not back.isEnabled()
    forward.trigger()
    assert window.canvas.camera.scale == pytest.approx(near.scale)
    assert window.document.document.revision == window.document.session.saved.revision, (
        "the document has not changed"
    )


def test_a_view_without_a_camera_fits_the_scene(window):
    """As the view before a turn that zoomed, when the turn is reverted."""
    window.canvas.navigation.fit_scene()
    fitted = window.canvas.camera
    window.canvas.navigation.zoom(3.0)
    window.document.set_view(View())
    assert window.canvas.camera == fitted


@pytest.mark.parametrize("how", ["duplicate", "paste"])
@pytest.mark.parametrize(
    ("size", "apart"), [(0.4, (0.005, 0.05)), (300, (20, 20)), (40_000, (500, 5000))]
)
def test_a_copy_stands_beside_the_original_whatever_the_size_of_the_scene(
    open_window, qtbot, how, size, apart
):
    window = open_window(
        Document(scene=Scene.of([Mirror(name="First", p1=Point(0, 0), p2=Point(size, size / 2))]))
    )
    window.selection.set(o.key for o in window.document.scene.objects)
    before = window.canvas.camera
    if how == "paste":
        window.actions_by_id["edit.copy"].trigger()
    window.actions_by_id[f"edit.{how}"].trigger()
    copy = window.document.scene.objects[-1]
    assert copy.title == "First 2"
    assert apart[0] <= copy.p1.x == copy.p1.y <= apart[1]
    assert window.canvas.camera == before
