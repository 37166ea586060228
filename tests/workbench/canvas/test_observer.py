"""The observer on the canvas, dragged and resized by hand, and the scale in physical units."""

from __future__ import annotations

import pytest

from raybench.kinds.decorations import CropBox
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Observer, Settings
from raybench.shapes.point import Point
from raybench_workbench.canvas.handles import observer_part_at
from raybench_workbench.canvas.viewport import Camera, round_length_below
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


SEEN = Settings(mode="observer", observer=Observer(Point(200, 100), 30.0))


@pytest.fixture
def window(open_window):
    window = open_window(
        Document(scene=Scene.of([PointSource(x=0, y=0), PointSource(x=300, y=200)], SEEN))
    )
    wait_until_settled(window)
    return window


def test_dragging_the_observer_is_one_step(window, hand):
    hand(window.canvas).drag((200, 100), (150, 60))
    observer = window.document.scene.settings.observer
    assert observer.c == pytest.approx((150, 60), abs=0.5)
    assert observer.r == 30
    assert "observer" in window.document.session.history.undo_text.lower()
    window.document.undo()
    assert window.document.scene.settings.observer == SEEN.observer


def test_its_rim_resizes_it(window, hand):
    hand(window.canvas).drag((230, 100), (260, 100))
    observer = window.document.scene.settings.observer
    assert observer.c == (200, 100)
    assert observer.r == pytest.approx(60, abs=0.5)


def test_the_observer_is_dragged_over_other_objects(open_window, hand):
    """As over the edge of a crop box, which is hardly seen, or in water."""
    glass, edge = (
        CircleGlass(p1=Point(200, 100), p2=Point(400, 100)),
        CropBox(p1=Point(100, 100), p4=Point(500, 400)),
    )
    window = open_window(Document(scene=Scene.of([PointSource(x=0, y=0), glass, edge], SEEN)))
    wait_until_settled(window)
    glass, edge = window.document.scene.objects[1:]
    pointer = hand(window.canvas)
    pointer.drag((230, 100), (240, 100))
    assert window.document.scene.settings.observer.r == pytest.approx(40, abs=0.5)
    pointer.drag((200, 100), (180, 60))
    assert window.document.scene.settings.observer.c == pytest.approx((180, 60), abs=0.5)
    assert window.document.scene.objects[1:] == (glass, edge)
    pointer.click(180, 60)
    assert window.selection.keys == {glass.key}
    pointer.drag((180, 60), (190, 70))
    assert window.document.scene.objects[1] != glass, "what is selected goes before it"


def test_there_is_nothing_to_drag_in_other_modes(window):
    plain = Document(scene=Scene(settings=Settings(observer=SEEN.observer)))
    at = Camera().to_screen(Point(200, 100))
    assert observer_part_at(plain, Camera(), at) == ""
    assert observer_part_at(window.document.document, Camera(), at) == "middle"


def test_the_scale_bar_has_a_round_length():
    assert [round_length_below(x) for x in (1.0, 1.9, 2.0, 4.99, 5.0, 73.0, 0.034)] == [
        1,
        1,
        2,
        2,
        5,
        50,
        pytest.approx(0.02),
    ]
