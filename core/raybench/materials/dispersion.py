"""Dispersion: the refractive index as a function of the vacuum wavelength.

The formulas are those of the literature (Born & Wolf, section 2.3.4; Smith, Modern Optical
Engineering, chapter 10); wavelengths inside them are in µm. Functions take wavelengths in nm.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from raybench.errors import RaybenchError

Floats = NDArray[np.float64]
FORMULAS = (
    "sellmeier", "sellmeier-squared", "polynomial", "rational", "cauchy", "conrady", "gas", "herzberger", "lorentz-lorenz", "resonance",
    "tabulated",
)  # fmt: skip
"""The names of the formulas."""
_MIN_COEFFICIENTS = {"tabulated": 4, "lorentz-lorenz": 3, "resonance": 6}
"""Coefficients that a formula has at least, where that is more than one."""
LINE_D, LINE_F, LINE_C = 587.5618, 486.1327, 656.2725
"""Fraunhofer lines in nm: helium d, hydrogen F and C."""


class InvalidDispersion(RaybenchError):
    """A dispersion formula cannot be used; the message names it and says why."""


class OutsideRange(RaybenchError):
    """A wavelength is outside the range of validity of a material's data."""


@dataclass(frozen=True, slots=True)
class Dispersion:
    """A refractive index as a function of the wavelength.

    Attributes:
        formula: A name in `FORMULAS`.
        coefficients: Coefficients of the formula; for ``tabulated``, alternating wavelengths (µm)
            and indices.
        low: Shortest valid wavelength, nm.
        high: Longest valid wavelength, nm.
    """

    formula: str
    coefficients: tuple[float, ...]
    low: float = 0.0
    high: float = float("inf")

    def __post_init__(self) -> None:
        if self.formula not in FORMULAS:
            raise InvalidDispersion(
                f"There is no dispersion formula '{self.formula}'. Formulas: {', '.join(FORMULAS)}."
            )
        least = _MIN_COEFFICIENTS.get(self.formula, 1)
        if len(self.coefficients) < least or not np.isfinite(self.coefficients).all():
            raise InvalidDispersion(
                f"The formula '{self.formula}' needs at least {least} finite coefficients."
            )
        if self.formula == "tabulated" and (
            len(self.coefficients) % 2 or (np.diff(self.coefficients[::2]) <= 0).any()
        ):
            raise InvalidDispersion(
                "A table of indices has pairs of a wavelength in µm and an index, by increasing"
                " wavelength."
            )

    def index(self, wavelength: ArrayLike) -> Floats:
        """The refractive indices at vacuum wavelengths (nm), an array of the same shape.

        Raises OutsideRange for wavelengths outside the range of validity, and InvalidDispersion if
        the formula gives no index.
        """
        nm = np.asarray(wavelength, dtype=float)
        outside = ~((nm >= self.low - 1e-9) & (nm <= self.high + 1e-9))
        if outside.any():
            raise OutsideRange(
                f"{float(nm[outside].ravel()[0]):g} nm is outside {self.low:g} to {self.high:g} nm,"
                " the range of the data."
            )
        with np.errstate(all="ignore"):
            n: Floats = np.asarray(
                _index_by_formula(self.formula, nm / 1000.0, self.coefficients), dtype=float
            )
        wrong = ~(np.isfinite(n) & (n > 0))
        if wrong.any():
            raise InvalidDispersion(
                f"The formula '{self.formula}' gives no refractive index at"
                f" {float(nm[wrong].ravel()[0]):g} nm."
            )
        return n


def abbe_number(n_d: float, n_f: float, n_c: float) -> float:
    """The Abbe number V_d = (n_d - 1) / (n_F - n_C) from the indices at the lines d, F and C
    (Hecht, section 6.3.2); infinite without dispersion.
    """
    return (n_d - 1) / (n_f - n_c) if n_f != n_c else float("inf")


