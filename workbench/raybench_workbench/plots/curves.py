"""The curves of the light at a detector, as a table of the plots that the panel draws and exports."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Hashable
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
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.detector_light import DetectorLight, histogram
from raybench.analysis.tools.light.detectors import fringes_in_words
from raybench.errors import elide_text
from raybench.files.csv_text import csv_table
from raybench.optics.colour import wavelength_to_rgb
from raybench.raster.coloring import CATEGORY_COLORS
from raybench.scene import RELATIVE
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.canvas.viewport import round_length_below
from raybench_workbench.plots.themed_plot import RANGE_MARGIN, CountAxis, ThemedPlot
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import Hint

ONE_ANGLE = 1.0
"""Bin width in degrees for light that arrives at a single angle."""
MOST_BINS = 10_000
"""About the number of bins of angles in which the light of several traces may be."""
MAX_TITLE_LENGTH = 24
"""Letters of a name in the legend."""
CAP_WIDTH = 0.01
"""Width of the caps of an error bar, as a fraction of the range of x."""
DOT_SIZE = 6
"""Size of a dot, in pixels."""


@dataclass(frozen=True, eq=False)
class BinnedLight:
    """Light in bins, at wavelengths or at distances. ``x`` are the edges of the bins (n + 1,) or
    the wavelengths or distances (n,); ``y`` (n,) are the values, ``error`` (n,) their errors if
    known, and ``rays`` (n,) the numbers of rays.

    ``ray_positions`` (k,) are the positions of the single rays along x, or None without bins.
    """

    x: Floats
    y: Floats
    rays: Floats
    error: Floats | None = None
    ray_positions: Floats | None = None

    def table(self, place: str, value: str) -> dict[str, NDArray[Any]]:
        """The columns of a CSV table by title. ``place`` and ``value`` are the titles of x and y
        with units.
        """
        at = (
            {place: self.x}
            if len(self.x) == len(self.y)
            else {f"from {place}": self.x[:-1], f"to {place}": self.x[1:]}
        )
        error = {f"error {value[value.index('[') :]}": self.error} if self.error is not None else {}
        return {**at, value: self.y, **error, "rays": self.rays}


@dataclass(frozen=True, eq=False)
class CurvePart:
    """A part of a histogram: its title, its values ``y`` (n,), and red, green and blue from 0 to 1."""

    title: str
    y: Floats
    color: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve: ``x`` (n,), or the bin edges (n + 1,) of a histogram, the values ``y`` (n,), and the
    titles of the axes.

    ``parts`` are the contributions of sources or wavelengths to a histogram. ``table`` holds the
    titles and columns (n,) written as CSV, ``lines`` draws a vertical line for each x, ``points``
    are the tool tips of dots at the points, ``marked`` is an x value to mark, ``band`` (n,) an
    error to draw, and ``note`` a remark on the curve. With dots, ``y`` may be NaN.
    """

    x: Floats
    y: Floats
    x_title: str
    y_title: str
    table: dict[str, NDArray[Any]]
    lines: bool = False
    points: tuple[str, ...] = ()
    marked: float | None = None
    note: str = ""
    band: Floats | None = None
    parts: tuple[CurvePart, ...] = ()

    @property
    def is_histogram(self) -> bool:
        """Whether the curve is a histogram."""
        return len(self.x) == len(self.y) + 1

    @property
    def form(self) -> tuple[Hashable, ...]:
        """The part of a curve on which the plot items depend. Curves with the same form differ only
        in numbers and titles.
        """
        parts = tuple((part.title, part.color) for part in self.parts)
        has = self.band is not None, self.marked is not None, bool(self.points)
        return self.is_histogram, self.lines, parts, has

    def csv(self) -> str:
        """The curve as CSV text, one line for each bin or point."""
        columns = (np.asarray(column).tolist() for column in self.table.values())
        return csv_table(self.table, zip(*columns, strict=True))


