"""Completes traces from other programs, which lack the columns for the hit object and the source of
each segment.
"""

from dataclasses import replace

import numpy as np

from raybench.analysis.geometry.contact import END, START, contacts_with_shape
from raybench.analysis.geometry.straight import Rows, vector_lengths
from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.detectors import Detector
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.primitives import Surface
from raybench.kinds.sources import Source
from raybench.scene.control_points import control_points
from raybench.scene.scene import Scene
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.tables.object_rows import object_piece
from raybench.trace.tolerances import ON_SURFACE


def fill_hit_columns(
    result: TraceResult, scene: Scene, disabled: frozenset[int] = frozenset()
) -> TraceResult:
    """A copy of a trace whose columns source, hit, edge and status are computed from the geometry
    of the scene. A trace that has these columns is returned unchanged; if it was read from a file,
    the scene is added.
    """
    if result.object_names:
        return (
            result if result.scene is not None else replace(result, scene=scene, disabled=disabled)
        )
    near = ON_SURFACE * scene.settings.length_scale
    hit, edge, status = result.hit.copy(), result.edge.copy(), result.status.copy()
    source = np.full(len(result), -1, np.int32)
    open_rows, counted = np.flatnonzero(hit < 0), [result.counted]
    # detectors let light pass: where one lies on another object, it is that which light meets
    for i, obj in sorted(enumerate(scene.optical), key=lambda o: isinstance(o[1], Detector)):
        if isinstance(obj, Source):
            source[(source < 0) & _starts_on_source(result, obj, near)] = i
            continue
        for e in edges_as_traced(obj, scene):
            met = contacts_with_shape(result.p1[open_rows], result.p2[open_rows], e.shape, near)
            rows = open_rows[met.segment[met.place == END]]
            if isinstance(obj, Detector):
                also = rows[hit[rows] >= 0]
                counted.append(np.stack([also, np.full(len(also), i)], axis=1))
            rows = rows[hit[rows] < 0]
            hit[rows], edge[rows] = i, e.index
    leaf = (result.lineage.child_count == 0) & (status == Status.ALIVE)
    status[leaf & (hit < 0)] = Status.ESCAPED
    colours = scene.settings.simulate_colors
    walls = [
        i
        for i, obj in enumerate(scene.optical)
        if object_piece(obj, colours).surface == Surface.ABSORB
    ]
    status[leaf & np.isin(hit, walls)] = Status.ABSORBED
    names = tuple(o.title for o in scene.optical)
    completed = replace(
        result,
        hit=hit,
        edge=edge,
        status=status,
        source=source[result.lineage.root],
        object_names=names,
        scene=scene,
        disabled=disabled,
        counted=np.unique(np.concatenate(counted), axis=0),
    )
    # power counted as alive is now escaped or absorbed
    escaped, absorbed = (
        float(completed.total_power[leaf & (status == s)].sum())
        for s in (Status.ESCAPED, Status.ABSORBED)
    )
    ledger = replace(
        result.ledger,
        escaped=result.ledger.escaped + escaped,
        absorbed=result.ledger.absorbed + absorbed,
        alive=result.ledger.alive - escaped - absorbed,
    )
    return replace(completed, ledger=ledger)


def _starts_on_source(
    result: TraceResult, source: SceneObject, near: float
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mask (n,) of the segments without a parent that start on a source, within the distance
    ``near`` of its line or first point.
    """
    roots: Rows = np.flatnonzero(result.parent < 0)
    start, mask = result.p1[roots], np.zeros(len(result), bool)
    if edges := object_edges(source):
        met = contacts_with_shape(start, result.p2[roots], edges[0].shape, near)
        mask[roots[met.segment[met.place == START]]] = True
    else:
        mask[roots[vector_lengths(start - np.array(control_points(source)[0].at)) <= near]] = True
    return mask
