"""A curve as a plot: a line, a histogram, vertical lines, or dots with tool tips."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from raybench_workbench import theme
from raybench_workbench.plots.curves import Curve
from raybench_workbench.plots.themed_plot import MARGIN, CountAxis, ThemedPlot
from raybench_workbench.texts import tool_tip

DOT = 6
"""Size of a dot, in pixels."""


class CurvePlot(ThemedPlot):
    """Shows a `Curve`, or nothing."""

    def __init__(self, name: str, parent: QWidget | None = None, *, counts: bool = False) -> None:
        """``counts`` are whole numbers along the horizontal axis."""
        super().__init__(name, parent, axes={"bottom": CountAxis("bottom")} if counts else None)
        self.curve: Curve | None = None
        self.retheme()

    def retheme(self, *_: object) -> None:
        super().retheme()
        self.show_curve(self.curve)

    def show_curve(self, curve: Curve | None) -> None:
        """Show another curve."""
        self.curve = curve
        self.clear()
        self.set_titles(
            curve.across if curve is not None else "", curve.up if curve is not None else ""
        )
        drawn = curve is not None and len(curve.y) > 0
        for side in ("left", "bottom"):  # whose numbers would be those of an earlier curve
            self.showAxis(side, drawn)
        if curve is None or not drawn:
            return
        accent, faint = theme.current().color("accent"), theme.current().color("accent", 0.2)
        pen = pg.mkPen(accent, width=1)
        if curve.steps:
            self.plot(
                curve.x, curve.y, stepMode="center", pen=pen, fillLevel=0.0, brush=pg.mkBrush(faint)
            )
        elif curve.lines:
            feet = np.stack([np.zeros(len(curve.y)), curve.y], axis=1).ravel()
            self.plot(np.repeat(curve.x, 2), feet, connect="pairs", pen=pg.mkPen(accent, width=2))
        else:
            self.plot(curve.x, curve.y, pen=pen, connect="finite")
        if curve.points:
            dots = pg.ScatterPlotItem(
                curve.x,
                curve.y,
                size=DOT,
                pen=pen,
                brush=pg.mkBrush(accent),
                hoverable=True,
                tip=_tip,
            )
            dots.setData(curve.x, curve.y, data=curve.points)
            self.addItem(dots)
        if curve.marked is not None:
            dashes = pg.mkPen(theme.current().color("dim"), style=Qt.PenStyle.DashLine)
            self.addItem(pg.InfiniteLine(curve.marked, pen=dashes))
        self._show_ranges(curve)

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


def _tip(x: float, y: float, data: str) -> str:
    return tool_tip(data)
