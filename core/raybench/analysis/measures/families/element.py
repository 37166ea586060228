"""Measures of prisms, gratings, light guides and cavities of two mirrors, by textbook formulas."""

import math

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.measures.families.beam import TURNS, deviation
from raybench.analysis.measures.families.power import reflectance, transmittance
from raybench.analysis.measures.families.reflection import (
    GLASS,
    dominant_wavelength,
    require_glass_body,
    uniform_index,
)
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
    select_no_rays,
)
from raybench.analysis.measures.paraxial import nominal_optics, outer_refractive_indices
from raybench.analysis.measures.selections import MeasuredObject, ObjectBeam
from raybench.analysis.scene.surroundings import refractive_indices_by_colour
from raybench.errors import in_quotes
from raybench.kinds.fields import METRES
from raybench.kinds.gratings import Grating
from raybench.kinds.mirrors import BeamSplitter, Mirror, Reflector
from raybench.optics.colour import GREEN
from raybench.scene.changes.placing import object_centre
from raybench.shapes.point import Point
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction

PRISM = Parameter("object", Role.SURFACE, noun="prism")
GRATING = Parameter("object", Role.SURFACE, noun="grating")
SPLITTER = Parameter("object", Role.SYSTEM, noun="splitter")
CLADDING = Parameter("cladding", Role.SURFACE, optional=True)
ALIGNED = 1e-3
"""Angle, rad, within which the axes of two mirrors of a cavity count as one."""
ELEMENTS: Family = Family("Prism, light guide and cavity")


def _outward_normal(beam: ObjectBeam, row: int, out: Floats) -> Floats:
    """The unit normal of the flat face on which a segment ends, on the side of the direction
    ``out``.
    """
    shape = beam.light.edge_hit(beam.index, row).shape
    if not isinstance(shape, Line):
        raise Undefined(
            f"Light meets a curved face of {beam.title}; only flat faces have an angle between"
            " them."
        )
    normal = np.array([shape.b.y - shape.a.y, shape.a.x - shape.b.x]) / math.dist(shape.a, shape.b)
    return normal if normal @ out > 0 else -normal


@ELEMENTS.measure(
    Unit.ANGLE,
    "refracting angle of {object} [for the light from {source}]",
    "What is the [refracting] apex angle of {object}?",
    parameters=(PRISM, SOURCE),
    select=ObjectBeam,
    takes=BundleChoice.TRANSMITTED,
    rays=ObjectBeam.rows_inside_object,
    needs=RowsNeeded.LEAVING,
)
def prism_angle(beam: ObjectBeam) -> float:
    """Refracting angle of a prism, also apex angle: between the flat faces through which the
    strongest transmitted bundle enters and leaves, 0 if they are parallel.
    """
    row, arrived = int(beam.rows[0]), int(beam.arriving_rows()[0])
    if beam.light.start_inside_mask(beam.index, np.array([arrived]))[0]:
        raise Undefined(f"The light starts inside {beam.title}: it goes through one face of it.")
    ax, ay = _outward_normal(beam, arrived, -beam.arriving_directions[0])
    bx, by = _outward_normal(beam, int(beam.light.result.parent[row]), beam.directions[0])
    return 180.0 - math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


@ELEMENTS.measure(
    Unit.ANGLE,
    "least deviation that {object} can give [the light from {source}]",
    "What is the minimum [angle of] deviation of {object}?",
    parameters=(PRISM, SOURCE),
    select=ObjectBeam,
    takes=BundleChoice.TRANSMITTED,
    rays=ObjectBeam.rows_inside_object,
    signed=True,
    senses=TURNS,
    needs=RowsNeeded.LEAVING,
)
def minimum_deviation(beam: ObjectBeam) -> float:
    """Least angle by which a prism of this refracting angle A and relative index n can deviate
    light, in any position: 2 asin(n sin(A/2)) - A, with the sign of the present deviation.
    """
    light, result = beam.light, beam.light.result
    inside = beam.leaving_bundle.first_ray_segments[1:]
    if result.interaction[inside].tolist() != [Interaction.REFRACT, Interaction.REFRACT]:
        raise Undefined(
            f"The light through {beam.title} is reflected inside; least deviation is that of two"
            " refractions."
        )
    before, after = outer_refractive_indices(beam)
    if abs(before - after) > 1e-9:
        raise Undefined(f"{beam.title} has different media on its two sides.")
    angle = math.radians(prism_angle(beam))
    row = inside[0]
    ((n,),) = refractive_indices_by_colour(
        light.scene, result.wavelength[[row]], result.middle[[row]], disabled=light.disabled
    )
    sine = float(n) / before * math.sin(angle / 2)
    if abs(sine) > 1:
        raise Undefined(
            f"The refracting angle of {beam.title} is too large for light to go through"
            " symmetrically."
        )
    return math.copysign(math.degrees(2 * math.asin(sine) - angle), deviation(beam))


