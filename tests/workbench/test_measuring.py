"""Measuring by mouse: distances, angles, incidence and focal distances, kept with the document,
drawn, listed and deleted.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from window_objects import key_of, measure

from raybench.files.document_file import load_document, save_document
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Add, Delete, Move, Rotate
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.ray_set import RaySet
from raybench_workbench import editing, theme
from raybench_workbench.figure import make_figure, svg_bytes
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(open_window):
    scene = Scene.of([
        Beam(name="Beam", p1=Point(0, -30), p2=Point(0, 30)),
        IdealLens(name="Lens", p1=Point(100, -50), p2=Point(100, 50), focal_length=80),
        SingleRay(name="Laser", p1=Point(0, 120), p2=Point(10, 125)),
        Mirror(name="Mirror", p1=Point(20, 160), p2=Point(180, 160)),
    ])  # fmt: skip
    return open_window(Document(scene=scene))


def values(window):
    return {
        name: d.value
        for name, d in window.canvas.measured.drawn_measurements(
            window.document.document, window.document.result
        ).items()
    }


def test_the_list_of_measurements_takes_no_more_room_than_its_title_and_rows(window, hand):
    window.resize(1600, 1440)
    measure(window, hand, "distance", (101, -49), (181, 161))
    measure(window, hand, "distance", (101, 49), (181, 161))
    panel = window.measurements.parentWidget()
    assert panel.height() == theme.ROW_HEIGHT + window.measurements.height()
    assert window.measurements.y() == theme.ROW_HEIGHT, "the rows are below the title"


def test_a_measurement_on_a_deleted_object_says_so_and_not_that_there_is_no_light(window, hand):
    measure(window, hand, "incidence", (100, 0))
    measure(window, hand, "focus", (100, 0))
    window.document.change(Delete(key_of(window, "Lens")))
    wait_until_settled(window)
    texts = [
        d.text
        for d in window.canvas.measured.drawn_measurements(
            window.document.document, window.document.result
        ).values()
    ]
    assert texts == ["no object here", "no object here"]


def test_a_distance_snaps_and_goes_with_what_it_was_picked_on(window, hand):
    measure(window, hand, "distance", (101, -49), (181, 161))
    assert values(window) == {"distance 1": pytest.approx((80**2 + 210**2) ** 0.5)}, (
        "from the lens's end to the mirror's"
    )
    assert window.document.session.history.undo_text == "Document: distance 1 measured"
    window.document.change(Move(key_of(window, "Mirror"), 0, 50))
    assert values(window) == {"distance 1": pytest.approx((80**2 + 260**2) ** 0.5)}
    window.document.change(Rotate(key_of(window, "Mirror"), 90))
    turned = values(window)["distance 1"]
    assert turned != pytest.approx((80**2 + 260**2) ** 0.5), "it goes with the mirror's end"
    window.document.change(Delete(key_of(window, "Mirror")))
    assert values(window)["distance 1"] == turned, "it stays where that was"
    for _ in range(4):
        editing.undo_step(window)
    assert not window.document.document.measurements


def test_an_angle_has_a_vertex_and_two_legs(window, hand):
    measure(window, hand, "angle", (20, 160), (180, 160), (100, 50))
    assert values(window) == {"angle 1": pytest.approx(53.97262661)}
    assert window.canvas.measurement_kind == ""


def test_the_incidence_is_that_of_the_ray_that_meets_the_surface_there(window, hand):
    measure(window, hand, "incidence", (80, 160))
    assert values(window) == {"angle of incidence 1": pytest.approx(63.43494882)}
    window.document.change(Rotate(key_of(window, "Mirror"), 10, Point(80, 160)))
    wait_until_settled(window)
    assert values(window) == {"angle of incidence 1": pytest.approx(53.43494882)}, (
        "the mirror turned towards the ray"
    )


def test_the_focal_distance_is_that_of_the_strongest_bundle(window, hand):
    measure(window, hand, "focus", (100, 40))
    assert values(window) == {"focal distance 1": pytest.approx(80)}
    measure(window, hand, "incidence", (-400, 0))
    assert len(values(window)) == 1
    assert window.canvas.measurement_kind == "incidence", "no surface was there: the tool waits"


def test_the_focal_distance_says_whose_it_is_where_several_sources_shine(window, hand):
    measure(window, hand, "focus", (100, 40))
    drawn_measurements = window.canvas.measured.drawn_measurements
    (one,) = drawn_measurements(window.document.document, window.document.result).values()
    assert one.text == "80 mm"
    window.document.change(
        Add(Beam(name="Second", p1=Point(5, 0), p2=Point(0, 25), brightness=0.3))
    )
    wait_until_settled(window)
    (one,) = drawn_measurements(window.document.document, window.document.result).values()
    assert one.text == "80 mm, Beam"


def test_escape_takes_a_point_back_and_then_leaves_the_tool(window, hand, qtbot):
    window.actions_by_id["measure.distance"].trigger()
    hand(window.canvas).click(0, 60)
    assert "the second point" in window.canvas.mode.hint
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert "the first point" in window.canvas.mode.hint
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.canvas.measurement_kind == ""


def test_a_measurement_is_selected_in_the_list_or_on_the_canvas_and_deleted(window, hand, qtbot):
    assert not window.measurements.isVisible()
    hand(window.canvas)
    window.actions_by_id["measure.distance"].trigger()
    hand(window.canvas).drag((10, 70), (90, 70), Qt.KeyboardModifier.AltModifier)
    measure(window, hand, "distance", (10, 90), (60, 90))
    assert window.measurements.isVisible()
    assert [window.measurements.topLevelItem(i).text(0) for i in range(2)] == [
        "distance 1",
        "distance 2",
    ]
    window.selection.clear()
    hand(window.canvas).click(30, 70)
    assert window.selection.measurements == {"distance 1"}
    assert [i.text(0) for i in window.measurements.selectedItems()] == ["distance 1"]
    qtbot.keyClick(window.canvas, Qt.Key.Key_Delete)
    assert list(window.document.document.measurements) == ["distance 2"]
    window.measurements.topLevelItem(0).setSelected(True)
    qtbot.keyClick(window.measurements, Qt.Key.Key_Delete)
    assert not window.document.document.measurements
    assert not window.measurements.isVisible()
    editing.undo_step(window)
    assert list(window.document.document.measurements) == ["distance 2"]


def test_a_measurement_that_is_undone_is_not_selected_any_more(window, hand):
    measure(window, hand, "distance", (10, 70), (90, 70))
    window.selection.set_measurements({"distance 1"})
    assert window.actions_by_id["edit.delete"].isEnabled()
    editing.undo_step(window)
    assert not window.selection.measurements
    assert not window.actions_by_id["edit.delete"].isEnabled()


def test_measurements_are_kept_in_the_file_and_drawn_in_figures(window, hand, tmp_path):
    measure(window, hand, "distance", (101, -49), (181, 161))
    path = tmp_path / "measured.raybench"
    save_document(window.document.document, path)
    again = load_document(path)
    (name, read), (_, kept) = (
        *again.measurements.items(),
        *window.document.document.measurements.items(),
    )
    assert (name, read.kind, [p.position_in_scene(again.scene) for p in read.pins]) == (
        "distance 1",
        kept.kind,
        [(100, -50), (180, 160)],
    )
    assert again.scene.get(read.pins[0].key).title == "Lens"
    assert b"224.72 mm" in svg_bytes(make_figure(again, window.document.result, theme.PAPER))


def test_the_canvas_with_measurements(window, hand, shots):
    measure(window, hand, "distance", (101, 49), (181, 161))
    measure(window, hand, "incidence", (80, 160))
    measure(window, hand, "focus", (100, 40))
    measure(window, hand, "angle", (20, 160), (180, 160), (100, 50))
    window.selection.clear()
    assert len(values(window)) == 4
    shots(window.canvas, "measurements")


def test_backspace_takes_a_point_back_and_does_not_delete_the_selection(window, hand, qtbot):
    window.selection.set([key_of(window, "Mirror")])
    window.actions_by_id["measure.distance"].trigger()
    hand(window.canvas).click(0, 60)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Backspace)
    assert "the first point" in window.canvas.mode.hint
    assert key_of(window, "Mirror")


def test_escape_selects_no_measurement_before_it_removes_the_highlight(window, hand, qtbot):
    measure(window, hand, "distance", (101, -49), (181, 161))
    assert window.selection.measurements == {"distance 1"}
    window.document.highlight(RaySet(np.array([0]), "one", window.document.result.revision, "R1"))
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.selection.measurements == frozenset()
    assert window.document.session.view.highlight is not None
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.document.session.view.highlight is None
    assert "distance 1" in window.document.document.measurements


def test_a_distance_that_is_dragged_with_alt_snaps_at_neither_end(window, hand):
    window.actions_by_id["measure.distance"].trigger()
    hand(window.canvas).drag((103, -48), (177, 162), Qt.KeyboardModifier.AltModifier)
    (made,) = window.document.document.measurements.values()
    assert [pin.key for pin in made.pins] == [
        None,
        None,
    ], "the ends of lens and mirror are within reach"


@pytest.fixture
def prism_with_ghosts(open_window):
    """Two parallel rays on a face of a prism, at 30° to its normal, and their reflections inside."""
    corners = [Vertex(0, 0), Vertex(60, 104), Vertex(-60, 104)]
    rays = [SingleRay(p1=Point(-200, y), p2=Point(-199, y), brightness=1) for y in (60, 64)]
    return open_window(Document(scene=Scene.of([*rays, Glass(name="Prism", path=tuple(corners))])))


def test_a_click_near_a_strong_ray_measures_it(prism_with_ghosts, hand):
    window = prism_with_ghosts
    result = window.document.result
    assert len(result) > 10, "there are reflections"
    for y in (50, 58, 61, 70):
        measure(window, hand, "incidence", (-60 * y / 104, y))
    expected = math.degrees(math.atan(60 / 104))
    assert list(values(window).values()) == [pytest.approx(expected)] * 4


def test_tab_measures_the_next_ray(prism_with_ghosts, hand, qtbot):
    window = prism_with_ghosts

    def drawn_measurements():
        document = window.document
        return next(
            iter(
                window.canvas.measured.drawn_measurements(
                    document.document, document.result
                ).values()
            )
        )

    measure(window, hand, "incidence", (-60 * 58 / 104, 58))
    first = drawn_measurements()
    assert first.choices == 2
    assert first.ray[1].y == pytest.approx(60), "that of the first lamp"
    qtbot.keyClick(window.canvas, Qt.Key.Key_Tab)
    assert drawn_measurements().ray[1].y == pytest.approx(64)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Backtab)
    assert drawn_measurements() == first


def test_tab_shows_the_next_ray_of_a_click(prism_with_ghosts, hand, qtbot):
    window, document = prism_with_ghosts, prism_with_ghosts.document
    weak = SingleRay(name="Weak", p1=Point(-120, 0), p2=Point(-120, 1), brightness=0.03)
    document.change(Add(weak))
    wait_until_settled(window)
    hand(window.canvas).click(-120, 60)
    assert "Ray 1 of 2 here" in window.canvas.mode.hint
    tried = []
    for _ in range(3):
        tried.append(float(document.result.total_power[document.session.view.picked.rows[-1]]))
        qtbot.keyClick(window.canvas, Qt.Key.Key_Tab)
    assert tried == pytest.approx([1, 0.03, 1])
    assert window.canvas.hasFocus()


def test_the_angle_between_two_rays_follows_them(window, hand):
    measure(window, hand, "rays", (-400, -400))
    assert not window.document.document.measurements, "there is no ray"
    for place in ((40, 140), (130, 135)):  # the laser before and after the mirror
        hand(window.canvas).click(*place)
    wait_until_settled(window)
    turned = 2 * math.degrees(math.atan2(5, 10))
    assert values(window) == {"angle between rays 1": pytest.approx(turned)}
    window.document.change(Rotate("Mirror", 5))
    wait_until_settled(window)
    (value,) = values(window).values()
    assert value == pytest.approx(turned + 10)
