"""Binary search for the largest integer that meets a condition."""

from collections.abc import Callable


def largest_fitting_integer(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest integer n for which ``fits(n)`` is true, found by bisection. ``fits`` must be
    true for all integers from ``low`` to the result, and false from there to ``high``.
    """
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
