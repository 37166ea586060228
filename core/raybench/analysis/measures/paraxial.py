"""Paraxial optics of an object or system: *nominal*, alone in air for axial light, or of one bundle
in the scene.

The nominal focal length and principal planes are found by tracing narrow parallel pencils along the
axis, one in each direction. This works for every kind of object.

The values of a bundle are fitted to its rays. If a bundle has few rays, or does not cover the axis,
the fit cannot separate aberration from the paraxial part. Then the nominal optics are used, if the
bundle arrives along the axis through air and has the interactions of nominal light.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from raybench.analysis.geometry.straight import Rows, cross_products, distinct_integers
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Undefined
from raybench.analysis.measures.optical_axis import Axis, common_axis
from raybench.analysis.measures.selections import MeasuredObject, ObjectBeam
from raybench.analysis.rays.bundle import ALONG, PARALLEL, CardinalPoints, Conjugates, NoFocus
from raybench.analysis.rays.leaving_light import (
    LeavingBundle,
    leaving_bundles,
    segments_straight_between_objects,
)
from raybench.analysis.scene.objects import edges_as_traced
from raybench.analysis.scene.surroundings import refractive_indices_by_colour
from raybench.errors import in_quotes
from raybench.kinds.aspects.outlines import edges_bounding_box
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.mirrors import Reflector
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam
from raybench.optics.colour import GREEN
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import first_straight_pieces, last_straight_pieces
from raybench.trace.trace import trace

PENCIL = 1e-4
"""Half the width of a pencil, relative to the object's size: its aberration is about 1e-8 of the
focal length.
"""
PENCIL_RAYS = 9
"""Rays of a pencil."""
DEPTH = 40
"""Interactions with each object of a system after which rays end: a prism or a rod may reflect
light several times.
"""


@dataclass(frozen=True, slots=True)
class NominalFocus:
    """The focal length of an object in air, positive if converging, and its front and rear
    principal points on the axis. ``interactions`` are the interactions of the light, see
    `LeavingBundle.interaction_codes`. Light with other interactions, such as a reflection at the
    front of a lens, has other values.
    """

    focal_length: float
    front_principal_point: Point
    rear_principal_point: Point
    interactions: tuple[tuple[int, int], ...]


def nominal_optics(
    scene: Scene, members: Sequence[int], middle: Axis | None, wavelength: float
) -> NominalFocus:
    """The nominal optics of the object or system with the optical objects ``members``.

    Raises NoFocus if it has no focal length, as a plane plate, a flat mirror or a telescope, or if
    axial light does not meet all of its mirrors.

    ``middle`` is the middle ray of the arriving light. It is the axis of an object without an axis
    of its own, such as a free outline; for other objects it tells which side is the front.
    ``wavelength`` is in nm.
    """
    objects = [scene.optical[i] for i in members]
    at, (dx, dy) = _find_axis(objects, middle)
    bundle = _trace_parallel_pencil(scene, objects, at, (dx, dy), wavelength)
    met = bundle.result.hit[bundle.result.lineage.path(int(bundle.rows[0]))].tolist()
    for i, obj in enumerate(objects):
        if isinstance(obj, Reflector) and i not in met:
            raise NoFocus(f"Light on its axis does not meet {in_quotes(obj.title)}.")
    forward, way = bundle.cardinal_points(), bundle.interaction_codes()
    if all(
        isinstance(o, Reflector) for o in objects
    ):  # light comes back: both principal planes are at the vertex
        return NominalFocus(
            forward.focal_length, forward.principal_point, forward.principal_point, way
        )
    backward = _trace_parallel_pencil(scene, objects, at, (-dx, -dy), wavelength).cardinal_points()
    return NominalFocus(
        forward.focal_length, backward.principal_point, forward.principal_point, way
    )


def _find_axis(objects: Sequence[SceneObject], middle: Axis | None) -> Axis:
    """The axis of an object or system, in the direction of the light. Raises NoFocus if there is
    neither an axis nor arriving light.
    """
    own = common_axis(objects)
    if len(objects) == 1 and isinstance(ball := objects[0], CircleGlass):
        own = ball.p1, (1.0, 0.0) if middle is None else middle[1]
    if own is None and middle is None:
        raise NoFocus("It has no axis of its own, and no light arrives that would give one.")
    if own is None or middle is None:
        return own or middle  # type: ignore[return-value]
    at, (dx, dy) = own
    return (at, (-dx, -dy)) if dx * middle[1][0] + dy * middle[1][1] < 0 else own


def _trace_parallel_pencil(
    scene: Scene,
    objects: Sequence[SceneObject],
    point: Point,
    direction: tuple[float, float],
    wavelength: float,
) -> LeavingBundle:
    """Trace a narrow parallel pencil through ``point`` in ``direction``, and return the bundle that
    leaves the objects. Raises NoFocus.
    """
    edges = [e for obj in objects for e in edges_as_traced(obj, scene)]
    box = edges_bounding_box(edges) if edges else None
    if box is None or not all(map(math.isfinite, box)):
        raise NoFocus("It has no extent.")
    size = max(box[2] - box[0], box[3] - box[1])
    half, back = (
        PENCIL * size,
        3 * size + math.dist(point, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)),
    )
    x, y = point.x - back * direction[0], point.y - back * direction[1]
    ux, uy = -direction[1] * half, direction[0] * half
    beam = Beam(
        p1=Point(x - ux, y - uy),
        p2=Point(x + ux, y + uy),
        brightness=1.0,
        wavelength=wavelength,
        name="Pencil",
    )
    _, result, leaving = trace_objects_alone(
        scene, objects, beam, density=PENCIL_RAYS * scene.settings.length_scale / (2 * half)
    )
    bundles = [b for b in leaving if len(b.rows) > 1]
    if not bundles:
        raise NoFocus("No light leaves it on its axis.")
    ahead, back = np.array(direction), sum(isinstance(o, Reflector) for o in objects) % 2 == 1
    onward = [
        b
        for b in bundles
        if ((result.p2[b.rows] - result.p1[b.rows]).mean(axis=0) @ ahead > 0) != back
    ]
    return (onward or bundles)[0]


def trace_objects_alone(
    scene: Scene, objects: Sequence[SceneObject], source: SceneObject, *, density: float
) -> tuple[Scene, TraceResult, list[LeavingBundle]]:
    """Trace some objects of a scene without the others, in the light of ``source``. Returns the
    reduced scene, its trace, and the bundles that leave the objects.

    ``density`` is the ray density. Rays end after `DEPTH` interactions for each object.
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
    between = (
        segments_straight_between_objects(result, met)
        if len(objects) > 1
        else np.zeros(len(result), bool)
    )
    return alone, result, leaving_bundles(result, range(len(objects)), alone, met, between)


