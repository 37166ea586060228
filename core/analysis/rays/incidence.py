"""How rays meet the surfaces that they end on: angle of incidence, the media on both sides, the critical angle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.contact import contacts
from core.analysis.geometry.meeting import END
from core.analysis.geometry.straight import Floats, Rows
from core.analysis.rays.ranges import check_range
from core.analysis.scene.refractive_index import index_by_colour
from core.analysis.scene.traced_outline import edges_as_traced
from core.kinds.glasses import GlassBody
from core.scene.scene import Scene
from core.trace.codes import Flag
from core.trace.results.result import RaySet, TraceResult
from core.trace.tolerances import ON_SURFACE


@dataclass(frozen=True, eq=False)
class Incidences:
    """For some rows, (k,) each: ``angle`` of incidence in degrees from the normal, NaN where the row ends on no edge; ``normal`` (k, 2),
    the unit normal along which the ray goes on; ``n_before`` and ``n_after``, the refractive indices on both sides of the edge."""

    rows: Rows
    angle: Floats
    normal: Floats
    n_before: Floats
    n_after: Floats

    @property
    def critical(self) -> Floats:
        """The critical angles in degrees; 90 where there is none, for light that comes from the medium of lower index."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.degrees(np.arcsin(np.minimum(1.0, np.abs(self.n_after / self.n_before))))


def incidences(result: TraceResult, scene: Scene, rows: Rows, disabled: Collection[int] = ()) -> Incidences:
    """How some rows meet what they end on, all at once."""
    near = ON_SURFACE * scene.settings.length_scale
    angle, normal = np.full(len(rows), np.nan), np.zeros((len(rows), 2))
    p1, p2 = last_pieces(result, rows)
    hit, edge = result.hit[rows].astype(np.int64), result.edge[rows].astype(np.int64)
    for i, k in np.unique(np.stack([hit, edge], axis=1)[hit >= 0], axis=0).tolist():
        here = np.flatnonzero((hit == i) & (edge == k))
        for e in edges_as_traced(scene.optical[i], scene):
            if e.index == k:
                met = contacts(p1[here], p2[here], e.shape, near)
                met = met.chosen(met.place == END)
                angle[here[met.segment]], normal[here[met.segment]] = met.angles(p1[here], p2[here]), met.normal
    backwards = ((p2 - p1) * normal).sum(axis=1) < 0
    normal[backwards] *= -1
    sides = (p2 - near * normal, p2 + near * normal)
    n_before, n_after = index_by_colour(scene, result.wavelength[rows], *sides, disabled=disabled)
    return Incidences(rows, angle, normal, n_before, n_after)


def rays_near_critical(result: TraceResult, scene: Scene, within: float = 5.0, disabled: Collection[int] = ()) -> RaySet:
    """The segments that are refracted at their end, at an angle less than ``within`` degrees below the critical angle there.

    Where there is none, for light that enters the denser medium, that is 90 degrees.
    """
    check_range(0.0, within, ("0", "within"), "degrees below the critical angle", most=90.0)
    glass = np.array([isinstance(o, GlassBody) for o in scene.optical] + [False])
    rows = np.flatnonzero(glass[result.hit] & ((result.flags & Flag.CAUSES_TIR) == 0))
    met = incidences(result, scene, rows, disabled)
    with np.errstate(invalid="ignore"):
        near = (met.angle >= met.critical - within) & (met.angle <= met.critical)
    return RaySet(rows[near], f"rays that meet glass within {within:g}° of its critical angle", result.revision)


def last_pieces(result: TraceResult, rows: Rows) -> tuple[Floats, Floats]:
    """Starts and ends of the last straight pieces of some rows, (k, 2) each."""
    if not len(result.polyline):
        return result.p1[rows], result.p2[rows]
    p1, p2, of = result.straight_pieces
    last = np.searchsorted(of, rows, side="right") - 1
    return p1[last], p2[last]


def first_pieces(result: TraceResult, rows: Rows) -> tuple[Floats, Floats]:
    """Starts and ends of the first straight pieces of some rows, (k, 2) each."""
    if not len(result.polyline):
        return result.p1[rows], result.p2[rows]
    p1, p2, of = result.straight_pieces
    first = np.searchsorted(of, rows)
    return p1[first], p2[first]
