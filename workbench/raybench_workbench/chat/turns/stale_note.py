"""The line below an answer that is about another state of the scene."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from raybench.agent.call.outcome import GONE
from raybench_workbench.document import WorkDocument
from raybench_workbench.words.labels import WrappedLabel

TEXT = "About an earlier state of the scene: undo, or ask again."
TEXT_GONE = "About another state of the scene, or by another version of Raybench: ask again."


class StaleNote(WrappedLabel):
    """Visible while the document has another revision than ``revision``; an undo that leads back to
    it hides the note.
    """

    def __init__(
        self, revision: int, document: WorkDocument, parent: QWidget | None = None
    ) -> None:
        super().__init__(TEXT_GONE if revision == GONE else TEXT, parent, role="warning")
        self._revision, self._document = revision, document
        document.changed.connect(self.refresh)
        self.refresh()

    @property
    def stale(self) -> bool:
        return self._revision != self._document.document.revision

    def refresh(self, *_: object) -> None:
        self.setVisible(self.stale)