@dataclass(frozen=True)
class PlotDefinition:
    """The definition of a plot: its name, its title, and the function that makes its curve. The
    function returns None if the light has no such curve, or NoFocus with the reason.
    """

    name: str
    title: str
    curve: Callable[[Light, DetectorLight], Curve | None]


@dataclass(frozen=True)
class BinnedPlot:
    """The definition of a plot of light in bins, at wavelengths or at distances, which can be the
    mean of several traces.

    ``bins`` sums the light in given bins, or by default in suitable ones; it returns None without
    light. ``draw`` makes the curve. ``mean_x`` returns the bins for a mean over several traces: by
    default those of the first trace, or wider ones if the light of later traces may lie outside.
    """

    name: str
    title: str
    bins: Callable[[Light, DetectorLight, Floats | None], BinnedLight | None]
    draw: Callable[[Light, DetectorLight, BinnedLight], Curve]
    mean_x: Callable[[Light, BinnedLight], Floats] = lambda whole, bins: bins.x


def _power_unit(all_light: Light) -> str:
    """The unit of powers in titles of columns."""
    return Unit.POWER.symbol("", all_light.power_unit)


def _power_axis(all_light: Light) -> str:
    return (
        tr("power")
        if all_light.power_unit == RELATIVE
        else tr("power ({power_unit})", power_unit=all_light.power_unit)
    )


def _irradiance_axis(all_light: Light) -> str:
    power = tr("power") if all_light.power_unit == RELATIVE else all_light.power_unit
    return tr("irradiance ({power} / {unit})", power=power, unit=all_light.length_unit)


def _irradiance_bins(_: Light, light: DetectorLight, x: Floats | None = None) -> BinnedLight | None:
    at = light.irradiance
    return (
        BinnedLight(at.edges, at.power, at.rays.astype(float), at.error, light.position)
        if len(at.power)
        else None
    )


def _irradiance_curve(all_light: Light, _: DetectorLight, bins: BinnedLight) -> Curve:
    unit = all_light.length_unit
    return Curve(
        bins.x,
        bins.y,
        tr("position along the detector ({unit})", unit=unit),
        _irradiance_axis(all_light),
        bins.table(f"[{unit}]", f"irradiance [{_power_unit(all_light)}/{unit}]"),
    )


def _fringe_curve(all_light: Light, light: DetectorLight) -> Curve | None:
    fringes, unit = (
        all_light.fringes(all_light.index_by_key[light.detector.key]),
        all_light.length_unit,
    )
    if not len(fringes.x):
        return None
    table = {
        f"position [{unit}]": fringes.x,
        f"irradiance [{_power_unit(all_light)}/{unit}]": fringes.irradiance,
        tr(
            "without interference [{power_unit}/{unit}]",
            power_unit=_power_unit(all_light),
            unit=unit,
        ): fringes.incoherent,
    }
    return Curve(
        fringes.x,
        fringes.irradiance,
        tr("position along the detector ({unit})", unit=unit),
        _irradiance_axis(all_light),
        table,
        note=capitalize_first("; ".join([fringes_in_words(fringes, unit), *fringes.remarks])),
    )


def _angle_bins(
    all_light: Light, light: DetectorLight, x: Floats | None = None
) -> BinnedLight | None:
    if x is None and not len(light.rows):
        return None
    power, back = all_light.result.total_arriving_power[light.rows], np.abs(light.angle) > 90
    angle = np.where(back, light.angle - np.copysign(180, light.angle), light.angle)
    if x is None:
        low, high = float(angle.min()), float(angle.max())
        width = (
            round_length_below((high - low) / math.sqrt(len(light.rows)))
            if high > low
            else ONE_ANGLE
        )
        x = width * np.arange(
            math.floor(low / width) - 1, math.floor(high / width) + 3, dtype=np.float64
        )  # an empty bin on either side
    within = (angle >= x[0]) & (angle <= x[-1])
    at = histogram(angle[within], power[within], power[within], x)
    return BinnedLight(x, at.power, at.rays.astype(float), at.error, angle)


