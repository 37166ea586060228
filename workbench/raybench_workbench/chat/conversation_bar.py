"""The bar above the chat with the conversations about a document, and their files."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from raybench.agent.call.approval import Decision
from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted, TurnEvent
from raybench.agent.turn.transcript import (
    Exchange,
    Transcript,
    transcript_markdown,
    transcript_script,
)
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.errors import RaybenchError, elided, escape_hidden
from raybench.files.atomic import write_text
from raybench.scene.document import Document
from raybench_workbench import theme
from raybench_workbench.agent.agent import Question
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.chat.turns import TurnCards
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.mcp.window_server import WindowServer
from raybench_workbench.texts import label_text
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import ElidedLabel, in_a_row


@dataclass(frozen=True)
class Format:
    """A format of a file: its name in dialogs, with the suffix, and how a conversation about a
    document is written in it.
    """

    title: str
    text: Callable[[Transcript, Document], str]


FORMATS = {
    ".md": Format(
        "Markdown (*.md)",
        lambda transcript, _: transcript_markdown(transcript.exchanges, transcript.title),
    ),
    ".json": Format("JSON (*.json)", lambda transcript, _: transcript.text()),
    ".py": Format(
        "Python script (*.py)",
        lambda transcript, document: transcript_script(
            transcript.exchanges, transcript.title, document
        ),
    ),
}
"""By suffix."""


def _copy_conversation(
    suffix: str, transcript: Transcript, document: WorkDocument, parent: QWidget
) -> None:
    QApplication.clipboard().setText(FORMATS[suffix].text(transcript, document.document))


def _save_conversation(transcript: Transcript, document: WorkDocument, parent: QWidget) -> None:
    """Ask for a file and write the conversation to it; an error is emitted by the document's
    ``failed``.
    """
    scene = document.session.path
    first = (
        scene.parent if scene else Path.home()
    ) / f"{scene.stem if scene else 'conversation'}.md"
    path = ask_save_name(
        parent,
        "Save the conversation as",
        first,
        ";;".join(f.title for f in FORMATS.values()),
        FORMATS,
    )
    if path is not None:
        try:
            write_text(path, FORMATS[path.suffix.lower()].text(transcript, document.document))
        except RaybenchError as error:
            document.failed.emit(str(error))


@dataclass(frozen=True)
class Export:
    """A way to copy or save a conversation."""

    id: str
    title: str
    run: Callable[[Transcript, WorkDocument, QWidget], None]


EXPORTS = (
    Export("copy_markdown", "Copy as Markdown", partial(_copy_conversation, ".md")),
    Export("copy_python", "Copy as Python", partial(_copy_conversation, ".py")),
    Export("save", "Save as…", _save_conversation),
)


def fill_export_menu(
    menu: QMenu, transcript: Transcript, document: WorkDocument, parent: QWidget
) -> None:
    """Fill a menu with the exports of a conversation."""
    menu.clear()
    for export in EXPORTS:
        menu.addAction(export.title).triggered.connect(
            lambda _checked=False, run=export.run: run(transcript, document, parent)
        )


MAX_TITLE = 48
"""Length of a title in the list."""


@dataclass(eq=False)
class ConversationEntry:
    """A conversation of the list and, once it was shown, the widget with its messages."""

    transcript: Transcript
    messages: MessageList | None = None


class ConversationBar(QWidget):
    """The title of the conversation, a menu of the others, and a menu of exports. Hidden while it
    is empty.
    """

    chosen = Signal(object)
    """The conversation that was chosen in the list, a `ConversationEntry`."""
    restored = Signal()
    """The conversations of the document were read from their files."""
    _writeFailed = Signal(str)

    def __init__(
        self, document: WorkDocument, files: TranscriptFiles | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._files = document, files
        self._writeFailed.connect(document.failed)
        if files is not None:
            files.failed = self._writeFailed.emit
        self._reading = Latest(self, document.failed.emit, "Reading the conversations")
        self.entries: list[ConversationEntry] = []
        """The conversations that can be opened, the oldest first."""
        self.current = ConversationEntry(Transcript())
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.set_role(self, "bar")
        self.title = ElidedLabel(self, role="dim", selectable=False, at=Qt.TextElideMode.ElideRight)
        self.earlier = QPushButton("Earlier", self)
        self.earlier.setToolTip("Open an earlier conversation about this scene")
        self.export = QPushButton("Export", self)
        self.export.setToolTip("Copy or save this conversation")
        self.list, self.exports = QMenu(self.earlier), QMenu(self.export)
        for button, menu in ((self.earlier, self.list), (self.export, self.exports)):
            theme.set_role(button, "flat")
            button.setMenu(menu)
        self.list.aboutToShow.connect(lambda: self.fill_list(self.list))
        self.exports.aboutToShow.connect(
            lambda: fill_export_menu(self.exports, self.current.transcript, self._document, self)
        )
        in_a_row(
            (self.title, 1),
            self.earlier,
            self.export,
            on=self,
            margins=(theme.GRID, 2, theme.HALF, 2),
        )
        document.saved.connect(self._move_conversations)
        self._show_conversations()

    @property
    def latest(self) -> ConversationEntry | None:
        """The last conversation that has messages, or None."""
        return next((entry for entry in reversed(self.entries) if entry.transcript.exchanges), None)

    def open_document(self) -> ConversationEntry:
        """Start a conversation about another document, whose earlier conversations are read in the
        background.
        """
        self.entries = []
        self._reading.drop()
        if (files := self._files) is not None:
            scene, document = self._document.session.path, self._document.document
            self._reading.ask(lambda: files.read(scene, document), self._add_read)
        return ConversationEntry(Transcript())

    def begin(self) -> ConversationEntry:
        """A new conversation, or the current one if it is empty."""
        return (
            ConversationEntry(Transcript()) if self.current.transcript.exchanges else self.current
        )

    def show_current(self, entry: ConversationEntry) -> None:
        """Make a conversation the current one."""
        self.current = entry
        self._show_conversations()

    def keep(self, exchange: Exchange, complete: bool = True) -> None:
        """Write an exchange to the current conversation's file and, if it is complete, add it to
        the conversation.
        """
        transcript = self.current.transcript.and_then(exchange)
        self._put_transcript(transcript)
        if complete:
            self.current.transcript = transcript
            if self.current not in self.entries:
                self.entries.append(self.current)
            self._show_conversations()

    def close_files(self) -> None:
        """Write what is still queued."""
        if self._files is not None:
            self._files.close()

    def _add_read(self, transcripts: list[Transcript]) -> None:
        known = {entry.transcript.id for entry in self.entries}
        self.entries = [
            *(
                ConversationEntry(transcript)
                for transcript in transcripts
                if transcript.id not in known
            ),
            *self.entries,
        ]
        self._show_conversations()
        self.restored.emit()

    def _move_conversations(self) -> None:
        """Move the conversations along with the document, which was saved, perhaps as another file."""
        for entry in self.entries:
            if (
                entry.messages is not None
            ):  # those of this window, not all that were found beside a scene without a file
                self._put_transcript(entry.transcript)

    def _put_transcript(self, transcript: Transcript) -> None:
        if self._files is not None:
            self._files.put(
                transcript, self._document.session.path, self._document.document.scene.name
            )

    def _show_conversations(self) -> None:
        begun = bool(self.current.transcript.exchanges)
        self.title.set_full_text(self.current.transcript.title)
        others = [entry for entry in self.entries if entry is not self.current]
        self.earlier.setVisible(bool(others))
        self.export.setVisible(begun)
        self.setVisible(begun or bool(others))

    def fill_list(self, menu: QMenu) -> None:
        """Fill a menu with the conversations, the latest first."""
        menu.clear()
        for entry in reversed(self.entries):
            transcript = entry.transcript
            title = elided(transcript.title, MAX_TITLE)
            when = (
                transcript.exchanges[-1].time.astimezone()
                if transcript.exchanges
                else transcript.started.astimezone()
            )
            action = menu.addAction(label_text(f"{when:%d %b %H:%M}   {title}"))
            action.setCheckable(True)
            action.setChecked(entry is self.current)
            action.triggered.connect(partial(self._choose_conversation, entry))

    def _choose_conversation(self, entry: ConversationEntry, _checked: bool = False) -> None:
        self.chosen.emit(entry)


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
        server.began.connect(self._show_call_start)
        server.happened.connect(self._show_event)
        server.asked.connect(self._ask_approval)
        server.ended.connect(self._show_call_end)

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

    def _show_call_start(self, number: int, client: str, key: str) -> None:
        self._messages().leave_welcome()
        self._messages().begin()
        if client != self._last or not self._last:
            self._last = client
            self._messages().add_line(
                f"{elided(escape_hidden(client), MAX_NAME) or 'Another program'}, connected over MCP:",
                "dim",
            )
        self._calls[number] = _ClientCall(key, self._new_cards())

    def _show_event(self, number: int, event: TurnEvent) -> None:
        if number in self._calls and isinstance(event, ToolStarted | ToolProgress | ToolFinished):
            self._calls[number].cards.show(event)

    def _ask_approval(self, number: int, question: Question) -> None:
        if number not in self._calls:
            question.answer(UNANSWERED)
            return
        self._calls[number].questions.append(question)
        self._calls[number].cards.ask(question)

    def _show_call_end(self, number: int) -> None:
        call = self._calls.pop(number, None)
        if call is not None:
            call.cards.finish()
            if (edits := call.cards.show_edits(call.key, "call")) is not None:
                edits.reverted.connect(self._server.add_note)
