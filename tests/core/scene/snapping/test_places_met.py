"""What a point snaps to: exact places of objects and of light near it."""

from __future__ import annotations

import gc
import math
import random
import time
import weakref

import numpy as np
import pytest

from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, CurveMirror, Mirror, ParabolicMirror
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.presets import PRESETS
from raybench.scene.scene import Scene
from raybench.scene.snapping.snap import nearest_snap, snap_targets_near
from raybench.scene.snapping.targets import SNAPS, TargetIndex, intersection, tangent_points
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Line, circle_about
from raybench.trace.trace import trace

ALL = frozenset(SNAPS) - {"grid"}


def scene_of(*objects, **settings):
    return Scene.of(objects).with_settings(**settings)


def snapped(scene, at, *, on=ALL, begun=None, without=(), reach=4.0, result=None):
    index = TargetIndex()
    index.add_objects(scene.objects, {})
    return nearest_snap(
        snap_targets_near(index, scene, result, Point(*at), reach, begun=begun, without=without), on
    )


TRIANGLE = Glass(name="Prism", path=(Vertex(0, 0), Vertex(100, 0), Vertex(50, 80)))
CIRCLE = CircleGlass(p1=Point(300, 100), p2=Point(340, 100))
CURVE = CurveMirror(
    points=(CurveNode(Point(0, 0), Point(10, 30), Point(50, 30)), CurveNode(Point(60, 0))),
    is_closed=False,
)
SLIT = Aperture(p1=Point(0, 0), p2=Point(0, 90), p3=Point(0, 30), p4=Point(0, 60))
RAY = SingleRay(p1=Point(0, 0), p2=Point(30, 0))


@pytest.mark.parametrize(
    ("at", "kind", "where"),
    [
        ((2, 1), "vertices", (0, 0)),
        ((51, 1), "midpoints", (50, 0)),
        ((51, 27), "centres", (50, 80 / 3)),
        ((301, 98), "centres", (300, 100)),
        ((30, 1), "edges", (30, 0)),
        ((300, 141), "edges", (300, 140)),
    ],
)
def test_vertices_midpoints_centres_and_edges(at, kind, where):
    found = snapped(scene_of(TRIANGLE, CIRCLE), at)
    assert found.kind.id == kind
    assert found.at == pytest.approx(where)


@pytest.mark.parametrize(
    ("obj", "at", "word"),
    [
        (TRIANGLE, (100, 0), "vertex"),
        (CIRCLE, (340, 100), "rim point"),
        (CIRCLE, (300, 100), ""),
        (Mirror(p1=Point(0, 0), p2=Point(0, 50)), (0, 50), "end"),
        (
            ArcMirror(p1=Point(-50, 50), p2=Point(-50, -50), p3=Point(0, 0)),
            (0, 0),
            "point on the arc",
        ),
        (ParabolicMirror(p1=Point(-40, -40), p2=Point(-40, 40), p3=Point(0, 0)), (0, 0), "vertex"),
        (SLIT, (0, 90), "outer end"),
        (SLIT, (0, 30), "end of the opening"),
        (CURVE, (60, 0), "node"),
        (CURVE, (10, 30), "control point"),
        (RAY, (0, 0), "start"),
        (RAY, (30, 0), "direction point"),
        (PointSource(x=3, y=4), (3, 4), "position"),
        (
            Glass(path=(Vertex(0, 0), Vertex(50, 30, True), Vertex(0, 60))),
            (50, 30),
            "point on the arc",
        ),
    ],
)
def test_a_point_is_met_as_what_it_is(obj, at, word):
    found = snapped(scene_of(obj), at, on={"vertices", "centres"})
    assert found.at == at
    assert found.met.word == word


def test_nothing_is_met_out_of_reach_or_of_what_is_left_out_or_switched_off():
    scene = scene_of(TRIANGLE)
    assert snapped(scene, (50, 20), reach=2) is None
    assert snapped(scene, (2, 1), without={TRIANGLE.key}) is None
    assert snapped(scene, (1, 0), on=ALL - {"vertices", "edges", "intersections"}) is None


