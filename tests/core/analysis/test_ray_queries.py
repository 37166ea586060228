"""Questions about rays whose answers may not depend on the unit of length, or on how an outline is
given.
"""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.rays.incidence import segments_at_each_edge
from raybench.analysis.rays.ray_queries import rays_crossing
from raybench.kinds.curved_glasses import ParamGlass
from raybench.kinds.glasses import Glass
from raybench.kinds.outline import object_remarks
from raybench.kinds.sources import SingleRay
from raybench.scene.labels import labelled_edges
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace


def circle_to(end: float, size: float = 1.0) -> ParamGlass:
    """A circle of radius 50 ``size``, whose formula runs from 0 to ``end``."""
    piece = {
        "eqnX": f"{50 * size:f}\\cdot\\cos(t)",
        "eqnY": f"{50 * size:f}\\cdot\\sin(t)",
        "tMin": 0,
        "tMax": end,
        "tStep": 0.01,
    }
    return ParamGlass(key=1, partial_reflect=False, pieces=(piece,))


@pytest.mark.parametrize("direction", ["entering", "leaving"])
def test_light_enters_one_closed_curve(direction: str) -> None:
    body = circle_to(6.283185307179586)
    scene = Scene(objects=(body, SingleRay(key=2, p1=Point(-100, 10), p2=Point(-90, 10))))
    result = trace(scene)
    rows = np.flatnonzero(rays_crossing(result, body, direction=direction))
    assert len(rows) == 1


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_gap_is_reported_for_bodies_of_any_size(size: float) -> None:
    assert "does not close" in next(object_remarks(circle_to(6.28318, size)))
    assert list(object_remarks(circle_to(6.283185307179586, size))) == []


@pytest.mark.parametrize("size", [1.0, 1e9])
def test_total_reflection_at_any_scale(size: float) -> None:
    corners = [(0, 0), (97.3, 0), (0, 83.7)]
    prism = Glass(
        key=1,
        ref_index=1.5,
        partial_reflect=False,
        path=tuple(Vertex(x * size, y * size, False) for x, y in corners),
    )
    rays = [
        SingleRay(key=2 + i, p1=Point(-50 * size, y * size), p2=Point(-40 * size, y * size))
        for i, y in enumerate((11.1, 23.3, 37.7))
    ]
    scene = Scene(objects=(prism, *rays), settings=Settings(length_scale=size))
    edges = labelled_edges(prism)
    result = trace(scene)
    assert [
        len(t.reflected)
        for t in segments_at_each_edge(result, prism, edges, np.flatnonzero(result.hit == 0))
    ] == [0, 3, 0]
