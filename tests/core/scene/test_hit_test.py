"""Hit testing."""

from __future__ import annotations

import dataclasses

import pytest

from raybench.kinds.blockers import Blocker
from raybench.kinds.decorations import CropBox, TextLabel
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.grin import CircleGrinGlass, GrinGlass
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import PointSource
from raybench.scene.hit_test import (
    BodyHit,
    ControlHit,
    EdgeHit,
    find_hit_at_point,
    is_inside,
    objects_in_box,
    scene_extent,
)
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex

HALF_DISC = Glass(name="Half", path=(Vertex(0, 0), Vertex(20, 0), Vertex(10, 10, True)))
"""A flat side from (0, 0) to (20, 0), and half a circle below it as seen (y is down)."""


@pytest.mark.parametrize(
    ("at", "is_in"),
    [
        ((10, 5), True),
        ((10, 9.9), True),
        ((10, -1), False),
        ((1, 9), False),
        ((19, 1), True),
        ((-5, 5), False),
        ((25, 0.5), False),
    ],
)
def test_inside_of_an_outline_follows_its_arcs(at, is_in):
    assert is_inside(object_edges(HALF_DISC), Point(*at)) is is_in


def test_inside_of_a_circle():
    edges = object_edges(CircleGlass(p1=Point(5, 5), p2=Point(8, 5)))
    assert is_inside(edges, Point(5, 7.9))
    assert not is_inside(edges, Point(5, 8.1))
    assert not is_inside(edges, Point(1.9, 5))


def test_handles_of_the_selection_come_before_lines_and_lines_before_bodies():
    line = Blocker(p1=Point(5, 5), p2=Point(15, 5))
    scene = Scene.of([HALF_DISC, line])
    assert find_hit_at_point(scene, Point(10, 5.5), 1.0) == EdgeHit(line.key, 0, 0.5)
    assert find_hit_at_point(scene, Point(10, 7.5), 1.0) == BodyHit(HALF_DISC.key)
    found = find_hit_at_point(scene, Point(10, 10.3), 1.0, handles_of={HALF_DISC.key})
    assert isinstance(found, ControlHit)
    assert found.control.index == 2
    assert isinstance(find_hit_at_point(scene, Point(10, 10.3), 1.0), EdgeHit)
    assert find_hit_at_point(scene, Point(40, 40), 1.0) is None


def test_a_small_object_is_hit_between_its_handles():
    line, source = Blocker(p1=Point(5, 5), p2=Point(17, 5)), PointSource(x=40, y=40)
    scene = Scene.of([line, source])
    for x, handle in ((5, True), (8.5, True), (11, False), (13.5, True), (17, True)):
        assert isinstance(
            find_hit_at_point(scene, Point(x, 5), 7, handles_of={line.key}),
            ControlHit if handle else EdgeHit,
        ), x
    assert isinstance(
        find_hit_at_point(scene, Point(44, 40), 7, handles_of={source.key}), ControlHit
    )
    assert isinstance(find_hit_at_point(scene, Point(13, 5), 2, handles_of={line.key}), EdgeHit)


def test_the_smaller_of_two_bodies_is_hit_and_hidden_ones_are_not():
    large, small = (
        CircleGlass(p1=Point(0, 0), p2=Point(50, 0)),
        CircleGlass(p1=Point(0, 0), p2=Point(10, 0)),
    )
    for objects in ([large, small], [small, large]):
        assert find_hit_at_point(Scene.of(objects), Point(1, 1), 0.5) == BodyHit(small.key)
    assert find_hit_at_point(
        Scene.of([large, small]), Point(1, 1), 0.5, without={small.key}
    ) == BodyHit(large.key)


def test_of_two_coincident_lines_the_upper_one_is_hit():
    below = Blocker(p1=Point(0, 0), p2=Point(10, 0))
    above = dataclasses.replace(below).with_new_key()
    assert find_hit_at_point(Scene.of([below, above]), Point(5, 0), 1).key == above.key


def test_points_and_texts_can_be_hit():
    lamp, text = PointSource(x=50, y=50), TextLabel(x=0, y=100, text="Hello", font_size=20)
    scene = Scene.of([lamp, text])
    assert find_hit_at_point(scene, Point(51, 51), 2).key == lamp.key
    assert find_hit_at_point(scene, Point(30, 90), 2).key == text.key
    assert find_hit_at_point(scene, Point(90, 90), 2) is None


def test_objects_entirely_within_a_rectangle_are_selected():
    lamp = PointSource(x=50, y=50)
    scene = Scene.of([HALF_DISC, lamp])
    assert objects_in_box(scene, (-1, -1, 21, 11)) == {HALF_DISC.key}
    assert objects_in_box(scene, (-1, -1, 21, 9.5)) == frozenset()
    assert objects_in_box(scene, (-100, -100, 100, 100)) == {HALF_DISC.key, lamp.key}


def test_the_bounding_box_of_a_scene_contains_its_arcs():
    assert scene_extent(Scene.of([HALF_DISC])) == pytest.approx((0, 0, 20, 10))
    assert scene_extent(Scene()) is None


def test_the_whole_scene_includes_texts_but_no_crop_boxes() -> None:
    text = TextLabel(x=100, y=20, text="Lens", font_size=10)
    scene = Scene.of([HALF_DISC, text, CropBox(p1=Point(-500, -500), p4=Point(500, 500))])
    box = scene_extent(scene)
    assert box == pytest.approx((0, 0, 122, 20))
    everything = scene_extent(scene, {o.key for o in scene.objects})
    assert everything is not None
    assert everything[0] == -500


def test_an_origin_of_formulas_away_from_the_body_is_not_in_its_box() -> None:
    path = (Vertex(600, 300), Vertex(700, 300), Vertex(700, 400))
    body, circle = GrinGlass(path=path), CircleGrinGlass(p1=Point(800, 350), p2=Point(810, 350))
    assert (body.origin, circle.origin) == (Point(0, 0), Point(0, 0))
    assert scene_extent(Scene.of([body])) == (600, 300, 700, 400)
    assert scene_extent(Scene.of([body, circle])) == pytest.approx((600, 300, 810, 400))
