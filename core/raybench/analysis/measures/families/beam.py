"""Measures of the strongest beam that leaves an object or arrives at it, and of the point where two
beams cross.
"""

import math
from dataclasses import dataclass

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows, cross_products
from raybench.analysis.measures.families.image import vergence
from raybench.analysis.measures.light import ANGULAR_ROUNDING, Light
from raybench.analysis.measures.measure import (
    ORDER,
    SOURCE,
    TURN,
    BundleChoice,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
    wrap_difference,
)
from raybench.analysis.measures.paraxial import cardinal_points_from_beam, outer_refractive_indices
from raybench.analysis.measures.selections import (
    ArrivingLight,
    MeasuredObject,
    ObjectBeam,
    mean_direction,
    weighted_mean,
)
from raybench.trace.codes import Status
from raybench.trace.results.straight_pieces import first_straight_pieces

OBJECT = Parameter("object", Role.OBJECT, noun="lens")
GRATING = Parameter("object", Role.SYSTEM, noun="grating")
PRISM = Parameter("object", Role.SYSTEM, noun="prism")
ARRIVING_ANGLES: Family = Family(
    "Angles of light that arrives at an object",
    (PRISM, SOURCE),
    ObjectBeam,
    BundleChoice.ARRIVING,
    by_path=True,
    needs=RowsNeeded.ARRIVING,
)
ANGLES: Family = Family(
    "Angles of a beam at an object",
    (OBJECT, SOURCE),
    ObjectBeam,
    BundleChoice.LEAVING,
    by_path=True,
    needs=RowsNeeded.LEAVING,
)
SIZES: Family = Family(
    "Size of a beam at an object",
    (OBJECT, SOURCE),
    ObjectBeam,
    BundleChoice.LEAVING,
    by_path=True,
    needs=RowsNeeded.LEAVING,
)
TURNS = ("counter-clockwise", "clockwise")
FROM_THE_RIGHT = ("counter-clockwise from the right", "clockwise from the right")


def angle_on_screen(x: float, y: float) -> float:
    """The angle of a direction (x, y) with y down, in degrees in (-180, 180]: 0 to the right,
    counter-clockwise on screen.
    """
    angle = math.degrees(math.atan2(-y, x))
    return angle if angle > ANGULAR_ROUNDING - 180.0 else 180.0


def _require_several_rays(beam: ObjectBeam) -> None:
    if len(beam.rows) < 2:
        goes = "leaves" if beam.is_leaving else "arrives at"
        raise Undefined(
            f"The strongest bundle that {goes} {beam.title} is a single ray. Use a source with more"
            " rays."
        )


@ANGLES.measure(
    Unit.ANGLE,
    "direction of the light [from {source}] that leaves {object}",
    "In what direction does the light leave {object} [angle go]?",
    "At what angle does the light leave {object} [send beam rays behind]?",
    "What is the direction of the light after {object}?",
    period=TURN,
    senses=FROM_THE_RIGHT,
)
def direction(beam: ObjectBeam) -> float:
    """Direction of the strongest bundle that leaves an object, in (-180, 180], 0 to the right,
    counter-clockwise on screen.
    """
    return angle_on_screen(*beam.axis.tolist())


def _beams_of_sources(
    light: Light, index: int, source: int, other: int, order: int | None = None
) -> tuple[ObjectBeam, ObjectBeam]:
    """The strongest bundles of two sources that leave an object, in the same diffraction order if
    one is given.
    """
    orders = {
        light.grating_order(int(b.rows[0]))
        for s in (source, other)
        for b in light.bundles(index, s)
    } - {None}
    if len(orders) > 1 and order is None:
        those = ", ".join(str(o) for o in sorted(o for o in orders if o is not None))
        raise Undefined(
            f"Light leaves {light.title(index)} in the orders {those}: give one as the last"
            " argument."
        )
    one, two = (
        ObjectBeam(light, index, light.strongest_bundle(BundleChoice.LEAVING, index, s, order))
        for s in (source, other)
    )
    return one, two


def _rows_of_both_beams(beams: tuple[ObjectBeam, ObjectBeam]) -> Rows:
    return np.concatenate([beam.rows for beam in beams])


@ANGLES.measure(
    Unit.ANGLE,
    "angle between the light of {source} and of {other} that leaves {object}",
    "What is the angle between the light of {source} and of {other} after {object} [separate degrees]?",
    parameters=(OBJECT, Parameter("source", Role.SOURCE), Parameter("other", Role.SOURCE), ORDER),
    select=_beams_of_sources,
    takes=None,
    by_path=False,
    rays=_rows_of_both_beams,
)
def angular_separation(beams: tuple[ObjectBeam, ObjectBeam]) -> float:
    """Angle between the strongest bundles of two sources that leave an object, such as two colours
    behind a prism, or in one order of a grating.
    """
    one, two = map(direction, beams)
    return float(abs(wrap_difference(one - two, TURN)))


