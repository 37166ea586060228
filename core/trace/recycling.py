"""Memory that results gave back, for the next trace: having the system make new pages takes as long as following the light.

While something is dragged a result is dropped as the next comes, so two of them take turns with the same memory.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Arrays = TypeVar("Arrays", bound=tuple[NDArray[Any], ...])

MOST_BYTES, MOST_SETS = 256 << 20, 4
"""What is kept at most: beyond that the oldest goes back to the system."""
LEAST_BYTES = 64 << 10
"""Less than this is not worth keeping."""

_kept: dict[int, tuple[NDArray[Any], ...]] = {}


def give_back(arrays: tuple[NDArray[Any], ...]) -> None:
    """Keep a set of arrays (`Columns`, `Queue`) that nobody holds any more."""
    if _bytes(arrays) < LEAST_BYTES:
        return
    _kept[id(arrays)] = arrays
    while len(_kept) > MOST_SETS or sum(map(_bytes, list(_kept.values()))) > MOST_BYTES:
        _kept.pop(next(iter(_kept)), None)


def take_again(like: Arrays, n: int) -> Arrays | None:
    """The smallest kept set that has the same columns as another and room for n items; None where there is none."""
    fitting = [k for k in list(_kept.values()) if len(k[0]) >= n and _shape(k) == _shape(like)]
    found = min(fitting, key=lambda arrays: len(arrays[0]), default=None)
    # another thread may have been faster
    return _kept.pop(id(found), None) if found is not None else None  # type: ignore[return-value]


def lent(arrays: Arrays, n: int) -> Arrays:
    """The first n items of a set of arrays, to be given to anybody: when nobody holds any of them any more, the set is kept."""
    loan = _Loan(arrays)
    return type(arrays)(*(np.asarray(_Lent(loan, a[:n])) for a in arrays))


def _shape(arrays: tuple[NDArray[Any], ...]) -> list[object]:
    return [type(arrays), *((a.dtype, a.shape[1:]) for a in arrays)]


def _bytes(arrays: tuple[NDArray[Any], ...]) -> int:
    return sum(a.nbytes for a in arrays)


class _Loan:
    """Arrays that are held by somebody."""

    def __init__(self, arrays: tuple[NDArray[Any], ...]) -> None:
        self._arrays = arrays

    def __del__(self) -> None:
        give_back(self._arrays)


class _Lent:
    """One array of a loan, as numpy asks for it."""

    def __init__(self, loan: _Loan, array: NDArray[Any]) -> None:
        self._loan = loan
        self.__array_interface__ = array.__array_interface__
