"""What is typed into every number of every kind: refused with its reason below, or read and undone
while a field has the focus.
"""

from __future__ import annotations

import pytest
from clipped_texts import clipped
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from raybench.scene.changes import Add, Delete, SetSettings
from raybench.scene.creation import (
    FAMILIES,
    PRESET_FAMILIES,
    is_drawn_as_path,
    object_from_drag,
    object_from_points,
)
from raybench.shapes.point import Point
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_seconds
from raybench_workbench.texts import ZERO_WIDTH_SPACE

pytestmark = pytest.mark.one_window


REFUSED = ("-", "", "nan", "1/0", "1,500", "1e60")
LONG = "9" * 61
ACCEPTED = {"800/2": 400.0, "1/3": 1 / 3, "−1e-1": -0.1}
KEY, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier


def edits_of(form):
    return {e.accessibleName(): e for e in form.findChildren(NumberEdit) if e.isVisibleTo(form)}


def labels_of(form):
    return [
        w
        for w in form.findChildren(QLabel)
        if w.property("role") == "error" and w.isVisibleTo(form)
    ]


def reasons_of(form):
    return [w.text().replace(ZERO_WIDTH_SPACE, "") for w in labels_of(form)]


def put(qtbot, edit, text, key=KEY.Key_Return):
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClick(edit, KEY.Key_Delete)
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, key)


def refuses(window, qtbot, form, edit, text):
    """Type a text, which is to be refused, and give it up."""
    before = window.document.document
    put(qtbot, edit, text)
    case = f"{edit.accessibleName()}: {text!r}"
    assert window.document.document is before, case
    assert edit.text() == text, case
    assert edit.property("role") == "error", case
    assert len(reasons_of(form)) == 1, case
    assert not window.messages.error.isVisible(), case
    assert edit.hasFocus(), case
    wait_seconds(0)
    (label,) = labels_of(form)
    assert form.parentWidget().rect().contains(label.geometry().translated(form.pos())), (
        f"{case}: the reason is not in sight"
    )
    if text == LONG:
        assert form.width() <= form.parentWidget().width(), case
        assert [c for c in clipped(form) if not c.startswith("NumberEdit")] == [], case
    qtbot.keyClick(edit, KEY.Key_Escape)
    assert reasons_of(form) == [], case
    assert edit.text() != text, case


@pytest.mark.parametrize("family", FAMILIES)
def test_each_number_of_each_kind(open_window, qtbot, family):
    window = open_window()
    document = window.document
    document.change(
        [Delete([o.key for o in document.scene.objects]), SetSettings({"simulateColors": True})]
    )
    for kind in FAMILIES[family]:
        made = (
            object_from_points(kind, [Point(0, 0), Point(90, 10), Point(20, 80)])
            if is_drawn_as_path(kind)
            else object_from_drag(kind, Point(0, 0), Point(90, 60))
        )
        document.change([Delete([o.key for o in document.scene.objects]), Add((made,))])
        window.selection.set({made.key})
        wait_seconds(0.01)
        names = list(edits_of(window.properties.widget()))
        for i, name in enumerate(names):
            form = window.properties.widget()
            for text in (*REFUSED, LONG) if i == 0 else REFUSED:
                refuses(window, qtbot, form, edits_of(form)[name], text)
            before = document.document
            for text in ACCEPTED:
                put(qtbot, edits_of(window.properties.widget())[name], text, KEY.Key_Tab)
                if document.document is not before:
                    break
                qtbot.keyClick(edits_of(window.properties.widget())[name], KEY.Key_Escape)
            assert document.document is not before, f"{kind}: {name} takes none of {list(ACCEPTED)}"
            wait_seconds(0)
            assert float(edits_of(window.properties.widget())[name].text()) == pytest.approx(
                ACCEPTED[text], rel=1e-4
            ), f"{kind}: {name}"
            qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Z, CONTROL)
            assert document.scene == before.scene, f"{kind}: {name}"
            wait_seconds(0)


def test_each_number_of_each_preset(open_window, qtbot):
    window = open_window()
    for preset in [p for family in PRESET_FAMILIES.values() for p in family]:
        window.actions_by_id[f"insert.{preset}"].trigger()
        wait_seconds(0.01)
        form = window.forms.currentWidget().form
        for name, edit in edits_of(form).items():
            before = edit.text()
            for text in ("nan", "1,500", "1/0"):
                put(qtbot, edit, text)
                assert (edit.text(), len(reasons_of(form))) == (text, 1), f"{preset}: {name}"
                assert not window.messages.error.isVisible(), f"{preset}: {name}"
                qtbot.keyClick(edit, KEY.Key_Escape)
            assert edit.text() == before, f"{preset}: {name}"
            assert reasons_of(form) == [], f"{preset}: {name}"


def test_a_change_elsewhere_leaves_the_text_of_a_number_selected(window, qtbot):
    key = window.document.scene.objects[0].key
    window.selection.set([key])
    edit = next(iter(edits_of(window.forms.currentWidget()).values()))
    edit.setFocus()
    edit.selectAll()
    selected = edit.selectedText()
    assert selected
    window.document.change(SetSettings({"gridSize": 7}))
    assert edit.selectedText() == selected
