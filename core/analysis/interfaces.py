"""Where bodies touch, and what lies on both sides of every part of an edge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.coincidence import SAMPLES, contact
from core.analysis.edge_curve import left_normal, left_normals, length_between, parameter_near, place, places
from core.analysis.edges import MIRRORS, EdgeFacts, edge_table
from core.analysis.refractive_index import GREEN, Media
from core.analysis.straight import Floats, Mask
from core.scene.glasses import GlassBody
from core.scene.object import SceneObject
from core.scene.point import Point
from core.scene.scene import Scene
from core.scene.shapes import Shape

TOUCHING = 1e-6
"""How near surfaces count as touching, in scene units times the length scale: as near as a trace takes two hits for one."""
Labels = Mapping[int, Mapping[int, str]]
Surface = tuple[SceneObject, EdgeFacts]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a body's edge with the same media on both sides, from the parameter ``u0`` to ``u1``.

    ``touching`` are the bodies and mirrors whose surface lies on it, with the edge each: none where the edge is exterior. ``normal`` is
    the outward unit normal in its middle, ``n_inside`` and ``n_outside`` are the refractive indices there; ``around`` are the bodies
    that the light outside is in.
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
    around: tuple[GlassBody, ...]

    @property
    def share(self) -> float:
        """This stretch's share of its edge's length."""
        whole = self.edge.shape.length
        return self.length / whole if 0 < whole < float("inf") else self.u1 - self.u0

    @property
    def exterior(self) -> bool:
        """Whether nothing touches it."""
        return not self.touching


@dataclass(frozen=True, slots=True)
class Interface:
    """A contact of two bodies, told once; the normal points from ``first`` into ``second``. Lengths in scene units."""

    first: GlassBody
    first_edge: EdgeFacts
    second: GlassBody
    second_edge: EdgeFacts
    stretch: Stretch

    @property
    def length(self) -> float:
        return self.stretch.length

    @property
    def normal(self) -> tuple[float, float]:
        return self.stretch.normal


def stretches(
    scene: Scene,
    bodies: Collection[SceneObject] | None = None,
    *,
    disabled: Collection[int] = (),
    labels: Labels | None = None,
    wavelength: float = GREEN,
    tolerance: float | None = None,
) -> tuple[Stretch, ...]:
    """All edges of all glass bodies, or of some ``bodies``, cut where what lies on one of their sides changes.

    ``tolerance`` is how near surfaces count as touching, `TOUCHING` by default. ``wavelength`` in nm matters where colours are simulated.
    """
    media = Media.of(scene, disabled, wavelength)
    tolerance = TOUCHING * scene.settings.length_scale if tolerance is None else tolerance
    others = [o for o in scene.expanded if o.key not in disabled and isinstance(o, (GlassBody, *MIRRORS))]
    labels = labels or {}
    surfaces = [(o, e) for o in others for e in edge_table(o, labels.get(o.key, {})) if e.length > 0]
    boxes = np.array([_box(e.shape) for _, e in surfaces]).reshape(-1, 4)
    wanted = {b.key for b in (media.bodies if bodies is None else bodies)}
    out: list[Stretch] = []
    for body in media.bodies:
        if body.key in wanted:
            own = np.array([o is body for o, _ in surfaces], bool)
            edges = []
            for k in np.flatnonzero(own).tolist():
                left, top, right, bottom = boxes[k]
                meet = (boxes[:, 0] <= right + tolerance) & (left <= boxes[:, 2] + tolerance)
                meet &= (boxes[:, 1] <= bottom + tolerance) & (top <= boxes[:, 3] + tolerance)
                edges.append((surfaces[k][1], [surfaces[m] for m in np.flatnonzero(meet & ~own).tolist()]))
            if edges:
                low, high = boxes[own, :2].min(axis=0), boxes[own, 2:].max(axis=0)
                out += _cut(body, edges, media.meeting((*low.tolist(), *high.tolist()), 1e-3 * float((high - low).max())), tolerance)
    return tuple(out)


def interfaces(scene: Scene, **options: object) -> tuple[Interface, ...]:
    """The contacts between the glass bodies of a scene, partial ones included, each told once. Options as for `stretches`."""
    order = {o.key: i for i, o in enumerate(scene.expanded)}
    return tuple(contacts_in(stretches(scene, **options), order))  # type: ignore[arg-type]


def contacts_in(found: Sequence[Stretch], order: Mapping[int, int]) -> list[Interface]:
    """The contacts of bodies among stretches, told from the body that comes first in ``order`` (by key)."""
    return [
        Interface(s.body, s.edge, other, edge, s)
        for s in found
        for other, edge in s.touching
        if isinstance(other, GlassBody) and order[s.body.key] < order[other.key]
    ]


def _cut(body: GlassBody, edges: Sequence[tuple[EdgeFacts, Sequence[Surface]]], media: Media, tolerance: float) -> list[Stretch]:
    """The stretches of all edges of a body, each given with the surfaces near it."""
    sides = [_Sides(edge, tolerance) for edge, _ in edges]
    contacts = [[(c, u0, u1) for c in near for u0, u1 in contact(edge.shape, c[1].shape, tolerance)] for edge, near in edges]
    cuts = [sorted({0.0, 1.0, *(u for _, u0, u1 in found for u in (u0, u1))}) for found in contacts]
    if len(media.bodies) > 1:
        samples = [_samples(edge, near, known) for (edge, near), known in zip(edges, cuts, strict=True)]
        seen = _split(_surroundings(media, sides, samples), samples)
        cuts = [_with_changes(*about, media) for about in zip(sides, cuts, samples, seen, strict=True)]
    parts = [
        [(u0, u1) for u0, u1 in itertools.pairwise(known) if length_between(side.shape, u0, u1) > 2 * side.step]
        for side, known in zip(sides, cuts, strict=True)
    ]
    middles = [np.array([(u0 + u1) / 2 for u0, u1 in found]) for found in parts]
    held = _surroundings(media, sides, middles)
    count = len(media.bodies)
    out, first = [], 0
    for (edge, _), side, found, middle, on in zip(edges, sides, parts, middles, contacts, strict=True):
        at, normal = side.at(middle)
        inside, outside = held[count:, first : first + len(found)], held[:count, first : first + len(found)]
        n_inside, n_outside = media.index_at(at - side.step * normal, inside), media.index_at(at + side.step * normal, outside)
        for k, (u0, u1) in enumerate(found):
            out.append(
                Stretch(
                    body, edge, u0, u1, place(side.shape, u0), place(side.shape, u1), Point(*at[k].tolist()),
                    length_between(side.shape, u0, u1), (float(normal[k, 0]), float(normal[k, 1])), float(n_inside[k]), float(n_outside[k]),
                    tuple(c for c, c0, c1 in on if c0 - 1e-12 <= middle[k] <= c1 + 1e-12),
                    tuple(media.bodies[b] for b in np.flatnonzero(outside[:, k]).tolist()),
                )
            )  # fmt: skip
        first += len(found)
    return out


class _Sides:
    """The places just outside and just inside along an edge."""

    def __init__(self, edge: EdgeFacts, tolerance: float) -> None:
        self.shape = edge.shape
        self.step = max(4 * tolerance, 1e-7 * min(edge.length, 1e3))
        left = left_normal(edge.shape, 0.5)
        self.sign = math.copysign(1.0, left[0] * edge.normal[0] + left[1] * edge.normal[1])

    def at(self, us: Floats) -> tuple[Floats, Floats]:
        """Places on the edge and the outward normals there."""
        return places(self.shape, us), self.sign * left_normals(self.shape, us)


def _surroundings(media: Media, sides: Sequence[_Sides], us: Sequence[Floats]) -> Mask:
    """Which bodies hold the places just outside edges (first half of the rows) and just inside, (2 bodies, places of all edges)."""
    found = [(side.step, *side.at(u)) for side, u in zip(sides, us, strict=True)]
    outside = np.concatenate([at + step * normal for step, at, normal in found])
    inside = np.concatenate([at - step * normal for step, at, normal in found])
    held = media.inside(np.concatenate([outside, inside]))
    return np.concatenate([held[:, : len(outside)], held[:, len(outside) :]])


def _split(held: Mask, us: Sequence[Floats]) -> list[Mask]:
    return np.split(held, np.cumsum([len(u) for u in us])[:-1], axis=1)


def _samples(edge: EdgeFacts, near: Sequence[Surface], cuts: Sequence[float]) -> Floats:
    """Parameters at which an edge's surroundings are looked at: between all places where they may change, and evenly."""
    ends = [parameter_near(edge.shape, p) for _, e in near for p in (e.p1, e.midpoint, e.p2)]
    marks = np.array(sorted({*cuts, *ends, *np.linspace(0, 1, SAMPLES).tolist()}))
    middles: Floats = (marks[1:] + marks[:-1]) / 2
    return middles


