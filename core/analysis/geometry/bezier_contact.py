"""Where straight segments meet cubic Bezier curves: many pairs of a segment and a cubic at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.analysis.geometry.meeting import END, START, THROUGH, Contacts, Met, gathered, past_ends
from core.analysis.geometry.straight import Floats, Mask, Rows, cross, lengths, meeting_box, unit_vectors

FEW = 8
"""Of so many cubics each is looked at by itself; more are halved, to leave out segments that meet none of a half."""
SAMPLES = 32


def with_cubics(p1: Floats, p2: Floats, cubics: Floats, tolerance: float) -> Contacts:
    """Where segments (n, 2) come within ``tolerance`` of a chain of cubics (m, 4, 2), ends included."""
    segment, which = _near_pairs(p1, p2, cubics, tolerance)
    p1, p2, hull = p1[segment], p2[segment], cubics[which]
    unit, size = unit_vectors(p2 - p1)
    start, u_start = _foot(p1, hull, tolerance)
    end, u_end = _foot(p2, hull, tolerance)
    there, u = cubic_roots(cross(unit[:, None, :], hull - p1[:, None, :]))
    along = np.where(there, ((points_of(hull[:, None], u) - p1[:, None, :]) * unit[:, None, :]).sum(axis=2), np.inf)
    # of the crossings the one nearest to an end that lies on the curve is that end
    for on, at in ((start, np.zeros_like(size)), (end, size)):
        rows = np.flatnonzero(on)
        there[rows, np.abs(along[rows] - at[rows, None]).argmin(axis=1)] = False
    there &= (along > 0) & (along < size[:, None])
    met: list[Met] = [(START, start, np.zeros_like(size)), (END, end, size)]
    met += [(THROUGH, there[:, j], along[:, j]) for j in range(3)]
    found = start | end | there.any(axis=1)
    met += past_ends(p1, p2, (hull[:, 0], hull[:, 3]), found, tolerance)
    parameters = np.stack([u_start, u_end, *u.T, np.zeros_like(size), np.ones_like(size)])
    pair, place, along, item = gathered(met)
    normal = _normals(hull[pair], parameters[item, pair])
    order = np.argsort(segment[pair], kind="stable")
    return Contacts(segment[pair][order], place[order], along[order], normal[order])


def _near_pairs(p1: Floats, p2: Floats, cubics: Floats, tolerance: float) -> tuple[Rows, Rows]:
    """The pairs of a segment and a cubic that may meet: those whose segment meets the box of the cubic's hull."""
    low, high = cubics.min(axis=1) - tolerance, cubics.max(axis=1) + tolerance
    segments, pieces = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    stack = [(0, len(cubics), np.arange(len(p1)))]
    while stack:
        first, last, rows = stack.pop()
        rows = rows[meeting_box(p1[rows], p2[rows], low[first:last].min(axis=0), high[first:last].max(axis=0))]
        if not len(rows):
            continue
        if last - first > FEW:
            middle = (first + last) // 2
            stack += [(first, middle, rows), (middle, last, rows)]
            continue
        for k in range(first, last):
            near = rows if last - first == 1 else rows[meeting_box(p1[rows], p2[rows], low[k], high[k])]
            segments.append(near)
            pieces.append(np.full(len(near), k))
    return np.concatenate(segments), np.concatenate(pieces)


def points_of(hull: Floats, u: Floats) -> Floats:
    """The points at the parameters ``u`` (...) of cubics (..., 4, 2)."""
    v = 1 - u
    weights = np.stack([v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u], axis=-1)
    found: Floats = (weights[..., None] * hull).sum(axis=-2)
    return found


def tangents_of(hull: Floats, u: Floats) -> Floats:
    """The derivatives at the parameters ``u`` (...) of cubics (..., 4, 2)."""
    v = 1 - u
    weights = np.stack([3 * v * v, 6 * v * u, 3 * u * u], axis=-1)
    found: Floats = (weights[..., None] * np.diff(hull, axis=-2)).sum(axis=-2)
    return found


