"""The curves of the light at a detector, as a table of the plots that the panel draws and exports."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStackedWidget, QWidget

from raybench.analysis.answers.words import capitalize_first
from raybench.analysis.geometry.straight import Floats
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.profiles import rms_through_focus
from raybench.analysis.rays.detector_light import DetectorLight, Histogram, histogram
from raybench.analysis.tools.light.detectors import fringes_in_words
from raybench.errors import elide_text
from raybench.files.csv_text import csv_table
from raybench.optics.colour import wavelength_to_rgb
from raybench.raster.coloring import CATEGORIES
from raybench.scene import RELATIVE
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.canvas.viewport import round_length_below
from raybench_workbench.plots.themed_plot import MARGIN, CountAxis, ThemedPlot
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import Hint

ONE_ANGLE = 1.0
"""Bin width in degrees for light that arrives at a single angle."""
LONGEST_TITLE = 24
"""Letters of a name in the legend."""
DOT = 6
"""Size of a dot, in pixels."""


@dataclass(frozen=True, eq=False)
class CurvePart:
    """A part of a histogram: its title, its values ``y`` (n,), and red, green and blue from 0 to 1."""

    title: str
    y: Floats
    color: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve: ``x`` (n,), or the bin edges (n + 1,) if it is a histogram, the values ``y`` (n,),
    and the titles of the axes.

    ``parts`` are what sources or wavelengths add to a histogram, in which ``values`` (n,) are the
    places of the rays. ``table`` holds the titles and columns (n,) written as CSV, ``lines`` draws a vertical line for
    each x, ``points`` are the tool tips of dots at the points, ``marked`` is an x value to mark,
    and ``note`` a remark on the curve. With dots, ``y`` may be NaN.
    """

    x: Floats
    y: Floats
    across: str
    up: str
    table: dict[str, NDArray[Any]]
    lines: bool = False
    points: tuple[str, ...] = ()
    marked: float | None = None
    note: str = ""
    values: Floats | None = None
    parts: tuple[CurvePart, ...] = ()

    @property
    def is_histogram(self) -> bool:
        """Whether the curve is a histogram."""
        return len(self.x) == len(self.y) + 1

    def csv(self) -> str:
        """The curve as CSV text, one line for each bin or point."""
        columns = (np.asarray(column).tolist() for column in self.table.values())
        return csv_table(self.table, zip(*columns, strict=True))


@dataclass(frozen=True)
class Plot:
    """A plot: its name, its title, and the function that makes its curve. The function returns None
    if the light has no such curve, or NoFocus with the reason.
    """

    name: str
    title: str
    curve: Callable[[Light, DetectorLight], Curve | None]


def _histogram_columns(histogram: Histogram, place: str, value: str) -> dict[str, NDArray[Any]]:
    edges = histogram.edges
    return {
        f"from [{place}]": edges[:-1],
        f"to [{place}]": edges[1:],
        value: histogram.power,
        f"error [{value.partition('[')[2]}": histogram.error,
        "rays": histogram.rays.astype(float),
    }


def _power_unit(whole: Light) -> str:
    """The unit of powers in titles of columns."""
    return Unit.POWER.symbol("", whole.power_unit)


def _power_axis(whole: Light) -> str:
    return (
        tr("power")
        if whole.power_unit == RELATIVE
        else tr("power ({power_unit})", power_unit=whole.power_unit)
    )


def _irradiance_axis(whole: Light) -> str:
    power = tr("power") if whole.power_unit == RELATIVE else whole.power_unit
    return tr("irradiance ({power} / {unit})", power=power, unit=whole.unit)


def _irradiance_curve(whole: Light, light: DetectorLight) -> Curve | None:
    at, unit = light.irradiance, whole.unit
    if not len(at.power):
        return None
    table = _histogram_columns(at, unit, f"irradiance [{_power_unit(whole)}/{unit}]")
    return Curve(
        at.edges,
        at.power,
        tr("position along the detector ({unit})", unit=unit),
        _irradiance_axis(whole),
        table,
        values=light.position,
    )


def _fringe_curve(whole: Light, light: DetectorLight) -> Curve | None:
    fringes, unit = whole.fringes(whole.index_by_key[light.detector.key]), whole.unit
    if not len(fringes.x):
        return None
    table = {
        f"position [{unit}]": fringes.x,
        f"irradiance [{_power_unit(whole)}/{unit}]": fringes.irradiance,
        tr(
            "without interference [{power_unit}/{unit}]", power_unit=_power_unit(whole), unit=unit
        ): fringes.incoherent,
    }
    return Curve(
        fringes.x,
        fringes.irradiance,
        tr("position along the detector ({unit})", unit=unit),
        _irradiance_axis(whole),
        table,
        note=capitalize_first("; ".join([fringes_in_words(fringes, unit), *fringes.remarks])),
    )


