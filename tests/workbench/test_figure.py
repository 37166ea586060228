"""Figures: what is in them, how large they are, and that they repeat themselves."""

from __future__ import annotations

import contextlib
import ctypes
import io
import itertools
import re
import threading
import time
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as raw
import pytest
import svgelements
from lxml import etree
from prism_window import prism_document
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QProgressDialog, QPushButton

from raybench.errors import RaybenchError
from raybench.files.document_file import load_document, save_document
from raybench.kinds.blockers import Blocker
from raybench.kinds.decorations import CropBox, Ruler, TextLabel
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.optics.colour import MIXINGS
from raybench.scene.changes import Coat, Move, apply_changes
from raybench.scene.document import Document
from raybench.scene.measurements import Measurement, Pin
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Completion
from raybench.trace.compilation import machine_code
from raybench.trace.results.ray_set import RaySet
from raybench.trace.trace import trace
from raybench.view import View
from raybench_workbench.canvas import layers
from raybench_workbench.canvas.rays.drawing import added_light_drawing, covering_lines_drawing
from raybench_workbench.canvas.rays.pixel_lines import clip_lines_to_canvas
from raybench_workbench.canvas.rays.ray_vectors import (
    convert_to_covering_lines,
    overlapping_lines_light,
)
from raybench_workbench.cli import main
from raybench_workbench.export import MAX_SIDE
from raybench_workbench.export.dialog import ExportDialog
from raybench_workbench.figure import FIGURE_ENCODERS, figure_writer, make_figure, svg_bytes
from raybench_workbench.picture_tests.pictures import pixels
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.theme import DARK, PAPER
from raybench_workbench.threads import run_with_progress
from raybench_workbench.tracing import TraceState

pytestmark = [pytest.mark.usefixtures("raybench_app"), pytest.mark.one_window]


def scene(count=7, **settings):
    rays = tuple(
        SingleRay(p1=Point(0, 10 * i), p2=Point(100, 10 * i + 3), name=f"Ray {i}")
        for i in range(count)
    )
    return Document(scene=Scene(objects=rays, settings=Settings(**settings)))


def figure(document, theme=PAPER, **options):
    return make_figure(document, trace(document), theme, **options)


def lines_in(drawing):
    """The number of straight lines in an SVG drawing."""
    return sum(d.count("M") for d in re.findall(r'd="((?:M\S+ [^\sMLC]+ ?)+)"', drawing.decode()))


def image(data):
    out = QImage()
    assert out.loadFromData(data)
    return out


def opacities(data):
    picture = image(data)
    return {
        picture.pixelColor(x, y).alpha()
        for x in range(picture.width())
        for y in range(picture.height())
    }


@pytest.mark.parametrize("suffix", FIGURE_ENCODERS)
def test_the_same_figure_gives_the_same_bytes(suffix):
    chosen = figure(prism_document())
    assert FIGURE_ENCODERS[suffix](chosen) == FIGURE_ENCODERS[suffix](chosen)


def test_a_picture_has_the_requested_size():
    odd = image(FIGURE_ENCODERS[".png"](figure(scene(), size=(641, 303), scale=2.0)))
    assert (odd.width(), odd.height()) == (641, 303)
    assert odd.pixelColor(640, 302).name() == PAPER.color("canvas").name()
    picture = image(FIGURE_ENCODERS[".png"](figure(scene(), size=(640, 300))))
    assert (picture.width(), picture.height()) == (640, 300)
    red, green, blue = (pixels(picture)[:, :, i].astype(int) for i in (2, 1, 0))
    assert ((red - blue > 100) & (green < 150)).sum() > 500, "rays in the paper theme's colour"
    assert picture.pixelColor(0, 0).name() == PAPER.color("canvas").name()


def test_widths_of_lines_grow_with_the_scale():
    def ink(scale):
        picture = image(FIGURE_ENCODERS[".png"](figure(scene(1), size=(800, 400), scale=scale)))
        return (pixels(picture)[:, :, 0] < 128).sum(axis=0).max()

    assert ink(4.0) > 2 * ink(1.0)


@pytest.mark.parametrize("colours", [False, True])
def test_a_drawing_holds_rays_as_lines(colours):
    document = scene(23, simulate_colors=colours)
    data = FIGURE_ENCODERS[".svg"](figure(document))
    drawing = ET.fromstring(data.decode())
    assert drawing.tag.endswith("svg")
    assert lines_in(data) >= 23
    assert not [e for e in drawing.iter() if e.tag.endswith("image")]


def test_a_drawings_texts_have_a_fallback_font():
    document = Document(scene=Scene.of([TextLabel(x=20.0, y=20.0, text='font-family="Times"')]))
    drawing = FIGURE_ENCODERS[".svg"](figure(document)).decode()
    fonts = {e.get("font-family") for e in ET.fromstring(drawing).iter()} - {None}
    assert len(fonts) == 1
    assert fonts.pop().endswith(", sans-serif")
    assert 'font-family="Times"' in "".join(ET.fromstring(drawing).itertext())


def test_rays_on_a_page_have_true_widths():
    page = FIGURE_ENCODERS[".pdf"](figure(scene(3), size=(960, 480)))
    assert page.startswith(b"%PDF")
    assert re.search(rb"/MediaBox \[\s*0 0 720(\.0+)? 360(\.0+)?\s*\]", page)


def test_without_background_only_objects_are_opaque():
    seen = opacities(FIGURE_ENCODERS[".png"](figure(scene(), size=(200, 100), transparent=True)))
    assert {0, 255} <= seen


