"""Intersection of rays with cubic Bezier curves, and their normals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from raybench.kinds.primitives import (
    BEZIER_OUTWARD,
    BEZIER_X0,
    BEZIER_X1,
    BEZIER_X2,
    BEZIER_X3,
    BEZIER_Y0,
    BEZIER_Y1,
    BEZIER_Y2,
    BEZIER_Y3,
)
from raybench.trace.compilation.jit import inner, rare
from raybench.trace.tolerances import ROOT_STEP, ROOT_STEPS, SAME_HIT

Floats = NDArray[np.float64]


@inner
def cubic(c0: float, c1: float, c2: float, c3: float, u: float) -> float:
    """A cubic in Bernstein form at u."""
    v = 1.0 - u
    return v * v * v * c0 + 3.0 * v * v * u * c1 + 3.0 * v * u * u * c2 + u * u * u * c3


@inner
def cubic_root(c0: float, c1: float, c2: float, c3: float, low: float, high: float) -> float:
    """The root of a cubic between low and high, where its signs differ: Newton's method,
    safeguarded by bisection.
    """
    rising = cubic(c0, c1, c2, c3, high) > 0.0
    u = 0.5 * (low + high)
    for _ in range(ROOT_STEPS):
        f = cubic(c0, c1, c2, c3, u)
        if (f > 0.0) == rising:
            high = u
        else:
            low = u
        v = 1.0 - u
        slope = 3.0 * (v * v * (c1 - c0) + 2.0 * v * u * (c2 - c1) + u * u * (c3 - c2))
        step = u - f / slope if slope != 0.0 else low
        step = step if low < step < high else 0.5 * (low + high)
        if abs(step - u) < ROOT_STEP or step == u:
            break
        u = step
    return u


@rare
def intersect_bezier(
    g: Floats, k: int, px: float, py: float, dx: float, dy: float, shortest: float, side: float
) -> tuple[float, float, int]:
    """Where a ray first hits a Bezier curve beyond the distance ``shortest``: the distance
    (infinite for none), the curve's parameter, and the number of hits. If abs(``side``) > 1
    (BEZIER_OUTWARD of a one-sided curve), only hits from its front count.

    The curve's signed distance from the ray's line is a cubic in its parameter. It is split at its
    extrema, so that each piece has at most one root. An end on the line counts as below it, so that
    of two curves that share an end exactly one is hit.
    """
    c0 = dx * (g[k, BEZIER_Y0] - py) - dy * (g[k, BEZIER_X0] - px)
    c1 = dx * (g[k, BEZIER_Y1] - py) - dy * (g[k, BEZIER_X1] - px)
    c2 = dx * (g[k, BEZIER_Y2] - py) - dy * (g[k, BEZIER_X2] - px)
    c3 = dx * (g[k, BEZIER_Y3] - py) - dy * (g[k, BEZIER_X3] - px)
    best, which, count = math.inf, 0.0, 0
    if min(min(c0, c1), min(c2, c3)) > 0.0 or max(max(c0, c1), max(c2, c3)) <= 0.0:
        return best, which, count
    # the derivative in power form: a u² + 2 b u + c
    a, b, c = c3 - 3.0 * c2 + 3.0 * c1 - c0, c2 - 2.0 * c1 + c0, c1 - c0
    first, second = 1.0, 1.0
    square = b * b - a * c
    if square > 0.0:
        q = -(b + math.copysign(math.sqrt(square), b))
        r1, r2 = q / a if a != 0.0 else 2.0, c / q if q != 0.0 else 2.0
        r1, r2 = min(r1, r2), max(r1, r2)
        first = r1 if 0.0 < r1 < 1.0 else (r2 if 0.0 < r2 < 1.0 else 1.0)
        second = r2 if first < r2 < 1.0 else 1.0
    low = 0.0
    for high in (first, second, 1.0):
        if high > low:
            f_low = c0 if low == 0.0 else cubic(c0, c1, c2, c3, low)
            f_high = c3 if high == 1.0 else cubic(c0, c1, c2, c3, high)
            if (f_low > 0.0) != (f_high > 0.0) and (f_high > 0.0 or abs(side) <= 1.0):
                u = cubic_root(c0, c1, c2, c3, low, high)
                x = cubic(g[k, BEZIER_X0], g[k, BEZIER_X1], g[k, BEZIER_X2], g[k, BEZIER_X3], u)
                y = cubic(g[k, BEZIER_Y0], g[k, BEZIER_Y1], g[k, BEZIER_Y2], g[k, BEZIER_Y3], u)
                s = (x - px) * dx + (y - py) * dy
                if s > shortest:
                    count += 1
                    if s < best:
                        best, which = s, u
            low = high
    return best, which, count


@rare
def bezier_parameter(g: Floats, k: int, x: float, y: float, dx: float, dy: float) -> float:
    """The parameter of a Bezier curve at a hit (x, y) of a ray with direction (dx, dy).

    The intersection is repeated from just before the hit and, if that misses, backwards from just
    behind it.
    """
    extent = 0.0
    for j in range(BEZIER_X1, BEZIER_Y3 + 1):
        extent = max(extent, abs(g[k, j] - g[k, j % 2]))
    near = SAME_HIT * extent
    s, u, _ = intersect_bezier(g, k, x - near * dx, y - near * dy, dx, dy, 0.0, 0.0)
    if s <= 2.0 * near:
        return u
    back, other, _ = intersect_bezier(g, k, x + near * dx, y + near * dy, -dx, -dy, 0.0, 0.0)
    return other if back < s else u


@rare
def bezier_normal(g: Floats, k: int, u: float) -> tuple[float, float]:
    """The outward unit normal of a Bezier curve at parameter u."""
    v = 1.0 - u
    tx = (
        v * v * (g[k, BEZIER_X1] - g[k, BEZIER_X0])
        + 2.0 * v * u * (g[k, BEZIER_X2] - g[k, BEZIER_X1])
        + u * u * (g[k, BEZIER_X3] - g[k, BEZIER_X2])
    )
    ty = (
        v * v * (g[k, BEZIER_Y1] - g[k, BEZIER_Y0])
        + 2.0 * v * u * (g[k, BEZIER_Y2] - g[k, BEZIER_Y1])
        + u * u * (g[k, BEZIER_Y3] - g[k, BEZIER_Y2])
    )
    if tx == 0.0 and ty == 0.0:
        tx, ty = g[k, BEZIER_X3] - g[k, BEZIER_X0], g[k, BEZIER_Y3] - g[k, BEZIER_Y0]
    scale = math.copysign(1.0, g[k, BEZIER_OUTWARD]) / math.hypot(tx, ty)
    return ty * scale, -tx * scale
