"""A measure of the light at a screen or detector."""

import numpy as np

from raybench.analysis.measures.families.detector import ARRIVING
from raybench.analysis.measures.measure import Undefined, Unit
from raybench.analysis.measures.selections import ArrivingLight


@ARRIVING.measure(
    Unit.LENGTH,
    "lit length of {object} [in the light of {source}]",
    "What is the lit length of {object}?",
)
def lit_length(arriving: ArrivingLight) -> float:
    """Distance between the outermost places where light arrives at an object."""
    if not len(arriving.rows):
        raise Undefined("No light arrives.")
    places = arriving.light.result.p2[arriving.rows]
    return float(np.hypot(*np.ptp(places, axis=0)))
