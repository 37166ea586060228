"""The mean of points."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from raybench.scene.changes.placing import mean_point
from raybench.shapes.point import Point

PLACES = st.floats(-1e50, 1e50)


@given(st.lists(st.tuples(PLACES, PLACES), min_size=1, max_size=8), st.randoms())
def test_the_mean_does_not_depend_on_the_order_of_the_points_or_on_the_type_of_their_numbers(
    places, chance
):
    points = [Point(x, y) for x, y in places]
    other = [Point(np.float64(x), np.float64(y)) for x, y in places]
    chance.shuffle(other)
    assert mean_point(points) == mean_point(other)


def test_the_mean_of_many_points_is_rounded_once():
    assert mean_point([Point(0.1, 0.0)] * 10) == Point(0.1, 0.0)
