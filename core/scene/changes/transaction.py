"""Lists of changes: made whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.errors import RaybenchError, elided
from core.scene.changes.change import Change, ChangeRefused, Targeted
from core.scene.document import Document

Changes = Change | Iterable[Change]
MOST_WORDS = 3
"""Changes of a list that its words name one by one."""


def listed(changes: Changes) -> tuple[Change, ...]:
    """Some changes as a tuple."""
    return (changes,) if isinstance(changes, Change) else tuple(changes)


def applied(changes: Changes, document: Document) -> Document:
    """The document with all of the changes, in order; itself where they change nothing.

    Raises ChangeRefused, which names the change at fault by its number where there are several.
    """
    return stages(changes, document)[-1]


def stages(changes: Changes, document: Document) -> list[Document]:
    """The documents before each of the changes, and after the last; raises as `applied`."""
    many, documents = listed(changes), [document]
    for i, change in enumerate(many, 1):
        try:
            documents.append(change.apply(documents[-1]))
        except (RaybenchError, OverflowError, ZeroDivisionError) as error:
            raise refused(change, i, len(many), error) from error
    return documents


def refused(change: Change, index: int, count: int, error: Exception) -> ChangeRefused:
    """The error for a change that cannot be made, of a list of ``count``."""
    why = str(error) if isinstance(error, RaybenchError) else "it leads to numbers that are too large. Give smaller ones."
    if count == 1:
        return ChangeRefused(why)
    return ChangeRefused(f"Change {index} of {count} ({title(change)}): {why} None of the changes was made.", index)


def title(change: Change) -> str:
    """A change in a few characters, whether it can be made or not: its verb and its targets."""
    targets = ", ".join(str(t) for t in change.listed) if isinstance(change, Targeted) else ""
    return elided(f"{change.verb} {targets}".strip(), 60)


def words(changes: Changes, documents: Sequence[Document]) -> str:
    """What some changes did, for the history; ``documents`` are their `stages`."""
    many = listed(changes)
    said = [c.words(a, b) for c, a, b in zip(many[:MOST_WORDS], documents, documents[1:], strict=False)]
    return ", ".join(said) + (f" and {len(many) - MOST_WORDS} more changes" if len(many) > MOST_WORDS else "")


def merged(first: tuple[Change, ...], then: tuple[Change, ...]) -> tuple[Change, ...]:
    """Changes and those that follow them as one list, the last and the next as one change where they can be."""
    if first and then and (one := first[-1].merged(then[0])) is not None:
        return (*first[:-1], one, *then[1:])
    return (*first, *then)


def bound(changes: Changes, document: Document) -> tuple[Change, ...]:
    """The same changes with keys for names. Raises ChangeRefused for a name that is unknown and for a change that cannot be made."""
    out: list[Change] = []
    many = listed(changes)
    for i, change in enumerate(many, 1):
        try:
            out.append(change.bound(document))
            document = out[-1].apply(document)
        except (RaybenchError, OverflowError, ZeroDivisionError) as error:
            raise refused(change, i, len(many), error) from error
    return tuple(out)


def named(changes: Changes, document: Document) -> tuple[Change, ...]:
    """The same changes with names for keys: what is printed as Python or JSON, to be made again in another run of the program."""
    many = listed(changes)
    return tuple(c.named(d) for c, d in zip(many, stages(many, document), strict=False))


def python_text(changes: Changes, document: Document) -> str:
    """The changes as Python that makes them again, given ``from core.scene.changes import *`` and a ``session``."""
    lines = "".join(f"    {c!r},\n" for c in named(changes, document))
    return f"session.apply([\n{lines}])"
