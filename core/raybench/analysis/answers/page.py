"""Pages of an answer: each list is cut to the elements that fit, and the number of the remaining
elements is stated.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import TypeVar, overload

from raybench.analysis.answers.answer import Answer, Child, Element, ElementList, Leaf
from raybench.analysis.answers.xml_answer import xml_document
from raybench.analysis.rays.ranges import InvalidRange
from raybench.bisection import largest_fitting_integer
from raybench.errors import short_repr

PAGE_CHARACTERS = 2_200
"""Length of a page: with the sentence of the answer, what a model reads stays below 2 500."""
Thing = TypeVar("Thing")
Made = TypeVar("Made", bound=Element)
MOST_PAGE_ELEMENTS = 1000
"""Maximum number of elements of one list."""


class LazySequence(Sequence[Made]):
    """A sequence that creates its elements on first access. The function ``make`` creates all
    elements of a slice at once.
    """

    def __init__(
        self, make: Callable[[Sequence[Thing]], Sequence[Made]], things: Sequence[Thing]
    ) -> None:
        self._make: Callable[[Sequence[int]], Sequence[Made]] = lambda indices: make(
            [things[i] for i in indices]
        )
        self._indices, self._made = range(len(things)), dict[int, Made]()

    @classmethod
    def map_each(cls, make: Callable[[Thing], Made], things: Sequence[Thing]) -> LazySequence[Made]:
        """A sequence that holds ``make(thing)`` for each of the ``things``."""
        return LazySequence(lambda some: [make(thing) for thing in some], things)

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


def largest_fitting_number(fits: Callable[[int], bool], least: int, most: int) -> int:
    """The largest number from ``least`` to ``most`` for which ``fits`` returns true; ``least`` if
    there is none. The search starts small and doubles the number, so that ``fits`` rarely tries a
    large one.
    """
    some, more = least, max(2, 2 * least)
    while more <= most and fits(more):
        some, more = more, 2 * more
    return largest_fitting_integer(fits, some, min(more, most + 1))


def check_page(limit: int, offset: int, *, least: int = 0) -> None:
    """Raise InvalidRange unless ``limit`` is an integer from ``least`` to `MOST_PAGE_ELEMENTS` and
    ``offset`` an integer of at least 0.
    """
    check_count("limit", limit, least=least)
    check_count("offset", offset, least=0, most=None)


def check_count(
    name: str, value: int, *, least: int = 1, most: int | None = MOST_PAGE_ELEMENTS
) -> None:
    """Raise InvalidRange, naming the argument ``name``, unless ``value`` is an integer from
    ``least`` to ``most``.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or value < least
        or (most is not None and value > most)
    ):
        domain = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise InvalidRange(f"{name} is {short_repr(value)}; give a whole number {domain}.")


PAGE_PARAMETERS = frozenset({"limit", "offset"})
"""The parameters of a page. They are passed by name only, and are not part of the question."""
DEFAULT_LIMIT = 100
"""How many elements of a list are shown without a limit, where not as many as fit on a page."""


def paging_parameters(parameter_names: Iterable[str]) -> frozenset[str]:
    """The names ``limit`` and ``offset`` if a tool has both parameters; else an empty set."""
    return PAGE_PARAMETERS if set(parameter_names) >= PAGE_PARAMETERS else frozenset()


NO_LIMITS: Mapping[str, int] = MappingProxyType({})


