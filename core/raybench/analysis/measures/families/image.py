"""Measures of imaging: conjugate distances, magnification and aberration, for the strongest bundle
that leaves an object.
"""

import math

import numpy as np

from raybench.analysis.geometry.straight import Rows, cross_products
from raybench.analysis.measures.families.lens import LENS
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    SOURCE,
    BundleChoice,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
)
from raybench.analysis.measures.optical_axis import Axis, line_for_distance
from raybench.analysis.measures.paraxial import (
    check_in_air,
    conjugates_from_beam,
    handedness,
    nominal_optics_for_light,
    outer_refractive_indices,
    rays_from_one_point,
)
from raybench.analysis.measures.selections import ObjectBeam
from raybench.analysis.rays.bundle import PARALLEL, Conjugates
from raybench.kinds.fields import METRES
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.shapes.point import Point
from raybench.trace.results.straight_pieces import first_straight_pieces

OBLIQUE = 30.0
"""Degrees from the axis of a lens or mirror within which distances are measured along that axis;
beyond, along the beam.
"""
OFF_AXIS = 1e-3
"""Angle, rad, from the axis beyond which the magnification is the ratio of heights above it."""
NEAR_POINT = 0.25
"""Distance in metres at which a normal eye sees things clearly without effort, which is that of
comparison for magnifiers.
"""
IMAGE: Family = Family(
    "Image", (LENS, SOURCE), ObjectBeam, BundleChoice.LEAVING, needs=RowsNeeded.LEAVING
)
VIRTUAL = ("", "virtual: before that surface")
UPRIGHT = ("upright", "inverted")


@IMAGE.measure(
    Unit.LENGTH,
    "distance from the last surface of {object} to the image [of the light from {source}]",
    "What is the image distance of {object}?",
    "How far behind {object} is the image?",
    senses=VIRTUAL,
)
def image_distance(beam: ObjectBeam) -> float:
    """Distance from the last surface to the paraxial image, where rays close to the middle ray
    meet; negative if virtual. Along the axis of a lens or mirror, or along a beam more than 30° off
    it.
    """
    conjugates = conjugates_from_beam(beam)
    if conjugates.image_point is None:
        raise Undefined(f"The light leaves {beam.title} parallel: its image is at infinity.")
    return beam.distance_from_surface(
        beam.rows,
        *_line_for_distances(beam, conjugates, conjugates.image_point, conjugates.axis_out),
    )


@IMAGE.measure(
    Unit.LENGTH,
    "distance from the object point [of the light from {source}] to the first surface of {object}",
    "What is the object distance of {object}?",
    rays=ObjectBeam.arriving_rows,
    senses=("", "virtual: behind that surface"),
)
def object_distance(beam: ObjectBeam) -> float:
    """Distance from the paraxial object point to the first surface; negative if virtual. Along the
    same line as the image distance.
    """
    conjugates = conjugates_from_beam(beam)
    if conjugates.object_point is None:
        raise Undefined(f"The light arrives at {beam.title} parallel: its object is at infinity.")
    return -beam.distance_from_surface(
        beam.arriving_rows(),
        *_line_for_distances(beam, conjugates, conjugates.object_point, conjugates.axis_in),
    )


@IMAGE.measure(
    Unit.ONE,
    "magnification of {object} [for the light from {source}]",
    "What is the magnification of {object}?",
    "How much does {object} magnify?",
    "How large is the image of {object} [enlarged reduced compared object]?",
    rays=ObjectBeam.rows_inside_object,
    senses=UPRIGHT,
    signed=True,
)
def magnification(beam: ObjectBeam) -> float:
    """Paraxial transverse magnification; negative if the image is inverted."""
    conjugates = conjugates_from_beam(beam)
    if conjugates.slope_ratio is None:
        which, end = (
            ("arrives", "object") if conjugates.object_point is None else ("leaves", "image")
        )
        afocal = conjugates.height_ratio is not None
        raise Undefined(
            f"The light {which} parallel: its {end} is at infinity. Use a point source that"
            f" {beam.title} images." + " angular_magnification is that of a telescope." * afocal
        )
    own = _optical_axis_for_distances(beam, conjugates)
    points = conjugates.object_point, conjugates.image_point
    if own is not None and points[0] is not None and points[1] is not None:
        (x, y), (dx, dy) = own
        heights = [dx * (p.y - y) - dy * (p.x - x) for p in points if p is not None]
        if abs(heights[0]) > OFF_AXIS * math.dist(points[0], (x, y)):
            return heights[1] / heights[0]
    n_in, n_out = outer_refractive_indices(beam)
    return n_in / n_out * conjugates.slope_ratio * handedness(beam)


