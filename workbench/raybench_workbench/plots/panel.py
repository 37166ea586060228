"""The plot panel: the light at a detector as a curve, the power flow, a measure over changes, or
the aberrations of a lens, updated during drags.
"""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import RaybenchError, elide_text
from raybench.files.atomic import write_text
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name, safe_file_name
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.plots.changes import ChangesPlot
from raybench_workbench.plots.flow import FlowPlot
from raybench_workbench.plots.lens_plot import LensPlot
from raybench_workbench.plots.light_plot import LightPlot
from raybench_workbench.plots.plot_kind import PlotKind
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

SIDE_WIDTH = 232
PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
OUTDATED = tr("From before the last change: the scene cannot be traced now.")
FILTERS = tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Numbers as CSV (*.csv)")


class PlotPanel(QWidget):
    """The panel that shows the chosen plot. It computes nothing while it is hidden."""

    shown = Signal()
    """Another plot is shown, or none."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._in_front = document, True
        self._failed = -1
        """The last revision that could not be traced."""
        self.light = LightPlot(document, selection, self)
        self.flow = FlowPlot(document, self)
        self.changes = ChangesPlot(document, self.light.detector_to_show, self)
        self.lens = LensPlot(document, selection, self)
        self._kinds: tuple[PlotKind, ...] = (self.light, self.flow, self.changes, self.lens)
        self._kind_of = {name: kind for kind in self._kinds for name in kind.titles}
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(tr("Plot"))
        for name, kind in self._kind_of.items():
            self.kind.addItem(kind.titles[name], name)
        self.kind.currentIndexChanged.connect(self._show_plot)
        self.export_button = QPushButton(tr("Export…"), self)
        self.export_button.clicked.connect(self.ask_export)
        side = QWidget(self)
        side.setFixedWidth(SIDE_WIDTH)
        column = QVBoxLayout(side)
        column.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        column.setSpacing(theme.HALF)
        column.addWidget(self.kind)
        self._views = QStackedWidget(self)
        for kind in self._kinds:
            column.addWidget(kind.side)
            self._views.addWidget(kind.view)
        self.outdated = WrappedLabel(role="warning")
        self.outdated.setText(OUTDATED)
        self.outdated.hide()
        column.addWidget(self.outdated)
        column.addStretch(1)
        column.addWidget(self.export_button, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(side)
        line.addWidget(self._views, 1)
        for kind in self._kinds:
            kind.shown.connect(self._show_state)
        self.changes.measured.changed.connect(self._show_plot)
        document.resultChanged.connect(self._show_plot)
        document.changed.connect(self._show_plot)
        document.traceFailed.connect(self._show_failure)
        selection.changed.connect(self._show_plot)

    def choose_plot(self, plot: str) -> None:
        """Show the plot with a name, which is one of the titles of a `PlotKind`."""
        self.kind.setCurrentIndex(self.kind.findData(plot))

    @property
    def chosen(self) -> PlotKind:
        return self._kind_of[self.kind.currentData()]

    @property
    def settled(self) -> bool:
        """Whether the plots show the current document and trace."""
        return all(kind.settled for kind in self._kinds)

    def set_in_front(self, in_front: bool) -> None:
        """Set whether the panel is in front of the others in its dock area, since Qt also counts a
        covered panel as visible.
        """
        self._in_front = in_front
        self._show_plot()
        self.shown.emit()

    @property
    def in_front(self) -> bool:
        """Whether the panel can be seen."""
        return self._in_front and self.isVisible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_plot()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shown.emit()

    def _show_plot(self, *_: object) -> None:
        if not self.in_front:
            return
        chosen, document, result = self.chosen, self._document.document, self._document.result
        for kind in self._kinds:
            kind.side.setVisible(kind is chosen)
        self._views.setCurrentWidget(chosen.view)
        traced = result is not None and result.revision == document.revision
        chosen.plot_trace(self.kind.currentData(), document, result if traced else None)
        self._show_state()

    def _show_failure(self, _: str) -> None:
        self._failed = self._document.document.revision
        self._show_state()

    def _show_state(self) -> None:
        """Show a note if the plot belongs to an earlier state of the scene. It cannot be exported
        then.
        """
        chosen, result = self.chosen, self._document.result
        revision = self._document.document.revision
        traced = result is not None and result.revision == revision
        stale = self._failed == revision and not traced and chosen.of_light
        outdated = chosen.plot.has_plot and stale
        self.outdated.setVisible(outdated)
        self.export_button.setEnabled(chosen.plot.has_plot and not outdated)
        self.shown.emit()

    def ask_export(self) -> None:
        """Ask for a file name and write the plot or its numbers, in the format of the file's
        suffix.
        """
        suggested = f"{safe_file_name(self.chosen.plotted_object_name, 'plot')}.png"
        path = ask_save_name(
            self, tr("Export plot"), suggested, FILTERS, (*PICTURE_SUFFIXES, ".csv")
        )
        if path is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the plot (.png, .svg, .pdf) or its numbers (.csv)."""
        plot, note, failed = self.chosen.plot, self.chosen.note, self._document.failed
        if not plot.has_plot:
            failed.emit(
                tr(
                    "There is no plot to export: {value}.",
                    value=note.text() or "no light was traced",
                )
            )
            return
        try:
            if path.suffix.lower() == ".csv":
                write_text(path, plot.csv())
            elif path.suffix.lower() in PICTURE_SUFFIXES:
                plot.save(path)
            else:
                raise RaybenchError(
                    tr(
                        "{path}: a plot is written as .png, .svg, .pdf or .csv. Use one of these"
                        " suffixes.",
                        path=path,
                    )
                )
        except RaybenchError as error:
            failed.emit(str(error))
        else:
            note.setText(tr("{name} written", name=elide_text(path.name, 60)))