def _normals(hull: Floats, u: Floats) -> Floats:
    t = tangents_of(hull, u)
    # where a control point lies on an end, the chord to the other end's control point gives the direction there
    still = (t == 0).all(axis=1)
    t[still] = (hull[:, 2] - hull[:, 1])[still]
    unit, _ = unit_vectors(t)
    return np.stack([unit[:, 1], -unit[:, 0]], axis=1)


def _foot(points: Floats, hull: Floats, tolerance: float) -> tuple[Mask, Floats]:
    """Which points (n, 2) lie on their cubics (n, 4, 2), and at which parameters."""
    on, u = ((points >= hull.min(axis=1) - tolerance) & (points <= hull.max(axis=1) + tolerance)).all(axis=1), np.zeros(len(points))
    rows = np.flatnonzero(on)
    u[rows] = nearest_parameter(points[rows], hull[rows])
    off = points[rows] - points_of(hull[rows], u[rows])
    on[rows] = np.hypot(off[:, 0], off[:, 1]) <= tolerance
    return on, u


def nearest_parameter(points: Floats, hull: Floats) -> Floats:
    """The parameters of the points of cubics (n, 4, 2) nearest to points (n, 2): of several places, then Newton's method on the foot of
    the perpendicular."""
    steps = np.linspace(0, 1, SAMPLES + 1)
    places = points_of(hull[:, None], np.broadcast_to(steps, (len(points), len(steps))))
    u: Floats = steps[((points[:, None, :] - places) ** 2).sum(axis=2).argmin(axis=1)]
    for _ in range(6):
        t = tangents_of(hull, u)
        square = (t * t).sum(axis=1)
        off = points - points_of(hull, u)
        u = np.clip(u + (off * t).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return u


def distance_to_bezier(points: Floats, hull: Floats) -> Floats:
    """Distances of points (n, 2) from one cubic (4, 2)."""
    hulls = np.broadcast_to(hull, (len(points), 4, 2))
    return lengths(points - points_of(hulls, nearest_parameter(points, hulls)))


def cubic_roots(c: Floats) -> tuple[Mask, Floats]:
    """The roots from 0 to 1 of cubics in Bernstein form (n, 4): whether they are there and what they are, (n, 3) each.

    Each cubic is cut where it turns; a value of zero counts as negative, so that curves that share an end share no root.
    """
    a, b, k = c[:, 3] - 3 * c[:, 2] + 3 * c[:, 1] - c[:, 0], c[:, 2] - 2 * c[:, 1] + c[:, 0], c[:, 1] - c[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        q = -(b + np.copysign(np.sqrt(b * b - a * k), b))
        turns = np.stack([q / a, k / q], axis=1)
    turns = np.sort(np.where((turns > 0) & (turns < 1), turns, 1.0), axis=1)
    cuts = [np.zeros(len(c)), turns[:, 0], turns[:, 1], np.ones(len(c))]
    above = [_bernstein(c, cut) > 0 for cut in cuts]
    there, roots = np.zeros((len(c), 3), bool), np.ones((len(c), 3))
    for j, ((low, high), (below, beyond)) in enumerate(zip(pairwise(cuts), pairwise(above), strict=True)):
        rows = np.flatnonzero(below != beyond)
        there[rows, j] = True
        roots[rows, j] = _root_between(c[rows], low[rows], high[rows], beyond[rows])
    return there, roots


def _root_between(c: Floats, low: Floats, high: Floats, above: Mask) -> Floats:
    """The one root of each cubic between two places; ``above`` tells where the value at the higher is positive. Newton's method, and
    halving where that leaves the interval."""
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
    v = 1 - u
    value: Floats = v * v * v * c[:, 0] + 3 * v * v * u * c[:, 1] + 3 * v * u * u * c[:, 2] + u * u * u * c[:, 3]
    return value
