"""The form of properties: what it shows, takes and refuses."""

from __future__ import annotations

import math

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QColorDialog,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
)
from quiet import nothing_raised_or_printed
from window_state import named, select, steps, typed, wheel

from raybench.kinds.aspects.outlines import signed_area
from raybench.kinds.aspects.own_style import OwnStyle
from raybench.kinds.blockers import Blocker
from raybench.kinds.custom_surfaces import CustomSurface, OutRayFormulas
from raybench.kinds.decorations import CropBox, Handle, LineArrow, Protractor, TextLabel
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import BeamSplitter, CurveMirror, CustomMirror, Mirror, ParamMirror
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.outline import object_edges
from raybench.scene.changes import Add, Replace, Set, SetMaterial, SetSettings
from raybench.scene.control_points import control_points
from raybench.scene.creation import object_from_drag
from raybench.scene.document import Document
from raybench.scene.modules.module import Module
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex
from raybench_workbench import theme
from raybench_workbench.panels.number_edit import FormulaEdit, NumberEdit
from raybench_workbench.shot import wait_seconds

pytestmark = pytest.mark.one_window


def field(window, name, kind=NumberEdit):
    return next(
        w for w in window.properties.widget().findChildren(kind) if w.accessibleName() == name
    )


def prism(window):
    return window.document.scene.objects[1]


def test_nothing_selected_says_what_to_do(window):
    assert "Click an object" in window.properties.widget().findChild(QLabel).text()


def test_an_object_that_is_replaced_by_one_of_another_kind_gets_its_form(window):
    lamp = window.document.scene.objects[0]
    window.selection.set({lamp.key})
    with nothing_raised_or_printed([]) as check:
        window.document.change(
            Replace(
                lamp.title,
                with_={"type": "Protractor", "p1": {"x": 0, "y": 0}, "p2": {"x": 3, "y": 0}},
            )
        )
        check()
    assert type(window.document.scene.objects[0]) is Protractor
    assert not [
        w
        for w in window.properties.widget().findChildren(NumberEdit)
        if w.accessibleName() == "Brightness"
    ]


