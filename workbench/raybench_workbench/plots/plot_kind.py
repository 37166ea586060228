"""The base of all kinds of plots."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from raybench.scene.document import Document
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

REDUCED = tr("reduced while dragging")
"""The note while a part of the rays is traced."""


class ExportablePlot(Protocol):
    """A widget with a plot, which can be saved as a picture or as CSV numbers."""

    @property
    def has_plot(self) -> bool: ...
    def csv(self) -> str: ...
    def save(self, path: Path) -> None: ...


class PlotKind(QObject):
    """A kind of plot: ``side`` is the widget on the left with a ``note`` as its last line, and
    ``view`` on the right contains the ``plot``. The plot is computed in the background.
    """

    titles: ClassVar[Mapping[str, str]]
    """The titles of its plots by name, in the order in which they are listed."""
    of_light: ClassVar[bool] = True
    """Whether its plots are those of the last trace."""
    plot: ExportablePlot
    view: QWidget
    shown = Signal()
    """Another plot is shown, or none."""

    def __init__(self, document: WorkDocument, task: str, parent: QWidget) -> None:
        """``task`` names the plot in the message of a failed computation."""
        super().__init__(parent)
        self._latest = LatestTaskRunner(self, document.failed.emit, task, late=True)
        self.note = WrappedLabel(role="dim", selectable=True)
        self.side = QWidget(parent)
        self._column = QVBoxLayout(self.side)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.HALF)
        self._column.addWidget(self.note)

    @property
    def plotted_object_name(self) -> str:
        """The name of the object in the plot, used for the names of exported files."""
        raise NotImplementedError

    @property
    def settled(self) -> bool:
        """Whether the plot shows the arguments of the last call of `plot_trace`."""
        return not self._latest.is_working

    def plot_trace(self, name: str, document: Document, result: TraceResult | None) -> None:
        """Show the plot with a name. If ``result`` is None, because the document is being traced,
        the visible plot stays.
        """
        raise NotImplementedError
