"""Measures of the light at one edge of a body, named as in a path pattern: ``Prism:N``, or ``"Main
Prism":"North Edge"``.
"""

from __future__ import annotations

from raybench.analysis.geometry.straight import Rows
from raybench.analysis.measures.families.detector import mean, mean_refraction
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from raybench.analysis.paths.path_pattern import InvalidPattern, read_pattern
from raybench.analysis.rays.incidence import incidences
from raybench.analysis.rays.ray_queries import InvalidDirection, rays_crossing
from raybench.analysis.scene.traced_outline import as_traced
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
    return float(light.result.total_arriving_power[_arriving(light, edge, source)].sum())


def edge_rays(light: Light, edge: str, source: int | None = None) -> float:
    """Number of rays (segments) that arrive at one edge of an object, from either side."""
    return float(len(_arriving(light, edge, source)))


def entering(light: Light, edge: str, source: int | None = None) -> float:
    """Power that goes into a body through one of its edges."""
    return float(light.result.total_power[_entering(light, edge, source)].sum())


def leaving(light: Light, edge: str, source: int | None = None) -> float:
    """Power that goes out of a body through one of its edges."""
    return float(light.result.total_power[_leaving(light, edge, source)].sum())


def edge_incidence(light: Light, edge: str, source: int | None = None) -> float:
    """Mean angle of incidence, weighted by power, of the light that arrives at one edge of an
    object, from either side.
    """
    rows = _arriving(light, edge, source)
    weight = light.weights(
        rows, f"light{light.whose(source)} arrives at {in_quotes(edge, 80)}", arriving=True
    )
    return mean(incidences(light.result, light.scene, rows, light.disabled).angle, weight)


def edge_refraction(light: Light, edge: str, source: int | None = None) -> float:
    """Mean angle of refraction, weighted by power, of the light that arrives at one edge of a body,
    from either side, and goes through.
    """
    rows = _arriving(light, edge, source)
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


def _arriving(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing(light, edge, "arriving", source)


def _entering(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing(light, edge, "entering", source)


def _leaving(light: Light, edge: str, source: int | None = None) -> Rows:
    return _crossing(light, edge, "leaving", source)


def _crossing(light: Light, edge: str, direction: str, source: int | None) -> Rows:
    try:
        rows = rays_crossing(
            light.result, *edge_at(light.scene, edge, light.edge_labels), direction
        ).rows
    except InvalidDirection as error:
        raise Undefined(str(error)) from None
    return light.of_source(rows, source)


MEASURES = (
    Measure(
        edge_power,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that arrives at {body_edge} [from {source}]",
        rays=_arriving,
        questions=("How much power arrives at {body_edge}?",),
    ),
    Measure(
        edge_rays,
        Unit.ONE,
        (EDGE, SOURCE),
        quantity="number of rays that arrive at {body_edge} [from {source}]",
        rays=_arriving,
        questions=("How many rays arrive at {body_edge}?",),
    ),
    Measure(
        edge_incidence,
        Unit.ANGLE,
        (EDGE, SOURCE),
        quantity="mean angle of incidence at {body_edge} [of the light from {source}]",
        rays=_arriving,
        questions=("What is the angle of incidence at {body_edge}?",),
    ),
    Measure(
        edge_refraction,
        Unit.ANGLE,
        (EDGE, SOURCE),
        quantity="mean angle of refraction at {body_edge} [of the light from {source}]",
        rays=_arriving,
        questions=("What is the angle of refraction at {body_edge}?",),
    ),
    Measure(
        entering,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that goes in through {body_edge} [from {source}]",
        rays=_entering,
        questions=("How much power enters through {body_edge}?",),
    ),
    Measure(
        leaving,
        Unit.POWER,
        (EDGE, SOURCE),
        quantity="power that goes out through {body_edge} [from {source}]",
        rays=_leaving,
        questions=("How much power leaves through {body_edge}?",),
    ),
)
