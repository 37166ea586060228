"""Tests whether points are inside outlines of lines, arcs and curves, by exact geometry on
arrays.
"""

from collections.abc import Sequence

import numpy as np

from raybench.analysis.geometry.contact import touches_shape
from raybench.analysis.geometry.cubics import cubic_points, cubic_roots, curve_control_points
from raybench.analysis.geometry.straight import Floats, Mask, Rows, vector_lengths
from raybench.kinds.aspects.outlines import Edge
from raybench.shapes.curves import Box, bounding_box_of
from raybench.shapes.shape import Arc, FullLine, Line

ON_OUTLINE = 1e-9
"""Distance within which a point counts as on an outline, in scene units; for a body smaller than
one unit, relative to its size.
"""
PAIRS_PER_BATCH = 1 << 16
"""Pairs of a segment and a point per batch; bounds memory."""
MANY, RARE = 64, 16
"""For more segments than ``MANY``, the points at the heights of each are looked up; where these are
fewer than one pair in ``RARE``, they alone are compared.
"""


def contains_points(edges: Sequence[Edge], points: Floats, tolerance: float | None = None) -> Mask:
    """Mask (n,) of the points (n, 2) inside an outline, by the even-odd rule.

    Points within ``tolerance`` of the outline, `ON_OUTLINE` by default, count as outside. Tolerance
    0 is faster, but the result for points exactly on the outline is then undefined.
    """
    mask = np.zeros(len(points), bool)
    box = bounding_box_of_edges(edges)
    if tolerance is None:
        tolerance = ON_OUTLINE * min(1.0, max(box[2] - box[0], box[3] - box[1]))
    x, y = points[:, 0], points[:, 1]
    rows = np.flatnonzero((x > box[0]) & (x < box[2]) & (y > box[1]) & (y < box[3]))
    mask[rows] = contains_points_within_box(edges, points.take(rows, axis=0), tolerance)
    return mask


def bounding_box_of_edges(edges: Sequence[Edge]) -> Box:
    """The bounding box of the edges of an outline. Without edges it is the empty box, from infinity
    to minus infinity.
    """
    boxes = [bounding_box_of(e.shape) for e in edges]
    if not boxes:
        return np.inf, np.inf, -np.inf, -np.inf
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def contains_points_within_box(edges: Sequence[Edge], points: Floats, tolerance: float) -> Mask:
    """Like `contains_points`, but all points (n, 2) must be inside the bounding box of the
    outline.
    """
    inside, on_edge = np.zeros(len(points), bool), np.zeros(len(points), bool)
    chords = []
    for edge in edges:
        shape = edge.shape
        if isinstance(shape, Line | Arc) and not (isinstance(shape, Arc) and shape.is_full_circle):
            chords.append((shape.a, shape.b))
        match shape:
            case Line():
                pass
            case FullLine():
                inside ^= shape.signed_distance(points[:, 0], points[:, 1]) < 0
            case Arc():
                # the region between an arc and its chord flips inside and outside
                contains_boxed_points = (
                    vector_lengths(points - np.array(shape.centre)) < shape.radius
                )
                if not shape.is_full_circle:
                    bulge = _is_left_of_line(shape.a, shape.b, np.array([shape.midpoint]))[0]
                    contains_boxed_points &= _is_left_of_line(shape.a, shape.b, points) == bulge
                inside ^= contains_boxed_points
            case _:
                inside ^= has_odd_cubic_crossings(curve_control_points(shape), points)
        if tolerance > 0:
            on_edge |= touches_shape(points, points, shape, tolerance)
    if chords:
        inside ^= _has_odd_line_crossings(np.array(chords), points)
    return inside & ~on_edge


