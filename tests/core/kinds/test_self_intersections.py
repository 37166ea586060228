"""Whether an outline intersects itself; of convex ones it is known without a library."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from raybench.kinds.aspects.outlines import Edge, is_free_of_self_intersections
from raybench.shapes.point import Point
from raybench.shapes.shape import Line


def polygon(corners: list[tuple[float, float]]) -> tuple[Edge, ...]:
    points = [Point(x, y) for x, y in corners]
    following = [*points[1:], points[0]]
    return tuple(
        Edge(i, Line(a, b)) for i, (a, b) in enumerate(zip(points, following, strict=True))
    )


def star(corners: int, step: int) -> list[tuple[float, float]]:
    angles = [2 * math.pi * step * i / corners for i in range(corners)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


@pytest.mark.parametrize("step", [1, 4])
def test_a_convex_outline_needs_no_library(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(shapely, "Polygon")
    assert is_free_of_self_intersections(polygon(star(5, step)))


@pytest.mark.parametrize("step", [2, 3])
def test_a_star_that_turns_to_one_side_intersects_itself(step: int) -> None:
    assert not is_free_of_self_intersections(polygon(star(5, step)))


numbers = st.integers(0, 5).map(float)


@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=7))
def test_polygons_agree_with_shapely(corners: list[tuple[float, float]]) -> None:
    assert is_free_of_self_intersections(polygon(corners)) == shapely.Polygon(corners).is_valid
