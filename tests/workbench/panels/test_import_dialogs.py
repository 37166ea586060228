"""Importing drawings and modules through their dialogs, and a drawing on the command line."""

from __future__ import annotations

import json
import math

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

pytest.importorskip("svgelements")

from raybench.files.document_file import load_document
from raybench.files.scene_json import scene_from_json
from raybench.scene.changes import Hide, apply_changes
from raybench.scene.document import Document
from raybench_workbench.cli import main
from raybench_workbench.panels.drawing_import import DrawingDialog, import_drawing
from raybench_workbench.panels.modules import KEEP, REPLACE, ModulesDialog
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
LENS = "M 0 0 A 50 50 0 0 1 0 40 L -5 40 A 50 50 0 0 1 -5 0 Z"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="-20 -10 100 60"><path d="{LENS}"/>' \
      '<circle cx="40" cy="20" r="10"/><path d="M 60 0 L 75 40"/></svg>'  # fmt: skip
POINT = {
    "type": "Blocker",
    "p1": {"x": "`x_1`", "y": "`y_1`"},
    "p2": {"x": "`x_1+9`", "y": "`y_1`"},
}
COMB = {"numPoints": 1, "params": ["N=1:1:9:3"], "objs": [{**POINT, "for": "i=1:1:N"}]}
CAGE = {
    "numPoints": 1,
    "objs": [
        {
            "type": "ModuleObj",
            "module": "Comb",
            "points": [{"x": "`x_1`", "y": "`y_1`"}],
            "params": {"N": 2},
        }
    ],
}


@pytest.fixture
def drawing(tmp_path):
    path = tmp_path / "bench.svg"
    path.write_text(SVG)
    return path


def dialog_of(window, kind, qtbot):
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(kind)))
    dialog = next(d for d in window.findChildren(kind) if d.isVisible())
    if kind is DrawingDialog:
        qtbot.waitUntil(lambda: dialog.settled, timeout=10_000)
    return dialog


def drop(window, path):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    window.dropEvent(
        QDropEvent(
            QPointF(300, 300), Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier
        )
    )


def choose(qtbot, combo, text):
    combo.setFocus()
    while combo.currentText() != text:
        before = combo.currentIndex()
        qtbot.keyClick(combo, Key.Key_Down)
        if combo.currentIndex() == before:
            break
    while combo.currentText() != text:
        qtbot.keyClick(combo, Key.Key_Up)


def test_tab_visits_fields_before_buttons(open_window, qtbot, drawing):
    window = open_window()
    drop(window, drawing)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.kind.setFocus()
    visited = []
    for _ in range(4):
        qtbot.keyClick(dialog.focusWidget(), Key.Key_Tab)
        visited.append(dialog.focusWidget())
    assert visited == [dialog.place, dialog.scale, dialog.tolerance, dialog.import_button]
    dialog.close()


def test_a_dropped_drawing_is_imported_in_one_step(open_window, qtbot, shots, drawing):
    window = open_window()
    drop(window, drawing)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    assert dialog.summary.text().startswith("2 objects, 84.1742 × 40 mm")
    assert "1 open path cannot become glass" in dialog.summary.text()
    shots(dialog.preview, "import-preview")
    qtbot.mouseClick(dialog.import_button, LEFT)
    wait_until_settled(window)
    lens, ball = window.document.scene.objects
    assert (lens.type, ball.type) == ("Glass", "CircleGlass")
    assert math.dist(ball.p1, ball.p2) == pytest.approx(10)
    assert ball.p1 == pytest.approx((60, 30)), "at the drawing's coordinates"
    assert window.selection.keys == {lens.key, ball.key}
    assert window.document.document.groups == {"bench": {lens.key, ball.key}}
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window.canvas, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.scene.objects == ()


@pytest.mark.parametrize("stem", ["wall", "Glass 1"])
def test_a_drawing_named_as_an_object_is_imported(open_window, qtbot, drawing, stem):
    """As one that is there but for its case, or as one of its own objects will be."""
    wall = {"type": "Blocker", "name": "Wall", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}}
    window = open_window(Document(scene=scene_from_json({"version": 5, "objs": [wall]})))
    import_drawing(window, drawing.rename(drawing.with_name(f"{stem}.svg")))
    dialog_of(window, DrawingDialog, qtbot).accept()
    document = window.document.document
    assert len(document.scene.objects) > 2
    ((name, held),) = document.groups.items()
    assert name.startswith(stem[:4])
    assert held == {o.key for o in document.scene.objects[1:]}
    assert name not in {o.title for o in document.scene.objects}
    assert apply_changes(Hide(name), document).hidden == held


