"""One page of an answer: a slice of each of its lists, as many elements as fit, and the number of
remaining ones.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar, overload

from raybench.analysis.answers.answer import Answer, Child, Element, Leaf, Listed
from raybench.analysis.answers.xml_answer import xml_document
from raybench.analysis.rays.ranges import InvalidRange
from raybench.bisection import largest_that_fits
from raybench.errors import short_repr

CHARACTERS = 2_200
"""Length of a page: with the sentence of the answer, what a model reads stays below 2 500."""
Thing = TypeVar("Thing")
Made = TypeVar("Made", bound=Element)
MOST = 1000
"""Maximum number of elements of one list."""


class OnDemand(Sequence[Made]):
    """The elements for some things, each created on first access; ``make`` creates those of a slice
    together.
    """

    def __init__(
        self, make: Callable[[Sequence[Thing]], Sequence[Made]], things: Sequence[Thing]
    ) -> None:
        self._make: Callable[[Sequence[int]], Sequence[Made]] = lambda indices: make(
            [things[i] for i in indices]
        )
        self._indices, self._made = range(len(things)), dict[int, Made]()

    @classmethod
    def each(cls, make: Callable[[Thing], Made], things: Sequence[Thing]) -> OnDemand[Made]:
        """The elements for some things, where ``make`` takes one."""
        return OnDemand(lambda some: [make(thing) for thing in some], things)

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Made: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Made]: ...
    def __getitem__(self, index: int | slice) -> Made | Sequence[Made]:
        indices = self._indices[index] if isinstance(index, slice) else [self._indices[index]]
        missing = [i for i in indices if i not in self._made]
        self._made |= zip(missing, self._make(missing), strict=True) if missing else ()
        return (
            [self._made[i] for i in indices] if isinstance(index, slice) else self._made[indices[0]]
        )


def most_that_fit(fits: Callable[[int], bool], least: int, most: int) -> int:
    """The largest number from ``least`` to ``most`` that fits; ``least`` even if that does not.

    It is doubled at first, so that hardly more elements are made than fit.
    """
    some, more = least, max(2, 2 * least)
    while more <= most and fits(more):
        some, more = more, 2 * more
    return largest_that_fits(fits, some, min(more, most + 1))


def check_page(limit: int, offset: int, *, least: int = 0) -> None:
    """Raise InvalidRange unless ``limit`` is a whole number from ``least`` to `MOST` and ``offset``
    one of 0 or more.
    """
    check_count("limit", limit, least=least)
    check_count("offset", offset, least=0, most=None)


def check_count(name: str, value: int, *, least: int = 1, most: int | None = MOST) -> None:
    """Raise InvalidRange unless the argument ``name`` is a whole number from ``least`` to ``most``."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or value < least
        or (most is not None and value > most)
    ):
        domain = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise InvalidRange(f"{name} is {short_repr(value)}; give a whole number {domain}.")


PARAMETERS = frozenset({"limit", "offset"})
"""The parameters of a page. They are passed by name only, and are not part of the question."""
USUAL = 100
"""How many elements of a list are shown without a limit, where not as many as fit on a page."""


def page_parameters(names: Iterable[str]) -> frozenset[str]:
    """The two parameters of a page among those of a tool; none unless the tool has both."""
    return PARAMETERS if set(names) >= PARAMETERS else frozenset()


