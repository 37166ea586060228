"""A measure over the changes of a scene: its value after each change, undo and redo."""

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from raybench.analysis.measures.bound import Bound, bind
from raybench.analysis.measures.grammar import Expression, InvalidMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.scene.document import Document
from raybench.study.request import Renaming
from raybench.study.terms.parameter import measure_names
from raybench.trace.results.result import TraceResult
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.plots.curves import Curve, CurvePlot
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import Hint, WrappedLabel, complete_with

MAX_VALUES = 1_000
"""Number of values that are kept; the oldest are dropped."""
HINT = "Type a measure, such as power(Screen), to follow it from change to change."


@dataclass(frozen=True)
class Value:
    """The value of a measure after a change, described by ``words``. During a drag it is not
    ``final``: the next value replaces it.
    """

    revision: int
    words: str
    measured: Measured
    final: bool

    @property
    def described(self) -> str:
        """The change, and the value or why it is undefined."""
        return (
            f"{self.words}:"
            f" {self.measured.number if self.measured.defined else self.measured.reason}"
        )


class MeasuredChanges(QObject):
    """Measures every trace of a document in the background, once a measure is chosen. Traces that
    arrive faster than they can be measured are skipped.
    """

    changed = Signal()
    """`values` or the `expression` changed."""
    renamed = Signal()
    """The `expression` follows another name of an object."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._bound: Bound | None = None
        self._done = 0
        """Number of steps in the history at the last change; a smaller number afterwards means an
        undo.
        """
        self._watched = 0
        """Counts the measures that were chosen: a value of an earlier one, whose computation went
        on, is none of this one.
        """
        self._latest = Latest(self, document.failed.emit, "The measure over changes", late=True)
        self.expression = ""
        self.values: list[Value] = []
        document.opened.connect(self.stop)
        document.changed.connect(self._follow_names)
        document.resultChanged.connect(self._measure_result)

    @property
    def settled(self) -> bool:
        """Whether the current trace has been measured."""
        return not self._latest.working

    def watch(self, text: str) -> None:
        """Measure another expression from now on. Raises the errors of `bind`, and then keeps the
        current one.
        """
        bound = bind(text, self._document.document)
        if len(bound) != 1:
            raise InvalidMeasure("Give one measure.")
        self._watched += 1
        self._bound, self.expression = bound[0], text
        self.values = []
        self._done = len(self._document.session.history.done)
        self.changed.emit()
        self._measure_result()

    def _follow_names(self, before: Document, after: Document) -> None:
        """Name in the expression what it named before a change."""
        if self._bound is None or (renaming := Renaming.between(before, after)) is None:
            return
        expression = renaming.of_measures(self.expression)
        with contextlib.suppress(RaybenchError):  # the object is gone, as the next value says
            self._bound, self.expression = bind(expression, after)[0], expression
        self.renamed.emit()

    def curve(self) -> Curve | None:
        """The values over their number, from 0; None without values."""
        if not self.values:
            return None
        y = np.array([v.measured.value if v.measured.defined else math.nan for v in self.values])
        unit = next((v.measured.unit for v in reversed(self.values) if v.measured.defined), "")
        number = np.arange(len(y), dtype=np.float64)
        words = [v.words for v in self.values]
        table = {
            "change": number,
            "what": np.array(words, object),
            f"{self.expression}{f' [{unit}]' if unit else ''}": y,
        }
        up = f"{self.expression} ({unit})" if unit else self.expression
        return Curve(
            number,
            y,
            "change",
            up,
            table,
            points=tuple(v.described for v in self.values),
            note=self.values[-1].described,
        )

    def stop(self) -> None:
        """Measure nothing, and forget the values."""
        self._latest.drop()
        self._bound, self.expression, self.values = None, "", []
        self.changed.emit()

    def _measure_result(self, *_: object) -> None:
        document, result = self._document.document, self._document.result
        if self._bound is None or result is None or result.revision != document.revision:
            return
        final = self._document.gesture is None and result is self._document.session.fresh_result
        value, watched = (
            partial(Value, result.revision, self._change_described(final), final=final),
            self._watched,
        )

        def take(measured: Measured) -> None:
            if watched == self._watched:
                self._keep_value(value(measured=measured))

        self._latest.ask(partial(_measured_value, self._bound, document, result), take)

    def _change_described(self, final: bool) -> str:
        history, before = self._document.session.history, self._done
        if not final:
            return "now"
        self._done = len(history.done)
        if self._done < before and history.undone:
            return f"{history.undone[-1].text}, taken back"
        return history.done[-1].text if history.done else "at first"

    def _keep_value(self, value: Value) -> None:
        while self.values and not self.values[-1].final:
            self.values.pop()
        if value.measured.defined and any(
            v.measured.defined and v.measured.unit != value.measured.unit for v in self.values
        ):
            self.values = []  # the document has another unit
        if not self.values or self.values[-1].revision != value.revision:
            self.values = [*self.values[1 - MAX_VALUES :], value]
        self.changed.emit()


def _measured_value(bound: Bound, document: Document, result: TraceResult) -> Measured:
    try:
        return bound.evaluate(Light.of(document, result))
    except RaybenchError as error:  # an object of the measure is gone
        return Measured(math.nan, "", bound.expression, str(error))


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
        self.expression.editingFinished.connect(self._watch_measures)
        self.refusal = WrappedLabel(role="error")
        self.refusal.hide()
        document.opened.connect(self._reset_curves)
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
            self._watch_measures()
        self._show_changes()

    def _watch_measures(self) -> None:
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
        self._show_changes()

    def _reset_curves(self) -> None:
        self.expression.clear()
        self._watch_measures()
        self._begun = False

    def _show_changes(self) -> None:
        curve = self.measured.curve()
        self.view.setCurrentWidget(self.hint if curve is None else self.plot)
        self.plot.show_curve(curve)
        self.note.setText(curve.note if curve is not None else "")
