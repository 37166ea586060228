"""Measures of a prism, a light guide and a cavity of two mirrors, by their textbook formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.families.power import reflectance, transmittance
from raybench.analysis.measures.families.reflection import body_of_glass, colour_at, uniform_index
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
from raybench.analysis.measures.paraxial import indices_of, nominal_optics, own_axis
from raybench.analysis.rays.incidence import last_pieces
from raybench.analysis.rays.leaving_light import LeavingBundle
from raybench.analysis.scene.surroundings import index_by_colour
from raybench.errors import in_quotes
from raybench.kinds.gratings import Grating
from raybench.kinds.mirrors import BeamSplitter, Mirror, Reflector
from raybench.optics.colour import GREEN
from raybench.scene.changes.placing import centre_of
from raybench.scene.changes.quantity import METRES
from raybench.shapes.point import Point
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction

if TYPE_CHECKING:  # it imports shapely
    from raybench.analysis.scene.interfaces import Stretch

PRISM = Parameter("object", Role.SURFACE, noun="prism")
GRATING = Parameter("object", Role.SURFACE, noun="grating")
SPLITTER = Parameter("object", Role.SYSTEM, noun="splitter")
CORE = Parameter("object", Role.SURFACE, noun="glass")
CLADDING = Parameter("cladding", Role.SURFACE, optional=True)
SOURCE = Parameter("source", Role.SOURCE, optional=True)
FIRST, SECOND = (Parameter(name, Role.SURFACE, noun="mirror") for name in ("first", "second"))
ALIGNED = 1e-3
"""Angle, rad, within which the axes of two mirrors of a cavity count as one."""


def prism_angle(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Refracting angle of a prism, also apex angle: between the flat faces through which the
    strongest transmitted bundle enters and leaves, 0 if they are parallel.
    """
    row, arrived = int(bundle.rows[0]), int(bundle.arriving[0])
    if light.starts_inside(index, arrived):
        raise Undefined(
            f"The light starts inside {light.title(index)}: it goes through one face of it."
        )
    normals = []
    for met, direction in (
        (arrived, -light.directions(bundle.arriving[:1])[0]),
        (int(light.result.parent[row]), _leaving_direction(light, bundle)),
    ):
        shape = light.edge_met(index, met).shape
        if not isinstance(shape, Line):
            raise Undefined(
                f"Light meets a curved face of {light.title(index)}; only flat faces have an angle"
                " between them."
            )
        normal = np.array([shape.b.y - shape.a.y, shape.a.x - shape.b.x]) / math.dist(
            shape.a, shape.b
        )
        normals.append(
            normal if normal @ direction > 0 else -normal
        )  # out of the body on both faces
    (ax, ay), (bx, by) = normals
    return 180.0 - math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


