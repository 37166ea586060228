"""Where straight segments meet lines, arcs and curves: exact geometry on arrays."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    angles_to_normals,
    cross_products,
    distance_to_each,
    meeting_box,
    unit_vectors,
    vector_lengths,
)
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.curves import as_bezier
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape
from raybench.trace.tolerances import ON_EDGE

START, THROUGH, END = range(3)
Met = tuple[int, Mask, Floats]
"""START, THROUGH or END; the mask (n,) of the segments that meet the curve there; the distances
from their starts (n,).
"""


class Contacts(NamedTuple):
    """Points where segments meet a curve, one row each; a segment that meets it twice has two rows.

    ``segment`` (k,): index of the segment, ascending. ``place`` (k,): START or END if it is that
    end of the segment, else THROUGH. ``along`` (k,): distance from the segment's start. ``normal``
    (k, 2): the curve's unit normal there, of either sign.
    """

    segment: Rows
    place: NDArray[np.int8]
    along: Floats
    normal: Floats

    def chosen(self, mask: Mask) -> Contacts:
        """The contacts selected by a mask (k,)."""
        return Contacts(self.segment[mask], self.place[mask], self.along[mask], self.normal[mask])

    def points(self, p1: Floats, p2: Floats) -> Floats:
        """The points of the contacts, (k, 2)."""
        unit, _ = unit_vectors(p2[self.segment] - p1[self.segment])
        points: Floats = p1[self.segment] + self.along[:, None] * unit
        return points

    def angles(self, p1: Floats, p2: Floats) -> Floats:
        """The angles (k,) between the segments and the curve's normal, degrees, 0 to 90; NaN for
        segments of zero length.
        """
        d = p2[self.segment] - p1[self.segment]
        return np.where((d != 0).any(axis=1), angles_to_normals(d, self.normal), np.nan)


def join_contacts(parts: list[Contacts]) -> Contacts:
    """The contacts of several curves concatenated, ordered by segment."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Contacts(np.empty(0, np.int64), np.empty(0, np.int8), np.empty(0), np.empty((0, 2)))
    segment, place, along, normal = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(segment, kind="stable")
    return Contacts(segment[order], place[order], along[order], normal[order])


def gather_contacts(met: list[Met]) -> tuple[Rows, NDArray[np.int8], Floats, Rows]:
    """Segments, places, distances and the index of the item in ``met``, (k,) each, ordered by
    segment and then by item.
    """
    which = np.concatenate([np.flatnonzero(mask) for _, mask, _ in met])
    item = np.repeat(np.arange(len(met)), [int(np.count_nonzero(mask)) for _, mask, _ in met])
    along = np.concatenate([distance[mask] for _, mask, distance in met])
    order = np.argsort(which, kind="stable")
    item = item[order]
    return which[order], np.array([place for place, _, _ in met], np.int8)[item], along[order], item


def past_ends(
    p1: Floats, p2: Floats, ends: tuple[Floats, Floats], has_contact: Mask, tolerance: float
) -> list[Met]:
    """Contacts of segments that pass within ``tolerance`` of a curve's ``ends``, (2,) or (n, 2)
    each.

    Only segments that meet the curve nowhere else are considered: those not in ``has_contact``
    (n,).
    """
    rest = np.flatnonzero(~has_contact)
    p1, p2 = p1[rest], p2[rest]
    unit, _ = unit_vectors(p2 - p1)
    out: list[Met] = []
    for end in ends:
        corner = end if end.ndim == 1 else end[rest]
        near = np.flatnonzero(distance_to_each(corner, p1, p2) <= tolerance)
        mask, along = np.zeros(len(has_contact), bool), np.zeros(len(has_contact))
        mask[rest[near]] = True
        along[rest] = ((corner - p1) * unit).sum(axis=1)
        out.append((THROUGH, mask, along))
    return out


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
    start, u_start = _foot_on_cubic(p1, hull, tolerance)
    end, u_end = _foot_on_cubic(p2, hull, tolerance)
    there, u = cubic_roots(cross_products(unit[:, None, :], hull - p1[:, None, :]))
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
    pair, place, along, item = gather_contacts(met)
    normal = _cubic_normals(hull[pair], parameters[item, pair])
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


