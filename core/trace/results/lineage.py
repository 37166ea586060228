"""Which segment came from which: the parent column, with the children in compressed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.trace.codes import Interaction

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Number = TypeVar("Number", np.int64, np.float64)
LARGEST = 2**63 - 1
"""The largest whole number of a row of numbers."""


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
        order, first = self._children
        front, out = np.array([row]), []
        while len(front):
            count = first[front + 1] - first[front]
            within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            front = order[np.repeat(first[front], count) + within]
            out.append(front)
        found: Rows = np.concatenate(out).astype(np.int64)
        return found

    def below(self, mask: Mask) -> Mask:
        """Which rows have one of the masked rows among their ancestors, (n,)."""
        ancestor = self.parent.astype(np.int64)
        found = np.zeros(len(self), bool)
        live = np.flatnonzero(ancestor >= 0)
        found[live] = mask[ancestor[live]]
        while live.size:
            found[live] |= found[ancestor[live]]
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return found

    def above(self, mask: Mask) -> Mask:
        """Which rows have one of the masked rows among their descendants, (n,)."""
        ancestor = self.parent.astype(np.int64)
        found = np.zeros(len(self), bool)
        live = np.flatnonzero(ancestor >= 0)
        found[ancestor[live[mask[live]]]] = True
        while live.size:
            found[ancestor[live[found[live]]]] = True
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return found

    @cached_property
    def root(self) -> Rows:
        """The row straight from the source that each row descends from; itself for such a row, (n,)."""
        top = np.where(self.parent >= 0, self.parent, np.arange(len(self))).astype(np.int64)
        while (top != (higher := top[top])).any():
            top = higher
        return top

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

    def along_path(self, values: NDArray[Number]) -> NDArray[Number]:
        """The sum of a value over each row's path, itself included, (n,). Each round doubles the reach: log2 of the depth rounds."""
        total, ancestor = values.copy(), self.parent.astype(np.int64)
        live = np.flatnonzero(ancestor >= 0)
        while live.size:
            total[live] += total[ancestor[live]]
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return total

    def classes(self, step: Rows) -> Rows:
        """Numbers (n,), 0 or more, that are equal for rows whose paths from the source are the same sequence of ``step``, (n,).

        Rounds double the length of the sequences compared, as prefix doubling does for suffix arrays: a number stands for a sequence's last
        half, the number of its first half is written below it, and numbering anew makes room when they fill a word. Steps of rows
        straight from a source must differ from those of other rows.
        """
        found, ancestor = dense(step), self.parent.astype(np.int64)
        live = np.flatnonzero(ancestor >= 0)
        while live.size:
            if (int(found.max()) + 2) ** 2 > LARGEST:
                found = dense(found)
            size, before = int(found.max()) + 2, np.zeros(len(self), np.int64)
            before[live] = found[ancestor[live]] + 1
            found = found * size + before
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return found

    def statistics(self) -> LineageStatistics:
        """The figures of the whole tree."""
        count = np.bincount(self.interaction, minlength=len(Interaction))
        inner = int((self.child_count > 0).sum())
        return LineageStatistics(
            segment_count=len(self),
            root_count=int((self.parent < 0).sum()),
            leaf_count=len(self) - inner,
            max_depth=int(self.generation.max(initial=0)),
            interaction_counts={i.word: int(count[i]) for i in Interaction if count[i]},
            branching_factor_avg=float(self.child_count.sum()) / inner if inner else 0.0,
        )


@dataclass(frozen=True)
class LineageStatistics:
    """Figures of a family tree. ``max_depth`` is the largest number of ancestors; ``branching_factor_avg`` is the mean number of children
    of the segments that have any."""

    segment_count: int
    root_count: int
    leaf_count: int
    max_depth: int
    interaction_counts: Mapping[str, int]
    branching_factor_avg: float


def dense(keys: Rows) -> Rows:
    """Numbers from 0 without gaps, in the order of the keys, that are equal where keys are equal, (n,)."""
    order = np.argsort(keys, kind="stable")  # neighbours in a trace are often equal: what a stable sort is fast at
    ordered, numbers = keys[order], np.zeros(len(keys), np.int64)
    numbers[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return numbers
