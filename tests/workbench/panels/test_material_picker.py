"""The material of a glass body in its form: picked by typing, from the list and on the glass map;
shown, refused and taken back.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from prism_window import prism_document
from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from window_state import named, select, steps

from raybench.files.document_file import load_document, save_document
from raybench.kinds.glasses import Glass
from raybench.materials import database
from raybench.materials.catalogue import material_named, nearest_materials
from raybench.materials.dispersion import fit_cauchy_formula
from raybench.scene.changes import Duplicate, Set, SetMaterial, SetSettings, apply_changes
from raybench.scene.materials import current_material
from raybench_workbench.panels.materials import MaterialPicker
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.saving import save_to_file

pytestmark = pytest.mark.one_window


@pytest.fixture
def window(open_window):
    window = open_window(apply_changes(SetSettings({"simulateColors": True}), prism_document()))
    select(window, "Main Prism")
    return window


def material(window):
    own = current_material(window.document.scene.objects[1])
    return own.material.name if own is not None else ""


def row(window):
    return next(
        b
        for b in window.properties.widget().findChildren(QPushButton)
        if b.accessibleName() == "Material"
    )


def notes(window):
    return " ".join(
        label.text()
        for label in window.properties.widget().findChildren(QLabel)
        if label.isVisible()
    )


def opened(window, qtbot):
    """The dialog, opened from the row by the keyboard."""
    row(window).setFocus()
    qtbot.keyClick(row(window), Qt.Key.Key_Space)
    dialog = next(d for d in window.findChildren(MaterialPicker) if d.isVisible())
    qtbot.waitExposed(dialog)
    return dialog


def button(dialog, text):
    return next(b for b in dialog.findChildren(QPushButton) if b.text() == text)


def test_typing_filters_and_enter_assigns_in_one_step(window, qtbot):
    assert row(window).text() == "none…"
    dialog = opened(window, qtbot)
    assert dialog.table.rowCount() > 60
    qtbot.keyClicks(dialog.search, "sf1")
    names = [dialog.table.item(i, 0).text() for i in range(dialog.table.rowCount())]
    assert names
    assert all("sf1" in name.casefold() for name in names)
    qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.chosen_name == names[1]
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert material(window) == names[1]
    assert steps(window) == [f"Main Prism: material {names[1]}"]
    assert row(window).text() == f"{names[1]}…"
    assert material_named(names[1]).source in notes(window)
    window.document.undo()
    assert (material(window), row(window).text()) == ("", "none…")


def test_numbers_find_the_nearest_on_the_glass_map(window, qtbot):
    dialog = opened(window, qtbot)
    qtbot.keyClicks(dialog.search, "1.62, 36")
    assert dialog.chosen_name == nearest_materials(1.62, 36.0, most=1)[0].name == "F2"


def test_a_click_on_the_map_picks_and_a_double_click_in_the_list_assigns(window, qtbot):
    dialog = opened(window, qtbot)
    at = dialog.map.material_position("SF11").toPoint()
    qtbot.mouseMove(dialog.map.viewport(), at + QPoint(1, 1))
    qtbot.mouseClick(dialog.map.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert dialog.chosen_name == "SF11"
    assert material_named("SF11").source in dialog.about.text()
    item = dialog.table.item(dialog.table.currentRow(), 0)
    place = dialog.table.visualItemRect(item).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert material(window) == "SF11"


def test_a_name_without_a_match_is_answered_in_the_list_and_tab_goes_on_from_there(window, qtbot):
    dialog = opened(window, qtbot)
    assert dialog.no_match.isHidden()
    qtbot.keyClicks(dialog.search, "unobtainium")
    assert dialog.no_match.isVisible()
    assert dialog.table.rowCount() == 0
    dialog.search.clear()
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Tab)
    assert not dialog.table.hasFocus()


def test_a_click_beside_all_points_picks_nothing(window, qtbot):
    dialog = opened(window, qtbot)
    qtbot.mouseClick(dialog.map.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert dialog.chosen_name == ""
    assert not button(dialog, "Assign").isEnabled()


def test_nearest_selects_the_glass_of_the_present_index(window, qtbot):
    window.document.change(Set("Main Prism", {"refIndex": 1.5046, "cauchyB": 0.0042}))
    dialog = opened(window, qtbot)
    qtbot.mouseClick(button(dialog, "Nearest"), Qt.MouseButton.LeftButton)
    assert dialog.chosen_name == "N-BK7"


def test_no_material_and_an_index_set_by_hand_return_to_cauchy(window, qtbot):
    window.document.change(SetMaterial("Main Prism", "SF11"))
    dialog = opened(window, qtbot)
    assert dialog.chosen_name == "SF11", "the present one is selected"
    qtbot.mouseClick(button(dialog, "No material"), Qt.MouseButton.LeftButton)
    assert material(window) == ""
    edit = next(
        e
        for e in window.properties.widget().findChildren(NumberEdit)
        if e.accessibleName() == "Refractive index"
    )
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "1.7")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert named(window, "Main Prism").ref_index == 1.7
    assert row(window).text() == "none…"
    assert material_named("SF11").source not in notes(window)


def test_escape_changes_nothing_and_a_refusal_says_why(window, qtbot):
    qtbot.keyClick(opened(window, qtbot).search, Qt.Key.Key_Escape)
    assert steps(window) == []
    window.document.change(Set("Lamp", {"wavelength": 150}))
    dialog = opened(window, qtbot)
    qtbot.keyClicks(dialog.search, "sf11")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert "SF11: 150 nm is outside" in dialog.problem.text()
    assert material(window) == ""


def test_several_bodies_get_one_material_and_a_screen_none(window, qtbot):
    window.document.change([Duplicate("Main Prism", dx=200), SetMaterial("Main Prism", "SF11")])
    window.selection.set(o.key for o in window.document.scene.objects if isinstance(o, Glass))
    assert row(window).text() == "several…"
    dialog = opened(window, qtbot)
    qtbot.keyClicks(dialog.search, "water")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert row(window).text() == "Water…"
    assert steps(window)[-1] == "2 objects: material Water"
    select(window, "Main Prism", "Screen")
    assert not any(
        b.accessibleName() == "Material"
        for b in window.properties.widget().findChildren(QPushButton)
    )


def test_the_index_of_the_trace_follows_and_a_document_keeps_it(window, qtbot, tmp_path):
    window.document.change(SetMaterial("Main Prism", "SF11"))
    qtbot.waitUntil(lambda: window.document.session.fresh_result is not None, timeout=10_000)
    assert window.document.save(tmp_path / "a.raybench")
    assert current_material(load_document(tmp_path / "a.raybench").scene.objects[1]) is not None


def test_the_dialog_looks_right(window, qtbot, shots, monkeypatch):
    monkeypatch.setattr(database, "_data_folder", lambda: None)
    dialog = opened(window, qtbot)
    dialog.resize(QSize(860, 460))
    qtbot.keyClicks(dialog.search, "sf")
    assert (dialog.chosen_name, dialog.table.rowCount() > 5) == (
        dialog.table.item(0, 0).text(),
        True,
    )
    dialog.search.clearFocus()
    dialog.table.setFocus()
    shots(dialog, "material-picker")


def test_the_plots_are_not_imported_before_the_dialog_is_opened():
    program = "import sys, raybench_workbench.main_window; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_copy_through_the_clipboard_has_the_material(window, qtbot):
    window.document.change(SetMaterial("Main Prism", "SF11"))
    for key in (Qt.Key.Key_C, Qt.Key.Key_V):
        qtbot.keyClick(window.canvas, key, Qt.KeyboardModifier.ControlModifier)
    pasted = window.document.scene.objects[-1]
    own = current_material(pasted)
    assert isinstance(pasted, Glass)
    assert own is not None
    assert own.material == material_named("SF11")


def test_saving_a_plain_scene_tells_the_largest_error_and_writes_the_fit(window, tmp_path):
    window.document.change(SetMaterial("Main Prism", "SF11"))
    window.document.change([Set("Lamp", {"wavelength": 450}), Duplicate("Lamp"), Duplicate("Lamp")])
    for title, wavelength in (("Lamp 2", 550), ("Lamp 3", 650)):
        window.document.change(Set(title, {"wavelength": wavelength}))
    fit = fit_cauchy_formula(material_named("SF11").dispersion, (450.0, 550.0, 650.0))
    told = []

    def answer():
        box = QApplication.activeModalWidget()
        told.extend([box.text(), box.informativeText()])
        next(b for b in box.buttons() if b.text() == "Save without").click()

    QTimer.singleShot(0, answer)
    assert save_to_file(window, tmp_path / "a.json")
    assert "cannot hold everything" in told[0]
    error = f"in error by up to {fit.error:.2g} in the index (at "
    assert f"Main Prism has Cauchy's formula in place of SF11, {error}" in told[1]
    saved = load_document(tmp_path / "a.json").scene.objects[1]
    assert isinstance(saved, Glass)
    assert (saved.ref_index, saved.cauchy_b) == pytest.approx((fit.a, fit.b), rel=1e-12)
    assert material(window) == "SF11"


def test_a_material_of_a_document_whose_formula_gives_no_index_is_shown_by_its_name(
    open_window, tmp_path
):
    path = tmp_path / "odd.raybench"
    glass = apply_changes(SetMaterial("Main Prism", "N-BK7"), prism_document())
    save_document(glass, path)
    data = json.loads(path.read_text())
    (row,) = data["materials"].values()
    row |= {"name": "R&D", "source": "made up", "coefficients": [-3.0]}
    path.write_text(json.dumps(data))
    window = open_window(load_document(path))
    select(window, "Main Prism")
    assert "R&&D…" in [b.text() for b in window.properties.findChildren(QPushButton)]
    assert "made up" in [label.text() for label in window.properties.findChildren(QLabel)]


def test_a_long_name_of_a_material_does_not_make_the_form_wider(open_window, tmp_path):
    path = tmp_path / "long.raybench"
    save_document(apply_changes(SetMaterial("Main Prism", "N-BK7"), prism_document()), path)
    path.write_text(path.read_text().replace('"N-BK7"', f'"{300 * "M"}"'))
    window = open_window(load_document(path))
    select(window, "Main Prism")
    (button,) = (
        b for b in window.properties.findChildren(QPushButton) if b.text().startswith("MM")
    )
    assert button.width() <= window.properties.width()
    assert 300 * "M" in button.toolTip()
