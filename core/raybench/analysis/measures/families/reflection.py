"""Measures of reflections, total or inside a body, and of the angles of the interface of two media,
light or no light.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.containment import contains_points
from raybench.analysis.geometry.straight import Floats, Rows, distinct_integers
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    ROUNDING,
    SOURCE,
    Family,
    Parameter,
    Role,
    Undefined,
    Unit,
    no_rays,
)
from raybench.analysis.rays.incidence import (
    causes_total_reflection,
    last_pieces,
    row_incidences,
    transmitted_mask,
)
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.glasses import GlassBody
from raybench.optics.colour import GREEN
from raybench.trace.codes import Interaction
from raybench.trace.results.result import TraceResult

ANY = Parameter("object", Role.SURFACE, optional=True)
GLASS = Parameter("object", Role.SURFACE, noun="glass")
REFLECTIONS = Family("Total reflection")


def _marked(light: Light, rows: Rows) -> NDArray[np.int64]:
    """1 for some segments, 0 for the others, (n,)."""
    counted = np.zeros(len(light.result), np.int64)
    counted[rows] = 1
    return counted


def _most_on_a_path(light: Light, rows: Rows) -> float:
    """The largest number of some segments on the path of one ray."""
    return float(light.result.lineage.along_path(_marked(light, rows)).max(initial=0))


def _path_with_most(select: Callable[..., Rows]) -> Callable[..., Rows]:
    """The rays of a measure: the path of a ray that has most of the selected segments on it."""

    def path(light: Light, *arguments: int | None) -> Rows:
        counted, lineage = _marked(light, select(light, *arguments)), light.result.lineage
        if not counted.any():
            return np.empty(0, np.int64)
        return np.array(lineage.path(int(lineage.along_path(counted).argmax())))

    return path


def _begun_by_reflection(result: TraceResult) -> Rows:
    """The segments that begin with a reflection at a surface."""
    return np.flatnonzero(np.isin(result.interaction, (Interaction.REFLECT, Interaction.TIR)))


def _turned_back(light: Light, source: int | None = None) -> Rows:
    """The segments that are reflected at their ends."""
    result = light.result
    split = np.flatnonzero((result.interaction == Interaction.SPLIT) & (result.parent >= 0))
    begun = np.concatenate([_begun_by_reflection(result), split[~transmitted_mask(result, split)]])
    rows = distinct_integers(result.parent[begun])
    return light.of_source(rows[rows >= 0], source)


@REFLECTIONS.measure(
    Unit.ONE,
    "number of reflections [of the light from {source}]",
    "How many reflections are there?",
    "How often is the light reflected?",
    parameters=(SOURCE,),
    rays=_turned_back,
)
def reflections(light: Light, source: int | None = None) -> float:
    """Number of reflections of rays, partial, total and at mirrors and beam splitters, as far as
    they were traced.
    """
    return float(len(_turned_back(light, source)))


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of reflections of one ray [from {source}]",
    "What is the largest number of reflections of one ray?",
    "How often is a ray reflected at most?",
    parameters=(SOURCE,),
    rays=_path_with_most(_turned_back),
)
def most_reflections(light: Light, source: int | None = None) -> float:
    """Largest number of reflections, partial, total and at mirrors and beam splitters, on the path
    of one ray.
    """
    return _most_on_a_path(light, _turned_back(light, source))


def _totally_reflected(light: Light, index: int | None = None, source: int | None = None) -> Rows:
    """The segments that are totally reflected at their ends."""
    rows = np.flatnonzero(light.met(index, source))
    return rows[causes_total_reflection(light.result, rows)]


@REFLECTIONS.measure(
    Unit.ONE,
    "number of total reflections [at {object} [of the light from {source}]]",
    "How many total [internal] reflections are there [in {object}]?",
    parameters=(ANY, SOURCE),
    rays=_totally_reflected,
)
def total_reflections(light: Light, index: int | None = None, source: int | None = None) -> float:
    """Number of total reflections of rays, at an object, from inside and outside, or anywhere."""
    return float(len(_totally_reflected(light, index, source)))


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of total reflections of one ray [at {object} [of the light from {source}]]",
    "What is the largest number of total [internal] reflections of one ray [in {object}]?",
    "How many times is a ray totally [internally] reflected [in {object}]?",
    parameters=(ANY, SOURCE),
    rays=_path_with_most(_totally_reflected),
)
def most_total_reflections(
    light: Light, index: int | None = None, source: int | None = None
) -> float:
    """Largest number of total reflections on the path of one ray, at an object or anywhere."""
    return _most_on_a_path(light, _totally_reflected(light, index, source))


@REFLECTIONS.measure(
    Unit.POWER,
    "power that is totally reflected [at {object} [of the light from {source}]]",
    "How much power is totally [internally] reflected [in {object}]?",
    parameters=(ANY, SOURCE),
    rays=_totally_reflected,
)
def total_reflection_power(
    light: Light, index: int | None = None, source: int | None = None
) -> float:
    """Power that is totally reflected, at an object, from inside and outside, or anywhere;
    reflected twice it counts twice.
    """
    return float(light.result.total_arriving_power[_totally_reflected(light, index, source)].sum())


def _reflected_inside(light: Light, index: int, source: int | None = None) -> Rows:
    """The segments that end on a body from inside and are reflected there."""
    body, result = body_of_glass(light, index), light.result
    rows = distinct_integers(result.parent[_begun_by_reflection(result)])
    rows = rows[rows >= 0]
    rows = rows[light.met(index, source)[rows]]
    if not len(rows):
        return rows
    p1, p2 = last_pieces(result, rows)
    return rows[contains_points(edges_as_traced(body, light.scene), (p1 + p2) / 2)]


@REFLECTIONS.measure(
    Unit.ONE,
    "number of reflections inside {object} [of the light from {source}]",
    "How many reflections are inside {object}?",
    parameters=(GLASS, SOURCE),
    rays=_reflected_inside,
)
def inner_reflections(light: Light, index: int, source: int | None = None) -> float:
    """Number of reflections of rays inside a body of glass, partial and total, as far as they were
    traced.
    """
    return float(len(_reflected_inside(light, index, source)))


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of reflections of one ray inside {object} [of the light from {source}]",
    "What is the largest number of reflections of one ray inside {object}?",
    parameters=(GLASS, SOURCE),
    rays=_path_with_most(_reflected_inside),
)
def most_inner_reflections(light: Light, index: int, source: int | None = None) -> float:
    """Largest number of reflections inside a body of glass, partial and total, on the path of one
    ray.
    """
    return _most_on_a_path(light, _reflected_inside(light, index, source))


def _critical_margins(light: Light, rows: Rows) -> Floats:
    """The angles by which totally reflected segments exceed the critical angle at their ends, (k,)."""
    met = row_incidences(light.result, light.scene, rows, light.disabled)
    margins: Floats = met.angle - met.critical
    return margins


def _nearest_critical(light: Light, index: int, source: int | None = None) -> Rows:
    """The totally reflected segment that exceeds the critical angle least."""
    rows = _totally_reflected(light, index, source)
    return rows[[int(np.nanargmin(_critical_margins(light, rows)))]] if len(rows) else rows


@REFLECTIONS.measure(
    Unit.ANGLE,
    "smallest angle by which light [from {source}] exceeds the critical angle at {object}",
    "What is the margin to the critical angle in {object}?",
    parameters=(GLASS, SOURCE),
    rays=_nearest_critical,
)
def critical_margin(light: Light, index: int, source: int | None = None) -> float:
    """Smallest angle by which light that an object totally reflects exceeds the critical angle."""
    rows = _totally_reflected(light, index, source)
    if not len(rows):
        raise Undefined(f"No light is totally reflected at {light.title(index)}.")
    return float(np.nanmin(_critical_margins(light, rows)))


INTERFACE = Family(
    "Interface of two media",
    (
        Parameter("first", Role.SURFACE, noun="glass"),
        Parameter("second", Role.SURFACE, optional=True),
    ),
    rays=no_rays,
)


@INTERFACE.measure(
    Unit.ONE,
    "refractive index of {object}",
    "What refractive index does the light meet in {object}?",
    parameters=(GLASS,),
)
def refractive_index(light: Light, index: int) -> float:
    """Refractive index of a body of glass alone, at the wavelength of most of the light that meets
    it.
    """
    return uniform_index(light, index, colour_at(light, index))


@INTERFACE.measure(
    Unit.ANGLE,
    "critical angle at the interface of {first} [and {second}]",
    "What is the critical angle between {first} and {second}?",
)
def critical_angle(light: Light, first: int, second: int | None = None) -> float:
    """Critical angle of total reflection between the glasses of two bodies, or of one and air: asin of the smaller index over the larger,
    at the wavelength of most of the light that meets the first."""  # Hecht, section 4.7
    low, high = sorted(map(abs, _index_pair(light, first, second)))
    if low == high:
        against = "air" if second is None else light.title(second)
        raise Undefined(
            f"{light.title(first)} and {against} have one index, {low:.6g}: there is no total"
            " reflection between them."
        )
    return math.degrees(math.asin(low / high))


@INTERFACE.measure(
    Unit.ANGLE,
    "angle of incidence on {first} [from {second}] by Brewster's law",
    "What is the Brewster angle between {first} and {second}?",
)
def brewster_angle(light: Light, first: int, second: int | None = None) -> float:
    """Brewster's angle of incidence on a body from another one, by default from air, at which no
    p-polarised light is reflected.
    """
    own, other = _index_pair(light, first, second)  # Hecht, section 4.6.2
    return math.degrees(math.atan2(abs(own), abs(other)))


def body_of_glass(light: Light, index: int) -> GlassBody:
    """The body of an index. Raises Undefined if it is none of glass."""
    body = light.scene.optical[index]
    if not isinstance(body, GlassBody):
        raise Undefined(f"{light.title(index)} is no body of glass.")
    return body


def colour_at(light: Light, index: int) -> float:
    """The wavelength in nm of most of the light that meets an object, the shortest of several;
    green where none does or it has none.
    """
    rows = light.rows_meeting(index)
    if not len(rows):
        return GREEN
    wavelengths, which = np.unique(light.result.wavelength[rows], return_inverse=True)
    power = np.bincount(which, light.result.total_arriving_power[rows])
    most = float(wavelengths[np.argmax(power >= (1.0 - ROUNDING) * power.max())])
    return GREEN if math.isnan(most) else most


def uniform_index(light: Light, index: int, colour: float) -> float:
    """The refractive index of a body for a wavelength in nm. Raises Undefined if it varies."""
    n = body_of_glass(light, index).uniform_index(
        colour if light.scene.settings.simulate_colors else None
    )
    if n is None:
        raise Undefined(f"The index of {light.title(index)} varies from place to place.")
    return n


def _index_pair(light: Light, first: int, second: int | None) -> tuple[float, float]:
    """The indices of a body and of another, by default of air."""
    colour = colour_at(light, first)
    own = uniform_index(light, first, colour)
    return own, 1.0 if second is None else uniform_index(light, second, colour)