def test_scale_and_kind_are_chosen(open_window, qtbot, drawing, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a: (str(drawing), ""))
    window = open_window()
    qtbot.keyClick(window, Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    dialog.scale.setFocus()
    dialog.scale.selectAll()
    qtbot.keyClicks(dialog.scale, "1,5")
    qtbot.keyClick(dialog.scale, Key.Key_Return)
    assert "comma" in dialog.reason.text()
    assert not dialog.import_button.isEnabled()
    dialog.scale.selectAll()
    qtbot.keyClicks(dialog.scale, "3/2")
    qtbot.keyClick(dialog.scale, Key.Key_Return)
    choose(qtbot, dialog.kind, "Mirrors: each line, arc and curve")
    qtbot.waitUntil(lambda: dialog.settled)
    qtbot.mouseClick(dialog.import_button, LEFT)
    wait_until_settled(window)
    kinds = sorted(o.type for o in window.document.scene.objects)
    assert kinds == ["ArcMirror"] * 4 + ["Mirror"] * 3
    straight = max(
        (o for o in window.document.scene.objects if o.type == "Mirror"),
        key=lambda o: math.dist(o.p1, o.p2),
    )
    assert math.dist(straight.p1, straight.p2) == pytest.approx(1.5 * math.hypot(15, 40))


LAYERED = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="0 0 100 60">'
    '<g id="Lenses"><path id="Wedge" d="M 10 0 L 20 0 L 10 20 Z"/></g>'
    '<g id="Folds"><path d="M 30 0 L 40 10"/><path d="M 50 0 L 60 10"/></g>'
    '<g id="Frame"><path d="M 0 30 L 60 30"/></g></svg>'
)


def test_the_layers_of_a_drawing_become_different_kinds_at_once(open_window, qtbot, tmp_path):
    (path := tmp_path / "bench.svg").write_text(LAYERED)
    wedge = {"type": "Mirror", "name": "Wedge", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 9}}
    window = open_window(Document(scene=scene_from_json({"version": 5, "objs": [wedge]})))
    import_drawing(window, path)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    assert dialog.layers["Lenses"].currentText().startswith("Glass:")
    choose(qtbot, dialog.layers["Folds"], "Mirrors: each line, arc and curve")
    choose(qtbot, dialog.layers["Frame"], "Left out")
    choose(qtbot, dialog.place, "In the middle of the view")
    qtbot.waitUntil(lambda: dialog.settled)
    assert dialog.summary.text().startswith("3 objects, 50 × 20 mm")
    qtbot.mouseClick(dialog.import_button, LEFT)
    document = window.document.document
    made = document.scene.objects[1:]
    assert [(o.type, o.name) for o in made] == [
        ("Glass", "Wedge 2"),
        ("Mirror", ""),
        ("Mirror", ""),
    ]
    assert document.groups == {"Folds": {o.key for o in made[1:]}}
    assert len(window.document.session.history.done) == 1


def type_scale(qtbot, dialog, text):
    dialog.scale.setFocus()
    dialog.scale.selectAll()
    qtbot.keyClicks(dialog.scale, text)


def test_a_refused_scale_outlasts_another_kind(open_window, qtbot, drawing):
    window = open_window()
    import_drawing(window, drawing)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    type_scale(qtbot, dialog, "abc")
    choose(qtbot, dialog.kind, "Mirrors: each line, arc and curve")
    qtbot.waitUntil(lambda: dialog.settled)
    assert dialog.scale.text() == "abc"
    assert "Scale must be a number" in dialog.reason.text()
    assert not dialog.import_button.isEnabled()
    type_scale(qtbot, dialog, "2")
    qtbot.keyClick(dialog.scale, Key.Key_Tab)
    qtbot.waitUntil(lambda: dialog.settled)
    assert dialog.import_button.isEnabled()
    assert dialog.reason.isHidden()