def _with_changes(side: _Sides, cuts: Sequence[float], samples: Floats, seen: Mask, media: Media) -> list[float]:
    """The cuts of an edge and, by bisection, where its surroundings change between samples."""
    changed = (seen[:, 1:] != seen[:, :-1]).any(axis=0)
    where = np.flatnonzero(changed)
    if not len(where):
        return list(cuts)
    low, high, before = samples[where].copy(), samples[where + 1].copy(), seen[:, where]
    count = len(media.bodies)
    which = (seen[:, where] != seen[:, where + 1]).any(axis=1)
    which = which[:count] | which[count:]
    few, before = media.chosen(which), before[np.concatenate([which, which])]
    for _ in range(46):
        middle = (low + high) / 2
        same = (_surroundings(few, [side], [middle]) == before).all(axis=0)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # at a corner the places beside the edge change a little before the edge does
    new = [u for u in high.tolist() if min(length_between(side.shape, *sorted((u, c))) for c in cuts) > 50 * side.step]
    return sorted({*cuts, *new})


def _box(shape: Shape) -> tuple[float, float, float, float]:
    points = np.array(shape.points())
    low, high = points.min(axis=0), points.max(axis=0)
    # a curve leaves the box of its drawn points by less than this
    room = 0.02 * float((high - low).max())
    return float(low[0]) - room, float(low[1]) - room, float(high[0]) + room, float(high[1]) + room