def test_a_crop_box_frames_the_figure():
    box = CropBox(p1=Point(0, 0), p4=Point(100, 50), width=400.0, transparent=True)
    document = Document(scene=Scene(objects=(*scene().scene.objects, box)))
    chosen = figure(document, area="crop")
    assert chosen.viewport.size == (400, 200)
    assert chosen.transparent
    assert chosen.viewport.camera.scale == pytest.approx(4.0)
    assert (chosen.viewport.camera.x, chosen.viewport.camera.y) == pytest.approx((0.0, 0.0))
    empty = Document(scene=Scene(objects=(box,)))
    assert opacities(FIGURE_ENCODERS[".png"](figure(empty, area="crop"))) == {0}


@pytest.mark.parametrize("light_left", [True, False])
def test_the_legend_stands_in_a_free_corner(light_left, monkeypatch):
    x = 40 if light_left else 460
    rays = tuple(Beam(p1=Point(x + i, 20), p2=Point(x + i + 5, 20)) for i in range(0, 100, 5))
    stop = Blocker(p1=Point(x, 480), p2=Point(x + 100, 480))
    across = 600 - x
    body = Glass(
        path=tuple(
            Vertex(across + dx, y) for dx, y in ((-80, 400), (80, 400), (80, 480), (-80, 480))
        )
    )
    document = Document(scene=Scene.of([*rays, stop, body]))
    boxes, paint = [], layers.paint_legend
    monkeypatch.setattr(
        layers,
        "paint_legend",
        lambda *args: boxes.append(args[2]) or paint(*args),
    )
    chosen = figure(document, view=View(coloring="source"), size=(800, 640))
    FIGURE_ENCODERS[".png"](chosen)
    (box,) = boxes
    assert box.top() < 100, "the lower corners hold the glass, and the light or its end"
    assert (box.left() > 400) == light_left


@pytest.mark.parametrize(
    "corner",
    [Point(1e-320, 1), Point(1e-300, 1e50), Point(1, 1e-320), Point(1e50, 1e-300), Point(0, 1)],
)
def test_a_very_thin_crop_box_gives_a_figure(corner):
    document = Document(
        scene=Scene(
            objects=(*scene().scene.objects, CropBox(p1=Point(0, 0), p4=corner, width=400.0))
        )
    )
    width, height = figure(document, area="crop").viewport.size
    assert 1 <= width <= MAX_SIDE
    assert 1 <= height <= MAX_SIDE


def _on_the_border(picture):
    """Whether anything is painted on the outermost pixels of a picture."""
    at = pixels(picture)
    return any(
        np.ptp(side.reshape(-1, at.shape[2]), axis=0).any()
        for side in (at[0], at[-1], at[:, 0], at[:, -1])
    )


@pytest.mark.parametrize("options", [{}, {"size": (300, 260)}, {"width_mm": 50.0}])
@pytest.mark.parametrize("beside", [
    TextLabel(x=0, y=60, text="A long line\nand two more\nbelow it"),
    TextLabel(x=90, y=20, text="To the right of all objects"),
    TextLabel(x=10, y=0, text="Turned upwards", angle=90.0),
    Detector(p1=Point(80, 0), p2=Point(80, 50), irrad_map=True, bin_size=10.0),
    Ruler(p1=Point(0, 60), p2=Point(80, 60)),
    Ruler(p1=Point(80, 0), p2=Point(0, 0), scale_interval=1000 / 7),
])  # fmt: skip
def test_a_whole_scenes_figure_cuts_off_nothing(beside, options):
    light = SingleRay(p1=Point(0, 20), p2=Point(50, 20)), Blocker(p1=Point(81, 0), p2=Point(81, 50))
    assert not _on_the_border(
        image(
            FIGURE_ENCODERS[".png"](figure(Document(scene=Scene.of([*light, beside])), **options))
        )
    )


def test_a_whole_scenes_figure_holds_its_measurements():
    blocker = Blocker(p1=Point(0, 0), p2=Point(40, 0))
    pins = Pin(Point(0, 0)), Pin(Point(20, -300))
    measured = {
        "distance 1": Measurement("distance", pins),
        "angle 1": Measurement("angle", (*pins, Pin(Point(400, 0)))),
    }
    document = Document(scene=Scene.of([blocker]), measurements=measured)
    drawn = figure(document)
    for at in (Point(20, -300), Point(400, 0)):
        assert QRectF(0, 0, *drawn.viewport.size).contains(drawn.viewport.camera.to_screen(at))
    assert not _on_the_border(image(FIGURE_ENCODERS[".png"](drawn)))


def test_a_missing_area_is_a_clear_error():
    with pytest.raises(RaybenchError, match="no crop box in this scene"):
        figure(scene(), area="crop")


def test_lit_rays_stand_out_in_figures():
    document = scene()
    result = trace(document)
    rays = RaySet(np.array([0]), "one", document.revision)
    lit = FIGURE_ENCODERS[".png"](
        make_figure(document, result, DARK, view=View(highlight=rays), size=(400, 200))
    )
    plain = FIGURE_ENCODERS[".png"](make_figure(document, result, DARK, size=(400, 200)))
    assert (
        pixels(image(lit))[:, :, :3].astype(int).sum()
        < pixels(image(plain))[:, :, :3].astype(int).sum()
    ), "the others are dimmed"
    only = FIGURE_ENCODERS[".svg"](
        make_figure(document, result, DARK, view=View(specific_rays=rays))
    )
    every = FIGURE_ENCODERS[".svg"](make_figure(document, result, DARK))
    assert lines_in(every) - lines_in(only) == 6


