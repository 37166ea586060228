"""The ray table: what it holds, what selecting in it lights, and that its size does not matter."""

from __future__ import annotations

import csv
import dataclasses
import threading

import numpy as np
import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QTableView

from raybench.analysis.rays import optical_path
from raybench.analysis.rays.ray_filter import RangeCondition, RayFilter
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam
from raybench.scene.changes import Move, SetSettings
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction, Status
from raybench.trace.columns import Reading
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace
from raybench.view import PickedRays
from raybench_workbench import widgets
from raybench_workbench.panels import ray_table
from raybench_workbench.panels.ray_table import COLUMNS, RayModel
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


@pytest.fixture
def window(open_window):
    window = open_window(prism_document())
    window.rays_dock.show()
    return window


def cell(model, row, title):
    return model.data(model.index(row, next(i for i, c in enumerate(COLUMNS) if c.title == title)))


def test_every_segment_has_a_row(window):
    model, result = window.rays.model, window.document.session.result
    assert model.rowCount() == len(result)
    row = int(np.flatnonzero(result.hit >= 0)[0])
    assert cell(model, row, "ID") == result.segment_id(row)
    assert cell(model, row, "Hits") == result.object_names[result.hit[row]]
    escaping = int(np.flatnonzero(result.status == Status.ESCAPED)[0])
    assert cell(model, escaping, "Length") == "∞"
    dx, dy = result.p2[escaping] - result.p1[escaping]
    assert cell(model, escaping, "To") == f"∞ at {np.degrees(np.arctan2(-dy, dx)) % 360:.1f}°"
    assert cell(model, escaping, "λ") == "—"


@pytest.mark.parametrize(
    ("size", "widths"), [((840, 500), range(80, 140)), ((1280, 800), range(184, 185))]
)
def test_an_answer_keeps_a_small_window_s_size(open_window, size, widths):
    window = open_window(prism_document(), size)
    result = window.document.session.result
    window.document.highlight(RaySet(np.arange(3), "rays", result.revision))
    window.rays_dock.show()
    wait_until_settled(window)
    assert (window.width(), window.height()) == size
    assert window.rays._clear.isVisible()
    assert window.rays.filter.width() in widths


def test_length_and_polarisation_are_the_result_s(raybench_app):
    ball = CircleGrinGlass(p1=Point(50, 20), p2=Point(80, 20))
    result = trace(Scene.of([Beam(p1=Point(0, 0), p2=Point(0, 40)), ball]))
    curved = int(
        np.argmax(
            np.where(
                result.points[:, 1] > 0, result.length - np.hypot(*(result.p2 - result.p1).T), 0
            )
        )
    )
    model = RayModel()
    model.show_rows(result, np.arange(len(result)))
    assert float(cell(model, curved, "Length")) == pytest.approx(result.length[curved], abs=1e-3)
    assert result.length[curved] - np.hypot(*(result.p2 - result.p1)[curved]) > 0.01
    for row in range(len(result)):
        assert float(cell(model, row, "DOP")) == pytest.approx(
            result.degree_of_polarization[row], abs=1e-4
        )
    assert result.degree_of_polarization.max() > 0.001


def test_words_are_spelled_as_in_files_and_answers(raybench_app):
    result = trace(
        Scene.of(
            [
                Beam(p1=Point(0, 0), p2=Point(0, 40)),
                IdealLens(p1=Point(9, 0), p2=Point(9, 40), focal_length=0),
            ]
        )
    )
    model = RayModel()
    model.show_rows(result, np.arange(len(result)))
    assert cell(model, 0, "Status") == result.segments[0].status == "ill_defined"


def test_selecting_rows_lights_these_rays(window):
    table = window.rays.table
    table.selectRow(3)
    assert window.canvas.rays.highlighted_rows().tolist() == [3]
    table.selectAll()
    assert len(window.canvas.rays.highlighted_rows()) == len(window.document.result)
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    assert window.canvas.rays.highlighted_rows() is None