def test_a_crossing_is_exact_and_corners_are_no_crossings():
    scene = scene_of(
        Mirror(p1=Point(0, 0), p2=Point(100, 37)), CircleBlocker(p1=Point(50, 0), p2=Point(50, 41))
    )
    found = snapped(scene, (80, 29))
    assert found.kind.id == "intersections"
    x, y = found.at
    assert y == pytest.approx(x * 0.37, abs=1e-9)
    assert math.hypot(x - 50, y) == pytest.approx(41, abs=1e-9)
    assert snapped(scene_of(TRIANGLE), (0.5, 0.5)).kind.id == "vertices"
    assert (
        intersection(Line(Point(0, 0), Point(9, 9)), Line(Point(0, 1), Point(9, 10)), Point(1, 1))
        is None
    )


def test_perpendicular_and_tangent_are_met_from_where_the_line_begins():
    wall = scene_of(Blocker(p1=Point(0, 100), p2=Point(200, 100)))
    found = snapped(wall, (42, 98), begun=Point(40, 20))
    assert (found.kind.id, found.at) == ("perpendicular", (40, 100))
    assert found.met.guide == ((40, 20), (40, 100))
    ball, start = scene_of(CIRCLE), Point(200, 60)
    places = [
        snapped(ball, place, begun=start)
        for place in [
            (p.x + 1, p.y) for p in tangent_points(circle_about(CIRCLE.p1, CIRCLE.p2), start)
        ]
    ]
    assert [p.kind.id for p in places] == ["tangent", "tangent"]
    for place in places:
        to_centre = np.subtract(place.at, CIRCLE.p1)
        assert np.dot(to_centre, np.subtract(place.at, start)) == pytest.approx(0, abs=1e-9)
        assert math.hypot(*to_centre) == pytest.approx(40)
    assert snapped(wall, (42, 98)).kind.id == "edges", "nothing is begun"


@pytest.mark.parametrize(
    ("obj", "foci"),
    [
        (IdealLens(p1=Point(0, -40), p2=Point(0, 40), focal_length=70), [(70, 0), (-70, 0)]),
        (ParabolicMirror(p1=Point(-40, -40), p2=Point(-40, 40), p3=Point(0, 0)), [(-10, 0)]),
        (ArcMirror(p1=Point(-50, 50), p2=Point(-50, -50), p3=Point(0, 0)), [(-25, 0)]),
    ],
)
def test_focal_points_and_the_axis(obj, foci):
    for focus in foci:
        found = snapped(scene_of(obj), (focus[0] + 2, focus[1] - 1))
        assert found.kind.id == "foci"
        assert found.at == pytest.approx(focus, abs=1e-9)
    found = snapped(scene_of(obj), (333, 2))
    assert found.kind.id == "axis"
    assert found.at == pytest.approx((333, 0), abs=1e-9)


def test_the_focus_of_a_thick_lens_is_where_paraxial_light_meets():
    (lens,) = PRESETS["BiconvexLens"](focal_length=100, diameter=20, thickness=12).objects()
    ray = SingleRay(p1=Point(-60, 1e-3), p2=Point(-59, 1e-3))
    result = trace(Scene.of([lens, ray]))
    last = int(
        np.flatnonzero(result.hit < 0)[np.argmax(result.p1[np.flatnonzero(result.hit < 0), 0])]
    )
    (x, y), d = result.p1[last], result.p2[last] - result.p1[last]
    meets = x - y * d[0] / d[1]
    found = snapped(scene_of(lens), (meets + 1, 1))
    assert found.kind.id == "foci"
    assert found.at.x == pytest.approx(meets, abs=1e-3)


def test_the_place_where_a_ray_hits_is_met_and_not_that_on_what_is_moved():
    wall = Blocker(p1=Point(100, -50), p2=Point(100, 50))
    scene = scene_of(SingleRay(p1=Point(0, 0), p2=Point(10, 1.7)), wall)
    result = trace(scene)
    found = snapped(scene, (101, 18), result=result)
    assert (found.kind.id, found.met.key) == ("hits", wall.key)
    assert found.at == pytest.approx((100, 17))
    assert (
        snapped(scene, (101, 18), result=result, without={wall.key}, on=ALL - {"rays", "axis"})
        is None
    )
    on_ray = snapped(scene, (51, 8), result=result, on={"rays"})
    assert on_ray.at.y == pytest.approx(0.17 * on_ray.at.x)


