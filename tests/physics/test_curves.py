"""Bodies and mirrors bounded by Bezier curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.kinds.curved_glasses import CurveGlass
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import CurveMirror
from raybench.kinds.object import InvalidObject
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import Bezier, CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Completion
from raybench.trace.trace import trace


def straight(corners: list[tuple[float, float]]) -> tuple[CurveNode, ...]:
    """A polygon as a chain of cubics, unevenly parametrised."""
    out = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        out.append(
            CurveNode(
                Point(ax, ay),
                Point(ax + (bx - ax) * 0.2, ay + (by - ay) * 0.2),
                Point(ax + (bx - ax) * 0.9, ay + (by - ay) * 0.9),
            )
        )
    return tuple(out)


CORNERS = [(0.0, 0.0), (60.0, 10.0), (30.0, 50.0)]


@pytest.mark.parametrize("turn", [1, -1])
def test_a_polygon_drawn_as_curves_gives_the_polygons_light(turn: int) -> None:
    corners = CORNERS[::turn]
    source, settings = PointSource(x=-20, y=11, brightness=0.3), Settings(ray_mode_density=0.3)
    curved = trace(Scene.of([source, CurveGlass(points=straight(corners))], settings))
    plain = trace(Scene.of([source, Glass(path=tuple(Vertex(*c) for c in corners))], settings))
    assert len(curved) == len(plain) > 300
    np.testing.assert_allclose(curved.p2, plain.p2, atol=1e-7)
    np.testing.assert_allclose(curved.power, plain.power, atol=1e-10)


def circle(radius: float) -> tuple[CurveNode, ...]:
    """Four cubics that come within 2.8e-4 of a circle."""
    k = 4 / 3 * (math.sqrt(2) - 1)
    out = []
    for i in range(4):
        a, b = i * math.pi / 2, (i + 1) * math.pi / 2
        c1 = Point(
            radius * (math.cos(a) - k * math.sin(a)), radius * (math.sin(a) + k * math.cos(a))
        )
        c2 = Point(
            radius * (math.cos(b) + k * math.sin(b)), radius * (math.sin(b) - k * math.cos(b))
        )
        out.append(CurveNode(Point(radius * math.cos(a), radius * math.sin(a)), c1, c2))
    return tuple(out)


def test_the_normal_is_the_curves_own() -> None:
    """Reflection at each hit: the normal found from the directions is square to the curve's
    derivative there.
    """
    result = trace(
        Scene.of([SingleRay(p1=Point(1, 2), p2=Point(7, 3)), CurveMirror(points=circle(50))]),
        max_segments=200,
    )
    pieces = [
        Bezier(n.a1, n.c1, n.c2, m.a1)
        for n, m in zip(circle(50), circle(50)[1:] + circle(50)[:1], strict=True)
        if n.c1 and n.c2
    ]
    for row in range(len(result) - 1):
        d, e = result.p2[row] - result.p1[row], result.p2[row + 1] - result.p1[row + 1]
        normal = d / np.hypot(*d) - e / np.hypot(*e)
        at = Point(*result.p2[row].tolist())
        piece = min(pieces, key=lambda p: math.dist(p.nearest(at), at))
        assert math.dist(piece.nearest(at), at) < 1e-9
        t = piece.derivative(piece.parameter_nearest(at))
        assert abs(normal[0] * t[0] + normal[1] * t[1]) < 1e-6 * np.hypot(*normal) * math.hypot(*t)


def test_no_light_leaves_a_closed_curve_of_mirrors() -> None:
    source = PointSource(x=3.3, y=-8.1, brightness=1)
    result = trace(
        Scene.of([source, CurveMirror(points=circle(50))], Settings(ray_mode_density=0.2)),
        max_segments=200_000,
    )
    assert result.completion is Completion.SEGMENT_LIMIT
    assert not result.escaped.any()
    assert np.isfinite(result.p2).all()


def test_an_open_curve_has_no_last_side() -> None:
    nodes = (CurveNode(Point(10, -5), Point(10, -2), Point(10, 2)), CurveNode(Point(10, 5)))
    mirror = CurveMirror(points=nodes, is_closed=False)
    assert trace(Scene.of([SingleRay(p1=Point(0, 1), p2=Point(1, 1)), mirror])).hit.tolist() == [
        1,
        -1,
    ]
    assert trace(Scene.of([SingleRay(p1=Point(0, 6), p2=Point(1, 6)), mirror])).hit.tolist() == [-1]


def test_a_curve_needs_two_nodes() -> None:
    with pytest.raises(InvalidObject, match="at least 2"):
        CurveGlass(points=(CurveNode(Point(0, 0), Point(1, 1), Point(2, 2)),))
