"""The scene's settings, as the properties show them while nothing is selected."""

from __future__ import annotations

import math

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit
from window_state import select, steps, typed, wheel

from raybench.files.scene_json import scene_to_json
from raybench.kinds.fields import described_fields
from raybench.scene.changes import SetDocument, SetSettings
from raybench.scene.settings import Settings
from raybench.session import Session
from raybench_workbench.canvas.readings import detector_readings
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_seconds, wait_until_settled

pytestmark = pytest.mark.one_window


def settings(window):
    return window.document.scene.settings


def field(window, name, kind=NumberEdit):
    return next(
        (
            w
            for w in window.scene_settings.widget().findChildren(kind)
            if w.accessibleName() == name
        ),
        None,
    )


def choose(window, name, text):
    combo = field(window, name, QComboBox)
    place = combo.findText(text)
    assert place >= 0, text
    combo.setCurrentIndex(place)
    combo.activated.emit(place)
    wait_seconds(0)


def test_ray_density_is_one_step_and_retraces(window, qtbot):
    before = len(window.document.result)
    typed(qtbot, field(window, "Ray density"), "0.4")
    wait_until_settled(window)
    assert settings(window).ray_mode_density == 0.4
    assert len(window.document.result) > 1.5 * before
    assert steps(window) == ["Settings: ray density 0.2 -> 0.4"]
    window.document.undo()
    assert field(window, "Ray density").text() == "0.2"


def test_no_setting_is_offered_that_does_nothing(window):
    names = {w.text() for w in window.scene_settings.findChildren(QCheckBox)}
    assert {"Simulate colours", "Show grid"} <= names
    assert not {f.about.label for f in described_fields(Settings) if f.about.unused} & names
    document = window.document
    document.change(SetSettings({"symbolicBodyMerging": True}))
    assert scene_to_json(document.scene)["symbolicBodyMerging"] is True, (
        "it is kept for other programs"
    )


def test_a_density_of_nothing_is_refused(window, qtbot):
    typed(qtbot, field(window, "Ray density"), "0")
    reasons = [
        w.text()
        for w in window.scene_settings.widget().findChildren(QLabel)
        if w.property("role") == "error" and w.isVisible()
    ]
    assert "above 0" in reasons[0]
    assert settings(window).ray_mode_density == 0.2


def test_each_mode_has_its_own_density(window):
    choose(window, "Mode", "All images")
    assert settings(window).mode == "images"
    assert field(window, "Ray density") is None
    assert field(window, "Image density").text() == "1"


def test_the_observer_comes_with_its_mode(window, qtbot):
    assert field(window, "Observer x") is None
    choose(window, "Mode", "Observer")
    assert settings(window).observer.r == 40
    assert steps(window) == ["Settings: mode rays -> observer"]
    typed(qtbot, field(window, "Observer x"), "300")
    typed(qtbot, field(window, "Observer's radius"), "12")
    assert (settings(window).observer.c[0], settings(window).observer.r) == (300, 12)


def test_colours_and_their_mode(window, qtbot):
    box = next(
        b
        for b in window.scene_settings.widget().findChildren(QCheckBox)
        if b.text() == "Simulate colours"
    )
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert settings(window).simulate_colors
    choose(window, "Colour mode", "Reinhard")
    assert settings(window).color_mode == "reinhard"


def test_an_empty_depth_is_no_limit(window, qtbot):
    edit = field(window, "Largest depth", QLineEdit)
    assert (edit.text(), edit.placeholderText()) == ("", "no limit")
    typed(qtbot, edit, "3")
    assert settings(window).max_ray_depth == 3
    wait_until_settled(window)
    assert window.document.result.depth.max() <= 3
    typed(qtbot, edit, "many")
    assert "must be a number" in window.messages.error.label.full_text
    assert settings(window).max_ray_depth == 3
    assert edit.text() == "3", "the field tells what the scene has"
    edit.selectAll()
    qtbot.keyClick(edit, Qt.Key.Key_Delete)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert settings(window).max_ray_depth == math.inf


def test_a_seed_is_any_text(window, qtbot):
    typed(qtbot, field(window, "Random seed", QLineEdit), "tuesday")
    assert settings(window).random_seed == "tuesday"


def test_the_unit_traces_nothing_anew(window):
    result = window.document.session.result
    choose(window, "Unit", "µm")
    assert window.document.document.unit == "µm"
    assert window.document.session.fresh_result.p1 is result.p1
    units = {
        label.text()
        for edit in window.scene_settings.widget().findChildren(NumberEdit)
        for label in edit.findChildren(QLabel)
    }
    assert "µm" in units


def test_the_form_follows_changes_made_elsewhere(window):
    window.actions_by_id["view.grid"].trigger()
    box = next(
        b for b in window.scene_settings.widget().findChildren(QCheckBox) if b.text() == "Show grid"
    )
    assert box.isChecked()


@pytest.mark.parametrize("text", ["30", "-1"])
def test_typing_belongs_to_one_document(window, qtbot, text):
    edit = field(window, "Grid size")
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    if text == "-1":
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        assert "must be above 0" in " ".join(
            label.text() for label in window.scene_settings.findChildren(QLabel)
        )
    window.document.replace_session(Session(prism_document()))
    wait_seconds(0)
    assert field(window, "Grid size").text() == "20"
    assert not steps(window)


def test_typing_outlasts_a_change_of_unit(window, qtbot):
    edit = field(window, "Grid size")
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "30")
    window.document.apply(SetDocument(unit="cm"))
    assert settings(window).grid_size == 30
    assert field(window, "Grid size").text() == "30"
    assert len(steps(window)) == 2


@pytest.mark.parametrize("name", ["Mode", "Unit"])
def test_a_choice_of_other_rows_keeps_focus(open_window, qtbot, name):
    window = open_window(prism_document(), (1280, 500))
    bar = window.scene_settings.verticalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    combo = field(window, name, QComboBox)
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    wait_seconds(0)
    assert len(steps(window)) == 1
    assert field(window, name, QComboBox) is not combo
    assert QApplication.focusWidget() is field(window, name, QComboBox)
    assert bar.value() == before


def test_the_canvas_takes_a_gone_field_s_focus(window, qtbot):
    choose(window, "Mode", "Observer")
    field(window, "Observer x").setFocus()
    window.document.undo()
    assert field(window, "Observer x") is None
    assert window.canvas.hasFocus()


def test_the_wheel_over_a_choice_scrolls(open_window):
    window = open_window(prism_document(), (1280, 500))
    combo, bar = field(window, "Mode", QComboBox), window.scene_settings.verticalScrollBar()
    wheel(combo)
    assert bar.value() > 0
    assert not steps(window)
    bar.setValue(0)
    combo.setFocus()
    wheel(combo)
    assert len(steps(window)) == 1


def test_the_unit_of_power_is_chosen_and_forms_and_plots_state_it(window, qtbot):
    document = window.document
    choose(window, "Power unit", "mW")
    select(window, "Lamp")
    power = next(
        w
        for w in window.properties.widget().findChildren(NumberEdit)
        if w.accessibleName() == "Total power"
    )
    assert [label.text() for label in power.findChildren(QLabel)] == ["mW"]
    typed(qtbot, power, "0.02 W")
    assert power.text() == "20"
    wait_until_settled(window)
    assert document.result.ledger.emitted == pytest.approx(20)
    assert steps(window)[0] == "Document: unit of power relative -> mW"
    (reading,) = detector_readings(document.document, document.result).values()
    assert reading.text.endswith(" mW")
    document.undo()
    document.undo()
    assert document.document.power_unit == "relative"