@dataclass
class Slice:
    """The part of each list that a page shows: at most ``limit`` elements after the first
    ``offset`` elements. ``limits`` sets smaller limits for some tags. Lists with a tag in
    ``without`` are omitted.

    `slice_element` counts the elements ``shown`` and ``left`` of each tag. ``end`` is the offset of
    the next page, or None if nothing is left.
    """

    limit: int
    offset: int = 0
    without: Collection[str] | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    shown: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    end: int | None = None

    def slice_element(self, node: Element) -> Element:
        """A copy of an element in which each list is cut to the part on this page. An ``inner``
        list keeps all its elements, and the lists inside these are cut instead. The attributes
        ``shown`` and ``left`` of a record are set to the numbers of elements.
        """
        children: list[Child] = []
        about = dict(node.attributes)
        for child in node.children:
            if isinstance(child, Leaf) or (
                isinstance(child, ElementList) and child.has_only_leaves
            ):
                children.append(child)  # the cells of a table row are not a list
            elif isinstance(child, Element):
                children.append(self.slice_element(child))
            elif self.without and child.tag in self.without:
                self.left[child.tag] += len(child)
            elif child.inner:
                children.append(child.map_children(self.slice_element))
            else:
                part, more = self._slice_list(child)
                children.append(part)
                if more and not isinstance(about.get("left", ""), str):
                    about["left"] = more + (about["left"] or 0)
        lists = [
            child
            for child in children
            if isinstance(child, ElementList) and not child.has_only_leaves
        ]
        if len(lists) == 1 and "shown" in about:
            about["shown"] = len(lists[0])
        return node.with_parts(about, tuple(children))

    def _slice_list(self, listed: ElementList) -> tuple[ElementList, int]:
        """The part of a list on this page, and the number of elements after this part. With the
        limit 0 the list was not asked for, and the number is 0.
        """
        most = self.limits.get(listed.tag, sys.maxsize)
        end = self.offset + min(self.limit, most)
        part, more = (
            listed.slice_children(self.offset, end),
            max(0, len(listed) - end) if most else 0,
        )
        self.shown[listed.tag] += len(part)
        self.left[listed.tag] += more
        if more:
            self.end = end if self.end is None else min(end, self.end)
        return part if self.without is None else part.map_children(self._without_lists), more

    def _without_lists(self, item: Element) -> Element:
        """A copy of a list element without the lists whose tags are in ``without``."""
        inner = Slice(sys.maxsize, without=self.without, left=self.left)
        return inner.slice_element(item)

    def page_attributes(self, root: Element, remaining: Mapping[str, int]) -> dict[str, object]:
        """The attributes of the root of a page, see `answer_page`. ``remaining`` counts the missing
        elements by tag.
        """
        before = root.attributes.get("offset")
        offset = self.offset + (before if isinstance(before, int) else 0)
        about: dict[str, object] = {"offset": offset} if offset else {}
        if self.without:
            about["without"] = ", ".join(sorted(self.without))
        if remaining:
            about["left"] = ", ".join(f"{count} {tag}" for tag, count in remaining.items())
        if self.end is not None and self.end > self.offset:
            about["next_offset"] = offset - self.offset + self.end
        return about


def answer_page(
    answer: Answer,
    limit: int,
    offset: int = 0,
    without: Collection[str] = (),
    *,
    brief: bool = False,
    limits: Mapping[str, int] = NO_LIMITS,
) -> Answer:
    """The answer with each list cut to its part on a page, see `Slice`. ``brief`` says that rays
    are written in short form.

    If elements are missing, attributes of the root say so: ``left="617 ray"``, the elements after
    this page; ``next_offset``, the offset of the next page; ``offset``, the number of elements
    before this page; ``without="property"``, omitted lists. Raises InvalidRange if ``limit`` is not
    from 1 to `MOST_PAGE_ELEMENTS`, or if ``offset`` is negative.
    """
    check_page(limit, offset, least=1)
    page = Slice(limit, offset, without if without or brief else None, limits)
    page.left.update(answer.remaining)
    root = page.slice_element(answer.root)
    remaining = {tag: count for tag, count in page.left.items() if count and tag not in without}
    about = page.page_attributes(answer.root, remaining)
    if not about and not brief and all(limits.values()):
        return answer
    root = root.with_parts({**root.attributes, **about})
    return replace(answer, root=root, remaining=remaining)


def largest_fitting_page(
    answer: Answer, offset: int = 0, limits: Mapping[str, int] = NO_LIMITS
) -> Answer:
    """The page after the first ``offset`` elements, with as many elements of each list as fit into
    the length limit.

    If not all elements fit, their details are omitted. A list of one element is shown whole, and a
    list inside an ``inner`` list shows `DEFAULT_LIMIT` elements. Raises InvalidRange if ``offset``
    is negative.
    """
    check_page(1, offset, least=1)
    longest = longest_list_length(answer.root)
    has_inner = any(
        isinstance(child, ElementList) and child.inner for child in answer.root.children
    )
    if longest <= 1 or has_inner:
        return answer_page(answer, DEFAULT_LIMIT, offset, limits=limits)
    most = min(max(1, longest - offset), MOST_PAGE_ELEMENTS)

    @cache
    def make_page(count: int, without: frozenset[str] = frozenset()) -> Answer:
        return answer_page(answer, count, offset, without, limits=limits)

    @cache
    def fits(count: int, without: frozenset[str] = frozenset()) -> bool:
        return len(xml_document(make_page(count, without).root)) <= PAGE_CHARACTERS

    count, without = largest_fitting_number(fits, 1, most), answer.details
    if not without or (count == most and fits(count)):
        return make_page(count)
    return make_page(largest_fitting_number(lambda count: fits(count, without), 1, most), without)


def longest_list_length(node: Element) -> int:
    """The length of the longest list in an element; only lists that a page can cut count."""
    longest = 0
    for child in node.children:
        inner = child.items if isinstance(child, ElementList) and child.inner else [child]
        for part in inner:
            if isinstance(part, ElementList):
                longest = max(longest, len(part))
            elif isinstance(part, Element):
                longest = max(longest, longest_list_length(part))
    return longest