FIT_RAYS = 12
"""Rays below which a fit leaves more than a ten thousandth of the aberration of a lens of f/1.8 in
its focal length.
"""


def cardinal_points_from_beam(beam: ObjectBeam) -> CardinalPoints:
    """The focal length, focal point and principal point for a parallel bundle. Raises NoFocus if
    the bundle does not arrive parallel.
    """
    own = beam.optical_axis
    fitted = beam.leaving_bundle.cardinal_points(own or _axis_through_centre(beam))
    if own is None or (len(beam.rows) >= FIT_RAYS and _axis_runs_through_bundle(beam, own)):
        return fitted  # without a trace for the nominal optics
    optics = _optics_along_own_axis(beam, own, fitted.axis)
    if optics is None:
        return fitted
    x, y = beam.directions.mean(axis=0)
    onward = math.copysign(1.0, x * own[1][0] + y * own[1][1])
    return CardinalPoints(
        optics.focal_length,
        _point_along_axis(optics.rear_principal_point, own, onward * optics.focal_length),
        optics.rear_principal_point,
        fitted.axis,
    )


def conjugates_from_beam(beam: ObjectBeam) -> Conjugates:
    """The paraxial object point and image point of a bundle. For an extended source they are those
    of the rays from one point, see `rays_from_one_point`. Raises NoFocus if the rays form no
    bundle.
    """
    beam, own = rays_from_one_point(beam), beam.optical_axis
    fitted = beam.leaving_bundle.conjugates(own or _axis_through_centre(beam))
    if own is None or len(beam.rows) >= FIT_RAYS:
        return fitted
    optics = _optics_along_own_axis(beam, own, fitted.axis_in)
    return fitted if optics is None else _gaussian_conjugates(optics, own, fitted, handedness(beam))


