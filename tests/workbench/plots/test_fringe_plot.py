"""The fringes of an interferometer in the panel Plots."""

from __future__ import annotations

import csv

import pytest
from beam_plots import choose_plot

from raybench.files.shared import read_shared
from raybench_workbench.shot import wait_until_settled


@pytest.fixture
def window(open_window):
    window = open_window(read_shared("example:interferometer").document)
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    choose_plot(window, "fringes")
    return window


def test_fringes_are_drawn_and_follow_a_drag(window, hand, qtbot, shots, tmp_path):
    panel = window.plots.light
    assert panel.note.text().startswith("3 bright fringes, 3.09397 mm apart, with a contrast of 1")
    at_rest = panel.plot.curve
    assert at_rest.y.max() == pytest.approx(0.2, rel=1e-6), "four times the light of one way"
    shots(window.plots, "plot-fringes")
    window.plots.export(tmp_path / "fringes.csv")
    rows = list(csv.reader((tmp_path / "fringes.csv").read_text().splitlines()))
    assert rows[0][2] == "without interference [relative power/mm]"
    mouse = hand(window.canvas)
    mouse.press(230, 0)
    mouse.move(236, 0)
    qtbot.waitUntil(lambda: panel.plot.curve is not at_rest, timeout=10_000)
    assert window.document.gesture is not None
    mouse.release()
    wait_until_settled(window)
    assert panel.plot.curve.y.max() > 0.19
