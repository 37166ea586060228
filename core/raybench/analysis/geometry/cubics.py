"""Cubic Bezier curves as arrays of control points: points on them, tangents, nearest points and
roots.
"""

from itertools import pairwise

import numpy as np

from raybench.analysis.geometry.straight import Floats, Mask, vector_lengths
from raybench.shapes.bezier import Bezier, Chain
from raybench.shapes.curves import parabola_as_bezier
from raybench.shapes.shape import Parabola

Curve = Bezier | Chain | Parabola
SAMPLES = 32
"""Intervals of the parameter that are sampled for the start of Newton's method."""


def curve_control_points(curve: Curve) -> Floats:
    """The control points (m, 4, 2) of the cubic pieces of a curve."""
    if isinstance(curve, Chain):
        return curve.cubics
    cubic = parabola_as_bezier(curve) if isinstance(curve, Parabola) else curve
    return np.array([[cubic.p0, cubic.p1, cubic.p2, cubic.p3]], float)


def cubic_at_parameter(cubics: Floats, us: Floats) -> tuple[Floats, Floats]:
    """For parameters (n,) from 0 to 1 along a chain of cubics: the cubic (n, 4, 2) at each
    parameter, and the parameter (n,) on that cubic.
    """
    count = len(cubics)
    piece = np.minimum(us * count, count - 1).astype(int)
    return cubics[piece], us * count - piece


def cubic_points(controls: Floats, u: Floats) -> Floats:
    """The points of cubics, given by control points ``controls`` (..., 4, 2), at the parameters
    ``u`` (...).
    """
    v = 1 - u
    weights = np.stack([v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u], axis=-1)
    points: Floats = (weights[..., None] * controls).sum(axis=-2)
    return points


def cubic_tangents(controls: Floats, u: Floats) -> Floats:
    """The derivatives of cubics, given by control points ``controls`` (..., 4, 2), at the
    parameters ``u`` (...).
    """
    v = 1 - u
    weights = np.stack([3 * v * v, 6 * v * u, 3 * u * u], axis=-1)
    tangents: Floats = (weights[..., None] * np.diff(controls, axis=-2)).sum(axis=-2)
    return tangents


def nearest_parameter(points: Floats, controls: Floats) -> Floats:
    """The parameters (n,) at which cubics (n, 4, 2) are nearest to points (n, 2), one cubic for
    each point. The nearest of `SAMPLES` + 1 samples is refined by Gauss-Newton steps.
    """
    steps = np.linspace(0, 1, SAMPLES + 1)
    samples = cubic_points(controls[:, None], np.broadcast_to(steps, (len(points), len(steps))))
    u: Floats = steps[((points[:, None, :] - samples) ** 2).sum(axis=2).argmin(axis=1)]
    for _ in range(6):
        t = cubic_tangents(controls, u)
        square = (t * t).sum(axis=1)
        off = points - cubic_points(controls, u)
        u = np.clip(u + (off * t).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return u


def nearest_parameters_on_cubics(cubics: Floats, points: Floats) -> tuple[Floats, Floats]:
    """The parameters (n,) from 0 to 1 at which a chain of cubics is nearest to points (n, 2), and
    the distances (n,).
    """
    # a cubic lies within the convex hull of its control points: it is no nearer than their box, and
    # no farther than the box and its diagonal
    low, high = cubics.min(axis=1), cubics.max(axis=1)
    off = np.maximum(np.maximum(low - points[:, None], points[:, None] - high), 0.0)
    gap = np.hypot(off[..., 0], off[..., 1])
    farthest = (gap + vector_lengths(high - low)).min(axis=1, keepdims=True, initial=np.inf)
    point, piece = np.nonzero(gap <= farthest)
    u = nearest_parameter(points[point], cubics[piece])
    distance = vector_lengths(points[point] - cubic_points(cubics[piece], u))
    order = np.lexsort((distance, point))
    best = order[np.searchsorted(point, np.arange(len(points)))]
    return (piece[best] + u[best]) / len(cubics), distance[best]


def cubic_roots(coefficients: Floats) -> tuple[Mask, Floats]:
    """The roots in [0, 1] of cubic polynomials in Bernstein form (n, 4), as a mask (n, 3) of the
    roots that exist and their values (n, 3).

    Each polynomial is split at its extrema. The value zero counts as negative, so that consecutive
    curves do not share the root at their common end.
    """
    a, b, k = (
        coefficients[:, 3] - 3 * coefficients[:, 2] + 3 * coefficients[:, 1] - coefficients[:, 0],
        coefficients[:, 2] - 2 * coefficients[:, 1] + coefficients[:, 0],
        coefficients[:, 1] - coefficients[:, 0],
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        q = -(b + np.copysign(np.sqrt(b * b - a * k), b))
        turns = np.stack([q / a, k / q], axis=1)
    turns = np.sort(np.where((turns > 0) & (turns < 1), turns, 1.0), axis=1)
    cuts = [np.zeros(len(coefficients)), turns[:, 0], turns[:, 1], np.ones(len(coefficients))]
    above = [_bernstein_values(coefficients, cut) > 0 for cut in cuts]
    there, roots = np.zeros((len(coefficients), 3), bool), np.ones((len(coefficients), 3))
    for j, ((low, high), (below, beyond)) in enumerate(
        zip(pairwise(cuts), pairwise(above), strict=True)
    ):
        rows = np.flatnonzero(below != beyond)
        there[rows, j] = True
        roots[rows, j] = _root_between(coefficients[rows], low[rows], high[rows], beyond[rows])
    return there, roots


def _root_between(c: Floats, low: Floats, high: Floats, above: Mask) -> Floats:
    """The only root of each cubic polynomial between ``low`` and ``high``, by Newton's method, with
    bisection for steps out of the interval. ``above``: whether the polynomial is positive at
    ``high``.
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
    """The values (n,) of cubic polynomials in Bernstein form ``c`` (n, 4), each at its parameter
    ``u`` (n,).
    """
    v = 1 - u
    value: Floats = (
        v * v * v * c[:, 0]
        + 3 * v * v * u * c[:, 1]
        + 3 * v * u * u * c[:, 2]
        + u * u * u * c[:, 3]
    )
    return value