def test_a_vertex_beside_the_place_where_a_ray_hits_is_met_first():
    wall = Blocker(p1=Point(100, -50), p2=Point(100, 18))
    scene = scene_of(SingleRay(p1=Point(0, 0), p2=Point(10, 1.7)), wall)
    result = trace(scene)
    found = snapped(scene, (100, 17), result=result)
    assert (found.kind.id, found.at) == ("vertices", (100, 18)), "1 from the hit, of a reach of 4"
    found = snapped(scene, (100, 17), result=result, reach=2)
    assert (found.kind.id, found.at) == ("hits", (100, 17)), "zoomed in they can be told apart"


def test_computed_places_have_no_digits_of_rounding_and_coordinates_of_objects_are_as_they_are():
    odd = 100 / 3
    scene = scene_of(
        Mirror(p1=Point(0, 0.1), p2=Point(0.3, 0.1)), Mirror(p1=Point(0.2, odd), p2=Point(0.2, -1))
    )
    assert snapped(scene, (0.21, 0.11), reach=0.04).at == (0.2, 0.1)
    assert snapped(scene, (0.2, odd), reach=0.04).at == (0.2, odd)


def test_the_centre_of_curvature_far_from_an_arc_says_so():
    scene = scene_of(ArcMirror(p1=Point(-50, 50), p2=Point(-50, -50), p3=Point(0, 0)), CIRCLE)
    assert snapped(scene, (-51, 1)).kind.word == "centre of curvature"
    assert snapped(scene, (301, 98)).kind.word == "centre"


def test_points_come_before_lines_and_the_grid_is_last():
    scene = scene_of(TRIANGLE, grid_size=10.0)
    assert snapped(scene, (48, 3), on=frozenset(SNAPS)).kind.id == "midpoints"
    found = snapped(scene, (207, 133), on=frozenset(SNAPS))
    assert (found.kind.id, found.at) == ("grid", (210, 130))


def test_the_beam_has_an_axis_through_its_middle():
    found = snapped(scene_of(Beam(p1=Point(0, 0), p2=Point(0, 60))), (500, 31))
    assert (found.kind.id, found.at) == ("axis", (500, 30))


def test_five_thousand_objects_are_searched_within_a_frame():
    dice = random.Random(5)
    objects = [
        (
            Mirror(p1=Point(x, y), p2=Point(x + dice.uniform(-30, 30), y + dice.uniform(-30, 30)))
            if i % 2
            else CircleGlass(p1=Point(x, y), p2=Point(x + dice.uniform(2, 9), y))
        )
        for i in range(5000)
        for x, y in [(dice.uniform(0, 3000), dice.uniform(0, 2000))]
    ]
    scene, index = Scene.of(objects), TargetIndex()
    index.add_objects(scene.objects, {}, most=400)
    assert not index.is_complete
    while not index.is_complete:
        index.add_objects(scene.objects, {}, most=400)
    best = min(
        _seconds(
            lambda: nearest_snap(snap_targets_near(index, scene, None, Point(1500, 1000), 9.0), ALL)
        )
        for _ in range(5)
    )
    assert best < 0.016
    moved = scene.with_objects([Mirror(p1=Point(0, 0), p2=Point(1, 1)), *objects[1:]])
    index.add_objects(moved.objects, {})
    assert nearest_snap(snap_targets_near(index, moved, None, Point(0.2, -0.2), 1.0), ALL).at == (
        0,
        0,
    )


def test_objects_that_are_gone_are_not_kept():
    index, gone = TargetIndex(), Mirror(p1=Point(0, 0), p2=Point(1, 1))
    kept = weakref.ref(gone)
    index.add_objects((gone,), {})
    del gone
    index.add_objects((CIRCLE,), {})
    gc.collect()
    assert kept() is None


def _seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