def rays_from_one_point(beam: ObjectBeam) -> ObjectBeam:
    """The rays of a bundle that come from one point of an extended source that emits a cone of rays
    at each point: the point nearest to the optical axis or, without an axis, the middle point. For
    other sources the bundle is unchanged.
    """
    light, result, bundle = beam.light, beam.light.result, beam.leaving_bundle
    sources = set(result.source[bundle.rows].tolist())
    lamps = [light.scene.optical[i] for i in sources if i >= 0]
    if not lamps or not all(isinstance(o, Beam) and o.emis_angle > 0 for o in lamps):
        return beam
    starts = result.p1[result.lineage.root[bundle.rows]]
    points, which = np.unique(starts, axis=0, return_inverse=True)
    which = which.reshape(-1)
    several = np.bincount(which) > 1
    if not several.any():
        return beam
    own = beam.optical_axis
    if own is None:
        off = np.hypot(*(points - (starts.min(axis=0) + starts.max(axis=0)) / 2).T)
    else:
        off = np.abs(cross_products(np.array([own[1]]), points - np.array(own[0])))
    here = which == int(np.where(several, off, np.inf).argmin())
    part = replace(bundle, rows=bundle.rows[here], arriving=bundle.arriving[here])
    return replace(beam, bundle=part)


def nominal_optics_for_light(measured: MeasuredObject) -> NominalFocus:
    """The focal length and principal planes of an object alone in air, for the wavelength and axis
    of the given bundle or, without a bundle, of the strongest light that arrives.
    """
    light, index = measured.light, measured.index
    if isinstance(measured, ObjectBeam):
        rows = distinct_integers(measured.arriving_rows())
    else:
        strongest = max(light.arriving_bundles(index), key=lambda b: b.power, default=None)
        rows = np.empty(0, np.int64) if strongest is None else strongest.rows

    def compute_nominal() -> NominalFocus:
        wavelength = float(light.result.wavelength[rows[0]]) if len(rows) else math.nan
        return nominal_optics(
            light.scene,
            light.members(index),
            _middle_ray_of_segments(light, rows),
            GREEN if math.isnan(wavelength) else wavelength,
        )

    return light.cached_value(("nominal", index, hash(rows.tobytes())), compute_nominal)


