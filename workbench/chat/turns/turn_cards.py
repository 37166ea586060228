"""What a turn shows in the conversation besides its text: its calls, its questions to the person, and what it changed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from core.agent.call.events import ToolFinished, ToolProgress, ToolStarted
from workbench.agent.thread import Question
from workbench.chat.approval_card import ApprovalCard
from workbench.chat.cards import ToolCard
from workbench.chat.talk import Talk
from workbench.chat.turns.turn_edits import TurnEdits
from workbench.document import WorkDocument
from workbench.selection import Selection


class TurnCards(QObject):
    """The cards of one turn, of the agent or of another program. Rays that are found light up, and an edit in question is shown."""

    waitingChanged = Signal(bool)
    """Whether the turn waits for the person."""

    def __init__(self, document: WorkDocument, selection: Selection, talk: Talk) -> None:
        super().__init__()  # without a parent: it ends with the turn, and lets go of the cards
        self._document, self._selection, self._talk = document, selection, talk
        self._view_before = document.session.view
        self._approvals: list[ApprovalCard] = []
        self.calls: dict[str, ToolCard] = {}

    def show(self, event: ToolStarted | ToolProgress | ToolFinished) -> None:
        """Show that a call started, runs or ended."""
        if isinstance(event, ToolProgress):
            if event.id in self.calls:
                self.calls[event.id].show_progress(event)
            return
        if isinstance(event, ToolStarted):
            card = self.calls[event.id] = ToolCard(event, self._document, self._selection, self._talk)
            self._talk.add(card)
            return
        if event.id in self.calls:
            self.calls[event.id].finish(event.outcome)
        rays = event.outcome.rays
        if rays is not None and rays.revision == self._document.document.revision:
            self._document.highlight(rays if len(rays) else None)

    def ask(self, question: Question) -> None:
        """Show a card for a request, and the edit on the canvas."""
        card = ApprovalCard(question.request, self._talk)
        card.decided.connect(lambda decision: question.answer(decision))  # Qt would not keep the question of a bound method
        card.decided.connect(self._show_proposal)
        self._approvals.append(card)
        self._talk.add(card)
        self._show_proposal()

    def close_approvals(self) -> None:
        """Close the cards that were not answered."""
        for card in self._approvals:
            if card.open:
                card.close_with(f"Not answered: {card.request.title}")
        self._approvals = []
        self._show_proposal()

    def finish(self) -> None:
        """The turn is over: nothing is asked any more, and calls without an outcome were stopped."""
        self.close_approvals()
        for card in self.calls.values():
            card.abandon()

    def show_edits(self, key: str, what: str = "turn") -> TurnEdits | None:
        """Show what the edits with this merge key changed, and a button that takes back this turn, or ``what`` it is called.

        None if they changed nothing.
        """
        edits = TurnEdits(key, self._view_before, self._document.session.view, self._document, self._talk, what)
        if not edits.words:
            edits.deleteLater()
            return None
        self._talk.add(edits)
        return edits

    def _show_proposal(self, *_: object) -> None:
        """Show the edit of the last open card on the canvas."""
        waiting = [card for card in self._approvals if card.open]
        self._selection.propose(next((c.request.edit for c in reversed(waiting) if c.request.edit is not None), None))
        self.waitingChanged.emit(bool(waiting))
