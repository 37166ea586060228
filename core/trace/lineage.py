"""Which segment came from which: the parent column, with the children in compressed form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.trace.codes import Interaction

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Lineage:
    """The family tree of a trace's segments. Parents always stand before their children.

    ``parent`` (n,) holds each row's parent row, -1 for rays straight from a source; ``interaction`` (n,) how each row came to be.
    """

    parent: NDArray[np.int32]
    interaction: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def _children(self) -> tuple[Rows, Rows]:
        order = np.argsort(self.parent, kind="stable")
        first = np.searchsorted(self.parent[order], np.arange(len(self.parent) + 1))
        return order, first

    def children(self, row: int) -> Rows:
        """The rows that came from ``row``, in order."""
        order, first = self._children
        found: Rows = order[first[row] : first[row + 1]]
        return found

    @cached_property
    def child_count(self) -> Rows:
        """How many rows came from each row, (n,)."""
        return np.bincount(self.parent[self.parent >= 0], minlength=len(self.parent)).astype(np.int64)

    def roots(self) -> Rows:
        """The rows that come straight from a source."""
        return np.flatnonzero(self.parent < 0)

    def leaves(self) -> Rows:
        """The rows that nothing came from."""
        return np.flatnonzero(self.child_count == 0)

    def path(self, row: int) -> list[int]:
        """The rows from the source to ``row``, both included."""
        out = [row]
        while self.parent[out[-1]] >= 0:
            out.append(int(self.parent[out[-1]]))
        return out[::-1]

    def ancestors(self, row: int) -> list[int]:
        """The rows before ``row`` on its path, the source ray first."""
        return self.path(row)[:-1]

    def descendants(self, row: int) -> Rows:
        """All rows that came from ``row``, directly or not, generation by generation."""
        out, front = [], np.array([row])
        while len(front):
            front = np.concatenate([self.children(int(r)) for r in front])
            out.append(front)
        found: Rows = np.concatenate(out).astype(np.int64)
        return found

    def siblings(self, row: int) -> Rows:
        """The other rows with the same parent; none for rays straight from a source."""
        parent = self.parent[row]
        if parent < 0:
            return np.empty(0, np.int64)
        family = self.children(int(parent))
        others: Rows = family[family != row]
        return others

    @cached_property
    def generation(self) -> Rows:
        """The number of ancestors of each row, (n,)."""
        return self.along_path(np.ones(len(self), np.int64)) - 1

    @cached_property
    def tir_count(self) -> Rows:
        """The number of total reflections on each row's path up to its start, (n,)."""
        return self.along_path((self.interaction == Interaction.TIR).astype(np.int64))

    def along_path(self, values: Rows) -> Rows:
        """The sum of a value over each row's path, itself included, (n,). Each round doubles the reach: log2 of the depth rounds."""
        total, ancestor = values.copy(), self.parent.astype(np.int64)
        while (live := np.flatnonzero(ancestor >= 0)).size:
            total[live] += total[ancestor[live]]
            ancestor[live] = ancestor[ancestor[live]]
        return total
