"""The tables of coated edges: reflectances and transmittances over the angle of incidence, from both
sides, at each wavelength of the sources.

Wavelengths are exact; between the angles of a table the values are linear in the cosine. Angles are
added until the error is below `LARGEST_ERROR`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from raybench.arrays import Floats, Int32s, Integers
from raybench.errors import in_quotes
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges, object_fault
from raybench.kinds.primitives import Surface
from raybench.scene.coatings import (
    SUBSTRATE,
    Coating,
    Coatings,
    InvalidCoating,
    coating_wavelength,
)
from raybench.scene.hit_test import is_inside
from raybench.scene.labels import LabelledEdge, labelled_edges
from raybench.shapes.point import Point
from raybench.trace.tables.object_rows import ObjectRows

LARGEST_ERROR = 2e-5
"""The largest error of an interpolated fraction of power, as far as three values between each two
angles show it.
"""
OPAQUE = 1e-6
"""A smaller transmittance counts as 0: the light is absorbed."""
FEWEST_ANGLES, ANGLES_PER_FRINGE = 33, 12
MOST_ANGLES = 20_000
NARROWEST = 1e-8
"""The smallest distance of two cosines, on both sides of a critical angle."""
BESIDE_EDGE = 1e-4
"""Where the medium beside an edge is looked up: so much of its length away from its middle."""


class CoatedEdges(NamedTuple):
    """The coatings of a scene as `Tables.coating`, `Tables.coating_spans` and
    `Tables.coating_nodes`, with the ``wavelengths`` (k,) of `Tables`.

    ``edges`` are the object's index and the edge's of each coated edge. ``warnings`` are the indices
    of objects with texts about coatings without effect.
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
        """R_s, R_p, T_s, T_p (n, 4) of a coated edge as kernels interpolate them, for light of a
        wavelength of the sources (NaN without one); None where its coating does not act.
        """
        known = not np.isnan(wavelength) and len(self.wavelengths) > 0
        column = 1 + int(np.searchsorted(self.wavelengths, wavelength)) if known else 0
        start, end = self.spans[2 * ((1 + len(self.wavelengths)) * coated + column) + outward]
        table = self.nodes[start:end]
        if not len(table):
            return None
        return np.column_stack([np.interp(cosines, table[:, 0], v) for v in table.T[1:]])


NO_COATINGS = CoatedEdges(np.empty(0, np.int32), np.empty((0, 2), np.int64), np.empty((0, 5)))


def coated_edges(
    optical: Sequence[SceneObject],
    disabled: Collection[int],
    rows: ObjectRows,
    coatings: Coatings,
    wavelengths: Sequence[float | None],
) -> CoatedEdges:
    """The tables of all coated edges of glass bodies and mirrors. ``wavelengths`` are those of the
    columns of `Tables.indices`, the first of which is None.

    An edge has no coating at a wavelength for which its coating has no values; a warning says so.
    """
    bodies = [
        o for o in optical
        if isinstance(o, GlassBody) and o.key not in disabled and not object_fault(o)
    ] if coatings else []  # fmt: skip
    coating = np.full(len(rows.primitive), -1, np.int32)
    starts: dict[int, tuple[int, int]] = {}
    spans: list[tuple[int, int]] = []
    nodes: list[Floats] = []
    coated: list[tuple[int, int]] = []
    warnings, size = [], 0
    for i, obj in enumerate(optical):
        own = coatings.get(obj.key, {})
        surface = rows.surface[i]
        if not own or surface not in (Surface.REFRACT, Surface.REFLECT):
            continue
        first = int(rows.first[i])
        edges = rows.edge[first : first + int(rows.size[i])]
        for edge in labelled_edges(obj):
            if edge.index not in own:
                continue
            coating[first + np.flatnonzero(edges == edge.index)] = len(coated)
            coated.append((i, edge.index))
            beside = [_indices_beside_edge(obj, edge, bodies, wave) for wave in wavelengths]
            refused = ""
            for wave, (n_out, n_in) in zip(wavelengths, beside, strict=True):
                if wave is None and len(wavelengths) > 1:  # all light has a wavelength
                    spans += [(0, 0), (0, 0)]
                    continue
                for outward in (False, True):
                    try:
                        table = _edge_table(
                            own[edge.index], coating_wavelength(wave), n_out, n_in, outward,
                            surface == Surface.REFLECT,
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
            if refused:
                name = in_quotes(own[edge.index].title, 60)
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
        np.concatenate(nodes) if nodes else np.empty((0, 5)),
        np.array(wavelengths[1:], np.float64),
        tuple(coated),
        tuple(warnings),
    )


