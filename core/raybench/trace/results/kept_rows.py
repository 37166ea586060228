"""Selects what a trace with `Keep` keeps from a trace with all rows."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.trace.codes import Interaction
from raybench.trace.columns import STORED
from raybench.trace.keep import NO_PARENTS, ODD, REFLECTED, SCATTERED, Keep, Kept
from raybench.trace.results.branches import count_partial_reflections
from raybench.trace.results.path_keys import path_keys
from raybench.trace.results.result import NONE_COUNTED, TraceResult


def keep_rows(result: TraceResult, keep: Keep) -> TraceResult:
    """What a trace with ``keep`` gives, made from a trace with all rows. It is returned unchanged
    where a kept detector counts rows that end on other objects: see
    `raybench.trace.results.detectors`.
    """
    scene = result.scene
    if scene is None or np.isin(result.counted[:, 1], keep.objects).any():
        return result
    rows = result.rows_ending_on(*keep.objects)
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
        parent=NO_PARENTS,
        counted=NONE_COUNTED,
        detectors=tuple(r for r in result.detectors if r.index in keep.objects),
        kept=kept,
    )
