"""The library and the form of a preset: found by words, chosen by mouse and keyboard, dragged onto
the canvas, typed by number.
"""

from __future__ import annotations

import json
import math

import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit
from window_state import typed

from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import SetDocument, Undefine
from raybench.scene.creation import ALL_FAMILIES, module_creatable_id
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.panels.library import IMPORT_ITEM
from raybench_workbench.panels.modules import ModulesDialog
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.panels.preset_form import PresetForm
from raybench_workbench.shot import wait_seconds, wait_until_settled
from raybench_workbench.window import layout

pytestmark = pytest.mark.one_window

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(open_window):
    shown = open_window(prism_document())
    shown.actions_by_id["insert.library"].trigger()
    return shown


def form(window) -> PresetForm:
    shown = window.forms.currentWidget()
    assert isinstance(shown, PresetForm)
    return shown


def number(window, label) -> NumberEdit:
    return next(
        edit for edit in form(window).findChildren(NumberEdit) if edit.accessibleName() == label
    )


def tile(window, part) -> QPoint:
    """The middle of a tile, scrolled into view."""
    item = window.library.parts.item_of_part(part)
    window.library.parts.scrollToItem(item)
    wait_seconds(0)
    return window.library.parts.visualItemRect(item).center()


def carry(window, part, *places):
    """Press on a tile and move over places of the canvas, in scene units; returns the last in
    pixels of the list.
    """
    view, canvas, start = window.library.parts.viewport(), window.canvas, tile(window, part)
    press(view, QMouseEvent.Type.MouseButtonPress, start)
    for place in places:
        at = view.mapFromGlobal(
            canvas.mapToGlobal(canvas.camera.to_screen(Point(*place)).toPoint())
        )
        press(view, QMouseEvent.Type.MouseMove, at)
    return at


def press(view, kind, at):
    button = Qt.MouseButton.NoButton if kind == QMouseEvent.Type.MouseMove else LEFT
    place = QPointF(at)
    QApplication.sendEvent(
        view,
        QMouseEvent(
            kind, place, view.mapToGlobal(place), button, LEFT, Qt.KeyboardModifier.NoModifier
        ),
    )
    wait_seconds(0)


def shown_parts(window):
    return [item.text() for item in window.library.parts.visible_parts()]


def test_the_library_pictures_every_part(window):
    assert len(shown_parts(window)) == sum(map(len, ALL_FAMILIES.values())) + 1, (
        "and one that imports modules"
    )
    assert {"Beam", "Mirror", "Detector", "Achromat", "Dove prism", "Beam expander"} <= set(
        shown_parts(window)
    )
    assert layout.is_library_visible(window)
    for part in ("Beam", "Achromat", "PentaPrism", "CustomMirror"):
        at = tile(window, part)
        picture = window.library.parts.viewport().grab().toImage()
        colours = {
            picture.pixel(at + QPoint(x, y - 14)) for x in range(-18, 19) for y in range(-16, 17)
        }
        assert len(colours) > 4, f"{part} has a picture"


def test_the_key_enters_the_library_s_search(window, qtbot):
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_A)
    assert layout.is_library_visible(window)
    assert window.library.search.hasFocus()
    window.actions_by_id["insert.library"].trigger()
    assert window.pages.currentWidget() is window.tree, (
        "a second time brings the list of objects back"
    )


def test_escape_clears_then_leaves_the_search(window, qtbot):
    window.activateWindow()
    window.canvas.setFocus()
    window.actions_by_id["insert.library"].trigger()
    search = window.library.search
    qtbot.keyClicks(search, "lens")
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert (search.text(), search.hasFocus()) == ("", True)
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert window.canvas.hasFocus()


def test_words_find_parts_by_name_family_and_summary(window, qtbot):
    search = window.library.search
    assert search.hasFocus(), "the library opens ready to be searched"
    qtbot.keyClicks(search, "prism")
    assert {"Equilateral prism", "Dove prism", "Corner cube"} <= set(shown_parts(window))
    assert "Beam" not in shown_parts(window)
    qtbot.keyClicks(search, " upside")
    assert shown_parts(window) == ["Dove prism"]
    assert window.library.no_match.isHidden()
    qtbot.keyClicks(search, " telescope")
    assert window.library.no_match.isVisible()
    assert window.library.no_match.rect().width() == window.library.parts.width()
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert search.text() == ""
    assert len(shown_parts(window)) > 40