def slice_lists(
    node: Element,
    limit: int,
    offset: int,
    shown: Counter[str],
    left: Counter[str],
    without: Collection[str] | None = None,
) -> Element:
    """The element with at most ``limit`` elements of each list, after the first ``offset`` ones,
    and none of the lists ``without``; in short form if these are given. Adds to the numbers ``shown`` and ``left`` of each tag.

    A list that is ``inner`` stays whole, and the lists in its elements are sliced; the lists in the
    elements of any other list stay whole. A record with the attribute ``shown`` or ``left`` has the
    number of the elements of its list.
    """

    def slice_item(item: Element) -> Element:
        return slice_lists(item, limit, offset, shown, left, without)

    def strip_item(item: Element) -> Element:
        return slice_lists(item, sys.maxsize, 0, Counter(), left, without)

    children: list[Child] = []
    about = dict(node.attributes)
    for child in node.children:
        if isinstance(child, Leaf) or (isinstance(child, Listed) and child.is_row):
            children.append(child)  # the cells of a table row are not a list
        elif isinstance(child, Element):
            children.append(slice_item(child))
        elif without and child.tag in without:
            left[child.tag] += len(child)
        elif child.inner:
            children.append(child.mapped(slice_item))
        else:
            part = child.part(offset, offset + limit)
            more = max(0, len(child) - offset - limit)
            shown[child.tag] += len(part)
            left[child.tag] += more
            children.append(part if without is None else part.mapped(strip_item))
            if more and not isinstance(about.get("left", ""), str):
                about["left"] = more + (about["left"] or 0)
    lists = [child for child in children if isinstance(child, Listed) and not child.is_row]
    if len(lists) == 1 and "shown" in about:
        about["shown"] = len(lists[0])
    return node.with_parts(about, tuple(children))


def answer_page(
    answer: Answer,
    limit: int,
    offset: int = 0,
    without: Collection[str] = (),
    *,
    brief: bool = False,
) -> Answer:
    """The answer with the lists of `slice_lists`; ``brief``: with rays in short form.

    If elements are omitted, the root has the attributes ``left="617 ray"``, those after this page,
    ``offset``, those before, and ``without="property"``, the lists that are left out. Raises
    InvalidRange if ``limit`` is not from 1 to `MOST`, or ``offset`` is negative.
    """
    check_page(limit, offset, least=1)
    left: Counter[str] = Counter(answer.remaining)
    root = slice_lists(
        answer.root, limit, offset, Counter(), left, without if without or brief else None
    )
    remaining = {tag: count for tag, count in left.items() if count and tag not in without}
    about: dict[str, object] = {"offset": offset} if offset else {}
    if without:
        about["without"] = ", ".join(sorted(without))
    if remaining:
        about["left"] = ", ".join(f"{count} {tag}" for tag, count in remaining.items())
    if not about and not brief:
        return answer
    root = root.with_parts({**root.attributes, **about})
    return replace(answer, root=root, remaining=remaining)


def page_that_fits(answer: Answer, offset: int = 0) -> Answer:
    """The `answer_page` with as many elements of each list as fit on it, after the first ``offset``
    ones.

    Where not all fits, the elements are shown without their details, if they have some. A list of
    one element is shown whole, and of lists in an ``inner`` one `USUAL` elements. Raises
    InvalidRange if ``offset`` is negative.
    """
    check_page(1, offset, least=1)
    longest = longest_list(answer.root)
    has_inner = any(isinstance(child, Listed) and child.inner for child in answer.root.children)
    if longest <= 1 or has_inner:
        return answer_page(answer, USUAL, offset)
    most = min(max(1, longest - offset), MOST)

    def page(count: int, without: Collection[str] = ()) -> Answer:
        return answer_page(answer, count, offset, without)

    def fits(page: Answer) -> bool:
        return len(xml_document(page.root)) <= CHARACTERS

    count = most_that_fit(lambda count: fits(page(count)), 1, most)
    if not answer.details or (count == most and fits(page(count))):
        return page(count)
    without = answer.details
    return page(most_that_fit(lambda count: fits(page(count, without)), 1, most), without)


def longest_list(node: Element) -> int:
    """The length of the longest list that pages slice."""
    longest = 0
    for child in node.children:
        inner = child.items if isinstance(child, Listed) and child.inner else [child]
        for part in inner:
            if isinstance(part, Listed):
                longest = max(longest, len(part))
            elif isinstance(part, Element):
                longest = max(longest, longest_list(part))
    return longest
