"""Measures of the light that matches a path pattern, and the number of segments."""

from __future__ import annotations

import math

from core.analysis.measures.detector import mean
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.paths.path_search import PathMatches, find_paths
from core.analysis.paths.paths import path_length as lengths_to
from core.kinds.object import SceneObject

PATTERN = Parameter("path", Role.PATTERN)


def path_power(light: Light, pattern: str) -> float:
    """Power of the light that follows a path, at its end."""
    return float(light.result.total_arriving_power[matches(light, pattern).ends].sum())


def path_share(light: Light, pattern: str) -> float:
    """Power of the light that follows a path, at its end, as a fraction of the emitted power."""
    return light.share(path_power(light, pattern))


def path_rays(light: Light, pattern: str) -> float:
    """Number of rays that follow a path to its end."""
    return float(len(matches(light, pattern)))


def path_length(light: Light, pattern: str) -> float:
    """Mean geometric length, weighted by power, of a path from the source to its end."""
    ends = matches(light, pattern).ends
    if not len(ends) and "*" not in pattern:
        raise Undefined(f"No light follows {pattern}. A step * matches everything that light meets in between; light meets a body twice.")
    weights = light.weights(ends, f"light follows {pattern}")
    length = mean(lengths_to(light.result)[ends], weights)
    if not math.isfinite(length):
        raise Undefined("Light on this path escapes: it has no end.")
    return length


def segments(light: Light) -> float:
    """Number of ray segments of the whole trace."""
    return float(len(light.result))


def matches(light: Light, pattern: str) -> PathMatches:
    """The rays that match a path pattern; not cached."""

    def labels(obj: SceneObject) -> dict[int, str]:
        return dict(light.edge_labels.get(obj.key, {}))

    return find_paths(light.result, light.scene, pattern, labels)


MEASURES = (
    Measure(
        path_power,
        Unit.POWER,
        (PATTERN,),
        wordings=(
            "how much <light> follows {path}",
            "<light> (along|on|that follows|following|of) {path}",
            "how much <light> (takes|goes|goes along) {path}",
        ),
    ),
    Measure(
        path_share,
        Unit.ONE,
        (PATTERN,),
        share=True,
        wordings=(
            "<share> of the [emitted] <light> (that follows|follows|on|along|following) {path}",
            "<share> (follows|on|along) {path}",
        ),
    ),
    Measure(path_rays, Unit.ONE, (PATTERN,), wordings=("<number of> rays (follow|along|on|following) {path}",)),
    Measure(
        path_length,
        Unit.LENGTH,
        (PATTERN,),
        wordings=(
            "[geometric] [path] length of [path] {path}",
            "how long is [the] [path] {path}",
        ),
    ),
    Measure(segments, Unit.ONE, (), wordings=("<number of> [ray] segments [are there]",)),
)