def _cubic_normals(hull: Floats, u: Floats) -> Floats:
    """The unit normals of cubics (n, 4, 2) at one parameter each (n,), (n, 2)."""
    t = tangents_of(hull, u)
    # if an end coincides with its control point, the direction there is that of the chord between
    # the control points
    degenerate = (t == 0).all(axis=1)
    t[degenerate] = (hull[:, 2] - hull[:, 1])[degenerate]
    unit, _ = unit_vectors(t)
    return np.stack([unit[:, 1], -unit[:, 0]], axis=1)


def _foot_on_cubic(points: Floats, hull: Floats, tolerance: float) -> tuple[Mask, Floats]:
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
    return vector_lengths(points - points_of(hulls, nearest_parameter(points, hulls)))


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
    above = [_bernstein_values(c, cut) > 0 for cut in cuts]
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
        value = _bernstein_values(c, u)
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


def _bernstein_values(c: Floats, u: Floats) -> Floats:
    """The values of cubic polynomials in Bernstein form (n, 4) at one parameter each (n,)."""
    v = 1 - u
    value: Floats = (
        v * v * v * c[:, 0]
        + 3 * v * v * u * c[:, 1]
        + 3 * v * u * u * c[:, 2]
        + u * u * u * c[:, 3]
    )
    return value


def contacts_with(p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE) -> Contacts:
    """The contacts of segments ``p1``-``p2`` (n, 2) with a curve: points within ``tolerance`` of
    it, ends of both included.
    """
    match shape:
        case Arc():
            return _with_arc(p1, p2, shape, tolerance)
        case Bezier():
            return with_cubics(
                p1, p2, np.array([[shape.p0, shape.p1, shape.p2, shape.p3]], float), tolerance
            )
        case Chain():
            return with_cubics(p1, p2, shape.cubics, tolerance)
        case Parabola():
            return contacts_with(p1, p2, as_bezier(shape), tolerance)
        case FullLine():
            start = np.array(shape.through, float)
            return _with_line(p1, p2, start, start + shape.unit, tolerance, endless=True)
        case Line():
            return _with_line(p1, p2, np.array(shape.a, float), np.array(shape.b, float), tolerance)


def touches_shape(p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE) -> Mask:
    """Mask (n,) of the segments ``p1``-``p2`` (n, 2) that come within ``tolerance`` of a curve,
    ends included.
    """
    mask = np.zeros(len(p1), bool)
    mask[contacts_with(p1, p2, shape, tolerance).segment] = True
    return mask


def _with_line(
    p1: Floats, p2: Floats, a: Floats, b: Floats, tolerance: float, endless: bool = False
) -> Contacts:
    length = math.dist(a, b)
    t = (b - a) / length if length else np.array([1.0, 0.0])
    n = np.array([t[1], -t[0]])
    h1, h2 = ((p[:, 0] - a[0]) * n[0] + (p[:, 1] - a[1]) * n[1] for p in (p1, p2))
    rows = np.flatnonzero(
        ((h1 <= tolerance) | (h2 <= tolerance)) & ((h1 >= -tolerance) | (h2 >= -tolerance))
    )
    if not endless:
        low_corner, high_corner = np.minimum(a, b) - 2 * tolerance, np.maximum(a, b) + 2 * tolerance
        first, last = p1[rows], p2[rows]
        rows = rows[
            (
                (np.maximum(first, last) >= low_corner) & (np.minimum(first, last) <= high_corner)
            ).all(axis=1)
        ]
        if not len(rows):
            return join_contacts([])
    p1, p2, h1, h2 = p1[rows], p2[rows], h1[rows], h2[rows]
    u1, u2 = (p1 - a) @ t, (p2 - a) @ t
    low, high = (-math.inf, math.inf) if endless else (0.0, length)
    start, end = (
        np.hypot(h, np.maximum(0.0, np.maximum(low - u, u - high))) <= tolerance
        for h, u in ((h1, u1), (h2, u2))
    )
    size = vector_lengths(p2 - p1)
    with np.errstate(divide="ignore", invalid="ignore"):
        fraction = h1 / (h1 - h2)
        u, along_segment = u1 + fraction * (u2 - u1), fraction * size
    through = (h1 * h2 < 0) & (u >= low) & (u <= high) & ~start & ~end
    met: list[Met] = [
        (START, start, np.zeros_like(size)),
        (THROUGH, through, along_segment),
        (END, end, size),
    ]
    if not endless:
        met += past_ends(p1, p2, (a, b), start | through | end, tolerance)
    which, place, along, _ = gather_contacts(met)
    return Contacts(rows[which], place, along, np.broadcast_to(n, (len(which), 2)))


