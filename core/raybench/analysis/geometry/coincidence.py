"""Overlap of curves: the intervals in which one curve coincides with another, as on shared sides of
bodies or cemented surfaces.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from raybench.analysis.geometry.edge_curve import distances, length_between, parameters_near, places
from raybench.analysis.geometry.straight import Floats, Mask
from raybench.shapes.curves import place
from raybench.shapes.shape import Arc, FullLine, Line, Shape

ROUNDING = 1e-12
"""Tolerance within which a parameter is rounded to 0 or 1."""
SAMPLES = 33
"""Evenly spaced samples of a curve at which its distance from another is evaluated first, besides
those nearest to the other's ends.
"""


def contact(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """The parameter intervals of ``shape`` that lie on ``other`` to within ``tolerance``. A mere
    crossing does not count.
    """
    if isinstance(shape, Line | FullLine) and isinstance(other, Line | FullLine):
        intervals = _of_lines(shape, other, tolerance)
    elif (
        isinstance(shape, Arc)
        and isinstance(other, Arc)
        and at_most_cross(shape, np.array([circle(other)]), tolerance)[0]
    ):
        return []
    else:
        intervals = _of_curves(shape, other, tolerance)
    least = least_contact(shape.length, other.length, tolerance)
    # snap to the ends, so that rounding leaves no tiny remainder there
    intervals = [
        (0.0 if u0 < ROUNDING else u0, 1.0 if u1 > 1.0 - ROUNDING else u1) for u0, u1 in intervals
    ]
    return [(u0, u1) for u0, u1 in intervals if length_between(shape, u0, u1) > least]


def least_contact(length: float, other: Any, tolerance: float) -> Any:
    """The minimum length of an overlap that counts as a contact, given the lengths of both curves;
    ``other`` may be an array.
    """
    return np.maximum(4 * tolerance, np.minimum(1e3 * tolerance, 0.01 * np.minimum(length, other)))


def _of_lines(
    shape: Line | FullLine, other: Line | FullLine, tolerance: float
) -> list[tuple[float, float]]:
    """The interval of the first line's parameter in which the second lies within ``tolerance`` of
    it; empty list if none.
    """
    a, b = shape.a, shape.b
    length = math.dist(a, b)
    if length == 0:
        return []
    tx, ty = (b.x - a.x) / length, (b.y - a.y) / length
    (s0, h0), (s1, h1) = (
        ((p.x - a.x) * tx + (p.y - a.y) * ty, (p.x - a.x) * ty - (p.y - a.y) * tx)
        for p in (other.a, other.b)
    )
    low, high = 0.0, 1.0
    if abs(h1 - h0) > 1e-300:
        at = sorted(((-tolerance - h0) / (h1 - h0), (tolerance - h0) / (h1 - h0)))
        low, high = max(low, at[0]), min(high, at[1])
    elif abs(h0) > tolerance:
        return []
    if low >= high:
        return []
    ends = sorted(s0 + v * (s1 - s0) for v in (low, high))
    return (
        [(max(0.0, ends[0] / length), min(1.0, ends[1] / length))]
        if ends[0] < length and ends[1] > 0
        else []
    )


def circle(arc: Arc) -> tuple[float, float, float, float]:
    """An arc as `at_most_cross` takes it: centre, radius and length."""
    return arc.centre.x, arc.centre.y, arc.radius, arc.length


def at_most_cross(arc: Arc, others: Floats, tolerance: float) -> Mask:
    """Mask (n,) of the circles (n, 4), as of `circle`, that an arc certainly passes by, or crosses
    at an angle at which they are close over less than a contact's length; NaN for what is no
    circle.
    """
    x, y, q, length = others.T
    r, d = arc.radius, np.hypot(x - arc.centre.x, y - arc.centre.y)
    least = least_contact(arc.length, length, tolerance)
    with np.errstate(all="ignore"):
        apart = (np.abs(r - d) - tolerance > q) | (q > r + d + tolerance)
        sine = np.sqrt(np.maximum(0.0, 1 - ((r * r + q * q - d * d) / (2 * r * q)) ** 2))
        # over so short a length the circles are nearly straight, and two lines are closer than the
        # tolerance over 2 / sine times it
        mask: Mask = apart | (
            (least * sine > 3 * tolerance) & (least < 0.1 * sine * np.minimum(r, q))
        )
    return mask


def _of_curves(shape: Shape, other: Shape, tolerance: float) -> list[tuple[float, float]]:
    """As `contact`, by sampling; the ends of each interval are refined."""
    marks = parameters_near(shape, np.array([other.a, place(other, 0.5), other.b])).tolist()
    us = np.unique(
        np.concatenate(
            [np.linspace(0, 1, SAMPLES), marks, [(a + b) / 2 for a, b in itertools.pairwise(marks)]]
        )
    )

    def near(values: Floats) -> Mask:
        on: Mask = distances(places(shape, values), other) <= tolerance
        return on

    out = []
    for first, last in _true_intervals(near(us)):
        if first == last:
            continue
        u0 = _end_of_run(us[first], us[first - 1], near) if first > 0 else us[0]
        u1 = _end_of_run(us[last], us[last + 1], near) if last + 1 < len(us) else us[-1]
        out.append((float(u0), float(u1)))
    return out


def _true_intervals(on: Mask) -> list[tuple[int, int]]:
    """The first and last index of every run of true values."""
    change = np.diff(on.astype(np.int8), prepend=0, append=0)
    return list(
        zip(
            np.flatnonzero(change > 0).tolist(),
            (np.flatnonzero(change < 0) - 1).tolist(),
            strict=True,
        )
    )


def _end_of_run(near_u: float, far_u: float, near: Callable[[Floats], Mask]) -> float:
    """The end of a near interval, between a parameter that is near and one that is not: each
    iteration evaluates 32 samples between.
    """
    for _ in range(10):
        us = np.linspace(near_u, far_u, 34)
        on = near(us[1:-1])
        k = int(np.argmin(on)) if not on.all() else len(on)
        near_u, far_u = float(us[k]), float(us[k + 1])
    return near_u
