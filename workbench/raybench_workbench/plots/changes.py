"""The plot of a measure over the changes of a scene: its value after each change, undo and redo."""

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from raybench.analysis.measures.bound import Bound, bind_measures
from raybench.analysis.measures.grammar import Expression, InvalidMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.kinds.detectors import Detector
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.scene.parameters.renaming import Renaming
from raybench.study.request import rename_in_measures
from raybench.study.terms.parameter import measure_names
from raybench.trace.results.result import TraceResult
from raybench_workbench.document import WorkDocument
from raybench_workbench.plots.curves import Curve, CurvePlot, PlotOrHint
from raybench_workbench.plots.plot_kind import PlotKind
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr, translate_phrase, with_decimal_sign
from raybench_workbench.widgets import WrappedLabel, offer_name_completion

MAX_VALUES = 1_000
"""Number of values that are kept; the oldest are dropped."""
HINT = tr("Type a measure, such as power(Screen), to follow it from change to change.")


@dataclass(frozen=True)
class MeasuredValue:
    """The value of a measure after a change, which ``words`` describe. A value during a drag is not
    ``final``: the next value replaces it.
    """

    revision: int
    words: str
    measured: Measured
    final: bool

    @property
    def description(self) -> str:
        """The text with the change and the value, or with the reason why the value is undefined."""
        measured = self.measured
        unit = unit_suffix(translate_phrase(measured.unit))
        number = f"{with_decimal_sign(measured.digits)}{unit}"
        return f"{self.words}: {number if measured.defined else measured.reason}"


class ChangeMeasurer(QObject):
    """Evaluates a chosen measure after each trace of a document, in the background. Traces are
    skipped if they arrive faster than they can be evaluated.
    """

    changed = Signal()
    """`values` or the `expression` changed."""
    renamed = Signal()
    """The `expression` follows another name of an object."""

    def __init__(
        self, document: WorkDocument, latest: LatestTaskRunner, parent: QObject | None = None
    ) -> None:
        """``latest`` runs the measurements in a thread."""
        super().__init__(parent)
        self._document, self._latest = document, latest
        self._bound: Bound | None = None
        self._done = 0
        """Number of steps in the history at the last change; a smaller number afterwards means an
        undo.
        """
        self._watched = 0
        """Counts the measures that were chosen: a value of an earlier one, whose computation went
        on, is none of this one.
        """
        self.expression = ""
        self.values: list[MeasuredValue] = []
        document.opened.connect(self.stop_measuring)
        document.changed.connect(self._update_renamed_objects)
        document.resultChanged.connect(self._measure_result)

    def watch_measure(self, text: str) -> None:
        """Evaluate another measure expression from now on. Raises the errors of `bind_measures`,
        and then keeps the current expression.
        """
        bound = bind_measures(text, self._document.document)
        if len(bound) != 1:
            raise InvalidMeasure(tr("Give one measure."))
        self._watched += 1
        self._bound, self.expression = bound[0], text
        self.values = []
        self._done = len(self._document.session.history.done)
        self.changed.emit()
        self._measure_result()

    def _update_renamed_objects(self, before: Document, after: Document) -> None:
        """Rename objects in the expression as they were renamed by a change."""
        if self._bound is None or (renaming := Renaming.between(before, after)) is None:
            return
        expression = rename_in_measures(renaming, self.expression)
        with contextlib.suppress(RaybenchError):  # the object is gone, as the next value says
            self._bound, self.expression = bind_measures(expression, after)[0], expression
        self.renamed.emit()

    def value_curve(self) -> Curve | None:
        """The curve of the values over their index from 0; None if there are no values."""
        if not self.values:
            return None
        measured = [v.measured for v in self.values]
        y = np.array([m.value if m.defined else math.nan for m in measured])
        unit = next((m.unit for m in reversed(measured) if m.defined), "")
        number = np.arange(len(y), dtype=np.float64)
        table = {
            "change": number,
            "what": np.array([v.words for v in self.values], object),
            f"{self.expression} [{unit}]" if unit else self.expression: y,
        }
        up = f"{self.expression} ({translate_phrase(unit)})" if unit else self.expression
        points = tuple(v.description for v in self.values)
        return Curve(number, y, tr("change"), up, table, points=points, note=points[-1])

    def stop_measuring(self) -> None:
        """Stop measuring and forget all values."""
        self._latest.cancel_request()
        self._bound, self.expression, self.values = None, "", []
        self.changed.emit()

    def _measure_result(self, *_: object) -> None:
        document, result = self._document.document, self._document.result
        if self._bound is None or result is None or result.revision != document.revision:
            return
        final = self._document.gesture is None and result is self._document.session.fresh_result
        words, watched = self._change_description(final), self._watched

        def take(measured: Measured) -> None:
            if watched == self._watched:
                self._append_value(MeasuredValue(result.revision, words, measured, final))

        self._latest.request_task(partial(_measured_value, self._bound, document, result), take)

    def _change_description(self, final: bool) -> str:
        history, before = self._document.session.history, self._done
        if not final:
            return tr("now")
        self._done = len(history.done)
        if self._done < before and history.undone:
            return tr("{words}, taken back", words=history.undone[-1].text)
        return tr(history.done[-1].text) if history.done else tr("at first")

    def _append_value(self, value: MeasuredValue) -> None:
        while self.values and not self.values[-1].final:
            self.values.pop()
        units = {v.measured.unit for v in self.values if v.measured.defined}
        if value.measured.defined and units - {value.measured.unit}:
            self.values = []  # the document has another unit
        if not self.values or self.values[-1].revision != value.revision:
            self.values = [*self.values[1 - MAX_VALUES :], value]
        self.changed.emit()


