"""Branch numbers where a surface splits a ray into several: transmitted or reflected, diffraction order, branch of a custom surface."""

from __future__ import annotations

import numpy as np

from core.analysis.geometry.straight import Floats, Rows, unit_vectors
from core.analysis.rays.incidence import first_pieces, last_pieces
from core.analysis.scene.refractive_index import GREEN
from core.kinds.gratings import ConcaveDiffractionGrating, Grating
from core.kinds.mirrors import BeamSplitter
from core.kinds.outline import edges_of
from core.scene.scene import Scene
from core.shapes.shape import Arc
from core.trace.codes import Interaction
from core.trace.results.result import TraceResult


def branches(result: TraceResult, scene: Scene) -> Rows:
    """The branch number of each segment, (n,); 0 for segments that do not start at a splitting surface.

    After a beam splitter: 1 for transmitted, 2 for reflected light. After a grating: the diffraction order. After a custom surface: the
    index among the children of the same segment.
    """
    out = np.zeros(len(result), np.int64)
    for index, obj in enumerate(scene.optical):
        if isinstance(obj, BeamSplitter):
            rows = _children_at(result, index, Interaction.SPLIT)
            before, after, normal = _across(result, rows, (obj.p2.y - obj.p1.y, obj.p1.x - obj.p2.x))
            out[rows] = np.where((before * normal).sum(axis=1) * (after * normal).sum(axis=1) > 0, 1, 2)
        elif isinstance(obj, Grating):
            rows = _children_at(result, index, Interaction.DIFFRACT)
            out[rows] = _orders(result, scene, obj, rows)
    custom = np.flatnonzero((result.interaction == Interaction.CUSTOM) & (result.parent >= 0))
    family = np.argsort(result.parent[custom], kind="stable")
    parents = result.parent[custom][family]
    out[custom[family]] = np.arange(len(parents)) - np.searchsorted(parents, parents)
    return out


def _orders(result: TraceResult, scene: Scene, grating: Grating, rows: Rows) -> Rows:
    """The diffraction orders, with the sign convention of the file format, from the grating equation (Hecht, section 10.2.8)."""
    across = (grating.p2.y - grating.p1.y, grating.p1.x - grating.p2.x)
    before, after, normal = _across(result, rows, across)
    right = 1.0
    shape = edges_of(grating)[0].shape
    if isinstance(grating, ConcaveDiffractionGrating):
        right = -1.0
        if isinstance(shape, Arc):
            normal = unit_vectors(result.p1[rows] - np.array(shape.centre))[0]
    against = -np.sign((before * normal).sum(axis=1))[:, None] * normal
    along = right * np.stack([against[:, 1], -against[:, 0]], axis=1)
    wavelength = np.where(np.isnan(result.wavelength[rows]), GREEN, result.wavelength[rows])
    lines = grating.line_density / 1e6  # per nanometre
    with np.errstate(divide="ignore", invalid="ignore"):
        order = ((after - before) * along).sum(axis=1) / (wavelength * lines)
    rounded: Rows = np.rint(np.nan_to_num(order, posinf=0.0, neginf=0.0)).astype(np.int64)
    return rounded


def _children_at(result: TraceResult, index: int, interaction: Interaction) -> Rows:
    """The segments that start on an object with a given interaction."""
    children = (result.interaction == interaction) & (result.parent >= 0)
    return np.flatnonzero(children & (result.hit[np.maximum(result.parent, 0)] == index))


def _across(result: TraceResult, rows: Rows, normal: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """The unit directions before and after the surface that segments start on, and its unit normal, (k, 2) each."""
    before = unit_vectors(np.subtract(*last_pieces(result, result.parent[rows].astype(np.int64))[::-1]))[0]
    after = unit_vectors(np.subtract(*first_pieces(result, rows)[::-1]))[0]
    return before, after, np.broadcast_to(unit_vectors(np.array([normal]))[0], before.shape)