def minimum_deviation(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Least angle by which a prism of this refracting angle A and relative index n can deviate light, whatever its position:
    2 asin(n sin(A/2)) - A."""  # Hecht, section 5.5.1
    inside = _rows_inside(light, bundle)
    if [int(light.result.interaction[row]) for row in inside] != [
        Interaction.REFRACT,
        Interaction.REFRACT,
    ]:
        raise Undefined(
            f"The light through {light.title(index)} is reflected inside; least deviation is that"
            " of two refractions."
        )
    before, after = indices_of(light, bundle)
    if abs(before - after) > 1e-9:
        raise Undefined(f"{light.title(index)} has different media on its two sides.")
    angle = math.radians(prism_angle(light, index, bundle))
    sine = _index_on(light, inside[0]) / before * math.sin(angle / 2)
    if abs(sine) > 1:
        raise Undefined(
            f"The refracting angle of {light.title(index)} is too large for light to go through"
            " symmetrically."
        )
    return math.degrees(2 * math.asin(sine) - angle)


def grating_period(light: Light, index: int) -> float:
    """Period of a grating, also grating constant: the distance between its lines."""
    grating = light.scene.optical[index]
    if not isinstance(grating, Grating):
        raise Undefined(f"{light.title(index)} is no grating.")
    if not grating.line_density > 0:
        raise Undefined(f"{light.title(index)} has no lines.")
    return 1e-3 / grating.line_density / float(METRES[light.unit])


def resolving_power(light: Light, index: int, bundle: LeavingBundle) -> float:
    """Resolving power of a grating in the order of a bundle, by default the strongest: the wavelength over the smallest difference that is
    resolved, |order| times the number of lines that are lit."""  # Hecht, section 10.2.8
    period, order = grating_period(light, index), light.order(int(bundle.rows[0]))
    shape = light.edge_met(index, int(bundle.arriving[0])).shape
    along = np.array([shape.b.x - shape.a.x, shape.b.y - shape.a.y]) / math.dist(shape.a, shape.b)
    lit = float(np.ptp(last_pieces(light.result, bundle.arriving)[1] @ along))
    if not lit > 0:
        raise Undefined(
            f"One ray meets {light.title(index)}, which lights no width of it. Take a beam of"
            " several rays."
        )
    return abs(order or 0) * lit / period


def splitting_ratio(light: Light, index: int, source: int | None = None) -> float:
    """Splitting ratio of a beam splitter: transmitted over reflected power."""
    reflected = reflectance(light, index, source)
    if not reflected > 0:
        raise Undefined(f"{light.title(index)} reflects no light{light.whose(source)}.")
    return transmittance(light, index, source) / reflected


def guide_aperture(light: Light, index: int, cladding: int | None = None) -> float:
    """Numerical aperture of a light guide: the root of n1² - n2², the indices of its core and of the cladding, by default of the medium
    along most of its outline."""  # Hecht, section 5.6
    core, around = _guide_indices(light, index, cladding)
    squared = core * core - around * around
    if not squared > 0:
        magnitude = " in magnitude" if min(core, around) < 0 else ""
        raise Undefined(
            f"{light.title(index)} guides no light: its index {core:.6g} is not above that around"
            f" it, {around:.6g}{magnitude}."
        )
    return math.sqrt(squared)


def acceptance_angle(light: Light, index: int, cladding: int | None = None) -> float:
    """Largest angle from the axis of a light guide at which light that enters its end from air is
    guided: asin of its numerical aperture, 90 from an aperture of 1 on.
    """
    return math.degrees(math.asin(min(1.0, guide_aperture(light, index, cladding))))


def stability(light: Light, first: int, second: int) -> float:
    """Stability g1 g2 of the cavity between two mirrors, g = 1 - L/R with their distance L and radii of curvature R: rays stay in it where
    the value is from 0 to 1."""  # Saleh and Teich, Fundamentals of Photonics, section 10.2
    mirrors = [light.scene.optical[i] for i in (first, second)]
    for mirror in mirrors:
        if not isinstance(mirror, Reflector):
            raise Undefined(f"{in_quotes(mirror.title)} is no mirror with two ends and an axis.")
    ends = [_mirror_vertex(light, i) for i in (first, second)]
    length = math.dist(*ends)
    if length == 0:
        raise Undefined("The mirrors lie on each other.")
    g = [
        1 - length * _seen_curvature(light, i, here, other)
        for i, here, other in zip((first, second), ends, ends[::-1], strict=True)
    ]
    return g[0] * g[1]


def _split_rays(light: Light, index: int, source: int | None = None) -> Rows:
    """The segments that leave a beam splitter."""
    return np.concatenate([b.rows for b in light.bundles(index, source)] or [np.empty(0, np.int64)])


def _leaving_direction(light: Light, bundle: LeavingBundle) -> np.ndarray:
    direction: np.ndarray = light.leaving_directions(bundle)[0]
    return direction


def _rows_inside(light: Light, bundle: LeavingBundle) -> list[int]:
    """The rows of a bundle's first ray after it arrived at the object, to that which leaves it."""
    path = light.result.lineage.path(int(bundle.rows[0]))
    return path[path.index(int(bundle.arriving[0])) + 1 :]


def _index_on(light: Light, row: int) -> float:
    """The refractive index in the middle of a segment."""
    ((n,),) = index_by_colour(
        light.scene,
        light.result.wavelength[[row]],
        light.result.middle[[row]],
        disabled=light.disabled,
    )
    return float(n)


def _guide_indices(light: Light, index: int, cladding: int | None) -> tuple[float, float]:
    """The refractive indices of a core and of its cladding."""
    body, colour = body_of_glass(light, index), colour_at(light, index)
    if body.key in light.disabled:
        raise Undefined(f"{light.title(index)} is disabled.")
    from raybench.analysis.scene.interfaces import edge_stretches  # it imports shapely

    parts = edge_stretches(
        light.scene, [body], disabled=light.disabled, labels=light.edge_labels, wavelength=colour
    )
    if not parts:
        raise Undefined(f"{light.title(index)} has no outline.")
    n_inside, n_outside = _media_along_most(parts)
    return (
        (n_inside, n_outside)
        if cladding is None
        else (n_inside, uniform_index(light, cladding, colour))
    )


def _media_along_most(parts: Sequence[Stretch]) -> tuple[float, float]:
    """The indices on both sides of most of an outline, not counting where they are equal; of equal
    lengths the lowest index outside.
    """
    lengths = dict[tuple[float, float], float]()
    for part in [p for p in parts if p.n_inside != p.n_outside] or parts:
        lengths[part.n_inside, part.n_outside] = (
            lengths.get((part.n_inside, part.n_outside), 0.0) + part.length
        )
    longest = max(lengths.values())  # infinite of a half-plane
    return min(
        (pair for pair, length in lengths.items() if length >= longest * (1 - 1e-9)),
        key=lambda pair: pair[1],
    )


def _mirror_vertex(light: Light, index: int) -> Point:
    axis = own_axis(light, index)
    return (
        centre_of(light.scene.optical[index]) if axis is None else _on_mirror(light, index, axis[0])
    )


def _on_mirror(light: Light, index: int, at: Point) -> Point:
    """The vertex of a mirror: the point of its surface nearest to that of its axis which the kind
    gives.
    """
    return light.edges(index)[0].shape.nearest(at)


def _seen_curvature(light: Light, index: int, here: Point, other: Point) -> float:
    """1/R of a mirror as seen from another, positive if it is hollow; 0 if it is flat. Raises
    Undefined if it does not face that.
    """
    toward = (
        (here.x - other.x) / math.dist(here, other),
        (here.y - other.y) / math.dist(here, other),
    )
    own = own_axis(light, index)
    shape = light.edges(index)[0].shape
    along = own[1] if own is not None else (shape.b.y - shape.a.y, shape.a.x - shape.b.x)
    if abs(along[0] * toward[1] - along[1] * toward[0]) > ALIGNED * math.hypot(*along):
        raise Undefined(
            f"{light.title(index)} does not face the other mirror: its axis does not go through it."
        )
    if isinstance(light.scene.optical[index], Mirror | BeamSplitter):
        return 0.0
    return 1.0 / (2.0 * nominal_optics(light.scene, (index,), (other, toward), GREEN).focal_length)


MEASURES = (
    Measure(
        prism_angle,
        Unit.ANGLE,
        (PRISM, SOURCE),
        Takes.TRANSMITTED,
        quantity="refracting angle of {object} [for the light from {source}]",
        questions=("What is the [refracting] apex angle of {object}?",),
    ),
    Measure(
        minimum_deviation,
        Unit.ANGLE,
        (PRISM, SOURCE),
        Takes.TRANSMITTED,
        quantity="least deviation that {object} can give [the light from {source}]",
        questions=("What is the minimum [angle of] deviation of {object}?",),
    ),
    Measure(
        grating_period,
        Unit.LENGTH,
        (GRATING,),
        quantity="grating period of {object}",
        rays=no_rays,
        questions=("What is the [grating] period of {object}?",),
    ),
    Measure(
        resolving_power,
        Unit.ONE,
        (GRATING, SOURCE),
        Takes.LEAVING,
        quantity="resolving power of {object} [for the light from {source}]",
        questions=("What is the resolving power of {object}?",),
    ),
    Measure(
        splitting_ratio,
        Unit.ONE,
        (SPLITTER, SOURCE),
        quantity=(
            "ratio of transmitted to reflected power of {object} [for the light from {source}]"
        ),
        rays=_split_rays,
        questions=(
            "What is the splitting ratio of {object} [beam 50 split]?",
            "What is the ratio of transmitted to reflected power at {object}?",
        ),
    ),
    Measure(
        guide_aperture,
        Unit.ONE,
        (CORE, CLADDING),
        quantity="numerical aperture of the light guide {object} [in {cladding}]",
        rays=no_rays,
        questions=("What is the numerical aperture of the light guide {object}?",),
    ),
    Measure(
        acceptance_angle,
        Unit.ANGLE,
        (CORE, CLADDING),
        quantity="acceptance angle of the light guide {object} [in {cladding}]",
        rays=no_rays,
        questions=("What is the acceptance angle of {object}?",),
    ),
    Measure(
        stability,
        Unit.ONE,
        (FIRST, SECOND),
        quantity="stability g1 g2 of the cavity of {first} and {second}",
        senses=("stable up to 1", "unstable"),
        rays=no_rays,
        questions=(
            "Is the cavity of {first} and {second} stable?",
            "What is the stability of the cavity of {first} and {second}?",
        ),
    ),
)