@ELEMENTS.measure(
    Unit.LENGTH,
    "grating period of {object}",
    "What is the [grating] period of {object}?",
    parameters=(GRATING,),
    rays=select_no_rays,
    needs=RowsNeeded.NONE,
)
def grating_period(light: Light, index: int) -> float:
    """Period of a grating, also grating constant: the distance between its lines."""
    grating = light.scene.optical[index]
    if not isinstance(grating, Grating):
        raise Undefined(f"{light.title(index)} is no grating.")
    if not grating.line_density > 0:
        raise Undefined(f"{light.title(index)} has no lines.")
    return 1e-3 / grating.line_density / float(METRES[light.length_unit])


@ELEMENTS.measure(
    Unit.ONE,
    "resolving power of {object} [for the light from {source}]",
    "What is the resolving power of {object}?",
    "Which wavelengths can {object} resolve [resolution apart distinguish separate]?",
    parameters=(GRATING, SOURCE),
    select=ObjectBeam,
    takes=BundleChoice.LEAVING,
    needs=RowsNeeded.LEAVING,
)
def resolving_power(beam: ObjectBeam) -> float:
    """Resolving power of a grating in the order of a bundle, by default the strongest: the
    wavelength over the smallest difference of wavelengths that is resolved, which is |order| times
    the number of illuminated lines.
    """
    period = grating_period(beam.light, beam.index)
    a, b = beam.shapes[0].a, beam.shapes[0].b
    along = np.array([b.x - a.x, b.y - a.y]) / math.dist(a, b)
    lit = float(np.ptp(beam.arriving_beam.rays_with_rims[0] @ along))
    if len(beam.rows) < 2 or not lit > 0:
        raise Undefined(
            f"One ray meets {beam.title}, which lights no width of it. Take a beam of several rays."
        )
    return abs(beam.grating_order or 0) * lit / period


@ELEMENTS.measure(
    Unit.ONE,
    "ratio of transmitted to reflected power of {object} [for the light from {source}]",
    "What is the splitting ratio of {object} [beam 50 split]?",
    "What is the ratio of transmitted to reflected power at {object}?",
    parameters=(SPLITTER, SOURCE),
    rays=lambda light, index, source=None: np.concatenate(
        [np.empty(0, np.int64), *(b.rows for b in light.bundles(index, source))]
    ),
)
def splitting_ratio(light: Light, index: int, source: int | None = None) -> float:
    """Splitting ratio of a beam splitter: transmitted over reflected power."""
    reflected = reflectance(light, index, source)
    if not reflected > 0:
        raise Undefined(f"{light.title(index)} reflects no light{light.source_phrase(source)}.")
    return transmittance(light, index, source) / reflected


@ELEMENTS.measure(
    Unit.ONE,
    "numerical aperture of the light guide {object} [in {cladding}]",
    "What is the numerical aperture of the light guide {object}?",
    parameters=(GLASS, CLADDING),
    rays=select_no_rays,
    needs=RowsNeeded.ARRIVING,
)
def guide_aperture(light: Light, index: int, cladding: int | None = None) -> float:
    """Numerical aperture of a light guide: the root of n1² - n2², with the indices of its core and
    of its cladding, by default the medium along most of its outline.
    """
    core, around = _guide_refractive_indices(light, index, cladding)
    squared = core * core - around * around
    if not squared > 0:
        magnitude = " in magnitude" if min(core, around) < 0 else ""
        raise Undefined(
            f"{light.title(index)} guides no light: its index {core:.6g} is not above that around"
            f" it, {around:.6g}{magnitude}."
        )
    return math.sqrt(squared)


