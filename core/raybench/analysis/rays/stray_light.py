"""Stray light: ghosts by partial reflections, chains of total reflections, and gaps through which
light escapes.

A ghost is light that reaches a surface after an even number of unintended partial reflections at
glass: one reflection sends light backwards, a second one forwards again to the detector, where it
forms a faint false image.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.edge_curve import points_at_parameters
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    distinct_integers,
    sum_by_group,
    unit_vectors,
    vector_lengths,
)
from raybench.analysis.paths.paths import PathGroups, group_paths
from raybench.analysis.scene.objects import edges_as_traced
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.sources import Source
from raybench.scene.scene import Scene
from raybench.shapes.shape import FullLine, Line
from raybench.trace.codes import Interaction, Status
from raybench.trace.keep import ODD, REFLECTED, SCATTERED
from raybench.trace.results.branches import count_partial_reflections
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces


@dataclass(frozen=True, eq=False)
class Ghosts:
    """The ghosts in the light that arrives at an object.

    ``arriving``: total arriving power. ``paths``: paths of the ghosts, grouped by surfaces.
    ``extra`` (groups,): number of partial reflections of each group, even and at least 2.
    ``stray``: power that arrives after an odd number of partial reflections.
    """

    arriving: float
    paths: PathGroups
    extra: Rows
    stray: float

    @property
    def power(self) -> float:
        """The power of all ghosts."""
        return float(self.paths.power.sum())

    @property
    def fraction(self) -> float:
        """The power of the ghosts divided by the arriving power; 0 if no light arrives."""
        return self.power / self.arriving if self.arriving > 0 else 0.0


def ghost_mask(result: TraceResult, scene: Scene) -> Mask:
    """Mask (n,) of the segments after 2, 4, ... partial reflections."""
    if result.kept is not None:
        kept: Mask = (result.kept.met & (REFLECTED | ODD)) == REFLECTED
        return kept
    extra = count_partial_reflections(result, scene)
    mask: Mask = (extra >= 2) & (extra % 2 == 0)
    return mask


def scattered_mask(result: TraceResult) -> Mask:
    """Mask (n,) of the segments that were scattered on their path."""
    if result.kept is not None:
        kept: Mask = (result.kept.met & SCATTERED) != 0
        return kept
    begun = (result.interaction == Interaction.SCATTER).astype(np.int64)
    mask: Mask = result.lineage.sum_along_path(begun) > 0
    return mask


def first_scatter_edges(result: TraceResult) -> Rows:
    """For each segment the object index and edge index (n, 2) of its first scattering; -1 if it was
    not scattered.
    """
    begun = result.interaction == Interaction.SCATTER
    times = result.lineage.sum_along_path(begun.astype(np.int64))
    first = begun & (times == 1)
    out = np.full((len(result), 2), -1, np.int64)
    for column, values in enumerate((result.hit, result.edge)):
        there = np.zeros(len(result), np.int64)
        there[first] = values[result.parent[first]] + 1
        out[:, column] = result.lineage.sum_along_path(there) - 1
    return out


def ghost_rays_at_object(result: TraceResult, scene: Scene, obj: int) -> Ghosts:
    """The ghosts that reach the optical object ``obj``, such as a detector. Light cut off there by
    the depth limit does not count; light that passes a detector twice counts twice.
    """
    rows = result.rows_ending_on(obj)
    rows = rows[result.status[rows] != Status.DEPTH]
    extra, power = count_partial_reflections(result, scene), result.total_arriving_power
    ghostly = rows[ghost_mask(result, scene)[rows]]
    paths = group_paths(result, ghostly)
    stray = float(power[rows[extra[rows] % 2 == 1]].sum())
    return Ghosts(float(power[rows].sum()), paths, extra[paths.ends[paths.starts[:-1]]], stray)


@dataclass(frozen=True, eq=False)
class TirTraps:
    """Chains of consecutive total reflections of maximal length, as arrays (k,): the longest first,
    then in the order of the trace.

    ``entry``, ``last``: first and last totally reflected segment. ``count``: total reflections in
    the chain. ``total``: total reflections on the path from the source to the end of the chain.
    ``power_in``, ``power_out``: power of the first and the last segment. ``escaped``: whether light
    leaves the end of the chain other than by reflection. ``leaked``: power of that light.
    """

    entry: Rows
    last: Rows
    count: Rows
    total: Rows
    power_in: Floats
    power_out: Floats
    escaped: NDArray[np.bool_]
    leaked: Floats

    def __len__(self) -> int:
        return len(self.entry)


def find_total_reflection_traps(result: TraceResult, min_count: int = 2) -> TirTraps:
    """The chains of at least ``min_count`` consecutive total reflections. Raises RaybenchError if
    ``min_count`` is below 1.
    """
    if min_count < 1:
        raise RaybenchError(
            f"min_tir_count is {min_count}; a chain has at least 1 total reflection."
        )
    n = len(result)
    tir, parent = result.interaction == Interaction.TIR, result.parent
    child = np.flatnonzero(parent >= 0)
    # the start of each chain: the nearest segment at or before each one that is not itself totally
    # reflected
    chain_start = np.where(tir & (parent >= 0), parent, np.arange(n)).astype(np.int64)
    while (chain_start != (earlier := chain_start[chain_start])).any():
        chain_start = earlier
    count = (
        result.lineage.generation
        - result.lineage.generation[chain_start]
        + (tir & (chain_start == np.arange(n)))
    )
    continues = np.zeros(n, bool)
    continues[parent[child[tir[child]]]] = True
    last = np.flatnonzero(tir & ~continues & (count >= min_count))
    entry = _entry_ancestors(result, last, count[last])
    leaving = child[~np.isin(result.interaction[child], (Interaction.TIR, Interaction.REFLECT))]
    leaked = sum_by_group(parent[leaving], result.total_power[leaving], n)[last]
    order = np.lexsort((last, entry, -count[last]))
    entry, last = entry[order], last[order]
    power, leaked = result.total_power, leaked[order]
    total = result.lineage.tir_count[last]
    return TirTraps(entry, last, count[last], total, power[entry], power[last], leaked > 0, leaked)


def _entry_ancestors(result: TraceResult, last: Rows, count: Rows) -> Rows:
    """The ancestors of the segments ``last``, ``count`` - 1 generations back, found by binary
    lifting.
    """
    entry, steps, ancestor = last.copy(), count - 1, result.parent.astype(np.int64)
    while (steps > 0).any():
        odd = steps % 2 == 1
        entry[odd] = ancestor[entry[odd]]
        steps = steps // 2
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], -1)
    return entry


SAMPLES = 65
"""Points on a curved edge; the direction of its outermost one is right to 1e-3 of the angle under
which it is seen.
"""
MOST_PAIRS = 50_000_000
"""Maximum pairs of rays and points, which limits the time to about a second. The strongest rays are
examined first.
"""
SAME_WAY = 1e-9
"""Difference of the turns, in about radians, to two points that are in one direction."""
BEFORE_END = 1e-6
"""Part of a segment before its end within which it passes no gap."""
PAIRS_PER_BATCH = 30_000
"""Pairs of a batch, which fit into the processor's cache."""


