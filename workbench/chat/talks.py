"""The conversations about a document: the line with their list, and their files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from core.agent.turn.transcript import Exchange, Transcript
from core.agent.turn.transcript_files import TranscriptFiles
from workbench import theme
from workbench.chat.export_menu import fill_export_menu
from workbench.chat.talk import Talk
from workbench.document import WorkDocument
from workbench.threads.latest import Latest
from workbench.words.labels import ElidedLabel
from workbench.words.plain_text import label_text

TITLE = 48
"""The most characters of a title in the list."""


@dataclass(eq=False)
class Held:
    """A conversation and, once it was shown, its messages."""

    transcript: Transcript
    talk: Talk | None = None


class Talks(QWidget):
    """A line with the title of the conversation, a list of the others, and a menu of exports. Hidden while there is nothing in it."""

    chosen = Signal(object)
    """The `Held` conversation that was chosen in the list."""
    restored = Signal()
    """The conversations of the document were read from their files."""
    _unkept = Signal(str)

    def __init__(self, document: WorkDocument, files: TranscriptFiles | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._files = document, files
        self._unkept.connect(document.failed)
        if files is not None:
            files.failed = self._unkept.emit
        self._reading = Latest(self, document.failed.emit, "Reading the conversations")
        self.held: list[Held] = []
        """The conversations that can be opened, the oldest first."""
        self.current = Held(Transcript())
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.set_role(self, "bar")
        self.title = ElidedLabel(self, role="dim", selectable=False)
        self.earlier = QPushButton("Earlier", self)
        self.earlier.setToolTip("Open an earlier conversation about this scene")
        self.export = QPushButton("Export", self)
        self.export.setToolTip("Copy or save this conversation")
        self.list, self.exports = QMenu(self.earlier), QMenu(self.export)
        for button, menu in ((self.earlier, self.list), (self.export, self.exports)):
            theme.set_role(button, "flat")
            button.setMenu(menu)
        self.list.aboutToShow.connect(lambda: self.fill_list(self.list))
        self.exports.aboutToShow.connect(lambda: fill_export_menu(self.exports, self.current.transcript, self._document, self))
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.GRID, 2, theme.HALF, 2)
        line.addWidget(self.title, 1)
        line.addWidget(self.earlier)
        line.addWidget(self.export)
        document.saved.connect(self._move)
        self._show()

    @property
    def latest(self) -> Held | None:
        """The last conversation that can be opened; None if there is none."""
        return next((held for held in reversed(self.held) if held.transcript.exchanges), None)

    def open_document(self) -> Held:
        """Begin with another document: its conversations are read in the background."""
        self.held = []
        self._reading.drop()
        if (files := self._files) is not None:
            scene, document = self._document.session.path, self._document.document
            self._reading.ask(lambda: files.read(scene, document), self._add_read)
        return Held(Transcript())

    def begin(self) -> Held:
        """A new conversation, or the current one if nothing was said in it."""
        return Held(Transcript()) if self.current.transcript.exchanges else self.current

    def show_current(self, held: Held) -> None:
        """Make a conversation the current one."""
        self.current = held
        self._show()

    def keep(self, exchange: Exchange, complete: bool = True) -> None:
        """Add an exchange to the current conversation and write it; one that is not complete yet is only written."""
        transcript = self.current.transcript.and_then(exchange)
        if self._files is not None:
            self._files.put(transcript, self._document.session.path)
        if complete:
            self.current.transcript = transcript
            if self.current not in self.held:
                self.held.append(self.current)
            self._show()

    def close_files(self) -> None:
        """Write what waits."""
        if self._files is not None:
            self._files.close()

    def _add_read(self, found: list[Transcript]) -> None:
        there = {held.transcript.id for held in self.held}
        self.held = [*(Held(transcript) for transcript in found if transcript.id not in there), *self.held]
        self._show()
        self.restored.emit()

    def _move(self) -> None:
        """The document was saved, perhaps as another file: its conversations go with it."""
        if self._files is not None:
            for held in self.held:
                if held.talk is not None:  # those of this window, not all that were found beside a scene without a file
                    self._files.put(held.transcript, self._document.session.path)

    def _show(self) -> None:
        said = bool(self.current.transcript.exchanges)
        self.title.set_full_text(self.current.transcript.title)
        others = [held for held in self.held if held is not self.current]
        self.earlier.setVisible(bool(others))
        self.export.setVisible(said)
        self.setVisible(said or bool(others))

    def fill_list(self, menu: QMenu) -> None:
        """Fill a menu with the conversations, the latest first."""
        menu.clear()
        for held in reversed(self.held):
            transcript = held.transcript
            title = transcript.title if len(transcript.title) <= TITLE else f"{transcript.title[: TITLE - 1]}…"
            when = transcript.exchanges[-1].time.astimezone() if transcript.exchanges else transcript.started.astimezone()
            action = menu.addAction(label_text(f"{when:%d %b %H:%M}   {title}"))
            action.setCheckable(True)
            action.setChecked(held is self.current)
            action.triggered.connect(partial(self._choose, held))

    def _choose(self, held: Held, _checked: bool = False) -> None:
        self.chosen.emit(held)
