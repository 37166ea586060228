"""Paraxial optics: of one object or a system alone in air, whatever its light (nominal), and of a
bundle of the scene.

The nominal focal length and principal planes are found by tracing narrow parallel pencils along the
axis, one in each direction, so that they hold for every kind of object.

The values of a bundle are fitted to its rays. Few rays do not tell their aberration from the
paraxial part: for these the nominal optics of the object take over, where the light comes along its
axis through air and goes as nominal light does. So they do for the focal length of light that does
not cover the axis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.contact import contacts_with
from raybench.analysis.geometry.straight import cross_products, distinct_integers
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.bundle import ALONG, PARALLEL, Cardinal, Conjugates, NoFocus
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle, leaving_bundles, straight_on
from raybench.analysis.scene.objects import edges_as_traced
from raybench.analysis.scene.surroundings import index_by_colour
from raybench.errors import in_quotes
from raybench.kinds.aspects.outlines import bounds
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.kinds import row_of
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import Beam
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc, Line, Shape
from raybench.trace.codes import Interaction
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


def nominal_optics(
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
    at, (dx, dy) = _find_axis(objects, middle)
    bundle = _leaving_pencil(scene, objects, at, (dx, dy), wavelength)
    met = bundle.result.hit[bundle.result.lineage.path(int(bundle.rows[0]))].tolist()
    for i, obj in enumerate(objects):
        if isinstance(obj, Reflector) and i not in met:
            raise NoFocus(f"Light on its axis does not meet {in_quotes(obj.title)}.")
    forward, way = bundle.lens(), bundle.way()
    if all(
        isinstance(o, Reflector) for o in objects
    ):  # light comes back: both principal planes are at the vertex
        return Nominal(forward.focal_length, forward.principal_point, forward.principal_point, way)
    backward = _leaving_pencil(scene, objects, at, (-dx, -dy), wavelength).lens()
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
        at, (dx, dy) = _line_through(centre, other)
        reach = 2 * (size + max(arc.radius for arc in arcs) + math.dist(centre, other))
        ends = (
            np.array([[at.x - reach * dx, at.y - reach * dy]]),
            np.array([[at.x + reach * dx, at.y + reach * dy]]),
        )
        if all(len(contacts_with(*ends, shape).segment) for shape in met):
            return at, (dx, dy)
    return None


def _line_through(a: Point, b: Point) -> Axis:
    length = math.dist(a, b)
    return a, ((b.x - a.x) / length, (b.y - a.y) / length)


def _find_axis(objects: Sequence[SceneObject], middle: Axis | None) -> Axis:
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


def _leaving_pencil(
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
        b
        for b in bundles
        if (_mean_direction(result.p2[b.rows] - result.p1[b.rows]) @ ahead > 0) != back
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


def _mean_direction(d: np.ndarray) -> np.ndarray:
    mean: np.ndarray = d.mean(axis=0)
    return mean


FEW = 12
"""Rays below which a fit leaves more than a ten thousandth of the aberration of a lens of f/1.8 in
its focal length.
"""


def cardinal_of(light: Light, index: int, bundle: LeavingBundle) -> Cardinal:
    """The focal length, focal and principal point for a bundle that arrives parallel. Raises
    NoFocus if it does not.
    """
    own = own_axis(light, index)
    fitted = bundle.lens(own or _through_centre(light, index, bundle))
    if own is None or (len(bundle.rows) >= FEW and _axis_in_bundle(light, bundle, own)):
        return fitted  # without a trace for the nominal optics
    optics = _own_optics(light, index, bundle, own, fitted.axis)
    if optics is None:
        return fitted
    x, y = light.leaving_directions(bundle).mean(axis=0)
    onward = math.copysign(1.0, x * own[1][0] + y * own[1][1])
    return Cardinal(
        optics.focal_length,
        _point_along_axis(optics.rear, own, onward * optics.focal_length),
        optics.rear,
        fitted.axis,
    )


def conjugates_of(light: Light, index: int, bundle: LeavingBundle) -> Conjugates:
    """The paraxial object and image point of a bundle. Raises NoFocus if its rays form no bundle."""
    own = own_axis(light, index)
    fitted = bundle.conjugates(own or _through_centre(light, index, bundle))
    optics = (
        _own_optics(light, index, bundle, own, fitted.axis_in) if len(bundle.rows) < FEW else None
    )
    return (
        fitted
        if optics is None or own is None
        else _gaussian_conjugates(optics, own, fitted, handedness(light, index, bundle))
    )


def nominal_of(light: Light, index: int, bundle: LeavingBundle | None = None) -> Nominal:
    """The principal planes and the focal length of an object alone in air, for the wavelength and
    the axis with which the light of a bundle arrives; without one, of the strongest light that
    does.
    """
    if bundle is not None:
        rows = distinct_integers(bundle.arriving)
    else:
        strongest = max(light.arriving_bundles(index), key=lambda b: b.power, default=None)
        rows = strongest.rows if strongest is not None else np.empty(0, np.int64)

    def found() -> Nominal:
        middle: Axis | None = None
        wavelength = GREEN
        if len(rows):
            _, end = last_pieces(light.result, rows)
            d = light.directions(rows)
            order, n = np.argsort(cross_products(d[:1], end), kind="stable"), len(end)
            central = order[[(n - 1) // 2, n // 2]]  # one ray, or the two beside the middle
            if (
                d[central[0]] @ d[central[1]] > 0
            ):  # not so around a source, whose light has no middle
                (x, y), (dx, dy) = (
                    end[central].mean(axis=0).tolist(),
                    d[central].mean(axis=0).tolist(),
                )
                middle = Point(x, y), (dx / math.hypot(dx, dy), dy / math.hypot(dx, dy))
            nm = float(light.result.wavelength[rows[0]])
            wavelength = GREEN if math.isnan(nm) else nm
        return nominal_optics(light.scene, light.members(index), middle, wavelength)

    return light.cached(("nominal", index, hash(rows.tobytes())), found)


def own_axis(light: Light, index: int) -> Axis | None:
    """The optical axis of an object or system; None if it has none."""
    return common_axis([light.scene.optical[i] for i in light.members(index)])


def _through_centre(light: Light, index: int, bundle: LeavingBundle) -> Axis | None:
    """The axis of a ball for a bundle: the line through its centre along which parallel light
    comes, or that through the object point. None for other objects. Raises NoFocus if the rays form
    no bundle.
    """
    ball, *others = (light.scene.optical[i] for i in light.members(index))
    if others or not isinstance(ball, CircleGlass | CircleGrinGlass):
        return None
    fitted = bundle.conjugates()
    x, y = fitted.axis_in
    if fitted.object_point is not None:
        inward = (ball.p1.x - fitted.object_point.x) * x + (ball.p1.y - fitted.object_point.y) * y
        x, y = ball.p1.x - fitted.object_point.x, ball.p1.y - fitted.object_point.y
        x, y = (x, y) if inward > 0 else (-x, -y)
    norm = math.hypot(x, y)
    return (ball.p1, (x / norm, y / norm)) if norm > 0 else None


def on_axis(own: Axis | None, at: Point, along: tuple[float, float]) -> Axis:
    """The line along which the distance of a point counts, with its direction onward: an optical
    axis, at the foot of the point, else the light ``along`` which the point lies.
    """
    if own is None:
        return at, along
    (x, y), (dx, dy) = own
    foot = (at.x - x) * dx + (at.y - y) * dy
    sign = 1.0 if dx * along[0] + dy * along[1] > 0 else -1.0
    return Point(x + foot * dx, y + foot * dy), (sign * dx, sign * dy)


def indices_of(light: Light, bundle: LeavingBundle) -> tuple[float, float]:
    """The refractive indices just before the first and just after the last surface of a bundle."""
    result = light.result
    before, after = last_pieces(result, bundle.arriving[:1]), first_pieces(result, bundle.rows[:1])
    (n_in,), (n_out,) = index_by_colour(
        light.scene, result.wavelength[bundle.rows[:1]], before[0] + 0.999999 * (before[1] - before[0]),
        after[0] + 1e-6 * (after[1] - after[0]), disabled=light.disabled,
    )  # fmt: skip
    return float(n_in), float(n_out)


def in_air(light: Light, bundle: LeavingBundle) -> bool:
    """Whether a bundle arrives and leaves through index 1."""
    return max(abs(n - 1.0) for n in indices_of(light, bundle)) <= 1e-9


def _own_optics(
    light: Light, index: int, bundle: LeavingBundle, own: Axis | None, along: tuple[float, float]
) -> Nominal | None:
    """The nominal optics of a bundle that comes along the object's own axis through air and goes as
    nominal light does; else None.
    """
    if (
        own is None
        or abs(along[0] * own[1][1] - along[1] * own[1][0]) > ALONG
        or not in_air(light, bundle)
    ):
        return None
    try:
        optics = nominal_of(light, index, bundle)
    except NoFocus:
        return None
    return optics if optics.way == bundle.way() else None


def _axis_in_bundle(light: Light, bundle: LeavingBundle, own: Axis) -> bool:
    """Whether an optical axis runs through a bundle where that arrives."""
    (x, y), d = own
    sides = cross_products(
        np.array([d]), last_pieces(light.result, bundle.arriving)[1] - np.array([x, y])
    )
    return bool(sides.min() <= 0.0 <= sides.max())


def _gaussian_conjugates(optics: Nominal, own: Axis, fitted: Conjugates, hand: float) -> Conjugates:
    """The conjugates by 1/s' = 1/f - 1/s from the principal planes (Hecht, section 6.1; Born &
    Wolf, section 4.4.3), with the object point of a fit. ``hand``: -1 if an odd number of
    reflections reverses left and right, else 1.
    """
    (x, y), (dx, dy) = own
    inward = math.copysign(1.0, fitted.axis_in[0] * dx + fitted.axis_in[1] * dy)
    onward = math.copysign(1.0, fitted.axis_out[0] * dx + fitted.axis_out[1] * dy)
    vergence = 1.0 / optics.focal_length
    at = fitted.object_point
    if at is None:
        sine = dx * fitted.axis_in[1] - dy * fitted.axis_in[0]
        height, ratio = optics.focal_length * inward * sine / math.sqrt(1.0 - sine * sine), None
    else:
        before = inward * ((optics.front.x - at.x) * dx + (optics.front.y - at.y) * dy)
        if before == 0.0:
            return fitted  # the object lies in the principal plane, and so does its image
        vergence -= 1.0 / before
        if abs(vergence * before) <= PARALLEL:
            return Conjugates(at, fitted.axis_in, None, fitted.axis_out, None)
        magnification = -1.0 / (vergence * before)
        height, ratio = magnification * (dx * (at.y - y) - dy * (at.x - x)), magnification * hand
    foot = _point_along_axis(optics.rear, own, onward / vergence)
    return Conjugates(
        at,
        fitted.axis_in,
        Point(foot.x - height * dy, foot.y + height * dx),
        fitted.axis_out,
        ratio,
    )


def handedness(light: Light, index: int, bundle: LeavingBundle) -> float:
    """-1 where an odd number of reflections reverses left and right, else 1."""
    result, path = light.result, light.result.lineage.path(int(bundle.rows[0]))
    inside = result.interaction[path[path.index(int(bundle.arriving[0])) + 2 :]]
    reflections = int(np.isin(inside, (Interaction.REFLECT, Interaction.TIR)).sum()) + (
        not light.goes_through(bundle, index)
    )
    return -1.0 if reflections % 2 else 1.0


def _point_along_axis(at: Point, axis: Axis, distance: float) -> Point:
    """The point at a distance from another along the direction of an axis."""
    return Point(at.x + distance * axis[1][0], at.y + distance * axis[1][1])