@dataclass(frozen=True, eq=False)
class GapsOfEscapingRays:
    """The escaping segments ``rows`` (k,), the strongest first, and the gap through which each
    escapes.

    ``pair`` (k, 2): optical-object indices of the two objects that bound the gap, the lower first,
    -1 for none. ``width`` (k,): distance of the points that bound the gap, infinite if one side is
    open. ``unexamined_power``: power of escaping rays that were not examined because there are too
    many.
    """

    rows: Rows
    pair: Rows
    width: Floats
    unexamined_power: float

    def rays_between(self, first: int, second: int) -> Mask:
        """Mask (k,) of the rays that escape between two objects."""
        mask: Mask = (self.pair == sorted((first, second))).all(axis=1)
        return mask


def is_wall(obj: SceneObject) -> bool:
    """Whether an object blocks light where light meets it: a blocker, the screen of an aperture, a
    mirror or a reflecting grating.
    """
    if isinstance(obj, DiffractionGrating):
        return obj.mirrored
    return isinstance(obj, Filtered | ConcaveDiffractionGrating) and not isinstance(
        obj, BeamSplitter
    )


def bounding_objects(scene: Scene, disabled: Collection[int] = ()) -> list[int]:
    """The indices of the enabled objects that bound gaps: the walls or, in a scene without walls,
    all objects that deflect light, such as lenses.
    """
    acting = [(i, o) for i, o in enumerate(scene.optical) if o.key not in disabled]
    walls = [i for i, obj in acting if is_wall(obj)]
    return walls or [i for i, obj in acting if not isinstance(obj, Source | Detector)]


def escape_gaps(
    result: TraceResult, scene: Scene, disabled: Collection[int] = ()
) -> GapsOfEscapingRays:
    """The gaps between the `bounding_objects` through which light escapes."""
    escaped = np.flatnonzero(result.escaped)
    escaped = escaped[np.argsort(-result.total_power[escaped], kind="stable")]
    points, owner = _outline_points(scene, bounding_objects(scene, disabled))
    most = MOST_PAIRS // max(1, len(points))
    rows = escaped[:most]
    others = float(result.total_power[escaped[most:]].sum())
    pair, width = np.full((len(rows), 2), -1, np.int64), np.full(len(rows), np.inf)
    if not len(points):
        return GapsOfEscapingRays(rows, pair, width, others)
    pair, width, _ = _gaps_in_batches(result, rows, points, owner)
    # beyond the walls nothing is beside light that meets a lens or a mirror there: it went through
    # its gap before
    free = np.flatnonzero(np.isinf(width))
    earlier, looked_at = rows[free], len(rows)
    examined, is_gap = np.zeros((2, len(result)), bool)
    pair_at, width_at = np.empty((len(result), 2), np.int64), np.empty(len(result))
    while len(free) and looked_at < most:
        earlier = result.parent[earlier].astype(np.int64)
        emitted_before = np.flatnonzero(earlier >= 0)
        free, earlier = free[emitted_before], earlier[emitted_before]
        new = distinct_integers(earlier[~examined[earlier]])
        examined[new] = True
        looked_at += len(new)
        pair_at[new], width_at[new], along = _gaps_in_batches(result, new, points, owner)
        # not on the surface where it ends, which may lie between these points itself
        ahead = along < result.length[new] * (1 - BEFORE_END)
        is_gap[new] = np.isfinite(width_at[new]) & ahead
        through = is_gap[earlier]
        pair[free[through]] = pair_at[earlier[through]]
        width[free[through]] = width_at[earlier[through]]
        free, earlier = free[~through], earlier[~through]
    return GapsOfEscapingRays(rows, pair, width, others)