@ANGLES.measure(
    Unit.ANGLE,
    "full angle of divergence of the light [from {source}] that leaves {object}",
    "What is the divergence of the light after {object}?",
    "How strongly does the light spread after {object} [fast cone open beam]?",
    "How collimated is the light after {object} [parallel]?",
    "Is the light parallel after {object} [beam leaves collimated]?",
)
def divergence(beam: ObjectBeam) -> float:
    """Full angle of the strongest bundle that leaves an object, between its outermost rays or the
    rim rays of the source; positive also if it converges.
    """
    _require_several_rays(beam)
    d, axis = beam.rays_with_rims[1], beam.axis
    return float(np.ptp(np.degrees(np.arctan2(cross_products(axis[None], d), d @ axis))))


@ANGLES.measure(
    Unit.ANGLE,
    "half angle of divergence of the light [from {source}] that leaves {object}",
    "What is the half angle of the light after {object}?",
)
def half_angle(beam: ObjectBeam) -> float:
    """Half of the full angle of the strongest bundle that leaves an object, between the rim rays of
    the source.
    """
    return divergence(beam) / 2


@ANGLES.measure(
    Unit.ONE,
    "numerical aperture of the light [from {source}] that leaves {object}",
    "What is the numerical aperture after {object}?",
    "What is the NA of {object}?",
)
def numerical_aperture(beam: ObjectBeam) -> float:
    """Refractive index times the sine of the half angle of the strongest bundle that leaves an
    object, between the rim rays of the source.
    """
    full = beam.light.remove_rounding_noise(divergence(beam), Unit.ANGLE)
    return abs(outer_refractive_indices(beam)[1]) * math.sin(math.radians(full) / 2)


@ANGLES.measure(
    Unit.ONE,
    "f-number of {object} for the light [from {source}] that arrives",
    "What is the f-number of {object}?",
    rays=ObjectBeam.rows_inside_object,
    by_path=False,
)
def f_number(beam: ObjectBeam) -> float:
    """F-number, also focal ratio: the focal length for parallel incoming light, over the full width
    of the light that arrives, between the rim rays of the source.
    """
    width = arriving_width(beam.arriving_beam)
    if not width > 0:
        raise Undefined("The arriving light has no width.")
    return abs(cardinal_points_from_beam(beam).focal_length) / width


@ANGLES.measure(
    Unit.ANGLE,
    "angle by which {object} deviates the light [from {source}]",
    "By how much does {object} deviate the light?",
    "What is the [angle of] deviation of {object}?",
    parameters=(PRISM, SOURCE),
    takes=BundleChoice.ONWARD,
    rays=ObjectBeam.rows_inside_object,
    signed=True,
    period=TURN,
    senses=TURNS,
)
def deviation(beam: ObjectBeam) -> float:
    """Angle from the direction of the arriving light to that of the strongest bundle that goes
    through, or that a mirror reflects, counter-clockwise on screen.
    """
    ax, ay = mean_direction(beam.arriving_directions, beam.weights)
    bx, by = beam.axis.tolist()
    return angle_on_screen(ax * bx + ay * by, ax * by - ay * bx)


@ANGLES.measure(
    Unit.LENGTH,
    "distance by which {object} displaces the light [from {source}]",
    "By how much does {object} displace the light?",
    "What is the [lateral] displacement of the beam by {object}?",
    parameters=(PRISM, SOURCE),
    takes=BundleChoice.TRANSMITTED,
    rays=ObjectBeam.rows_inside_object,
)
def displacement(beam: ObjectBeam) -> float:
    """Distance from the line along which light arrives to the point where the strongest transmitted
    bundle leaves, as of a plane plate.
    """
    off = cross_products(beam.arriving_directions, beam.points - beam.entry_points)
    return abs(weighted_mean(off, beam.weights))


ANGLES.measure(
    Unit.VERGENCE,
    "vergence of the light [from {source}] that leaves {object}",
    "What is the vergence of the light after {object}?",
    parameters=(PRISM, SOURCE),
    by_path=False,
    signed=True,
    senses=("converging", "diverging"),
)(vergence)


