"""Recovery in a window: its document's unsaved changes are kept, and what an ended program left can be taken up again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.files.recovery import Draft, Leftover, leftovers
from core.files.recovery_writer import RecoveryWriter
from core.scene.document import Document
from core.session import Session
from workbench.document import WorkDocument

if TYPE_CHECKING:
    from workbench.main_window import MainWindow


class Recovery(QObject):
    """Keeps a recovery file of one `WorkDocument` as long as it has unsaved changes. Without a folder it keeps none."""

    found = Signal(object)
    """The `Leftover` list of programs that ended without saving."""
    _failed = Signal(str)

    def __init__(self, document: WorkDocument, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder = folder
        self._document = document
        self._failed.connect(document.failed)
        self._writer = None if folder is None else RecoveryWriter(folder, self._failed.emit)
        document.changed.connect(self._keep)
        document.saved.connect(self._drop)
        self._keep()

    def search(self) -> None:
        """Look for leftovers in the background; ``found`` tells of them, if there are any."""
        if self.folder is not None:
            threading.Thread(target=self._search, args=(self.folder,), name="leftovers", daemon=True).start()

    def take_over(self, leftover: Leftover) -> None:
        """Open what was left, as unsaved changes to the file it belonged to."""
        draft = leftover.draft
        if draft is None or self._writer is None:
            raise ValueError("There is nothing to recover here.")
        session = Session(draft.document, draft.path)
        session.saved, session.digest = Document(), draft.digest
        self._document.adopt(session)
        self._writer.take_over(leftover.slot)

    def close(self) -> None:
        """Forget the document: it was saved or discarded."""
        if self._writer is not None:
            self._writer.close()

    def _search(self, folder: Path) -> None:
        found = leftovers(folder)
        try:
            if found:
                self.found.emit(found)
        except RuntimeError:  # the window has gone meanwhile
            for leftover in found:
                leftover.slot.release()

    def _keep(self, *_: object) -> None:
        session = self._document.session
        if not session.modified:
            self._drop()
        elif self._writer is not None:
            self._writer.put(Draft(session.document, session.path, session.digest))

    def _drop(self) -> None:
        if self._writer is not None:
            self._writer.drop()


_others: set[MainWindow] = set()
"""Windows that were opened for what was recovered, and which nobody else keeps."""


def recover(window: MainWindow, leftover: Leftover) -> None:
    """Open what was left: in this window, or in another one where this holds unsaved changes itself."""
    if window.document.session.modified:
        window = _another(window)
    window.recovery.take_over(leftover)


def _another(window: MainWindow) -> MainWindow:
    other = type(window)(WorkDocument(), window.settings, window.recovery.folder)
    _others.add(other)

    def forget() -> None:
        _others.discard(other)
        other.deleteLater()

    other.closed.connect(forget)
    other.show()
    return other
