"""Measures of the focus: best focus and focal length, for the strongest bundle that leaves an
object.

The functions are the definitions for any bundle; tools that list several bundles use them too. The
cardinal points are those of Hecht, section 6.1.
"""

import math

import numpy as np

from raybench.analysis.geometry.contact import contacts_with
from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    Measure,
    Parameter,
    Role,
    Takes,
    Undefined,
    Unit,
    no_rays,
)
from raybench.analysis.measures.paraxial import cardinal_of, in_air, nominal_of, on_axis, own_axis
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.shapes.point import Point

OBJECT = Parameter("object", Role.SYSTEM, noun="lens")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def focus(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance along the beam from an object's last surface to the best focus (least RMS width) of
    its strongest bundle, negative if virtual.
    """
    best = bundle.focus()
    return from_surface(light, index, bundle.rows, best.point, best.axis)


def focus_x(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The x coordinate of the best focus of the strongest bundle."""
    return bundle.focus().point.x


def focus_y(light: Light, index: int, bundle: LeavingBundle) -> float:
    """The y coordinate, downwards, of the best focus of the strongest bundle."""
    return bundle.focus().point.y


def spot_rms(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Root mean square distance, weighted by power, of the rays from their mean at the best focus."""
    return bundle.focus().rms


def spot_width(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Full width of the strongest bundle at its best focus."""
    return bundle.focus().width


def focal_length(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Paraxial focal length, from the principal plane, for parallel incoming light; positive if
    converging.
    """
    return cardinal_of(light, index, bundle).focal_length


def back_focal_length(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the last surface to the paraxial focal point, for parallel incoming light."""
    cardinal = cardinal_of(light, index, bundle)
    x, y = cardinal.axis
    mean = light.leaving_directions(bundle).sum(axis=0)
    onward = (
        1.0 if mean[0] * x + mean[1] * y > 0 else -1.0
    )  # after a mirror light runs against the axis
    return from_surface(light, index, bundle.rows, cardinal.focal_point, (onward * x, onward * y))


def front_focal_length(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the front focal point of the object alone in air to its first surface; negative
    if that point lies behind this.
    """
    return nominal_of(light, index, bundle).focal_length - front_principal_plane(
        light, index, bundle
    )


def front_principal_plane(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from an object's first surface to its front principal plane, alone in air; negative
    if that lies before the surface.
    """
    directions = light.arriving_directions(bundle)
    return _principal_plane(
        light, index, bundle, bundle.arriving, nominal_of(light, index, bundle).front, directions
    )


def rear_principal_plane(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from an object's last surface to its rear principal plane, alone in air; negative if
    that lies before the surface.
    """
    return _principal_plane(
        light,
        index,
        bundle,
        bundle.rows,
        nominal_of(light, index, bundle).rear,
        light.leaving_directions(bundle),
    )


def _principal_plane(
    light: Light, index: int, bundle: LeavingBundle, rows: Rows, at: Point, directions: Floats
) -> float:
    """The distance of a principal point after the surface on which ``rows`` start or end, along the
    axis.
    """
    if not in_air(light, bundle):
        raise Undefined(
            f"{light.title(index)} is not in air: its principal planes are those of the object"
            " alone in air."
        )
    x, y = directions.mean(axis=0).tolist()
    norm = math.hypot(x, y) or 1.0
    return from_surface(
        light, index, rows, *on_axis(own_axis(light, index), at, (x / norm, y / norm))
    )


def nominal_focal_length(light: Light, index: int) -> float:
    """Paraxial focal length of an object alone in air, of whatever light it is lit; positive if
    converging.
    """
    return nominal_of(light, index).focal_length


def optical_power(light: Light, index: int) -> float:
    """Optical power of an object alone in air, also refractive power: 1 over its nominal focal
    length, positive if converging.
    """
    return 1 / nominal_focal_length(light, index)


def arriving_rays(light: Light, index: int, bundle: LeavingBundle) -> Rows:
    """The segments with which the light of a bundle arrives at an object."""
    return bundle.arriving


def through_rays(light: Light, index: int, bundle: LeavingBundle) -> Rows:
    """The segments of a bundle from where its light arrives at an object to where it leaves."""
    return light.through(bundle)


def from_surface(
    light: Light, index: int, rows: Rows, point: Point, axis: tuple[float, float]
) -> float:
    """The signed distance of a point, along an axis through it, after the surface on which ``rows``
    start, or otherwise end.
    """
    result = light.result
    parent = int(result.parent[rows[0]])
    starts = parent >= 0 and bool(light.meeting(index)[parent])
    if not starts and not light.meeting(index)[rows[0]]:
        raise Undefined(
            f"The light starts inside {light.title(index)}: it arrives at no surface of it."
        )
    ends = first_pieces(result, rows)[0] if starts else last_pieces(result, rows)[1]
    shape = light.edge_met(index, parent if starts else int(rows[0])).shape
    ax, at = np.array(axis), np.array(point)
    along = (ends - at) @ ax
    middle, reach = (
        float(along.mean()),
        float(np.abs(along).max() + np.ptp(ends, axis=0).max() + 1.0),
    )
    line = (at - 2 * reach * ax)[None], (at + 2 * reach * ax)[None]
    crossings: Floats = contacts_with(*line, shape).along - 2 * reach
    # if the axis misses the surface, as for an off-axis part of a lens, the middle of the rays'
    # points on it is used instead
    vertex: float = min(crossings.tolist(), key=lambda x: abs(x - middle), default=middle)
    return -vertex


MEASURES = (
    Measure(
        focus,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the last surface of {object} to the best focus [of the light from"
            " {source}]"
        ),
        senses=("", "virtual: before that surface"),
        questions=(
            "How far behind {object} is the focus?",
            "What is the distance of the [best] focus from {object}?",
        ),
    ),
    Measure(
        focus_x,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="x coordinate of the best focus [of the light from {source}] behind {object}",
        questions=("What is the x coordinate of the focus of {object}?",),
    ),
    Measure(
        focus_y,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="y coordinate of the best focus [of the light from {source}] behind {object}",
        senses=("y runs downwards",) * 2,
        questions=("What is the y coordinate of the focus of {object}?",),
    ),
    Measure(
        spot_rms,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="RMS radius of the light [from {source}] at the best focus behind {object}",
        questions=("What is the RMS radius of the spot at the focus of {object}?",),
    ),
    Measure(
        spot_width,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="full width of the light [from {source}] at the best focus behind {object}",
        questions=("How wide is the spot at the focus of {object}?",),
    ),
    Measure(
        focal_length,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="focal length of {object} for the traced light [from {source}]",
        senses=("", "diverging"),
        questions=("What is the focal length of {object}?",),
    ),
    Measure(
        back_focal_length,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="back focal length of {object} [for the light from {source}]",
        questions=("What is the back focal length of {object}?",),
    ),
    Measure(
        front_focal_length,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="front focal length of {object} [for the light from {source}]",
        rays=arriving_rays,
        questions=("What is the front focal length of {object}?",),
    ),
    Measure(
        front_principal_plane,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the first surface of {object} to its front principal plane [for the"
            " light from {source}]"
        ),
        rays=arriving_rays,
        senses=("behind that surface", "before that surface"),
        questions=("Where is the front principal plane of {object}?",),
        signed=True,
    ),
    Measure(
        rear_principal_plane,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the last surface of {object} to its rear principal plane [for the light"
            " from {source}]"
        ),
        senses=("behind that surface", "before that surface"),
        questions=("Where is the rear principal plane of {object}?",),
        signed=True,
    ),
    Measure(
        nominal_focal_length,
        Unit.LENGTH,
        (OBJECT,),
        quantity="focal length of {object} alone in air",
        rays=no_rays,
        senses=("", "diverging"),
        questions=("What is the nominal focal length of {object}?",),
    ),
    Measure(
        optical_power,
        Unit.VERGENCE,
        (OBJECT,),
        quantity="optical power of {object} alone in air",
        rays=no_rays,
        senses=("converging", "diverging"),
        questions=("What is the optical power of {object}?",),
        signed=True,
    ),
)
