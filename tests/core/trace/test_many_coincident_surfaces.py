"""Thousands of surfaces in one place: the time of a trace grows with their number, not with its
square.
"""

from __future__ import annotations

import time

import pytest

from raybench.kinds.glasses import CircleGlass
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.trace import trace


@pytest.mark.security
def test_tens_of_thousands_of_bodies_on_each_other_are_traced_at_once() -> None:
    ball = CircleGlass(p1=Point(0, 0), p2=Point(50, 0), ref_index=1.0)
    ray = SingleRay(p1=Point(-100, 10), p2=Point(0, 10))
    few = trace(Scene.of([ball, ray]))
    scene = Scene.of(
        [*[CircleGlass(p1=ball.p1, p2=ball.p2, ref_index=1.0) for _ in range(30_000)], ray]
    )
    begun = time.process_time()
    many = trace(scene)
    assert time.process_time() - begun < 8
    assert many.p2[many.escaped].tolist() == few.p2[few.escaped].tolist()
