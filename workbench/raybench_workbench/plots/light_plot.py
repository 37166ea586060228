"""The plot of the light at a detector: one of the curves in `PLOTS`, with the detector's measures
beside it.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from raybench.analysis.answers.path_notes import WHOLE_SHARE, percent_of_light
from raybench.analysis.measures.bound import BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import EXACT, Measured, Unit
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.rays.bundle import NoFocus
from raybench.analysis.rays.detector_light import DetectorLight, light_at_detector
from raybench.kinds.detectors import Detector
from raybench.scene import RELATIVE
from raybench.scene.document import Document
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.plots.curves import (
    PLOTS,
    SPLIT_TITLES,
    BinnedPlot,
    Curve,
    CurvePlot,
    PlotOrHint,
    split_light,
)
from raybench_workbench.plots.plot_kind import REDUCED, PlotKind
from raybench_workbench.texts import grouped_digits, literal_tool_tip, number_with_error
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import ElidedLabel

MEASURE_DIGITS = 5
"""Digits of a measure without an error."""
DEFAULT_BINS = 100
"""Bins of the plot of a detector that has no bin size of its own."""
MEASURE_NAMES = {
    "power": tr("Relative power"),
    "centroid": tr("Centroid"),
    "rms": tr("RMS width"),
    "width": tr("Full width"),
    "signed_power": tr("Signed power"),
}
"""The measures beside the plot, with their words if powers are relative."""
HINT = tr("No detector in the scene. Draw one, on any surface, to see the irradiance along it.")
SPLITTABLE_PLOTS = ("irradiance", "angles")
"""The plots that can be split."""
NO_CURVE = {
    "irradiance": "",
    "fringes": tr("no light arrives"),
    "angles": tr("no light arrives"),
    "spectrum": tr("the scene simulates no colours"),
    "spot": tr("less than two rays"),
}
"""Why there is no curve, by plot."""


@dataclass(frozen=True)
class PlotRequest:
    """A request for a plot of the light at a detector."""

    document: Document = field(compare=False)
    result: TraceResult
    detector: Detector
    plot: str
    split: str

    @property
    def content(self) -> tuple[int, str, str]:
        """The key of the detector, the plot and the split. Requests that differ only in their
        document and trace have the same content.
        """
        return self.detector.key, self.plot, self.split

    @property
    def measures(self) -> dict[str, BoundMeasure]:
        """The measures beside the plot, by name."""
        key = self.detector.key
        return {
            name: BoundMeasure(
                MEASURES[name], (key,) if name == "signed_power" else (key, None), name
            )
            for name in MEASURE_NAMES
        }

    def light(self, result: TraceResult) -> tuple[Light, DetectorLight]:
        """All light of a trace, and the light at the detector."""
        light = Light.from_document(self.document, result)
        index = light.index_by_key[self.detector.key]
        bins = 0 if self.detector.map_bin_count else DEFAULT_BINS
        return light, light_at_detector(light.result, index, self.detector, bins)


@dataclass(frozen=True, eq=False)
class PlotResult:
    """The result of a plot request: a curve, the texts and tool tips of the measures by name, and a
    note.
    """

    curve: Curve | None
    values: dict[str, tuple[str, str]]
    note: str


def compute_plot(request: PlotRequest) -> PlotResult:
    """Compute a requested plot. This takes long for a large trace."""
    light, at = request.light(request.result)
    values, share = {}, 1.0
    for name, measure in request.measures.items():
        measured = measure.evaluate(light)
        share = min(share, measured.share)
        values[name] = value_and_tool_tip(measured)
    plot = PLOTS[request.plot]
    try:
        if not isinstance(plot, BinnedPlot):
            curve = plot.curve(light, at)
        elif (bins := plot.bins(light, at, None)) is None:
            curve = None
        else:
            curve = plot.draw(light, at, bins)
            if split := split_light(
                light.result, at, request.split if bins.ray_positions is not None else ""
            ):
                curve = split.split(curve, split.values(bins, light.result, at))
    except NoFocus as error:
        return PlotResult(None, values, str(error))
    if curve is None:
        return PlotResult(None, values, NO_CURVE[request.plot])
    note = curve.note or tr("{count} rays", count=grouped_digits(len(at.rows)))
    if share < WHOLE_SHARE:
        note += tr(
            "; widths of {share} of the light, on one path",
            share=percent_of_light(share),
        )
    return PlotResult(curve, values, note)


def value_and_tool_tip(measured: Measured, error: float = 0.0) -> tuple[str, str]:
    """The text of a measured value with its standard error, and its tool tip."""
    unit = "" if measured.unit == Unit.POWER.value else measured.unit
    tip = measured.reason or tr(
        "{value:.{digits}g} {unit}: {about}",
        value=measured.value,
        digits=EXACT,
        unit=measured.unit,
        about=tr(MEASURES[measured.expression].help),
    )
    number = number_with_error(measured.value, error, MEASURE_DIGITS) if measured.defined else ""
    return f"{number} {translate_phrase(unit)}".rstrip() if measured.defined else "—", tip


class LightPlot(PlotKind):
    """The plot of the light at a detector: the selected one, else the one shown last, else the
    first in the scene.
    """

    titles: ClassVar = {plot.name: plot.title for plot in PLOTS.values()}
    plot: CurvePlot
    view: PlotOrHint

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget) -> None:
        super().__init__(document, tr("The plot"), parent)
        self._selection = selection
        self._key: int | None = None
        self.wanted: PlotRequest | None = None
        """What is plotted, or being computed."""
        document.opened.connect(self._clear_plot)
        self.title = ElidedLabel(role="title")
        self.values: dict[str, QLabel] = {}
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(1)
        for i, (name, word) in enumerate(MEASURE_NAMES.items()):
            label, value = QLabel(word), QLabel()
            theme.set_role(label, "label")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setWordWrap(True)  # a small number with its error is long
            value.setAccessibleName(word)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, i, 0)
            grid.addWidget(value, i, 1)
            self.values[name] = value
            if name == "power":
                self._power = label
        self._column.insertWidget(0, self.title)
        self._column.insertLayout(1, grid)
        self.split = QComboBox()
        self.split.setAccessibleName(tr("Split"))
        for name, title in SPLIT_TITLES.items():
            self.split.addItem(title, name)
        self.split.currentIndexChanged.connect(self._update_split)
        self._column.insertWidget(2, self.split)
        self.view = PlotOrHint(tr("Light at the detector"), HINT, parent)
        self.plot = self.view.plot

    @property
    def plotted_object_name(self) -> str:
        return self.title.full_text

    def detector_to_show(self, document: Document) -> Detector | None:
        """The detector of a document whose light is shown."""
        detectors = {o.key: o for o in document.scene.optical if isinstance(o, Detector)}
        keys = *sorted(self._selection.keys), self._key, *detectors
        return next((detectors[k] for k in keys if k in detectors), None)

    def plot_trace(self, name: str, document: Document, result: TraceResult | None) -> None:
        detector = self.detector_to_show(document)
        self._key = detector.key if detector is not None else None
        self.side.setVisible(detector is not None)  # the panel shows it
        self.view.set_plot_visible(detector is not None)
        if detector is None:
            self._clear_plot()
        if detector is None or result is None:
            return
        self.split.setVisible(name in SPLITTABLE_PLOTS)
        wanted = PlotRequest(document, result, detector, name, self.split.currentData())
        if wanted != self.wanted:
            self.wanted = wanted
            self._latest.request_task(
                partial(compute_plot, wanted), partial(self.show_result, wanted)
            )

    def _update_split(self) -> None:
        if (now := self.wanted) is not None:
            self.plot_trace(now.plot, now.document, now.result)

    def _clear_plot(self) -> None:
        """Clear the plot of the previous document, or of a deleted detector, in case the next trace
        fails.
        """
        self._latest.cancel_request()
        self._key = self.wanted = None
        self.title.set_full_text("")
        for value in self.values.values():
            value.setText("—")
            value.setToolTip("")
        self.plot.show_curve(None)
        self.note.setText("")
        self.shown.emit()

    def show_result(self, request: PlotRequest, result: PlotResult) -> None:
        """Show the result of a request, unless something else is plotted meanwhile."""
        now = self.wanted
        if now is None or request.content != now.content:
            return
        self.title.set_full_text(request.detector.title)
        relative = request.result.power_unit == RELATIVE
        self._power.setText(MEASURE_NAMES["power"] if relative else tr("Power"))
        for name, (text, tip) in result.values.items():
            self.values[name].setText(text)
            self.values[name].setToolTip(literal_tool_tip(tip))
        self.plot.show_curve(result.curve)
        reduced = request.result.completion == Completion.REDUCED
        self.note.setText(REDUCED if reduced else result.note)
        self.shown.emit()
