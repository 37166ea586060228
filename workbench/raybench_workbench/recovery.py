"""Crash recovery in a window: writes unsaved changes to a recovery file, and opens those that
crashed programs left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from raybench.files.recovery import Draft, Leftover, RecoveryWriter, leftovers
from raybench.scene.document import Document
from raybench.session import Session
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads.background import in_background, in_gui_thread, reason_of

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


class Recovery(QObject):
    """Writes a recovery file for one `WorkDocument` while it has unsaved changes; without a folder
    it does nothing.
    """

    found = Signal(object)
    """The list of `Leftover`s of crashed programs."""

    def __init__(
        self, document: WorkDocument, folder: Path | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = folder
        self._document = document
        self._writer = (
            None
            if folder is None
            else RecoveryWriter(folder, in_gui_thread(self, document.failed.emit))
        )
        document.changed.connect(self._write)
        document.saved.connect(self._drop)
        self._write()

    def search(self) -> None:
        """Search for leftovers in the background; ``found`` is emitted if there are any."""
        if self.folder is not None:
            in_background(self, partial(leftovers, self.folder), self._offer, self._search_failed)

    def take_over(self, leftover: Leftover) -> None:
        """Open a leftover as unsaved changes to its file."""
        draft = leftover.draft
        if draft is None or self._writer is None:
            raise ValueError("There is nothing to recover here.")
        session = Session(draft.document, draft.path)
        session.saved, session.digest = Document(), draft.digest
        self._document.adopt(session)
        self._writer.take_over(leftover.slot)

    def write_every(self, seconds: float) -> None:
        """Write at most once in so many seconds."""
        if self._writer is not None:
            self._writer.between = seconds

    def close(self) -> None:
        """Stop, and delete the recovery file: the document was saved or discarded."""
        if self._writer is not None:
            self._writer.close()

    def _offer(self, found: Iterable[Leftover]) -> None:
        if found:
            self.found.emit(found)

    def _search_failed(self, error: Exception) -> None:
        self._document.failed.emit(
            reason_of(error, "The search for unsaved changes of earlier runs")
        )

    def _write(self, *_: object) -> None:
        session = self._document.session
        if not session.modified:
            self._drop()
        elif self._writer is not None:
            self._writer.put(Draft(session.document, session.path, session.digest))

    def _drop(self) -> None:
        if self._writer is not None:
            self._writer.drop()


_recovered_windows: set[MainWindow] = set()
"""References to the windows opened for recovered documents, so that they are not garbage collected.
"""


def recover(window: MainWindow, leftover: Leftover) -> None:
    """Open a leftover in this window, or in a new one if this has unsaved changes."""
    if window.document.session.modified:
        window = _another(window)
    window.recovery.take_over(leftover)


def _another(window: MainWindow) -> MainWindow:
    other = type(window)(
        WorkDocument(), window.settings, window.recovery.folder, window.conversations
    )
    _recovered_windows.add(other)

    def forget() -> None:
        _recovered_windows.discard(other)
        other.deleteLater()

    other.closed.connect(forget)
    other.show()
    return other
