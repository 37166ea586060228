"""A document at work, without a window: what is open, its history, its last full trace, and what was asked of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from core.files.document_file import save_document
from core.files.shared import Shared, read_shared
from core.files.versions import digest_on_disk
from core.revision import supersede
from core.scene.document import Document
from core.trace.results.result import RaySet, TraceResult
from core.view import View

Edit = Callable[[Document], Document]


@dataclass(frozen=True)
class Step:
    """One step of the history: what it was called, and the document on both sides of it."""

    text: str
    before: Document
    after: Document
    merge_key: str | None = None


@dataclass
class History:
    """Undo and redo over whole documents. Steps that follow each other under one merge key are one step."""

    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def push(self, step: Step) -> None:
        self.undone.clear()
        last = self.done[-1] if self.done else None
        if last and step.merge_key is not None and last.merge_key == step.merge_key and last.after is step.before:
            self.done[-1] = dataclasses.replace(last, after=step.after)
        else:
            self.done.append(step)

    def undo(self) -> Document | None:
        if not self.done:
            return None
        self.undone.append(self.done.pop())
        return self.undone[-1].before

    def redo(self) -> Document | None:
        if not self.undone:
            return None
        self.done.append(self.undone.pop())
        return self.done[-1].after

    @property
    def undo_text(self) -> str:
        return self.done[-1].text if self.done else ""

    @property
    def redo_text(self) -> str:
        return self.undone[-1].text if self.undone else ""


class Session:
    """A document and everything that changes over time around it. The only way to change the document is `apply`, `undo` and `redo`."""

    def __init__(self, document: Document | None = None, path: Path | None = None) -> None:
        self._document = document or Document()
        self.saved = self.document
        self.path = path
        self.digest: str | None = None
        """Of the file's contents when it was last opened or saved; None where it was not."""
        self.view = View()
        self.history = History()
        self.result: TraceResult | None = None
        self.answers: dict[str, RaySet] = {}

    @classmethod
    def open(cls, source: Path | str) -> Session:
        """A session on a file, a link, or a text file that holds one; SceneFileError if it cannot be read."""
        return cls.of_shared(read_shared(source))

    @classmethod
    def of_shared(cls, shared: Shared) -> Session:
        """A session on what was read."""
        session = cls(shared.document, shared.path)
        session.digest = shared.digest
        if shared.path is None:
            session.saved = Document()  # what has no file yet is not saved
        return session

    def save(self, path: Path | None = None) -> None:
        """Write the document to its file, or to another, which becomes its file; what that held before is kept as its backup."""
        path = path or self.path
        if path is None:
            raise ValueError("This document has no file yet. Give a path.")
        self.digest = save_document(self.document, path, backup=True)
        self.path, self.saved = path, self.document

    def changed_on_disk(self) -> bool:
        """Whether the document's file holds something else than when it was opened or saved. One that is gone holds nothing."""
        if self.path is None or self.digest is None:
            return False
        return digest_on_disk(self.path) not in (self.digest, None)

    def reload(self) -> None:
        """Read the document's file again, as one step of the history; SceneFileError if it cannot be read."""
        if self.path is None:
            raise ValueError("This document has no file to read again.")
        shared = read_shared(self.path)
        self.apply(lambda _: shared.document, f"Reload {self.path.name}")
        self.saved, self.digest = self.document, shared.digest

    @property
    def document(self) -> Document:
        return self._document

    @document.setter
    def document(self, document: Document) -> None:
        before, self._document = self._document, document
        if before.revision != document.revision:
            supersede(before.revision, document.revision)

    @property
    def modified(self) -> bool:
        return self.document is not self.saved

    def apply(self, edit: Edit, text: str, merge_key: str | None = None) -> Document:
        """Change the document. If the edit raises, the document and the history are as they were."""
        before = self.document
        after = edit(before)
        if after is not before:
            self.history.push(Step(text, before, after, merge_key))
            self.document = after
        return after

    def undo(self) -> bool:
        document = self.history.undo()
        if document is not None:
            self.document = document
        return document is not None

    def redo(self) -> bool:
        document = self.history.redo()
        if document is not None:
            self.document = document
        return document is not None

    @property
    def fresh_result(self) -> TraceResult | None:
        """The last full trace, if it is of the document as it stands."""
        result = self.result
        return result if result is not None and result.revision == self.document.revision else None

    def remember(self, question: str, rays: RaySet) -> RaySet:
        """Name an answer's rays (``R1``, ``R2`` ...) so that people and tools can point at them."""
        named = dataclasses.replace(rays, name=f"R{len(self.answers) + 1}", question=question)
        self.answers[named.name] = named
        return named
