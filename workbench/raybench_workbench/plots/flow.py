"""The plot of the power flow as a Sankey diagram: ribbons from the sources on the left to the
objects where the power ends, on the right.
"""

from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from raybench.analysis.geometry.straight import Floats, Rows
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit
from raybench.analysis.profiles import PowerFlow, power_flow
from raybench.files.csv_text import csv_table
from raybench.optics.colour import wavelength_to_rgb
from raybench.raster.coloring import CATEGORY_COLORS
from raybench.scene import RELATIVE
from raybench.scene.document import Document
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.canvas.strokes import set_pen_and_brush
from raybench_workbench.document import WorkDocument
from raybench_workbench.export.picture_files import save_painting
from raybench_workbench.plots.plot_kind import REDUCED, PlotKind
from raybench_workbench.translation import tr
from raybench_workbench.widgets import elide_to_width

BAR_WIDTH = 10
"""Width of the bars at the ends, in pixels."""
BAR_SPACING = 6
"""Space between bars, in pixels."""
MAX_BARS = 14
"""Number of bars on a side; beyond it, those with the least power are merged."""


class FlowView(QWidget):
    """The widget that shows a `PowerFlow`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Power from source to end"))
        self.flow: PowerFlow | None = None
        theme.notifier.changed.connect(self.update)

    @property
    def has_plot(self) -> bool:
        return self.flow is not None and bool(self.flow.power.any())

    def show_flow(self, flow: PowerFlow | None) -> None:
        self.flow = flow
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_flow(painter, self.flow, self.size())

    def save(self, path: Path) -> None:
        """Write the diagram to a file, see `save_painting`."""
        size = self.size()
        save_painting(path, size, lambda painter: paint_flow(painter, self.flow, size))

    def csv(self) -> str:
        """The power flow as CSV text: source, end, power, and the fraction of the source's power."""
        flow = self.flow
        unit = Unit.POWER.symbol("", RELATIVE if flow is None else flow.power_unit)
        titles = ["source", "end", f"power [{unit}]", tr("part of the source")]
        return csv_table(titles, flow.rows() if flow is not None else [])


def merge_weak_flows(flow: PowerFlow, most: int) -> PowerFlow:
    """The power flow with at most ``most`` (at least 2) sources and ends. The weakest are merged
    into one, which comes last.
    """
    by_source, sources, kept = _merge_weak_rows(flow.power, flow.sources, most, "sources")
    by_end, ends, _ = _merge_weak_rows(by_source.T, flow.ends, most, "ends")
    return PowerFlow(sources, ends, by_end.T, flow.wavelengths[kept], flow.power_unit)


def _merge_weak_rows(
    power: Floats, names: tuple[str, ...], most: int, noun: str
) -> tuple[Floats, tuple[str, ...], Rows]:
    """The rows (k, n) of at most ``most`` names, with the weakest merged. Also the names of these
    rows, and the indices of the rows that are not merged.
    """
    if len(names) <= most:
        return power, names, np.arange(len(names))
    strongest = np.argsort(-power.sum(axis=1), kind="stable")
    kept, rest = np.sort(strongest[: most - 1]), strongest[most - 1 :]
    merged = np.vstack([power[kept], power[rest].sum(axis=0)])
    return (
        merged,
        (*(names[i] for i in kept), tr("{count} other {what}", count=len(rest), what=noun)),
        kept,
    )


