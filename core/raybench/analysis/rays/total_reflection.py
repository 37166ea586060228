"""Total reflection at the edges of a body: the rays that arrive from either side, and those totally
reflected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from raybench.analysis.geometry.containment import contains
from raybench.analysis.geometry.straight import Mask, Rows
from raybench.analysis.rays.incidence import ends_on, last_pieces
from raybench.analysis.scene.traced_outline import edges_as_traced
from raybench.kinds.glasses import GlassBody
from raybench.scene.labels import LabelledEdge
from raybench.trace.codes import Flag, Status
from raybench.trace.results.result import TraceResult

if TYPE_CHECKING:
    from raybench.analysis.scene.interfaces import Stretch  # which imports shapely


@dataclass(frozen=True, eq=False)
class EdgeTraffic:
    """The rows of a trace that end on an edge from ``inside`` its body and from ``outside``, and
    those of both totally ``reflected``; without those that a limit of depth ends there, to which
    nothing happens.
    """

    inside: Rows
    outside: Rows
    reflected: Rows


def traffic(
    result: TraceResult, body: GlassBody, edges: Sequence[LabelledEdge], rows: Rows
) -> list[EdgeTraffic]:
    """The `EdgeTraffic` of some edges of a body, one for each. ``rows``: the segments that end on
    the body, from either side.
    """
    rows = rows[result.status[rows] != Status.DEPTH]
    if not len(rows):
        return [EdgeTraffic(rows, rows, rows) for _ in edges]
    p1, p2 = last_pieces(result, rows)
    inside = contains(edges_as_traced(body, result.scene), (p1 + p2) / 2)
    reflected = causing(result, rows)
    on = [ends_on(result, [edge.edge], rows) for edge in edges]
    return [EdgeTraffic(rows[at & inside], rows[at & ~inside], rows[at & reflected]) for at in on]


def causing(result: TraceResult, rows: Rows) -> Mask:
    """Mask (k,) of the segments that are totally reflected at their ends."""
    mask: Mask = (result.flags[rows] & Flag.CAUSES_TIR) != 0
    return mask


def parts_of(parts: Sequence[Stretch], edge: LabelledEdge) -> list[Stretch]:
    """The stretches that belong to one edge."""
    return [s for s in parts if s.edge.index == edge.index]
