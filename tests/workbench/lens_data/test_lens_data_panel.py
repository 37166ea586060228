"""The lens data panel by mouse and keys: cells, rows, links, the system, and what it says meanwhile."""

from __future__ import annotations

import math

import pytest
from clipped_texts import clipped
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton, QSpinBox

from raybench.lens.design import LensDesign, Pickup, Solve, SolveKind
from raybench.lens.glass import ModelGlass, match_glass
from raybench.lens.opening import lens_document
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import ApertureKind, Field, Prescription, Surface
from raybench.scene.changes import AddPreset, Delete
from raybench.session import Session
from raybench.shapes.point import Point
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.lens_data.cell_table import MARK_ROLE
from raybench_workbench.lens_data.lenses import LensSystems
from raybench_workbench.lens_data.panel import LensDataPanel
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_seconds, wait_until_settled

pytestmark = pytest.mark.one_window


Key = Qt.Key
COMMENT, RADIUS, THICKNESS, GLASS, SEMI, CONIC = range(6)


TRIPLET = Prescription(
    (
        Surface(22.01359, 3.25896, "N-SK16", comment="Front"),
        Surface(-435.76044, 6.00755),
        Surface(-22.21328, 0.99997, "N-F2", comment="Flint"),
        Surface(20.29192, 4.75041),
        Surface(79.68360, 2.95208, "N-SK16", comment="Rear"),
        Surface(-18.39533, 42.20778),
    ),
    stop=3,
    fields=(Field(0), Field(14), Field(20)),
)


