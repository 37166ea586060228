"""A scene of 1 500 objects: only what changed is painted again, in slices, and it looks as if every
object were painted each time.

`tests/benchmarks` measures how long it takes.
"""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from raybench.scene.changes import Hide, Move, Set
from raybench.scene.creation import object_from_drag
from raybench.scene.document import Document
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench import editing
from raybench_workbench.canvas import layers, object_layer
from raybench_workbench.canvas.object_layer import ObjectsImage
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.panels import document_lists
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.shot import wait_until_settled, widget_picture
from raybench_workbench.theme import DARK

pytestmark = pytest.mark.one_window


KINDS = ("Blocker", "Mirror", "IdealLens", "CircleBlocker")


@pytest.fixture
def window(open_window):
    places = [(i % 50 * 20, i // 50 * 20) for i in range(1500)]
    made = [
        object_from_drag(KINDS[i % 4], Point(x, y), Point(x + 10, y + 12))
        for i, (x, y) in enumerate(places)
    ]
    return open_window(Document(scene=Scene.of(made)))


AROUND = 400
"""More objects than stand around one of them."""


def painted(window, act):
    """How many objects an action has painted into the images."""
    images = window.canvas.unselected_image, window.canvas.selected_image
    before = sum(i.painted for i in images)
    act()
    window.canvas.repaint()
    return sum(i.painted for i in images) - before


def test_selecting_dragging_and_editing_paint_only_what_is_around(window):
    objects = window.document.scene.objects
    key = objects[15 * 50 + 25].key
    assert 0 < painted(window, lambda: window.selection.set({key})) < AROUND
    gesture = window.document.begin_gesture()
    assert painted(window, lambda: gesture.update(Move(key, 1, 0))) == 0, (
        "only the dragged object moves"
    )
    assert painted(window, lambda: gesture.update(Move(key, 300, 0))) == 0
    gesture.finish()
    assert painted(window, lambda: window.document.change(Set(key, {"name": "Named"}))) == 0
    assert 0 < painted(window, lambda: window.selection.set({objects[0].key})) < 2 * AROUND
    assert painted(window, lambda: window.canvas.set_hovered(objects[50].key)) < AROUND


def test_many_selected_objects_are_painted_once(window):
    painted(window, lambda: editing.select_all_visible(window))
    wait_until_settled(window)
    assert (
        painted(window, lambda: window.canvas.set_hovered(window.document.scene.objects[7].key))
        == 0
    )
    assert (
        painted(
            window, lambda: window.selection.toggle_object(window.document.scene.objects[7].key)
        )
        < AROUND
    )


def test_a_view_that_moves_shows_the_last_image_until_the_next_is_painted(window, monkeypatch):
    monkeypatch.setattr(object_layer, "MAX_PAINT_SECONDS", 0.0)
    assert (
        painted(window, lambda: window.canvas.navigation.zoom(1.5)) == object_layer.OBJECTS_PER_POLL
    ), "one chunk at a time"
    assert not window.canvas.settled
    wait_until_settled(window)
    assert window.canvas.unselected_image.is_complete


def test_an_image_keeps_no_objects_that_are_gone(raybench_app, monkeypatch):
    monkeypatch.setattr(object_layer, "MAX_PAINT_SECONDS", 60.0)
    made = ObjectsImage(lambda: None)
    sheet = QImage(200, 100, QImage.Format.Format_RGB32)

    def paint(x):
        scene = Scene.of([object_from_drag("Mirror", Point(x, 0), Point(x + 10, 12))])
        painter = QPainter(sheet)
        made.paint(
            painter,
            Document(scene=scene),
            Viewport(Camera(), (200, 100), 1.0, DARK),
            list(scene.objects),
        )
        painter.end()
        assert made.is_complete
        return weakref.ref(scene.objects[0])

    first, _, last = paint(10), paint(90), paint(50)
    gc.collect()
    assert first() is None
    assert last() is not None, "it is painted"


@pytest.mark.parametrize("kept", [0, 1000])
def test_an_image_of_objects_that_are_gone_is_not_waited_for(window, monkeypatch, kept):
    monkeypatch.setattr(object_layer, "MAX_PAINT_SECONDS", 0.0)
    window.selection.set(o.key for o in window.document.scene.objects[kept:])
    window.canvas.repaint()
    assert not window.canvas.selected_image.is_complete
    editing.delete_selection(window)
    window.canvas.repaint()
    wait_until_settled(window, timeout=60)
    assert len(window.document.scene.objects) == kept


def test_problems_of_a_large_scene_are_found_by_another_thread(window, monkeypatch):
    threads = []

    def searched(*checked):
        threads.append(threading.current_thread())
        return find_scene_problems(*checked)

    monkeypatch.setattr(document_lists, "find_scene_problems", searched)
    lens = next(o for o in window.document.scene.objects if o.type == "IdealLens")
    window.document.change(Set(lens.key, {"focalLength": 0}))
    wait_until_settled(window)
    assert threads
    assert threading.main_thread() not in threads
    assert lens.key in window.problems.by_key


def test_the_image_of_objects_at_rest_looks_as_if_all_were_painted(window, monkeypatch):
    keys = [o.key for o in window.document.scene.objects[:3]]
    steps = (
        lambda: window.selection.set(keys[:1]),
        lambda: window.document.change(Move(keys[:1], 5, 5)),
        lambda: window.document.change(Move(keys[1:2], 5, 5)),
        lambda: window.document.change(Hide(keys[2:3])),
        lambda: window.document.undo(),
        lambda: window.canvas.navigation.zoom(1.5),
    )
    for step in steps:
        step()
        wait_until_settled(window)
        kept = widget_picture(window.canvas)
        monkeypatch.setattr(layers, "MANY_OBJECTS", 10**6)
        painted = widget_picture(window.canvas)
        monkeypatch.undo()
        assert kept.size() == painted.size()
        different = np.abs(lightness(kept) - lightness(painted)) > 24
        assert np.count_nonzero(different) < 20


def lightness(image):
    """The lightness of every third pixel across and down, from 0 to 255."""
    colours = pixels(image)[::3, ::3, :3].astype(int)
    return (colours.max(axis=2) + colours.min(axis=2)) / 2
