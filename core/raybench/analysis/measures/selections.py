"""The light that measures are computed from: the light at an object or an edge, a bundle of rays at
an object, or an object without its light.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, unit_vectors
from raybench.analysis.measures.light import Bundle, Light
from raybench.analysis.measures.measure import Undefined
from raybench.analysis.measures.optical_axis import Axis, axis_crossings, common_axis
from raybench.analysis.paths.path_pattern import InvalidPattern, read_pattern
from raybench.analysis.paths.principal import LightByPath
from raybench.analysis.rays.incidence import Incidences, row_incidences
from raybench.analysis.rays.leaving_light import ArrivingBundle, LeavingBundle
from raybench.analysis.rays.ray_queries import InvalidDirection, rays_crossing
from raybench.analysis.scene.objects import object_as_traced
from raybench.errors import in_quotes
from raybench.kinds.object import SceneObject
from raybench.scene.document import EdgeLabels
from raybench.scene.labels import LabelledEdge, find_edge_by_label
from raybench.scene.names import object_named
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench.shapes.shape import Shape
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces


@dataclass(frozen=True, eq=False)
class SelectedRays:
    """Selected segments ``rows`` (k,) of a trace, from one source or from all."""

    light: Light
    rows: Rows
    source: int | None = None

    @property
    def light_by_path(self) -> LightByPath:
        """The segments grouped by their paths."""
        return self.light.group_by_path(self.rows)

    def principal_part(self) -> Self:
        """The segments on the principal path, which carries the most power."""
        return replace(self, rows=self.light_by_path.principal_rows)

    @property
    def count(self) -> float:
        """The number of selected segments."""
        return float(len(self.rows))

    @property
    def power(self) -> float:
        """The total power of the segments at their starts."""
        return float(self.light.result.total_power[self.rows].sum())

    @property
    def powers(self) -> Floats:
        """The power of each segment at its end, (k,)."""
        return self.light.result.total_arriving_power[self.rows]

    @property
    def arriving_power(self) -> float:
        """The total power of the segments at their ends."""
        return float(self.powers.sum())


@dataclass(frozen=True, eq=False)
class ArrivingLight(SelectedRays):
    """The light that arrives at an object or at one of its edges. ``title`` is the name of the
    object or edge in quotes.
    """

    index: int = -1
    title: str = ""

    @classmethod
    def at_object(cls, light: Light, index: int, source: int | None = None) -> ArrivingLight:
        """The light that arrives at the object ``index`` from outside."""
        return cls(light, light.arriving_rows(index, source), source, index, light.title(index))

    @classmethod
    def first_at_object(cls, light: Light, index: int, source: int | None = None) -> ArrivingLight:
        """The light that arrives at the object ``index`` for the first time."""
        rows = light.first_arriving_rows(index, source)
        return cls(light, rows, source, index, light.title(index))

    @classmethod
    def at_edge(
        cls, light: Light, edge: str, source: int | None = None, direction: str = "arriving"
    ) -> ArrivingLight:
        """The light that arrives at an edge from either side or, depending on ``direction``, that
        enters or leaves the body through it.
        """
        body, labelled = find_named_edge(light.scene, edge, light.edge_labels)
        light.result.require_rows_ending_on([light.index_by_key[body.key]])
        try:
            rows = np.flatnonzero(rays_crossing(light.result, body, labelled, direction))
        except InvalidDirection as error:
            raise Undefined(str(error)) from None
        index = light.index_by_key[body.key]
        return cls(light, light.rows_of_source(rows, source), source, index, in_quotes(edge, 80))

    @cached_property
    def weights(self) -> Floats:
        """The powers (k,) of the rays as weights of a mean. Raises Undefined if no light
        arrives.
        """
        what = f"light{self.light.source_phrase(self.source)} arrives at {self.title}"
        return self.light.weights(self.rows, what, arriving=True)

    def mean(self, values: Floats) -> float:
        """The mean of ``values`` (k,), one for each ray, weighted by power."""
        return weighted_mean(values, self.weights)

    @cached_property
    def incidences(self) -> Incidences:
        """The angle of incidence and the refractive indices where each ray arrives."""
        return row_incidences(self.light.result, self.light.scene, self.rows, self.light.disabled)

    @property
    def shape(self) -> Shape:
        """The shape of the first edge of the object, such as the line of a detector."""
        return self.light.edges(self.index)[0].shape

    @cached_property
    def positions(self) -> Floats:
        """The positions (k,) of the rays on a straight object, as distances from its first end."""
        return self._distances_along(self.light.result.p2[self.rows])

    @cached_property
    def rim_positions(self) -> Floats:
        """The positions (rims,) of rim rays that arrive by the same paths, as distances along the
        object. Empty for a source of single rays.
        """
        return self._distances_along(self._rim_segments_at_object[1])

    @property
    def directions_with_rims(self) -> Floats:
        """The unit directions (k + rims, 2) of the rays, followed by those of rim rays on the same
        paths.
        """
        p1, p2 = self._rim_segments_at_object
        return np.concatenate([self.light.directions(self.rows), unit_vectors(p2 - p1)[0]])

    @cached_property
    def _rim_segments_at_object(self) -> tuple[Floats, Floats]:
        rims = self.light.rim_rays
        if rims is None or len(self.rows) < 2:
            return np.empty((0, 2)), np.empty((0, 2))
        rows = rims.rim_rows_on_same_paths(self.light.result, self.rows, ends=True)
        return last_straight_pieces(rims.result, rows)

    def _distances_along(self, points: Floats) -> Floats:
        a, b = self.shape.a, self.shape.b
        length = math.dist(a, b) or 1.0  # a detector that is a point
        off = points - np.array(a)
        along: Floats = off[:, 0] * ((b.x - a.x) / length) + off[:, 1] * ((b.y - a.y) / length)
        return along


def find_named_edge(
    scene: Scene, text: str, edge_labels: EdgeLabels
) -> tuple[SceneObject, LabelledEdge]:
    """The object and the edge that a text such as ``Prism:N`` names. Raises InvalidPattern,
    UnknownName or UnknownEdge.
    """
    steps = read_pattern(text)
    place = steps[0].places[0]
    if len(steps) != 1 or len(steps[0].places) != 1 or steps[0].words or place.edge is None:
        raise InvalidPattern(
            f"{in_quotes(text, 80)} is not an edge. Write the name of an object and of its edge,"
            " such as Prism:N."
        )
    obj = object_named(scene, place.name.text)
    return obj, find_edge_by_label(
        object_as_traced(obj, scene), place.edge.text, edge_labels.get(obj.key, {})
    )


@dataclass(frozen=True, eq=False)
class MeasuredObject:
    """An object or system, for measures that do not depend on light."""

    light: Light
    index: int

    @property
    def title(self) -> str:
        """The name of the object in quotes."""
        return self.light.title(self.index)

    @property
    def members(self) -> list[SceneObject]:
        """The objects of a system; the object itself if it is a single one."""
        return [self.light.scene.optical[i] for i in self.light.members(self.index)]

    @property
    def optical_axis(self) -> Axis | None:
        """The optical axis of the object; None if it has none."""
        return common_axis(self.members)

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of all edges of the object."""
        members = self.light.members(self.index)
        return [edge.shape for member in members for edge in self.light.edges(member)]


