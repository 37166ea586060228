"""Modules by mouse and keyboard: made of a selection, moved, inserted, broken up; their parts with
values in the properties.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from raybench.files.scene_json import scene_from_json
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.changes import Add, Define
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.panels.modules import ModulesDialog, PartsView
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


Key, LEFT, CTRL = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
COMB = {"numPoints": 2, "params": ["N=1:1:9:3"], "objs": [
    {"type": "Blocker", "for": "i=1:1:N", "p1": {"x": "`x_1+9*i`", "y": "`y_1`"}, "p2": {"x": "`x_1+9*i`", "y": "`y_1+20`"}}]}  # fmt: skip
OBJS = [
    {"type": "Mirror", "name": "Left", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}},
    {
        "type": "Glass",
        "name": "Prism",
        "path": [{"x": x, "y": y} for x, y in ((100, 0), (160, 0), (130, 50))],
    },
    {"type": "SingleRay", "name": "Laser", "p1": {"x": -40, "y": 20}, "p2": {"x": -30, "y": 20}},
]


@pytest.fixture
def window(open_window):
    return open_window(
        Document(scene=scene_from_json({"version": 5, "modules": {"Comb": COMB}, "objs": OBJS}))
    )


def titles(window):
    return [o.title for o in window.document.scene.objects]


def make_module(window, qtbot, name):
    """Choose Arrange → Make module… and type a name; returns the dialog."""
    window.menus["Arrange"].popup(window.pos())
    window.menus["Arrange"].setActiveAction(window.actions_by_id["arrange.make_module"])
    qtbot.keyClick(window.menus["Arrange"], Key.Key_Return)
    (dialog,) = window.findChildren(NameDialog)
    type_name(qtbot, dialog, name)
    return dialog


def type_name(qtbot, dialog, name):
    dialog.edit.selectAll()
    qtbot.keyClicks(dialog.edit, name)
    qtbot.keyClick(dialog.edit, Key.Key_Return)


def test_a_module_is_made_moved_and_expanded(window, qtbot, hand):
    mouse = hand(window.canvas)
    mouse.click(0, 40)
    mouse.click(130, 10, Qt.KeyboardModifier.ShiftModifier)
    assert len(window.selection.keys) == 2
    make_module(window, qtbot, "Bench")
    window.activateWindow()  # as a window system does once a dialog is closed
    assert titles(window) == ["Bench 1", "Laser"]
    (bench,) = (o for o in window.document.scene.objects if isinstance(o, ModuleObj))
    assert window.selection.keys == {bench.key}
    mouse.drag((130, 10), (150, 30))
    wait_until_settled(window)
    moved = window.document.scene.parts_of(window.document.scene.objects[0])
    assert moved[0].p1.x != 0
    window.actions_by_id["arrange.expand"].trigger()
    assert titles(window) == ["Left", "Prism", "Laser"]
    assert len(window.selection.keys) == 2
    assert window.document.scene.objects[0].p1 == moved[0].p1
    for _ in range(3):
        qtbot.keyClick(window.canvas, Key.Key_Z, CTRL)
    assert titles(window) == ["Left", "Prism", "Laser"]
    assert window.document.scene.objects[0].p1.x == 0


def test_a_taken_module_name_stays_to_correct(window, qtbot, hand):
    hand(window.canvas).click(0, 40)
    dialog = make_module(window, qtbot, "Comb")
    assert dialog.isVisible()
    assert dialog.edit.text() == "Comb"
    assert "There is a module 'Comb' already" in dialog.reason.text()
    assert titles(window) == ["Left", "Prism", "Laser"]
    assert not window.document.session.history.done
    type_name(qtbot, dialog, "Comb 2")
    assert titles(window) == ["Comb 2 1", "Prism", "Laser"]
    assert len(window.document.session.history.done) == 1
    qtbot.waitUntil(lambda: not window.findChildren(NameDialog))


def insert(window, qtbot):
    """Choose Insert → Module → Comb, and Enter: it comes to the middle of the canvas."""
    menu = window.menus["Module"]
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text() == "Comb").trigger()
    qtbot.keyClick(window.canvas, Key.Key_Return)


def test_an_inserted_instance_shows_its_parts(window, qtbot, shots):
    insert(window, qtbot)
    wait_until_settled(window)
    (comb,) = (o for o in window.document.scene.objects if isinstance(o, ModuleObj))
    assert window.selection.keys == {comb.key}
    assert len(comb.points) == 2
    view = window.properties.widget().findChild(PartsView)
    assert [view.topLevelItem(i).text(0) for i in range(view.topLevelItemCount())] == [
        "Blocker 1",
        "Blocker 2",
        "Blocker 3",
    ]
    window.show_theme("light")
    assert view.topLevelItem(2).foreground(1).color() == theme.LIGHT.color("dim")
    window.show_theme("dark")
    view.topLevelItem(1).setExpanded(True)
    at = comb.points[0]
    values = {
        view.topLevelItem(1).child(i).text(0): view.topLevelItem(1).child(i).text(1)
        for i in range(2)
    }
    assert values == {
        "First end": f"({at.x + 18:.6g}, {at.y:.6g}) mm",
        "Second end": f"({at.x + 18:.6g}, {at.y + 20:.6g}) mm",
    }
    shots(window.properties, "properties-module-parts")
    count = next(e for e in window.properties.findChildren(NumberEdit) if e.accessibleName() == "N")
    count.setFocus()
    count.selectAll()
    qtbot.keyClicks(count, "5")
    qtbot.keyClick(count, Key.Key_Return)
    wait_until_settled(window)
    view = window.properties.widget().findChild(PartsView)
    assert view.topLevelItemCount() == 5
    assert window.document.session.history.undo_text == "Comb 1: N -> 5"
    count = next(e for e in window.properties.findChildren(NumberEdit) if e.accessibleName() == "N")
    count.setFocus()
    count.selectAll()
    qtbot.keyClicks(count, "1e9")
    qtbot.keyClick(count, Key.Key_Return)
    wait_until_settled(window)
    notes = [label.text() for label in window.properties.widget().findChildren(QLabel)]
    assert "It has no parts with these values." in notes
    assert not [note for note in notes if note.startswith("Contains")]


def test_the_values_follow_a_drag_of_the_instance(window, qtbot):
    insert(window, qtbot)
    comb = window.document.scene.objects[-1]
    view = window.properties.widget().findChild(PartsView)
    view.topLevelItem(0).setExpanded(True)
    before = view.topLevelItem(0).child(0).text(1)
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Key.Key_Right)
    wait_until_settled(window)
    moved = window.document.scene.get(comb.key)
    assert moved.points != comb.points
    view = window.properties.widget().findChild(PartsView)
    assert view.topLevelItem(0).isExpanded()
    assert view.topLevelItem(0).child(0).text(1) != before


def test_the_definition_is_edited_where_the_properties_lead(window, qtbot):
    insert(window, qtbot)
    button = next(
        b for b in window.properties.findChildren(QPushButton) if b.text() == "Edit its definition"
    )
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: window.json_dock.isVisible() and window.json.settled)
    editor = window.json.editor
    assert editor.toPlainText()[: editor.textCursor().position()].endswith('"Comb": ')
    assert editor.hasFocus()


def pasted_elsewhere(open_window, qtbot, window, module):
    """Copy an instance of ``module`` and paste it into a window with another module of that name."""
    other = {
        "numPoints": 1,
        "params": [],
        "objs": [{"type": "Mirror", "p1": {"x": "`x_1`", "y": 0}, "p2": {"x": "`x_1`", "y": 9}}],
    }
    there = open_window(
        Document(
            scene=scene_from_json({"version": 5, "modules": {"Comb": other}, "objs": OBJS[:1]})
        )
    )
    keys = [
        o.key
        for o in window.document.scene.objects
        if isinstance(o, ModuleObj) and o.module == module
    ]
    window.selection.set(keys)
    window.actions_by_id["edit.copy"].trigger()
    there.actions_by_id["edit.paste"].trigger()
    return there


def test_a_pasted_instance_keeps_its_module(open_window, window, qtbot):
    window.document.change(Add((ModuleObj(module="Comb", points=(Point(0, 100), Point(60, 100))),)))
    there = pasted_elsewhere(open_window, qtbot, window, "Comb")
    (made,) = (o for o in there.document.scene.objects if isinstance(o, ModuleObj))
    assert made.module == "Comb 2"
    assert [p.type for p in there.document.scene.parts_of(made)] == ["Blocker"] * 3
    there.actions_by_id["edit.paste"].trigger()
    assert list(there.document.scene.modules) == [
        "Comb",
        "Comb 2",
    ], "the same definition is not made twice"
    there.actions_by_id["edit.undo"].trigger()
    there.actions_by_id["edit.undo"].trigger()
    assert list(there.document.scene.modules) == ["Comb"]


def test_a_pasted_module_brings_those_it_uses(open_window, window, qtbot):
    points = [{"x": "`x_1`", "y": 0}, {"x": "`x_1+60`", "y": 0}]
    outer = {
        "numPoints": 1,
        "params": [],
        "objs": [{"type": "ModuleObj", "module": "Comb", "points": points, "params": {"N": 2}}],
    }
    window.document.change(
        [Define({"Rack": outer}), Add((ModuleObj(module="Rack", points=(Point(0, 100),)),))]
    )
    there = pasted_elsewhere(open_window, qtbot, window, "Rack")
    (made,) = (o for o in there.document.scene.objects if isinstance(o, ModuleObj))
    assert sorted(there.document.scene.modules) == ["Comb", "Comb 2", "Rack"]
    assert {p.type for p in there.document.scene.parts_of(made)} == {"Blocker"}


def test_the_import_explains_unusable_definitions(
    open_window,
):
    window = open_window(None)
    usable = {"numPoints": 1, "params": [], "vars": [], "objs": []}
    new = scene_from_json(
        {"version": 5, "modules": {"Fine": usable, "Bad": {"numPoints": "q"}}, "objs": []}
    )
    dialog = ModulesDialog(Path("bench.json"), new, window.document.scene, window)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("cannot be used: 'numPoints' must be a whole number" in text for text in texts)
    assert "The library shows what is imported" in dialog.reason.text()
    dialog.close()