def test_an_answer_s_rays_are_shown_alone(window, qtbot):
    result = window.document.session.result
    window.document.highlight(
        RaySet(np.array([2, 5, 7]), "rays that are odd", result.revision, "R1")
    )
    assert window.rays.model.rowCount() == 3
    assert window.rays.question.full_text == "R1: rays that are odd (3 rays)"
    assert window.canvas.rays.highlighted_rows().tolist() == [2, 5, 7]
    window.rays.table.selectRow(1)
    assert window.canvas.rays.highlighted_rows().tolist() == [5]
    qtbot.mouseClick(window.rays._clear, Qt.MouseButton.LeftButton)
    assert window.rays.model.rowCount() == len(result)
    assert window.canvas.rays.highlighted_rows() is None
    assert not window.rays.question.full_text
    assert not window.rays._clear.isVisible()


def test_an_outdated_answer_lights_nothing(window, qtbot):
    result = window.document.session.result
    window.document.highlight(RaySet(np.array([2]), "odd rays", result.revision, "R1"))
    window.document.change(SetSettings({"rayModeDensity": 0.3}))
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    assert window.canvas.rays.highlighted_rows() is None
    assert "earlier state" in window.rays.question.full_text
    window.document.undo()
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    assert window.canvas.rays.highlighted_rows().tolist() == [2]


def test_only_visible_rows_are_formatted(qtbot):
    asked = set()

    class Counting(RayModel):
        def data(self, index, role=Qt.ItemDataRole.DisplayRole):
            asked.add(index.row())
            return super().data(index, role)

    one = TraceResult.from_segments(
        [{"p1": (0, 0), "p2": (1, 0), "brightness_s": 1, "brightness_p": 0}]
    )
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


def test_columns_fit_the_first_window(window):
    header = window.rays.table.horizontalHeader()
    assert window.width() == 1280
    assert (
        header.sectionViewportPosition(header.logicalIndex(header.count() - 1))
        <= window.rays.table.viewport().width()
    )


@pytest.mark.parametrize(
    ("size", "places"),
    [
        (1, "20.00, 180.00"),
        (0.01, "0.2000, 1.8000"),
        (1e-6, "2.0000e-05, 1.8000e-04"),
        (1000, "20000, 180000"),
        (0.0, "0.00000, 0.00000"),
    ],
)
def test_digits_of_places_follow_the_scene_s_size(raybench_app, size, places):
    power = {"brightness_s": 2e-6, "brightness_p": 0.0}
    rows = [
        {"p1": (20 * size, 180 * size), "p2": (400 * size, 190 * size)},
        {"p1": (400 * size, 190 * size), "p2": (30 * size, 0.0)},
    ]
    model = RayModel()
    model.show_rows(TraceResult.from_segments([row | power for row in rows]), np.arange(2))
    assert cell(model, 0, "From") == places
    assert cell(model, 0, "Power") == "2.00e-06"


# --- what the view hides


def only(window, **bounds):
    view = window.document.session.view
    condition = RangeCondition(**bounds)
    window.document.set_view(
        dataclasses.replace(
            view, ray_filter=view.ray_filter.merged_with(RayFilter(must=(condition,)))
        )
    )


def test_the_table_holds_what_the_view_shows(window, qtbot):
    result = window.document.session.result
    only(window, key="depth", gte=2)
    rows = np.flatnonzero(result.depth >= 2)
    assert 0 < len(rows) < len(result)
    assert window.rays.model.rows.tolist() == rows.tolist()
    assert f"depth ≥ 2 ({len(rows)} rays)" in window.rays.question.full_text
    qtbot.mouseClick(window.rays._clear, Qt.MouseButton.LeftButton)
    assert window.rays.model.rowCount() == len(result)
    assert not window.document.session.view.has_ray_filter


def test_a_view_filters_an_answer(window):
    result = window.document.session.result
    window.document.highlight(RaySet(np.arange(len(result)), "all", result.revision, "R1"))
    only(window, key="depth", gte=2)
    rows = np.flatnonzero(result.depth >= 2).tolist()
    assert window.rays.model.rows.tolist() == rows
    assert window.canvas.rays.highlighted_rows().tolist() == rows


def test_an_empty_table_says_the_remedy(window):
    only(window, key="depth", gte=1000)
    assert window.rays._stack.currentWidget() is window.rays.hint
    assert "Show all rays" in window.rays.hint.text()


