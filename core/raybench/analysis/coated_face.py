"""A coated surface: its reflectance, transmittance and absorptance over wavelength and angle, as
numbers and as a plot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

import numpy as np

from raybench.arrays import Floats
from raybench.lens.curves import Curve, Figure, LineStyle, Panel
from raybench.optics.colour import GREEN
from raybench.scene.coatings import (
    SUBSTRATE_INDEX,
    Coating,
    FilmStack,
    InvalidCoating,
    TableCoating,
)

COLUMNS = ("R s", "R p", "T s", "T p", "A")
"""The fractions of power, in this order: reflected, transmitted, and absorbed of unpolarized light.
"""
_NAMES = ("reflected", "transmitted", "absorbed")
_CATEGORIES = (4, 2, 1)
"""Of their colours."""
SHORTEST, LONGEST = 0.7, 1.45
"""The wavelengths of a plot, in those of the design."""
POINTS = 241
STEEPEST = 89.5
LITTLE_REFLECTED = 30.0
"""Reflected light (%) below which it has a panel of its own."""
LEAST_ABSORBED = 1e-4
"""A smaller absorbed fraction has no curve."""


@dataclass(frozen=True)
class CoatedFace:
    """A ``coating`` between surroundings with the refractive index ``n_out`` and a body with the
    index ``n_in``. If ``outward`` is true, light comes from the body.
    """

    coating: Coating
    n_out: float = 1.0
    n_in: float = SUBSTRATE_INDEX
    outward: bool = False

    def fractions(self, wavelengths: Floats, angles: Floats) -> Floats:
        """The fractions of power (n, m, 5), named by `COLUMNS`, at ``wavelengths`` (n,) in nm and
        angles of incidence ``angles`` (m,) in degrees. NaN at wavelengths for which the coating has
        no data.
        """
        cosines = np.cos(np.radians(angles))
        out = np.full((len(wavelengths), len(angles), 5), math.nan)
        for row, wavelength in zip(out, wavelengths.tolist(), strict=True):
            try:
                row[:, :4] = self.coating.fractions(
                    wavelength, self.n_out, self.n_in, cosines, self.outward
                )
            except InvalidCoating:
                continue
        out[..., 4] = np.maximum(1.0 - out[..., :4].sum(axis=-1) / 2, 0.0)
        return out

    @property
    def design_wavelength(self) -> float:
        """The design wavelength of the coating in nm; green if the coating states none."""
        if isinstance(self.coating, FilmStack):
            at = [film.at for film in self.coating.films if film.quarter_waves]
            return median(at) if at else GREEN
        if isinstance(self.coating, TableCoating) and self.coating.wavelengths:
            return median(self.coating.wavelengths)
        return GREEN

    def plotted_wavelengths(self, centre: float) -> tuple[float, float]:
        """The first and the last plotted wavelength in nm: the range of the coating's table, or a
        range around ``centre``.
        """
        if isinstance(self.coating, TableCoating) and len(self.coating.wavelengths) > 1:
            return self.coating.wavelengths[0], self.coating.wavelengths[-1]
        return SHORTEST * centre, LONGEST * centre

    def figure(self, angle: float = 0.0, wavelength: float | None = None) -> Figure:
        """The plot: one set of curves over the wavelength at an ``angle`` of incidence in degrees,
        one over the angle at a ``wavelength`` in nm, by default the design wavelength. Low
        reflectances have a third set of their own. Raises InvalidCoating if the coating has no data
        at the wavelength.
        """
        at = self.design_wavelength if wavelength is None else wavelength
        self.coating.fractions(at, self.n_out, self.n_in, np.ones(1), self.outward)
        shown = self.plotted_wavelengths(at)
        waves, angles = np.linspace(*shown, POINTS), np.linspace(0.0, STEEPEST, POINTS)
        over_waves = _fraction_curves(waves, self.fractions(waves, np.array([angle]))[:, 0])
        over_angles = _fraction_curves(angles, self.fractions(np.array([at]), angles)[0])
        side = "in the body" if self.outward else "outside"
        all_light, across = (0.0, 100.0), "wavelength (nm)"
        panels = [
            Panel(f"{angle:.4g}° {side}", across, "power (%)", over_waves, shown, all_light),
            Panel(
                f"{at:.5g} nm",
                f"angle {side} (°)",
                "power (%)",
                over_angles,
                (0.0, 90.0),
                all_light,
            ),
        ]
        most = max(float(np.nanmax(curve.y)) for curve in over_waves[:2])
        if 0 < most < LITTLE_REFLECTED:
            title, up = f"reflected at {angle:.4g}° {side}", (0.0, 1.1 * most)
            panels.insert(0, Panel(title, across, "reflected (%)", over_waves[:2], shown, up))
        return Figure(
            self.coating.title,
            tuple(panels),
            ((LineStyle.SOLID, "s"), (LineStyle.DASHED, "p")),
            note=f"index {self.n_out:.4g} outside, {self.n_in:.4g} in the body",
        )


def _fraction_curves(x: Floats, fractions: Floats) -> tuple[Curve, ...]:
    """The curves of fractions (n, 5) over ``x``, in percent; reflectances come first."""
    percent = 100 * fractions
    curves = [
        Curve(x, percent[:, 2 * i + p], _NAMES[i], _CATEGORIES[i], style)
        for i in range(2)
        for p, style in enumerate((LineStyle.SOLID, LineStyle.DASHED))
    ]
    if np.nanmax(fractions[:, 4], initial=0.0) > LEAST_ABSORBED:
        curves.append(Curve(x, percent[:, 4], _NAMES[2], _CATEGORIES[2], LineStyle.DOTTED))
    return tuple(curves)
