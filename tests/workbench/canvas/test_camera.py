"""The camera on scenes of any size."""

from __future__ import annotations

import pytest

from raybench.shapes.point import Point
from raybench_workbench.canvas.viewport import Camera, fit_camera


@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1.0, 1e6, 1e10])
def test_a_scene_of_any_size_fills_the_canvas(unit: float) -> None:
    camera = fit_camera((0.0, 0.0, 2 * unit, 2 * unit), (800, 600))
    left, right = camera.to_screen(Point(0.0, 0.0)), camera.to_screen(Point(2 * unit, 2 * unit))
    assert right.y() - left.y() == pytest.approx(0.8 * 600)
    assert left.x() + right.x() == pytest.approx(800)


@pytest.mark.parametrize(
    ("scale", "rounded"), [(0.45, 123.0), (4.0, 123.5), (60.0, 123.46), (0.01, 100.0)]
)
def test_a_place_has_no_more_decimals_than_its_pixel(scale: float, rounded: float) -> None:
    assert Camera(scale=scale).round_to_pixel(123.4567) == rounded
    assert abs(rounded - 123.4567) <= 0.5 / scale
