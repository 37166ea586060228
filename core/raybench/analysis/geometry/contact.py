"""Finds the points where straight segments meet lines, arcs and curves, by exact geometry on
arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.cubics import (
    cubic_points,
    cubic_roots,
    cubic_tangents,
    curve_control_points,
    nearest_parameter,
)
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    Rows,
    angles_to_normals,
    cross_products,
    distances_from_points,
    dot_products,
    rows_meeting_box,
    unit_vectors,
    vector_lengths,
)
from raybench.shapes.shape import Arc, FullLine, Line, Shape
from raybench.trace.tolerances import ON_EDGE

START, THROUGH, END = range(3)


class Contacts(NamedTuple):
    """The points where segments meet a curve, as arrays with a row for each point. A segment that
    meets the curve twice has two rows.

    ``segment`` (k,): index of the segment, ascending. ``place`` (k,): START or END if the point is
    an end of the segment, else THROUGH. ``along`` (k,): distance from the start of the segment.
    ``normal`` (k, 2): unit normal of the curve, of either sign.
    """

    segment: Rows
    place: NDArray[np.int8]
    along: Floats
    normal: Floats

    def select_contacts(self, mask: Mask | Rows) -> Contacts:
        """The contacts that a mask (k,) or an array of indices selects."""
        kept = np.flatnonzero(mask) if mask.dtype == bool else mask
        normal = self.normal.take(kept, axis=0)
        return Contacts(self.segment[kept], self.place[kept], self.along[kept], normal)

    def points(self, p1: Floats, p2: Floats) -> Floats:
        """The coordinates (k, 2) of the contact points."""
        start = p1.take(self.segment, axis=0)
        unit, _ = unit_vectors(p2.take(self.segment, axis=0) - start)
        points: Floats = start + self.along[:, None] * unit
        return points

    def angles(self, p1: Floats, p2: Floats) -> Floats:
        """The angles (k,) between the segments and the normals of the curve, in degrees from 0 to
        90; NaN for segments of zero length.
        """
        d = p2.take(self.segment, axis=0) - p1.take(self.segment, axis=0)
        moving = (d[:, 0] != 0) | (d[:, 1] != 0)
        return np.where(moving, angles_to_normals(d, self.normal), np.nan)


def join_contacts(parts: list[Contacts]) -> Contacts:
    """Join the contacts of the same segments with several curves, sorted by segment."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Contacts(np.empty(0, np.int64), np.empty(0, np.int8), np.empty(0), np.empty((0, 2)))
    segment, place, along, normal = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(segment, kind="stable")
    return Contacts(segment, place, along, normal).select_contacts(order)


def _gather_contacts(
    p1: Floats,
    p2: Floats,
    on_curve: tuple[Mask, Mask],
    crossings: Sequence[tuple[Mask, Floats]],
    ends: Sequence[Floats],
    tolerance: float,
) -> tuple[Contacts, Rows]:
    """Collect the contacts of n segments with a curve, and the type of each: start, crossing, end,
    or end of the curve.

    ``on_curve``: masks (n,) of the segments that start, and that end, on the curve. ``crossings``:
    masks (n,) with distances (n,) from the starts. ``ends``: end points of the curve, (2,) or (n,
    2) each; a segment touches the curve if it passes within ``tolerance`` of one of them.
    """
    start, end = on_curve
    met = [(START, rows := np.flatnonzero(start), np.zeros(len(rows)))]
    for mask, along in crossings:
        met.append((THROUGH, rows := np.flatnonzero(mask), along[rows]))
    rows = np.flatnonzero(end)
    size = vector_lengths(p2.take(rows, axis=0) - p1.take(rows, axis=0))
    met.append((END, rows, size))
    rest = np.flatnonzero(~np.logical_or.reduce([start, end, *(mask for mask, _ in crossings)]))
    first, last = p1.take(rest, axis=0), p2.take(rest, axis=0)
    unit, _ = unit_vectors(last - first)
    for corner in ends:
        corners = corner if corner.ndim == 1 else corner.take(rest, axis=0)
        near = np.flatnonzero(distances_from_points(corners, first, last) <= tolerance)
        met.append((THROUGH, rest[near], dot_products(corners - first, unit)[near]))
    segment = np.concatenate([rows for _, rows, _ in met])
    item = np.repeat(np.arange(len(met)), [len(rows) for _, rows, _ in met])
    along = np.concatenate([along for _, _, along in met])
    order = np.argsort(segment, kind="stable")
    item = item[order]
    place = np.array([place for place, _, _ in met], np.int8)[item]
    return Contacts(segment[order], place, along[order], np.empty((len(item), 2))), item


LEAF_SIZE = 8
"""Leaf size of the bounding-box search: groups of more cubics are halved, and segments that miss a
half's box are dropped.
"""


