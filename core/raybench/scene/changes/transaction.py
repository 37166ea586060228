"""Lists of changes as transactions: either all changes are applied, or none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from raybench.errors import RaybenchError, elide_text, in_quotes, list_first_texts
from raybench.kinds.object import InvalidObject
from raybench.phrase import Phrase, join_with_commas
from raybench.scene.changes.change import Change, ChangeRefused, Changes, TargetedChange
from raybench.scene.changes.differences import dissolved_parts
from raybench.scene.changes.linking import LinkNumber
from raybench.scene.changes.setting import Set
from raybench.scene.document import (
    Document,
    are_revisions_negative,
    next_revision,
    use_negative_revisions,
)
from raybench.scene.labels import duplicate_labels
from raybench.scene.names import new_name_conflicts
from raybench.scene.parameters.following import (
    linked_number_error,
    overwritten_link,
    with_links_applied,
    with_links_renamed,
)
from raybench.scene.parameters.link import InvalidLink

MAX_DESCRIBED = 3
"""Maximum number of changes that the description of a list describes individually."""


def changes_as_tuple(changes: Changes) -> tuple[Change, ...]:
    """The changes as a tuple."""
    return (changes,) if isinstance(changes, Change) else tuple(changes)


def apply_changes(changes: Changes, document: Document) -> Document:
    """Apply changes in order. Returns the same document if they change nothing. Raises
    ChangeRefused, which gives the number of the failed change if there are several changes.
    """
    return documents_between_changes(changes, document)[-1]


def documents_between_changes(changes: Changes, document: Document) -> list[Document]:
    """The documents before each change, followed by the document after the last change. Only the
    last document has a new revision. Raises ChangeRefused.
    """
    many, documents = changes_as_tuple(changes), [document]
    with use_negative_revisions():
        for i, change in enumerate(many, 1):
            try:
                after = change.apply(documents[-1])
                documents.append(with_links_renamed(documents[-1], after))
            except (RaybenchError, OverflowError, ZeroDivisionError) as error:
                raise change_refused_error(change, documents[-1], i, len(many), error) from error
        if documents[-1] is not document and documents[-1].links:
            _follow_links(many, documents)
        check_changed_document(many, documents)
    if documents[-1] is not document and not are_revisions_negative():
        documents[-1] = replace(documents[-1], revision=next_revision())
    return documents


def _follow_links(many: Sequence[Change], documents: list[Document]) -> None:
    """Update the linked numbers of the last document. Raises ChangeRefused if that is not possible,
    or if a change sets a linked number to another value.
    """
    kept = {link.parameter.identity for link in documents[-1].links}
    for i, (change, before, after) in enumerate(
        zip(many, documents, documents[1:], strict=False), 1
    ):
        link = overwritten_link(change, before, after)
        if link is not None and link.parameter.identity in kept:
            raise change_refused_error(change, before, i, len(many), linked_number_error(link))
    try:
        documents[-1] = with_links_applied(documents[-1])
    except InvalidLink as error:
        raise ChangeRefused(str(error), len(many)) from error


def check_changed_document(changes: Sequence[Change], documents: Sequence[Document]) -> None:
    """Raise ChangeRefused if the changes give an object a name, or an edge a label, that is taken,
    or if no lens has the given data. ``documents`` are the documents before each change and after
    the last.
    """
    if reason := _name_conflict(documents[0], documents[-1]):
        i = next(i for i, stage in enumerate(documents) if _name_conflict(documents[0], stage))
        raise change_refused_error(
            changes[i - 1], documents[i - 1], i, len(changes), InvalidObject(reason)
        )
    for i, (change, before) in enumerate(zip(changes, documents, strict=False), 1):
        if isinstance(change, Set) and (
            reason := change.lost_lens_outline_reason(before, documents[-1])
        ):
            raise change_refused_error(change, before, i, len(changes), InvalidObject(reason))


def _name_conflict(before: Document, after: Document) -> str:
    """The first conflict: an object whose new name is taken, or an edge whose new label is taken,
    with the reason. Empty if there is none.
    """
    if after.edge_labels is not before.edge_labels:
        for key, labels in after.edge_labels.items():
            same, obj = duplicate_labels(labels), after.scene.get(key)
            if same and obj is not None and not _had_duplicate_labels(before, key, labels, same):
                text = f"Two edges of {in_quotes(obj.title)} would be labelled {in_quotes(same[0])}"
                return f"{text}. Give one of them another label, or remove its label first."
    if after.scene.objects is before.scene.objects:
        return ""
    return next(
        (reason for _, reason in new_name_conflicts(before.scene, after.scene, after.groups)), ""
    )


def _had_duplicate_labels(
    before: Document, key: int, labels: Mapping[int, str], same: Collection[str]
) -> bool:
    """Whether an object, or the original of a copy, already had the same label on several edges
    before the change.
    """
    own = before.edge_labels.get(key)
    return (
        labels in before.edge_labels.values()
        if own is None
        else set(same) <= set(duplicate_labels(own))
    )


def change_refused_error(
    change: Change, document: Document, index: int, count: int, error: Exception
) -> ChangeRefused:
    """The error for a change that could not be applied. ``index`` is the number of the change (from
    1) in a list of ``count`` changes.
    """
    why = (
        str(error)
        if isinstance(error, RaybenchError)
        else "it leads to numbers that are too large. Use smaller ones."
    )
    if count == 1:
        return ChangeRefused(why)
    targets = change.target_tuple if isinstance(change, TargetedChange) else ()
    objects = [document.scene.get(t) if isinstance(t, int) else None for t in targets]
    names = (
        t if isinstance(t, str) else o.title if o is not None else "an object"
        for t, o in zip(targets, objects, strict=True)
    )
    title = elide_text(f"{change.verb} {', '.join(names)}".strip(), 60)
    return ChangeRefused(
        f"Change {index} of {count} ({title}): {why} None of the changes was made.", index
    )


def describe_changes(changes: Changes, documents: Sequence[Document]) -> str:
    """Describe the changes in words, for the history. ``documents`` are those of
    `documents_between_changes`.
    """
    many = changes_as_tuple(changes)
    described = [
        c.describe(a, b)
        for c, a, b in zip(many[:MAX_DESCRIBED], documents, documents[1:], strict=False)
    ]
    more = len(many) - MAX_DESCRIBED
    freed = dissolved_parts(documents[0], documents[-1])
    linked = {link.parameter.identity for link in documents[-1].links}
    unlinked = [
        link.parameter.text
        for link in documents[0].links
        if link.parameter.identity not in linked
        and not any(isinstance(c, LinkNumber) for c in many)
    ]
    text = join_with_commas(described)
    if more == 1:
        text = Phrase("{changes} and 1 more change", changes=text)
    elif more > 1:
        text = Phrase("{changes} and {more} more changes", changes=text, more=more)
    if freed:
        names = list_first_texts(freed)
        text = Phrase("{changes}; the objects of {names} are free now", changes=text, names=names)
    if unlinked:
        names = list_first_texts(unlinked)
        text = Phrase("{changes}; {names} unlinked", changes=text, names=names)
    return text


def merge_consecutive(first: tuple[Change, ...], then: tuple[Change, ...]) -> tuple[Change, ...]:
    """Concatenate two lists of changes. The last change of the first list and the first change of
    the second are merged if possible.
    """
    if first and then and (one := first[-1].merge_consecutive(then[0])) is not None:
        return (*first[:-1], one, *then[1:])
    return (*first, *then)


def replace_keys_by_names(changes: Changes, document: Document) -> tuple[Change, ...]:
    """The changes with keys replaced by names, so that they can be stored as JSON, or as Python by
    `repr`, and applied in another run of the program.
    """
    many = changes_as_tuple(changes)
    return tuple(
        c.replace_keys_by_names(d)
        for c, d in zip(many, documents_between_changes(many, document), strict=False)
    )
