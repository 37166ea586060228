"""The chat dock: sends questions to the agent, shows its answers and highlights their rays on the
canvas.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QWidget

from raybench.agent.by_hand.slash import argument_candidates
from raybench.agent.call.events import TurnEvent, TurnFinished
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.models.any_server import configured_backend
from raybench.agent.models.protocol import WEB_SEARCH, Backend, Usage
from raybench.agent.questions.starters import starter_questions
from raybench.agent.tools.tool import Tool, tool_named
from raybench.agent.turn.history import AttachedPicture
from raybench.agent.turn.project_notes import read_project_notes
from raybench.agent.turn.transcript import Exchange, Transcript, transcript_markdown
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.kinds.object import SceneObject
from raybench.scene.names import object_names
from raybench_workbench import theme
from raybench_workbench.agent.agent import Agent, Question
from raybench_workbench.agent.window_document import WindowDocument
from raybench_workbench.chat.attachments import pictures_from_mime_data
from raybench_workbench.chat.chips import NameLinks
from raybench_workbench.chat.composer import Composer
from raybench_workbench.chat.connect_strip import ConnectStrip
from raybench_workbench.chat.context_chips import ContextChips
from raybench_workbench.chat.conversation_bar import (
    ClientMessages,
    ConversationBar,
    ConversationEntry,
)
from raybench_workbench.chat.help_list import HelpList
from raybench_workbench.chat.message_list import PAGE_SIZE, MessageList
from raybench_workbench.chat.turns import (
    RunningTurn,
    TurnCards,
    show_exchange,
    show_exchange_so_far,
    show_turn_end,
)
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.mcp.window_server import WindowServer
from raybench_workbench.texts import grouped_digits
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import column_layout
from raybench_workbench.window.keyboard import is_focus_gone

AGENT_DELAY = 500
"""Milliseconds after which the agent's thread loads its tools, unless it is needed before: the
window and its light are painted first.
"""
DOCK_WIDTH = 33 * theme.GRID
ANSWERING, WAITING = tr("Answering… Esc stops"), tr("Waits for your answer")


class ChatDock(QDockWidget):
    """A conversation about ``document``. Without ``backend``, environment variables choose the
    model; if they name none, the offline agent answers.
    """

    stateChanged = Signal()
    """A turn began or ended, or another conversation is shown."""

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
        *,
        backend: Backend | None = None,
        tools: tuple[Tool, ...] | None = None,
        files: TranscriptFiles | None = None,
    ) -> None:
        """``files`` stores the conversations. Without it, they are lost when the window closes."""
        super().__init__(tr("Chat"), parent)
        self.setObjectName("chat")
        self._document, self._selection = document, selection
        self._tools: tuple[Tool, ...] = ()
        self._welcomed: tuple[SceneObject, ...] = ()
        """The objects that an empty conversation suggests questions about."""
        self.turn: RunningTurn | None = None
        """The running turn, or None."""
        self.agent = Agent(
            WindowDocument(self, document, selection), backend or configured_backend(), tools
        )
        self._links = NameLinks(document, selection, self)
        self.strip = ConnectStrip(self)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(MessageList(self.stack))
        self.conversations = ConversationBar(document, files, self)
        self.programs: WindowServer = WindowServer(document, selection, self.agent, self)
        """Lets other programs use the agent's tools, with the agent's profile."""
        self._client_messages = ClientMessages(
            self.programs, lambda: self.messages, self._new_turn_cards, self
        )
        self.context = ContextChips(document, selection, self)
        self._notes = LatestTaskRunner(
            self, document.failed.emit, tr("Reading the notes of the project")
        )
        self.composer = Composer(
            lambda: object_names(self._document.scene),
            self,
            self.context,
            self._names_for_parameter,
            self._matching_questions,
            lambda: next(iter(self.messages.offered), None),
        )
        body = QWidget(self)
        column_layout(
            self.strip,
            self.conversations,
            (self.stack, 1),
            self.composer,
            on=body,
            margins=0,
            spacing=0,
        )
        self.setWidget(body)
        self.setMinimumWidth(DOCK_WIDTH)
        self.setAcceptDrops(True)
        self.composer.sent.connect(self.ask)
        self.composer.stopped.connect(self.stop)
        self.composer.paged.connect(lambda pages: self.messages.scroll_pages(pages))
        self.conversations.chosen.connect(self.open_conversation)
        self.conversations.restored.connect(self._continue_last_conversation)
        self.strip.testRequested.connect(self.agent.test_model)
        self.strip.stepsChanged.connect(self.agent.set_max_steps)
        self.strip.searchAllowed.connect(lambda on: self.agent.allow_tool(WEB_SEARCH.name, on))
        self.strip.newConversationRequested.connect(self.start_over)
        self.strip.offlineRequested.connect(lambda: self.connect_model(None))
        self.agent.checked.connect(self._show_test_result)
        self.agent.happened.connect(self._handle_event)
        self.agent.asked.connect(self._ask_person)
        self.agent.toolsReady.connect(self._tools_ready)
        self.agent.died.connect(self._thread_died)
        self.agent.projectOpened.connect(self._project_opened)
        self.composer.profile.currentIndexChanged.connect(self._profile_chosen)
        self.programs.asked.connect(self.show)
        self.programs.failed.connect(lambda reason: self.messages.add_status_line(reason, "error"))
        document.gestureChanged.connect(self._refresh_welcome)
        document.changed.connect(self._refresh_welcome)
        document.opened.connect(self._read_stored_conversations)
        document.opened.connect(self._read_notes)
        document.saved.connect(self._read_notes)
        self.composer.entered.connect(self._read_notes)
        self.destroyed.connect(self.agent.close)
        QTimer.singleShot(AGENT_DELAY, self, self.agent.start)
        self._read_stored_conversations()
        self._read_notes()

    @property
    def messages(self) -> MessageList:
        """The messages of the current conversation."""
        messages = self.stack.currentWidget()
        assert isinstance(messages, MessageList)
        return messages

    @property
    def conversation(self) -> Transcript:
        """The transcript of the current conversation up to its last complete turn."""
        return self.conversations.current.transcript

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return self.conversation.exchanges

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return self.turn is not None

    def ask(self, text: str, pictures: tuple[AttachedPicture, ...] = ()) -> None:
        """Send a message as if the user had typed it and attached ``pictures``. During a turn, the
        message is queued until the turn has ended.
        """
        if text.split(maxsplit=1)[:1] == ["/help"]:
            words = text.partition(" ")[2]
            for earlier in self.messages.findChildren(HelpList):
                earlier.hide()
                earlier.deleteLater()
            commands = HelpList(self._tools, words, self.messages)
            commands.chosen.connect(self.composer.write_command)
            self.messages.add_widget_at_end(commands)
            commands.search.setFocus()
            return
        if self.busy:
            self.composer.enqueue_message(text, pictures)
            return
        offline = self.agent.backend is None or text.lstrip().startswith("/")
        cards = self._new_turn_cards()
        turn = RunningTurn(
            text, self.messages, cards, self._document, offline=offline, pictures=pictures
        )
        turn.shown = self.messages.add_user_message(text, pictures)
        if self.context.text and not text.startswith("/"):
            self.agent.add_note(self.context.text)
        self._start_turn(turn, lambda: self.agent.start_turn(text, pictures))

    @property
    def can_retry(self) -> bool:
        """Whether the last turn ended with an error and a connected model can continue it."""
        model = self.agent.backend is not None
        return model and self.messages.retry is not None and not self.busy

    def retry(self) -> None:
        """Continue the last turn, which ended with an error."""
        if not self.can_retry:
            return
        failed = self.exchanges[-1]
        self.conversations.remove_last_exchange()
        self.messages.remove_failed_group()
        shown = show_exchange_so_far(failed, self.messages, self._document, self._selection)
        cards = self._new_turn_cards()
        turn = RunningTurn(
            failed.question,
            self.messages,
            cards,
            self._document,
            offline=False,
            pictures=failed.pictures,
            failed=failed,
        )
        turn.shown = shown
        self._start_turn(turn, lambda: self.agent.retry_turn(failed.turn.key))

    def _start_turn(self, turn: RunningTurn, start: Callable[[], int]) -> None:
        """Start a turn whose question is already shown. ``start`` starts the agent and returns the
        number of the turn.
        """
        self.turn = turn
        turn.cards.waitingChanged.connect(self._show_waiting)
        turn.called.connect(self._store_unfinished_turn)
        turn.finished.connect(self._turn_finished)
        self._client_messages.note_other_message()
        self.strip.renew.show()
        if turn.shown is not None:
            self.messages.protect_group(turn.shown)
        self.composer.set_busy(True)
        self.composer.note.set_full_text(ANSWERING)
        self.agent.profile = self.composer.profile.currentData()
        self.agent.reads_notes = self.context.includes_notes
        turn.number = start()
        self._store_unfinished_turn()
        self.stateChanged.emit()

    def stop(self) -> None:
        """Stop the current turn and keep the text received so far."""
        if self.turn is not None:
            self.agent.stop()
            self.turn.cards.close_approvals()

    def start_over(self) -> None:
        """Start a new conversation. The current one stays in the list; its running turn is stopped
        and its highlight removed.
        """
        self._end_turn()  # its question is then part of the current one
        self._show_conversation(self.conversations.begin_conversation())

    def open_conversation(self, entry: ConversationEntry) -> None:
        """Continue an earlier conversation."""
        if entry is not self.conversations.current:
            self._show_conversation(entry)

    def _show_conversation(self, entry: ConversationEntry) -> None:
        self._end_turn()
        self._client_messages.forget_client_calls()
        self.conversations.show_current(entry)
        if entry.messages is None:
            entry.messages = messages = MessageList(self.stack)
            messages.asked.connect(self._ask_suggested_question)
            messages.earlierWanted.connect(self._show_earlier_exchanges)
            messages.retryWanted.connect(self.retry)
            messages.answered.connect(self._links.link_names)
            self.stack.addWidget(messages)
            self.stack.setCurrentWidget(messages)
            self._show_welcome()
            exchanges = entry.transcript.exchanges
            for exchange in exchanges:
                self.composer.remember_message(exchange.question)
            messages.set_hidden_question_count(max(0, len(exchanges) - PAGE_SIZE))
            for exchange in exchanges[messages.hidden :]:
                self._show_exchange(exchange)
        self.stack.setCurrentWidget(entry.messages)
        self.agent.continue_conversation(entry.transcript)
        self._document.highlight(None)
        self.strip.renew.setVisible(bool(self.exchanges))
        self._show_backend()
        self.stateChanged.emit()

    def _show_earlier_exchanges(self) -> None:
        self.messages.show_earlier_questions(
            lambda number: self._show_exchange(self.exchanges[number])
        )

    def _show_exchange(self, exchange: Exchange) -> None:
        show_exchange(exchange, self.messages, self._document, self._selection)
        self._show_turn_edits(self._new_turn_cards(), exchange.turn.key)

    def _show_turn_edits(self, cards: TurnCards, key: str) -> None:
        """Show the changes that a turn made to the document; ``key`` is the merge key of these
        changes.
        """
        if (edits := cards.show_edits(key)) is not None:
            edits.reverted.connect(self.agent.add_note)

    def _end_turn(self) -> None:
        """Stop the running turn and record what it has done so far."""
        if self.turn is not None:
            self.stop()
            self._turn_finished(self.turn.stopped_turn(self.agent.last_edit_key))

    def _read_stored_conversations(self) -> None:
        """Read the stored conversations of a document that was just opened; meanwhile show a new
        one.
        """
        self._end_turn()
        while (messages := self.stack.widget(0)) is not None:
            self.stack.removeWidget(messages)
            messages.deleteLater()
        self._show_conversation(self.conversations.begin_for_opened_document())
        self.agent.forget_other_conversations()

    def _continue_last_conversation(self, latest: ConversationEntry) -> None:
        """Continue the document's last stored conversation, unless the user began a new one while
        it was read.
        """
        if self.messages.is_empty and not self.busy:
            self.open_conversation(latest)

    def _read_notes(self) -> None:
        """Show which notes of the project the model receives, since the notes may have changed."""
        scene, registry = self._document.session.path, self.agent.registry
        folders = (
            scene.parent if scene is not None else None,
            registry.folder if registry is not None else None,
        )
        self._notes.request_task(lambda: read_project_notes(folders), self.context.show_notes)

    def _profile_chosen(self) -> None:
        self.programs.profile = self.composer.profile.currentData()

    def connect_model(self, backend: Backend | None) -> None:
        """Switch to another model from the next turn on. None selects the offline agent and stops a
        running turn.
        """
        if backend is None:
            self.stop()
        self.agent.switch_model(backend)
        self._show_backend()
        self.stateChanged.emit()

    def transcript_markdown(self, title: str = tr("Conversation")) -> str:
        """The current conversation as Markdown."""
        return transcript_markdown(self.exchanges, title)

    def open_model_form(self) -> None:
        """Open the form that connects a model."""
        self.show()
        self.raise_()
        self.strip.open_form()

    def focus_composer(self) -> None:
        self.show()
        self.raise_()
        self.composer.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_agent(self) -> None:
        """Stop the agent's thread and the server for other programs, and write the conversations,
        because the window closes.
        """
        self._end_turn()
        self.programs.close()
        self.agent.close()
        self.conversations.close_files()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if pictures_from_mime_data(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Attach pictures that are dropped anywhere on the chat."""
        if (found := pictures_from_mime_data(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.composer.attachments.add_pictures(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.busy:
            self.stop()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus back to the text field if the focused widget is gone, such as a button of
        an answered card.
        """
        if self.isVisible() and is_focus_gone(self):
            self.composer.edit.setFocus()
            return True
        return super().focusNextPrevChild(next)

    # --- events of a turn

    def _handle_event(self, turn: int, event: TurnEvent) -> None:
        if self.turn is not None and turn == self.turn.number:
            self.turn.show_event(event)

    def _ask_person(self, turn: int, question: Question) -> None:
        if self.turn is not None and turn == self.turn.number:
            self.turn.show_question(question)
            self.show()

    def _new_turn_cards(self) -> TurnCards:
        return TurnCards(self._document, self._selection, self.messages)

    def _show_waiting(self, waiting: bool) -> None:
        """Show whether the turn is waiting for an answer of the user."""
        if self.busy:
            self.composer.note.set_full_text(WAITING if waiting else ANSWERING)

    def _store_unfinished_turn(self, *outcome: ToolOutcome) -> None:
        """Store what the turn has done so far, as a stopped turn, in case the program ends before
        the turn does.
        """
        if self.turn is not None:
            self.conversations.store_exchange(
                self.turn.recorded_exchange(TurnFinished("", outcomes=outcome, stopped=True)),
                complete=False,
            )

    def _turn_finished(self, finished: TurnFinished) -> None:
        if (turn := self.turn) is None:
            return
        turn.cards.close_cards()
        if turn.shown is not None:
            self.messages.release_group(turn.shown)
        exchange = turn.recorded_exchange(finished)
        show_turn_end(exchange, self.messages, self._document)
        self._show_turn_edits(turn.cards, finished.key)
        backend = self.agent.backend
        if turn.pictures and backend is not None and backend.reason_without_pictures:
            self.messages.add_status_line(backend.reason_without_pictures, "warning")
        if finished.error and finished.key and not turn.offline:
            self.messages.offer_retry()
        if finished.following:
            self.messages.suggest_questions(finished.following)
        self.conversations.store_exchange(exchange)
        self.turn = None
        self.composer.set_busy(False)
        self._show_backend()
        self.stateChanged.emit()
        if finished.stopped or finished.error:
            self.composer.take_back_queued_messages()
        else:
            self.composer.send_next_queued_message()

    def _thread_died(self, reason: str) -> None:
        if self.turn is not None:
            self.turn.show_buffered_text()
            self._turn_finished(TurnFinished("", error=reason))
        else:
            self.messages.add_status_line(reason, "error")

    # --- model, project and document

    def _project_opened(self, folder: Path, problems: str) -> None:
        if problems:
            self.messages.add_status_line(problems, "warning")
        else:
            self.messages.add_status_line(
                tr(
                    "The tools of the project {name} are available: type / to see them.",
                    name=folder.name,
                ),
                "dim",
            )

    def _ask_suggested_question(self, question: str) -> None:
        self.composer.remember_message(question)
        self.ask(question)

    def _names_for_parameter(self, command: str, written: str) -> Sequence[str] | None:
        tool = tool_named(self._tools, command)
        return None if tool is None else argument_candidates(tool, written, self._document.document)

    def _matching_questions(self, typed: str) -> Sequence[str]:
        """The example questions that match the typed text; none if a model is connected."""
        if self.agent.backend is not None or not self._tools or self.busy:
            return ()
        # with the examples of all tools, which the agent's thread has read by now
        from raybench.agent.questions.understanding import questions_completing_text

        return questions_completing_text(typed, self._document.document)

    def _tools_ready(self, tools: tuple[Tool, ...]) -> None:
        self._tools = tools
        self.composer.commands = ["help", *(tool.name for tool in tools)]

    def _show_test_result(self, backend: Backend, error: str) -> None:
        if self.strip.show_check_result(backend, error):
            self.connect_model(backend)
            self.composer.edit.setFocus()

    def _show_backend(self) -> None:
        backend = self.agent.backend
        self.strip.show_backend(backend)
        self.context.set_model_connected(backend is not None)
        self.composer.set_model_connected(backend is not None)
        if self.messages.retry is not None:
            self.messages.retry.setEnabled(backend is not None)
        total = sum((exchange.turn.usage for exchange in self.exchanges), Usage())
        tokens = sum(vars(total).values())
        cached = total.cache_read_tokens
        of_cache = tr(" ({count} from the cache)", count=grouped_digits(cached)) if cached else ""
        costs = [
            exchange.turn.cost for exchange in self.exchanges if exchange.turn.usage != Usage()
        ]
        price = "—" if None in costs else f"${sum(c for c in costs if c is not None):.3f}"
        self.composer.note.set_full_text(
            tr(
                "{count} tokens{of_cache} · {price}",
                count=grouped_digits(tokens),
                of_cache=of_cache,
                price=price,
            )
            if tokens
            else tr("Enter sends")
        )

    def _refresh_welcome(self, *_: object) -> None:
        """Adapt the suggested questions to the current scene. This happens only in an empty
        conversation, and not during a drag.
        """
        fresh = self._welcomed is self._document.scene.objects
        if self.messages.is_empty and self._document.gesture is None and not fresh:
            self._show_welcome()

    def _show_welcome(self) -> None:
        document = self._document.document
        self._welcomed = document.scene.objects
        if document.scene.objects:
            self.messages.show_welcome(
                tr(
                    "Ask about the light in this scene. The rays an answer is about light up on"
                    " the canvas."
                ),
                starter_questions(document),
            )
        else:
            self.messages.show_welcome(tr("Open a scene, and ask about its light here."), ())