def _contacts_with_cubics(p1: Floats, p2: Floats, cubics: Floats, tolerance: float) -> Contacts:
    """The contacts of segments ``p1``-``p2`` (n, 2) with a chain of cubics (m, 4, 2), at which the
    two are within ``tolerance`` of each other.
    """
    segment, which = _near_segment_cubic_pairs(p1, p2, cubics, tolerance)
    p1, p2, controls = p1[segment], p2[segment], cubics[which]
    unit, size = unit_vectors(p2 - p1)
    start, u_start = _project_onto_cubic(p1, controls, tolerance)
    end, u_end = _project_onto_cubic(p2, controls, tolerance)
    there, u = cubic_roots(cross_products(unit[:, None, :], controls - p1[:, None, :]))
    met = cubic_points(controls[:, None], u) - p1[:, None, :]
    along = np.where(there, (met * unit[:, None, :]).sum(axis=2), np.inf)
    # if an end of the segment lies on the curve, the nearest crossing is the same contact: drop it
    for on, at in ((start, np.zeros_like(size)), (end, size)):
        rows = np.flatnonzero(on)
        there[rows, np.abs(along[rows] - at[rows, None]).argmin(axis=1)] = False
    there &= (along > 0) & (along < size[:, None])
    crossings = list(zip(there.T, along.T, strict=True))
    ends = controls[:, 0], controls[:, 3]
    found, item = _gather_contacts(p1, p2, (start, end), crossings, ends, tolerance)
    parameters = np.stack([u_start, *u.T, u_end, np.zeros_like(size), np.ones_like(size)])
    normal = _cubic_normals(controls[found.segment], parameters[item, found.segment])
    found = found._replace(segment=segment[found.segment], normal=normal)
    return found.select_contacts(np.argsort(found.segment, kind="stable"))


def _near_segment_cubic_pairs(
    p1: Floats, p2: Floats, cubics: Floats, tolerance: float
) -> tuple[Rows, Rows]:
    """The pairs (segment, cubic) that may intersect, as two index arrays: the segment meets the
    bounding box of the control points.
    """
    low, high = cubics.min(axis=1) - tolerance, cubics.max(axis=1) + tolerance
    segments, pieces = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    stack = [(0, len(cubics), np.arange(len(p1)))]
    while stack:
        first, last, rows = stack.pop()
        rows = rows[
            rows_meeting_box(
                p1[rows], p2[rows], low[first:last].min(axis=0), high[first:last].max(axis=0)
            )
        ]
        if not len(rows):
            continue
        if last - first > LEAF_SIZE:
            middle = (first + last) // 2
            stack += [(first, middle, rows), (middle, last, rows)]
            continue
        for k in range(first, last):
            near = (
                rows
                if last - first == 1
                else rows[rows_meeting_box(p1[rows], p2[rows], low[k], high[k])]
            )
            segments.append(near)
            pieces.append(np.full(len(near), k))
    return np.concatenate(segments), np.concatenate(pieces)


def _cubic_normals(controls: Floats, u: Floats) -> Floats:
    """The unit normals (n, 2) of cubics (n, 4, 2), each at one parameter ``u`` (n,)."""
    t = cubic_tangents(controls, u)
    # if an end coincides with its control point, the direction there is that of the chord between
    # the control points
    degenerate = (t == 0).all(axis=1)
    t[degenerate] = (controls[:, 2] - controls[:, 1])[degenerate]
    unit, _ = unit_vectors(t)
    return np.stack([unit[:, 1], -unit[:, 0]], axis=1)


def _project_onto_cubic(points: Floats, controls: Floats, tolerance: float) -> tuple[Mask, Floats]:
    """For each point (n, 2), whether it lies on its cubic (n, 4, 2), and the parameter of the
    nearest point of that cubic.
    """
    on, u = (
        (
            (points >= controls.min(axis=1) - tolerance)
            & (points <= controls.max(axis=1) + tolerance)
        ).all(axis=1),
        np.zeros(len(points)),
    )
    rows = np.flatnonzero(on)
    u[rows] = nearest_parameter(points[rows], controls[rows])
    off = points[rows] - cubic_points(controls[rows], u[rows])
    on[rows] = np.hypot(off[:, 0], off[:, 1]) <= tolerance
    return on, u


def contacts_with_shape(
    p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE
) -> Contacts:
    """The contacts of segments ``p1``-``p2`` (n, 2) with a shape: points of the segments within
    ``tolerance`` of the shape. End points count.
    """
    match shape:
        case Arc():
            return _contacts_with_arc(p1, p2, shape, tolerance)
        case Line() | FullLine():
            return _contacts_with_line(p1, p2, shape, tolerance)
    return _contacts_with_cubics(p1, p2, curve_control_points(shape), tolerance)


def touches_shape(p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE) -> Mask:
    """Mask (n,) of the segments ``p1``-``p2`` (n, 2) that come within ``tolerance`` of a shape. End
    points count.
    """
    mask = np.zeros(len(p1), bool)
    mask[contacts_with_shape(p1, p2, shape, tolerance).segment] = True
    return mask


