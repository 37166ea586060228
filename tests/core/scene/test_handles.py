"""Handles: their groups move with them, and they keep referring to the same objects."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from raybench.kinds.decorations import Handle
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.changes import (
    Delete,
    Duplicate,
    Move,
    Reorder,
    Rotate,
    Scale,
    Set,
    apply_changes,
)
from raybench.scene.changes.placing import control_drag_change
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex


def held(target: int, at: tuple[float, float], **context: Any) -> dict[str, Any]:
    return {"targetObjIndex": target, "newPoint": {"x": at[0], "y": at[1]}, "dragContext": context}


def bench(**about: Any) -> Document:
    """A prism, all of whose corners are held, a lamp held as a whole, a ray held at its end, and a
    mirror that is not held.
    """
    corners = ((0, 0), (90, 0), (0, 60))
    points = [held(1, p, part=1, index=i) for i, p in enumerate(corners)] + [
        held(2, (10, 20), part=2)
    ]
    about = {
        "p1": Point(50, 100),
        "p2": Point(50, 50),
        "control_points": points,
        "obj_indices": [4],
    } | about
    objects = [
        Mirror(p1=Point(300, 0), p2=Point(300, 9), name="Mirror"),
        Glass(path=tuple(Vertex(x, y) for x, y in corners), name="Prism"),
        SingleRay(p1=Point(-40, 20), p2=Point(10, 20), name="Ray"),
        Handle(name="Grip", **about),
        PointSource(x=7, y=8, name="Lamp"),
    ]
    return Document(scene=Scene.of(objects))


def named(document: Document, name: str) -> Any:
    return next(o for o in document.scene.objects if o.title == name)


def targets(document: Document, name: str = "Grip") -> list[str]:
    """The names of the objects that a handle refers to, points first."""
    handle, objects = named(document, name), document.scene.objects
    return [
        objects[i].title
        for i in (*(h.target for h in handle.grouped_points), *handle.grouped_object_indices)
    ]


def test_moving_a_handle_moves_what_it_holds_and_nothing_else() -> None:
    before = bench()
    after = apply_changes(Move("Grip", 5, -3), before)
    assert [v.point for v in named(after, "Prism").path] == [
        Point(5, -3),
        Point(95, -3),
        Point(5, 57),
    ]
    assert (named(after, "Ray").p1, named(after, "Ray").p2) == (Point(-40, 20), Point(15, 17))
    assert (named(after, "Lamp").x, named(after, "Lamp").y) == (12, 5)
    assert named(after, "Mirror") == named(before, "Mirror")
    assert [h.at for h in named(after, "Grip").grouped_points] == [
        Point(5, -3),
        Point(95, -3),
        Point(5, 57),
        Point(15, 17),
    ]


def test_what_is_moved_with_its_handle_moves_once() -> None:
    after = apply_changes(Move(["Grip", "Prism", "Ray"], 5, 0), bench())
    assert named(after, "Prism").path[0].point == Point(5, 0)
    assert (named(after, "Ray").p1, named(after, "Ray").p2) == (Point(-35, 20), Point(15, 20))


def test_a_handle_rotates_and_scales_its_group_about_its_pivot() -> None:
    turned = apply_changes(Rotate("Grip", 90), bench())
    assert named(turned, "Prism").path[0].point == pytest.approx((0, 100))
    assert named(turned, "Grip").p2 == Point(50, 50)
    larger = apply_changes(Scale("Grip", 2), bench())
    assert named(larger, "Lamp").x == pytest.approx(50 + 2 * (7 - 50))
    assert named(larger, "Prism").path[1].point == pytest.approx((130, -50))


def test_a_handle_holds_other_handles_in_a_circle() -> None:
    inner = Handle(p1=Point(0, 0), p2=Point(0, 0), obj_indices=[1, 2], name="Inner")
    outer = Handle(p1=Point(9, 0), p2=Point(9, 0), obj_indices=[0], name="Outer")
    document = Document(scene=Scene.of([inner, outer, PointSource(x=1, y=1, name="Lamp")]))
    after = apply_changes(Move("Outer", 1, 0), document)
    assert [named(after, "Inner").p1.x, named(after, "Outer").p1.x, named(after, "Lamp").x] == [
        1,
        10,
        2,
    ]


def test_a_held_point_that_was_moved_alone_is_recognized_by_its_name() -> None:
    before = apply_changes(Set("Ray", {"p2.x": 30}), bench())
    assert named(apply_changes(Move("Grip", 5, 0), before), "Ray").p2 == Point(35, 20)


@pytest.mark.parametrize(
    "broken",
    [{"control_points": 5, "obj_indices": "all"}, {"control_points": [None, held(99, (0, 0))]}],
)
def test_a_handle_whose_group_cannot_be_read_moves_alone(broken: dict[str, Any]) -> None:
    before = bench(**({"obj_indices": [-1, True, 77]} | broken))
    after = apply_changes(Move("Grip", 1, 0), before)
    assert named(after, "Grip").p1 == Point(51, 100)
    assert [named(after, n) for n in ("Prism", "Ray", "Lamp")] == [
        named(before, n) for n in ("Prism", "Ray", "Lamp")
    ]


GROUP = ["Prism", "Prism", "Prism", "Ray", "Lamp"]


@pytest.mark.parametrize(
    "change",
    [
        Delete("Mirror"),
        Reorder("Mirror", to=4),
        Reorder("Lamp", before="Mirror"),
        Reorder("Grip", to=0),
    ],
)
def test_a_handle_holds_the_same_objects_after_others_are_deleted_or_reordered(change: Any) -> None:
    assert targets(bench()) == GROUP
    assert targets(apply_changes(change, bench())) == GROUP


def test_a_deleted_object_is_not_held_any_longer() -> None:
    assert targets(apply_changes(Delete("Prism"), bench())) == ["Ray", "Lamp"]
    left = apply_changes(
        Delete(["Prism", "Lamp", "Ray"]), bench(control_points=[None, held(1, (0, 0))])
    )
    assert object_to_json(named(left, "Grip"))["controlPoints"] == [None]


def test_copies_of_a_handle_hold_the_copies_made_with_it() -> None:
    alone = apply_changes(Duplicate("Grip", 10, 10), bench())
    assert targets(alone, "Grip 2") == GROUP
    assert named(alone, "Grip 2").grouped_points == named(alone, "Grip").grouped_points
    both = apply_changes(Duplicate(["Prism", "Grip"], 10, 10), bench())
    assert targets(both, "Grip 2") == ["Prism 2", "Prism 2", "Prism 2", "Ray", "Lamp"]
    assert targets(both) == GROUP
    moved = apply_changes(Move("Grip 2", 1, 0), both)
    assert named(moved, "Prism").path[0].point == Point(0, 0)
    assert named(moved, "Prism 2").path[0].point == Point(11, 10)


def test_the_json_of_a_handle_survives_a_move() -> None:
    data = {
        "type": "Handle",
        "p1": {"x": 0, "y": 0},
        "p2": {"x": 1, "y": 1},
        "controlPoints": [held(1, (0, 0), part=1) | {"other": 5}],
    }
    document = bench()
    handle = replace(object_from_json(data, 0), name="Other")
    document = document.with_scene(document.scene.with_objects([*document.scene.objects, handle]))
    after = object_to_json(named(apply_changes(Move("Other", 2, 0), document), "Other"))
    assert after["controlPoints"] == [held(1, (2, 0), part=1) | {"other": 5}]


@pytest.mark.parametrize(
    ("transformation", "to", "lamp"),
    [
        ("default", (53, 104), (10, 12)),
        ("translation", (53, 104), (10, 12)),
        ("xTranslation", (53, 104), (10, 8)),
        ("yTranslation", (53, 104), (7, 12)),
        ("rotation", (100, 50), (8, 93)),
        ("scaling", (50, 150), (-36, -34)),
        ("rotation", (50, 50), (7, 8)),
    ],
)
def test_dragging_the_grip_transforms_the_group_as_the_handle_says(
    transformation: str, to: tuple[float, float], lamp: tuple[float, float]
) -> None:
    document = bench(transformation=transformation)
    grip = named(document, "Grip")
    after = apply_changes(control_drag_change(grip, control_points(grip)[0], Point(*to)), document)
    assert (named(after, "Lamp").x, named(after, "Lamp").y) == pytest.approx(lamp)
    pivot = control_drag_change(grip, control_points(grip)[1], Point(1, 2))
    assert named(apply_changes(pivot, document), "Lamp") == named(document, "Lamp")


def test_the_grip_follows_the_pointer_while_it_rotates() -> None:
    document = bench(transformation="rotation")
    grip = named(document, "Grip")
    for angle in (10.0, 170.0, 200.0, 350.0):
        to = Point(50 + 50 * math.cos(math.radians(angle)), 50 - 50 * math.sin(math.radians(angle)))
        assert named(
            apply_changes(control_drag_change(grip, control_points(grip)[0], to), document), "Grip"
        ).p1 == pytest.approx(to)
