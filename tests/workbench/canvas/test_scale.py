"""Coordinates along the borders of the canvas."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator

from core.scene.document import Document
from workbench.canvas.camera import Camera
from workbench.canvas.scale import BAND, paint_coordinates
from workbench.canvas.viewport import Viewport
from workbench.theme import DARK, SMALL_SIZE, text_font


def written_at_the_top(camera: Camera, unit: str) -> list[tuple[float, str]]:
    """The texts of the band at the top with the places where they start, from left to right."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    paint_coordinates(painter, Document(unit=unit), Viewport(camera, (800, 600), 1.0, DARK))
    painter.end()
    texts = ET.fromstring(bytes(buffer.data().data())).iter("{http://www.w3.org/2000/svg}text")
    return sorted((float(t.attrib["x"]), t.text or "") for t in texts if float(t.attrib["y"]) < BAND)


@pytest.mark.parametrize("unit", ["mm", "µm"])
@pytest.mark.parametrize("x", [-40, -20, -11, -8, 0, 180, 4990])
def test_no_coordinate_covers_another_or_the_unit(raybench_app, x: float, unit: str) -> None:
    metrics = QFontMetricsF(text_font(SMALL_SIZE - 1))
    written = written_at_the_top(Camera(x, 0.0, 0.9), unit)
    assert written[0][1] == unit
    assert len(written) > 3
    for (start, text), (following, _) in itertools.pairwise(written):
        assert start + metrics.horizontalAdvance(text) < following
