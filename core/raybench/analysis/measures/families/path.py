"""Measures of the light that follows a path, and of the light at one edge of a body, named as in a
path pattern: ``Prism:N``, or ``"Main Prism":"North Edge"``.
"""

import math

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.families.detector import mean_refraction, weighted_mean
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.paths.path_pattern import InvalidPattern, quoted_name, read_pattern
from raybench.analysis.paths.path_search import PathMatches, find_paths
from raybench.analysis.paths.paths import lengths_of
from raybench.analysis.paths.paths import path_length as lengths_to
from raybench.analysis.rays.incidence import row_incidences
from raybench.analysis.rays.ray_queries import InvalidDirection, rays_crossing
from raybench.analysis.scene.objects import as_traced
from raybench.errors import in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.scene.document import EdgeLabels
from raybench.scene.labels import LabelledEdge, edge_labelled
from raybench.scene.names import object_named
from raybench.scene.scene import Scene

EDGE = Parameter("body_edge", Role.EDGE)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def edge_power(light: Light, edge: str, source: int | None = None) -> float:
    """Power that arrives at one edge of an object, from either side; light that arrives twice
    counts twice.
    """
    return float(light.result.total_arriving_power[_arriving_rows(light, edge, source)].sum())


def edge_rays(light: Light, edge: str, source: int | None = None) -> float:
    """Number of rays (segments) that arrive at one edge of an object, from either side."""
    return float(len(_arriving_rows(light, edge, source)))


def entering(light: Light, edge: str, source: int | None = None) -> float:
    """Power that goes into a body through one of its edges."""
    return float(light.result.total_power[_entering_rows(light, edge, source)].sum())


def leaving(light: Light, edge: str, source: int | None = None) -> float:
    """Power that goes out of a body through one of its edges."""
    return float(light.result.total_power[_leaving_rows(light, edge, source)].sum())


def edge_incidence(light: Light, edge: str, source: int | None = None) -> float:
    """Mean angle of incidence, weighted by power, of the light that arrives at one edge of an
    object, from either side.
    """
    rows = _arriving_rows(light, edge, source)
    weight = light.weights(
        rows, f"light{light.whose(source)} arrives at {in_quotes(edge, 80)}", arriving=True
    )
    return weighted_mean(
        row_incidences(light.result, light.scene, rows, light.disabled).angle, weight
    )


def edge_refraction(light: Light, edge: str, source: int | None = None) -> float:
    """Mean angle of refraction, weighted by power, of the light that arrives at one edge of a body,
    from either side, and goes through.
    """
    rows = _arriving_rows(light, edge, source)
    if not isinstance(body := edge_at(light.scene, edge, light.edge_labels)[0], GlassBody):
        raise Undefined(f"{in_quotes(body.title)} is no body of glass: it refracts no light.")
    weight = light.weights(
        rows, f"light{light.whose(source)} arrives at {in_quotes(edge, 80)}", arriving=True
    )
    return mean_refraction(light, rows, weight)


def edge_at(scene: Scene, text: str, edge_labels: EdgeLabels) -> tuple[SceneObject, LabelledEdge]:
    """The object and the edge that a text such as ``Prism:N`` names. Raises InvalidPattern,
    UnknownName or UnknownEdge.
    """
    steps = read_pattern(text)
    place = steps[0].places[0]
    if len(steps) != 1 or len(steps[0].places) != 1 or steps[0].words or place.edge is None:
        raise InvalidPattern(
            f"{in_quotes(text, 80)} is not an edge. Write the name of an object and of its edge,"
            " such as Prism:N."
        )
    obj = object_named(scene, place.name.text)
    return obj, edge_labelled(as_traced(obj, scene), place.edge.text, edge_labels.get(obj.key, {}))


