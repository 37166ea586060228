"""The lens merit panel in the real window, by mouse and keys: operands, variables, configurations,
searches and tolerances.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from clipped_texts import clipped
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QToolButton,
)
from tests.core.lens.lenses import TRIPLET

from raybench.lens.configurations import (
    configured_value,
    shown_configuration,
    with_added_configuration,
    with_configured_parameter,
    with_configured_value,
    with_shown_configuration,
)
from raybench.lens.design import LensDesign, Variable
from raybench.lens.opening import lens_document
from raybench.lens.paraxial import first_order
from raybench.lens.usual_merit import usual_operands
from raybench.scene.changes import Duplicate, Set
from raybench_workbench.lens_data.cell_table import MARK_ROLE
from raybench_workbench.lens_merit.operand_list import AIM, NOW, OF, QUANTITY, SHARE
from raybench_workbench.lens_merit.search import SearchRun
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key
PATIENCE = 60_000


class Hand:
    """A hand on the panel of a window."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot
        self.panel = window.merit_dock.panel

    @property
    def design(self):
        (part,) = self.window.document.document.parts
        return part.preset.lens_design

    @property
    def steps(self):
        return self.window.document.session.history.done

    def press(self, title):
        """Press a visible button."""
        button = next(
            b
            for b in self.panel.findChildren(QPushButton)
            if b.text() == title and b.isVisible() and b.isEnabled()
        )
        QTest.mouseClick(button, LEFT)

    def show(self, title):
        """Click a tab."""
        bar = self.panel.tabs.tabBar()
        index = next(i for i in range(bar.count()) if bar.tabText(i) == title)
        QTest.mouseClick(bar, LEFT, pos=bar.tabRect(index).center())

    def go(self, table, row, column):
        index = table.cells.index(row, column)
        table.scrollTo(index)
        QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())

    def type(self, table, row, column, text):
        self.go(table, row, column)
        QTest.keyClicks(table, text[:1])
        edit = next(e for e in table.viewport().findChildren(QLineEdit) if e.isVisible())
        QTest.keyClicks(edit, text[1:])
        QTest.keyClick(edit, Key.Key_Return)
        QApplication.processEvents()

    def choose(self, table, name):
        """Choose a name in the box that is open in a table."""
        box = next(b for b in table.viewport().findChildren(QComboBox) if b.isVisible())
        self.qtbot.waitUntil(lambda: box.view().isVisible())
        box.view().keyboardSearch(name)
        QTest.keyClick(box.view(), Key.Key_Return)
        self.qtbot.waitUntil(lambda: table.state() != QAbstractItemView.State.EditingState)

    def use_standard_merit(self, entry):
        button = next(
            b for b in self.panel.findChildren(QToolButton) if b.text().startswith("Usual")
        )
        QTest.mouseClick(button, LEFT)
        menu = QApplication.activePopupWidget()
        next(a for a in menu.actions() if a.text() == entry).trigger()
        menu.close()

    def wait(self):
        """Wait until the search has ended and the window is settled."""
        self.qtbot.waitUntil(lambda: not self.panel.runner.busy, timeout=PATIENCE)
        wait_until_settled(self.window)

    def shown(self, row, column):
        return self.panel.operands.list.index(row, column).data()


def spoilt():
    """The triplet out of focus, with a wrong last radius."""
    return TRIPLET.with_surface(5, radius=-19.5, thickness=44.0)


@pytest.fixture
def hand(open_window, qtbot):
    window = open_window(lens_document(spoilt(), "Triplet"))
    window.actions_by_id["view.merit"].trigger()
    wait_until_settled(window)
    yield Hand(window, qtbot)
    window.merit_dock.panel.close_search()


def test_an_operand_is_added_by_keys_with_its_present_value(hand):
    panel = hand.panel
    assert "Choose a usual merit" in panel._empty_notes[0][0].text()
    panel.operands.setFocus()
    QTest.keyClick(panel.operands, Key.Key_Insert)
    hand.choose(panel.operands, "focal length")
    length = first_order(spoilt()).focal_length
    assert hand.design.operands[0].target == pytest.approx(length, rel=1e-4)
    wait_until_settled(hand.window)
    assert float(hand.shown(0, NOW)) == pytest.approx(length, rel=1e-4)
    assert hand.shown(0, OF) == ""
    hand.type(panel.operands, 0, AIM, "50")
    wait_until_settled(hand.window)
    assert panel.merit.full_text == f"merit {length - 50:.5g}"
    assert len(hand.steps) == 2
    hand.window.actions_by_id["edit.undo"].trigger()
    assert hand.design.operands[0].target != 50


