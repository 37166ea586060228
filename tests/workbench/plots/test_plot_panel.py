"""The plot panel in the real window: what the plots and the measures say, live during a drag, and
what is exported.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest
from beam_plots import beam_document, choose_plot
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from raybench.analysis.measures.bound import measure_values
from raybench.analysis.profiles import NOT_FOLLOWED, PowerFlow
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Add, Delete, Rotate, Set, SetSettings
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench.plots.flow import FlowView, merge_weak_flows
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

NO_COLOUR = np.array([np.nan])


@pytest.fixture
def window(open_window):
    window = open_window(beam_document())
    assert window.plots_dock.made is None
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    return window


def test_the_plot_shows_irradiance_and_measures(window):
    panel, document = window.plots, window.document
    assert panel.light.title.full_text == "Screen"
    irradiance = panel.light.plot.curve
    middles = (irradiance.x[1:] + irradiance.x[:-1]) / 2
    lit = irradiance.y > 0
    assert middles[lit].min() == pytest.approx(30.5)
    assert middles[lit].max() == pytest.approx(69.5)
    assert np.ptp(irradiance.y[lit]) == pytest.approx(0, abs=1e-9), "a beam is even"
    power = measure_values("power(Screen)", document.document, document.result)[0].value
    assert float((irradiance.y * np.diff(irradiance.x)).sum()) == pytest.approx(power)
    assert float(panel.light.values["power"].text()) == pytest.approx(power, rel=1e-4)
    assert panel.light.values["centroid"].text() == "50 mm"
    (curve,) = panel.light.plot.plotItem.listDataItems()
    assert np.array_equal(curve.yData, irradiance.y)


def test_a_selected_detector_stays_shown(window):
    other = window.document.scene.objects[2]
    window.selection.set({other.key})
    wait_until_settled(window)
    assert window.plots.light.title.full_text == "Other"
    assert window.plots.light.values["power"].text() == "0"
    assert window.plots.light.values["centroid"].text() == "—"
    assert "arrives" in window.plots.light.values["centroid"].toolTip()
    window.selection.clear()
    assert window.plots.light.title.full_text == "Other"


def test_the_plot_follows_a_drag(window, hand, qtbot):
    panel, mouse = window.plots, hand(window.canvas)
    window.service.worker.budget.milliseconds = (
        500.0  # all rays, also on a machine that does much else
    )
    mouse.press(100, 90)
    mouse.move(100, 80)
    assert window.document.gesture is not None
    start = window.document.scene.objects[1].p1.y
    assert start == pytest.approx(-10, abs=1)
    qtbot.waitUntil(
        lambda: panel.light.values["centroid"].text() == f"{50 - start:.5g} mm", timeout=10_000
    )
    assert window.document.gesture is not None
    mouse.release()


def test_the_irradiance_is_exported_as_table_and_picture(window, tmp_path):
    panel = window.plots
    for name in ("light.csv", "light.png", "light.svg"):
        panel.export(tmp_path / name)
    rows = list(csv.reader((tmp_path / "light.csv").read_text().splitlines()))
    assert rows[0][:3] == ["from [mm]", "to [mm]", "irradiance [relative power/mm]"]
    assert [float(row[2]) for row in rows[1:]] == panel.light.plot.curve.y.tolist()
    assert (tmp_path / "light.png").read_bytes().startswith(b"\x89PNG")
    assert "position along the detector" in (tmp_path / "light.svg").read_text()
    said = []
    window.document.failed.connect(said.append)
    panel.export(tmp_path / "light.bmp")
    assert "Use one of these suffixes" in said[0]
    assert not (tmp_path / "light.bmp").exists()


def test_a_scene_without_detector_gives_a_hint(open_window):
    window = open_window(Document(scene=Scene.of([Beam(p1=Point(0, 0), p2=Point(0, 40))])))
    window.actions_by_id["view.plots"].trigger()
    assert window.plots.light.view.hint.isVisible()
    assert not window.plots.light.plot.isVisible()


def test_the_plot_panel_looks_as_it_did(open_window, shots):
    window = open_window(prism_document())
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    assert window.plots.light.plot.curve.y.max() > 0
    shots(window.plots, "plot-irradiance")


def named(document, name):
    return next(o for o in document.scene.objects if o.name == name)


def focused_document():
    """A beam of two colours that an ideal lens gathers 100 mm behind it; the screen stands 20 mm
    before its focus.
    """
    objects = [
        Beam(name="Lamp", p1=Point(0, 30), p2=Point(0, 70), brightness=1.0, wavelength=620.0),
        Beam(name="Blue", p1=Point(0, 30), p2=Point(0, 70), brightness=0.5, wavelength=450.0),
        IdealLens(name="Lens", p1=Point(50, 20), p2=Point(50, 80), focal_length=100),
        Detector(name="Screen", p1=Point(130, 0), p2=Point(130, 100)),
        Blocker(name="Wall", p1=Point(200, 50), p2=Point(200, 100)),
    ]
    return Document(scene=Scene.of(objects, Settings(ray_mode_density=0.5, simulate_colors=True)))


@pytest.fixture
def focused(open_window):
    window = open_window(focused_document())
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    return window


def test_the_spot_is_sharpest_in_the_focus(focused):
    panel, document = focused.plots, focused.document
    choose_plot(focused, "spot")
    curve = panel.light.plot.curve
    assert curve.marked == pytest.approx(20, abs=1e-9)
    assert curve.y.min() == pytest.approx(0, abs=1e-6)
    here = curve.y[np.flatnonzero(curve.x == 0)[0]]
    assert here == pytest.approx(
        measure_values("rms(Screen)", document.document, document.result)[0].value
    )
    assert panel.chosen.note.text().startswith("best focus: defocus +20 mm, RMS")
    twice = np.interp([-20.0, 0.0], curve.x, curve.y)
    assert twice[0] == pytest.approx(2 * twice[1], rel=1e-3), (
        "the cone is twice as wide at twice the distance"
    )


def test_oblique_lights_best_focus_is_its_defocus(focused, qtbot):
    panel, document = focused.plots, focused.document
    choose_plot(focused, "spot")
    screen = named(document, "Screen")
    document.change(Rotate(screen.key, 35.0))
    wait_until_settled(focused)
    curve = panel.light.plot.curve
    best, least = (
        m.value
        for m in measure_values(
            "defocus(Screen); least_rms(Screen)", document.document, document.result
        )
    )
    assert curve.marked == pytest.approx(best, abs=1e-9)
    assert best == pytest.approx(20, abs=1e-6)
    assert curve.y.min() == pytest.approx(least, abs=1e-9)
    assert curve.x_title == "distance from the detector along the beam (mm)"
    focused.selection.set({screen.key})
    turned = named(document, "Screen")
    focused.actions_by_id["arrange.focus"].trigger()
    qtbot.waitUntil(lambda: named(document, "Screen") != turned)
    wait_until_settled(focused)
    assert panel.light.plot.curve.marked == pytest.approx(0, abs=1e-6)


def test_parallel_light_has_no_best_focus(focused):
    choose_plot(focused, "spot")
    focused.document.change(Delete([named(focused.document, "Lens").key]))
    wait_until_settled(focused)
    assert focused.plots.light.plot.curve is None
    assert focused.plots.chosen.note.text() == "The rays are parallel: they have no focus."


def test_spectrum_and_angles_hold_all_power(focused):
    panel, document = focused.plots, focused.document
    power = measure_values("power(Screen)", document.document, document.result)[0].value
    choose_plot(focused, "spectrum")
    assert panel.light.plot.curve.x.tolist() == [450.0, 620.0]
    assert panel.light.plot.curve.y.sum() == pytest.approx(power)
    assert panel.light.plot.curve.y[0] == pytest.approx(
        measure_values("power(Screen, Blue)", document.document, document.result)[0].value
    )
    choose_plot(focused, "angles")
    assert panel.light.plot.curve.y.sum() == pytest.approx(power)
    lit = panel.light.plot.curve.y > 0
    assert np.abs(panel.light.plot.curve.x[:-1][lit]).max() <= 12, (
        "the light arrives within 11 degrees of the normal"
    )
    assert lit.sum() > 4, "the bins are as fine as the rays allow"
    assert np.ptp(panel.light.plot.curve.x) < 40, "the axis ends near the light"


def test_power_flows_from_sources_to_ends(focused, tmp_path):
    panel, document = focused.plots, focused.document
    choose_plot(focused, "flow")
    flow = panel.flow.plot.flow
    assert flow.sources == ("Lamp", "Blue")
    for i, source in enumerate(flow.sources):
        (emitted,) = (
            m.value
            for m in measure_values(f"power(Screen, {source})", document.document, document.result)
        )
        assert flow.power[i].sum() == pytest.approx(emitted), "all goes through the screen"
    wall = flow.power[:, flow.ends.index("Wall")].sum()
    assert wall == pytest.approx(
        measure_values("absorbed(Wall)", document.document, document.result)[0].value
    )
    escaped = flow.power[:, flow.ends.index("escapes")].sum()
    assert escaped == pytest.approx(
        measure_values("escaped()", document.document, document.result)[0].value
    )
    panel.export(tmp_path / "flow.csv")
    rows = list(csv.reader((tmp_path / "flow.csv").read_text().splitlines()))
    assert rows[0] == ["source", "end", "power [relative power]", "part of the source"]
    assert sum(float(r[3]) for r in rows[1:] if r[0] == "Lamp") == pytest.approx(1)
    panel.export(tmp_path / "flow.svg")
    assert "Wall" in (tmp_path / "flow.svg").read_text()


def test_a_small_part_is_not_written_as_none(qtbot, tmp_path):
    view = FlowView()
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show_flow(
        PowerFlow(("Lamp",), ("escapes", NOT_FOLLOWED), np.array([[53.3146, 0.0187]]), NO_COLOUR)
    )
    view.save(tmp_path / "flow.svg")
    texts = (tmp_path / "flow.svg").read_text()
    assert "escapes  100 %" in texts
    assert "not followed, net  0.0351 %" in texts


def test_sources_of_one_name_have_own_parts(qtbot, tmp_path):
    flow = PowerFlow(
        ("Lamp", "Lamp"),
        ("escapes", "Wall"),
        np.array([[20.0, 0.0], [4.0, 6.0]]),
        NO_COLOUR.repeat(2),
    )
    assert flow.rows() == [
        ("Lamp", "escapes", 20.0, 1.0),
        ("Lamp", "Wall", 6.0, 0.6),
        ("Lamp", "escapes", 4.0, 0.4),
    ]


def test_long_names_are_elided_in_the_flow(qtbot, tmp_path):
    view = FlowView()
    qtbot.addWidget(view)
    view.resize(280, 200)
    view.show_flow(PowerFlow(("Lamp " * 20,), ("Wall " * 20,), np.array([[1.0]]), NO_COLOUR))
    view.save(tmp_path / "flow.svg")
    texts = (tmp_path / "flow.svg").read_text()
    assert "Lamp" in texts
    assert "100 %" in texts


@pytest.mark.parametrize("plot", ["irradiance", "flow"])
def test_an_outdated_plot_says_so(focused, qtbot, plot):
    panel, document = focused.plots, focused.document
    choose_plot(focused, plot)
    assert not panel.outdated.isVisible()
    document.change(SetSettings({"rayModeDensity": 2.0**53}))
    qtbot.waitUntil(panel.outdated.isVisible)
    assert not panel.export_button.isEnabled()
    document.undo()
    wait_until_settled(focused)
    assert not panel.outdated.isVisible()
    assert panel.export_button.isEnabled()


def test_nothing_of_the_last_document_is_shown(focused):
    panel = focused.plots
    choose_plot(focused, "irradiance")
    assert panel.light.plot.curve is not None
    focused.document.replace_session(Session(beam_document()))
    assert (panel.light.title.full_text, panel.light.plot.curve) == ("", None)
    assert {value.text() for value in panel.light.values.values()} == {"—"}
    wait_until_settled(focused)
    assert panel.light.plot.curve is not None


def test_an_empty_plot_has_no_old_numbers(window):
    for plot, drawn in (("angles", True), ("spectrum", False), ("irradiance", True)):
        choose_plot(window, plot)
        axes = [window.plots.light.plot.getAxis(side).isVisible() for side in ("left", "bottom")]
        assert axes == [drawn, drawn]


def test_the_note_beside_a_plot_is_shown_whole(focused):
    choose_plot(focused, "spot")
    note = focused.plots.chosen.note
    wait_until_settled(focused)
    assert note.fontMetrics().horizontalAdvance(note.text()) > note.width(), (
        "it is longer than the line"
    )
    assert note.height() >= note.heightForWidth(note.width())
    assert "…" not in QLabel.text(note)


def test_what_is_not_drawn_cannot_be_exported(window):
    panel = window.plots
    assert panel.export_button.isEnabled()
    choose_plot(window, "spectrum")
    assert panel.chosen.note.text() == "the scene simulates no colours"
    assert not panel.export_button.isEnabled()
    choose_plot(window, "irradiance")
    assert panel.export_button.isEnabled()
    window.document.change(Delete(["Screen", "Other"]))
    wait_until_settled(window)
    assert not panel.export_button.isEnabled()
    assert panel.light.plot.csv() == "", "the light of a detector that is gone"
    choose_plot(window, "flow")
    assert panel.export_button.isEnabled()
    window.document.change(Delete(["Lamp"]))
    wait_until_settled(window)
    assert panel.chosen.note.text() == "no light is emitted"
    assert not panel.export_button.isEnabled()


def test_exporting_an_empty_plot_is_refused(open_window, tmp_path):
    window, said = open_window(Document()), []
    window.actions_by_id["view.plots"].trigger()
    choose_plot(window, "flow")
    window.document.failed.connect(said.append)
    window.plots.export(tmp_path / "flow.csv")
    assert said
    assert said[0].startswith("There is no plot to export: ")


@pytest.mark.parametrize("plot", ["irradiance", "flow"])
def test_an_unwritable_plot_is_reported(focused, tmp_path, plot):
    panel, said = focused.plots, []
    choose_plot(focused, plot)
    note = panel.chosen.note.text()
    focused.document.failed.connect(said.append)
    for ending in (".svg", ".png", ".csv"):
        panel.export(tmp_path / "missing" / f"light{ending}")
        assert "cannot be written" in said.pop()
        assert said == []
        assert panel.chosen.note.text() == note


def test_the_flow_needs_no_detector(open_window):
    window = open_window(Document(scene=Scene.of([Beam(p1=Point(0, 0), p2=Point(0, 40))])))
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    choose_plot(window, "flow")
    assert window.plots.flow.view.isVisible()
    assert window.plots.flow.plot.flow.ends == ("escapes",)


def test_the_flow_looks_as_it_did(focused, shots):
    focused.plots.choose_plot("flow")
    wait_until_settled(focused)
    assert set(focused.plots.flow.plot.flow.ends) == {"Wall", "escapes"}
    shots(focused.plots, "plot-flow")


def test_a_detector_with_billions_of_bins_is_shown(open_window):
    screen = Detector(
        p1=Point(100, 50), p2=Point(100, -50), irrad_map=True, bin_size=1e-9, name="Screen"
    )
    window = open_window(
        Document(scene=Scene.of([SingleRay(p1=Point(0, 0), p2=Point(10, 0)), screen]))
    )
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    assert len(window.plots.light.plot.curve.y) < 1_000
    assert any(value.text() == "1" for value in window.plots.light.values.values())


def test_many_sources_are_joined_in_the_flow():
    power = np.arange(1.0, 21.0)[:, None] * np.array([[1.0, 0.5]])
    flow = PowerFlow(
        tuple(f"Lamp {i}" for i in range(20)), ("escapes", "Wall"), power, NO_COLOUR.repeat(20)
    )
    shown = merge_weak_flows(flow, 14)
    assert shown.sources[:2] == ("Lamp 7", "Lamp 8")
    assert shown.sources[-1] == "7 other sources"
    assert shown.power[-1].tolist() == power[:7].sum(axis=0).tolist()
    assert shown.ends == flow.ends
    assert shown.power.sum() == pytest.approx(power.sum())


def test_the_latest_wanted_plot_is_shown_last(focused):
    panel = focused.plots
    for plot in ("spectrum", "angles", "spot", "irradiance", "spectrum"):
        panel.choose_plot(plot)
    assert not panel.settled
    wait_until_settled(focused)
    assert panel.light.plot.curve.x_title == "wavelength (nm)"


def test_angles_at_the_back_are_counted_from_its_normal(focused):
    choose_plot(focused, "angles")
    curve = focused.plots.light.plot.curve
    focused.document.change(Rotate(named(focused.document, "Screen").key, 180))
    wait_until_settled(focused)
    turned = focused.plots.light.plot.curve
    assert turned.x == pytest.approx(curve.x)
    assert turned.y == pytest.approx(curve.y, abs=1e-9)


def test_the_irradiance_is_split_by_source_and_wavelength(window, qtbot, tmp_path):
    panel = window.plots
    red = Beam(name="Red <1>", p1=Point(0, 50), p2=Point(0, 90), brightness=0.5, wavelength=650)
    window.document.change([Add([red]), SetSettings({"simulateColors": True})])
    wait_until_settled(window)
    assert panel.light.plot.curve.parts == ()
    combo = panel.light.split
    for titles, brightness in ((["Lamp", "Red <1>"], 0.6), (["540 nm", "650 nm"], 0.7)):
        combo.setFocus()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        wait_until_settled(window)
        curve = panel.light.plot.curve
        assert [part.title for part in curve.parts] == titles
        assert sum(part.y for part in curve.parts) == pytest.approx(curve.y)
        middles = (curve.x[1:] + curve.x[:-1]) / 2
        lit = middles[curve.parts[1].y > 0]
        assert (lit.min(), lit.max()) == pytest.approx((50.5, 89.5))
        items = panel.light.plot.plotItem.listDataItems()
        assert len(items) == 3
        window.document.change([Set("Red <1>", {"brightness": brightness})])
        wait_until_settled(window)
        assert panel.light.plot.plotItem.listDataItems() == items  # they only show other numbers
        parts = panel.light.plot.curve.parts
        assert (items[2].getData()[1] == parts[1].y).all()
        assert parts[1].y.sum() > curve.parts[1].y.sum()
    panel.export(tmp_path / "irradiance.csv")
    assert "of 650 nm" in (tmp_path / "irradiance.csv").read_text().splitlines()[0]
    choose_plot(window, "angles")
    assert [part.title for part in panel.light.plot.curve.parts] == titles
    choose_plot(window, "spectrum")
    assert not combo.isVisible()
