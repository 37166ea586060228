"""The numbers that place whole objects: of every kind, what is given is what is read, and nothing
else changes.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import SingleRay
from raybench.scene.changes import apply_changes
from raybench.scene.changes.placing import mean_centre_of_objects
from raybench.scene.control_points import control_points
from raybench.scene.creation import FAMILIES, is_drawn_as_path, object_from_drag, object_from_points
from raybench.scene.document import Document
from raybench.scene.place_numbers import (
    CENTRE_NUMBERS,
    MAX_OBJECTS,
    PlacementNumber,
    placement_numbers,
)
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc
from raybench.trace.trace import trace

EVERY = [kind for kinds in FAMILIES.values() for kind in kinds]


def made(kind: str) -> SceneObject:
    if is_drawn_as_path(kind):
        return object_from_points(kind, [Point(10, 20), Point(90, 30), Point(50, 80)])
    return object_from_drag(kind, Point(10, 20), Point(70, 100))


def given(obj: SceneObject, number: PlacementNumber, value: float) -> SceneObject:
    session = Session(Document(scene=Scene.of([obj])))
    (before,) = session.document.scene.objects
    session.apply(number.change([before], value))
    (after,) = session.document.scene.objects
    return after


LENGTHS = {"Length", "Diameter"}


@pytest.mark.parametrize("kind", EVERY)
def test_the_centre_moves_the_whole(kind: str) -> None:
    obj = made(kind)
    shown = [n for n in placement_numbers([obj]) if n in CENTRE_NUMBERS]
    assert bool(shown) == (len(control_points(obj)) > 1)  # else it is a property
    for number, axis in zip(CENTRE_NUMBERS if control_points(obj) else (), "xy", strict=False):
        by = 250.0 - number.get([obj])
        after = given(obj, number, 250.0)
        assert number.get([after]) == pytest.approx(250.0)
        for was, now in zip(control_points(obj), control_points(after), strict=True):
            for name in "xy":
                assert getattr(now.at, name) == pytest.approx(
                    getattr(was.at, name) + (by if name == axis else 0.0)
                )


def own_numbers(obj: SceneObject) -> list[PlacementNumber]:
    return [n for n in placement_numbers([obj]) if n not in CENTRE_NUMBERS]


def own_labels(kind: str) -> list[str]:
    return [n.label for n in own_numbers(made(kind))]


@pytest.mark.parametrize("kind", [k for k in EVERY if LENGTHS & set(own_labels(k))])
def test_a_line_is_given_by_length_and_angle_about_its_centre_or_from_where_it_begins(
    kind: str,
) -> None:
    obj = made(kind)
    length, angle = own_numbers(obj)
    assert length.get([obj]) == pytest.approx(100.0)
    assert angle.get([obj]) == pytest.approx(-math.degrees(math.atan2(80, 60)))
    longer = given(obj, length, 250.0)
    turned = given(longer, angle, 30.0)
    assert (length.get([turned]), angle.get([turned])) == pytest.approx((250.0, 30.0))
    begins = kind in ("Ruler", "Protractor", "LineArrow")
    kept = [
        control_points(o)[0].at if begins else mean_centre_of_objects([o]) for o in (obj, turned)
    ]
    assert kept == [pytest.approx((10, 20) if begins else (40, 60), abs=1e-11)] * 2


def test_a_turned_line_has_no_digits_of_rounding() -> None:
    mirror = replace(object_from_drag("Mirror", Point(170, 0), Point(230, 0)), name="Fold")
    _, angle = own_numbers(mirror)
    for degrees in (45.0, 22.5, -45.0, 90.0, 0.0):
        mirror = given(mirror, angle, degrees)
        assert mean_centre_of_objects([mirror]) == pytest.approx((200, 0), abs=1e-11)
        assert angle.get([mirror]) == pytest.approx(degrees, abs=1e-11)
    assert (mirror.p1, mirror.p2) == ((170, 0), (230, 0))


@pytest.mark.parametrize("kind", [k for k in EVERY if "Radius" in own_labels(k)])
def test_an_arc_keeps_its_ends_and_a_circle_its_centre_at_another_radius(kind: str) -> None:
    obj = made(kind)
    radius = own_numbers(obj)[0]
    after = given(obj, radius, 250.0)
    assert own_numbers(after)[0].get([after]) == pytest.approx(250.0)
    assert [c.at for c in control_points(after)][:-1] == [c.at for c in control_points(obj)][:-1]
    (arc,) = [e.shape for e in object_edges(after) if isinstance(e.shape, Arc)][:1]
    assert arc.radius == pytest.approx(250.0)


def test_several_lines_are_given_one_angle_each_about_its_own_centre() -> None:
    mirrors = [
        replace(
            object_from_drag("Mirror", Point(50 * i, 0), Point(50 * i + 20, 10 * i)), name=f"M{i}"
        )
        for i in range(4)
    ]
    length, angle = (n for n in placement_numbers(mirrors) if n not in CENTRE_NUMBERS)
    assert math.isnan(angle.get(mirrors)), "each has another"
    after = apply_changes(
        angle.change(mirrors, 30.0), Document(scene=Scene.of(mirrors))
    ).scene.objects
    assert angle.get(after) == pytest.approx(30.0)
    assert [mean_centre_of_objects([o]) for o in after] == [
        pytest.approx(mean_centre_of_objects([o])) for o in mirrors
    ]
    assert length.low is not None
    assert 0 < length.low < 1e-6, "at 0 the angle would be lost"
    mixed = [n.label for n in placement_numbers([*mirrors, made("ArcMirror"), made("Glass")])]
    assert mixed == ["Centre x", "Centre y", "Angle"], "an arc has no length"


@pytest.mark.parametrize("kind", ["Glass", "GrinGlass", "CurveMirror", "ArcMirror", "Aperture"])
def test_what_has_several_corners_turns_about_its_centre(kind: str) -> None:
    obj = made(kind)
    (angle,) = (n for n in own_numbers(obj) if n.label == "Angle")
    after = given(obj, angle, 30.0)
    assert angle.get([after]) == pytest.approx(30.0)
    assert mean_centre_of_objects([after]) == pytest.approx(mean_centre_of_objects([obj]))
    for was, now in itertools.pairwise(
        zip(control_points(obj), control_points(after), strict=True)
    ):
        assert math.dist(was[0].at, now[0].at) == pytest.approx(math.dist(was[1].at, now[1].at))


def test_a_ray_has_a_direction() -> None:
    assert own_labels("SingleRay") == own_labels("AngleSource") == ["Angle"]
    source = made("AngleSource")
    (angle,) = own_numbers(source)
    after = given(source, angle, 90.0)
    assert [tuple(c.at) for c in control_points(after)] == [(10, 20), (10, pytest.approx(-80))]


def test_the_kinds_with_a_radius() -> None:
    with_radius = {k for k in EVERY if "Radius" in own_labels(k)}
    assert with_radius == {
        "ArcMirror",
        "ConcaveDiffractionGrating",
        "CustomArcSurface",
        "CircleGlass",
        "CircleGrinGlass",
        "CircleBlocker",
    }
    assert {k for k in EVERY if "Focal length" in own_labels(k)} == {"ParabolicMirror"}


def test_a_parabola_of_a_given_focal_length_focuses_light_along_its_axis_there() -> None:
    mirror = replace(
        object_from_drag("ParabolicMirror", Point(0, -40), Point(0, 40)), p3=Point(-8, 0)
    )
    focal = own_numbers(mirror)[0]
    (after,) = [given(mirror, focal, 100.0)]
    assert focal.get([after]) == pytest.approx(100.0)
    vertex = after.p3
    assert vertex.x < 0
    rays = [SingleRay(p1=Point(300, y), p2=Point(0, y), name=str(y)) for y in (-30.0, 5.0, 30.0)]
    result = trace(Scene.of([after, *rays]))
    for (x, y), (x2, y2) in zip(result.p1[3:], result.p2[3:], strict=True):
        at = (vertex.x + 100.0 - x) / (x2 - x)
        assert y + at * (y2 - y) == pytest.approx(0.0, abs=1e-9)


def test_objects_together_have_a_centre_unless_they_are_very_many() -> None:
    objects = [
        object_from_drag("Mirror", Point(i, 0), Point(i, 10)) for i in range(MAX_OBJECTS + 1)
    ]
    assert placement_numbers(objects[:MAX_OBJECTS])[:2] == CENTRE_NUMBERS
    assert CENTRE_NUMBERS[0].get(objects[:3]) == pytest.approx(1.0)
    assert placement_numbers(objects) == ()
    assert placement_numbers([]) == ()
