"""The labels of detectors: the measure ``power`` of each, as every other answer gives it."""

from __future__ import annotations

import pytest

from core.kinds.detectors import Detector
from core.kinds.sources import SingleRay
from core.scene.document import Document
from core.scene.scene import Scene
from core.shapes.point import Point
from core.trace.trace import trace
from workbench.canvas.readings import detector_readings


@pytest.mark.parametrize(("top", "bottom"), [(-50, 50), (50, -50)])
def test_a_detector_is_labelled_with_the_received_power_whichever_side_it_faces(top: float, bottom: float) -> None:
    screen = Detector(key=2, name="Screen", p1=Point(100, top), p2=Point(100, bottom))
    ray = SingleRay(key=1, p1=Point(0, 0), p2=Point(10, 0), brightness=0.25)
    document = Document(scene=Scene(objects=(ray, screen)))
    result = trace(document.scene)
    assert {key: reading.text for key, reading in detector_readings(document, result).items()} == {2: "P = 0.25 relative power"}
    assert abs(result.detectors[0].power) == 0.25


def test_detectors_have_no_label_before_the_trace() -> None:
    assert detector_readings(Document(scene=Scene(objects=(Detector(key=1, p1=Point(0, 0), p2=Point(0, 9)),))), None) == {}
