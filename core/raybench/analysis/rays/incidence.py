"""How rays meet surfaces: angle of incidence, refractive indices on both sides, critical angle and
total reflection.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.contact import END, contacts_with_shape
from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.edge_curve import nearest_parameters_on_shape
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    dot_products,
    rows_to_mask,
    unit_vectors,
)
from raybench.analysis.rays.ranges import check_range_bounds
from raybench.analysis.rays.ray_queries import touch_tolerance
from raybench.analysis.scene.objects import box_as_traced, edges_as_traced
from raybench.analysis.scene.surroundings import refractive_indices_by_colour
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody
from raybench.scene.labels import LabelledEdge
from raybench.scene.scene import Scene
from raybench.shapes.curves import bounding_box_of
from raybench.trace.codes import Flag, Status
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.tolerances import CLEAR_OF_SURFACE, ON_SURFACE


@dataclass(frozen=True, eq=False)
class Incidences:
    """How the segments ``rows`` (k,) meet surfaces at their ends. ``angle`` (k,): angle of
    incidence in degrees, NaN without a surface. ``normal`` (k, 2): unit normal on the far side.
    ``n_before`` and ``n_after`` (k,): refractive indices on the near and the far side.
    """

    rows: Rows
    angle: Floats
    normal: Floats
    n_before: Floats
    n_after: Floats

    @property
    def critical_angles(self) -> Floats:
        """The critical angles (k,) in degrees; 90 for light from the medium with the lower
        index.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.degrees(np.arcsin(np.minimum(1.0, np.abs(self.n_after / self.n_before))))


@dataclass(frozen=True, eq=False)
class Bodies:
    """The glass bodies of a scene: their indices (k,) among the optical objects, and their bounding
    boxes (k, 4) as left, top, right, bottom.
    """

    index: Rows
    boxes: Floats

    @classmethod
    def from_scene(cls, scene: Scene) -> Bodies:
        index = [i for i, o in enumerate(scene.optical) if isinstance(o, GlassBody)]
        boxes = [box_as_traced(scene.optical[i], scene) for i in index]
        return cls(np.array(index, np.int64), np.array(boxes).reshape(-1, 4))

    def bodies_in_contact(self, index: int, scene: Scene) -> list[int]:
        """The indices of the bodies that may share an interface with the body ``index``, by
        bounding boxes.
        """
        (own,) = self.boxes[self.index == index]
        margin = ON_SURFACE * scene.settings.length_scale
        near: Mask = (
            (self.boxes[:, :2] <= own[2:] + margin) & (self.boxes[:, 2:] >= own[:2] - margin)
        ).all(axis=1)
        others: list[int] = self.index[near & (self.index != index)].tolist()
        return others


@dataclass(frozen=True, eq=False)
class RowsByHit:
    """The segments of a trace grouped by the object that the trace records as hit."""

    order: Rows
    ends: Rows

    @classmethod
    def from_trace(cls, result: TraceResult, objects: int) -> RowsByHit:
        """Group the segments of a trace by hit object. ``objects`` is the number of optical
        objects.
        """
        order = np.argsort(result.hit, kind="stable")
        return cls(order, np.searchsorted(result.hit[order], np.arange(-1, objects), side="right"))

    def __getitem__(self, index: int) -> Rows:
        return self.order[self.ends[index] : self.ends[index + 1]]


def segments_ending_on(
    result: TraceResult, scene: Scene, index: int, bodies: Bodies, by_hit: RowsByHit
) -> Rows:
    """The segments (k,) that end on the object ``index``, in the order of the trace. Where edges of
    two bodies coincide the trace records only one of them as hit, but the segment is found for
    both; the same holds for a detector on another object.
    """
    met = by_hit[index]
    result.require_rows_ending_on((index,))
    if isinstance(scene.optical[index], Detector):
        return result.rows_ending_on(index) if len(result.counted) else met
    if isinstance(scene.optical[index], GlassBody):
        near = bodies.bodies_in_contact(index, scene)
        result.require_rows_ending_on(near)
        rows = np.concatenate([met[:0], *(by_hit[other] for other in near)])
        if len(rows):
            shared = rows[
                rows_ending_on_edges(result, edges_as_traced(scene.optical[index], scene), rows)
            ]
            met = np.sort(np.concatenate([met, shared]))
    return met


def rays_hitting(result: TraceResult, scene: Scene, index: int, edge: int | None = None) -> Mask:
    """Mask (n,) of the segments that end on the optical object ``index`` or on one of its edges,
    even if the trace records a coinciding edge of another body as hit. Includes segments cut off
    there by the depth limit.
    """
    by_hit = RowsByHit.from_trace(result, len(scene.optical))
    rows = segments_ending_on(result, scene, index, Bodies.from_scene(scene), by_hit)
    if edge is not None:
        edges = [e for e in edges_as_traced(scene.optical[index], scene) if e.index == edge]
        own = result.hit[rows] == index
        rows = rows[
            np.where(own, result.edge[rows] == edge, rows_ending_on_edges(result, edges, rows))
        ]
    return rows_to_mask(rows, len(result))


