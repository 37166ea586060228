"""What the kernels see of a scene: flat arrays of primitives and objects.

Adding a kind of surface is one row in `_SURFACES` and one branch of the kernel's `interact`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.scene.blockers import Blocker
from core.scene.detectors import Detector
from core.scene.filters import Filtered
from core.scene.glasses import Glass, GlassBody
from core.scene.lenses import IdealLens
from core.scene.mirrors import Mirror
from core.scene.object import SceneObject
from core.scene.outline import Edge, edges_of, signed_area
from core.scene.scene import Scene
from core.scene.shapes import Arc, Line

LINE, ARC = 0, 1
GLASS, MERGES, FILTER, INVERT, ONE_SIDED, SIMPLE, PARTIAL = 1, 2, 4, 8, 16, 32, 64

MIN_SEGMENT = 1e-6
"""Shortest segment, in units of the scene's length scale; surfaces closer than this count as one."""


class Surface(IntEnum):
    """What a surface does to a ray."""

    NONE = 0
    REFRACT = 1
    REFLECT = 2
    ABSORB = 3
    LENS = 4
    DETECT = 5


class Tables(NamedTuple):
    """A scene for the kernels. ``geometry`` (primitives, 7) holds

    for a line: start x, y, unit tangent x, y, length, outward normal x, y;
    for an arc: centre x, y, radius, unit vector from the chord to the arc x, y, its product with a point of the chord, and +1 where the
    outward normal points away from the centre, -1 where it points to it.

    ``parameters`` (objects, 7): index and Cauchy B of a glass; centre x, y, unit tangent x, y and focal length of a lens; and in the
    last two columns the band of a filter (centre and half width, nm).
    """

    primitive: NDArray[np.int8]
    geometry: NDArray[np.float64]
    owner: NDArray[np.int32]
    edge: NDArray[np.int16]
    surface: NDArray[np.int8]
    first: NDArray[np.int32]
    size: NDArray[np.int32]
    flags: NDArray[np.uint8]
    parameters: NDArray[np.float64]
    shortest: float
    weakest_reflected: float
    weakest_refracted: float
    max_depth: int


def compile_scene(scene: Scene, disabled: Collection[int] = ()) -> Tables:
    """The tables of a scene. Objects whose keys are in ``disabled`` keep their place but have no surface."""
    kinds: list[int] = []
    geometry: list[tuple[float, ...]] = []
    owner: list[int] = []
    edge: list[int] = []
    optical = scene.optical
    surface = np.zeros(len(optical), np.int8)
    first, size = np.zeros(len(optical), np.int32), np.zeros(len(optical), np.int32)
    flags, parameters = np.zeros(len(optical), np.uint8), np.zeros((len(optical), 7))
    for i, obj in enumerate(optical):
        first[i] = len(kinds)
        row = _SURFACES.get(type(obj)) or next((r for kind, r in _SURFACES.items() if isinstance(obj, kind)), None)
        if row is None or obj.key in disabled:
            continue
        surface[i], describe = row
        edges = edges_of(obj)
        orientation = math.copysign(1.0, signed_area(edges)) if isinstance(obj, GlassBody) else 1.0
        for e in edges:
            if e.shape.length == 0:
                continue
            kinds.append(ARC if isinstance(e.shape, Arc) else LINE)
            geometry.append(_arc(e.shape, orientation) if isinstance(e.shape, Arc) else _line(e.shape, orientation))
            owner.append(i)
            edge.append(e.index)
        size[i] = len(kinds) - first[i]
        flags[i], own = describe(obj, edges)
        parameters[i, : len(own)] = own
        if obj.merges_with_glass:
            flags[i] |= MERGES
        if isinstance(obj, Filtered) and obj.filter and scene.settings.simulate_colors:
            flags[i] |= FILTER | (INVERT if obj.invert else 0)
            parameters[i, 5:7] = obj.wavelength, obj.bandwidth
    settings = scene.settings
    plain = settings.color_mode == "default"
    return Tables(
        np.array(kinds, np.int8),
        np.array(geometry, np.float64).reshape(-1, 7),
        np.array(owner, np.int32),
        np.array(edge, np.int16),
        surface,
        first,
        size,
        flags,
        parameters,
        MIN_SEGMENT * settings.length_scale,
        0.01 if plain else 1e-6,
        0.0 if plain else 1e-6,
        int(min(settings.max_ray_depth, 2**31 - 2)),
    )


def _line(line: Line, orientation: float) -> tuple[float, ...]:
    tx, ty = (line.b.x - line.a.x) / line.length, (line.b.y - line.a.y) / line.length
    return line.a.x, line.a.y, tx, ty, line.length, ty * orientation, -tx * orientation


def _arc(arc: Arc, orientation: float) -> tuple[float, ...]:
    outward = math.copysign(1.0, arc.sweep) * orientation
    if arc.full:
        return arc.centre.x, arc.centre.y, arc.radius, 0.0, 0.0, -1.0, outward
    a, b, m = arc.a, arc.b, arc.midpoint
    chord = math.hypot(b.x - a.x, b.y - a.y)
    nx, ny = (b.y - a.y) / chord, (a.x - b.x) / chord
    side = math.copysign(1.0, (m.x - a.x) * nx + (m.y - a.y) * ny)
    nx, ny = nx * side, ny * side
    return arc.centre.x, arc.centre.y, arc.radius, nx, ny, nx * a.x + ny * a.y, outward


def _glass(obj: GlassBody, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    simple = not isinstance(obj, Glass) or is_simple(edges)
    return GLASS | (SIMPLE if simple else 0) | (PARTIAL if obj.partial_reflect else 0), (obj.ref_index, obj.cauchy_b)


def _plain(obj: SceneObject, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0, ()


def _lens(obj: IdealLens, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    line = edges[0].shape
    if line.length == 0:
        return 0, ()
    tx, ty = (obj.p2.x - obj.p1.x) / line.length, (obj.p2.y - obj.p1.y) / line.length
    return 0, (line.midpoint.x, line.midpoint.y, tx, ty, obj.focal_length)


def _detector(obj: Detector, edges: tuple[Edge, ...]) -> tuple[int, tuple[float, ...]]:
    return 0 if obj.two_sided else ONE_SIDED, ()


_SURFACES: dict[type[SceneObject], tuple[Surface, Callable[[Any, tuple[Edge, ...]], tuple[int, tuple[float, ...]]]]] = {
    GlassBody: (Surface.REFRACT, _glass),
    Mirror: (Surface.REFLECT, _plain),
    Blocker: (Surface.ABSORB, _plain),
    IdealLens: (Surface.LENS, _lens),
    Detector: (Surface.DETECT, _detector),
}


def is_simple(edges: tuple[Edge, ...]) -> bool:
    """Whether an outline meets itself nowhere, so that the side of an edge alone tells inside from outside."""
    if len(edges) == 3 and not any(isinstance(e.shape, Arc) for e in edges):
        return signed_area(edges) != 0
    from shapely import Polygon

    ring = [p for e in edges for p in e.shape.points()[:-1]]
    return len(ring) >= 3 and bool(Polygon(ring).is_valid)
