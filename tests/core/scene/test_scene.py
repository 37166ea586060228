"""Scenes as values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from raybench.kinds.blockers import Blocker
from raybench.kinds.mirrors import BeamSplitter
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


def test_more_rays_for_measuring_lose_no_weak_light() -> None:
    scene = Scene.of(
        (
            Beam(p1=Point(0, -5), p2=Point(0, 5), brightness=0.5),
            BeamSplitter(p1=Point(10, -9), p2=Point(10, 9), trans_ratio=0.1),
            BeamSplitter(p1=Point(20, -9), p2=Point(20, 9), trans_ratio=0.1),
            Blocker(p1=Point(30, -9), p2=Point(30, 9)),
        ),
        Settings(ray_mode_density=2.0),
    )
    for times in (5.0, 30.0):
        light = trace(scene.with_more_rays(times))
        share = light.total_power[light.hit == 3].sum() / light.total_power[light.parent < 0].sum()
        assert share == pytest.approx(0.1**2 / (1 - 0.9**2), rel=0.02)
    bright = Scene.of([replace(scene.objects[0], brightness=1000.0)], scene.settings)  # type: ignore[call-arg]
    assert bright.with_more_rays(2.0).settings.color_mode == "default"
