"""A session: an open document with its file, undo history, view, last complete trace and results of
queries. It needs no window.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from raybench.errors import RaybenchError, elide_text
from raybench.files.atomic import digest_on_disk
from raybench.files.document_file import list_omitted_contents, save_document
from raybench.files.shared import SharedContent, read_shared
from raybench.kinds.object import SceneObject
from raybench.phrase import Phrase
from raybench.scene.changes import (
    Change,
    ChangeRefused,
    Changes,
    apply_changes,
    describe_changes,
    documents_between_changes,
    merge_consecutive,
)
from raybench.scene.changes.differences import match_object_keys
from raybench.scene.changes.reverting import revert_differences
from raybench.scene.changes.transaction import changes_as_tuple
from raybench.scene.document import Document, record_new_state
from raybench.scene.names import changed_names
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.view import View, ViewHistory

MAX_STEP_TEXT = 200
"""Maximum characters of the text of a step that is merged from several."""
SAVED_REVISION = 0
"""In place of a revision: the document as it was last saved or opened."""


@dataclass(frozen=True)
class HistoryStep:
    """A step of the undo history: the changes, their description (``text``), and the documents
    before and after them.

    A step without changes records that the file was reloaded.
    """

    changes: tuple[Change, ...]
    text: str
    before: Document
    after: Document
    merge_key: str | None = None


@dataclass
class History:
    """The undo and redo stacks, which hold whole documents.

    Consecutive steps with the same merge key are merged into one step.
    """

    done: list[HistoryStep] = field(default_factory=list)
    undone: list[HistoryStep] = field(default_factory=list)

    def push(self, step: HistoryStep, gather: bool = False, apart: bool = False) -> None:
        """Add a step to the history. With ``gather`` it is merged with the last earlier step of the
        same merge key, even if other steps are between them. With ``apart`` it is never merged.
        """
        self.undone.clear()
        if gather:
            step = self._merge_with_gathered_step(step)
        last = self.done[-1] if self.done else None
        alike = last is not None and step.merge_key is not None and last.merge_key == step.merge_key
        if last is not None and alike and last.after is step.before and not apart:
            self.done[-1] = _merge_steps(last, step)
        else:
            self.done.append(step)

    def _merge_with_gathered_step(self, step: HistoryStep) -> HistoryStep:
        """Merge this step with the last earlier step of the same merge key. The steps between the
        two are moved before the merged step.

        The steps between are rebased object by object, as by `revert_differences`, as if the
        earlier step had been made after them. An object changed both by them and by the earlier
        step keeps the change of the earlier step. The documents before the earlier step and after
        this step do not change.
        """
        at = next(
            (i for i, s in enumerate(self.done) if s.merge_key == step.merge_key), len(self.done)
        )
        if at >= len(self.done) - 1:
            return step
        first, between = self.done[at], self.done[at + 1 :]
        del self.done[at:]
        before = first.before
        for other in between:
            after, _ = revert_differences(other.after, first.before, first.after)
            if after != before:
                self.done.append(dataclasses.replace(other, before=before, after=after))
                before = after
        return _merge_steps(dataclasses.replace(first, before=before), step)

    def join_steps(self, count: int) -> None:
        """Join all steps after the first ``count`` into one step."""
        while len(self.done) > count + 1:
            last = self.done.pop()
            self.done[-1] = _merge_steps(self.done[-1], last)

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


def _merge_steps(first: HistoryStep, then: HistoryStep) -> HistoryStep:
    """Merge two steps into one. If there were other steps between them, the merged list of changes
    may no longer be applicable.
    """
    changes = merge_consecutive(first.changes, then.changes)
    try:
        text = describe_changes(changes, documents_between_changes(changes, first.before))
    except ChangeRefused:
        text = elide_text(f"{first.text}, {then.text}", MAX_STEP_TEXT)
    return dataclasses.replace(first, changes=changes, text=text, after=then.after)


class Gesture:
    """Provisional changes, which are replaced again and again while the user drags something.

    The changes are always applied to the session's ``base`` document, so other changes made in the
    meantime are kept. `finish` adds them to the history as one step.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.changes: tuple[Change, ...] = ()
        self.active = True

    def update(self, changes: Changes) -> Document:
        """Replace the gesture's changes. Raises ChangeRefused and leaves document and gesture
        unchanged if they cannot be applied.
        """
        if not self.active:
            raise ChangeRefused(
                "The dragged object is no longer in the scene. Undo its deletion first."
            )
        many = changes_as_tuple(changes)
        after = apply_changes(many, self._session.base)
        self.changes = many
        self._session._show_document(after)
        return after

    def finish(self) -> None:
        """Commit the changes as one step of the undo history."""
        if self.active:
            session, changes = self._session, self.changes
            before, after = session.base, session.document
            if after is not before:
                text = describe_changes(changes, documents_between_changes(changes, before))
                session.history.push(HistoryStep(changes, text, before, after))
                session.base = after
            session._end_gesture()

    def cancel(self) -> None:
        """Discard the changes and return to the document ``base``."""
        if self.active:
            self._session._end_gesture()


