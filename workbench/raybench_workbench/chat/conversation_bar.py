"""The bar above the chat: the list of conversations about a document, and the files that store
them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from weakref import WeakSet

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted, TurnEvent
from raybench.agent.turn.transcript import (
    Exchange,
    Transcript,
    transcript_markdown,
    transcript_script,
)
from raybench.agent.turn.transcript_files import SavedTranscript, TranscriptFiles
from raybench.errors import RaybenchError, elide_text, escape_hidden
from raybench.files.atomic import write_text
from raybench.scene.document import Document
from raybench_workbench import theme
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns import UNANSWERED_DECISION, TurnCards
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.mcp.window_server import WindowServer
from raybench_workbench.texts import literal_label_text
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import ElidedLabel, describe_widget, row_layout

FORMATS: Mapping[str, tuple[str, Callable[[Transcript, Document], str]]] = {
    ".md": (tr("Markdown (*.md)"), lambda talk, _: transcript_markdown(talk.exchanges, talk.title)),
    ".json": ("JSON (*.json)", lambda talk, _: talk.text()),
    ".py": (
        tr("Python script (*.py)"),
        lambda talk, document: transcript_script(talk.exchanges, talk.title, document),
    ),
}
"""By suffix: the name in dialogs, and how a conversation about a document is written."""


def copy_conversation(
    suffix: str, transcript: Transcript, document: WorkDocument, _parent: QWidget
) -> None:
    """Copy a conversation to the clipboard in the format that belongs to a file suffix."""
    _, write = FORMATS[suffix]
    QApplication.clipboard().setText(write(transcript, document.document))


def save_conversation(transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    """Ask for a file and write the conversation to it. The document's signal ``failed`` reports an
    error.
    """
    scene = document.session.path
    first = scene.with_suffix(".md") if scene else "conversation.md"
    types = ";;".join(title for title, _ in FORMATS.values())
    path = ask_save_name(parent, tr("Save the conversation as"), first, types, FORMATS)
    if path is not None:
        _, write = FORMATS[path.suffix.lower()]
        try:
            write_text(path, write(transcript, document.document))
        except RaybenchError as error:
            document.failed.emit(str(error))


Export = Callable[[Transcript, WorkDocument, QWidget], None]
EXPORTS: Mapping[str, tuple[str, Export]] = {
    "copy_markdown": ("Copy as Markdown", partial(copy_conversation, ".md")),
    "copy_python": ("Copy as Python", partial(copy_conversation, ".py")),
    "save": ("Save as…", save_conversation),
}
"""The ways to copy or save a conversation, by id: title and function."""
MAX_TITLE_LENGTH = 48
"""Length of a title in the list."""


@dataclass(eq=False)
class ConversationEntry:
    """A conversation in the list: its transcript, or its file until the transcript is read, and the
    widget with its messages once it was shown.
    """

    stored: Transcript | SavedTranscript
    messages: MessageList | None = None

    @property
    def transcript(self) -> Transcript:
        """The transcript of a conversation that was read."""
        assert isinstance(self.stored, Transcript)
        return self.stored


_bars: "WeakSet[ConversationBar]" = WeakSet()
"""Those of the documents that are open in this program."""


class ConversationBar(QWidget):
    """The title of the current conversation, a menu of the other conversations, and a menu of
    exports. It is hidden until the current conversation has begun or there are other conversations.
    """

    chosen = Signal(object)
    """The conversation that was chosen in the list, a `ConversationEntry`."""
    restored = Signal(object)
    """The last stored conversation of the document was read, a `ConversationEntry`."""
    _writeFailed = Signal(str)

    def __init__(
        self, document: WorkDocument, files: TranscriptFiles | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._files = document, files
        self._writeFailed.connect(document.failed)
        if files is not None:
            files.failed = self._writeFailed.emit
        self._reading = LatestTaskRunner(
            self, self._report_reading_failure, tr("Reading the conversations")
        )
        self.entries: list[ConversationEntry] = []
        """The conversations that can be opened, the oldest first."""
        self.current = ConversationEntry(Transcript())
        _bars.add(self)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.set_role(self, "bar")
        self.title = ElidedLabel(self, role="dim", selectable=False, at=Qt.TextElideMode.ElideRight)
        self.earlier = describe_widget(
            QPushButton(tr("Earlier"), self),
            tip=tr("Open an earlier conversation about this scene"),
            role="flat",
        )
        self.export = describe_widget(
            QPushButton(tr("Export"), self), tip=tr("Copy or save this conversation"), role="flat"
        )
        self.list, self.exports = QMenu(self.earlier), QMenu(self.export)
        self.earlier.setMenu(self.list)
        self.export.setMenu(self.exports)
        self.list.aboutToShow.connect(lambda: self.fill_conversation_menu(self.list))
        for title, export in EXPORTS.values():
            self.exports.addAction(tr(title)).triggered.connect(partial(self._run_export, export))
        row_layout(
            (self.title, 1),
            self.earlier,
            self.export,
            on=self,
            margins=(theme.GRID, 2, theme.HALF, 2),
        )
        document.saved.connect(self._move_conversations)
        self._show_conversations()

    def begin_for_opened_document(self) -> ConversationEntry:
        """Start a conversation about a newly opened document, and look for its earlier
        conversations in the background.
        """
        self.entries = []
        self._reading.cancel_request()
        if (files := self._files) is not None:
            scene, document = self._document.session.path, self._document.document
            self._reading.request_task(
                lambda: files.list_transcripts(scene, document),
                partial(self._add_saved_transcripts, self._document.conversation),
            )
        return ConversationEntry(Transcript())

    def begin_conversation(self) -> ConversationEntry:
        """Start a new conversation; returns it, or the current one if that is still empty."""
        return (
            ConversationEntry(Transcript()) if self.current.transcript.exchanges else self.current
        )

    def show_current(self, entry: ConversationEntry) -> None:
        """Make a conversation the current one."""
        self.current = entry
        self._document.conversation = entry.stored.id
        self._show_conversations()

    def store_exchange(self, exchange: Exchange, complete: bool = True) -> None:
        """Write an exchange to the current conversation's file and, if it is complete, add it to
        the conversation.
        """
        transcript = self.current.transcript.with_exchange(exchange)
        self._store_transcript(transcript)
        if complete:
            self.current.stored = transcript
            if self.current not in self.entries:
                self.entries.append(self.current)
            self._show_conversations()

    def remove_last_exchange(self) -> None:
        """Remove the last exchange of the current conversation, because its turn is being retried."""
        self.current.stored = self.current.transcript.without_last_exchange()

    def close_files(self) -> None:
        """Write the transcripts that are still queued, and leave the conversation to others."""
        _bars.discard(self)
        if self._files is not None:
            self._files.close()

    def _add_saved_transcripts(self, current_id: str, saved: list[SavedTranscript]) -> None:
        """Add stored conversations, and read the one with the id ``current_id``, or else the last
        one of a document that has a file.
        """
        known = {entry.stored.id for entry in self.entries}
        self.entries = [
            *(ConversationEntry(transcript) for transcript in saved if transcript.id not in known),
            *self.entries,
        ]
        self._show_conversations()
        last = self.entries[-1:] if self._document.session.path is not None else []
        for entry in ([e for e in self.entries if e.stored.id == current_id] or last)[:1]:
            self._read_conversation(entry, self._restore_conversation)

    def _restore_conversation(self, entry: ConversationEntry) -> None:
        if not self._is_current_elsewhere(entry):
            self.restored.emit(entry)

    def _is_current_elsewhere(self, entry: ConversationEntry) -> bool:
        """Whether the conversation is also open in another tab or window, which would overwrite its
        file.
        """
        return any(bar is not self and bar.current.stored.id == entry.stored.id for bar in _bars)

    def _report_reading_failure(self, reason: str) -> None:
        self._show_conversations()
        self._document.failed.emit(reason)

    def _read_conversation(
        self, entry: ConversationEntry, done: Callable[[ConversationEntry], object]
    ) -> None:
        """Call ``done`` with a conversation once it is read from its file, in the background."""
        if isinstance(saved := entry.stored, Transcript):
            done(entry)
            return
        document = self._document.document

        def show(transcript: Transcript) -> None:
            entry.stored = transcript
            self._show_conversations()
            done(entry)

        self.title.set_full_text(tr("Reading {title}…", title=saved.title))
        self._reading.request_task(lambda: saved.read(document), show)

    def _move_conversations(self) -> None:
        """Move the conversation files to the new place of the document after it was saved."""
        for entry in self.entries:
            if entry.messages is not None:  # one of this window, not only found beside the scene
                self._store_transcript(entry.transcript)

    def _store_transcript(self, transcript: Transcript) -> None:
        if self._files is not None:
            self._files.queue_transcript(
                transcript, self._document.session.path, self._document.document.scene.name
            )

    def _show_conversations(self) -> None:
        begun = bool(self.current.transcript.exchanges)
        self.title.set_full_text(self.current.transcript.title if begun else tr("New conversation"))
        others = [entry for entry in self.entries if entry is not self.current]
        self.earlier.setVisible(bool(others))
        self.export.setVisible(begun)
        self.setVisible(begun or bool(others))

    def fill_conversation_menu(self, menu: QMenu) -> None:
        """Fill a menu with the conversations, the latest first."""
        menu.clear()
        for entry in reversed(self.entries):
            title = elide_text(entry.stored.title, MAX_TITLE_LENGTH)
            when = f"{entry.stored.latest_time.astimezone():%d %b %H:%M}"
            action = menu.addAction(literal_label_text(f"{when}   {title}"))
            action.setCheckable(True)
            action.setChecked(entry is self.current)
            action.setEnabled(not self._is_current_elsewhere(entry))
            action.triggered.connect(partial(self._choose_conversation, entry))

    def _choose_conversation(self, entry: ConversationEntry, _checked: bool = False) -> None:
        self._read_conversation(entry, self.chosen.emit)

    def _run_export(self, export: Export, _checked: bool = False) -> None:
        export(self.current.transcript, self._document, self)


MAX_NAME = 60


class ClientMessages(QObject):
    """Shows the calls of other programs in the conversation. ``messages`` returns the message list,
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
        self._server, self._messages, self._new_turn_cards = server, messages, new_cards
        self._calls: dict[int, tuple[str, TurnCards]] = {}
        """The merge key of each running call, and its cards."""
        self._last = ""
        """The program named by the last message; empty after a message of somebody else."""
        server.began.connect(self._show_call_start)
        server.happened.connect(self._show_event)
        server.asked.connect(self._ask_approval)
        server.ended.connect(self._show_call_end)

    def note_other_message(self) -> None:
        """Record that another message was added, so that the next call shows the name of its
        program again.
        """
        self._last = ""

    def forget_client_calls(self) -> None:
        """Forget all calls because the conversation was cleared: decline open questions, stop
        showing running calls, and revoke permissions.
        """
        self._server.revoke_permissions()
        for _, cards in self._calls.values():
            cards.close_approvals()
        self._calls = {}
        self.note_other_message()

    def _show_call_start(self, number: int, client: str, key: str) -> None:
        self._messages().remove_welcome()
        self._messages().begin_group_without_question()
        if client != self._last or not self._last:
            self._last = client
            self._messages().add_status_line(
                tr(
                    "{value}, connected over MCP:",
                    value=elide_text(escape_hidden(client), MAX_NAME) or "Another program",
                ),
                "dim",
            )
        self._calls[number] = key, self._new_turn_cards()

    def _show_event(self, number: int, event: TurnEvent) -> None:
        if number in self._calls and isinstance(event, ToolStarted | ToolProgress | ToolFinished):
            self._calls[number][1].show_call_event(event)

    def _ask_approval(self, number: int, question: Question) -> None:
        if number in self._calls:
            self._calls[number][1].show_question(question)
        else:
            question.answer(UNANSWERED_DECISION)

    def _show_call_end(self, number: int) -> None:
        if number in self._calls:
            key, cards = self._calls.pop(number)
            cards.close_cards()
            if (edits := cards.show_edits(key, "call")) is not None:
                edits.reverted.connect(self._server.add_note)
