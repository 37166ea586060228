"""Bounds of a study: the values at shares of their ranges."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from tests.core.study.scenes import mirror_scene

from raybench.study.terms.ranges import Bounds, read_bounds, shares_of_values, values_from_shares

ENDS = st.floats(-1e50, 1e50)


@given(ENDS, ENDS, st.floats(0.0, 1.0))
def test_values_stay_in_the_range_and_reach_its_ends(
    one: float, other: float, share: float
) -> None:
    low, high = sorted((one, other))
    bounds = Bounds(read_bounds("Mirror.x=0..1", mirror_scene()).parameter, low, high, low)
    for u in (0.0, share, math.nextafter(1.0, 0.0), 1.0):
        (value,) = values_from_shares([bounds], [u])
        assert low <= value <= high
    assert values_from_shares([bounds] * 2, [0.0, 1.0]) == (low, high)


def test_a_bound_of_two_digits_is_the_value_at_its_end() -> None:
    bounds = read_bounds("Mirror.x=-0.006..0.02", mirror_scene())
    assert -0.006 + (0.02 - -0.006) > 0.02  # what its floating-point numbers add up to
    assert values_from_shares([bounds], shares_of_values([bounds], [0.05])) == (0.02,)