@ELEMENTS.measure(
    Unit.ANGLE,
    "acceptance angle of the light guide {object} [in {cladding}]",
    "What is the acceptance angle of {object}?",
    parameters=(GLASS, CLADDING),
    rays=select_no_rays,
    needs=RowsNeeded.ARRIVING,
)
def acceptance_angle(light: Light, index: int, cladding: int | None = None) -> float:
    """Largest angle from the axis of a light guide at which light that enters its end from air is
    guided: asin of its numerical aperture, 90 if that is 1 or more.
    """
    return math.degrees(math.asin(min(1.0, guide_aperture(light, index, cladding))))


def _guide_refractive_indices(
    light: Light, index: int, cladding: int | None
) -> tuple[float, float]:
    """The refractive indices of the core and of the cladding of a light guide. If no cladding is
    given, the medium along most of the core's outline is the cladding.
    """
    body, colour = require_glass_body(light, index), dominant_wavelength(light, index)
    if body.key in light.disabled:
        raise Undefined(f"{light.title(index)} is disabled.")
    from raybench.analysis.scene.interfaces import edge_parts_by_media  # it imports shapely

    parts = edge_parts_by_media(
        light.scene, [body], disabled=light.disabled, labels=light.edge_labels, wavelength=colour
    )
    if not parts:
        raise Undefined(f"{light.title(index)} has no outline.")
    lengths = dict[tuple[float, float], float]()
    for part in [p for p in parts if p.n_inside != p.n_outside] or parts:
        pair = part.n_inside, part.n_outside
        lengths[pair] = lengths.get(pair, 0.0) + part.length
    longest = max(lengths.values())  # infinite of a half-plane
    core, around = min(
        (pair for pair, length in lengths.items() if length >= longest * (1 - 1e-9)),
        key=lambda pair: pair[1],
    )
    return core, around if cladding is None else uniform_index(light, cladding, colour)


@ELEMENTS.measure(
    Unit.ONE,
    "stability g1 g2 of the cavity of {first} and {second}",
    "Is the cavity of {first} and {second} stable?",
    "What is the stability of the cavity of {first} and {second}?",
    parameters=tuple(Parameter(n, Role.SURFACE, noun="mirror") for n in ("first", "second")),
    rays=select_no_rays,
    senses=("stable up to 1", "unstable"),
    needs=RowsNeeded.NONE,
)
def stability(light: Light, first: int, second: int) -> float:
    """Stability g1 g2 of the cavity between two mirrors, with g = 1 - L/R for their distance L and
    radii of curvature R: rays stay in the cavity if the value is from 0 to 1.
    """
    mirrors = [MeasuredObject(light, i) for i in (first, second)]
    for mirror in mirrors:
        if not isinstance(obj := mirror.members[0], Reflector):
            raise Undefined(f"{in_quotes(obj.title)} is no mirror with two ends and an axis.")
    one, other = ends = [_mirror_vertex(mirror) for mirror in mirrors]
    length = math.dist(*ends)
    if length == 0:
        raise Undefined("The mirrors lie on each other.")
    return (1 - length * _curvature_seen_from(mirrors[0], one, other)) * (
        1 - length * _curvature_seen_from(mirrors[1], other, one)
    )


def _mirror_vertex(mirror: MeasuredObject) -> Point:
    """The vertex of a mirror: the point of its surface nearest to the point through which its kind
    defines the axis.
    """
    axis = mirror.optical_axis
    return object_centre(mirror.members[0]) if axis is None else mirror.shapes[0].nearest(axis[0])


def _curvature_seen_from(mirror: MeasuredObject, from_point: Point, other_vertex: Point) -> float:
    """The curvature 1/R of a mirror as seen from another mirror: positive if concave, 0 if flat.
    Raises Undefined if it does not face that mirror.
    """
    length = math.dist(from_point, other_vertex)
    toward = (from_point.x - other_vertex.x) / length, (from_point.y - other_vertex.y) / length
    own, shape = mirror.optical_axis, mirror.shapes[0]
    along = own[1] if own is not None else (shape.b.y - shape.a.y, shape.a.x - shape.b.x)
    if abs(along[0] * toward[1] - along[1] * toward[0]) > ALIGNED * math.hypot(*along):
        raise Undefined(
            f"{mirror.title} does not face the other mirror: its axis does not go through it."
        )
    if isinstance(mirror.members[0], Mirror | BeamSplitter):
        return 0.0
    scene = mirror.light.scene
    return 1.0 / (
        2.0 * nominal_optics(scene, (mirror.index,), (other_vertex, toward), GREEN).focal_length
    )
