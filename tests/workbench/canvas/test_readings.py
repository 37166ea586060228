"""The labels of detectors: the measure ``power`` of each, as every other answer gives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from raybench.kinds.detectors import Detector
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.trace import trace
from raybench_workbench.canvas.readings import detector_readings, paint_irradiance
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import DARK


@pytest.mark.parametrize(("top", "bottom"), [(-50, 50), (50, -50)])
def test_a_detectors_label_is_its_received_power(top: float, bottom: float) -> None:
    screen = Detector(key=2, name="Screen", p1=Point(100, top), p2=Point(100, bottom))
    ray = SingleRay(key=1, p1=Point(0, 0), p2=Point(10, 0), brightness=0.25)
    document = Document(scene=Scene(objects=(ray, screen)))
    result = trace(document.scene)
    assert {key: reading.text for key, reading in detector_readings(document, result).items()} == {
        2: "P = 0.25 relative power"
    }
    assert abs(result.detectors[0].power) == 0.25


def test_detectors_have_no_label_before_the_trace() -> None:
    assert (
        detector_readings(
            Document(scene=Scene(objects=(Detector(key=1, p1=Point(0, 0), p2=Point(0, 9)),))), None
        )
        == {}
    )


@pytest.mark.parametrize(("size", "mapped"), [(0.01, True), (1e-9, False)])
def test_an_irradiance_map_of_many_bins_is_painted(size: float, mapped: bool) -> None:
    screen = Detector(
        key=2, name="Screen", p1=Point(100, 50), p2=Point(100, -50), irrad_map=True, bin_size=size
    )
    ray = SingleRay(key=1, p1=Point(0, 0.005), p2=Point(10, 0.005))
    document = Document(scene=Scene(objects=(ray, screen)))
    read = detector_readings(document, trace(document.scene))
    assert read[2].text == "P = 1 relative power"
    assert (read[2].profile is not None) is mapped
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    paint_irradiance(painter, document, read, Viewport(Camera(0, -100), (200, 200), 1.0, DARK))
    painter.end()
    right = [x for x in range(110, 200) if image.pixelColor(x, 100).green() > 20]
    assert bool(right) is mapped  # the one bin that is lit stands for those beside it
