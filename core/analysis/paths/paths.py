"""Paths: the way of light from its source to where it ends, one for each segment that nothing came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.straight import Floats, Mask, Rows, summed
from core.trace.codes import Interaction, Status
from core.trace.results.lineage import dense
from core.trace.results.result import TraceResult


@dataclass(frozen=True, eq=False)
class PathGroups:
    """Paths that meet the same surfaces in the same order and in the same ways, the group with most power first.

    ``ends`` (k,): the last segment of every path, group by group and in each by power. ``first`` (groups + 1,): where each group begins
    in ``ends``. ``power`` (groups,): what the last segments of each carry together.
    """

    ends: Rows
    first: Rows
    power: Floats

    def __len__(self) -> int:
        return len(self.power)

    def group(self, i: int) -> Rows:
        """The last segments of a group's paths."""
        found: Rows = self.ends[self.first[i] : self.first[i + 1]]
        return found


def path_ends(result: TraceResult) -> Rows:
    """The last segments of all paths, those with most power first, and in the order of the trace where they are equal."""
    return by_power(result, result.lineage.leaves())


def by_power(result: TraceResult, rows: Rows) -> Rows:
    """Some rows, given in the order of the trace: those with most power first, and in that order where they are equal."""
    ranked: Rows = rows[np.argsort(-result.total_power[rows], kind="stable")]
    return ranked


def path_steps(result: TraceResult) -> Rows:
    """What each segment came from, as one number (n,): the source, or an object's edge and what happened there."""
    parent = np.maximum(result.parent, 0)
    edges = int(result.edge.max(initial=0)) + 2
    place = (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    sources = int(result.source.max(initial=0)) + 2
    step: Rows = sources + place * len(Interaction) + result.interaction
    return np.where(result.parent < 0, result.source.astype(np.int64) + 1, step)


def group_paths(result: TraceResult, ends: Rows) -> PathGroups:
    """The paths to the segments ``ends``, grouped by the sequence of surfaces they meet, the last included.

    ``ends`` are in the order of the trace or that of `by_power`.
    """
    way = dense(result.lineage.classes(path_steps(result))[ends])
    # where a path ends is part of it: the object, the edge, and what became of the light
    last = result.hit[ends].astype(np.int64) + 1
    last = (last * (int(result.edge.max(initial=0)) + 2) + result.edge[ends] + 1) * len(Status) + result.status[ends]
    group = dense(way * (int(last.max(initial=0)) + 1) + last)
    power = summed(group, result.total_power[ends], int(group.max(initial=-1)) + 1)
    ranked = np.argsort(-power, kind="stable")
    rank = np.empty(len(power), np.int64)
    rank[ranked] = np.arange(len(power))
    first = np.concatenate([[0], np.cumsum(np.bincount(rank[group], minlength=len(power)))])
    strong = np.argsort(-result.total_power[ends], kind="stable")
    return PathGroups(ends[strong][np.argsort(rank[group[strong]], kind="stable")], first, power[ranked])


def rows_on_paths(result: TraceResult, ends: Rows) -> Rows:
    """All segments on the ways from the sources to some segments, these included."""
    mask: Mask = np.zeros(len(result), bool)
    mask[ends] = True
    return np.flatnonzero(mask | result.lineage.above(mask))


def path_length(result: TraceResult) -> Floats:
    """The length of every segment's path from the source to its own end, in scene units, (n,); infinite for one that escapes."""
    finite = np.where(np.isfinite(result.length), result.length, 0.0)
    summed = result.lineage.along_path(finite)
    return np.where(np.isfinite(result.length), summed, np.inf)
