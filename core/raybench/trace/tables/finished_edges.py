"""The tables of edges with a finish: the fractions of light that they scatter, at each wavelength
of the sources and from both sides, and the distributions of the scattered light.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Int32s
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.primitives import FINISH_REFLECTANCE, FINISH_WIDTH, Surface
from raybench.scene.coatings import coating_wavelength
from raybench.scene.finishes import Finish, Finishes, ScatterProfile, profile_table
from raybench.scene.labels import labelled_edges
from raybench.scene.settings import Settings
from raybench.shapes.curves import point_at_parameter
from raybench.shapes.shape import Line
from raybench.trace.tables.coated_edges import bodies_along_edge, index_of_bodies
from raybench.trace.tables.object_rows import ObjectRows
from raybench.trace.tables.tables import Tables
from raybench.trace.tolerances import WEAK_REFLECTION

FINISHABLE = (Surface.REFRACT, Surface.REFLECT, Surface.ABSORB)
WEAK_SCATTER = 1e-3
"""The weakest scattered rays in colour modes other than the default, as a fraction of the strongest
source ray.
"""
NO_BODIES: list[list[GlassBody]] = [[], []]
"""No bodies outside and inside of an edge."""
CURVE_POINTS = 17
"""Points on a curve of the outline that scattered rays are sent to."""


class FinishedEdges(NamedTuple):
    """The finishes of a scene as `Tables.finish`, `Tables.finish_rows`, `Tables.finish_nodes` and
    `Tables.finish_outlines`.

    ``most_rays`` is the largest number of scattered rays at one hit; ``edges`` are the indices of
    the object and of the edge for each edge with a finish.
    """

    finish: Int32s
    rows: Floats
    nodes: Floats
    outlines: Floats
    most_rays: int = 0
    edges: tuple[tuple[int, int], ...] = ()

    def paint_reflectances(self) -> dict[tuple[int, int], float]:
        """The reflectance of each painted edge, by the indices of its object and of the edge."""
        each = len(self.rows) // max(len(self.edges), 1)
        values = self.rows[::each, FINISH_REFLECTANCE].tolist() if each else []
        return {edge: v for edge, v in zip(self.edges, values, strict=True) if v >= 0}


NO_FINISHES = FinishedEdges(
    np.empty(0, np.int32), np.empty((0, FINISH_WIDTH)), np.empty((0, 2)), np.empty((0, 2))
)


def finished_edges(
    optical: Sequence[SceneObject],
    rows: ObjectRows,
    finishes: Finishes,
    wavelengths: Sequence[float | None],
) -> FinishedEdges:
    """The tables of all edges with a finish. ``wavelengths`` are those of the columns of
    `Tables.indices`, the first of which is None.
    """
    bodies = np.flatnonzero(rows.surface == Surface.REFRACT)
    finish = np.full(len(rows.primitive), -1, np.int32)
    tables: dict[ScatterProfile, tuple[int, int]] = {}
    nodes: list[Floats] = []
    outlines: dict[int, tuple[int, int]] = {}
    points: list[tuple[float, float]] = []
    values: list[tuple[float, ...]] = []
    finished: list[tuple[int, int]] = []
    most, size = 0, 0
    for i, obj in enumerate(optical):
        own = finishes.get(obj.key, {})
        if not own or rows.surface[i] not in FINISHABLE:
            continue
        first = int(rows.first[i])
        edges = rows.edge[first : first + int(rows.size[i])]
        for edge in labelled_edges(obj):
            if edge.index not in own:
                continue
            it = own[edge.index]
            if rows.surface[i] == Surface.ABSORB and not it.is_paint:
                continue
            finish[first + np.flatnonzero(edges == edge.index)] = len(finished)
            finished.append((i, edge.index))
            if it.profile not in tables:
                table = profile_table(it.profile)
                tables[it.profile] = size, size + len(table)
                size += len(table)
                nodes.append(table)
            target = (0, 0)
            if it.towards is not None:
                if it.towards not in outlines:
                    new = _outline_points(optical, it.towards)
                    outlines[it.towards] = len(points), len(points) + len(new)
                    points += new
                target = outlines[it.towards]
            count = it.rays if target[0] == target[1] else max(it.rays, 2)
            most = max(most, count * (2 if rows.surface[i] == Surface.REFRACT else 1))
            middle, beside = edge.edge.shape.midpoint, NO_BODIES
            if it.roughness is not None:  # only this depends on the media
                middle, beside = bodies_along_edge(optical, rows, bodies, i, edge)[0]
            for wave in wavelengths:
                media = [index_of_bodies(b, middle, wave) for b in beside]
                for outward in (False, True):
                    values.append(
                        (
                            *_scattered_shares(it, coating_wavelength(wave), media, outward),
                            -1.0 if it.reflectance is None else it.reflectance,
                            float(count),
                            *map(float, (*tables[it.profile], *target)),
                        )
                    )
    if not finished:
        return NO_FINISHES
    return FinishedEdges(
        finish,
        np.array(values),
        np.concatenate(nodes),
        np.array(points, np.float64).reshape(-1, 2),
        most,
        tuple(finished),
    )


def tables_for_scatter(tables: Tables, power: Floats, settings: Settings) -> Tables:
    """The tables with the values that scattering needs, for source rays of a ``power`` (n,) and the
    random seed of the ``settings``.
    """
    weakest = WEAK_REFLECTION if settings.color_mode == "default" else WEAK_SCATTER
    return tables._replace(
        weakest_scattered=weakest * float(power.max(initial=0.0)),
        random_seed=zlib.crc32((settings.random_seed or "").encode()),
    )


def _scattered_shares(
    finish: Finish, wavelength: float, media: Sequence[float], outward: bool
) -> tuple[float, float]:
    """The fractions of the reflected and of the transmitted light that are scattered at normal
    incidence, between the ``media`` (indices) outside and inside of an edge.
    """
    before = media[outward]
    return (
        finish.scattered_fraction(wavelength, before, True),
        finish.scattered_fraction(wavelength, media[1] - media[0], False),
    )


def _outline_points(optical: Sequence[SceneObject], key: int) -> list[tuple[float, float]]:
    """Points on the outline of the object with this key; none if it does not exist."""
    found = next((o for o in optical if o.key == key), None)
    if found is None or object_fault(found):
        return []
    shapes = (edge.shape for edge in object_edges(found))
    return [
        (*point_at_parameter(shape, float(u)),)
        for shape in shapes
        if np.isfinite(shape.length)
        for u in np.linspace(0.0, 1.0, 2 if isinstance(shape, Line) else CURVE_POINTS)
    ]
