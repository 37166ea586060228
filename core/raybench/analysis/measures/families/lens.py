"""Measures of focus and focal length for the strongest bundle that leaves an object. Cardinal
points are defined as by Hecht, section 6.1.
"""

import math

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.measure import (
    SOURCE,
    BundleChoice,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Unit,
    select_no_rays,
)
from raybench.analysis.measures.optical_axis import line_for_distance
from raybench.analysis.measures.paraxial import (
    cardinal_points_from_beam,
    check_in_air,
    nominal_optics_for_light,
)
from raybench.analysis.measures.selections import MeasuredObject, ObjectBeam
from raybench.shapes.point import Point

LENS = Parameter("object", Role.SYSTEM, noun="lens")
FOCUS: Family = Family(
    "Focus", (LENS, SOURCE), ObjectBeam, BundleChoice.LEAVING, needs=RowsNeeded.LEAVING
)
PLANE_SENSES = ("behind that surface", "before that surface")


@FOCUS.measure(
    Unit.LENGTH,
    "distance from the last surface of {object} to the best focus [of the light from {source}]",
    "How far behind {object} is the focus?",
    "What is the distance of the [best] focus from {object}?",
    senses=("", "virtual: before that surface"),
    by_path=True,
)
def focus(beam: ObjectBeam) -> float:
    """Distance along the beam from an object's last surface to the best focus (least RMS width) of
    its strongest bundle, negative if virtual.
    """
    best = beam.leaving_bundle.focus()
    return beam.distance_from_surface(beam.rows, best.point, best.axis)


@FOCUS.measure(
    Unit.LENGTH,
    "x coordinate of the best focus [of the light from {source}] behind {object}",
    "What is the x coordinate of the focus of {object}?",
    by_path=True,
)
def focus_x(beam: ObjectBeam) -> float:
    """The x coordinate of the best focus of the strongest bundle."""
    return beam.leaving_bundle.focus().point.x


@FOCUS.measure(
    Unit.LENGTH,
    "y coordinate of the best focus [of the light from {source}] behind {object}",
    "What is the y coordinate of the focus of {object}?",
    senses=("y runs downwards",) * 2,
    by_path=True,
)
def focus_y(beam: ObjectBeam) -> float:
    """The y coordinate, downwards, of the best focus of the strongest bundle."""
    return beam.leaving_bundle.focus().point.y


@FOCUS.measure(
    Unit.LENGTH,
    "RMS radius of the light [from {source}] at the best focus behind {object}",
    "What is the RMS radius of the spot at the focus of {object}?",
    by_path=True,
)
def spot_rms(beam: ObjectBeam) -> float:
    """Root mean square distance, weighted by power, of the rays from their mean at the best
    focus.
    """
    return beam.leaving_bundle.focus().rms


@FOCUS.measure(
    Unit.LENGTH,
    "full width of the light [from {source}] at the best focus behind {object}",
    "How wide is the spot at the focus of {object}?",
    by_path=True,
)
def spot_width(beam: ObjectBeam) -> float:
    """Full width of the strongest bundle at its best focus, between the rim rays of the source."""
    return beam.leaving_bundle.focus().width_at_focus(*beam.rays_with_rims)


@FOCUS.measure(
    Unit.LENGTH,
    "focal length of {object} for the traced light [from {source}]",
    "What is the focal length of {object}?",
    senses=("", "diverging"),
)
def focal_length(beam: ObjectBeam) -> float:
    """Paraxial focal length, from the principal plane, for parallel incoming light; positive if
    converging.
    """
    return cardinal_points_from_beam(beam).focal_length


@FOCUS.measure(
    Unit.LENGTH,
    "back focal length of {object} [for the light from {source}]",
    "What is the back focal length of {object}?",
)
def back_focal_length(beam: ObjectBeam) -> float:
    """Distance from the last surface to the paraxial focal point, for parallel incoming light."""
    cardinal = cardinal_points_from_beam(beam)
    x, y = cardinal.axis
    mean = beam.directions.sum(axis=0)
    onward = (
        1.0 if mean[0] * x + mean[1] * y > 0 else -1.0
    )  # after a mirror light runs against the axis
    return beam.distance_from_surface(beam.rows, cardinal.focal_point, (onward * x, onward * y))


@FOCUS.measure(
    Unit.LENGTH,
    "front focal length of {object} [for the light from {source}]",
    "What is the front focal length of {object}?",
    rays=ObjectBeam.arriving_rows,
)
def front_focal_length(beam: ObjectBeam) -> float:
    """Distance from the front focal point of the object alone in air to its first surface; negative
    if the focal point lies behind the surface.
    """
    return nominal_optics_for_light(beam).focal_length - front_principal_plane(beam)


@FOCUS.measure(
    Unit.LENGTH,
    "distance from the first surface of {object} to its front principal plane [for the light from"
    " {source}]",
    "Where is the front principal plane of {object}?",
    rays=ObjectBeam.arriving_rows,
    senses=PLANE_SENSES,
    signed=True,
)
def front_principal_plane(beam: ObjectBeam) -> float:
    """Distance from the first surface of an object to its front principal plane, alone in air;
    negative if the plane lies before the surface.
    """
    return _principal_plane_distance(
        beam,
        beam.arriving_rows(),
        nominal_optics_for_light(beam).front_principal_point,
        beam.arriving_directions,
    )


@FOCUS.measure(
    Unit.LENGTH,
    "distance from the last surface of {object} to its rear principal plane [for the light from"
    " {source}]",
    "Where is the rear principal plane of {object}?",
    senses=PLANE_SENSES,
    signed=True,
)
def rear_principal_plane(beam: ObjectBeam) -> float:
    """Distance from the last surface of an object to its rear principal plane, alone in air;
    negative if the plane lies before the surface.
    """
    return _principal_plane_distance(
        beam, beam.rows, nominal_optics_for_light(beam).rear_principal_point, beam.directions
    )


def _principal_plane_distance(beam: ObjectBeam, rows: Rows, at: Point, directions: Floats) -> float:
    """The distance along the axis from a surface to a principal point ``at``. The surface is the
    one on which the segments ``rows`` start or end.
    """
    check_in_air(beam)
    x, y = directions.mean(axis=0).tolist()
    norm = math.hypot(x, y) or 1.0
    return beam.distance_from_surface(
        rows, *line_for_distance(beam.optical_axis, at, (x / norm, y / norm))
    )


@FOCUS.measure(
    Unit.LENGTH,
    "focal length of {object} alone in air",
    "What is the nominal focal length of {object:lens}?",
    parameters=(LENS,),
    select=MeasuredObject,
    takes=None,
    needs=RowsNeeded.ARRIVING_PATHS,
    rays=select_no_rays,
    senses=("", "diverging"),
)
def nominal_focal_length(lens: MeasuredObject) -> float:
    """Paraxial focal length of an object alone in air, whatever light there is in the scene;
    positive if converging.
    """
    return nominal_optics_for_light(lens).focal_length


@FOCUS.measure(
    Unit.VERGENCE,
    "optical power of {object} alone in air",
    "What is the optical power of {object:lens}?",
    parameters=(LENS,),
    select=MeasuredObject,
    takes=None,
    needs=RowsNeeded.ARRIVING_PATHS,
    rays=select_no_rays,
    senses=("converging", "diverging"),
    signed=True,
)
def optical_power(lens: MeasuredObject) -> float:
    """Optical power of an object alone in air, also refractive power: 1 over its nominal focal
    length, positive if converging.
    """
    return 1 / nominal_focal_length(lens)
