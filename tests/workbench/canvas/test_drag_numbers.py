"""The numbers that drags leave: round ones, without the digits of rounding errors."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.drags import nearest_point_on_directions, snap_value

tenths = st.integers(-99_999, 99_999).map(lambda n: n / 10)


@given(tenths, tenths, tenths)
def test_what_shift_keeps_straight_has_the_decimals_of_its_ends(x, y, length):
    end = nearest_point_on_directions(Point(x, y), Point(x + length, y))
    assert all(len(repr(c).partition(".")[2]) == 1 for c in end)
    assert abs(end.x - x - length) < 1e-9


@given(tenths, st.sampled_from([0.1, 0.2, 2.5]))
def test_the_grid_has_the_decimals_of_its_step(value, step):
    assert len(repr(snap_value(value, step)).partition(".")[2]) == 1
    assert abs(snap_value(value, step) - value) <= step / 2 + 1e-9
