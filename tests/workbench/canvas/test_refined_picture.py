"""Pictures of brightness, which are refined by more draws while nothing changes."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QProgressDialog

from raybench.files.document_file import save_document
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam
from raybench.optics.colour import MIXINGS
from raybench.scene.changes import SetSettings
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import load_kernels, trace
from raybench_workbench.canvas.rays.ray_image import image_bytes, sum_light
from raybench_workbench.canvas.rays.refined_picture import refined_images
from raybench_workbench.cli import main
from raybench_workbench.export.dialog import ExportDialog
from raybench_workbench.figure import make_figure
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.theme import DARK

pytestmark = [pytest.mark.usefixtures("raybench_app"), pytest.mark.one_window]

LOW, HIGH = 0.2, 20.0


def document(color_mode="linear", density=LOW):
    """A beam of few rays that a lens focuses."""
    objects = (
        Beam(name="Sun", p1=Point(0, 0), p2=Point(0, 60), brightness=0.3),
        IdealLens(name="Lens", p1=Point(60, -10), p2=Point(60, 70), focal_length=100.0),
    )
    settings = Settings(color_mode=color_mode, ray_mode_density=density)
    return Document(scene=Scene.of(objects, settings))


def displayed(light):
    return MIXINGS["linear"].displayed_color(light)[:, :3]


def test_a_refined_picture_is_that_of_more_rays():
    load_kernels()
    few, many = (document(density=density) for density in (LOW, HIGH))
    figure = make_figure(few, trace(few), DARK, area="view", size=(300, 200))
    at, shown = figure.viewport, figure.shown_rays
    dense = dataclasses.replace(shown, result=trace(many))
    expected = displayed(sum_light(dense.drawing(), at))
    *_, last = refined_images(few, shown, at, 0.02, lambda: False)
    assert last.error <= 0.02
    off = image_bytes(last.image)[:, :3] / 255 - expected
    plain = displayed(sum_light(shown.drawing(), at)) - expected
    brightness = np.sqrt((expected**2).mean())
    assert np.sqrt((off**2).mean()) < 0.04 * brightness
    assert np.sqrt((plain**2).mean()) > 0.3 * brightness


def test_the_canvas_refines_brightness_at_rest(open_window, qtbot):
    window = open_window(document(), size=(800, 500))
    refinement, word = window.refinement, window.status.refined
    before = window.canvas.backdrop.image

    def is_settled():
        assert refinement.is_settled
        assert refinement.shown_result is not None

    assert word.isHidden()
    refinement.enabled = True
    refinement.refine_to(0.1)
    qtbot.waitUntil(lambda: refinement.is_running)
    qtbot.waitUntil(is_settled)
    assert word.text() == f"refined: {refinement.shown_result.words}"
    assert refinement.shown_result.error <= 0.1
    assert window.canvas.backdrop.image != before
    wait_until_settled(window)  # what is painted over it leaves it as it is
    assert refinement.shown_result is not None

    window.canvas.navigation.zoom(1.1, QPointF(100, 100))
    qtbot.waitUntil(lambda: refinement.shown_result is None)
    assert word.isHidden()

    refinement.refine_to(1e-9)  # never reached
    stop_by_key = partial(qtbot.keyClick, window.canvas, Qt.Key.Key_Escape)
    for stop in (partial(qtbot.mouseClick, word, Qt.MouseButton.LeftButton), stop_by_key):
        qtbot.waitUntil(lambda: refinement.shown_result is not None)
        assert word.text().startswith("refining: ")
        stop()
        is_settled()
        assert word.text().startswith("refined: ")
        window.canvas.navigation.zoom(1.1, QPointF(100, 100))
        qtbot.waitUntil(lambda: refinement.shown_result is None)

    window.document.change(SetSettings({"colorMode": "default"}))
    wait_until_settled(window)
    assert refinement.is_settled
    assert refinement.shown_result is None


def test_commands_refine_pictures(tmp_path, capsys):
    scene, one, other = tmp_path / "scene.raybench", tmp_path / "a.png", tmp_path / "b.png"
    save_document(document(), scene)
    for out in (one, other):
        assert main(["export", str(scene), str(out), "--refine", "0.05", "--size", "300x200"]) == 0
    assert "refined: " in capsys.readouterr().out
    assert one.read_bytes() == other.read_bytes()
    assert main(["export", str(scene), str(tmp_path / "a.svg"), "--refine", "0.05"]) == 1
    save_document(document("default"), scene)
    assert main(["export", str(scene), str(one), "--refine", "0.05"]) == 1
    assert "colour mode to Linear" in capsys.readouterr().err


def test_the_dialog_refines_a_picture(open_window, qtbot, monkeypatch, tmp_path):
    window = open_window(document(), size=(800, 500))

    def export(name, percent):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
        window.actions_by_id["file.export"].trigger()
        (dialog,) = window.findChildren(ExportDialog)
        assert dialog.error_field.isVisible()
        assert dialog.error_field.text() == "not refined"
        dialog.width_field.setValue(300)
        dialog.error_field.selectAll()
        qtbot.keyClicks(dialog.error_field, percent)
        qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not window.findChildren(ExportDialog))

    def light(name):
        qtbot.waitUntil((tmp_path / name).exists, timeout=20_000)
        return image_bytes(QImage(str(tmp_path / name)))[:, :3].astype(float)

    export("few.png", "0")
    export("many.png", "5")
    assert np.abs(light("many.png") - light("few.png")).mean() > 5
    export("no.svg", "2")
    qtbot.waitUntil(window.messages.error.isVisible)
    assert "only a PNG picture is refined" in window.messages.error.label.full_text

    def cancel(dialog, percent):
        dialog.canceled.emit()

    monkeypatch.setattr(QProgressDialog, "setValue", cancel)
    export("cancelled.png", "0.001")
    qtbot.waitUntil(lambda: "cancelled" in window.messages.error.label.full_text)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["few.png", "many.png"]
    window.document.change(SetSettings({"colorMode": "default"}))
    wait_until_settled(window)
    dialog = ExportDialog(window)
    dialog.show()
    assert dialog.error_field.isHidden()
    dialog.close()
