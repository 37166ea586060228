"""The material of an object: a frozen copy of its data, and the fit of Cauchy's formula that
represents it in a scene file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from raybench.materials.dispersion import LINE_D, Dispersion, InvalidDispersion, OutsideRange
from raybench.materials.fit import cauchy_fit
from raybench.materials.material import Material
from raybench.optics.cauchy import cauchy_index


@dataclass(frozen=True)
class AssignedMaterial:
    """A material with the numbers that its object got for other programs: n = ``a`` + ``b`` / λ², b
    in µm².
    """

    material: Material
    a: float
    b: float

    @classmethod
    def fitted(cls, material: Material, wavelengths: Sequence[float]) -> AssignedMaterial:
        """The material with its best fit at some wavelengths (nm). Raises OutsideRange, naming the
        material.
        """
        try:
            fit = cauchy_fit(material.dispersion, wavelengths)
        except OutsideRange as error:
            raise OutsideRange(f"{material.name}: {error}") from None
        return cls(material, fit.a, fit.b)

    def covers(self, wavelength: float | None) -> bool:
        """Whether the data cover a wavelength (nm); None is the d line."""
        return (
            _index(self.material.dispersion, LINE_D if wavelength is None else wavelength)
            is not None
        )

    def index(self, wavelength: float | None) -> float:
        """The refractive index at a vacuum wavelength (nm); None is the d line. Outside the range
        of the data it is that of the fit.
        """
        exact = _index(self.material.dispersion, LINE_D if wavelength is None else wavelength)
        if exact is not None:
            return exact
        return self.a if wavelength is None else cauchy_index(self.a, self.b, wavelength)

    @property
    def absorbs(self) -> bool:
        """Whether it absorbs light of some wavelength."""
        return any(k > 0 for _, k in self.material.extinction)

    def absorption(self, wavelength: float | None) -> float:
        """The absorption coefficient in 1/mm at a vacuum wavelength (nm); None is the d line."""
        return float(self.material.absorption(LINE_D if wavelength is None else wavelength))


@lru_cache(4096)
def _index(dispersion: Dispersion, wavelength: float) -> float | None:
    """The index, or None where the data give none."""
    try:
        return float(dispersion.index(wavelength))
    except (OutsideRange, InvalidDispersion):
        return None
