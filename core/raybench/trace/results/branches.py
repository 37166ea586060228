"""The branches that light takes where it splits: at beam splitters, gratings, custom surfaces and
glass.
"""

import numpy as np

from raybench.arrays import Booleans, Integers
from raybench.kinds.glasses import GlassBody
from raybench.scene.scene import Scene
from raybench.trace.codes import NO_ORDER, Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces

STRAIGHT_ON = 1e-12
"""Largest 1 - cos of the angle between a ray and its transmitted part at a beam splitter."""


def branch_numbers(result: TraceResult) -> Integers:
    """The number (n,) of the branch that each segment takes where light splits, such as a
    diffraction order; 0 if the segment does not start at such a surface.

    After a beam splitter it is 1 for transmitted and 2 for reflected light; after a grating, the
    diffraction order; after a custom surface, the index among the children of the same segment.
    """
    out = splitter_and_grating_branches(result)
    custom = np.flatnonzero((result.interaction == Interaction.CUSTOM) & (result.parent >= 0))
    family = np.argsort(result.parent[custom], kind="stable")
    parents = result.parent[custom][family]
    out[custom[family]] = np.arange(len(parents)) - np.searchsorted(parents, parents)
    return out


def splitter_and_grating_branches(result: TraceResult) -> Integers:
    """The `branch_numbers` of all segments that start at beam splitters and gratings; 0 for all
    others.
    """
    return splitter_and_grating_branches_of(result, np.arange(len(result)))


def splitter_and_grating_branches_of(result: TraceResult, rows: Integers) -> Integers:
    """The `branch_numbers` (k,) of the segments ``rows`` that start at beam splitters and gratings;
    0 for the others.
    """
    interaction, order = result.interaction[rows], result.order[rows]
    out = np.where((interaction == Interaction.DIFFRACT) & (order != NO_ORDER), order, 0).astype(
        np.int64
    )
    split = np.flatnonzero((interaction == Interaction.SPLIT) & (result.parent[rows] >= 0))
    if len(split):
        out[split] = np.where(transmitted_mask(result, rows[split]), 1, 2)
    return out


def transmitted_mask(result: TraceResult, rows: Integers) -> Booleans:
    """A mask (k,) of the segments ``rows`` that a beam splitter has transmitted; it has reflected
    the others.
    """
    (p1, p2), (q1, q2) = (
        last_straight_pieces(result, result.parent[rows].astype(np.int64)),
        first_straight_pieces(result, rows),
    )
    before, after = p2 - p1, q2 - q1
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    on: Booleans = (before * after).sum(axis=1) > (1 - STRAIGHT_ON) * lengths
    return on


def count_partial_reflections(result: TraceResult, scene: Scene) -> Integers:
    """The number (n,) of partial reflections at glass on the path of each segment. Mirrors, beam
    splitters and total reflections do not count.
    """
    glass = np.array([isinstance(o, GlassBody) for o in scene.optical] + [False])
    at_glass: Booleans = np.zeros(len(result), bool)
    child = np.flatnonzero(result.parent >= 0)
    at_glass[child] = glass[result.hit[result.parent[child]]]
    partial = at_glass & (result.interaction == Interaction.REFLECT)
    return result.lineage.sum_along_path(partial.astype(np.int64))
