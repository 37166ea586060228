"""Where the power of each source goes."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from raybench.analysis.measures.light import Light
from raybench.analysis.profiles import PowerFlow, power_flow
from raybench.scene.document import Document
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench_workbench.document import WorkDocument
from raybench_workbench.plots.flow import FlowView, flow_csv
from raybench_workbench.plots.light_plot import REDUCED
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import WrappedLabel


class FlowPlot(QObject):
    """Measures the flow of all light in the background. See `PlotKind`."""

    titles: ClassVar = {"flow": "Where power goes"}
    subject = "power"
    shown = Signal()
    """Another plot is shown, or none."""

    def __init__(self, document: WorkDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self._result: TraceResult | None = None
        self._latest = Latest(self, document.failed.emit, "The plot", late=True)
        document.opened.connect(self._forget)
        self.side = self.note = WrappedLabel(parent=parent, role="dim", selectable=True)
        self.view = self.plot = FlowView(parent)

    @property
    def drawn(self) -> bool:
        return self.plot.flow is not None and bool(self.plot.flow.power.any())

    @property
    def settled(self) -> bool:
        return not self._latest.working

    def csv(self) -> str:
        return flow_csv(self.plot.flow) if self.plot.flow is not None and self.drawn else ""

    def follow(self, name: str, document: Document, result: TraceResult | None) -> None:
        if result is not None and result is not self._result:
            self._result = result
            self._latest.ask(
                lambda: power_flow(Light.of(document, result)), partial(self._show, result)
            )

    def _forget(self) -> None:
        """Show nothing of the last document, even where the trace of the next one fails."""
        self._latest.drop()
        self._result = None
        self.plot.show_flow(None)
        self.note.setText("")
        self.shown.emit()

    def _show(self, result: TraceResult, flow: PowerFlow) -> None:
        if self._result is None:
            return
        self.plot.show_flow(flow)
        emitted = "in parts of all emitted power" if self.drawn else "no light is emitted"
        self.note.setText(REDUCED if result.completion == Completion.REDUCED else emitted)
        self.shown.emit()
