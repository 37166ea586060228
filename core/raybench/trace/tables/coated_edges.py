"""The tables of coated edges: reflectances and transmittances as functions of the angle of
incidence, from both sides, at each wavelength of the sources.

Wavelengths are exact; between the angles of a table the values are linear in the cosine. Angles are
added until the error is below `LARGEST_ERROR`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Int32s, Integers
from raybench.errors import in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.primitives import Surface
from raybench.scene.coatings import (
    SUBSTRATE_INDEX,
    Coating,
    Coatings,
    InvalidCoating,
    coating_wavelength,
)
from raybench.scene.hit_test import is_inside
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench.shapes.curves import left_normal_at_parameter, point_at_parameter
from raybench.shapes.point import Point
from raybench.trace.tables.object_rows import ObjectRows

LARGEST_ERROR = 2e-5
"""The largest error of an interpolated fraction of power, as far as three values between each two
angles show it.
"""
MIN_TRANSMITTANCE = 1e-6
"""A smaller transmittance counts as 0: the light is absorbed."""
FEWEST_ANGLES, ANGLES_PER_FRINGE = 33, 12
MOST_ANGLES = 20_000
MIN_COSINE_DISTANCE = 1e-8
"""The smallest distance of two cosines, on both sides of a critical angle."""
BESIDE_EDGE = 1e-4
"""Where the media beside an edge are looked up: so much of its length away from it."""
COMPARED_PLACES = tuple((k + 0.5) / 12 for k in range(12))
"""The parameters of the points of an edge where its media are compared with those at its middle."""
SAME_MEDIUM = 1e-3
"""The largest difference of the indices along an edge that is not reported."""


class CoatedEdges(NamedTuple):
    """The coatings of a scene as `Tables.coating`, `Tables.coating_spans` and
    `Tables.coating_nodes`, with the ``wavelengths`` (k,) of `Tables`.

    ``edges`` are the indices of the object and of the edge for each coated edge. ``warnings`` are
    texts about coatings without effect, with the indices of the objects.
    """

    coating: Int32s
    spans: Integers
    nodes: Floats
    wavelengths: Floats = np.empty(0)
    edges: tuple[tuple[int, int], ...] = ()
    warnings: tuple[tuple[int, str], ...] = ()

    def fractions(
        self, coated: int, wavelength: float, cosines: Floats, outward: bool
    ) -> Floats | None:
        """R_s, R_p, T_s, T_p (n, 4) of a coated edge as kernels interpolate them, for a wavelength
        of the sources (NaN for light without a wavelength); None if the coating has no effect.
        """
        known = not np.isnan(wavelength) and len(self.wavelengths) > 0
        column = 1 + int(np.searchsorted(self.wavelengths, wavelength)) if known else 0
        start, end = self.spans[2 * ((1 + len(self.wavelengths)) * coated + column) + outward]
        table = self.nodes[start:end]
        if not len(table):
            return None
        return np.column_stack([np.interp(cosines, table[:, 0], v) for v in table.T[1:5]])


NO_COATINGS = CoatedEdges(np.empty(0, np.int32), np.empty((0, 2), np.int64), np.empty((0, 5)))


def coated_edges(
    optical: Sequence[SceneObject],
    rows: ObjectRows,
    coatings: Coatings,
    wavelengths: Sequence[float | None],
    with_phases: bool = False,
) -> CoatedEdges:
    """The tables of all coated edges of glass bodies, mirrors and beam splitters. ``wavelengths``
    are those of the columns of `Tables.indices`, the first of which is None. With ``with_phases``
    the nodes also contain phases.

    At a wavelength without values, an edge counts as uncoated, with a warning. The tables hold for
    the media beside the middle of an edge; there is also a warning if the media elsewhere along the
    edge differ.
    """
    bodies = np.flatnonzero(rows.surface == Surface.REFRACT)
    coating = np.full(len(rows.primitive), -1, np.int32)
    starts: dict[int, tuple[int, int]] = {}
    spans: list[tuple[int, int]] = []
    nodes: list[Floats] = []
    coated: list[tuple[int, int]] = []
    warnings, size = [], 0
    for i, obj in enumerate(optical):
        own = coatings.get(obj.key, {})
        surface = rows.surface[i]
        if not own or surface not in (Surface.REFRACT, Surface.REFLECT, Surface.SPLIT):
            continue
        first = int(rows.first[i])
        edges = rows.edge[first : first + int(rows.size[i])]
        for edge in labelled_edges(obj):
            if edge.index not in own:
                continue
            coating[first + np.flatnonzero(edges == edge.index)] = len(coated)
            coated.append((i, edge.index))
            places = bodies_along_edge(optical, rows, bodies, i, edge)
            refused = ""
            for wave in wavelengths:
                if wave is None and len(wavelengths) > 1:  # all light has a wavelength
                    spans += [(0, 0), (0, 0)]
                    continue
                media = [
                    [index_of_bodies(held, at, wave) for held in sides] for at, sides in places
                ]
                n_out, n_in = media[0]
                for outward in (False, True):
                    try:
                        table = _edge_table(
                            own[edge.index], coating_wavelength(wave), n_out, n_in, outward,
                            surface == Surface.REFLECT, with_phases,
                        )  # fmt: skip
                    except InvalidCoating as error:
                        refused = refused or str(error)
                        spans.append((0, 0))
                        continue
                    if id(table) not in starts:
                        starts[id(table)] = size, size + len(table)
                        size += len(table)
                        nodes.append(table)
                    spans.append(starts[id(table)])
            name = in_quotes(own[edge.index].title, 60)
            low, high = np.min(media, axis=0), np.max(media, axis=0)
            if surface != Surface.REFLECT and (high - low > SAME_MEDIUM).any():
                side = int(np.argmax(high - low))
                where = "outside" if side == 0 else "inside"
                warnings.append(
                    (
                        i,
                        f"{obj.reference}: there is more than one medium {where} along edge"
                        f" {edge.reference} (index {low[side]:.4g} to {high[side]:.4g}), but its"
                        f" coating {name} acts everywhere as at its middle. Divide the edge where"
                        " the media meet.",
                    )
                )
            if refused:
                warnings.append(
                    (
                        i,
                        f"{obj.reference}: the coating {name} of edge {edge.reference} does not act"
                        f" at all wavelengths. {refused}",
                    )
                )
    if not coated:
        return NO_COATINGS
    return CoatedEdges(
        coating,
        np.array(spans, np.int64).reshape(-1, 2),
        np.concatenate(nodes) if nodes else NO_COATINGS.nodes,
        np.array(wavelengths[1:], np.float64),
        tuple(coated),
        tuple(warnings),
    )


def bodies_along_edge(
    optical: Sequence[SceneObject], rows: ObjectRows, bodies: Integers, own: int, edge: LabelledEdge
) -> list[tuple[Point, list[list[GlassBody]]]]:
    """Points of an edge of the object with the index ``own``, its middle first, each with the
    bodies just outside and just inside of the edge. ``bodies`` are the indices of all bodies.
    """
    shape = edge.edge.shape
    finite = bool(np.isfinite(shape.length))
    step = BESIDE_EDGE * (shape.length if finite else 1.0)
    middle = left_normal_at_parameter(shape, 0.5)
    turn = math.copysign(1.0, sum(a * b for a, b in zip(middle, edge.normal, strict=True)))
    outline = cache(lambda i: object_edges(optical[i]))
    out = []
    for u in (0.5, *(COMPARED_PLACES if finite else ())):
        at = point_at_parameter(shape, u) if u != 0.5 else shape.midpoint
        normal = left_normal_at_parameter(shape, u) if u != 0.5 else edge.normal
        sides = []
        for side in (step, -step):
            away = side * turn if u != 0.5 else side
            x, y = (m + away * n for m, n in zip(at, normal, strict=True))
            box = rows.extent[bodies]
            near = (box[:, 0] <= x) & (x <= box[:, 2]) & (box[:, 1] <= y) & (y <= box[:, 3])
            held: list[GlassBody] = []
            for i in bodies[near].tolist():
                body = optical[i]
                inside = side < 0 if i == own else is_inside(outline(i), Point(x, y))
                if inside and isinstance(body, GlassBody):
                    held.append(body)
            sides.append(held)
        out.append((at, sides))
    return out


def index_of_bodies(bodies: Sequence[GlassBody], at: Point, wavelength: float | None) -> float:
    """The absolute value of the product of the refractive indices of bodies at a point."""
    indices = (float(body.index_at(np.array([at]), wavelength)[0]) for body in bodies)
    return abs(math.prod(indices))


@lru_cache(512)
def _edge_table(
    coating: Coating, wavelength: float, n_out: float, n_in: float, outward: bool,
    is_mirror: bool, with_phases: bool,
) -> Floats:  # fmt: skip
    """The table (n, 5 or 9) of a coating for light from one side, as `Tables.coating_nodes`. A
    mirror reflects on both sides, and transmits nothing.

    Raises InvalidCoating.
    """
    if not (0 < n_out < math.inf and 0 < n_in < math.inf):
        raise InvalidCoating("A medium beside the edge has no refractive index.")
    if is_mirror:
        n_out, n_in, outward = (n_in if outward else n_out), SUBSTRATE_INDEX, False
    ratio = n_in / n_out if outward else n_out / n_in

    def values(cosines: Floats) -> Floats:
        at = wavelength, n_out, n_in, cosines, outward
        phases = [coating.coherences(*at)] if with_phases else []
        return np.column_stack([cosines, coating.fractions(*at), *phases])

    count = FEWEST_ANGLES + int(ANGLES_PER_FRINGE * coating.fringe_count(wavelength))
    start = [np.cos(np.linspace(0.0, np.pi / 2, count))]
    if ratio > 1:
        critical = np.sqrt(1.0 - 1.0 / (ratio * ratio))
        start.append(np.array([critical - MIN_COSINE_DISTANCE, critical + MIN_COSINE_DISTANCE]))
    sines = np.sin(np.radians(coating.table_angles())) / (ratio if outward else 1.0)
    start.append(np.sqrt(1.0 - np.minimum(sines, 1.0) ** 2))
    table = interpolation_table(values, np.clip(np.concatenate(start), 0.0, 1.0))
    table[:, 1:5][table[:, 1:5] < (0, 0, MIN_TRANSMITTANCE, MIN_TRANSMITTANCE)] = 0.0
    if is_mirror:
        table[:, 3:5] = 0.0
    table.flags.writeable = False
    return table


def interpolation_table(values: Callable[[Floats], Floats], start: Floats) -> Floats:
    """A table for linear interpolation of a function: rows (n, m) of ``values``, which returns a
    row for each argument, starting with the argument. The interpolation error is at most
    `LARGEST_ERROR`.

    ``start`` are the first arguments; intervals with a larger error are divided into four. Raises
    InvalidCoating if there are too many rows.
    """
    first = values(np.unique(start))
    rows, left, right = [first], first[:-1], first[1:]
    parts = np.array([0.25, 0.5, 0.75])[:, None, None]
    while len(left):
        wide = right[:, 0] - left[:, 0] > MIN_COSINE_DISTANCE
        left, right = left[wide], right[wide]
        straight = left + parts * (right - left)
        exact = values(straight[:, :, 0].ravel()).reshape(straight.shape)
        bent = (np.abs(exact - straight)[:, :, 1:] > LARGEST_ERROR).any(axis=(0, 2))
        rows.append(exact[:, bent].reshape(-1, first.shape[1]))
        if sum(map(len, rows)) > MOST_ANGLES:
            raise InvalidCoating(
                "It varies too fast with the angle to be traced. Use thinner films."
            )
        chain = np.concatenate([left[None, bent], exact[:, bent], right[None, bent]])
        left, right = (half.reshape(-1, first.shape[1]) for half in (chain[:-1], chain[1:]))
    table = np.concatenate(rows)
    return table[np.argsort(table[:, 0])]
