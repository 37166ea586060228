"""The picture behind a scene: kept with the document, painted in its place, and missed aloud."""

from __future__ import annotations

import dataclasses
import gzip
import json
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from raybench.errors import RaybenchError
from raybench.files.document_file import (
    document_from_json,
    document_to_json,
    load_document,
    save_document,
)
from raybench.files.plain_scene import plain_scene
from raybench.kinds.sources import SingleRay
from raybench.scene.background import Background, InvalidBackground
from raybench.scene.changes import Move, SetDocument, apply_changes
from raybench.scene.changes.written import changes_from_json, changes_to_json
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.background import BackgroundFile, UnreadableBackground, read_background
from raybench_workbench.background_dialog import BackgroundDialog, set_background
from raybench_workbench.cli import main
from raybench_workbench.dialogs import NumberDialog
from raybench_workbench.figure import make_figure, png_bytes
from raybench_workbench.shot import wait_until_settled, widget_picture
from raybench_workbench.theme import PAPER

pytestmark = pytest.mark.one_window


RED = QColor("#d02020")


def red_picture(folder, name="red.png", size=(40, 20)):
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(RED)
    assert image.save(str(folder / name))
    return name


def lamp():
    return Document(
        scene=Scene.of(
            [
                SingleRay(p1=Point(0, 0), p2=Point(100, 0)),
                SingleRay(p1=Point(0, 100), p2=Point(100, 100)),
            ]
        )
    )


def test_a_background_is_kept_in_the_document():
    background = Background("red.png", 10.0, 20.0, 0.5, 0.25)
    document = apply_changes(SetDocument(background=background.to_json()), lamp())
    assert document.background == background
    assert plain_scene(document).left_out
    assert (
        document_from_json(json.loads(json.dumps(document_to_json(document)))).background
        == background
    )
    (change,) = changes_from_json(
        changes_to_json([SetDocument(background=background.to_json())], document), document
    )
    assert apply_changes(change, lamp()).background == background
    assert apply_changes(SetDocument(background={}), document).background is None
    assert "background" not in document_to_json(lamp())


@pytest.mark.parametrize("data", [{"file": "../secret.png"}, {"file": "/etc/a.png"}, {"file": ""}, {"file": "a.png", "scale": 0},
                                  {"file": "a.png", "opacity": 2}, {"file": "a.png", "size": 1}, {"file": 3}, ["a.png"]])  # fmt: skip
@pytest.mark.security
def test_a_wrong_background_is_refused(data):
    with pytest.raises(InvalidBackground):
        Background.from_json(data)
    with pytest.raises(RaybenchError):
        apply_changes(SetDocument(background=data), lamp())


def test_the_picture_lies_below_the_light(raybench_app, tmp_path):
    background = Background(red_picture(tmp_path), 30.0, 40.0, 1.0, 1.0)
    document = dataclasses.replace(lamp(), background=background)
    view = {"area": "scene", "size": (400, 400)}
    image = QImage.fromData(png_bytes(make_figure(document, None, PAPER, folder=tmp_path, **view)))
    camera = make_figure(document, None, PAPER, **view).viewport.camera
    inside, outside = camera.to_screen(Point(50, 50)), camera.to_screen(Point(50, 65))
    assert image.pixelColor(inside.toPoint()) == RED
    assert image.pixelColor(outside.toPoint()) == QColor("white")
    without = QImage.fromData(png_bytes(make_figure(document, None, PAPER, **view)))
    assert without.pixelColor(inside.toPoint()) == QColor("white")


def test_a_missing_picture_is_told(open_window, tmp_path):
    path = tmp_path / "bench.raybench"
    save_document(lamp(), path)
    window = open_window(path)
    said = []
    window.document.failed.connect(said.append)
    set_background(window, Background("gone.png"))
    wait_until_settled(window)
    assert said == [
        "The background picture 'gone.png' is not in the folder of the document. Copy it there."
    ]
    set_background(window, Background(red_picture(tmp_path), -20.0, 20.0, 2.0, 1.0))
    wait_until_settled(window)
    assert len(said) == 1
    image = widget_picture(window.canvas)
    assert image.pixelColor(window.canvas.camera.to_screen(Point(0, 50)).toPoint()) == RED
    window.document.save(path)
    assert load_document(path).background == Background("red.png", -20.0, 20.0, 2.0, 1.0)
    window.document.undo()
    window.document.undo()
    assert window.document.document.background is None


