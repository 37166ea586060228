"""Revisions: numbers that tell one state of a document from another."""

from __future__ import annotations

import itertools

_revisions = itertools.count(1)


def next_revision() -> int:
    """A number that no document and no recorded result of this program run has had."""
    return next(_revisions)
