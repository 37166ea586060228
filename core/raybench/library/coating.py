"""Coatings from Python: what they reflect, transmit and absorb, as arrays and plots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from raybench.analysis.coated_face import CoatedFace
from raybench.arrays import Floats
from raybench.lens.figure import arrange_figure, drawing_svg
from raybench.library.lens_plot import plot_figure
from raybench.scene.coatings import SUBSTRATE, coating_catalogue, coating_from_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


class Coating:
    """A coating on a face between two media.

    Args:
        what: A name of `Coating.catalogue`, or a coating as changes write it, such as
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
        index: float = SUBSTRATE,
        outside: float = 1.0,
        from_body: bool = False,
    ) -> None:
        self.face = CoatedFace(coating_from_json(what), outside, index, from_body)

    @staticmethod
    def catalogue() -> dict[str, str]:
        """The names of the usual coatings, each with the source of its design."""
        return {name: source for name, (_, source) in coating_catalogue().items()}

    def fractions(self, wavelengths: ArrayLike, angles: ArrayLike = 0.0) -> Floats:
        """The fractions of power R s, R p, T s, T p, and the absorbed one of unpolarized light, in the
        last axis (..., 5), for ``wavelengths`` in nm and ``angles`` of incidence in degrees; arrays
        of both give a row for each wavelength with a column for each angle. NaN where the coating
        has no values.
        """
        waves, at = np.asarray(wavelengths, float), np.asarray(angles, float)
        out = self.face.fractions(np.atleast_1d(waves), np.atleast_1d(at))
        return out.reshape(*waves.shape, *at.shape, 5)

    def svg(self, angle: float = 0.0, wavelength: float | None = None) -> str:
        """The plot over the wavelength at an ``angle`` (degrees) and over the angle at a
        ``wavelength`` (nm), as SVG.
        """
        return drawing_svg(arrange_figure(self.face.figure(angle, wavelength), 900, 300))

    def plot(self, angle: float = 0.0, wavelength: float | None = None) -> tuple[Axes, ...]:
        """Draw the plot with matplotlib. Returns the axes of its panels."""
        return plot_figure(self.face.figure(angle, wavelength), "")

    def __repr__(self) -> str:
        return f"<Coating {self.face.coating.title}: {self.face.coating.words}>"

    def _repr_html_(self) -> str:
        return self.svg()