def _middle_ray_of_segments(light: Light, rows: Rows) -> Axis | None:
    """The middle ray of the segments ``rows``, or the mean of the two middle rays. None if the rays
    surround their source.
    """
    if not len(rows):
        return None
    end, d = last_straight_pieces(light.result, rows)[1], light.directions(rows)
    order = np.argsort(cross_products(d[:1], end), kind="stable")
    central = order[[(len(end) - 1) // 2, len(end) // 2]]
    if d[central[0]] @ d[central[1]] <= 0:
        return None
    (x, y), (dx, dy) = end[central].mean(axis=0).tolist(), d[central].mean(axis=0).tolist()
    return Point(x, y), (dx / math.hypot(dx, dy), dy / math.hypot(dx, dy))


def _axis_through_centre(beam: ObjectBeam) -> Axis | None:
    """For a ball, the axis of a bundle: through the centre of the ball, towards the object point or
    parallel to the arriving light. None for other objects. Raises NoFocus if the rays form no
    bundle.
    """
    ball, *others = beam.members
    if others or not isinstance(ball, CircleGlass | CircleGrinGlass):
        return None
    fitted = beam.leaving_bundle.conjugates()
    x, y = fitted.axis_in
    if fitted.object_point is not None:
        dx, dy = ball.p1.x - fitted.object_point.x, ball.p1.y - fitted.object_point.y
        x, y = (dx, dy) if dx * x + dy * y > 0 else (-dx, -dy)
    norm = math.hypot(x, y)
    return (ball.p1, (x / norm, y / norm)) if norm > 0 else None


def outer_refractive_indices(beam: ObjectBeam) -> tuple[float, float]:
    """The refractive indices before the first and after the last surface that a bundle passes."""
    light, result = beam.light, beam.light.result
    before, after = (
        last_straight_pieces(result, beam.arriving_rows()[:1]),
        first_straight_pieces(result, beam.rows[:1]),
    )
    (n_in,), (n_out,) = refractive_indices_by_colour(
        light.scene,
        result.wavelength[beam.rows[:1]],
        before[0] + 0.999999 * (before[1] - before[0]),
        after[0] + 1e-6 * (after[1] - after[0]),
        disabled=light.disabled,
    )
    return float(n_in), float(n_out)


def bundle_is_in_air(beam: ObjectBeam) -> bool:
    """Whether the refractive index is 1 where a bundle arrives and where it leaves."""
    return max(abs(n - 1.0) for n in outer_refractive_indices(beam)) <= 1e-9


def check_in_air(beam: ObjectBeam) -> None:
    """Raise Undefined if an object is not in air. Its principal planes are computed for air
    only.
    """
    if not bundle_is_in_air(beam):
        raise Undefined(
            f"{beam.title} is not in air: its principal planes are those of the object alone in air."
        )


def _optics_along_own_axis(
    beam: ObjectBeam, own: Axis, along: tuple[float, float]
) -> NominalFocus | None:
    """The nominal optics of an object if a bundle arrives along its axis through air and has the
    interactions of nominal light; else None.
    """
    if abs(along[0] * own[1][1] - along[1] * own[1][0]) > ALONG or not bundle_is_in_air(beam):
        return None
    try:
        optics = nominal_optics_for_light(beam)
    except NoFocus:
        return None
    return optics if optics.interactions == beam.leaving_bundle.interaction_codes() else None


def _axis_runs_through_bundle(beam: ObjectBeam, own: Axis) -> bool:
    """Whether the optical axis lies within a bundle where the bundle arrives."""
    sides = cross_products(np.array([own[1]]), beam.entry_points - np.array(own[0]))
    return bool(sides.min() <= 0.0 <= sides.max())


def _gaussian_conjugates(
    optics: NominalFocus, own: Axis, fitted: Conjugates, hand: float
) -> Conjugates:
    """The fitted object point, and its image point by 1/s' = 1/f - 1/s with the nominal principal
    planes (Hecht, section 6.1; Born & Wolf, section 4.4.3). ``hand`` is the `handedness`.
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
        before = inward * (
            (optics.front_principal_point.x - at.x) * dx
            + (optics.front_principal_point.y - at.y) * dy
        )
        if before == 0.0:
            return fitted  # the object lies in the principal plane, and so does its image
        vergence -= 1.0 / before
        if abs(vergence * before) <= PARALLEL:
            return Conjugates(at, fitted.axis_in, None, fitted.axis_out, None)
        magnification = -1.0 / (vergence * before)
        height, ratio = magnification * (dx * (at.y - y) - dy * (at.x - x)), magnification * hand
    foot = _point_along_axis(optics.rear_principal_point, own, onward / vergence)
    return Conjugates(
        at,
        fitted.axis_in,
        Point(foot.x - height * dy, foot.y + height * dx),
        fitted.axis_out,
        ratio,
    )


def handedness(beam: ObjectBeam) -> float:
    """-1 if reflections exchange left and right in a bundle, else 1."""
    bundle = beam.leaving_bundle
    inside = beam.light.result.interaction[bundle.first_ray_segments[2:]]
    reflections = int(np.isin(inside, (Interaction.REFLECT, Interaction.TIR)).sum())
    reflections += not beam.light.select_bundles_going_through([bundle], beam.index)
    return -1.0 if reflections % 2 else 1.0


def _point_along_axis(at: Point, axis: Axis, distance: float) -> Point:
    """The point at a signed distance from the point ``at`` in the direction of an axis."""
    return Point(at.x + distance * axis[1][0], at.y + distance * axis[1][1])
