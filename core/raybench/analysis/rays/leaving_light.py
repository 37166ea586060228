"""The light that leaves an object, grouped in bundles. The rays of a bundle followed the same path,
as those that form one image do.
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
    """The rays that left an object after they met the same surfaces in the same order.

    ``rows`` (k,): their segments after the object. ``arriving`` (k,): for each the segment with
    which its light first reached the object.
    """

    result: TraceResult
    rows: Rows
    arriving: Rows

    @cached_property
    def power(self) -> float:
        return float(self.result.total_power[self.rows].sum())

    @cached_property
    def path_through(self) -> list[int]:
        """The segments of the first ray from its arrival to its departure, both included."""
        path = [int(self.rows[0])]
        while path[-1] != self.arriving[0]:
            path.append(int(self.result.parent[path[-1]]))
        return path[::-1]

    def focus(self) -> Focus:
        """The best focus of the bundle, weighted by power. Raises NoFocus.

        It is real if it lies after the last surface that changed the light: a detector, which
        passes it unchanged, does not count.
        """
        return best_focus(
            *self._segment_rays(last_changed_segments(self.result, self.rows)),
            self.result.total_power[self.rows],
        )

    def cardinal_points(
        self, optical_axis: tuple[Point, tuple[float, float]] | None = None
    ) -> CardinalPoints:
        """The focal length and principal point of the object for the rays of this bundle near an
        optical axis, if the bundle comes along it, or else near the middle ray.

        Raises NoFocus unless the arriving rays are parallel.
        """
        return fit_cardinal_points(
            *self._segment_rays(self.arriving), *self._segment_rays(self.rows), optical_axis
        )

    def conjugates(
        self, optical_axis: tuple[Point, tuple[float, float]] | None = None
    ) -> Conjugates:
        """The paraxial object point and image point for the rays of this bundle near an optical
        axis, if the bundle comes along it, or else near the middle ray.

        Raises NoFocus if the rays form no bundle.
        """
        return bundle_conjugates(
            *self._segment_rays(self.arriving), *self._segment_rays(self.rows), optical_axis
        )

    def interaction_codes(self) -> tuple[tuple[int, int], ...]:
        """The interactions of the light from its arrival at the object until it left, except at
        detectors: codes of `Interaction`, each with its branch as in
        `raybench.analysis.rays.incidence`.
        """
        path = self.path_through[1:]
        codes, sides = (
            self.result.interaction[path].tolist(),
            splitter_and_grating_branches_of(self.result, np.array(path, np.int64)).tolist(),
        )
        return tuple(
            step for step in zip(codes, sides, strict=True) if step[0] != Interaction.DETECT
        )

    def _segment_rays(self, rows: Rows) -> tuple[Floats, Floats]:
        """The starting points and the directions of the segments ``rows``, (k, 2) each."""
        start = self.result.p1[rows]
        return start, self.result.p2[rows] - start


@dataclass(frozen=True, eq=False)
class ArrivingBundle:
    """The rays that arrive at an object from outside after they met the same surfaces in the same
    order. The segments ``rows`` (k,) end on the object.
    """

    result: TraceResult
    rows: Rows

    @cached_property
    def power(self) -> float:
        """The power with which the bundle arrives."""
        return float(self.result.total_arriving_power[self.rows].sum())


def arriving_bundles(result: TraceResult, rows: Rows, scene: Scene) -> list[ArrivingBundle]:
    """The bundles of the segments ``rows``, which arrive at an object, in order of decreasing
    power. Sources are distinguished as in `leaving_bundles`.
    """
    if not len(rows):
        return []
    group = _bundle_numbers(result, rows, scene)
    return [
        ArrivingBundle(result, rows[m])
        for m in _groups_sorted_by_power(group, result.total_arriving_power[rows])
    ]


def last_changed_segments(result: TraceResult, rows: Rows) -> Rows:
    """For each of the segments ``rows`` the segment on its path that starts at the last surface
    which changed the light. Detectors do not change light.
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
    """Mask (n,) of the segments by which light goes straight from one of some objects to another of
    them, or past detectors. ``met`` are the segments that end on the objects.

    ``met`` and ``ends`` (n,): the segments that end on the objects, and on what they go on to, by
    default these objects too.
    """
    between = np.zeros(len(result), bool)
    rows = np.flatnonzero(met if ends is None else ends)
    first = last_changed_segments(result, rows)
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
    """The bundles that leave the optical objects ``members`` as one, in order of decreasing power.

    ``met`` (n,): the segments that end on them, as `raybench.analysis.rays.incidence.segments_ending_on`
    finds; ``between`` (n,): those on which light goes on from one member to another, and does not
    leave. Bundles do not mix sources, except that all single rays of one wavelength count as one
    source.
    """
    parent = result.parent
    rows = np.flatnonzero(met.take(parent, mode="clip") & (parent >= 0) & ~between)
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
        leaving &= ~_pieces_inside(body, start, end)
    rows = rows[leaving]
    if not len(rows):
        return []
    group = _bundle_numbers(result, rows, scene)
    arriving = parent[rows].astype(np.int64)
    climbing = np.arange(len(rows))
    while len(climbing := climbing[parent[arriving[climbing]] >= 0]):
        here = arriving[climbing]
        again = met[parent[here]] | between[here]
        for body in bodies:  # light inside a body reached it earlier, whatever it met inside
            again[~again] = _pieces_inside(body, *last_straight_pieces(result, here[~again]))
        climbing = climbing[again]
        arriving[climbing] = parent[arriving[climbing]]
    cut = arriving[parent[arriving] == NOT_KEPT]
    if any(_pieces_inside(body, *last_straight_pieces(result, cut)).any() for body in bodies):
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


def _pieces_inside(body: Sequence[Edge], p1: Floats, p2: Floats) -> Mask:
    """Mask of the straight pieces inside a body. Pieces end where they meet its outline, so that
    their midpoints decide.
    """
    return contains_points(body, (p1 + p2) / 2, 0.0)


def _bundle_numbers(result: TraceResult, rows: Rows, scene: Scene) -> Rows:
    """The number (k,) of the bundle of each of some segments, in the order of their first ones: of
    those with the same source and path to their starts. All single rays of one wavelength are one
    source.
    """
    emitter = result.source[rows].astype(np.int64)
    single = [i for i, o in enumerate(scene.optical) if isinstance(o, SingleRay)]
    alone = np.flatnonzero(np.isin(emitter, single))
    if len(alone):
        emitter[alone] = -2 - np.unique(result.wavelength[rows[alone]], return_inverse=True)[1]
    path = np.unique(path_keys(result, rows, ends=False), return_inverse=True)[1]
    _, first, number = np.unique(
        dense_ranks(emitter) * len(rows) + path, return_index=True, return_inverse=True
    )
    ordered: Rows = np.argsort(np.argsort(first))[number]
    return ordered


def focus_or_reason(bundle: LeavingBundle) -> tuple[Focus | None, str]:
    """The best focus of a bundle and an empty text, or None and the reason why it has no focus."""
    try:
        return bundle.focus(), ""
    except NoFocus as error:
        return None, str(error)