def _indices_beside_edge(
    obj: SceneObject, edge: LabelledEdge, bodies: Sequence[GlassBody], wavelength: float | None
) -> tuple[float, float]:
    """The refractive indices of the media outside and inside an edge at its middle: of each, the
    product of the indices of the bodies there.
    """
    shape = edge.edge.shape
    middle, (nx, ny) = shape.midpoint, edge.normal
    step = BESIDE_EDGE * (shape.length if np.isfinite(shape.length) else 1.0)
    at = np.array([[middle.x, middle.y]])
    out = []
    for side in (step, -step):
        n = 1.0
        beside = Point(middle.x + side * nx, middle.y + side * ny)
        for body in bodies:
            if side < 0 if body is obj else is_inside(object_edges(body), beside):
                n *= abs(float(body.index_at(at, wavelength)[0]))
        out.append(n)
    return out[0], out[1]


@lru_cache(4096)
def _edge_table(
    coating: Coating, wavelength: float, n_out: float, n_in: float, outward: bool, is_mirror: bool
) -> Floats:
    """The table (n, 5) of a coating for light from one side: ascending cosines of the angle of
    incidence, R_s, R_p, T_s and T_p. A mirror reflects on both sides, and transmits nothing.

    Raises InvalidCoating.
    """
    if is_mirror:
        n_out, n_in, outward = (n_in if outward else n_out), SUBSTRATE, False
    ratio = n_in / n_out if outward else n_out / n_in

    def values(cosines: Floats) -> Floats:
        out = coating.fractions(wavelength, n_out, n_in, cosines, outward)
        return np.column_stack([cosines, out])

    count = FEWEST_ANGLES + int(ANGLES_PER_FRINGE * coating.fringes(wavelength))
    start = [np.cos(np.linspace(0.0, np.pi / 2, count))]
    if ratio > 1:
        critical = np.sqrt(1.0 - 1.0 / (ratio * ratio))
        start.append(np.array([critical - NARROWEST, critical + NARROWEST]))
    sines = np.sin(np.radians(coating.angles_of_table())) / (ratio if outward else 1.0)
    start.append(np.sqrt(1.0 - np.minimum(sines, 1.0) ** 2))
    table = interpolation_table(values, np.clip(np.concatenate(start), 0.0, 1.0))
    table[:, 1:][table[:, 1:] < (0, 0, OPAQUE, OPAQUE)] = 0.0
    if is_mirror:
        table[:, 3:] = 0.0
    table.flags.writeable = False
    return table


def interpolation_table(values: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Rows (n, m) of ``values``, which gives a row for each argument with the argument first, such
    that linear interpolation between them is in error by at most `LARGEST_ERROR`.

    ``start`` are the first arguments; more are added in the middle of intervals. Raises
    InvalidCoating for too many.
    """
    left = values(np.unique(start))
    rows = [left]
    left, right = left[:-1], left[1:]
    total = len(left)
    while len(left):
        wide = right[:, 0] - left[:, 0] > NARROWEST
        left, right = left[wide], right[wide]
        bent = np.zeros(len(left), bool)
        middle = left
        for part in (0.25, 0.5, 0.75):
            straight = left + part * (right - left)
            exact = values(straight[:, 0])
            bent |= (np.abs(exact - straight)[:, 1:] > LARGEST_ERROR).any(axis=1)
            middle = exact if part == 0.5 else middle
        middle = middle[bent]
        total += len(middle)
        if total > MOST_ANGLES:
            raise InvalidCoating(
                "It varies too fast with the angle to be traced. Use thinner films."
            )
        rows.append(middle)
        left, right = (
            np.concatenate([left[bent], middle]),
            np.concatenate([middle, right[bent]]),
        )
    table = np.concatenate(rows)
    return table[np.argsort(table[:, 0])]
