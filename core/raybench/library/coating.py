"""Coatings in Python: the reflected, transmitted and absorbed fractions of power as arrays and
plots.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from raybench.analysis.coated_face import CoatedFace
from raybench.arrays import Floats
from raybench.lens.figure import arrange_figure, layout_svg
from raybench.library.lens_plot import plot_figure
from raybench.scene.coatings import SUBSTRATE_INDEX, coating_catalogue, coating_from_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


class Coating:
    """A coating on the surface of a body.

    Args:
        what: A name of `Coating.catalogue`, or a coating in the JSON form of changes, such as
            ``{"material": "MgF2 (o)", "thickness": 100}``.
        index: The index of the coated body.
        outside: The index of the surroundings.
        from_body: Whether the light comes from the body.

    Examples:
        >>> import raybench as rb
        >>> coating = rb.Coating("MgF2 quarter wave 550")
        >>> float(coating.fractions(550)[0].round(4))
        0.0126
    """

    def __init__(
        self,
        what: str | Mapping[str, Any],
        *,
        index: float = SUBSTRATE_INDEX,
        outside: float = 1.0,
        from_body: bool = False,
    ) -> None:
        self.face = CoatedFace(coating_from_json(what), outside, index, from_body)

    @staticmethod
    def catalogue() -> dict[str, str]:
        """The built-in coatings by name, each with the source of its design."""
        return {name: source for name, (_, source) in coating_catalogue().items()}

    def fractions(self, wavelengths: ArrayLike, angles: ArrayLike = 0.0) -> Floats:
        """The fractions of power (..., 5): R s, R p, T s and T p, and the fraction absorbed from
        unpolarized light. ``wavelengths`` are in nm, ``angles`` of incidence in degrees; if both
        are arrays, the result has a row for each wavelength and a column for each angle. NaN where
        the coating has no values.
        """
        waves, at = np.asarray(wavelengths, float), np.asarray(angles, float)
        out = self.face.fractions(np.atleast_1d(waves), np.atleast_1d(at))
        return out.reshape(*waves.shape, *at.shape, 5)

    def svg(self, angle: float = 0.0, wavelength: float | None = None) -> str:
        """Plots of the fractions over the wavelength at an ``angle`` (degrees), and over the angle
        at a ``wavelength`` (nm), as SVG.
        """
        return layout_svg(arrange_figure(self.face.figure(angle, wavelength), 900, 300))

    def plot(self, angle: float = 0.0, wavelength: float | None = None) -> tuple[Axes, ...]:
        """Draw the plots of `svg` with matplotlib. Returns the axes of the panels."""
        return plot_figure(self.face.figure(angle, wavelength), "")

    def __repr__(self) -> str:
        return f"<Coating {self.face.coating.title}: {self.face.coating.description}>"

    def _repr_html_(self) -> str:
        return self.svg()
