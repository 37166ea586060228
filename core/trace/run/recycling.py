"""Memory that results gave back, for the next trace: having the system make new pages takes as long as following the light.

While something is dragged a result is dropped as the next comes, so two of them take turns with the same memory.
"""

from __future__ import annotations

import weakref
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Arrays = TypeVar("Arrays", bound=tuple[NDArray[Any], ...])

LEAST_BYTES, MOST_BYTES = 64 << 10, 128 << 20
"""Smaller sets are not worth keeping, larger ones go back to the system."""
MOST_SETS = 4
"""More are not kept: the oldest goes."""

_kept: dict[int, tuple[NDArray[Any], ...]] = {}


def give_back(arrays: tuple[NDArray[Any], ...]) -> None:
    """Keep a set of arrays (`Columns`, `Queue`) that nobody holds any more."""
    if LEAST_BYTES <= sum(a.nbytes for a in arrays) <= MOST_BYTES:
        _kept[id(arrays)] = arrays
        for oldest in list(_kept)[:-MOST_SETS]:
            _kept.pop(oldest, None)


def take_again(like: Arrays, n: int) -> Arrays | None:
    """The smallest kept set that has the same columns as another and room for n items; None where there is none."""
    fitting = [k for k in list(_kept.values()) if len(k[0]) >= n and _shape(k) == _shape(like)]
    found = min(fitting, key=lambda arrays: len(arrays[0]), default=None)
    if found is None:
        return None
    # another thread may have been faster, and have given it back shorter
    again: Any = _kept.pop(id(found), None)
    return again if again is not None and len(again[0]) >= n else None


def lent(arrays: Arrays, n: int) -> Arrays:
    """The first n items of a set of arrays, to be given to anybody: when nobody holds any of them any more, the set is kept."""
    loan = _Loan()
    weakref.finalize(loan, give_back, arrays).atexit = False
    return type(arrays)(*(np.asarray(_Lent(loan, a[:n])) for a in arrays))


def _shape(arrays: tuple[NDArray[Any], ...]) -> list[object]:
    return [type(arrays), *((a.dtype, a.shape[1:]) for a in arrays)]


class _Loan:
    """What all arrays of a set hold on to, so that it goes with the last of them."""


class _Lent:
    """One array of a loan, as numpy asks for it."""

    def __init__(self, loan: _Loan, array: NDArray[Any]) -> None:
        self._loan = loan
        self.__array_interface__ = array.__array_interface__
