"""Intersections of straight segments with cubic Bezier curves, vectorised over pairs of a segment
and a cubic.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from raybench.analysis.geometry.meeting import (
    END,
    START,
    THROUGH,
    Contacts,
    Met,
    gathered,
    past_ends,
)
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    cross,
    lengths,
    meeting_box,
    unit_vectors,
)

FEW = 8
"""Leaf size of the bounding-box search: groups of more cubics are halved, and segments that miss a
half's box are dropped.
"""
SAMPLES = 32
"""Intervals of the parameter that are sampled for the start of Newton's method."""


def with_cubics(p1: Floats, p2: Floats, cubics: Floats, tolerance: float) -> Contacts:
    """The contacts of segments ``p1``-``p2`` (n, 2) with a chain of cubics (m, 4, 2): points within
    ``tolerance``, ends included.
    """
    segment, which = _near_pairs(p1, p2, cubics, tolerance)
    p1, p2, hull = p1[segment], p2[segment], cubics[which]
    unit, size = unit_vectors(p2 - p1)
    start, u_start = _foot(p1, hull, tolerance)
    end, u_end = _foot(p2, hull, tolerance)
    there, u = cubic_roots(cross(unit[:, None, :], hull - p1[:, None, :]))
    along = np.where(
        there,
        ((points_of(hull[:, None], u) - p1[:, None, :]) * unit[:, None, :]).sum(axis=2),
        np.inf,
    )
    # if an end of the segment lies on the curve, the nearest crossing is the same contact: drop it
    for on, at in ((start, np.zeros_like(size)), (end, size)):
        rows = np.flatnonzero(on)
        there[rows, np.abs(along[rows] - at[rows, None]).argmin(axis=1)] = False
    there &= (along > 0) & (along < size[:, None])
    met: list[Met] = [(START, start, np.zeros_like(size)), (END, end, size)]
    met += [(THROUGH, there[:, j], along[:, j]) for j in range(3)]
    has_contact = start | end | there.any(axis=1)
    met += past_ends(p1, p2, (hull[:, 0], hull[:, 3]), has_contact, tolerance)
    parameters = np.stack([u_start, u_end, *u.T, np.zeros_like(size), np.ones_like(size)])
    pair, place, along, item = gathered(met)
    normal = _normals(hull[pair], parameters[item, pair])
    order = np.argsort(segment[pair], kind="stable")
    return Contacts(segment[pair][order], place[order], along[order], normal[order])


def _near_pairs(p1: Floats, p2: Floats, cubics: Floats, tolerance: float) -> tuple[Rows, Rows]:
    """Indices of the pairs of a segment and a cubic that may intersect: the segment meets the
    bounding box of the control points.
    """
    low, high = cubics.min(axis=1) - tolerance, cubics.max(axis=1) + tolerance
    segments, pieces = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    stack = [(0, len(cubics), np.arange(len(p1)))]
    while stack:
        first, last, rows = stack.pop()
        rows = rows[
            meeting_box(
                p1[rows], p2[rows], low[first:last].min(axis=0), high[first:last].max(axis=0)
            )
        ]
        if not len(rows):
            continue
        if last - first > FEW:
            middle = (first + last) // 2
            stack += [(first, middle, rows), (middle, last, rows)]
            continue
        for k in range(first, last):
            near = (
                rows
                if last - first == 1
                else rows[meeting_box(p1[rows], p2[rows], low[k], high[k])]
            )
            segments.append(near)
            pieces.append(np.full(len(near), k))
    return np.concatenate(segments), np.concatenate(pieces)


def points_of(hull: Floats, u: Floats) -> Floats:
    """The points at the parameters ``u`` (...) of cubics (..., 4, 2)."""
    v = 1 - u
    weights = np.stack([v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u], axis=-1)
    points: Floats = (weights[..., None] * hull).sum(axis=-2)
    return points


def tangents_of(hull: Floats, u: Floats) -> Floats:
    """The derivatives at the parameters ``u`` (...) of cubics (..., 4, 2)."""
    v = 1 - u
    weights = np.stack([3 * v * v, 6 * v * u, 3 * u * u], axis=-1)
    tangents: Floats = (weights[..., None] * np.diff(hull, axis=-2)).sum(axis=-2)
    return tangents


def _normals(hull: Floats, u: Floats) -> Floats:
    """The unit normals of cubics (n, 4, 2) at one parameter each (n,), (n, 2)."""
    t = tangents_of(hull, u)
    # if an end coincides with its control point, the direction there is that of the chord between
    # the control points
    degenerate = (t == 0).all(axis=1)
    t[degenerate] = (hull[:, 2] - hull[:, 1])[degenerate]
    unit, _ = unit_vectors(t)
    return np.stack([unit[:, 1], -unit[:, 0]], axis=1)


