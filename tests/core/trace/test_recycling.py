"""Memory of results: given again when nobody holds them, never before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from core.benchmark.scenes import prism
from core.trace.run import recycling
from core.trace.run.recycling import LEAST_BYTES, MOST_SETS, give_back, lent, take_again
from core.trace.trace import trace


class Pair(NamedTuple):
    a: NDArray[np.float64]
    b: NDArray[np.int32]


def pair(n: int, width: int = 2) -> Pair:
    return Pair(np.arange(n * width, dtype=float).reshape(n, width), np.arange(n, dtype=np.int32))


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recycling, "_kept", {})


def test_what_is_lent_is_kept_when_the_last_view_of_it_is_gone() -> None:
    n = LEAST_BYTES
    given = lent(pair(n), n // 2)
    assert len(given.a) == len(given.b) == n // 2
    part = given.a[10:20, 1]
    del given
    assert take_again(pair(1), 1) is None
    np.testing.assert_array_equal(part, 2.0 * np.arange(10, 20) + 1)
    del part
    again = take_again(pair(1), n)
    assert again is not None
    assert len(again.a) == n
    assert take_again(pair(1), 1) is None


def test_only_sets_of_the_same_columns_with_enough_room_are_taken_and_the_smallest_of_them() -> None:
    n = LEAST_BYTES
    for size, width in ((n, 3), (4 * n, 2), (2 * n, 2)):
        give_back(pair(size, width))
    assert take_again(pair(1), 5 * n) is None
    found = take_again(pair(1), n)
    assert found is not None
    assert found.a.shape == (2 * n, 2)


def test_little_is_not_kept_and_of_many_sets_the_newest_are() -> None:
    give_back(pair(10))
    assert take_again(pair(1), 1) is None
    for i in range(MOST_SETS + 2):
        give_back(pair(LEAST_BYTES + i))
    sizes = []
    while (found := take_again(pair(1), 1)) is not None:
        sizes.append(len(found.a) - LEAST_BYTES)
    assert sizes == list(range(2, MOST_SETS + 2))


def test_a_result_that_is_held_stays_as_it_is_while_others_come_and_go() -> None:
    held = trace(prism(3_000))
    rows, before = held.p2[5_000:6_000], held.p2.copy()
    for rays in (2_900, 3_100, 3_000):
        trace(prism(rays))
    np.testing.assert_array_equal(held.p2, before)
    del held
    for rays in (2_900, 3_100):
        trace(prism(rays))
    np.testing.assert_array_equal(rows, before[5_000:6_000])


def test_the_memory_of_a_dropped_result_is_taken_by_the_next() -> None:
    address = trace(prism(3_000)).p1.__array_interface__["data"]
    assert trace(prism(3_000)).p1.__array_interface__["data"] == address