def _angle_curve(whole: Light, light: DetectorLight) -> Curve | None:
    if not len(light.rows):
        return None
    power, back = whole.result.total_arriving_power[light.rows], np.abs(light.angle) > 90
    angle = np.where(back, light.angle - np.copysign(180, light.angle), light.angle)
    low, high = float(angle.min()), float(angle.max())
    width = (
        round_length_below((high - low) / math.sqrt(len(light.rows))) if high > low else ONE_ANGLE
    )
    edges = width * np.arange(
        math.floor(low / width) - 1, math.floor(high / width) + 3, dtype=np.float64
    )  # an empty bin on either side
    at = histogram(angle, power, power, edges)
    return Curve(
        at.edges,
        at.power,
        tr("angle from the normal of the lit side (°)")
        if back.any()
        else tr("angle from the normal (°)"),
        tr("{axis} per {width:g}°", axis=_power_axis(whole), width=width),
        _histogram_columns(at, "deg", f"power [{_power_unit(whole)}]"),
        note=tr("light from both sides") if back.any() and not back.all() else "",
        values=angle,
    )


def _spectrum_curve(whole: Light, light: DetectorLight) -> Curve | None:
    known = ~np.isnan(light.wavelengths)
    if not known.any():
        return None
    x, y = light.wavelengths[known], light.spectrum[known]
    table = {
        "wavelength [nm]": x,
        f"power [{_power_unit(whole)}]": y,
        "rays": light.spectrum_rays[known].astype(float),
    }
    return Curve(x, y, tr("wavelength (nm)"), _power_axis(whole), table, lines=True)


def _spot_curve(whole: Light, light: DetectorLight) -> Curve | None:
    spot, unit = rms_through_focus(whole.result, light.detector, light), whole.unit
    if spot is None:
        return None
    table = {
        tr("distance along the beam [{unit}]", unit=unit): spot.along,
        tr("RMS width across the beam [{unit}]", unit=unit): spot.rms,
    }
    note = tr(
        "best focus: defocus {best:+.4g} {unit}, RMS {least:.3g} {unit}",
        best=spot.best,
        unit=unit,
        least=spot.least,
    )
    across, up = (
        tr("distance from the detector along the beam ({unit})", unit=unit),
        tr("RMS width across the beam ({unit})", unit=unit),
    )
    return Curve(spot.along, spot.rms, across, up, table, marked=spot.best, note=note)


PLOTS = {
    p.name: p
    for p in (
        Plot("irradiance", tr("Irradiance"), _irradiance_curve),
        Plot("fringes", tr("Irradiance with interference"), _fringe_curve),
        Plot("angles", tr("Angles"), _angle_curve),
        Plot("spectrum", tr("Spectrum"), _spectrum_curve),
        Plot("spot", tr("Spot along the beam"), _spot_curve),
    )
}
"""All plots of a detector, by name."""


SPLITS = {
    "": tr("All light"),
    "source": tr("Split by source"),
    "wavelength": tr("Split by wavelength"),
}
"""Into what a histogram can be split, with its title."""
MOST_PARTS = 8
"""Number of sources or wavelengths that are drawn; the weaker ones are one part."""


def split_curve(curve: Curve, result: TraceResult, light: DetectorLight, by: str) -> Curve:
    """A histogram with its parts by source or wavelength, one of `SPLITS`; the curve as it is if
    there is only one.
    """
    if not by or curve.values is None:
        return curve
    groups = result.source[light.rows] if by == "source" else result.wavelength[light.rows]
    power = result.total_arriving_power[light.rows]
    found, which = np.unique(groups, return_inverse=True)
    if len(found) < 2:
        return curve
    strength = np.bincount(which, power)
    rank = np.empty(len(found), np.int64)
    rank[np.argsort(-strength, kind="stable")] = np.arange(len(found))
    which, last = np.minimum(rank[which], MOST_PARTS), min(len(found), MOST_PARTS + 1)
    order = found[np.argsort(rank)]

    def binned(rows: NDArray[np.bool_]) -> Floats:
        own = power[rows]
        return histogram(curve.values[rows], own, own, curve.x).power  # type: ignore[index]

    whole = binned(np.ones(len(power), np.bool_))
    scale = np.divide(curve.y, whole, out=np.zeros_like(curve.y), where=whole > 0)
    parts = []
    for i in range(last):
        if i == MOST_PARTS:
            title, color = "others", CATEGORIES[-1]
        elif by == "source":
            title = str(result.object_names[int(order[i])])
            place = np.searchsorted(np.unique(result.source), order[i])
            color = CATEGORIES[place % len(CATEGORIES)]  # as on the canvas
        else:
            known = not np.isnan(order[i])
            title = f"{order[i]:.6g} nm" if known else tr("no wavelength")
            color = wavelength_to_rgb(order[i]) if known else CATEGORIES[-1]
        parts.append(CurvePart(title, scale * binned(which == i), tuple(np.ravel(color).tolist())))
    table = curve.table | {f"of {part.title}": part.y for part in parts}
    return replace(curve, parts=tuple(parts), table=table)


