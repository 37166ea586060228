"""The nominal optics of one object: its focal length and principal planes alone in air, whatever light it has in the scene.

Found by tracing narrow parallel pencils along its axis, one in each direction, so that it holds for every kind of object.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.analysis.rays.bundle import Cardinal, NoFocus
from core.analysis.rays.leaving_light import leaving_bundles
from core.analysis.scene.traced_outline import edges_as_traced
from core.kinds.lenses import IdealLens, SphericalLens
from core.kinds.mirrors import ArcMirror, IdealMirror, ParabolicMirror, Reflector
from core.kinds.object import SceneObject
from core.kinds.outline import bounds
from core.kinds.sources import Beam
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.shapes.point import Point
from core.trace.trace import trace

Axis = tuple[Point, tuple[float, float]]
"""A point on an optical axis, and the unit direction of light along it."""
PENCIL = 1e-3
"""Half the width of a pencil, relative to the object's size: its aberration is below 1e-6 of the focal length."""
RAYS = 9
"""Rays of a pencil."""


@dataclass(frozen=True, slots=True)
class Nominal:
    """The focal length of an object in air, positive if converging, and its front and rear principal points on its axis."""

    focal_length: float
    front: Point
    rear: Point


def nominal(scene: Scene, index: int, middle: Axis | None, wavelength: float) -> Nominal:
    """The nominal optics of the optical object ``index``. Raises NoFocus if it has no focal length, as a plane plate or a flat mirror.

    ``middle``: where and in which direction the middle of its light arrives. It is the axis of an object without one of its own, such as
    a free outline, and tells which side of the others is the front. ``wavelength`` in nm.
    """
    obj = scene.optical[index]
    at, (dx, dy) = _axis(obj, middle)
    forward = _pencil(scene, obj, at, (dx, dy), wavelength)
    if isinstance(obj, Reflector):  # light comes back: both principal planes are at the vertex
        return Nominal(forward.focal_length, forward.principal_point, forward.principal_point)
    backward = _pencil(scene, obj, at, (-dx, -dy), wavelength)
    return Nominal(forward.focal_length, backward.principal_point, forward.principal_point)


def _axis(obj: SceneObject, middle: Axis | None) -> Axis:
    """The axis of an object, in the direction of the light. Raises NoFocus if it has none and no light arrives."""
    ends = _vertices(obj)
    if ends is None:
        if middle is None:
            raise NoFocus("It has no axis of its own, and no light arrives that would give one.")
        return middle
    a, b = ends
    length = math.dist(a, b)
    d = (b.x - a.x) / length, (b.y - a.y) / length
    if middle is not None and d[0] * middle[1][0] + d[1] * middle[1][1] < 0:
        d = -d[0], -d[1]
    return Point((a.x + b.x) / 2, (a.y + b.y) / 2), d


def _vertices(obj: SceneObject) -> tuple[Point, Point] | None:
    """Two points on the optical axis of a lens or mirror that has one, about as far apart as the object is thick or deep."""
    match obj:
        case SphericalLens() if (outline := obj.outline()) is not None:
            return Point(*outline[5][:2]), Point(*outline[2][:2])
        case IdealLens() | IdealMirror() if obj.p1 != obj.p2:
            cx, cy = (obj.p1.x + obj.p2.x) / 2, (obj.p1.y + obj.p2.y) / 2
            ax, ay = obj.p2.y - obj.p1.y, obj.p1.x - obj.p2.x
            return Point(cx - ax / 2, cy - ay / 2), Point(cx + ax / 2, cy + ay / 2)
        case ArcMirror() | ParabolicMirror():
            chord = Point((obj.p1.x + obj.p2.x) / 2, (obj.p1.y + obj.p2.y) / 2)
            return (chord, obj.p3) if math.dist(chord, obj.p3) > 1e-9 * math.dist(obj.p1, obj.p2) else None
    return None


def _pencil(scene: Scene, obj: SceneObject, at: Point, d: tuple[float, float], wavelength: float) -> Cardinal:
    """The cardinal points for a narrow parallel pencil along a direction through a point. Raises NoFocus."""
    edges = edges_as_traced(obj, scene)
    box = bounds(edges) if edges else None
    if box is None or not all(map(math.isfinite, box)):
        raise NoFocus("It has no extent.")
    size = max(box[2] - box[0], box[3] - box[1])
    half, back = PENCIL * size, 3 * size + math.dist(at, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    x, y = at.x - back * d[0], at.y - back * d[1]
    ux, uy = -d[1] * half, d[0] * half
    beam = Beam(p1=Point(x - ux, y - uy), p2=Point(x + ux, y + uy), brightness=1.0, wavelength=wavelength, name="Pencil")
    settings = scene.settings
    scale = settings.length_scale
    alone = Scene.of(
        [obj, beam],
        Settings(ray_mode_density=RAYS * scale / (2 * half), length_scale=scale, simulate_colors=settings.simulate_colors, max_ray_depth=12),
    )
    result = trace(alone, threads=1)
    bundles = leaving_bundles(result, 0, alone)
    if not bundles:
        raise NoFocus("No light leaves it on its axis.")
    ahead = np.array(d)
    onward = [b for b in bundles if (_mean(result.p2[b.rows] - result.p1[b.rows]) @ ahead > 0) != isinstance(obj, Reflector)]
    return (onward or bundles)[0].lens()


def _mean(d: np.ndarray) -> np.ndarray:
    mean: np.ndarray = d.mean(axis=0)
    return mean