@IMAGE.measure(
    Unit.ONE,
    "angular magnification of {object} [for the light from {source}]",
    "What is the angular magnification of {object}?",
    rays=ObjectBeam.rows_inside_object,
    senses=UPRIGHT,
    signed=True,
)
def angular_magnification(beam: ObjectBeam) -> float:
    """Paraxial angular magnification, as of a telescope: angles between rays after an object or
    group over the angles before; for parallel light from the widths of the beam. Negative if
    inverted.
    """
    conjugates, (n_in, n_out) = conjugates_from_beam(beam), outer_refractive_indices(beam)
    if conjugates.height_ratio is not None:
        return n_in / n_out * conjugates.height_ratio * handedness(beam)
    if conjugates.slope_ratio is None:
        ways = ("arrives", "leaves")
        parallel, other = ways if conjugates.object_point is None else ways[::-1]
        raise Undefined(f"The light {parallel} parallel, but {other} {beam.title} otherwise.")
    return handedness(beam) / conjugates.slope_ratio


@IMAGE.measure(
    Unit.ONE,
    "magnifying power of {object} [for the light from {source}]",
    "What is the magnifying power of {object}?",
    rays=ObjectBeam.rows_inside_object,
    senses=UPRIGHT,
    signed=True,
)
def magnifying_power(beam: ObjectBeam) -> float:
    """How much larger objects look: the angular magnification of a telescope; for a magnifier or
    microscope 250 mm over its focal length (Hecht, section 5.7).
    """
    if conjugates_from_beam(beam).height_ratio is not None:
        return angular_magnification(beam)
    f = nominal_optics_for_light(beam).focal_length
    if f < 0 and len(beam.members) == 1:
        raise Undefined(f"{beam.title} diverges light: it is no magnifier.")
    return NEAR_POINT / float(METRES[beam.light.length_unit]) / f


def _beams_of_two_colours(
    light: Light, index: int, source: int | None = None, other: int | None = None
) -> tuple[ObjectBeam, ObjectBeam]:
    """The strongest bundles of two sources that leave an object. By default the sources are those
    of the shortest and the longest wavelength.
    """
    result = light.result
    if source is None:
        # of one colour the strongest bundle, which is the last
        first = [int(b.rows[0]) for b in reversed(light.bundles(index))]
        by_colour = {
            float(result.wavelength[row]): int(result.source[row])
            for row in first
            if not math.isnan(result.wavelength[row])
        }
        if len(by_colour) < 2:
            raise Undefined(
                f"Light of one wavelength leaves {light.title(index)}. Use sources of two, in a"
                " scene that simulates colours."
            )
        source, other = by_colour[min(by_colour)], by_colour[max(by_colour)]
    if other is None:
        raise Undefined("Name two sources, or none.")
    one, two = (
        ObjectBeam(light, index, light.strongest_bundle(BundleChoice.LEAVING, index, of))
        for of in (source, other)
    )
    return one, two


def _rows_of_both_beams(beams: tuple[ObjectBeam, ObjectBeam]) -> Rows:
    return np.concatenate([beam.rows for beam in beams])


@IMAGE.measure(
    Unit.LENGTH,
    "chromatic focal shift of {object} [between {source} and {other}]",
    "What is the chromatic [focal] shift of {object}?",
    "How large is the [longitudinal axial] chromatic aberration of {object} [foci colours apart]?",
    parameters=(LENS, SOURCE, Parameter("other", Role.SOURCE, optional=True)),
    select=_beams_of_two_colours,
    takes=None,
    rays=_rows_of_both_beams,
    signed=True,
)
def chromatic_shift(beams: tuple[ObjectBeam, ObjectBeam]) -> float:
    """Longitudinal chromatic aberration: the image distance for one source minus that for another,
    or for the shortest wavelength minus the longest.
    """
    one, two = map(image_distance, beams)
    return one - two


