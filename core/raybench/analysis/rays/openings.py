"""Light that passes the opening of an aperture without meeting anything there."""

from __future__ import annotations

import math

import numpy as np

from raybench.analysis.geometry.contact import contacts
from raybench.analysis.geometry.meeting import START
from raybench.analysis.geometry.straight import Rows, lengths, unit_vectors
from raybench.kinds.blockers import Aperture
from raybench.shapes.shape import Line
from raybench.trace.results.result import TraceResult


def passing_opening(result: TraceResult, aperture: Aperture) -> Rows:
    """The segments that cross the opening of an aperture or end in it, in the order of the trace; a
    segment that crosses twice, twice.

    Light that starts in the opening does not count: it arrived with an earlier segment, or a source
    stands there.
    """
    if aperture.p3 == aperture.p4 or not len(result):
        return np.empty(0, np.int64)
    p1, p2, row = result.straight_pieces
    d, length = unit_vectors(p2 - p1)
    centre = np.array([(aperture.p3.x + aperture.p4.x) / 2, (aperture.p3.y + aperture.p4.y) / 2])
    # an escaping ray is endless: it is followed beyond the opening
    reach = lengths(p1 - centre) + math.dist(aperture.p3, aperture.p4)
    far = p1 + np.maximum(length, reach)[:, None] * d
    met = contacts(
        p1, np.where(result.escaped[row][:, None], far, p2), Line(aperture.p3, aperture.p4)
    )
    crossing: Rows = row[met.segment[met.place != START]]
    return crossing
