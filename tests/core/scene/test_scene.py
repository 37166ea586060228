"""Scenes as values."""

from __future__ import annotations

import pytest

from raybench.kinds.sources import Beam, PointSource
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace


@pytest.mark.parametrize("factor", [2.0, 4.0, 0.25])
@pytest.mark.parametrize("angle", [0.0, 20.0, 120.0])
def test_more_rays_are_as_many_as_said(factor: float, angle: float) -> None:
    beam = Beam(p1=Point(0, -100), p2=Point(0, 100), emis_angle=angle)
    scene = Scene.of([beam, PointSource(x=9, y=0)], Settings(ray_mode_density=1.3))

    def count(scene: Scene) -> int:
        return int((trace(scene).parent < 0).sum())

    assert count(scene.with_scaled_ray_density(factor)) == pytest.approx(
        factor * count(scene), rel=0.05
    )
