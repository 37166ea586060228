"""The linked numbers of a document, which are recomputed after every change."""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

from raybench.errors import RaybenchError
from raybench.phrase import Phrase
from raybench.scene.changes.setting import Set, SetSettings
from raybench.scene.document import Document
from raybench.scene.parameters.link import (
    InvalidLink,
    Link,
    order_links,
    read_link,
    replace_names_in_formula,
)
from raybench.scene.parameters.parameter import POSITION_MOTIONS, Parameter, read_parameter
from raybench.scene.parameters.renaming import Renaming

NUMBER_ROUNDING, PLACE_ROUNDING = 1e-12, 1e-9
"""The difference up to which a number is not set anew, and that of where an object stands."""
MOST_LINKS = 1000
"""Links that a document may have."""
MOST_PASSES = 20
"""Times that links are followed until no number changes any more. Two are usual: more are needed
where numbers depend on one another by a place that they share, as the ends on the centre.
"""


def with_link(document: Document, place: str, expression: str) -> Document:
    """The document in which the number at ``place`` is linked to an expression; an empty expression
    removes the link. The number itself is set by `with_links_applied`.

    Raises InvalidLink, InvalidParameter or UnknownName.
    """
    parameter = read_parameter(place, document)
    rest = tuple(link for link in document.links if link.parameter.identity != parameter.identity)
    if not expression:
        if len(rest) == len(document.links):
            raise InvalidLink(Phrase("{name} is not linked.", name=place))
        return document.with_annotations(links=rest)
    if len(rest) >= MOST_LINKS:
        raise InvalidLink(Phrase("A document has at most {most} links.", most=MOST_LINKS))
    link = read_link(f"{parameter.text} = {expression}", document)
    if not link.uses:
        raise InvalidLink(
            Phrase("{link} names no other number. Set the number itself.", link=link.text)
        )
    for each in (parameter, *(used for _, used in link.uses)):
        if each.is_motion:
            place = next(name for name, motion in POSITION_MOTIONS.items() if motion == each.place)
            owner = each.text.removesuffix(each.place)
            raise InvalidLink(
                Phrase(
                    "{name} is a motion, which no number holds: write {place}.",
                    name=each.text,
                    place=f"{owner}{place}",
                )
            )
    return document.with_annotations(links=order_links((*rest, link), ()))


def with_links_applied(document: Document) -> Document:
    """The document with the linked numbers computed from their expressions; the same document if
    none changes. Raises InvalidLink with the name of the number.
    """
    for _ in range(MOST_PASSES):
        moved = []
        for link in document.links:
            before, document = document, _with_link_applied(document, link)
            if document is not before:
                moved.append(link)
        if not moved:
            break
    else:
        raise InvalidLink(
            Phrase(
                "{link} contradicts itself or another link. Remove one of them.",
                link=moved[-1].text,
            )
        )
    return document


def _with_link_applied(document: Document, link: Link) -> Document:
    parameter = link.parameter
    try:
        number = link.value(
            {p.identity: p.value_in_document(document) - p.origin for _, p in link.uses}
        )
        now = parameter.value_in_document(document)
        difference, rounding = number - now, NUMBER_ROUNDING
        if parameter.place in POSITION_MOTIONS:
            rounding = PLACE_ROUNDING
            if parameter.place == "orientation":
                difference = math.remainder(difference, 360.0)
        if abs(difference) <= max(rounding, NUMBER_ROUNDING * abs(number)):
            return document
        change = parameter.change_in(document, number)
        after = change.apply(document)
        lost = change.lost_lens_outline_reason(document, after) if isinstance(change, Set) else ""
    except InvalidLink:
        raise
    except (RaybenchError, ArithmeticError) as error:
        raise InvalidLink(Phrase("{link}: {fault}", link=link.text, fault=str(error))) from error
    if lost:
        raise InvalidLink(Phrase("{link}: {fault}", link=link.text, fault=lost))
    return after


def link_at(document: Document, parameter: Parameter) -> Link | None:
    """The link of a number; None if it is not linked."""
    return next((o for o in document.links if o.parameter.identity == parameter.identity), None)


def linked_number_error(link: Link) -> InvalidLink:
    """The error for setting a linked number directly."""
    name = link.parameter.text
    return InvalidLink(
        Phrase(
            "{name} is linked: = {expression}. Unlink it first: type = alone, or give {change}.",
            name=name,
            expression=link.expression,
            change=f'{{"link": "{name}", "as": ""}}',
        )
    )


def overwritten_link(change: object, before: Document, after: Document) -> Link | None:
    """The link whose number a change of fields sets to another value; None if it sets no linked
    number.
    """
    if not isinstance(change, Set | SetSettings):
        return None
    named = change.replace_names_by_keys(before)
    keys = set(named.keys(before)) if isinstance(named, Set) else set()
    for link in before.links:
        own = link.parameter.change(0.0)
        if (
            isinstance(own, Set | SetSettings)
            and type(own) is type(named)
            and own.values.keys() & named.values.keys()
            and set(link.parameter.keys) <= keys
            and link.parameter.value_in_document(before) != link.parameter.value_in_document(after)
        ):
            return link
    return None


def with_links_renamed(before: Document, after: Document) -> Document:
    """The document ``after`` a change, with the links of ``before`` adapted to renamed objects and
    a new length unit. Links to names that no longer exist, such as a dissolved group, are removed.
    """
    if not after.links:
        return after
    renaming, are_new = Renaming.between(before, after), after.links != before.links
    is_same = before.groups == after.groups and before.unit == after.unit
    if renaming is None and is_same and not are_new:
        return after
    links = []
    for link in after.links:
        is_old = renaming is not None and link in before.links
        text = renaming.rename_in_parameters(link.text) if renaming and is_old else link.text
        try:
            now = read_link(text, after)
        except RaybenchError:
            continue
        pairs = zip_longest(now.parameters, link.parameters)
        if all(
            a and b and (a.identity == b.identity or isinstance(b.target, tuple)) for a, b in pairs
        ):
            links.append(now)  # else the name is another object's
    return after.with_annotations(links=tuple(links))


def rename_in_links(
    links: Iterable[tuple[str, str]], new_names: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The places and expressions of links, with the new names of objects and groups by old name,
    for copies.
    """
    longest_first = sorted(new_names, key=len, reverse=True)
    for link in links:
        place, expression = (
            replace_names_in_formula(
                text, longest_first, new_names.__getitem__, lambda _, edge: edge
            )
            for text in link
        )
        yield place, expression
