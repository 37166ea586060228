"""A measure over the changes of a scene, in the real window: one value after each change, drags
counted once.
"""

from __future__ import annotations

import csv
from threading import Event

import pytest
from beam_plots import beam_document, choose_plot
from PySide6.QtCore import Qt

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.sources import Beam
from raybench.scene.changes import Delete, Set
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.plots import changes
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


@pytest.fixture
def window(open_window):
    window = open_window(beam_document())
    window.actions_by_id["view.plots"].trigger()
    wait_until_settled(window)
    choose_plot(window, "changes")
    return window


def power(window):
    return measure_values("power(Screen)", window.document.document, window.document.result)[
        0
    ].value


def brightness(window, value):
    window.document.change([Set(["Lamp"], {"brightness": value})])
    wait_until_settled(window)


def texts(window):
    return [value.words for value in window.plots.changes.measured.values]


def values(window):
    return [value.measured.value for value in window.plots.changes.measured.values]


def test_a_measure_follows_changes_undo_and_redo(window):
    panel, first = window.plots, power(window)
    assert panel.changes.expression.text() == "power(Screen)"
    brightness(window, 0.5)
    second = power(window)
    brightness(window, 0.25)
    third = power(window)
    assert third == pytest.approx(first / 4)
    window.document.undo()
    wait_until_settled(window)
    window.document.redo()
    wait_until_settled(window)
    assert values(window) == pytest.approx([first, second, third, second, third])
    step = window.document.session.history.done[-1].text
    assert texts(window) == ["at first", texts(window)[1], step, f"{step}, taken back", step]
    assert list(panel.changes.plot.curve.y) == pytest.approx(values(window))
    assert step in panel.changes.note.text()


def test_changes_are_counted_in_whole_numbers(window):
    axis, shown = window.plots.changes.plot.getAxis("bottom"), []
    for value in (0.5, 0.25, 0.4):
        spacings = axis.tickSpacing(*axis.range, axis.width())
        shown += [tick for _, ticks in axis.tickValues(*axis.range, axis.width()) for tick in ticks]
        assert min(step for step, _ in spacings) >= 1
        brightness(window, value)
    assert set(shown) == {0, 1, 2}


def test_a_drag_is_one_measured_change(window, hand, qtbot):
    window.service.worker.budget.milliseconds = 500.0
    mouse = hand(window.canvas)
    window.selection.set({window.document.scene.objects[1].key})
    mouse.press(100, 90)
    mouse.move(100, 80)
    mouse.move(100, 60)
    qtbot.waitUntil(lambda: texts(window) == ["at first", "now"], timeout=20_000)
    mouse.move(100, 40)
    mouse.release()
    wait_until_settled(window)
    assert len(values(window)) == 2
    assert values(window)[-1] == pytest.approx(power(window))
    assert values(window)[-1] < values(window)[0]
    assert texts(window)[-1] == window.document.session.history.done[-1].text


def test_a_refused_measure_stays_with_its_reason(window, qtbot):
    panel = window.plots
    brightness(window, 0.5)
    panel.changes.expression.selectAll()
    qtbot.keyClicks(panel.changes.expression, "centroid(Scren)")
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Return)
    assert panel.changes.expression.text() == "centroid(Scren)"
    assert "Screen" in panel.changes.refusal.text()
    assert panel.changes.refusal.isVisible()
    assert len(values(window)) == 2
    panel.changes.expression.selectAll()
    qtbot.keyClicks(panel.changes.expression, "centroid(Screen)")
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Return)
    wait_until_settled(window)
    assert not panel.changes.refusal.isVisible()
    assert values(window) == pytest.approx([50.0])
    assert panel.changes.plot.curve.y_title == "centroid(Screen) (mm)"


def test_without_a_measure_the_plot_gives_help(open_window, qtbot):
    window = open_window(
        Document(scene=Scene.of([Beam(name="Lamp", p1=Point(0, 0), p2=Point(0, 40))]))
    )
    window.actions_by_id["view.plots"].trigger()
    choose_plot(window, "changes")
    panel = window.plots
    assert panel.changes.view.hint.isVisible()
    assert not panel.export_button.isEnabled()
    qtbot.keyClicks(panel.changes.expression, "powr()")
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Return)
    brightness(window, 0.5)
    assert panel.changes.expression.text() == "powr()"
    assert panel.changes.refusal.isVisible()
    panel.changes.expression.selectAll()
    qtbot.keyClicks(panel.changes.expression, "escaped()")
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Return)
    wait_until_settled(window)
    assert panel.changes.plot.isVisible()
    assert panel.export_button.isEnabled()


def test_without_a_text_nothing_is_measured_any_more(window, qtbot):
    panel = window.plots
    panel.changes.expression.selectAll()
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Backspace)
    qtbot.keyClick(panel.changes.expression, Qt.Key.Key_Return)
    brightness(window, 0.5)
    assert panel.changes.expression.text() == ""
    assert values(window) == []
    assert panel.changes.view.hint.isVisible()


def test_a_measure_of_a_deleted_object_comes_back(window):
    window.document.change([Delete(["Screen"])])
    wait_until_settled(window)
    window.document.undo()
    wait_until_settled(window)
    found = window.plots.changes.measured.values
    assert [value.measured.defined for value in found] == [True, False, True]
    assert "no longer in the scene" in found[1].description


def test_another_file_begins_its_changes_anew(window, tmp_path):
    brightness(window, 0.5)
    window.plots.export(tmp_path / "changes.csv")
    rows = list(csv.reader((tmp_path / "changes.csv").open(newline="")))
    assert rows[0] == ["change", "what", "power(Screen) [relative power]"]
    assert [row[1] for row in rows[1:]] == texts(window)
    assert [float(row[2]) for row in rows[1:]] == pytest.approx(values(window))
    window.document.new()
    wait_until_settled(window)
    assert values(window) == []
    assert window.plots.changes.expression.text() == ""


def test_the_measure_follows_another_name_of_its_object(window):
    panel = window.plots
    window.document.change(Set("Screen", {"name": "Wall"}))
    wait_until_settled(window)
    assert panel.changes.expression.text() == panel.changes.measured.expression == "power(Wall)"
    assert len(values(window)) == 2
    assert all(value.measured.defined for value in panel.changes.measured.values)
    window.document.undo()
    wait_until_settled(window)
    assert panel.changes.expression.text() == "power(Screen)"
    assert not panel.changes.refusal.isVisible()


def test_an_earlier_measures_value_is_not_kept(window, monkeypatch):
    followed, begun, go_on = window.plots.changes.measured, Event(), Event()

    def held(bound, document, result):
        if bound.expression.startswith("share"):
            begun.set()
            go_on.wait(20)
        return measured_by(bound, document, result)

    measured_by = changes._measured_value
    monkeypatch.setattr(changes, "_measured_value", held)
    followed.watch_measure("share(Screen)")
    assert begun.wait(20)
    followed.watch_measure("rays(Screen)")
    go_on.set()
    wait_until_settled(window)
    rays = measure_values("rays(Screen)", window.document.document, window.document.result)[0]
    assert [v.measured for v in followed.values] == [rays]