@ARRIVING_ANGLES.measure(
    Unit.ANGLE,
    "direction of the light [from {source}] that arrives at {object}",
    "In what direction does the light arrive at {object} [angle]?",
    period=TURN,
    senses=FROM_THE_RIGHT,
)
def arriving_direction(beam: ObjectBeam) -> float:
    """Direction of the strongest bundle that arrives at an object, in (-180, 180], 0 to the right,
    counter-clockwise on screen.
    """
    return direction(beam)


@ARRIVING_ANGLES.measure(
    Unit.ANGLE,
    "full angle of divergence of the light [from {source}] that arrives at {object}",
    "What is the divergence of the light that arrives at {object}?",
)
def arriving_divergence(beam: ObjectBeam) -> float:
    """Full angle of the strongest bundle that arrives at an object, between its outermost rays or
    the rim rays of the source; positive also if it converges.
    """
    return divergence(beam)


@ARRIVING_ANGLES.measure(
    Unit.ANGLE,
    "largest angle of a ray [from {source}] that arrives at {object} to the optical axis",
    "What is the largest angle of a ray at {object} to the axis [field steepest]?",
    select=ArrivingLight.at_object,
    takes=None,
    by_path=False,
    needs=RowsNeeded.ARRIVING_PATHS,
)
def largest_angle(arriving: ArrivingLight) -> float:
    """Largest angle, from 0 to 90, between the optical axis of an object and any ray that arrives,
    including the rim rays of the sources; to the x axis if the object has no optical axis, as a
    detector.
    """
    own = MeasuredObject(arriving.light, arriving.index).optical_axis
    axis = np.array(own[1] if own else (1.0, 0.0))
    if not (arriving.weights > 0).any():
        raise Undefined(f"No light arrives at {arriving.title}.")
    d = arriving.directions_with_rims
    return float(
        np.degrees(np.arctan2(np.abs(cross_products(axis[None], d)), np.abs(d @ axis))).max()
    )


@SIZES.measure(
    Unit.POWER,
    "power of the strongest beam [from {source}] that leaves {object}",
    "What is the power of the beam after {object}?",
    "How much power leaves {object}?",
)
def beam_power(beam: ObjectBeam) -> float:
    """Power of the strongest bundle that leaves an object."""
    return beam.bundle.power


@SIZES.measure(
    Unit.ONE,
    "share of its arriving power that the strongest beam [from {source}] has when it leaves"
    " {object}",
    "What is the [diffraction] efficiency of {object}?",
    parameters=(GRATING, SOURCE),
    rays=ObjectBeam.rows_inside_object,
    share=True,
)
def efficiency(beam: ObjectBeam) -> float:
    """Power of the strongest bundle that leaves an object over the power with which its light
    arrived, as the efficiency of a diffraction order.
    """
    arrived = beam.light.weights(beam.arriving_rows(), "light arrives", arriving=True)
    return beam.bundle.power / float(arrived.sum())


@SIZES.measure(
    Unit.ONE,
    "number of rays in the strongest beam [from {source}] that leaves {object}",
    "How many rays are in the beam after {object}?",
)
def beam_rays(beam: ObjectBeam) -> float:
    """Number of rays in the strongest bundle that leaves an object."""
    return float(len(beam.rows))


@SIZES.measure(
    Unit.LENGTH,
    "width of the beam [from {source}] where it leaves {object}",
    "How wide is the beam after {object}?",
    "What is the diameter of the beam after {object} [light]?",
)
def beam_width(beam: ObjectBeam) -> float:
    """Full width of the strongest bundle where it leaves an object, perpendicular to its mean
    direction, between the rim rays of the source.
    """
    return arriving_width(beam)


@SIZES.measure(
    Unit.LENGTH,
    "x coordinate of the beam [from {source}] where it leaves {object}",
    "What is the x coordinate of the beam after {object}?",
)
def beam_x(beam: ObjectBeam) -> float:
    """The x coordinate of the centroid, weighted by power, of the strongest bundle where it leaves
    an object.
    """
    return weighted_mean(beam.points[:, 0], beam.weights)


@SIZES.measure(
    Unit.LENGTH,
    "y coordinate of the beam [from {source}] where it leaves {object}",
    "What is the y coordinate of the beam after {object}?",
    senses=("y runs downwards",) * 2,
)
def beam_y(beam: ObjectBeam) -> float:
    """The y coordinate, downwards, of the centroid of the strongest bundle where it leaves an
    object.
    """
    return weighted_mean(beam.points[:, 1], beam.weights)