@pytest.mark.parametrize("suffix", [".png", ".csv"])
def test_the_command_reports_a_limit_of_rays(suffix, tmp_path, capsys):
    save_document(prism_document(), tmp_path / "scene.json")
    assert (
        main(
            [
                "export",
                str(tmp_path / "scene.json"),
                str(tmp_path / f"out{suffix}"),
                "--max-segments",
                "5",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out.strip().endswith("5 segments, segment limit")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".csv", ".npz", ".xml"])
def test_the_command_writes_every_form_and_repeats_itself(suffix, tmp_path, capsys):
    source = tmp_path / "scene.json"
    save_document(prism_document(), source)
    outs = [tmp_path / f"{i}{suffix}" for i in (1, 2)]
    for out in outs:
        assert main(["export", str(source), str(out)]) == 0
    assert "segments" in capsys.readouterr().out
    assert outs[0].stat().st_size > 500
    if suffix in FIGURE_ENCODERS:
        assert outs[0].read_bytes() == outs[1].read_bytes()


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_figure_waits_for_its_kernels(suffix, tmp_path, monkeypatch):
    scene, out = tmp_path / "few.raybench", tmp_path / f"figure{suffix}"
    save_document(
        Document(
            scene=Scene.of(
                [SingleRay(p1=Point(0, 0), p2=Point(50, 20))], Settings(simulate_colors=True)
            )
        ),
        scene,
    )
    assert main(["export", str(scene), str(out)]) == 0
    later = out.read_bytes()
    for kernel in machine_code.ENTRY_POINTS.values():
        monkeypatch.setattr(kernel, "code", None)
    compilation = threading.Thread(target=time.sleep, args=(1.0,))
    compilation.start()
    monkeypatch.setattr(
        "raybench_workbench.commands.terminal.compile_in_background",
        lambda: compilation if compilation.is_alive() else None,
    )
    assert main(["export", str(scene), str(out)]) == 0
    assert not compilation.is_alive()
    assert out.read_bytes() == later


@pytest.mark.parametrize(
    ("out", "says"),
    [("a.tif", "there is no export format '.tif'"), ("no/a.png", "Create the folder")],
)
def test_a_failed_export_is_one_line(out, says, tmp_path, capsys):
    source = tmp_path / "scene.json"
    save_document(prism_document(), source)
    assert main(["export", str(source), str(tmp_path / out)]) == 1
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        ["--size", "85mm"],
        ["--scale", "2"],
        ["--theme", "dark"],
        ["--area", "view"],
        ["--transparent"],
        ["--scale-bar"],
    ],
)
def test_figure_options_are_refused_for_rays(option, tmp_path, capsys):
    save_document(prism_document(), source := tmp_path / "scene.json")
    assert main(["export", str(source), str(out := tmp_path / "rays.csv"), *option]) == 1
    assert (
        f"{option[0]} is for figures. Omit it, or write to .png, .svg, .pdf."
        in capsys.readouterr().err
    )
    assert not out.exists()


def test_the_dialog_takes_a_crop_boxs_width(open_window, tmp_path):
    box = CropBox(p1=Point(0, 0), p4=Point(300, 100), width=900.0, name="Frame")
    window = open_window(Document(scene=Scene(objects=(*scene().scene.objects, box))))
    dialog = ExportDialog(window)
    assert dialog.area.currentText() == "Frame"
    assert dialog.size_label.text() == "900 × 300 pixels, 238 × 79 mm on paper"
    dialog.area.setCurrentIndex(0)
    dialog.width_field.setValue(500)
    assert b">50 mm<" not in svg_bytes(dialog.figure)
    dialog.scale_bar.click()
    assert b">50 mm<" in svg_bytes(dialog.figure)
    figure_writer(dialog.figure, tmp_path / "a.png")(lambda done: None)
    assert image((tmp_path / "a.png").read_bytes()).width() == 500
    dialog.close()


def test_a_long_name_does_not_widen_the_dialog(open_window):
    box = CropBox(p1=Point(0, 0), p4=Point(300, 100), name=3000 * "F")
    dialog = ExportDialog(open_window(Document(scene=Scene(objects=(box,)))))
    assert dialog.sizeHint().width() < 600
    dialog.close()


@pytest.mark.parametrize("height", [300.0, 100_000.0])
def test_the_dialog_limits_the_pictures_height(open_window, height):
    box = CropBox(p1=Point(0, 0), p4=Point(100, height), width=9000.0)
    dialog = ExportDialog(open_window(Document(scene=Scene(objects=(*scene().scene.objects, box)))))
    assert max(dialog.figure.viewport.size) <= MAX_SIDE
    dialog.width_field.setValue(MAX_SIDE)
    assert max(dialog.figure.viewport.size) <= MAX_SIDE
    dialog.close()


