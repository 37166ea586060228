"""The bar above the chat with the conversations about a document, and their files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from raybench.agent.turn.transcript import Exchange, Transcript
from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.errors import elided
from raybench_workbench import theme
from raybench_workbench.chat.export_menu import fill_export_menu
from raybench_workbench.chat.message_list import MessageList
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads.latest import Latest
from raybench_workbench.words.labels import ElidedLabel
from raybench_workbench.words.plain_text import label_text

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
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.GRID, 2, theme.HALF, 2)
        line.addWidget(self.title, 1)
        line.addWidget(self.earlier)
        line.addWidget(self.export)
        document.saved.connect(self._move)
        self._show()

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
        self._show()

    def keep(self, exchange: Exchange, complete: bool = True) -> None:
        """Write an exchange to the current conversation's file and, if it is complete, add it to
        the conversation.
        """
        transcript = self.current.transcript.and_then(exchange)
        self._put(transcript)
        if complete:
            self.current.transcript = transcript
            if self.current not in self.entries:
                self.entries.append(self.current)
            self._show()

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
        self._show()
        self.restored.emit()

    def _move(self) -> None:
        """Move the conversations along with the document, which was saved, perhaps as another file."""
        for entry in self.entries:
            if (
                entry.messages is not None
            ):  # those of this window, not all that were found beside a scene without a file
                self._put(entry.transcript)

    def _put(self, transcript: Transcript) -> None:
        if self._files is not None:
            self._files.put(
                transcript, self._document.session.path, self._document.document.scene.name
            )

    def _show(self) -> None:
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
            action.triggered.connect(partial(self._choose, entry))

    def _choose(self, entry: ConversationEntry, _checked: bool = False) -> None:
        self.chosen.emit(entry)