def _index_by_formula(formula: str, w: Floats, c: Sequence[float]) -> Floats:
    """The index at wavelengths (µm) by one of `FORMULAS`."""

    def coefficient_pairs(start: int) -> Iterable[tuple[float, float]]:
        return zip(c[start::2], c[start + 1 :: 2], strict=False)

    square, one = w**2, np.ones_like(w)
    match formula:
        case "sellmeier":  # n² - 1 = c0 + Σ cᵢ λ² / (λ² - λᵢ²)
            return np.sqrt(
                1 + c[0] + sum(b * square / (square - at**2) for b, at in coefficient_pairs(1))
            )
        case "sellmeier-squared":  # n² - 1 = c0 + Σ cᵢ λ² / (λ² - dᵢ)
            return np.sqrt(
                1 + c[0] + sum(b * square / (square - at) for b, at in coefficient_pairs(1))
            )
        case "polynomial":  # n² = c0 + Σ cᵢ λ^eᵢ; with exponents 2, -2, -4, -6, -8 Schott's formula
            return np.sqrt(c[0] + sum(b * w**e for b, e in coefficient_pairs(1)))
        case "rational":  # n² = c0 + c1 λ^c2 / (λ² - c3^c4) + c5 λ^c6 / (λ² - c7^c8) + Σ cᵢ λ^eᵢ
            poles = [c[k : k + 4] for k in (1, 5) if len(c) >= k + 4]
            terms = sum(b * w**e / (square - at**power) for b, e, at, power in poles)
            return np.sqrt(c[0] + terms + sum(b * w**e for b, e in coefficient_pairs(9)))  # type: ignore[no-any-return]
        case "cauchy":  # n = c0 + Σ cᵢ λ^eᵢ
            return c[0] * one + sum(b * w**e for b, e in coefficient_pairs(1))
        case "conrady":  # n = c0 + c1 / λ + c2 / λ^3.5
            a, b = (*c[1:3], 0.0, 0.0)[:2]
            return c[0] + a / w + b / w**3.5
        case "gas":  # n - 1 = c0 + Σ cᵢ / (dᵢ - λ⁻²)
            return (1 + c[0]) * one + sum(b / (at - w**-2.0) for b, at in coefficient_pairs(1))
        case "herzberger":
            # n = c0 + c1 L + c2 L² + c3 λ² + c4 λ⁴ + c5 λ⁶ with L = 1 / (λ² - 0.028)
            pole = 1 / (square - 0.028)
            terms = sum(b * pole**k for k, b in enumerate(c[1:3], 1))
            return c[0] * one + terms + sum(b * w ** (2 * k) for k, b in enumerate(c[3:6], 1))
        case "lorentz-lorenz":  # (n² - 1) / (n² + 2) = c0 + c1 λ² / (λ² - c2) + c3 λ²
            q = c[0] + c[1] * square / (square - c[2]) + (*c, 0.0)[3] * square
            return np.sqrt((1 + 2 * q) / (1 - q))
        case "resonance":  # n² = c0 + c1 / (λ² - c2) + c3 (λ - c4) / ((λ - c4)² + c5)
            off = w - c[4]
            return np.sqrt(c[0] + c[1] / (square - c[2]) + c[3] * off / (off**2 + c[5]))
        case _:  # of a table, linear interpolation between the measured points
            return np.interp(w, c[::2], c[1::2])


@dataclass(frozen=True, slots=True)
class CauchyFit:
    """A fit n = A + B / λ² (λ in µm) of a refractive index. ``error`` is its maximum deviation at
    the wavelengths of the fit, which occurs at ``worst_wavelength`` (nm).
    """

    a: float
    b: float
    error: float
    worst_wavelength: float


def fit_cauchy_formula(dispersion: Dispersion, wavelengths: Sequence[float]) -> CauchyFit:
    """Fit Cauchy's formula to a dispersion such that the maximum error at the given wavelengths
    (nm) is smallest.

    For one wavelength the fit is exact with B = 0, for two wavelengths it is exact. Raises
    OutsideRange outside the range of the data.
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
        chosen = _exchange_extreme_points(chosen, worst, residual)
    return float(a), float(b)


def _exchange_extreme_points(chosen: list[int], new: int, residual: np.ndarray) -> list[int]:
    """Exchange step of Remez' algorithm: the indices of three points with errors of alternating
    sign. One of them is the point ``new``, which replaces one of the ``chosen`` points.
    """
    sign = np.sign(residual)
    if new < chosen[0]:
        return [new, *chosen[1:]] if sign[new] == sign[chosen[0]] else [new, *chosen[:2]]
    if new > chosen[2]:
        return [*chosen[:2], new] if sign[new] == sign[chosen[2]] else [*chosen[1:], new]
    at = int(np.searchsorted(chosen, new))
    neighbour = at if sign[new] == sign[chosen[at]] else at - 1
    return [*chosen[:neighbour], new, *chosen[neighbour + 1 :]]