class CurvePlot(ThemedPlot):
    """A plot widget that shows a `Curve`, or nothing."""

    def __init__(self, name: str, *, counts: bool = False) -> None:
        """``counts`` says that the horizontal axis has whole numbers."""
        super().__init__(name, axes={"bottom": CountAxis("bottom")} if counts else None)
        self.curve: Curve | None = None
        self._legend = self.plotItem.addLegend(offset=(-theme.GRID, theme.HALF))
        self.retheme()

    @property
    def has_plot(self) -> bool:
        return self.curve is not None

    def csv(self) -> str:
        return self.curve.csv() if self.curve is not None else ""

    def retheme(self, *_: object) -> None:
        super().retheme()
        self.show_curve(self.curve)

    def show_curve(self, curve: Curve | None) -> None:
        """Show another curve."""
        self.curve = curve
        self.clear()
        self.set_titles(*(curve.across, curve.up) if curve is not None else ("", ""))
        drawn = curve is not None and len(curve.y) > 0
        for side in ("left", "bottom"):  # whose numbers would be those of an earlier curve
            self.showAxis(side, drawn)
        if curve is None or not drawn:
            return
        accent = theme.current_theme().color("accent")
        faint = pg.mkBrush(theme.current_theme().color("accent", 0.2))
        pen = pg.mkPen(accent, width=1)
        if curve.is_histogram:
            filled = {"stepMode": "center", "fillLevel": 0.0, "brush": faint}
            self.plot(curve.x, curve.y, pen=pen, **filled)
            for part in curve.parts:
                self._plot_part(curve, part)
        elif curve.lines:
            feet = np.stack([np.zeros(len(curve.y)), curve.y], axis=1).ravel()
            self.plot(np.repeat(curve.x, 2), feet, connect="pairs", pen=pg.mkPen(accent, width=2))
        else:
            line = self.plot(curve.x, curve.y, pen=pen, connect="finite")
            line.setDownsampling(auto=True, method="peak")  # fringes narrower than a pixel
        if curve.points:
            dots = pg.ScatterPlotItem(
                curve.x,
                curve.y,
                size=DOT,
                pen=pen,
                brush=pg.mkBrush(accent),
                hoverable=True,
                tip=lambda x, y, data: literal_tool_tip(data),
            )
            dots.setData(curve.x, curve.y, data=curve.points)
            self.addItem(dots)
        if curve.marked is not None:
            dashes = pg.mkPen(theme.current_theme().color("dim"), style=Qt.PenStyle.DashLine)
            self.addItem(pg.InfiniteLine(curve.marked, pen=dashes))
        self._show_ranges(curve)

    def _plot_part(self, curve: Curve, part: CurvePart) -> None:
        current = theme.current_theme()
        (rgb,) = readable_colors(np.array([part.color]), current)
        pen = pg.mkPen(QColor.fromRgbF(*rgb[:3].tolist()), width=2)
        title = html.escape(elide_text(part.title, LONGEST_TITLE))
        self._legend.setLabelTextColor(current.color("text"))
        self.plot(curve.x, part.y, pen=pen, stepMode="center", name=title)

    def _show_ranges(self, curve: Curve) -> None:
        known = curve.y[np.isfinite(curve.y)] if np.isfinite(curve.y).any() else np.zeros(1)
        low, high = float(known.min()), float(known.max())
        if not curve.points:
            low, high = min(0.0, low), max(0.0, high)
        elif high == low:
            low, high = low - abs(low) / 2, high + abs(high) / 2
        first, last = float(curve.x.min()), float(curve.x.max())
        wide = 0.0 if last > first else 0.5
        self.setXRange(first - wide, last + wide, padding=MARGIN)
        self.setYRange(low, high if high > low else low + 1.0, padding=MARGIN)


class PlotOrHint(QStackedWidget):
    """A plot of a curve or, while there is no curve, a hint what to do."""

    def __init__(self, name: str, hint: str, parent: QWidget, *, counts: bool = False) -> None:
        super().__init__(parent)
        self.plot, self.hint = CurvePlot(name, counts=counts), Hint(hint)
        self.addWidget(self.plot)
        self.addWidget(self.hint)

    def set_plot_visible(self, shown: bool) -> None:
        self.setCurrentWidget(self.plot if shown else self.hint)
