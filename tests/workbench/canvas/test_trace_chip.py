"""A long trace as its person sees it: light before the end, how far it is, and a stop that keeps
what there is.
"""

from __future__ import annotations

import json
import math
import re

import pytest
from PySide6.QtCore import Qt

from raybench.session import Session
from raybench.trace import trace as tracing
from raybench.trace.codes import Completion
from raybench.trace.run.progress import TraceProgress
from raybench_workbench.canvas import chips
from raybench_workbench.shot import wait_until, wait_until_settled
from raybench_workbench.texts import progress_words

pytestmark = pytest.mark.one_window


@pytest.fixture
def room(tmp_path):
    """A file with a room of mirrors in which 100 000 rays go round: seconds of tracing."""
    corners = [
        (300 * math.cos(a) + 3 * i, 300 * math.sin(a))
        for i, a in enumerate(math.tau * k / 7 for k in range(7))
    ]
    mirrors = [
        {"type": "Mirror", "p1": {"x": a[0], "y": a[1]}, "p2": {"x": b[0], "y": b[1]}}
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    lamp = {"type": "PointSource", "name": "Lamp", "x": 40, "y": 13, "brightness": 20}
    path = tmp_path / "room.json"
    path.write_text(json.dumps({"version": 5, "objs": [*mirrors, lamp], "rayModeDensity": 200}))
    return path


@pytest.fixture
def window(open_window, monkeypatch):
    monkeypatch.setattr(tracing, "FIRST_SHOWN_SECONDS", 0.05)
    monkeypatch.setattr(chips, "CHIP_DELAY", 10)
    return open_window()


@pytest.mark.parametrize("way", ["Esc", "click", "status"])
def test_light_grows_while_a_long_trace_runs_and_a_stop_keeps_it(window, room, qtbot, way):
    shown = []
    window.document.resultChanged.connect(lambda r: shown.append(r))
    window.document.replace_session(Session.open(room))
    chip = window.trace_chip
    wait_until(
        lambda: chip.isVisible() and shown and shown[-1] is not None and len(shown[-1]) > 1000, 60
    )
    assert re.search(r"[\d\u2009]+ segments, [\d.]+ % of the light on its way", chip.text())
    assert window.canvas.rect().contains(chip.geometry())
    assert window.document.session.fresh_result is None, (
        "what is not traced in full is no base for answers"
    )
    if way == "Esc":
        qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    else:
        qtbot.mouseClick(chip if way == "click" else window.status.state, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.document.session.fresh_result is not None, 60)
    assert window.document.result.completion == Completion.CANCELLED
    assert len(window.document.result) > 10_000
    assert not chip.isVisible()
    assert window.status.state.text() == "partial: cancelled"


def test_a_short_trace_shows_no_chip(window):
    wait_until_settled(window)
    assert not window.trace_chip.isVisible()


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (
            TraceProgress(1_234_567, 0.42, 10_000_000),
            "1\u2009234\u2009567 segments, 42 % of the light on its way",
        ),
        (
            TraceProgress(5_000, 0.00314, 10_000_000),
            "5\u2009000 segments, 0.31 % of the light on its way",
        ),
        (
            TraceProgress(5_000, 3e-7, 10_000_000),
            "5\u2009000 segments, below 0.01 % of the light on its way",
        ),
        (
            TraceProgress(900, 0.996, 1_000),
            "900 of at most 1\u2009000 segments, 100 % of the light on its way",
        ),
        (TraceProgress(10, 0.0, 1_000), "10 segments, 0 % of the light on its way"),
    ],
)
def test_words_tell_what_is_left_of_the_light_and_the_limit_where_it_is_nearer(progress, words):
    assert progress_words(progress) == words
