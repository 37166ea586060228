"""Coatings and finishes in the window: the rows of Properties, their dialog, and the canvas."""

from __future__ import annotations

import json

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QPushButton
from window_state import named, select

from raybench.scene.changes import Coat
from raybench.scene.labels import find_edge_by_label
from raybench_workbench import theme
from raybench_workbench.canvas import picking
from raybench_workbench.panels.treatment_dialog import TreatmentDialog

MGF2 = "MgF2 quarter wave 550"


def test_an_edge_is_coated_by_name_and_by_thickness(window, qtbot):
    prism = named(window, "Main Prism")
    select(window, "Main Prism")
    button = next(
        b for b in window.findChildren(QPushButton) if b.accessibleName() == "Coating of edge W"
    )
    assert button.text() == "coating…"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(TreatmentDialog)
    dialog.names.setFocus()
    for _ in range(2):  # after none and the ideal antireflection coating
        qtbot.keyClick(dialog.names, Qt.Key.Key_Down)
    assert dialog.names.currentText() == MGF2
    assert "Macleod" in dialog.source.text()
    qtbot.waitUntil(lambda: dialog.plot.figure is not None)
    assert dialog.plot.figure.title == MGF2
    reflected = dialog.plot.figure.panels[0].curves[0]
    assert 1.2 < min(reflected.y) < 1.5
    dialog.accept_value()
    assert MGF2 in button.toolTip()
    coating = next(iter(window.document.document.coatings[prism.key].values()))
    assert coating.title == MGF2

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = next(d for d in window.findChildren(TreatmentDialog) if d.isVisible())
    data = json.loads(dialog.text.toPlainText())
    dialog.text.setPlainText(
        json.dumps({**data, "films": [{"material": "MgF2 (o)", "thickness": -5}]})
    )
    dialog.accept_value()
    assert "thickness is -5" in dialog.reason.text()
    dialog.text.setPlainText(
        json.dumps({**data, "films": [{"material": "MgF2 (o)", "thickness": 120}]})
    )
    dialog.accept_value()
    assert "MgF2 (o) 120 nm" in button.toolTip()

    window.document.undo()
    window.document.undo()
    assert window.document.document.coatings == {}
    assert button.text() == "coating…"


def test_a_coated_edge_has_a_line_and_a_word(window, qtbot):
    prism = named(window, "Main Prism")
    assert window.document.apply_or_refuse(Coat(prism.key, "W", MGF2)) == ""
    middle = find_edge_by_label(prism, "W").edge.shape.midpoint
    view = window.canvas
    at = view.camera.to_screen(middle)
    assert picking.tool_tip_at(view, QPointF(at), rays=True) == f"W: {MGF2}"
    image = view.grab().toImage()
    wanted = theme.current_theme().color("coating")
    spot = at.toPoint() * image.devicePixelRatio()
    near = [
        image.pixelColor(spot.x() + dx, spot.y() + dy) for dx in range(-3, 4) for dy in range(-3, 4)
    ]
    assert any(
        abs(c.red() - wanted.red()) + abs(c.green() - wanted.green()) + abs(c.blue() - wanted.blue()) < 60
        for c in near
    )  # fmt: skip


def test_an_edge_is_finished_beside_its_coating(window, qtbot):
    prism = named(window, "Main Prism")
    assert window.document.apply_or_refuse(Coat(prism.key, "W", MGF2)) == ""
    select(window, "Main Prism")
    button = next(
        b for b in window.findChildren(QPushButton) if b.accessibleName() == "Finish of edge W"
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = next(d for d in window.findChildren(TreatmentDialog) if d.isVisible())
    text = {"scatter": "gaussian", "deviation": 5, "towards": "Nobody"}
    dialog.text.setPlainText(json.dumps(text))
    dialog.accept_value()
    assert "No object named" in dialog.reason.text()
    dialog.text.setPlainText(json.dumps({**text, "towards": "Main Prism"}))
    dialog.accept_value()
    assert button.toolTip().endswith("Gaussian of 5°")
    (finish,) = window.document.document.finishes[prism.key].values()
    assert finish.towards == prism.key
    middle = find_edge_by_label(prism, "W").edge.shape.midpoint
    at = window.canvas.camera.to_screen(middle)
    told = picking.tool_tip_at(window.canvas, QPointF(at), rays=True)
    assert told == f"W: {MGF2}, Gaussian of 5°"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = next(d for d in window.findChildren(TreatmentDialog) if d.isVisible())
    assert json.loads(dialog.text.toPlainText())["towards"] == "Main Prism"