def test_the_scale_keeps_the_width_on_paper(open_window, qtbot):
    dialog = ExportDialog(open_window(prism_document()))
    dialog.show()
    qtbot.waitExposed(dialog)
    assert dialog.scale_field.height() == dialog.width_field.height() == dialog.colours.height()
    pixels_before = dialog.figure.viewport.size
    qtbot.keyClick(dialog.unit, Qt.Key.Key_Down)
    assert dialog.unit.currentText() == "mm"
    assert dialog.figure.viewport.size == pixels_before, "the same width, in another unit"
    dialog.width_field.selectAll()
    qtbot.keyClicks(dialog.width_field, "85")
    qtbot.keyClick(dialog.width_field, Qt.Key.Key_Tab)
    assert dialog.figure.viewport.size[0] / 96 * 25.4 == pytest.approx(85, abs=0.3)
    assert dialog.size_label.text().startswith("643 × ")
    assert ", 85 × " in dialog.size_label.text()
    dialog.scale_field.setValue(3.0)
    assert dialog.figure.viewport.size[0] / 96 * 25.4 == pytest.approx(85, abs=0.3)
    assert dialog.width_field.value() == 85
    dialog.close()


@pytest.mark.parametrize(
    ("size", "options", "pixels", "to_the_inch"),
    [("85mm", [], 1004, 300), ("3.5in", ["--scale", "2"], 672, 192)],
)
def test_a_picture_tells_its_resolution(size, options, pixels, to_the_inch, tmp_path):
    source, out = tmp_path / "scene.json", tmp_path / "a.png"
    save_document(prism_document(), source)
    assert main(["export", str(source), str(out), "--size", size, *options]) == 0
    picture = image(out.read_bytes())
    assert picture.width() == pixels
    assert picture.dotsPerMeterX() * 0.0254 == pytest.approx(to_the_inch, rel=0.01)


def test_pages_and_drawings_have_their_paper_width(tmp_path, capsys):
    source, out, drawing = tmp_path / "scene.json", tmp_path / "a.pdf", tmp_path / "a.svg"
    save_document(prism_document(), source)
    assert main(["export", str(source), str(drawing), "--size", "85mm"]) == 0
    assert "(85.0 x " in capsys.readouterr().out
    root = ET.fromstring(drawing.read_bytes())
    assert root.get("width") == "85mm"
    assert float(root.get("viewBox").split()[2]) / 96 * 25.4 == pytest.approx(85, abs=1e-3)
    assert main(["export", str(source), str(out), "--size", "8.5cm"]) == 0
    width = float(re.search(rb"/MediaBox \[0 0 ([\d.]+)", out.read_bytes())[1])
    assert width / 72 * 25.4 == pytest.approx(85, abs=0.15)


@pytest.mark.parametrize("name", ["a.png", "a.csv", "a.xml", "a.npz"])
def test_the_dialogs_figure_is_written_or_reported(open_window, qtbot, monkeypatch, tmp_path, name):
    window = open_window(prism_document())
    for folder, there in ((tmp_path, True), (tmp_path / "missing", False)):
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, folder=folder: (str(folder / name), "")
        )
        window.actions_by_id["file.export"].trigger()
        (dialog,) = window.findChildren(ExportDialog)
        qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(
            lambda there=there: (
                (tmp_path / name).exists() if there else window.messages.error.isVisible()
            ),
            timeout=20_000,
        )
        qtbot.waitUntil(lambda: not window.findChildren(ExportDialog))
    assert "cannot be written" in window.messages.error.label.full_text
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))


def test_outdated_rays_are_not_written(open_window, tmp_path):
    window = open_window(prism_document())
    dialog = ExportDialog(window)
    names = ("a.csv", "a.npz", "a.xml")
    for name in names:
        figure_writer(dialog.figure, tmp_path / name)(lambda done: None)
    window.document.change(Move("Main Prism", 100))
    for name in names:
        with pytest.raises(RaybenchError, match="Wait until the scene is traced"):
            figure_writer(dialog.figure, tmp_path / f"after-{name}")(lambda done: None)
        assert [p.name for p in tmp_path.glob(f"*{name}")] == [name]
    dialog.close()


