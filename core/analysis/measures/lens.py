"""Measures of imaging: focus, focal length, conjugate distances and magnification, for the strongest bundle that leaves an object.

The functions on a bundle (``image_distance_of`` and others) are the definitions; tools that list several bundles use them too.
"""

from __future__ import annotations

import math

import numpy as np

from core.analysis.geometry.contact import contacts
from core.analysis.geometry.straight import Floats, Rows, cross
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.rays.bundle import PARALLEL, Conjugates, Focus
from core.analysis.rays.incidence import first_pieces, last_pieces
from core.analysis.rays.leaving_light import LeavingBundle
from core.analysis.rays.nominal import Axis, Nominal, nominal, optical_axis
from core.analysis.scene.refractive_index import GREEN, index_by_colour
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import IdealMirror
from core.shapes.point import Point
from core.trace.codes import Interaction

OBLIQUE = 30.0
"""Degrees from the axis of a lens or mirror within which distances are measured along that axis; beyond, along the beam."""
OFF_AXIS = 1e-3
"""Angle, rad, from the axis beyond which the magnification is the ratio of heights above it."""
OBJECT = Parameter("object", Role.SURFACE)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def focus(light: Light, index: int, source: int | None = None) -> float:
    """Distance along the beam from an object's last surface to the best focus (least RMS width) of its strongest bundle, negative if
    virtual."""
    return focus_of(light, index, light.strongest(index, source))


def focus_x(light: Light, index: int, source: int | None = None) -> float:
    """The x coordinate of the best focus of the strongest bundle."""
    return _best(light, index, source).point.x


def focus_y(light: Light, index: int, source: int | None = None) -> float:
    """The y coordinate, downwards, of the best focus of the strongest bundle."""
    return _best(light, index, source).point.y


def spot_rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, of the rays from their mean at the best focus."""
    return _best(light, index, source).rms


def spot_width(light: Light, index: int, source: int | None = None) -> float:
    """Full width of the strongest bundle at its best focus."""
    return _best(light, index, source).width


def focal_length(light: Light, index: int, source: int | None = None) -> float:
    """Paraxial focal length, from the principal plane, for parallel incoming light; positive if converging."""
    return light.strongest(index, source).lens().focal_length


def back_focal_length(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the last surface to the paraxial focal point, for parallel incoming light."""
    bundle = light.strongest(index, source)
    cardinal = bundle.lens()
    x, y = cardinal.axis
    mean = light.leaving_directions(bundle).sum(axis=0)
    onward = 1.0 if mean[0] * x + mean[1] * y > 0 else -1.0  # after a mirror light runs against the axis
    return _from_surface(light, index, bundle.rows, cardinal.focal_point, (onward * x, onward * y))


def image_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the last surface to the paraxial image, where rays close to the middle one meet; negative if virtual. Along
    the axis of a lens or mirror, or along the beam if that runs more than 30° from it."""
    return image_distance_of(light, index, light.strongest(index, source))


def object_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the paraxial object point, where the light comes from, to the first surface; negative if virtual. Along
    the same line as the image distance."""
    return object_distance_of(light, index, light.strongest(index, source))


def magnification(light: Light, index: int, source: int | None = None) -> float:
    """Paraxial transverse magnification; negative if the image is inverted."""
    return magnification_of(light, index, light.strongest(index, source))


