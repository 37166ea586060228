"""The nominal optics of one object, or of a system of objects: its focal length and principal
planes alone in air, whatever its light.

Found by tracing narrow parallel pencils along its axis, one in each direction, so that it holds for
every kind of object.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.contact import contacts
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.leaving_light import LeavingBundle, leaving_bundles, straight_on
from raybench.analysis.scene.traced_outline import edges_as_traced
from raybench.errors import in_quotes
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.kinds import row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import bounds, edges_of
from raybench.kinds.sources import Beam
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Shape
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

Axis = tuple[Point, tuple[float, float]]
"""A point on an optical axis, and the unit direction of light along it."""
PENCIL = 1e-4
"""Half the width of a pencil, relative to the object's size: its aberration is about 1e-8 of the
focal length.
"""
COAXIAL = 1e-6
"""Sine of the angle, and distance relative to that of the objects, within which optical axes count
as one.
"""
RAYS = 9
"""Rays of a pencil."""
DEPTH = 40
"""Interactions with each object of a system after which rays end: a prism or a rod may reflect
light several times.
"""


@dataclass(frozen=True, slots=True)
class Nominal:
    """The focal length of an object in air, positive if converging, and its front and rear
    principal points on its axis. ``way``: what happens to the light there, as `LeavingBundle.way`
    tells it: other light, as a reflection from the front of a lens, has other optics.
    """

    focal_length: float
    front: Point
    rear: Point
    way: tuple[tuple[int, int], ...]


def nominal(
    scene: Scene, members: Sequence[int], middle: Axis | None, wavelength: float
) -> Nominal:
    """The nominal optics of the optical object, or the system of objects, with the indices
    ``members``.

    Raises NoFocus if it has no focal length, as a plane plate, a flat mirror or a telescope, or if
    light on its axis does not meet all of its mirrors, as where one stands in the way to another.

    ``middle``: where and in which direction the middle of its light arrives. It is the axis of an
    object without one of its own, such as a free outline, and determines which side of the others
    is the front. ``wavelength`` in nm.
    """
    objects = [scene.optical[i] for i in members]
    at, (dx, dy) = _axis(objects, middle)
    bundle = _pencil(scene, objects, at, (dx, dy), wavelength)
    met = bundle.result.hit[bundle.result.lineage.path(int(bundle.rows[0]))].tolist()
    for i, obj in enumerate(objects):
        if isinstance(obj, Reflector) and i not in met:
            raise NoFocus(f"Light on its axis does not meet {in_quotes(obj.title)}.")
    forward, way = bundle.lens(), bundle.way()
    if all(
        isinstance(o, Reflector) for o in objects
    ):  # light comes back: both principal planes are at the vertex
        return Nominal(forward.focal_length, forward.principal_point, forward.principal_point, way)
    backward = _pencil(scene, objects, at, (-dx, -dy), wavelength).lens()
    return Nominal(forward.focal_length, backward.principal_point, forward.principal_point, way)


def common_axis(objects: Sequence[SceneObject]) -> Axis | None:
    """The optical axis that all of some objects with an axis share; None if there is none."""
    axes = [axis for obj in objects if (axis := optical_axis(obj)) is not None]
    if not axes or (len(objects) == 1):
        return axes[0] if axes else None
    at, (dx, dy) = axes[0]
    for other, (ex, ey) in axes[1:]:
        x, y = other.x - at.x, other.y - at.y
        if abs(dx * ey - dy * ex) > COAXIAL or abs(dx * y - dy * x) > COAXIAL * (
            1 + math.hypot(x, y)
        ):
            return None
    return axes[0]


def optical_axis(obj: SceneObject) -> Axis | None:
    """The optical axis of a lens or mirror that has one, of either sign; None for others, such as a
    free outline.
    """
    match obj:
        case Glass():
            return _axis_of_outline([e.shape for e in edges_of(obj)])
        case IdealLens() | SphericalLens() | Reflector():
            axis = row_of(obj).axis(obj)
            return None if axis is None else (axis.at, axis.direction)
    return None


def _axis_of_outline(shapes: Sequence[Shape]) -> Axis | None:
    """The axis of an outline with two circular arcs, the line through their centres, or with one,
    that through its centre across the longest straight side which it meets; None if an arc does not
    cross it, or there are other curves.
    """
    arcs = [s for s in shapes if isinstance(s, Arc)]
    lines = [s for s in shapes if type(s) is Line]
    size = max((s.length for s in shapes), default=0.0)
    if not 1 <= len(arcs) <= 2 or len(arcs) + len(lines) < len(shapes):
        return None
    centre = arcs[0].centre
    if len(arcs) == 2:
        found = [arcs[1].centre] if math.dist(centre, arcs[1].centre) > 1e-9 * size else []
        faces: list[list[Shape]] = [[*arcs]]
    else:
        lines = sorted((line for line in lines if line.length > 0), key=lambda line: -line.length)
        found = [
            Point(centre.x + line.b.y - line.a.y, centre.y + line.a.x - line.b.x) for line in lines
        ]
        faces = [[arcs[0], line] for line in lines]
    for other, met in zip(found, faces, strict=False):
        at, (dx, dy) = _line(centre, other)
        reach = 2 * (size + max(arc.radius for arc in arcs) + math.dist(centre, other))
        ends = (
            np.array([[at.x - reach * dx, at.y - reach * dy]]),
            np.array([[at.x + reach * dx, at.y + reach * dy]]),
        )
        if all(len(contacts(*ends, shape).segment) for shape in met):
            return at, (dx, dy)
    return None


def _line(a: Point, b: Point) -> Axis:
    length = math.dist(a, b)
    return a, ((b.x - a.x) / length, (b.y - a.y) / length)


def _axis(objects: Sequence[SceneObject], middle: Axis | None) -> Axis:
    """The axis of an object or system, in the direction of the light. Raises NoFocus if it has none
    and no light arrives.
    """
    first = objects[0]
    ball = len(objects) == 1 and isinstance(first, CircleGlass)
    own = (first.p1, (1.0, 0.0) if middle is None else middle[1]) if ball else common_axis(objects)  # type: ignore[attr-defined]
    if own is None and middle is None:
        raise NoFocus("It has no axis of its own, and no light arrives that would give one.")
    if own is None or middle is None:
        return own or middle  # type: ignore[return-value]
    at, (dx, dy) = own
    return (at, (-dx, -dy)) if dx * middle[1][0] + dy * middle[1][1] < 0 else own


def _pencil(
    scene: Scene,
    objects: Sequence[SceneObject],
    at: Point,
    d: tuple[float, float],
    wavelength: float,
) -> LeavingBundle:
    """What leaves of a narrow parallel pencil along a direction through a point. Raises NoFocus."""
    edges = [e for obj in objects for e in edges_as_traced(obj, scene)]
    box = bounds(edges) if edges else None
    if box is None or not all(map(math.isfinite, box)):
        raise NoFocus("It has no extent.")
    size = max(box[2] - box[0], box[3] - box[1])
    half, back = (
        PENCIL * size,
        3 * size + math.dist(at, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)),
    )
    x, y = at.x - back * d[0], at.y - back * d[1]
    ux, uy = -d[1] * half, d[0] * half
    beam = Beam(
        p1=Point(x - ux, y - uy),
        p2=Point(x + ux, y + uy),
        brightness=1.0,
        wavelength=wavelength,
        name="Pencil",
    )
    _, result, leaving = lit_alone(
        scene, objects, beam, density=RAYS * scene.settings.length_scale / (2 * half)
    )
    bundles = [b for b in leaving if len(b.rows) > 1]
    if not bundles:
        raise NoFocus("No light leaves it on its axis.")
    ahead, back = np.array(d), sum(isinstance(o, Reflector) for o in objects) % 2 == 1
    onward = [
        b for b in bundles if (_mean(result.p2[b.rows] - result.p1[b.rows]) @ ahead > 0) != back
    ]
    return (onward or bundles)[0]


def lit_alone(
    scene: Scene, objects: Sequence[SceneObject], source: SceneObject, *, density: float
) -> tuple[Scene, TraceResult, list[LeavingBundle]]:
    """Some objects of a scene alone in the light of a ``source``, their trace, and the bundles that
    leave them.

    ``density``: the ray density. Rays end after `DEPTH` interactions for each object.
    """
    settings = scene.settings
    alone = Scene.of(
        [*objects, source],
        Settings(
            ray_mode_density=density,
            length_scale=settings.length_scale,
            simulate_colors=settings.simulate_colors,
            max_ray_depth=DEPTH * len(objects),
        ),
    )
    result = trace(alone, threads=1)
    met = (result.hit >= 0) & (result.hit < len(objects))
    between = straight_on(result, met) if len(objects) > 1 else np.zeros(len(result), bool)
    return alone, result, leaving_bundles(result, range(len(objects)), alone, met, between)


def _mean(d: np.ndarray) -> np.ndarray:
    mean: np.ndarray = d.mean(axis=0)
    return mean
