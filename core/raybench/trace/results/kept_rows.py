"""Selects the rows that a trace with `Keep` keeps from a trace with all rows."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Int32s, Integers
from raybench.trace.codes import Interaction
from raybench.trace.columns import STORED
from raybench.trace.keep import (
    MOST_OBJECTS,
    NO_COLUMN,
    NOT_KEPT,
    ODD,
    REFLECTED,
    SCATTERED,
    Keep,
    Kept,
)
from raybench.trace.results.branches import count_partial_reflections
from raybench.trace.results.detectors import NONE_COUNTED
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import TraceResult


def keep_rows(result: TraceResult, keep: Keep) -> TraceResult:
    """The result of a trace with ``keep``, made from a trace with all rows. It is returned
    unchanged if there are too many objects, or if a kept detector counts rows that end on other
    objects, see `raybench.trace.results.detectors`.
    """
    scene = result.scene
    counted = np.isin(result.counted[:, 1], keep.objects).any()
    if scene is None or counted or len(keep.objects) > MOST_OBJECTS:
        return result
    begun_at = np.where(result.parent < 0, result.source, result.hit[result.parent])
    rows = np.flatnonzero(np.isin(result.hit, keep.objects) | np.isin(begun_at, keep.leaving))
    met = np.zeros(len(result), np.uint64)
    for bit, index in enumerate(keep.objects):
        before = result.lineage.descendants_mask(result.hit == index)
        met |= before.astype(np.uint64) << np.uint64(bit)
    reflections = count_partial_reflections(result, scene)
    scatterings = result.lineage.sum_along_path(
        (result.interaction == Interaction.SCATTER).astype(np.int64)
    )
    met |= np.where(reflections > 0, REFLECTED, np.uint64(0))
    met |= np.where(reflections % 2 == 1, ODD, np.uint64(0))
    met |= np.where(scatterings > 0, SCATTERED, np.uint64(0))
    kept = Kept(
        keep,
        path_keys(result, rows),
        met[rows],
        len(result),
        np.array([result.emitted_power(i) for i in range(len(scene.optical))]),
        result.power_cut_at_depth,
        result.reach,
    )
    columns: dict[str, NDArray[Any]] = {
        name: getattr(result, name)[rows] for name in STORED if name != "parent"
    }
    first, count = columns["points"].astype(np.int64).T
    starts = np.cumsum(count) - count
    within = np.arange(int(count.sum())) - np.repeat(starts, count)
    columns["points"] = np.stack([np.where(count > 0, starts, 0), count], axis=1).astype(
        columns["points"].dtype
    )
    columns["polyline"] = result.polyline[np.repeat(first, count) + within]
    fields: dict[str, Any] = columns
    return replace(
        result,
        **fields,
        parent=_parents_among(result, rows) if keep.leaving else NO_COLUMN,
        counted=NONE_COUNTED,
        kept=kept,
    )


def _parents_among(result: TraceResult, rows: Integers) -> Int32s:
    """The column ``parent`` of the kept ``rows``, with indices among these rows."""
    place = np.full(len(result) + 1, NOT_KEPT, np.int32)
    place[rows] = np.arange(len(rows))
    place[-1] = -1
    return place[result.parent[rows]]
