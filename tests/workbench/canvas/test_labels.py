"""Where labels are placed."""

from __future__ import annotations

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import QPointF, QRectF

from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace
from raybench_workbench.canvas.labels import (
    CELL_SIZE,
    Label,
    ObjectOutlines,
    edge_labels,
    label_box,
    object_labels,
    place_labels,
)
from raybench_workbench.canvas.rays.arrow_heads import ArrowHeads
from raybench_workbench.canvas.rays.drawing import covering_lines_drawing, light_coverage
from raybench_workbench.canvas.readings import detector_readings
from raybench_workbench.canvas.strokes import paint_label
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.theme import DARK

pytestmark = [pytest.mark.usefixtures("raybench_app"), pytest.mark.one_window]
SIZE = (400, 300)


def label(*boxes, required=False):
    return Label((("text", "text"),), tuple(QRectF(*b) for b in boxes), required=required)


def test_a_label_takes_its_preferred_free_place():
    first, second = label((100, 100, 50, 20)), label((110, 105, 50, 20), (110, 140, 50, 20))
    placed = place_labels([first, second], [], SIZE)
    assert [p.box.y() for p in placed] == [100, 140]
    assert not placed[0].box.intersects(placed[1].box)


def test_a_label_without_room_is_left_out():
    taken = [QRectF(90, 90, 100, 100)]
    assert place_labels([label((100, 100, 50, 20))], taken, SIZE) == []
    assert [
        p.box.x() for p in place_labels([label((100, 100, 50, 20), required=True)], taken, SIZE)
    ] == [100]