def _bins_over_all_angles(_: Light, bins: BinnedLight) -> Floats:
    """Bins of constant width over all angles or, if these would be too many, around the given bins."""
    width, more = bins.x[1] - bins.x[0], MOST_BINS // 2
    first, last = round(bins.x[0] / width), round(bins.x[-1] / width)
    least, most = math.floor(-90 / width), math.ceil(90 / width)
    edges: Floats = width * np.arange(
        max(first - more, min(least, first)),
        min(last + more, max(most, last)) + 1,
        dtype=np.float64,
    )
    return edges


def _angle_curve(all_light: Light, light: DetectorLight, bins: BinnedLight) -> Curve:
    back, width = np.abs(light.angle) > 90, bins.x[1] - bins.x[0]
    return Curve(
        bins.x,
        bins.y,
        tr("angle from the normal of the lit side (°)")
        if back.any()
        else tr("angle from the normal (°)"),
        tr("{axis} per {width:g}°", axis=_power_axis(all_light), width=width),
        bins.table("[deg]", f"power [{_power_unit(all_light)}]"),
        note=tr("light from both sides") if back.any() and not back.all() else "",
    )


def _spectrum_bins(_: Light, light: DetectorLight, x: Floats | None = None) -> BinnedLight | None:
    known = ~np.isnan(light.wavelengths)
    nm, power, rays = (
        of[known].astype(float) for of in (light.wavelengths, light.spectrum, light.spectrum_rays)
    )
    if x is None:
        return BinnedLight(nm, power, rays) if len(nm) else None
    at, there = np.minimum(np.searchsorted(x, nm), len(x) - 1), np.isin(nm, x)
    powers, counts = (
        np.bincount(at[there], of[there], len(x)).astype(float) for of in (power, rays)
    )
    return BinnedLight(x, powers, counts)


def _all_wavelengths(all_light: Light, _: BinnedLight) -> Floats:
    """The wavelengths of all light in a trace."""
    nm: Floats = np.unique(all_light.result.wavelength.astype(float))
    known: Floats = nm[~np.isnan(nm)]
    return known


def _spectrum_curve(all_light: Light, _: DetectorLight, bins: BinnedLight) -> Curve:
    table = bins.table("wavelength [nm]", f"power [{_power_unit(all_light)}]")
    return Curve(bins.x, bins.y, tr("wavelength (nm)"), _power_axis(all_light), table, lines=True)


def _spot_bins(
    all_light: Light, light: DetectorLight, x: Floats | None = None
) -> BinnedLight | None:
    """The RMS widths at given or suitable distances; NaN at given distances if the light has no
    focus.
    """
    try:
        spot = rms_through_focus(all_light.result, light.detector, light)
    except NoFocus:
        if x is None:
            raise
        spot = None
    if x is None:
        if spot is None:
            return None
        x = spot.along
    y = spot.rms(x) if spot is not None else np.full(len(x), math.nan)
    return BinnedLight(x, y, np.zeros(len(x)))


def _spot_curve(all_light: Light, _: DetectorLight, bins: BinnedLight) -> Curve:
    unit, at = all_light.length_unit, int(np.argmin(bins.y))
    best, least = float(bins.x[at]), float(bins.y[at])
    table = {
        tr("distance along the beam [{unit}]", unit=unit): bins.x,
        tr("RMS width across the beam [{unit}]", unit=unit): bins.y,
    }
    if bins.error is not None:
        table[f"error [{unit}]"] = bins.error
    note = tr(
        "best focus: defocus {best:+.4g} {unit}, RMS {least:.3g} {unit}",
        best=best,
        unit=unit,
        least=least,
    )
    across, up = (
        tr("distance from the detector along the beam ({unit})", unit=unit),
        tr("RMS width across the beam ({unit})", unit=unit),
    )
    return Curve(bins.x, bins.y, across, up, table, marked=best, note=note)


