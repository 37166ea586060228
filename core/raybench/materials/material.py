"""A material: its dispersion, its absorption, and the source of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from raybench.errors import in_quotes
from raybench.materials.dispersion import (
    LINE_C,
    LINE_D,
    LINE_F,
    Dispersion,
    InvalidDispersion,
    OutsideRange,
    abbe_number,
    fit_cauchy_formula,
)
from raybench.optics.laws import cauchy_index

SHORTEST_DEPTH = 1e-3
"""Depth of penetration, 1/α in mm, below which a material is called opaque: a body of it shows only
its surface.
"""


@dataclass(frozen=True)
class Material:
    """A material of a catalogue, with its refractive index and absorption.

    Attributes:
        name: Its name, such as ``N-BK7``.
        family: ``glass``, ``crystal``, ``liquid``, ``gas``, ``plastic``, ``metal`` or ``other``.
        source: The publication of the data.
        dispersion: Its refractive index.
        extinction: Imaginary part k of the index: pairs of a wavelength (nm) and k, by wavelength;
            empty if unknown.
    """

    name: str
    family: str
    source: str
    dispersion: Dispersion
    extinction: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        waves = [w for w, _ in self.extinction]
        if not all(a < b for a, b in pairwise(waves)) or not np.isfinite(self.extinction).all():
            raise InvalidDispersion(
                f"The extinction of {in_quotes(self.name, 60)} is no table of finite numbers by"
                " increasing wavelength."
            )

    def index(self, wavelength: ArrayLike) -> NDArray[np.float64]:
        """The refractive indices at vacuum wavelengths (nm). Raises OutsideRange, naming the
        material.
        """
        try:
            return self.dispersion.index(wavelength)
        except OutsideRange as error:
            raise OutsideRange(f"{self.name}: {error}") from None

    @property
    def n_d(self) -> float | None:
        """The refractive index at the helium d line, 587.56 nm. None if the data do not cover this
        line.
        """
        try:
            return float(self.dispersion.index(LINE_D))
        except (OutsideRange, InvalidDispersion):
            return None

    @property
    def v_d(self) -> float | None:
        """The Abbe number V_d. None if the data do not cover the lines d, F and C."""
        try:
            return abbe_number(*self.dispersion.index([LINE_D, LINE_F, LINE_C]).tolist())
        except (OutsideRange, InvalidDispersion):
            return None

    def is_opaque(self, wavelength: ArrayLike) -> bool:
        """Whether light of any of these vacuum wavelengths (nm) penetrates less than
        `SHORTEST_DEPTH`, as in a metal.
        """
        return bool((self.absorption(wavelength) * SHORTEST_DEPTH > 1).any())

    def absorption(self, wavelength: ArrayLike) -> NDArray[np.float64]:
        """The absorption coefficients α = 4πk/λ in 1/mm at vacuum wavelengths (nm), for Beer and
        Lambert's law P = P₀ exp(-αd) (Born & Wolf, section 14.1).

        0 if the absorption is unknown.
        """
        nm = np.asarray(wavelength, dtype=float)
        with np.errstate(over="ignore"):  # of a wavelength near 0, where it is infinite
            alpha: NDArray[np.float64] = 4 * np.pi * self.extinction_at(nm) / (nm * 1e-6)
        return alpha if self.extinction else np.zeros_like(nm)

    def extinction_at(self, wavelength: ArrayLike) -> NDArray[np.float64]:
        """The imaginary part k of the index at vacuum wavelengths (nm); 0 if unknown. The measured
        values are interpolated, and constant outside their range.
        """
        nm = np.asarray(wavelength, dtype=float)
        if not self.extinction:
            return np.zeros_like(nm)
        at, k = np.array(self.extinction).T
        found: NDArray[np.float64] = np.interp(nm, at, k)
        return found


@dataclass(frozen=True)
class AssignedMaterial:
    """A material that is assigned to an object, with its fit n = ``a`` + ``b`` / λ² (b in µm²). The
    object stores the fit for other programs.
    """

    material: Material
    a: float
    b: float

    @classmethod
    def with_best_fit(cls, material: Material, wavelengths: Sequence[float]) -> AssignedMaterial:
        """Assign a material with its best fit at the given wavelengths (nm). Raises OutsideRange,
        which names the material.
        """
        try:
            fit = fit_cauchy_formula(material.dispersion, wavelengths)
        except OutsideRange as error:
            raise OutsideRange(f"{material.name}: {error}") from None
        return cls(material, fit.a, fit.b)

    def covers_wavelength(self, wavelength: float | None) -> bool:
        """Whether the material's data cover a wavelength (nm). None stands for the d line."""
        return (
            _index_at(self.material.dispersion, LINE_D if wavelength is None else wavelength)
            is not None
        )

    def index(self, wavelength: float | None) -> float:
        """The refractive index at a vacuum wavelength (nm), where None stands for the d line.
        Outside the range of the data, the fit gives the index.
        """
        exact = _index_at(self.material.dispersion, LINE_D if wavelength is None else wavelength)
        if exact is not None:
            return exact
        return self.a if wavelength is None else cauchy_index(self.a, self.b, wavelength)

    @property
    def absorbs(self) -> bool:
        """Whether the material absorbs light of any wavelength."""
        return any(k > 0 for _, k in self.material.extinction)

    def absorption(self, wavelength: float | None) -> float:
        """The absorption coefficient in 1/mm at a vacuum wavelength (nm). None stands for the d
        line.
        """
        return float(self.material.absorption(LINE_D if wavelength is None else wavelength))