def test_enter_takes_and_places_the_first_match(window, qtbot):
    qtbot.keyClicks(window.library.search, "arc mirror")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Return)
    assert window.canvas.drawn_kind == "ArcMirror"
    assert window.canvas.hasFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_Return)
    assert window.document.scene.objects[-1].type == "ArcMirror"


def test_enter_in_the_data_of_a_part_adds_it_at_its_place(window, qtbot):
    qtbot.keyClicks(window.library.search, "biconvex")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Return)
    edits = {e.accessibleName(): e for e in window.forms.currentWidget().findChildren(NumberEdit)}
    for name, text, key in (
        ("Focal length", "150", Qt.Key.Key_Return),
        ("X", "33", Qt.Key.Key_Tab),
        ("Angle", "90", Qt.Key.Key_Return),
    ):
        assert not window.document.document.parts, "a focal length has no place yet"
        edits[name].setFocus()
        edits[name].selectAll()
        qtbot.keyClicks(edits[name], text)
        qtbot.keyClick(edits[name], key)
    (part,) = window.document.document.parts
    assert (part.preset.focal_length, part.placement.dx, part.placement.angle(0)) == (150, 33, 90)
    assert window.canvas.drawn_kind == ""


def test_escape_leaves_the_data_of_a_part_then_its_tool(window, qtbot):
    qtbot.keyClicks(window.library.search, "biconvex")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Return)
    edit = window.focusWidget()
    qtbot.keyClicks(edit, "150")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.focusWidget() is edit, "Enter takes the number and stays"
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.canvas
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.canvas.drawn_kind == ""
    assert not window.document.document.parts


def test_the_search_ends_with_its_document(window, qtbot):
    for search, text in (
        (window.library.search, "lens"),
        (window.tree.search, "nothing"),
        (window.rays.filter, "Screen"),
    ):
        qtbot.keyClicks(search, text)
    window.actions_by_id["file.new"].trigger()
    assert not window.library.search.text() + window.tree.search.text() + window.rays.filter.text()


def test_the_arrow_keys_choose_among_the_pictures(window, qtbot):
    qtbot.keyClicks(window.library.search, "lens")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Down)
    parts = window.library.parts
    assert parts.hasFocus()
    first = parts.currentItem().text()
    qtbot.keyClick(parts, Qt.Key.Key_Right)
    assert parts.currentItem().text() != first
    qtbot.keyClick(parts, Qt.Key.Key_Return)
    assert (
        window.actions_by_id[f"insert.{window.canvas.drawn_kind}"].text()
        == parts.currentItem().text()
    )


def test_two_clicks_make_an_object(window, hand, qtbot):
    qtbot.mouseClick(window.library.parts.viewport(), LEFT, pos=tile(window, "PointSource"))
    assert window.canvas.drawn_kind == "PointSource"
    assert window.create_bar.buttons["Light"].isChecked(), "the bar shows the same tool"
    hand(window.canvas).click(40, 60)
    made = window.document.scene.objects[-1]
    assert (made.x, made.y) == pytest.approx((40, 60), abs=1)
    assert window.library.parts.currentItem() is None


def test_a_picture_is_dragged_onto_the_canvas(window):
    at = carry(window, "Mirror", (20, 50), (60, 90))
    assert [o.type for o in window.canvas.mode.ghost] == ["Mirror"]
    assert len(window.document.scene.objects) == 4
    press(window.library.parts.viewport(), QMouseEvent.Type.MouseButtonRelease, at)
    made = window.document.scene.objects[-1]
    assert ((made.p1.x + made.p2.x) / 2, (made.p1.y + made.p2.y) / 2) == pytest.approx(
        (60, 90), abs=1
    )
    assert window.canvas.drawn_kind == ""
    assert window.selection.keys == {made.key}
    assert len(window.document.session.history.done) == 1


def test_a_drag_from_the_library_is_given_up(window, qtbot):
    before = window.document.document
    carry(window, "Mirror", (60, 90))
    qtbot.keyClick(window.library.parts, Qt.Key.Key_Escape)
    assert window.canvas.drawn_kind == ""
    at = carry(window, "Achromat", (60, 90))
    press(window.library.parts.viewport(), QMouseEvent.Type.MouseButtonRelease, QPoint(10, 10))
    assert window.canvas.drawn_kind == ""
    assert window.document.document is before
    assert at.x() > 0