PLOTS: dict[str, PlotDefinition | BinnedPlot] = {
    p.name: p
    for p in (
        BinnedPlot("irradiance", tr("Irradiance"), _irradiance_bins, _irradiance_curve),
        PlotDefinition("fringes", tr("Irradiance with interference"), _fringe_curve),
        BinnedPlot("angles", tr("Angles"), _angle_bins, _angle_curve, _bins_over_all_angles),
        BinnedPlot("spectrum", tr("Spectrum"), _spectrum_bins, _spectrum_curve, _all_wavelengths),
        BinnedPlot("spot", tr("Spot along the beam"), _spot_bins, _spot_curve),
    )
}
"""All plots of a detector, by name."""


SPLIT_TITLES = {
    "": tr("All light"),
    "source": tr("Split by source"),
    "wavelength": tr("Split by wavelength"),
}
"""Into what a histogram can be split, with its title."""
MOST_PARTS = 8
"""Number of sources or wavelengths that are drawn; the weaker ones are one part."""


@dataclass(frozen=True, eq=False)
class LightSplit:
    """A division of the light at a detector by source or by wavelength. ``groups`` (k,) are the
    sources or wavelengths, strongest first; ``titles`` and ``colors`` belong to the parts that are
    drawn.
    """

    groups: NDArray[Any]
    by: str
    titles: tuple[str, ...]
    colors: tuple[tuple[float, float, float], ...]

    def values(self, bins: BinnedLight, result: TraceResult, light: DetectorLight) -> list[Floats]:
        """The values (n,) of each part in the bins."""
        assert bins.ray_positions is not None
        groups, power = _ray_groups(result, light, self.by), result.total_arriving_power[light.rows]
        within = (bins.ray_positions >= bins.x[0]) & (bins.ray_positions <= bins.x[-1])
        order = np.argsort(self.groups)
        found = np.minimum(np.searchsorted(self.groups[order], groups), len(order) - 1)
        part = np.minimum(order[found], len(self.titles) - 1)
        part[~np.isin(groups, self.groups) & ~np.isnan(groups)] = -1

        def binned(rows: NDArray[np.bool_]) -> Floats:
            places, own = bins.ray_positions[rows], power[rows]  # type: ignore[index]
            return histogram(places, own, own, bins.x).power

        whole = binned(within)
        scale = np.divide(bins.y, whole, out=np.zeros_like(bins.y), where=whole > 0)
        return [scale * binned(within & (part == i)) for i in range(len(self.titles))]

    def split(self, curve: Curve, values: list[Floats]) -> Curve:
        """The curve of a histogram, extended by its parts with these values."""
        parts = tuple(map(CurvePart, self.titles, values, self.colors))
        table = curve.table | {f"of {part.title}": part.y for part in parts}
        return replace(curve, parts=parts, table=table)


def _ray_groups(result: TraceResult, light: DetectorLight, criterion: str) -> NDArray[Any]:
    """The group (k,) of each ray at a detector: the index of its source, or its wavelength."""
    return (result.source if criterion == "source" else result.wavelength)[light.rows]


