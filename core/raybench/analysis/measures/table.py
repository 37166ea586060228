"""The table of measures. To add a measure, add a function and a row to the module of its family in
`families/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from raybench.analysis.measures.families import (
    beam,
    detector,
    dimension,
    element,
    image,
    lens,
    path,
    power,
    pupil,
    reflection,
    spot,
)
from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.analysis.measures.measure import IncompleteMeasure, Measure
from raybench.errors import elided, first_of

FAMILIES: Mapping[str, tuple[Measure, ...]] = MappingProxyType(
    {
        "Light that arrives": detector.MEASURES,
        "Spot": spot.MEASURES,
        "Irradiance": spot.IRRADIANCES,
        "Where power goes": power.MEASURES,
        "Light at an edge": path.AT_EDGES,
        "Openings": detector.OPENINGS,
        "Size of an object": dimension.MEASURES,
        "Between two objects": dimension.BETWEEN,
        "Angles of a beam at an object": beam.ANGLES,
        "Size of a beam at an object": beam.SIZES,
        "Where two beams cross": beam.CROSSINGS,
        "Light that comes back": power.RETURNING,
        "Prism, light guide and cavity": element.MEASURES,
        "Focus": lens.MEASURES,
        "Image": image.MEASURES,
        "Aperture stop and pupils": pupil.MEASURES,
        "Total reflection": reflection.MEASURES,
        "Interface of two media": reflection.INTERFACE,
        "Light that follows a path": path.MEASURES,
    }
)
"""The measures by family."""


def _table() -> dict[str, Measure]:
    table: dict[str, Measure] = {}
    for measure in (m for family in FAMILIES.values() for m in family):
        if measure.name in table:
            raise IncompleteMeasure(f"Two measures are called {measure.name!r}.")
        table[measure.name] = measure
    return table


MEASURES: Mapping[str, Measure] = MappingProxyType(_table())
"""All measures by name, in the order of the table."""


MOST_LISTED = 40
"""Names of measures in an error."""


def measure_named(name: str) -> Measure:
    """The measure with a name. Raises InvalidMeasure, which suggests the nearest names."""
    if name in MEASURES:
        return MEASURES[name]
    near = [MEASURES[n].usage for n in get_close_matches(name.lower(), MEASURES, n=3)]
    every = f"There are {first_of(list(MEASURES), MOST_LISTED)}; Help and search_help explain all."
    known = f"Nearest: {', '.join(near)}." if near else every
    raise InvalidMeasure(f"There is no measure '{elided(name, 60)}'. {known}")
