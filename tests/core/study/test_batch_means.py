"""The errors of batch means, beside the spread of many means."""

import numpy as np
import pytest

from raybench.arrays import Floats
from raybench.study.batch_means import BatchMeans

SEVERAL = 1_000
"""Numbers, each with a mean of its own."""


def means_and_errors(draws: Floats) -> tuple[Floats, Floats]:
    batches = BatchMeans()
    for numbers in draws:
        batches.add_numbers(numbers)
    return batches.means, batches.errors


def root_mean_square(values: Floats) -> float:
    return float(np.sqrt((values**2).mean()))


@pytest.mark.parametrize("draws", [8, 33, 500])
def test_error_of_independent_draws_is_the_spread_of_their_means(draws: int) -> None:
    means, errors = means_and_errors(np.random.default_rng(0).normal(size=(draws, SEVERAL)))
    assert root_mean_square(means) == pytest.approx(draws**-0.5, rel=0.06)
    assert root_mean_square(errors) == pytest.approx(draws**-0.5, rel=0.06)


def test_error_of_interleaved_draws_falls_with_the_spread_of_their_means() -> None:
    """The share of 50 even rays of a draw within a part of their range."""
    parts = np.sort(np.random.default_rng(0).random((2, SEVERAL)), axis=0)
    shifts = np.arange(1_000) * (np.sqrt(5) - 1) / 2 % 1.0
    below = np.ceil(50 * parts - shifts[:, None, None])  # rays below the ends of each part
    each = (below[:, 1] - below[:, 0]) / 50
    for draws in (64, 1_000):
        means, errors = means_and_errors(each[:draws])
        spread, independent = (
            root_mean_square(of)
            for of in (means - (parts[1] - parts[0]), each[:draws].std(axis=0) / draws**0.5)
        )
        assert 1 < root_mean_square(errors) / spread < 6
    assert root_mean_square(errors) < independent / 3


def test_numbers_of_no_draw_have_no_mean() -> None:
    means, errors = means_and_errors(np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]]))
    assert means == pytest.approx([2, 5, np.nan], nan_ok=True)
    assert errors.tolist() == [1, np.inf, np.inf]
