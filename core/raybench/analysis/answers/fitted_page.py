"""Lists truncated to fit on a page, with a count of the remaining elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

from raybench.analysis.answers.answer import Element
from raybench.analysis.answers.xml_answer import document
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


def fitted(root: Callable[[int], Made], most: int) -> Made:
    """The element for the largest number of list elements, at most ``most``, that fits on a page;
    for 1 if even that is longer.
    """
    most = min(most, MOST)

    def fits(count: int) -> bool:
        return len(document(root(count))) <= CHARACTERS

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