def test_import_takes_the_number_being_typed(open_window, qtbot, drawing):
    window = open_window()
    import_drawing(window, drawing)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    type_scale(qtbot, dialog, "2")
    qtbot.mouseClick(dialog.import_button, LEFT)
    qtbot.waitUntil(lambda: len(window.document.scene.objects) == 2)
    ball = window.document.scene.objects[1]
    assert math.dist(ball.p1, ball.p2) == pytest.approx(20)


def test_an_unreadable_drawing_says_why(open_window, qtbot, tmp_path):
    bad = tmp_path / "bad.svg"
    bad.write_text('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')
    window = open_window()
    drop(window, bad)
    dialog = dialog_of(window, DrawingDialog, qtbot)
    assert "entities" in dialog.reason.text()
    assert not dialog.import_button.isEnabled()
    qtbot.keyClick(dialog, Key.Key_Escape)
    assert window.document.scene.objects == ()


def test_a_drawing_on_the_command_line(drawing, tmp_path, capsys):
    out = tmp_path / "scene.json"
    assert main(["import", str(drawing), "--as", "glass", "--scale", "2", "--out", str(out)]) == 0
    assert "2 objects" in capsys.readouterr().out
    _lens, ball = load_document(out).scene.objects
    assert math.dist(ball.p1, ball.p2) == pytest.approx(20)
    assert main(["import", str(drawing), "--unit", "cm", "--out", str(out)]) == 0
    assert "The unit of length cm is left out." in capsys.readouterr().err
    assert main(["import", str(drawing), "--scale", "0", "--out", str(out)]) == 1
    assert main(["import", str(tmp_path / "none.dxf"), "--out", str(out)]) == 1
    assert "Traceback" not in capsys.readouterr().err


@pytest.fixture
def module_file(tmp_path):
    path = tmp_path / "library.json"
    path.write_text(
        json.dumps(
            {
                "version": 5,
                "modules": {"Comb": COMB, "Cage": CAGE, "Broken": {"params": 3}},
                "objs": [],
            }
        )
    )
    return path


def window_with_comb(open_window, qtbot, monkeypatch, module_file):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a: (str(module_file), ""))
    other = {**COMB, "params": ["N=1:1:5:4"]}
    window = open_window(
        Document(scene=scene_from_json({"version": 5, "modules": {"Comb": other}, "objs": []}))
    )
    window.actions_by_id["file.import_modules"].trigger()
    return window, dialog_of(window, ModulesDialog, qtbot)


def test_a_module_is_imported_under_another_name(open_window, qtbot, monkeypatch, module_file):
    window, dialog = window_with_comb(open_window, qtbot, monkeypatch, module_file)
    assert not dialog.boxes["Broken"].isEnabled()
    edit = dialog.names["Comb"]
    edit.selectAll()
    qtbot.keyClicks(edit, "Comb")
    assert "is taken" in dialog.reason.text()
    assert not dialog.import_button.isEnabled()
    qtbot.keyClicks(edit, " of mine")
    qtbot.mouseClick(dialog.import_button, LEFT)
    modules = window.document.scene.modules
    assert set(modules) == {"Comb", "Comb of mine", "Cage"}
    assert modules["Comb"].parameters[0].default == "4"
    assert modules["Cage"].read["objs"][0]["module"] == "Comb of mine"
    assert len(window.document.session.history.done) == 1


@pytest.mark.parametrize(("choice", "default"), [(REPLACE, "3"), (KEEP, "4")])
def test_an_imported_module_replaces_or_is_left(
    open_window, qtbot, monkeypatch, module_file, choice, default
):
    window, dialog = window_with_comb(open_window, qtbot, monkeypatch, module_file)
    choose(qtbot, dialog.choices["Comb"], choice)
    qtbot.mouseClick(dialog.boxes["Comb"], LEFT, pos=QPoint(8, dialog.boxes["Comb"].height() // 2))
    assert "They use Comb" in dialog.reason.text()  # the cage needs it
    qtbot.mouseClick(dialog.import_button, LEFT)
    modules = window.document.scene.modules
    assert set(modules) == {"Comb", "Cage"}
    assert modules["Comb"].parameters[0].default == default
    assert modules["Cage"].read == CAGE


def test_a_dialog_that_was_closed_is_deleted(open_window, qtbot, drawing):
    window = open_window()
    import_drawing(window, drawing)
    dialog_of(window, DrawingDialog, qtbot).reject()
    qtbot.waitUntil(lambda: not window.findChildren(DrawingDialog))
