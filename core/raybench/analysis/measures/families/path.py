"""Measures of the light that follows a path, and of the light at one edge of a body. Edges are
written as in path patterns: ``Prism:N``, or ``"Main Prism":"North Edge"``.
"""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.families import detector
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import (
    SOURCE,
    Family,
    Parameter,
    Role,
    RowsNeeded,
    Undefined,
    Unit,
)
from raybench.analysis.measures.selections import ArrivingLight, weighted_mean
from raybench.analysis.paths.path_pattern import quoted_name, read_pattern
from raybench.analysis.paths.path_search import PathMatches
from raybench.analysis.paths.paths import path_lengths_from_source as lengths_to
from raybench.analysis.paths.paths import rows_on_paths
from raybench.analysis.paths.principal import LightByPath
from raybench.analysis.rays.optical_path import optical_path_lengths
from raybench.kinds.sources import Source

AT_EDGES: Family = Family(
    "Light at an edge",
    (Parameter("body_edge", Role.EDGE), SOURCE),
    ArrivingLight.at_edge,
    by_path=True,
    needs=RowsNeeded.ARRIVING,
)


@AT_EDGES.measure(
    Unit.POWER,
    "power that arrives at {body_edge} [from {source}]",
    "How much power arrives at {body_edge}?",
)
def edge_power(arriving: ArrivingLight) -> float:
    """Power that arrives at one edge of an object, from either side; light that arrives twice
    counts twice.
    """
    return detector.power(arriving)


@AT_EDGES.measure(
    Unit.ONE,
    "number of rays that arrive at {body_edge} [from {source}]",
    "How many rays arrive at {body_edge}?",
    by_path=False,
)
def edge_rays(arriving: ArrivingLight) -> float:
    """Number of rays (segments) that arrive at one edge of an object, from either side."""
    return detector.rays(arriving)


@AT_EDGES.measure(
    Unit.ANGLE,
    "mean angle of incidence at {body_edge} [of the light from {source}]",
    "What is the angle of incidence at {body_edge}?",
)
def edge_incidence(arriving: ArrivingLight) -> float:
    """Mean angle of incidence, weighted by power, of the light that arrives at one edge of an
    object, from either side.
    """
    return detector.incidence(arriving)


@AT_EDGES.measure(
    Unit.ANGLE,
    "mean angle of refraction at {body_edge} [of the light from {source}]",
    "What is the angle of refraction at {body_edge}?",
)
def edge_refraction(arriving: ArrivingLight) -> float:
    """Mean angle of refraction, weighted by power, of the light that arrives at one edge of a body,
    from either side, and goes through.
    """
    return detector.refraction(arriving)


@AT_EDGES.measure(
    Unit.POWER,
    "power that goes in through {body_edge} [from {source}]",
    "How much power enters through {body_edge}?",
    select=partial(ArrivingLight.at_edge, direction="entering"),
    needs=RowsNeeded.ROWS,
)
def entering(crossing: ArrivingLight) -> float:
    """Power that goes into a body through one of its edges."""
    return crossing.power


@AT_EDGES.measure(
    Unit.POWER,
    "power that goes out through {body_edge} [from {source}]",
    "How much power leaves through {body_edge}?",
    select=partial(ArrivingLight.at_edge, direction="leaving"),
    needs=RowsNeeded.ROWS,
)
def leaving(crossing: ArrivingLight) -> float:
    """Power that goes out of a body through one of its edges."""
    return entering(crossing)


@dataclass(frozen=True, eq=False)
class PathLight:
    """The light on the paths that match a path pattern."""

    light: Light
    pattern: str
    matches: PathMatches

    @classmethod
    def from_pattern(cls, light: Light, pattern: str) -> Self:
        """The light on the paths that match a path pattern."""
        return cls(light, pattern, light.path_matches(pattern))

    @property
    def light_by_path(self) -> LightByPath:
        """The last segments of the paths, grouped by path; a pattern may match several paths."""
        return self.light.group_by_path(self.matches.ends)

    def principal_part(self) -> Self:
        """The light on the principal path, which carries the most power."""
        ends = self.light_by_path.principal_rows
        rows = rows_on_paths(self.light.result, ends)
        return replace(self, matches=replace(self.matches, ends=ends, rows=rows))

    @property
    def sources(self) -> tuple[int | None, ...]:
        """The indices of the sources with which the pattern begins; (None,), for all sources, if it
        names none.
        """
        first = read_pattern(self.pattern)[0]
        named = tuple(
            i
            for i, obj in enumerate(self.light.scene.optical)
            if isinstance(obj, Source) and any(p.name.matches(obj.title) for p in first.places)
        )
        return (None,) if first.is_any_number or not named else named

    @property
    def rows(self) -> Rows:
        """All segments on the matched paths."""
        return self.matches.rows

    @property
    def power(self) -> float:
        """The power of the light at the ends of the paths."""
        return float(self.light.result.total_arriving_power[self.matches.ends].sum())

    @property
    def ends(self) -> Rows:
        """The last segments of the paths. Raises Undefined if no path matches."""
        ends: Rows = self.matches.ends
        if not len(ends) and "*" not in self.pattern:
            raise Undefined(
                f"No light follows {self.pattern}. A step * matches everything that light meets in"
                " between; light meets a body twice."
            )
        return ends

    def mean_length(self, lengths: Floats) -> float:
        """The mean of ``lengths`` (k,), one for each path, weighted by power. Raises Undefined if
        no path matches.
        """
        length = weighted_mean(
            lengths, self.light.weights(self.matches.ends, f"light follows {self.pattern}")
        )
        if not math.isfinite(length):
            raise Undefined("Light on this path escapes: it has no end.")
        return length


