"""Measures of imaging: conjugate distances, magnification and aberration, for the strongest bundle
that leaves an object.

The functions are the definitions for any bundle; tools that list several bundles use them too.
"""

import math

import numpy as np

from raybench.analysis.geometry.straight import Rows, cross_products
from raybench.analysis.measures.families.lens import arriving_rays, from_surface, through_rays
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Takes, Undefined, Unit
from raybench.analysis.measures.paraxial import (
    Axis,
    conjugates_of,
    handedness,
    in_air,
    indices_of,
    nominal_of,
    on_axis,
    own_axis,
)
from raybench.analysis.rays.bundle import PARALLEL, Conjugates
from raybench.analysis.rays.incidence import first_pieces, last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.scene.changes.quantity import METRES
from raybench.shapes.point import Point

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
OBJECT = Parameter("object", Role.SYSTEM, noun="lens")
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def image_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the last surface to the paraxial image, where rays close to the middle one
    meet; negative if virtual. Along the axis of a lens or mirror, or along the beam if that runs
    more than 30° from it.
    """
    conjugates = conjugates_of(light, index, bundle)
    if conjugates.image_point is None:
        raise Undefined(
            f"The light leaves {light.title(index)} parallel: its image is at infinity."
        )
    at, axis = _on_axis(light, index, conjugates, conjugates.image_point, conjugates.axis_out)
    return from_surface(light, index, bundle.rows, at, axis)


def object_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the paraxial object point, where the light comes from, to the first surface;
    negative if virtual. Along the same line as the image distance.
    """
    conjugates = conjugates_of(light, index, bundle)
    if conjugates.object_point is None:
        raise Undefined(
            f"The light arrives at {light.title(index)} parallel: its object is at infinity."
        )
    at, axis = _on_axis(light, index, conjugates, conjugates.object_point, conjugates.axis_in)
    return -from_surface(light, index, bundle.arriving, at, axis)