class Session:
    """An open document, with its file, undo history and view.

    The document changes only by `apply`, a gesture (`begin_gesture`), `reload`, `undo` and `redo`.
    ``base`` is the document without the changes of an active gesture; ``document`` includes them.
    ``saved`` is the document as last opened or saved, ``result`` the last complete trace,
    ``answers`` are ray sets by name.
    """

    def __init__(self, document: Document | None = None, path: Path | None = None) -> None:
        self.base = self._document = document or Document()
        self.gesture: Gesture | None = None
        self.saved = self.document
        self.path = path
        self.digest: str | None = None
        """Digest of the file's contents when it was last opened or saved; None if there is no file.
        """
        self.view = View()
        self.views = ViewHistory()
        self.history = History()
        self.result: TraceResult | None = None
        self.answers: dict[str, RaySet] = {}
        self.memory = TraceMemory()
        """Buffers reused between this session's traces without a window, so that each recomputes
        only what was edited.
        """

    @classmethod
    def open(cls, source: Path | str) -> Session:
        """Open a session on a file, on a link, or on a text file that contains a link. Raises
        SceneFileError if it cannot be read.
        """
        return cls.from_shared(read_shared(source))

    @classmethod
    def from_shared(cls, shared: SharedContent) -> Session:
        """A session on a document that was read from a file, a link or a text."""
        session = cls(shared.document, shared.path)
        session.digest = shared.digest
        if shared.path is None and not shared.is_example:
            session.saved = Document()  # a document without a file counts as unsaved
        return session

    def save(self, path: Path | None = None, *, backup: bool = True) -> tuple[str, ...]:
        """Write the document to its file. Returns what the file cannot store
        (`list_omitted_contents`). A ``path`` becomes the new file of the document.

        With ``backup``, the previous contents of the file are kept in a backup file, which replaces
        an earlier backup.
        """
        path = path or self.path
        if path is None:
            raise RaybenchError("This document has no file yet. Give a path.")
        self.digest = save_document(self.document, path, backup=backup)
        self.path, self.saved = path, self.document
        return list_omitted_contents(self.document, path)

    def changed_on_disk(self) -> bool:
        """Whether the contents of the file have changed since it was opened or saved. False if the
        file no longer exists.
        """
        if self.path is None or self.digest is None:
            return False
        return digest_on_disk(self.path) not in (self.digest, None)

    def reload(self, read: SharedContent | None = None) -> None:
        """Read the document's file again, as one step of the undo history. ``read`` is the content
        of the file, if it has been read already.

        An object gets the key of a present or earlier object with the same name and type, so that
        earlier steps can still be reverted. Raises SceneFileError if the file cannot be read.
        """
        if self.path is None:
            raise ValueError("This document has no file to reload.")
        shared = read or read_shared(self.path)
        steps = reversed(self.history.done)
        known: dict[int, SceneObject] = {}
        for earlier in (self.base, *(d for step in steps for d in (step.after, step.before))):
            for obj in earlier.scene.objects:
                known.setdefault(obj.key, obj)
        document = match_object_keys(shared.document, known.values())
        self.history.push(
            HistoryStep((), Phrase("{name} reloaded", name=self.path.name), self.base, document)
        )
        self._rebase_gesture(document)
        self.saved, self.digest = document, shared.digest

    @property
    def document(self) -> Document:
        return self._document

    @property
    def modified(self) -> bool:
        return self.document is not self.saved

    def discard(self) -> None:
        """Discard unsaved changes and the file, so that the document can be closed without asking."""
        self.path, self.saved = None, self.document

    def apply(
        self, changes: Changes, merge_key: str | None = None, gather: bool = False, text: str = ""
    ) -> Document:
        """Apply all changes or none, as one step of the undo history. Consecutive steps with the
        same ``merge_key`` are merged, unless the document was saved between them.

        With ``gather`` they are merged even if other steps are between them; those are moved before
        the merged step. ``text`` describes the step instead of the descriptions of the changes, for
        example “align left”. Raises ChangeRefused, with the change that failed and the reason;
        document and history are then unchanged.
        """
        before, many = self.base, changes_as_tuple(changes)
        documents = documents_between_changes(many, before)
        after = _with_measures_renamed(before, documents[-1])
        if after is not before:
            apart = before is self.saved and not gather  # so that undo leads back to what was saved
            self.history.push(
                HistoryStep(
                    many, text or describe_changes(many, documents), before, after, merge_key
                ),
                gather,
                apart,
            )
            self._rebase_gesture(after)
        return self.document

    def revert(self, merge_key: str) -> tuple[str, ...]:
        """Revert the step with this merge key. Returns the names of the objects that were not
        reverted, because other steps have changed them since.

        The last step is undone; any other step is reverted by a new step.
        """
        step = next((s for s in self.history.done if s.merge_key == merge_key), None)
        if step is None:
            return ()
        if step is self.history.done[-1] and self.gesture is None:
            self.undo()
            return ()
        document, left = revert_differences(self.base, step.before, step.after)
        document = _with_measures_renamed(self.base, document)
        if document is not self.base:
            text = Phrase("Reverted: {changes}", changes=step.text)
            self.history.push(HistoryStep((), text, self.base, document))
            self._rebase_gesture(document)
        return left

    def document_at(self, revision: int) -> Document | None:
        """The document with this revision in the history, or None. `SAVED_REVISION` stands for the
        document as last saved or, without a file, as opened.
        """
        steps = (*self.history.done, *self.history.undone)
        documents = (
            self.document,
            self.saved,
            *(d for step in steps for d in (step.before, step.after)),
        )
        if revision == SAVED_REVISION:
            first = self.history.done[0].before if self.history.done else self.document
            return (
                self.saved
                if any(d is self.saved for d in (self.document, *documents[2:]))
                else first
            )
        return next((d for d in documents if d.revision == revision), None)

    def begin_gesture(self) -> Gesture:
        """Start a gesture. An active gesture is finished first."""
        if self.gesture is not None:
            self.gesture.finish()
        self.gesture = Gesture(self)
        return self.gesture

    def undo(self) -> bool:
        return self._go_to_document(self.history.undo())

    def redo(self) -> bool:
        return self._go_to_document(self.history.redo())

    def _go_to_document(self, document: Document | None) -> bool:
        if document is not None:
            self._rebase_gesture(document)
        return document is not None

    def _rebase_gesture(self, base: Document) -> None:
        """Replace the base document of the active gesture, and apply the gesture to it. If the
        gesture can no longer be applied, it is cancelled.
        """
        self.base = base
        if self.gesture is not None and self.gesture.changes:
            try:
                base = apply_changes(self.gesture.changes, base)
            except ChangeRefused:
                self._end_gesture()
        self._show_document(base)

    def _end_gesture(self) -> None:
        if self.gesture is not None:
            self.gesture.active = False
            self.gesture = None
        self._show_document(self.base)

    def _show_document(self, document: Document) -> None:
        before, self._document = self._document, document
        if before.revision != document.revision:
            record_new_state(before, document)

    def set_view(self, view: View) -> None:
        self.view = view

    @property
    def fresh_result(self) -> TraceResult | None:
        """The last complete trace; None if the document was changed since."""
        result = self.result
        return result if result is not None and result.revision == self.document.revision else None

    def store_rays(self, question: str, rays: RaySet) -> RaySet:
        """Store the rays that answer a question under a new name (``R1``, ``R2`` ...), and return
        the named set.
        """
        named = dataclasses.replace(
            rays.packed(), name=f"R{len(self.answers) + 1}", question=question
        )
        self.answers[named.name] = named
        return named


def _with_measures_renamed(before: Document, after: Document) -> Document:
    """The document ``after`` a change, with new names of objects and new labels of edges in its
    saved studies, measurements and sliders.
    """
    if not (after.studies or after.measurements or after.sliders) or (
        before.edge_labels == after.edge_labels and not changed_names(before, after)
    ):
        return after
    from raybench.study.request import (
        with_measures_renamed,  # imports all measures, which takes a while
    )

    return with_measures_renamed(before, after)
