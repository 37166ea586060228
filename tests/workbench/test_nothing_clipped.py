"""No text of a form, a dialog or a panel is wider than its field in a window of the default size."""

from __future__ import annotations

import pytest
from clipped_texts import clipped
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from raybench.files.scene_json import scene_from_json
from raybench.kinds.glasses import HomogeneousGlass
from raybench.scene import LENGTH_UNITS
from raybench.scene.changes import Add, Delete, SetDocument, SetMaterial, SetSettings
from raybench.scene.creation import (
    FAMILIES,
    PRESET_FAMILIES,
    is_drawn_as_path,
    object_from_drag,
    object_from_points,
)
from raybench.scene.document import Document
from raybench.scene.settings import MODES
from raybench.shapes.point import Point
from raybench_workbench import editing
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_seconds, wait_until_settled

LONG = -12345.678, 1.2345678e-5
"""Coordinates whose shown digits are the most that there are."""
DRAWN = (Point(*LONG), Point(LONG[1], -293.8125), Point(141.408, LONG[0]))


@pytest.fixture
def shown(raybench_app):
    """Shows widgets below each other in a column that is 120 pixels wide."""
    columns = []

    def show(*widgets):
        column = QWidget()
        layout = QVBoxLayout(column)
        for w in widgets:
            layout.addWidget(w)
        column.setFixedWidth(120)
        column.show()
        wait_seconds(0.01)
        columns.append(column)
        return column

    yield show
    for column in columns:
        column.close()


def combo_of(text):
    combo = QComboBox()
    combo.setMinimumWidth(40)
    combo.addItem(text)
    return combo


def count_with_noun(value):
    edit = NumberEdit("Radius", "length")
    edit.set_value(value)
    return edit


def wrapped(text):
    label = QLabel(text)
    label.setWordWrap(True)
    return label


def squeezed(widget, width=100):
    widget.setMaximumWidth(width)
    return widget


@pytest.mark.parametrize(
    ("make", "short", "long"),
    [
        (combo_of, "Rays", "Seen by observer, or so"),
        (lambda v: squeezed(count_with_noun(v), 64), 5, -1.2345678e-123),
        (lambda t: squeezed(QLabel(t)), "Radius", "Radius of the observer's disc"),
        (wrapped, "A sentence of several words.", "Electroencephalographically."),
        (lambda t: squeezed(QPushButton(t)), "OK", "Restore all defaults"),
        (lambda t: QLineEdit(placeholderText=t), "several", "no limit to the number of rays"),
    ],
)
def test_a_text_wider_than_its_field_is_found(shown, make, short, long):
    assert clipped(shown(make(short))) == []
    assert len(clipped(shown(make(long)))) == 1


def test_no_text_of_the_settings_is_clipped(window):
    for mode in MODES:
        for unit in LENGTH_UNITS:
            window.document.change(
                [SetSettings({"mode": mode, "simulateColors": True}), SetDocument(unit=unit)]
            )
            wait_seconds(0.02)
            assert window.form_pages.currentWidget() is window.scene_settings
            assert clipped(window.scene_settings.widget()) == [], mode


def test_no_text_of_properties_is_clipped(window):
    window.document.change(SetSettings({"simulateColors": True}))  # with the most fields
    for kind in (kind for kinds in FAMILIES.values() for kind in kinds):
        made = (
            object_from_points(kind, list(DRAWN))
            if is_drawn_as_path(kind)
            else object_from_drag(kind, *DRAWN[:2])
        )
        old = Delete([o.key for o in window.document.scene.objects])
        window.document.change([old, Add((made,))])
        window.selection.set({made.key})
        wait_seconds(0.02)
        if isinstance(made, HomogeneousGlass):
            window.document.change(SetMaterial([made.key], "SCHOTT N-BK7"))
            wait_seconds(0.02)
        form = window.properties.widget()
        assert form.findChildren(NumberEdit) or form.findChildren(QLineEdit)
        assert clipped(form) == [], kind


def test_no_text_of_properties_of_several_objects_or_of_a_module_is_clipped(window, open_window):
    editing.select_all_visible(window)
    wait_seconds(0.02)
    assert clipped(window.properties.widget()) == []
    inner = {
        "type": "Blocker",
        "for": "i=1:1:N",
        "p1": {"x": "`x_1+i`", "y": "`y_1`"},
        "p2": {"x": "`x_1+i`", "y": "`y_1+focal_length`"},
    }
    comb = {"numPoints": 1, "params": ["N=1:1:9:3", "focal_length=0:0.1:1000:200"], "objs": [inner]}
    instance = {
        "type": "ModuleObj",
        "module": "Comb",
        "points": [{"x": LONG[0], "y": LONG[1]}],
        "params": {"N": 2, "focal_length": 200},
    }
    window = open_window(
        Document(
            scene=scene_from_json({"version": 5, "modules": {"Comb": comb}, "objs": [instance]})
        )
    )
    editing.select_all_visible(window)
    wait_seconds(0.02)
    assert window.properties.widget().findChildren(NumberEdit)
    assert clipped(window.properties.widget()) == []


def test_no_text_of_a_preset_is_clipped(window):
    for preset in (preset for presets in PRESET_FAMILIES.values() for preset in presets):
        window.actions_by_id[f"insert.{preset}"].trigger()
        wait_seconds(0.02)
        assert clipped(window.forms.currentWidget()) == [], preset


DIALOGS = (
    "file.export",
    "edit.preferences",
    "arrange.rotate",
    "arrange.scale",
    "view.background",
    "help.welcome",
    "help.keys",
    "help.about",
)


def test_no_text_of_a_dialog_is_clipped(window, tmp_path):
    window.document.save(tmp_path / "prism.raybench")
    editing.select_all_visible(window)
    for action in DIALOGS:
        window.actions_by_id[action].trigger()
        wait_seconds(0.05)
        (dialog,) = (d for d in window.findChildren(QDialog) if d.isVisible())
        assert clipped(dialog) == [], action
        dialog.close()
        wait_seconds(0)


def test_no_text_of_the_connection_of_a_model_is_clipped(window, qtbot):
    window.actions_by_id["chat.connect"].trigger()
    strip = window.chat_dock.strip
    for i in range(strip.server.count()):
        strip.server.setCurrentIndex(i)
        strip.server.activated.emit(i)
        qtbot.waitUntil(lambda: clipped(window.chat_dock) == [])  # once it is laid out


PANELS = ("view.rays", "view.study", "view.inspector", "view.plots", "view.json", "view.history")


def test_no_text_of_the_window_with_each_panel_is_clipped(window):
    assert clipped(window) == []
    for action in PANELS:
        window.actions_by_id[action].trigger()
        wait_until_settled(window)
        assert clipped(window) == [], action
        window.actions_by_id[action].trigger()