def test_a_figure_has_no_outdated_rays(open_window, qtbot, monkeypatch):
    window, said = open_window(prism_document()), []
    window.document.failed.connect(said.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", pytest.fail)
    window.actions_by_id["file.export"].trigger()
    (dialog,) = window.findChildren(ExportDialog)
    window.document.change(Move("Main Prism", 100))
    dialog.accept()
    assert said == ["The rays are those before the last change. Wait until the scene is traced."]


@pytest.mark.parametrize("action", ["edit.copy_picture", "file.print"])
def test_copies_and_prints_have_no_outdated_rays(open_window, qtbot, action):
    window, said = open_window(prism_document()), []
    window.document.failed.connect(said.append)
    QGuiApplication.clipboard().clear()
    window.document.change(Move("Main Prism", 100))
    window.actions_by_id[action].trigger()
    assert said == ["The rays are those before the last change. Wait until the scene is traced."]
    assert not window.findChildren(QProgressDialog)
    wait_until_settled(window)
    window.actions_by_id[action].trigger()
    qtbot.waitUntil(
        lambda: (
            not QGuiApplication.clipboard().image().isNull()
            or bool(window.findChildren(QPrintPreviewDialog))
        )
    )
    for dialog in window.findChildren(QPrintPreviewDialog):
        dialog.close()
    assert len(said) == 1


def test_partial_light_is_not_exported_as_complete(open_window, monkeypatch):
    window, said = open_window(prism_document()), []
    window.document.failed.connect(said.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", pytest.fail)
    part = replace(window.document.result, completion=Completion.REDUCED)
    window.document.session.result = None
    window.document.show_result(part)
    window.service.state = TraceState.TRACING
    window.actions_by_id["file.export"].trigger()
    (dialog,) = window.findChildren(ExportDialog)
    dialog.accept()
    assert said == [
        "The scene is still being traced, so that rays are missing. Wait until it is traced, or"
        " stop the trace with Esc."
    ]


def test_an_exported_figure_holds_all_rays(open_window, qtbot, monkeypatch, tmp_path):
    window = open_window(prism_document())
    result = window.document.result
    figure, said, percents = make_figure(window.document.document, result, PAPER), [], []
    monkeypatch.setattr(QProgressDialog, "setValue", lambda self, percent: percents.append(percent))
    run_with_progress(
        figure_writer(figure, tmp_path / "all.svg"), "Writing", window, said.append, pytest.fail
    )
    qtbot.waitUntil(lambda: said == [None], timeout=20_000)
    assert percents == sorted(percents)
    assert percents[-1] == 99
    drawn = lines_in((tmp_path / "all.svg").read_bytes())
    whole = covering_lines_drawing(result, window.document.scene.settings, PAPER)
    assert (
        drawn
        >= len(clip_lines_to_canvas(whole.lines, figure.viewport.camera, figure.viewport.size)[0])
        > 150
    )


def test_a_cancelled_export_writes_nothing(open_window, qtbot, tmp_path):
    window = open_window(prism_document())
    figure = make_figure(window.document.document, window.document.result, PAPER)
    for suffix in (".pdf", ".csv", ".xml", ".npz"):
        cancelled, said = threading.Event(), []

        def write(progress, suffix=suffix, cancelled=cancelled):
            cancelled.wait()
            figure_writer(figure, tmp_path / f"never{suffix}")(progress)

        dialog = run_with_progress(write, "Writing", window, pytest.fail, said.append)
        dialog.findChild(QPushButton).click()
        cancelled.set()
        qtbot.waitUntil(lambda said=said: bool(said), timeout=20_000)
        assert said == ["It was cancelled; nothing was written."], suffix
    assert not list(tmp_path.glob("never*"))


def test_an_unforeseen_failure_of_exports_is_reported(open_window, qtbot):
    def make(_progress):
        raise MemoryError

    window = open_window(prism_document())
    said = []
    run_with_progress(make, "Writing", window, pytest.fail, said.append)
    qtbot.waitUntil(lambda: len(said) == 1, timeout=20_000)
    remedy = "Close other programs, or ask for less, such as fewer rays or a smaller picture."
    assert said == [f"Writing failed. Not enough memory. {remedy}"]
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))


def test_prints_have_real_lines_and_text(open_window, qtbot, tmp_path):
    from PySide6.QtPrintSupport import QPrintPreviewDialog

    from raybench_workbench.export.printing import full_page_figure, print_sheet, printable_figure

    window = open_window(prism_document())
    window.actions_by_id["file.print"].trigger()
    qtbot.waitUntil(lambda: window.findChild(QPrintPreviewDialog) is not None, timeout=20_000)
    dialog = window.findChild(QPrintPreviewDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.printer().pageLayout().orientation().name == "Landscape"
    assert dialog.printer().outputFileName() == str(Path.home() / "Scene.pdf")
    dialog.close()
    sheet, printer = (
        printable_figure(full_page_figure(window)),
        QPrinter(QPrinter.PrinterMode.HighResolution),
    )
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "page.pdf"))
    print_sheet(printer, sheet, full_page_figure(window).viewport.size)
    data = (tmp_path / "page.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert b"/Subtype /Image" not in data, "the light is lines, not a picture"
    assert b"/Font" in data


def test_a_print_is_proposed_beside_the_document(open_window, qtbot, tmp_path):
    from PySide6.QtPrintSupport import QPrintDialog, QPrinterInfo, QPrintPreviewDialog

    if QPrinterInfo.availablePrinters():
        pytest.skip("there is a printer, which comes first")
    save_document(prism_document(), path := tmp_path / "Prism of BK7.json")
    window = open_window(path)
    window.actions_by_id["file.print"].trigger()
    qtbot.waitUntil(lambda: window.findChild(QPrintPreviewDialog) is not None, timeout=20_000)
    preview = window.findChild(QPrintPreviewDialog)
    dialog = QPrintDialog(preview.printer())
    assert dialog.findChild(QLineEdit, "filename").text() == str(tmp_path / "Prism of BK7.pdf")
    preview.close()


@pytest.mark.parametrize("mode", QPrinter.PrinterMode)
def test_a_print_fills_pages_at_any_resolution(open_window, tmp_path, mode):
    from raybench_workbench.export.printing import full_page_figure, print_sheet, printable_figure

    window = open_window(
        Document(
            scene=Scene.of(
                [
                    Mirror(p1=Point(0, 0), p2=Point(300, 60)),
                    SingleRay(p1=Point(0, 50), p2=Point(9, 51)),
                ]
            )
        )
    )
    figure, printer = full_page_figure(window), QPrinter(mode)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "page.pdf"))
    print_sheet(printer, printable_figure(figure), figure.viewport.size)
    drawn = page_of_pdfium((tmp_path / "page.pdf").read_bytes()).min(axis=2) < 200
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    assert np.ptp(columns) > 0.75 * drawn.shape[1]
    assert abs(rows.mean() - drawn.shape[0] / 2) < 0.15 * drawn.shape[0], "in its middle"