# --- sorting, filtering, whole paths, export


def click_header(window, qtbot, title):
    header = window.rays.table.horizontalHeader()
    section = next(i for i, c in enumerate(COLUMNS) if c.title == title)
    x = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
    qtbot.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2)
    )


def test_a_header_cycles_through_the_orders(window, qtbot):
    result, model = window.document.session.result, window.rays.model
    click_header(window, qtbot, "Power")
    assert np.all(np.diff(result.total_power[model.rows]) >= 0)
    click_header(window, qtbot, "Power")
    assert np.all(np.diff(result.total_power[model.rows]) <= 0)
    assert sorted(model.rows.tolist()) == list(range(len(result)))
    click_header(window, qtbot, "Power")
    assert model.rows.tolist() == list(range(len(result)))


@pytest.mark.one_window(False)
def test_every_column_sorts_as_its_texts_read(window, qtbot):
    choose_column(window, "Optical path")
    for column in COLUMNS:
        click_header(window, qtbot, column.title)
        rows = window.rays.model.rows
        values = column.values(Reading(window.document.session.result, rows))
        if column.name == "id":
            assert rows.tolist() == sorted(rows.tolist())
            continue
        known = [
            v[0] if isinstance(v, list | tuple) else v.lower() if isinstance(v, str) else v
            for v in values
            if v is not None
        ]
        if column.name == "end":
            known = [v[0] for v in values if not isinstance(v, float)]
        assert known == sorted(known), column.name
        missing = [v is None or (column.name == "end" and isinstance(v, float)) for v in values]
        assert missing == sorted(missing), "what has no value comes last"


def choose_column(window, title):
    header = window.rays.table.horizontalHeader()
    (action,) = (a for a in header.actions() if a.text() == title)
    action.trigger()


def test_optical_path_is_there_for_who_chooses_it(window, qtbot, tmp_path, monkeypatch):
    table, result = window.rays.table, window.document.session.result
    path = next(i for i, c in enumerate(COLUMNS) if c.title == "Optical path")
    assert table.isColumnHidden(path)
    assert result not in optical_path._known, "nothing is computed that nobody sees"
    choose_column(window, "Optical path")
    assert not table.isColumnHidden(path)
    known = optical_path.optical_path_lengths(result)
    inside = int(np.flatnonzero((result.depth == 1) & ~result.escaped)[0])
    assert known[inside] > known[result.parent[inside]] + result.length[inside] * 1.2
    shown = float(cell(window.rays.model, int(inside), "Optical path"))
    assert shown == pytest.approx(known[inside], rel=1e-4)
    table.selectRow(0)
    table.actions()[0].trigger()
    heading, values = (line.split("\t") for line in QApplication.clipboard().text().splitlines())
    assert len(heading) == len(values) == sum(not c.polarized for c in COLUMNS)
    window.rays.export_table(tmp_path / "with.csv")
    choose_column(window, "Optical path")
    table.actions()[0].trigger()
    assert "Optical path" not in QApplication.clipboard().text()
    window.rays.export_table(tmp_path / "without.csv")
    qtbot.waitUntil((tmp_path / "without.csv").exists)
    first, other = (
        (tmp_path / f"{name}.csv").read_text().splitlines()[0].split(",")
        for name in ("with", "without")
    )
    assert first == [*other, "optical path [mm]"]


def test_sorting_keeps_the_selected_ray(window, qtbot):
    window.rays.table.selectRow(3)
    click_header(window, qtbot, "Power")
    click_header(window, qtbot, "Power")
    assert window.document.session.view.picked == PickedRays.from_rows(3)
    (index,) = window.rays.table.selectionModel().selectedRows()
    assert window.rays.model.rows[index.row()] == 3
    assert window.canvas.rays.highlighted_rows().tolist() == [3]


def test_the_rays_of_an_answer_filter_the_table(window, qtbot):
    session = window.document.session
    named = session.store_rays(
        "Which are odd?", RaySet(np.array([1, 3, 5]), "odd rays", session.result.revision)
    )
    qtbot.keyClicks(window.rays.filter, f"{named.name.lower()}, power > 0")
    positive = np.flatnonzero(session.result.total_power > 0)
    assert sorted(window.rays.model.rows.tolist()) == [r for r in (1, 3, 5) if r in positive]
    window.document.change(Move(window.document.scene.objects[0].key, 1, 0))
    wait_until_settled(window)
    assert "of an earlier state" in window.rays.question.full_text


