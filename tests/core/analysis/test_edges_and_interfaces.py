"""The edge table and the contacts of bodies, by closed forms."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.edge_curve import (
    length_between,
    nearest_parameters_on_shape,
)
from raybench.analysis.scene import surroundings
from raybench.analysis.scene.edges import area, edge_table, perimeter
from raybench.analysis.scene.interfaces import edge_parts_by_media, glass_interfaces
from raybench.analysis.scene.surroundings import Media, body_nesting
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.curved_glasses import CurveGlass
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ArcMirror, Mirror, ParabolicMirror
from raybench.kinds.outline import object_edges
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import Bezier, Chain, CurveNode
from raybench.shapes.curves import left_normal_at_parameter, point_at_parameter, tangent
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Arc, Line, Parabola, Shape

PRISM = Glass(path=(Vertex(100, 200), Vertex(200, 200), Vertex(150, 113.397)), name="Prism")
BEZIER = Bezier(Point(0, 0), Point(30, -40), Point(60, 50), Point(90, 0))
SHAPES: list[Shape] = [
    Line(Point(3, 4), Point(-20, 9)),
    Arc(Point(10, 20), 30.0, 0.4, 2.1),
    Arc(Point(10, 20), 30.0, 0.4, -5.5),
    Parabola(Point(-40, 3), Point(40, 3), Point(0, 23)),
    BEZIER,
    Chain(
        np.array(
            [[(0, 0), (30, -40), (60, 50), (90, 0)], [(90, 0), (99, -15), (110, 10), (120, 0)]],
            float,
        )
    ),
]


def box(
    x: float, y: float, w: float, h: float, n: float = 1.5, name: str = "", turn: float = 0.0
) -> Glass:
    """A rectangle with its upper left corner at (x, y), turned about the origin."""
    c, s = math.cos(turn), math.sin(turn)
    corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    return Glass(
        path=tuple(Vertex(c * a - s * b, s * a + c * b) for a, b in corners), ref_index=n, name=name
    )


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
def test_places_tangents_and_lengths_of_a_curve_agree(shape: Shape) -> None:
    us = np.linspace(0, 1, 20001)
    points = np.array([point_at_parameter(shape, u) for u in us])
    assert length_between(shape, 0, 1) == pytest.approx(
        np.hypot(*np.diff(points, axis=0).T).sum(), rel=1e-7
    )
    assert length_between(shape, 0.2, 0.7) + length_between(shape, 0, 0.2) + length_between(
        shape, 0.7, 1
    ) == pytest.approx(length_between(shape, 0, 1), rel=1e-8)
    for u in (0.1, 0.45, 0.8):
        a, b = point_at_parameter(shape, u - 1e-6), point_at_parameter(shape, u + 1e-6)
        assert tangent(shape, u) == pytest.approx(
            ((b.x - a.x) / 2e-6, (b.y - a.y) / 2e-6), rel=1e-5, abs=1e-5
        )
    assert point_at_parameter(shape, 0) == pytest.approx(shape.a, abs=1e-9)
    assert point_at_parameter(shape, 1) == pytest.approx(shape.b, abs=1e-9)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@settings(max_examples=20, deadline=None)
@given(st.floats(0.02, 0.98), st.floats(-1e-3, 1e-3))
def test_the_distance_from_a_curve_is_exact_near_it(shape: Shape, u: float, height: float) -> None:
    at, (nx, ny) = point_at_parameter(shape, u), left_normal_at_parameter(shape, u)
    beside = (at.x + height * nx, at.y + height * ny)
    assert nearest_parameters_on_shape(shape, np.array([beside]))[1][0] == pytest.approx(
        abs(height), abs=1e-9
    )
    assert nearest_parameters_on_shape(shape, np.array([beside]))[0][0] == pytest.approx(
        u, abs=1e-6
    )


def test_a_prism_has_outward_normals() -> None:
    south, east, west = edge_table(PRISM, {1: "Exit"})
    assert [e.labelled.short for e in (south, east, west)] == ["S", "E", "W"]
    assert (east.title, south.title) == ("Exit", "S")
    assert [e.kind for e in (south, east, west)] == ["line"] * 3
    assert [e.length for e in (south, east, west)] == pytest.approx([100, 100, 100], abs=1e-3)
    assert south.normal == (0, 1)
    assert south.normal_angle == 270
    assert east.normal == pytest.approx((math.cos(math.pi / 6), -0.5), abs=1e-5)
    assert east.normal_angle == pytest.approx(30, abs=1e-3)
    assert south.midpoint == (150, 200)
    outline = object_edges(PRISM)
    assert area(outline) == pytest.approx(100 * 86.603 / 2)
    assert perimeter(outline) == pytest.approx(300, abs=1e-3)


def test_normals_of_a_concave_outline() -> None:
    corners = [
        Vertex(0, 0),
        Vertex(100, 0),
        Vertex(100, 100),
        Vertex(80, 100),
        Vertex(80, 20),
        Vertex(0, 20),
    ]
    for path in (corners, corners[::-1]):
        glass = Glass(path=tuple(path))
        inner = next(e for e in edge_table(glass) if e.midpoint == (80, 60))
        assert inner.normal == (-1, 0)


def test_a_lens_has_arcs_and_its_true_area() -> None:
    # a plano-convex lens: a half disc of radius 50
    lens = Glass(path=(Vertex(0, -50), Vertex(0, 50), Vertex(50, 0, True)))
    flat, bow = edge_table(lens)
    assert (flat.kind, bow.kind) == ("line", "arc")
    assert bow.length == pytest.approx(50 * math.pi)
    assert bow.midpoint == pytest.approx((50, 0))
    assert bow.normal == pytest.approx((1, 0))
    assert (bow.radius, bow.bulge) == (pytest.approx(50), "convex")
    assert area(object_edges(lens)) == pytest.approx(math.pi * 50**2 / 2)
    dent = Glass(
        path=(Vertex(0, -50), Vertex(0, 50), Vertex(100, 50), Vertex(100, -50), Vertex(50, 0, True))
    )
    assert next(e for e in edge_table(dent) if e.kind == "arc").bulge == "concave"
    assert area(object_edges(dent)) == pytest.approx(100 * 100 - math.pi * 50**2 / 2)
    circle = CircleGlass(p1=Point(3, 4), p2=Point(3, 14))
    (rim,) = edge_table(circle)
    assert rim.labelled.short == "Rim"
    assert area(object_edges(circle)) == pytest.approx(100 * math.pi)
    assert perimeter(object_edges(circle)) == pytest.approx(20 * math.pi)


def test_mirrors_have_edges_too() -> None:
    (flat,) = edge_table(Mirror(p1=Point(0, 0), p2=Point(100, 0)))
    assert flat.normal == (0, -1)  # to the left of the way to the right is up
    (arc,) = edge_table(ArcMirror(p1=Point(-50, 0), p2=Point(50, 0), p3=Point(0, -50)))
    assert (arc.kind, arc.radius) == ("arc", pytest.approx(50))
    (parabola,) = edge_table(ParabolicMirror(p1=Point(-40, 0), p2=Point(40, 0), p3=Point(0, 20)))
    assert parabola.kind == "conic"
    assert parabola.radius == pytest.approx(40)  # y = x²/80 has f = 20
    assert edge_table(PlaneGlass(p1=Point(0, 0), p2=Point(1, 0)))[0].length == math.inf


@settings(max_examples=25, deadline=None)
@given(st.floats(0, 6.28), st.floats(-80, 80), st.floats(20, 90))
def test_a_shared_edge_at_any_angle(turn: float, offset: float, height: float) -> None:
    left, right = box(0, 0, 50, 100, 1.5, "L", turn), box(50, offset, 50, height, 1.7, "R", turn)
    shared = max(0.0, min(100, offset + height) - max(0, offset))
    found = glass_interfaces(Scene.of([left, right])).interfaces
    if shared < 0.01:
        assert sum(i.length for i in found) < 0.01
        return
    (only,) = found
    assert only.length == pytest.approx(shared, abs=1e-4)
    assert only.normal == pytest.approx((math.cos(turn), math.sin(turn)), abs=1e-9)
    assert (only.first.name, only.second.name) == ("L", "R")
    assert (only.stretch.n_inside, only.stretch.n_outside) == (1.5, 1.7)
    exterior = sum(
        s.length for s in edge_parts_by_media(Scene.of([left, right]), [left]) if not s.touching
    )
    assert exterior == pytest.approx(300 - shared, abs=1e-3)


def test_contact_ends_at_vertices() -> None:
    upper = Glass(path=(Vertex(0, 0), Vertex(100, 0), Vertex(0, 100)), name="Upper")
    lower = Glass(path=(Vertex(100, 0), Vertex(100, 100), Vertex(0, 100)), name="Lower")
    for first, second in itertools.permutations((upper, lower)):
        (found,) = glass_interfaces(Scene.of([first, second])).interfaces
        assert {found.stretch.p1, found.stretch.p2} == {Point(100, 0), Point(0, 100)}
        assert found.stretch.fraction == 1.0


def test_a_gap_counts_as_contact_within_the_tolerance_given() -> None:
    scene = Scene.of([box(0, 0, 50, 100), box(50.01, 0, 50, 100)])
    assert glass_interfaces(scene).interfaces == ()
    (only,) = glass_interfaces(scene, tolerance=0.02).interfaces
    assert only.length == pytest.approx(100, abs=0.1)


def test_cemented_arcs_touch_along_their_true_length() -> None:
    crown = Glass(
        path=(Vertex(0, -40), Vertex(0, 40), Vertex(20, 0, True)), ref_index=1.52, name="Crown"
    )
    flint = Glass(
        path=(Vertex(0, -40), Vertex(20, 0, True), Vertex(0, 40), Vertex(40, 40), Vertex(40, -40)),
        ref_index=1.62,
        name="Flint",
    )
    (only,) = glass_interfaces(Scene.of([crown, flint])).interfaces
    radius = (40**2 + 20**2) / 40
    assert only.length == pytest.approx(radius * 2 * math.asin(40 / radius), rel=1e-9)
    assert only.normal == pytest.approx((1, 0))
    assert (only.first_edge.kind, only.second_edge.kind) == ("arc", "arc")


def test_shared_curves_touch_and_crossings_do_not() -> None:
    def curve(*nodes: tuple[float, float]) -> CurveGlass:
        points = [Point(*p) for p in nodes]
        around = [*points, points[0]]
        line = [CurveNode(a, Point((2 * a.x + b.x) / 3, (2 * a.y + b.y) / 3), Point((a.x + 2 * b.x) / 3, (a.y + 2 * b.y) / 3))
                for a, b in itertools.pairwise(around)]  # fmt: skip
        return CurveGlass(points=tuple(line))

    a, b = curve((0, 0), (50, 0), (50, 50), (0, 50)), curve((50, 20), (90, 20), (90, 80), (50, 80))
    (only,) = glass_interfaces(Scene.of([a, b])).interfaces
    assert only.length == pytest.approx(30, abs=1e-4)
    assert glass_interfaces(Scene.of([box(0, 0, 50, 50), box(25, -20, 10, 100)])).interfaces == ()


def test_indices_multiply_where_bodies_overlap() -> None:
    scene = Scene.of([box(0, 0, 100, 10, 1.5, "Bar"), box(40, -20, 20, 50, 1.2, "Block")])
    top = [
        s for s in edge_parts_by_media(scene, [scene.objects[0]]) if s.edge.labelled.short == "N"
    ]
    assert [s.length for s in top] == pytest.approx([40, 20, 40], abs=1e-6)
    assert [(s.n_inside, s.n_outside) for s in top] == [
        (1.5, 1),
        (pytest.approx(1.8), 1.2),
        (1.5, 1),
    ]
    assert not any(s.touching for s in top)


def test_an_overlap_beside_two_neighbours() -> None:
    bar, left, right = (
        box(0, 0, 100, 10, 1.5, "Bar"),
        box(0, -20, 50, 20, 1.6, "Left"),
        box(50, -20, 50, 20, 1.7, "Right"),
    )
    scene = Scene.of([bar, left, right, box(50.01, -5, 20, 10, 1.2, "Block")])
    top = [
        s for s in edge_parts_by_media(scene, [scene.objects[0]]) if s.edge.labelled.short == "N"
    ]
    assert [s.length for s in top] == pytest.approx([50, 0.01, 20, 29.99], abs=1e-5)
    assert [s.n_outside for s in top] == pytest.approx([1.6, 1.7, 1.7 * 1.2, 1.7])
    assert [[o.name for o, _ in s.touching] for s in top] == [
        ["Left"],
        ["Right"],
        ["Right"],
        ["Right"],
    ]


def test_mirror_on_glass_and_disabled_body() -> None:
    coating = Mirror(p1=Point(10, 0), p2=Point(60, 0), name="Coating")
    scene = Scene.of([box(0, 0, 100, 50), box(0, 50, 100, 50), coating])
    coated = [
        s for s in edge_parts_by_media(scene) if any(o is scene.objects[2] for o, _ in s.touching)
    ]
    assert [s.length for s in coated] == pytest.approx([50], abs=1e-5)
    assert len(glass_interfaces(scene).interfaces) == 1
    assert glass_interfaces(scene, disabled={scene.objects[1].key}).interfaces == ()


def test_the_index_follows_the_wavelength_and_the_place() -> None:
    flint = Glass(path=PRISM.path, ref_index=1.6, cauchy_b=0.01)
    at = np.array([[150.0, 180.0], [0.0, 0.0]])
    colours = Settings(simulate_colors=True)
    assert Media.from_scene(Scene.of([flint]), wavelength=500).index_at(at).tolist() == [1.6, 1]
    assert Media.from_scene(Scene.of([flint], colours), wavelength=500).index_at(
        at
    ) == pytest.approx([1.64, 1])
    ball = CircleGrinGlass(p1=Point(0, 0), p2=Point(50, 0), ref_index_fn=r"\sqrt{2-(x^2+y^2)/2500}")
    assert Media.from_scene(Scene.of([ball])).index_at(
        np.array([[0.0, 0.0], [30.0, 0.0], [60.0, 0.0]])
    ) == pytest.approx([math.sqrt(2), math.sqrt(2 - 0.36), 1])
    half = PlaneGlass(p1=Point(0, 0), p2=Point(10, 0), ref_index=1.33)
    (edge,) = edge_table(half)
    assert edge.normal == (0, -1)
    assert edge.labelled.short == "N"
    assert Media.from_scene(Scene.of([half])).index_at(
        np.array([[5.0, 1.0], [5.0, -1.0]])
    ).tolist() == [
        1.33,
        1,
    ]


def test_labels_are_unique_whatever_the_outline() -> None:
    lens = SphericalLens(p1=Point(0, -30), p2=Point(0, 30), params={"d": 20, "r1": 100, "r2": -100})
    star = Glass(
        path=tuple(
            Vertex(math.cos(k) * (50 + 30 * (k % 2)), math.sin(k) * (50 + 30 * (k % 2)))
            for k in range(6)
        )
    )
    for body in (lens, star, box(0, 0, 1e-6, 1e-6)):
        titles = [e.title for e in edge_table(body)]
        assert len(set(titles)) == len(titles) > 2


def test_many_sides_are_gone_through_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tested = []

    def counted(edges: Sequence[Edge], points: np.ndarray, tolerance: float) -> np.ndarray:
        tested.append(len(edges))
        return contains_points(edges, points, tolerance)

    monkeypatch.setattr(surroundings, "contains_points", counted)
    turns = [2 * math.pi * i / 3000 for i in range(3000)]
    body = Glass(
        path=tuple(Vertex(100 * math.cos(t), 100 * math.sin(t)) for t in turns),
        ref_index=1.5,
        name="Round",
    )
    found = edge_parts_by_media(Scene.of([body]))
    assert len(found) == 3000
    assert {(s.n_inside, s.n_outside) for s in found} == {(1.5, 1.0)}
    assert len(tested) <= 2


@pytest.mark.parametrize("swing", [0.02, 0.999])
def test_many_sides_obey_the_even_odd_rule(
    swing: float,
) -> None:
    """A star whose sides are short, and one whose long sides all pass the same heights: they are
    compared in two ways.
    """
    turns = np.arange(400) * 2 * math.pi / 400
    radius = np.where(np.arange(400) % 2, 100.0, 100.0 * (1 - swing))
    corners = np.column_stack([radius * np.cos(turns), radius * np.sin(turns)])
    edges = object_edges(
        Glass(path=tuple(Vertex(x, y) for x, y in corners.tolist()), ref_index=1.5)
    )
    points = np.concatenate(
        [
            np.random.default_rng(5).uniform(-110, 110, (3000, 2)),
            np.column_stack([np.zeros(9), corners[:9, 1]]),
        ]
    )
    crossings = np.zeros(len(points), int)
    for (ax, ay), (bx, by) in zip(
        corners.tolist(), np.roll(corners, -1, axis=0).tolist(), strict=True
    ):
        if ay != by:
            beside = (ay > points[:, 1]) != (by > points[:, 1])
            crossings += beside & (
                points[:, 0] < ax + (points[:, 1] - ay) * ((bx - ax) / (by - ay))
            )
    np.testing.assert_array_equal(contains_points(edges, points, 0.0), crossings % 2 == 1)


def test_many_overlapping_circles() -> None:
    rng = np.random.default_rng(4)
    circles = [
        (40.0 * i + rng.uniform(-3, 3), 40.0 * j + rng.uniform(-3, 3), rng.uniform(26, 34))
        for i in range(7)
        for j in range(7)
    ]
    bodies = [
        CircleGlass(p1=Point(x, y), p2=Point(x + r, y), ref_index=1 + 0.01 * k, name=f"C{k}")
        for k, (x, y, r) in enumerate(circles, 1)
    ]
    parts = edge_parts_by_media(Scene.of(bodies))
    for body, (x, y, r) in zip(bodies, circles, strict=True):
        own = [p for p in parts if p.body.title == body.title]
        crossings = set()
        for x2, y2, r2 in circles:
            apart = math.hypot(x2 - x, y2 - y)
            if 0 < apart < r + r2:
                half = math.acos((apart**2 + r**2 - r2**2) / (2 * apart * r))
                turn = math.atan2(y2 - y, x2 - x)
                crossings |= {
                    (x + r * math.cos(turn + s * half), y + r * math.sin(turn + s * half))
                    for s in (-1, 1)
                }
        halves = {(round(q[0], 5), round(q[1], 5)) for p in own for q in (p.edge.p1, p.edge.p2)}
        ends = sorted({(round(p.p1.x, 5), round(p.p1.y, 5)) for p in own} - halves)
        assert np.array(ends) == pytest.approx(
            np.array(sorted((round(a, 5), round(b, 5)) for a, b in crossings)), abs=1e-4
        )
        for p in own:
            at = np.array(p.midpoint) + 1e-3 * np.array(p.normal)
            there = [
                k
                for k, (a, b, radius) in enumerate(circles)
                if math.hypot(at[0] - a, at[1] - b) < radius
            ]
            assert p.n_outside == pytest.approx(
                math.prod(1 + 0.01 * (k + 1) for k in there), rel=1e-9
            )
            assert [b.title for b in p.containing_bodies] == [f"C{k + 1}" for k in there]


@pytest.mark.security
def test_hundreds_of_crossing_bodies() -> None:
    chance = random.Random(1)
    crossing = [
        CircleGlass(
            p1=(p := Point(chance.uniform(-50, 50), chance.uniform(-50, 50))),
            p2=Point(p.x + 60, p.y),
        )
        for _ in range(300)
    ]
    begun = time.process_time()
    assert (
        glass_interfaces(
            Scene.of([*crossing, box(200, 0, 50, 100), box(250, 0, 50, 100)])
        ).edges_left
        == 0
    )
    assert time.process_time() - begun < 10


@pytest.mark.security
def test_unexamined_edges_are_counted() -> None:
    count = 5_000
    scene = Scene.of([CircleGlass(p1=Point(0, 0), p2=Point(50, 0)) for _ in range(count)])
    begun = time.process_time()
    found, edges_left = glass_interfaces(scene)
    examined = body_nesting(scene)
    assert time.process_time() - begun < 30
    assert 0 < edges_left < count
    assert found
    assert 0 < len(examined) < count
