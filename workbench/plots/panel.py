"""The plot panel: the light at a detector as a curve, the way of power, or a measure over changes; also while something is dragged."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.errors import RaybenchError
from core.files.atomic import write_text
from core.scene.document import Document
from core.trace.results.result import TraceResult
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.file_names import ask_save_name, file_name
from workbench.plots.changes_plot import ChangesPlot
from workbench.plots.curves import PLOTS
from workbench.plots.flow_plot import FlowPlot
from workbench.plots.light_plot import LightPlot
from workbench.selection import Selection
from workbench.words.labels import ElidedLabel

SIDE = 232
PICTURES = (".png", ".svg")
FILTERS = "PNG picture (*.png);;SVG drawing (*.svg);;Numbers as CSV (*.csv)"


class Plot(Protocol):
    """What is painted, and can be written as a picture."""

    def save(self, path: Path) -> None: ...


class PlotKind(Protocol):
    """A kind of plot: ``side`` stands on the left, with a ``note`` as its last line, and ``view``, which holds the ``plot``, beside it."""

    note: ElidedLabel

    @property
    def side(self) -> QWidget: ...
    @property
    def view(self) -> QWidget: ...
    @property
    def plot(self) -> Plot: ...
    @property
    def drawn(self) -> bool:
        """Whether there is something to plot."""
        ...

    @property
    def subject(self) -> str:
        """What is plotted, as the name of a file."""
        ...

    @property
    def settled(self) -> bool:
        """Whether it shows what it was told last."""
        ...

    def follow(self, name: str, document: Document, result: TraceResult | None) -> None:
        """Show the plot of a name; where ``result`` is None, what is shown stays: the document is traced some milliseconds later."""
        ...

    def csv(self) -> str:
        """The numbers of the plot; empty if there are none yet."""
        ...


class PlotPanel(QWidget):
    """Shows the plot that is chosen. It works only while it is visible."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._seen = document, True
        self.light = LightPlot(document, selection, self)
        self.flow = FlowPlot(document, self)
        self.changes = ChangesPlot(document, self.light.detector_of, self)
        self._kinds: dict[str, PlotKind] = {**dict.fromkeys(PLOTS, self.light), "flow": self.flow, "changes": self.changes}
        self.kind = QComboBox(self)
        self.kind.setAccessibleName("Plot")
        titles = [*(p.title for p in PLOTS.values()), "Where power goes", "A measure over changes"]
        for name, title in zip(self._kinds, titles, strict=True):
            self.kind.addItem(title, name)
        self.kind.currentIndexChanged.connect(self._show)
        self.export_button = QPushButton("Export…", self)
        self.export_button.clicked.connect(self.ask_export)
        side = QWidget(self)
        side.setFixedWidth(SIDE)
        column = QVBoxLayout(side)
        column.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        column.setSpacing(theme.HALF)
        column.addWidget(self.kind)
        self._views = QStackedWidget(self)
        for kind in (self.light, self.flow, self.changes):
            column.addWidget(kind.side)
            self._views.addWidget(kind.view)
        column.addStretch(1)
        column.addWidget(self.export_button, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(side)
        line.addWidget(self._views, 1)
        self.changes.measured.changed.connect(self._show)
        document.resultChanged.connect(self._show)
        document.changed.connect(self._show)
        selection.changed.connect(self._show)

    def choose(self, plot: str) -> None:
        """Draw another plot: a name in `PLOTS`, ``flow`` or ``changes``."""
        self.kind.setCurrentIndex(self.kind.findData(plot))

    @property
    def shown(self) -> PlotKind:
        """The kind of the plot that is chosen."""
        return self._kinds[self.kind.currentData()]

    @property
    def settled(self) -> bool:
        """Whether the plots show what they follow."""
        return all(kind.settled for kind in self._kinds.values())

    def set_seen(self, seen: bool) -> None:
        """Tell whether the panel is seen: behind another one it is visible to Qt, but need not work."""
        self._seen = seen
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self, *_: object) -> None:
        if not (self._seen and self.isVisible()):
            return
        shown, document, result = self.shown, self._document.document, self._document.result
        for kind in self._kinds.values():
            kind.side.setVisible(kind is shown)
        self._views.setCurrentWidget(shown.view)
        traced = result is not None and result.revision == document.revision
        shown.follow(self.kind.currentData(), document, result if traced else None)
        self.export_button.setEnabled(shown.drawn)

    def ask_export(self) -> None:
        """Ask for a name, and write the plot or its numbers by its ending."""
        suggested = f"{file_name(self.shown.subject, 'plot')}.png"
        if (path := ask_save_name(self, "Export plot", suggested, FILTERS, (*PICTURES, ".csv"))) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the plot (.png, .svg) or its numbers (.csv)."""
        shown = self.shown
        if not (table := shown.csv()):
            return
        try:
            if path.suffix.lower() == ".csv":
                write_text(path, table)
            elif path.suffix.lower() in PICTURES:
                shown.plot.save(path)
            else:
                raise RaybenchError(f"{path}: a plot is written as .png, .svg or .csv. Let the name end in one of these.")
        except RaybenchError as error:
            self._document.failed.emit(str(error))
            return
        shown.note.set_full_text(f"{path.name} written")