def _arriving_rows(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing_rows(light, edge, "arriving", source)


def _entering_rows(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing_rows(light, edge, "entering", source)


def _leaving_rows(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing_rows(light, edge, "leaving", source)


def _crossing_rows(light: Light, edge: str, direction: str, source: int | None) -> Rows:
    try:
        body_and_edge = edge_at(light.scene, edge, light.edge_labels)
        rows = np.flatnonzero(rays_crossing(light.result, *body_and_edge, direction))
    except InvalidDirection as error:
        raise Undefined(str(error)) from None
    return light.of_source(rows, source)


AT_EDGES = (
    Measure(
        edge_power,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that arrives at {body_edge} [from {source}]",
        rays=_arriving_rows,
        questions=("How much power arrives at {body_edge}?",),
    ),
    Measure(
        edge_rays,
        Unit.ONE,
        (EDGE, SOURCE),
        quantity="number of rays that arrive at {body_edge} [from {source}]",
        rays=_arriving_rows,
        questions=("How many rays arrive at {body_edge}?",),
    ),
    Measure(
        edge_incidence,
        Unit.ANGLE,
        (EDGE, SOURCE),
        quantity="mean angle of incidence at {body_edge} [of the light from {source}]",
        rays=_arriving_rows,
        questions=("What is the angle of incidence at {body_edge}?",),
    ),
    Measure(
        edge_refraction,
        Unit.ANGLE,
        (EDGE, SOURCE),
        quantity="mean angle of refraction at {body_edge} [of the light from {source}]",
        rays=_arriving_rows,
        questions=("What is the angle of refraction at {body_edge}?",),
    ),
    Measure(
        entering,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that goes in through {body_edge} [from {source}]",
        rays=_entering_rows,
        questions=("How much power enters through {body_edge}?",),
    ),
    Measure(
        leaving,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that goes out through {body_edge} [from {source}]",
        rays=_leaving_rows,
        questions=("How much power leaves through {body_edge}?",),
    ),
)


PATTERN = Parameter("path", Role.PATTERN)


def path_power(light: Light, pattern: str) -> float:
    """Power of the light that follows a path, at its end."""
    return float(light.result.total_arriving_power[path_matches(light, pattern).ends].sum())


def path_share(light: Light, pattern: str) -> float:
    """Power of the light that follows a path, at its end, as a fraction of the emitted power."""
    return light.share(path_power(light, pattern))


def path_rays(light: Light, pattern: str) -> float:
    """Number of rays that follow a path to its end."""
    return float(len(path_matches(light, pattern)))


def path_length(light: Light, pattern: str) -> float:
    """Mean geometric length, weighted by power, of a path from the source to its end."""
    ends = _path_ends(light, pattern)
    return _mean_along(light, pattern, ends, lengths_to(light.result)[ends])


def _path_ends(light: Light, pattern: str) -> Rows:
    """The last segments of the paths that match a pattern. Raises Undefined if there are none."""
    ends: Rows = path_matches(light, pattern).ends
    if not len(ends) and "*" not in pattern:
        raise Undefined(
            f"No light follows {pattern}. A step * matches everything that light meets in between;"
            " light meets a body twice."
        )
    return ends


def _mean_along(light: Light, pattern: str, ends: Rows, lengths: Floats) -> float:
    """The mean length of paths by their powers. Raises Undefined."""
    length = weighted_mean(lengths, light.weights(ends, f"light follows {pattern}"))
    if not math.isfinite(length):
        raise Undefined("Light on this path escapes: it has no end.")
    return length


def _optical_lengths(light: Light, ends: Rows) -> Floats:
    """The optical path lengths from the sources to the ends of some segments, (k,)."""
    wanted = np.zeros(len(light.result), bool)
    wanted[ends] = True
    rows = np.flatnonzero(wanted | light.result.lineage.above(wanted))
    along = np.zeros(len(light.result))
    along[rows] = lengths_of(light.result, light.scene, rows, light.disabled).optical
    return light.result.lineage.along_path(along)[ends]


def optical_path_length(light: Light, pattern: str) -> float:
    """Mean optical path length, weighted by power, of a path from the source to its end: refractive
    index times length. An ideal lens, which has no thickness, adds nothing.
    """
    ends = _path_ends(light, pattern)
    return _mean_along(light, pattern, ends, _optical_lengths(light, ends))


def transit_time(light: Light, pattern: str) -> float:
    """Mean time, weighted by power, that light takes along a path: its optical path length over the
    speed of light.
    """
    return optical_path_length(light, pattern) * light.picoseconds


def optical_path_difference(light: Light, index: int, first: int, second: int) -> float:
    """Mean optical path length of the light that arrives at an object by way of a first one, minus
    that by way of a second.
    """
    one, two = (
        optical_path_length(light, pattern) for pattern in _by_way_of(light, index, first, second)
    )
    return one - two


def _by_way_of(light: Light, index: int, first: int, second: int) -> tuple[str, str]:
    """The patterns of the paths to an object by way of a first one, and of a second."""
    at, one, two = (f"* > {quoted_name(light.things[i].title)}" for i in (index, first, second))
    return f"{one} > {at}", f"{two} > {at}"


def _on_path(light: Light, pattern: str) -> Rows:
    return path_matches(light, pattern).rows


def _on_both(light: Light, index: int, first: int, second: int) -> Rows:
    return np.concatenate(
        [path_matches(light, pattern).rows for pattern in _by_way_of(light, index, first, second)]
    )


def _all_rows(light: Light) -> Rows:
    return np.arange(len(light.result))


def segments(light: Light) -> float:
    """Number of ray segments of the whole trace."""
    return float(len(light.result))


def path_matches(light: Light, pattern: str) -> PathMatches:
    """The rays that match a path pattern; not cached."""

    def labels(obj: SceneObject) -> dict[int, str]:
        return dict(light.edge_labels.get(obj.key, {}))

    return find_paths(light.result, light.scene, pattern, labels)


MEASURES = (
    Measure(
        path_power,
        Unit.POWER,
        (PATTERN,),
        quantity="power that follows {path}",
        rays=_on_path,
        questions=("How much power follows {path}?",),
    ),
    Measure(
        path_share,
        Unit.ONE,
        (PATTERN,),
        share=True,
        quantity="share of the emitted power that follows {path}",
        rays=_on_path,
        questions=("What share of the power follows {path}?",),
    ),
    Measure(
        path_rays,
        Unit.ONE,
        (PATTERN,),
        quantity="number of rays that follow {path}",
        rays=_on_path,
        questions=("How many rays follow {path}?",),
    ),
    Measure(
        path_length,
        Unit.LENGTH,
        (PATTERN,),
        quantity="length of the path {path}",
        rays=_on_path,
        questions=("How long is the path {path}?",),
    ),
    Measure(
        optical_path_length,
        Unit.LENGTH,
        (PATTERN,),
        quantity="optical length of the path {path}",
        rays=_on_path,
        questions=("What is the optical path length of {path}?",),
    ),
    Measure(
        transit_time,
        Unit.TIME,
        (PATTERN,),
        quantity="time that light takes along {path}",
        rays=_on_path,
        questions=(
            "How long does light take along {path}?",
            "What is the time of flight along {path}?",
        ),
    ),
    Measure(
        optical_path_difference,
        Unit.LENGTH,
        (
            Parameter("object", Role.SURFACE),
            Parameter("first", Role.SURFACE),
            Parameter("second", Role.SURFACE),
        ),
        quantity=(
            "optical path difference at {object} between the light by way of {first} and by way of"
            " {second}"
        ),
        rays=_on_both,
        questions=(
            "What is the optical path difference at {object} between {first} and {second}?",
        ),
        signed=True,
    ),
    Measure(
        segments,
        Unit.ONE,
        (),
        quantity="number of ray segments",
        rays=_all_rows,
        questions=("How many ray segments are there?",),
    ),
)