def test_a_preset_s_form_takes_units_and_expressions(window, hand, qtbot):
    qtbot.keyClicks(window.library.search, "biconvex")
    qtbot.keyClick(window.library.search, Qt.Key.Key_Return)
    assert number(window, "Focal length").hasFocus()
    typed(qtbot, number(window, "Focal length"), "8 cm + 20 mm")
    typed(qtbot, number(window, "Diameter"), "800/20")
    hand(window.canvas).click(60, 300)
    lens = window.document.scene.objects[-1]
    assert math.dist(lens.p1, lens.p2) == pytest.approx(40)
    assert lens.material.material.name == "N-BK7"
    wait_until_settled(window)
    assert not isinstance(window.forms.currentWidget(), PresetForm), "the properties are back"
    window.activate_drawing_tool("BiconvexLens")
    assert number(window, "Focal length").text() == "100", "the numbers are kept for the next one"


def test_an_impossible_preset_says_why(window, hand, qtbot):
    window.activate_drawing_tool("BiconvexLens")
    typed(qtbot, number(window, "Thickness"), "1")
    assert "cross at the rim" in form(window).fault.text()
    assert not form(window).add.isEnabled()
    count = len(window.document.scene.objects)
    hand(window.canvas).click(60, 300)
    assert len(window.document.scene.objects) == count
    assert "cross at the rim" in window.messages.error.label.full_text
    typed(qtbot, number(window, "Thickness"), "14")
    assert form(window).fault.isHidden()


def test_a_preset_s_fault_is_scrolled_into_view(open_window, qtbot):
    window = open_window(prism_document(), size=(1280, 720))
    window.activate_drawing_tool("Achromat")
    wait_until_settled(window)
    typed(qtbot, number(window, "Diameter"), "500")
    fault = form(window).fault
    assert "Make the diameter smaller" in fault.text()
    wait_until_settled(window)
    assert fault.visibleRegion().boundingRect() == fault.rect()


def test_a_refused_number_places_no_preset(window, hand, qtbot):
    qtbot.mouseClick(window.library.parts.viewport(), LEFT, pos=tile(window, "PlanoConvexLens"))
    before, told = len(window.document.scene.objects), []
    window.document.failed.connect(told.append)
    typed(qtbot, number(window, "Diameter"), "-1")
    typed(qtbot, number(window, "Thickness"), "thick")
    for text, label in (
        ("must be above 0; -1 is not", "Diameter"),
        ("Thickness must be a number", "Thickness"),
    ):
        assert not form(window).add.isEnabled()
        hand(window.canvas).click(300, 60)
        assert len(window.document.scene.objects) == before
        assert text in told[-1]
        typed(qtbot, number(window, label), "20")
    assert form(window).add.isEnabled()
    hand(window.canvas).click(300, 60)
    assert len(window.document.scene.objects) == before + 1
    lens = window.document.scene.objects[-1]
    assert math.dist(lens.p1, lens.p2) == 20


def test_a_preset_is_added_where_typed(window, qtbot):
    window.activate_drawing_tool("DovePrism")
    for label, text in (("X", "12.5"), ("Y", "3 cm"), ("Angle", "7 deg")):
        number(window, label).setFocus()
        number(window, label).selectAll()
        qtbot.keyClicks(number(window, label), f"{text}\t")
    qtbot.mouseClick(form(window).add, LEFT)
    change = window.document.session.history.done[-1].changes[0]
    assert (change.at, change.angle) == ((12.5, 30.0), 7.0)
    assert window.selection.keys == {window.document.scene.objects[-1].key}
    assert window.canvas.drawn_kind == ""


def test_a_preset_s_form_follows_the_unit(window, qtbot):
    window.activate_drawing_tool("BiconvexLens")
    typed(qtbot, number(window, "Focal length"), "150")
    edit = number(window, "Diameter")
    edit.setFocus()
    qtbot.keyClicks(edit, "7")
    window.document.change(SetDocument(unit="cm"))
    assert number(window, "Diameter").hasFocus()
    assert form(window).form.unit == "cm"
    assert number(window, "Focal length").text() == "200", "the default"
    typed(qtbot, number(window, "Focal length"), "1500 mm")
    qtbot.mouseClick(form(window).add, LEFT)
    assert window.document.session.history.done[-1].changes[0].values == {"focalLength": 150.0}


