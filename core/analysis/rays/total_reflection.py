"""Total reflection at the edges of a body: the rays that arrive from inside, and those totally reflected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.geometry.contact import touches
from core.analysis.geometry.containment import contains
from core.analysis.rays.ray_queries import touch_distance
from core.analysis.scene.interfaces import Stretch
from core.analysis.scene.traced_outline import edges_as_traced
from core.kinds.glasses import GlassBody
from core.scene.labels import LabelledEdge
from core.trace.codes import Flag
from core.trace.results.result import TraceResult

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EdgeTraffic:
    """The rows of a trace that end on an edge from inside its body (``arriving``), and those of them totally reflected there."""

    arriving: Rows
    reflected: Rows


def traffic(result: TraceResult, body: GlassBody, edges: Sequence[LabelledEdge]) -> list[EdgeTraffic]:
    """The `EdgeTraffic` of some edges of a body, one for each."""
    ends, starts = result.p2.copy(), result.p1.copy()
    if len(result.polyline):
        p1, p2, row_of_piece = result.straight_pieces
        last = np.searchsorted(row_of_piece, np.arange(len(result)), side="right") - 1
        starts, ends = p1[last], p2[last]
    out = []
    for edge in edges:
        rows = np.flatnonzero(touches(ends, ends, edge.edge.shape, touch_distance(result, edge.edge)) & ~result.escaped)
        inside = contains(edges_as_traced(body, result.scene), (starts[rows] + ends[rows]) / 2)
        rows = rows[inside]
        out.append(EdgeTraffic(rows, rows[(result.flags[rows] & Flag.CAUSES_TIR) != 0]))
    return out


def parts_of(parts: Sequence[Stretch], edge: LabelledEdge) -> list[Stretch]:
    """The stretches that belong to one edge."""
    return [s for s in parts if s.edge.index == edge.index]