@pytest.mark.parametrize(
    ("size", "wide"), [((300, 60), True), ((60, 300), False), ((200, 190), True)]
)
def test_a_print_fills_its_page_in_one_direction(open_window, size, wide):
    from raybench_workbench.export.printing import PAGE_SIZE, full_page_figure

    window = open_window(
        Document(scene=Scene.of([Mirror(p1=Point(0, 0), p2=Point(*size))])), size=(760, 900)
    )
    width, height = full_page_figure(window).viewport.size
    assert (width > height) is wide
    long, short = max(width, height), min(width, height)
    assert long == PAGE_SIZE[0] or short == PAGE_SIZE[1]
    assert long <= PAGE_SIZE[0]
    assert short <= PAGE_SIZE[1]
    window.canvas.navigation.zoom(1.5)
    shown = full_page_figure(window)
    width, height = shown.viewport.size
    assert width / height == pytest.approx(
        window.canvas.width() / window.canvas.height(), rel=0.01
    ), "what the canvas shows"


def test_the_picture_is_copied_with_twice_the_pixels(open_window, qtbot):
    window = open_window(prism_document())
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    window.actions_by_id["edit.copy_picture"].trigger()
    qtbot.waitUntil(lambda: not clipboard.image().isNull(), timeout=20_000)
    assert clipboard.image().width() == 2 * window.canvas.width()


def ray_lines_of_svg(data):
    """Start, end (n, 4) and opacity (n,) of the lines in the rays' colour, as another program reads
    the drawing.
    """
    color = svgelements.Color(PAPER.color("ray").name()).rgb
    drawing = svgelements.SVG.parse(io.BytesIO(data))
    paths = [
        e
        for e in drawing.elements()
        if isinstance(e, svgelements.Path) and e.stroke.value is not None and e.stroke.rgb == color
    ]
    assert all(path.implicit_stroke_width == pytest.approx(1, abs=1e-3) for path in paths)
    lines = [(list(line), path.stroke.opacity) for path in paths for line in path.as_subpaths()]
    assert all(len(line) == 2 for line, _ in lines), "a move and a line"
    ends = [[line[0].end.x, line[0].end.y, line[1].end.x, line[1].end.y] for line, _ in lines]
    return np.array(ends), np.array([opacity for _, opacity in lines])


