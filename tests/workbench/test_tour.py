"""The tour: the main job in the real window, without a display, a network or a key."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from raybench.errors import RaybenchError
from raybench.trace.compilation import loading
from raybench_workbench import theme
from raybench_workbench.commands.pictures import write_tour

pytestmark = pytest.mark.quick

SOURCE = {"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 10, "y": 0}}


def accent_pixels(path: Path) -> int:
    """How many pixels of the canvas have the colour of highlighted rays, or nearly."""
    image, accent = QImage(str(path)), theme.DARK.color("accent")
    count = 0
    for y in range(60, image.height() - 60, 2):
        for x in range(200, image.width() - 280, 2):
            c = image.pixelColor(x, y)
            count += abs(c.blue() - accent.blue()) < 60 and c.blue() > c.red() + 80
    return count


def test_the_tour_of_the_example_lights_rays(
    raybench_app: QApplication, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tour(None, tmp_path / "out")
    text = (tmp_path / "out" / "tour.md").read_text(encoding="utf-8")
    assert "> Which rays reach Screen?" in text
    assert "rays are hitting Screen (R1).\n\nSources: find_rays_xml" in text
    assert accent_pixels(tmp_path / "out" / "tour.png") > 200
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "opened",
        "traced",
        "asked",
        "answered",
        "lit",
        "wrote",
    ]
    assert "complete" in lines[1]


def test_the_first_tour_does_not_await_kernels(
    raybench_app: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended = threading.Event()
    monkeypatch.setattr(loading, "are_kernels_ready", lambda: False)
    monkeypatch.setattr(loading, "compile_in_child_process", lambda progress: ended.wait(600))
    try:
        write_tour(None, tmp_path)
    finally:
        ended.set()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "opened",
        "compiling",
        "traced",
        "asked",
        "answered",
        "lit",
        "wrote",
    ]
    assert accent_pixels(tmp_path / "tour.png") > 200


def test_a_scene_without_glass_is_asked_something_else(
    raybench_app: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "ray.json"
    path.write_text(json.dumps({"version": 5, "objs": [SOURCE]}))
    write_tour(path, tmp_path)
    text = (tmp_path / "tour.md").read_text(encoding="utf-8")
    assert "> Where does the light go?" in text
    assert "1 ray is ending as escaped (R1)." in text


def test_a_scene_without_light_ends_the_tour(raybench_app: QApplication, tmp_path: Path) -> None:
    path = tmp_path / "dark.json"
    path.write_text('{"version": 5, "objs": []}')
    write_tour(path, tmp_path)
    assert "0 objects.\nThere is no light in this scene." in (tmp_path / "tour.md").read_text(
        encoding="utf-8"
    )
    assert (tmp_path / "tour.png").exists()


def test_a_missing_file_is_named(raybench_app: QApplication, tmp_path: Path) -> None:
    with pytest.raises(RaybenchError, match=r"nowhere\.json"):
        write_tour(tmp_path / "nowhere.json", tmp_path)
