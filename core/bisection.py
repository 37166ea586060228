"""Bisection over whole numbers."""

from __future__ import annotations

from collections.abc import Callable


def largest_that_fits(fits: Callable[[int], bool], some: int, too_many: int) -> int:
    """The largest number that fits, between one that fits and one that does not; all smaller ones fit too."""
    while too_many - some > 1:
        middle = (some + too_many) // 2
        if fits(middle):
            some = middle
        else:
            too_many = middle
    return some