@IMAGE.measure(
    Unit.LENGTH,
    "distance from the last surface of {object} to the marginal focus [of the light from {source}]",
    "Where is the marginal focus of {object}?",
    senses=VIRTUAL,
)
def marginal_focus(beam: ObjectBeam) -> float:
    """Distance from the last surface to where the outermost rays of the strongest bundle, or the
    rim rays of the source, cross its middle ray, averaged over both sides; negative if virtual.
    """
    whole, beam = beam, rays_from_one_point(beam)
    conjugates = conjugates_from_beam(beam)
    if conjugates.image_point is None:
        raise Undefined(
            f"The light leaves {beam.title} parallel: it has no paraxial focus to compare with."
        )
    image_point, axis = np.array(conjugates.image_point), np.array(conjugates.axis_out)
    entries, (start, end) = beam.entry_points, first_straight_pieces(beam.light.result, beam.rows)
    if beam is whole and (rims := beam.light.rim_rays) is not None:
        rim_start, rim_end = first_straight_pieces(rims.result, beam.rim_rows)
        entries = np.concatenate([entries, beam.rim_entry_points])
        start, end = np.concatenate([start, rim_start]), np.concatenate([end, rim_end])
    across = cross_products(np.array(conjugates.axis_in)[None], entries)
    height = across - (across.max() + across.min()) / 2
    crossings = []
    for k in {int(height.argmin()), int(height.argmax())}:
        d = end[k] - start[k]
        turn = float(cross_products(axis, d))
        if abs(turn) <= PARALLEL * float(np.hypot(*d)):
            raise Undefined(
                "The outermost rays run parallel to the middle one and do not cross it."
            )
        crossings.append(float(cross_products(start[k] - image_point, d)) / turn)
    at = Point(*(image_point + float(np.mean(crossings)) * axis).tolist())
    return beam.distance_from_surface(
        beam.rows, *_line_for_distances(beam, conjugates, at, conjugates.axis_out)
    )


@IMAGE.measure(
    Unit.LENGTH,
    "longitudinal spherical aberration of {object} [for the light from {source}]",
    "How large is the [longitudinal] spherical aberration of {object}?",
    senses=("", "undercorrected"),
    signed=True,
)
def spherical_aberration(beam: ObjectBeam) -> float:
    """Longitudinal spherical aberration: the marginal focus minus the paraxial one, negative where
    a lens is undercorrected.
    """
    return marginal_focus(beam) - image_distance(beam)


@IMAGE.measure(
    Unit.LENGTH,
    "distance from the object point [of the light from {source}] to the front principal plane of"
    " {object}",
    "What is the object distance of {object} from its principal plane?",
    rays=ObjectBeam.arriving_rows,
    senses=("", "virtual"),
)
def principal_object_distance(beam: ObjectBeam) -> float:
    """Distance from the paraxial object point to the front principal plane of the object alone in
    air; negative if virtual.
    """
    conjugates, front = (
        conjugates_from_beam(beam),
        nominal_optics_for_light(beam).front_principal_point,
    )
    check_in_air(beam)
    if conjugates.object_point is None:
        return math.inf
    at, axis = _line_for_distances(beam, conjugates, conjugates.object_point, conjugates.axis_in)
    return (front.x - at.x) * axis[0] + (front.y - at.y) * axis[1]


@IMAGE.measure(
    Unit.LENGTH,
    "distance from the rear principal plane of {object} to the image [of the light from {source}]",
    "What is the image distance of {object} from its principal plane?",
    senses=("", "virtual"),
)
def principal_image_distance(beam: ObjectBeam) -> float:
    """Distance from the rear principal plane of the object alone in air to the paraxial image;
    negative if virtual.
    """
    conjugates, rear = (
        conjugates_from_beam(beam),
        nominal_optics_for_light(beam).rear_principal_point,
    )
    check_in_air(beam)
    if conjugates.image_point is None:
        return math.inf
    at, axis = _line_for_distances(beam, conjugates, conjugates.image_point, conjugates.axis_out)
    return (at.x - rear.x) * axis[0] + (at.y - rear.y) * axis[1]


def _optical_axis_for_distances(beam: ObjectBeam, conjugates: Conjugates) -> Axis | None:
    """The optical axis of the object if image distances are measured along this axis; None if they
    are measured along the beam, as for oblique light on a curved mirror.
    """
    own = beam.optical_axis
    if own is None or all(isinstance(o, IdealLens | IdealMirror) for o in beam.members):
        return own
    along = own[1]
    cosines = [
        abs(d[0] * along[0] + d[1] * along[1]) for d in (conjugates.axis_in, conjugates.axis_out)
    ]
    return own if min(cosines) >= math.cos(math.radians(OBLIQUE)) else None


def _line_for_distances(
    beam: ObjectBeam, conjugates: Conjugates, point: Point, direction: tuple[float, float]
) -> Axis:
    """The line along which image distances are measured: the optical axis or the beam. Its point is
    the foot of ``point`` on the line; its direction is the direction of the light.
    """
    return line_for_distance(_optical_axis_for_distances(beam, conjugates), point, direction)


def vergence(beam: ObjectBeam) -> float:
    """Refractive index over the distance from the last surface to the paraxial image of the
    strongest bundle that leaves an object: positive if it converges, negative if it diverges, 0
    if it is parallel.
    """
    if conjugates_from_beam(beam).image_point is None:
        return 0.0
    distance = beam.light.remove_rounding_noise(image_distance(beam), Unit.LENGTH)
    if distance == 0:
        raise Undefined(f"The light comes to its image on the surface of {beam.title}.")
    return outer_refractive_indices(beam)[1] / distance
