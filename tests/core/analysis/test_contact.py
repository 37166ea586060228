"""Touching and containing, against shapely on finely sampled outlines."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.analysis.geometry import edge_curve
from raybench.analysis.geometry.contact import (
    END,
    START,
    THROUGH,
    contacts_with_shape,
    touches_shape,
)
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.edge_curve import contact_intervals, length_between
from raybench.kinds.aspects.outlines import Edge, path_edges, signed_area
from raybench.kinds.curved_glasses import CurveGlass
from raybench.kinds.glasses import Glass, GlassBody
from raybench.kinds.outline import object_edges
from raybench.shapes.bezier import Bezier, Chain, CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, Line, Parabola, Shape, arc_through, circle_about

BODIES = 200 if os.environ.get("RAYBENCH_LONG") else 30


def angles_met(p1: np.ndarray, p2: np.ndarray, shape: Shape) -> np.ndarray:
    return contacts_with_shape(p1, p2, shape).angles(p1, p2)


def random_body(rng: np.random.Generator) -> Glass:
    """A star-shaped outline, some of whose sides are arcs."""
    n = int(rng.integers(3, 8))
    angles = np.sort(rng.uniform(0, 2 * math.pi, n)) + np.arange(n) * 1e-3
    corners = [
        (math.cos(a) * r, math.sin(a) * r)
        for a, r in zip(angles, rng.uniform(4, 10, n), strict=True)
    ]
    path: list[Vertex] = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        path.append(Vertex(ax, ay))
        if rng.random() < 0.5:
            bulge = rng.uniform(-0.2, 0.2)
            path.append(
                Vertex((ax + bx) / 2 + bulge * (by - ay), (ay + by) / 2 - bulge * (bx - ax), True)
            )
    return Glass(path=tuple(path))


def fine(shape: Shape) -> list[Point]:
    return (
        [shape.at(i / 2000) for i in range(2001)]
        if isinstance(shape, Bezier)
        else shape.points(1e-3)
    )


def random_curve(rng: np.random.Generator) -> CurveGlass:
    """A closed chain of cubics around the origin."""
    n = int(rng.integers(2, 6))
    angles = np.arange(n) * 2 * math.pi / n
    nodes = [
        Point(math.cos(a) * r, math.sin(a) * r)
        for a, r in zip(angles, rng.uniform(5, 9, n), strict=True)
    ]
    chain = []
    for p, q in zip(nodes, nodes[1:] + nodes[:1], strict=True):
        c1, c2 = (
            Point((p.x + q.x) / 2 + x, (p.y + q.y) / 2 + y) for x, y in rng.uniform(-3, 3, (2, 2))
        )
        chain.append(CurveNode(p, c1, c2))
    return CurveGlass(points=tuple(chain))


def random_outline(rng: np.random.Generator) -> GlassBody:
    return random_curve(rng) if rng.random() < 0.4 else random_body(rng)


def sampled(body: GlassBody) -> shapely.Polygon:
    return shapely.Polygon([p for e in object_edges(body) for p in fine(e.shape)[:-1]])


@pytest.mark.long
def test_containing_agrees_with_shapely() -> None:
    rng = np.random.default_rng(1)
    checked = 0
    for _ in range(BODIES):
        body = random_outline(rng)
        polygon = sampled(body)
        if not polygon.is_valid:
            continue
        points = rng.uniform(-12, 12, (200, 2))
        clear = shapely.distance(shapely.points(points), polygon.boundary) > 1e-4
        found = contains_points(object_edges(body), points)
        np.testing.assert_array_equal(found[clear], shapely.contains_xy(polygon, points)[clear])
        checked += clear.sum()
    assert checked > 100 * BODIES


@pytest.mark.long
def test_areas_agree_with_shapely() -> None:
    rng = np.random.default_rng(2)
    for _ in range(BODIES):
        body = random_outline(rng)
        if sampled(body).is_valid:
            assert abs(signed_area(object_edges(body))) == pytest.approx(
                sampled(body).area, rel=1e-4
            )


@pytest.mark.long
def test_touching_agrees_with_shapely() -> None:
    rng = np.random.default_rng(3)
    for _ in range(BODIES):
        body = random_outline(rng)
        p1, p2 = rng.uniform(-12, 12, (100, 2)), rng.uniform(-12, 12, (100, 2))
        lines = shapely.linestrings(np.stack([p1, p2], axis=1))
        for edge in object_edges(body):
            distance = shapely.distance(lines, shapely.LineString(fine(edge.shape)))
            clear = (distance == 0) | (distance > 1e-4)
            np.testing.assert_array_equal(
                touches_shape(p1, p2, edge.shape)[clear], (distance == 0)[clear]
            )


def test_a_ray_that_ends_on_an_edge() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        a, b = rng.uniform(-100, 100, (2, 2))
        on = a + rng.random() * (b - a)
        far = on + rng.uniform(-50, 50, 2)
        line = Line(Point(*a), Point(*b))
        assert touches_shape(on[None], far[None], line).all()
        assert touches_shape(far[None], on[None], line).all()
        arc = Arc(Point(*a), 30.0, rng.uniform(-3, 3), rng.uniform(-6, 6))
        rim = np.array(arc.at(rng.random()))
        assert touches_shape(rim[None], (rim + rng.uniform(-5, 5, 2))[None], arc).all()


def test_a_segment_that_misses() -> None:
    line = Line(Point(0, 0), Point(10, 0))
    p1 = np.array([[5.0, 5.0], [-1.0, -1.0], [11.0, 0.0], [5.0, 2e-7]])
    p2 = np.array([[5.0, 1e-6], [-1.0, 1.0], [20.0, 0.0], [6.0, 2e-7]])
    assert not touches_shape(p1, p2, line).any()
    half = arc_through(Point(-5, 0), Point(0, -5), Point(5, 0))
    p1, p2 = (
        np.array([[0.0, 0.0], [-9.0, 3.0], [0.0, 9.0]]),
        np.array([[0.0, -4.9], [9.0, 3.0], [0.0, 5.0]]),
    )
    assert not touches_shape(p1, p2, half).any()


def test_a_tangent_segment_touches_an_arc() -> None:
    disc = circle_about(Point(0, 0), Point(5, 0))
    assert touches_shape(np.array([[-3.0, 5.0]]), np.array([[3.0, 5.0]]), disc).all()
    assert not touches_shape(np.array([[-3.0, 5.001]]), np.array([[3.0, 5.001]]), disc).any()


def test_a_chord_of_a_lens_is_inside_it() -> None:
    """The middle of a lens made of two arcs lies on the common chord of both."""
    path = (Vertex(0, -10), Vertex(4, 0, True), Vertex(0, 10), Vertex(-4, 0, True))
    points = np.array(
        [[0.0, 0.0], [0.0, 9.0], [3.9, 0.0], [-3.9, 0.0], [4.1, 0.0], [0.0, 11.0], [0.0, -10.0]]
    )
    assert contains_points(path_edges(path), points).tolist() == [
        True,
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_points_level_with_vertices() -> None:
    """A half-line through a vertex crosses the outline there once or, where the vertex is a peak,
    not at all.
    """
    diamond = path_edges((Vertex(-4, 0), Vertex(0, -4), Vertex(4, 0), Vertex(0, 4)))
    points = np.array([[0.0, 0.0], [-3.0, 0.0], [-5.0, 0.0], [5.0, 0.0], [-1.0, -4.0], [-1.0, 4.0]])
    assert contains_points(diamond, points).tolist() == [True, True, False, False, False, False]
    # two steps: at the height of an edge that lies flat
    steps = path_edges(
        (Vertex(0, 0), Vertex(4, 0), Vertex(4, 2), Vertex(8, 2), Vertex(8, 4), Vertex(0, 4))
    )
    points = np.array([[2.0, 2.0], [-1.0, 2.0], [9.0, 2.0], [2.0, 4.5]])
    assert contains_points(steps, points).tolist() == [True, False, False, False]


def test_points_on_the_outline_are_not_inside() -> None:
    square = path_edges((Vertex(0, 0), Vertex(4, 0), Vertex(4, 4), Vertex(0, 4)))
    points = np.array([[2.0, 0.0], [4.0, 1.0], [0.0, 0.0], [2.0, 2.0], [5.0, 2.0]])
    assert contains_points(square, points).tolist() == [False, False, False, True, False]


@pytest.mark.parametrize("angle", [0.0, 30.0, 60.0, 89.0, 90.0])
def test_angles_are_measured_from_the_normal(angle: float) -> None:
    t = math.radians(angle)
    p1, p2 = np.array([[-3 * math.sin(t), -3 * math.cos(t)]]), np.array([[0.0, 0.0]])
    assert angles_met(p1, p2, Line(Point(-5, 0), Point(5, 0)))[0] == pytest.approx(angle)
    disc = circle_about(Point(0, 5), Point(0, 0))
    assert angles_met(p1, p2, disc)[0] == pytest.approx(angle, abs=1e-6)
    assert math.isnan(angles_met(p2, p2, Line(Point(-5, 0), Point(5, 0)))[0])


def test_a_chord_meets_a_circle() -> None:
    disc = circle_about(Point(0, 0), Point(5, 0))
    p1, p2 = (
        np.array([[-3.0, 4.0], [-9.0, 4.0], [-9.0, 5.0], [-3.0, 4.0]]),
        np.array([[3.0, 4.0], [9.0, 4.0], [9.0, 5.0], [9.0, 4.0]]),
    )
    met = contacts_with_shape(p1, p2, disc)
    assert met.segment.tolist() == [0, 0, 1, 1, 2, 3, 3]
    assert met.place.tolist() == [START, END, THROUGH, THROUGH, THROUGH, START, THROUGH]
    np.testing.assert_allclose(met.along, [0, 6, 6, 12, 9, 0, 6], atol=1e-9)


def test_a_parabola_is_not_its_chord() -> None:
    parabola = Parabola(Point(-4, 0), Point(4, 0), Point(0, 4))
    p1, p2 = (
        np.array([[0.0, -3.0], [2.0, -3.0], [0.0, -3.0]]),
        np.array([[0.0, 3.9], [2.0, 3.0], [0.0, 9.0]]),
    )
    assert touches_shape(p1, p2, parabola).tolist() == [False, True, True]
    np.testing.assert_allclose(
        contacts_with_shape(p1, p2, parabola).angles(p1, p2), [45, 0], atol=1e-9
    )


def test_a_long_chain_is_met_where_its_pieces_are() -> None:
    """A circle of 400 cubics against the circle itself."""
    rng = np.random.default_rng(5)
    u = np.linspace(0, 2 * math.pi, 401)
    k = 4 / 3 * math.tan(math.pi / 800)
    at, along = (
        5 * np.stack([np.cos(u), np.sin(u)], axis=1),
        5 * k * np.stack([-np.sin(u), np.cos(u)], axis=1),
    )
    chain = Chain(np.stack([at[:-1], (at + along)[:-1], (at - along)[1:], at[1:]], axis=1))
    disc = circle_about(Point(0, 0), Point(5, 0))
    p1, p2 = rng.uniform(-9, 9, (3000, 2)), rng.uniform(-9, 9, (3000, 2))
    np.testing.assert_array_equal(touches_shape(p1, p2, chain), touches_shape(p1, p2, disc))
    np.testing.assert_array_equal(
        contains_points([Edge(0, chain)], p1), contains_points([Edge(0, disc)], p1)
    )
    angles = [np.sort(contacts_with_shape(p1, p2, shape).angles(p1, p2)) for shape in (chain, disc)]
    np.testing.assert_allclose(*angles, atol=1e-6)


def test_a_straight_bezier_is_a_line() -> None:
    curve = Bezier(Point(-5, 1), Point(-2, 1), Point(2, 1), Point(5, 1))
    t = np.radians([0.0, 30.0, 60.0])
    p1, p2 = np.zeros((3, 2)), np.column_stack([np.sin(t), np.cos(t)]) * 4
    np.testing.assert_allclose(angles_met(p1, p2, curve), [0, 30, 60], atol=1e-9)
    assert touches_shape(p1, p2, curve).tolist() == [True, True, True]
    assert touches_shape(p1, p2 / 8, curve).tolist() == [False, False, False]


@settings(max_examples=300, deadline=None)
@given(
    *[st.floats(0.01, 100.0)] * 2,
    st.floats(0.0, 200.0),
    st.sampled_from([1e-9, 1e-6, 1e-3]),
    st.booleans(),
)
def test_circles_that_cross_or_touch(r, q, d, tolerance, coincide):
    """A circle with a gap, so that an end can lie on the other one: whatever sampling finds is not
    left out beforehand.
    """
    d = abs(r - q) if coincide else d
    first, second = Arc(Point(0, 0), r, 0.0, 6.0), Arc(Point(d, 0), q, 1.0, 6.0)
    if edge_curve.circles_without_contact(
        first, np.array([edge_curve.circle_of_arc(second)]), tolerance
    )[0]:
        least = edge_curve.least_contact_length(first.length, second.length, tolerance)
        found = edge_curve._curve_contact_intervals(first, second, tolerance)
        assert all(length_between(first, a, b) <= least for a, b in found)
    assert contact_intervals(first, first, tolerance) == [(0.0, 1.0)]