def blocks(ink, side=8):
    """The sums over blocks of pixels of a picture whose sides are multiples of them."""
    return ink.reshape(ink.shape[0] // side, side, -1, side).sum(axis=(1, 3))


def test_a_drawing_looks_like_the_picture_elsewhere():
    chosen = figure(prism_document(), size=(640, 400))
    document, result = chosen.document, chosen.result
    rays = covering_lines_drawing(result, document.scene.settings, PAPER)
    wanted, rows = clip_lines_to_canvas(rays.lines, chosen.viewport.camera, chosen.viewport.size)
    found, opacity = ray_lines_of_svg(FIGURE_ENCODERS[".svg"](chosen))
    assert len(found) == len(wanted) > 150
    assert sorted(np.hypot(*(found[:, 2:] - found[:, :2]).T)) == pytest.approx(
        sorted(np.hypot(*(wanted[:, 2:] - wanted[:, :2]).T)), abs=0.01
    )
    assert opacity.sum() == pytest.approx(rays.line_colors()[rows, 3].sum(), rel=0.02)
    painted = np.zeros((400, 640))
    for line, alpha in zip(found, opacity, strict=True):
        steps = max(2, int(4 * np.hypot(*(line[2:] - line[:2]))))
        x, y = (line[i] + (line[2 + i] - line[i]) * np.linspace(0, 1, steps) for i in (0, 1))
        seen = (x >= 0) & (x < 640) & (y >= 0) & (y < 400)
        np.add.at(painted, (y[seen].astype(int), x[seen].astype(int)), alpha / 4)
    picture = image(FIGURE_ENCODERS[".png"](chosen)).convertToFormat(QImage.Format.Format_RGB32)
    blue_green_red = pixels(picture).astype(float)
    ink = (
        blue_green_red[:, :, 2] - blue_green_red[:, :, 0]
    ) / 176  # rays are the only red of the theme for paper
    light = blocks(np.minimum(painted, 1.0)), blocks(np.maximum(ink, 0.0))
    assert np.corrcoef(light[0].ravel(), light[1].ravel())[0, 1] > 0.97


def three_colours():
    """White light of three beams in one place before a prism that parts them, and a lamp without
    company.
    """
    beams = [
        Beam(p1=Point(0, 60), p2=Point(0, 90), wavelength=nm, brightness=6.0, name=f"{nm:g}")
        for nm in (450.0, 540.0, 620.0)
    ]
    prism = Glass(
        path=(Vertex(100, 20), Vertex(140, 120), Vertex(60, 120)),
        ref_index=1.5,
        cauchy_b=0.03,
        partial_reflect=False,
    )
    lamp = SingleRay(p1=Point(0, 5), p2=Point(10, 5), wavelength=620.0)
    return Document(
        scene=Scene.of([*beams, prism, lamp], Settings(simulate_colors=True, ray_mode_density=0.3))
    )


def svg_of_qt(data):
    """An SVG drawing as Qt's reader of SVG paints it."""
    reader = QSvgRenderer(data)
    assert reader.isValid()
    out = QImage(640, 400, QImage.Format.Format_RGB32)
    out.fill("white")
    painter = QPainter(out)
    reader.render(painter)
    painter.end()
    return pixels(out)[:, :, :3].astype(float)


def page_of_pdfium(data):
    """A PDF page as PDFium paints it."""
    return pypdfium2.PdfDocument(data)[0].render(scale=96 / 72).to_numpy()[:, :, :3].astype(float)


def ink(blue_green_red):
    """What is drawn on a white page, (3, rows, columns): the missing light of each colour, over
    blocks of pixels.
    """
    return np.stack([blocks(255 - blue_green_red[:, :, c]) for c in range(3)])


@pytest.mark.parametrize(("suffix", "reads"), [(".svg", svg_of_qt), (".pdf", page_of_pdfium)])
@pytest.mark.parametrize("make", [prism_document, three_colours], ids=["prism", "white"])
def test_another_program_paints_a_drawing_like_the_picture(make, suffix, reads):
    chosen = figure(make(), size=(640, 400))
    wanted = ink(
        pixels(image(FIGURE_ENCODERS[".png"](chosen)).convertToFormat(QImage.Format.Format_RGB32))[
            :, :, :3
        ].astype(float)
    )
    painted = ink(reads(FIGURE_ENCODERS[suffix](chosen)))
    for channel in range(3):
        assert np.corrcoef(wanted[channel].ravel(), painted[channel].ravel())[0, 1] > 0.93
    assert painted.sum() == pytest.approx(wanted.sum(), rel=0.25)


def staggered():
    """Faint rays on one line, each beginning a little later than the last, some of which a mirror
    sends back along it, and a fan.
    """
    some = [
        SingleRay(
            p1=Point(20 * i, 50),
            p2=Point(20 * i + 9, 50),
            brightness=0.2,
            wavelength=540.0,
            name=f"Ray {i}",
        )
        for i in range(9)
    ]
    fan = AngleSource(
        p1=Point(0, 100), p2=Point(10, 100), emis_angle=30.0, brightness=0.3, wavelength=620.0
    )
    return [*some, fan, Mirror(p1=Point(300, 40), p2=Point(300, 70))]


@pytest.mark.parametrize(("suffix", "reads"), [(".svg", svg_of_qt), (".pdf", page_of_pdfium)])
@pytest.mark.parametrize("mode", sorted(MIXINGS))
@pytest.mark.parametrize("simulated", [False, True])
def test_a_drawing_has_each_modes_colours(mode, simulated, suffix, reads):
    """Where rays run together in part, and where a mode shows faint light brighter than it is."""
    settings = Settings(color_mode=mode, simulate_colors=simulated, ray_mode_density=0.2)
    chosen = figure(Document(scene=Scene.of(staggered(), settings)), size=(640, 400))
    wanted = ink(
        pixels(image(FIGURE_ENCODERS[".png"](chosen)).convertToFormat(QImage.Format.Format_RGB32))[
            :, :, :3
        ].astype(float)
    )
    painted = ink(reads(FIGURE_ENCODERS[suffix](chosen)))
    for channel in range(3):
        assert np.corrcoef(wanted[channel].ravel(), painted[channel].ravel())[0, 1] > 0.95
    assert painted.sum() == pytest.approx(wanted.sum(), rel=0.2)


def test_coinciding_rays_have_their_sums_colour():
    document = three_colours()
    data = FIGURE_ENCODERS[".svg"](figure(document, size=(640, 400)))
    paths = [
        e
        for e in svgelements.SVG.parse(io.BytesIO(data)).elements()
        if isinstance(e, svgelements.Path) and e.stroke.value is not None
    ]
    colours = [path.stroke.rgb for path in paths for line in path.as_subpaths() if len(line) == 2]
    red, green, blue = np.array([((c >> 16) & 255, (c >> 8) & 255, c & 255) for c in colours]).T
    grey = (abs(red - green) < 12) & (abs(green - blue) < 12) & (red > 0) & (red < 90)
    assert grey.sum() >= 3 * 9, "each of the three beams' rays, before the prism"
    assert ((red > 200) & (green < 30)).sum() > 3, "red light behind the prism, and the lamp"
    assert ((green > 100) & (red < 30)).sum() > 3


def test_all_of_several_close_colours_are_seen():
    """Each colour lies above the others somewhere: no colour covers all of another that runs beside
    it.
    """
    beams = [
        Beam(p1=Point(0, y), p2=Point(0, 80 + y), wavelength=nm, brightness=3.0)
        for y, nm in ((0.0, 450.0), (0.1, 540.0), (0.2, 620.0))
    ]
    scene = Scene.of(beams, Settings(simulate_colors=True, ray_mode_density=1.0))
    settings, result = scene.settings, trace(scene)
    drawn = convert_to_covering_lines(added_light_drawing(result, settings, DARK), DARK)
    order = [np.argmax(color[:3]) for color in drawn.light]
    for one, other in itertools.permutations(range(3), 2):
        assert order.index(one) < len(order) - 1 - order[::-1].index(other), (
            "some of one below some of the other"
        )
    assert len(drawn) == len(result)


def random_lines(count):
    """Lines of which many lie on each other, in part, as a whole or not at all, and their light."""
    rng = np.random.default_rng(5)
    which, along, length = (
        rng.integers(0, 12, count),
        60 * rng.random(count),
        1 + 39 * rng.random(count),
    )
    unit = np.stack([np.cos(which * 0.5), np.sin(which * 0.5)], axis=1)
    start = unit * along[:, None] + which[:, None]
    return np.concatenate([start, start + unit * length[:, None]], axis=1), rng.random(
        (count, 3)
    ).astype(np.float32)


def test_coinciding_lines_are_found_one_by_one():
    lines, light = random_lines(300)
    below, whole = overlapping_lines_light(lines, light, lambda done: None)
    for i, line in enumerate(lines):
        unit = (line[2:] - line[:2]) / np.hypot(*(line[2:] - line[:2]))
        middle, across = (line[:2] + line[2:]) / 2, np.array([-unit[1], unit[0]])
        on = (abs((lines[:, :2] - middle) @ across) < 1e-6) & (
            abs((lines[:, 2:] - middle) @ across) < 1e-6
        )
        ends = np.sort(
            np.stack([(lines[:, :2] - middle) @ unit, (lines[:, 2:] - middle) @ unit]), axis=0
        )
        over, length = on & (ends[0] < -1e-9) & (ends[1] > 1e-9), ends[1] - ends[0]
        assert whole[i] == pytest.approx(light[over].sum(axis=0), abs=1e-4)
        assert below[i] == pytest.approx(
            light[over & (length > length[i] + 1e-9)].sum(axis=0), abs=1e-4
        )


def test_separating_lines_can_be_cancelled():
    chosen, told = figure(scene(9, simulate_colors=True)), []

    def cancel(done):
        told.append(done)
        if len(told) == 3:
            raise RaybenchError("cancelled")

    with pytest.raises(RaybenchError, match="cancelled"):
        FIGURE_ENCODERS[".svg"](replace(chosen, progress=cancel))
    lines, light = random_lines(200)
    overlapping_lines_light(lines, light, told.append)
    assert told[3:] == sorted(told[3:])
    assert len(told) > 6
    assert max(told) <= 1


def ray_lines_of_pdf(data):
    """The number of lines in the rays' colour on a PDF page, as PDFium reads it: one of full power
    is stroked, a fainter one is an outline that is filled.
    """
    wanted, lines = PAPER.color("ray").getRgb()[:3], 0
    page = pypdfium2.PdfDocument(data)[0]
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        filled, stroked, color = ctypes.c_int(), ctypes.c_int(), [ctypes.c_uint() for _ in "rgba"]
        assert raw.FPDFPath_GetDrawMode(path.raw, filled, stroked)
        assert (raw.FPDFPageObj_GetStrokeColor if stroked.value else raw.FPDFPageObj_GetFillColor)(
            path.raw, *color
        )
        if all(abs(found.value - exact) <= 1 for found, exact in zip(color, wanted, strict=False)):
            parts = [
                raw.FPDFPath_GetPathSegment(path.raw, i)
                for i in range(raw.FPDFPath_CountSegments(path.raw))
            ]
            lines += sum(
                raw.FPDFPathSegment_GetType(part) == raw.FPDF_SEGMENT_MOVETO for part in parts
            )
    return lines


@pytest.mark.parametrize(("density", "least"), [(0.1, 50), (20.0, 8_000)])
def test_pages_and_drawings_have_every_ray_once(density, least):
    document = prism_document()
    document = replace(document, scene=document.scene.with_settings(ray_mode_density=density))
    chosen = figure(document, size=(640, 400))
    rays = covering_lines_drawing(chosen.result, document.scene.settings, PAPER)
    wanted = len(clip_lines_to_canvas(rays.lines, chosen.viewport.camera, chosen.viewport.size)[0])
    assert wanted > least
    assert ray_lines_of_pdf(FIGURE_ENCODERS[".pdf"](chosen)) == wanted
    assert len(ray_lines_of_svg(FIGURE_ENCODERS[".svg"](chosen))[0]) == wanted


def test_a_page_is_darker_where_faint_rays_cross():
    """Qt's PDF engine makes one path of lines drawn together, which covers a crossing no more than
    one of them does.
    """
    chosen = figure(prism_document(), size=(640, 400))
    rays = covering_lines_drawing(chosen.result, chosen.document.scene.settings, PAPER)
    faint = int((rays.light[:, 3] < 1).sum())
    outlines = 0
    for stream in re.findall(
        rb"stream\r?\n(.*?)endstream", FIGURE_ENCODERS[".pdf"](chosen), re.DOTALL
    ):
        with contextlib.suppress(zlib.error):
            outlines += len(re.findall(rb"\bf\*?\s*$", zlib.decompress(stream), re.M))
    assert faint > 100
    assert outlines > faint / 2, "those on the page are each filled alone"


@pytest.mark.parametrize(
    "text", ["a\x00b", "a\x0bb", "\x1b[2J", "\ufffe", "\ud800", "]]><script>", "&lol;", "\u202e"]
)
@pytest.mark.security
def test_an_svg_with_any_text_is_xml(raybench_app, text):
    scene = Scene.of(
        [
            TextLabel(x=5, y=5, text=f"(c) {text}"),
            SingleRay(p1=Point(0, 0), p2=Point(90, 0), name=text),
        ]
    )
    drawing = FIGURE_ENCODERS[".svg"](make_figure(Document(scene=scene), None, PAPER, area="scene"))
    texts = [
        element.text or ""
        for element in ET.fromstring(drawing).iter()
        if element.tag.endswith("}text")
    ]
    assert any(found.startswith("(c) ") for found in texts)
    assert (
        etree.fromstring(drawing) is not None
    )  # which reads by another library, and more strictly


def test_an_exported_scene_says_what_it_leaves_out(tmp_path, capsys):
    document = apply_changes(Coat("Main Prism", coating={"reflectance": 0.5}), prism_document())
    save_document(document, tmp_path / "a.raybench")
    assert main(["export", str(tmp_path / "a.raybench"), str(tmp_path / "a.json")]) == 0
    first, said = capsys.readouterr().err.splitlines()
    assert first.endswith("a .raybench file keeps everything:")
    assert said.startswith("  Main Prism loses its coating")
    assert len(load_document(tmp_path / "a.json").scene.objects) == len(document.scene.objects)