def test_what_is_typed_filters_the_table(window, qtbot):
    result, edit = window.document.session.result, window.rays.filter
    qtbot.keyClicks(edit, "power > 0.1, main prism, refract")
    prism = result.object_names.index("Main Prism")
    expected = (
        (result.total_power > 0.1)
        & (result.hit == prism)
        & (result.interaction == Interaction.REFRACT)
    )
    assert 0 < expected.sum() < len(result)
    assert window.rays.model.rows.tolist() == np.flatnonzero(expected).tolist()
    edit.clear()
    assert window.rays.model.rowCount() == len(result)
    qtbot.keyClicks(edit, "colour > 3")
    assert "not a quantity of rays" in window.rays.question.full_text
    assert window.rays.model.rowCount() == len(result)
    edit.clear()
    qtbot.keyClicks(edit, "power >> 0.1")
    assert (
        "'power >> 0.1' is not a condition. Write such as power > 0.1."
        in window.rays.question.full_text
    )
    assert window.rays.model.rowCount() == len(result)


def test_a_filter_without_matches_is_named(window, qtbot):
    qtbot.keyClicks(window.rays.filter, "power > 0.1, Scren")
    assert window.rays.model.rowCount() == 0
    assert "typed above" in window.rays.hint.text()
    assert "highlight" not in window.rays.hint.text(), (
        "there is none, and no button to show all rays"
    )
    only(window, key="depth", gte=1000)
    assert "Show all rays" in window.rays.hint.text()


def test_new_rows_are_scrolled_into_view(window, qtbot):
    table = window.rays.table
    table.scrollToBottom()
    assert table.rowAt(0) > 20
    qtbot.keyClicks(window.rays.filter, "power > 0.001")
    assert table.rowAt(0) == 0
    assert table.verticalScrollBar().maximum() > 0
    last = window.rays.model.rowCount() - 1
    table.selectRow(last)
    click_header(window, qtbot, "Power")
    (index,) = table.selectionModel().selectedRows()
    assert table.viewport().rect().contains(table.visualRect(index).center())


def test_whole_paths_are_lit_on_demand(window):
    result = window.document.session.result
    row = int(np.flatnonzero(result.depth == 2)[0])
    window.rays.table.selectRow(row)
    assert window.canvas.rays.highlighted_rows().tolist() == [row]
    window.rays.whole.click()
    assert set(window.canvas.rays.highlighted_rows().tolist()) == {
        *result.lineage.path(row),
        *result.lineage.descendants(row).tolist(),
    }
    window.rays.whole.click()
    assert window.canvas.rays.highlighted_rows().tolist() == [row]


def test_a_picked_ray_is_selected(window):
    view = window.document.session.view
    window.document.set_view(
        dataclasses.replace(view, picked=PickedRays.from_rows(7), whole_paths=True)
    )
    assert [
        window.rays.model.rows[i.row()] for i in window.rays.table.selectionModel().selectedRows()
    ] == [7]
    assert window.document.session.view.picked == PickedRays.from_rows(7)
    assert window.rays.whole.isChecked()


