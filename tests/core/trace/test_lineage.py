"""The tree of segments, compared with a traversal row by row."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.trace.codes import Interaction
from raybench.trace.results.lineage import Lineage, dense_ranks

pytestmark = pytest.mark.quick

NEVER = 2**40
"""So many distinct steps that the numbers of two steps do not fit into an int64 together."""


@pytest.mark.parametrize("reach", [1, 4, 400])
@pytest.mark.parametrize("largest_step", [1, NEVER])
def test_rows_are_of_one_class_if_their_paths_have_the_same_steps(
    reach: int, largest_step: int
) -> None:
    rng = np.random.default_rng([7, reach])
    # parents are near: a chain in the narrowest case, where most paths are hundreds of steps long
    parent = np.maximum(np.arange(600) - rng.integers(1, reach + 1, 600), -1).astype(np.int32)
    step = np.where(parent < 0, 0, rng.integers(1, 3, 600) * largest_step)
    lineage = Lineage(
        parent, np.where(parent < 0, Interaction.SOURCE, Interaction.REFRACT).astype(np.uint8)
    )
    ways = [tuple(step[lineage.path(row)].tolist()) for row in range(len(lineage))]
    found = lineage.path_classes(step).tolist()
    assert min(found) >= 0
    pairs = set(zip(found, ways, strict=True))
    assert len(pairs) == len(set(found)) == len(set(ways))


def test_two_rays_on_the_same_path_are_of_one_class() -> None:
    parent = np.concatenate([[-1, -1], np.arange(398)]).astype(np.int32)
    lineage = Lineage(parent, np.zeros(400, np.uint8))
    found = lineage.path_classes(np.where(parent < 0, 0, NEVER + np.arange(400) // 2 % 7))
    assert (found[0::2] == found[1::2]).all()
    assert len(np.unique(found)) == 200


def test_numbers_are_dense_and_in_the_order_of_the_keys() -> None:
    assert dense_ranks(np.array([7, 2**62, 7, 0])).tolist() == [1, 2, 1, 0]
    assert dense_ranks(np.empty(0, np.int64)).tolist() == []
