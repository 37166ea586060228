"""What is kept from one trace to the next, for those who trace a scene again and again while it is edited."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from core.trace.run.emission import InitialRays
    from core.trace.tables.compiled import Compiled

Arrays = TypeVar("Arrays", bound=tuple[NDArray[Any], ...])

LEAST_BYTES, MOST_BYTES = 64 << 10, 128 << 20
"""Smaller sets of arrays are not worth keeping, larger ones go back to the system."""
MOST_SETS = 6
"""Sets that are kept, those in use by results included; of more the oldest goes."""


class TraceMemory:
    """The last compiled scene, the last rays of the sources, and buffers. Whoever traces again and again owns one and passes it to
    `core.trace.trace.trace`, which then computes only what has changed; the rows are the same with and without it. Dropping it frees all
    of it but what results hold. Several threads may use it."""

    def __init__(self) -> None:
        self.compiled: Compiled | None = None
        self.rays: InitialRays | None = None
        self.buffers = Buffers()


class Buffers:
    """Sets of arrays (`Columns`, `Queue`) that are used again once nobody else holds one of their arrays or a view of it: having the
    system map new pages takes as long as tracing the light. While something is dragged, two sets take turns."""

    def __init__(self) -> None:
        self._sets: list[tuple[NDArray[Any], ...]] = []
        self._lock = threading.Lock()

    def keep(self, arrays: tuple[NDArray[Any], ...]) -> None:
        """Keep a set, which may still be in use by a result; the caller must not write to it any more. Arrays that are views of others
        are not kept: a view of such a view would hold no reference to them."""
        if any(a.base is not None for a in arrays):
            return
        if LEAST_BYTES <= sum(a.nbytes for a in arrays) <= MOST_BYTES:
            with self._lock:
                self._sets = [*self._sets, arrays][-MOST_SETS:]

    def take(self, like: Arrays, n: int) -> Arrays | None:
        """The smallest unused set that has the same columns as another and room for n items; None where there is none."""
        with self._lock:
            fitting = [k for k in self._sets if len(k[0]) >= n and _shape(k) == _shape(like) and _references(k) == UNUSED]
            found: Arrays | None = min(cast("list[Arrays]", fitting), key=lambda arrays: len(arrays[0]), default=None)
            self._sets = [k for k in self._sets if k is not found]
            return found


def _shape(arrays: tuple[NDArray[Any], ...]) -> list[object]:
    return [type(arrays), *((a.dtype, a.shape[1:]) for a in arrays)]


def _references(arrays: tuple[NDArray[Any], ...]) -> int:
    """The most references to one of the arrays that hold anything; every view of an array, and every view of such a view, is one."""
    return max((sys.getrefcount(a) for a in arrays if a.size), default=0)


UNUSED = _references((np.empty(1),))
"""References to an array that only its set holds."""
