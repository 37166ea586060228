"""Rows recorded elsewhere know neither what they met nor which source they came from: the scene tells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.analysis.geometry.contact import contacts
from core.analysis.geometry.meeting import END, START
from core.analysis.geometry.straight import Rows, lengths
from core.analysis.scene.traced_outline import edges_as_traced
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.primitives import Surface
from core.kinds.sources import Source
from core.scene.control_points import control_points
from core.scene.scene import Scene
from core.trace.codes import Status
from core.trace.results.result import TraceResult
from core.trace.tables.pieces import piece_of
from core.trace.tolerances import ON_SURFACE


def placed(result: TraceResult, scene: Scene) -> TraceResult:
    """The result with its sources, the objects and edges its segments end on, and what became of those that end nowhere.

    A result of a trace in this program knows all that and is returned as it is.
    """
    if result.object_names:
        return result
    near = ON_SURFACE * scene.settings.length_scale
    hit, edge, status = result.hit.copy(), result.edge.copy(), result.status.copy()
    source = np.full(len(result), -1, np.int32)
    open_rows = np.flatnonzero(hit < 0)
    for i, obj in enumerate(scene.optical):
        if isinstance(obj, Source):
            source[(source < 0) & _starts_at(result, obj, near)] = i
            continue
        for e in edges_as_traced(obj, scene):
            met = contacts(result.p1[open_rows], result.p2[open_rows], e.shape, near)
            rows = open_rows[met.segment[met.place == END]]
            rows = rows[hit[rows] < 0]
            hit[rows], edge[rows] = i, e.index
    leaf = (result.lineage.child_count == 0) & (status == Status.ALIVE)
    status[leaf & (hit < 0)] = Status.ESCAPED
    colours = scene.settings.simulate_colors
    walls = [i for i, obj in enumerate(scene.optical) if piece_of(obj, colours).surface == Surface.ABSORB]
    status[leaf & np.isin(hit, walls)] = Status.ABSORBED
    names = tuple(o.title for o in scene.optical)
    known = replace(result, hit=hit, edge=edge, status=status, source=source[result.lineage.root], object_names=names, scene=scene)
    # the light that was alive has ended after all
    escaped, absorbed = (float(known.total_power[leaf & (status == s)].sum()) for s in (Status.ESCAPED, Status.ABSORBED))
    ledger = replace(
        result.ledger,
        escaped=result.ledger.escaped + escaped,
        absorbed=result.ledger.absorbed + absorbed,
        alive=result.ledger.alive - escaped - absorbed,
    )
    return replace(known, ledger=ledger)


def _starts_at(result: TraceResult, source: SceneObject, near: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows without a parent leave a source: its line, or its first point."""
    roots: Rows = np.flatnonzero(result.parent < 0)
    start, mask = result.p1[roots], np.zeros(len(result), bool)
    if edges := edges_of(source):
        met = contacts(start, result.p2[roots], edges[0].shape, near)
        mask[roots[met.segment[met.place == START]]] = True
    else:
        mask[roots[lengths(start - np.array(control_points(source)[0].at)) <= near]] = True
    return mask