def test_the_rays_of_the_table_are_exported(window, qtbot, tmp_path):
    qtbot.keyClicks(window.rays.filter, "depth = 1")
    window.rays.export_table(tmp_path / "rays.csv")
    qtbot.waitUntil((tmp_path / "rays.csv").exists)
    with open(tmp_path / "rays.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    result = window.document.session.result
    assert [row["id"] for row in rows] == [
        result.segment_id(int(r)) for r in np.flatnonzero(result.depth == 1)
    ]
    said = []
    window.document.failed.connect(said.append)
    window.rays.export_table(tmp_path / "missing" / "rays.csv")
    qtbot.waitUntil(lambda: len(said) == 1)


def test_outdated_rays_are_not_exported(window, tmp_path):
    said = []
    window.document.failed.connect(said.append)
    window.document.change(Move("Main Prism", 100))
    window.rays.export_table(tmp_path / "rays.csv")
    assert said == ["The rays are those before the last change. Wait until the scene is traced."]
    assert not list(tmp_path.glob("*.csv"))


def test_common_values_have_room_in_their_columns(open_window):
    window = open_window(prism_document())
    window.actions_by_id["view.rays"].trigger()
    table = window.rays.table
    for row in range(4):
        for column in range(
            len(COLUMNS) - 1
        ):  # the last one takes the rest, and names are of any length
            if table.isColumnHidden(column):
                continue
            index = window.rays.model.index(row, column)
            assert table.sizeHintForIndex(index).width() <= table.columnWidth(column), index.data()


def test_all_columns_fit_an_ordinary_window(window):
    assert window.width() == 1280
    assert window.rays.table.horizontalScrollBar().maximum() == 0
    table, widths = (
        window.rays.table,
        {
            c.title: window.rays.table.columnWidth(i)
            for i, c in enumerate(COLUMNS)
            if not (c.on_request or c.polarized)
        },
    )
    metrics = table.fontMetrics()
    for row in range(5):
        for title, width in widths.items():
            assert metrics.horizontalAdvance(cell(window.rays.model, row, title)) < width


def test_columns_grow_until_another_document_opens(window):
    table, source = window.rays.table, window.document.scene.objects[0]
    before = table.columnWidth(1)
    window.document.change(Move(source.key, -320.0, 0))
    wait_until_settled(window)
    assert table.columnWidth(1) > before
    window.document.undo()
    wait_until_settled(window)
    assert table.columnWidth(1) > before
    window.document.replace_session(Session(prism_document()))
    wait_until_settled(window)
    assert table.columnWidth(1) == before


def test_many_rows_are_chosen_in_a_thread(window, monkeypatch, qtbot):
    result, table = window.document.session.result, window.rays
    monkeypatch.setattr(ray_table, "MANY_SEGMENTS", 10)
    threads, choose = [], ray_table.filtered_and_sorted_rows

    def watched(*choice):
        threads.append(threading.current_thread())
        return choose(*choice)

    monkeypatch.setattr(ray_table, "filtered_and_sorted_rows", watched)
    qtbot.keyClicks(table.filter, "power > 0.01")
    assert not table.settled
    assert table.model.rowCount() == len(result), "the rows of before, until others are chosen"
    qtbot.waitUntil(lambda: table.settled)
    assert 1 <= len(threads) < len("power > 0.01"), "what was typed meanwhile is chosen once"
    assert threading.main_thread() not in threads
    assert set(table.model.rows.tolist()) == set(np.flatnonzero(result.total_power > 0.01).tolist())
    assert 0 < table.model.rowCount() < len(result)
    column = next(i for i, c in enumerate(COLUMNS) if c.name == "total_power")
    table.table.horizontalHeader().setSortIndicator(column, Qt.SortOrder.AscendingOrder)
    qtbot.waitUntil(lambda: table.settled)
    assert (np.diff(result.total_power[table.model.rows]) >= 0).all()


def test_selected_rows_are_copied_with_titles(window, qtbot):
    table = window.rays.table
    table.selectRow(2)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    titles, row = (line.split("\t") for line in QApplication.clipboard().text().split("\n"))
    assert titles[:5] == ["ID", "From mm", "To mm", "Length mm", "Power rel."]
    shown = [k for k in range(len(COLUMNS)) if not table.isColumnHidden(k)]
    assert row == [table.model().index(2, k).data() for k in shown]


def test_too_many_rows_are_not_copied(window, qtbot, monkeypatch):
    monkeypatch.setattr(widgets, "MOST_COPIED", 3)
    table = window.rays.table
    QApplication.clipboard().setText("before")
    table.selectAll()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "Export them" in window.messages.error.label.full_text
    assert QApplication.clipboard().text() == "before"


def test_the_menu_copies_lights_and_exports(window):
    copy, whole, export, columns = window.rays.table.actions()
    titles = [a.text() for a in (copy, whole, export, columns)]
    assert titles == ["Copy", "Whole paths", "Export…", "Columns"]
    whole.trigger()
    assert window.document.session.view.whole_paths
    assert window.rays.whole.isChecked()