def marginal_focus(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the last surface to where the outermost rays of the strongest bundle cross its middle ray; negative if virtual."""
    return marginal_focus_of(light, index, light.strongest(index, source))


def spherical_aberration(light: Light, index: int, source: int | None = None) -> float:
    """Longitudinal spherical aberration: the marginal focus minus the paraxial one, negative where a lens is undercorrected."""
    bundle = light.strongest(index, source)
    return marginal_focus_of(light, index, bundle) - image_distance_of(light, index, bundle)


def nominal_focal_length(light: Light, index: int) -> float:
    """Paraxial focal length of an object alone in air, of whatever light it is lit; positive if converging."""
    return nominal_of(light, index).focal_length


def principal_object_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the paraxial object point to the front principal plane of the object alone in air; negative if virtual."""
    return principal_distances_of(light, index, light.strongest(index, source))[0]


def principal_image_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the rear principal plane of the object alone in air to the paraxial image; negative if virtual."""
    return principal_distances_of(light, index, light.strongest(index, source))[1]


def focus_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The distance to the best focus of a bundle, as `focus`."""
    best = bundle.focus()
    return _from_surface(light, index, bundle.rows, best.point, best.axis)


def image_distance_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The distance to the paraxial image of a bundle, as `image_distance`."""
    conjugates = bundle.conjugates()
    if conjugates.image_point is None:
        raise Undefined(f"The light leaves {light.title(index)} parallel: its image is at infinity.")
    at, axis = _on_axis(light, index, conjugates, conjugates.image_point, conjugates.axis_out)
    return _from_surface(light, index, bundle.rows, at, axis)


def object_distance_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The distance of the paraxial object point of a bundle, as `object_distance`."""
    conjugates = bundle.conjugates()
    if conjugates.object_point is None:
        raise Undefined(f"The light arrives at {light.title(index)} parallel: its object is at infinity.")
    at, axis = _on_axis(light, index, conjugates, conjugates.object_point, conjugates.axis_in)
    return -_from_surface(light, index, bundle.arriving, at, axis)


def _axis_for(light: Light, index: int, conjugates: Conjugates) -> Axis | None:
    """The object's own optical axis if distances are measured along it, None if along the beam, as for oblique light on a curved mirror."""
    obj = light.scene.optical[index]
    own = optical_axis(obj)
    if own is None or isinstance(obj, IdealLens | IdealMirror):
        return own
    cosines = [abs(d[0] * own[1][0] + d[1] * own[1][1]) for d in (conjugates.axis_in, conjugates.axis_out)]
    return own if min(cosines) >= math.cos(math.radians(OBLIQUE)) else None


def _on_axis(light: Light, index: int, conjugates: Conjugates, at: Point, along: tuple[float, float]) -> tuple[Point, tuple[float, float]]:
    """The foot of a point on the line along which its distance counts, and the line's direction, onward: the object's axis or the beam."""
    own = _axis_for(light, index, conjugates)
    if own is None:
        return at, along
    (x, y), (dx, dy) = own
    foot = (at.x - x) * dx + (at.y - y) * dy
    sign = 1.0 if dx * along[0] + dy * along[1] > 0 else -1.0
    return Point(x + foot * dx, y + foot * dy), (sign * dx, sign * dy)


def vergence_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The refractive index over the distance to the paraxial image of a bundle (Hecht, section 5.7.2), as `vergence`."""
    if bundle.conjugates().image_point is None:
        return 0.0
    distance = light.without_noise(image_distance_of(light, index, bundle), Unit.LENGTH)
    if distance == 0:
        raise Undefined(f"The light comes to its image on the surface of {light.title(index)}.")
    return _indices(light, bundle)[1] / distance


def magnification_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The paraxial transverse magnification of a bundle, as `magnification`."""
    conjugates = bundle.conjugates()
    if conjugates.slope_ratio is None:
        which, end = ("arrives", "object") if conjugates.object_point is None else ("leaves", "image")
        raise Undefined(f"The light {which} parallel: its {end} is at infinity. Use a point source that {light.title(index)} images.")
    result, row, arrived = light.result, int(bundle.rows[0]), int(bundle.arriving[0])
    own = _axis_for(light, index, conjugates)
    if own is not None and conjugates.object_point is not None and conjugates.image_point is not None:
        (x, y), (dx, dy) = own
        heights = [dx * (p.y - y) - dy * (p.x - x) for p in (conjugates.object_point, conjugates.image_point)]
        if abs(heights[0]) > OFF_AXIS * math.dist(conjugates.object_point, (x, y)):
            return heights[1] / heights[0]
    n_in, n_out = _indices(light, bundle)
    path = result.lineage.path(row)
    inside = result.interaction[path[path.index(arrived) + 2 :]]
    reflections = int(np.isin(inside, (Interaction.REFLECT, Interaction.TIR)).sum()) + (not light.goes_through(bundle, index))
    return n_in / n_out * conjugates.slope_ratio * (-1.0 if reflections % 2 else 1.0)


def marginal_focus_of(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The distance to where the outermost rays of a bundle cross its middle ray, the mean of both sides, as `marginal_focus`."""
    conjugates = bundle.conjugates()
    if conjugates.image_point is None:
        raise Undefined(f"The light leaves {light.title(index)} parallel: it has no paraxial focus to compare with.")
    on_axis, axis = np.array(conjugates.image_point), np.array(conjugates.axis_out)
    entry = last_pieces(light.result, bundle.arriving)[1]
    across = cross(np.array(conjugates.axis_in)[None], entry)
    height = across - (across.max() + across.min()) / 2
    start, end = first_pieces(light.result, bundle.rows)
    crossings = []
    for k in {int(height.argmin()), int(height.argmax())}:
        d = end[k] - start[k]
        turn = float(cross(axis, d))
        if abs(turn) <= PARALLEL * float(np.hypot(*d)):
            raise Undefined("The outermost rays run parallel to the middle one and do not cross it.")
        crossings.append(float(cross(start[k] - on_axis, d)) / turn)
    at = on_axis + float(np.mean(crossings)) * axis
    return _from_surface(light, index, bundle.rows, *_on_axis(light, index, conjugates, Point(*at.tolist()), conjugates.axis_out))


def principal_distances_of(light: Light, index: int, bundle: LeavingBundle) -> tuple[float, float]:
    """The object's distance from the front and the image's from the rear principal plane; infinite at infinity."""
    conjugates, nominal = bundle.conjugates(), nominal_of(light, index)
    if max(abs(n - 1.0) for n in _indices(light, bundle)) > 1e-9:
        raise Undefined(f"{light.title(index)} is not in air: its principal planes are those of the object alone in air.")
    before = after = math.inf
    if conjugates.object_point is not None:
        at, axis = _on_axis(light, index, conjugates, conjugates.object_point, conjugates.axis_in)
        before = (nominal.front.x - at.x) * axis[0] + (nominal.front.y - at.y) * axis[1]
    if conjugates.image_point is not None:
        at, axis = _on_axis(light, index, conjugates, conjugates.image_point, conjugates.axis_out)
        after = (at.x - nominal.rear.x) * axis[0] + (at.y - nominal.rear.y) * axis[1]
    return before, after


def nominal_of(light: Light, index: int) -> Nominal:
    """The principal planes and the focal length of an object alone in air, for the wavelength and the axis of its strongest light."""

    def found() -> Nominal:
        bundle = max(light.arriving_bundles(index), key=lambda b: b.power, default=None)
        middle: tuple[Point, tuple[float, float]] | None = None
        wavelength = GREEN
        if bundle is not None:
            _, end = last_pieces(light.result, bundle.rows)
            d = light.directions(bundle.rows)
            order, n = np.argsort(cross(d[:1], end), kind="stable"), len(end)
            central = order[[(n - 1) // 2, n // 2]]  # one ray, or the two beside the middle
            (x, y), (dx, dy) = end[central].mean(axis=0).tolist(), d[central].mean(axis=0).tolist()
            middle = Point(x, y), (dx / math.hypot(dx, dy), dy / math.hypot(dx, dy))
            nm = float(light.result.wavelength[bundle.rows[0]])
            wavelength = GREEN if math.isnan(nm) else nm
        return nominal(light.scene, index, middle, wavelength)

    return light.cached(("nominal", index), found)


def _indices(light: Light, bundle: LeavingBundle) -> tuple[float, float]:
    """The refractive indices just before the first and just after the last surface of a bundle."""
    result = light.result
    before, after = last_pieces(result, bundle.arriving[:1]), first_pieces(result, bundle.rows[:1])
    (n_in,), (n_out,) = index_by_colour(
        light.scene, result.wavelength[bundle.rows[:1]], before[0] + 0.999999 * (before[1] - before[0]),
        after[0] + 1e-6 * (after[1] - after[0]), disabled=light.disabled,
    )  # fmt: skip
    return float(n_in), float(n_out)


def _best(light: Light, index: int, source: int | None) -> Focus:
    return light.strongest(index, source).focus()


def _from_surface(light: Light, index: int, rows: Rows, point: Point, axis: tuple[float, float]) -> float:
    """The signed distance of a point, along an axis through it, after the surface on which ``rows`` start, or otherwise end."""
    result = light.result
    starts = result.hit[result.parent[rows[0]]] == index if result.parent[rows[0]] >= 0 else False
    ends = first_pieces(result, rows)[0] if starts else last_pieces(result, rows)[1]
    edge = int(result.edge[result.parent[rows[0]] if starts else rows[0]])
    ax, at = np.array(axis), np.array(point)
    along = (ends - at) @ ax
    middle, reach = float(along.mean()), float(np.abs(along).max() + np.ptp(ends, axis=0).max() + 1.0)
    shape = next(e.shape for e in light.edges(index) if e.index == edge)
    line = (at - 2 * reach * ax)[None], (at + 2 * reach * ax)[None]
    crossings: Floats = contacts(*line, shape).along - 2 * reach
    # if the axis misses the surface, as for an off-axis part of a lens, the middle of the rays' points on it is used instead
    vertex: float = min(crossings.tolist(), key=lambda x: abs(x - middle), default=middle)
    return -vertex


MEASURES = (
    Measure(focus, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focus_x, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focus_y, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(spot_rms, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(spot_width, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focal_length, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(back_focal_length, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(object_distance, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(image_distance, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(magnification, Unit.ONE, (OBJECT, SOURCE)),
    Measure(marginal_focus, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(spherical_aberration, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(nominal_focal_length, Unit.LENGTH, (OBJECT,)),
    Measure(principal_object_distance, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(principal_image_distance, Unit.LENGTH, (OBJECT, SOURCE)),
)
