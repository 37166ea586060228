"""What a person changes in a document, beside the edits of a model that has to know of it."""

from __future__ import annotations

from raybench.agent.turn.scene_text import changed_text
from raybench.scene.document import Document


class ChangesByHand:
    """Collects the changes that a model did not make, in words; ``since`` says since when, such as
    ``your last answer``.
    """

    def __init__(self, since: str) -> None:
        self._since = since
        self._seen: Document | None = None
        """The document up to which changes are collected."""
        self._texts: list[str] = []

    def edited(self, before: Document, after: Document) -> None:
        """Note an edit of the model."""
        self._collect(before)
        self._seen = after

    def news(self, document: Document) -> list[str]:
        """The changes up to now, which were not reported yet; none before the first report."""
        self._collect(document)
        texts, self._texts = self._texts, []
        return texts

    def _collect(self, document: Document) -> None:
        if self._seen is not None and (text := changed_text(self._seen, document, self._since)):
            self._texts.append(text)
        self._seen = document
