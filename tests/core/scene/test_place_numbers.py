"""The numbers that place whole objects: of every kind, what is given is what is read, and nothing else changes."""

from __future__ import annotations

import math

import pytest

from core.kinds.object import SceneObject
from core.scene.control_points import control_points
from core.scene.creation import FAMILIES, from_drag, from_points, is_path
from core.scene.document import Document
from core.scene.place_numbers import CENTRE, MOST, PlaceNumber, place_numbers
from core.scene.scene import Scene
from core.session import Session
from core.shapes.point import Point

EVERY = [kind for kinds in FAMILIES.values() for kind in kinds]


def made(kind: str) -> SceneObject:
    if is_path(kind):
        return from_points(kind, [Point(10, 20), Point(90, 30), Point(50, 80)])
    return from_drag(kind, Point(10, 20), Point(70, 100))


def given(obj: SceneObject, number: PlaceNumber, value: float) -> SceneObject:
    session = Session(Document(scene=Scene.of([obj])))
    (before,) = session.document.scene.objects
    session.apply(number.change([before], value))
    (after,) = session.document.scene.objects
    return after


@pytest.mark.parametrize("kind", EVERY)
def test_the_centre_moves_the_whole(kind: str) -> None:
    obj = made(kind)
    numbers = place_numbers([obj])
    assert bool(numbers) == (len(control_points(obj)) > 1 and kind != "Handle")
    for number, axis in zip(numbers[:2], "xy", strict=False):
        by = 250.0 - number.get([obj])
        after = given(obj, number, 250.0)
        assert number.get([after]) == pytest.approx(250.0)
        for was, now in zip(control_points(obj), control_points(after), strict=True):
            for name in "xy":
                assert getattr(now.at, name) == pytest.approx(getattr(was.at, name) + (by if name == axis else 0.0))


@pytest.mark.parametrize("kind", [k for k in EVERY if len(place_numbers([made(k)])) > len(CENTRE)])
def test_a_line_is_given_by_length_and_angle_from_its_first_end(kind: str) -> None:
    obj = made(kind)
    length, angle = place_numbers([obj])[2:]
    assert length.get([obj]) == pytest.approx(100.0)
    assert angle.get([obj]) == pytest.approx(-math.degrees(math.atan2(80, 60)))
    longer = given(obj, length, 250.0)
    turned = given(longer, angle, 30.0)
    assert (length.get([turned]), angle.get([turned])) == pytest.approx((250.0, 30.0))
    assert control_points(turned)[0].at == control_points(obj)[0].at


def test_objects_together_have_a_centre_unless_they_are_very_many() -> None:
    objects = [from_drag("Mirror", Point(i, 0), Point(i, 10)) for i in range(MOST + 1)]
    assert place_numbers(objects[:MOST]) == CENTRE
    assert CENTRE[0].get(objects[:3]) == pytest.approx(1.0)
    assert place_numbers(objects) == ()
    assert place_numbers([]) == ()