def test_a_label_avoids_light_and_the_border():
    light = np.zeros((SIZE[1] // CELL_SIZE + 1, SIZE[0] // CELL_SIZE + 1), np.float32)
    light[10:16, :] = 1.0
    placed = place_labels([label((100, 90, 50, 20), (100, 160, 50, 20))], [], SIZE, light)
    assert placed[0].box.y() == 160
    (over_border,) = place_labels([label((380, -10, 50, 20))], [], SIZE)
    assert QRectF(0, 0, *SIZE).contains(over_border.box)


def test_a_label_covers_no_arrow_head():
    heads = ArrowHeads(
        np.array([[[131.0, 100.0], [124.0, 97.5], [124.0, 102.5]]]), np.ones((1, 4), np.float32)
    )
    boxes = label((100, 90, 50, 20), (100, 160, 50, 20))
    assert place_labels([boxes], [], SIZE, heads=heads)[0].box.y() == 160
    assert place_labels([label((100, 90, 50, 20))], [], SIZE, heads=heads)[0].box.y() == 90, (
        "there is no other room"
    )


def test_a_label_stands_clear_of_its_point():
    at = QPointF(100, 100)
    for degrees in range(0, 360, 15):
        direction = QPointF(np.cos(np.radians(degrees)), np.sin(np.radians(degrees)))
        box = label_box(at, direction, 60, 20)
        nearest = QPointF(
            min(max(at.x(), box.left()), box.right()), min(max(at.y(), box.top()), box.bottom())
        )
        gap = np.hypot(*(nearest - at).toTuple())
        assert 7 <= gap <= 12, degrees


def test_a_detectors_reading_stands_outside_its_light():
    objects = [
        Beam(key=1, p1=Point(20, 100), p2=Point(20, 200)),
        Detector(key=2, name="Screen", p1=Point(300, 110), p2=Point(300, 190)),
    ]
    document = Document(scene=Scene.of(objects, Settings(ray_mode_density=0.4)))
    result = trace(document.scene)
    light = light_coverage(
        covering_lines_drawing(result, document.scene.settings, DARK),
        Viewport(Camera(), SIZE, 1.0, DARK),
        CELL_SIZE,
    )
    assert light[150 // CELL_SIZE, 100 // CELL_SIZE] > 0.2, "there is light where the beam goes"
    assert light[20 // CELL_SIZE, 100 // CELL_SIZE] == 0
    (placed,) = place_labels(
        object_labels(document, Camera(), detector_readings(document, result)), [], SIZE, light
    )
    assert placed.label.pieces[0][0].startswith("P = ")
    assert placed.box.bottom() < 104 or placed.box.top() > 200


def test_no_reading_stands_on_a_level_detector():
    screen = Detector(key=2, name="Screen", p1=Point(60, 150), p2=Point(340, 150))
    document = Document(
        scene=Scene(objects=(Beam(key=1, p1=Point(100, 100), p2=Point(300, 100)), screen))
    )
    (label,) = object_labels(document, Camera(), detector_readings(document, trace(document.scene)))
    assert all(
        box.bottom() < 150 or box.top() > 150 or box.right() < 60 or box.left() > 340
        for box in label.boxes
    )


def test_a_reading_at_the_border_covers_nothing():
    """Where it extends beyond the border it is moved inside, and was moved onto the detector, or
    lay on a lens beside it.
    """
    screen = Detector(key=2, name="Screen", p1=Point(370, 30), p2=Point(370, 70))
    lens = SphericalLens(key=3, p1=Point(275, 10), p2=Point(275, 90))
    document = Document(
        scene=Scene(objects=(Beam(key=1, p1=Point(20, 30), p2=Point(20, 70)), screen, lens))
    )
    light = np.zeros((SIZE[1] // CELL_SIZE + 1, SIZE[0] // CELL_SIZE + 1), np.float32)
    light[8:, :] = 1.0  # below the detector
    read = detector_readings(document, trace(document.scene))
    outlines = ObjectOutlines(document, Camera())
    (placed,) = place_labels(object_labels(document, Camera(), read), [], SIZE, light, outlines)
    assert not outlines.intersects(placed.box, None)
    lying = Detector(key=2, name="Screen", p1=Point(370, 4), p2=Point(390, 14))
    document = Document(scene=Scene(objects=(document.scene.objects[0], lying)))
    read = detector_readings(document, trace(document.scene))
    outlines = ObjectOutlines(document, Camera())
    for reading in (
        object_labels(document, Camera(), read),
        object_labels(document, Camera(), read, [lying]),
    ):
        (placed,) = place_labels(reading, [], SIZE, light, outlines)
        assert not outlines.intersects(placed.box, None)


def test_a_reading_stands_farther_away_among_objects():
    screen = Detector(key=2, name="Screen", p1=Point(370, 30), p2=Point(370, 70))
    lens = SphericalLens(key=3, p1=Point(290, 10), p2=Point(290, 90))
    document = Document(
        scene=Scene(objects=(Beam(key=1, p1=Point(20, 30), p2=Point(20, 70)), screen, lens))
    )
    read, outlines = (
        detector_readings(document, trace(document.scene)),
        ObjectOutlines(document, Camera()),
    )
    for named in ([], [screen]):  # with the name it is wider
        (placed,) = place_labels(
            object_labels(document, Camera(), read, named), [], SIZE, None, outlines
        )
        assert not outlines.intersects(placed.box, None)


def test_a_reading_among_objects_leaves_the_focus_free():
    """At a focus near the border, between two blockers, it lay on the light before the detector."""
    screen = Detector(key=2, name="Screen", p1=Point(340, 145), p2=Point(340, 155))
    walls = [
        Blocker(key=3 + i, p1=Point(310, y), p2=Point(370, y)) for i, y in ((0, 105), (1, 195))
    ]
    document = Document(
        scene=Scene.of([Beam(key=1, p1=Point(20, 120), p2=Point(20, 180)), screen, *walls])
    )
    light = np.zeros((SIZE[1] // CELL_SIZE + 1, SIZE[0] // CELL_SIZE + 1), np.float32)
    light[120 // CELL_SIZE : 180 // CELL_SIZE, :] = 1.0
    read, outlines = (
        detector_readings(document, trace(document.scene)),
        ObjectOutlines(document, Camera()),
    )
    (placed,) = place_labels(object_labels(document, Camera(), read), [], SIZE, light, outlines)
    assert not outlines.intersects(placed.box, None)
    assert placed.box.bottom() < 120 or placed.box.top() > 180


def test_a_reading_without_room_beside_objects_still_shows():
    screen = Detector(key=2, p1=Point(200, 100), p2=Point(200, 140))
    stripes = [Mirror(key=10 + i, p1=Point(0, 10 * i), p2=Point(400, 10 * i)) for i in range(30)]
    document = Document(scene=Scene.of([screen, *stripes]))
    outlines = ObjectOutlines(document, Camera())
    assert (
        len(
            place_labels(
                object_labels(
                    document, Camera(), detector_readings(document, trace(document.scene))
                ),
                [],
                SIZE,
                None,
                outlines,
            )
        )
        == 1
    )


def test_a_selected_detectors_name_and_reading_are_one():
    screen = Detector(key=2, name="Screen", p1=Point(300, 110), p2=Point(300, 190))
    document = Document(
        scene=Scene(objects=(Beam(key=1, p1=Point(20, 100), p2=Point(20, 200)), screen))
    )
    readings = detector_readings(document, trace(document.scene))
    (one,) = object_labels(document, Camera(), readings, [screen], {2})
    assert [color for _, color in one.pieces] == ["accent", "detector"]
    assert one.pieces[0][0] == "Screen"
    assert one.required


def test_a_mirrors_sides_are_labelled_on_them():
    mirror = Mirror(key=1, p1=Point(100, 50), p2=Point(100, 150))
    east, west = sorted(edge_labels(mirror, {}, Camera()), key=lambda one: one.pieces[0][0])
    assert [east.pieces[0][0], west.pieces[0][0]] == ["E", "W"]
    assert east.boxes[0].left() > 100 > west.boxes[0].right()


def test_a_detectors_sides_are_named_beside_light():
    screen = Detector(key=1, p1=Point(300, 50), p2=Point(300, 250))
    light = np.zeros((SIZE[1] // CELL_SIZE + 1, SIZE[0] // CELL_SIZE + 1), np.float32)
    light[140 // CELL_SIZE : 160 // CELL_SIZE + 1, :] = 1
    placed = place_labels(edge_labels(screen, {}, Camera()), [], SIZE, light)
    assert sorted(p.label.pieces[0][0] for p in placed) == ["E", "W"]
    assert all(p.box.bottom() < 140 or p.box.top() > 160 for p in placed)


def test_a_thin_lens_has_labels_on_both_sides(open_window, monkeypatch):
    from raybench_workbench.canvas import frame

    seen = []

    def recorded(*args):
        seen[:] = place_labels(*args)
        return list(seen)

    monkeypatch.setattr(frame, "place_labels", recorded)
    lens = SphericalLens(
        name="Thin", p1=Point(0, -60), p2=Point(0, 60), params={"d": 4, "r1": 1500, "r2": -1500}
    )
    window = open_window(Document(scene=Scene.of([lens])))
    window.selection.set([lens.key])
    wait_until_settled(window)
    boxes = {p.label.pieces[0][0]: p.box for p in seen}
    left, right = (window.canvas.camera.to_screen(p).x() for p in (Point(-2, 0), Point(2, 0)))
    assert boxes["W"].right() < left < right < boxes["E"].left()
    assert "Thin" in boxes


def test_labels_do_not_cover_each_other(open_window, monkeypatch):
    """All objects of a scene selected: names, edges and readings."""
    from raybench_workbench.canvas import frame

    seen = []

    def recorded(*args):
        seen[:] = place_labels(*args)
        return list(seen)

    monkeypatch.setattr(frame, "place_labels", recorded)
    window = open_window(prism_document())
    window.selection.set([o.key for o in window.document.scene.objects])
    wait_until_settled(window)
    names = {p.label.pieces[0][0] for p in seen}
    assert {"Main Prism", "Screen"} <= names
    for i, a in enumerate(seen):
        for b in seen[i + 1 :]:
            assert not a.box.intersects(b.box), (a.label.pieces, b.label.pieces)


def test_names_of_selected_objects_cover_no_other():
    row = [
        Mirror(name=f"Mirror number {i}", p1=Point(100 + 12 * i, 100), p2=Point(100 + 12 * i, 160))
        for i in range(4)
    ]
    crowd = [
        CircleGlass(
            name="Ring",
            p1=Point(160 + 60 * (i % 2), 60 + 60 * (i // 2)),
            p2=Point(180 + 60 * (i % 2), 60),
        )
        for i in range(4)
    ]
    document = Document(scene=Scene.of([*row, *crowd]))
    outlines, keys = ObjectOutlines(document, Camera()), [o.key for o in row]
    names = object_labels(document, Camera(), {}, row, keys)
    placed = place_labels(names, [], SIZE, None, outlines)
    assert 0 < len(placed) < len(row)
    for p in placed:
        assert not outlines.intersects(p.box, p.label.object_key)
    covered = [
        p for p in place_labels(names, [], SIZE) if outlines.intersects(p.box, p.label.object_key)
    ]
    assert covered, "there is something to avoid"
    (alone,) = place_labels(
        object_labels(document, Camera(), {}, row[:1], keys[:1]), [], SIZE, None, outlines
    )
    assert not outlines.intersects(alone.box, keys[0])


def test_a_small_body_selected_alone_is_named():
    inner = Mirror(name="Inner", p1=Point(190, 150), p2=Point(210, 150))
    document = Document(
        scene=Scene.of([CircleGlass(p1=Point(200, 150), p2=Point(400, 150)), inner])
    )
    outlines = ObjectOutlines(document, Camera())
    assert (
        len(
            place_labels(
                object_labels(document, Camera(), {}, [inner], [inner.key]),
                [],
                SIZE,
                None,
                outlines,
            )
        )
        == 1
    )


def test_a_drags_readout_is_inside_the_canvas(open_window, hand, monkeypatch):
    from raybench_workbench.canvas import frame, overlay

    seen, readouts = [], []

    def recorded(*args):
        seen[:] = place_labels(*args)
        return list(seen)

    def painted(*args):
        readouts.append(paint_label(*args))
        return readouts[-1]

    monkeypatch.setattr(frame, "place_labels", recorded)
    monkeypatch.setattr(overlay, "paint_label", painted)
    window = open_window(
        Document(scene=Scene.of([Mirror(name="Mirror", p1=Point(100, 100), p2=Point(140, 100))]))
    )
    mouse, canvas = hand(window.canvas), window.canvas
    mouse.press(120, 100)
    mouse.move(122, 104)
    canvas.grab()
    (name,) = [p for p in seen if p.label.pieces[0][0] == "Mirror"]
    assert not name.box.intersects(readouts[-1])
    corner = canvas.camera.to_scene(QPointF(canvas.width() - 3, canvas.height() - 3))
    mouse.move(corner.x, corner.y)
    canvas.grab()
    assert QRectF(canvas.rect()).contains(readouts[-1])
    mouse.release()