def paint_flow(painter: QPainter, flow: PowerFlow | None, size: QSize) -> None:
    """Paint the diagram of a power flow into a widget of this size."""
    current, area = theme.current_theme(), QRectF(QPointF(), size.toSizeF())
    painter.fillRect(area, current.color("panel"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.text_font(theme.SMALL_SIZE))
    if flow is None:  # not measured yet
        return
    total = float(flow.power.sum())
    if total <= 0:
        painter.setPen(current.color("dim"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, tr("No light is emitted."))
        return
    flow = merge_weak_flows(flow, MAX_BARS)
    power, ending = flow.power, flow.power.sum(axis=0).tolist()
    metrics, grid = painter.fontMetrics(), theme.GRID
    width_of = metrics.horizontalAdvance
    widest = min(size.width() / 3, size.width() / 2 - 3 * BAR_WIDTH - 3 * grid)  # of a label
    names = [elide_to_width(name, metrics, widest) for name in flow.sources]
    parts = [f"  {100 * part / total:.3g} %" for part in ending]
    shares = [
        elide_to_width(end, metrics, widest - width_of(part)) + part
        for end, part in zip(flow.ends, parts, strict=True)
    ]
    left = max(map(width_of, names)) + 3 * grid
    right = size.width() - max(map(width_of, shares)) - 3 * grid
    height = size.height() - 2 * grid - BAR_SPACING * (max(power.shape) - 1)
    if right - left < 6 * BAR_WIDTH or height < 20:
        return
    rgb = CATEGORY_COLORS[np.arange(len(names)) % len(CATEGORY_COLORS)]
    one = np.flatnonzero(~np.isnan(flow.wavelengths))
    rgb[one] = wavelength_to_rgb(flow.wavelengths[one])
    colors = [QColor.fromRgbF(*each) for each in readable_colors(rgb, current).tolist()]
    unit, below = height / float(power.sum()), metrics.ascent() / 2 - 2
    starts = np.cumsum([0.0, *(part * unit + BAR_SPACING for part in ending[:-1])]) + grid
    used, y = starts.tolist(), float(grid)
    for i, row in enumerate(power.tolist()):
        color = colors[i]
        faint, top = QColor(color), y
        faint.setAlphaF(0.34)
        for k, part in enumerate(row):
            if part > 0:
                set_pen_and_brush(painter, None, faint)
                painter.drawPath(
                    _ribbon_path(left + BAR_WIDTH, y, right - BAR_WIDTH, used[k], part * unit)
                )
                y += part * unit
                used[k] += part * unit
        set_pen_and_brush(painter, None, color)
        painter.drawRect(QRectF(left, top, BAR_WIDTH, max(y - top, 1.0)))
        painter.setPen(current.color("text"))
        at = QPointF(left - grid - width_of(names[i]), (top + y) / 2 + below)
        painter.drawText(at, names[i])
        y += BAR_SPACING
    last = -1e9
    for start, text, part in zip(starts.tolist(), shares, ending, strict=True):
        set_pen_and_brush(painter, None, current.color("dim"))
        painter.drawRect(QRectF(right - BAR_WIDTH, start, BAR_WIDTH, max(part * unit, 1.0)))
        last = max(start + part * unit / 2 + below, last + metrics.height())
        painter.setPen(current.color("text"))
        painter.drawText(QPointF(right + grid, last), text)


def _ribbon_path(x1: float, y1: float, x2: float, y2: float, thick: float) -> QPainterPath:
    middle = (x1 + x2) / 2
    path = QPainterPath(QPointF(x1, y1))
    path.cubicTo(QPointF(middle, y1), QPointF(middle, y2), QPointF(x2, y2))
    path.lineTo(QPointF(x2, y2 + thick))
    path.cubicTo(QPointF(middle, y2 + thick), QPointF(middle, y1 + thick), QPointF(x1, y1 + thick))
    path.closeSubpath()
    return path


class FlowPlot(PlotKind):
    """Computes and plots the power flow of all light in a trace."""

    titles: ClassVar = {"flow": tr("Where power goes")}
    plotted_object_name = "power"
    plot: FlowView

    def __init__(self, document: WorkDocument, parent: QWidget) -> None:
        super().__init__(document, tr("The plot"), parent)
        self._result: TraceResult | None = None
        self.view = self.plot = FlowView(parent)
        document.opened.connect(self._clear_plot)

    def plot_trace(self, name: str, document: Document, result: TraceResult | None) -> None:
        if result is not None and result is not self._result:
            self._result = result
            self._latest.request_task(
                lambda: power_flow(Light.from_document(document, result)),
                partial(self._show_flow, result),
            )

    def _clear_plot(self) -> None:
        """Clear the plot of the previous document, in case the trace of the next one fails."""
        self._latest.cancel_request()
        self._result = None
        self.plot.show_flow(None)
        self.note.setText("")
        self.shown.emit()

    def _show_flow(self, result: TraceResult, flow: PowerFlow) -> None:
        if self._result is None:
            return
        self.plot.show_flow(flow)
        emitted = (
            tr("in parts of all emitted power") if self.plot.has_plot else tr("no light is emitted")
        )
        self.note.setText(REDUCED if result.completion == Completion.REDUCED else emitted)
        self.shown.emit()
