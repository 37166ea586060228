"""What the kinds of plots have in common."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from raybench.scene.document import Document
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import WrappedLabel

REDUCED = "reduced while dragging"
"""The note while a part of the rays is traced."""


class Plot(Protocol):
    """A widget with a plot that can be saved as a picture, or its numbers as CSV."""

    @property
    def has_plot(self) -> bool: ...
    def csv(self) -> str: ...
    def save(self, path: Path) -> None: ...


class PlotKind(QObject):
    """A kind of plot: ``side`` on the left, with a ``note`` as its last line, and ``view``, which
    contains the ``plot``, on the right. What it shows is computed in the background.
    """

    titles: ClassVar[Mapping[str, str]]
    """The titles of its plots by name, in the order in which they are listed."""
    plot: Plot
    view: QWidget
    shown = Signal()
    """Another plot is shown, or none."""

    def __init__(self, document: WorkDocument, what: str, parent: QWidget) -> None:
        """``what`` is named where the computation fails."""
        super().__init__(parent)
        self._latest = Latest(self, document.failed.emit, what, late=True)
        self.note = WrappedLabel(role="dim", selectable=True)
        self.side = QWidget(parent)
        self._column = QVBoxLayout(self.side)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.HALF)
        self._column.addWidget(self.note)

    @property
    def subject(self) -> str:
        """The object of the plot, which names exported files."""
        raise NotImplementedError

    @property
    def settled(self) -> bool:
        """Whether it shows what `follow` was last called with."""
        return not self._latest.is_working

    def follow(self, name: str, document: Document, result: TraceResult | None) -> None:
        """Show the plot with a name. If ``result`` is None the visible plot stays: the document is
        being traced.
        """
        raise NotImplementedError
