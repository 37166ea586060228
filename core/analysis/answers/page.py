"""Lists that fit on a page: as many elements as a reader takes in at once, with a count of what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.analysis.answers.answer import Element, listed
from core.analysis.answers.xml_answer import document
from core.analysis.rays.ranges import InvalidRange
from core.errors import short_repr

CHARACTERS = 2_500
"""Length of a page."""
MOST = 1000
"""Maximum number of elements of one list."""
PAGE = f"How many to list, 1 to {MOST}; 0 for as many as fit on a page."
"""The description of ``limit`` in the tools that take it."""


def page(tag: str, items: Sequence[Element], root: Callable[..., Element], limit: int = 0, offset: int = 0) -> Element:
    """The root element of an answer with one list of ``items``, of which it shows ``limit``, or as many as fit on a page.

    ``root`` makes the element from the listing and the attributes count, shown, offset and left, which are left out where all is shown.
    Raises InvalidRange for a limit or an offset out of range.
    """
    for name, value in (("limit", limit), ("offset", offset)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= (MOST if name == "limit" else 10**9):
            raise InvalidRange(f"{name} is {short_repr(value)}; give a whole number from 0{f' to {MOST}' * (name == 'limit')}.")
    rest = items[offset:]

    def shown(count: int) -> Element:
        left = len(rest) - count
        about = {"count": len(items), "shown": count if left or offset else None, "offset": offset or None, "left": left or None}
        return root(listed(tag, rest[:count]), **about)

    if limit:
        return shown(min(limit, len(rest)))
    fits, too_many = 0, min(len(rest), MOST) + 1
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if len(document(shown(middle))) <= CHARACTERS:
            fits = middle
        else:
            too_many = middle
    return shown(max(fits, min(1, len(rest))))
