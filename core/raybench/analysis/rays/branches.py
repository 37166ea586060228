"""Branch numbers where a surface splits a ray into several: transmitted or reflected, diffraction
order, branch of a custom surface.
"""

from __future__ import annotations

import numpy as np

from raybench.analysis.geometry.straight import Mask, Rows, unit_vectors
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.trace.codes import NO_ORDER, Interaction
from raybench.trace.results.result import TraceResult

STRAIGHT_ON = 1e-12
"""Largest 1 - cos of the angle between a ray and its transmitted part at a beam splitter."""


def branches(result: TraceResult) -> Rows:
    """The branch number of each segment, (n,); 0 for segments that do not start at a splitting
    surface.

    After a beam splitter: 1 for transmitted, 2 for reflected light. After a grating: the
    diffraction order. After a custom surface: the index among the children of the same segment.
    """
    out = sides_and_orders(result)
    custom = np.flatnonzero((result.interaction == Interaction.CUSTOM) & (result.parent >= 0))
    family = np.argsort(result.parent[custom], kind="stable")
    parents = result.parent[custom][family]
    out[custom[family]] = np.arange(len(parents)) - np.searchsorted(parents, parents)
    return out


def sides_and_orders(result: TraceResult) -> Rows:
    """The branch numbers of all segments, as of `branches`, after beam splitters and gratings."""
    return sides_and_orders_of(result, np.arange(len(result)))


def sides_and_orders_of(result: TraceResult, rows: Rows) -> Rows:
    """The branch numbers of some segments, as of `branches`, after beam splitters and gratings."""
    interaction, order = result.interaction[rows], result.order[rows]
    out = np.where((interaction == Interaction.DIFFRACT) & (order != NO_ORDER), order, 0).astype(
        np.int64
    )
    split = np.flatnonzero((interaction == Interaction.SPLIT) & (result.parent[rows] >= 0))
    out[split] = np.where(transmitted(result, rows[split]), 1, 2)
    return out


def transmitted(result: TraceResult, rows: Rows) -> Mask:
    """Mask (k,) of segments made at beam splitters that go straight on; the others are reflected."""
    (p1, p2), (q1, q2) = (
        last_pieces(result, result.parent[rows].astype(np.int64)),
        first_pieces(result, rows),
    )
    before, after = unit_vectors(p2 - p1)[0], unit_vectors(q2 - q1)[0]
    on: Mask = (before * after).sum(axis=1) > 1 - STRAIGHT_ON
    return on
