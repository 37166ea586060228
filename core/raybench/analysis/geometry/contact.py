"""Intersections of straight segments with lines, arcs and curves: exact geometry on arrays."""

from __future__ import annotations

import math

import numpy as np

from raybench.analysis.geometry.bezier_contact import with_cubics
from raybench.analysis.geometry.meeting import (
    END,
    START,
    THROUGH,
    Contacts,
    Met,
    gathered,
    joined,
    past_ends,
)
from raybench.analysis.geometry.straight import (
    Floats,
    Mask,
    cross,
    lengths,
    meeting_box,
    unit_vectors,
)
from raybench.shapes.bezier import Bezier
from raybench.shapes.chain import Chain
from raybench.shapes.curves import as_bezier
from raybench.shapes.shape import Arc, FullLine, Line, Parabola, Shape
from raybench.trace.tolerances import ON_EDGE


def contacts(p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE) -> Contacts:
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
            return contacts(p1, p2, as_bezier(shape), tolerance)
        case FullLine():
            start = np.array(shape.through, float)
            return _with_line(p1, p2, start, start + shape.unit, tolerance, endless=True)
        case Line():
            return _with_line(p1, p2, np.array(shape.a, float), np.array(shape.b, float), tolerance)


def touches(p1: Floats, p2: Floats, shape: Shape, tolerance: float = ON_EDGE) -> Mask:
    """Mask (n,) of the segments ``p1``-``p2`` (n, 2) that come within ``tolerance`` of a curve,
    ends included.
    """
    mask = np.zeros(len(p1), bool)
    mask[contacts(p1, p2, shape, tolerance).segment] = True
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
            return joined([])
    p1, p2, h1, h2 = p1[rows], p2[rows], h1[rows], h2[rows]
    u1, u2 = (p1 - a) @ t, (p2 - a) @ t
    low, high = (-math.inf, math.inf) if endless else (0.0, length)
    start, end = (
        np.hypot(h, np.maximum(0.0, np.maximum(low - u, u - high))) <= tolerance
        for h, u in ((h1, u1), (h2, u2))
    )
    size = lengths(p2 - p1)
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
    which, place, along, _ = gathered(met)
    return Contacts(rows[which], place, along, np.broadcast_to(n, (len(which), 2)))


def _with_arc(p1: Floats, p2: Floats, arc: Arc, tolerance: float) -> Contacts:
    centre, reach = np.array(arc.centre, float), arc.radius + tolerance
    rows = meeting_box(p1, p2, centre - reach, centre + reach)
    p1, p2 = p1[rows], p2[rows]
    unit, size = unit_vectors(p2 - p1)
    rel = p1 - centre
    foot, off = -(rel * unit).sum(axis=1), np.abs(cross(rel, unit))
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
    which, place, along, _ = gathered(met)
    return Contacts(
        rows[which], place, along, unit_vectors(rel[which] + along[:, None] * unit[which])[0]
    )


def on_arc(rel: Floats, arc: Arc, tolerance: float) -> Mask:
    """Mask (n,) of the points (n, 2), given relative to the arc's centre, that lie within
    ``tolerance`` of the arc.
    """
    on: Mask = np.abs(lengths(rel) - arc.radius) <= tolerance
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