def test_targets_are_numbers_bounds_and_ranges(hand):
    panel = hand.panel
    panel.add_operand()
    hand.choose(panel.operands, "edge thickness")
    for text, least, most in ((">= 1 mm", 1, float("inf")), ("0.5..8", 0.5, 8)):
        hand.type(panel.operands, 0, AIM, text)
        operand = hand.design.operands[0]
        assert (operand.least, operand.most) == (least, most)
    assert hand.shown(0, AIM) == "0.5 … 8"
    hand.type(panel.operands, 0, AIM, "9 to 2")
    assert hand.shown(0, AIM) == "9 to 2"
    assert "above the upper" in panel.note.text()
    assert panel.note.isVisible()
    QTest.keyClick(panel.operands, Key.Key_Escape)
    assert hand.shown(0, AIM) == "0.5 … 8"
    assert not panel.note.isVisible()
    hand.type(panel.operands, 0, OF, "3")
    assert hand.shown(0, OF) == "surface 3"
    hand.type(panel.operands, 0, OF, "9")
    wait_until_settled(hand.window)
    now = panel.operands.list.index(0, NOW)
    assert now.data() == "—"
    assert "no number 9" in now.data(Qt.ItemDataRole.ToolTipRole)


def test_operands_are_duplicated_moved_and_deleted_by_keys(hand):
    panel, table = hand.panel, hand.panel.operands
    hand.use_standard_merit("Spot + focal length")
    names = [o.text for o in hand.design.operands]
    assert names[:3] == ["ray heights", "focal length", "centre thickness of surface 1"]
    hand.go(table, 1, QUANTITY)
    QTest.keyClick(table, Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(table, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [o.text for o in hand.design.operands][1:4] == [names[1], names[2], names[1]]
    QTest.keyClick(table, Key.Key_Delete)
    assert [o.text for o in hand.design.operands] == names
    wait_until_settled(hand.window)
    shares = [float(hand.shown(row, SHARE)) for row in range(len(names))]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert not panel.note.isVisible()


def test_operands_and_their_shares_are_seen(hand, shots):
    hand.use_standard_merit("Spot + focal length")
    wait_until_settled(hand.window)
    assert hand.panel.merit.full_text.startswith("merit 0.")
    assert clipped(hand.panel) == []
    shots(hand.panel, "lens-merit")


def test_optimise_is_one_step_and_the_values_follow(hand):
    hand.use_standard_merit("Spot + focal length")
    hand.type(hand.panel.operands, 1, AIM, "50")
    hand.show("Variables")
    hand.press("All curvatures")
    hand.press("All distances")
    varied = [v.parameter for v in hand.design.variables]
    assert varied == [f"{kind}{i}" for kind in "ct" for i in range(1, 7)]
    for row in range(12, 2, -1):  # what remains is quick
        if row - 1 not in (5, 11):
            hand.go(hand.panel.variables, row - 1, 0)
            QTest.keyClick(hand.panel.variables, Key.Key_Delete)
    wait_until_settled(hand.window)
    before, steps = hand.design, len(hand.steps)
    hand.press("Optimise")
    hand.wait()
    assert len(hand.steps) == steps + 1
    assert hand.steps[-1].text.startswith("Triplet: optimise, merit ")
    assert "evaluations" in hand.panel.merit.full_text
    assert first_order(hand.design.system).focal_length == pytest.approx(50, abs=0.5)
    assert len(hand.panel.plot.merits) > 2
    assert hand.panel.plot.isVisible()
    assert (
        hand.panel.variables.list.index(0, 3).data()
        == f"{hand.design.system.surfaces[0].curvature:.6g}"
    )
    assert hand.window.selection.proposed_edit is None
    hand.window.actions_by_id["edit.undo"].trigger()
    assert hand.design == before


def test_a_search_without_variables_says_what_is_missing(hand):
    hand.use_standard_merit("Wavefront + focal length")
    steps = len(hand.steps)
    hand.press("Optimise")
    hand.wait()
    assert "needs at least one variable" in hand.panel.note.text()
    assert hand.panel.merit.full_text.startswith("merit ")
    hand.press("Choose glasses")
    hand.wait()
    assert "No glass varies" in hand.panel.note.text()
    assert len(hand.steps) == steps


def start_wide_search(hand):
    hand.use_standard_merit("Spot + focal length")
    hand.panel.add_variables("All curvatures")
    wait_until_settled(hand.window)
    steps = len(hand.steps)
    hand.press("Search widely")
    hand.qtbot.waitUntil(lambda: bool(hand.panel.runner.current.merits), timeout=PATIENCE)
    return steps


def test_a_stopped_search_keeps_the_best_so_far(hand):
    steps = start_wide_search(hand)
    hand.qtbot.waitUntil(lambda: hand.window.selection.proposed_edit is not None, timeout=PATIENCE)
    first = hand.panel.runner.current.best.first_merit
    hand.press("Stop")
    hand.wait()
    assert len(hand.steps) == steps + 1
    assert hand.panel.plot.merits[-1][1] < first


def test_an_edit_of_the_lens_ends_the_search_without_a_change(hand):
    steps = start_wide_search(hand)
    hand.window.document.apply([Set("Triplet", {"r1": 23.0})])
    assert not hand.panel.runner.busy
    assert "edited meanwhile" in hand.panel.note.text()
    wait_until_settled(hand.window)
    assert len(hand.steps) == steps + 1
    assert hand.window.selection.proposed_edit is None


def test_two_focusing_distances_are_two_columns(hand):
    panel, table = hand.panel, hand.panel.configurations
    hand.show("Configurations")
    hand.press("Add")
    assert len(hand.design.configurations) == 2
    hand.type(table, 1, 0, "t6")
    hand.type(table, 1, 3, "48")
    assert [dict(c.values)["t6"] for c in hand.design.configurations] == [44.0, 48.0]
    assert panel.states.headerData(2, Qt.Orientation.Horizontal) == "1 · bench"
    hand.go(table, 1, 3)
    hand.press("Vary")
    assert [v.parameter for v in hand.design.variables] == ["t6_2"]
    assert table.cells.index(1, 3).data(MARK_ROLE) == "V"
    hand.press("Show on the bench")
    assert hand.design.system.surfaces[5].thickness == 48.0
    hand.type(table, 1, 3, "47")  # the bench follows
    assert hand.design.system.surfaces[5].thickness == 47.0
    hand.type(table, 2, 0, "glass1")
    assert panel.note.text()
    assert hand.design.configurations[0].values == (("t6", 44.0),)
    QTest.keyClick(table, Key.Key_Escape)
    hand.go(table, 1, 2)
    hand.press("Delete")
    assert len(hand.design.configurations) == 1


def test_tolerances_give_sensitivities_a_yield_and_a_file(hand, tmp_path):
    panel, page = hand.panel, hand.panel.tolerances
    hand.show("Tolerances")
    assert page.compensators.text() == "t6"
    hand.press("Commercial")
    assert page.deviations.list.rowCount() == 15  # six radii, five distances, three glasses, add
    hand.go(page.deviations, 0, 0)
    for _ in range(8):
        QTest.keyClick(page.deviations, Key.Key_Delete)
    hand.go(page.limits, 0, 0)
    QTest.keyClick(page.limits, Key.Key_Return)
    hand.choose(page.limits, "rms spot")
    hand.type(page.limits, 0, AIM, "0.05")
    assert "at most" in panel.note.text()
    QTest.keyClick(page.limits, Key.Key_Escape)
    hand.type(page.limits, 0, AIM, "<= 0.05")
    page.samples.setValue(5)
    QTest.mouseClick(page.run_button, LEFT)
    hand.wait()
    assert panel.note.text() == ""
    assert "Yield" in page.summary.text()
    assert "rms spot" in page.summary.text()
    table = page.sensitivities.rows.table
    changes = abs(table.rows[:, 1])
    assert list(changes) == sorted(changes, reverse=True)
    assert len(changes) == 6
    page.export_table("sensitivities", tmp_path / "s.csv")
    page.export_table("samples", tmp_path / "n.csv")
    assert (tmp_path / "s.csv").read_text().startswith("deviation,Δ merit at −,Δ merit at +,")
    assert len((tmp_path / "n.csv").read_text().splitlines()) == 6
    hand.window.document.apply([Set("Triplet", {"r1": 23.0})])
    assert "changed since" in page.summary.text()
    assert len(hand.steps) == 1


def test_both_docks_show_the_lens_that_is_chosen(hand):
    panel, window = hand.panel, hand.window
    assert not panel.lens.isVisible()
    window.document.apply([Duplicate("Triplet", dx=200), Set("Triplet 2", {"r6": -18.0})])
    assert panel.lens.isVisible()
    QTest.keyClick(panel.lens, Key.Key_Down)
    assert panel._shown_design().system.surfaces[5].radius == -18.0
    window.actions_by_id["view.lens"].trigger()
    assert window.lens_dock.panel.lens.currentText() == "Triplet 2"


def test_the_configuration_on_the_bench_stays_there_after_a_search():
    design = LensDesign(spoilt(), operands=usual_operands(LensDesign(spoilt())))
    zoom = with_configured_parameter(with_added_configuration(design), "t6")
    zoom = with_configured_value(zoom, "t6", 1, 43.0)
    varied = tuple(Variable(f"t6_{k}", 30.0, 60.0) for k in (1, 2))
    start = replace(with_shown_configuration(zoom, 1), variables=varied)
    run = SearchRun(title="Optimise", start=start)
    run.run_search(lambda: False)
    assert shown_configuration(run.best.design) != 1
    assert run.design.system.surfaces[5].thickness == configured_value(run.design, "t6", 1)
    assert run.evaluations == run.merits[-1][0]


def test_without_a_lens_the_panel_says_how_to_get_one(open_window):
    window = open_window(replace(lens_document(TRIPLET, "Triplet"), parts=()))
    window.actions_by_id["view.merit"].trigger()
    wait_until_settled(window)
    panel = window.merit_dock.panel
    assert panel.stack.currentIndex() == 0
    button = next(b for b in panel.findChildren(QPushButton) if b.isVisible())
    QTest.mouseClick(button, LEFT)
    wait_until_settled(window)
    assert panel.stack.currentIndex() == 1