def _measured_value(bound: Bound, document: Document, result: TraceResult) -> Measured:
    try:
        return bound.evaluate(Light.from_document(document, result))
    except RaybenchError as error:  # an object of the measure is gone
        return Measured(math.nan, "", bound.expression, str(error))


class ChangesPlot(PlotKind):
    """The plot of a measure that the user types; by default the power at the ``detector``."""

    titles: ClassVar = {"changes": tr("A measure over changes")}
    of_light = False
    plotted_object_name = "changes"
    plot: CurvePlot
    view: PlotOrHint

    def __init__(
        self,
        document: WorkDocument,
        detector: Callable[[Document], Detector | None],
        parent: QWidget,
    ) -> None:
        super().__init__(document, tr("The measure over changes"), parent)
        self._detector = detector
        self.measured = ChangeMeasurer(document, self._latest, self)
        self.measured.renamed.connect(self._update_renamed_objects)
        self._begun = False
        """Whether a measure was written, by the plot or by the user, in this document."""
        self.expression = QLineEdit()
        self.expression.setAccessibleName(tr("Measure", "noun"))
        self.expression.setPlaceholderText(tr("a measure, such as power(Screen)"))
        offer_name_completion(self.expression, lambda: measure_names(document.document))
        self.expression.editingFinished.connect(self._watch_chosen_measure)
        self.refusal = WrappedLabel(role="error")
        self.refusal.hide()
        document.opened.connect(self._reset_curves)
        self._column.insertWidget(0, self.expression)
        self._column.insertWidget(1, self.refusal)
        self.view = PlotOrHint(tr("A measure over changes"), HINT, parent, counts=True)
        self.plot = self.view.plot

    def plot_trace(self, name: str, document: Document, result: TraceResult | None) -> None:
        if not self._begun and not self.expression.text():
            detector = self._detector(document)
            if detector is not None:
                self.expression.setText(str(Expression("power", (detector.title,))))
                self._watch_chosen_measure()
        self._show_changes()

    def _watch_chosen_measure(self) -> None:
        text, refusal = self.expression.text().strip(), ""
        self._begun = self._begun or text != ""
        if not text:
            self.measured.stop_measuring()
        elif text != self.measured.expression:
            try:
                self.measured.watch_measure(text)
                self.expression.setModified(False)
            except RaybenchError as error:
                refusal = str(error)
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))

    def _update_renamed_objects(self) -> None:
        if not self.expression.isModified():  # else another measure is being typed
            self.expression.setText(self.measured.expression)
        self._show_changes()

    def _reset_curves(self) -> None:
        self.expression.clear()
        self._watch_chosen_measure()
        self._begun = False

    def _show_changes(self) -> None:
        curve = self.measured.value_curve()
        self.view.set_plot_visible(curve is not None)
        self.plot.show_curve(curve)
        self.note.setText(curve.note if curve is not None else "")
