"""The principal path of some light: the path that carries the most power.

A path is the sequence of surfaces and interactions from the source on: object, edge, interaction,
diffraction order or side of a beam splitter. The source, the wavelength and detectors are not part
of it, so the light of several lamps and colours through one lens is on one path.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.arrays import Seeds
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult

SHARE_DIGITS = 9
"""Digits of a share to which the powers of two paths are compared: of equal ones the path of the
first row is the principal one, whatever the rounding errors.
"""


@dataclass(frozen=True, eq=False)
class LightByPath:
    """Segments grouped by path. ``rows`` (k,): the segments. ``rank`` (k,): the rank of each
    segment's path, 0 for the principal path. ``power`` (paths,): the power of each path,
    decreasing. ``key`` (paths,): see `path_keys`.
    """

    rows: Rows
    rank: Rows
    power: Floats
    key: Seeds

    @property
    def share(self) -> float:
        """The share of the power that the principal path carries; 1 if the power is 0."""
        total = float(self.power.sum())
        return float(self.power[0]) / total if total > 0 else 1.0

    @cached_property
    def principal_rows(self) -> Rows:
        """The segments on the principal path, in the order of ``rows``."""
        return self.rows_of_rank(0)

    def rows_of_rank(self, rank: int) -> Rows:
        """The segments on the path with this rank, in the order of ``rows``."""
        return self.rows if len(self.power) < 2 else self.rows[self.rank == rank]


def light_by_path(
    result: TraceResult, rows: Rows, power: Floats, *, ends: bool = True
) -> LightByPath:
    """Group the segments ``rows``, with ``power`` (k,), by path. A path includes the surface at the
    end of the segment or, if ``ends`` is false, stops at the start of the segment.
    """
    keys = path_keys(result, rows, ends=ends)
    if not len(keys):
        return LightByPath(rows, np.empty(0, np.int64), np.empty(0), keys)
    begins = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])  # rays side by side share their path
    runs = keys[begins]
    if len(runs) == 1:
        return LightByPath(rows, np.zeros(len(rows), np.int64), power.sum(keepdims=True), runs)
    order = runs.argsort(kind="stable")
    ordered = runs[order]
    starts = np.ones(len(runs), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    which = np.empty(len(runs), np.int64)
    which[order] = starts.cumsum() - 1
    path = which[begins.cumsum() - 1]
    totals = np.bincount(path, power)
    parts = np.round(totals / (float(totals.max()) or 1.0), SHARE_DIGITS)
    ranked = np.lexsort((order[starts], -parts))
    rank = np.empty(len(ranked), np.int64)
    rank[ranked] = np.arange(len(ranked))
    return LightByPath(rows, rank[path], totals[ranked].astype(float), ordered[starts][ranked])
