"""Pictures of what one edits with: several selected objects, the forms of five kinds, the scene's
settings.
"""

from __future__ import annotations

import pytest
from prism_window import prism_document
from PySide6.QtWidgets import QComboBox, QLabel

from raybench.kinds.glasses import Glass
from raybench.scene.changes import AddPreset
from raybench.scene.control_points import control_points
from raybench.scene.creation import object_from_drag, object_from_points
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench import editing
from raybench_workbench.canvas.handles import transform_handles
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.shot import wait_until_settled

pytestmark = pytest.mark.one_window


KINDS = {
    "source": "AngleSource",
    "lens": "SphericalLens",
    "prism": "Glass",
    "grating": "DiffractionGrating",
    "curve": "ParamGlass",
}


def test_several_selected_objects(open_window, shots):
    window = open_window(prism_document())
    window.canvas.setFocus()
    window.selection.set(o.key for o in window.document.scene.objects[:3])
    wait_until_settled(window)
    assert transform_handles(window.canvas) is not None
    assert "3 objects" in window.properties.widget().findChild(QLabel).text()
    shots(window.canvas, "canvas-several-selected")


@pytest.mark.parametrize("name", KINDS)
def test_the_form_of_a_kind(open_window, shots, name):
    kind = KINDS[name]
    made = (
        object_from_points(kind, [Point(0, 0), Point(120, 10), Point(40, 90)])
        if kind == Glass.__name__
        else object_from_drag(kind, Point(0, 0), Point(40, 90))
    )
    window = open_window(Document(scene=Scene.of([made])), size=(1280, 900))
    window.selection.set({made.key})
    wait_until_settled(window)
    form = window.properties.widget()
    assert form.findChildren(NumberEdit)
    assert form.width() <= window.properties.viewport().width(), "nothing is clipped"
    shots(form, f"properties-{name}")


def test_the_handles_of_measures_sources_and_presets(open_window, shots):
    kinds = (
        "Detector",
        "Ruler",
        "Protractor",
        "TextLabel",
        "LineArrow",
        "Beam",
        "DiffractionGrating",
    )
    made = [
        object_from_drag(kind, Point(120 * i, 0), Point(120 * i + 60, 80))
        for i, kind in enumerate(kinds)
    ]
    window = open_window(Document(scene=Scene.of(made)))
    for i, preset in enumerate(("EquilateralPrism", "PentaPrism", "Achromat", "LightGuide")):
        window.document.change(AddPreset(preset, at=Point(100 + 200 * i, 250)))
    editing.select_all_visible(window)
    window.canvas.setFocus()
    window.canvas.navigation.fit_scene()
    wait_until_settled(window)
    assert all(control_points(o) for o in window.document.scene.objects)
    shots(window.canvas, "canvas-handles-measures")


def test_the_settings_of_a_scene(open_window, shots):
    window = open_window(prism_document(), size=(1280, 900))
    assert window.form_pages.currentWidget() is window.scene_settings
    assert {"Mode", "Colour mode", "Unit"} <= {
        c.accessibleName() for c in window.scene_settings.findChildren(QComboBox)
    }
    shots(window.scene_settings.widget(), "scene-settings")