def _gaps_in_batches(
    result: TraceResult, rows: Rows, points: Floats, owner: Rows
) -> tuple[Rows, Floats, Floats]:
    """Compute `_objects_beside_rays` in batches of segments, to limit memory."""
    pair, width, along = np.empty((len(rows), 2), np.int64), *np.empty((2, len(rows)))
    step = max(1, PAIRS_PER_BATCH // len(points))
    for first in range(0, len(rows), step):
        part = slice(first, first + step)
        pair[part], width[part], along[part] = _objects_beside_rays(
            *last_straight_pieces(result, rows[part]), points, owner
        )
    return pair, width, along


def _objects_beside_rays(
    p1: Floats, p2: Floats, points: Floats, owner: Rows
) -> tuple[Rows, Floats, Floats]:
    """For each escaping ray: the objects on either side (k, 2), the width (k,) of the gap between
    their nearest points, and the distance (k,) of the gap along the ray.
    """
    d, _ = unit_vectors(p2 - p1)
    limit = 1e-9 * np.abs(points).max()  # the point where a ray starts is on neither side
    # numpy reduces arrays (rays, points) much faster along the axis of the longer runs of memory
    order: Literal["F", "C"] = "F" if len(points) < len(p1) else "C"
    off_x, off_y = (
        np.subtract(points[:, axis], p1[:, axis, None], order=order) for axis in range(2)
    )
    along, across = _along_and_across(off_x, off_y, d[:, :1], d[:, 1:])
    size = np.abs(along) + np.abs(across)
    near = size <= limit
    size[near] = 1.0
    # grows with the angle from the ray, as the angle does, from 0 to 4, and is much quicker
    turn = 2.0 - np.copysign(1.0 + along / size, across + 0.0)
    turn[near] = np.inf
    left = _index_of_nearest_point(turn <= turn.min(axis=1, keepdims=True) + SAME_WAY, size)
    turn[near] = -np.inf
    right = _index_of_nearest_point(turn >= turn.max(axis=1, keepdims=True) - SAME_WAY, size)
    ends = [points.take(k, axis=0) for k in (left, right)]
    (x_left, y_left), (x_right, y_right) = (_along_and_across(*(end - p1).T, *d.T) for end in ends)
    angle_left, angle_right = (
        np.where(turned < 0, turned + 2 * np.pi, turned)
        for turned in (np.arctan2(y_left, x_left), np.arctan2(y_right, x_right))
    )
    opening = 2 * np.pi - angle_right + angle_left
    # half a turn or more is no gap: nothing is beside the ray
    bounded = np.flatnonzero((opening < np.pi - 1e-9) & (np.abs(x_left) + np.abs(y_left) > limit))
    width = np.full(len(p1), np.inf)
    width[bounded] = vector_lengths(np.subtract(*(end.take(bounded, axis=0) for end in ends)))
    owners = owner.take(left), owner.take(right)
    pair = np.stack([np.minimum(*owners), np.maximum(*owners)]).T
    with np.errstate(invalid="ignore", divide="ignore"):
        passed = x_left - y_left * (x_right - x_left) / (y_right - y_left)
    return pair, width, passed


def _along_and_across(x: Floats, y: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """The components of vectors (x, y) along unit vectors (dx, dy) and across them."""
    return x * dx + y * dy, dx * y - dy * x


def _index_of_nearest_point(candidates: Mask, distance: Floats) -> Rows:
    """For each ray, the index of the nearest point among its ``candidates`` (rays, points), by
    their ``distance`` from it (rays, points).
    """
    nearest: Rows = np.where(candidates, distance, np.inf).argmin(axis=1)
    return nearest


def _outline_points(scene: Scene, objects: Sequence[int]) -> tuple[Floats, Rows]:
    """The distinct points (n, 2) on the outlines of some objects, and the object index (n,) of each
    point.
    """
    points, owner = [np.empty((0, 2))], [np.empty(0, np.int64)]
    for i in objects:
        shapes = [edge.shape for edge in edges_as_traced(scene.optical[i], scene)]
        places = [
            place
            for shape in shapes
            if not isinstance(shape, FullLine)
            for place in points_at_parameters(
                shape, np.linspace(0, 1, 2 if isinstance(shape, Line) else SAMPLES)
            ).tolist()
        ]
        corners = list(dict.fromkeys(map(tuple, places)))  # two edges share one
        points.append(np.array(corners).reshape(-1, 2))
        owner.append(np.full(len(corners), i))
    return np.concatenate(points), np.concatenate(owner)