def _has_odd_line_crossings(lines: Floats, points: Floats) -> Mask:
    """Mask (n,) of the points (n, 2) whose horizontal ray to the right crosses an odd number of the
    lines (m, 2, 2).
    """
    if len(lines) > MANY:
        order = np.argsort(points[:, 1], kind="stable")
        y = points[order, 1]
        first, end = (
            np.searchsorted(y, lines[:, :, 1].min(axis=1)),
            np.searchsorted(y, lines[:, :, 1].max(axis=1)),
        )
        count = np.maximum(end - first, 0)  # a horizontal segment has no points
        if RARE * int(count.sum()) < len(lines) * len(points):
            mask = np.empty(len(points), bool)
            mask[order] = _has_odd_sorted_line_crossings(lines, points[order], first, count)
            return mask
    odd, (x, y) = np.zeros(len(points), bool), points.T
    some = max(1, PAIRS_PER_BATCH // max(1, len(points)))
    for k in range(0, len(lines), some):
        ax, ay, bx, by = lines[k : k + some].reshape(-1, 4, 1).transpose(1, 0, 2)
        with np.errstate(
            all="ignore"
        ):  # horizontal segments are never crossed; overflow on nearly horizontal ones is masked out
            odd ^= np.logical_xor.reduce(
                ((ay > y) != (by > y)) & (x < ax + (y - ay) * ((bx - ax) / (by - ay))), axis=0
            )
    return odd


def _has_odd_sorted_line_crossings(lines: Floats, points: Floats, first: Rows, count: Rows) -> Mask:
    """Like `_has_odd_line_crossings`, for points sorted by y. The heights within line i are those
    of ``count[i]`` points from the index ``first[i]`` on.
    """
    odd, (x, y) = np.zeros(len(points), bool), points.T
    before = np.concatenate([[0], np.cumsum(count)])
    k = 0
    while k < len(lines):
        end = max(
            k + 1, int(np.searchsorted(before, before[k] + PAIRS_PER_BATCH, side="right")) - 1
        )
        which = np.repeat(np.arange(k, end), count[k:end])
        row = np.arange(before[k], before[end]) - before[which] + first[which]
        (ax, ay), (bx, by) = lines[which, 0].T, lines[which, 1].T
        with np.errstate(all="ignore"):
            crossed = row[x[row] < ax + (y[row] - ay) * ((bx - ax) / (by - ay))]
        odd ^= np.bincount(crossed, minlength=len(points)) % 2 == 1
        k = end
    return odd


def _is_left_of_line(a: tuple[float, float], b: tuple[float, float], points: Floats) -> Mask:
    """Mask of the points to the left of the line through a and b; for a horizontal line, of the
    points above it.
    """
    (ax, ay), (bx, by) = a, b
    if ay == by:
        return ay > points[:, 1]
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # overflow far from a nearly horizontal line is harmless
        at: Floats = ax + (points[:, 1] - ay) * ((bx - ax) / (by - ay))
    return points[:, 0] < at


def has_odd_cubic_crossings(cubics: Floats, points: Floats) -> Mask:
    """Mask (n,) of the points (n, 2) whose horizontal ray to the right crosses an odd number of the
    cubics (m, 4, 2).

    Roots are computed only for points within the bounding box of a cubic. For points to the left of
    a chain of cubics, the end points of the chain decide.
    """
    odd = np.zeros(len(points), bool)
    low, high = cubics.min(axis=1), cubics.max(axis=1)
    gap = np.append((cubics[1:, 0] != cubics[:-1, 3]).any(axis=1), False)
    stack: list[tuple[int, int, Rows]] = [(0, len(cubics), np.arange(len(points)))]
    while stack:
        first, last, rows = stack.pop()
        (_, top), (right, bottom) = low[first:last].min(axis=0), high[first:last].max(axis=0)
        x, y = points[rows, 0], points[rows, 1]
        near = (x < right) & (y >= top) & (y <= bottom)
        rows, x, y = rows[near], x[near], y[near]
        if not len(rows):
            continue
        if not gap[first : last - 1].any():
            left = x < low[first:last, 0].min()
            odd[rows[left]] ^= (cubics[first, 0, 1] > y[left]) != (cubics[last - 1, 3, 1] > y[left])
            rows = rows[~left]
        if last - first > 1:
            middle = (first + last) // 2
            stack += [(first, middle, rows), (middle, last, rows)]
        elif len(rows):
            there, u = cubic_roots(cubics[first, :, 1] - points[rows, 1:2])
            at = cubic_points(cubics[first], u)[..., 0]
            odd[rows] ^= (there & (at > points[rows, 0:1])).sum(axis=1) % 2 == 1
    return odd