@pytest.mark.parametrize(
    ("size", "kept", "says"),
    [
        ((5, 5), 0, "cannot be read: it is not a PNG"),
        ((40, 20), 60, "cannot be read: "),
        ((9000, 8000), None, "9000 × 8000 pixels, more than 64"),
    ],
)
@pytest.mark.security
def test_no_picture_or_a_huge_one_is_told(size, kept, says, open_window, tmp_path, capsys):
    name = red_picture(tmp_path, size=size)
    if kept is not None:
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:kept] or b"no picture")
    path = tmp_path / "bench.raybench"
    save_document(dataclasses.replace(lamp(), background=Background(name)), path)
    window = open_window()
    said = []
    window.document.failed.connect(said.append)
    window.document.open(path)
    wait_until_settled(window)
    assert len(said) == 1
    assert says in said[0]
    assert main(["export", str(path), str(tmp_path / "figure.png")]) == 0
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("name", ["drawing.svg", "drawing.png", "drawing.svgz"])
@pytest.mark.security
def test_a_drawing_is_no_picture(name, tmp_path):
    """Qt paints an SVG with whatever files it names, however often its parts repeat."""
    secret = tmp_path / red_picture(tmp_path, "secret.png", (50, 50))
    image = f'<image l:href="{secret}"/>'
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="60"'
        f' height="60">{image}</svg>'
    )
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("z") else text.encode())
    with pytest.raises(UnreadableBackground, match="it is not a PNG, JPEG, BMP, GIF or WebP"):
        read_background(BackgroundFile(path, path.stat().st_mtime_ns))


def test_a_large_picture_keeps_its_place(open_window, tmp_path, monkeypatch):
    monkeypatch.setattr("raybench_workbench.background.MAX_STORED_PIXELS", 50)
    threads = []
    monkeypatch.setattr(
        "raybench_workbench.background.read_background",
        lambda file: threads.append(threading.current_thread()) or read_background(file),
    )
    path = tmp_path / "bench.raybench"
    save_document(
        dataclasses.replace(
            lamp(), background=Background(red_picture(tmp_path), 0.0, 0.0, 2.0, 1.0)
        ),
        path,
    )
    window = open_window(path)
    kept = window.canvas.background.picture
    assert (kept.image.width(), kept.image.height()) == (10, 5)
    assert threads
    assert threading.main_thread() not in threads
    image, camera = widget_picture(window.canvas), window.canvas.camera
    assert image.pixelColor(camera.to_screen(Point(76, 30)).toPoint()) == RED
    assert image.pixelColor(camera.to_screen(Point(84, 30)).toPoint()) != RED
    red_picture(tmp_path, size=(40, 60))
    window.document.change(Move(frozenset({window.document.scene.objects[0].key}), 0.0, 1.0))
    wait_until_settled(window)
    assert window.canvas.background.picture.size.height() == 60, "a file that changed is read again"


def typed(qtbot, dialog, name, text):
    field = dialog.fields[name]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_the_dialog_edits_place_scale_and_opacity(open_window, qtbot, tmp_path):
    path = tmp_path / "bench.raybench"
    before = Background(red_picture(tmp_path), 1.23456789, 2.0, 0.00001234, 0.123456)
    save_document(dataclasses.replace(lamp(), background=before), path)
    window = open_window(path)
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    assert dialog.background == before, "what is not edited stays to the last digit"
    typed(qtbot, dialog, "opacity", "8")
    assert "between 0 and 1" in dialog.note.text()
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    typed(qtbot, dialog, "scale", "-3")
    typed(qtbot, dialog, "opacity", "0.8")
    assert "between" in dialog.note.text() or "least" in dialog.note.text(), (
        "the other one is still wrong"
    )
    assert not ok.isEnabled()
    typed(qtbot, dialog, "scale", "2")
    assert ok.isEnabled()
    dialog.fields["scale"].set_value(before.scale)
    dialog.fields["scale"].set_value(before.scale)
    typed(qtbot, dialog, "x", "-1 cm")
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert window.document.document.background == dataclasses.replace(before, opacity=0.8, x=-10.0)
    qtbot.waitUntil(lambda: not window.findChildren(BackgroundDialog))
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert window.document.document.background is None


