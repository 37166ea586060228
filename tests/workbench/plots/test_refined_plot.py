"""Plots and readings at detectors as means of draws, which are traced while nothing changes."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from beam_plots import choose_plot
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Beam
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace
from raybench_workbench.plots.light_plot import PlotRequest, compute_plot
from raybench_workbench.plots.refined_plot import mean_plot
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.texts import number_with_error

pytestmark = pytest.mark.one_window


def lamps(**emission):
    """Two lamps of few rays before a screen that all light meets, and a detector beside it."""
    emission = {"random": True} | emission
    objects = (
        Beam(name="Left", p1=Point(0, 20), p2=Point(0, 60), wavelength=620.0, **emission),
        Beam(name="Right", p1=Point(0, 60), p2=Point(0, 80), wavelength=480.0, **emission),
        Detector(name="Screen", p1=Point(100, 0), p2=Point(100, 100)),
        Detector(name="Half", p1=Point(150, 50), p2=Point(150, 100)),
    )
    settings = Settings(ray_mode_density=0.6, simulate_colors=True)
    return Document(scene=Scene.of(objects, settings), power_unit="mW")


@pytest.mark.parametrize("plot", ["irradiance", "angles", "spectrum"])
def test_a_mean_plot_is_the_mean_of_plots(raybench_app, plot):
    document = lamps()
    screen = document.scene.objects[2]
    draws = [
        PlotRequest(document, trace(document, draw=i), screen, plot, "source") for i in range(9)
    ]
    mean, answer = mean_plot(draws[0])
    for draw in draws:
        mean.add_draw(draw.result)
    curves = [compute_plot(draw).curve for draw in draws]
    shown = answer().answer.curve
    if plot == "irradiance":
        ys = np.array([curve.y for curve in curves])
        assert shown.y == pytest.approx(ys.mean(axis=0))
        assert shown.band == pytest.approx(ys.std(axis=0, ddof=1) / 3)
        left = np.array([curve.parts[0].y for curve in curves])
        assert shown.parts[0].y == pytest.approx(left.mean(axis=0))
    total = np.mean([curve.y.sum() for curve in curves])
    assert shown.y.sum() == pytest.approx(total)
    assert shown.table["rays"].sum() == sum(curve.table["rays"].sum() for curve in curves)


def test_bins_of_a_mean_have_the_light_that_the_first_draw_had_not(raybench_app):
    document = lamps(emis_angle=90.0)
    screen = document.scene.objects[2]
    draws = [PlotRequest(document, trace(document, draw=i), screen, "angles", "") for i in range(9)]
    mean, answer = mean_plot(draws[0])
    for draw in draws:
        mean.add_draw(draw.result)
    shown, *curves = answer().answer.curve, *(compute_plot(draw).curve for draw in draws)
    assert shown.x[0] < curves[0].x[0] or shown.x[-1] > curves[0].x[-1]
    assert shown.table["rays"][[0, -1]].tolist() == [0, 0]
    assert shown.y.sum() == pytest.approx(np.mean([curve.y.sum() for curve in curves]))


def test_a_mean_spot_has_the_mean_of_the_widths(raybench_app):
    document = lamps(emis_angle=20.0)
    screen = document.scene.objects[2]
    draws = [PlotRequest(document, trace(document, draw=i), screen, "spot", "") for i in range(9)]
    mean, answer = mean_plot(draws[0])
    for draw in draws:
        mean.add_draw(draw.result)
    shown, *curves = answer().answer.curve, *(compute_plot(draw).curve for draw in draws)
    here = [float(curve.y[curve.x == 0.0][0]) for curve in curves]
    assert shown.y[shown.x == 0.0] == pytest.approx(np.mean(here))
    assert shown.band[shown.x == 0.0] == pytest.approx(np.std(here, ddof=1) / 3)
    assert shown.marked == shown.x[shown.y.argmin()]
    assert shown.table["error [mm]"] is shown.band


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (1.2345, 0.0, "1.234"),
        (1.2345, np.inf, "1.234"),
        (1.2345, 1e-5, "1.234"),
        (1.2345, 0.0187, "1.23 ± 0.02"),
        (-1.2, 0.03, "-1.20 ± 0.03"),
        (12345.6, 321.0, "12300 ± 300"),
        (1.234e-7, 2e-9, "(1.23 ± 0.02)e-7"),
        (0.0, 0.5, "0.0 ± 0.5"),
    ],
)
def test_a_number_is_written_to_the_first_digit_of_its_error(value, error, text):
    assert number_with_error(value, error, 4) == text


def test_plots_and_powers_refine_at_rest(open_window, qtbot, hand, tmp_path):
    window = open_window(lamps(), size=(1000, 800))
    refinement, canvas = window.refinement, window.canvas
    refinement.enabled = True
    refinement.refine_to(1e-6)  # never reached
    half = window.document.scene.objects[3].key

    def power_on_canvas():
        refined = canvas.refined_readings
        if refined is None or refined.result is not window.document.result:
            return ""
        return refined.by_key[half].text

    qtbot.waitUntil(lambda: "±" in power_on_canvas())  # chance decides, and no plot is shown
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: refinement.is_settled)

    window.actions_by_id["view.plots"].trigger()
    light = window.plots.light
    qtbot.waitUntil(lambda: light.plot.curve is not None and light.plot.curve.band is not None)
    assert "±" in light.values["centroid"].text()
    assert "±" not in light.values["width"].text()
    assert "draws" in light.note.text()
    zoomed, draws = light.plot.getViewBox(), light.plot.curve.table["rays"].sum()
    zoomed.setXRange(40, 60, padding=0)
    zoomed.sigRangeChangedManually.emit([True, True])
    qtbot.waitUntil(lambda: light.plot.curve.table["rays"].sum() > draws)
    assert zoomed.viewRange()[0] == pytest.approx([40, 60])
    qtbot.mouseClick(window.status.refined, Qt.MouseButton.LeftButton)
    assert refinement.is_settled
    draws = refinement.shown_result.draws
    assert window.status.refined.text().startswith(f"refined: {draws} draws")
    mean = light.plot.curve
    window.plots.export(tmp_path / "mean.csv")
    first, *rows = csv.reader((tmp_path / "mean.csv").read_text().splitlines())
    at = first.index("error [mW/mm]")
    assert [float(row[at]) for row in rows] == mean.band.tolist()

    window.plots.choose_plot("angles")
    qtbot.waitUntil(
        lambda: "angle" in light.plot.curve.x_title and light.plot.curve.band is not None
    )

    drag = hand(canvas)
    drag.press(100, 90)
    drag.move(100, 80)
    assert not refinement.is_running
    assert window.status.refined.isHidden()
    drag.release()
    wait_until_settled(window)
    assert light.plot.curve.band is None
    assert not power_on_canvas()
    qtbot.waitUntil(lambda: light.plot.curve.band is not None)

    window.actions_by_id["view.plots"].trigger()  # hidden: only the powers go on
    window.actions_by_id["edit.undo"].trigger()
    wait_until_settled(window)
    qtbot.waitUntil(lambda: "±" in power_on_canvas())
    assert light.plot.curve.band is not None
    refinement.refine_to(0.0)
    assert refinement.is_settled


def test_powers_without_chance_are_those_of_the_trace_until_a_plot_is_shown(open_window, qtbot):
    window = open_window(lamps(random=False))
    refinement = window.refinement
    refinement.enabled = True
    refinement.refine_to(0.05)
    assert refinement.is_settled
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    qtbot.waitUntil(lambda: refinement.is_settled and refinement.shown_result is not None)
    assert refinement.shown_result.error <= 0.05
    assert window.canvas.refined_readings.draws == refinement.shown_result.draws
    choose_plot(window, "spot")  # parallel light has none
    qtbot.waitUntil(lambda: "±" in window.plots.light.values["centroid"].text())
    assert not window.plots.light.plot.has_plot
