"""Where bodies touch, and what lies on both sides of every part of an edge."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.edge_curve import distances, left_normal, length_between, parameter_near, place
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
SAMPLES = 33
"""Places along an edge at which its surroundings are looked at, besides the ends of contacts; changes between them are then bisected."""

Labels = Mapping[int, Mapping[int, str]]


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
    tables = {o.key: edge_table(o, labels.get(o.key, {})) for o in others}
    boxes = {o.key: [_box(e.shape) for e in tables[o.key]] for o in others}
    wanted = media.bodies if bodies is None else tuple(b for b in media.bodies if any(b is o for o in bodies))
    out: list[Stretch] = []
    for body in wanted:
        for edge in tables[body.key]:
            if edge.length > 0:
                near = [
                    (o, e)
                    for o in others
                    if o is not body
                    for e, box in zip(tables[o.key], boxes[o.key], strict=True)
                    if _meet(_box(edge.shape), box, tolerance)
                ]
                out += _cut(body, edge, near, media, tolerance)
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


def _cut(body: GlassBody, edge: EdgeFacts, near: Sequence[tuple[SceneObject, EdgeFacts]], media: Media, tolerance: float) -> list[Stretch]:
    shape = edge.shape
    contacts = [(c, u0, u1) for c in near for u0, u1 in contact(shape, c[1].shape, tolerance)]
    step = max(4 * tolerance, 1e-7 * min(shape.length, 1e3))
    left = left_normal(shape, 0.5)
    sign = math.copysign(1.0, left[0] * edge.normal[0] + left[1] * edge.normal[1])
    media = media.meeting(_box(shape), step)

    def normals(us: Sequence[float]) -> tuple[Floats, Floats]:
        return np.array([place(shape, u) for u in us]), sign * np.array([left_normal(shape, u) for u in us])

    def surroundings(us: Sequence[float]) -> Mask:
        """Which bodies hold the places just outside and just inside, (n, 2 bodies)."""
        at, normal = normals(us)
        return np.concatenate([media.inside(at + step * normal), media.inside(at - step * normal)]).T

    cuts = {0.0, 1.0, *(u for _, u0, u1 in contacts for u in (u0, u1))}
    if len(media.bodies) > 1:
        ends = [parameter_near(shape, p) for _, e in near for p in (e.p1, e.midpoint, e.p2)]
        changes = _changes(sorted({*cuts, *ends, *np.linspace(0, 1, SAMPLES).tolist()}), surroundings)
        # at a corner the places beside the edge change a little before the edge does
        cuts |= {u for u in changes if min(length_between(shape, *sorted((u, c))) for c in cuts) > 50 * step}
    parts = [(u0, u1) for u0, u1 in itertools.pairwise(sorted(cuts)) if length_between(shape, u0, u1) > 2 * step]
    if not parts:
        return []
    at, normal = normals([(u0 + u1) / 2 for u0, u1 in parts])
    outside = media.inside(at + step * normal)
    n_inside, n_outside = media.index_at(at - step * normal), media.index_at(at + step * normal)
    return [
        Stretch(
            body, edge, u0, u1, place(shape, u0), place(shape, u1), Point(*at[k].tolist()), length_between(shape, u0, u1),
            (float(normal[k, 0]), float(normal[k, 1])), float(n_inside[k]), float(n_outside[k]),
            tuple(c for c, c0, c1 in contacts if c0 - 1e-12 <= (u0 + u1) / 2 <= c1 + 1e-12),
            tuple(b for b, holds in zip(media.bodies, outside[:, k], strict=True) if holds),
        )
        for k, (u0, u1) in enumerate(parts)
    ]  # fmt: skip


def _changes(samples: Sequence[float], surroundings: Callable[[Sequence[float]], Mask]) -> list[float]:
    """Where the surroundings change, found by bisection between the middles of the intervals of ``samples``."""
    middles = [(a + b) / 2 for a, b in itertools.pairwise(samples)]
    seen = surroundings(middles)
    out = []
    for k in np.flatnonzero((seen[1:] != seen[:-1]).any(axis=1)).tolist():
        low, high = middles[k], middles[k + 1]
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if (surroundings([middle])[0] == seen[k]).all() else (low, middle)
        out.append(high)
    return out


def contact(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """The parts of a shape, as intervals of its parameter, that lie on another shape to within ``tolerance``. A mere crossing is none."""
    marks = [parameter_near(shape, p) for p in (other.a, place(other, 0.5), other.b)]
    us = np.unique(np.concatenate([np.linspace(0, 1, SAMPLES), marks, [(a + b) / 2 for a, b in itertools.pairwise(marks)]]))

    def near(values: Floats) -> Mask:
        on: Mask = distances(np.array([place(shape, u) for u in values.tolist()]), other) <= tolerance
        return on

    on = near(us)
    out = []
    for first, last in _runs(on):
        u0 = _edge_of_run(us[first], us[first - 1], near) if first > 0 else us[0]
        u1 = _edge_of_run(us[last], us[last + 1], near) if last + 1 < len(us) else us[-1]
        least = max(4 * tolerance, min(1e3 * tolerance, 0.01 * min(shape.length, other.length)))
        if length_between(shape, float(u0), float(u1)) > least:
            out.append((float(u0), float(u1)))
    return out


def _runs(on: Mask) -> list[tuple[int, int]]:
    places = np.flatnonzero(on)
    groups = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else []
    return [(int(g[0]), int(g[-1])) for g in groups]


def _edge_of_run(near_u: float, far_u: float, near: Callable[[Floats], Mask]) -> float:
    """The last parameter, from one that is near towards one that is not, that is near."""
    for _ in range(48):
        middle = (near_u + far_u) / 2
        if near(np.array([middle]))[0]:
            near_u = middle
        else:
            far_u = middle
    return near_u


def _box(shape: Shape) -> tuple[float, float, float, float]:
    points = np.array(shape.points())
    low, high = points.min(axis=0), points.max(axis=0)
    # a curve leaves the box of its drawn points by less than this
    room = 0.02 * float((high - low).max())
    return float(low[0]) - room, float(low[1]) - room, float(high[0]) + room, float(high[1]) + room


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float], tolerance: float) -> bool:
    return a[0] <= b[2] + tolerance and b[0] <= a[2] + tolerance and a[1] <= b[3] + tolerance and b[1] <= a[3] + tolerance
