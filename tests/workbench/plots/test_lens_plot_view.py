"""The plots of a lens system in the real window: its choice, its values, and the pointer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.core.lens.lenses import TRIPLET

from raybench.lens.aberrations import ray_fan
from raybench.lens.opening import lens_document
from raybench.lens.prescription import Field
from raybench.scene.changes import Duplicate, Set
from raybench.session import Session
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


@pytest.fixture
def window(open_window):
    window = open_window(lens_document(TRIPLET, "Triplet"))
    window.actions_by_id["view.plots"].trigger()
    window.plots.choose_plot("lens")
    wait_until_settled(window)
    return window


def fan_of(window, field):
    figure = window.plots.lens.plot.figure
    return next(p for p in figure.panels if p.title == f"{field:g}°").curves[0]


def test_the_plot_follows_the_lens(window):
    assert fan_of(window, 14).y == pytest.approx(1000 * ray_fan(TRIPLET, Field(14.0))[1])
    window.document.apply([Set("Triplet", {"r6": -18.0})])
    wait_until_settled(window)
    changed = TRIPLET.with_surface(5, radius=-18.0)
    assert fan_of(window, 14).y == pytest.approx(1000 * ray_fan(changed, Field(14.0))[1], rel=1e-9)


def test_a_selected_lens_is_shown(window):
    assert not window.plots.lens.lens.isVisible()
    window.document.apply([Duplicate("Triplet", dx=200), Set("Triplet 2", {"r6": -18.0})])
    wait_until_settled(window)
    assert window.plots.lens.lens.currentText() == "Triplet"
    part = next(p for p in window.document.document.parts if p.placement.dx == 200)
    window.selection.set(frozenset(part.present_objects))
    wait_until_settled(window)
    assert window.plots.lens.lens.currentText() == "Triplet 2"
    assert window.plots.lens.plotted_object_name == "Triplet 2 ray_fan"


def test_pointer_and_keys_read_the_curves(window):
    view = window.plots.lens.plot
    placed = view.drawing.panels[1]
    curve = placed.panel.curves[2]
    x, y = placed.page_points(curve)[60].tolist()
    QTest.mouseMove(view, QPoint(round(x), round(y)))
    assert view.reading_text().startswith("14°, 656.3 nm: relative pupil 0.8")
    assert view.reading_text().endswith("µm")
    view.setFocus()
    before = view.reading
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.reading.point == before.point + 1
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert (view.reading.panel, view.reading.curve) == (2, 0)


def test_a_plot_that_the_lens_lacks_says_why(window):
    panel = window.plots
    on_axis = lens_document(replace(TRIPLET, fields=(Field(0.0),)), "Triplet")
    window.document.replace_session(Session(on_axis))
    wait_until_settled(window)
    panel.lens.choose_plot("lateral_colour")
    wait_until_settled(window)
    assert "only the field on its axis" in panel.lens.hint.text()
    assert not panel.export_button.isEnabled()


def test_the_plot_is_exported(window, tmp_path):
    for name in ("fan.csv", "fan.png", "fan.svg", "fan.pdf"):
        window.plots.export(tmp_path / name)
    assert "486.1 nm" in (tmp_path / "fan.csv").read_text()
    assert (tmp_path / "fan.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "fan.pdf").read_bytes().startswith(b"%PDF")
    assert "relative pupil" in (tmp_path / "fan.svg").read_text()


def test_the_lens_plot_looks_as_it_did(window, shots):
    window.plots.lens.choose_plot("field_curvature")
    wait_until_settled(window)
    shots(window.plots, "plot-lens")
