"""The chat dock: sends questions to the agent, shows its answers and highlights their rays on the canvas."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

from core.agent.call.events import TextDelta, ToolFinished, ToolStarted, TurnEvent, TurnFinished
from core.agent.models.anthropic import chosen_backend
from core.agent.models.keywords import names_of
from core.agent.models.protocol import WEB_SEARCH, Backend, Usage
from core.agent.models.suggestions import questions
from core.agent.tools.tool import Tool
from core.agent.turn.loop import sources
from core.agent.turn.transcript import Exchange, markdown
from core.scene.document import Document
from workbench import theme
from workbench.chat.bridge import Agent, DocumentBench, Question
from workbench.chat.client_talk import ClientTalk
from workbench.chat.composer import Composer
from workbench.chat.connect_strip import ConnectStrip
from workbench.chat.talk import Talk
from workbench.chat.turn_cards import TurnCards
from workbench.document import WorkDocument
from workbench.mcp.window_server import WindowServer
from workbench.selection import Selection

COALESCE = 40
"""Time for which streamed text is buffered before it is shown, in milliseconds."""
WIDTH = 33 * theme.GRID
ANSWERING, WAITING = "Answering… Esc stops", "Waits for your answer"


class ChatDock(QDockWidget):
    """A conversation about ``document``. Without ``backend`` the environment variables determine one, else the offline agent answers."""

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
        *,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
    ) -> None:
        super().__init__("Agent", parent)
        self.setObjectName("chat")
        self._document, self._selection = document, selection
        self._pending = ""
        self._turn: int | None = None
        self._question = ""
        self.exchanges: list[Exchange] = []
        self.agent = Agent(DocumentBench(document, self, selection), backend or chosen_backend(), tools)
        self.strip = ConnectStrip(self)
        self.talk = Talk(self)
        self._cards = self._new_cards()
        self.programs = WindowServer(document, selection, self.agent, self)
        """Lets other programs use the agent's tools, with the agent's profile."""
        self._client_talk = ClientTalk(self.programs, self.talk, self._new_cards)
        self.composer = Composer(lambda: names_of(self._document.scene.objects), self)
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self.talk, 1)
        column.addWidget(self.composer)
        self.setWidget(body)
        self.setMinimumWidth(WIDTH)
        self._flush_timer = QTimer(self, singleShot=True, interval=COALESCE)
        self._flush_timer.timeout.connect(self._flush)
        self.composer.sent.connect(self.ask)
        self.composer.stopped.connect(self.stop)
        self.composer.paged.connect(self.talk.page)
        self.talk.asked.connect(self._ask_suggested)
        self.strip.testRequested.connect(self.agent.check)
        self.strip.stepsChanged.connect(self.agent.set_max_steps)
        self.strip.searchAllowed.connect(lambda on: self.agent.allow(WEB_SEARCH.name, on))
        self.strip.newConversationRequested.connect(self.start_over)
        self.strip.offlineRequested.connect(lambda: self.connect_model(None))
        self.agent.checked.connect(self._checked)
        self.agent.happened.connect(self._handle_event)
        self.agent.asked.connect(self._ask_person)
        self.agent.toolsReady.connect(self._tools_ready)
        self.agent.died.connect(self._thread_died)
        self.agent.projectOpened.connect(self._project_opened)
        self.composer.profile.currentIndexChanged.connect(self._profile_chosen)
        self.programs.asked.connect(self.show)
        self.programs.failed.connect(self._programs_failed)
        document.changed.connect(self._document_changed)
        document.opened.connect(self.start_over)
        self.destroyed.connect(self.agent.close)
        self._show_backend()
        self._welcome()
        self.agent.start()

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return self._turn is not None

    def ask(self, text: str) -> None:
        """Send a message as if it had been typed; ignored while a turn is running."""
        if self.busy:
            return
        self._question = text
        self._cards = self._new_cards()
        self._cards.waitingChanged.connect(self._show_waiting)
        self._client_talk.interrupt()
        self.strip.renew.show()
        self.talk.add_user_message(text)
        self.composer.set_busy(True)
        self.composer.note.set_full_text(ANSWERING)
        self.agent.profile = self.composer.profile.currentData()
        self._turn = self.agent.say(text)

    def stop(self) -> None:
        """Stop the current turn; the text received so far stays."""
        if self.busy:
            self.agent.stop()
            self._cards.close_approvals()

    def start_over(self) -> None:
        """Start a new conversation."""
        self._turn, self._pending = None, ""
        self._cards.close_approvals()
        self._cards = self._new_cards()
        self._client_talk.forget()
        self.exchanges = []
        self.agent.start_over()
        self.composer.set_busy(False)
        self.strip.renew.hide()
        self._show_backend()
        self._welcome()

    def _profile_chosen(self) -> None:
        self.programs.profile = self.composer.profile.currentData()

    def connect_model(self, backend: Backend | None) -> None:
        """Switch to another model; None for the offline agent."""
        self.agent.use(backend)
        self._show_backend()

    def transcript(self, title: str = "Conversation") -> str:
        """The conversation so far, as Markdown."""
        return markdown(self.exchanges, title)

    def focus_composer(self) -> None:
        self.show()
        self.raise_()
        self.composer.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_agent(self) -> None:
        """Stop the agent's thread and the server for other programs; called when the window closes."""
        self.programs.close()
        self.agent.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.busy:
            self.stop()
        else:
            super().keyPressEvent(event)

    # --- events of a turn

    def _handle_event(self, turn: int, event: TurnEvent) -> None:
        if turn != self._turn:
            return
        if isinstance(event, TextDelta):
            self._pending += event.text
            if not self._flush_timer.isActive():
                self._flush_timer.start()
            return
        self._flush()
        if isinstance(event, ToolStarted | ToolFinished):
            self._cards.show(event)
        else:
            self._turn_finished(event)

    def _flush(self) -> None:
        self._flush_timer.stop()
        if self._pending:
            self.talk.append_answer(self._pending)
            self._pending = ""

    def _ask_person(self, turn: int, question: Question) -> None:
        if turn != self._turn:
            return
        self._flush()
        self._cards.ask(question)
        self.show()

    def _new_cards(self) -> TurnCards:
        return TurnCards(self._document, self._selection, self.talk)

    def _show_waiting(self, waiting: bool) -> None:
        """Show whom the turn waits for."""
        if self.busy:
            self.composer.note.set_full_text(WAITING if waiting else ANSWERING)

    def _turn_finished(self, turn: TurnFinished) -> None:
        self._cards.finish()
        self.talk.finish_answer()
        if turn.stopped:
            self.talk.add_line("Stopped.", "warning")
        if turn.error:
            self.talk.add_line(turn.error, "error")
        if used := sources(turn.outcomes):
            self.talk.add_line(f"Sources: {', '.join(used)}", "dim")
        if (edits := self._cards.show_edits(turn.key)) is not None:
            edits.reverted.connect(self.agent.tell)
        self.exchanges.append(Exchange(self._question, turn))
        self._turn = None
        self.composer.set_busy(False)
        self._show_backend()
        if turn.stopped or turn.error:
            self.composer.take_back()
        else:
            self.composer.send_next()

    def _thread_died(self, reason: str) -> None:
        if self.busy:
            self._flush()
            self._turn_finished(TurnFinished("", error=reason))
        else:
            self.talk.add_line(reason, "error")

    # --- model, project and document

    def _programs_failed(self, reason: str) -> None:
        self.talk.add_line(reason, "error")

    def _project_opened(self, folder: Path, problems: str) -> None:
        if problems:
            self.talk.add_line(problems, "warning")
        else:
            self.talk.add_line(f"The tools of the project {folder.name} are available: type / to see them.", "dim")

    def _ask_suggested(self, question: str) -> None:
        self.composer.remember(question)
        self.ask(question)

    def _tools_ready(self, tools: tuple[Tool, ...]) -> None:
        self.composer.commands = ["help", *(tool.name for tool in tools)]

    def _checked(self, backend: Backend, error: str) -> None:
        if self.strip.show_check(backend, error):
            self.connect_model(backend)
            self.composer.edit.setFocus()

    def _show_backend(self) -> None:
        backend = self.agent.backend
        self.strip.show_backend(backend)
        total = sum((exchange.turn.usage for exchange in self.exchanges), Usage())
        tokens = total.input_tokens + total.output_tokens + total.cache_read_tokens + total.cache_write_tokens
        costs = [exchange.turn.cost for exchange in self.exchanges if exchange.turn.usage != Usage()]
        price = "—" if None in costs else f"${sum(c for c in costs if c is not None):.3f}"
        self.composer.note.set_full_text(f"{tokens:,} tokens".replace(",", "\u2009") + f" · {price}" if tokens else "Enter sends")

    def _document_changed(self, before: Document, after: Document) -> None:
        if self.talk.empty and before.scene.objects is not after.scene.objects:
            self._welcome()

    def _welcome(self) -> None:
        document = self._document.document
        if document.scene.objects:
            self.talk.welcome("Ask about the light in this scene. The rays an answer is about light up on the canvas.", questions(document))
        else:
            self.talk.welcome("Open a scene, and ask about its light here.", ())
