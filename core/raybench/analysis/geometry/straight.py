"""Functions on arrays of vectors and straight segments: products, lengths, distances, bounding-box
tests, and distinct integers.

They compute with columns, and `take` rows: numpy sums short rows, and indexes them, ten times as
slowly.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


def cross_products(u: Floats, v: Floats) -> Floats:
    """The z components (...) of the cross products of two arrays of vectors (..., 2)."""
    result: Floats = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return result


def dot_products(u: Floats, v: Floats) -> Floats:
    """The dot products (...) of two arrays of vectors (..., 2)."""
    result: Floats = u[..., 0] * v[..., 0] + u[..., 1] * v[..., 1]
    return result


def vector_lengths(vectors: Floats) -> Floats:
    """The lengths (n,) of vectors (n, 2)."""
    norms: Floats = np.hypot(vectors[:, 0], vectors[:, 1])
    return norms


def sum_by_group(groups: NDArray[Any], values: Floats, count: int) -> Floats:
    """The sums (count,) of values (n,) by group. ``groups`` (n,) holds the group number of each
    value.
    """
    return np.bincount(groups, weights=values, minlength=count).astype(np.float64)


def unit_vectors(vectors: Floats) -> tuple[Floats, Floats]:
    """The unit vectors (n, 2) and the lengths (n,) of vectors (n, 2). A zero vector stays zero."""
    length = vector_lengths(vectors)
    divisor, unit = np.where(length > 0, length, 1.0), np.empty(vectors.shape)
    for axis in range(2):
        np.divide(vectors[:, axis], divisor, out=unit[:, axis])
    return unit, length


def angles_to_normals(directions: Floats, normals: Floats) -> Floats:
    """The angles (n,) in degrees, from 0 to 90, between directions (n, 2) and normals (n, 2). The
    vectors need not be unit vectors.
    """
    angles: Floats = np.degrees(
        np.arctan2(
            np.abs(cross_products(directions, normals)), np.abs(dot_products(directions, normals))
        )
    )
    return angles


def distances_from_points(point: Floats, p1: Floats, p2: Floats) -> Floats:
    """The distances (n,) of segments ``p1``-``p2`` (n, 2) from a point (2,), or each from its own
    point (n, 2).
    """
    d = p2 - p1
    square = dot_products(d, d)
    u = np.clip(dot_products(point - p1, d) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return vector_lengths(point - (p1 + u[:, None] * d))


def rows_meeting_box(p1: Floats, p2: Floats, low: Floats, high: Floats) -> Rows:
    """The indices, ascending, of the segments ``p1``-``p2`` (n, 2) that meet the box with the
    corners ``low`` and ``high``. Uses the separating-axis theorem.
    """
    x1, y1, x2, y2 = p1[:, 0], p1[:, 1], p2[:, 0], p2[:, 1]
    beside = ((x1 < low[0]) & (x2 < low[0])) | ((x1 > high[0]) & (x2 > high[0]))
    beside |= ((y1 < low[1]) & (y2 < low[1])) | ((y1 > high[1]) & (y2 > high[1]))
    rows = np.flatnonzero(~beside)
    x1, y1, x2, y2 = (v.take(rows) for v in (x1, y1, x2, y2))
    dx, dy = x2 - x1, y2 - y1
    centre, half = (low + high) / 2, (high - low) / 2
    reach = half[0] * np.abs(dy) + half[1] * np.abs(dx)
    off = np.abs(dx * (centre[1] - y1) - dy * (centre[0] - x1))
    return rows.take(np.flatnonzero(off <= reach * (1 + 1e-12) + 1e-12 * off))


def rows_to_mask(rows: NDArray[np.integer], count: int) -> Mask:
    """A mask (count,) that is true at the given rows, in any order."""
    mask = np.zeros(count, bool)
    mask[rows] = True
    return mask


def distinct_integers(*rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """The distinct integers of all arrays (n,), ascending.

    It sorts, since `numpy.unique` builds a hash table (numpy 2.3 and 2.4), which is up to 25 times
    slower if most integers differ. A stable sort is fast where the arrays are ascending.
    """
    found = np.sort(
        np.concatenate([np.empty(0, np.int64), *(r.astype(np.int64, copy=False) for r in rows)]),
        kind="stable",
    )
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found