def test_a_number_is_one_undo_step_and_retraces(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    assert edit.text() == "1.5"
    typed(qtbot, edit, "1.62")
    assert prism(window).ref_index == 1.62
    assert steps(window) == ["Main Prism: refractive index 1.5 -> 1.62"]
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    window.document.undo()
    assert field(window, "Refractive index").text() == "1.5"


def test_undo_and_redo_work_while_a_number_field_has_the_focus(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    typed(qtbot, edit, "1.62")
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert prism(window).ref_index == 1.5
    edit = field(window, "Refractive index")
    edit.setFocus()
    qtbot.keyClick(
        edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert prism(window).ref_index == 1.62


def test_undo_takes_back_what_is_being_typed_and_not_the_document(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    typed(qtbot, edit, "1.62")
    edit.selectAll()
    qtbot.keyClicks(edit, "1.7")
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert prism(window).ref_index == 1.62
    assert edit.text() != "1.7"


def reasons(window):
    """The reasons of refusals that are visible in the form."""
    return [
        w.text()
        for w in window.properties.widget().findChildren(QLabel)
        if w.property("role") == "error" and w.isVisible()
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("glass", "must be a number"),
        ("inf", "must be a number"),
        ("1/0", "finite"),
        ("5 mm", "without a unit"),
        ("1,500", "comma"),
    ],
)
def test_refused_text_stays_to_be_corrected_with_its_reason_below(window, qtbot, text, says):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    typed(qtbot, edit, text)
    assert says in reasons(window)[0]
    assert prism(window).ref_index == 1.5
    assert steps(window) == []
    window.canvas.setFocus()
    assert edit.text() == text
    label = next(
        w for w in window.properties.widget().findChildren(QLabel) if w.text() == reasons(window)[0]
    )
    assert 0 <= label.y() - edit.geometry().bottom() < 12
    typed(qtbot, edit, "3/2 + 0.1")
    assert prism(window).ref_index == pytest.approx(1.6)
    assert reasons(window) == []


def test_escape_gives_a_refused_text_up(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    typed(qtbot, edit, "glass")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "1.5"
    assert reasons(window) == []


def test_a_coordinate_takes_units_and_expressions(window, qtbot):
    select(window, "Screen")
    for text, value in (
        ("10 cm", 100.0),
        ("800/2", 400.0),
        ("1/3", 1 / 3),
        ("1 in - 5 mm", 20.4),
        ("sqrt(2)*2 um", 2e-3 * 2**0.5),
    ):
        typed(qtbot, field(window, "First end x"), text)
        typed(qtbot, field(window, "First end y"), text)
        assert window.document.scene.objects[2].p1 == pytest.approx((value, value)), text
        assert window.messages.error.label.full_text == ""


@pytest.mark.parametrize("others", [("Ball",), ("Ball", "Main Prism"), ()])
def test_what_is_being_typed_is_of_the_object_that_the_form_shows_when_others_are_selected(
    window, qtbot, others
):
    """A click on a chip of the chat selects an object and leaves the focus where it is."""
    window.document.apply(
        Add((CircleGlass(name="Ball", p1=Point(500, 100), p2=Point(520, 100), ref_index=1.3),))
    )
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "1.9")
    select(window, *others)
    assert (prism(window).ref_index, named(window, "Ball").ref_index) == (1.9, 1.3)
    assert steps(window)[1:] == ["Main Prism: refractive index 1.5 -> 1.9"]
    if others == ("Ball",):
        assert field(window, "Refractive index").text() == "1.3"


def test_what_is_being_typed_when_another_document_is_opened_is_no_input_for_it(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "1.9")
    window.document.replace_session(Session(prism_document()))
    assert prism(window).ref_index == 1.5
    assert not steps(window)


def test_escape_gives_up_a_name_that_is_being_typed_and_then_leaves(window, qtbot):
    select(window, "Main Prism")
    name = field(window, "Name", QLineEdit)
    name.setFocus()
    qtbot.keyClicks(name, "X")
    qtbot.keyClick(name, Qt.Key.Key_Escape)
    assert (name.text(), name.isModified()) == ("Main Prism", False)
    qtbot.keyClick(name, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is window.canvas
    assert prism(window).name == "Main Prism"


def test_the_canvas_has_the_keys_again_after_enter(window, qtbot):
    fitted = window.canvas.camera
    select(window, "Screen")
    window.canvas.navigation.zoom(2)
    name = field(window, "Name", QLineEdit)
    name.setFocus()
    qtbot.keyClicks(name, "F")
    assert window.canvas.camera != fitted, "a text field takes its letters"
    typed(qtbot, field(window, "First end x"), "400")
    assert window.canvas.hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F)
    assert window.canvas.camera.scale != pytest.approx(2 * fitted.scale)


def test_letters_are_keys_of_the_canvas_while_a_choice_has_the_focus(window, qtbot):
    select(window, window.document.scene.objects[0].title)
    combo = window.properties.widget().findChild(QComboBox)
    combo.setFocus()
    before = window.canvas.camera.scale
    window.canvas.navigation.zoom(2)
    qtbot.keyClick(combo, Qt.Key.Key_F)
    assert window.canvas.camera.scale == pytest.approx(before)


def test_a_refused_number_keeps_the_focus(window, qtbot):
    select(window, "Screen")
    edit = field(window, "First end x")
    typed(qtbot, edit, "4; 5")
    assert edit.hasFocus()


def test_a_refused_number_is_reported_where_another_object_is_selected(window, qtbot):
    failures = []
    window.document.failed.connect(failures.append)
    select(window, "Main Prism")
    typed(qtbot, field(window, "Refractive index"), "1.5 glass")
    assert failures == []
    select(window, "Screen")
    assert failures == [
        "“1.5 glass” was not taken over. Refractive index is in 'glass'; give a number without a"
        " unit."
    ]
    select(window, "Main Prism")
    assert field(window, "Refractive index").text() == "1.5"


def test_a_source_moves_as_a_whole(open_window, qtbot):
    lamp = object_from_drag("AngleSource", Point(100, 200), Point(150, 150))
    window = open_window(Document(scene=Scene.of([lamp])))
    window.selection.set({lamp.key})
    typed(qtbot, field(window, "Centre x"), "120")
    (moved,) = window.document.scene.objects
    assert (moved.p1, moved.p2) == ((120, 200), (170, 150))
    names = {e.accessibleName() for e in window.properties.widget().findChildren(NumberEdit)}
    assert "Angle" in names
    assert not names & {"Position x", "Position y"}  # the place is shown once


def test_a_wavelength_takes_micrometres(window, qtbot):
    window.document.change(SetSettings({"simulateColors": True}))
    select(window, window.document.scene.objects[0].title)
    typed(qtbot, field(window, "Wavelength"), "0.5 um")
    assert window.document.scene.objects[0].wavelength == 500


def test_a_long_number_shows_its_head(window, qtbot):
    select(window, "Screen")
    edit = field(window, "First end y")
    typed(qtbot, edit, "1234567.891/7")
    assert edit.cursorPosition() == 0
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Tab)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    assert edit.hasFocus()
    assert (edit.selectedText(), edit.cursorPosition()) == (edit.text(), 0)


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


def test_arrow_keys_are_one_step_while_the_field_has_the_focus(window, qtbot):
    select(window, "Main Prism")
    edit = field(window, "Refractive index")
    for _ in range(2):
        edit.setFocus()
        for _ in range(3):
            qtbot.keyClick(edit, Qt.Key.Key_Up)
        window.canvas.setFocus()
    assert prism(window).ref_index == pytest.approx(2.1)
    assert steps(window) == [
        "Main Prism: refractive index 1.5 -> 1.8",
        "Main Prism: refractive index 1.8 -> 2.1",
    ]
    typed(qtbot, edit, "1.5")
    assert len(steps(window)) == 3
    window.document.undo()
    window.document.undo()
    assert prism(window).ref_index == 1.8


@pytest.mark.parametrize(
    ("start", "presses", "end"),
    [
        (4e-13, 1, 4.1e-13),
        (1e-15, -1, 9e-16),
        (0.3, 3, 0.33),
        (0.07, -70, 0.0),
        (1e300, 1, 1.1e300),
        (-2e-20, 1, -1.9e-20),
    ],
)
def test_arrow_keys_step_numbers_of_any_size(qtbot, start, presses, end):
    edit = NumberEdit("Power", step=0.001 if end == 0 else None)
    qtbot.addWidget(edit)
    edit.set_value(start)
    committed = []
    edit.committed.connect(committed.append)
    for _ in range(abs(presses)):
        qtbot.keyClick(edit, Qt.Key.Key_Up if presses > 0 else Qt.Key.Key_Down)
    assert committed[-1] == pytest.approx(end, rel=1e-9, abs=0)


@pytest.mark.parametrize(
    "thickness", ["inf", "nan", 10**400], ids=["infinite", "not a number", "endless"]
)
def test_arrow_keys_leave_what_is_no_number_as_it_is(open_window, qtbot, thickness):
    lens = SphericalLens(
        name="Lens", p1=Point(0, -20), p2=Point(0, 20), params={"d": thickness, "r1": 50, "r2": -50}
    )
    window = open_window(Document(scene=Scene(objects=(lens,))))
    select(window, "Lens")
    edit = field(window, "Thickness")
    assert edit.text() == ""
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert window.document.scene.objects[0].params["d"] == thickness
    typed(qtbot, edit, "12")
    assert window.document.scene.objects[0].params["d"] == 12


def test_a_change_goes_to_all_selected_in_one_step(window):
    select(window, "Main Prism", "Screen")
    lock = field(window, "Lock", QComboBox)
    lock.setCurrentIndex(1)
    lock.activated.emit(1)
    assert [o.locked for o in window.document.scene.objects] == [
        "default",
        "locked",
        "locked",
        "default",
    ]
    assert steps(window) == ["2 objects locked"]


def test_a_name_for_several_is_numbered_in_one_step(window, qtbot):
    select(window, "Main Prism", "Screen")
    typed(qtbot, field(window, "Name", QLineEdit), "Part")
    assert [o.title for o in window.document.scene.objects][1:3] == ["Part 1", "Part 2"]
    assert steps(window) == ["2 objects renamed to Part"]


def test_the_name_of_another_object_is_refused_with_the_remedy(window, qtbot):
    refused = []
    window.document.failed.connect(refused.append)
    select(window, "Main Prism")
    typed(qtbot, field(window, "Name", QLineEdit), "Screen")
    assert refused == ["There is another object named 'Screen'. Give one of them another name."]
    assert window.document.scene.objects[1].name == "Main Prism"
    assert field(window, "Name", QLineEdit).text() == "Main Prism"


def test_a_switch_and_a_name(window, qtbot):
    select(window, "Main Prism")
    box = next(
        b
        for b in window.properties.widget().findChildren(QCheckBox)
        if b.text() == "Partial reflection"
    )
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert prism(window).partial_reflect is False
    typed(qtbot, field(window, "Name", QLineEdit), "Wedge")
    assert prism(window).name == "Wedge"
    assert window.tree.model.data(window.tree.model.index(1)) == "Wedge"


def test_a_point_of_an_outline_is_set_by_number(window, qtbot):
    select(window, "Main Prism")
    typed(qtbot, field(window, "Outline 2 x"), "90")
    assert prism(window).path[2] == (90, 280, False)


def test_a_lens_without_a_stored_outline_shows_what_it_has(open_window):
    lens = SphericalLens(
        name="Lens", p1=Point(100, 50), p2=Point(100, 150), params={"d": 20, "r1": 100, "r2": -100}
    )
    window = open_window(Document(scene=Scene.of([lens])))
    window.selection.set({lens.key})
    names = {w.accessibleName() for w in window.properties.widget().findChildren(NumberEdit)}
    assert {"First rim x", "Refractive index"} <= names
    assert not any(n.startswith("Outline") for n in names)


@pytest.mark.parametrize("text", ["5.6", "0.67", "-1.5"])
def test_an_index_may_be_any_number(window, qtbot, text):
    select(window, "Main Prism")
    typed(qtbot, field(window, "Refractive index"), text)
    assert prism(window).ref_index == float(text)


def test_a_share_has_its_limits(open_window, qtbot):
    window = open_window(
        Document(scene=Scene.of([BeamSplitter(name="Splitter", p1=Point(0, 0), p2=Point(10, 10))]))
    )
    select(window, "Splitter")
    typed(qtbot, field(window, "Transmission"), "1.5")
    assert "between 0 and 1" in reasons(window)[0]
    assert window.document.scene.objects[0].trans_ratio == 0.5


@pytest.fixture
def notes(open_window):
    orange = {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "other": 7}
    lines = [
        LineArrow(name=name, p1=Point(0, y), p2=Point(90, y), line_style=style)
        for name, y, style in (("A", 0, None), ("B", 9, orange))
    ]
    text = TextLabel(name="Note", x=0, y=50, text="Note")
    return open_window(
        Document(
            scene=Scene.of([*lines, text, CropBox(name="Crop", p1=Point(0, 0), p4=Point(100, 60))])
        )
    )


def styles(window):
    return [o.line_style for o in window.document.scene.objects[:2]]


def test_the_width_and_the_dashes_of_several_lines_are_set_and_their_colours_kept(notes, qtbot):
    notes.selection.set({o.key for o in notes.document.scene.objects[:2]})
    assert field(notes, "Line width").text() == "1.25"
    typed(qtbot, field(notes, "Line width"), "3")
    choose(field(notes, "Dashes", QComboBox), 1)
    assert [OwnStyle.from_json(s) for s in styles(notes)] == [
        OwnStyle(None, 3, (6, 4)),
        OwnStyle((1, 0.5, 0, 1), 3, (6, 4)),
    ]
    assert field(notes, "Dashes", QComboBox).currentText() == "Dashed"
    choose(field(notes, "Dashes", QComboBox), 0)
    press(notes, "Remove the colour")
    assert styles(notes) == [{"width": 3}, {"width": 3, "other": 7}]
    assert button(notes, "Remove the colour").isHidden()
    assert button(notes, "Colour").text() == "as the theme"
    for _ in steps(notes):
        notes.document.undo()
    assert styles(notes) == [None, {"color": {"r": 1, "g": 0.5, "b": 0, "a": 1}, "other": 7}]
    typed(qtbot, field(notes, "Line width"), "1000")
    assert "between 0.1 and 100" in reasons(notes)[0]


def test_the_colour_of_a_text_is_chosen_in_a_dialog(notes):
    select(notes, "Note")
    press(notes, "Colour")
    dialog = notes.findChild(QColorDialog)
    assert dialog.isVisible()
    dialog.setCurrentColor(QColor(255, 0, 51, 102))
    dialog.accept()
    assert notes.document.scene.objects[2].fill_style == {
        "color": {"r": 1, "g": 0, "b": 0.2, "a": 0.4}
    }
    assert button(notes, "Colour").text().strip() == "#FF0033"
    assert not [
        w
        for w in notes.properties.widget().findChildren(QComboBox)
        if w.accessibleName() == "Dashes"
    ]


def test_a_crop_box_has_a_limit_of_rays_or_none(notes, qtbot):
    select(notes, "Crop")
    edit = field(notes, "Ray limit", QLineEdit)
    assert (edit.text(), edit.placeholderText()) == ("", "no limit")
    typed(qtbot, edit, "1e3")
    assert named(notes, "Crop").ray_count_limit == 1000
    typed(qtbot, edit, "-1")
    assert "at least 0" in notes.messages.error.label.full_text
    assert edit.text() == "1000"
    typed(qtbot, edit, " ")
    assert named(notes, "Crop").ray_count_limit == math.inf


@pytest.mark.parametrize("first", [0, 1])
def test_a_corner_that_is_added_on_an_arc_leaves_the_outline_as_it_is(open_window, first):
    lens = [Vertex(0, -30), Vertex(20, 0, True), Vertex(0, 30), Vertex(-10, 0, True)]
    body = Glass(name="Lens", path=tuple(lens[first:] + lens[:first]))
    window = open_window(Document(scene=Scene.of([body])))
    select(window, "Lens")
    field(window, "Add corner", QPushButton).click()
    after = named(window, "Lens")
    assert len(object_edges(after)) == 3
    assert signed_area(object_edges(after)) == pytest.approx(signed_area(object_edges(body)))


def test_a_corner_is_added_and_taken_out(window):
    select(window, "Main Prism")
    press(window, "Add corner")
    assert prism(window).path[3] == (150, 190, False)
    press(window, "Remove corner 1")
    assert [v[:2] for v in prism(window).path] == [(200, 100), (100, 280), (150, 190)]
    assert steps(window) == [
        "Main Prism: outline 3 items -> 4 items",
        "Main Prism: outline 4 items -> 3 items",
    ]
    assert not button(window, "Remove corner 0"), "an outline of three corners cannot lose one"


def button(window, name):
    return next(
        (
            b
            for b in window.properties.widget().findChildren(QPushButton)
            if b.accessibleName() == name
        ),
        None,
    )


def press(window, name):
    button(window, name).click()
    wait_seconds(0)


# --- formulas


@pytest.fixture
def graded(open_window):
    window = open_window(
        Document(scene=Scene.of([CircleGrinGlass(name="Ball", p1=Point(0, 0), p2=Point(50, 0))]))
    )
    select(window, "Ball")
    return window


def test_a_formula_that_can_be_read_is_taken(graded, qtbot):
    typed(qtbot, field(graded, "Refractive index", FormulaEdit), "1+x^2")
    assert graded.document.scene.objects[0].ref_index_fn == "1+x^2"
    assert steps(graded) == [r"Ball: refractive index 1+e^{-\frac{x^2+y^2}{50^2}} -> 1+x^2"]


def test_a_formula_that_cannot_be_read_shows_where_and_is_not_taken(graded, qtbot):
    edit = field(graded, "Refractive index", FormulaEdit)
    before = graded.document.document
    typed(qtbot, edit, "1+z^2")
    assert edit.error.position == 2
    assert edit.cursorPosition() == 2, "the cursor stands where the trouble is"
    shown = [
        label.text()
        for label in graded.properties.widget().findChildren(QLabel)
        if label.property("role") == "error"
    ]
    assert any("unknown variable 'z' at character 3" in text for text in shown)
    assert graded.document.document is before
    red = theme.current_theme().color("error").rgb()
    image = edit.grab().toImage()
    assert any(
        image.pixel(x, y) == red
        for x in range(4, image.width() - 4)
        for y in range(image.height() // 2, image.height() - 1)
    )
    graded.canvas.setFocus()
    assert edit.text() == "1+z^2", "what was typed is not lost"
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == graded.document.scene.objects[0].ref_index_fn
    qtbot.waitUntil(lambda: edit.error is None)


def test_a_wrong_formula_of_a_file_is_pointed_at_without_a_key(open_window, qtbot):
    window = open_window(
        Document(
            scene=Scene.of([CustomMirror(name="Bowl", p1=Point(0, 0), p2=Point(9, 0), eqn="x+")])
        )
    )
    select(window, "Bowl")
    edit = field(window, "f(x)", FormulaEdit)
    qtbot.waitUntil(lambda: edit.error is not None)


# --- lists


def test_steps_are_edited_of_curves_that_are_polygonal(open_window, qtbot):
    bowl = CustomMirror(name="Bowl", p1=Point(0, 0), p2=Point(9, 0), eqn="x")
    window = open_window(Document(scene=Scene.of([ParamMirror(name="Curve"), bowl])))
    for name, label in (("Curve", "Pieces 0 tStep"), ("Bowl", "Step")):
        select(window, name)
        numbers = window.properties.widget().findChildren(NumberEdit)
        assert label not in [number.accessibleName() for number in numbers]
        window.document.apply((Set(named(window, name).key, {"curveType": "polygonal"}),))
        typed(qtbot, field(window, label), "0.5")
    curve, bowl = window.document.scene.objects
    assert (curve.pieces[0]["tStep"], bowl.curve_step_size) == (0.5, 0.5)


def test_parametric_pieces_are_edited_added_and_taken_out(open_window, qtbot):
    window = open_window(Document(scene=Scene.of([ParamMirror(name="Curve")])))
    select(window, "Curve")
    typed(qtbot, field(window, "Pieces 0 eqnX", FormulaEdit), "20\\cdot t")
    typed(qtbot, field(window, "Pieces 0 tMax"), "3")
    (piece,) = window.document.scene.objects[0].pieces
    assert (piece["eqnX"], piece["tMax"], piece["tStep"]) == ("20\\cdot t", 3.0, 0.01)
    assert not button(window, "Remove piece 0")
    press(window, "Add piece")
    assert len(window.document.scene.objects[0].pieces) == 2
    typed(qtbot, field(window, "Pieces 1 eqnY", FormulaEdit), "t^2")
    press(window, "Remove piece 0")
    (piece,) = window.document.scene.objects[0].pieces
    assert piece["eqnY"] == "t^2"


def test_pieces_that_are_no_list_are_left_alone(open_window):
    window = open_window(Document(scene=Scene.of([ParamMirror(name="Curve", pieces="round")])))
    select(window, "Curve")
    assert any(
        "cannot be read" in label.text()
        for label in window.properties.widget().findChildren(QLabel)
    )


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("nodes", [(), (CurveNode(Point(7, 8)),)], ids=["none", "one"])
def test_a_curve_of_too_few_nodes_gets_two(open_window, qtbot, nodes, closed):
    window = open_window(
        Document(scene=Scene.of([CurveMirror(name="Arc", points=nodes, is_closed=closed)]))
    )
    select(window, "Arc")
    press(window, "Add node")
    added = window.document.scene.objects[0]
    assert [n.a1 for n in added.points] == [(7, 8) if nodes else (0, 0)] * 2
    assert len(object_edges(added)) == 1 + closed


def test_a_long_list_says_where_it_can_be_edited(open_window):
    rays = CustomSurface(
        name="Rays", p1=Point(0, 0), p2=Point(0, 50), out_rays=(OutRayFormulas("0", "0"),) * 30
    )
    corners = Glass(
        name="Corners", path=tuple(Vertex(50 * math.cos(i), 50 * math.sin(i)) for i in range(30))
    )
    window = open_window(Document(scene=Scene.of([rays, corners])))
    for name, says in (
        ("Rays", "30 items: edit them as JSON."),
        ("Corners", "30 items: drag them on the canvas."),
    ):
        select(window, name)
        assert says in [label.text() for label in window.properties.findChildren(QLabel)]


def test_the_slider_of_a_number_beyond_its_range_is_at_an_end(open_window):
    places = {1e10: 180, -1e40: 0, 0.25: 45, 1e-300: 0}
    splitters = [
        BeamSplitter(name=f"Splitter {i}", p1=Point(i, 0), p2=Point(i, 50), trans_ratio=ratio)
        for i, ratio in enumerate(places)
    ]
    window = open_window(Document(scene=Scene.of(splitters)))
    for splitter in splitters:
        select(window, splitter.name)
        slider = field(window, "Transmission, slider", QSlider)
        assert slider.value() == places[splitter.trans_ratio]
    assert [o.trans_ratio for o in window.document.scene.objects] == list(places)


def test_a_node_is_added_to_a_curve_without_changing_it(open_window, qtbot):
    nodes = (CurveNode(Point(0, 0), Point(0, 40), Point(40, 40)), CurveNode(Point(40, 0)))
    window = open_window(
        Document(scene=Scene.of([CurveMirror(name="Arc", points=nodes, is_closed=False)]))
    )
    select(window, "Arc")
    press(window, "Add node")
    added = window.document.scene.objects[0].points
    assert added[1].a1 == (20, 30)
    press(window, "Remove node 1")
    assert [n.a1 for n in window.document.scene.objects[0].points] == [(0, 0), (40, 0)]
    typed(qtbot, field(window, "Curve 0 first control point y"), "60")
    assert window.document.scene.objects[0].points[0].c1[1] == 60


def test_outgoing_rays_are_formulas_of_the_rays_before_them(open_window, qtbot):
    window = open_window(
        Document(scene=Scene.of([CustomSurface(name="Film", p1=Point(0, 0), p2=Point(0, 9))]))
    )
    select(window, "Film")
    press(window, "Add outgoing ray")
    typed(qtbot, field(window, "Outgoing rays 2 P3", FormulaEdit), "P_0-P_1-P_2")
    assert window.document.scene.objects[0].out_rays[2].eqn_p == "P_0-P_1-P_2"
    typed(qtbot, field(window, "Outgoing rays 0 P1", FormulaEdit), "P_2")
    assert field(window, "Outgoing rays 0 P1", FormulaEdit).error is not None


def test_the_powers_of_orders_are_given_to_all_gratings_if_wanted(open_window, qtbot):
    ends = {"p1": Point(0, 0), "p2": Point(0, 9), "custom_brightness": True}
    window = open_window(
        Document(scene=Scene.of([DiffractionGrating(name=n, **ends) for n in ("First", "Second")]))
    )
    select(window, "Second")
    next(
        b
        for b in window.properties.widget().findChildren(QCheckBox)
        if b.text() == "Apply to all 2 of this kind"
    ).click()
    typed(qtbot, field(window, "Orders -1"), "0.2")
    assert [o.brightnesses for o in window.document.scene.objects] == [(1.0, 0.5, 0.2)] * 2


def test_the_powers_of_a_gratings_orders_are_edited_added_and_taken_out(open_window, qtbot):
    grating = DiffractionGrating(name="Grating", p1=Point(0, 0), p2=Point(0, 9))
    window = open_window(Document(scene=Scene.of([grating])))
    select(window, "Grating")
    assert field(window, "Slit ratio")
    with pytest.raises(StopIteration):
        field(window, "Orders +1")
    next(
        b for b in window.properties.widget().findChildren(QCheckBox) if b.text() == "Custom orders"
    ).click()
    typed(qtbot, field(window, "Orders +1"), "0.7")
    press(window, "Add order")
    typed(qtbot, field(window, "Orders +2"), "0.1")
    assert window.document.scene.objects[0].brightnesses == (1.0, 0.7, 0.5, 0.1)
    assert not button(window, "Remove order -1")  # +2 would take its place
    press(window, "Remove order +2")
    assert window.document.scene.objects[0].brightnesses == (1.0, 0.7, 0.5)
    with pytest.raises(StopIteration):
        field(window, "Slit ratio")
    window.document.undo()
    assert field(window, "Orders +2").text() == "0.1"


# --- parameters


TOOTH = {
    "for": "i=1:1:N",
    "type": "Blocker",
    "p1": {"x": "`x_1+i*step`", "y": 0},
    "p2": {"x": "`x_1+i*step`", "y": 9},
}
STAND = {"numPoints": 1, "params": ["N=1:1:8:3", "step=2:2:10"], "objs": [TOOTH]}


@pytest.fixture
def stand(open_window):
    module = ModuleObj(name="Comb", module="Stand", points=(Point(3, 4),))
    window = open_window(
        Document(scene=Scene.of([module], modules={"Stand": Module.from_json("Stand", STAND)}))
    )
    select(window, "Comb")
    return window


def parts(window):
    return window.document.scene.parts_of(window.document.scene.objects[0])


def test_an_instance_is_changed_by_the_parameters_of_its_module(stand, qtbot):
    assert field(stand, "N").text() == "3"
    typed(qtbot, field(stand, "N"), "5")
    assert len(parts(stand)) == 5
    assert stand.document.scene.objects[0].params == {"N": 5.0, "step": 2.0}
    assert steps(stand) == ["Comb: N -> 5"]
    edit = field(stand, "step")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert parts(stand)[0].p1.x == 3 + 4, "the arrow keys go by the module's step"


def test_a_slider_has_the_module_s_range_and_one_sweep_is_one_step(stand, qtbot):
    slider = field(stand, "N, slider", QSlider)
    assert (slider.minimum(), slider.maximum(), slider.value()) == (0, 7, 2)
    slider.setSliderDown(True)
    for place in (3, 4, 6):
        slider.setValue(place)
    slider.setSliderDown(False)
    assert len(parts(stand)) == 7
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert len(parts(stand)) == 8
    stand.document.undo()
    assert len(parts(stand)) == 7, "keys are a step of their own"
    stand.document.undo()
    assert len(parts(stand)) == 3
    assert field(stand, "N, slider", QSlider).value() == 2


def test_the_wheel_over_a_slider_scrolls_the_form(stand):
    wheel(field(stand, "N, slider", QSlider))
    assert len(parts(stand)) == 3
    assert not steps(stand)


def test_a_long_range_has_a_slider_of_coarser_steps(open_window):
    fine = {**STAND, "params": ["N=1:1:8:3", "step=1:0.0001:21:1"]}
    module = ModuleObj(name="Comb", module="Stand", points=(Point(3, 4),))
    window = open_window(
        Document(scene=Scene.of([module], modules={"Stand": Module.from_json("Stand", fine)}))
    )
    select(window, "Comb")
    slider = field(window, "step, slider", QSlider)
    slider.setValue(slider.maximum())
    assert window.document.scene.objects[0].params["step"] == 21


def test_a_step_longer_than_the_range_has_a_slider_of_one_step(open_window):
    long = {**STAND, "params": ["N=1:1:8:3", "step=1:10:5:3"]}
    module = ModuleObj(name="Comb", module="Stand", points=(Point(3, 4),))
    window = open_window(
        Document(scene=Scene.of([module], modules={"Stand": Module.from_json("Stand", long)}))
    )
    select(window, "Comb")
    assert field(window, "step").text() == "3"
    assert field(window, "step, slider", QSlider).maximum() == 1


def test_the_points_of_an_instance_are_called_as_in_its_formulas(stand, qtbot):
    typed(qtbot, field(stand, "x_1"), "30")
    assert stand.document.scene.objects[0].points == ((30, 4),)
    texts = [label.text() for label in stand.properties.widget().findChildren(QLabel)]
    assert {"x_1", "y_1"} <= set(texts)
    assert "0" not in texts


def test_the_parts_of_an_instance_are_marked_read_only(stand):
    notes = [label.text() for label in stand.properties.widget().findChildren(QLabel)]
    assert any("3 × blocker" in text and "read only" in text for text in notes)


def test_a_lens_is_changed_by_its_radii(open_window, qtbot):
    lens = SphericalLens(
        name="Lens", p1=Point(100, 50), p2=Point(100, 150), params={"d": 20, "r1": 100, "r2": -100}
    )
    window = open_window(Document(scene=Scene.of([lens])))
    select(window, "Lens")
    typed(qtbot, field(window, "Radius 1"), "80")
    assert window.document.scene.objects[0].params == {"d": 20, "r1": 80.0, "r2": -100}


def lens_window(open_window, **about):
    given = {
        "p1": Point(100.0, 50.0),
        "p2": Point(100.0, 150.0),
        "params": {"d": 20.0, "r1": 120.0, "r2": -100.0},
    } | about
    window = open_window(Document(scene=Scene.of([SphericalLens(name="Lens", **given)])))
    select(window, "Lens")
    return window


def choose(combo, i):
    combo.setCurrentIndex(i)
    combo.activated.emit(i)


def test_a_lens_that_is_defined_otherwise_stays_the_same_lens(open_window):
    window = lens_window(open_window)
    before = window.document.scene.objects[0].outline()
    combo = field(window, "Defined by", QComboBox)
    assert [combo.itemText(i) for i in range(combo.count())] == ["Radii", "Foci"]
    choose(combo, 1)
    lens = window.document.scene.objects[0]
    assert lens.def_by == "DFfdBfd"
    assert list(lens.outline()) == [pytest.approx(v) for v in before]
    assert float(field(window, "Back focus").text()) == pytest.approx(lens.params["bfd"], rel=1e-4)
    assert steps(window) == ["Lens: defined by radii -> foci"]
    window.document.undo()
    assert field(window, "Radius 1").text() == "120"


def test_a_lens_that_does_not_focus_keeps_its_radii_and_says_why(open_window):
    window = lens_window(open_window, params={"d": 20.0, "r1": None, "r2": None})
    combo = field(window, "Defined by", QComboBox)
    choose(combo, 1)
    assert "infinite" in window.messages.error.label.full_text
    assert combo.currentText() == "Radii"
    assert window.document.scene.objects[0].def_by == "DR1R2"


def test_a_stored_outline_is_not_defined_by_anything_else(open_window):
    made = SphericalLens(
        p1=Point(100.0, 50.0), p2=Point(100.0, 150.0), params={"d": 20.0, "r1": 120.0, "r2": -100.0}
    )
    window = lens_window(open_window, path=made.outline(), p1=None, p2=None, params=None)
    assert not [
        w
        for w in window.properties.widget().findChildren(QComboBox)
        if w.accessibleName() == "Defined by"
    ]


def test_a_text_that_is_only_named_says_so_until_another_is_typed(open_window, qtbot):
    window = open_window(
        Document(scene=Scene.of([TextLabel(x=10.0, y=20.0, text="{{lightsource}}", name="Note")]))
    )
    select(window, "Note")
    note = next(
        w
        for w in window.properties.widget().findChildren(QLabel)
        if w.text().startswith("The file contains only the name")
    )
    assert note.isVisible()
    typed(qtbot, field(window, "Text", QLineEdit), "Light source")
    assert window.document.scene.objects[0].text == "Light source"
    assert not note.isVisible()


def test_a_change_is_given_to_all_of_a_kind_but_for_names_and_places(open_window, qtbot):
    lenses = [
        IdealLens(name=n, p1=Point(x, 0), p2=Point(x, 50))
        for n, x in (("A", 0), ("B", 60), ("C", 120))
    ]
    window = open_window(
        Document(scene=Scene.of([*lenses, Blocker(p1=Point(200, 0), p2=Point(200, 50))]))
    )
    select(window, "B")
    box = next(
        b
        for b in window.properties.widget().findChildren(QCheckBox)
        if b.text() == "Apply to all 3 of this kind"
    )
    typed(qtbot, field(window, "Focal length"), "70")
    assert [o.focal_length for o in window.document.scene.objects[:3]] == [100, 70, 100]
    qtbot.keyClick(box, Qt.Key.Key_Space)
    typed(qtbot, field(window, "Focal length"), "80")
    typed(qtbot, field(window, "First end x"), "61")
    assert [o.focal_length for o in window.document.scene.objects[:3]] == [80, 80, 80]
    assert [o.p1.x for o in window.document.scene.objects[:3]] == [0, 61, 120]
    assert len(steps(window)) == 3
    select(window, "A")
    assert not next(
        b
        for b in window.properties.widget().findChildren(QCheckBox)
        if b.text().startswith("Apply")
    ).isChecked()
    select(window, window.document.scene.objects[3].title)
    assert not [
        b
        for b in window.properties.widget().findChildren(QCheckBox)
        if b.text().startswith("Apply")
    ]


def test_a_body_is_moved_as_a_whole_by_its_centre(window, qtbot):
    select(window, "Main Prism")
    before = [v.point for v in prism(window).path]
    x = sum(p.x for p in before) / len(before)
    typed(qtbot, field(window, "Centre x"), "50 cm")
    after = [v.point for v in prism(window).path]
    assert [q.x - p.x for p, q in zip(before, after, strict=True)] == pytest.approx(
        [500 - x] * len(before)
    )
    assert [q.y for q in after] == [p.y for p in before]
    assert len(steps(window)) == 1
    assert float(field(window, "Centre x").text()) == 500


def test_several_objects_are_moved_together_by_their_centre(window, qtbot):
    window.selection.set(o.key for o in window.document.scene.objects)
    before = window.document.scene.objects
    y = float(field(window, "Centre y").text())
    typed(qtbot, field(window, "Centre y"), "0")
    for old, new in zip(before, window.document.scene.objects, strict=True):
        for was, now in zip(control_points(old), control_points(new), strict=True):
            assert (now.at.x, now.at.y) == pytest.approx((was.at.x, was.at.y - y), abs=0.01)
    assert len(steps(window)) == 1


def test_a_line_has_a_length_and_an_angle_about_its_centre(open_window, qtbot):
    mirror = object_from_drag("Mirror", Point(100, 200), Point(200, 300))
    window = open_window(Document(scene=Scene.of([mirror])))
    window.selection.set([mirror.key])
    typed(qtbot, field(window, "Length"), "250")
    typed(qtbot, field(window, "Angle"), "90 deg")
    (made,) = window.document.scene.objects
    assert (made.p1, made.p2) == ((150, 375), (150, 125))
    assert field(window, "Centre x").text() == "150"
    typed(qtbot, field(window, "Length"), "0")  # its angle would be lost
    assert window.document.scene.objects == (made,)
    assert any(
        "above 0" in label.text() for label in window.properties.widget().findChildren(QLabel)
    )


def test_several_mirrors_are_turned_to_one_angle_in_one_step(open_window, qtbot):
    mirrors = [
        object_from_drag("Mirror", Point(100 * i, 0), Point(100 * i + 60, 20 * i)) for i in range(3)
    ]
    window = open_window(Document(scene=Scene.of(mirrors)))
    window.selection.set([m.key for m in mirrors])
    assert field(window, "Angle").placeholderText() == "several"
    typed(qtbot, field(window, "Angle"), "45")
    assert steps(window) == ["Angle of 3 objects set to 45°"]
    assert field(window, "Angle").text() == "45"
    for mirror in window.document.scene.objects:
        assert math.degrees(
            math.atan2(mirror.p1.y - mirror.p2.y, mirror.p2.x - mirror.p1.x)
        ) == pytest.approx(45)
    typed(qtbot, field(window, "Length"), "-3")
    assert any(
        "above 0" in label.text() for label in window.properties.widget().findChildren(QLabel)
    )
    assert len(steps(window)) == 1


def test_the_diameter_of_a_lens_is_typed_and_its_axis_stays(open_window, qtbot):
    lens = object_from_drag("SphericalLens", Point(100, 200), Point(100, 300))
    window = open_window(Document(scene=Scene.of([lens])))
    window.selection.set([lens.key])
    typed(qtbot, field(window, "Diameter"), "6 cm")
    (made,) = window.document.scene.objects
    assert (made.p1, made.p2) == ((100, 220), (100, 280))


def test_the_radius_of_an_arc_is_typed_and_its_ends_stay(open_window, qtbot):
    mirror = object_from_drag("ArcMirror", Point(100, 200), Point(100, 300))
    window = open_window(Document(scene=Scene.of([mirror])))
    window.selection.set([mirror.key])
    typed(qtbot, field(window, "Radius"), "20 cm")
    (made,) = window.document.scene.objects
    assert (made.p1, made.p2, made.p3.y) == ((100, 200), (100, 300), 250)
    assert abs(made.p3.x - 100) == pytest.approx(200 - math.sqrt(200**2 - 50**2))
    typed(qtbot, field(window, "Radius"), "49")
    assert window.document.scene.objects == (made,)
    assert any(
        "at least 50" in label.text() for label in window.properties.widget().findChildren(QLabel)
    )
    window.document.change(Set(made.key, {"p2": {"x": 100, "y": 280}}))
    typed(qtbot, field(window, "Radius"), "49")
    assert window.document.scene.objects != (made,)
    assert not any(
        "at least" in label.text()
        for label in window.properties.widget().findChildren(QLabel)
        if label.isVisible()
    )


def test_the_band_of_a_filter_is_asked_for_once_there_is_one(open_window, qtbot):
    mirror = object_from_drag("Mirror", Point(100, 200), Point(200, 300))
    window = open_window(Document(scene=Scene.of([mirror])))
    window.selection.set([mirror.key])
    shown = {edit.accessibleName() for edit in window.properties.widget().findChildren(NumberEdit)}
    assert "Band centre" not in shown
    (box,) = (b for b in window.properties.widget().findChildren(QCheckBox) if b.text() == "Filter")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    typed(qtbot, field(window, "Band centre"), "0.6 um")
    assert window.document.scene.objects[0].wavelength == 600


def test_what_a_handle_does_is_chosen_from_a_list_and_an_unknown_word_stays(
    open_window, qtbot, hand
):
    held = Mirror(p1=Point(100, 0), p2=Point(100, 40))
    handle = Handle(p1=Point(50, 100), p2=Point(0, 100), obj_indices=[0], transformation="shear")
    window = open_window(Document(scene=Scene.of([held, handle])))
    window.selection.set([handle.key])
    combo = next(
        c for c in window.forms.findChildren(QComboBox) if c.accessibleName() == "Transformation"
    )
    assert combo.currentText() == ""
    assert window.document.scene.objects[1].transformation == "shear"
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_R)
    combo.activated.emit(combo.currentIndex())
    assert combo.currentText() == "Rotate"
    assert window.document.scene.objects[1].transformation == "rotation"
    hand(window.canvas).drag((50, 100), (0, 50))
    turned = window.document.scene.objects[0]
    assert (round(turned.p1.x), round(turned.p1.y)) == (-100, 0)


def test_a_button_that_changes_the_rows_keeps_the_focus_while_it_exists(window, qtbot):
    select(window, "Main Prism")
    for name, kept in (
        ("Add corner", True),
        ("Add corner", True),
        ("Remove corner 1", True),
        ("Remove corner 1", False),
    ):
        button(window, name).setFocus()
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        assert QApplication.focusWidget() is (button(window, name) if kept else window.canvas)
    assert len(prism(window).path) == 3


def test_the_canvas_has_the_focus_when_the_object_of_a_field_is_gone(window, qtbot):
    window.document.apply(
        Add((CircleGlass(name="Ball", p1=Point(500, 100), p2=Point(520, 100), ref_index=1.3),))
    )
    select(window, "Ball")
    edit = field(window, "Refractive index")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "Ball" not in {o.title for o in window.document.scene.objects}
    assert window.canvas.hasFocus()


def test_a_catalogue_glass_has_no_index_of_its_own(window, qtbot):
    select(window, "Main Prism")
    assert field(window, "Cauchy B").isVisible()
    window.document.change(SetMaterial("Main Prism", "N-BK7"))
    names = {e.accessibleName() for e in window.properties.widget().findChildren(NumberEdit)}
    assert not names & {"Refractive index", "Cauchy B"}
    window.document.undo()
    assert field(window, "Refractive index").text() == "1.5"


def test_a_wavelength_without_effect_says_so_until_colours_are_simulated(window, qtbot):
    select(window, "Lamp")
    button = window.properties.widget().findChild(QPushButton, "simulate colours")
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document.scene.settings.simulate_colors
    assert window.properties.widget().findChild(QPushButton, "simulate colours") is None
    assert field(window, "Wavelength").isVisible()
