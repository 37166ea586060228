"""The whole path of a ray: all segments from its source to it and all that it became, and the lengths along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.straight import Floats, Rows
from core.analysis.scene.refractive_index import index_by_colour
from core.distinct import distinct
from core.scene.scene import Scene
from core.trace.results.arcs import bending
from core.trace.results.lineage import Lineage
from core.trace.results.result import TraceResult

NODES = 8
"""Points of a chord of a curved path at which its index is taken."""
FEW = 4
"""Source rays whose rows are found one source ray after the other."""


def whole_paths(result: TraceResult, rows: Rows) -> Rows:
    """Some rows with all their ancestors, back to the sources, and all their descendants, ascending."""
    family = _of_source_rays(result, distinct(result.source_ray[rows]))  # mostly few of the rows of a trace
    parent = result.parent[family]
    lineage = Lineage(np.where(parent < 0, -1, np.searchsorted(family, parent)).astype(np.int32), result.interaction[family])
    mask = np.zeros(len(family), bool)
    mask[np.searchsorted(family, rows)] = True
    return family[mask | lineage.above(mask) | lineage.below(mask)]


def _of_source_rays(result: TraceResult, wanted: Rows) -> Rows:
    """All rows of some source rays, ascending."""
    if len(wanted) <= FEW:
        return np.sort(np.concatenate([np.flatnonzero(result.source_ray == one) for one in wanted.tolist()] or [wanted]))
    chosen = np.zeros(int(result.source_ray.max()) + 1, bool)
    chosen[wanted] = True
    return np.flatnonzero(chosen[result.source_ray])


@dataclass(frozen=True, eq=False)
class Lengths:
    """Lengths of segments in scene units: along the path, and the optical path length (refractive index times length), (k,) each;
    infinite for an escaping segment."""

    geometric: Floats
    optical: Floats


def lengths_of(result: TraceResult, scene: Scene, rows: Rows, disabled: frozenset[int] = frozenset()) -> Lengths:
    """The lengths of some rows. Along a curved segment the index is integrated along the chords of its polyline by the rule of Gauss and
    Legendre, and the difference between arc and chord is taken from the curvature.

    A chord is shorter than its arc by the part `bending` / 24 and, as it runs through higher indices, its optical length larger by the same
    part, to fourth order. ``disabled``: keys of objects that light passes unchanged. Source: Born & Wolf, section 3.1.1,
    optical path length; section 3.2.1, curvature of a ray.
    """
    if not len(result.polyline):
        which, p1, p2 = np.arange(len(rows)), result.p1[rows], result.p2[rows]
    else:
        start, end, row_of_piece = result.straight_pieces
        first, last = np.searchsorted(row_of_piece, rows), np.searchsorted(row_of_piece, rows, side="right")
        which = np.repeat(np.arange(len(rows)), last - first)
        pieces = np.arange(len(which)) + np.repeat(first - np.concatenate([[0], np.cumsum(last - first)[:-1]]), last - first)
        p1, p2 = start[pieces], end[pieces]
    chord = np.hypot(*(p2 - p1).T)
    index = np.zeros(len(which))  # also where a path ends where it starts, as the index has no value there
    nm, curved = result.wavelength[rows][which], result.points[rows][which, 1] > 1
    for nodes, of in ((1, np.flatnonzero(~curved & (chord > 0))), (NODES, np.flatnonzero(curved))):
        if len(of):
            at, weights = np.polynomial.legendre.leggauss(nodes)
            middle, half = (p1[of] + p2[of]) / 2, (p2[of] - p1[of]) / 2
            found = index_by_colour(scene, nm[of], *(middle + u * half for u in at), disabled=disabled)
            index[of] = (weights / 2) @ np.array(found)
    bent = bending(p1, p2, which) / 24
    escaped = result.escaped[rows]
    geometric = np.bincount(which, chord * (1 + bent), minlength=len(rows))
    optical = np.bincount(which, index * chord * (1 - bent), minlength=len(rows))
    return Lengths(np.where(escaped, np.inf, geometric), np.where(escaped, np.inf, optical))
