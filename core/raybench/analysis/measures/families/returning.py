"""Measures of the light that comes back to its source."""

from __future__ import annotations

import numpy as np

from raybench.analysis.geometry.straight import Rows, distance_to_each, distinct
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Parameter, Role, Unit
from raybench.analysis.paths.paths import crossed_without_meeting
from raybench.kinds.rows.outlines import Edge
from raybench.kinds.sources import Beam
from raybench.scene.changes.placing import centre_of
from raybench.shapes.shape import Line

SOURCE = Parameter("source", Role.SOURCE, noun="source")
NEAR = 1e-6
"""Distance from a point source within which light passes it, relative to the size of the area in
which rays start.
"""


def returned(light: Light, source: int) -> float:
    """Power of a source's own light that comes back to it: through the line of a beam, or through
    the point where other light starts; light that comes back twice counts twice.
    """
    return float(light.result.total_power[_returning(light, source)].sum())


def returned_share(light: Light, source: int) -> float:
    """Power of a source's own light that comes back to it as a fraction of what it emits."""
    return light.share(returned(light, source), source)


def _returning(light: Light, source: int) -> Rows:
    """The segments that pass the place where their source emits."""
    obj, result = light.scene.optical[source], light.result
    if isinstance(obj, Beam):
        rows, _ = crossed_without_meeting(result, obj, [Edge(0, Line(obj.p1, obj.p2))], False)
    else:
        p1, p2, row_of_piece = result.straight_pieces
        at = np.array(centre_of(obj))
        size = float(np.ptp(p1, axis=0).max()) if len(p1) else 0.0
        rows = distinct(row_of_piece[distance_to_each(at, p1, p2) <= NEAR * max(1e-300, size)])
    return light.of_source(rows[result.parent[rows] >= 0], source)


_RETURNS = (
    "(comes|goes|gets|is reflected|is sent|reflected|returns|returned|returning|is returned) [back]"
    " (to|into|at) {source}"
)
MEASURES = (
    Measure(
        returned,
        Unit.POWER,
        (SOURCE,),
        quantity="power that comes back to {source}",
        rays=_returning,
        questions=("How much power comes back to {source}?",),
    ),
    Measure(
        returned_share,
        Unit.ONE,
        (SOURCE,),
        share=True,
        quantity="share of its power that comes back to {source}",
        rays=_returning,
        questions=("What share of the power comes back to {source}?",),
    ),
)
