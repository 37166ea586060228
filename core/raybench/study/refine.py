"""Refinement of a sweep over one parameter: more points where a measure steps or becomes undefined."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from raybench.analysis.measures.measure import Measured
from raybench.study.evaluator import Evaluator
from raybench.study.sweep import InvalidSweep, Point, Sweep

STEP = 0.1
"""Change of a measure between neighbours, as a part of its range, from which on a point is put
between them.
"""
NARROWEST = 1e-6
"""Distance of neighbours, as a part of the swept range, below which nothing is put between them."""


def refined(
    sweep: Sweep, points: Sequence[Point], most: int, evaluator: Evaluator
) -> Iterator[Point]:
    """Further points of a sweep, at most ``most``, as they are computed; their indices follow those
    of ``points``.

    Intervals in which a measure changes by more than `STEP` of its range, or is defined at one end
    only, are halved again and again, the largest steps first. Raises InvalidSweep for two
    parameters.
    """
    if len(sweep.axes) != 1:
        raise InvalidSweep("Only a sweep over one parameter can be refined.")
    known = sorted(points, key=lambda point: point.values)
    narrowest = NARROWEST * (known[-1].values[0] - known[0].values[0]) if known else 0.0
    index, left = len(points), most
    while left > 0 and not evaluator.stopped:
        spans = [
            _span([p.measures[i] for p in known]) for i in range(len(sweep.experiment.measures))
        ]
        steps = [(_step(a, b, spans), a, b) for a, b in itertools.pairwise(known)]
        wide = [
            row
            for row in steps
            if row[0] > STEP and row[2].values[0] - row[1].values[0] > narrowest
        ]
        if not wide:
            return
        wide.sort(key=lambda row: (-row[0], row[1].values))
        values = [((a.values[0] + b.values[0]) / 2,) for _, a, b in wide[:left]]
        found = []
        for value, row in zip(values, evaluator.rows(sweep.experiment, values), strict=False):
            found.append(Point(index, value, row))
            index += 1
            yield found[-1]
        left -= len(found)
        known = sorted([*known, *found], key=lambda point: point.values)
        if len(found) < len(values):
            return


def _span(measures: Sequence[Measured]) -> float:
    values = [m.value for m in measures if m.defined]
    return max(values) - min(values) if values else 0.0


def _step(a: Point, b: Point, spans: Sequence[float]) -> float:
    """The largest change of a measure between two points, relative to its range; infinite if it is
    defined at one of them only.
    """
    out = 0.0
    for first, second, span in zip(a.measures, b.measures, spans, strict=True):
        if first.defined != second.defined:
            return math.inf
        if first.defined and span > 0:
            out = max(out, abs(second.minus(first)) / span)
    return out
