"""Formulas rendered below the field while they are typed; sliders of numbers with a range."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSlider

from raybench.files.scene_json import scene_from_json
from raybench.scene.document import Document
from raybench_workbench.formula_preview import FormulaPreview, number_text
from raybench_workbench.panels.number_edit import FormulaEdit
from raybench_workbench.shot import widget_picture

pytestmark = pytest.mark.one_window


ENDS = {"p1": {"x": 0, "y": 0}, "p2": {"x": 100, "y": 0}}


def opened(open_window, obj):
    window = open_window(Document(scene=scene_from_json({"version": 5, "objs": [obj]})))
    window.selection.set({window.document.scene.objects[0].key})
    return window


def typed(window, qtbot, text):
    edit = window.properties.findChild(FormulaEdit)
    preview = window.properties.findChild(FormulaPreview)
    edit.setFocus()
    edit.selectAll()
    type_on(edit, qtbot, text)
    return edit, preview


def type_on(edit, qtbot, text):
    qtbot.keyClicks(edit, text)
    with qtbot.waitSignal(edit.checked):  # after a pause of typing
        pass


def test_a_formula_is_rendered_while_it_is_typed_and_hidden_while_it_is_wrong(
    open_window, qtbot, shots
):
    window = opened(open_window, {"type": "CustomMirror", **ENDS})
    edit, preview = typed(window, qtbot, r"\frac{\sqrt{1-x^2}}{2}+e^{-x}\cdot\sin(x+1)")
    assert preview.isVisible()
    qtbot.waitUntil(lambda: preview.height() > 30)
    shots(preview, "formula-preview")
    before = widget_picture(preview)
    type_on(edit, qtbot, "^")
    assert not preview.isVisible()
    type_on(edit, qtbot, "3")
    assert preview.isVisible()
    assert widget_picture(preview) != before
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.document.scene.objects[0].eqn.endswith("^3")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2.5, "2.5"),
        (-2.5e20, "−2.5·10²⁰"),
        (1e-8, "1·10⁻⁸"),
        (1e-12, "1·10⁻¹²"),
        (1e100, "1·10¹⁰⁰"),
    ],
)
def test_powers_of_ten_are_written_without_zeros_before_them(value, written):
    assert number_text(value) == written


FORMULAS = ("(x+1)^2", "-(x+2)", r"\left|x\right|", r"\ln(x)\cdot(x-1)", "2-(x-1)", r"\frac{1}{x}^2", "x^{x^x}", "1e-9x", r"10^{-9}x",
            r"\floor(x)", r"\min(x,2)", r"\pi x")  # fmt: skip


def test_any_formula_has_a_box_that_fits(open_window, qtbot):
    window = opened(open_window, {"type": "CustomMirror", **ENDS})
    for text in FORMULAS:
        edit, preview = typed(window, qtbot, text)
        if edit.error is None:
            assert preview.isVisible(), text
            assert preview.width() <= window.properties.viewport().width(), text
        else:
            assert not preview.isVisible(), text


def test_a_number_with_a_range_has_a_slider_that_is_one_step(open_window, qtbot):
    window = opened(open_window, {"type": "BeamSplitter", **ENDS})
    slider = next(
        s
        for s in window.properties.findChildren(QSlider)
        if s.accessibleName() == "Transmission, slider"
    )
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert window.document.scene.objects[0].trans_ratio == 0
    qtbot.keyClick(slider, Qt.Key.Key_End)
    assert window.document.scene.objects[0].trans_ratio == 1
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.scene.objects[0].trans_ratio == 0.5


@pytest.mark.parametrize("label", ["f(x)", "Name", "First end x"])
def test_ctrl_z_in_a_field_without_uncommitted_input_takes_back_the_last_step(
    open_window, qtbot, label
):
    window = opened(open_window, {"type": "CustomMirror", **ENDS})
    before = window.document.scene.objects[0]
    edit = next(e for e in window.properties.findChildren(QLineEdit) if e.accessibleName() == label)
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, {"f(x)": "x^3", "Name": "Vault", "First end x": "0.2"}[label])
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert window.document.scene.objects[0] != before
    edit.setFocus()  # Enter has given the keys back to the canvas
    qtbot.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.scene.objects[0] == before
    assert edit.hasFocus()
