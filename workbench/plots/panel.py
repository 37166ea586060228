"""The plot panel: the light at a detector as a curve, with its measures beside it, or the way of power; also while something is dragged."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.analysis.measures.bound import BoundMeasure
from core.analysis.measures.grammar import Expression
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Unit
from core.analysis.measures.table import MEASURES
from core.analysis.profiles.power_flow import PowerFlow, power_flow
from core.analysis.rays.detector_light import light_at
from core.errors import RaybenchError
from core.files.atomic import write_text
from core.kinds.detectors import Detector
from core.scene.document import Document
from core.study.terms.completion import measure_names
from core.trace.codes import Completion
from core.trace.results.result import TraceResult
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.file_names import ask_save_name
from workbench.panels.themed_plot import MARGIN, ThemedPlot
from workbench.plots.changes import MeasuredChanges
from workbench.plots.curves import PLOTS, Curve
from workbench.plots.flow import FlowView, flow_csv
from workbench.selection import Selection
from workbench.threads.latest import Latest
from workbench.words.completion import complete_with
from workbench.words.counts import counted
from workbench.words.labels import ElidedLabel, WrappedLabel
from workbench.words.plain_text import tool_tip

BINS = 100
"""Bins of the plot of a detector that has no bin size of its own."""
NAMES = {"power": "Power", "centroid": "Centroid", "rms": "RMS width", "width": "Full width", "signed_power": "Signed power"}
"""The measures beside the plot, with their words."""
SIDE = 232
HINT = "No detector in the scene. Draw one to see the irradiance along it."
NOTHING = {"irradiance": "", "angles": "no light arrives", "spectrum": "the scene simulates no colours", "spot": "less than two rays"}
"""Why there is no curve, by plot."""
FLOW, CHANGES = "flow", "changes"
"""The names of the plots that belong to no detector."""
FILTERS = "PNG picture (*.png);;SVG drawing (*.svg);;Numbers as CSV (*.csv)"


DOT = 6
"""Size of a dot, in pixels."""


def _tip(x: float, y: float, data: str) -> str:
    return tool_tip(data)


@dataclass(frozen=True, eq=False)
class _Answer:
    """A curve or a flow, the words and tool tips of the measures by name, and a note."""

    curve: Curve | None
    flow: PowerFlow | None
    values: dict[str, tuple[str, str]]
    note: str


@dataclass(frozen=True)
class _Wanted:
    """What is to be shown: a plot of the light at a detector, or the flow of all light."""

    document: Document = field(compare=False)
    result: TraceResult
    detector: Detector | None
    plot: str

    @property
    def key(self) -> int | None:
        return self.detector.key if self.detector is not None else None


def _measured(wanted: _Wanted) -> _Answer:
    """What is wanted; in a large trace it takes long."""
    light, detector, document = Light.of(wanted.document, wanted.result), wanted.detector, wanted.document
    if detector is None:
        return _Answer(None, power_flow(light), {}, "in parts of all emitted power")
    values = {}
    for name in NAMES:
        measure = MEASURES[name]
        found = BoundMeasure(measure, (detector.key,) if name == "signed_power" else (detector.key, None), name).of(light)
        unit = f" {found.unit}" if measure.unit is Unit.LENGTH else ""
        tip = found.reason or f"{found.number}: {measure.help}"
        values[name] = f"{found.value:.5g}{unit}" if found.defined else "—", tip
    at = light_at(light.result, light.index_by_key[detector.key], detector, 0 if detector.irrad_map else BINS)
    curve = PLOTS[wanted.plot].curve(light.result, detector, at, document.unit)
    note = curve.note or f"{counted(len(at.rows))} rays" if curve is not None else NOTHING[wanted.plot]
    return _Answer(curve, None, values, note)


class PlotPanel(QWidget):
    """Shows the selected detector; without one, that shown last or the first of the scene. It works only while it is visible."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self._key: int | None = None
        self._wanted: _Wanted | None = None
        self._latest, self._seen = Latest(self, document.failed.emit, "The plot", late=True), True
        self._answer: _Answer | None = None
        self.kind = QComboBox(self)
        self.kind.setAccessibleName("Plot")
        for plot in PLOTS.values():
            self.kind.addItem(plot.title, plot.name)
        self.kind.addItem("Where power goes", FLOW)
        self.kind.addItem("A measure over changes", CHANGES)
        self.kind.currentIndexChanged.connect(self._retheme)
        self.title, self.note = ElidedLabel(self, role="title"), ElidedLabel(self, role="dim")
        self.values: dict[str, QLabel] = {}
        self.export_button = QPushButton("Export…", self)
        self.export_button.clicked.connect(self.ask_export)
        self.changes = MeasuredChanges(document, self)
        self.changes.changed.connect(self._show_changes)
        self.expression = QLineEdit(self)
        self.expression.setAccessibleName("Measure")
        self.expression.setPlaceholderText("a measure, such as power(Screen)")
        complete_with(self.expression, lambda: measure_names(document.document))
        self.expression.editingFinished.connect(self._watch)
        self.refusal = WrappedLabel(parent=self, role="error")
        self.flow = FlowView(self)
        self.plot = ThemedPlot("Light at the detector", self)
        for side in ("left", "bottom"):  # a factor such as 0.001 in the title is easily overlooked
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.plot.retheme()
        self.hint = QLabel(HINT, self)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme.set_role(self.hint, "dim")
        self._side = QWidget(self)
        self._side.setFixedWidth(SIDE)
        self._build()
        document.resultChanged.connect(self._show)
        document.changed.connect(self._show)
        selection.changed.connect(self._show)
        theme.notifier.changed.connect(self._retheme)

    def _build(self) -> None:
        column = QVBoxLayout(self._side)
        column.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        column.setSpacing(theme.HALF)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(1)
        for i, (name, word) in enumerate(NAMES.items()):
            label, value = QLabel(word, self), QLabel(self)
            theme.set_role(label, "label")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setAccessibleName(word)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, i, 0)
            grid.addWidget(value, i, 1)
            self.values[name] = value
        column.addWidget(self.kind)
        column.addWidget(self.title)
        self._measures = QWidget(self._side)
        grid.setContentsMargins(0, 0, 0, 0)
        self._measures.setLayout(grid)
        column.addWidget(self._measures)
        column.addWidget(self.expression)
        column.addWidget(self.refusal)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addWidget(self.export_button, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self._side)
        line.addWidget(self.plot, 1)
        line.addWidget(self.flow, 1)
        line.addWidget(self.hint, 1)

    def choose(self, plot: str) -> None:
        """Draw another plot: a name in `PLOTS`, `FLOW` or `CHANGES`."""
        self.kind.setCurrentIndex(self.kind.findData(plot))

    def set_seen(self, seen: bool) -> None:
        """Tell whether the panel is seen: behind another one it is visible to Qt, but need not work."""
        self._seen = seen
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _retheme(self, *_: object) -> None:
        self._wanted = None
        self._show()

    def _detector(self) -> Detector | None:
        detectors = {o.key: o for o in self._document.scene.optical if isinstance(o, Detector)}
        chosen = [k for k in (*sorted(self._selection.keys), self._key) if k in detectors]
        obj = detectors[chosen[0]] if chosen and chosen[0] is not None else next(iter(detectors.values()), None)
        self._key = obj.key if obj is not None else None
        return obj

    def _show(self, *_: object) -> None:
        if not (self._seen and self.isVisible()):
            return
        detector, result, document = self._detector(), self._document.result, self._document.document
        plot = self.kind.currentData()
        drawn = detector is not None or plot in (FLOW, CHANGES)
        self.plot.setVisible(drawn and plot != FLOW)
        self.flow.setVisible(plot == FLOW)
        for part in (self.title, self._measures):
            part.setVisible(detector is not None and plot in PLOTS)
        self.expression.setVisible(plot == CHANGES)
        self.refusal.setVisible(plot == CHANGES and bool(self.refusal.text()))
        self.hint.setVisible(not drawn)
        self.export_button.setEnabled(drawn)
        if plot == CHANGES:
            self._wanted = None
            self._suggest(detector)
            self._show_changes()
            return
        if result is None or result.revision != document.revision or not drawn:
            return  # during a drag the values of the last trace stay until the next one, some milliseconds later
        wanted = _Wanted(document, result, None if plot == FLOW else detector, plot)
        if wanted != self._wanted:
            self._wanted = wanted
            self._latest.ask(partial(_measured, wanted), partial(self._measured, wanted))

    def _suggest(self, detector: Detector | None) -> None:
        """Measure the power at the detector, where nothing was chosen yet."""
        if not self.changes.expression and not self.expression.text() and detector is not None:
            self.expression.setText(str(Expression("power", (detector.title,))))
            self._watch()

    def _watch(self) -> None:
        text = self.expression.text().strip()
        self.refusal.clear()
        if text and text != self.changes.expression:
            try:
                self.changes.watch(text)
            except RaybenchError as error:
                self.refusal.setText(str(error))
        self.refusal.setVisible(bool(self.refusal.text()))

    def _show_changes(self) -> None:
        if not self.changes.expression:
            self.expression.clear()
        if self.kind.currentData() == CHANGES and self._seen and self.isVisible():
            curve = self.changes.curve()
            self._answer = _Answer(curve, None, {}, "")
            self._draw(curve)
            self.note.set_full_text(curve.note if curve is not None else "")

    @property
    def curve(self) -> Curve | None:
        """The curve that is shown."""
        return self._answer.curve if self._answer is not None else None

    @property
    def settled(self) -> bool:
        """Whether what is wanted is shown."""
        return not self._latest.working and self.changes.settled

    def _measured(self, wanted: _Wanted, answer: _Answer) -> None:
        now = self._wanted
        if now is not None and (wanted.key, wanted.plot) == (now.key, now.plot):
            self._show_answer(wanted, answer)

    def _show_answer(self, wanted: _Wanted, answer: _Answer) -> None:
        reduced = wanted.result.completion == Completion.REDUCED
        self._answer = answer
        if answer.flow is not None:
            self.flow.show_flow(answer.flow)
        if wanted.detector is not None:
            self.title.set_full_text(wanted.detector.title)
            self._draw(answer.curve)
        for name, (text, tip) in answer.values.items():
            self.values[name].setText(text)
            self.values[name].setToolTip(tool_tip(tip))
        self.note.set_full_text("reduced while dragging" if reduced else answer.note)

    def _draw(self, curve: Curve | None) -> None:
        accent = theme.current().color("accent")
        self.plot.clear()
        self.plot.set_titles(curve.across if curve is not None else "", curve.up if curve is not None else "")
        if curve is None or not len(curve.y):
            return
        pen, fill = pg.mkPen(accent, width=1), pg.mkBrush(theme.current().color("accent", 0.2))
        if curve.steps:
            self.plot.plot(curve.x, curve.y, stepMode="center", pen=pen, fillLevel=0.0, brush=fill)
        elif curve.lines:
            feet = np.stack([np.zeros(len(curve.y)), curve.y], axis=1).ravel()
            self.plot.plot(np.repeat(curve.x, 2), feet, connect="pairs", pen=pg.mkPen(accent, width=2))
        else:
            self.plot.plot(curve.x, curve.y, pen=pen, connect="finite")
        if curve.points:
            dots = pg.ScatterPlotItem(curve.x, curve.y, size=DOT, pen=pen, brush=pg.mkBrush(accent), hoverable=True, tip=_tip)
            dots.setData(curve.x, curve.y, data=curve.points)
            self.plot.addItem(dots)
        if curve.marked is not None:
            dashes = pg.mkPen(theme.current().color("dim"), style=Qt.PenStyle.DashLine)
            self.plot.addItem(pg.InfiniteLine(curve.marked, pen=dashes))
        known = curve.y[np.isfinite(curve.y)] if np.isfinite(curve.y).any() else np.zeros(1)
        low, high = float(known.min()), float(known.max())
        if not curve.points:
            low, high = min(0.0, low), max(0.0, high)
        elif high == low:
            low, high = low - abs(low) / 2, high + abs(high) / 2
        first, last = float(curve.x.min()), float(curve.x.max())
        wide = 0.0 if last > first else 1.0
        self.plot.setXRange(first - wide, last + wide, padding=MARGIN)
        self.plot.setYRange(low, high if high > low else low + 1.0, padding=MARGIN)

    def ask_export(self) -> None:
        """Ask for a name, and write the plot or its numbers by its ending."""
        subjects = {FLOW: "power", CHANGES: "changes"}
        subject = subjects.get(self.kind.currentData(), self.title.full_text)
        if (path := ask_save_name(self, "Export plot", f"{subject}.png", FILTERS, (".png", ".svg", ".csv"))) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the plot (.png, .svg) or its numbers (.csv)."""
        flow = self._answer.flow if self._answer is not None else None
        table = flow_csv(flow) if flow is not None else self.curve.csv() if self.curve is not None else ""
        if not table:
            return
        try:
            if path.suffix.lower() == ".csv":
                write_text(path, table)
            elif path.suffix.lower() in (".png", ".svg"):
                (self.flow if flow is not None else self.plot).save(path)
            else:
                raise RaybenchError(f"{path}: a plot is written as .png, .svg or .csv. Let the name end in one of these.")
        except RaybenchError as error:
            self._document.failed.emit(str(error))
            return
        self.note.set_full_text(f"{path.name} written")
