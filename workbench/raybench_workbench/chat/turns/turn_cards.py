"""The cards of a turn in the conversation: its calls, its requests for approval, and its changes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.approval_card import ApprovalCard
from raybench_workbench.chat.cards import ToolCard
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns.turn_edits import TurnEdits
from raybench_workbench.document import WorkDocument
from raybench_workbench.selection import Selection


class TurnCards(QObject):
    """The cards of one turn, of the agent or of another program. Rays of results are highlighted,
    and edits to approve are previewed.
    """

    waitingChanged = Signal(bool)
    """Whether the turn waits for the person."""

    def __init__(self, document: WorkDocument, selection: Selection, messages: MessageList) -> None:
        # without a parent: it is deleted after the turn and holds no references to the cards
        super().__init__()
        self._document, self._selection, self._messages = document, selection, messages
        self._view_before = document.session.view
        self._approvals: list[ApprovalCard] = []
        self.calls: dict[str, ToolCard] = {}
        document.changed.connect(self._follow)
        document.gestureChanged.connect(self._follow)

    def show(self, event: ToolStarted | ToolProgress | ToolFinished) -> None:
        """Show that a call started, advanced or ended."""
        if isinstance(event, ToolProgress):
            if event.id in self.calls:
                self.calls[event.id].show_progress(event)
            return
        if isinstance(event, ToolStarted):
            card = self.calls[event.id] = ToolCard(
                event, self._document, self._selection, self._messages
            )
            self._messages.add(card)
            self._messages.keep(card)
            return
        if event.id in self.calls:
            self.calls[event.id].finish(event.outcome)
            self._messages.finished(self.calls[event.id])
        rays = event.outcome.rays
        if rays is not None and rays.revision == self._document.document.revision:
            self._document.highlight(rays if len(rays) else None)

    def ask(self, question: Question) -> None:
        """Show a card for a request, and the edit on the canvas."""
        card = ApprovalCard(question.request, self._messages)
        card.decided.connect(
            lambda decision: question.answer(decision)
        )  # Qt would not keep the question of a bound method
        card.decided.connect(self._show_proposal)
        self._approvals.append(card)
        self._messages.add(card)
        self._messages.keep(card)
        self._show_proposal()

    def close_approvals(self) -> None:
        """Close the cards that were not answered."""
        for card in self._approvals:
            if card.open:
                card.close_with(f"Not answered: {card.what}")
            self._messages.finished(card)
        self._approvals = []
        self._show_proposal()

    def finish(self) -> None:
        """Close open approvals, and mark calls without an outcome as stopped: the turn has ended."""
        self.close_approvals()
        for card in self.calls.values():
            card.abandon()
            self._messages.finished(card)

    def show_edits(self, key: str, what: str = "turn") -> TurnEdits | None:
        """Show the changes with this merge key, and a button that reverts them, named after
        ``what`` made them. None without changes.
        """
        edits = TurnEdits(
            key,
            self._view_before,
            self._document.session.view,
            self._document,
            self._messages,
            what,
        )
        if not edits.words:
            edits.deleteLater()
            return None
        self._messages.add(edits)
        return edits

    def _follow(self, *_: object) -> None:
        """Show open edits as they would be made to the document as it stands, once a drag has
        ended.
        """
        if self._document.gesture is None and (
            waiting := [card for card in self._approvals if card.open]
        ):
            for card in waiting:
                card.follow(self._document.document)
            self._show_proposal()

    def _show_proposal(self, *_: object) -> None:
        """Show the edit of the last open card on the canvas."""
        waiting = [card for card in self._approvals if card.open]
        self._selection.propose(
            self, next((c.edit for c in reversed(waiting) if c.edit is not None), None)
        )
        self.waitingChanged.emit(bool(waiting))
