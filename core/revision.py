"""Revisions: integers that identify the states of documents."""

from __future__ import annotations

import itertools

_revisions = itertools.count(1)
_superseded: set[int] = set()


def next_revision() -> int:
    """A new revision, unique within this run of the program."""
    return next(_revisions)


def supersede(before: int, after: int) -> None:
    """Record that an open document changed from one revision to another, by an edit, undo or redo."""
    _superseded.add(before)
    _superseded.discard(after)


def is_superseded(revision: int) -> bool:
    """Whether the document that had this revision has a different one now."""
    return revision in _superseded