@SIZES.measure(
    Unit.LENGTH,
    "width of the beam [from {source}] where it arrives at {object}",
    "How wide is the beam that arrives at {object}?",
    "How wide is the beam that enters {object} [light before front]?",
    "What is the diameter of the beam at {object} [arrives light]?",
    parameters=(PRISM, SOURCE),
    takes=BundleChoice.ARRIVING,
    needs=RowsNeeded.ARRIVING,
)
def arriving_width(beam: ObjectBeam) -> float:
    """Full width of the strongest bundle where it arrives at an object, perpendicular to its mean
    direction, between the rim rays of the source.
    """
    _require_several_rays(beam)
    return float(np.ptp(cross_products(beam.axis[None], beam.rays_with_rims[0])))


BEYOND = 1e-9
"""Rounding error of where an axis ends, relative to its length."""


@dataclass(frozen=True, eq=False)
class BeamAxis:
    """The axis of the strongest bundle that leaves an object: its mean starting point (2,), its
    mean unit direction (2,), and its length to the next object, infinite if the light escapes.
    """

    beam: ObjectBeam
    start: Floats
    along: Floats
    length: float

    @classmethod
    def at_object(cls, light: Light, index: int) -> "BeamAxis":
        """The axis of the strongest bundle that leaves the object ``index``."""
        beam = ObjectBeam(light, index, light.strongest_bundle(BundleChoice.LEAVING, index))
        start = np.array([beam_x(beam), beam_y(beam)])
        length = math.inf
        if not (light.result.status[beam.rows] == Status.ESCAPED).any():
            ends = first_straight_pieces(light.result, beam.rows)[1]
            length = weighted_mean((ends - start) @ beam.axis, beam.weights)
        return cls(beam, start, beam.axis, length)


def _strongest_beam_axes(light: Light, first: int, second: int) -> tuple[BeamAxis, BeamAxis]:
    return BeamAxis.at_object(light, first), BeamAxis.at_object(light, second)


CROSSINGS: Family = Family(
    "Where two beams cross",
    (Parameter("first", Role.OBJECT), Parameter("second", Role.OBJECT)),
    _strongest_beam_axes,
    needs=RowsNeeded.LEAVING,
    rays=lambda axes: np.concatenate([axis.beam.rows for axis in axes]),
)


@CROSSINGS.measure(
    Unit.LENGTH,
    "x coordinate of the point where the beams of {first} and {second} cross",
    "At what x do the beams of {first} and {second} cross?",
)
def crossing_x(axes: tuple[BeamAxis, BeamAxis]) -> float:
    """The x coordinate of the point where two beams cross. The beam of a source or object is the
    axis of the strongest bundle that leaves it, up to the next object.
    """
    return float(_crossing_point(axes)[0])


@CROSSINGS.measure(
    Unit.LENGTH,
    "y coordinate of the point where the beams of {first} and {second} cross",
    "At what y do the beams of {first} and {second} cross?",
    senses=("y runs downwards",) * 2,
)
def crossing_y(axes: tuple[BeamAxis, BeamAxis]) -> float:
    """The y coordinate, downwards, of the point where two beams cross; see crossing_x."""
    return float(_crossing_point(axes)[1])


@CROSSINGS.measure(
    Unit.ANGLE,
    "angle between the beams of {first} and {second}",
    "At what angle do the beams of {first} and {second} cross?",
    "What is the angle between the beams of {first} and {second}?",
)
def crossing_angle(axes: tuple[BeamAxis, BeamAxis]) -> float:
    """The angle between the directions of two beams, from 0 to 180, whether or not they cross. The
    beam of a source or object is the strongest bundle that leaves it.
    """
    (ax, ay), (bx, by) = (axis.along for axis in axes)
    return math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


def _crossing_point(axes: tuple[BeamAxis, BeamAxis]) -> Floats:
    one, other = axes
    names = f"{one.beam.title} and {other.beam.title}"
    turn = float(cross_products(one.along, other.along))
    if abs(turn) <= math.radians(ANGULAR_ROUNDING):
        raise Undefined(f"The beams of {names} are parallel.")
    off = other.start - one.start
    ways = (
        float(cross_products(off, other.along)) / turn,
        float(cross_products(off, one.along)) / turn,
    )
    at: Floats = one.start + ways[0] * one.along
    for axis, way in zip(axes, ways, strict=True):
        slack = BEYOND * (1 + abs(way))
        if not -slack <= way <= axis.length + slack:
            where = "behind where it starts" if way < 0 else "beyond the object that it meets"
            there = f"at {at[0]:.6g}, {at[1]:.6g}, for {axis.beam.title} {where}"
            raise Undefined(f"The beams of {names} do not cross: their axes meet {there}.")
    return at
