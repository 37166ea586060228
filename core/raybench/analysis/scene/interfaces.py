"""The interfaces between bodies, and the media on both sides of each part of an edge."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from raybench.analysis.geometry.edge_curve import (
    SAMPLES,
    circle_of_arc,
    circles_without_contact,
    contact_intervals,
    least_contact_length,
    length_between,
    nearest_parameters_on_shape,
)
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.scene.edges import EdgeFacts, edge_table
from raybench.analysis.scene.objects import box_as_traced, object_as_traced
from raybench.analysis.scene.surroundings import EdgeSides, Media, add_media_changes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.optics.colour import GREEN
from raybench.scene.document import EdgeLabels
from raybench.scene.scene import Scene
from raybench.shapes.curves import bounding_box_of, point_at_parameter
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc
from raybench.trace.tolerances import TOUCHING

EDGES_AT_ONCE, OF_ONE_BODY = 256, 8192
"""Edges per batch, at most: of several bodies, of which it takes those near it; and of one, whose
outline it goes through.
"""
TESTS_AT_ONCE = 10_000_000
"""Samples along the edges of a batch, times bodies of the scene; bounds memory where very many
bodies overlap.
"""
ENDLESS = 1e30
"""The coordinate, in scene units, at which the box of an endless edge ends in a search for
neighbours.
"""
MOST_WORK = 200_000
"""Pairs of edges that `glass_interfaces` compares, at most; a pair of which samples are compared
counts as `SAMPLED_EFFORT`: a few seconds.
"""
SAMPLED_EFFORT = 20
Surface = tuple[SceneObject, EdgeFacts]


@dataclass(frozen=True, slots=True)
class EdgeInterval:
    """A part of an edge, from the parameter ``u0`` to ``u1``, with the same media on each side all
    along.

    ``touching``: the bodies and mirrors whose surface coincides with the part, each with its edge;
    empty for an exterior part. ``normal``: outward unit normal at the midpoint. ``n_inside``,
    ``n_outside``: refractive indices there. ``around``: the bodies that contain the points just
    outside.
    """

    body: GlassBody
    edge: EdgeFacts
    u0: float
    u1: float
    p1: Point
    p2: Point
    midpoint: Point
    length: float
    normal: tuple[float, float]
    n_inside: float
    n_outside: float
    touching: tuple[tuple[SceneObject, EdgeFacts], ...]
    containing_bodies: tuple[GlassBody, ...]

    @property
    def fraction(self) -> float:
        """The length of this part as a fraction of the edge; for an infinite edge, the length of
        the parameter interval.
        """
        whole = self.edge.shape.length
        return self.length / whole if 0 < whole < float("inf") else self.u1 - self.u0


@dataclass(frozen=True, slots=True)
class Interface:
    """The contact of two bodies. Its normal points from the body ``first`` into ``second``; lengths
    are in scene units.
    """

    first: GlassBody
    first_edge: EdgeFacts
    second: GlassBody
    second_edge: EdgeFacts
    stretch: EdgeInterval

    @property
    def length(self) -> float:
        return self.stretch.length

    @property
    def normal(self) -> tuple[float, float]:
        return self.stretch.normal


def edge_parts_by_media(
    scene: Scene,
    bodies: Collection[SceneObject] | None = None,
    *,
    disabled: Collection[int] = (),
    labels: EdgeLabels | None = None,
    wavelength: float = GREEN,
    tolerance: float | None = None,
) -> tuple[EdgeInterval, ...]:
    """The edges of all glass bodies, or of ``bodies``, split into parts wherever a medium beside
    the edge changes.

    ``tolerance``: largest distance of touching surfaces in scene units, by default `TOUCHING` times
    the length scale. ``wavelength``: in nm, used if the scene simulates colours. ``disabled``: keys
    of objects to ignore. ``labels``: the user's edge labels.
    """
    near = _SurfaceSearch.from_scene(scene, bodies, disabled, labels or {}, tolerance)
    media = Media.from_scene(scene, disabled, wavelength)
    wanted = {b.key for b in (media.bodies if bodies is None else bodies)}
    return _edge_parts_by_media(
        near,
        media,
        ((k, near.neighbourhood_of(k)) for k in near.rows if near.surfaces[k][0].key in wanted),
    )


def _edge_parts_by_media(
    near: _SurfaceSearch, media: Media, edges: Iterable[tuple[int, _EdgeNeighbourhood]]
) -> tuple[EdgeInterval, ...]:
    """The parts of some edges. An edge is given as its surface number in ``near`` and its
    neighbourhood.
    """
    out: list[EdgeInterval] = []
    for batch in _edge_batches(edges, TESTS_AT_ONCE // max(1, len(media.bodies))):
        out += _split_edges(
            [n for _, n in batch],
            media.select(_bodies_near_boxes(media, near.boxes[[k for k, _ in batch]])),
            near.tolerance,
        )
    return tuple(out)


def _edge_batches(
    edges: Iterable[tuple[int, _EdgeNeighbourhood]], most: int
) -> Iterator[list[tuple[int, _EdgeNeighbourhood]]]:
    """Yield the edges in batches of at most `EDGES_AT_ONCE`, or `OF_ONE_BODY` for edges of one
    body, with about ``most`` samples each.
    """
    batch, samples = list[tuple[int, _EdgeNeighbourhood]](), 0
    for row, near in edges:
        batch.append((row, near))
        samples += len(near.ends) + SAMPLES
        if (
            len(batch) >= (OF_ONE_BODY if near.body is batch[0][1].body else EDGES_AT_ONCE)
            or samples >= most
        ):
            yield batch
            batch, samples = [], 0
    if batch:
        yield batch


def _objects_near_bodies(
    objects: Sequence[SceneObject], bodies: Collection[SceneObject], scene: Scene, tolerance: float
) -> list[SceneObject]:
    """The given bodies, and the objects whose bounding boxes come near one of them."""
    chosen = {b.key for b in bodies}
    boxes = np.array([box_as_traced(o, scene) for o in objects]).reshape(-1, 4)
    near = np.array([o.key in chosen for o in objects], bool)
    for left, top, right, bottom in boxes[near].tolist():
        reach = 2 * tolerance
        low, high = np.array([left - reach, top - reach]), np.array([right + reach, bottom + reach])
        near |= ((boxes[:, :2] <= high) & (low <= boxes[:, 2:])).all(axis=1)
    return [o for o, there in zip(objects, near.tolist(), strict=True) if there]


def _bodies_near_boxes(media: Media, boxes: Floats) -> Mask:
    """Mask of the bodies whose bounding boxes come near the common bounding box of ``boxes`` (n,
    4).
    """
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return media.bodies_near_box((*low.tolist(), *high.tolist()), 1e-3 * float((high - low).max()))


class Interfaces(NamedTuple):
    """The contacts between bodies. ``edges_left`` is the number of edges that were not examined
    because too many surfaces overlap.
    """

    interfaces: tuple[Interface, ...]
    edges_left: int


def glass_interfaces(
    scene: Scene,
    *,
    disabled: Collection[int] = (),
    labels: EdgeLabels | None = None,
    wavelength: float = GREEN,
    tolerance: float | None = None,
) -> Interfaces:
    """The contacts between the glass bodies of a scene, each once. The body that comes first in the
    scene is ``first``. The options are those of `edge_parts_by_media`.
    """
    order = {o.key: i for i, o in enumerate(scene.expanded_objects)}
    near = _SurfaceSearch.from_scene(scene, None, disabled, labels or {}, tolerance)
    touching, work, done = list[tuple[int, _EdgeNeighbourhood]](), 0, 0
    for k in near.rows:
        others = near.nearby_surfaces(k)
        work += near.comparison_effort(k, others)
        if work > MOST_WORK:
            break
        done += 1
        if (
            neighbourhood := near.neighbourhood_of(k, others)
        ).contacts:  # the others are not split: most edges touch nothing
            touching.append((k, neighbourhood))
    found = tuple(
        Interface(s.body, s.edge, other, edge, s)
        for s in _edge_parts_by_media(near, Media.from_scene(scene, disabled, wavelength), touching)
        for other, edge in s.touching
        if isinstance(other, GlassBody) and order[s.body.key] < order[other.key]
    )
    return Interfaces(found, len(near.rows) - done)


class _SurfaceSearch:
    """A search for surfaces that are near each other, by bounding boxes."""

    def __init__(self, surfaces: Sequence[Surface], tolerance: float) -> None:
        import shapely  # not before the first window

        self.surfaces, self.tolerance = surfaces, tolerance
        self.owner = np.array([o.key for o, _ in surfaces], np.int64)
        self.boxes = np.array([bounding_box_of(e.shape) for _, e in surfaces]).reshape(-1, 4)
        self.ends = np.array([(e.p1, e.midpoint, e.p2) for _, e in surfaces]).reshape(-1, 3, 2)
        self.length = np.array([e.length for _, e in surfaces])
        self.bent = np.array([e.kind == "curve" for _, e in surfaces], bool)
        no_circle = (np.nan,) * 4
        self.circles = np.array(
            [circle_of_arc(e.shape) if isinstance(e.shape, Arc) else no_circle for _, e in surfaces]
        ).reshape(-1, 4)
        self.straight = np.array([e.kind == "line" for _, e in surfaces], bool)
        self.rows = [k for k, (o, _) in enumerate(surfaces) if isinstance(o, GlassBody)]
        self.tree = shapely.STRtree(shapely.box(*np.clip(self.boxes, -ENDLESS, ENDLESS).T))

    @classmethod
    def from_scene(
        cls,
        scene: Scene,
        bodies: Collection[SceneObject] | None,
        disabled: Collection[int],
        labels: EdgeLabels,
        tolerance: float | None,
    ) -> _SurfaceSearch:
        """The surfaces of a scene, or of ``bodies`` and the objects near them. The options are
        those of `edge_parts_by_media`.
        """
        tolerance = TOUCHING * scene.settings.length_scale if tolerance is None else tolerance
        others = [o for o in scene.expanded_objects if o.key not in disabled and o.has_edge_table]
        if bodies is not None:
            others = _objects_near_bodies(others, bodies, scene, tolerance)
        surfaces = [
            (o, e)
            for o in others
            for e in edge_table(object_as_traced(o, scene), labels.get(o.key, {}))
            if e.length > 0
        ]
        return cls(surfaces, tolerance)

    def nearby_surfaces(self, surface: int) -> Rows:
        """The surfaces of other objects that may coincide with ``surface`` or end on it."""
        import shapely

        left, top, right, bottom = np.clip(self.boxes[surface], -ENDLESS, ENDLESS).tolist()
        reach = 2 * self.tolerance
        near = np.sort(
            self.tree.query(shapely.box(left - reach, top - reach, right + reach, bottom + reach))
        )
        low, high = (
            np.maximum(self.boxes[near, :2], self.boxes[surface, :2]),
            np.minimum(self.boxes[near, 2:], self.boxes[surface, 2:]),
        )
        size = high - low + 2 * self.tolerance
        found: Rows = near[
            (size >= self.tolerance).all(axis=1) & (self.owner[near] != self.owner[surface])
        ]
        return found

    def comparison_effort(self, surface: int, others: Rows) -> int:
        """The effort of comparing ``surface`` with the surfaces ``others``: the number of
        comparisons, where a sampled comparison counts as `SAMPLED_EFFORT`.
        """
        quick = (
            self.straight[others]
            if self.straight[surface]
            else self._circles_never_coinciding(surface, others)
        )
        return len(others) + (SAMPLED_EFFORT - 1) * int(np.count_nonzero(~quick))

    def _circles_never_coinciding(self, surface: int, others: Rows) -> Mask:
        """Mask of the surfaces among ``others`` that are circles and cannot coincide with any part
        of the arc ``surface``.
        """
        shape = self.surfaces[surface][1].shape
        return (
            circles_without_contact(shape, self.circles[others], self.tolerance)
            if isinstance(shape, Arc)
            else np.zeros(len(others), bool)
        )

    def neighbourhood_of(self, surface: int, others: Rows | None = None) -> _EdgeNeighbourhood:
        """The neighbourhood of an edge. ``surface`` is its surface number; ``others`` is the result
        of `nearby_surfaces`, if known.
        """
        near = self.nearby_surfaces(surface) if others is None else others
        low, high = (
            np.maximum(self.boxes[near, :2], self.boxes[surface, :2]),
            np.minimum(self.boxes[near, 2:], self.boxes[surface, 2:]),
        )
        size = high - low + 2 * self.tolerance
        # a convex curve within a box is at most as long as the box's perimeter
        long_enough = self.bent[surface] | (
            2 * size.sum(axis=1)
            > least_contact_length(self.length[surface], self.length[near], self.tolerance)
        )
        body, edge = self.surfaces[surface]
        assert isinstance(body, GlassBody)
        contacts = [
            (other, u0, u1)
            for other in (
                self.surfaces[m]
                for m in near[long_enough & ~self._circles_never_coinciding(surface, near)].tolist()
            )
            for u0, u1 in contact_intervals(edge.shape, other[1].shape, self.tolerance)
        ]
        return _EdgeNeighbourhood(
            body,
            edge,
            nearest_parameters_on_shape(edge.shape, self.ends[near].reshape(-1, 2))[0],
            contacts,
        )


@dataclass(frozen=True, slots=True)
class _EdgeNeighbourhood:
    """An edge of a body and its surroundings: the parameters nearest to the ends of nearby
    surfaces, and the intervals in which the edge coincides with other surfaces.
    """

    body: GlassBody
    edge: EdgeFacts
    ends: Floats
    contacts: Sequence[tuple[Surface, float, float]]

    @property
    def cut_parameters(self) -> list[float]:
        """The parameters at which contacts of the edge begin and end, and at which the edge itself
        does.
        """
        return sorted({0.0, 1.0, *(u for _, u0, u1 in self.contacts for u in (u0, u1))})


def _split_edges(
    near: Sequence[_EdgeNeighbourhood], media: Media, tolerance: float
) -> list[EdgeInterval]:
    """Split edges, given by their neighbourhoods, into parts with the same media on each side."""
    edges, bodies = [n.edge for n in near], {n.body.key for n in near}
    boxes = zip(media.bodies, media.boxes, strict=True)
    isolated = {
        b.key
        for b, box in boxes
        if b.key in bodies and np.count_nonzero(_bodies_near_boxes(media, box[None])) == 1
    }
    sides = EdgeSides(edges, tolerance)
    samples = [np.empty(0) if n.body.key in isolated else _sample_parameters(n) for n in near]
    cuts = add_media_changes(sides, [n.cut_parameters for n in near], samples, media)
    parts = [
        (k, u0, u1)
        for k, known in enumerate(cuts)
        for u0, u1 in itertools.pairwise(known)
        if length_between(edges[k].shape, u0, u1) > 2 * sides.step[k]
    ]
    which, us = (
        np.array([k for k, _, _ in parts], np.int64),
        np.array([(u0 + u1) / 2 for _, u0, u1 in parts]),
    )
    at, normal, without, within = sides.points_beside_edges(which, us)
    outside, inside = media.inside_mask(without), media.inside_mask(within)
    n_outside, n_inside = media.index_at(without, outside), media.index_at(within, inside)
    return [
        EdgeInterval(
            near[e].body, edges[e], u0, u1, point_at_parameter(edges[e].shape, u0), point_at_parameter(edges[e].shape, u1), Point(*at[k].tolist()),
            length_between(edges[e].shape, u0, u1), (float(normal[k, 0]), float(normal[k, 1])), float(n_inside[k]), float(n_outside[k]),
            tuple(c for c, c0, c1 in near[e].contacts if c0 - 1e-12 <= us[k] <= c1 + 1e-12),
            tuple(media.bodies[b] for b in np.flatnonzero(outside[:, k]).tolist()),
        )
        for k, (e, u0, u1) in enumerate(parts)
    ]  # fmt: skip


def _sample_parameters(near: _EdgeNeighbourhood) -> Floats:
    """The parameters at which the media beside an edge are sampled: evenly spaced, and halfway
    between all places where the media may change.
    """
    marks = np.unique(np.concatenate([near.cut_parameters, near.ends, np.linspace(0, 1, SAMPLES)]))
    middles: Floats = (marks[1:] + marks[:-1]) / 2
    return middles