@lru_cache(4096)
def _index_at(dispersion: Dispersion, wavelength: float) -> float | None:
    """The refractive index at a wavelength (nm), or None if the data do not cover it."""
    try:
        return float(dispersion.index(wavelength))
    except (OutsideRange, InvalidDispersion):
        return None


NM_PER_MICROMETRE = 1000.0
WAVELENGTH_DECIMALS = 12
"""Decimals of a wavelength in µm: enough to read back the same number of nm."""


def material_from_json(row: Mapping[str, Any]) -> Material:
    """Decode a material from JSON. Raises KeyError, TypeError or ValueError if the JSON has a wrong
    form, and InvalidDispersion if its formula is wrong.
    """
    low, high = (NM_PER_MICROMETRE * float(w) for w in row.get("range", (0.0, float("inf"))))
    coefficients = (
        [v for pair in row["index"] for v in pair]
        if row["formula"] == "tabulated"
        else row["coefficients"]
    )
    extinction = tuple(
        (NM_PER_MICROMETRE * float(w), float(k)) for w, k in row.get("extinction", ())
    )
    name, family, source = (str(row[key]) for key in ("name", "family", "source"))
    return Material(
        name,
        family,
        source,
        Dispersion(row["formula"], tuple(map(float, coefficients)), low, high),
        extinction,
    )


def material_to_json(material: Material) -> dict[str, Any]:
    """Encode a material as JSON. `material_from_json` decodes it to an equal material."""
    data = material.dispersion
    numbers = list(data.coefficients)
    out: dict[str, Any] = {
        "name": material.name,
        "family": material.family,
        "source": material.source,
        "formula": data.formula,
    }
    if data.formula == "tabulated":
        out["index"] = [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    else:
        out["coefficients"] = numbers
    if data.high < float("inf"):
        out["range"] = [_to_micrometres(data.low), _to_micrometres(data.high)]
    if material.extinction:
        out["extinction"] = [[_to_micrometres(w), k] for w, k in material.extinction]
    return out


def assigned_material_from_json(row: Mapping[str, Any]) -> AssignedMaterial:
    """Decode an assigned material, with its fit, from JSON. Raises the same errors as
    `material_from_json`.
    """
    return AssignedMaterial(material_from_json(row), float(row["refIndex"]), float(row["cauchyB"]))


def assigned_material_to_json(own: AssignedMaterial) -> dict[str, Any]:
    """Encode an assigned material, with its fit, as JSON."""
    return {**material_to_json(own.material), "refIndex": own.a, "cauchyB": own.b}


def _to_micrometres(nm: float) -> float:
    return round(nm / NM_PER_MICROMETRE, WAVELENGTH_DECIMALS)
