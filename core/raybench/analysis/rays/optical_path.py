"""The optical path length: refractive index times length, added up from the source.

Sources: Born & Wolf, section 3.1.1 (optical path length) and section 3.2.1 (curvature of a ray).
"""

from weakref import WeakKeyDictionary

import numpy as np

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.scene.surroundings import Media
from raybench.kinds.glasses import GlassBody
from raybench.trace.kernels.optical_path import add_optical_paths
from raybench.trace.results.result import TraceResult
from raybench.trace.tables.compiled import compile_scene

CHORD_POINTS = 6
"""Points of a chord of a curved path at which its index is taken."""
ASIDE = 1e-4
"""How far to both sides of these points the index is taken for its gradient, as a fraction of half
the chord.
"""
CURVATURE_PASSES = 2
"""How often the curvature of an arc is taken, first on the chord, then on the arc found."""
ARCS_PER_BATCH = 50_000
"""Arcs of a batch, which limits the memory."""

_known: WeakKeyDictionary[TraceResult, Floats] = WeakKeyDictionary()


def optical_path_lengths(result: TraceResult) -> Floats:
    """The optical path length (n,) from the source to the end of each segment, in scene units.
    Infinite for escaping segments; NaN where an index is undefined, and for all segments if the
    scene is unknown.

    The index at a point is the product of the indices of all bodies that contain the point, for the
    wavelength of the segment. Along a curved segment it is integrated. Surfaces add nothing, not
    even ideal lenses and gratings. The result is cached.
    """
    if (known := _known.get(result)) is None:
        scene = result.scene
        if scene is None:
            return np.full(len(result), np.nan)
        curved = result.points[:, 1] > 1
        paths = np.zeros(len(result))
        if curved.any():
            _add_curved_paths(result, np.flatnonzero(curved & ~result.escaped), paths)
        objects = len(scene.optical)
        rows, first, near = (np.zeros(k, np.int64) for k in (len(result), objects + 3, objects))
        hit = result.hit  # of a file, perhaps of another scene
        add_optical_paths(
            compile_scene(scene, result.disabled).tables,
            np.ascontiguousarray(result.p1),
            np.ascontiguousarray(result.p2),
            result.wavelength,
            result.parent,
            np.where((hit >= 0) & (hit < objects), hit, np.int32(-1)),
            ~(curved | result.escaped),
            paths,
            rows,
            first,
            near,
        )
        paths[result.escaped] = np.inf
        known = _known[result] = paths
    return known


def _add_curved_paths(result: TraceResult, rows: Rows, paths: Floats) -> None:
    """Write the optical path lengths of the curved segments ``rows`` into ``paths``. Each segment
    is a series of chords.
    """
    assert result.scene is not None
    first, count = result.points[rows].astype(np.int64).T
    middle = result.polyline[first + count // 2]  # a point of the path, between its ends
    alone = count == 2
    middle[alone] = (result.p1[rows[alone]] + result.p2[rows[alone]]) / 2
    p1, p2, row_of_chord = result.pieces(rows)
    chord = np.hypot(*(p2 - p1).T)
    which = np.searchsorted(rows, row_of_chord)
    media = Media.from_scene(result.scene, result.disabled)
    around = []
    for body, nm, inside in media.bodies_around(middle, result.wavelength[rows]):
        mask = np.zeros(len(rows), bool)
        mask[inside] = True
        around.append((body, nm, np.flatnonzero(mask[which] & (chord > 0))))
    mean = np.ones(len(chord))
    for start in range(0, len(chord), ARCS_PER_BATCH):
        end = min(start + ARCS_PER_BATCH, len(chord))
        part = [
            (body, nm, chords[(chords >= start) & (chords < end)] - start)
            for body, nm, chords in around
        ]
        mean[start:end] = _mean_index_on_arcs(part, p1[start:end], p2[start:end])
    paths[rows] = np.bincount(which, mean * chord, minlength=len(rows))


def _mean_index_on_arcs(
    around: list[tuple[GlassBody, float | None, Rows]], p1: Floats, p2: Floats
) -> Floats:
    """For each arc from ``p1`` to ``p2`` (k, 2), the optical path length divided by the length of
    its chord, (k,). ``around``: the bodies, each with a wavelength and the indices of the arcs in
    it. The slope along an arc is the integral of its curvature, which follows from the ray
    equation.
    """
    at, weights = np.polynomial.legendre.leggauss(CHORD_POINTS)
    middle, half = (p1 + p2) / 2, (p2 - p1) / 2
    aside, up_to = half @ np.array([[0.0, 1.0], [-1.0, 0.0]]), _integration_matrix(at)
    along = middle + at[:, None, None] * half  # (CHORD_POINTS, k, 2)
    offset = slope = np.zeros(
        (CHORD_POINTS, len(p1))
    )  # of the arc from the chord, in halves of that

    def index_at_side(side: float) -> Floats:
        index = np.ones((CHORD_POINTS, len(p1)))
        points = along + (offset + side)[..., None] * aside
        for body, nm, arcs in around:
            values = body.index_at(points[:, arcs].reshape(-1, 2), nm)
            index[:, arcs] *= values.reshape(CHORD_POINTS, -1)
        return index

    for _ in range(CURVATURE_PASSES):
        here, left, right = map(index_at_side, (0.0, -ASIDE, ASIDE))
        slope = up_to @ ((right - left) / (2 * ASIDE * here))
        slope = slope - weights @ slope / 2  # the arc ends where the chord does
        offset = up_to @ slope
    mean: Floats = weights @ (index_at_side(0.0) * np.sqrt(1 + slope**2)) / 2
    return mean


def _integration_matrix(places: Floats) -> Floats:
    """The matrix (n, n) that maps the values of a polynomial at ``places`` (n,) to its integrals
    from -1 to these places.
    """
    values = np.polynomial.legendre.legvander(places, len(places) - 1)
    integrals = np.stack(
        [
            np.polynomial.legendre.legval(places, np.polynomial.legendre.legint(c, lbnd=-1))
            for c in np.eye(len(places))
        ],
        axis=1,
    )
    matrix: Floats = integrals @ np.linalg.inv(values)
    return matrix
