"""Measures of the beams at an object: of the strongest bundle that leaves it, and of the strongest
that arrives; and of where two beams cross, the axes of the strongest bundles that leave two sources
or objects.

The functions are the definitions for any bundle; tools that list several bundles use them too.
"""

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross_products
from raybench.analysis.measures.families.detector import weighted_mean
from raybench.analysis.measures.families.image import vergence
from raybench.analysis.measures.families.lens import through_rays
from raybench.analysis.measures.light import ANGULAR_ROUNDING, Bundle, Light
from raybench.analysis.measures.measure import (
    ORDER,
    TURN,
    Measure,
    Parameter,
    Role,
    Takes,
    Undefined,
    Unit,
    wrap_difference,
)
from raybench.analysis.measures.paraxial import cardinal_of, indices_of
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.analysis.rays.leaving_light import ArrivingBundle, LeavingBundle
from raybench.trace.codes import Status

OBJECT = Parameter("object", Role.OBJECT, noun="lens")
GRATING = Parameter("object", Role.SYSTEM, noun="grating")
THROUGH = Parameter("object", Role.SYSTEM, noun="prism")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def direction(light: Light, index: int, bundle: Bundle) -> float:
    """Direction of the strongest bundle that leaves an object, in (-180, 180], 0 to the right,
    counter-clockwise on screen.
    """
    x, y = mean_direction(_bundle_directions(light, bundle), _bundle_weights(light, bundle))
    return as_seen(x, y)


