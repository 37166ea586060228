"""A measure over the changes of the scene, with the line in which it is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from raybench.analysis.measures.grammar import Expression
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.scene.document import Document
from raybench.study.terms.completion import measure_names
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.plots.changes import MeasuredChanges
from raybench_workbench.plots.curve_plot import CurvePlot
from raybench_workbench.widgets import Hint, WrappedLabel, complete_with

HINT = "Type a measure, such as power(Screen), to follow it from change to change."


class ChangesPlot(QObject):
    """Plots a measure that the user types; at first the power at the ``detector`` of a document.
    See `PlotKind`.
    """

    titles: ClassVar = {"changes": "A measure over changes"}
    subject = "changes"

    def __init__(
        self,
        document: WorkDocument,
        detector: Callable[[Document], Detector | None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._detector = detector
        self.measured = MeasuredChanges(document, self)
        self.measured.renamed.connect(self._follow_names)
        self._begun = False
        """Whether a measure was written, by the plot or by the user, in this document."""
        self.expression = QLineEdit()
        self.expression.setAccessibleName("Measure")
        self.expression.setPlaceholderText("a measure, such as power(Screen)")
        complete_with(self.expression, lambda: measure_names(document.document))
        self.expression.editingFinished.connect(self._watch)
        self.refusal = WrappedLabel(role="error")
        self.refusal.hide()
        document.opened.connect(self._reset)
        self.note = WrappedLabel(role="dim", selectable=True)
        self.side = QWidget(parent)
        column = QVBoxLayout(self.side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.HALF)
        for part in (self.expression, self.refusal, self.note):
            column.addWidget(part)
        self.plot, self.hint = CurvePlot("A measure over changes", counts=True), Hint(HINT)
        self.view = QStackedWidget(parent)
        self.view.addWidget(self.plot)
        self.view.addWidget(self.hint)

    @property
    def drawn(self) -> bool:
        return self.view.currentWidget() is self.plot

    @property
    def settled(self) -> bool:
        return self.measured.settled

    def csv(self) -> str:
        return self.plot.curve.csv() if self.plot.curve is not None else ""

    def follow(self, name: str, document: Document, result: TraceResult | None) -> None:
        if (
            not self._begun
            and not self.expression.text()
            and (detector := self._detector(document)) is not None
        ):
            self.expression.setText(str(Expression("power", (detector.title,))))
            self._watch()
        self._show()

    def _watch(self) -> None:
        text, refusal = self.expression.text().strip(), ""
        self._begun = self._begun or text != ""
        if not text:
            self.measured.stop()
        elif text != self.measured.expression:
            try:
                self.measured.watch(text)
                self.expression.setModified(False)
            except RaybenchError as error:
                refusal = str(error)
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))

    def _follow_names(self) -> None:
        if not self.expression.isModified():  # else another measure is being typed
            self.expression.setText(self.measured.expression)
        self._show()

    def _reset(self) -> None:
        self.expression.clear()
        self._watch()
        self._begun = False

    def _show(self) -> None:
        curve = self.measured.curve()
        self.view.setCurrentWidget(self.hint if curve is None else self.plot)
        self.plot.show_curve(curve)
        self.note.setText(curve.note if curve is not None else "")
