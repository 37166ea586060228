"""Light that passes an object: through an opening or a surface that does not act on it, beyond a
surface, or through a whole body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.contact import THROUGH
from raybench.analysis.geometry.containment import contains
from raybench.analysis.geometry.edge_curve import left_normals, parameters_near
from raybench.analysis.geometry.straight import Floats, Mask, Rows, lengths, unit_vectors
from raybench.analysis.rays.incidence import first_pieces, incidences, last_pieces, transmitted
from raybench.analysis.rays.ray_queries import edge_contacts, length_scale
from raybench.analysis.scene.traced_outline import edges_as_traced
from raybench.kinds.blockers import Aperture
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import Edge
from raybench.scene.labels import LabelledEdge
from raybench.scene.scene import Scene
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.tolerances import CLEAR_OF_SURFACE

BEYOND = (Interaction.REFRACT, Interaction.LENS, Interaction.DETECT)
"""Interactions after which light goes on beyond the surface."""
EITHER_SIDE = (Interaction.DIFFRACT, Interaction.CUSTOM)
"""Interactions, other than at beam splitters, after which light goes on on either side of the
surface.
"""


def crossed_without_meeting(
    result: TraceResult, obj: SceneObject, edges: Sequence[Edge], whole: bool
) -> tuple[Rows, Floats]:
    """The segments that cross edges of an object and are not acted on there, and the distances from
    their starts, (k,).

    ``whole``: the opening of an aperture counts as an edge too.
    """
    opening = (
        [Edge(len(edges), Line(obj.p3, obj.p4))] if whole and isinstance(obj, Aperture) else []
    )
    rows, met = edge_contacts(result, [*edges, *opening])
    p1, p2, row_of_piece = result.straight_pieces
    along = met.along
    if len(result.polyline):
        reached = np.concatenate([[0.0], np.cumsum(lengths(p2 - p1))])
        along = along + (reached[met.segment] - reached[np.searchsorted(row_of_piece, rows)])
    through = met.place == THROUGH
    return rows[through], along[through]


def arrives_on_side(result: TraceResult, edge: LabelledEdge, rows: Rows) -> Mask:
    """Mask (k,) of rows that end on the side of an open edge that was asked for."""
    p1, p2 = last_pieces(result, rows)
    normal = (
        left_normals(edge.edge.shape, parameters_near(edge.edge.shape, p2))
        if len(rows)
        else np.zeros((0, 2))
    )
    arrives: Mask = edge.side * ((p2 - p1) * normal).sum(axis=1) < 0
    return arrives


def goes_beyond(result: TraceResult, scene: Scene, rows: Rows) -> Mask:
    """Mask (k,) of segments that start on the far side of the surface their parent met: refracted
    or transmitted ones.
    """
    beyond = np.isin(result.interaction[rows], BEYOND)
    split = np.flatnonzero(result.interaction[rows] == Interaction.SPLIT)
    beyond[split] = transmitted(result, rows[split])
    open_ = np.flatnonzero(np.isin(result.interaction[rows], EITHER_SIDE))
    if len(open_):
        parents, which = np.unique(result.parent[rows[open_]].astype(np.int64), return_inverse=True)
        p1, p2 = first_pieces(result, rows[open_])
        beyond[open_] = ((p2 - p1) * incidences(result, scene, parents).normal[which]).sum(
            axis=1
        ) > 0
    return beyond


@dataclass(frozen=True, eq=False)
class ThroughBody:
    """Segments of light that goes through a body, masks (n,): ``entry`` starts inside it where
    light came in, ``within`` is all of its way inside, ``left`` starts where it goes out again.
    """

    entry: Mask
    within: Mask
    left: Mask


def through_body(
    result: TraceResult, scene: Scene, body: SceneObject, hits: Mask, arrive: Mask
) -> ThroughBody:
    """The light that comes into a body with the segments ``arrive`` (n,) and goes out of it;
    ``hits`` (n,): what ends on its outline.
    """
    parent, n = result.parent, len(result)
    outline, step = edges_as_traced(body, scene), CLEAR_OF_SURFACE * length_scale(result)
    children = np.flatnonzero(parent >= 0)
    starts = children[hits[parent[children]]]
    inside, outside_before = np.zeros(n, bool), np.zeros(n, bool)
    p1, p2 = first_pieces(result, starts)
    inside[starts] = contains(outline, p1 + step * unit_vectors(p2 - p1)[0])
    ends = np.flatnonzero(arrive & hits)
    p1, p2 = last_pieces(result, ends)
    outside_before[ends] = ~contains(outline, p2 - step * unit_vectors(p2 - p1)[0])
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
    return ThroughBody(entry, within, left)
