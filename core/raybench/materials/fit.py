"""Fits of Cauchy's formula with two terms to a dispersion, since the scene format supports no other
formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from raybench.materials.dispersion import Dispersion


@dataclass(frozen=True, slots=True)
class CauchyFit:
    """n = A + B / λ², λ in µm. ``error`` is the maximum deviation of n at the wavelengths of the
    fit, which occurs at ``worst`` (nm).
    """

    a: float
    b: float
    error: float
    worst: float


def cauchy_fit(dispersion: Dispersion, wavelengths: Sequence[float]) -> CauchyFit:
    """The minimax fit: it minimises the maximum error at the given wavelengths (nm).

    For one wavelength the fit is exact with B = 0, for two it is exact. Raises OutsideRange outside
    the range of the data.
    """
    nm = np.unique(np.asarray(wavelengths, dtype=float))
    if not len(nm):
        raise ValueError("a fit needs at least one wavelength")
    n, x = dispersion.index(nm), (nm / 1000.0) ** -2
    if len(nm) == 1:
        return CauchyFit(float(n[0]), 0.0, 0.0, float(nm[0]))
    a, b = _minimax_line(x, n)
    residual = np.abs(a + b * x - n)
    return CauchyFit(a, b, float(residual.max()), float(nm[residual.argmax()]))


def _minimax_line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The line a + b x with the smallest maximum error at the points: it has equal errors of
    alternating sign at three of them.

    Remez' exchange algorithm (Powell, Approximation Theory and Methods, chapter 8), starting from
    the least-squares line.
    """
    order = np.argsort(x)
    x, y = x[order], y[order]
    if len(x) == 2:
        b = (y[1] - y[0]) / (x[1] - x[0])
        return float(y[0] - b * x[0]), float(b)
    chosen = [0, len(x) // 2, len(x) - 1]
    a = b = 0.0
    for _ in range(100):
        system = np.column_stack([np.ones(3), x[chosen], [1.0, -1.0, 1.0]])
        a, b, level = np.linalg.solve(system, y[chosen])
        residual = y - (a + b * x)
        worst = int(np.abs(residual).argmax())
        if abs(residual[worst]) <= abs(level) * (1 + 1e-9) + 1e-15:
            break
        chosen = _exchanged(chosen, worst, residual)
    return float(a), float(b)


def _exchanged(chosen: list[int], new: int, residual: np.ndarray) -> list[int]:
    """The indices of three points with errors of alternating sign, including ``new``."""
    sign = np.sign(residual)
    if new < chosen[0]:
        return [new, *chosen[1:]] if sign[new] == sign[chosen[0]] else [new, *chosen[:2]]
    if new > chosen[2]:
        return [*chosen[:2], new] if sign[new] == sign[chosen[2]] else [*chosen[1:], new]
    at = int(np.searchsorted(chosen, new))
    neighbour = at if sign[new] == sign[chosen[at]] else at - 1
    return [*chosen[:neighbour], new, *chosen[neighbour + 1 :]]
