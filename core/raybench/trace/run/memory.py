"""State that is reused from one trace to the next while a scene is edited: compiled tables, source
rays, buffers.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from raybench.trace.kernels.rays import Batch
    from raybench.trace.run.emission import InitialRays
    from raybench.trace.tables.compiled import Compiled

Arrays = TypeVar("Arrays", bound=tuple[NDArray[Any], ...])

LEAST_BYTES, MOST_BYTES = 64 << 10, 128 << 20
"""Smaller sets of arrays are not worth keeping, larger ones are freed."""
MOST_SETS = 6
"""Maximum number of sets, including those in use by results; beyond that the oldest is dropped."""


class TraceMemory:
    """The last compiled scene, the last source rays, and buffers, owned by a caller of
    `raybench.trace.trace.trace` that traces repeatedly.

    With it, a trace recomputes only what has changed; the rows are the same without it. Deleting it
    frees all memory that no result uses. It is thread-safe.
    """

    def __init__(self) -> None:
        self.compiled: Compiled | None = None
        self.rays: InitialRays | None = None
        self.buffers = Buffers()


class Buffers:
    """Sets of arrays (`Columns`, `Queue`) that are reused when no other reference to their arrays
    or to views of them exists: mapping new pages takes as long as tracing. During a drag, two sets
    alternate.
    """

    def __init__(self) -> None:
        self._sets: list[tuple[NDArray[Any], ...]] = []
        self._batches: list[Batch] = []
        self._lock = threading.Lock()

    def keep(self, arrays: tuple[NDArray[Any], ...]) -> None:
        """Keep a set, which a result may still use; the caller must not write to it any more. Sets
        with arrays that are views are not kept, because a view of a view refers to the base only.
        """
        if any(a.base is not None for a in arrays):
            return
        if LEAST_BYTES <= sum(a.nbytes for a in arrays) <= MOST_BYTES:
            with self._lock:
                self._sets = [*self._sets, arrays][-MOST_SETS:]

    def take(self, like: Arrays, n: int) -> Arrays | None:
        """Remove and return the smallest unused set with the dtypes and widths of ``like`` and
        capacity for n items, or None.
        """
        with self._lock:
            fitting = [
                k
                for k in self._sets
                if len(k[0]) >= n and _shape(k) == _shape(like) and _references(k) == UNUSED
            ]
            smallest: Arrays | None = min(
                cast("list[Arrays]", fitting), key=lambda arrays: len(arrays[0]), default=None
            )
            self._sets = [k for k in self._sets if k is not smallest]
            return smallest

    def keep_batches(self, batches: list[Batch]) -> None:
        """Keep a trace's batches for the next one, in place of those kept before."""
        with self._lock:
            self._batches = batches

    def take_batches(self, bodies: int, primitives: int) -> list[Batch]:
        """Remove and return the batches of the last trace, if its scene had as many gradient-index
        bodies and primitives.
        """
        with self._lock:
            batches, self._batches = self._batches, []
        fits = all(b.inside.shape[1] == bodies and len(b.walk.hits) == primitives for b in batches)
        return batches if fits else []


def _shape(arrays: tuple[NDArray[Any], ...]) -> list[object]:
    return [type(arrays), *((a.dtype, a.shape[1:]) for a in arrays)]


def _references(arrays: tuple[NDArray[Any], ...]) -> int:
    """The largest reference count of the non-empty arrays; every view of an array, and every view
    of a view, counts as one.
    """
    return max((sys.getrefcount(a) for a in arrays if a.size), default=0)


UNUSED = _references((np.empty(1),))
"""References to an array that only its set holds."""
