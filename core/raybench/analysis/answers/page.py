"""One page of an answer: a slice of each of its lists, as many elements as fit, and the number of
remaining ones.
"""

from __future__ import annotations

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


def fit_element(root: Callable[[int], Made], most: int) -> Made:
    """The element for the largest number of list elements, at most ``most``, that fits on a page;
    for 1 if even that is longer.
    """
    most = min(most, MOST)

    def fits(count: int) -> bool:
        return len(xml_document(root(count))) <= CHARACTERS

    some, more = min(1, most), 2
    while more <= most and fits(
        more
    ):  # doubled at first, so that hardly more elements are made than fit
        some, more = more, 2 * more
    return root(largest_that_fits(fits, some, min(more, most + 1)))


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
    """The parameters of a page among those of a tool; none if the tool has not both."""
    return PARAMETERS if set(names) >= PARAMETERS else frozenset()


def answer_page(answer: Answer, limit: int, offset: int = 0) -> Answer:
    """The answer with at most ``limit`` elements of each list, after the first ``offset`` ones. A
    list that is ``inner`` stays whole, and the lists in its elements are sliced; the lists in the
    elements of any other list stay whole.

    If elements are omitted, the root has the attributes ``left="617 ray"``, those after this page,
    and ``offset``, those before. Raises InvalidRange if ``limit`` is not from 1 to `MOST`, or
    ``offset`` is negative.
    """
    check_page(limit, offset, least=1)
    remaining: Counter[str] = Counter(answer.remaining)
    root = _page_node(answer.root, limit, offset, remaining)
    about: dict[str, object] = {"offset": offset} if offset else {}
    if remaining:
        about |= {"left": ", ".join(f"{count} {tag}" for tag, count in remaining.items())}
    return (
        replace(
            answer,
            root=root.with_parts({**root.attributes, **about}),
            remaining=dict(remaining),
        )
        if about
        else answer
    )


def page_that_fits(answer: Answer, offset: int = 0) -> Answer:
    """The `answer_page` with as many elements of each list as fit on it, after the first ``offset`` ones.

    Where not all fits, the elements are shown without their details, if they have some:
    ``without="property"`` says so. A list of one element is shown whole, with `USUAL` elements of
    its lists if it is ``inner``. Raises InvalidRange if ``offset`` is negative.
    """
    check_page(1, offset, least=1)
    longest = _longest_list(answer.root)
    if longest <= 1:
        return answer_page(answer, USUAL, offset)
    whole = _fit_page(answer, max(1, longest - offset), offset)
    if not answer.details or (
        len(xml_document(whole.root)) <= CHARACTERS and whole.remaining == answer.remaining
    ):
        return whole
    root = _without_lists(answer.root, answer.details)
    root = root.with_parts({**root.attributes, "without": ", ".join(sorted(answer.details))})
    return _fit_page(replace(answer, root=root), max(1, longest - offset), offset)


def _longest_list(node: Element) -> int:
    """The length of the longest list that pages slice."""
    lengths = (
        _longest_list(c) if isinstance(c, Element) else len(c)
        for c in node.children
        if not isinstance(c, Leaf)
    )
    return max(lengths, default=0)


def _fit_page(answer: Answer, most: int, offset: int) -> Answer:
    pages: dict[int, Answer] = {}

    def root(count: int) -> Element:
        pages[count] = pages.get(count) or answer_page(answer, count, offset)
        return pages[count].root

    found = fit_element(root, most)
    return next(p for p in pages.values() if p.root is found)


def _without_lists(node: Element, tags: Collection[str]) -> Element:
    """An element without the lists of some tags, in the elements of its lists too."""
    children: list[Child] = []
    for child in node.children:
        if isinstance(child, Element):
            children.append(_without_lists(child, tags))
        elif isinstance(child, Leaf):
            children.append(child)
        elif child.tag not in tags:
            whole = child.is_row or not child.items
            children.append(child if whole else _each_without(child, tags))
    return node.with_parts(children=tuple(children))


def _each_without(listing: Listed, tags: Collection[str]) -> Listed:
    def several(some: Sequence[int]) -> list[Element]:
        return [
            _without_lists(item, tags)
            for item in (listing.items[i] for i in some)
            if isinstance(item, Element)
        ]

    items = OnDemand(several, range(len(listing.items)))
    return Listed(listing.tag, items, inner=listing.inner)


def _page_node(node: Element, limit: int, offset: int, remaining: Counter[str]) -> Element:
    children = tuple(_page_part(child, limit, offset, remaining) for child in node.children)
    if all(a is b for a, b in zip(children, node.children, strict=True)):
        return node
    lists = [child for child in children if not isinstance(child, Element | Leaf)]
    shown = {"shown": len(lists[0])} if "shown" in node.attributes and len(lists) == 1 else {}
    return node.with_parts({**node.attributes, **shown}, children)


def _page_part(child: Child, limit: int, offset: int, remaining: Counter[str]) -> Child:
    if isinstance(child, Element):
        return _page_node(child, limit, offset, remaining)
    if isinstance(child, Leaf) or child.is_row:
        return child  # the cells of a table row are not a list
    if child.inner:
        paged = [
            _page_node(item, limit, offset, remaining) if isinstance(item, Element) else item
            for item in child.items
        ]
        return (
            child
            if all(a is b for a, b in zip(paged, child.items, strict=True))
            else Listed(child.tag, paged, inner=True)
        )
    if not offset and len(child) <= limit:
        return child
    if len(child) > offset + limit:
        remaining[child.tag] += len(child) - offset - limit
    return child.part(offset, offset + limit)