def test_catalogue_glasses_are_completed(window, qtbot):
    window.activate_drawing_tool("BallLens")
    edit = next(e for e in form(window).findChildren(QLineEdit) if e.accessibleName() == "Material")
    edit.clear()
    qtbot.keyClicks(edit, "sf11")
    assert edit.completer().completionCount() == 2
    typed(qtbot, edit, "N-SF99")
    assert "There is no material 'N-SF99'" in form(window).fault.text()
    typed(qtbot, edit, "N-SF11")
    assert form(window).fault.isHidden()
    assert form(window).values == {"material": "N-SF11"}


def test_an_empty_scene_shows_the_library(window):
    window.document.new()
    assert layout.is_library_visible(window)
    layout.focus_object_search(window)
    assert not layout.is_library_visible(window)


@pytest.mark.one_window(False)
def test_the_pictures_of_the_library(open_window, shots):
    window = open_window(None, (1280, 1100))
    window.document.new()
    window.canvas.setFocus()
    window.library.resize(232, 700)
    tile(window, "LightGuide")
    wait_until_settled(window)
    assert len(shown_parts(window)) == sum(map(len, ALL_FAMILIES.values())) + 1, (
        "and one that imports modules"
    )
    shots(window.library, "library")


COMB = {"numPoints": 2, "params": ["N=1:1:9:3"], "objs": [
    {"type": "Blocker", "for": "i=1:1:N", "p1": {"x": "`x_1+9*i`", "y": "`y_1`"}, "p2": {"x": "`x_1+9*i`", "y": "`y_2+20`"}}]}  # fmt: skip
POST = {
    "numPoints": 1,
    "objs": [
        {
            "type": "Mirror",
            "p1": {"x": "`x_1`", "y": "`y_1`"},
            "p2": {"x": "`x_1`", "y": "`y_1+40`"},
        }
    ],
}
MODULES = {"Comb": COMB, "Post": POST, "Bad": {"numPoints": "q"}}


@pytest.fixture
def with_modules(open_window):
    scene = scene_from_json(
        {"version": 5, "modules": MODULES, "objs": [{"type": "PointSource", "x": 0, "y": 0}]}
    )
    shown = open_window(Document(scene=scene))
    shown.canvas.navigation.set_camera(Camera(-50, -50, 3))
    shown.actions_by_id["insert.library"].trigger()
    return shown


def test_the_library_pictures_the_scene_s_modules(with_modules, qtbot):
    window = with_modules
    assert shown_parts(window)[-4:] == ["Comb", "Post", "Bad", "Import…"]
    at = tile(window, module_creatable_id("Comb"))
    picture = window.library.parts.viewport().grab().toImage()
    assert (
        len({picture.pixel(at + QPoint(x, y - 14)) for x in range(-18, 19) for y in range(-16, 17)})
        > 4
    )
    qtbot.mouseClick(
        window.library.parts.viewport(), LEFT, pos=tile(window, module_creatable_id("Bad"))
    )
    assert window.canvas.drawn_kind == "", "one that cannot be used is not drawn"
    qtbot.keyClicks(window.library.search, "comb")
    assert shown_parts(window) == ["Comb"]
    qtbot.keyClick(window.library.search, Qt.Key.Key_Escape)
    window.document.change(Undefine("Comb"))
    assert shown_parts(window)[-3:] == ["Post", "Bad", "Import…"]
    window.actions_by_id["edit.undo"].trigger()
    assert shown_parts(window)[-4:] == ["Comb", "Post", "Bad", "Import…"]
    window.document.new()
    layout.show_library(window)
    assert shown_parts(window)[-2:] == ["Light guide", "Import…"]


def test_a_module_s_points_are_clicked(with_modules, hand, qtbot):
    window = with_modules
    qtbot.mouseClick(
        window.library.parts.viewport(), LEFT, pos=tile(window, module_creatable_id("Comb"))
    )
    mouse = hand(window.canvas)
    assert "click its points" in window.canvas.mode.hint
    mouse.click(20, 30)
    assert "its point 2 of 2" in window.canvas.mode.hint
    mouse._last = QPointF(mouse.at(20, 30))
    mouse.move(60, 80, button=Qt.MouseButton.NoButton)
    assert [o.type for o in window.canvas.mode.ghost] == ["Blocker"] * 3, "as it would be"
    assert window.canvas.mode.ghost[0].p2.y == pytest.approx(100, abs=1)
    mouse.click(60, 80)
    made = window.document.scene.objects[-1]
    assert [p for at in made.points for p in at] == pytest.approx([20, 30, 60, 80], abs=1)
    assert window.selection.keys == {made.key}
    assert (window.canvas.drawn_kind, len(window.document.session.history.done)) == ("", 1)


