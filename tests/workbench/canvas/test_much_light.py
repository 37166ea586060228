"""Much light: what the canvas and the inspector compute of it, they compute in a thread."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt

from raybench.view import PickedRays
from raybench_workbench import inspector
from raybench_workbench.canvas.rays import drawing, ray_layer
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


@pytest.fixture
def window(open_window):
    made = open_window(prism_document())
    made.actions_by_id["view.rays"].trigger()
    return made


def watched(monkeypatch, module, name):
    """The threads in which a function of a module is called from now on."""
    threads, call = [], getattr(module, name)

    def spy(*arguments):
        threads.append(threading.current_thread())
        return call(*arguments)

    monkeypatch.setattr(module, name, spy)
    return threads


def test_whole_paths_of_all_rays_are_lit_by_a_thread(window, qtbot, monkeypatch):
    result, table = window.document.result, window.rays.table
    monkeypatch.setattr(ray_layer, "LARGE_TRACE", 10)
    threads = watched(monkeypatch, drawing, "whole_paths_of")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert window.document.session.view.picked == PickedRays(np.arange(len(result)))
    window.rays.whole.click()
    wait_until_settled(window)
    assert len(threads) == 1
    assert threading.main_thread() not in threads
    assert window.canvas.rays.highlighted_rows().tolist() == list(range(len(result)))
    table.clearSelection()
    assert window.canvas.rays.highlighted_rows() is None
    wait_until_settled(window)
    assert window.canvas.backdrop.lit is None, "what came later is outdated"


def test_the_path_of_a_ray_among_many_is_found_by_a_thread(window, monkeypatch):
    monkeypatch.setattr(inspector, "LARGE_TRACE", 10)
    threads = watched(monkeypatch, inspector, "ray_path")
    window.actions_by_id["view.inspector"].trigger()
    for row in (3, 4, 5):
        window.rays.table.selectRow(row)
    wait_until_settled(window)
    assert threading.main_thread() not in threads
    path = window.inspector.path
    assert path.steps[path.place].row == 5
    assert window.inspector.title.isVisible()
    assert not window.inspector.hint.isVisible()
