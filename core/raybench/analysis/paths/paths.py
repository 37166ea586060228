"""Ray paths. A path leads from a source to a segment without children."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.contact import THROUGH
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.edge_curve import left_normals, nearest_parameters_on_shape
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    distinct_integers,
    sum_by_group,
    unit_vectors,
    vector_lengths,
)
from raybench.analysis.rays.incidence import row_incidences
from raybench.analysis.rays.ray_queries import edge_contacts, length_scale
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.blockers import Aperture
from raybench.kinds.object import SceneObject
from raybench.scene.labels import LabelledEdge
from raybench.scene.scene import Scene
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.branches import splitter_and_grating_branches, transmitted_mask
from raybench.trace.results.lineage import Lineage, dense_ranks
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.tolerances import CLEAR_OF_SURFACE


@dataclass(frozen=True, eq=False)
class PathGroups:
    """Paths grouped by their sequence of surfaces and interactions, the group with the most power
    first.

    ``ends`` (k,): last segments of all paths, ordered by group and then by decreasing power.
    ``starts`` (groups + 1,): index in ``ends`` where each group starts. ``power`` (groups,): total
    power of the last segments of each group.
    """

    ends: Rows
    starts: Rows
    power: Floats

    def __len__(self) -> int:
        return len(self.power)

    @property
    def strongest_ends(self) -> Rows:
        """The last segment of the strongest path in each group, (groups,)."""
        first: Rows = self.ends[self.starts[:-1]]
        return first

    def ends_in_group(self, i: int) -> Rows:
        """The last segments of the paths in group ``i``."""
        ends: Rows = self.ends[self.starts[i] : self.starts[i + 1]]
        return ends


def path_ends(result: TraceResult) -> Rows:
    """The last segments of all paths, in order of decreasing power; segments of equal power in the
    order of the trace.
    """
    return sort_rows_by_power(result, result.lineage.leaves())


def sort_rows_by_power(result: TraceResult, rows: Rows) -> Rows:
    """The segments ``rows`` sorted by decreasing power. Those of equal power keep their order."""
    ranked: Rows = rows[np.argsort(-result.total_arriving_power[rows], kind="stable")]
    return ranked


def path_step_codes(result: TraceResult) -> Rows:
    """The origin of each segment as one integer (n,): its source, or the edge and the interaction
    at its start. Different diffraction orders, and both outputs of a beam splitter, have different
    codes.
    """
    parent = np.maximum(result.parent, 0)
    edges = int(result.edge.max(initial=0)) + 2
    place = (result.hit[parent].astype(np.int64) + 1) * edges + result.edge[parent] + 1
    sources = int(result.source.max(initial=0)) + 2
    branch = dense_ranks(splitter_and_grating_branches(result))
    step: Rows = (
        sources
        + (place * len(Interaction) + result.interaction) * (int(branch.max(initial=0)) + 1)
        + branch
    )
    return np.where(result.parent < 0, result.source.astype(np.int64) + 1, step)


def group_paths(result: TraceResult, ends: Rows) -> PathGroups:
    """Group the paths that end with the segments ``ends`` by their sequence of surfaces, including
    the last surface. ``ends`` must be in the order of the trace or of `sort_rows_by_power`.
    """
    sequence = dense_ranks(result.lineage.path_classes(path_step_codes(result))[ends])
    # the end of a path is part of its sequence: object, edge and status
    last = result.hit[ends].astype(np.int64) + 1
    last = (last * (int(result.edge.max(initial=0)) + 2) + result.edge[ends] + 1) * len(
        Status
    ) + result.status[ends]
    group = dense_ranks(sequence * (int(last.max(initial=0)) + 1) + last)
    power = sum_by_group(group, result.total_arriving_power[ends], int(group.max(initial=-1)) + 1)
    ranked = np.argsort(-power, kind="stable")
    rank = np.empty(len(power), np.int64)
    rank[ranked] = np.arange(len(power))
    first = np.concatenate([[0], np.cumsum(np.bincount(rank[group], minlength=len(power)))])
    strong = np.argsort(-result.total_arriving_power[ends], kind="stable")
    return PathGroups(
        ends[strong][np.argsort(rank[group[strong]], kind="stable")], first, power[ranked]
    )


def rows_on_paths(result: TraceResult, ends: Rows) -> Rows:
    """All segments on the paths from the sources to the segments ``ends``, including ``ends``."""
    mask: Mask = np.zeros(len(result), bool)
    mask[ends] = True
    return np.flatnonzero(mask | result.lineage.ancestors_mask(mask))


def path_lengths_from_source(result: TraceResult) -> Floats:
    """The length of the path from the source to the end of each segment, (n,), in scene units;
    infinite for escaping segments.
    """
    finite = np.where(np.isfinite(result.length), result.length, 0.0)
    sum_by_group = result.lineage.sum_along_path(finite)
    return np.where(np.isfinite(result.length), sum_by_group, np.inf)


FEW = 4
"""Source rays whose rows are found one source ray after the other."""


def add_ancestors_and_descendants(result: TraceResult, rows: Rows) -> Rows:
    """The segments ``rows`` with all their ancestors and descendants, ascending."""
    family = _rows_of_source_rays(
        result, distinct_integers(result.source_ray[rows])
    )  # mostly few of the rows of a trace
    parent = result.parent[family]
    lineage = Lineage(
        np.where(parent < 0, -1, np.searchsorted(family, parent)).astype(np.int32),
        result.interaction[family],
    )
    mask = np.zeros(len(family), bool)
    mask[np.searchsorted(family, rows)] = True
    return family[mask | lineage.ancestors_mask(mask) | lineage.descendants_mask(mask)]


def _rows_of_source_rays(result: TraceResult, wanted: Rows) -> Rows:
    """All segments that descend from the source rays ``wanted``, ascending."""
    if len(wanted) <= FEW:
        return np.sort(
            np.concatenate(
                [np.flatnonzero(result.source_ray == one) for one in wanted.tolist()] or [wanted]
            )
        )
    chosen = np.zeros(int(result.source_ray.max()) + 1, bool)
    chosen[wanted] = True
    return np.flatnonzero(chosen[result.source_ray])


CROSSING_INTERACTIONS = (
    Interaction.REFRACT,
    Interaction.LENS,
    Interaction.DETECT,
    Interaction.POLARIZE,
)
"""Interactions after which light goes on beyond the surface."""
EITHER_SIDE = (Interaction.DIFFRACT, Interaction.CUSTOM)
"""Interactions, other than at beam splitters, after which light goes on on either side of the
surface.
"""


def segments_passing_unaffected(
    result: TraceResult, obj: SceneObject, edges: Sequence[Edge], whole: bool
) -> tuple[Rows, Floats]:
    """The segments that cross edges of an object unchanged, and the distances (k,) of the crossings
    from their starts. If ``whole`` is true, the opening of an aperture counts as an edge.
    """
    opening = (
        [Edge(len(edges), Line(obj.p3, obj.p4))] if whole and isinstance(obj, Aperture) else []
    )
    rows, met = edge_contacts(result, [*edges, *opening])
    p1, p2, row_of_piece = result.straight_pieces
    along = met.along
    if len(result.polyline):
        reached = np.concatenate([[0.0], np.cumsum(vector_lengths(p2 - p1))])
        along = along + (reached[met.segment] - reached[np.searchsorted(row_of_piece, rows)])
    through = met.place == THROUGH
    return rows[through], along[through]


def arrives_on_side(result: TraceResult, edge: LabelledEdge, rows: Rows) -> Mask:
    """Mask (k,) of the segments that end on the side of an open edge that the label of the edge
    names.
    """
    p1, p2 = last_straight_pieces(result, rows)
    normal = (
        left_normals(edge.edge.shape, nearest_parameters_on_shape(edge.edge.shape, p2)[0])
        if len(rows)
        else np.zeros((0, 2))
    )
    arrives: Mask = edge.side * ((p2 - p1) * normal).sum(axis=1) < 0
    return arrives


def starts_on_far_side(result: TraceResult, scene: Scene, rows: Rows) -> Mask:
    """Mask (k,) of the segments that start on the far side of the surface where their parent ended,
    because they were refracted or transmitted.
    """
    beyond = np.isin(result.interaction[rows], CROSSING_INTERACTIONS)
    split = np.flatnonzero(result.interaction[rows] == Interaction.SPLIT)
    beyond[split] = transmitted_mask(result, rows[split])
    open_ = np.flatnonzero(np.isin(result.interaction[rows], EITHER_SIDE))
    if len(open_):
        parents, which = np.unique(result.parent[rows[open_]].astype(np.int64), return_inverse=True)
        p1, p2 = first_straight_pieces(result, rows[open_])
        beyond[open_] = ((p2 - p1) * row_incidences(result, scene, parents).normal[which]).sum(
            axis=1
        ) > 0
    return beyond


@dataclass(frozen=True, eq=False)
class LightThroughBody:
    """The light that goes through a body, as masks (n,) of segments. ``entry``: segments that start
    inside where light entered. ``within``: all segments inside. ``left``: segments that start where
    light leaves.
    """

    entry: Mask
    within: Mask
    left: Mask


def track_through_body(
    result: TraceResult, scene: Scene, body: SceneObject, hits: Mask, arrive: Mask
) -> LightThroughBody:
    """Follow the light that enters a body until it leaves. ``arrive`` (n,) is the mask of the
    segments that arrive at the body, ``hits`` (n,) the mask of all segments that end on its
    outline.
    """
    parent, n = result.parent, len(result)
    outline, step = edges_as_traced(body, scene), CLEAR_OF_SURFACE * length_scale(result)
    children = np.flatnonzero(parent >= 0)
    starts = children[hits[parent[children]]]
    inside, outside_before = np.zeros(n, bool), np.zeros(n, bool)
    p1, p2 = first_straight_pieces(result, starts)
    inside[starts] = contains_points(outline, p1 + step * unit_vectors(p2 - p1)[0])
    ends = np.flatnonzero(arrive & hits)
    p1, p2 = last_straight_pieces(result, ends)
    outside_before[ends] = ~contains_points(outline, p2 - step * unit_vectors(p2 - p1)[0])
    entry, within, left = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, bool)
    entry[starts] = inside[starts] & outside_before[parent[starts]]
    within |= entry
    front = entry
    while front.any():
        following = children[front[parent[children]]]
        stays = ~hits[parent[following]] | inside[following]
        left[following[~stays]] = True
        new = following[stays & ~within[following]]
        within[new] = True
        front = np.zeros(n, bool)
        front[new] = True
    return LightThroughBody(entry, within, left)