class Bench:
    """A document with lenses, and a panel on it with hands on its table."""

    def __init__(self, lenses, qtbot):
        self.qtbot = qtbot
        (name, first), *others = lenses.items()
        self.document = WorkDocument(Session(lens_document(first, name)))
        for i, (other, _) in enumerate(others, 1):
            self.document.apply(AddPreset("CentredLens", {}, Point(0, 100.0 * i), as_=other))
        self.selection = Selection()
        self.lenses = LensSystems(self.document, self.selection)
        self.panel = LensDataPanel(self.lenses, lambda: None, lambda: None)
        self.table, self.model = self.panel.table, self.panel.model

    def go(self, row, column):
        at = self.table.visualRect(self.model.index(row, column)).center()
        self.qtbot.mouseClick(self.table.viewport(), Qt.MouseButton.LeftButton, pos=at)

    def type(self, row, column, text, end=Key.Key_Return):
        """Type into a cell and end with a key."""
        self.go(row, column)
        edit = self.begin(text)
        self.qtbot.keyClick(edit, end)
        QApplication.processEvents()

    def begin(self, text, table=None):
        """Type into the current cell of a table."""
        table = table or self.table
        self.qtbot.keyClicks(table, text[:1])
        edit = next(e for e in table.viewport().findChildren(QLineEdit) if e.isVisible())
        self.qtbot.keyClicks(edit, text[1:])
        return edit

    def key(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.qtbot.keyClick(self.table, key, modifier)

    def text(self, row, column):
        return self.model.index(row, column).data()

    def choose(self, title):
        """Choose an entry of the menu of the current cell."""
        menu = self.panel._context_menu()
        entries = [
            *menu.actions(),
            *(a for m in menu.actions() if m.menu() for a in m.menu().actions()),
        ]
        next(a for a in entries if a.text() == title).trigger()

    @property
    def design(self) -> LensDesign:
        return self.lenses.design(self.panel._name)

    @property
    def system(self) -> Prescription:
        return self.design.system

    @property
    def step(self) -> str:
        """The last step of the history."""
        return self.document.session.history.undo_text

    def dialog(self):
        return next(d for d in self.panel.findChildren(QDialog) if d.isVisible())


@pytest.fixture
def bench(raybench_app, qtbot):
    panels = []

    def open_panel(size=(1000, 320), **systems):
        bench = Bench(systems or {"Triplet": TRIPLET}, qtbot)
        panels.append(bench.panel)
        bench.panel.resize(*size)
        bench.panel.show()
        with qtbot.waitActive(bench.panel):
            bench.panel.activateWindow()
        return bench

    yield open_panel
    for panel in panels:
        panel.close()


def test_a_triplet_is_typed_by_keys(bench):
    """From one plane: insert rows, and type columns downwards and a row across."""
    table = bench(New=Prescription((Surface(thickness=50.0),)))
    table.go(1, RADIUS)
    for _ in range(5):
        table.key(Key.Key_Insert)
    assert len(table.system.surfaces) == 6
    table.go(1, RADIUS)
    for surface in TRIPLET.surfaces:
        row = table.table.currentIndex().row()
        table.type(row, RADIUS, f"{surface.radius}")
    for row, surface in enumerate(TRIPLET.surfaces, 1):
        table.type(row, THICKNESS, f"{surface.thickness}")
        if surface.glass != "AIR":
            table.type(row, GLASS, surface.glass.lower())
    assert table.step == "New: thickness of surface 6"
    made, wanted = table.system, TRIPLET
    assert first_order(made).focal_length == pytest.approx(first_order(wanted).focal_length)
    assert "f 50.023 mm" in table.panel.figures.text().replace("\u00a0", " ")


def test_units_and_tab_go_across(bench):
    table = bench()
    table.type(1, RADIUS, "1 in", Key.Key_Tab)
    edit = QApplication.focusWidget()
    assert isinstance(edit, QLineEdit)
    assert edit.accessibleName() == "Thickness of surface 1"
    table.qtbot.keyClicks(edit, "5 mm")
    table.qtbot.keyClick(edit, Key.Key_Return)
    QApplication.processEvents()
    assert (table.system.surfaces[0].radius, table.system.surfaces[0].thickness) == (25.4, 5.0)
    table.type(2, RADIUS, "inf")
    assert math.isinf(table.system.surfaces[1].radius)
    assert table.text(2, RADIUS) == "∞"


def test_a_refused_value_stays_in_its_cell(bench):
    table = bench()
    before = table.system
    table.type(3, RADIUS, "abc")
    assert table.text(3, RADIUS) == "abc"
    assert table.panel.notes.text().startswith("Radius must be a number")
    table.type(1, THICKNESS, "4")
    assert table.text(3, RADIUS) == "abc"
    assert "Surface 3: Radius must be a number" in table.panel.notes.text()
    assert table.system.surfaces[2] == before.surfaces[2]
    table.go(3, RADIUS)
    table.key(Key.Key_Escape)
    assert float(table.text(3, RADIUS)) == -22.21328


def test_a_refused_thickness_is_taken_once_there_is_room_for_it(bench):
    table = bench()
    table.type(1, SEMI, "8.6")
    table.type(2, SEMI, "8.6")
    table.type(1, THICKNESS, "1")
    assert "cross below the rim" in table.panel.notes.text()
    assert table.system.surfaces[0].thickness == 3.25896
    table.type(1, RADIUS, "60")
    assert (table.system.surfaces[0].radius, table.system.surfaces[0].thickness) == (60.0, 1.0)
    assert not table.model.refusals


def test_an_unknown_glass_is_refused_with_near_ones_to_press(bench):
    table, near = bench(), match_glass("N-F3").similar_names[0]
    table.type(3, GLASS, "N-F3")
    assert table.table.currentIndex().row() == 3  # it stays where it is to be corrected
    table.type(1, GLASS, "1.62/60.3")
    assert table.system.surfaces[0].glass == ModelGlass(1.62, 60.3)
    table.go(3, GLASS)
    QApplication.processEvents()
    button = next(
        b
        for b in table.panel.findChildren(QPushButton)
        if b.text() == f"Use {near}" and b.isVisible()
    )
    table.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert table.text(3, GLASS) == near
    assert not table.model.refusals


def test_glasses_are_completed(bench):
    table = bench()
    table.go(2, GLASS)
    edit = table.begin("lasf")
    popup = edit.completer().popup()
    assert popup.isVisible()
    table.qtbot.keyClick(popup, Key.Key_Down)
    chosen = popup.currentIndex().data()
    table.qtbot.keyClick(popup, Key.Key_Return)
    table.qtbot.waitUntil(lambda: table.system.surfaces[1].glass == chosen)
    assert chosen.startswith("N-LASF")


def test_figures_follow_what_is_typed(bench):
    table = bench()
    shown = table.panel.figures.text()
    table.go(1, RADIUS)
    edit = table.begin("30")
    typed = table.panel.figures.text()
    assert typed != shown
    assert table.system == TRIPLET
    table.qtbot.keyClick(edit, Key.Key_Escape)
    assert table.panel.figures.text() == shown


def test_what_is_wrong_stands_in_its_row(bench):
    table = bench()
    table.type(1, THICKNESS, "1")
    table.go(1, THICKNESS)
    assert table.panel.notes.text().startswith("Surfaces 1 and 2 cross at the rim")
    wrong, right = table.model.index(1, THICKNESS), table.model.index(2, THICKNESS)
    assert "cross at the rim" in wrong.data(Qt.ItemDataRole.ToolTipRole)
    color = Qt.ItemDataRole.ForegroundRole
    assert wrong.data(color) != right.data(color)
    table.type(1, THICKNESS, "3")
    assert not table.panel.notes.isVisible()


def test_rows_are_edited_by_keys_and_menu(bench):
    table = bench()
    surfaces = table.system.surfaces
    table.go(5, RADIUS)
    table.key(Key.Key_Delete)
    assert table.system.surfaces == (*surfaces[:4], surfaces[5])
    table.go(5, RADIUS)
    table.key(Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert table.system.surfaces[3] == surfaces[5]
    assert table.table.currentIndex().row() == 4
    table.go(1, RADIUS)
    table.choose("Stop here")
    assert table.system.stop == 0
    table.choose("Scale lens…")
    dialog = table.dialog()
    _, length = dialog.findChildren(NumberEdit)
    wanted = 2 * length.value
    length.setFocus()
    length.selectAll()
    table.qtbot.keyClicks(length, f"{wanted:.10g}")
    table.qtbot.keyClick(length, Key.Key_Return)
    assert table.system.surfaces[0].radius == pytest.approx(2 * surfaces[0].radius)
    table.go(2, RADIUS)
    table.choose("Mirror here")
    assert table.text(2, GLASS) == "Mirror"
    table.choose("Add aspheric term")
    assert table.model.headerData(6, Qt.Orientation.Horizontal) == "y⁴"
    table.type(2, 6, "1e-5")
    assert table.system.surfaces[1].aspheric == (0.0, 1e-5)


def test_a_range_is_reversed_by_its_row_titles(bench):
    table = bench()
    titles = table.table.verticalHeader()
    for row, modifier in (
        (5, Qt.KeyboardModifier.NoModifier),
        (6, Qt.KeyboardModifier.ShiftModifier),
    ):
        at = titles.viewport().rect().center()
        at.setY(titles.sectionViewportPosition(row) + 5)
        table.qtbot.mouseClick(titles.viewport(), Qt.MouseButton.LeftButton, modifier, at)
    table.choose("Reverse")
    assert [s.radius for s in table.system.surfaces[4:]] == [18.39533, -79.6836]
    assert table.step == "Triplet: surfaces 5 to 6 reversed"


def test_a_spreadsheet_is_pasted_as_one_step_and_copied(bench):
    table = bench()
    table.go(2, RADIUS)
    rows = "Radius\tThickness\tGlass\n-400,5\t6\t\n-22\t1\tN-F2\n"
    QApplication.clipboard().setText(rows)
    table.key(Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert table.step == "Triplet: rows pasted"
    assert [s.radius for s in table.system.surfaces[1:3]] == [-400.5, -22.0]
    QApplication.clipboard().setText("-22,5")
    table.go(3, RADIUS)
    table.key(Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "write -22.5 with a decimal point" in table.panel.notes.text()
    table.key(Key.Key_Escape)
    QApplication.clipboard().setText("22\t3\tBK999")
    table.key(Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "Line 1: The catalogue has no glass 'BK999'" in table.panel.notes.text()
    copied = table.system
    table.table.selectAll()
    table.key(Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    table.type(1, RADIUS, "99")
    table.go(1, RADIUS)
    table.key(Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert table.system == copied


def test_links_are_set_by_the_menu_and_marked(bench):
    table = bench()
    table.go(6, RADIUS)
    table.choose("Pickup…")
    dialog = table.dialog()
    dialog.findChild(QSpinBox).setValue(2)
    factor, _ = dialog.findChildren(NumberEdit)
    factor.setFocus()
    factor.selectAll()
    table.qtbot.keyClicks(factor, "0.0423")
    factor.commit()
    dialog.accept_value()
    assert table.design.pickups == (Pickup("r6", "r2", 0.0423),)
    assert table.model.index(6, RADIUS).data(MARK_ROLE) == "P"
    tip = table.model.index(6, RADIUS).data(Qt.ItemDataRole.ToolTipRole)
    assert "It follows by a pickup: 0.0423 r2." in tip
    table.go(6, THICKNESS)
    table.choose("Solve for paraxial focus…")
    table.qtbot.keyClick(table.dialog().edit, Key.Key_Return)
    table.qtbot.waitUntil(lambda: table.design.solves == (Solve("t6", SolveKind.FOCUS),))
    assert table.system.surfaces[5].thickness == pytest.approx(first_order(table.system).back_focus)
    table.go(3, RADIUS)
    table.choose("Variable of the merit")
    assert [v.parameter for v in table.design.variables] == ["c3"]
    wait_seconds(0)  # until the dialog is deleted
    with table.qtbot.waitActive(table.panel):
        table.panel.activateWindow()
    table.go(2, RADIUS)
    table.key(Key.Key_Delete)
    assert table.design.pickups == ()
    assert table.step.endswith("surface 2 deleted, with 1 link or variable")
    table.type(5, THICKNESS, "40")
    assert table.design.solves == ()


def test_the_system_has_a_form(bench):
    table = bench(size=(1000, 640))
    form = table.panel.form
    form.aperture.setCurrentText("f-number")
    form.aperture.activated.emit(form.aperture.currentIndex())
    assert table.system.aperture.kind is ApertureKind.F_NUMBER
    assert table.system.aperture.value == pytest.approx(first_order(TRIPLET).f_number)
    form.value.setFocus()
    form.value.selectAll()
    table.qtbot.keyClicks(form.value, "4")
    table.qtbot.keyClick(form.value, Key.Key_Return)
    assert table.system.aperture.value == 4.0

    def type_into(cells, row, column, text):
        at = cells.visualRect(cells.model().index(row, column)).center()
        table.qtbot.mouseClick(cells.viewport(), Qt.MouseButton.LeftButton, pos=at)
        table.qtbot.keyClick(table.begin(text, cells), Key.Key_Return)
        QApplication.processEvents()

    type_into(form.fields, 3, 0, "24")
    assert [f.value for f in table.system.fields] == [0, 14, 20, 24]
    type_into(form.fields, 1, 0, "95")
    assert "does not come from in front" in form.reason.text()
    table.qtbot.keyClick(form.fields, Key.Key_Delete)
    assert [f.value for f in table.system.fields] == [0, 20, 24]
    type_into(form.wavelengths, 3, 0, "e")
    assert table.system.wavelengths[3].value == 546.074
    primary = form.wavelengths.model().index(3, 2)
    form.wavelengths.model().setData(primary, 2, Qt.ItemDataRole.CheckStateRole)
    assert table.system.primary == 3


def test_the_panel_follows_the_selection_and_says_how_to_get_a_lens(bench):
    table = bench(A=TRIPLET, B=TRIPLET)
    first, second = table.document.document.parts
    assert (table.panel._name, len(table.system.surfaces)) == ("A", 6)
    table.selection.set(second.present_objects)
    assert table.panel.lens.currentText() == "B"
    table.panel.lens.setCurrentText("A")
    table.panel.lens.activated.emit(0)
    table.type(1, RADIUS, "22.5")  # of the lens that was chosen last
    assert (table.panel._name, table.step) == ("A", "A: radius of surface 1")
    table.document.apply(Delete([*first.present_objects, *second.present_objects]))
    titles = [b.text() for b in table.panel.findChildren(QPushButton) if b.isVisible()]
    assert titles == ["Insert a lens system", "Import a lens file…"]
    table.document.undo()
    assert table.table.isVisible()


def test_signs_and_faults_are_seen(bench, shots):
    table = bench(size=(800, 300))
    table.go(6, THICKNESS)
    table.choose("Solve for paraxial focus…")
    table.qtbot.keyClick(table.dialog().edit, Key.Key_Return)
    table.qtbot.waitUntil(lambda: table.model.index(6, THICKNESS).data(MARK_ROLE) == "S")
    table.type(1, THICKNESS, "1")
    table.type(3, GLASS, "???")
    wait_seconds(0)
    assert table.model.index(1, SEMI).data(MARK_ROLE) == "A"
    assert clipped(table.panel) == []
    shots(table.panel, "lens-data")


def test_a_narrow_panel_keeps_the_table(bench):
    table = bench(size=(420, 320))
    assert table.table.isVisible()
    table.qtbot.mouseClick(table.panel.system, Qt.MouseButton.LeftButton)
    assert table.panel.form.isVisible()
    assert not table.table.isVisible()


def test_the_dock_inserts_a_lens_and_its_edits_are_undone(open_window, qtbot):
    window = open_window()
    qtbot.keyClick(window, Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    panel = window.lens_dock.panel
    button = next(b for b in panel.findChildren(QPushButton) if b.text() == "Insert a lens system")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_until_settled(window)
    assert panel.table.isVisible()
    index = panel.model.index(1, RADIUS)
    qtbot.mouseClick(
        panel.table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=panel.table.visualRect(index).center(),
    )
    qtbot.keyClicks(panel.table, "2")
    edit = next(e for e in panel.table.viewport().findChildren(QLineEdit) if e.isVisible())
    qtbot.keyClicks(edit, "2")
    qtbot.keyClick(edit, Key.Key_Return)
    wait_until_settled(window)
    assert panel.design.system.surfaces[0].radius == 22.0
    assert window.document.session.history.undo_text == "Lens system: radius of surface 1"
    qtbot.keyClick(panel.table, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.design.system.surfaces[0].radius == 21.52
    assert float(index.data()) == 21.52