def test_tab_visits_fields_before_buttons(open_window, qtbot, tmp_path):
    path = tmp_path / "bench.raybench"
    save_document(dataclasses.replace(lamp(), background=Background(red_picture(tmp_path))), path)
    window = open_window(path)
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.choose.setFocus()
    visited = []
    for _ in dialog.fields:
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        visited.append(dialog.focusWidget())
    assert visited == list(dialog.fields.values())
    dialog.close()


def test_a_picture_of_the_scene_is_removed(open_window, qtbot, tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(
        json.dumps({"version": 5, "backgroundImage": red_picture(tmp_path), "objs": []})
    )
    window = open_window(path)
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    wait_until_settled(window)
    assert window.canvas.background.picture is None
    window.document.save()
    assert "backgroundImage" not in json.loads(path.read_text())
    window.document.undo()
    wait_until_settled(window)
    assert window.canvas.background.picture is not None


def test_enter_takes_the_picture_that_was_chosen(open_window, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "bench.raybench"
    save_document(lamp(), path)
    window = open_window(path)
    chosen = str(tmp_path / red_picture(tmp_path))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (chosen, ""))
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    dialog.activateWindow()
    qtbot.keyClick(dialog.choose, Qt.Key.Key_Space)
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert window.document.document.background == Background("red.png")


def choose_picture(window, qtbot, monkeypatch, path):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(path), ""))
    window.actions_by_id["view.background"].trigger()
    (dialog,) = window.findChildren(BackgroundDialog)
    qtbot.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(BackgroundDialog))
    wait_until_settled(window)


def test_a_picture_of_any_folder_is_shown_and_saved_with_the_document(
    open_window, qtbot, tmp_path, monkeypatch
):
    for name in ("pictures", "benches"):
        (tmp_path / name).mkdir()
    picture = tmp_path / "pictures" / red_picture(tmp_path / "pictures")
    (tmp_path / "benches" / "red.png").write_bytes(b"another")
    window = open_window(lamp())
    choose_picture(window, qtbot, monkeypatch, picture)
    assert window.canvas.background.picture is not None
    assert window.document.save(tmp_path / "benches" / "bench.raybench")
    assert window.document.document.background == Background("red 2.png")
    assert (tmp_path / "benches" / "red 2.png").read_bytes() == picture.read_bytes()
    wait_until_settled(window)
    assert window.canvas.background.picture is not None
    window.document.undo()
    choose_picture(window, qtbot, monkeypatch, picture)
    assert window.document.document.background == Background("red 2.png"), "it is there"


def test_two_points_of_known_distance_scale_the_picture(
    open_window, qtbot, tmp_path, monkeypatch, hand
):
    window = open_window(lamp())
    assert not window.actions_by_id["view.scale_background"].isEnabled()
    choose_picture(window, qtbot, monkeypatch, tmp_path / red_picture(tmp_path))
    window.actions_by_id["view.scale_background"].trigger()
    off = Qt.KeyboardModifier.AltModifier
    for place in ((10, 40), (30, 40)):
        hand(window.canvas).click(*place, off)
    (dialog,) = window.findChildren(NumberDialog)
    length = dialog.edit.value
    dialog.edit.selectAll()
    qtbot.keyClicks(dialog.edit, f"{3 * length}")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.document.background.scale != 1)
    made = window.document.document.background
    assert made.scale == pytest.approx(3)
    assert (made.x, made.y) == pytest.approx((-20, -80), abs=2), "the first point stays"
    assert not window.document.document.measurements
