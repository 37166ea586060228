"""A document at work, without a window: what is open, its history, its last full trace, and what was asked of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from core.files.document_file import save_document
from core.files.shared import Shared, read_shared
from core.files.versions import digest_on_disk
from core.revision import supersede
from core.scene.changes import Change, ChangeRefused, Changes, applied, merged, stages, words
from core.scene.changes.transaction import listed
from core.scene.document import Document
from core.trace.results.result import RaySet, TraceResult
from core.trace.run.memory import TraceMemory
from core.view import View


@dataclass(frozen=True)
class Step:
    """One step of the history: the changes, what they are called, and the document on both sides of them.

    A step without changes is a file that was read again.
    """

    changes: tuple[Change, ...]
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
            self.done[-1] = _as_one(last, step)
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


def _as_one(first: Step, then: Step) -> Step:
    """Two steps that follow each other as one."""
    changes = merged(first.changes, then.changes)
    return dataclasses.replace(first, changes=changes, text=words(changes, stages(changes, first.before)), after=then.after)


class Gesture:
    """Changes that grow while something is dragged. They are made to the document as it stands without them, so that whatever is changed
    meanwhile by others is kept; the history gets them when they are finished, as one step.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.changes: tuple[Change, ...] = ()
        self.active = True

    def update(self, changes: Changes) -> Document:
        """Do these changes instead of those before. What raises leaves everything as it was."""
        if not self.active:
            raise ChangeRefused("What was dragged is not in the scene any more. Undo its deletion first.")
        many = listed(changes)
        after = applied(many, self._session.base)
        self.changes = many
        self._session._show(after)
        return after

    def finish(self) -> None:
        """Keep what the changes did, as the last step of the history."""
        if self.active:
            self._session._keep_gesture(self.changes)

    def cancel(self) -> None:
        """Take back what the changes did, and nothing else."""
        if self.active:
            self._session._end_gesture()


class Session:
    """A document and everything that changes over time around it.

    The only ways to change the document are `apply`, a gesture (`begin_gesture`), `reload`, `undo` and `redo`. While a gesture is going
    on, it is made on top of ``base``, the document that the others change.
    """

    def __init__(self, document: Document | None = None, path: Path | None = None) -> None:
        self.base = self._document = document or Document()
        self.gesture: Gesture | None = None
        self.saved = self.document
        self.path = path
        self.digest: str | None = None
        """Of the file's contents when it was last opened or saved; None where it was not."""
        self.view = View()
        self.history = History()
        self.result: TraceResult | None = None
        self.answers: dict[str, RaySet] = {}
        self.memory = TraceMemory()
        """For the traces of this session's documents without a window: each recomputes only what was edited."""

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
        self.history.push(Step((), f"{self.path.name} read again", self.base, shared.document))
        self._rebase(shared.document)
        self.saved, self.digest = shared.document, shared.digest

    @property
    def document(self) -> Document:
        return self._document

    @property
    def modified(self) -> bool:
        return self.document is not self.saved

    def apply(self, changes: Changes, merge_key: str | None = None) -> Document:
        """Make some changes, all or none, as one step of the history; steps in a row under one ``merge_key`` are one.

        Raises ChangeRefused, which says which change cannot be made and why; then the document and the history are as they were.
        """
        before, many = self.base, listed(changes)
        documents = stages(many, before)
        after = documents[-1]
        if after is not before:
            self.history.push(Step(many, words(many, documents), before, after, merge_key))
            self._rebase(after)
        return self.document

    def begin_gesture(self) -> Gesture:
        """Changes that will grow. One at a time: a gesture that is going on is finished first."""
        if self.gesture is not None:
            self.gesture.finish()
        self.gesture = Gesture(self)
        return self.gesture

    def undo(self) -> bool:
        return self._travel(self.history.undo())

    def redo(self) -> bool:
        return self._travel(self.history.redo())

    def _travel(self, document: Document | None) -> bool:
        if document is not None:
            self._rebase(document)
        return document is not None

    def _rebase(self, base: Document) -> None:
        """Have another document under the gesture. One that cannot be made to it any more ends: what it moved is gone."""
        self.base = base
        if self.gesture is not None and self.gesture.changes:
            try:
                base = applied(self.gesture.changes, base)
            except ChangeRefused:
                self._end_gesture()
        self._show(base)

    def _keep_gesture(self, changes: tuple[Change, ...]) -> None:
        before, after = self.base, self._document
        if after is not before:
            self.history.push(Step(changes, words(changes, stages(changes, before)), before, after))
            self.base = after
        self._end_gesture()

    def _end_gesture(self) -> None:
        if self.gesture is not None:
            self.gesture.active = False
            self.gesture = None
        self._show(self.base)

    def _show(self, document: Document) -> None:
        before, self._document = self._document, document
        if before.revision != document.revision:
            supersede(before, document)

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
