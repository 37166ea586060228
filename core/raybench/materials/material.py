"""A material: its dispersion, its absorption, and the source of the data."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

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
)

SHORTEST_DEPTH = 1e-3
"""Depth of penetration, 1/α in mm, below which a material is called opaque: a body of it shows only
its surface.
"""


@dataclass(frozen=True)
class Material:
    """A medium of a catalogue.

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
        """The index at the helium d line, 587.56 nm; None if the data give none."""
        try:
            return float(self.dispersion.index(LINE_D))
        except (OutsideRange, InvalidDispersion):
            return None

    @property
    def v_d(self) -> float | None:
        """The Abbe number V_d; None if the data do not give the indices at all three lines."""
        try:
            return abbe_number(*self.dispersion.index([LINE_D, LINE_F, LINE_C]).tolist())
        except (OutsideRange, InvalidDispersion):
            return None

    def is_opaque(self, wavelength: ArrayLike) -> bool:
        """Whether light of some of these vacuum wavelengths (nm) gets less than `SHORTEST_DEPTH`
        into it, as in a metal.
        """
        return bool((self.absorption(wavelength) * SHORTEST_DEPTH > 1).any())

    def absorption(self, wavelength: ArrayLike) -> NDArray[np.float64]:
        """The absorption coefficients α = 4πk/λ in 1/mm at vacuum wavelengths (nm), for Beer and
        Lambert's law P = P₀ exp(-αd) (Born & Wolf, section 14.1).

        0 if unknown. k is interpolated between the measured points, and constant outside them.
        """
        nm = np.asarray(wavelength, dtype=float)
        if not self.extinction:
            return np.zeros_like(nm)
        at, k = np.array(self.extinction).T
        with np.errstate(over="ignore"):  # of a wavelength near 0, where it is infinite
            alpha: NDArray[np.float64] = 4 * np.pi * np.interp(nm, at, k) / (nm * 1e-6)
        return alpha
