"""Dimension lines, radii, angles of edges and callouts: placed by mouse, moved, edited, copied and
drawn.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from window_objects import key_of, measure

from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import Beam
from raybench.scene.changes import Move, Set
from raybench.scene.document import Document
from raybench.scene.measurements import Measurement, Pin
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench_workbench import editing, theme
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.figure import make_figure, svg_bytes
from raybench_workbench.measuring.dimensions import lay_out_dimension
from raybench_workbench.measuring.measurements import read_measurements
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(open_window):
    wedge = (Vertex(0, 100), Vertex(80, 100), Vertex(80, 140))
    lens = (Vertex(0, -30), Vertex(0, 30), Vertex(12, 0, arc=True))
    scene = Scene.of([
        Beam(name="Beam", p1=Point(-60, -20), p2=Point(-60, 20)),
        Glass(name="Lens", path=lens),
        Glass(name="Wedge", path=wedge),
        Detector(name="Screen", p1=Point(120, -30), p2=Point(120, 30)),
    ])  # fmt: skip
    return open_window(Document(scene=scene))


def texts(window):
    document = window.document
    return {n: d.text for n, d in read_measurements(document.document, document.result).items()}


def only(window):
    (measurement,) = window.document.document.measurements.values()
    return measurement


def test_a_dimension_line_takes_two_points_and_a_place_and_follows_its_objects(window, hand):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    assert texts(window) == {"dimension line 1": "120 mm"}
    assert only(window).offset == pytest.approx((0, 30), abs=1)
    assert window.canvas.measurement_kind == "", "the tool is done"
    window.document.change(Move(key_of(window, "Screen"), 30, 0))
    assert texts(window) == {"dimension line 1": "150 mm"}
    editing.undo_step(window)
    editing.undo_step(window)
    assert not texts(window)


@pytest.mark.parametrize(
    ("place", "direction", "text"),
    [
        ((40, 160), "horizontal", "80 mm"),
        ((110, 120), "vertical", "40 mm"),
        ((20, 125), "aligned", "89.443 mm"),
    ],
)
def test_where_its_line_goes_says_what_a_dimension_measures(window, hand, place, direction, text):
    measure(window, hand, "dimension", (1, 100), (79, 139), place)
    assert only(window).direction == direction
    assert texts(window) == {"dimension line 1": text}


def test_enter_leaves_a_dimension_on_its_points_and_escape_takes_points_back(window, hand, qtbot):
    measure(window, hand, "dimension", (1, 100), (79, 139))
    assert "where its line goes" in window.canvas.mode.hint
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert "the second point" in window.canvas.mode.hint
    hand(window.canvas).click(79, 139)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
    assert texts(window) == {"dimension line 1": "89.443 mm"}


def test_the_angle_of_two_edges_is_that_of_the_sector_it_is_placed_in(window, hand):
    measure(window, hand, "edges", (40, 100), (40, 120), (50, 110))
    assert texts(window) == {"angle between edges 1": "26.57°"}
    measure(window, hand, "edges", (40, 100), (40, 120), (-10, 120))
    assert texts(window)["angle between edges 2"] == "153.43°"


def test_a_radius_follows_its_arc(window, hand):
    measure(window, hand, "radius", (12, 0), (40, 40))
    assert texts(window) == {"radius 1": "R 43.5 mm"}
    window.document.change(Set(key_of(window, "Lens"), {"path[2].x": 30}))
    assert texts(window) == {"radius 1": "R 30 mm"}


def test_a_callout_names_its_object_and_writes_measures(window, hand, qtbot):
    hand(window.canvas)
    window.actions_by_id["measure.callout"].trigger()
    hand(window.canvas).drag((120, 10), (160, 50))
    wait_until_settled(window)
    assert texts(window) == {"callout 1": "Screen"}
    window.document.change(Set(key_of(window, "Screen"), {"name": "Film"}))
    window.selection.clear()
    at = window.canvas.camera.to_screen(Point(150, 40)).toPoint()
    qtbot.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(window.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert window.focusWidget() is _field(window, "Text")
    _type(qtbot, _field(window, "Text"), r"{}\n{share(Film)}, {no(Film)}")
    wait_until_settled(window)
    name, value = texts(window)["callout 1"].split("\n")
    assert name == "Film"
    assert float(value.split(",")[0]) > 0.5
    assert value.endswith("{no(Film)}"), "what is no measure is written as it is"


def _field(window, label):
    fields = window.measurement_form.widget().findChildren(QWidget)
    return next(field for field in fields if field.accessibleName() == label)


def _type(qtbot, field, text):
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_the_form_of_a_selected_dimension_sets_its_name_decimals_and_offset(window, hand, qtbot):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    assert window.forms.currentWidget() is window.measurement_form
    _type(qtbot, _field(window, "Name"), "track")
    assert window.selection.measurements == {"track"}
    decimals = _field(window, "Decimals")
    decimals.setCurrentIndex(decimals.findData("2"))
    decimals.activated.emit(decimals.currentIndex())
    _type(qtbot, _field(window, "Text"), "L = {}")
    _type(qtbot, _field(window, "Offset"), "45")
    assert texts(window) == {"track": "L = 120.00 mm"}
    assert only(window).offset[1] == 45
    window.selection.set({key_of(window, "Lens")})
    assert window.forms.currentWidget() is window.properties


def test_a_drag_moves_a_dimension_as_one_step_and_makes_one_of_a_distance(window, hand):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    window.selection.clear()
    hand(window.canvas).drag((30, 60), (30, 80), ALT)
    assert window.selection.measurements == {"dimension line 1"}
    assert only(window).offset[1] == pytest.approx(50, abs=1)
    editing.undo_step(window)
    assert only(window).offset[1] == pytest.approx(30, abs=1)
    editing.undo_step(window)
    measure(window, hand, "distance", (1, -29), (119, -29))
    hand(window.canvas).drag((60, -30), (60, -45), ALT)
    assert only(window).kind == "dimension"


def test_a_drag_of_an_end_attaches_a_selected_dimension_to_another_point(window, hand):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    hand(window.canvas).drag((120, 30), (80, 100))
    assert only(window).pins[1].key == key_of(window, "Wedge")
    assert texts(window) == {"dimension line 1": "80 mm"}
    editing.undo_step(window)
    assert texts(window) == {"dimension line 1": "120 mm"}


def test_copies_of_both_objects_have_a_dimension_of_their_own(window, hand):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    window.selection.set({key_of(window, "Lens"), key_of(window, "Screen")})
    window.actions_by_id["edit.duplicate"].trigger()
    one, other = window.document.document.measurements.values()
    assert one.offset == other.offset
    assert {p.key for p in one.pins}.isdisjoint(p.key for p in other.pins)


def test_a_drawing_and_the_canvas_show_dimensions(window, hand, shots):
    measure(window, hand, "dimension", (1, 29), (119, 29), (60, 60))
    measure(window, hand, "edges", (40, 100), (40, 120), (50, 110))
    measure(window, hand, "radius", (12, 0), (40, -30))
    measure(window, hand, "callout", (120, 20), (95, 45))
    window.selection.clear()
    document = window.document
    drawing = svg_bytes(make_figure(document.document, document.result, theme.PAPER))
    written = "".join(ET.fromstring(drawing).itertext())
    for text in ("120 mm", "26.57°", "R 43.5 mm", "Screen"):
        assert text in written
    shots(window.canvas, "canvas-dimensions")


@pytest.mark.parametrize(
    ("length", "inward", "beside"), [(100.0, False, False), (15.0, True, True)]
)
def test_heads_and_text_of_a_short_dimension_are_outside(length, inward, beside):
    pins = Pin(Point(0, 0)), Pin(Point(length, 0))
    document = Document(measurements={"d": Measurement("dimension", pins, offset=(0, 10))})
    (drawn,) = read_measurements(document, None).values()
    made = lay_out_dimension(drawn, Camera())
    (first, along), _ = made.heads
    assert (first.x(), along.x() > 0) == (0, inward)
    assert (made.text_box.left() > length) == beside