def _foot(points: Floats, hull: Floats, tolerance: float) -> tuple[Mask, Floats]:
    """Whether each point (n, 2) lies on its cubic (n, 4, 2), and the parameter of the foot of the
    perpendicular.
    """
    on, u = (
        ((points >= hull.min(axis=1) - tolerance) & (points <= hull.max(axis=1) + tolerance)).all(
            axis=1
        ),
        np.zeros(len(points)),
    )
    rows = np.flatnonzero(on)
    u[rows] = nearest_parameter(points[rows], hull[rows])
    off = points[rows] - points_of(hull[rows], u[rows])
    on[rows] = np.hypot(off[:, 0], off[:, 1]) <= tolerance
    return on, u


def nearest_parameter(points: Floats, hull: Floats) -> Floats:
    """The parameters (n,) of the points of cubics (n, 4, 2) nearest to points (n, 2).

    The nearest of `SAMPLES` + 1 samples is refined by Gauss-Newton steps to the foot of the
    perpendicular.
    """
    steps = np.linspace(0, 1, SAMPLES + 1)
    samples = points_of(hull[:, None], np.broadcast_to(steps, (len(points), len(steps))))
    u: Floats = steps[((points[:, None, :] - samples) ** 2).sum(axis=2).argmin(axis=1)]
    for _ in range(6):
        t = tangents_of(hull, u)
        square = (t * t).sum(axis=1)
        off = points - points_of(hull, u)
        u = np.clip(u + (off * t).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return u


def distance_to_bezier(points: Floats, hull: Floats) -> Floats:
    """Distances (n,) of points (n, 2) from one cubic (4, 2)."""
    hulls = np.broadcast_to(hull, (len(points), 4, 2))
    return lengths(points - points_of(hulls, nearest_parameter(points, hulls)))


def cubic_roots(c: Floats) -> tuple[Mask, Floats]:
    """The roots in [0, 1] of cubic polynomials in Bernstein form (n, 4): a mask of those that
    exist, and their values, (n, 3) each.

    Each cubic is split at its extrema. Zero counts as negative, so that consecutive curves do not
    share the root at their common end.
    """
    a, b, k = (
        c[:, 3] - 3 * c[:, 2] + 3 * c[:, 1] - c[:, 0],
        c[:, 2] - 2 * c[:, 1] + c[:, 0],
        c[:, 1] - c[:, 0],
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        q = -(b + np.copysign(np.sqrt(b * b - a * k), b))
        turns = np.stack([q / a, k / q], axis=1)
    turns = np.sort(np.where((turns > 0) & (turns < 1), turns, 1.0), axis=1)
    cuts = [np.zeros(len(c)), turns[:, 0], turns[:, 1], np.ones(len(c))]
    above = [_bernstein(c, cut) > 0 for cut in cuts]
    there, roots = np.zeros((len(c), 3), bool), np.ones((len(c), 3))
    for j, ((low, high), (below, beyond)) in enumerate(
        zip(pairwise(cuts), pairwise(above), strict=True)
    ):
        rows = np.flatnonzero(below != beyond)
        there[rows, j] = True
        roots[rows, j] = _root_between(c[rows], low[rows], high[rows], beyond[rows])
    return there, roots


def _root_between(c: Floats, low: Floats, high: Floats, above: Mask) -> Floats:
    """The single root of each cubic between ``low`` and ``high``, by Newton's method with bisection
    where it leaves the interval.

    ``above``: whether the value at ``high`` is positive.
    """
    low, high = low.copy(), high.copy()
    u = (low + high) / 2
    slope_c = 3 * np.diff(c, axis=1)
    for _ in range(60):
        value = _bernstein(c, u)
        upper = (value > 0) == above
        high, low = np.where(upper, u, high), np.where(upper, low, u)
        v = 1 - u
        slope = v * v * slope_c[:, 0] + 2 * v * u * slope_c[:, 1] + u * u * slope_c[:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            step = u - value / slope
        following = np.where((step > low) & (step < high), step, (low + high) / 2)
        if not (np.abs(following - u) > 1e-15).any():
            break
        u = following
    return u


def _bernstein(c: Floats, u: Floats) -> Floats:
    """The values of cubic polynomials in Bernstein form (n, 4) at one parameter each (n,)."""
    v = 1 - u
    value: Floats = (
        v * v * v * c[:, 0]
        + 3 * v * v * u * c[:, 1]
        + 3 * v * u * u * c[:, 2]
        + u * u * u * c[:, 3]
    )
    return value
