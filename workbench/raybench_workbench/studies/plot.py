"""The plot of a study: a curve, a map, a histogram, or the convergence of a search. The point under
the pointer is marked.
"""

import html
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QWidget

from raybench.study.table import Table
from raybench_workbench import theme
from raybench_workbench.plots.themed_plot import RANGE_MARGIN, CountAxis, ThemedPlot
from raybench_workbench.studies.results import column_title
from raybench_workbench.translation import tr

HISTOGRAM_BINS = 30
COLUMNS = 1_000
"""Columns or rows of a map whose values are not evenly spaced."""
Floats = NDArray[np.float64]


class StudyPlot(ThemedPlot):
    """The plot widget of a study. ``pointed`` is emitted with the row under the pointer, -1 for
    none; ``chosen`` with a row that is clicked.
    """

    pointed = Signal(int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._upwards = CountAxis("left")
        super().__init__(tr("Plot of the study"), parent, axes={"left": self._upwards})
        self._at: Callable[[QPointF], int] = lambda _point: -1
        self._mark = pg.ScatterPlotItem(size=9)
        self._scale: pg.ColorBarItem | None = None
        self.scene().sigMouseMoved.connect(
            lambda position: self.pointed.emit(self._row_at(position))
        )
        self.scene().sigMouseClicked.connect(self._click_row)
        self.update_theme()

    def update_theme(self, *_: object) -> None:
        super().update_theme()
        current = theme.current_theme()
        self._mark.setPen(pg.mkPen(current.color("accent"), width=2))
        self._mark.setBrush(pg.mkBrush(current.color("panel")))
        if self._scale is not None:
            self.style_axis(self._scale.getAxis("right"))

    def show_curve(self, table: Table, measure: int) -> None:
        """Plot a measure over the only parameter, sorted by its values. The line is interrupted
        where light takes another path; choices are not connected.
        """
        x, y = table.rows[:, 0], table.rows[:, measure]
        order = np.argsort(x, kind="stable")
        self._begin_plot(column_title(table, 0), column_title(table, measure))
        self._label_choices("bottom", table, 0)
        pen = pg.mkPen(theme.current_theme().color("accent"), width=1)
        if 0 not in table.choices:
            paths = np.array(table.other_paths or [""] * len(x))[order]
            known = np.isfinite(y[order])
            goes_on = np.append(known[:-1] & known[1:] & (paths[:-1] == paths[1:]), False)
            line = np.nan_to_num(y[order])
            self.plot(x[order], line, pen=pen, connect=goes_on.astype(np.int32), antialias=True)
        if len(x) <= 60:
            brush = pg.mkBrush(theme.current_theme().color("accent"))
            self.addItem(pg.ScatterPlotItem(x, y, size=4, pen=pg.mkPen(None), brush=brush))
        self._finish_plot(x, y)
        if 0 in table.choices:  # so that their names have room
            self.setXRange(-0.5, float(x.max()) + 0.5)

    def show_map(self, table: Table, measure: int) -> None:
        """Plot a measure over two parameters as a colour map, in which each value reaches half way
        to the next. The second parameter is the vertical axis.
        """
        a, b = np.unique(table.rows[:, 0]), np.unique(table.rows[:, 1])
        grid = np.full((len(a), len(b)), np.nan)
        grid[np.searchsorted(a, table.rows[:, 0]), np.searchsorted(b, table.rows[:, 1])] = (
            table.rows[:, measure]
        )
        self._begin_plot(column_title(table, 0), column_title(table, 1))
        self._label_choices("bottom", table, 0)
        self._label_choices("left", table, 1)
        (columns, left, right), (rows, bottom, top) = _equal_width_strips(a), _equal_width_strips(b)
        image = pg.ImageItem(grid[np.ix_(columns, rows)])
        image.setColorMap(pg.colormap.get("viridis"))
        image.setRect(left, bottom, right - left, top - bottom)
        if np.isfinite(grid).any():
            self.addItem(image)
            self._show_scale(
                image, float(np.nanmin(grid)), float(np.nanmax(grid)), column_title(table, measure)
            )
        self._finish_plot(table.rows[:, 0], table.rows[:, 1])
        self.setXRange(left, right, padding=RANGE_MARGIN)
        self.setYRange(bottom, top, padding=RANGE_MARGIN)

    def _show_scale(self, image: pg.ImageItem, low: float, high: float, title: str) -> None:
        """Show the colour scale of a map, which is created for the first map and hidden for other
        plots.
        """
        new = self._scale is None
        if self._scale is None:
            colors = image.getColorMap()
            self._scale = pg.ColorBarItem((low, high), width=10, colorMap=colors, interactive=False)
        self._scale.setImageItem(image, insert_in=self.plotItem if new else None)
        self._scale.setLevels((low, high))
        # beside the numbers: at the left there is no room, and it would stand on the bar
        axis = self._scale.getAxis("right")
        axis.enableAutoSIPrefix(False)
        axis.setWidth(None)
        axis.setLabel(html.escape(title), **self.title_style)
        self.style_axis(axis)
        self._scale.setVisible(True)

    def show_histogram(self, table: Table, measure: int) -> None:
        """Plot how often the values of a measure occur among the samples."""
        values = table.rows[:, measure]
        known = values[np.isfinite(values)]
        self._begin_plot(column_title(table, measure), tr("samples"))
        self._upwards.whole = True
        if not len(known):
            return
        low, high = float(known.min()), float(known.max())
        if high - low <= 1e-12 * max(abs(low), abs(high)):  # all samples are equal
            low, high = low - 0.5, high + 0.5
        counts, edges = np.histogram(known, HISTOGRAM_BINS, (low, high))
        brush = pg.mkBrush(theme.current_theme().color("accent", 0.7))
        bars = {"x0": edges[:-1], "x1": edges[1:], "height": counts}
        self.addItem(pg.BarGraphItem(**bars, pen=pg.mkPen(None), brush=brush))
        self.setXRange(low, high, padding=RANGE_MARGIN)
        self.setYRange(0, max(int(counts.max()), 1), padding=RANGE_MARGIN)

    def show_search_progress(self, merits: list[tuple[int, float]]) -> None:
        """Plot the best merit so far over the number of evaluations."""
        self._begin_plot(tr("evaluations"), tr("best merit"))
        x, y = np.array(merits, np.float64).T
        known = np.abs(y) < 1e30  # not so for NaN
        if not known.any():
            return
        x, y = x[known], y[known]
        pen = pg.mkPen(theme.current_theme().color("accent"), width=1)
        self.plot(x, y, pen=pen, stepMode="right", antialias=True)
        self.setXRange(0, float(x[-1]), padding=RANGE_MARGIN)
        self.setYRange(float(y.min()), float(y.max()), padding=RANGE_MARGIN)

    def clear_plot(self) -> None:
        """Remove everything from the plot."""
        self._begin_plot("", "")

    def mark_point(self, x: float, y: float) -> None:
        """Mark a point of the plot; NaN removes the mark."""
        self._mark.clear()
        if math.isfinite(x) and math.isfinite(y):
            self._mark.setData([x], [y])

    def _begin_plot(self, x_title: str, y_title: str) -> None:
        self.clear()
        if self._scale is not None:
            self._scale.setVisible(False)
        self._at = lambda _point: -1
        self._upwards.whole = False
        self.set_titles(x_title, y_title)
        for axis in ("bottom", "left"):
            self.getAxis(axis).setTicks(None)
        self._mark.clear()

    def _label_choices(self, axis: str, table: Table, column: int) -> None:
        """Label an axis with the names of choices in place of their indices."""
        if choices := table.choices.get(column):
            self.getAxis(axis).setTicks([list(enumerate(choices))])

    def _finish_plot(self, x: Floats, y: Floats) -> None:
        self.addItem(self._mark)
        known = np.isfinite(x) & np.isfinite(y)
        if known.any():
            self.setXRange(float(x[known].min()), float(x[known].max()), padding=RANGE_MARGIN)
            self.setYRange(float(y[known].min()), float(y[known].max()), padding=RANGE_MARGIN)
        spread = [float(np.ptp(v[known])) or 1.0 if known.any() else 1.0 for v in (x, y)]
        # on a curve the nearest across counts, wherever the pointer is
        is_curve = len(np.unique(x)) == len(x)

        def nearest_row(point: QPointF) -> int:
            distance = np.abs(x - point.x()) / spread[0]
            if not is_curve:
                distance = np.hypot(distance, (y - point.y()) / spread[1])
            # a curve may be undefined throughout
            return int(np.nanargmin(distance)) if np.isfinite(distance).any() else -1

        self._at = nearest_row

    def _row_at(self, position: QPointF) -> int:
        box = self.plotItem.vb
        inside = box.sceneBoundingRect().contains(position)
        return self._at(box.mapSceneToView(position)) if inside else -1

    def _click_row(self, event: Any) -> None:
        row = self._row_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self.chosen.emit(row)


def _equal_width_strips(values: Floats) -> tuple[NDArray[np.int64], float, float]:
    """The values resampled to strips of equal width, as an image needs them; each value extends
    half way to its neighbours. ``values`` increase. Returns the index of the value of each strip,
    the start of the first strip and the end of the last.
    """
    steps = np.diff(values) if len(values) > 1 else np.ones(1)
    low, high = float(values[0] - steps[0] / 2), float(values[-1] + steps[-1] / 2)
    count = len(values) if np.ptp(steps) <= 1e-6 * steps.max() else COLUMNS
    middles = low + (high - low) * (np.arange(count) + 0.5) / count
    return np.searchsorted(values[:-1] + np.diff(values) / 2, middles), low, high