def displacement(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance of where the strongest transmitted bundle leaves from the line along which its light
    arrived, as of a plane plate.
    """
    start, along = first_pieces(light.result, bundle.rows)[0], light.arriving_directions(bundle)
    off = cross_products(along, start - last_pieces(light.result, bundle.arriving)[1])
    return abs(weighted_mean(off, _bundle_weights(light, bundle)))


def angular_separation(
    light: Light, index: int, source: int, other: int, order: int | None = None
) -> float:
    """Angle between the strongest bundles of two sources that leave an object, such as two colours
    behind a prism, or in one order of a grating.
    """
    orders = {
        light.order(int(b.rows[0])) for s in (source, other) for b in light.bundles(index, s)
    } - {None}
    if len(orders) > 1 and order is None:
        those = ", ".join(str(o) for o in sorted(o for o in orders if o is not None))
        raise Undefined(
            f"Light leaves {light.title(index)} in the orders {those}: give one as the last"
            " argument."
        )
    one, two = (
        direction(light, index, light.strongest(Takes.LEAVING, index, s, order))
        for s in (source, other)
    )
    return float(abs(wrap_difference(one - two, TURN)))


def _of_both(light: Light, index: int, source: int, other: int, order: int | None = None) -> Rows:
    """The segments of the strongest bundles of two sources that leave an object."""
    return np.concatenate(
        [light.strongest(Takes.LEAVING, index, s, order).rows for s in (source, other)]
    )


def divergence(light: Light, index: int, bundle: Bundle) -> float:
    """Full angle between the outermost rays of the strongest bundle that leaves an object, positive
    also if it converges.
    """
    _check_several(light, index, bundle)
    d = _bundle_directions(light, bundle)
    axis = np.array(mean_direction(d, _bundle_weights(light, bundle)))
    return float(np.ptp(np.degrees(np.arctan2(cross_products(axis[None], d), d @ axis))))


def half_angle(light: Light, index: int, bundle: Bundle) -> float:
    """Half of the full angle between the outermost rays of the strongest bundle that leaves an
    object.
    """
    return divergence(light, index, bundle) / 2


def numerical_aperture(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Refractive index times the sine of half the angle between the outermost rays of the strongest
    bundle that leaves an object.
    """
    full = light.without_noise(divergence(light, index, bundle), Unit.ANGLE)
    return abs(indices_of(light, bundle)[1]) * math.sin(math.radians(full) / 2)


def f_number(light: Light, index: int, bundle: LeavingBundle) -> float:
    """F-number, also focal ratio: the focal length, for parallel incoming light, over the full
    width of the light that arrives.
    """
    width = arriving_width(light, index, ArrivingBundle(light.result, bundle.arriving))
    if not width > 0:
        raise Undefined("The arriving light has no width.")
    return abs(cardinal_of(light, index, bundle).focal_length) / width


def deviation(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Angle from the direction of the arriving light to that of the strongest bundle that goes
    through, or that a mirror reflects, counter-clockwise on screen.
    """
    weights = _bundle_weights(light, bundle)
    ax, ay = mean_direction(light.arriving_directions(bundle), weights)
    bx, by = mean_direction(light.leaving_directions(bundle), weights)
    return as_seen(ax * bx + ay * by, ax * by - ay * bx)


def beam_power(light: Light, index: int, bundle: Bundle) -> float:
    """Power of the strongest bundle that leaves an object."""
    return bundle.power


def efficiency(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Power of the strongest bundle that leaves an object over that with which its light arrived,
    as of a diffraction order.
    """
    arrived = float(light.weights(bundle.arriving, "light arrives", arriving=True).sum())
    return bundle.power / arrived


def beam_rays(light: Light, index: int, bundle: Bundle) -> float:
    """Number of rays in the strongest bundle that leaves an object."""
    return float(len(bundle.rows))


def beam_width(light: Light, index: int, bundle: Bundle) -> float:
    """Full width, perpendicular to its mean direction, of the strongest bundle where it leaves an
    object.
    """
    return arriving_width(light, index, bundle)


def beam_x(light: Light, index: int, bundle: Bundle) -> float:
    """The x coordinate of the centroid, weighted by power, of the strongest bundle where it leaves
    an object.
    """
    return weighted_mean(_bundle_points(light, bundle)[:, 0], _bundle_weights(light, bundle))


def beam_y(light: Light, index: int, bundle: Bundle) -> float:
    """The y coordinate, downwards, of the centroid of the strongest bundle where it leaves an
    object.
    """
    return weighted_mean(_bundle_points(light, bundle)[:, 1], _bundle_weights(light, bundle))


def arriving_direction(light: Light, index: int, bundle: Bundle) -> float:
    """Direction of the strongest bundle that arrives at an object, in (-180, 180], 0 to the right,
    counter-clockwise on screen.
    """
    return direction(light, index, bundle)


def arriving_divergence(light: Light, index: int, bundle: Bundle) -> float:
    """Full angle between the outermost rays of the strongest bundle that arrives at an object,
    positive also if it converges.
    """
    return divergence(light, index, bundle)


def arriving_width(light: Light, index: int, bundle: Bundle) -> float:
    """Full width, perpendicular to its mean direction, of the strongest bundle where it arrives at
    an object.
    """
    _check_several(light, index, bundle)
    axis = np.array(
        mean_direction(_bundle_directions(light, bundle), _bundle_weights(light, bundle))
    )
    return float(np.ptp(cross_products(axis[None], _bundle_points(light, bundle))))


def leaving_axis(light: Light, bundle: LeavingBundle) -> tuple[Floats, Floats]:
    """The axis of a bundle that leaves an object: the mean point where it leaves and the mean
    direction, weighted by power, (2,) each.
    """
    weights, places = _bundle_weights(light, bundle), _bundle_points(light, bundle)
    start = np.array([weighted_mean(places[:, 0], weights), weighted_mean(places[:, 1], weights)])
    return start, np.array(mean_direction(light.leaving_directions(bundle), weights))


def mean_direction(d: Floats, weights: Floats) -> tuple[float, float]:
    """The unit direction of the weighted mean of unit directions (n, 2). Raises Undefined if they
    cancel out.
    """
    x, y = weighted_mean(d[:, 0], weights), weighted_mean(d[:, 1], weights)
    if (norm := math.hypot(x, y)) < 1e-6:
        raise Undefined("The rays run in all directions and have no mean direction.")
    return x / norm, y / norm


def as_seen(x: float, y: float) -> float:
    """The angle of a direction (y down) in degrees, in (-180, 180], 0 to the right,
    counter-clockwise on screen.
    """
    angle = math.degrees(math.atan2(-y, x))
    return angle if angle > ANGULAR_ROUNDING - 180.0 else 180.0


def _bundle_directions(light: Light, bundle: Bundle) -> Floats:
    return (
        light.leaving_directions(bundle)
        if isinstance(bundle, LeavingBundle)
        else light.directions(bundle.rows)
    )


def _bundle_points(light: Light, bundle: Bundle) -> Floats:
    """The points (k, 2) where the rays of a bundle leave or arrive."""
    if isinstance(bundle, LeavingBundle):
        return first_pieces(light.result, bundle.rows)[0]
    return last_pieces(light.result, bundle.rows)[1]


def _bundle_weights(light: Light, bundle: Bundle) -> Floats:
    return light.weights(bundle.rows, "light", arriving=isinstance(bundle, ArrivingBundle))


def _check_several(light: Light, index: int, bundle: Bundle) -> None:
    if len(bundle.rows) < 2:
        goes = "leaves" if isinstance(bundle, LeavingBundle) else "arrives at"
        raise Undefined(
            f"The strongest bundle that {goes} {light.title(index)} is a single ray. Use a source"
            " with more rays."
        )


ANGLES = (
    Measure(
        direction,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        period=TURN,
        quantity="direction of the light [from {source}] that leaves {object}",
        senses=("counter-clockwise from the right", "clockwise from the right"),
        questions=(
            "In what direction does the light leave {object}?",
            "What is the direction of the light after {object}?",
        ),
    ),
    Measure(
        angular_separation,
        Unit.ANGLE,
        (OBJECT, Parameter("source", Role.SOURCE), Parameter("other", Role.SOURCE), ORDER),
        quantity="angle between the light of {source} and of {other} that leaves {object}",
        rays=_of_both,
        questions=(
            "What is the angle between the light of {source} and of {other} after {object} [separate degrees]?",
        ),
    ),
    Measure(
        divergence,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="full angle of divergence of the light [from {source}] that leaves {object}",
        questions=(
            "What is the divergence of the light after {object}?",
            "How collimated is the light after {object} [parallel]?",
        ),
    ),
    Measure(
        half_angle,
        Unit.ANGLE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="half angle of divergence of the light [from {source}] that leaves {object}",
        questions=("What is the half angle of the light after {object}?",),
    ),
    Measure(
        numerical_aperture,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="numerical aperture of the light [from {source}] that leaves {object}",
        questions=(
            "What is the numerical aperture after {object}?",
            "What is the NA of {object}?",
        ),
    ),
    Measure(
        f_number,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="f-number of {object} for the light [from {source}] that arrives",
        rays=through_rays,
        questions=("What is the f-number of {object}?",),
    ),
    Measure(
        deviation,
        Unit.ANGLE,
        (THROUGH, SOURCE),
        Takes.ONWARD,
        period=TURN,
        quantity="angle by which {object} deviates the light [from {source}]",
        senses=("counter-clockwise", "clockwise"),
        questions=(
            "By how much does {object} deviate the light?",
            "What is the [angle of] deviation of {object}?",
        ),
        signed=True,
    ),
    Measure(
        displacement,
        Unit.LENGTH,
        (THROUGH, SOURCE),
        Takes.TRANSMITTED,
        quantity="distance by which {object} displaces the light [from {source}]",
        questions=(
            "By how much does {object} displace the light?",
            "What is the [lateral] displacement of the beam by {object}?",
        ),
    ),
    Measure(
        vergence,
        Unit.VERGENCE,
        (THROUGH, SOURCE),
        Takes.LEAVING,
        quantity="vergence of the light [from {source}] that leaves {object}",
        senses=("converging", "diverging"),
        questions=("What is the vergence of the light after {object}?",),
        signed=True,
    ),
    Measure(
        arriving_direction,
        Unit.ANGLE,
        (THROUGH, SOURCE),
        Takes.ARRIVING,
        period=TURN,
        quantity="direction of the light [from {source}] that arrives at {object}",
        senses=("counter-clockwise from the right", "clockwise from the right"),
        questions=("In what direction does the light arrive at {object}?",),
    ),
    Measure(
        arriving_divergence,
        Unit.ANGLE,
        (THROUGH, SOURCE),
        Takes.ARRIVING,
        quantity="full angle of divergence of the light [from {source}] that arrives at {object}",
        questions=("What is the divergence of the light that arrives at {object}?",),
    ),
)
SIZES = (
    Measure(
        beam_power,
        Unit.POWER,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="power of the strongest beam [from {source}] that leaves {object}",
        questions=(
            "What is the power of the beam after {object}?",
            "How much power leaves {object}?",
        ),
    ),
    Measure(
        efficiency,
        Unit.ONE,
        (GRATING, SOURCE),
        Takes.LEAVING,
        share=True,
        quantity=(
            "share of its arriving power that the strongest beam [from {source}] has when it leaves"
            " {object}"
        ),
        rays=through_rays,
        questions=("What is the [diffraction] efficiency of {object}?",),
    ),
    Measure(
        beam_rays,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="number of rays in the strongest beam [from {source}] that leaves {object}",
        questions=("How many rays are in the beam after {object}?",),
    ),
    Measure(
        beam_width,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="width of the beam [from {source}] where it leaves {object}",
        questions=("How wide is the beam after {object}?",),
    ),
    Measure(
        beam_x,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="x coordinate of the beam [from {source}] where it leaves {object}",
        questions=("What is the x coordinate of the beam after {object}?",),
    ),
    Measure(
        beam_y,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="y coordinate of the beam [from {source}] where it leaves {object}",
        senses=("y runs downwards",) * 2,
        questions=("What is the y coordinate of the beam after {object}?",),
    ),
    Measure(
        arriving_width,
        Unit.LENGTH,
        (THROUGH, SOURCE),
        Takes.ARRIVING,
        quantity="width of the beam [from {source}] where it arrives at {object}",
        questions=("How wide is the beam that arrives at {object}?",),
    ),
)


FIRST, SECOND = Parameter("first", Role.OBJECT), Parameter("second", Role.OBJECT)
BEYOND = 1e-9
"""Rounding error of where an axis ends, relative to its length."""


def crossing_x(light: Light, first: int, second: int) -> float:
    """The x coordinate of the point where the beams that leave two sources or objects cross: the
    axes of their strongest bundles, before either meets another object.
    """
    return float(_bundle_crossing(light, first, second)[0])


def crossing_y(light: Light, first: int, second: int) -> float:
    """The y coordinate, downwards, of the point where the beams that leave two sources or objects
    cross.
    """
    return float(_bundle_crossing(light, first, second)[1])


def crossing_angle(light: Light, first: int, second: int) -> float:
    """Angle between the directions of the strongest bundles that leave two sources or objects, from
    0 to 180, whether or not they cross.
    """
    (ax, ay), (bx, by) = (_beam_axis(light, index).along for index in (first, second))
    return math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


@dataclass(frozen=True, eq=False)
class _Axis:
    """The axis of a beam: where it starts, its unit direction, and its length to where it meets an
    object, infinite if it escapes.
    """

    start: Floats
    along: Floats
    length: float


def _beam_axis(light: Light, index: int) -> _Axis:
    bundle = light.strongest(Takes.LEAVING, index)
    assert isinstance(bundle, LeavingBundle)
    start, along = leaving_axis(light, bundle)
    weights = light.weights(bundle.rows, "light")
    (_, end), escapes = (
        first_pieces(light.result, bundle.rows),
        light.result.status[bundle.rows] == Status.ESCAPED,
    )
    length = math.inf if escapes.any() else weighted_mean((end - start) @ along, weights)
    return _Axis(start, along, length)


def _bundle_crossing(light: Light, first: int, second: int) -> Floats:
    one, other = _beam_axis(light, first), _beam_axis(light, second)
    names = f"{light.title(first)} and {light.title(second)}"
    turn = float(cross_products(one.along, other.along))
    if abs(turn) <= math.radians(ANGULAR_ROUNDING):
        raise Undefined(f"The beams of {names} are parallel.")
    off = other.start - one.start
    ways = (
        float(cross_products(off, other.along)) / turn,
        float(cross_products(off, one.along)) / turn,
    )
    at: Floats = one.start + ways[0] * one.along
    for axis, way, index in ((one, ways[0], first), (other, ways[1], second)):
        slack = BEYOND * (1 + abs(way))
        if not -slack <= way <= axis.length + slack:
            where = "behind where it starts" if way < 0 else "beyond the object that it meets"
            there = f"at {at[0]:.6g}, {at[1]:.6g}, for {light.title(index)} {where}"
            raise Undefined(f"The beams of {names} do not cross: their axes meet {there}.")
    return at


def _both_bundles(light: Light, first: int, second: int) -> Rows:
    """The segments of both bundles."""
    return np.concatenate([light.strongest(Takes.LEAVING, index).rows for index in (first, second)])


CROSSINGS = (
    Measure(
        crossing_x,
        Unit.LENGTH,
        (FIRST, SECOND),
        quantity="x coordinate of the point where the beams of {first} and {second} cross",
        rays=_both_bundles,
        questions=("At what x do the beams of {first} and {second} cross?",),
    ),
    Measure(
        crossing_y,
        Unit.LENGTH,
        (FIRST, SECOND),
        quantity="y coordinate of the point where the beams of {first} and {second} cross",
        senses=("y runs downwards",) * 2,
        rays=_both_bundles,
        questions=("At what y do the beams of {first} and {second} cross?",),
    ),
    Measure(
        crossing_angle,
        Unit.ANGLE,
        (FIRST, SECOND),
        quantity="angle between the beams of {first} and {second}",
        rays=_both_bundles,
        questions=(
            "At what angle do the beams of {first} and {second} cross?",
            "What is the angle between the beams of {first} and {second}?",
        ),
    ),
)
