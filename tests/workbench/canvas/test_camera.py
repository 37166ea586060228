"""The camera on scenes of any size."""

from __future__ import annotations

import pytest

from core.shapes.point import Point
from workbench.canvas.camera import fitted


@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1.0, 1e6, 1e10])
def test_a_scene_of_any_size_fills_the_canvas(unit: float) -> None:
    camera = fitted((0.0, 0.0, 2 * unit, 2 * unit), (800, 600))
    left, right = camera.to_screen(Point(0.0, 0.0)), camera.to_screen(Point(2 * unit, 2 * unit))
    assert right.y() - left.y() == pytest.approx(0.8 * 600)
    assert left.x() + right.x() == pytest.approx(800)