def split_light(result: TraceResult, light: DetectorLight, criterion: str) -> LightSplit | None:
    """The division of light by one of `SPLIT_TITLES`; None if there is only one source or
    wavelength.
    """
    if not criterion:
        return None
    found, which = np.unique(_ray_groups(result, light, criterion), return_inverse=True)
    if len(found) < 2:
        return None
    strength = np.bincount(which, result.total_arriving_power[light.rows])
    groups = found[np.argsort(-strength, kind="stable")]
    titles, colors = [], []
    for group in groups[:MOST_PARTS].tolist():
        if criterion == "source":
            titles.append(str(result.object_names[group]))
            place = np.searchsorted(np.unique(result.source), group)
            color = CATEGORY_COLORS[place % len(CATEGORY_COLORS)]  # as on the canvas
        else:
            known = not math.isnan(group)
            titles.append(f"{group:.6g} nm" if known else tr("no wavelength"))
            color = wavelength_to_rgb(group) if known else CATEGORY_COLORS[-1]
        colors.append(tuple(np.ravel(color).tolist()))
    if len(groups) > MOST_PARTS:
        titles.append("others")
        colors.append(tuple(np.ravel(CATEGORY_COLORS[-1]).tolist()))
    return LightSplit(groups, criterion, tuple(titles), tuple(colors))


