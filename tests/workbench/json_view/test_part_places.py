"""Where the parts of the scene's text are in the editor."""

from __future__ import annotations

from raybench.files.scene_text import scene_text
from raybench.kinds.mirrors import Mirror
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.json_view.panel import PartPositions

FIRST, SECOND = (
    Mirror(p1=Point(0, 0), p2=Point(0, 9), name="𝛼"),
    Mirror(p1=Point(5, 0), p2=Point(5, 9), name="second"),
)
TEXT = scene_text(Scene.of([FIRST, SECOND]))
UNITS = TEXT.text.encode("utf-16-le")
"""The text as the editor counts it: a letter outside the basic plane takes two positions."""


def held(start: int, end: int) -> str:
    return UNITS[2 * start : 2 * end].decode("utf-16-le")


def test_the_places_of_objects_are_counted_as_the_editor_does() -> None:
    places = PartPositions(TEXT)
    ((start, end),) = places.ranges_of_objects({SECOND.key})
    assert '"second"' in held(start, end)
    assert "𝛼" not in held(start, end)
    assert [
        held(*place).count('"Mirror"')
        for place in places.ranges_of_objects({FIRST.key, SECOND.key})
    ] == [1, 1]


def test_an_edit_moves_what_is_behind_it_and_widens_what_holds_it() -> None:
    places = PartPositions(TEXT)
    first, second = places.ranges_of_objects({FIRST.key, SECOND.key})
    places.shift_positions(first[0] + 3, 1, 6)
    assert places.ranges_of_objects({FIRST.key}) == [(first[0], first[1] + 5)]
    assert places.ranges_of_objects({SECOND.key}) == [(second[0] + 5, second[1] + 5)]


def test_a_range_of_positions_meets_the_objects_in_it() -> None:
    places = PartPositions(TEXT)
    first, second = places.ranges_of_objects({FIRST.key, SECOND.key})
    assert places.objects_between(first[0], first[0]) == {FIRST.key}
    assert places.objects_between(first[1], second[0]) == {FIRST.key, SECOND.key}
    assert places.objects_between(second[0] + 1, second[1]) == {SECOND.key}
    assert places.objects_between(0, 0) == set()
    assert places.start_of_module("none") is None
