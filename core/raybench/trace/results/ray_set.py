"""A set of rays, the answer to a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.errors import RaybenchError
from raybench.trace.results.packed_rows import PackedRows, packed


@dataclass(frozen=True, eq=False)
class RaySet:
    """Some rows of a result, the question whose answer they are, and the revision of the result.
    ``name`` is short, such as ``R1``.

    ``a | b`` holds the rows of either set, ``a & b`` those of both, ``a - b`` those of a alone, ``a
    ^ b`` those of one but not both. Combining sets of different revisions raises RaybenchError.
    """

    kept: NDArray[np.int64] | PackedRows
    question: str
    revision: int
    name: str = ""

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows of the result."""
        return self.kept.unpacked() if isinstance(self.kept, PackedRows) else self.kept

    def packed(self) -> RaySet:
        """The same set for long storage, with its rows packed if they are many."""
        return self if isinstance(self.kept, PackedRows) else replace(self, kept=packed(self.kept))

    def __len__(self) -> int:
        return len(self.kept)

    def __or__(self, other: RaySet) -> RaySet:
        return self._joined(other, "or", np.logical_or)

    def __and__(self, other: RaySet) -> RaySet:
        return self._joined(other, "and", np.logical_and)

    def __sub__(self, other: RaySet) -> RaySet:
        return self._joined(other, "but not", np.greater)

    def __xor__(self, other: RaySet) -> RaySet:
        return self._joined(other, "or else", np.logical_xor)

    def _joined(self, other: RaySet, word: str, join: Callable[[Any, Any], Any]) -> RaySet:
        if self.revision != other.revision:
            raise RaybenchError(
                f"{self.name or 'A set'} is of revision {self.revision},"
                f" {other.name or 'the other'} of revision {other.revision}: their rays cannot be"
                " compared. Ask both questions of one trace."
            )
        # masks, not sorting: a hundred thousand rows take less than a millisecond
        rows, other_rows = self.rows, other.rows
        mine, others = np.zeros(
            (2, 1 + max(rows.max(initial=-1), other_rows.max(initial=-1))), bool
        )
        mine[rows], others[other_rows] = True, True
        return RaySet(
            np.flatnonzero(join(mine, others)),
            f"({self.name or self.question}) {word} ({other.name or other.question})",
            self.revision,
        )