class CurvePlot(ThemedPlot):
    """A plot widget that shows a `Curve`, or nothing."""

    def __init__(self, name: str, *, counts: bool = False) -> None:
        """``counts`` says that the horizontal axis shows whole numbers."""
        super().__init__(name, axes={"bottom": CountAxis("bottom")} if counts else None)
        self.curve: Curve | None = None
        self._form: Hashable = None
        self._set_data: list[Callable[[Curve], object]] = []
        """Functions that give the items the numbers of a curve of this form."""
        self._moved = False
        """Whether the user has panned or zoomed since the trace was plotted."""
        self.getViewBox().sigRangeChangedManually.connect(self._keep_range)
        self._legend = self.plotItem.addLegend(offset=(-theme.GRID, theme.HALF))
        self.update_theme()

    @property
    def has_plot(self) -> bool:
        return self.curve is not None

    def csv(self) -> str:
        return self.curve.csv() if self.curve is not None else ""

    def update_theme(self, *_: object) -> None:
        super().update_theme()
        self._form = None
        self.show_curve(self.curve)

    def _keep_range(self, *_: object) -> None:
        self._moved = True

    def show_curve(self, curve: Curve | None) -> None:
        """Show another curve. A curve with errors keeps the range that the user has chosen."""
        self._moved = self._moved and curve is not None and curve.band is not None
        self.curve = curve
        self.set_titles(*(curve.x_title, curve.y_title) if curve is not None else ("", ""))
        drawn = curve if curve is not None and len(curve.y) else None
        for side in ("left", "bottom"):  # whose numbers would be those of an earlier curve
            self.showAxis(side, drawn is not None)
        form = drawn.form if drawn is not None else None
        if form != self._form:
            self.clear()
            self._set_data = self._add_items(drawn) if drawn is not None else []
            self._form = form
        if drawn is None:
            return
        for set_data in self._set_data:
            set_data(drawn)
        if not self._moved:
            self._show_ranges(drawn)

    def _add_items(self, curve: Curve) -> list[Callable[[Curve], object]]:
        """Add empty plot items for curves of this form. Returns the functions that fill the items
        with the numbers of a curve.
        """
        current = theme.current_theme()
        accent = current.color("accent")
        pen = pg.mkPen(accent, width=1)
        out: list[Callable[[Curve], object]] = []
        if curve.is_histogram:
            filled = {"fillLevel": 0.0, "brush": pg.mkBrush(current.color("accent", 0.2))}
            steps = self.plot(pen=pen, stepMode="center", **filled)
            parts = [self._add_part(part) for part in curve.parts]

            def set_steps(now: Curve) -> None:
                for item, y in zip(
                    [steps, *parts], [now.y, *(part.y for part in now.parts)], strict=True
                ):
                    item.setData(now.x, y)

            out.append(set_steps)
            if curve.band is not None:
                out.append(self._add_error_band(curve))
        elif curve.lines:
            lines = self.plot(connect="pairs", pen=pg.mkPen(accent, width=2))
            out.append(
                lambda c: lines.setData(
                    np.repeat(c.x, 2), np.stack([np.zeros(len(c.y)), c.y], axis=1).ravel()
                )
            )
            if curve.band is not None:
                out.append(self._add_error_bars())
        else:
            line = self.plot(pen=pen, connect="finite")
            line.setDownsampling(auto=True, method="peak")  # fringes narrower than a pixel
            out.append(lambda c: line.setData(c.x, c.y))
            if curve.band is not None:
                out.append(self._add_band(curve))
        if curve.points:
            dots = pg.ScatterPlotItem(
                size=DOT_SIZE,
                pen=pen,
                brush=pg.mkBrush(accent),
                hoverable=True,
                tip=lambda x, y, data: literal_tool_tip(data),
            )
            self.addItem(dots)
            out.append(lambda c: dots.setData(c.x, c.y, data=c.points))
        if curve.marked is not None:
            dashes = pg.mkPen(current.color("dim"), style=Qt.PenStyle.DashLine)
            mark = pg.InfiniteLine(pen=dashes)
            self.addItem(mark)
            out.append(lambda c: mark.setValue(c.marked))
        return out

    def _add_error_band(self, curve: Curve) -> Callable[[Curve], object]:
        """Add the filled band of errors around a curve. Returns the function that sets it."""
        mode = "center" if curve.is_histogram else None
        low, high = (pg.PlotCurveItem(curve.x, curve.y, stepMode=mode) for _ in range(2))
        brush = pg.mkBrush(theme.current_theme().color("accent", 0.45))
        self.addItem(pg.FillBetweenItem(low, high, brush=brush))

        def set_band(now: Curve) -> None:
            assert now.band is not None
            low.setData(now.x, now.y - now.band)
            high.setData(now.x, now.y + now.band)

        return set_band

    def _add_error_bars(self) -> Callable[[Curve], object]:
        """Add error bars. Returns the function that sets them."""
        bars = pg.ErrorBarItem(pen=theme.current_theme().color("text"))
        self.addItem(bars)

        def set_bars(now: Curve) -> None:
            assert now.band is not None
            caps = CAP_WIDTH * max(float(np.ptp(now.x)), 1.0)
            bars.setData(x=now.x, y=now.y, height=2 * now.band, beam=caps)

        return set_bars

    def _add_part(self, part: CurvePart) -> pg.PlotDataItem:
        current = theme.current_theme()
        (rgb,) = readable_colors(np.array([part.color]), current)
        pen = pg.mkPen(QColor.fromRgbF(*rgb[:3].tolist()), width=2)
        title = html.escape(elide_text(part.title, MAX_TITLE_LENGTH))
        self._legend.setLabelTextColor(current.color("text"))
        return self.plot(pen=pen, stepMode="center", name=title)

    def _show_ranges(self, curve: Curve) -> None:
        known = curve.y[np.isfinite(curve.y)] if np.isfinite(curve.y).any() else np.zeros(1)
        low, high = float(known.min()), float(known.max())
        if curve.band is not None:
            high = float((curve.y + curve.band).max())
        if not curve.points:
            low, high = min(0.0, low), max(0.0, high)
        elif high == low:
            low, high = low - abs(low) / 2, high + abs(high) / 2
        first, last = float(curve.x.min()), float(curve.x.max())
        wide = 0.0 if last > first else 0.5
        self.setXRange(first - wide, last + wide, padding=RANGE_MARGIN)
        self.setYRange(low, high if high > low else low + 1.0, padding=RANGE_MARGIN)


class PlotOrHint(QStackedWidget):
    """A plot of a curve or, while there is no curve, a hint how to get one."""

    def __init__(self, name: str, hint: str, parent: QWidget, *, counts: bool = False) -> None:
        super().__init__(parent)
        self.plot, self.hint = CurvePlot(name, counts=counts), Hint(hint)
        self.addWidget(self.plot)
        self.addWidget(self.hint)

    def set_plot_visible(self, shown: bool) -> None:
        self.setCurrentWidget(self.plot if shown else self.hint)
