"""Values of angles that go on beyond the ends of their period."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.measures.measure import find_extremes, unwrap_values

NEAR_THE_END = (179.0, -179.5, 178.0)


def test_a_still_value_keeps_its_last_digit() -> None:
    values = np.array([-8.412863355, 2.7979614637025265, 0.1, 1 / 3])
    np.testing.assert_array_equal(unwrap_values(values, 360.0), values)


def test_values_beyond_an_end_go_on() -> None:
    np.testing.assert_allclose(unwrap_values(np.array(NEAR_THE_END), 360.0), [179.0, 180.5, 178.0])
    np.testing.assert_allclose(
        unwrap_values(np.array([-179.0, 179.5, -178.0]), 360.0), [-179.0, -180.5, -178.0]
    )


def test_a_mean_beyond_an_end() -> None:
    values = unwrap_values(np.array([179.0, -170.0, -172.0]), 360.0)
    np.testing.assert_allclose(values, [-181.0, -170.0, -172.0])
    assert -180 < values.mean() <= 180


@pytest.mark.parametrize("period", [0.0, 360.0])
def test_undefined_values_stay_so(period: float) -> None:
    np.testing.assert_array_equal(
        unwrap_values(np.array([np.nan, 3.0, np.nan]), period), [np.nan, 3.0, np.nan]
    )
    np.testing.assert_array_equal(unwrap_values(np.array([np.nan]), period), [np.nan])


def test_values_without_a_period_are_left_as_they_are() -> None:
    np.testing.assert_array_equal(unwrap_values(np.array(NEAR_THE_END), 0.0), NEAR_THE_END)


@pytest.mark.parametrize(
    ("values", "ends", "spread"),
    [
        ((179.0, -179.5, 178.0), (178.0, -179.5), 2.5),
        ((-20.0, np.nan, 15.0, 3.0), (-20.0, 15.0), 35.0),
        ((-124.0, -40.0, 40.0, 116.0), (-124.0, 116.0), 240.0),
        ((7.0,), (7.0, 7.0), 0.0),
    ],
)
def test_a_range_of_directions_is_the_shortest(
    values: tuple[float, ...], ends: tuple[float, float], spread: float
) -> None:
    found = find_extremes(np.array(values), 360.0)
    assert found is not None
    assert (values[found.least], values[found.most]) == ends
    assert found.spread == pytest.approx(spread)


def test_extremes_without_a_sense_are_of_size() -> None:
    found = find_extremes(np.array([-124.0, np.nan, -3.0, 116.0, 55.0, -60.0]), 360.0, signed=True)
    assert found is not None
    assert (found.least, found.most) == (2, 0)
    assert found.spread == pytest.approx(240.0)
    assert find_extremes(np.array([np.nan])) is None