PATHS: Family = Family(
    "Light that follows a path",
    (Parameter("path", Role.PATTERN),),
    PathLight.from_pattern,
    by_path=True,
)


@PATHS.measure(Unit.POWER, "power that follows {path}", "How much power follows {path}?")
def path_power(path: PathLight) -> float:
    """Power of the light that follows a path, at its end."""
    return path.power


@PATHS.measure(
    Unit.ONE,
    "share of the power of its sources that follows {path}",
    "What share of the power follows {path}?",
    share=True,
)
def path_share(path: PathLight) -> float:
    """Power of the light that follows a path, at its end, as a fraction of the power emitted by the
    sources at the beginning of the path, or by all sources.
    """
    emitted = sum(path.light.emitted(source) for source in path.sources)
    if not emitted > 0:
        raise Undefined(f"No light is emitted by the sources of {path.pattern}.")
    return path.power / emitted


@PATHS.measure(
    Unit.ONE,
    "number of rays that follow {path}",
    "How many rays follow {path}?",
    by_path=False,
)
def path_rays(path: PathLight) -> float:
    """Number of rays that follow a path to its end."""
    return float(len(path.matches))


@PATHS.measure(
    Unit.LENGTH,
    "length of the path {path} from the source on, in air and in glass",
    "How long is the path {path}?",
)
def path_length(path: PathLight) -> float:
    """Mean geometric length, weighted by power, of a path from the source to its end, in air and in
    glass; inner_length is the length inside a body.
    """
    return path.mean_length(lengths_to(path.light.result)[path.ends])


@PATHS.measure(
    Unit.LENGTH,
    "optical length of the path {path}",
    "What is the optical path length of {path}?",
)
def optical_path_length(path: PathLight) -> float:
    """Mean optical path length, weighted by power, of a path from the source to its end: refractive
    index times length. An ideal lens, which has no thickness, and a grating add nothing.
    """
    result = path.light.result
    rows = rows_on_paths(result, path.ends)  # few of those of the trace
    lengths = optical_path_lengths(result.subset(rows, result.revision))
    return path.mean_length(lengths[np.searchsorted(rows, path.ends)])


@PATHS.measure(
    Unit.TIME,
    "time that light takes along {path}",
    "How long does light take along {path}?",
    "What is the time of flight along {path}?",
)
def transit_time(path: PathLight) -> float:
    """Mean time, weighted by power, that light takes along a path: its optical path length over the
    speed of light.
    """
    return optical_path_length(path) * path.light.picoseconds_per_unit


def _light_by_way_of(light: Light, index: int, *ways: int) -> list[PathLight]:
    """For each object in ``ways``, the light that reaches the object ``index`` after it met this
    object.
    """
    at, *steps = (f"* > {quoted_name(light.measurable_objects[i].title)}" for i in (index, *ways))
    return [PathLight.from_pattern(light, f"{step} > {at}") for step in steps]


@PATHS.measure(
    Unit.LENGTH,
    "optical path difference at {object} between the light by way of {first} and by way of"
    " {second}",
    "What is the optical path difference at {object} between {first} and {second}?",
    parameters=tuple(Parameter(name, Role.SURFACE) for name in ("object", "first", "second")),
    select=_light_by_way_of,
    rays=lambda paths: np.concatenate([path.rows for path in paths]),
    signed=True,
)
def optical_path_difference(paths: list[PathLight]) -> float:
    """Mean optical path length of the light that arrives at an object by way of a first object,
    minus that by way of a second one.
    """
    one, two = map(optical_path_length, paths)
    return one - two


@PATHS.measure(
    Unit.ONE,
    "number of ray segments",
    "How many ray segments are there?",
    parameters=(),
    select=None,
    by_path=False,
    needs=RowsNeeded.SUMS,
    rays=lambda light: np.arange(len(light.result)),
)
def segments(light: Light) -> float:
    """Number of ray segments of the whole trace."""
    return float(light.result.segment_count)
