"""Bisection over whole numbers."""

from collections.abc import Callable


def largest_that_fits(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number that fits, between ``low``, which fits, and ``high``, which does not; all
    smaller ones fit too.
    """
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
