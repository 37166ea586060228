"""The light that leaves an object, in bundles: rays that took the same way, as the rays of one image do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.geometry.containment import contains
from core.analysis.geometry.straight import Floats, Rows, lengths, summed
from core.analysis.paths.paths import path_steps
from core.analysis.rays.bundle import Cardinal, Focus, NoFocus, best_focus, focal_length
from core.analysis.scene.traced_outline import edges_as_traced
from core.kinds.glasses import GlassBody
from core.kinds.sources import SingleRay
from core.scene.scene import Scene
from core.trace.results.lineage import dense
from core.trace.results.result import TraceResult

JUST_AFTER = 1e-6
"""Where it is asked whether a ray left a body: this far from its start, in scene units."""


@dataclass(frozen=True, eq=False)
class LeavingBundle:
    """Rays that left an object after the same surfaces in the same order, at least two.

    ``rows`` (k,): their segments behind the object. ``arriving`` (k,): the segments by which their light first came to it.
    """

    result: TraceResult
    rows: Rows
    arriving: Rows

    @property
    def power(self) -> float:
        return float(self.result.total_power[self.rows].sum())

    def focus(self) -> Focus:
        """Where the bundle is sharpest, weighted by power; NoFocus where it is nowhere."""
        return best_focus(*self._rays(self.rows), self.result.total_power[self.rows])

    def lens(self) -> Cardinal:
        """The focal length of what turned the bundle, if it came in parallel; else NoFocus."""
        return focal_length(*self._rays(self.arriving), *self._rays(self.rows))

    def _rays(self, rows: Rows) -> tuple[Floats, Floats]:
        """Places and directions of some segments."""
        start = self.result.p1[rows]
        return start, self.result.p2[rows] - start


def leaving_bundles(result: TraceResult, index: int, scene: Scene) -> list[LeavingBundle]:
    """The bundles that leave the optical object ``index`` of the scene that was traced, the one with most power first.

    Each source makes bundles of its own, but single rays of one wavelength count as from one source.
    """
    obj = scene.optical[index]
    parent = result.parent
    rows = np.flatnonzero((parent >= 0) & (result.hit[np.maximum(parent, 0)] == index))
    d = result.p2[rows] - result.p1[rows]
    size = lengths(d)
    rows, d, size = rows[size > 0], d[size > 0], size[size > 0]
    if isinstance(obj, GlassBody):
        rows = rows[~contains(edges_as_traced(obj, scene), result.p1[rows] + d * (JUST_AFTER / size)[:, None], 0.0)]
    if not len(rows):
        return []
    group = dense(result.lineage.classes(_steps(result, scene))[rows])
    power = summed(group, result.total_power[rows], int(group.max()) + 1)
    arriving = parent[rows].astype(np.int64)
    while (started_on_it := (parent[arriving] >= 0) & (result.hit[np.maximum(parent[arriving], 0)] == index)).any():
        arriving = np.where(started_on_it, parent[arriving], arriving)
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    ranked = (members[g] for g in np.argsort(-power, kind="stable").tolist())
    return [LeavingBundle(result, rows[m], arriving[m]) for m in ranked if len(m) >= 2]


def _steps(result: TraceResult, scene: Scene) -> Rows:
    """`path_steps`, in which all single rays of one wavelength come from the first of them."""
    step = path_steps(result)
    single = [i for i, o in enumerate(scene.optical) if isinstance(o, SingleRay)]
    rows = np.flatnonzero((result.parent < 0) & np.isin(result.source, single))
    if len(rows):
        _, first, colour = np.unique(result.wavelength[rows], return_index=True, return_inverse=True)
        step[rows] = step[rows[first]][colour]
    return step


def focus_or_reason(bundle: LeavingBundle) -> tuple[Focus | None, str]:
    """The best focus, or why there is none."""
    try:
        return bundle.focus(), ""
    except NoFocus as error:
        return None, str(error)


def lens_or_reason(bundle: LeavingBundle) -> tuple[Cardinal | None, str]:
    """The focal length with its points, or why there is none."""
    try:
        return bundle.lens(), ""
    except NoFocus as error:
        return None, str(error)
