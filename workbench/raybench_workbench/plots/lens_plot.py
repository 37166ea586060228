"""The plots of the aberrations of a lens of the scene, which follow its surfaces as they change."""

from functools import partial
from typing import ClassVar

from PySide6.QtWidgets import QComboBox, QStackedWidget, QWidget

from raybench.errors import RaybenchError
from raybench.lens.curves import LENS_PLOTS, Figure, lens_figure
from raybench.lens.in_document import lens_systems
from raybench.lens.prescription import Prescription
from raybench.scene.document import Document
from raybench.trace.results.result import TraceResult
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.plots.figure_view import FigureView
from raybench_workbench.plots.plot_kind import PlotKind
from raybench_workbench.translation import tr
from raybench_workbench.widgets import Hint

HINT = tr(
    "No lens system in the scene. Open a lens file, or insert one from Lenses,"
    " to see its aberrations."
)


class LensPlot(PlotKind):
    """The plot of a lens, one of `LENS_PLOTS`. It shows the selected lens, else the one shown last,
    else the first in the scene.
    """

    titles: ClassVar = {"lens": tr("Aberrations of a lens")}
    of_light = False
    plot: FigureView
    view: QStackedWidget

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget) -> None:
        super().__init__(document, tr("The plot of the lens"), parent)
        self._document, self._selection = document, selection
        self._shown: tuple[str, Prescription, str] | None = None
        """The name and prescription of the lens, and the plot that is shown or computed."""
        self._selected: frozenset[int] = frozenset()
        """The selected objects whose lens was chosen last."""
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Plot of the lens"))
        for plot in LENS_PLOTS.values():
            self.choice.addItem(tr(plot.title), plot.name)
        self.choice.setCurrentIndex(self.choice.findData("ray_fan"))
        self.lens = QComboBox()
        self.lens.setAccessibleName(tr("Lens"))
        self._column.insertWidget(0, self.choice)
        self._column.insertWidget(1, self.lens)
        self.plot, self.hint = FigureView(parent), Hint(HINT)
        self.view = QStackedWidget(parent)
        self.view.addWidget(self.plot)
        self.view.addWidget(self.hint)
        self.choice.activated.connect(self._show_current)
        self.lens.activated.connect(self._show_current)

    @property
    def plotted_object_name(self) -> str:
        return f"{self.lens.currentText()} {self.choice.currentData()}"

    def choose_plot(self, name: str) -> None:
        """Show the plot with a name of `LENS_PLOTS`."""
        self.choice.setCurrentIndex(self.choice.findData(name))
        self._show_current()

    def plot_trace(self, name: str, document: Document, result: TraceResult | None) -> None:
        lenses = lens_systems(document)
        if [self.lens.itemText(i) for i in range(self.lens.count())] != [*lenses]:
            chosen = self.lens.currentText()
            self.lens.clear()
            self.lens.addItems([*lenses])
            self.lens.setCurrentIndex(max(self.lens.findText(chosen), 0))
        if self._selection.keys != self._selected:
            self._selected = self._selection.keys
            parts = [p for key in self._selected if (p := document.part_of_object(key)) is not None]
            for part in parts:
                if document.part_name(part) in lenses:
                    self.lens.setCurrentText(document.part_name(part))
        for widget in (self.choice, self.lens):
            widget.setEnabled(bool(lenses))
        self.lens.setVisible(len(lenses) > 1)
        chosen = self.lens.currentText()
        if chosen not in lenses:
            self._latest.cancel_request()
            self._shown = None
            self._show_figure("", HINT)
            return
        wanted = chosen, lenses[chosen], self.choice.currentData()
        if wanted != self._shown:
            self._shown = wanted
            self._latest.request_task(
                partial(_compute_figure, *wanted[1:]), partial(self._take_figure, wanted)
            )

    def _show_current(self) -> None:
        self.plot_trace("lens", self._document.document, None)

    def _take_figure(self, wanted: tuple[str, Prescription, str], figure: Figure | str) -> None:
        shown = self._shown
        if shown is not None and (wanted[0], wanted[2]) == (shown[0], shown[2]):
            self._show_figure(wanted[0], figure)

    def _show_figure(self, title: str, figure: Figure | str) -> None:
        """Show a plot, or the reason why it cannot be computed."""
        drawn = isinstance(figure, Figure)
        self.plot.show_figure(figure if isinstance(figure, Figure) else None, title)
        self.hint.setText("" if isinstance(figure, Figure) else figure)
        self.view.setCurrentWidget(self.plot if drawn else self.hint)
        self.note.setText("")
        self.shown.emit()


def _compute_figure(system: Prescription, name: str) -> Figure | str:
    """The plot of a lens, or the reason why it cannot be computed."""
    try:
        return lens_figure(system, name)
    except RaybenchError as error:
        return str(error)
