"""A card for a tool call in the conversation: one line, which can be expanded."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from core.agent.call.call import ToolOutcome
from core.agent.call.events import ToolStarted
from workbench import theme
from workbench.chat.chips import RaySetChip
from workbench.chat.marks import Mark
from workbench.document import WorkDocument
from workbench.panels.messages import ElidedLabel
from workbench.selection import Selection

MAX_CHARACTERS = 200_000
"""Characters of a result shown in an expanded card; more would block the window."""
DETAIL_LINES = 12
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
    """Status mark, sentence, duration and ray set chip; expanded also the arguments and the readable result."""

    def __init__(self, started: ToolStarted, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.started, self._document, self._selection = started, document, selection
        self.outcome: ToolOutcome | None = None
        self.chip: RaySetChip | None = None
        self.header = _Header(self)
        self.header.setAccessibleName(f"Tool call: {started.sentence}")
        self.arrow = Mark("closed", self.header)
        self.mark = Mark("running", self.header)
        self.sentence = ElidedLabel(self.header)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sentence.set_full_text(started.sentence)
        self.time = QLabel("", self.header)
        theme.set_role(self.time, "dim")
        self._line = QHBoxLayout(self.header)
        self._line.setContentsMargins(2 * theme.GRID if started.within else 0, 2, 0, 2)  # nested calls are indented
        self._line.setSpacing(theme.HALF)
        for part in (self.arrow, self.mark):
            self._line.addWidget(part)
        self._line.addWidget(self.sentence, 1)
        self._line.addWidget(self.time)
        self.detail = QPlainTextEdit(self)
        self.detail.setReadOnly(True)
        self.detail.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.detail.setAccessibleName("Arguments and result")
        self.detail.setFont(theme.mono_font())
        self.detail.setFixedHeight(DETAIL_LINES * self.detail.fontMetrics().lineSpacing() + 2 * theme.GRID)
        self.detail.setTabChangesFocus(True)
        self.detail.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.header)
        column.addWidget(self.detail)
        if document.session.fresh_result is None:
            self.time.setText("waits for the trace")

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
        if not self.detail.isHidden():
            self._fill()

    def abandon(self) -> None:
        """Mark the call as stopped if it has no outcome of its own."""
        if self.outcome is None or self.outcome.stopped:
            self.mark.show_kind("stopped")
            self.time.setText("stopped")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrow.setVisible(self.width() >= ARROW_MIN_WIDTH)

    def toggle(self) -> None:
        opened = self.detail.isHidden()
        self.arrow.show_kind("open" if opened else "closed")
        if opened:
            self._fill()
        self.detail.setVisible(opened)

    def _fill(self) -> None:
        lines = [self.started.tool]
        arguments = self.outcome.arguments if self.outcome else self.started.arguments
        lines += [f"  {name} = {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in arguments.items()]
        if self.outcome:
            text = self.outcome.reading
            lines += ["", text[:MAX_CHARACTERS]]
            if len(text) > MAX_CHARACTERS:
                lines.append(f"… {len(text) - MAX_CHARACTERS} more characters")
        self.detail.setPlainText("\n".join(lines))


def _milliseconds(value: float) -> str:
    return f"{value:.1f} ms" if value < 100 else f"{value:.0f} ms"