def vergence(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Refractive index over the distance from the last surface to the paraxial image of the strongest bundle that leaves an object:
    positive if it converges, negative if it diverges, 0 if it is parallel."""  # Hecht, section 5.7.2
    if conjugates_of(light, index, bundle).image_point is None:
        return 0.0
    distance = light.without_noise(image_distance(light, index, bundle), Unit.LENGTH)
    if distance == 0:
        raise Undefined(f"The light comes to its image on the surface of {light.title(index)}.")
    return indices_of(light, bundle)[1] / distance


def magnification(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Paraxial transverse magnification; negative if the image is inverted."""
    conjugates = conjugates_of(light, index, bundle)
    if conjugates.slope_ratio is None:
        which, end = (
            ("arrives", "object") if conjugates.object_point is None else ("leaves", "image")
        )
        angular = (
            " angular_magnification is that of a telescope."
            if conjugates.height_ratio is not None
            else ""
        )
        point = f"Use a point source that {light.title(index)} images."
        raise Undefined(f"The light {which} parallel: its {end} is at infinity. {point}{angular}")
    own = _axis_for(light, index, conjugates)
    if (
        own is not None
        and conjugates.object_point is not None
        and conjugates.image_point is not None
    ):
        (x, y), (dx, dy) = own
        heights = [
            dx * (p.y - y) - dy * (p.x - x)
            for p in (conjugates.object_point, conjugates.image_point)
        ]
        if abs(heights[0]) > OFF_AXIS * math.dist(conjugates.object_point, (x, y)):
            return heights[1] / heights[0]
    n_in, n_out = indices_of(light, bundle)
    return n_in / n_out * conjugates.slope_ratio * handedness(light, index, bundle)


def angular_magnification(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Paraxial angular magnification, as of a telescope: angles between rays after an object or
    group over those before; for parallel light from the widths of the beam. Negative if the image
    is inverted.
    """
    conjugates, (n_in, n_out) = conjugates_of(light, index, bundle), indices_of(light, bundle)
    if conjugates.height_ratio is not None:
        return n_in / n_out * conjugates.height_ratio * handedness(light, index, bundle)
    if conjugates.slope_ratio is None:
        which = "leaves" if conjugates.object_point is None else "arrives"
        raise Undefined(
            f"The light {'arrives' if which == 'leaves' else 'leaves'} parallel, but {which}"
            f" {light.title(index)} otherwise."
        )
    return handedness(light, index, bundle) / conjugates.slope_ratio


def magnifying_power(light: Light, index: int, bundle: LeavingBundle) -> float:
    """How much larger things look: the angular magnification of a telescope; for a magnifier or
    microscope 250 mm over its focal length (Hecht, section 5.7)."""
    if conjugates_of(light, index, bundle).height_ratio is not None:
        return angular_magnification(light, index, bundle)
    f = nominal_of(light, index, bundle).focal_length
    if f < 0 and len(light.members(index)) == 1:
        raise Undefined(f"{light.title(index)} diverges light: it is no magnifier.")
    return NEAR_POINT / float(METRES[light.unit]) / f


def chromatic_shift(
    light: Light, index: int, source: int | None = None, other: int | None = None
) -> float:
    """Longitudinal chromatic aberration: the image distance for one source minus that for another,
    or for the shortest wavelength minus the longest.
    """
    one, two = (
        image_distance(light, index, bundle)
        for bundle in _of_two_colours(light, index, source, other)
    )
    return one - two


def _of_two_colours(
    light: Light, index: int, source: int | None, other: int | None
) -> tuple[LeavingBundle, LeavingBundle]:
    """The strongest bundles of two sources that leave an object, without names those of the
    shortest and the longest wavelength.
    """
    result = light.result
    if source is None:
        first = [
            int(b.rows[0]) for b in reversed(light.bundles(index))
        ]  # of one colour the strongest bundle
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
    one, two = (light.strongest(Takes.LEAVING, index, of) for of in (source, other))
    assert isinstance(one, LeavingBundle)
    assert isinstance(two, LeavingBundle)
    return one, two


def _of_two(light: Light, index: int, source: int | None = None, other: int | None = None) -> Rows:
    return np.concatenate([bundle.rows for bundle in _of_two_colours(light, index, source, other)])


def marginal_focus(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the last surface to where the outermost rays of the strongest bundle cross its
    middle ray, the mean of both sides; negative if virtual.
    """
    conjugates = conjugates_of(light, index, bundle)
    if conjugates.image_point is None:
        raise Undefined(
            f"The light leaves {light.title(index)} parallel: it has no paraxial focus to compare"
            " with."
        )
    on_axis, axis = np.array(conjugates.image_point), np.array(conjugates.axis_out)
    entry = last_pieces(light.result, bundle.arriving)[1]
    across = cross_products(np.array(conjugates.axis_in)[None], entry)
    height = across - (across.max() + across.min()) / 2
    start, end = first_pieces(light.result, bundle.rows)
    crossings = []
    for k in {int(height.argmin()), int(height.argmax())}:
        d = end[k] - start[k]
        turn = float(cross_products(axis, d))
        if abs(turn) <= PARALLEL * float(np.hypot(*d)):
            raise Undefined(
                "The outermost rays run parallel to the middle one and do not cross it."
            )
        crossings.append(float(cross_products(start[k] - on_axis, d)) / turn)
    at = on_axis + float(np.mean(crossings)) * axis
    return from_surface(
        light,
        index,
        bundle.rows,
        *_on_axis(light, index, conjugates, Point(*at.tolist()), conjugates.axis_out),
    )


def spherical_aberration(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Longitudinal spherical aberration: the marginal focus minus the paraxial one, negative where
    a lens is undercorrected.
    """
    return marginal_focus(light, index, bundle) - image_distance(light, index, bundle)


def principal_object_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the paraxial object point to the front principal plane of the object alone in
    air; negative if virtual.
    """
    return _principal_distances(light, index, bundle)[0]


def principal_image_distance(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Distance from the rear principal plane of the object alone in air to the paraxial image;
    negative if virtual.
    """
    return _principal_distances(light, index, bundle)[1]


def _principal_distances(light: Light, index: int, bundle: LeavingBundle) -> tuple[float, float]:
    """The object's distance from the front and the image's from the rear principal plane; infinite
    at infinity.
    """
    conjugates, nominal = conjugates_of(light, index, bundle), nominal_of(light, index, bundle)
    if not in_air(light, bundle):
        raise Undefined(
            f"{light.title(index)} is not in air: its principal planes are those of the object"
            " alone in air."
        )
    before = after = math.inf
    if conjugates.object_point is not None:
        at, axis = _on_axis(light, index, conjugates, conjugates.object_point, conjugates.axis_in)
        before = (nominal.front.x - at.x) * axis[0] + (nominal.front.y - at.y) * axis[1]
    if conjugates.image_point is not None:
        at, axis = _on_axis(light, index, conjugates, conjugates.image_point, conjugates.axis_out)
        after = (at.x - nominal.rear.x) * axis[0] + (at.y - nominal.rear.y) * axis[1]
    return before, after


def _axis_for(light: Light, index: int, conjugates: Conjugates) -> Axis | None:
    """The object's own optical axis if distances are measured along it, None if along the beam, as
    for oblique light on a curved mirror.
    """
    own = own_axis(light, index)
    if own is None or all(
        isinstance(light.scene.optical[i], IdealLens | IdealMirror) for i in light.members(index)
    ):
        return own
    cosines = [
        abs(d[0] * own[1][0] + d[1] * own[1][1]) for d in (conjugates.axis_in, conjugates.axis_out)
    ]
    return own if min(cosines) >= math.cos(math.radians(OBLIQUE)) else None


def _on_axis(
    light: Light, index: int, conjugates: Conjugates, at: Point, along: tuple[float, float]
) -> Axis:
    """The foot of a point on the line along which its distance counts, and the line's direction,
    onward: the object's axis or the beam.
    """
    return on_axis(_axis_for(light, index, conjugates), at, along)


MEASURES = (
    Measure(
        image_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the last surface of {object} to the image [of the light from {source}]"
        ),
        senses=("", "virtual: before that surface"),
        questions=(
            "What is the image distance of {object}?",
            "How far behind {object} is the image?",
        ),
    ),
    Measure(
        object_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the object point [of the light from {source}] to the first surface of"
            " {object}"
        ),
        rays=arriving_rays,
        senses=("", "virtual: behind that surface"),
        questions=("What is the object distance of {object}?",),
    ),
    Measure(
        magnification,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="magnification of {object} [for the light from {source}]",
        rays=through_rays,
        senses=("upright", "inverted"),
        questions=(
            "What is the magnification of {object}?",
            "How much does {object} magnify?",
        ),
        signed=True,
    ),
    Measure(
        angular_magnification,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="angular magnification of {object} [for the light from {source}]",
        rays=through_rays,
        senses=("upright", "inverted"),
        questions=("What is the angular magnification of {object}?",),
        signed=True,
    ),
    Measure(
        magnifying_power,
        Unit.ONE,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="magnifying power of {object} [for the light from {source}]",
        rays=through_rays,
        senses=("upright", "inverted"),
        questions=("What is the magnifying power of {object}?",),
        signed=True,
    ),
    Measure(
        chromatic_shift,
        Unit.LENGTH,
        (OBJECT, SOURCE, Parameter("other", Role.SOURCE, optional=True)),
        quantity="chromatic focal shift of {object} [between {source} and {other}]",
        rays=_of_two,
        questions=(
            "What is the chromatic [focal] shift of {object}?",
            "How large is the [longitudinal] chromatic aberration of {object}?",
        ),
        signed=True,
    ),
    Measure(
        marginal_focus,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the last surface of {object} to the marginal focus [of the light from"
            " {source}]"
        ),
        senses=("", "virtual: before that surface"),
        questions=("Where is the marginal focus of {object}?",),
    ),
    Measure(
        spherical_aberration,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity="longitudinal spherical aberration of {object} [for the light from {source}]",
        senses=("", "undercorrected"),
        questions=("How large is the [longitudinal] spherical aberration of {object}?",),
        signed=True,
    ),
    Measure(
        principal_object_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the object point [of the light from {source}] to the front principal"
            " plane of {object}"
        ),
        rays=arriving_rays,
        senses=("", "virtual"),
        questions=("What is the object distance of {object} from its principal plane?",),
    ),
    Measure(
        principal_image_distance,
        Unit.LENGTH,
        (OBJECT, SOURCE),
        Takes.LEAVING,
        quantity=(
            "distance from the rear principal plane of {object} to the image [of the light from"
            " {source}]"
        ),
        senses=("", "virtual"),
        questions=("What is the image distance of {object} from its principal plane?",),
    ),
)
