"""The detector panel in the real window: what the plot and the measures say, live during a drag, and what is exported."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from prism_window import prism_document

from core.analysis.measures.bound import measured
from core.kinds.detectors import Detector
from core.kinds.sources import Beam
from core.scene.document import Document
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.shapes.point import Point
from workbench.shot import settle


def beam_document():
    """A beam 40 mm wide in the middle of a screen 100 mm long."""
    beam = Beam(name="Lamp", p1=Point(0, 30), p2=Point(0, 70), brightness=1.0)
    screen = Detector(name="Screen", p1=Point(100, 0), p2=Point(100, 100))
    other = Detector(name="Other", p1=Point(150, 200), p2=Point(150, 300))
    return Document(scene=Scene.of([beam, screen, other], Settings(ray_mode_density=10.0)))


@pytest.fixture
def window(open_window):
    window = open_window(beam_document())
    assert window._detector is None
    window.actions_by_id["view.detector"].trigger()
    settle(window)
    return window


def test_the_plot_is_the_irradiance_of_the_beam_and_the_measures_stand_beside_it(window):
    panel, document = window.detector, window.document
    assert panel.title.full_text == "Screen"
    irradiance = panel.irradiance
    middles = (irradiance.edges[1:] + irradiance.edges[:-1]) / 2
    lit = irradiance.power > 0
    assert middles[lit].min() == pytest.approx(30.5)
    assert middles[lit].max() == pytest.approx(69.5)
    assert np.ptp(irradiance.power[lit]) == pytest.approx(0, abs=1e-9), "a beam is even"
    power = measured("power(Screen)", document.document, document.result)[0].value
    assert float((irradiance.power * np.diff(irradiance.edges)).sum()) == pytest.approx(power)
    assert float(panel.values["power"].text()) == pytest.approx(power, rel=1e-4)
    assert panel.values["centroid"].text() == "50 mm"
    (curve,) = panel.plot.plotItem.listDataItems()
    assert np.array_equal(curve.yData, irradiance.power)


def test_the_selected_detector_is_shown_until_another_is_selected(window):
    other = window.document.scene.objects[2]
    window.selection.set({other.key})
    assert window.detector.title.full_text == "Other"
    assert window.detector.values["power"].text() == "0"
    assert window.detector.values["centroid"].text() == "—"
    assert "arrives" in window.detector.values["centroid"].toolTip()
    window.selection.clear()
    assert window.detector.title.full_text == "Other"


def test_the_plot_follows_a_drag_before_the_mouse_is_released(window, hand, qtbot):
    panel, mouse = window.detector, hand(window.canvas)
    mouse.press(100, 90)
    mouse.move(100, 80)
    assert window.document.gesture is not None
    start = window.document.scene.objects[1].p1.y
    assert start == pytest.approx(-10, abs=1)
    qtbot.waitUntil(lambda: panel.values["centroid"].text() == f"{50 - start:.5g} mm", timeout=10_000)
    assert window.document.gesture is not None
    mouse.release()


def test_the_irradiance_is_exported_as_table_and_picture(window, tmp_path):
    panel = window.detector
    for name in ("light.csv", "light.png", "light.svg"):
        panel.export(tmp_path / name)
    rows = list(csv.reader((tmp_path / "light.csv").read_text().splitlines()))
    assert rows[0][:3] == ["from [mm]", "to [mm]", "irradiance [relative power/mm]"]
    assert [float(row[2]) for row in rows[1:]] == panel.irradiance.power.tolist()
    assert (tmp_path / "light.png").read_bytes().startswith(b"\x89PNG")
    assert "position along the detector" in (tmp_path / "light.svg").read_text()
    said = []
    window.document.failed.connect(said.append)
    panel.export(tmp_path / "light.bmp")
    assert "Let the name end" in said[0]
    assert not (tmp_path / "light.bmp").exists()


def test_a_scene_without_detector_says_how_to_see_a_plot(open_window):
    window = open_window(Document(scene=Scene.of([Beam(p1=Point(0, 0), p2=Point(0, 40))])))
    window.actions_by_id["view.detector"].trigger()
    assert window.detector.hint.isVisible()
    assert not window.detector.plot.isVisible()


def test_the_detector_panel_looks_as_it_did(open_window, shots):
    window = open_window(prism_document())
    window.actions_by_id["view.detector"].trigger()
    settle(window)
    assert window.detector.irradiance.power.max() > 0
    shots(window.detector, "detector-panel")