def _with_arc(p1: Floats, p2: Floats, arc: Arc, tolerance: float) -> Contacts:
    centre, reach = np.array(arc.centre, float), arc.radius + tolerance
    rows = meeting_box(p1, p2, centre - reach, centre + reach)
    p1, p2 = p1[rows], p2[rows]
    unit, size = unit_vectors(p2 - p1)
    rel = p1 - centre
    foot, off = -(rel * unit).sum(axis=1), np.abs(cross_products(rel, unit))
    start, end = on_arc(rel, arc, tolerance), on_arc(p2 - centre, arc, tolerance)
    half = np.sqrt(np.maximum(0.0, arc.radius**2 - off**2))
    near, far = foot - half, foot + half
    # if an end of the segment lies on the arc, the nearer of the two crossings of the circle is the
    # same contact: drop it
    first_starts, first_ends = (
        np.abs(near) <= np.abs(far),
        np.abs(near - size) <= np.abs(far - size),
    )
    met: list[Met] = [(START, start, np.zeros_like(size))]
    for s, starts, ends in ((near, first_starts, first_ends), (far, ~first_starts, ~first_ends)):
        crossing = (
            ((half > 0) | ((s is near) & (off <= reach)))
            & (s > 0)
            & (s < size)
            & ~(start & starts)
            & ~(end & ends)
        )
        crossing[crossing] = _within_sweep((rel + s[:, None] * unit)[crossing], arc, tolerance)
        met.append((THROUGH, crossing, s))
    met.append((END, end, size))
    if not arc.full:
        has_contact = np.logical_or.reduce([mask for _, mask, _ in met])
        met += past_ends(p1, p2, (np.array(arc.a), np.array(arc.b)), has_contact, tolerance)
    which, place, along, _ = gather_contacts(met)
    return Contacts(
        rows[which], place, along, unit_vectors(rel[which] + along[:, None] * unit[which])[0]
    )


def on_arc(rel: Floats, arc: Arc, tolerance: float) -> Mask:
    """Mask (n,) of the points (n, 2), given relative to the arc's centre, that lie within
    ``tolerance`` of the arc.
    """
    on: Mask = np.abs(vector_lengths(rel) - arc.radius) <= tolerance
    on[on] = _within_sweep(rel[on], arc, tolerance)
    return on


def _within_sweep(x: Floats, arc: Arc, tolerance: float) -> Mask:
    """Mask of the points, relative to the arc's centre, whose direction lies within the arc's
    sweep.
    """
    if arc.full:
        return np.ones(len(x), bool)
    slack = tolerance / arc.radius
    turn = (np.arctan2(x[:, 1], x[:, 0]) - arc.start) * math.copysign(1.0, arc.sweep)
    within: Mask = np.mod(turn + slack, 2 * np.pi) <= abs(arc.sweep) + 2 * slack
    return within
