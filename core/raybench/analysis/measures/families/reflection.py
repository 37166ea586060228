"""Measures of reflections, total reflections and reflections inside bodies; and of the interface of
two media, such as the critical angle, which need no light.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

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
    RowsNeeded,
    Undefined,
    Unit,
    select_no_rays,
)
from raybench.analysis.measures.selections import SelectedRays, weighted_mean
from raybench.analysis.paths.paths import rows_on_paths
from raybench.analysis.paths.principal import LightByPath, light_by_path
from raybench.analysis.rays.incidence import row_incidences, total_reflection_mask
from raybench.analysis.scene.objects import edges_as_traced
from raybench.analysis.scene.surroundings import body_nesting
from raybench.kinds.glasses import GlassBody
from raybench.optics.colour import GREEN
from raybench.trace.codes import Interaction
from raybench.trace.results.branches import transmitted_mask
from raybench.trace.results.result import TraceResult
from raybench.trace.results.straight_pieces import last_straight_pieces

ANY = Parameter("object", Role.SURFACE, optional=True)
GLASS = Parameter("object", Role.SURFACE, noun="glass")


@dataclass(frozen=True, eq=False)
class ReflectedSegments(SelectedRays):
    """Segments that end with a reflection. ``ends`` (k,) are the last segments of the examined
    paths, where the light leaves an object or ends. If ``per_ray`` is true, all paths are the same,
    and the reflections of a single ray are counted.
    """

    ends: Rows = field(kw_only=True)
    per_ray: bool = field(default=False, kw_only=True)

    @cached_property
    def light_by_path(self) -> LightByPath:
        """The last segments, grouped by path."""
        result = self.light.result
        return light_by_path(result, self.ends, result.total_power[self.ends], ends=False)

    def principal_part(self) -> Self:
        """The reflections on the principal path; all reflections if the trace records no parents of
        segments.
        """
        ends, result = self.light_by_path.principal_rows, self.light.result
        if not len(ends):
            return self
        on = np.zeros(len(result), bool)
        on[rows_on_paths(result, ends)] = True
        return replace(self, rows=self.rows[on[self.rows]], ends=ends, per_ray=bool(len(ends)))

    @property
    def count(self) -> float:
        """The number of reflections: of one ray if ``per_ray`` is true, else of all rays."""
        return float(self.counts_by_row[self.ends[0]]) if self.per_ray else super().count

    @cached_property
    def counts_by_row(self) -> NDArray[np.int64]:
        """For each segment of the trace (n,), the number of reflections on its path. At a partial
        reflection only the reflected part counts.
        """
        result = self.light.result
        here = np.zeros(len(result), bool)
        here[self.rows] = True
        begun = _rows_begun_by_reflection(result)
        reflected = np.zeros(len(result), np.int64)
        reflected[begun[here[result.parent[begun]]]] = 1
        return result.lineage.sum_along_path(reflected)

    @property
    def largest_count(self) -> float:
        """The largest number of reflections on the path of one ray."""
        return float(self.counts_by_row.max(initial=0))

    def rows_with_most_reflections(self) -> Rows:
        """The segments on the path of the ray with the most reflections."""
        if not self.largest_count:
            return np.empty(0, np.int64)
        return np.array(self.light.result.lineage.path(int(self.counts_by_row.argmax())))

    @cached_property
    def critical_margins(self) -> Floats:
        """For each reflection (k,), the angle of incidence minus the critical angle."""
        light = self.light
        met = row_incidences(light.result, light.scene, self.rows, light.disabled)
        margins: Floats = met.angle - met.critical_angles
        return margins

    def row_nearest_critical(self) -> Rows:
        """The segment with the smallest critical margin."""
        return self.rows[[int(np.nanargmin(self.critical_margins))]]


def _rows_begun_by_reflection(result: TraceResult) -> Rows:
    made = np.isin(result.interaction, (Interaction.REFLECT, Interaction.TIR, Interaction.SPLIT))
    rows = np.flatnonzero(made & (result.parent >= 0))
    split = np.flatnonzero(result.interaction[rows] == Interaction.SPLIT)
    return np.delete(rows, split[transmitted_mask(result, rows[split])])


def _all_reflections(light: Light, source: int | None = None) -> ReflectedSegments:
    rows = distinct_integers(light.result.parent[_rows_begun_by_reflection(light.result)])
    rows = light.rows_of_source(rows, source)
    return ReflectedSegments(light, rows, source, ends=_path_end_rows(light, None, source))


def _total_reflections(
    light: Light, index: int | None = None, source: int | None = None
) -> ReflectedSegments:
    """The segments that end with a total reflection, at one object or anywhere."""
    rows = np.flatnonzero(light.ending_mask(index, source))
    rows = rows[total_reflection_mask(light.result, rows)]
    return ReflectedSegments(light, rows, source, ends=_path_end_rows(light, index, source))


def _reflections_inside_body(
    light: Light, index: int, source: int | None = None
) -> ReflectedSegments:
    body, result = require_glass_body(light, index), light.result
    rows = distinct_integers(result.parent[_rows_begun_by_reflection(result)])
    rows = rows[light.ending_mask(index, source)[rows]]
    if len(rows):
        p1, p2 = last_straight_pieces(result, rows)
        rows = rows[contains_points(edges_as_traced(body, light.scene), (p1 + p2) / 2)]
    return ReflectedSegments(light, rows, source, ends=_path_end_rows(light, index, source))


def _path_end_rows(light: Light, index: int | None, source: int | None) -> Rows:
    """The segments with which the light of a source leaves an object, or ends inside the object.
    Without an object, the last segments of all paths.
    """
    lineage, ends = light.result.lineage, light.result.lineage.leaves()
    if index is not None:
        met, left = light.meeting_mask(index), np.zeros(len(lineage), bool)
        for bundle in light.bundles(index):
            left[bundle.rows] = True
        here = (met[ends] | lineage.are_descendants(met, ends)) & ~lineage.are_descendants(
            left, ends
        )
        ends = distinct_integers(ends[here], np.flatnonzero(left))
    return light.rows_of_source(ends, source)


REFLECTIONS: Family = Family("Total reflection", (ANY, SOURCE), _total_reflections, by_path=True)


@REFLECTIONS.measure(
    Unit.ONE,
    "number of reflections [of the light from {source}]",
    "How many reflections are there?",
    "How often is the light reflected?",
    parameters=(SOURCE,),
    select=_all_reflections,
)
def reflections(reflected: ReflectedSegments) -> float:
    """Number of reflections of a ray on the principal path, partial, total and at mirrors and beam
    splitters; with the argument all, of all rays together, as far as they were traced.
    """
    return reflected.count


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of reflections of one ray [from {source}]",
    "What is the largest number of reflections of one ray?",
    "How often is a ray reflected at most?",
    parameters=(SOURCE,),
    select=_all_reflections,
    rays=ReflectedSegments.rows_with_most_reflections,
    by_path=False,
)
def most_reflections(reflected: ReflectedSegments) -> float:
    """Largest number of reflections, partial, total and at mirrors and beam splitters, on the path
    of any one ray, however weak.
    """
    return reflected.largest_count


@REFLECTIONS.measure(
    Unit.ONE,
    "number of total reflections [at {object} [of the light from {source}]]",
    "How many total [internal] reflections are there [in {object}]?",
    "How many times is a ray totally [internally] reflected [in {object}]?",
)
def total_reflections(reflected: ReflectedSegments) -> float:
    """Number of total reflections of a ray on the principal path, at an object, from inside and
    outside, or anywhere; with the argument all, of all rays together.
    """
    return reflected.count


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of total reflections of one ray [at {object} [of the light from {source}]]",
    "What is the largest number of total [internal] reflections of one ray [in {object}]?",
    rays=ReflectedSegments.rows_with_most_reflections,
    by_path=False,
)
def most_total_reflections(reflected: ReflectedSegments) -> float:
    """Largest number of total reflections on the path of any one ray, however weak, at an object or
    anywhere.
    """
    return reflected.largest_count


@REFLECTIONS.measure(
    Unit.POWER,
    "power that is totally reflected [at {object} [of the light from {source}]]",
    "How much power is totally [internally] reflected [in {object}]?",
)
def total_reflection_power(reflected: ReflectedSegments) -> float:
    """Power that is totally reflected at an object, from inside and outside, or anywhere; light
    that is reflected twice counts twice.
    """
    return reflected.arriving_power


@REFLECTIONS.measure(
    Unit.ONE,
    "number of reflections inside {object} [of the light from {source}]",
    "How many reflections are inside {object}?",
    parameters=(GLASS, SOURCE),
    select=_reflections_inside_body,
)
def inner_reflections(reflected: ReflectedSegments) -> float:
    """Number of reflections of a ray on the principal path inside a body of glass, partial and
    total; with the argument all, of all rays together, as far as they were traced.
    """
    return reflected.count


@REFLECTIONS.measure(
    Unit.ONE,
    "largest number of reflections of one ray inside {object} [of the light from {source}]",
    "What is the largest number of reflections of one ray inside {object}?",
    parameters=(GLASS, SOURCE),
    select=_reflections_inside_body,
    rays=ReflectedSegments.rows_with_most_reflections,
    by_path=False,
)
def most_inner_reflections(reflected: ReflectedSegments) -> float:
    """Largest number of reflections inside a body of glass, partial and total, on the path of any
    one ray, however weak.
    """
    return reflected.largest_count


def _inner_reflections_to_exit(
    light: Light, index: int, source: int | None = None
) -> ReflectedSegments:
    """The reflections inside a glass body on the paths by which light leaves the body."""
    body, result = require_glass_body(light, index), light.result
    ends = _path_end_rows(light, index, source)
    rows = rows_on_paths(result, ends)
    rows = rows[~result.escaped[rows]]
    inside = contains_points(edges_as_traced(body, light.scene), result.middle[rows])
    return ReflectedSegments(light, rows[inside], source, ends=ends)


@REFLECTIONS.measure(
    Unit.LENGTH,
    "length of the light's path [from {source}] inside {object}, without the air around it",
    "How long is the path of the light inside {object}?",
    "How far does the light travel inside {object} [go path]?",
    parameters=(GLASS, SOURCE),
    select=_inner_reflections_to_exit,
)
def inner_length(inside: ReflectedSegments) -> float:
    """Mean length, weighted by power, of the principal path inside a body of glass, from where the
    light enters to where it leaves, without the way through air.
    """
    result = inside.light.result
    along = np.zeros(len(result))
    along[inside.rows] = result.length[inside.rows]
    title = inside.light.source_phrase(inside.source)
    weights = inside.light.weights(inside.ends, f"light{title} goes through it")
    return weighted_mean(result.lineage.sum_along_path(along)[inside.ends], weights)


def _required_total_reflections(
    light: Light, index: int, source: int | None = None
) -> ReflectedSegments:
    """The segments that the object ``index`` totally reflects. Raises Undefined if there are
    none.
    """
    reflected = _total_reflections(light, index, source)
    if not len(reflected.rows):
        raise Undefined(f"No light is totally reflected at {light.title(index)}.")
    return replace(reflected, ends=reflected.ends[reflected.counts_by_row[reflected.ends] > 0])


@REFLECTIONS.measure(
    Unit.ANGLE,
    "smallest angle by which light [from {source}] exceeds the critical angle at {object}",
    "What is the margin to the critical angle in {object}?",
    parameters=(GLASS, SOURCE),
    select=_required_total_reflections,
    rays=ReflectedSegments.row_nearest_critical,
)
def critical_margin(reflected: ReflectedSegments) -> float:
    """Smallest angle by which light that an object totally reflects exceeds the critical angle."""
    return float(np.nanmin(reflected.critical_margins))


INTERFACE: Family = Family(
    "Interface of two media",
    (
        Parameter("first", Role.SURFACE, noun="glass"),
        Parameter("second", Role.SURFACE, optional=True),
    ),
    needs=RowsNeeded.ARRIVING,
    rays=select_no_rays,
)


@INTERFACE.measure(
    Unit.ONE,
    "refractive index of {object}",
    "What refractive index does the light meet in {object}?",
    parameters=(GLASS,),
)
def refractive_index(light: Light, index: int) -> float:
    """Refractive index of a body of glass alone, at the wavelength of most of the light that meets
    it; effective_index also takes the bodies around it into account.
    """
    return uniform_index(light, index, dominant_wavelength(light, index))


@INTERFACE.measure(
    Unit.ONE,
    "effective refractive index in {object}, with the bodies around it",
    "What is the effective index in {object}?",
    parameters=(GLASS,),
)
def effective_index(light: Light, index: int) -> float:
    """Refractive index that light meets in a body of glass: its own index times those of all bodies
    that it lies inside.
    """
    colour = dominant_wavelength(light, index)
    n = uniform_index(light, index, colour)
    found = body_nesting(light.scene, light.disabled, colour, [require_glass_body(light, index)])
    effective = next((nested.effective_index for nested in found), n)
    if effective is None:
        raise Undefined(f"The index around {light.title(index)} varies from place to place.")
    return effective


@INTERFACE.measure(
    Unit.ANGLE,
    "critical angle at the interface of {first} [and {second}]",
    "What is the critical angle between {first} and {second}?",
)
def critical_angle(light: Light, first: int, second: int | None = None) -> float:
    """Critical angle of total reflection between the glasses of two bodies, or between one glass
    and air: asin of the smaller index over the larger, at the wavelength of most of the light that
    meets the first.
    """
    low, high = sorted(map(abs, _refractive_index_pair(light, first, second)))
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
    own, other = _refractive_index_pair(light, first, second)  # Hecht, section 4.6.2
    return math.degrees(math.atan2(abs(own), abs(other)))


def require_glass_body(light: Light, index: int) -> GlassBody:
    """The glass body with this index. Raises Undefined if the object is not a body of glass."""
    body = light.scene.optical[index]
    if not isinstance(body, GlassBody):
        raise Undefined(f"{light.title(index)} is no body of glass.")
    return body


def dominant_wavelength(light: Light, index: int) -> float:
    """The wavelength in nm that carries the most power of the light at an object; the shortest of
    several equally strong ones. The wavelength of green light if no light with a wavelength meets
    the object.
    """
    rows = light.rows_meeting_object(index)
    if not len(rows):
        return GREEN
    wavelengths, which = np.unique(light.result.wavelength[rows], return_inverse=True)
    power = np.bincount(which, light.result.total_arriving_power[rows])
    most = float(wavelengths[np.argmax(power >= (1.0 - ROUNDING) * power.max())])
    return GREEN if math.isnan(most) else most


def uniform_index(light: Light, index: int, colour: float) -> float:
    """The refractive index of a body for the wavelength ``colour`` in nm. Raises Undefined if the
    index varies within the body.
    """
    n = require_glass_body(light, index).uniform_index(
        colour if light.scene.settings.simulate_colors else None
    )
    if n is None:
        raise Undefined(f"The index of {light.title(index)} varies from place to place.")
    return n


def _refractive_index_pair(light: Light, first: int, second: int | None) -> tuple[float, float]:
    """The refractive indices of two bodies. Without a second body, the second index is that of
    air.
    """
    colour = dominant_wavelength(light, first)
    own = uniform_index(light, first, colour)
    return own, 1.0 if second is None else uniform_index(light, second, colour)
