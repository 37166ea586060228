"""Numbers that identify the paths of segments."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Booleans, Integers
from raybench.trace.codes import Interaction
from raybench.trace.results.branches import branch_numbers
from raybench.trace.results.result import TraceResult

_SPLITTING = (Interaction.SPLIT, Interaction.DIFFRACT, Interaction.CUSTOM)
_EDGES = 1 << 16
"""More than the edges of an object, so that the keys of two traces compare."""
_BASE: np.uint64 = np.uint64(0x9E3779B97F4A7C15)
_INVERSE: np.uint64 = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
"""`_BASE` times this is 1."""


def path_keys(result: TraceResult, rows: Integers, *, ends: bool = True) -> NDArray[np.uint64]:
    """A number (k,) for each segment that identifies the path to it. Two segments have the same
    number only if their paths are the same, also in different traces of the same objects.

    With ``ends``, the surface on which a segment ends belongs to its path. The steps from the end
    to the source are the digits of a number with the base `_BASE`, modulo 2**64.
    """
    hit, edge = result.hit, result.edge
    if result.kept is not None and ends:
        return result.kept.path_key[rows]
    key = np.zeros(len(rows), np.uint64)
    if ends or result.kept is not None:
        key += _hash_numbers((hit[rows].astype(np.int64) + 1) * _EDGES + edge[rows] + 1)
    if result.kept is not None:
        return (result.kept.path_key[rows] - key) * _INVERSE
    parent, way = result.parent, result.interaction
    branch = branch_numbers(result) if any((way == w).any() for w in _SPLITTING) else None
    detected: Booleans = way == Interaction.DETECT
    passes = detected if detected.any() else None
    factor = np.full(1 if passes is None else len(rows), _BASE if ends else np.uint64(1))
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
    begins = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    runs = np.count_nonzero(begins)
    if runs == 1:
        return np.full(len(numbers), _hash_number(int(numbers[0])), np.uint64)
    if runs < len(numbers) // 4:
        mixed = _mix_hash_bits(numbers[begins])
        return np.repeat(mixed, np.diff(np.flatnonzero(begins), append=len(numbers)))
    return _mix_hash_bits(numbers)


@cache
def _hash_number(number: int) -> int:
    return int(_mix_hash_bits(np.array([number]))[0])


def _mix_hash_bits(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    x = numbers.astype(np.uint64) + _BASE
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x
