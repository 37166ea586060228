"""Light trapped by total internal reflection: chains of consecutive total reflections."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Floats, Rows, summed
from raybench.errors import RaybenchError
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult


@dataclass(frozen=True, eq=False)
class TirTraps:
    """Maximal chains of consecutive total reflections, arrays of (k,); the longest first, then by
    their first segment.

    ``entry``, ``last``: the first and the last totally reflected segment. ``count``: total
    reflections in the chain. ``total``: those on the whole path from the source to the chain's end.
    ``power_in``, ``power_out``: the power of the first and the last segment. ``escaped``: whether
    light leaves the chain's end other than by reflection; ``leaked``: its power.
    """

    entry: Rows
    last: Rows
    count: Rows
    total: Rows
    power_in: Floats
    power_out: Floats
    escaped: NDArray[np.bool_]
    leaked: Floats

    def __len__(self) -> int:
        return len(self.entry)


def tir_traps(result: TraceResult, min_count: int = 2) -> TirTraps:
    """The chains of at least ``min_count`` total reflections. Raises RaybenchError for a count
    below 1.
    """
    if min_count < 1:
        raise RaybenchError(
            f"min_tir_count is {min_count}; a chain has at least 1 total reflection."
        )
    n = len(result)
    tir, parent = result.interaction == Interaction.TIR, result.parent
    child = np.flatnonzero(parent >= 0)
    # the start of each chain: the nearest segment at or before each one that is not itself totally
    # reflected
    chain_start = np.where(tir & (parent >= 0), parent, np.arange(n)).astype(np.int64)
    while (chain_start != (earlier := chain_start[chain_start])).any():
        chain_start = earlier
    count = (
        result.lineage.generation
        - result.lineage.generation[chain_start]
        + (tir & (chain_start == np.arange(n)))
    )
    continues = np.zeros(n, bool)
    continues[parent[child[tir[child]]]] = True
    last = np.flatnonzero(tir & ~continues & (count >= min_count))
    entry = _entries(result, last, count[last])
    leaving = child[~np.isin(result.interaction[child], (Interaction.TIR, Interaction.REFLECT))]
    leaked = summed(parent[leaving], result.total_power[leaving], n)[last]
    order = np.lexsort((last, entry, -count[last]))
    entry, last = entry[order], last[order]
    power, leaked = result.total_power, leaked[order]
    total = result.lineage.tir_count[last]
    return TirTraps(entry, last, count[last], total, power[entry], power[last], leaked > 0, leaked)


def _entries(result: TraceResult, last: Rows, count: Rows) -> Rows:
    """The ancestors ``count`` - 1 generations before ``last``, by binary lifting."""
    entry, steps, ancestor = last.copy(), count - 1, result.parent.astype(np.int64)
    while (steps > 0).any():
        odd = steps % 2 == 1
        entry[odd] = ancestor[entry[odd]]
        steps = steps // 2
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], -1)
    return entry
