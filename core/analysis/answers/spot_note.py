"""Notes on a spot's width: it is of one ray, or widened by partial reflections."""

from __future__ import annotations

from core.analysis.answers.reflected_light import without_reflections
from core.analysis.measures.bound import Bound, BoundMeasure
from core.analysis.measures.light import Light

WIDTHS = ("rms", "width")
"""The measures of how wide the light at a line is."""
ONE_RAY = "one ray has no width; a higher ray density, or a source with more rays, gives one"


def note_of_spot(light: Light, *measures: Bound) -> str:
    """The note on measures of the light at a line; empty if they need none."""
    return ONE_RAY if any(_of_one_ray(light, bound) for bound in measures) else without_reflections(light, *measures)


def _of_one_ray(light: Light, bound: Bound) -> bool:
    if not isinstance(bound, BoundMeasure) or bound.measure.name not in WIDTHS:
        return False
    line, source = bound.indices(light)
    assert isinstance(line, int)
    assert not isinstance(source, str)
    return len(light.arriving(line, source)) == 1