def rows_ending_on_edges(result: TraceResult, edges: Sequence[Edge], rows: Rows) -> Mask:
    """Mask (k,) of the segments ``rows`` that end on one of the edges, by geometry: the hit object
    in the trace is ignored, since surfaces may coincide.
    """
    points, mask = result.p2.take(rows, axis=0), np.zeros(len(rows), bool)
    for edge in edges:
        near = touch_tolerance(result, edge)
        left, top, right, bottom = bounding_box_of(edge.shape)
        x, y = points.T
        candidates = np.flatnonzero(
            (x >= left - near) & (x <= right + near) & (y >= top - near) & (y <= bottom + near)
        )
        points_near = points.take(candidates, axis=0)
        mask[candidates] |= nearest_parameters_on_shape(edge.shape, points_near)[1] <= near
    return mask


def row_incidences(
    result: TraceResult, scene: Scene, rows: Rows, disabled: Collection[int] = ()
) -> Incidences:
    """The incidence of the segments ``rows`` on the surfaces where they end. ``disabled``: keys of
    objects that light passes unchanged.
    """
    near = ON_SURFACE * scene.settings.length_scale
    angle, normal = np.full(len(rows), np.nan), np.zeros((len(rows), 2))
    p1, p2 = last_straight_pieces(result, rows)
    hit, edge = result.hit[rows].astype(np.int64), result.edge[rows].astype(np.int64)
    met_rows = np.flatnonzero(hit >= 0)
    met_rows = met_rows[np.lexsort((edge[met_rows], hit[met_rows]))]
    runs = np.flatnonzero((np.diff(hit[met_rows]) != 0) | (np.diff(edge[met_rows]) != 0)) + 1
    for here in np.split(met_rows, runs) if len(met_rows) else []:
        i, k = int(hit[here[0]]), int(edge[here[0]])
        for e in edges_as_traced(scene.optical[i], scene):
            if e.index == k:
                met = contacts_with_shape(p1[here], p2[here], e.shape, near)
                met = met.select_contacts(met.place == END)
                angle[here[met.segment]], normal[here[met.segment]] = (
                    met.angles(p1[here], p2[here]),
                    met.normal,
                )
    backwards = dot_products(p2 - p1, normal) < 0
    normal[backwards] *= -1
    sides = (p2 - near * normal, p2 + near * normal)
    n_before, n_after = refractive_indices_by_colour(
        scene, result.wavelength[rows], *sides, disabled=disabled
    )
    return Incidences(rows, angle, normal, n_before, n_after)


def refractive_index_along_rows(
    result: TraceResult, scene: Scene, rows: Rows, disabled: Collection[int] = ()
) -> Floats:
    """The refractive index of the medium in which each segment starts, (k,); NaN for curved
    segments, along which it varies.
    """
    p1, p2 = first_straight_pieces(result, rows)
    start = (
        result.p1.take(rows, axis=0)
        + CLEAR_OF_SURFACE * scene.settings.length_scale * unit_vectors(p2 - p1)[0]
    )
    return np.where(
        result.points[rows, 1] > 0,
        np.nan,
        refractive_indices_by_colour(scene, result.wavelength[rows], start, disabled=disabled)[0],
    )


def rays_near_critical_angle(
    result: TraceResult, scene: Scene, within: float = 5.0, disabled: Collection[int] = ()
) -> tuple[Rows, Floats]:
    """The segments (k,) that meet glass within ``within`` degrees of the critical angle, the
    nearest first, and the difference of their angle of incidence from the critical angle (k,),
    negative below it. For light that enters the denser medium, 90 degrees is used instead. Raises
    InvalidRange.
    """
    check_range_bounds(0.0, within, ("0", "within"), "degrees from the critical angle", most=90.0)
    glass = np.array([isinstance(o, GlassBody) for o in scene.optical] + [False])
    rows = np.flatnonzero(glass[result.hit])
    met = row_incidences(result, scene, rows, disabled)
    margin = met.angle - met.critical_angles
    near = np.flatnonzero(np.abs(margin) <= within)
    near = near[np.argsort(np.abs(margin[near]), kind="stable")]
    return rows[near], margin[near]


@dataclass(frozen=True, eq=False)
class EdgeSegments:
    """The segments that end on an edge of a body: from ``inside``, from ``outside``, and the
    totally ``reflected`` segments of both. Segments cut off there by the depth limit are omitted.
    """

    inside: Rows
    outside: Rows
    reflected: Rows


def segments_at_each_edge(
    result: TraceResult, body: GlassBody, edges: Sequence[LabelledEdge], rows: Rows
) -> list[EdgeSegments]:
    """The `EdgeSegments` of each given edge of a body. ``rows`` are the segments that end on the
    body.
    """
    rows = rows[result.status[rows] != Status.DEPTH]
    if not len(rows):
        return [EdgeSegments(rows, rows, rows) for _ in edges]
    p1, p2 = last_straight_pieces(result, rows)
    inside = contains_points(edges_as_traced(body, result.scene), (p1 + p2) / 2)
    reflected = total_reflection_mask(result, rows)
    on = [rows_ending_on_edges(result, [edge.edge], rows) for edge in edges]
    return [EdgeSegments(rows[at & inside], rows[at & ~inside], rows[at & reflected]) for at in on]


def total_reflection_mask(result: TraceResult, rows: Rows) -> Mask:
    """Mask (k,) of the segments ``rows`` that are totally reflected at their end."""
    mask: Mask = (result.flags[rows] & Flag.CAUSES_TIR) != 0
    return mask
