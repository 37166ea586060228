"""Light on curves given by formulas."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from raybench.analysis.rays.ray_queries import rays_inside
from raybench.kinds.curved_glasses import CustomGlass, ParamGlass
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import CustomMirror, Mirror, ParamMirror
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import Chain
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

CIRCLE = [
    {
        "eqnX": "30\\cdot\\cos\\left(t\\right)",
        "eqnY": "30\\cdot\\sin\\left(t\\right)",
        "tMin": 0,
        "tMax": 2 * math.pi,
        "tStep": 0.01,
    }
]


def test_round_glass_by_formula_gives_the_light_of_round_glass() -> None:
    source, settings = PointSource(x=-70, y=11, brightness=0.5), Settings(ray_mode_density=0.5)
    bodies = [
        CircleGlass(p1=Point(10, 5), p2=Point(40, 5), name="Ball"),
        ParamGlass(origin=Point(10, 5), pieces=CIRCLE, name="Ball"),
        CustomGlass(
            p1=Point(-20, 5),
            p2=Point(40, 5),
            eqn1="-\\sqrt{1-x^2}",
            eqn2="\\sqrt{1-x^2}",
            name="Ball",
        ),
    ]
    round_, *others = (trace(Scene.of([source, body], settings)) for body in bodies)
    assert len(round_) > 300
    for body, result in zip(bodies[1:], others, strict=True):
        assert len(result) == len(round_)
        np.testing.assert_allclose(result.p2, round_.p2, atol=2e-5)
        np.testing.assert_allclose(result.power, round_.power, atol=1e-8)
        assert (
            np.flatnonzero(rays_inside(result, body)).tolist()
            == np.flatnonzero(rays_inside(round_, bodies[0])).tolist()
        )


def test_a_polygonal_curve_is_the_polygon_of_its_steps() -> None:
    step = math.tau / 6
    corners = [(30 * math.cos(k * step), 30 * math.sin(k * step)) for k in range(6)]
    source = SingleRay(p1=Point(-70, 11), p2=Point(0, 9), brightness=0.5)
    bodies = [
        Glass(path=tuple(Vertex(*p) for p in corners)),
        ParamGlass(pieces=[CIRCLE[0] | {"tStep": step}], curve_type="polygonal"),
    ]
    glass, curve = (trace(Scene.of([source, body])) for body in bodies)
    assert len(curve) == len(glass) > 3
    np.testing.assert_allclose(curve.p2, glass.p2, atol=1e-6)


def test_a_polygonal_graph_has_corners_at_its_steps() -> None:
    """After half a step, from there on at each, and at both ends."""
    x = [-50.0, -35.0, -5.0, 25.0, 50.0]
    source = Beam(p1=Point(-45, -100), p2=Point(45, -100), brightness=0.5)
    mirror = CustomMirror(
        p1=Point(-50, 0), p2=Point(50, 0), eqn="x^2", curve_step_size=30, curve_type="polygonal"
    )
    lines = [Mirror(p1=Point(a, -a * a / 50), p2=Point(b, -b * b / 50)) for a, b in pairwise(x)]
    graph, polygon = (trace(Scene.of([source, *things])) for things in ([mirror], lines))
    assert len(graph) == len(polygon) > 5
    np.testing.assert_allclose(graph.p2, polygon.p2, atol=1e-6)
    for lower, upper in (("x^2-1", "2-x^2"), ("x-1", "x+0.3")):
        body = CustomGlass(
            p1=Point(-50, 0),
            p2=Point(50, 0),
            eqn1=lower,
            eqn2=upper,
            curve_step_size=30,
            curve_type="polygonal",
        )
        assert not object_fault(body)
        _, above, *_ = (e.shape for e in object_edges(body) if isinstance(e.shape, Chain))
        assert above.cubics[:, 0, 0].tolist() == pytest.approx([50, 35, 5, -25])


def test_a_polygon_without_a_step_says_so() -> None:
    body = ParamGlass(pieces=[CIRCLE[0] | {"tStep": 0}], curve_type="polygonal")
    assert "Give a step above 0" in object_fault(body)


@pytest.mark.parametrize("target", [(20.0, 30.0), (-45.0, 2.0), (3.0, -11.0)])
def test_an_ellipse_sends_light_from_one_focus_to_the_other(target: tuple[float, float]) -> None:
    a, b = 50.0, 30.0
    c = math.sqrt(a * a - b * b)
    pieces = [
        {"eqnX": "50\\cos t", "eqnY": "30\\sin t", "tMin": 0, "tMax": 2 * math.pi, "tStep": 0.01}
    ]
    result = trace(
        Scene.of(
            [
                SingleRay(p1=Point(-c, 0), p2=Point(-c + target[0], target[1])),
                ParamMirror(pieces=pieces),
            ]
        ),
        max_segments=2,
    )
    p, d = result.p1[1], result.p2[1] - result.p1[1]
    off = ((c - p[0]) * d[1] - (0 - p[1]) * d[0]) / np.hypot(*d)
    assert abs(off) < 1e-7


def test_a_parabola_by_equation_has_a_focus() -> None:
    mirror = CustomMirror(p1=Point(-40, 0), p2=Point(40, 0), eqn="0.2\\cdot x^2")
    f = 40 / (4 * 0.2)
    for x in (-31.0, -4.0, 17.0):
        result = trace(Scene.of([SingleRay(p1=Point(x, -100), p2=Point(x, -99)), mirror]))
        p, d = result.p1[1], result.p2[1] - result.p1[1]
        assert abs((0 - p[0]) * d[1] - (-f - p[1]) * d[0]) / np.hypot(*d) < 1e-8
