"""The principal path of some light: of all paths by which it arrived, the one that carries the most
power.

A path is the sequence of surfaces and of what happened at each, from the source on: object, edge,
interaction, and the order of a grating or the side of a beam splitter. Neither the source nor the
wavelength belongs to it, so that several lamps and colours through one lens are on one path, nor
does a detector, which light passes unchanged.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.rays.incidence import branch_numbers
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult

ALIKE = 9
"""Digits of a share to which the powers of two paths are compared: of equal ones the path of the
first row is the principal one, whatever the rounding errors.
"""
_SPLITTING = (Interaction.SPLIT, Interaction.DIFFRACT, Interaction.CUSTOM)
_EDGES = 1 << 16
"""More than the edges of an object, so that the keys of two traces compare."""
_BASE: np.uint64 = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class LightByPath:
    """Segments grouped by path: ``rows`` (k,), the ``rank`` (k,) of the path of each, where 0 is
    the principal path, and the ``power`` (paths,) of each path, decreasing.
    """

    rows: Rows
    rank: Rows
    power: Floats

    @property
    def share(self) -> float:
        """The share of the power that the principal path carries; 1 if there is no power."""
        total = float(self.power.sum())
        return float(self.power[0]) / total if total > 0 else 1.0

    @cached_property
    def principal_rows(self) -> Rows:
        """The segments on the principal path, in the order of ``rows``."""
        return self.rows_of_rank(0)

    def rows_of_rank(self, rank: int) -> Rows:
        """The segments on the path with this rank, in the order of ``rows``."""
        return self.rows if len(self.power) < 2 else self.rows[self.rank == rank]


def light_by_path(
    result: TraceResult, rows: Rows, power: Floats, *, ends: bool = True
) -> LightByPath:
    """Group the segments ``rows`` with ``power`` (k,) by the paths to their ends, including the
    surfaces there, or with ``ends=False`` by the paths to their starts.
    """
    keys = path_keys(result, rows, ends=ends)
    if not len(keys):
        return LightByPath(rows, np.empty(0, np.int64), np.empty(0))
    begins = np.concatenate([[True], keys[1:] != keys[:-1]])  # rays side by side share their path
    if np.count_nonzero(begins) == 1:
        return LightByPath(rows, np.zeros(len(rows), np.int64), power.sum(keepdims=True))
    run = np.cumsum(begins) - 1
    _, first, which = np.unique(keys[begins], return_index=True, return_inverse=True)
    totals = np.bincount(which[run], power, minlength=len(first))
    parts = np.round(totals / (float(totals.max()) or 1.0), ALIKE)
    ranked = np.lexsort((first, -parts))
    rank = np.empty(len(ranked), np.int64)
    rank[ranked] = np.arange(len(ranked))
    return LightByPath(rows, rank[which[run]], totals[ranked].astype(float))


def path_keys(result: TraceResult, rows: Rows, *, ends: bool = True) -> NDArray[np.uint64]:
    """A number (k,) for each segment that identifies the path to it. Two segments have the same
    number only if their paths are the same, also in different traces of the same objects.

    ``ends``: the surfaces on which they end belong to the path. The steps from the end to the
    source are the digits of a number with the base `_BASE`, modulo 2**64.
    """
    parent, hit, edge, way = result.parent, result.hit, result.edge, result.interaction
    made = np.bincount(way, minlength=len(Interaction))
    branch = branch_numbers(result) if made[list(_SPLITTING)].any() else None
    passes: Mask | None = way == Interaction.DETECT if made[Interaction.DETECT] else None
    key, factor = (
        np.zeros(len(rows), np.uint64),
        np.ones(1 if passes is None else len(rows), np.uint64),
    )
    if ends:
        key += _hash_numbers((hit[rows].astype(np.int64) + 1) * _EDGES + edge[rows] + 1)
        factor *= _BASE
    live, here = np.arange(len(rows)), rows.astype(np.int64)
    while True:
        above = parent[here]
        goes_on = above >= 0
        if not goes_on.all():
            live, here, above = live[goes_on], here[goes_on], above[goes_on]
        if not len(live):
            return key
        place = (hit[above].astype(np.int64) + 1) * _EDGES + edge[above] + 1
        step = (place * len(Interaction) + way[here]) << 20
        if branch is not None:
            step += branch[here]
        digit = _hash_numbers(step)
        part = slice(None) if len(live) == len(rows) else live
        if passes is None:
            key[part] += digit * factor
            factor *= _BASE
        else:
            key[part] += np.where(passes[here], np.uint64(0), digit * factor[part])
            factor[part] *= np.where(passes[here], np.uint64(1), _BASE)
        here = above.astype(np.int64)


def _hash_numbers(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Map numbers one to one to numbers that look random and are never 0 (the finalizer of
    SplitMix64). Runs of equal numbers, as for neighbouring rays, are computed once.
    """
    begins = np.flatnonzero(np.diff(numbers)) + 1
    if len(begins) < len(numbers) // 4:
        first = np.concatenate([[0], begins])
        counts = np.diff(first, append=len(numbers))
        return np.repeat(_mix_hash_bits(numbers[first]), counts)
    return _mix_hash_bits(numbers)


def _mix_hash_bits(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    x = numbers.astype(np.uint64) + _BASE
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x
