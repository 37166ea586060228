"""The paraxial optics of a bundle: its focal length, focal and principal points, and its conjugate
points.

They are fitted to the rays of the bundle. Few rays do not tell their aberration from the paraxial
part: for these the nominal optics of the object take over, where the light comes along its axis
through air and goes as nominal light does. So they do for the focal length of light that does not
cover the axis.
"""

from __future__ import annotations

import math

import numpy as np

from raybench.analysis.geometry.straight import cross
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.bundle import ALONG, PARALLEL, Cardinal, Conjugates, NoFocus
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.analysis.rays.nominal import Axis, Nominal, common_axis, nominal
from raybench.analysis.scene.refractive_index import index_by_colour
from raybench.distinct import distinct
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.optics.colour import GREEN
from raybench.shapes.point import Point
from raybench.trace.codes import Interaction

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
    if own is None or (len(bundle.rows) >= FEW and _covers(light, bundle, own)):
        return fitted  # without a trace for the nominal optics
    optics = _own_optics(light, index, bundle, own, fitted.axis)
    if optics is None:
        return fitted
    x, y = light.leaving_directions(bundle).mean(axis=0)
    onward = math.copysign(1.0, x * own[1][0] + y * own[1][1])
    return Cardinal(
        optics.focal_length,
        _past(optics.rear, own, onward * optics.focal_length),
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
        else _gaussian(optics, own, fitted, handedness(light, index, bundle))
    )


def nominal_of(light: Light, index: int, bundle: LeavingBundle | None = None) -> Nominal:
    """The principal planes and the focal length of an object alone in air, for the wavelength and
    the axis with which the light of a bundle arrives; without one, of the strongest light that
    does.
    """
    if bundle is not None:
        rows = distinct(bundle.arriving)
    else:
        strongest = max(light.arriving_bundles(index), key=lambda b: b.power, default=None)
        rows = strongest.rows if strongest is not None else np.empty(0, np.int64)

    def found() -> Nominal:
        middle: Axis | None = None
        wavelength = GREEN
        if len(rows):
            _, end = last_pieces(light.result, rows)
            d = light.directions(rows)
            order, n = np.argsort(cross(d[:1], end), kind="stable"), len(end)
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
        return nominal(light.scene, light.members(index), middle, wavelength)

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


def _covers(light: Light, bundle: LeavingBundle, own: Axis) -> bool:
    """Whether an optical axis runs through a bundle where that arrives."""
    (x, y), d = own
    sides = cross(np.array([d]), last_pieces(light.result, bundle.arriving)[1] - np.array([x, y]))
    return bool(sides.min() <= 0.0 <= sides.max())


def _gaussian(optics: Nominal, own: Axis, fitted: Conjugates, hand: float) -> Conjugates:
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
    foot = _past(optics.rear, own, onward / vergence)
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


def _past(at: Point, axis: Axis, distance: float) -> Point:
    """The point at a distance from another along the direction of an axis."""
    return Point(at.x + distance * axis[1][0], at.y + distance * axis[1][1])
