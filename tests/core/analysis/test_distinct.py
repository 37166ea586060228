"""Distinct numbers of arrays."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.geometry.straight import distinct_integers


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.int16, np.uint32])
def test_they_are_those_of_numpy_ascending(kind: type[np.integer]) -> None:
    numbers = np.random.default_rng(5).integers(0, 40, 300).astype(kind)
    found = distinct_integers(numbers, numbers[:7] + kind(30))
    np.testing.assert_array_equal(found, np.unique(np.append(numbers, numbers[:7] + kind(30))))
    assert found.dtype == np.int64


def test_of_nothing_there_is_none() -> None:
    for found in (distinct_integers(), distinct_integers(np.empty(0, np.int32))):
        assert (len(found), found.dtype) == (0, np.int64)
