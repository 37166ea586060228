"""Shows the calls of other programs in the conversation, as the agent's are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject

from raybench.agent.call.approval import Decision
from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted, TurnEvent
from raybench.errors import elided
from raybench.hidden_characters import escaped
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns.turn_cards import TurnCards
from raybench_workbench.mcp.window_server import WindowServer

MAX_NAME = 60
UNANSWERED = Decision(False, reason="the person did not answer")


@dataclass
class _ClientCall:
    key: str
    cards: TurnCards
    questions: list[Question] = field(default_factory=list)


class ClientMessages(QObject):
    """Connects the server's calls to the conversation; ``messages`` returns its message list,
    ``new_cards`` makes the cards of a call.
    """

    def __init__(
        self,
        server: WindowServer,
        messages: Callable[[], MessageList],
        new_cards: Callable[[], TurnCards],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._server, self._messages, self._new_cards = server, messages, new_cards
        self._calls: dict[int, _ClientCall] = {}
        self._last = ""
        """The program named by the last message; empty after a message of somebody else."""
        server.began.connect(self._began)
        server.happened.connect(self._happened)
        server.asked.connect(self._ask)
        server.ended.connect(self._ended)

    def interrupt(self) -> None:
        """Note a message of somebody else: the next call names its program again."""
        self._last = ""

    def forget(self) -> None:
        """Decline open questions, stop showing running calls, and revoke what was allowed: the
        conversation was cleared.
        """
        self._server.ask_again()
        for call in self._calls.values():
            call.cards.close_approvals()
            for question in call.questions:
                question.answer(UNANSWERED)
        self._calls = {}
        self.interrupt()

    def _began(self, number: int, client: str, key: str) -> None:
        self._messages().leave_welcome()
        self._messages().begin()
        if client != self._last or not self._last:
            self._last = client
            self._messages().add_line(
                f"{elided(escaped(client), MAX_NAME) or 'Another program'}, connected over MCP:",
                "dim",
            )
        self._calls[number] = _ClientCall(key, self._new_cards())

    def _happened(self, number: int, event: TurnEvent) -> None:
        if number in self._calls and isinstance(event, ToolStarted | ToolProgress | ToolFinished):
            self._calls[number].cards.show(event)

    def _ask(self, number: int, question: Question) -> None:
        if number not in self._calls:
            question.answer(UNANSWERED)
            return
        self._calls[number].questions.append(question)
        self._calls[number].cards.ask(question)

    def _ended(self, number: int) -> None:
        call = self._calls.pop(number, None)
        if call is not None:
            call.cards.finish()
            if (edits := call.cards.show_edits(call.key, "call")) is not None:
                edits.reverted.connect(self._server.add_note)
