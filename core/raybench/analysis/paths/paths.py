"""Ray paths: from a source to a segment without children, one for each such segment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Mask, Rows, summed
from raybench.analysis.rays.branches import sides_and_orders
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.lineage import dense
from raybench.trace.results.result import TraceResult


@dataclass(frozen=True, eq=False)
class PathGroups:
    """Paths grouped by the sequence of surfaces and interactions, in order of decreasing power.

    ``ends`` (k,): the last segments of all paths, ordered by group and then by decreasing power.
    ``first`` (groups + 1,): the index in ``ends`` where each group starts. ``power`` (groups,):
    total power of the last segments of each group.
    """

    ends: Rows
    first: Rows
    power: Floats

    def __len__(self) -> int:
        return len(self.power)

    @property
    def strongest(self) -> Rows:
        """The last segment of the strongest path of each group, (groups,)."""
        first: Rows = self.ends[self.first[:-1]]
        return first

    def group(self, i: int) -> Rows:
        """The last segments of a group's paths."""
        ends: Rows = self.ends[self.first[i] : self.first[i + 1]]
        return ends


def path_ends(result: TraceResult) -> Rows:
    """The last segments of all paths, by decreasing power; ties in the order of the trace."""
    return by_power(result, result.lineage.leaves())


def by_power(result: TraceResult, rows: Rows) -> Rows:
    """Rows sorted by decreasing power; ties keep their order."""
    ranked: Rows = rows[np.argsort(-result.total_arriving_power[rows], kind="stable")]
    return ranked


def path_steps(result: TraceResult) -> Rows:
    """The origin of each segment encoded as one integer, (n,): its source, or the edge it starts on
    and the interaction there.

    The orders of a grating, and the transmitted and the reflected part of light at a beam splitter,
    differ.
    """
    parent = np.maximum(result.parent, 0)
    edges = int(result.edge.max(initial=0)) + 2
    place = (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    sources = int(result.source.max(initial=0)) + 2
    branch = dense(sides_and_orders(result))
    step: Rows = (
        sources
        + (place * len(Interaction) + result.interaction) * (int(branch.max(initial=0)) + 1)
        + branch
    )
    return np.where(result.parent < 0, result.source.astype(np.int64) + 1, step)


def group_paths(result: TraceResult, ends: Rows) -> PathGroups:
    """The paths to the segments ``ends``, grouped by the sequence of surfaces they meet, the last
    included.

    ``ends`` must be in the order of the trace or of `by_power`.
    """
    sequence = dense(result.lineage.classes(path_steps(result))[ends])
    # the end of a path is part of its sequence: object, edge and status
    last = result.hit[ends].astype(np.int64) + 1
    last = (last * (int(result.edge.max(initial=0)) + 2) + result.edge[ends] + 1) * len(
        Status
    ) + result.status[ends]
    group = dense(sequence * (int(last.max(initial=0)) + 1) + last)
    power = summed(group, result.total_arriving_power[ends], int(group.max(initial=-1)) + 1)
    ranked = np.argsort(-power, kind="stable")
    rank = np.empty(len(power), np.int64)
    rank[ranked] = np.arange(len(power))
    first = np.concatenate([[0], np.cumsum(np.bincount(rank[group], minlength=len(power)))])
    strong = np.argsort(-result.total_arriving_power[ends], kind="stable")
    return PathGroups(
        ends[strong][np.argsort(rank[group[strong]], kind="stable")], first, power[ranked]
    )


def rows_on_paths(result: TraceResult, ends: Rows) -> Rows:
    """All segments on the paths from the sources to some segments, including these."""
    mask: Mask = np.zeros(len(result), bool)
    mask[ends] = True
    return np.flatnonzero(mask | result.lineage.above(mask))


def path_length(result: TraceResult) -> Floats:
    """The path length from the source to each segment's end, scene units, (n,); infinite for
    escaping segments.
    """
    finite = np.where(np.isfinite(result.length), result.length, 0.0)
    summed = result.lineage.along_path(finite)
    return np.where(np.isfinite(result.length), summed, np.inf)
