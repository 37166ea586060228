"""Aligning and distributing objects, and the numbers of control points."""

from __future__ import annotations

import math

import pytest

from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.decorations import Handle
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import ArcMirror, Mirror
from raybench.scene import scene
from raybench.scene.alignment import (
    TooFewObjects,
    moves_to_align_objects,
    moves_to_distribute_objects,
)
from raybench.scene.changes import Group, apply_changes
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.scene.place_numbers import point_numbers
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import arc_through


def box_document(*boxes):
    """A document with a slanted line in each box (left, top, right, bottom)."""
    lines = [
        Blocker(name=f"B{i}", p1=Point(b[0], b[1]), p2=Point(b[2], b[3]))
        for i, b in enumerate(boxes)
    ]
    return Document(scene=Scene.of(lines))


def boxes_of(document):
    return [scene_extent(document.scene, {o.key}) for o in document.scene.objects]


THREE = ((0, 0, 10, 20), (30, 5, 70, 15), (90, 50, 100, 60))


@pytest.mark.parametrize(
    ("side", "part", "value"),
    [("left", 0, 0), ("right", 2, 100), ("top", 1, 0), ("bottom", 3, 60)],
)
def test_sides_are_brought_to_that_of_all(side, part, value):
    document = box_document(*THREE)
    keys = {o.key for o in document.scene.objects}
    after = apply_changes(moves_to_align_objects(document, keys, side), document)
    assert [box[part] for box in boxes_of(after)] == pytest.approx([value] * 3)
    assert [box[2] - box[0] for box in boxes_of(after)] == pytest.approx([10, 40, 10]), (
        "nothing but moved"
    )


@pytest.mark.parametrize(("side", "across", "middle"), [("centre", 0, 50), ("middle", 1, 30)])
def test_middles_are_brought_to_that_of_all(side, across, middle):
    document = box_document(*THREE)
    after = apply_changes(
        moves_to_align_objects(document, {o.key for o in document.scene.objects}, side), document
    )
    assert [(box[across] + box[across + 2]) / 2 for box in boxes_of(after)] == pytest.approx(
        [middle] * 3
    )


def test_gaps_become_equal_and_the_outermost_stay():
    document = box_document(*THREE)
    after = apply_changes(
        moves_to_distribute_objects(document, {o.key for o in document.scene.objects}, "x"),
        document,
    )
    boxes = boxes_of(after)
    assert (boxes[0], boxes[2]) == (boxes_of(document)[0], boxes_of(document)[2])
    assert boxes[1][0] - boxes[0][2] == pytest.approx(boxes[2][0] - boxes[1][2])


def test_a_group_is_moved_as_one_and_one_object_is_too_few():
    document = apply_changes(Group(["B0", "B1"], "Pair"), box_document(*THREE))
    keys = {o.key for o in document.scene.objects}
    boxes = boxes_of(apply_changes(moves_to_align_objects(document, keys, "right"), document))
    assert (boxes[0][0], boxes[1][0]) == (30, 60)
    with pytest.raises(TooFewObjects, match="one group"):
        moves_to_align_objects(document, {o.key for o in document.scene.objects[:2]}, "left")
    with pytest.raises(TooFewObjects, match="three or more"):
        moves_to_distribute_objects(document, keys, "y")


def numbers_of(obj, i):
    control = control_points(obj)[i]
    return control, {n.label: n for n in point_numbers(obj, control)}


def test_an_end_has_the_length_and_the_angle_from_the_other():
    control, numbers = numbers_of(Mirror(p1=Point(10, 10), p2=Point(40, -30)), 1)
    assert list(numbers) == ["X", "Y", "Length", "Angle"]
    assert numbers["Length"].get(control.at) == 50
    assert numbers["Angle"].get(control.at) == pytest.approx(53.13, abs=0.01)
    assert numbers["Length"].put(control.at, 100) == pytest.approx((70, -70))
    assert numbers["Angle"].put(control.at, 90) == pytest.approx((10, -40))


def test_a_circle_has_a_radius_and_its_centre_only_a_place():
    circle = CircleBlocker(p1=Point(0, 0), p2=Point(0, 30))
    control, numbers = numbers_of(circle, 1)
    assert list(numbers) == ["X", "Y", "Radius", "Angle"]
    assert numbers["Radius"].put(control.at, 12) == pytest.approx((0, 12))
    centre, numbers = numbers_of(circle, 0)
    assert (centre.meaning, list(numbers)) == ("centre", ["X", "Y"])


@pytest.mark.parametrize("bend", [(9, 20), (-70, 5)])
def test_the_radius_of_an_arc_is_typed_and_it_keeps_its_side(bend):
    mirror = ArcMirror(p1=Point(0, -30), p2=Point(0, 30), p3=Point(*bend))
    control, numbers = numbers_of(mirror, 2)
    assert control.meaning == "bend"
    to = numbers["Radius"].put(control.at, 50)
    assert arc_through(mirror.p1, to, mirror.p2).radius == pytest.approx(50)
    assert math.copysign(1, to.x) == math.copysign(1, bend[0])
    assert numbers["Radius"].low == 30


def test_a_bent_side_of_an_outline_has_a_radius_and_a_corner_the_side_before_it():
    glass = Glass(path=(Vertex(0, 0), Vertex(50, -10, True), Vertex(100, 0), Vertex(50, 80)))
    control, numbers = numbers_of(glass, 1)
    assert numbers["Radius"].get(control.at) == pytest.approx(130)
    control, numbers = numbers_of(glass, 2)
    assert numbers["Length"].get(control.at) == pytest.approx(100), (
        "from the corner before, not from the point that bends"
    )


@pytest.mark.parametrize("overlapping", [False, True])
def test_what_moves_together_is_aligned_as_one(overlapping):
    document = box_document(*THREE)
    if overlapping:
        document = apply_changes([Group(["B0", "B1"], "One"), Group(["B1", "B2"], "Two")], document)
    else:
        handle = Handle(name="H", p1=Point(200, 0), p2=Point(200, 9), obj_indices=(0, 1))
        document = document.with_scene(Scene.of([*document.scene.objects, handle]))
    alone = Blocker(name="Alone", p1=Point(-50, 0), p2=Point(-50, 9))
    document = document.with_scene(Scene.of([*document.scene.objects, alone]))
    keys = {o.key for o in document.scene.objects if overlapping or o.name != "B2"}
    before, after = (
        boxes_of(document),
        boxes_of(apply_changes(moves_to_align_objects(document, keys, "left"), document)),
    )
    moved = [b[0] - a[0] for a, b in zip(before, after, strict=True)]
    assert moved == pytest.approx([-50, -50, -50, 0] if overlapping else [-50, -50, 0, -50, 0])


def test_many_objects_are_aligned_without_reading_all_for_each(monkeypatch):
    """Counted, not timed: what reads all objects of a scene, for each of so many changes, took
    seconds.
    """
    read, named = [], scene.with_aliases
    monkeypatch.setattr(scene, "with_aliases", lambda objects: read.append(1) or named(objects))
    document = Document(
        scene=Scene.of([Mirror(p1=Point(7 * i, 0), p2=Point(7 * i + 5, 9)) for i in range(300)])
    )
    keys = [o.key for o in document.scene.objects]
    moves = moves_to_align_objects(document, keys, "left")
    after = apply_changes(moves, document)
    assert len(moves) == 299
    assert {o.p1.x for o in after.scene.objects} == {0}
    assert [after.scene.get(key) for key in keys] == list(after.scene.objects)
    assert [after.scene.index_of(key) for key in keys] == list(range(300))
    assert len(read) < 10
