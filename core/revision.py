"""Revisions: numbers that tell one state of a document from another."""

from __future__ import annotations

import itertools

_revisions = itertools.count(1)
_superseded: set[int] = set()


def next_revision() -> int:
    """A number that no document and no recorded result of this program run has had."""
    return next(_revisions)


def supersede(before: int, after: int) -> None:
    """A document at work went from one revision to another, by an edit or by undoing one."""
    _superseded.add(before)
    _superseded.discard(after)


def is_superseded(revision: int) -> bool:
    """Whether the document that had this revision has another one now."""
    return revision in _superseded
