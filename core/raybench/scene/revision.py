"""Revision numbers, which identify states of a document, and which of these states have been
superseded.
"""

from __future__ import annotations

import itertools
from typing import Protocol
from weakref import WeakValueDictionary


class Revised(Protocol):
    """A state with a revision number: a `raybench.scene.document.Document`."""

    @property
    def revision(self) -> int: ...


_revisions = itertools.count(1)
_states: WeakValueDictionary[int, Revised] = WeakValueDictionary()
"""The states that sessions have gone through and that still exist: in a history, or held by a
context.
"""
_superseded: WeakValueDictionary[int, Revised] = WeakValueDictionary()
"""Those of them that are not current."""


def next_revision() -> int:
    """A revision number that was not used before in this process."""
    return next(_revisions)


def supersede(before: Revised, after: Revised) -> None:
    """Record that a session's document changed from one state to another, by an edit or an undo.

    The record exists as long as the states do, so that the thousands of intermediate states of a
    drag take no memory.
    """
    _states[before.revision], _states[after.revision] = before, after
    _superseded[before.revision] = before
    _superseded.pop(after.revision, None)


def state_of(revision: int) -> Revised | None:
    """The state with a revision, or None if no session has changed it or it no longer exists.

    Keep a reference to it for as long as `is_superseded` will be called for it.
    """
    return _states.get(revision)


def is_superseded(revision: int) -> bool:
    """Whether the document that had this revision has another one now. The state must still exist."""
    return revision in _superseded
