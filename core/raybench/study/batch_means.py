"""Batch means: the means of numbers over the draws of a scene, with their standard errors. The
memory does not grow with the number of draws.
"""

from __future__ import annotations

import math

import numpy as np

from raybench.arrays import Floats

MOST_BATCHES = 32
"""Batches of draws whose means tell the error; at least half as many, after so many draws."""


class BatchMeans:
    """The means of numbers (n,) over draws, and their standard errors. NaN is ignored.

    Consecutive draws form batches of equal size. When there are `MOST_BATCHES`, pairs of batches
    are joined. The errors are computed as for independent batches. If the rays of a draw lie
    between those of other draws, the rays of a batch are spread evenly, and the mean of a batch has
    a far smaller error than that of as many independent draws. Batches then also even each other
    out, so the computed error is an upper bound.
    """

    def __init__(self) -> None:
        self.draws, self._size = 0, 1
        self._sums = self._counts = np.zeros((MOST_BATCHES, 0))

    def add_numbers(self, numbers: Floats) -> None:
        """Add the numbers of the next draw."""
        if not self.draws:
            self._sums, self._counts = (np.zeros((MOST_BATCHES, len(numbers))) for _ in range(2))
        if self.draws == MOST_BATCHES * self._size:
            self._size *= 2
            for batches in (self._sums, self._counts):
                batches[: MOST_BATCHES // 2] = batches[::2] + batches[1::2]
                batches[MOST_BATCHES // 2 :] = 0.0
        batch, known = self.draws // self._size, np.isfinite(numbers)
        self._sums[batch, known] += numbers[known]
        self._counts[batch] += known
        self.draws += 1

    @property
    def counts(self) -> Floats:
        """The number of draws (n,) in which each number is not NaN."""
        counts: Floats = self._counts.sum(axis=0)
        return counts

    @property
    def means(self) -> Floats:
        """The means (n,); NaN for a number that is NaN in all draws."""
        return _quotient(self._sums.sum(axis=0), self.counts)

    @property
    def errors(self) -> Floats:
        """The standard errors of the means (n,); infinite for a number with fewer than two
        batches.
        """
        full = self.draws // self._size
        means = _quotient(self._sums[:full], self._counts[:full])
        batches = np.isfinite(means).sum(axis=0)
        off = np.nan_to_num(means - _quotient(np.nansum(means, axis=0), batches))
        freedom = np.where(batches > 1, batches * (batches - 1.0), 0.0)
        errors = np.sqrt(_quotient((off**2).sum(axis=0), freedom))
        return np.where(batches > 1, errors, math.inf)


def _quotient(sums: Floats, counts: Floats) -> Floats:
    """The quotient; NaN if the count is 0."""
    quotient: Floats = np.full(np.shape(sums), math.nan)
    return np.divide(sums, counts, out=quotient, where=counts > 0)
