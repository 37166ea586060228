"""The ray table: what it holds, what selecting in it lights, and that its size does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from core.trace.codes import Status
from core.trace.result import RaySet, TraceResult
from workbench.panels.ray_table import COLUMNS, RayModel


@pytest.fixture
def window(open_window):
    window = open_window(prism_document())
    window.rays_dock.show()
    return window


def cell(model, row, title):
    return model.data(model.index(row, next(i for i, c in enumerate(COLUMNS) if c.title == title)))


def test_every_segment_has_a_row_that_says_what_the_result_holds(window):
    model, result = window.rays.model, window.document.session.result
    assert model.rowCount() == len(result)
    row = int(np.flatnonzero(result.hit >= 0)[0])
    assert cell(model, row, "ID") == result.segment_id(row)
    assert cell(model, row, "Hits") == result.object_names[result.hit[row]]
    escaping = int(np.flatnonzero(result.status == Status.ESCAPED)[0])
    assert cell(model, escaping, "Length") == "∞"
    assert cell(model, escaping, "Wavelength") == "—"


def test_selecting_rows_lights_these_rays(window, qtbot):
    table = window.rays.table
    table.selectRow(3)
    assert window.canvas.lit_rows().tolist() == [3]
    table.selectAll()
    assert len(window.canvas.lit_rows()) == len(window.document.result)
    window.document.edit("Touch", lambda s: s.with_settings(ray_mode_density=0.3))
    assert window.canvas.lit_rows() is None


def test_an_answer_s_rays_are_shown_with_their_question_until_they_are_let_go(window, qtbot):
    result = window.document.session.result
    window.document.highlight(RaySet(np.array([2, 5, 7]), "rays that are odd", result.revision, "R1"))
    assert window.rays.model.rowCount() == 3
    assert window.rays.question.text() == "R1: rays that are odd (3 rays)"
    assert window.canvas.lit_rows().tolist() == [2, 5, 7]
    window.rays.table.selectRow(1)
    assert window.canvas.lit_rows().tolist() == [5]
    qtbot.mouseClick(window.rays._clear, Qt.MouseButton.LeftButton)
    assert window.rays.model.rowCount() == len(result)
    assert window.canvas.lit_rows() is None
    assert not window.rays.question.isVisible()


def test_an_answer_about_an_earlier_scene_lights_nothing_and_says_so(window, qtbot):
    result = window.document.session.result
    window.document.highlight(RaySet(np.array([2]), "odd rays", result.revision, "R1"))
    window.document.edit("Touch", lambda s: s.with_settings(ray_mode_density=0.3))
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    assert window.canvas.lit_rows() is None
    assert "earlier state" in window.rays.question.text()
    window.document.undo()
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    assert window.canvas.lit_rows().tolist() == [2]


def test_a_hundred_thousand_rows_ask_only_for_what_is_on_show(qtbot):
    asked = set()

    class Counting(RayModel):
        def data(self, index, role=Qt.ItemDataRole.DisplayRole):
            asked.add(index.row())
            return super().data(index, role)

    one = TraceResult.from_segments([{"p1": (0, 0), "p2": (1, 0), "brightness_s": 1, "brightness_p": 0}])
    model, table = Counting(), QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.resize(600, 300)
    with qtbot.waitExposed(table):
        table.show()
    model.show_rows(one, np.zeros(100_000, np.int64))
    table.grab()
    assert 3 < len(asked) < 100
    table.scrollToBottom()
    table.grab()
    assert 99_999 in asked
    assert len(asked) < 200