@dataclass(frozen=True, eq=False)
class ObjectBeam(MeasuredObject):
    """A bundle of rays that leaves an object or arrives at it."""

    bundle: Bundle

    @property
    def rows(self) -> Rows:
        """The segments of the bundle, (k,)."""
        return self.bundle.rows

    @property
    def leaving_bundle(self) -> LeavingBundle:
        """The bundle as a `LeavingBundle`. Only valid if the bundle leaves the object."""
        assert isinstance(self.bundle, LeavingBundle)
        return self.bundle

    @property
    def is_leaving(self) -> bool:
        """Whether the bundle leaves the object. False if it arrives."""
        return isinstance(self.bundle, LeavingBundle)

    def arriving_rows(self) -> Rows:
        """The segments (k,) with which the rays of a leaving bundle arrived at the object."""
        return self.leaving_bundle.arriving

    @property
    def arriving_beam(self) -> ObjectBeam:
        """The rays of a leaving bundle as a bundle that arrives at the object."""
        arriving = ArrivingBundle(self.light.result, self.arriving_rows())
        return ObjectBeam(self.light, self.index, arriving)

    def rows_inside_object(self) -> Rows:
        """The segments of the bundle inside the object, between arrival and departure."""
        return self.light.rows_inside_object(self.leaving_bundle)

    @property
    def grating_order(self) -> int | None:
        """The diffraction order of the bundle; None without a grating."""
        return self.light.grating_order(int(self.rows[0]))

    @cached_property
    def weights(self) -> Floats:
        """The powers (k,) of the rays. Raises Undefined if all are 0."""
        return self.light.weights(self.rows, "light", arriving=not self.is_leaving)

    @cached_property
    def points(self) -> Floats:
        """The points (k, 2) where the rays leave the object or arrive at it."""
        if self.is_leaving:
            return first_straight_pieces(self.light.result, self.rows)[0]
        return last_straight_pieces(self.light.result, self.rows)[1]

    @cached_property
    def directions(self) -> Floats:
        """The unit directions (k, 2) of the rays where they leave the object or arrive at it."""
        if self.is_leaving:
            return self.light.leaving_directions(self.leaving_bundle)
        return self.light.directions(self.rows)

    @cached_property
    def arriving_directions(self) -> Floats:
        """The unit directions (k, 2) with which the rays of a leaving bundle arrived at the
        object.
        """
        return self.light.directions(self.arriving_rows())

    @cached_property
    def entry_points(self) -> Floats:
        """The points (k, 2) where the rays of a leaving bundle arrived at the object."""
        return last_straight_pieces(self.light.result, self.arriving_rows())[1]

    @cached_property
    def rays_with_rims(self) -> tuple[Floats, Floats]:
        """The points and the unit directions, (k + rims, 2) each, of the rays, followed by those of
        rim rays on the same path.
        """
        rims = self.light.rim_rays
        if rims is None:
            return self.points, self.directions
        p1, p2 = (first_straight_pieces if self.is_leaving else last_straight_pieces)(
            rims.result, self.rim_rows
        )
        return (
            np.concatenate([self.points, p1 if self.is_leaving else p2]),
            np.concatenate([self.directions, unit_vectors(p2 - p1)[0]]),
        )

    @cached_property
    def rim_rows(self) -> Rows:
        """The segments of rim rays on the same path, as rows of the `RimRays`."""
        rims = self.light.rim_rays
        if rims is None:
            return np.empty(0, np.int64)
        return rims.rim_rows_on_same_paths(self.light.result, self.rows, ends=not self.is_leaving)

    @property
    def rim_entry_points(self) -> Floats:
        """The points (rims, 2) where rim rays on the path of a leaving bundle arrived at the
        object.
        """
        rims, rows = self.light.rim_rays, self.rim_rows
        if rims is None:
            return np.empty((0, 2))
        for _ in self.leaving_bundle.first_ray_segments[1:]:
            above = rims.result.parent[rows].astype(np.int64)
            rows = np.where(above < 0, rows, above)
        return last_straight_pieces(rims.result, rows)[1]

    @cached_property
    def axis(self) -> Floats:
        """The mean unit direction of the rays, weighted by power, (2,)."""
        return np.array(mean_direction(self.directions, self.weights))

    def distance_from_surface(self, rows: Rows, point: Point, axis: tuple[float, float]) -> float:
        """The signed distance of a point from the surface on which the segments ``rows`` start or,
        if they start on no surface, end. It is measured along ``axis``.
        """
        light, result = self.light, self.light.result
        parent, meeting = int(result.parent[rows[0]]), light.meeting_mask(self.index)
        starts = parent >= 0 and bool(meeting[parent])
        if not starts and not meeting[rows[0]]:
            raise Undefined(
                f"The light starts inside {self.title}: it arrives at no surface of it."
            )
        ends = (
            first_straight_pieces(result, rows)[0]
            if starts
            else last_straight_pieces(result, rows)[1]
        )
        shape = light.edge_hit(self.index, parent if starts else int(rows[0])).shape
        along = (ends - np.array(point)) @ np.array(axis)
        middle = float(along.mean())
        reach = float(np.abs(along).max() + np.ptp(ends, axis=0).max() + 1.0)
        crossings = axis_crossings((point, axis), [shape], 2 * reach)
        # if the axis misses the surface, as for an off-axis part of a lens, the middle of the rays'
        # points on it is used instead
        return -min(crossings, key=lambda x: abs(x - middle), default=middle)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """The weighted mean of values. It is computed without BLAS, which would be slower here and
    would round differently between runs.
    """
    return float((values * weights).sum() / weights.sum())


def mean_direction(d: Floats, weights: Floats) -> tuple[float, float]:
    """The weighted mean of unit directions (n, 2), as a unit vector. Raises Undefined if the mean
    is zero.
    """
    x, y = weighted_mean(d[:, 0], weights), weighted_mean(d[:, 1], weights)
    if (norm := math.hypot(x, y)) < 1e-6:
        raise Undefined("The rays run in all directions and have no mean direction.")
    return x / norm, y / norm
