"""Cards for tool calls in the conversation: each is one line that can be expanded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from raybench.agent.call.approval import ApprovalRequest, Decision, ProposedEdit
from raybench.agent.call.events import ToolProgress, ToolStarted
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.tools.tool import EFFECT_REMEDY
from raybench.errors import RaybenchError, elide_text
from raybench.scene.changes import Set
from raybench.scene.document import Document
from raybench_workbench import theme
from raybench_workbench.chat.answer_text import StateMark
from raybench_workbench.chat.chips import RaySetChip
from raybench_workbench.chat.result_view import AnswerTables, ResultView, tables_with_bars
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.pinning import pin_measures
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedLabel,
    WrappedLabel,
    column_layout,
    describe_widget,
    push_button,
    row_layout,
)

if TYPE_CHECKING:
    from raybench.study.request import StudyRequest

ARROW_MIN_WIDTH = 36 * theme.GRID
"""Smallest width of a card with an arrow; narrower cards leave the space to the sentence."""


class _CardHeader(QWidget):
    """The line of a card that expands and collapses it, by a click, Enter or Space."""

    def __init__(self, card: ToolCard) -> None:
        super().__init__(card)
        self._card = card
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.set_role(self, "line")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._card.toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._card.toggle()
        else:
            super().keyPressEvent(event)


class ToolCard(QFrame):
    """The card of a tool call: its status, sentence, duration and ray set chip. When expanded, it
    also shows the arguments and the result (`ResultView`).
    """

    def __init__(
        self,
        started: ToolStarted,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.started, self._document, self._selection = started, document, selection
        self.outcome: ToolOutcome | None = None
        self.chip: RaySetChip | None = None
        self.study: QPushButton | None = None
        """The button that shows a study in its panel."""
        self.pin: QPushButton | None = None
        """The button that pins the measures of the answer."""
        self.detail: ResultView | None = None
        """The arguments and the result; None while the card is closed."""
        self.compared: AnswerTables | None = None
        """The tables with bars that the closed card shows; None if it shows none."""
        self.header = _CardHeader(self)
        self.header.setAccessibleName(tr("Tool call: {sentence}", sentence=started.sentence))
        self.arrow = StateMark("closed", self.header)
        self.mark = StateMark("running", self.header)
        self.sentence = ElidedLabel(self.header, selectable=False)
        self.sentence.set_full_text(started.sentence)
        self.time = QLabel("", self.header)
        self.time.setTextFormat(Qt.TextFormat.PlainText)
        theme.set_role(self.time, "dim")
        self._line = QHBoxLayout(self.header)
        self._line.setContentsMargins(
            2 * theme.GRID if started.within else 0, 2, 0, 2
        )  # nested calls are indented
        self._line.setSpacing(theme.HALF)
        for part in (self.arrow, self.mark, self.sentence, self.time):
            self._line.addWidget(part, part is self.sentence)
        self._column = column_layout(self.header, on=self, margins=0, spacing=2)
        if document.session.fresh_result is None:
            self.time.setText(tr("waits for the trace"))

    def show_progress(self, progress: ToolProgress) -> None:
        """Show how much of the call's work is done."""
        if self.outcome is None:
            self.time.setText(
                progress.words if progress.done is None else f"{100 * progress.done:.0f} %"
            )

    def show_outcome(self, outcome: ToolOutcome) -> None:
        """Show the outcome of the call."""
        self.outcome = outcome
        if outcome.stopped:
            self.mark_stopped()
            return
        self.mark.show_state("done" if outcome.ok else "failed")
        self.sentence.set_full_text(outcome.sentence)
        took = tr(
            "{spent:.{digits}f} ms",
            spent=outcome.milliseconds,
            digits=int(outcome.milliseconds < 100),
        )
        self.time.setText(tr("kept") if outcome.cached else took)
        if outcome.rays is not None:
            self.chip = RaySetChip(outcome.rays, self._document, self._selection, self.header)
            self._line.addWidget(self.chip)
        request = study_from_call(outcome.tool, outcome.arguments) if outcome.ok else None
        if request is not None and self.study is None:
            self.study = push_button(
                tr("Show in the study panel"),
                lambda: self._selection.studyWanted.emit(request),
                tip=tr("Run it there, with a plot whose points can be applied and exported"),
            )
            self._column.addWidget(self.study, 0, Qt.AlignmentFlag.AlignLeft)
            self.study.show()
        if self.detail is not None:
            self._show_details(True)

    def mark_stopped(self) -> None:
        """Show that the call was stopped, if it has no outcome yet."""
        if self.outcome is None or self.outcome.stopped:
            self.mark.show_state("stopped")
            self.time.setText(tr("stopped"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrow.setVisible(self.width() >= ARROW_MIN_WIDTH)

    def toggle(self) -> None:
        """Expand the card if it is collapsed, else collapse it."""
        self._show_details(self.detail is None)

    def _show_details(self, shown: bool) -> None:
        self.arrow.show_state("open" if shown else "closed")
        if self.detail is not None:
            self.detail.hide()
            self.detail.deleteLater()
            self.detail = None
        if shown:
            arguments = self.outcome.arguments if self.outcome else self.started.arguments
            self.detail = ResultView(
                self.started.tool, arguments, self.outcome, self._document, self._selection, self
            )
            self._column.insertWidget(1, self.detail)  # above the button of a study
            self.detail.show()
        if self.compared is not None:
            self.compared.setVisible(not shown)

    def show_answer(self) -> None:
        """Show the result in the collapsed card: its tables with bars or, without any, all values;
        and a button that pins its measures.
        """
        outcome = self.outcome
        if outcome is None or self.detail is not None:
            return
        if tables := tables_with_bars(outcome):
            self.compared = AnswerTables(outcome, self._document, self._selection, self)
            for table in tables:
                self.compared.add_table(table, titled=len(tables) > 1)
            self._column.insertWidget(1, self.compared)
            self.compared.show()
        elif not outcome.complete_sentence:
            self.toggle()
        if not tables and outcome.measures_by_place:
            measures = "; ".join(outcome.measures_by_place.values())
            self.pin = push_button(
                tr("Pin"),
                lambda: pin_measures(self._document, measures),
                name=tr("Pin {measures}", measures=measures),
                tip=tr("Keep the value beside its object: it follows every change"),
            )
            self._column.addWidget(self.pin, 0, Qt.AlignmentFlag.AlignLeft)
            self.pin.show()


MAX_CHANGES, MAX_VALUES = 8, 6
"""Number of changes that are listed, and of values of each."""
MANY_POINTS = 3
"""Number of changed points from which on they are counted instead of listed: the canvas shows them.
"""
MAX_ARGUMENT = 200
"""Length of an argument."""
ARROW = " → "
"""Between the values before and after."""
NO_BREAK = "\u00a0"
MAX_UNBROKEN = 24
"""Length up to which a value is kept on one line: what fits across the card in the narrowest chat.
"""
MAX_BESIDE_NAME = 12
"""Length up to which a value stands beside its name."""
QUESTIONS = {
    "edit": tr("Change the scene?"),
    "destructive": tr("Run {tool}? It cannot be undone."),
    "external": tr("Run {tool}? It acts outside of the scene."),
}


class ApprovalCard(QFrame):
    """A card that asks the user to approve a call, once. The signal ``decided`` carries the
    `Decision`.
    """

    decided = Signal(object)

    def __init__(self, request: ApprovalRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self.open = True
        theme.set_role(self, "approval")
        self.setAccessibleName(tr("Approval: {title}", title=request.title))
        if request.edit is None and request.tool.assumed:
            question = tr("Run {name}? {remedy}", name=request.tool.name, remedy=EFFECT_REMEDY)
        else:
            kind = "edit" if request.edit is not None else request.tool.effect
            question = QUESTIONS[kind].format(tool=request.tool.name)
        self.title = WrappedLabel(question, self, role="title")
        self.edit = request.edit
        """The edit as it would be made to the document as it stands; None if there is none, or if
        it can no longer be made.
        """
        self.rows: list[tuple[str, str]] = []
        self.body = self._make_body_widget()
        self.obstacle = WrappedLabel("", self, role="warning")
        self.obstacle.hide()
        self.once = push_button(
            tr("Allow once"), lambda: self._decide_call(Decision(True)), role=""
        )
        self.always = push_button(
            tr("In this chat"),
            lambda: self._decide_call(Decision(True, always=True)),
            tip=literal_tool_tip(
                tr(
                    "Allow {name} until a new conversation begins, without asking again",
                    name=request.tool.name,
                )
            ),
            role="",
        )
        self.reason = describe_widget(
            QLineEdit(self, placeholderText=tr("Why not?")),
            name=tr("Reason for declining"),
            tip=tr("The model is told"),
        )
        self.reason.setMinimumWidth(1)
        self.reason.returnPressed.connect(self._deny_call)
        self.deny = push_button(tr("Decline"), self._deny_call, role="")
        allow = row_layout(self.once, self.always, 1, spacing=theme.HALF)
        decline = row_layout((self.reason, 1), self.deny, spacing=theme.HALF)
        self.outcome = ElidedLabel(self, role="dim")
        self.outcome.hide()
        self._column = column_layout(
            self.outcome,
            self.title,
            self.body,
            self.obstacle,
            allow,
            decline,
            on=self,
            margins=theme.GRID,
            spacing=theme.HALF,
        )
        self._answers = (self.once, self.always, self.reason, self.deny)

    def preview_edit(self, document: Document) -> None:
        """Show the proposed edit as it would change this document or, if it is no longer possible,
        the reason.
        """
        if self.request.edit is None or not self.open:
            return
        obstacle = ""
        try:
            self.edit = self.request.edit.for_document(document)
        except RaybenchError as error:
            self.edit, obstacle = (
                None,
                tr("No longer possible: {title}. {error}", title=self.request.title, error=error),
            )
        else:
            shown, self.body = self.body, self._make_body_widget()
            self._column.replaceWidget(shown, self.body)
            shown.hide()
            shown.deleteLater()
        self.obstacle.setText(obstacle)
        self.obstacle.setVisible(bool(obstacle))
        for allow in (self.once, self.always):
            allow.setEnabled(not obstacle)

    def _make_body_widget(self) -> QWidget:
        """The widget with the rows of the proposed edit, or of the call's arguments."""
        body = QWidget(self)
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, theme.HALF)
        grid.setHorizontalSpacing(theme.GRID)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self.rows = list(_card_rows(self.request, self.edit))
        for label, value in self.rows:
            _add_row(body, grid, label, value)
        return body

    @property
    def what(self) -> str:
        """The sentence that says what the call would do."""
        return self.edit.description if self.edit is not None else self.request.title

    def close_with_outcome(self, text: str) -> None:
        """Replace the question by a line that states its outcome."""
        self.open = False
        for part in (self.title, self.body, self.obstacle, *self._answers):
            part.hide()
        self.outcome.set_full_text(text)
        self.outcome.show()
        theme.set_role(self, "")
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def _deny_call(self) -> None:
        self._decide_call(Decision(False, reason=self.reason.text()))

    def _decide_call(self, decision: Decision) -> None:
        if not self.open:
            return
        reason = f" ({decision.reason.strip()})" if decision.reason.strip() else ""
        how = (
            tr("Allowed for this conversation")
            if decision.always
            else tr("Allowed")
            if decision.allowed
            else f"Declined{reason}"
        )
        self.close_with_outcome(f"{how}: {self.what}")
        self.decided.emit(decision)


def _add_row(body: QWidget, grid: QGridLayout, label: str, value: str) -> None:
    """Add a row with a label and its value, beside or below the label; a row without a value is a
    heading.
    """
    row = grid.rowCount()
    if not value:  # a heading
        grid.addWidget(WrappedLabel(label, body), row, 0, 1, 2)
        return
    name, text = (
        QLabel(elide_text(label, 20), body),
        WrappedLabel(_with_no_break_spaces(value), body),
    )
    name.setTextFormat(Qt.TextFormat.PlainText)
    theme.set_role(name, "dim")
    text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
    if max(map(len, value.split(ARROW))) <= MAX_BESIDE_NAME:
        grid.addWidget(text, row, 1)
    else:
        grid.addWidget(text, row + 1, 0, 1, 2)


def _card_rows(request: ApprovalRequest, edit: ProposedEdit | None) -> Iterator[tuple[str, str]]:
    """The rows of an approval card as (label, value): headings without a value, values before and
    after the edit, or arguments.
    """
    if edit is None:
        for name, value in request.arguments.items():
            yield (
                name,
                elide_text(
                    (
                        value
                        if isinstance(value, str)
                        else json.dumps(value, ensure_ascii=False, default=str)
                    ),
                    MAX_ARGUMENT,
                ),
            )
        return
    steps = edit.steps
    for change, (words, differences) in list(zip_longest(edit.changes, steps))[:MAX_CHANGES]:
        values = [d for d in differences if d.before and d.after]
        # the values describe what a Set does, the words any other change
        yield values[0].subject if isinstance(change, Set) and values else words, ""
        points = [d for d in values if d.label.endswith("]")]
        many = len(points) >= MANY_POINTS
        shown = [d for d in values if not (many and d in points)]
        for d in shown[:MAX_VALUES]:
            value, _, unit = d.before.rpartition(" ")  # a unit that both share is written once
            before = value if value and d.after.endswith(f" {unit}") else d.before
            yield d.label, f"{before}{ARROW}{d.after}"
        if many:
            yield points[0].label.partition("[")[0], tr("{count} points", count=len(points))
    if (more := len(steps) - MAX_CHANGES) > 0:
        yield tr("and 1 more change") if more == 1 else tr("and {more} more changes", more=more), ""


def _with_no_break_spaces(value: str) -> str:
    """The text with no-break spaces inside short values, so that a line breaks only at the arrow
    between the values.
    """
    first, arrow, second = value.partition(ARROW)
    if not arrow or max(len(first), len(second)) > MAX_UNBROKEN:
        return value
    return f"{first.replace(' ', NO_BREAK)} →{NO_BREAK}{second.replace(' ', NO_BREAK)}"


def study_from_call(tool: str, arguments: Mapping[str, Any]) -> StudyRequest | None:
    """The request for the study that a tool call ran; None if the call ran no study or its
    arguments cannot be read.
    """
    from raybench.analysis.measures.grammar import read_measures  # a study loads all measures
    from raybench.study.request import StudyRequest

    try:
        if tool == "sweep":
            return StudyRequest(
                tool,
                vary=_value_texts(arguments["axes"]),
                measures=tuple(map(str, read_measures(arguments["measures"]))),
            )
        if tool in ("optimise", "tolerance"):
            lists = {
                name: _value_texts(arguments.get(name))
                for name in ("vary", "measures", "limits", "adjust", "goals", "links")
            }
            return StudyRequest.from_json({**arguments, "kind": tool, **lists})
    except (KeyError, TypeError, RaybenchError):  # a stored conversation of another version
        return None
    return None


def _value_texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value or ()))
