"""The study panel, driven by mouse and keyboard: what is typed runs, rows are shown as ghosts, a
row is applied as one step.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QStyle, QStyleOptionComboBox
from tests.core.study.scenes import lens_scene, minimum_deviation, prism_scene, weak_scene

from raybench.agent.call.approval import ProposedEdit
from raybench.kinds.mirrors import BeamSplitter
from raybench.scene.changes import Add, Move, Set, documents_between_changes
from raybench.shapes.point import Point
from raybench.study.request import STUDY_KINDS, StudyRequest
from raybench.study.table import Table
from raybench.study.tolerance import MOST_SAMPLES
from raybench_workbench import theme
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.widgets import elide_to_width

pytestmark = pytest.mark.one_window

WAIT = 60_000


@pytest.fixture
def window(open_window):
    window = open_window(prism_scene())
    window.actions_by_id["study.sweep"].trigger()
    return window


def write(qtbot, lines, *texts):
    """Type texts into a list, line by line."""
    for i, text in enumerate(texts):
        if i == len(lines.lines):
            qtbot.mouseClick(lines.add_button, Qt.MouseButton.LeftButton)
        lines.lines[i].setFocus()
        qtbot.keyClicks(lines.lines[i], text)


def run(qtbot, panel):
    with qtbot.waitSignal(panel.runner.finished, timeout=WAIT):
        qtbot.mouseClick(panel.run_button, Qt.MouseButton.LeftButton)


def test_the_panel_is_made_when_it_is_first_shown(open_window):
    window = open_window(prism_scene())
    assert window.study_dock.made is None
    assert not window.study_dock.isVisible()
    window.actions_by_id["view.study"].trigger()
    assert window.study_dock.isVisible()
    assert window.studies.isVisible()


def test_a_typed_sweep_fills_plot_and_table(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)", "escaped()")
    run(qtbot, panel)
    assert panel.results.rows.rowCount() == 11
    assert panel.measure_box.count() == 2
    assert min(step for step, _ in panel.plot.getAxis("left").tickSpacing(0, 2, 200)) < 1
    assert panel.table.columns == ("Prism.angle", "deviation(Prism)", "escaped()")
    least, most = "least -37.1832° at Prism.angle = -19°", "most -38.4656° at Prism.angle = -10°"
    assert (
        f"deviation(Prism): {least}, {most}, a range of 1.28236°\n"
        "escaped(): 1 relative power throughout" in panel.summary.text()
    )
    assert panel.note.full_text.startswith("Done in")


def test_choices_and_changes_made_first_run_and_are_applied(open_window, qtbot):
    window = open_window(prism_scene(simulateColors=True))
    window.actions_by_id["study.sweep"].trigger()
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.material=N-BK7|N-FK51A")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)")
    write(qtbot, panel.form.lists["changes"], '{"rotate": "Prism", "by": -20}')
    run(qtbot, panel)
    assert [panel.results.rows.index(i, 0).data() for i in range(2)] == ["N-BK7", "N-FK51A"]
    assert panel.summary.text().startswith("deviation(Prism): least -")
    assert "at Prism.material = N-BK7" in panel.summary.text()
    panel.results.select_row(1)
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    done = window.document.session.history.done[-1].text
    assert done == "Prism turned by 20° clockwise, Prism: material N-FK51A"


def test_a_sweep_says_where_light_takes_another_path(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20,0,20")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)")
    run(qtbot, panel)
    other = "Prism: refract, tir, refract"
    told = f"In 1 of 3 rows light takes another path than in the scene: {other}."
    assert told in panel.summary.text()
    panel.results.select_row(2)
    assert panel.note.full_text.endswith(f"another path: {other}")


def test_a_search_keeps_the_path_unless_any_may_be_taken(window, qtbot):
    panel = window.studies
    panel.form.choose_kind("optimise")
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-5..40")
    write(qtbot, panel.form.lists["goals"], "deviation(Prism) = -80 ± 0.1")
    qtbot.mouseClick(panel.form.whole_range, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    run(qtbot, panel)
    assert "was not found: the best of" in panel.summary.text()
    assert "Another path of the light, Prism: refract, tir, refract" in panel.summary.text()
    panel.form.any_path.click()
    assert panel.form.request.any_path


@pytest.mark.parametrize(
    ("vary", "first", "says"),
    [
        ("Prism.material=N-BK7|N-BK77", "", "There is no material 'N-BK77'"),
        ("Prism.angle=0|5", "turn it", "'turn it' is no change. Write JSON such as"),
        ("Prism.angle=0|5", '{"delete": "Prisma"}', "Did you mean 'Prism'?"),
    ],
)
def test_wrong_choices_and_changes_are_told_beside_the_plot(window, qtbot, vary, first, says):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], vary)
    write(qtbot, panel.form.lists["measures"], "escaped()")
    panel.form.lists["changes"].lines[0].setText(first)
    run(qtbot, panel)
    assert says in panel.hint.text()


def test_the_keyboard_goes_from_run_to_stop_and_back_to_the_form(window, qtbot):
    panel, space = window.studies, Qt.Key.Key_Space
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..20:100001")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    panel.run_button.setFocus()
    qtbot.keyClick(panel.run_button, space)
    assert panel.stop_button.hasFocus()
    qtbot.keyClick(panel.stop_button, space)
    line = panel.form.lists["measures"].lines[0]
    assert line.hasFocus()
    qtbot.waitUntil(lambda: not panel.runner.busy)
    assert line.hasFocus()


def test_a_study_of_a_power_says_once_how_much_light_was_too_weak(open_window, qtbot):
    window = open_window(weak_scene())
    window.actions_by_id["study.sweep"].trigger()
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "M0.transRatio=0.1..0.2:3")
    write(qtbot, panel.form.lists["measures"], "share(Out)")
    run(qtbot, panel)
    weak = (
        "Rays too weak to follow carried up to 10 % of the power; the colour mode linear follows"
        " weaker ones."
    )
    assert panel.summary.text().count(weak) == 1


def test_a_chosen_row_is_a_ghost_and_is_applied_as_one_step(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=0..10:11")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    run(qtbot, panel)
    assert not panel.apply_button.isEnabled()
    panel.results.select_row(4)
    proposal = window.selection.proposed_edit
    assert proposal is not None
    assert proposal.description == "Prism turned by 4° counter-clockwise"
    before = window.document.document
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert window.document.session.history.done[-1].text == "Prism turned by 4° counter-clockwise"
    assert window.selection.proposed_edit is None
    assert not panel.apply_button.isEnabled()  # the scene is another one now
    window.document.undo()
    assert window.document.document is before
    assert panel.apply_button.isEnabled()


def test_a_row_with_a_link_that_is_refused_before_the_next_one_has_no_ghost_and_says_why_it_is_not_applied(
    window, qtbot
):
    panel, said = window.studies, []
    window.document.change(Add(BeamSplitter(p1=Point(0, 500), p2=Point(9, 500), name="Splitter")))
    write(qtbot, panel.form.lists["vary"], "Prism.x=0..10:2")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    panel.form.lists["links"].set_texts(
        ["Splitter.transRatio = 1 + Prism.x", "Prism.refIndex = 1.5 + 0 * Splitter.transRatio"]
    )
    run(qtbot, panel)
    panel.results.select_row(1)
    assert window.selection.proposed_edit is None
    window.document.failed.connect(said.append)
    panel.apply_row()
    assert len(said) == 1
    assert "transRatio must be between 0 and 1" in said[0]


def test_the_ghost_of_a_row_is_gone_while_the_panel_is_hidden_and_never_replaces_an_edit_that_awaits_approval(
    window, qtbot
):
    panel, selection = window.studies, window.selection
    write(qtbot, panel.form.lists["vary"], "Prism.angle=0..10:11")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    run(qtbot, panel)
    panel.results.select_row(9)
    ghost = selection.proposed_edit
    assert ghost is not None
    window.study_dock.hide()
    assert selection.proposed_edit is None
    window.study_dock.show()
    assert selection.proposed_edit is not None
    assert selection.proposed_edit.description == ghost.description
    edit = Move("Prism", 1, 0)
    waiting = ProposedEdit(
        (edit,), tuple(documents_between_changes(edit, window.document.document))
    )
    selection.propose_edit("a card", waiting)
    panel.results.select_row(2)
    assert selection.proposed_edit is waiting
    selection.propose_edit("a card", None)
    assert selection.proposed_edit is not None, "the ghost of the row is there again"
    assert selection.proposed_edit.description != ghost.description
    selection.propose_edit("a card", waiting)
    window.document.change(Set(window.document.scene.objects[0].key, {"name": "Other"}))
    assert selection.proposed_edit is waiting


def test_an_optimum_is_chosen_and_applied(window, qtbot):
    panel = window.studies
    window.actions_by_id["study.optimise"].trigger()
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-30..5")
    write(qtbot, panel.form.lists["goals"], "least deviation(Prism)")
    assert panel.form.lists["measures"].isVisible()
    write(qtbot, panel.form.lists["measures"], "incidence(Prism)")
    run(qtbot, panel)
    assert panel.table.columns[2] == "incidence(Prism)"
    assert panel.table.rows[-1, 2] == pytest.approx(math.degrees(math.asin(0.75)), abs=1e-2)
    assert panel.table.rows[-1, 1] == pytest.approx(-minimum_deviation(1.5, 60), abs=1e-6)
    assert "simplex" in panel.summary.text()
    assert any(line.endswith(" → -37.1808°") for line in panel.summary.text().splitlines())
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert window.document.session.history.done[-1].text.startswith("Prism turned by 18.59")


def test_a_tolerance_tells_its_yield(window, qtbot):
    panel = window.studies
    window.actions_by_id["study.tolerance"].trigger()
    write(qtbot, panel.form.lists["vary"], "Prism.angle±0.5")
    write(qtbot, panel.form.lists["limits"], "deviation(Prism) < -46.5")
    panel.form.samples.setValue(20)
    run(qtbot, panel)
    assert panel.results.rows.rowCount() == 20
    upwards = panel.plot.getAxis("left")
    assert min(step for step, _ in upwards.tickSpacing(0, 2, 200)) == 1, "samples are counted"
    assert "yield, deviation(Prism) < -46.5" in panel.summary.text()
    spread, alone = panel.summary.text().splitlines()[:2]
    assert re.fullmatch(r"deviation\(Prism\): \S+ ± \S+° \(linear ± \S+°\)", spread)
    assert re.fullmatch(r" +Prism.angle alone: ± \S+°", alone)


def test_a_tolerance_of_many_parameters_tells_its_yield_too(window, qtbot):
    panel = window.studies
    places = [f"Prism.path[{i}].{axis}±0.1" for i in range(3) for axis in "xy"]
    measures = ("deviation(Prism)", "direction(Prism)")
    for count, more in ((1, ""), (10, "and 80 more lines")):
        many = [m for m in measures for _ in range(count)]
        written = tuple(f"{k} * {m}" for k, m in enumerate(many, 1))
        panel.form.show_request(
            StudyRequest(
                "tolerance", tuple(places), written, limits=("deviation(Prism) < -46.5",), samples=5
            )
        )
        run(qtbot, panel)
        lines = panel.summary.text().splitlines()
        assert any(line.startswith("yield, deviation(Prism) < -46.5") for line in lines)
        assert (more in lines) is bool(more)


def test_a_tolerance_with_a_compensator_shows_and_applies_what_was_adjusted(open_window, qtbot):
    window = open_window(lens_scene())
    window.actions_by_id["study.tolerance"].trigger()
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Lens.x±5")
    write(qtbot, panel.form.lists["limits"], "rms(Screen) < 0.01")
    write(qtbot, panel.form.lists["adjust"], "Screen.x=0..40")
    write(qtbot, panel.form.lists["goals"], "least rms(Screen)")
    panel.form.samples.setValue(5)
    run(qtbot, panel)
    assert panel.table.columns == ("Lens.x", "Screen.x", "rms(Screen)")
    np.testing.assert_allclose(panel.table.rows[:, 1], 20 + panel.table.rows[:, 0], atol=1e-3)
    assert "yield, rms(Screen) < 0.01: 100 %" in panel.summary.text()
    panel.results.select_row(2)
    qtbot.mouseClick(panel.apply_button, Qt.MouseButton.LeftButton)
    assert "Screen moved" in window.document.session.history.done[-1].text


def test_two_parameters_make_a_map(open_window, qtbot):
    window = open_window(lens_scene())
    window.actions_by_id["study.sweep"].trigger()
    panel = window.studies
    panel.form.show_request(
        StudyRequest(
            "sweep",
            vary=("Screen.x=-20..20:5", "Lens.focalLength=80..120:4"),
            measures=("rms(Screen)",),
        )
    )
    run(qtbot, panel)
    assert panel.results.rows.rowCount() == 20
    assert any(type(item).__name__ == "ImageItem" for item in panel.plot.plotItem.items)


@pytest.mark.parametrize("values", ["80..120:3", "10..1000:5 log", "50,60,200", "70"])
def test_a_map_has_every_value_at_its_place(open_window, qtbot, values):
    window = open_window(lens_scene())
    window.actions_by_id["study.sweep"].trigger()
    panel = window.studies
    panel.form.show_request(
        StudyRequest(
            "sweep",
            vary=("Screen.x=-20,0,5", f"Lens.focalLength={values}"),
            measures=("rms(Screen)",),
        )
    )
    run(qtbot, panel)
    (shown,) = (item for item in panel.plot.plotItem.items if isinstance(item, pg.ImageItem))
    box = panel.plot.plotItem.vb
    for x, y, value in panel.table.rows.tolist():
        at = box.mapFromViewToItem(shown, QPointF(x, y))
        assert shown.image[int(at.x()), int(at.y())] == value
    assert box.viewRect().contains(shown.mapRectToParent(shown.boundingRect())), (
        "no value is cut off at the border"
    )


def test_an_error_is_shown_beside_the_plot_and_nothing_else_happens(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prsm.angle=0..1")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    run(qtbot, panel)
    assert "No object named 'Prsm'" in panel.hint.text()
    assert panel.hint.property("role") == "error"
    assert panel.note.full_text == "", "it is said once"
    assert panel.table is None
    assert panel.run_button.isEnabled()


def test_the_error_of_a_study_is_not_that_of_another_kind(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prsm.angle=0..1")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    run(qtbot, panel)
    assert panel.hint.property("role") == "error"
    panel.form.choose_kind("optimise")
    assert panel.hint.text() == "Write what may be varied and the goals, and press Enter."
    assert panel.hint.property("role") == "dim"


def test_a_defect_in_a_study_is_told_too(window, qtbot, monkeypatch):
    def fails(*_):
        raise IndexError("out of range")

    monkeypatch.setattr("raybench_workbench.studies.runner.run_request", fails)
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=0..1")
    run(qtbot, panel)
    assert "The study failed (IndexError: out of range)" in panel.hint.text()
    assert panel.hint.property("role") == "error"


def test_stop_keeps_the_rows_so_far(window, qtbot):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=0..10:100000",), measures=("escaped()",))
    )
    qtbot.mouseClick(panel.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.table is not None and len(panel.table.rows) > 5, timeout=WAIT)
    with qtbot.waitSignal(panel.runner.finished, timeout=WAIT):
        qtbot.mouseClick(panel.stop_button, Qt.MouseButton.LeftButton)
        assert panel.note.full_text == "Stopping…"
        assert not panel.stop_button.isEnabled()
        panel._show_progress(panel._progress)  # as rows arrive that were under way
        assert panel.note.full_text == "Stopping…"
    assert 5 < panel.results.rows.rowCount() < 100_000
    assert "stopped" in panel.note.full_text


def test_enter_in_a_line_runs_the_study(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=0..10:3")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    with qtbot.waitSignal(panel.runner.finished, timeout=WAIT):
        qtbot.keyClick(panel.form.lists["measures"].lines[0], Qt.Key.Key_Return)
    assert panel.results.rows.rowCount() == 3


def test_enter_does_not_begin_a_study_anew_while_it_runs(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=0..10:5001")
    write(qtbot, panel.form.lists["measures"], "escaped()")
    qtbot.mouseClick(panel.run_button, Qt.MouseButton.LeftButton)
    progress = panel._progress
    qtbot.keyClick(panel.form.lists["vary"].lines[0], Qt.Key.Key_Return)
    assert panel._progress is progress
    assert panel.note.full_text == "A study is running: stop it first"
    window.document.new()
    assert not panel.runner.busy


def test_a_heading_sorts_and_a_row_keeps_its_meaning(window, qtbot):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..20:9",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    panel.results.select_row(2)
    header = panel.results.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(1) + 10, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shown = [
        float(panel.results.rows.index(i, 1).data())
        for i in range(9)
        if panel.results.rows.index(i, 1).data() != "—"
    ]
    assert shown in (sorted(shown), sorted(shown, reverse=True))
    assert panel._row == 2
    selected = panel.results.currentIndex().row()
    assert panel.results.rows.order[selected] == 2, (
        "another row is shown as selected than the one that Apply makes"
    )


def test_the_table_and_the_plot_are_exported(window, qtbot, tmp_path: Path):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..20:9",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    panel.export_study(tmp_path / "t.npz")
    panel.export_study(tmp_path / "p.png")
    panel.export_study(tmp_path / "p.svg")
    with np.load(tmp_path / "t.npz") as stored:
        assert stored["rows"].shape == (9, 2)
    assert (tmp_path / "p.png").stat().st_size > 1000
    assert "<svg" in (tmp_path / "p.svg").read_text()
    failed = []
    window.document.failed.connect(failed.append)
    panel.export_study(tmp_path / "t.xyz")
    assert "is not written as '.xyz'" in failed[0]


def test_all_buttons_of_the_form_can_be_reached_in_a_small_window(window, qtbot):
    for action in ("view.inspector", "view.plots", "view.study"):
        window.actions_by_id[action].trigger()
    window.resize(840, 500)
    wait_until_settled(window)
    window.study_dock.raise_()
    form = window.studies.form
    bar, buttons = (
        form.horizontalScrollBar(),
        (window.studies.stop_button, window.studies.saved.remove_button),
    )
    qtbot.waitUntil(form.isVisible)
    bar.setValue(bar.maximum())
    assert (
        max(b.mapTo(form.viewport(), b.rect().topRight()).x() for b in buttons)
        < form.viewport().width()
    )
    assert bar.isVisible() == (bar.maximum() > 0)


def test_names_are_completed_while_typing(window, qtbot):
    panel = window.studies
    line = panel.form.lists["vary"].lines[0]
    line.setFocus()
    qtbot.keyClicks(line, "prism.re")
    assert line.completer().currentCompletion() == "Prism.refIndex"
    other = panel.form.lists["measures"].lines[0]
    other.setFocus()
    qtbot.keyClicks(other, "deviation")
    assert other.completer().currentCompletion() == "deviation(Prism)"


def test_enter_takes_the_name_that_is_marked_and_the_next_one_runs_the_study(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:3")
    line = panel.form.lists["measures"].lines[0]
    line.setFocus()
    qtbot.keyClicks(line, "deviation(Pr")
    popup = line.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert line.text() == "deviation(Prism)"
    assert not panel.runner.busy
    with qtbot.waitSignal(panel.runner.finished, timeout=WAIT):
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert len(panel.table.rows) == 3


def test_a_line_is_added_by_a_key_and_typing_moves_no_field(window, qtbot):
    form = window.studies.form
    varied, measured = form.lists["vary"], form.lists["measures"].lines[0]
    assert QApplication.focusWidget() is varied.lines[0], "the menu leads into the form"
    qtbot.waitUntil(measured.isVisible)
    place = measured.mapTo(form, QPoint(0, 0))
    qtbot.keyClicks(varied.lines[0], "Prism.angle=0..1:2")
    qtbot.keyClick(varied.lines[0].completer().popup(), Qt.Key.Key_Escape)
    assert (len(varied.lines), measured.mapTo(form, QPoint(0, 0))) == (1, place)
    qtbot.keyClick(varied.lines[0], Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is varied.lines[1]
    assert not varied.add_button.isEnabled(), "it is empty"
    qtbot.keyClick(varied.lines[1], Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is measured


def test_what_is_plotted_at_the_end_is_all_that_was_found(window, qtbot):
    """Also where all rows were known before the end was told, and the plot is not due again."""
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)")
    run(qtbot, panel)
    panel.plot.clear_plot()
    panel._plotted = 1e9
    panel.runner.finished.emit(panel._progress)
    lengths = [
        len(item.getData()[0])
        for item in panel.plot.plotItem.listDataItems()
        if item.getData()[0] is not None
    ]
    assert 11 in lengths


def test_a_curve_follows_the_theme(window, qtbot, raybench_app):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..-10:11",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    before = theme.current_theme().name
    try:
        for name in ("paper", "dark"):
            theme.apply_theme(raybench_app, name)
            curve = panel.plot.plotItem.listDataItems()[0]
            assert curve.opts["pen"].color() == theme.current_theme().color("accent")
    finally:
        theme.apply_theme(raybench_app, before)


def test_the_names_of_measures_are_read_whole_after_a_study_with_shorter_ones(window, qtbot):
    panel = window.studies
    for measures in (("rays(Prism)", "escaped()"), ("most_total_reflections(Prism)", "escaped()")):
        panel.form.show_request(
            StudyRequest("sweep", vary=("Prism.angle=-20..-10:3",), measures=measures)
        )
        run(qtbot, panel)
        qtbot.waitUntil(lambda: panel.measure_box.width() >= panel.measure_box.sizeHint().width())
        assert panel.measure_box.currentText() == measures[0]
        assert (
            panel.measure_box.fontMetrics().horizontalAdvance(measures[0])
            < panel.measure_box.width() - 20
        )


def test_an_error_can_be_read_as_a_whole(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviate(Prism)")
    run(qtbot, panel)
    assert "deviate" in panel.hint.text()
    assert panel.hint.isVisible()
    assert not panel.plot.isVisible()


def test_the_context_menu_of_a_number_starts_a_study_of_it(window):
    prism = next(o for o in window.document.scene.objects if o.name == "Prism")
    window.selection.set([prism.key])
    edit = next(
        e
        for e in window.properties.findChildren(type(panel_number(window)))
        if e.accessibleName() == "Refractive index"
    )
    menu = QMenu()
    edit.extend_menu(menu)
    assert [a.text() for a in menu.actions() if a.text()] == ["Sweep…", "Optimise…", "Tolerance…"]
    menu.actions()[2].trigger()
    assert window.studies.form.request.kind == "optimise"
    assert window.studies.form.request.vary == ("Prism.refIndex=1.35..1.65",)


def test_a_study_of_the_centre_moves_the_object(window):
    prism = next(o for o in window.document.scene.objects if o.name == "Prism")
    window.selection.set([prism.key])
    edit = next(
        e
        for e in window.properties.findChildren(type(panel_number(window)))
        if e.accessibleName() == "Centre y"
    )
    menu = QMenu()
    edit.extend_menu(menu)
    menu.actions()[1].trigger()
    assert window.studies.form.request.vary == ("Prism.y=-20..20:41",)
    window.selection.set([o.key for o in window.document.scene.objects[:2]])
    edit = next(
        e
        for e in window.properties.findChildren(type(panel_number(window)))
        if e.accessibleName() == "Centre y"
    )
    edit.extend_menu(none := QMenu())
    assert none.actions() == []


def test_a_kind_of_study_chosen_in_the_menu_converts_what_is_in_the_form(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)")
    window.actions_by_id["study.optimise"].trigger()
    assert panel.form.request.vary == ("Prism.angle=-20..-10",)
    write(qtbot, panel.form.lists["goals"], "least deviation(Prism)")
    window.actions_by_id["study.tolerance"].trigger()
    assert panel.form.request.vary == ("Prism.angle±0.5",)
    assert panel.form.request.measures == ("deviation(Prism)",)
    assert panel.form.request.goals == ()


def test_another_kind_of_study_keeps_what_is_varied(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism)")
    run(qtbot, panel)
    panel.form.kind.setFocus()
    qtbot.keyClick(panel.form.kind, Qt.Key.Key_Down)
    assert panel.form.request.vary == ("Prism.angle=-20..-10",)
    write(qtbot, panel.form.lists["goals"], "least deviation(Prism)")
    panel.results.select_row(3)
    assert panel.plot._mark.getData()[0][0] == -17  # of the sweep that ran
    run(qtbot, panel)
    qtbot.keyClick(panel.form.kind, Qt.Key.Key_Down)
    assert panel.form.request.vary == ("Prism.angle±0.5",)
    assert panel.form.request.goals == ()
    run(qtbot, panel)
    assert panel.note.full_text.startswith("Done in")


def test_the_numbers_under_the_pointer_are_told(window, qtbot):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..-10:11",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    told = f"Prism.angle = -17°, deviation(Prism) = {panel.table.rows[3, 1]:.6g}°"

    def pointed() -> bool:
        """Whether it is told once the pointer has come, when the layout has settled and moves are
        not too frequent to be noticed.
        """
        across = panel.plot.plotItem.vb.mapViewToScene(
            QPointF(-17.2, float(panel.table.rows[3, 1]))
        )
        where = panel.plot.mapFromScene(across)
        qtbot.mouseMove(panel.plot.viewport(), where - QPoint(0, 3))
        qtbot.wait(20)
        qtbot.mouseMove(panel.plot.viewport(), where)
        return panel.note.full_text == told

    qtbot.waitUntil(pointed)
    assert "Prism.angle is how far it is turned from where it stands." in panel.summary.text()
    panel.plot.pointed.emit(-1)
    assert panel.note.full_text.startswith("Done in")


def test_nothing_is_under_the_pointer_on_a_curve_that_is_undefined_throughout(window):
    values = np.array([[1.0, np.nan], [1.0, np.nan]])
    window.studies.plot.show_curve(
        Table(("Prism.angle", "deviation(Prism)"), ("°", "°"), values, 0), 1
    )
    assert window.studies.plot._at(QPointF(1.0, 0.0)) == -1


def test_the_form_shows_any_number_that_a_study_may_have(window):
    request = StudyRequest(
        "tolerance", vary=("Prism.angle±1",), samples=MOST_SAMPLES, seed=2**31 - 1
    )
    window.studies.form.show_request(StudyRequest.from_json(request.to_json()))
    assert window.studies.form.request == request


def test_a_map_has_a_scale_of_colours_and_a_curve_has_none(window, qtbot):
    panel = window.studies
    scales = lambda: [  # noqa: E731
        i for i in panel.plot.scene().items() if isinstance(i, pg.ColorBarItem) and i.isVisible()
    ]
    measures = ("deviation(Prism)",)
    for _ in range(2):
        panel.form.show_request(
            StudyRequest(
                "sweep",
                vary=("Prism.angle=-20..-10:3", "Prism.refIndex=1.4..1.5:3"),
                measures=measures,
            )
        )
        run(qtbot, panel)
        assert len(scales()) == 1
        assert scales()[0].levels() == (panel.table.rows[:, 2].min(), panel.table.rows[:, 2].max())
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..-10:3",), measures=measures)
    )
    run(qtbot, panel)
    assert scales() == []
    assert panel.plot.plotItem.vb.width() > 0.7 * panel.plot.width()


def test_the_measure_beside_the_scale_of_a_map_is_no_html(window):
    measure = "power(<b>Screen</b> & <img src='/red.png'>)"
    rows = np.array([[a, b, a + b] for a in (0.0, 1.0) for b in (0.0, 1.0)])
    plot = window.studies.plot
    plot.show_map(Table(("Lens.x", "Lens.y", measure), ("mm", "mm", ""), rows, 1), 2)
    scale = next(i for i in plot.scene().items() if isinstance(i, pg.ColorBarItem))
    assert scale.getAxis("right").label.toPlainText().strip() == measure


def panel_number(window):
    from raybench_workbench.panels.number_edit import NumberEdit

    return window.properties.findChild(NumberEdit)


def test_opening_another_scene_forgets_the_study(window, qtbot, tmp_path: Path):
    from raybench.files.document_file import save_document

    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..20:9",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    save_document(lens_scene(), tmp_path / "lens.json")
    assert window.document.open(tmp_path / "lens.json")
    assert panel.table is None
    assert panel.results.rows.rowCount() == 0


def test_the_marked_point_is_that_of_the_row(window, qtbot):
    panel = window.studies
    panel.form.show_request(
        StudyRequest("sweep", vary=("Prism.angle=-20..-10:11",), measures=("deviation(Prism)",))
    )
    run(qtbot, panel)
    panel.results.select_row(3)
    x, y = panel.plot._mark.getData()
    assert x[0] == -17
    assert math.isclose(y[0], panel.table.rows[3, 1])


def test_the_form_and_saved_studies_follow_a_renamed_object_and_undo(window, qtbot):
    panel = window.studies
    write(qtbot, panel.form.lists["vary"], "Prism.angle=-20..-10:11")
    write(qtbot, panel.form.lists["measures"], "deviation(Prism, Laser)")
    panel.saved.save_study("Deviation")
    window.document.change(Set("Prism", {"name": "Wedge"}))
    for request in (
        panel.form.request,
        StudyRequest.from_json(window.document.document.studies["Deviation"]),
    ):
        assert (request.vary, request.measures) == (
            ("Wedge.angle=-20..-10:11",),
            ("deviation(Wedge, Laser)",),
        )
    run(qtbot, panel)
    assert panel.plot.isVisible()
    window.document.undo()
    assert panel.form.request.vary == ("Prism.angle=-20..-10:11",)
    assert window.document.document.studies["Deviation"]["vary"] == ["Prism.angle=-20..-10:11"]


def test_a_long_name_of_a_saved_study_keeps_its_end_in_the_list(window, qtbot):
    panel, name = window.studies, "Deviation of the prism, and the power that arrives at the screen"
    panel.saved.save_study(name)
    listed = panel.saved.list
    assert listed.currentText() == name
    option, parts = QStyleOptionComboBox(), QStyle.SubControl
    listed.initStyleOption(option)
    room = (
        listed.style()
        .subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, parts.SC_ComboBoxEditField, listed
        )
        .width()
        - 2
    )
    shown = QComboBox(listed.parentWidget())
    shown.addItem(elide_to_width(name, listed.fontMetrics(), room))
    assert "…" in shown.currentText()
    shown.setGeometry(listed.geometry())
    shown.show()
    qtbot.waitExposed(shown)
    assert listed.grab().toImage() == shown.grab().toImage()
    assert listed.toolTip() == name


def test_a_study_is_saved_with_the_document_and_comes_back(window, qtbot, tmp_path: Path):
    panel = window.studies
    first = StudyRequest(
        "optimise",
        vary=("Prism.angle=-30..5",),
        goals=("least deviation(Prism)",),
        whole_range=True,
        seed=4,
    )
    panel.form.show_request(first)
    qtbot.mouseClick(panel.saved.save_button, Qt.MouseButton.LeftButton)
    (dialog,) = panel.findChildren(NameDialog)
    for name, reason in (("  ", "A study needs a name."), ("Least deviation", "")):
        dialog.edit.selectAll()
        qtbot.keyClicks(dialog.edit, name)
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
        assert (dialog.edit.text(), dialog.reason.text()) == (name, reason)
    panel.form.show_request(StudyRequest("sweep"))
    assert window.document.session.history.done[-1].text == "Document: study Least deviation saved"
    assert window.document.save(tmp_path / "scene.raybench")
    assert window.document.open(tmp_path / "scene.raybench")
    panel.saved.list.setCurrentIndex(0)
    panel.saved.list.activated.emit(0)
    assert panel.form.request == first
    qtbot.mouseClick(panel.saved.remove_button, Qt.MouseButton.LeftButton)
    assert window.document.document.studies == {}
    window.document.undo()
    assert panel.saved.list.count() == 1


def test_a_study_may_have_the_name_of_the_list_and_lines_of_any_length(window, qtbot):
    saved, form = window.studies.saved, window.studies.form
    title = saved.list.accessibleName()
    assert (
        saved.list.currentIndex(),
        saved.list.placeholderText(),
        saved.remove_button.isEnabled(),
    ) == (-1, title, False)
    request = StudyRequest(
        "sweep", vary=("Prism.angle=0..1",), measures=(f"power(Screen){' + 0' * 20_000}",)
    )
    form.show_request(request)
    assert saved.save_study(title) == ""
    form.show_request(StudyRequest("sweep"))
    assert (saved.list.currentText(), saved.remove_button.isEnabled()) == (title, True)
    saved.list.activated.emit(saved.list.currentIndex())
    assert form.request == request
    qtbot.mouseClick(saved.remove_button, Qt.MouseButton.LeftButton)
    assert (saved.list.currentIndex(), window.document.document.studies) == (-1, {})


def test_a_heading_breaks_before_its_unit_and_nowhere_else(window):
    table = Table(("Prism [A].x", "share(Lens [B])"), ("mm", ""), np.zeros((1, 2)), 1)
    window.studies.results.show_table(table)
    headings = [
        window.studies.results.rows.headerData(column, Qt.Orientation.Horizontal)
        for column in range(2)
    ]
    assert headings == ["Prism [A].x\n[mm]", "share(Lens [B])"]


def test_an_empty_panel_says_what_to_write_with_the_names_of_the_scene_in_its_examples(window):
    panel = window.studies
    examples = {name: lines.lines[0].placeholderText() for name, lines in panel.form.lists.items()}
    assert examples["vary"] == "Prism.angle=-20..20:81"
    assert examples["measures"].startswith("power(")
    assert panel.hint.isVisible()
    assert not panel.plot.isVisible()
    panel.form.kind.setCurrentIndex(1)
    assert "goals" in panel.hint.text()


@pytest.mark.parametrize("kind", STUDY_KINDS)
def test_no_button_or_number_of_the_form_is_cut_in_a_small_window(open_window, kind):
    window = open_window(lens_scene(), size=(840, 500))
    window.actions_by_id[f"study.{kind}"].trigger()
    wait_until_settled(window)
    panel, form = window.studies, window.studies.form
    assert (window.width(), window.height()) == (840, 500)
    for button in (
        panel.run_button,
        panel.stop_button,
        panel.saved.save_button,
        panel.saved.remove_button,
    ):
        assert (
            form.viewport()
            .rect()
            .contains(QRect(button.mapTo(form.viewport(), QPoint(0, 0)), button.size()))
        ), button.text()
    assert form.horizontalScrollBar().maximum() == 0
    for number in (form.samples, form.seed):
        if number.isVisible():
            assert number.lineEdit().width() > 60
            assert number.lineEdit().cursorRect().left() > 0, "its text is in sight"
