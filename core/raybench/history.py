"""The undo history of a document: steps of changes with the documents before and after them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from raybench.errors import elided
from raybench.scene.changes import Change, ChangeRefused, merged, stages, words
from raybench.scene.changes.reverting import reverted
from raybench.scene.document import Document

MAX_TEXT = 200
"""Maximum characters of the text of a step that is merged from several."""


@dataclass(frozen=True)
class Step:
    """One step of the history: the changes, their description (``text``), and the documents before
    and after them.

    A step without changes records that the file was reloaded.
    """

    changes: tuple[Change, ...]
    text: str
    before: Document
    after: Document
    merge_key: str | None = None


@dataclass
class History:
    """Undo and redo stacks of whole documents.

    Consecutive steps with the same merge key are merged into one; with ``gather`` also steps that
    are not consecutive.
    """

    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def push(self, step: Step, gather: bool = False, apart: bool = False) -> None:
        """Add a step; with ``apart`` it is not merged with the last one."""
        self.undone.clear()
        if gather:
            step = self._gathered(step)
        last = self.done[-1] if self.done else None
        alike = last is not None and step.merge_key is not None and last.merge_key == step.merge_key
        if last is not None and alike and last.after is step.before and not apart:
            self.done[-1] = _merged_step(last, step)
        else:
            self.done.append(step)

    def _gathered(self, step: Step) -> Step:
        """Merge the earlier step with the same merge key, if it is not the last one, into this one,
        and move the steps between before it.

        These are rebased, object by object as `reverted` does, as if the earlier step had come
        after them; an object that both changed keeps the change of the earlier step. The documents
        before the earlier step and after this one stay as they are.
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
            after, _ = reverted(other.after, first.before, first.after)
            if after != before:
                self.done.append(dataclasses.replace(other, before=before, after=after))
                before = after
        return _merged_step(dataclasses.replace(first, before=before), step)

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


def _merged_step(first: Step, then: Step) -> Step:
    """Two steps as one. The changes of both may no longer apply one after the other if there were
    steps between them.
    """
    changes = merged(first.changes, then.changes)
    try:
        text = words(changes, stages(changes, first.before))
    except ChangeRefused:
        text = elided(f"{first.text}, {then.text}", MAX_TEXT)
    return dataclasses.replace(first, changes=changes, text=text, after=then.after)
