"""The media around points: refractive indices, the bodies on both sides of a surface, and which
bodies contain which.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.geometry.containment import contains_points, contains_points_within_box
from raybench.analysis.geometry.edge_curve import left_normals, length_between, points_at_parameters
from raybench.analysis.geometry.straight import Floats, Mask, Rows
from raybench.analysis.scene.edges import EdgeFacts, edge_table
from raybench.analysis.scene.objects import box_as_traced, edges_as_traced, object_as_traced
from raybench.kinds.aspects.outlines import Edge
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.shapes.curves import Box, left_normal_at_parameter
from raybench.trace.tolerances import TOUCHING


@dataclass(frozen=True, eq=False)
class Media:
    """The enabled glass bodies of a scene, with their outlines and bounding boxes ``boxes``
    (bodies, 4): left, top, right, bottom.
    """

    bodies: tuple[GlassBody, ...]
    outlines: tuple[tuple[Edge, ...], ...]
    boxes: Floats
    wavelength: float
    simulate_colors: bool

    @classmethod
    def from_scene(
        cls, scene: Scene, disabled: Collection[int] = (), wavelength: float = GREEN
    ) -> Media:
        bodies = tuple(
            o for o in scene.expanded_objects if isinstance(o, GlassBody) and o.key not in disabled
        )
        outlines = tuple(edges_as_traced(o, scene) for o in bodies)
        boxes = np.array([box_as_traced(o, scene) for o in bodies]).reshape(-1, 4)
        return cls(bodies, outlines, boxes, wavelength, scene.settings.simulate_colors)

    def bodies_near_box(self, box: Box, margin: float) -> Mask:
        """Mask of the bodies whose bounding boxes come within ``margin`` of a box."""
        low, high = np.array(box[:2]) - margin, np.array(box[2:]) + margin
        mask: Mask = np.all((self.boxes[:, :2] <= high) & (low <= self.boxes[:, 2:]), axis=1)
        return mask

    def inside_mask(self, points: Floats) -> Mask:
        """Mask (bodies, n): which bodies contain which of the points (n, 2)."""
        out = np.zeros((len(self.bodies), len(points)), bool)
        for k, rows in self.points_by_body(points):
            out[k, rows] = True
        return out

    def points_by_body(self, points: Floats) -> Iterator[tuple[int, Rows]]:
        """Yield, in order, each body that contains some of the points (n, 2), and the indices of
        the points in it.
        """
        by_x, y = np.argsort(points[:, 0], kind="stable"), points[:, 1]
        first = np.searchsorted(points[by_x, 0], self.boxes[:, 0], side="right")
        last = np.searchsorted(points[by_x, 0], self.boxes[:, 2], side="left")
        for k in np.flatnonzero(first < last).tolist():
            in_x_range = by_x[first[k] : last[k]]
            near = in_x_range[
                (y[in_x_range] > self.boxes[k, 1]) & (y[in_x_range] < self.boxes[k, 3])
            ]
            near = (
                near[contains_points_within_box(self.outlines[k], points[near], 0.0)]
                if len(near)
                else near
            )
            if len(near):
                yield k, near

    def bodies_around(
        self, points: Floats, wavelengths: Floats
    ) -> Iterator[tuple[GlassBody, float | None, Rows]]:
        """Yield each body that contains some of the points (n, 2), once for each wavelength of the
        light there: body, wavelength for `GlassBody.index_at`, and indices of the points.
        ``wavelengths`` (n,) are in nm; NaN stands for `GREEN`.
        """
        if not self.simulate_colors:
            yield from ((self.bodies[k], None, rows) for k, rows in self.points_by_body(points))
            return
        colours = np.where(np.isnan(wavelengths), GREEN, wavelengths)
        for k, rows in self.points_by_body(points):
            by_colour = rows[np.argsort(colours[rows], kind="stable")]
            last = np.flatnonzero(np.diff(colours[by_colour]))
            for same in np.split(by_colour, last + 1):
                yield self.bodies[k], float(colours[same[0]]), same

    def index_at(self, points: Floats, contained: Mask | None = None) -> Floats:
        """The refractive index (n,) at points (n, 2); 1 outside of all bodies. ``contained`` is the
        `inside_mask` of the points, if known.
        """
        index = np.ones(len(points))
        known = (
            None
            if contained is None
            else (
                (int(k), np.flatnonzero(contained[k]))
                for k in np.flatnonzero(contained.any(axis=1))
            )
        )
        with np.errstate(over="ignore"):  # infinite within thousands of bodies
            for k, rows in self.points_by_body(points) if known is None else known:
                index[rows] *= self.bodies[k].index_at(
                    points[rows], self.wavelength if self.simulate_colors else None
                )
        return index

    def select(self, which: Mask) -> Media:
        """The media with only the bodies that a mask selects."""
        indices = np.flatnonzero(which).tolist()
        return replace(
            self,
            bodies=tuple(self.bodies[k] for k in indices),
            outlines=tuple(self.outlines[k] for k in indices),
            boxes=self.boxes[indices],
        )


def refractive_indices_by_colour(
    scene: Scene, wavelengths: Floats, *points: Floats, disabled: Collection[int] = ()
) -> list[Floats]:
    """The refractive indices (n,) at each array of ``points`` (n, 2), for light with
    ``wavelengths`` (n,) in nm; NaN stands for `GREEN`.
    """
    media, indices = Media.from_scene(scene, disabled), [np.ones(len(wavelengths)) for _ in points]
    with np.errstate(over="ignore"):  # infinite within thousands of bodies
        for index, at in zip(indices, points, strict=True):
            for body, nm, rows in media.bodies_around(at, wavelengths):
                same = body.uniform_index(nm)
                index[rows] *= body.index_at(at[rows], nm) if same is None else same
    return indices


ITERATION_SAMPLES = (64, *[7] * 14)
"""Samples between two parameters in each iteration, which goes on between two of them: to less than
1e-14 of the first interval.
"""
CUT_DISTANCE = 50.0
"""Distance within which a change counts as at a known cut, in multiples of the offset
`EdgeSides.step` of the sampled points.
"""


class EdgeSides:
    """Points just outside and just inside of edges of bodies. ``step`` is their distance from each
    edge in scene units.
    """

    def __init__(self, edges: Sequence[EdgeFacts], tolerance: float) -> None:
        self.shapes = [e.shape for e in edges]
        self.step = np.array([max(4 * tolerance, 1e-7 * min(e.length, 1e3)) for e in edges])
        left = np.array([left_normal_at_parameter(e.shape, 0.5) for e in edges])
        self.sign = np.copysign(1.0, (left * np.array([e.normal for e in edges])).sum(axis=1))

    def points_beside_edges(
        self, edges: Rows, parameters: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """For ``edges`` (n,), ascending, at ``parameters`` (n,): points on the edge, outward
        normals, points just outside and points just inside, (n, 2) each.
        """
        runs = np.split(parameters, np.searchsorted(edges, np.arange(1, len(self.shapes))))
        at = np.concatenate(
            [points_at_parameters(shape, u) for shape, u in zip(self.shapes, runs, strict=True)]
        )
        normal = np.concatenate(
            [
                sign * left_normals(shape, u)
                for shape, sign, u in zip(self.shapes, self.sign, runs, strict=True)
            ]
        )
        step = self.step[edges][:, None] * normal
        return at, normal, at + step, at - step

    def bodies_containing_points(self, media: Media, edges: Rows, parameters: Floats) -> Rows:
        """The bodies that contain the points beside edges, as sorted integer keys. The key of a
        body that contains the outer point is ``2 * bodies * point + body``; the key of a body that
        contains the inner point is greater by ``bodies``, the number of bodies.
        """
        _, _, outside, inside = self.points_beside_edges(edges, parameters)
        bodies, n = len(media.bodies), len(parameters)
        keys = [
            2 * bodies * (rows % n) + body + bodies * (rows // n)
            for body, rows in media.points_by_body(np.concatenate([outside, inside]))
        ]
        return np.sort(np.concatenate([np.empty(0, np.int64), *keys]))


def add_media_changes(
    sides: EdgeSides, cuts: Sequence[list[float]], samples: Sequence[Floats], media: Media
) -> list[list[float]]:
    """The ``cuts`` of each edge and, added between its ``samples``, the parameters where the media
    beside the edge change.
    """
    which, us = (
        np.repeat(np.arange(len(samples)), [len(u) for u in samples]),
        np.concatenate(samples),
    )
    keys, wide = sides.bodies_containing_points(media, which, us), max(1, 2 * len(media.bodies))
    # keys that one sample has and the next one lacks, or the reverse; both are attributed to the
    # earlier sample
    ends, begins = keys[~np.isin(keys + wide, keys)], keys[~np.isin(keys - wide, keys)] - wide
    change = np.concatenate([ends, begins])
    before = np.repeat([True, False], [len(ends), len(begins)])
    order = np.argsort(change, kind="stable")
    change, before = change[order], before[order]
    sample, last = change // wide, len(us) - 1
    between = (sample >= 0) & (sample < last)
    between[between] = which[sample[between]] == which[sample[between] + 1]
    sample, body, before = sample[between], change[between] % wide, before[between]
    edge = which[sample]
    at = _crossing_parameters(sides, edge, us[sample], us[sample + 1], body, before, media)
    out = [sorted(set(known_cuts)) for known_cuts in cuts]
    for k, u in sorted(zip(edge.tolist(), at.tolist(), strict=True)):
        # the points outside and inside cross an outline not quite at the same parameter, and at a
        # corner slightly before the cut
        place = bisect_left(out[k], u)
        nearest = out[k][max(0, place - 1) : place + 1]
        shape = sides.shapes[k]
        apart = min(length_between(shape, *sorted((u, cut))) for cut in nearest)
        if apart > CUT_DISTANCE * sides.step[k]:
            out[k].insert(place, u)
    return out


def _crossing_parameters(
    sides: EdgeSides,
    which: Rows,
    low: Floats,
    high: Floats,
    body: Rows,
    before: Mask,
    media: Media,
) -> Floats:
    """The parameters (k,), between ``low`` and ``high``, at which the edges ``which`` (k,),
    ascending, cross the outline of a body. ``body`` (k,) is as in
    `EdgeSides.bodies_containing_points`; ``before`` (k,) says whether it contains the point at
    ``low``. Each iteration takes samples and continues in the first interval with a change.
    """
    count, pair = len(media.bodies), np.arange(len(which))
    by_body = [(k, np.flatnonzero(body % count == k)) for k in np.unique(body % count).tolist()]
    for between in ITERATION_SAMPLES if len(which) else ():
        us = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, between + 2)
        _, _, *beside = sides.points_beside_edges(np.repeat(which, between), us[:, 1:-1].ravel())
        points = np.stack(beside).reshape(2, len(which), between, 2)[body // count, pair]
        same = np.empty((len(which), between), bool)
        for k, pairs in by_body:
            inside = contains_points(media.outlines[k], points[pairs].reshape(-1, 2), 0.0)
            same[pairs] = inside.reshape(-1, between) == before[pairs, None]
        k = np.where(same.all(axis=1), between, np.argmin(same, axis=1))
        low, high = us[pair, k], us[pair, k + 1]
    return high


EDGE_PARAMETERS = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
"""The parameters of the points examined along each edge."""


MOST_PAIRS = 60_000
"""Pairs of a body and another near it that are examined, at most: a few seconds."""


@dataclass(frozen=True)
class BodyNesting:
    """A body, the bodies that contain all of it, outermost first, and the bodies that contain a
    part of it.

    ``index``: its own refractive index, None if it varies. ``effective_index``: the index just
    inside its outline, including the bodies around; None if it varies along the outline or within
    the body.
    """

    body: GlassBody
    inside: tuple[GlassBody, ...]
    overlapping: tuple[GlassBody, ...]
    index: float | None
    effective_index: float | None


def body_nesting(
    scene: Scene,
    disabled: Collection[int] = (),
    wavelength: float = GREEN,
    bodies: Collection[SceneObject] | None = None,
) -> tuple[BodyNesting, ...]:
    """For each enabled body of a scene, or each of ``bodies``, in order, the bodies that contain
    it. Indices are for ``wavelength`` in nm if the scene simulates colours. If more than
    `MOST_PAIRS` pairs overlap, the last bodies are omitted.
    """
    media = Media.from_scene(scene, disabled, wavelength)
    tolerance = TOUCHING * scene.settings.length_scale
    area = dict(
        zip(
            (b.key for b in media.bodies),
            np.prod(media.boxes[:, 2:] - media.boxes[:, :2], axis=1).tolist(),
            strict=True,
        )
    )
    wanted, out, pairs = (
        {b.key for b in (media.bodies if bodies is None else bodies)},
        list[BodyNesting](),
        0,
    )
    for body in media.bodies:
        if body.key not in wanted:
            continue
        alone = body.uniform_index(wavelength if scene.settings.simulate_colors else None)
        edges = [e for e in edge_table(object_as_traced(body, scene), {}) if 0 < e.length < np.inf]
        if not edges:
            out.append(BodyNesting(body, (), (), alone, alone))
            continue
        which, us = (
            np.repeat(np.arange(len(edges)), len(EDGE_PARAMETERS)),
            np.tile(EDGE_PARAMETERS, len(edges)),
        )
        *_, within = EdgeSides(edges, tolerance).points_beside_edges(which, us)
        meets = media.bodies_near_box(
            (*within.min(axis=0).tolist(), *within.max(axis=0).tolist()), 0.0
        )
        pairs += int(np.count_nonzero(meets))
        if pairs > MOST_PAIRS:
            break
        near = media.select(meets)
        contained = near.inside_mask(within)
        around = [k for k, b in enumerate(near.bodies) if b is not body and contained[k].all()]
        part = [
            k
            for k, b in enumerate(near.bodies)
            if b is not body and contained[k].any() and not contained[k].all()
        ]
        indices = near.index_at(within, contained)
        steady = (
            bool(np.ptp(indices) <= 1e-12 * np.abs(indices).max())
            if np.isfinite(indices).all()
            else False
        )
        varies = any(
            b.uniform_index(None) is None
            for b in (body, *(near.bodies[k] for k in (*around, *part)))
        )
        containers = sorted((near.bodies[k] for k in around), key=lambda b: -area[b.key])
        effective = float(indices[0]) if steady and not varies else None
        out.append(
            BodyNesting(
                body, tuple(containers), tuple(near.bodies[k] for k in part), alone, effective
            )
        )
    return tuple(out)
