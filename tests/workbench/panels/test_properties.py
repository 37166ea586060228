"""The form of properties: what it shows, takes and refuses."""

from __future__ import annotations

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit

from core.scene.document import Document
from core.scene.glasses import SphericalLens
from core.scene.point import Point
from core.scene.scene import Scene
from workbench.panels.number_edit import NumberEdit, parse_number


@pytest.fixture
def window(open_window):
    return open_window(prism_document())


def select(window, *names):
    window.selection.set(o.key for o in window.document.scene.objects if o.title in names)


def field(window, name, kind=NumberEdit):
    return next(w for w in window.properties.widget().findChildren(kind) if w.accessibleName() == name)


def typed(qtbot, edit, text):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def prism(window):
    return window.document.scene.objects[1]


def steps(window):
    return [s.text for s in window.document.session.history.done]


def test_nothing_selected_says_what_to_do(window):
    assert "Click an object" in window.properties.widget().findChild(QLabel).text()


def test_a_number_is_one_undo_step_and_retraces(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    assert edit.text() == "1.5"
    typed(qtbot, edit, "1.62")
    assert prism(window).ref_index == 1.62
    assert steps(window) == ["Change refractive index of Main Prism"]
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    window.document.undo()
    assert field(window, "Refractive index").text() == "1.5"


@pytest.mark.parametrize(("text", "says"), [("glass", "not a number"), ("9", "between 1 and 4"), ("nan", "not a finite number")])
def test_wrong_input_is_refused_with_a_reason_and_the_old_value_stays(window, qtbot, text, says):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    typed(qtbot, edit, text)
    assert says in window.messages.error.label.whole
    assert prism(window).ref_index == 1.5
    assert steps(window) == []
    edit.clearFocus()
    window.canvas.setFocus()
    assert edit.text() == "1.5"


def test_a_coordinate_keeps_its_unit_beside_it(window, qtbot):
    select(window, "Screen")
    edit = field(window, "First end y")
    assert [label.text() for label in edit.findChildren(QLabel)] == ["mm"]
    typed(qtbot, edit, "120")
    assert window.document.scene.objects[2].p1 == (400, 120)


def test_arrow_keys_step_a_number(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert prism(window).ref_index == pytest.approx(1.6)


def test_a_change_goes_to_all_selected_in_one_step(window, qtbot):
    select(window, "Main Prism", "Screen")
    lock = field(window, "Lock", QComboBox)
    lock.setCurrentIndex(1)
    lock.activated.emit(1)
    assert [o.locked for o in window.document.scene.objects] == ["default", "locked", "locked", "default"]
    assert steps(window) == ["Change lock of 2 objects"]


def test_a_switch_and_a_name(window, qtbot):
    select(window, "Main Prism")
    box = next(b for b in window.properties.widget().findChildren(QCheckBox) if b.text() == "Partial reflection")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert prism(window).partial_reflect is False
    typed(qtbot, field(window, "Name", QLineEdit), "Wedge")
    assert prism(window).name == "Wedge"
    assert window.tree.model.data(window.tree.model.index(1)) == "Wedge"


def test_a_point_of_an_outline_is_set_by_number(window, qtbot):
    select(window, "Main Prism")
    typed(qtbot, field(window, "Outline 2 x"), "90")
    assert prism(window).path[2] == (90, 280, False)


@pytest.mark.parametrize(("text", "value"), [("1,5", 1.5), (" 2e3 ", 2000.0), ("\u22124", -4.0)])
def test_numbers_are_read_as_people_write_them(text, value):
    assert parse_number(text, "Size") == value


def test_a_lens_without_a_stored_outline_shows_what_it_has(open_window):
    lens = SphericalLens(name="Lens", p1=Point(100, 50), p2=Point(100, 150), params={"d": 20, "r1": 100, "r2": -100})
    window = open_window(Document(scene=Scene.of([lens])))
    window.selection.set({lens.key})
    names = {w.accessibleName() for w in window.properties.widget().findChildren(NumberEdit)}
    assert {"First rim x", "Refractive index"} <= names
    assert not any(n.startswith("Outline") for n in names)