def test_a_module_s_point_is_retaken_by_typing(with_modules, hand, qtbot):
    window = with_modules
    window.activate_drawing_tool(module_creatable_id("Comb"))
    hand(window.canvas).click(20, 30)
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert "click its points" in window.canvas.mode.hint
    for text in ("1", "5"):
        qtbot.keyClick(window.canvas, text)
        qtbot.keyClicks(QApplication.focusWidget(), "0 70")
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        wait_seconds(0.02)
    made = window.document.scene.objects[-1]
    assert made.points[0] == (10, 70)
    assert math.dist(*made.points) == pytest.approx(50)


def test_a_module_is_dragged_onto_the_canvas(with_modules, hand):
    window = with_modules
    at = carry(window, module_creatable_id("Comb"), (20, 50), (60, 90))
    assert len(window.canvas.mode.ghost) == 3
    press(window.library.parts.viewport(), QMouseEvent.Type.MouseButtonRelease, at)
    comb = window.document.scene.objects[-1]
    assert (comb.points[0].x + comb.points[1].x) / 2 == pytest.approx(60, abs=1)
    window.activate_drawing_tool(module_creatable_id("Post"))
    hand(window.canvas).click(70, 20)
    post = window.document.scene.objects[-1]
    assert post.module == "Post"
    assert post.points[0] == pytest.approx((70, 20), abs=1)


def test_a_tool_whose_module_goes_is_left(with_modules):
    with_modules.activate_drawing_tool(module_creatable_id("Comb"))
    with_modules.document.change(Undefine("Comb"))
    assert with_modules.canvas.drawn_kind == ""


def test_imported_modules_are_shown_in_the_library(with_modules, qtbot, monkeypatch, tmp_path):
    window = with_modules
    other = {"version": 5, "modules": {"Fence": POST}, "objs": []}
    (tmp_path / "fence.json").write_text(json.dumps(other))
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *a, **k: (str(tmp_path / "fence.json"), "")
    )
    qtbot.mouseClick(window.library.parts.viewport(), LEFT, pos=tile(window, IMPORT_ITEM))
    (dialog,) = window.findChildren(ModulesDialog)
    qtbot.mouseClick(dialog.import_button, LEFT)
    assert shown_parts(window)[-2] == "Fence"
    assert window.document.session.history.undo_text == "Module Fence imported from fence.json"
    item = window.library.parts.item_of_part(module_creatable_id("Fence"))
    assert (
        window.library.parts.viewport()
        .rect()
        .contains(window.library.parts.visualItemRect(item).center())
    )


def test_a_tile_fits_three_lines_of_name(window):
    parts = window.library.parts
    heights = {
        name: parts.visualItemRect(parts.item_of_part(name)).height()
        for name in ("Detector", "CustomParamSurface")
    }
    line = QFontMetrics(theme.text_font(theme.SMALL_SIZE - 1)).lineSpacing()
    assert heights["CustomParamSurface"] >= heights["Detector"] + line - 2


def test_enter_takes_no_module_that_cannot_be_used(open_window, qtbot):
    bad = {"numPoints": 1, "params": ["r="], "objs": []}
    window = open_window(
        Document(scene=scene_from_json({"objs": [], "modules": {"Broken lens": bad}}))
    )
    window.actions_by_id["insert.library"].trigger()
    library = window.library
    qtbot.keyClicks(library.search, "broken")
    assert [item.text() for item in library.parts.visible_parts()] == ["Broken lens"]
    qtbot.keyClick(library.search, Qt.Key.Key_Return)
    assert window.canvas.drawn_kind == ""
    qtbot.keyClick(library.search, Qt.Key.Key_Down)
    qtbot.keyClick(library.parts, Qt.Key.Key_Return)
    assert window.canvas.drawn_kind == ""
    library.search.setText("lens")
    assert library.parts.currentItem().text() != "Broken lens"
