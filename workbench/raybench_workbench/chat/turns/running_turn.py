"""A turn of the agent while it runs: its text, its calls and its questions are shown as they come."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from raybench.agent.call.events import (
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnEvent,
    TurnFinished,
)
from raybench.agent.turn.transcript import Call, Exchange, revision_of
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns.turn_cards import TurnCards
from raybench_workbench.document import WorkDocument

COALESCE = 40
"""Time for which streamed text is buffered before it is shown, in milliseconds."""


class RunningTurn(QObject):
    """The text and calls since a question. ``offline``: the answer is one sentence, and the values
    are in the cards.
    """

    called = Signal(object)
    """A call has ended, with its `ToolOutcome`."""
    finished = Signal(object)
    """The turn has ended, with a `TurnFinished`."""

    def __init__(
        self,
        question: str,
        messages: MessageList,
        cards: TurnCards,
        document: WorkDocument,
        *,
        offline: bool,
    ) -> None:
        super().__init__()  # without a parent: it is deleted after the turn
        self.question, self.cards = question, cards
        self.shown: QWidget | None = None
        """The question in the conversation."""
        self.number: int | None = None
        """The agent's number of the turn; None until it has begun."""
        self._messages, self._document, self._offline = messages, document, offline
        self._before = document.document
        self._parts: list[str | Call] = []
        self._pending = ""
        self._flush_timer = QTimer(self, singleShot=True, interval=COALESCE)
        self._flush_timer.timeout.connect(self.flush)

    @property
    def text(self) -> str:
        """The agent's text so far."""
        return "".join(part for part in self._parts if isinstance(part, str)) + self._pending

    def handle(self, event: TurnEvent) -> None:
        """Show an event of the turn."""
        if isinstance(event, TextDelta):
            self._pending += event.text
            if not self._flush_timer.isActive():
                self._flush_timer.start()
            return
        if isinstance(event, ToolProgress):
            self.cards.show(event)
            return
        self.flush()
        if isinstance(event, ToolStarted | ToolFinished):
            self.cards.show(event)
            if isinstance(event, ToolFinished):
                self._call_finished(event)
        else:
            self.finished.emit(event)

    def ask(self, question: Question) -> None:
        """Show a question to the person."""
        self.flush()
        self.cards.ask(question)

    def flush(self) -> None:
        """Show the buffered text."""
        self._flush_timer.stop()
        if self._pending:
            self._messages.append_answer(self._pending)
            if self._parts and isinstance(self._parts[-1], str):
                self._parts[-1] += self._pending
            else:
                self._parts.append(self._pending)
            self._pending = ""

    def stopped(self, key: str) -> TurnFinished:
        """The turn up to now, as one that was stopped; ``key`` is the merge key of its edits."""
        self.flush()
        outcomes = tuple(part.outcome for part in self._parts if isinstance(part, Call))
        return TurnFinished(self.text, outcomes=outcomes, stopped=True, key=key)

    def exchange(self, turn: TurnFinished) -> Exchange:
        """The question with the answer, for the transcript."""
        return Exchange(
            self.question,
            turn,
            tuple(self._parts),
            self._before,
            self._document.document,
            revision_of(turn.outcomes),
        )

    def _call_finished(self, event: ToolFinished) -> None:
        card = self.cards.calls.get(event.id)
        if card is not None:
            if self._offline and not event.outcome.complete_sentence:
                card.toggle()
            self._parts.append(Call(event.outcome, bool(card.started.within)))
            self.called.emit(event.outcome)
