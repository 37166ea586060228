"""Touching and containing for Bezier curves: cubics in the curve's parameter, many at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from core.analysis.straight import Floats, Mask, cross, distance_to_each
from core.scene.bezier import Bezier
from core.scene.point import Point


def touches_bezier(p1: Floats, p2: Floats, curve: Bezier, tolerance: float) -> Mask:
    """Which segments (n, 2) come within ``tolerance`` of a curve, ends included; (n,)."""
    hull = np.array([curve.p0, curve.p1, curve.p2, curve.p3])
    low, high = hull.min(axis=0) - tolerance, hull.max(axis=0) + tolerance
    mask: Mask = ((np.maximum(p1, p2) >= low) & (np.minimum(p1, p2) <= high)).all(axis=1)
    rows = np.flatnonzero(mask)
    p1, p2 = p1[rows], p2[rows]
    d = p2 - p1
    length = np.hypot(d[:, 0], d[:, 1])
    unit = d / np.where(length > 0, length, 1.0)[:, None]
    near = distance_to_bezier(p1, hull) <= tolerance
    near |= distance_to_bezier(p2, hull) <= tolerance
    near |= distance_to_each(hull[0], p1, p2) <= tolerance
    near |= distance_to_each(hull[3], p1, p2) <= tolerance
    heights = cross(unit[:, None, :], hull[None] - p1[:, None, :])
    for u, there in _cubic_roots(heights):
        along = ((_bezier_points(hull, u) - p1) * unit).sum(axis=1)
        near |= there & (along >= -tolerance) & (along <= length + tolerance)
    mask[rows] = near
    return mask


def _bezier_points(hull: Floats, u: Floats) -> Floats:
    v = 1 - u
    weights = np.stack([v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u], axis=1)
    points: Floats = weights @ hull
    return points


def distance_to_bezier(points: Floats, hull: Floats) -> Floats:
    """Distances of points (n, 2) from a curve: the nearest of 33 places, then Newton's method on the foot of the perpendicular."""
    steps = np.linspace(0, 1, 33)
    places = _bezier_points(hull, steps)
    u = steps[((points[:, None, :] - places[None]) ** 2).sum(axis=2).argmin(axis=1)]
    tangents = 3 * np.diff(hull, axis=0)
    for _ in range(6):
        v = 1 - u
        t = np.stack([v * v, 2 * v * u, u * u], axis=1) @ tangents
        square = (t * t).sum(axis=1)
        off = points - _bezier_points(hull, u)
        u = np.clip(u + (off * t).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    off = points - _bezier_points(hull, u)
    distance: Floats = np.hypot(off[:, 0], off[:, 1])
    return distance


def _cubic_roots(c: Floats) -> Iterator[tuple[Floats, Mask]]:
    """The roots from 0 to 1 of cubics in Bernstein form (n, 4): up to three times a root for each and whether it is there.

    Each cubic is cut where it turns; a value of zero counts as negative, so that curves that share an end share no root.
    """
    a, b, k = c[:, 3] - 3 * c[:, 2] + 3 * c[:, 1] - c[:, 0], c[:, 2] - 2 * c[:, 1] + c[:, 0], c[:, 1] - c[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        q = -(b + np.copysign(np.sqrt(b * b - a * k), b))
        turns = np.stack([q / a, k / q], axis=1)
    turns = np.sort(np.where((turns > 0) & (turns < 1), turns, 1.0), axis=1)
    cuts = [np.zeros(len(c)), turns[:, 0], turns[:, 1], np.ones(len(c))]
    for low, high in pairwise(cuts):
        above = _bernstein(c, high) > 0
        there = above != (_bernstein(c, low) > 0)
        low, high = low.copy(), high.copy()
        for _ in range(54):
            middle = (low + high) / 2
            upper = (_bernstein(c, middle) > 0) == above
            high, low = np.where(upper, middle, high), np.where(upper, low, middle)
        yield high, there


def _bernstein(c: Floats, u: Floats) -> Floats:
    v = 1 - u
    value: Floats = v * v * v * c[:, 0] + 3 * v * v * u * c[:, 1] + 3 * v * u * u * c[:, 2] + u * u * u * c[:, 3]
    return value


def bezier_angles(p1: Floats, p2: Floats, curve: Bezier, tolerance: float) -> Floats:
    """The angles in degrees between segments and a curve's normal, where they start or end on it or else cross it first; (n,)."""
    hull = np.array([curve.p0, curve.p1, curve.p2, curve.p3])
    d = p2 - p1
    length = np.hypot(d[:, 0], d[:, 1])
    at = p2.copy()
    best = np.full(len(p1), np.inf)
    for u, there in _cubic_roots(cross(d[:, None, :], hull[None] - p1[:, None, :])):
        x = _bezier_points(hull, u)
        along = np.where(there, ((x - p1) * d).sum(axis=1) / length**2, np.inf)
        first = (along > -tolerance) & (along < np.minimum(best, 1 + tolerance))
        at[first], best[first] = x[first], along[first]
    start = distance_to_bezier(p1, hull) <= tolerance
    at[start] = p1[start]
    angles = np.empty(len(p1))
    for i, place in enumerate(at):
        tx, ty = curve.derivative(curve.parameter_nearest(Point(*place.tolist())))
        along, across = abs(d[i, 0] * tx + d[i, 1] * ty), abs(d[i, 0] * ty - d[i, 1] * tx)
        angles[i] = np.degrees(np.arctan2(along, across)) if length[i] > 0 else np.nan
    return angles


def crosses_to_the_right(curve: Bezier, points: Floats) -> Mask:
    """For which points (n, 2) the half-line to the right crosses the curve an odd number of times; (n,)."""
    hull = np.array([curve.p0, curve.p1, curve.p2, curve.p3])
    odd = np.zeros(len(points), bool)
    for u, there in _cubic_roots(hull[None, :, 1] - points[:, 1:2]):
        odd ^= there & (_bezier_points(hull, u)[:, 0] > points[:, 0])
    return odd
