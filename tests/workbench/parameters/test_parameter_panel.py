"""The panel of numbers by mouse and keys: cells, links, what is shown, columns, and sliders."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from tests.core.study.scenes import lens_scene

from raybench.files.document_file import document_from_json, document_to_json
from raybench.scene.changes import Set
from raybench.scene.slider_range import SliderRange
from raybench.session import Session
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.panels.properties import PropertiesForm
from raybench_workbench.panels.settings_form import SceneSettings
from raybench_workbench.parameters.model import LINK, OBJECT, SLIDER, VALUE
from raybench_workbench.parameters.panel import ParameterPanel
from raybench_workbench.studies.form import StudyForm

pytestmark = pytest.mark.one_window

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


class Bench:
    """The scene of a lens, and a panel on its numbers with hands on the table."""

    def __init__(self, qtbot: Any) -> None:
        self.qtbot = qtbot
        self.document = WorkDocument(Session(lens_scene()))
        self.selection = Selection()
        self.panel = ParameterPanel(self.document, self.selection)
        self.table, self.model = self.panel.table, self.panel.model
        self.errors: list[str] = []
        self.document.failed.connect(self.errors.append)
        self.panel.resize(900, 500)
        qtbot.addWidget(self.panel)
        self.panel.show()

    def row(self, name: str) -> int:
        return next(i for i, n in enumerate(self.model.rows) if n.parameter.text == name)

    def go(self, name: str, column: int) -> None:
        index = self.model.index(self.row(name), column)
        self.table.scrollTo(index)
        at = self.table.visualRect(index).center()
        self.qtbot.mouseClick(self.table.viewport(), LEFT, pos=at)

    def type(self, name: str, column: int, text: str) -> None:
        """Type a text into a cell in place of what it holds, and press Enter."""
        self.go(name, column)
        self.qtbot.keyClick(self.table, Key.Key_F2)
        *_, edit = self.table.viewport().findChildren(QLineEdit)
        self.qtbot.keyClicks(edit, text) if text else self.qtbot.keyClick(edit, Key.Key_Delete)
        self.qtbot.keyClick(edit, Key.Key_Return)
        QApplication.processEvents()

    def text(self, name: str, column: int = VALUE) -> str:
        return str(self.model.index(self.row(name), column).data())

    @property
    def steps(self) -> int:
        return len(self.document.session.history.done)

    @property
    def reason(self) -> str:
        """Why what is typed into the only refused cell is refused."""
        (refusal,) = self.model.refusals.values()
        return refusal.reason


@pytest.fixture
def bench(raybench_app: QApplication, qtbot: Any) -> Bench:
    return Bench(qtbot)


def test_numbers_are_typed_with_units_and_expressions(bench: Bench) -> None:
    bench.type("Lens.focalLength", VALUE, "5 cm + 2*3 mm")
    assert (bench.text("Lens.focalLength"), bench.steps) == ("56", 1)
    bench.type("Lens.centre_x", VALUE, "130")
    assert bench.text("Lens.p1.x") == "130"
    bench.type("Screen.binSize", VALUE, "-1")
    assert (bench.text("Screen.binSize"), bench.steps) == ("-1", 2)
    assert "binSize must be at least" in bench.reason
    bench.qtbot.keyClick(bench.table, Key.Key_Escape)
    assert bench.text("Screen.binSize") == "1"
    bench.document.undo()
    assert bench.text("Lens.centre_x") == "100"


def test_a_link_is_typed_followed_shown_and_taken_away(bench: Bench) -> None:
    bench.type("Screen.centre_x", LINK, "Lens.centre_x + Lens.f")
    assert bench.text("Screen.centre_x", LINK) == "= Lens.centre_x + Lens.f"
    bench.type("Lens.focalLength", VALUE, "50")
    assert bench.text("Screen.centre_x") == "150"
    bench.type("Screen.centre_x", VALUE, "3")
    assert "Screen.centre_x is linked" in bench.reason
    bench.document.apply(Set("Lens", {"name": "L1"}))
    assert bench.text("Screen.centre_x", LINK) == "= L1.centre_x + L1.f"
    bench.type("L1.focalLength", VALUE, "=Screen.centre_x")
    assert "circle" in bench.model.refusals[bench.row("L1.focalLength"), VALUE].reason
    bench.type("Screen.centre_x", LINK, "")
    assert bench.document.document.links == ()
    assert bench.text("Screen.centre_x") == "150"


def test_names_are_completed_within_an_expression(bench: Bench) -> None:
    bench.go("Screen.centre_x", LINK)
    bench.qtbot.keyClick(bench.table, Key.Key_F2)
    *_, edit = bench.table.viewport().findChildren(QLineEdit)
    bench.qtbot.keyClicks(edit, "2 * Lens.fo")
    bench.qtbot.keyClick(edit.completer().popup(), Key.Key_Down)
    bench.qtbot.keyClick(edit.completer().popup(), Key.Key_Return)
    bench.qtbot.waitUntil(lambda: bench.text("Screen.centre_x") == "200")
    assert bench.text("Screen.centre_x", LINK) == "= 2 * Lens.focalLength"


def test_what_is_shown_is_filtered_selected_and_sorted(bench: Bench) -> None:
    bench.qtbot.keyClicks(bench.panel.filter, "lens focal")
    assert [n.parameter.text for n in bench.model.rows] == ["Lens.focalLength"]
    bench.panel.filter.clear()
    bench.qtbot.mouseClick(bench.panel.selected_only, LEFT, pos=QPoint(8, 8))
    assert not bench.model.rows
    assert bench.panel.hint.isVisible()
    bench.selection.set([bench.document.scene.objects[1].key])
    assert {n.owner for n in bench.model.rows} == {"Lens"}
    header = bench.table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(VALUE) + 20, header.height() // 2)
    bench.qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    values = [float(bench.model.edited_text(i, VALUE)) for i in range(len(bench.model.rows))]
    assert values == sorted(values)


def test_columns_are_copied_and_pasted_as_one_step(bench: Bench) -> None:
    clipboard = QApplication.clipboard()
    bench.go("Lens.p1.x", OBJECT)
    first = bench.model.index(bench.row("Lens.p1.x"), VALUE)
    last = first.siblingAtRow(first.row() + 1)
    select = bench.table.selectionModel()
    select.select(first, select.SelectionFlag.ClearAndSelect)
    select.select(last, select.SelectionFlag.Select)
    bench.qtbot.keyClick(bench.table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "100\n100"
    bench.go("Lens.p1.x", VALUE)
    clipboard.setText("90\nhigh\n110")
    bench.qtbot.keyClick(bench.table, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert bench.steps == 0
    assert bench.errors.pop().startswith("Row 2: Lens.p1.y must be a number")
    clipboard.setText("90\n9 cm\n=Lens.p1.x + 1")
    bench.qtbot.keyClick(bench.table, Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [bench.text(f"Lens.{p}") for p in ("p1.x", "p1.y", "p2.x")] == ["90", "90", "91"]
    assert (bench.steps, bench.errors) == (1, [])


def test_a_slider_drags_a_number_as_one_step_and_is_kept(bench: Bench) -> None:
    index = bench.model.index(bench.row("Lens.focalLength"), SLIDER)
    bench.table.setCurrentIndex(index)
    bench.qtbot.keyClick(bench.table, Key.Key_Space)
    (row,) = bench.panel.sliders.rows
    assert (row.range.low, row.range.high) == (50, 150)
    slider, seen = row.slider, []
    bench.document.changed.connect(
        lambda _, after: seen.append(after.scene.objects[1].focal_length)
    )
    middle = QPoint(slider.width() // 2, slider.height() // 2)
    bench.qtbot.mousePress(slider, LEFT, pos=middle)
    for x in (10, 20, 40):
        bench.qtbot.mouseMove(slider, middle + QPoint(x, 0))
    assert seen == sorted(seen)
    assert len(seen) >= 2
    bench.qtbot.mouseRelease(slider, LEFT, pos=middle + QPoint(40, 0))
    assert bench.steps == 2
    assert bench.text("Lens.focalLength") == f"{seen[-1]:g}"
    bench.qtbot.mousePress(slider, LEFT, pos=middle + QPoint(40, 0))
    bench.qtbot.mouseMove(slider, middle)
    bench.qtbot.keyClick(slider, Key.Key_Escape)
    assert bench.steps == 2
    assert bench.text("Lens.focalLength") == f"{seen[-1]:g}"
    bench.qtbot.mouseRelease(slider, LEFT, pos=middle)
    bench.type("Lens.focalLength", VALUE, "=Lens.p1.x")
    assert not slider.isEnabled()
    bench.document.change(Set("Lens", {"name": "Main"}))
    row.high_edit.selectAll()
    bench.qtbot.keyClicks(row.high_edit, "120")
    bench.qtbot.keyClick(row.high_edit, Key.Key_Return)
    saved = document_from_json(document_to_json(bench.document.document))
    assert saved.sliders == {"Main.focalLength": SliderRange(50, 120)}
    bench.qtbot.mouseClick(row.remove, LEFT)
    assert bench.panel.sliders.rows == []
    bench.document.undo()
    assert [row.range for row in bench.panel.sliders.rows] == [SliderRange(50, 120)]


def test_the_menu_asks_for_studies_and_the_table_is_written(bench: Bench, tmp_path: Any) -> None:
    asked: list[tuple[str, str]] = []
    bench.panel.studyRequested.connect(lambda *what: asked.append(what))
    menu = QMenu()
    bench.panel.fill_menu(menu, bench.row("Lens.focalLength"))
    next(a for a in menu.actions() if a.text() == "Sweep…").trigger()
    next(a for a in menu.actions() if a.text() == "Add to study").trigger()
    assert asked == [("sweep", "Lens.focalLength"), ("", "Lens.focalLength")]
    form = StudyForm(bench.document, (), QWidget())
    bench.qtbot.addWidget(form)
    for kind, place, value in (("tolerance", "Lens.f", 100.0), ("", "Lens.centre_x", 50.0)):
        form.fill_for_parameter(kind, place, value, 10.0)
    assert form.request.vary == ("Lens.f±1", "Lens.centre_x±1")
    bench.type("Screen.centre_x", LINK, "Lens.centre_x")
    bench.panel.export_table(tmp_path / "numbers.csv")
    written = (tmp_path / "numbers.csv").read_text()
    assert "Lens,focalLength,Focal length,100,mm,\n" in written.replace("\r", "")
    assert "Screen,centre_x,Centre x,100,mm,'= Lens.centre_x" in written


def test_forms_show_links_and_take_them(raybench_app: QApplication, qtbot: Any) -> None:
    document, selection = WorkDocument(Session(lens_scene())), Selection()
    forms = PropertiesForm(document, selection), SceneSettings(document)
    for form in forms:
        qtbot.addWidget(form)
        form.show()
    selection.set([document.scene.objects[1].key])

    def field(name: str) -> NumberEdit:
        edits = [e for form in forms for e in form.findChildren(NumberEdit)]
        return next(e for e in edits if e.accessibleName() == name)

    def type_number(name: str, text: str) -> None:
        field(name).setFocus()
        field(name).selectAll()
        qtbot.keyClicks(field(name), text)
        qtbot.keyClick(field(name), Key.Key_Return)

    type_number("Ray density", "=Lens.f / 50")
    assert document.scene.settings.ray_mode_density == 2
    type_number("Focal length", "=Screen.p1.x / 2")
    assert document.scene.objects[1].focal_length == 90  # type: ignore[attr-defined]
    assert "It follows = Screen.p1.x / 2" in field("Focal length").toolTip()
    type_number("Focal length", "3")
    assert "Lens.focalLength is linked" in field("Focal length").refusal
    qtbot.keyClick(field("Focal length"), Key.Key_Escape)
    type_number("Centre x", "=Lamp.centre_x + 7")
    assert document.scene.objects[1].p1.x == 7  # type: ignore[attr-defined]
    type_number("Centre x", "50")
    assert "Lens.centre_x is linked" in field("Centre x").refusal
    qtbot.keyClick(field("Centre x"), Key.Key_Escape)
    type_number("Focal length", "=")
    assert [link.parameter.place for link in document.document.links] == [
        "centre_x",
        "rayModeDensity",
    ]
    assert "It follows" not in field("Focal length").toolTip()
