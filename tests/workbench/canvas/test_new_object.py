"""How a kind of object is drawn."""

from __future__ import annotations

import pytest

from raybench.kinds.kinds import KINDS
from raybench.scene.changes import Add
from raybench.scene.creation import ALL_FAMILIES
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.create_mode import NewObject

A, B = Point(10, 0), Point(30, 5)


@pytest.mark.parametrize("kind", [kind for kinds in ALL_FAMILIES.values() for kind in kinds])
def test_an_object_of_its_default_size_can_be_added_and_says_how_it_is_drawn(kind: str) -> None:
    new = NewObject(kind)
    points = new.default_points(A, 40)
    assert len(points) >= (new.minimum_point_count if new.is_drawn_by_points else 2)
    assert isinstance(new.change_that_adds(points, {}, 40), Add) is (kind in KINDS)
    assert new.hint(0, False).startswith(f"New {new.noun}: ")
    assert new.hint(0, False).endswith("Esc leaves the tool.")


def test_a_drag_is_symmetric_only_for_what_does_not_start_at_its_middle() -> None:
    assert NewObject("Mirror").first_and_last_point(A, B, True) == [Point(-10, -5), B]
    assert NewObject("Mirror").first_and_last_point(A, B, False) == [A, B]
    assert NewObject("CircleGlass").first_and_last_point(A, B, True) == [A, B]
    assert NewObject("Achromat").first_and_last_point(A, B, True) == [A, B]


def test_the_missing_points_of_a_modules_instance_follow_the_last_one() -> None:
    new = NewObject("ModuleObj Comb", 3)
    (instance,) = new.change_that_adds([A, B], {}, 40).objects
    assert instance.points == (A, B, Point(70, 5))
    assert new.hint(2, False) == "New Comb: click its point 2 of 3. Esc takes the last point back."
    assert NewObject("ModuleObj Comb", 1).is_drawn_by_click


def test_a_module_without_points_is_placed_by_its_default_points_and_by_a_click() -> None:
    new = NewObject("ModuleObj Frame", 0)
    for points in (new.default_points(A, 40), new.default_points(A, 40, begin=True), [A, A]):
        (instance,) = new.change_that_adds(points, {}, 40).objects
        assert instance.points == ()
