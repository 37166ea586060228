"""The parents and children of segments. They form trees, which the column ``parent`` describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Booleans, Bytes, Int32s, Integers
from raybench.trace.codes import Interaction

Number = TypeVar("Number", np.int64, np.float64)
MAX_INT64 = 2**63 - 1
"""The largest int64."""
FEW_ROWS_RATIO = 16
"""Rows are looked up one step at a time if all rows are at least so many times as many."""


@dataclass(frozen=True)
class Lineage:
    """The trees of a trace's segments. A parent comes before its children.

    ``parent`` (n,) holds each row's parent row, -1 for source rays; ``interaction`` (n,) the
    interaction that created each row.
    """

    parent: Int32s
    interaction: Bytes

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def _children(self) -> tuple[Integers, Integers]:
        order = np.argsort(self.parent, kind="stable")
        first = np.searchsorted(self.parent[order], np.arange(len(self.parent) + 1))
        return order, first

    def children(self, row: int) -> Integers:
        """The child rows of ``row``, ascending."""
        order, first = self._children
        children: Integers = order[first[row] : first[row + 1]]
        return children

    @cached_property
    def child_count(self) -> Integers:
        """The number of children of each row, (n,)."""
        return np.bincount(self.parent[self.parent >= 0], minlength=len(self.parent)).astype(
            np.int64
        )

    def roots(self) -> Integers:
        """The rows of source rays."""
        return np.flatnonzero(self.parent < 0)

    def leaves(self) -> Integers:
        """The rows without children."""
        return np.flatnonzero(self.child_count == 0)

    def path(self, row: int) -> list[int]:
        """The rows from the source to ``row``, both included."""
        out = [row]
        while self.parent[out[-1]] >= 0:
            out.append(int(self.parent[out[-1]]))
        return out[::-1]

    def ancestors(self, row: int) -> list[int]:
        """The rows before ``row`` on its path, beginning with the source ray."""
        return self.path(row)[:-1]

    def descendants(self, row: int) -> Integers:
        """All rows that descend from ``row``, generation by generation."""
        order, first = self._children
        front, out = np.array([row]), []
        while len(front):
            count = first[front + 1] - first[front]
            within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
            front = order[np.repeat(first[front], count) + within]
            out.append(front)
        rows: Integers = np.concatenate(out).astype(np.int64)
        return rows

    def descendants_mask(self, mask: Booleans) -> Booleans:
        """A mask (n,) of the rows that descend from a row in ``mask``."""
        ancestor = self.parent.astype(np.int64)
        below = np.zeros(len(self), bool)
        live = np.flatnonzero(ancestor >= 0)
        below[live] = mask[ancestor[live]]
        while live.size:
            below[live] |= below[ancestor[live]]
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return below

    def are_descendants(self, mask: Booleans, rows: Integers) -> Booleans:
        """A mask (k,) of the given rows that descend from a row in ``mask``."""
        if len(rows) * FEW_ROWS_RATIO > len(self):
            return self.descendants_mask(mask)[rows]
        after, ancestor = np.zeros(len(rows), bool), self.parent[rows].astype(np.int64)
        live = np.flatnonzero(ancestor >= 0)
        while live.size:
            after[live] = mask[ancestor[live]]
            live = live[~after[live]]
            ancestor[live] = self.parent[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return after

    def ancestors_mask(self, mask: Booleans) -> Booleans:
        """A mask (n,) of the rows from which a row in ``mask`` descends."""
        ancestor = self.parent.astype(np.int64)
        above = np.zeros(len(self), bool)
        live = np.flatnonzero(ancestor >= 0)
        above[ancestor[live[mask[live]]]] = True
        while live.size:
            above[ancestor[live[above[live]]]] = True
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return above

    @cached_property
    def root(self) -> Integers:
        """For each row (n,), the row of the source ray from which it descends. For a source ray,
        its own row.
        """
        top = np.where(self.parent >= 0, self.parent, np.arange(len(self))).astype(np.int64)
        while (top != (higher := top[top])).any():
            top = higher
        return top

    def siblings(self, row: int) -> Integers:
        """The other rows that have the same parent; none for a source ray."""
        parent = self.parent[row]
        if parent < 0:
            return np.empty(0, np.int64)
        family = self.children(int(parent))
        others: Integers = family[family != row]
        return others

    @cached_property
    def generation(self) -> Integers:
        """The number of ancestors of each row, (n,)."""
        return self.sum_along_path(np.ones(len(self), np.int64)) - 1

    @cached_property
    def tir_count(self) -> Integers:
        """The number (n,) of total reflections on the path from the source to the start of each
        row.
        """
        return self.sum_along_path((self.interaction == Interaction.TIR).astype(np.int64))

    def sum_along_path(self, values: NDArray[Number]) -> NDArray[Number]:
        """The sum (n,) of a value over the path from the source to each row, including the row.
        Computed by pointer doubling in log2(depth) rounds.
        """
        total, ancestor = values.copy(), self.parent.astype(np.int64)
        live = np.flatnonzero(ancestor >= 0)
        while live.size:
            total[live] += total[ancestor[live]]
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return total

    def path_classes(self, step_values: Integers) -> Integers:
        """Class numbers (n,) from 0. Rows have the same class if their paths from the source have
        the same sequence of values ``step_values`` (n,).

        Prefix doubling, as for suffix arrays: each round doubles the length of the compared
        sequences by combining the number of a sequence's second half with that of its first half;
        the numbers are made dense again before they overflow. Steps of source rays must differ from
        those of other rows.
        """
        number, ancestor = dense_ranks(step_values), self.parent.astype(np.int64)
        live = np.flatnonzero(ancestor >= 0)
        while live.size:
            if (int(number.max()) + 2) ** 2 > MAX_INT64:
                number = dense_ranks(number)
            size, before = int(number.max()) + 2, np.zeros(len(self), np.int64)
            before[live] = number[ancestor[live]] + 1
            number = number * size + before
            ancestor[live] = ancestor[ancestor[live]]
            live = live[ancestor[live] >= 0]
        return number

    def statistics(self) -> LineageStatistics:
        """Statistics over the trees of all source rays together."""
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
    """Statistics of a tree of segments. ``max_depth`` is the largest number of ancestors;
    ``branching_factor_avg`` is the mean number of children of the segments that have any.
    """

    segment_count: int
    root_count: int
    leaf_count: int
    max_depth: int
    interaction_counts: Mapping[str, int]
    branching_factor_avg: float


def dense_ranks(keys: Integers | NDArray[np.uint64]) -> Integers:
    """The rank (n,) of each key among the distinct keys, counted from 0."""
    order = np.argsort(keys, kind="stable")  # a stable sort is fast where neighbours are equal
    ordered, numbers = keys[order], np.zeros(len(keys), np.int64)
    numbers[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return numbers
