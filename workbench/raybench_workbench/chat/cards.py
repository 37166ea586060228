"""A card for a tool call in the conversation: one line, which can be expanded."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from raybench.agent.call.events import ToolProgress, ToolStarted
from raybench.agent.call.outcome import ToolOutcome
from raybench_workbench import theme
from raybench_workbench.chat.chips import RaySetChip
from raybench_workbench.chat.marks import Mark
from raybench_workbench.chat.result_view import ResultView
from raybench_workbench.document import WorkDocument
from raybench_workbench.selection import Selection
from raybench_workbench.words.labels import ElidedLabel

STUDIES = ("sweep", "optimise", "tolerance")
"""Tools that run a study."""
ARROW_MIN_WIDTH = 36 * theme.GRID
"""Smallest width of a card with an arrow; narrower cards leave the space to the sentence."""


class _Header(QWidget):
    """The line that expands and collapses the card, by click, Enter or Space."""

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
    """Status mark, sentence, duration and ray set chip; expanded also the arguments and the result
    (`ResultView`).
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
        self.study: QWidget | None = None
        """The button that shows a study in its panel."""
        self.detail: ResultView | None = None
        """The arguments and the result; None while the card is closed."""
        self.header = _Header(self)
        self.header.setAccessibleName(f"Tool call: {started.sentence}")
        self.arrow = Mark("closed", self.header)
        self.mark = Mark("running", self.header)
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
        for part in (self.arrow, self.mark):
            self._line.addWidget(part)
        self._line.addWidget(self.sentence, 1)
        self._line.addWidget(self.time)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.header)
        if document.session.fresh_result is None:
            self.time.setText("waits for the trace")

    def show_progress(self, progress: ToolProgress) -> None:
        """Show how much of the call's work is done."""
        if self.outcome is None:
            self.time.setText(
                progress.words if progress.done is None else f"{100 * progress.done:.0f} %"
            )

    def finish(self, outcome: ToolOutcome) -> None:
        """Show the outcome of the call."""
        self.outcome = outcome
        if outcome.stopped:
            self.abandon()
            return
        self.mark.show_kind("done" if outcome.ok else "failed")
        self.sentence.set_full_text(outcome.sentence)
        self.time.setText("kept" if outcome.cached else _milliseconds(outcome.milliseconds))
        if outcome.rays is not None:
            self.chip = RaySetChip(outcome.rays, self._document, self._selection, self.header)
            self._line.addWidget(self.chip)
        if outcome.ok and outcome.tool in STUDIES:
            self._link_study(outcome)
        if self.detail is not None:
            self._open()

    def _link_study(self, outcome: ToolOutcome) -> None:
        # imports studies, which the first window does not need
        from raybench_workbench.chat.study_link import (
            StudyLink,
            study_of,
        )

        request = study_of(outcome.tool, outcome.arguments)
        if request is not None and self.study is None:
            self.study = StudyLink(request, self._selection, self)
            self._column.addWidget(self.study)
            self.study.show()

    def abandon(self) -> None:
        """Mark the call as stopped if it has no outcome of its own."""
        if self.outcome is None or self.outcome.stopped:
            self.mark.show_kind("stopped")
            self.time.setText("stopped")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrow.setVisible(self.width() >= ARROW_MIN_WIDTH)

    def toggle(self) -> None:
        """Open the card, or close it."""
        self.arrow.show_kind("closed" if self.detail else "open")
        if self.detail is None:
            self._open()
        else:
            self._close()

    def _open(self) -> None:
        self._close()
        arguments = self.outcome.arguments if self.outcome else self.started.arguments
        self.detail = ResultView(self.started.tool, arguments, self.outcome, self)
        self._column.insertWidget(1, self.detail)  # above the link to a study
        self.detail.show()

    def _close(self) -> None:
        if self.detail is not None:
            self.detail.hide()
            self.detail.deleteLater()
            self.detail = None


def _milliseconds(value: float) -> str:
    return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