def _contacts_with_line(
    p1: Floats, p2: Floats, line: Line | FullLine, tolerance: float
) -> Contacts:
    endless = isinstance(line, FullLine)
    a, b = np.array(line.a, float), np.array(line.b, float)
    if isinstance(line, FullLine):
        a, t = np.array(line.through, float), np.array(line.unit_direction)
        low, high = -math.inf, math.inf
    else:
        low, high = 0.0, math.dist(a, b)
        t = (b - a) / high if high else np.array([1.0, 0.0])
    # heights above the line and positions along it, of those that are not beside it
    near = 2 * tolerance
    x1, x2, y1, y2 = (p[:, axis] - a[axis] for axis in range(2) for p in (p1, p2))
    h1, h2 = x1 * t[1] - y1 * t[0], x2 * t[1] - y2 * t[0]
    beside = (np.minimum(h1, h2) > near) | (np.maximum(h1, h2) < -near)
    rows = np.flatnonzero(~beside)
    h1, h2, x1, x2, y1, y2 = (v.take(rows) for v in (h1, h2, x1, x2, y1, y2))
    u1, u2 = x1 * t[0] + y1 * t[1], x2 * t[0] + y2 * t[1]
    beside = (np.minimum(u1, u2) > high + near) | (np.maximum(u1, u2) < low - near)
    reaching = np.flatnonzero(~beside)
    rows, h1, u1, h2, u2 = (v.take(reaching) for v in (rows, h1, u1, h2, u2))
    p1, p2 = p1.take(rows, axis=0), p2.take(rows, axis=0)
    start, end = (
        np.hypot(h, np.maximum(0.0, np.maximum(low - u, u - high))) <= tolerance
        for h, u in ((h1, u1), (h2, u2))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        fraction = h1 / (h1 - h2)
        u, along = u1 + fraction * (u2 - u1), fraction * vector_lengths(p2 - p1)
    crossing = (h1 * h2 < 0) & (u >= low) & (u <= high) & ~start & ~end
    crossings = [(crossing, along)]
    ends = () if endless else (a, b)
    found, _ = _gather_contacts(p1, p2, (start, end), crossings, ends, tolerance)
    normal = np.broadcast_to([t[1], -t[0]], (len(found.segment), 2))
    return found._replace(segment=rows[found.segment], normal=normal)


def _contacts_with_arc(p1: Floats, p2: Floats, arc: Arc, tolerance: float) -> Contacts:
    centre, reach = np.array(arc.centre, float), arc.radius + tolerance
    rows = rows_meeting_box(p1, p2, centre - reach, centre + reach)
    p1, p2 = p1.take(rows, axis=0), p2.take(rows, axis=0)
    unit, size = unit_vectors(p2 - p1)
    offsets = p1 - centre
    foot, off = -dot_products(offsets, unit), np.abs(cross_products(offsets, unit))
    start, end = points_on_arc(offsets, arc, tolerance), points_on_arc(p2 - centre, arc, tolerance)
    half = np.sqrt(np.maximum(0.0, arc.radius**2 - off**2))
    near, far = foot - half, foot + half
    # if an end of the segment lies on the arc, the nearer of the two crossings of the circle is the
    # same contact: drop it
    first_starts, first_ends = (
        np.abs(near) <= np.abs(far),
        np.abs(near - size) <= np.abs(far - size),
    )
    crossings = []
    for s, starts, ends in ((near, first_starts, first_ends), (far, ~first_starts, ~first_ends)):
        crossing = (half > 0) | ((s is near) & (off <= reach))
        crossing &= (s > 0) & (s < size) & ~(start & starts) & ~(end & ends)
        crossing[crossing] = _is_within_arc_sweep(
            (offsets + s[:, None] * unit)[crossing], arc, tolerance
        )
        crossings.append((crossing, s))
    tips = () if arc.is_full_circle else (np.array(arc.a), np.array(arc.b))
    found, _ = _gather_contacts(p1, p2, (start, end), crossings, tips, tolerance)
    which = found.segment
    normal, _ = unit_vectors(offsets[which] + found.along[:, None] * unit[which])
    return found._replace(segment=rows[which], normal=normal)


def points_on_arc(offsets: Floats, arc: Arc, tolerance: float) -> Mask:
    """Mask (n,) of the points within ``tolerance`` of an arc. ``offsets`` (n, 2) are the points
    relative to the centre of the arc.
    """
    on: Mask = np.abs(vector_lengths(offsets) - arc.radius) <= tolerance
    on[on] = _is_within_arc_sweep(offsets[on], arc, tolerance)
    return on


def _is_within_arc_sweep(x: Floats, arc: Arc, tolerance: float) -> Mask:
    """Mask of the points whose direction from the centre of an arc is within the sweep of the arc.
    ``x`` are the points relative to that centre.
    """
    if arc.is_full_circle:
        return np.ones(len(x), bool)
    slack = tolerance / arc.radius
    turn = (np.arctan2(x[:, 1], x[:, 0]) - arc.start) * math.copysign(1.0, arc.sweep)
    within: Mask = np.mod(turn + slack, 2 * np.pi) <= abs(arc.sweep) + 2 * slack
    return within
