"""The light that leaves an object, grouped in bundles. The rays of a bundle followed the same path,
like the rays that form an image.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import Floats, Mask, Rows, sum_by_group
from raybench.analysis.rays.bundle import (
    CardinalPoints,
    Conjugates,
    Focus,
    NoFocus,
    best_focus,
    bundle_conjugates,
    fit_cardinal_points,
)
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.glasses import GlassBody
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction
from raybench.trace.keep import NOT_KEPT, RowsNotKept
from raybench.trace.results.branches import splitter_and_grating_branches_of
from raybench.trace.results.lineage import dense_ranks
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces


@dataclass(frozen=True, eq=False)
class LeavingBundle:
    """Rays that left an object after they met the same surfaces in the same order. ``rows`` (k,):
    segments after the object. ``arriving`` (k,): for each ray, the segment with which it first
    reached the object.
    """

    result: TraceResult
    rows: Rows
    arriving: Rows

    @cached_property
    def power(self) -> float:
        return float(self.result.total_power[self.rows].sum())

    @cached_property
    def first_ray_segments(self) -> list[int]:
        """The segments of the first ray from its arrival to its departure, both included."""
        path = [int(self.rows[0])]
        while path[-1] != self.arriving[0]:
            path.append(int(self.result.parent[path[-1]]))
        return path[::-1]

    def focus(self) -> Focus:
        """The best focus of the bundle, weighted by power. It is real if it lies after the last
        surface that changed the light. Raises NoFocus.
        """
        return best_focus(
            *self._segment_rays(segments_after_last_change(self.result, self.rows)),
            self.result.total_power[self.rows],
        )

    def cardinal_points(
        self, optical_axis: tuple[Point, tuple[float, float]] | None = None
    ) -> CardinalPoints:
        """The focal length and principal point of the object for the rays of this bundle near the
        optical axis, if the bundle runs along one, or else near the middle ray. Raises NoFocus
        unless the arriving rays are parallel.
        """
        return fit_cardinal_points(
            *self._segment_rays(self.arriving), *self._segment_rays(self.rows), optical_axis
        )

    def conjugates(
        self, optical_axis: tuple[Point, tuple[float, float]] | None = None
    ) -> Conjugates:
        """The paraxial object point and image point for the rays of this bundle near the optical
        axis, if the bundle runs along one, or else near the middle ray. Raises NoFocus if the rays
        form no bundle.
        """
        return bundle_conjugates(
            *self._segment_rays(self.arriving), *self._segment_rays(self.rows), optical_axis
        )

    def interaction_codes(self) -> tuple[tuple[int, int], ...]:
        """The interactions of the light with the object, without detectors: pairs of an
        `Interaction` code and its branch, see `raybench.analysis.rays.incidence`.
        """
        path = self.first_ray_segments[1:]
        codes, sides = (
            self.result.interaction[path].tolist(),
            splitter_and_grating_branches_of(self.result, np.array(path, np.int64)).tolist(),
        )
        return tuple(
            step for step in zip(codes, sides, strict=True) if step[0] != Interaction.DETECT
        )

    def _segment_rays(self, rows: Rows) -> tuple[Floats, Floats]:
        """The starting points and the directions of the segments ``rows``, (k, 2) each."""
        start = self.result.p1.take(rows, axis=0)
        return start, self.result.p2.take(rows, axis=0) - start


@dataclass(frozen=True, eq=False)
class ArrivingBundle:
    """Rays that arrive at an object from outside after they met the same surfaces in the same
    order. The segments ``rows`` (k,) end on the object.
    """

    result: TraceResult
    rows: Rows

    @cached_property
    def power(self) -> float:
        """The power of the arriving rays."""
        return float(self.result.total_arriving_power[self.rows].sum())


def arriving_bundles(result: TraceResult, rows: Rows, scene: Scene) -> list[ArrivingBundle]:
    """Group the segments ``rows``, which arrive at an object, into bundles, in order of decreasing
    power. Sources are distinguished as in `leaving_bundles`.
    """
    if not len(rows):
        return []
    group = _bundle_numbers(result, rows, scene)
    return [
        ArrivingBundle(result, rows[m])
        for m in _groups_sorted_by_power(group, result.total_arriving_power[rows])
    ]


def segments_after_last_change(result: TraceResult, rows: Rows) -> Rows:
    """For each of the segments ``rows``, the segment on its path that starts at the last surface
    that changed the light. Detectors do not change light.
    """
    rows, parent = rows.astype(np.int64), result.parent
    while len(
        passed := np.flatnonzero(
            (result.interaction[rows] == Interaction.DETECT) & (parent[rows] >= 0)
        )
    ):
        rows[passed] = parent[rows[passed]]
    if ((result.interaction[rows] == Interaction.DETECT) & (parent[rows] == NOT_KEPT)).any():
        raise RowsNotKept
    return rows


def segments_straight_between_objects(
    result: TraceResult, met: Mask, ends: Mask | None = None
) -> Mask:
    """Mask (n,) of the segments on which light runs from one of some objects directly to another;
    detectors on the way do not count. ``met`` (n,): mask of the segments that end on the objects.
    ``ends`` (n,): mask of the segments that end on a target, by default ``met``.
    """
    between = np.zeros(len(result), bool)
    rows = np.flatnonzero(met if ends is None else ends)
    first = segments_after_last_change(result, rows)
    inside = (result.parent[first] >= 0) & met.take(result.parent[first], mode="clip")
    rows, first = rows[inside], first[inside]
    while len(rows):
        between[rows] = True
        further = rows != first
        rows, first = result.parent[rows[further]].astype(np.int64), first[further]
    return between


def leaving_bundles(
    result: TraceResult, members: Sequence[int], scene: Scene, met: Mask, between: Mask
) -> list[LeavingBundle]:
    """The bundles that leave the optical objects ``members`` as one system, in order of decreasing
    power.

    ``met`` (n,): mask of the segments that end on the members. ``between`` (n,): mask of the
    segments on which light runs from one member to another. Each source has bundles of its own; all
    single rays of one wavelength count as one source.
    """
    parent = result.parent
    begins_there = met.take(parent, mode="clip") & (parent >= 0)
    rows = np.flatnonzero(begins_there & ~between)
    bodies = [
        edges_as_traced(scene.optical[i], scene)
        for i in members
        if isinstance(scene.optical[i], GlassBody)
    ]
    start, end = first_straight_pieces(result, rows)
    leaving = (start[:, 0] != end[:, 0]) | (
        start[:, 1] != end[:, 1]
    )  # a ray of zero length has no direction
    for body in bodies:
        leaving &= ~_inside_mask(body, start, end)
    rows = rows[leaving]
    if not len(rows):
        return []
    group = _bundle_numbers(result, rows, scene)
    arriving, within = parent.take(rows).astype(np.int64), begins_there | between
    climbing = np.flatnonzero(parent.take(arriving) >= 0)
    while len(climbing):
        here = arriving.take(climbing)
        again = within.take(here)
        for body in bodies:  # light inside a body reached it earlier, whatever it met inside
            again[~again] = _inside_mask(body, *last_straight_pieces(result, here[~again]))
        climbing, earlier = climbing[again], parent.take(here[again])
        arriving[climbing] = earlier
        climbing = climbing[parent.take(earlier) >= 0]
    cut = arriving[parent[arriving] == NOT_KEPT]
    if any(_inside_mask(body, *last_straight_pieces(result, cut)).any() for body in bodies):
        raise RowsNotKept
    return [
        LeavingBundle(result, rows[m], arriving[m])
        for m in _groups_sorted_by_power(group, result.total_power[rows])
    ]


def _groups_sorted_by_power(group: Rows, power: Floats) -> list[Rows]:
    """The rows of each group, where the group with the largest total power comes first."""
    members, count = np.argsort(group, kind="stable"), np.bincount(group)
    total = sum_by_group(group, power, int(group.max()) + 1)
    ends = np.cumsum(count).tolist()
    return [
        members[ends[g] - count[g] : ends[g]] for g in np.argsort(-total, kind="stable").tolist()
    ]


def _inside_mask(body: Sequence[Edge], p1: Floats, p2: Floats) -> Mask:
    """Mask of the straight pieces ``p1``-``p2`` whose midpoints are inside a body. Pieces do not
    cross the outline.
    """
    return contains_points(body, (p1 + p2) / 2, 0.0)


def _bundle_numbers(result: TraceResult, rows: Rows, scene: Scene) -> Rows:
    """The bundle number (k,) of each segment, counted in the order of first occurrence. Segments
    with the same source and the same path to their starts share a bundle; all single rays of one
    wavelength count as one source.
    """
    emitter = result.source[rows].astype(np.int64)
    single = [i for i, o in enumerate(scene.optical) if isinstance(o, SingleRay)]
    alone = np.flatnonzero(np.isin(emitter, single))
    if len(alone):
        emitter[alone] = -2 - np.unique(result.wavelength[rows[alone]], return_inverse=True)[1]
    path = dense_ranks(path_keys(result, rows, ends=False))
    number = dense_ranks(dense_ranks(emitter) * len(rows) + path)
    first = np.empty(int(number.max()) + 1, np.int64)
    first[number[::-1]] = np.arange(len(rows))[::-1]  # of equal numbers the last one counts
    ordered: Rows = np.argsort(np.argsort(first))[number]
    return ordered


def focus_or_reason(bundle: LeavingBundle) -> tuple[Focus | None, str]:
    """The best focus of a bundle and an empty text; or None and the reason why there is none."""
    try:
        return bundle.focus(), ""
    except NoFocus as error:
        return None, str(error)
