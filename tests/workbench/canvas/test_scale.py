"""Coordinates along the borders of the canvas."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench_workbench.canvas.frame import CanvasFrame
from raybench_workbench.canvas.overlay import (
    BAND_HEIGHT,
    paint_coordinates,
    paint_scale_bar,
    paint_unfinished_outline,
)
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import DARK, SMALL_SIZE, text_font


def frame_of(document: Document, camera: Camera, size: tuple[int, int]) -> CanvasFrame:
    return CanvasFrame(
        document, None, Viewport(camera, size, 1.0, DARK), lambda painter, frame: None
    )


def written_at_the_top(camera: Camera, unit: str) -> list[tuple[float, str]]:
    """The texts of the band at the top with the places where they start, from left to right."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    document = Document(unit=unit, scene=Scene.of([], Settings(show_grid=True)))
    paint_coordinates(painter, frame_of(document, camera, (800, 600)))
    painter.end()
    texts = ET.fromstring(bytes(buffer.data().data())).iter("{http://www.w3.org/2000/svg}text")
    return sorted(
        (float(t.attrib["x"]), t.text or "") for t in texts if float(t.attrib["y"]) < BAND_HEIGHT
    )


@pytest.mark.parametrize("unit", ["mm", "µm"])
@pytest.mark.parametrize("x", [-40, -20, -11, -8, 0, 180, 4990])
def test_no_coordinate_covers_another_or_the_unit(raybench_app, x: float, unit: str) -> None:
    metrics = QFontMetricsF(text_font(SMALL_SIZE - 1))
    written = written_at_the_top(Camera(x, 0.0, 0.9), unit)
    assert written[0][1] == unit
    assert len(written) > 3
    for (start, text), (following, _) in itertools.pairwise(written):
        assert start + metrics.horizontalAdvance(text) < following


@pytest.mark.parametrize("width", [340, 700, 1600])
def test_a_hint_does_not_cover_the_scale_bar(raybench_app, width: int) -> None:
    size, hint = (
        (width, 400),
        (
            "New arc mirror: drag it out, click its ends, or type where it begins. Esc leaves the"
            " tool."
        ),
    )
    painter = QPainter(image := QImage(*size, QImage.Format.Format_RGB32))
    frame = frame_of(Document(), Camera(), size)
    paint_scale_bar(painter, frame)
    bar, before = frame.scale_bar_box, image.copy()
    paint_unfinished_outline(painter, [], hint, frame)
    painter.end()
    changed = [
        (x, y)
        for x in range(width)
        for y in range(size[1])
        if image.pixel(x, y) != before.pixel(x, y)
    ]
    left, right = min(x for x, _ in changed), max(x for x, _ in changed)
    assert left > 0
    assert right < width - 1
    assert not any(bar.contains(x, y) for x, y in changed)
