"""Bisection over whole numbers."""

from collections.abc import Callable


def largest_that_fits(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number for which ``fits`` is true, found by bisection. It is true for ``low`` and
    all numbers up to the result, and false for ``high``.
    """
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
